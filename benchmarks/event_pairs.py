"""Judged pairs of news items, in two halves: one to learn from, one to judge by."""

import gzip
import hashlib
import json
import random
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from samestory.model import Article

HARD = Path(__file__).parent / "hard_news"
#: Of a set of groups: how large a share of the pairs across groups is drawn, besides those of one topic.
ACROSS = 0.01


@dataclass(frozen=True)
class Pair:
    left: Article
    right: Article
    same: bool


def items(pairs: Iterable[Pair]) -> list[Article]:
    """The items of pairs, each once."""
    return list({a.id: a for pair in pairs for a in (pair.left, pair.right)}.values())


def half(*names: str) -> int:
    """Which half something is in, by its name."""
    return hashlib.sha256("/".join(names).encode()).digest()[0] & 1


def _rows(path: Path) -> Iterable[dict[str, Any]]:
    with gzip.open(path, "rt") if path.suffix == ".gz" else path.open() as lines:
        yield from map(json.loads, lines)


def _article(row: dict[str, Any]) -> Article:
    published = row.get("published") or row.get("date")
    return Article(row["id"], row["text"], title=row.get("title"), published=published, lang=row.get("lang"))


def _label(name: str, row: dict[str, Any]) -> bool | None:
    if name == "semeval22t8_truncated":
        return bool(row["orig"] <= 2)
    if name == "paraphraser_ru":
        return bool(row["orig"] >= 0)
    return {"same": True, "contains": True, "other": False}.get(row["label"])


def set_pairs(data: Path, name: str, side: int) -> list[Pair]:
    """The judged pairs of a collection that are in a half. Of one with groups: all pairs in a group and, if it has
    topics, in a topic, and some of the others; topics and groups are in one half with all their pairs."""
    articles = {row["id"]: _article(row) for row in _rows(data / name / "docs.jsonl.gz")}
    judged = data / name / "pairs.jsonl.gz"
    if judged.exists():
        labelled = ((row["a"], row["b"], _label(name, row)) for row in _rows(judged))
        return [Pair(articles[a], articles[b], y) for a, b, y in labelled if y is not None and half(a, b) == side]
    group = {
        row["id"]: (row["cluster"], str(row.get("topic", row["cluster"])))
        for row in _rows(data / name / "clusters.jsonl.gz")
    }
    ids = [id for id in articles if id in group and half(group[id][1]) == side]
    draw, out = random.Random(0), []
    for at, a in enumerate(ids):
        for b in ids[:at]:
            if group[a][1] == group[b][1] or draw.random() < ACROSS:
                out.append(Pair(articles[a], articles[b], group[a][0] == group[b][0]))
    return out


def hard_pairs(language: str, side: int) -> list[Pair]:
    """The hard pairs of a language: those for choosing settings (0), those for judging (1)."""
    articles = {row["id"]: _article(row) for row in _rows(HARD / language / "docs.jsonl")}
    rows = (row for row in _rows(HARD / language / "pairs.jsonl") if row["split"] == ("dev", "test")[side])
    return [Pair(articles[row["a"]], articles[row["b"]], row["label"] == "same") for row in rows]
