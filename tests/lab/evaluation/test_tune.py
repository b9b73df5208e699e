"""Choices are made on one half and reported on the other, and no group is in both."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from samestory import parse
from samestory.errors import InputError, ParameterError
from samestory.lab.evaluation import GoldGroups, GoldPairs, read_gold, tune
from samestory.lab.evaluation.halves import halves
from samestory.lab.evaluation.relations import MEANINGS
from samestory.readers import Source
from tests.conftest import DEMO, Writer

NEWS = [Source(str(DEMO / "news.jsonl"))]


def gold_pairs(pairs: list[tuple[int, int, bool]]) -> GoldPairs:
    return GoldPairs(
        path="gold",
        meaning=MEANINGS["same"],
        protocol="unknown",
        lines=list(range(len(pairs))),
        columns={"n": list(range(len(pairs)))},
        left_out={},
        left=[str(a) for a, _, _ in pairs],
        right=[str(b) for _, b, _ in pairs],
        labels=np.array([label for *_, label in pairs]),
        ordered=False,
    )


@given(
    stories=st.integers(6, 20),
    strays=st.lists(st.tuples(st.integers(0, 19), st.integers(0, 19)), max_size=30),
    seed=st.integers(0, 3),
)
def test_no_story_is_in_both_halves(stories: int, strays: list[tuple[int, int]], seed: int) -> None:
    """Stories of two articles each, judged same; strays are pairs across stories, judged other."""
    pairs = {(2 * n, 2 * n + 1): True for n in range(stories)}
    for a, b in strays:
        if a % stories != b % stories:
            pairs[(2 * (a % stories), 2 * (b % stories) + 1)] = False
    pairs |= {(1000 + 2 * n, 1001 + 2 * n): False for n in range(stories)}
    gold = gold_pairs([(a, b, label) for (a, b), label in pairs.items()])
    first, second, across = halves(gold, seed)
    assert isinstance(first, GoldPairs)
    assert isinstance(second, GoldPairs)
    names = [{article for article, _ in half.ids()} for half in (first, second)]
    story = [{int(name) // 2 for name in side} for side in names]
    assert not story[0] & story[1]
    assert len(first) + len(second) + across == len(gold)
    assert sorted([*first.columns["n"], *second.columns["n"]]) == sorted(
        set(first.columns["n"]) | set(second.columns["n"])
    )
    assert min(len(first), len(second)) >= 0.2 * (len(gold) - across)


def test_groups_go_to_a_half_whole(write: Writer) -> None:
    rows = [{"id": f"{g}-{n}", "cluster": f"g{g}"} for g, n in itertools.product(range(9), range(3))]
    gold = read_gold(str(write("gold.jsonl", rows)))
    first, second, across = halves(gold)
    assert isinstance(first, GoldGroups)
    assert isinstance(second, GoldGroups)
    assert not set(first.groups) & set(second.groups)
    assert (len(first) + len(second), across) == (27, 0)


def test_the_same_seed_gives_the_same_halves() -> None:
    gold = read_gold(str(DEMO / "gold.jsonl"))
    one, other = halves(gold, 3)[0], halves(gold, 3)[0]
    assert isinstance(one, GoldPairs)
    assert isinstance(other, GoldPairs)
    assert one.left == other.left


def test_too_little_gold_cannot_be_split(write: Writer) -> None:
    gold = read_gold(str(write("gold.jsonl", [{"a": "1", "b": "2", "label": "same"}])))
    with pytest.raises(InputError, match="too few judgements to split"):
        halves(gold)


def test_tuning_chooses_on_one_half_and_reports_on_the_other() -> None:
    gold = read_gold(str(DEMO / "gold.jsonl"))
    calls: list[tuple[int, int]] = []
    found = tune(
        gold,
        parse("minhash(bands=32, rows=2)"),
        NEWS,
        [("threshold", [0.1, 0.3, 0.9]), ("shingle", [2, 5])],
        rounds=20,
        progress=lambda done, total: calls.append((done, total)),
    )
    assert calls == [(0, 2), (1, 2)], "thresholds are cuts, shingles are runs"
    assert len(found.trials) == 6
    values = {str(trial.detector): trial.value for trial in found.trials}
    assert values[str(found.detector)] == max(value for value in values.values() if value is not None)
    assert found.chosen_on + found.reported_on + found.across == 56
    assert found.chosen.detector == str(found.detector)
    assert found.before.detector == "minhash(bands=32, rows=2)"


def test_too_many_runs_are_refused() -> None:
    gold = read_gold(str(DEMO / "gold.jsonl"))
    with pytest.raises(ParameterError, match="1000 runs are too many"):
        tune(gold, parse("reuse"), NEWS, [("least", list(range(1, 1001)))])
