"""Small decision trees in a text file, beside an oracle that walks one pair at a time."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from samestory.detectors import trees
from samestory.detectors.trees import read_trees
from samestory.errors import InputError

NAMES = ["days", "near", "names"]
numbers = st.integers(-3, 3).map(float)
grown = st.recursive(
    st.integers(-9, 9).map(str),
    lambda below: st.tuples(st.sampled_from(NAMES), numbers, below, below).map(
        lambda t: f"{t[0]}<={t[1]} {t[2]} {t[3]}"
    ),
    max_leaves=8,
)


def answer(words: list[str], row: dict[str, float]) -> tuple[float, list[str]]:
    """What one tree says of one pair, and the words behind the tree."""
    name, question, limit = words[0].partition("<=")
    if not question:
        return float(name), words[1:]
    yes, rest = answer(words[1:], row)
    no, rest = answer(rest, row)
    return (yes if row[name] <= float(limit) else no), rest


@given(st.lists(grown, min_size=1, max_size=4), st.lists(st.tuples(numbers, numbers, numbers), max_size=9))
def test_all_answers_are_added(forest: list[str], rows: list[tuple[float, ...]]) -> None:
    text = "# about\nother base 0.25\n" + "".join(f"other {tree}\n" for tree in forest)
    found = read_trees(text, NAMES)["other"].sums(np.array(rows, np.float64).reshape(-1, 3))
    by_hand = [0.25 + sum(answer(t.split(), dict(zip(NAMES, row, strict=True)))[0] for t in forest) for row in rows]
    assert found.tolist() == by_hand


def test_more_pairs_than_are_asked_about_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = np.random.default_rng(1).normal(size=(50, 3))
    read = read_trees("en near<=0 -1 names<=0.5 2 5\nen days<=0 0.5 0\n", NAMES)["en"]
    whole = read.sums(rows).tolist()
    monkeypatch.setattr(trees, "CHUNK", 7)
    assert read.sums(rows).tolist() == whole


@pytest.mark.parametrize(
    "line", ["en", "en base", "en near<=1 2", "en absent<=1 2 3", "en near<=x 2 3", "en 1 2", "en near<=1 2 3 4"]
)
def test_what_is_no_tree_is_refused_with_its_line(line: str) -> None:
    with pytest.raises(InputError, match="trees: line 2: expected a tree of known features"):
        read_trees(f"en 1\n{line}\n", NAMES)
