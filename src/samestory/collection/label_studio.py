"""Tasks of Label Studio: two texts and a choice, with what was annotated, so that a team can move either way."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from samestory.collection.answers import Shape, checked, choices, turned
from samestory.collection.arbitration import arbitrate
from samestory.collection.collection import Collection, Wanted, note_run, now, put
from samestory.collection.desk import LONGEST
from samestory.collection.people import hashed
from samestory.collection.votes import all_said
from samestory.database import Session
from samestory.errors import InputError, ParameterError
from samestory.model import Article

#: The name of the choice in the labelling interface.
CHOICE = "relation"


def interface(collection: Collection) -> str:
    """The labelling interface that goes with the tasks."""
    own = "\n".join(
        f'    <Choice value="{each.replace(">", "&gt;")}"/>' for each in choices(Shape.PAIR, collection.relation)
    )
    return (
        '<View>\n  <View style="display: flex; gap: 2em">\n'
        '    <Text name="left" value="$text_a"/>\n    <Text name="right" value="$text_b"/>\n  </View>\n'
        f'  <Choices name="{CHOICE}" toName="left" choice="single" showInLine="true">\n{own}\n  </Choices>\n</View>\n'
    )


def tasks(collection: Collection) -> Iterator[dict[str, Any]]:
    """The pairs of a collection, each with the answers that hold."""
    if collection.shape is not Shape.PAIR:
        raise ParameterError("Label Studio's tasks are of pairs")
    texts = collection.articles()
    with collection.database.read() as session:
        said = all_said(session)
    for item, answers in said:
        a, b = (texts[id] for id in item.articles)
        yield {
            "id": item.number,
            "data": {"a": a.id, "b": b.id, "title_a": a.title, "title_b": b.title, "text_a": a.text, "text_b": b.text},
            "annotations": [
                {
                    "completed_by": {"email": each.assessor},
                    "lead_time": each.seconds,
                    "was_cancelled": False,
                    "result": [
                        {
                            "type": "choices",
                            "from_name": CHOICE,
                            "to_name": "left",
                            "value": {"choices": [each.answer]},
                        }
                    ],
                }
                for each in answers
                if each.duty == "judge"
            ],
        }


@dataclass(slots=True)
class Taken:
    """What became of tasks that were taken in."""

    pairs: int = 0
    answers: int = 0
    broken: list[str] = field(default_factory=list)
    """Tasks that could not be taken, by number, and why."""


def take_tasks(collection: Collection, path: str | Path) -> Taken:
    """Takes exported tasks in: articles, pairs, and answers under pseudonyms. A broken one is named and passed over."""
    if collection.shape is not Shape.PAIR:
        raise ParameterError("Label Studio's tasks are of pairs")
    out = Taken()
    found = list(_read(collection, path, out))
    articles = {each.id: each for pair, _ in found for each in pair}
    collection.take(articles.values())
    with collection.database.write() as session:
        run = note_run(session, "label studio", str(path), len(found))
        wanted = [Wanted((a.id, b.id)) for (a, b), _ in found]
        out.pairs = put(session, Shape.PAIR, wanted, run)[0]
        number = {
            tuple(json.loads(ids)): item
            for item, ids in session.rows("SELECT number, articles FROM items WHERE role = 'work'")
        }
        for (a, b), answers in found:
            flip = a.id > b.id
            for name, answer, seconds in answers:
                item = number[tuple(sorted((a.id, b.id)))]
                out.answers += _keep(session, name, item, turned(answer) if flip else answer, seconds)
        arbitrate(collection)
    return out


def _keep(session: Session, name: str, item: int, answer: str, seconds: float | None) -> int:
    """An answer that was given elsewhere; one that is there already is not kept twice."""
    if not session.one("SELECT 1 FROM assessors WHERE name = ?", (name,)):
        session.insert("assessors", ("name", "token"), [(name, hashed(secrets.token_urlsafe(18)))])
    ((person,),) = session.rows("SELECT number FROM assessors WHERE name = ?", (name,))
    given = "SELECT number, state FROM tasks WHERE assessor = ? AND item = ? AND duty = 'judge'"
    there = session.one(given, (person, item))
    if there and there[1] == "done":
        return 0
    key = f"label studio {person} {item}"
    if not there:
        ((place,),) = session.rows("SELECT coalesce(max(place), 0) + 1 FROM tasks WHERE assessor = ?", (person,))
        task_of = ("assessor", "item", "duty", "place", "turned", "state")
        session.insert("tasks", task_of, [(person, item, "judge", place, 0, "open")])
    ((task, _),) = session.rows(given, (person, item))
    columns = ("task", "answer", "comment", "questionable", "seconds", "at", "key")
    session.insert("judgements", columns, [(task, answer, "", 0, seconds, now(), key)])
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


_Answer = tuple[str, str, float | None]


def _read(
    collection: Collection, path: str | Path, out: Taken
) -> Iterator[tuple[tuple[Article, Article], list[_Answer]]]:
    try:
        given = json.loads(Path(path).read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"{path}: {getattr(error, 'strerror', None) or 'no JSON'}") from None
    if not isinstance(given, list):
        raise InputError(f"{path}: a list of tasks is wanted")
    for number, task in enumerate(given, 1):
        try:
            yield _pair(collection, task), _answers(collection, task)
        except InputError as error:
            out.broken.append(f"task {number}: {error}")
        except (TypeError, AttributeError, OverflowError, ValueError):
            out.broken.append(f"task {number}: not as Label Studio writes one")


def _pair(collection: Collection, task: Any) -> tuple[Article, Article]:
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
        title = data.get(f"title_{side}")
        sides.append(Article(str(id), text, title if isinstance(title, str) else None))
    if sides[0].id == sides[1].id:
        raise InputError("one article with itself")
    there = collection.articles(each.id for each in sides)
    for each in sides:
        if each.flaw:
            raise InputError(each.flaw)
        if each.id in there and there[each.id].text != each.text:
            raise InputError(f"the article {each.id!r} has another text here")
    return sides[0], sides[1]


def _answers(collection: Collection, task: Mapping[str, Any]) -> list[_Answer]:
    out = []
    for given in task.get("annotations") or []:
        if not isinstance(given, Mapping) or given.get("was_cancelled"):
            continue
        who = given.get("completed_by")
        name = who.get("email") or who.get("id") if isinstance(who, Mapping) else who
        chosen = [
            word
            for each in given.get("result") or []
            if isinstance(each, Mapping) and each.get("type") == "choices"
            for word in (each.get("value") or {}).get("choices", [])
        ]
        if name is None or len(chosen) != 1:
            raise InputError("an annotation wants one choice, and somebody who made it")
        seconds = given.get("lead_time")
        answer = checked(Shape.PAIR, collection.relation, (), str(chosen[0]))
        took = float(seconds) if isinstance(seconds, int | float) else -1.0
        out.append((_pseudonym(collection, str(name)), answer, took if 0 <= took <= LONGEST else None))
    return out
