"""Boundary cases of every kind (tests/golden/kinds), judged by a reader before any detector saw them."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from samestory import Article, explain, relate

FILES = sorted((Path(__file__).parent / "kinds").glob("*.jsonl"))
#: The least share of the cases of a kind that must be found as such: what is reached, less one case in a hundred.
LEAST = {"IDENTICAL": 1.0, "NEAR": 0.94, "PART_OF": 0.99, "UPDATE": 0.92, "SHARES_TEXT": 0.91, "NONE": 0.99}
#: The same among 20,000 articles, where chance brings together more: what is not certain is shared text.
LEAST_AMONG_MANY = {"IDENTICAL": 1.0, "NEAR": 0.75, "PART_OF": 0.98, "UPDATE": 0.85, "SHARES_TEXT": 0.91, "NONE": 0.99}
#: The readers were shown two articles, and no collection.
PAIR, MANY = "reuse(population=2)", "reuse()"


def cases(path: Path) -> list[tuple[str, Article, Article]]:
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [(row["kind"], Article("left", **row["left"]), Article("right", **row["right"])) for row in rows]


def found(left: Article, right: Article, detector: str) -> str:
    """The kind, from the side of the left article."""
    relation = explain(left, right, detector=detector).relation
    if relation is None:
        return "NONE"
    return str(relation.kind if relation.left == "left" else relation.kind.flipped)


@pytest.mark.parametrize(("detector", "least"), [(PAIR, LEAST), (MANY, LEAST_AMONG_MANY)], ids=["pair", "many"])
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_reader_s_judgement_is_found(path: Path, detector: str, least: dict[str, float]) -> None:
    every = cases(path)
    (kind,) = {kind for kind, *_ in every}
    got = Counter(found(left, right, detector) for _, left, right in every)
    assert got[kind] >= least[kind] * len(every), got


@pytest.mark.parametrize("detector", [PAIR, MANY])
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_relate_says_what_explain_says(path: Path, detector: str) -> None:
    differing = []
    for _, left, right in cases(path):
        alone, related = explain(left, right, detector=detector).relation, relate([left, right], detector=detector)
        if ([alone] if alone else []) != [r if r.left == (alone or r).left else r.flipped() for r in related]:
            differing.append((alone, related))
    assert not differing
