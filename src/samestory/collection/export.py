"""What comes out of a collection: the final gold, every judgement, and the articles.

Gold goes straight into `samestory evaluate` and `samestory tune`; its lines name the protocol, so that a report says
what it cannot see.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from samestory.collection.answers import Shape, decisions, together
from samestory.collection.collection import ITEM, Collection, Item, item_of
from samestory.collection.grouped import grouped
from samestory.collection.talks import EPOCH, talks
from samestory.collection.votes import VOTING, Said, all_said, final, waiting
from samestory.database import Session

Line = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Gold:
    """The lines of the gold, and of how much it says nothing."""

    lines: list[Line]
    undecided: int
    """Items about which nothing is decided yet; of difference sets, articles."""
    contested: int = 0
    """Pairs about which two lists say different things; of difference sets, articles."""
    left: int = 0
    """Items about which nothing is decided yet, whatever they show."""


def gold(collection: Collection) -> Gold:
    """The final gold: what the judges of an item agree about, what most of them say, or what an arbiter says."""
    with collection.database.read() as session:
        said, open_still = all_said(session), waiting(session, int(collection.setting("judges") or 2))
        nominated = _nominated(session)
        given = [
            item_of(row) for row in session.rows(f"SELECT {ITEM} FROM items i WHERE i.role IN ('given', 'assumed')")
        ]
    if collection.shape is Shape.CLUSTER:
        assumed = [item for item in given if item.role == "assumed"]
        made_of = grouped(collection, said, assumed, open_still, nominated)
        return Gold(made_of.lines, len(made_of.undecided), len(made_of.contested), made_of.left)
    lines = [line for item in given if item.role == "given" for line in _given(collection, item)]
    undecided = 0
    for item, answers in said:
        made = final(collection.relation, item, answers)
        if item.number in open_still or not made or any(yes is None for yes in made.values()):
            undecided += 1
            continue
        pool = nominated.get(item.number, [])
        lines += _lines(collection, item, answers, {about: bool(yes) for about, yes in made.items()}, pool)
    contested = _contested(lines)
    agreed = [line for line in lines if (line.get("a"), line.get("b")) not in contested]
    return Gold(agreed, undecided, len(contested), undecided)


def _contested(lines: Sequence[Line]) -> set[tuple[str, str]]:
    """Two articles may stand in several lists: what is said differently of them in two is left out."""
    labels: dict[tuple[str, str], set[int]] = {}
    for line in lines:
        if "a" in line:
            labels.setdefault((line["a"], line["b"]), set()).add(line["label"])
    return {pair for pair, given in labels.items() if len(given) > 1}


def _nominated(session: Session) -> dict[int, list[str]]:
    out: dict[int, list[str]] = {}
    for item, name in session.rows(
        "SELECT n.item, r.name FROM nominations n JOIN runs r ON r.number = n.run ORDER BY n.item, r.number"
    ):
        out.setdefault(item, []).append(name)
    return {item: list(dict.fromkeys(names)) for item, names in out.items()}


def _lines(
    collection: Collection, item: Item, said: Sequence[Said], made: dict[tuple[str, ...], bool], pool: Sequence[str]
) -> Iterator[Line]:
    """The gold of one item: a line, or for a list one for each of its pairs."""
    relation = collection.relation
    about = {"group": item.part, "query": item.query, "week": item.week, "team": item.team}
    rest = {name: value for name, value in about.items() if value is not None}
    passes = 2 if any(each.duty == "second" for each in said) else 1
    last = next((each for each in said if each.duty == "arbitrate"), None)
    whole = together(item.shape, relation, item.articles, made)
    for pair, yes in made.items() if item.shape is Shape.LIST else [(item.articles, None)]:
        answer = ("yes" if yes else "no") if whole is None else whole
        a, b = pair
        line: Line = {"relation": relation, "a": a, "b": b, "label": int(answer not in ("no", "none"))}
        if not collection.meaning.symmetric and line["label"]:
            line["direction"] = answer

        def vote(each: Said, pair: tuple[str, ...] = pair, answer: str = answer) -> int:
            own = decisions(item.shape, relation, item.articles, each.answer)
            if item.shape is Shape.LIST or collection.meaning.symmetric:
                return int(own[pair])
            # does this one say what the line says? Where that is nothing: did this one see anything?
            return int(any(own.values())) if answer == "none" else int(each.answer == answer)

        line["assessors"] = [[each.assessor, vote(each)] for each in said if each.duty in VOTING]
        if last is not None:
            line["arbiter"] = [last.assessor, vote(last)]
        yield {**line, "pool": list(pool), **rest, "pass": passes, "protocol": collection.protocol}


def _given(collection: Collection, item: Item) -> Iterator[Line]:
    """Labels that came with the articles: a line for each of a cluster."""
    for id in item.articles:
        line = {"relation": collection.relation, "id": id, "cluster": item.query, "protocol": collection.protocol}
        yield {**line, **({"day": item.team} if item.team else {})}


def judgements(collection: Collection) -> Iterator[Line]:
    """Every answer that was ever given, the oldest first, with who nominated what was judged, and talks about it."""
    with collection.database.read() as session:
        nominations: dict[int, list[Line]] = {}
        for item, name, asked, score in session.rows(
            "SELECT n.item, r.name, r.asked, n.score FROM nominations n JOIN runs r ON r.number = n.run"
        ):
            nominations.setdefault(item, []).append({"detector": name, "asked": asked, "score": score})
        talked = talks(session)
        rows = session.rows(
            "SELECT j.number, t.duty, t.judgement, s.name, j.answer, j.comment, j.questionable, j.seconds, j.at,"
            f" {ITEM} FROM judgements j JOIN tasks t ON t.number = j.task JOIN assessors s ON s.number = t.assessor"
            " JOIN items i ON i.number = t.item ORDER BY j.number"
        )
    for number, duty, holds, name, answer, comment, questionable, seconds, at, *row in rows:
        item = item_of(row)
        yield {
            "judgement": number,
            "item": item.number,
            "shape": str(item.shape),
            "role": item.role,
            "relation": collection.relation,
            "articles": list(item.articles),
            "assessor": name,
            "duty": duty,
            "pass": 2 if duty == "second" else 1,
            "answer": json.loads(answer) if answer and item.shape is Shape.LIST else answer,
            "holds": holds == number,
            "questionable": bool(questionable),
            "comment": comment or None,
            "seconds": seconds,
            "at": (EPOCH + timedelta(microseconds=at)).isoformat(),
            "group": item.part,
            "query": item.query,
            "week": item.week,
            "nominated": nominations.get(item.number, []),
            "talks": [{"state": t.state, "note": t.note, "at": t.at} for t in talked.get(item.number, [])],
        }


def documents(collection: Collection) -> Iterator[Line]:
    """The articles, as every command reads them."""
    for each in collection.articles().values():
        named = {role: getattr(each, role) for role in ("id", "title", "text", "published", "url", "source", "lang")}
        yield {role: value for role, value in named.items() if value is not None}
