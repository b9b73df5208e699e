"""Tasks from Label Studio, or from another collection: articles, pairs, and answers under pseudonyms.

What our own export says beyond what Label Studio knows is taken back as it was: duties, comments, doubts, times,
groups, who nominated a pair, and what came of talking it over.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple

from samestory.collection.answers import Shape, checked, turned
from samestory.collection.arbitration import arbitrate
from samestory.collection.collection import Collection, Wanted, note_run, now, put
from samestory.collection.desk import COMMENT, LONGEST
from samestory.collection.people import hashed
from samestory.collection.talks import EPOCH, NOTE, STATES
from samestory.database import Session, storable
from samestory.errors import InputError, ParameterError
from samestory.model import Article

_DUTIES = ("judge", "second", "arbitrate")


@dataclass(slots=True)
class Taken:
    """What became of tasks that were taken in."""

    pairs: int = 0
    answers: int = 0
    broken: list[str] = field(default_factory=list)
    """Tasks that could not be taken, by number, and why."""


class _Answer(NamedTuple):
    name: str
    answer: str
    seconds: float | None
    duty: str
    comment: str
    questionable: bool
    at: int


class _Nominated(NamedTuple):
    detector: str
    asked: str
    score: float | None


class _Known(NamedTuple):
    """What another collection says about a pair."""

    group: int | None
    judges: int | None
    nominated: list[_Nominated]
    talks: list[tuple[str, str, int]]


class _Task(NamedTuple):
    left: Article
    right: Article
    answers: list[_Answer]
    known: _Known

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(sorted((self.left.id, self.right.id)))


def take_tasks(collection: Collection, path: str | Path) -> Taken:
    """Takes exported tasks in. A broken one is named and passed over; what is there already is not kept twice."""
    if collection.shape is not Shape.PAIR:
        raise ParameterError("Label Studio's tasks are of pairs")
    out = Taken()
    found = list(_read(collection, path, out))
    with collection.database.write() as session:
        collection.take({each.id: each for task in found for each in (task.left, task.right)}.values())
        before = _numbers(session)
        out.pairs = put(session, Shape.PAIR, [Wanted(task.ids) for task in found])[0]
        number = _numbers(session)
        fresh = {task.ids: task for task in found if task.ids not in before}
        _nominate(session, fresh.values(), number, str(path))
        if collection.setting("judges") is None and (judges := max((t.known.judges or 0 for t in found), default=0)):
            collection.settle("judges", str(judges))
        _regroup(session, fresh.values(), number)
        for ids, task in fresh.items():
            rows = [(number[ids], *each) for each in task.known.talks]
            session.insert("talks", ("item", "state", "note", "at"), rows)
        for task in found:
            for each in task.answers:
                own = turned(each.answer) if task.left.id > task.right.id else each.answer
                out.answers += _keep(session, number[task.ids], each._replace(answer=own))
        arbitrate(collection)
    return out


def _numbers(session: Session) -> dict[tuple[str, ...], int]:
    rows = session.rows("SELECT number, articles FROM items WHERE role = 'work'")
    return {tuple(json.loads(ids)): number for number, ids in rows}


def _nominate(session: Session, tasks: Iterable[_Task], number: Mapping[tuple[str, ...], int], path: str) -> None:
    """Writes who nominated new pairs: those who are named, or else whoever made the file."""
    runs: dict[tuple[str, str], dict[int, float | None]] = {}
    for task in tasks:
        for each in task.known.nominated or [_Nominated("label studio", path, None)]:
            runs.setdefault((each.detector, each.asked), {})[number[task.ids]] = each.score
    for (name, asked), own in runs.items():
        run = note_run(session, name, asked, len(own))
        session.insert("nominations", ("item", "run", "score"), [(item, run, score) for item, score in own.items()])


def _regroup(session: Session, tasks: Iterable[_Task], number: Mapping[tuple[str, ...], int]) -> None:
    """Groups as they were, in a collection that has none, of what is judged; the rest is still to be given out."""
    if session.one("SELECT 1 FROM items WHERE part IS NOT NULL LIMIT 1"):
        return
    for task in tasks:
        if task.known.group and sum(each.duty == "judge" for each in task.answers) >= (task.known.judges or 1):
            session.run("UPDATE items SET part = ? WHERE number = ?", (task.known.group, number[task.ids]))


def _keep(session: Session, item: int, said: _Answer) -> int:
    """An answer that was given elsewhere; one that is there already is not kept twice."""
    if not session.one("SELECT 1 FROM assessors WHERE name = ?", (said.name,)):
        session.insert("assessors", ("name", "token"), [(said.name, hashed(secrets.token_urlsafe(18)))])
    ((person,),) = session.rows("SELECT number FROM assessors WHERE name = ?", (said.name,))
    given = "SELECT number, state FROM tasks WHERE assessor = ? AND item = ? AND duty = ?"
    there = session.one(given, (person, item, said.duty))
    if there and there[1] == "done":
        return 0
    key = f"label studio {person} {item} {said.duty}"
    if not there:
        ((place,),) = session.rows("SELECT coalesce(max(place), 0) + 1 FROM tasks WHERE assessor = ?", (person,))
        task_of = ("assessor", "item", "duty", "place", "turned", "state")
        session.insert("tasks", task_of, [(person, item, said.duty, place, 0, "open")])
    ((task, _),) = session.rows(given, (person, item, said.duty))
    columns = ("task", "answer", "comment", "questionable", "seconds", "at", "key")
    row = (task, said.answer, said.comment, int(said.questionable), said.seconds, said.at, key)
    session.insert("judgements", columns, [row])
    session.run(
        "UPDATE tasks SET state = 'done', judgement = (SELECT number FROM judgements WHERE key = ?) WHERE number = ?",
        (key, task),
    )
    return 1


def _pseudonym(collection: Collection, name: str) -> str:
    """A name that tells nothing about a person, where it would; the same in one collection, and in no other."""
    if not name.strip() or not name.isprintable() or len(name) > 100:
        raise InputError("somebody's name: a short text is wanted")
    if "@" not in name:
        return name
    salt = collection.setting("salt")
    if salt is None:
        salt = secrets.token_urlsafe(18)
        collection.settle("salt", salt)
    return f"rater-{hashed(salt + name)[:12]}"


def _read(collection: Collection, path: str | Path, out: Taken) -> Iterator[_Task]:
    try:
        given = json.loads(Path(path).read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"{path}: {getattr(error, 'strerror', None) or 'no JSON'}") from None
    if not isinstance(given, list):
        raise InputError(f"{path}: a list of tasks is wanted")
    texts: dict[str, str] = {}
    for number, task in enumerate(given, 1):
        try:
            one = _Task(*_pair(collection, task, texts), _answers(collection, task), _known(task))
            texts |= {each.id: each.text for each in (one.left, one.right)}
            yield one
        except InputError as error:
            out.broken.append(f"task {number}: {error}")
        except (TypeError, AttributeError, OverflowError, ValueError):
            out.broken.append(f"task {number}: not as Label Studio writes one")


def _pair(collection: Collection, task: Any, texts: Mapping[str, str]) -> tuple[Article, Article]:
    """The two articles; `texts` are those of tasks before."""
    data = task.get("data") if isinstance(task, Mapping) else None
    if not isinstance(data, Mapping):
        raise InputError("no data")
    sides = []
    for side, other in (("a", "1"), ("b", "2")):
        text = data.get(f"text_{side}", data.get(f"text{other}"))
        id = data.get(side, data.get(f"id{other}"))
        if (
            not isinstance(text, str)
            or not text.strip()
            or not isinstance(id, str | int)
            or isinstance(id, bool)
            or not str(id)
        ):
            raise InputError(f"no text_{side} or no id {side}")
        facts = (data.get(f"{role}_{side}") for role in ("title", "published", "url", "source", "lang"))
        sides.append(Article(str(id), text, *(each if isinstance(each, str) else None for each in facts)))
    if sides[0].id == sides[1].id:
        raise InputError("one article with itself")
    there = collection.articles(each.id for each in sides)
    for each in sides:
        if each.flaw:
            raise InputError(each.flaw)
        if each.id in there and there[each.id].text != each.text:
            raise InputError(f"the article {each.id!r} has another text here")
        if texts.get(each.id, each.text) != each.text:
            raise InputError(f"the article {each.id!r} has another text in a task before")
    return sides[0], sides[1]


def _answers(collection: Collection, task: Mapping[str, Any]) -> list[_Answer]:
    out = []
    for given in task.get("annotations") or []:
        if not isinstance(given, Mapping) or given.get("was_cancelled"):
            continue
        who = given.get("completed_by")
        name = who.get("email") or who.get("id") if isinstance(who, Mapping) else who
        results = [
            each for each in given.get("result") or [] if isinstance(each, Mapping) and each.get("type") == "choices"
        ]
        chosen = [word for each in results for word in (each.get("value") or {}).get("choices", [])]
        if name is None or len(chosen) != 1:
            raise InputError("an annotation wants one choice, and somebody who made it")
        meta = results[0].get("meta")
        meta = meta if isinstance(meta, Mapping) else {}
        seconds = given.get("lead_time")
        took = float(seconds) if isinstance(seconds, int | float) else -1.0
        out.append(
            _Answer(
                _pseudonym(collection, str(name)),
                checked(Shape.PAIR, collection.relation, (), str(chosen[0])),
                took if 0 <= took <= LONGEST else None,
                meta["duty"] if meta.get("duty") in _DUTIES else "judge",
                _comment(meta.get("text")),
                meta.get("questionable") is True,
                _time(given.get("created_at")),
            )
        )
    return out


def _comment(text: Any) -> str:
    """A note, which Label Studio keeps as a list of texts."""
    lines = [text] if isinstance(text, str) else text if isinstance(text, list) else []
    return _whole("\n".join(each for each in lines if isinstance(each, str)))[:COMMENT].strip()


def _whole(text: str) -> str:
    """A text as it can be kept: JSON can hold halves of characters, for which a question mark stands."""
    return storable(text.encode("utf-8", "replace").decode())


def _time(text: Any) -> int:
    """Microseconds since 1970; now, where nobody says when."""
    try:
        at = datetime.fromisoformat(text)
    except (TypeError, ValueError):
        return now()
    micros = ((at if at.tzinfo else at.replace(tzinfo=UTC)) - EPOCH).total_seconds() * 1e6
    return round(micros) if 0 <= micros < now() + 1 else now()


def _known(task: Mapping[str, Any]) -> _Known:
    """The same of a task; nothing, where it comes from elsewhere."""
    meta = task.get("meta")
    meta = meta if isinstance(meta, Mapping) else {}
    nominated = [
        _Nominated(_whole(each["detector"]), _whole(str(each.get("asked", ""))), _number(each.get("score")))
        for each in _mappings(meta.get("nominated"))
        if isinstance(each.get("detector"), str)
    ]
    talks = [
        (str(each["state"]), _whole(str(each.get("note") or ""))[:NOTE], _time(each.get("at")))
        for each in _mappings(meta.get("talks"))
        if each.get("state") in STATES
    ]
    return _Known(_count(meta.get("group")), _count(meta.get("judges")), nominated, talks)


def _mappings(given: Any) -> Sequence[Mapping[str, Any]]:
    return [each for each in given if isinstance(each, Mapping)] if isinstance(given, list) else []


def _count(given: Any) -> int | None:
    return given if isinstance(given, int) and not isinstance(given, bool) and 0 < given < 1 << 31 else None


def _number(given: Any) -> float | None:
    return float(given) if isinstance(given, int | float) and isfinite(given) else None
