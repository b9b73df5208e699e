"""Import of tasks from Label Studio or from another collection: articles, pairs, and answers under pseudonyms.

The additional data of our own export is restored: duties, comments, questionable marks, times, groups, nominations, and
discussion notes.
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

from samestory.database import Session, storable
from samestory.errors import InputError, ParameterError
from samestory.lab.collection.answers import Shape, check_answer, swap_sides
from samestory.lab.collection.arbitration import arbitrate
from samestory.lab.collection.assessor_session import MAX_COMMENT_CHARS, MAX_SECONDS_PER_ITEM
from samestory.lab.collection.collection import Collection, NewItem, add_items, now_micros, record_run
from samestory.lab.collection.discussion import DISCUSSION_STATES, EPOCH, MAX_NOTE_CHARS
from samestory.lab.collection.people import sha256_hex
from samestory.model import Article

_DUTIES = ("judge", "second", "arbitrate")


@dataclass(slots=True)
class TaskImport:
    """Outcome of an import of tasks."""

    pairs: int = 0
    answers: int = 0
    broken: list[str] = field(default_factory=list)
    """Rejected tasks: an error message with the task number each."""


class _ImportedAnswer(NamedTuple):
    name: str
    answer: str
    seconds: float | None
    duty: str
    comment: str
    questionable: bool
    at: int


class _ImportedNomination(NamedTuple):
    detector: str
    asked: str
    score: float | None


class _TaskMeta(NamedTuple):
    """Data of our own export about a pair."""

    group: int | None
    judges: int | None
    nominated: list[_ImportedNomination]
    talks: list[tuple[str, str, int]]


class _ImportedTask(NamedTuple):
    left: Article
    right: Article
    answers: list[_ImportedAnswer]
    meta: _TaskMeta

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(sorted((self.left.id, self.right.id)))


def import_tasks(collection: Collection, path: str | Path) -> TaskImport:
    """Import exported tasks. Invalid tasks are reported and skipped; existing data is not duplicated."""
    if collection.shape is not Shape.PAIR:
        raise ParameterError("Label Studio tasks require a collection of pairs")
    out = TaskImport()
    found = list(_read(collection, path, out))
    with collection.database.write() as session:
        collection.add_articles({each.id: each for task in found for each in (task.left, task.right)}.values())
        before = _numbers(session)
        out.pairs = add_items(session, Shape.PAIR, [NewItem(task.ids) for task in found])[0]
        number = _numbers(session)
        fresh = {task.ids: task for task in found if task.ids not in before}
        _nominate(session, fresh.values(), number, str(path))
        if collection.setting("judges") is None and (judges := max((t.meta.judges or 0 for t in found), default=0)):
            collection.set_setting("judges", str(judges))
        _regroup(session, fresh.values(), number)
        for ids, task in fresh.items():
            rows = [(number[ids], *each) for each in task.meta.talks]
            session.insert("talks", ("item", "state", "note", "at"), rows)
        for task in found:
            for each in task.answers:
                own = swap_sides(each.answer) if task.left.id > task.right.id else each.answer
                out.answers += _store(session, number[task.ids], each._replace(answer=own))
        arbitrate(collection)
    return out


def _numbers(session: Session) -> dict[tuple[str, ...], int]:
    rows = session.rows("SELECT number, articles FROM items WHERE role = 'work'")
    return {tuple(json.loads(ids)): number for number, ids in rows}


def _nominate(
    session: Session, tasks: Iterable[_ImportedTask], number: Mapping[tuple[str, ...], int], path: str
) -> None:
    """Record the nominations of new pairs; pairs without any are nominated by the file."""
    runs: dict[tuple[str, str], dict[int, float | None]] = {}
    for task in tasks:
        for each in task.meta.nominated or [_ImportedNomination("label studio", path, None)]:
            runs.setdefault((each.detector, each.asked), {})[number[task.ids]] = each.score
    for (name, asked), own in runs.items():
        run = record_run(session, name, asked, len(own))
        session.insert("nominations", ("item", "run", "score"), [(item, run, score) for item, score in own.items()])


def _regroup(session: Session, tasks: Iterable[_ImportedTask], number: Mapping[tuple[str, ...], int]) -> None:
    """Restore the groups of judged pairs in a collection without groups; the other pairs remain to be assigned."""
    if session.one("SELECT 1 FROM items WHERE part IS NOT NULL LIMIT 1"):
        return
    for task in tasks:
        if task.meta.group and sum(each.duty == "judge" for each in task.answers) >= (task.meta.judges or 1):
            session.run("UPDATE items SET part = ? WHERE number = ?", (task.meta.group, number[task.ids]))


def _store(session: Session, item: int, answer: _ImportedAnswer) -> int:
    """Store an imported answer; return 1, or 0 if the assessor has already answered."""
    if not session.one("SELECT 1 FROM assessors WHERE name = ?", (answer.name,)):
        session.insert("assessors", ("name", "token"), [(answer.name, sha256_hex(secrets.token_urlsafe(18)))])
    ((assessor,),) = session.rows("SELECT number FROM assessors WHERE name = ?", (answer.name,))
    given = "SELECT number, state FROM tasks WHERE assessor = ? AND item = ? AND duty = ?"
    existing = session.one(given, (assessor, item, answer.duty))
    if existing and existing[1] == "done":
        return 0
    key = f"label studio {assessor} {item} {answer.duty}"
    if not existing:
        ((place,),) = session.rows("SELECT coalesce(max(place), 0) + 1 FROM tasks WHERE assessor = ?", (assessor,))
        task_of = ("assessor", "item", "duty", "place", "turned", "state")
        session.insert("tasks", task_of, [(assessor, item, answer.duty, place, 0, "open")])
    ((task, _),) = session.rows(given, (assessor, item, answer.duty))
    columns = ("task", "answer", "comment", "questionable", "seconds", "at", "key")
    row = (task, answer.answer, answer.comment, int(answer.questionable), answer.seconds, answer.at, key)
    session.insert("judgements", columns, [row])
    session.run(
        "UPDATE tasks SET state = 'done', judgement = (SELECT number FROM judgements WHERE key = ?) WHERE number = ?",
        (key, task),
    )
    return 1


def _pseudonym(collection: Collection, name: str) -> str:
    """Return a name, or for an e-mail address a salted hash that is stable within this collection only."""
    if not name.strip() or not name.isprintable() or len(name) > 100:
        raise InputError("invalid assessor name: expected a short printable text")
    if "@" not in name:
        return name
    salt = collection.setting("salt")
    if salt is None:
        salt = secrets.token_urlsafe(18)
        collection.set_setting("salt", salt)
    return f"rater-{sha256_hex(salt + name)[:12]}"


def _read(collection: Collection, path: str | Path, out: TaskImport) -> Iterator[_ImportedTask]:
    try:
        given = json.loads(Path(path).read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(str(getattr(error, "strerror", None) or "invalid JSON"), place=path) from None
    if not isinstance(given, list):
        raise InputError("expected a list of tasks", place=path)
    texts: dict[str, str] = {}
    for number, task in enumerate(given, 1):
        try:
            one = _ImportedTask(*_pair(collection, task, texts), _answers(collection, task), _meta(task))
            texts |= {each.id: each.text for each in (one.left, one.right)}
            yield one
        except InputError as error:
            out.broken.append(f"task {number}: {error}")
        except (TypeError, AttributeError, OverflowError, ValueError):
            out.broken.append(f"task {number}: not in the format of Label Studio")


def _pair(collection: Collection, task: Any, texts: Mapping[str, str]) -> tuple[Article, Article]:
    """Return the two articles of a task; `texts` are those of earlier tasks, which must be equal."""
    data = task.get("data") if isinstance(task, Mapping) else None
    if not isinstance(data, Mapping):
        raise InputError("no field data")
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
            raise InputError(f"missing text_{side} or id {side}")
        facts = {role: data.get(f"{role}_{side}") for role in ("title", "published", "url", "source", "lang")}
        known: dict[str, Any] = {role: value for role, value in facts.items() if isinstance(value, str)}
        sides.append(Article(str(id), text, **known))
    if sides[0].id == sides[1].id:
        raise InputError("both articles have the same id")
    there = collection.articles(each.id for each in sides)
    for each in sides:
        if each.flaw:
            raise InputError(each.flaw)
        if each.id in there and there[each.id].text != each.text:
            raise InputError(f"the article {each.id!r} has another text in the collection")
        if texts.get(each.id, each.text) != each.text:
            raise InputError(f"the article {each.id!r} has another text in an earlier task")
    return sides[0], sides[1]


def _answers(collection: Collection, task: Mapping[str, Any]) -> list[_ImportedAnswer]:
    out = []
    for given in task.get("annotations") or []:
        if not isinstance(given, Mapping) or given.get("was_cancelled"):
            continue
        author = given.get("completed_by")
        name = author.get("email") or author.get("id") if isinstance(author, Mapping) else author
        results = [
            each for each in given.get("result") or [] if isinstance(each, Mapping) and each.get("type") == "choices"
        ]
        chosen = [word for each in results for word in (each.get("value") or {}).get("choices", [])]
        if name is None or len(chosen) != 1:
            raise InputError("an annotation requires exactly one choice, and completed_by")
        meta = results[0].get("meta")
        meta = meta if isinstance(meta, Mapping) else {}
        took = _number(given.get("lead_time"))
        out.append(
            _ImportedAnswer(
                _pseudonym(collection, str(name)),
                check_answer(Shape.PAIR, collection.relation, (), str(chosen[0])),
                took if took is not None and 0 <= took <= MAX_SECONDS_PER_ITEM else None,
                meta["duty"] if meta.get("duty") in _DUTIES else "judge",
                _comment(meta.get("text")),
                meta.get("questionable") is True,
                _time(given.get("created_at")),
            )
        )
    return out


def _comment(text: Any) -> str:
    """Return a comment, which Label Studio stores as a list of texts."""
    lines = [text] if isinstance(text, str) else text if isinstance(text, list) else []
    return _storable("\n".join(each for each in lines if isinstance(each, str)))[:MAX_COMMENT_CHARS].strip()


def _storable(text: str) -> str:
    """Return a text that can be stored: lone surrogates, which JSON allows, become question marks."""
    return storable(text.encode("utf-8", "replace").decode())


def _time(text: Any) -> int:
    """Parse a time to microseconds since 1970; the current time if it is missing, invalid or in the future."""
    try:
        at = datetime.fromisoformat(text)
    except (TypeError, ValueError):
        return now_micros()
    micros = ((at if at.tzinfo else at.replace(tzinfo=UTC)) - EPOCH).total_seconds() * 1e6
    return round(micros) if 0 <= micros < now_micros() + 1 else now_micros()


def _meta(task: Mapping[str, Any]) -> _TaskMeta:
    """Parse the data of our own export; empty for tasks from elsewhere."""
    meta = task.get("meta")
    meta = meta if isinstance(meta, Mapping) else {}
    nominated = [
        _ImportedNomination(
            _storable(each["detector"]), _storable(str(each.get("asked", ""))), _number(each.get("score"))
        )
        for each in _mappings(meta.get("nominated"))
        if isinstance(each.get("detector"), str)
    ]
    talks = [
        (str(each["state"]), _storable(str(each.get("note") or ""))[:MAX_NOTE_CHARS], _time(each.get("at")))
        for each in _mappings(meta.get("talks"))
        if each.get("state") in DISCUSSION_STATES
    ]
    return _TaskMeta(_count(meta.get("group")), _count(meta.get("judges")), nominated, talks)


def _mappings(given: Any) -> Sequence[Mapping[str, Any]]:
    return [each for each in given if isinstance(each, Mapping)] if isinstance(given, list) else []


def _count(given: Any) -> int | None:
    return given if isinstance(given, int) and not isinstance(given, bool) and 0 < given < 1 << 31 else None


def _number(given: Any) -> float | None:
    try:
        return float(given) if isinstance(given, int | float) and isfinite(given) else None
    except OverflowError:  # a whole number of hundreds of digits
        return None
