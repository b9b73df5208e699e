"""Exports of a collection: the final gold, every judgement, and the articles.

Gold is input of `samestory evaluate` and `samestory tune`; its lines name the protocol, so that reports can state its
bias.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from samestory.database import Session
from samestory.lab.collection.answers import Shape, combine_decisions, decisions
from samestory.lab.collection.cluster_gold import cluster_gold
from samestory.lab.collection.collection import ITEM_COLUMNS, Collection, JudgingItem, item_from_row
from samestory.lab.collection.discussion import EPOCH, discussion_notes
from samestory.lab.collection.votes import VOTING, Judgement, final_decisions, items_with_judgements, undecided_items

Line = dict[str, Any]


@dataclass(frozen=True, slots=True)
class GoldExport:
    """The gold lines, and how much is missing from them."""

    lines: list[Line]
    undecided: int
    """Undecided items; of difference sets, articles."""
    contested: int = 0
    """Pairs with contradicting answers in two lists; of difference sets, articles."""
    left: int = 0
    """Undecided items, whatever their shape."""


def gold(collection: Collection) -> GoldExport:
    """Return the final gold: per item the unanimous, arbitrated or majority decision."""
    with collection.database.read() as session:
        judged, undecided_numbers = (
            items_with_judgements(session),
            undecided_items(session, int(collection.setting("judges") or 2)),
        )
        nominated = _nominated(session)
        given = [
            item_from_row(row)
            for row in session.rows(f"SELECT {ITEM_COLUMNS} FROM items i WHERE i.role IN ('given', 'assumed')")
        ]
    if collection.shape is Shape.CLUSTER:
        assumed = [item for item in given if item.role == "assumed"]
        clusters = cluster_gold(collection, judged, assumed, undecided_numbers, nominated)
        return GoldExport(clusters.lines, len(clusters.undecided), len(clusters.contested), clusters.left)
    lines = [line for item in given if item.role == "given" for line in _imported(collection, item)]
    undecided = 0
    for item, answers in judged:
        made = final_decisions(collection.relation, item, answers)
        if item.number in undecided_numbers or not made or any(yes is None for yes in made.values()):
            undecided += 1
            continue
        pool = nominated.get(item.number, [])
        lines += _lines(collection, item, answers, {about: bool(yes) for about, yes in made.items()}, pool)
    contested = _contested(lines)
    agreed = [line for line in lines if (line.get("a"), line.get("b")) not in contested]
    return GoldExport(agreed, undecided, len(contested), undecided)


def _contested(lines: Sequence[Line]) -> set[tuple[str, str]]:
    """Return the pairs that occur in several lists with different labels; they are left out."""
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
    collection: Collection,
    item: JudgingItem,
    judged: Sequence[Judgement],
    made: dict[tuple[str, ...], bool],
    pool: Sequence[str],
) -> Iterator[Line]:
    """Yield the gold lines of one item: one, or for a list one for each of its pairs."""
    relation = collection.relation
    about = {"group": item.part, "query": item.query, "week": item.week, "team": item.team}
    rest = {name: value for name, value in about.items() if value is not None}
    passes = 2 if any(each.duty == "second" for each in judged) else 1
    last = next((each for each in judged if each.duty == "arbitrate"), None)
    whole = combine_decisions(item.shape, relation, item.articles, made)
    for pair, yes in made.items() if item.shape is Shape.LIST else [(item.articles, None)]:
        answer = ("yes" if yes else "no") if whole is None else whole
        a, b = pair
        line: Line = {"relation": relation, "a": a, "b": b, "label": int(answer not in ("no", "none"))}
        if not collection.meaning.symmetric and line["label"]:
            line["direction"] = answer

        def vote(each: Judgement, pair: tuple[str, ...] = pair, answer: str = answer) -> int:
            own = decisions(item.shape, relation, item.articles, each.answer)
            if item.shape is Shape.LIST or collection.meaning.symmetric:
                return int(own[pair])
            # 1 if the assessor gave the answer of the line; for the answer none, 1 if the assessor saw any containment
            return int(any(own.values())) if answer == "none" else int(each.answer == answer)

        line["assessors"] = [[each.assessor, vote(each)] for each in judged if each.duty in VOTING]
        if last is not None:
            line["arbiter"] = [last.assessor, vote(last)]
        yield {**line, "pool": list(pool), **rest, "pass": passes, "protocol": collection.protocol}


def _imported(collection: Collection, item: JudgingItem) -> Iterator[Line]:
    """Yield a gold line for each article of an imported cluster."""
    for id in item.articles:
        line = {"relation": collection.relation, "id": id, "cluster": item.query, "protocol": collection.protocol}
        yield {**line, **({"day": item.team} if item.team else {})}


def judgements(collection: Collection) -> Iterator[Line]:
    """Yield every answer ever given, oldest first, with the nominations and discussion notes of its item."""
    with collection.database.read() as session:
        nominations: dict[int, list[Line]] = {}
        for item, name, asked, score in session.rows(
            "SELECT n.item, r.name, r.asked, n.score FROM nominations n JOIN runs r ON r.number = n.run"
        ):
            nominations.setdefault(item, []).append({"detector": name, "asked": asked, "score": score})
        notes = discussion_notes(session)
        rows = session.rows(
            "SELECT j.number, t.duty, t.judgement, s.name, j.answer, j.comment, j.questionable, j.seconds, j.at,"
            f" {ITEM_COLUMNS} FROM judgements j JOIN tasks t ON t.number = j.task"
            " JOIN assessors s ON s.number = t.assessor JOIN items i ON i.number = t.item ORDER BY j.number"
        )
    for number, duty, current, name, answer, comment, questionable, seconds, at, *row in rows:
        item = item_from_row(row)
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
            "holds": current == number,
            "questionable": bool(questionable),
            "comment": comment or None,
            "seconds": seconds,
            "at": (EPOCH + timedelta(microseconds=at)).isoformat(),
            "group": item.part,
            "query": item.query,
            "week": item.week,
            "nominated": nominations.get(item.number, []),
            "talks": [{"state": t.state, "note": t.note, "at": t.at} for t in notes.get(item.number, [])],
        }


def documents(collection: Collection) -> Iterator[Line]:
    """Yield the articles in the format that every command reads."""
    for each in collection.articles().values():
        named = {role: getattr(each, role) for role in ("id", "title", "text", "published", "url", "source", "lang")}
        yield {role: value for role, value in named.items() if value is not None}


def to_jsonl(lines: Iterable[dict[str, Any]]) -> bytes:
    """Return lines as JSON Lines."""
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode("utf-8", "backslashreplace")


def to_csv(lines: Iterable[dict[str, Any]]) -> bytes:
    """Return lines as a CSV table that is safe to open in a spreadsheet."""
    rows = list(lines)
    out = io.StringIO()
    written = csv.DictWriter(out, list(rows[0]) if rows else ["judgement"])
    written.writeheader()
    for row in rows:
        # spreadsheets interpret these prefixes as formulas
        cells = {k: json.dumps(v, ensure_ascii=False) if isinstance(v, list) else v for k, v in row.items()}
        written.writerow({k: f"'{v}" if isinstance(v, str) and v[:1] in "=+-@\t\r" else v for k, v in cells.items()})
    return out.getvalue().encode("utf-8", "backslashreplace")
