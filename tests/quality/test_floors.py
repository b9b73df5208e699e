"""Pinned floors of quality. A floor may be raised; whoever lowers one says why beside it."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from samestory import Article, read, relate
from tests.conftest import DEMO, ROOT

REUTERS = ROOT.parent / "shared" / "data" / "reuters_slug"

#: Of demo/news.jsonl and demo/expected.jsonl: a floor says nothing about another set.
DEMO_DIGEST = "4248a7a4b7ec32f6"
FLOORS = {"demo relations": 1.0, "demo kinds": 1.0, "reuters_slug": 0.93}

Pair = frozenset[str]


def f1(found: set[Any], positive: set[Any], negative: set[Any]) -> float:
    """Of found pairs among the judged ones."""
    hits, wrong = len(found & positive), len(found & negative)
    return 2 * hits / (hits + wrong + len(positive))


def rows(path: Path) -> Iterable[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def test_the_demo_is_the_set_the_floors_were_pinned_on() -> None:
    digest = hashlib.sha256((DEMO / "news.jsonl").read_bytes() + (DEMO / "expected.jsonl").read_bytes()).hexdigest()
    assert digest[:16] == DEMO_DIGEST


def test_relations_of_the_demo() -> None:
    articles = [item for item in read(str(DEMO / "news.jsonl")) if isinstance(item, Article)]
    expected = [json.loads(line) for line in (DEMO / "expected.jsonl").read_text(encoding="utf-8").splitlines()]
    positive = {frozenset((r["left"], r["right"])): r["kind"] for r in expected if r["kind"] not in ("FORM", "NONE")}
    found = {frozenset((r.left, r.right)): str(r.kind) for r in relate(articles)}
    others = set(found) - set(positive)
    assert f1(set(found), set(positive), others) >= FLOORS["demo relations"]
    assert (
        f1(set(found.items()), set(positive.items()), set(found.items()) - set(positive.items()))
        >= (FLOORS["demo kinds"])
    )


@pytest.mark.skipif(not REUTERS.is_dir(), reason=f"the labelled collection is not at {REUTERS}")
def test_same_or_other_story_on_reuters_slug() -> None:
    """Dates are left out, since they would give the answer away; so are positives that share less than a tenth of
    their 3-word shingles: about half of those are labelled wrong."""
    # the source is the same for all, and without dates there are no updates: only id, title and text are given
    articles = [Article(row["id"], row["text"], row.get("title"), lang="en") for row in rows(REUTERS / "docs.jsonl.gz")]
    known = {article.id for article in articles}
    labelled: dict[str, set[Pair]] = {"same": set(), "other": set()}
    for row in rows(REUTERS / "pairs.jsonl.gz"):
        doubtful = row["label"] == "same" and row["overlap3"] < 0.1
        if not doubtful and known.issuperset((row["a"], row["b"])):
            labelled[row["label"]].add(frozenset((row["a"], row["b"])))
    assert min(map(len, labelled.values())) > 1000
    found = {frozenset((r.left, r.right)) for r in relate(articles, "reuse()")}
    assert f1(found, labelled["same"], labelled["other"]) >= FLOORS["reuters_slug"]
