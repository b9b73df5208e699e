"""Boundary cases of every kind (tests/golden/kinds), judged by a reader before any detector saw them."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from samestory import Article, explain, relate

FILES = sorted((Path(__file__).parent / "kinds").glob("*.jsonl"))
#: The least share of the cases of a kind that must be found as such: what is reached, less one case in a hundred.
LEAST = {"IDENTICAL": 1.0, "NEAR": 0.86, "PART_OF": 0.99, "UPDATE": 0.86, "SHARES_TEXT": 0.95, "NONE": 0.95}


def cases(path: Path) -> list[tuple[str, Article, Article]]:
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [(row["kind"], Article("left", **row["left"]), Article("right", **row["right"])) for row in rows]


def found(left: Article, right: Article) -> str:
    """The kind, from the side of the left article."""
    relation = explain(left, right).relation
    if relation is None:
        return "NONE"
    return str(relation.kind if relation.left == "left" else relation.kind.flipped)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_reader_s_judgement_is_found(path: Path) -> None:
    every = cases(path)
    (kind,) = {kind for kind, *_ in every}
    got = Counter(found(left, right) for _, left, right in every)
    assert got[kind] >= LEAST[kind] * len(every), got


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_relate_says_what_explain_says(path: Path) -> None:
    differing = []
    for _, left, right in cases(path):
        alone, related = explain(left, right).relation, relate([left, right])
        if ([alone] if alone else []) != [r if r.left == (alone or r).left else r.flipped() for r in related]:
            differing.append((alone, related))
    # keys are a sample: a passage near the least share may have too few of them in common
    assert len(differing) <= 0.06 * len(cases(path)), differing[:3]
