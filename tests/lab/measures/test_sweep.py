"""Threshold sweeps: one sort equals cutting at each threshold."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from samestory import ParameterError
from samestory.lab.measures import JudgedPairs, parse, sweep

SPECS = [
    *("pair_precision", "pair_precision(unjudged='out')", "pair_recall", "pair_f", "pair_f(beta=2, unjudged='out')"),
    *("pair_miss", "pair_false_alarm", "pair_c_dup", "pair_c_dup(p='gold')"),
]
rows = st.lists(st.tuples(st.booleans(), st.integers(0, 6), st.booleans()), max_size=20)


def data(rows: list[tuple[bool, int, bool]]) -> JudgedPairs:
    return JudgedPairs([g for g, _, _ in rows], score=[s / 6 for _, s, _ in rows], judged=[j for _, _, j in rows])


@given(rows)
def test_every_threshold_is_what_a_cut_there_gives(rows: list[tuple[bool, int, bool]]) -> None:
    pairs = data(rows)
    swept = sweep(pairs)
    assert swept.thresholds.tolist() == [np.inf, *sorted({s / 6 for _, s, _ in rows if s}, reverse=True)]
    for spec in SPECS:
        measure = parse(spec)
        cuts = [measure.point(pairs.cut(threshold)) for threshold in swept.thresholds]
        values = [None if np.isnan(value) else float(value) for value in swept.values(measure)]
        assert values == pytest.approx(cuts)


@given(rows, st.lists(st.floats(0.01, 1.2), max_size=8))
def test_chosen_thresholds_are_cuts_too(rows: list[tuple[bool, int, bool]], chosen: list[float]) -> None:
    pairs = data(rows)
    values = sweep(pairs).at(chosen).values("pair_recall")
    cuts = [parse("pair_recall").point(pairs.cut(threshold)) for threshold in chosen]
    assert [None if np.isnan(v) else float(v) for v in values] == pytest.approx(cuts)


def test_the_best_threshold_for_f_and_for_cost() -> None:
    pairs = JudgedPairs([1, 1, 0, 1, 0, 0], score=[0.9, 0.8, 0.7, 0.6, 0.2, 0.0])
    assert sweep(pairs).best("pair_f") == (0.6, pytest.approx(6 / 7))
    # a false alarm costs 13 times a miss: better to miss the third
    assert sweep(pairs).best("pair_c_dup") == (0.8, pytest.approx(1 / 3))


def test_where_nothing_is_defined_nothing_is_best() -> None:
    assert sweep(JudgedPairs([], score=[])).best("pair_f") is None


def test_the_curve_runs_from_corner_to_corner() -> None:
    across, up = sweep(JudgedPairs([1, 0, 1, 0], score=[0.9, 0.5, 0.0, 0.0])).roc()
    assert list(zip(across, up, strict=True)) == [(0, 0), (0, 0.5), (0.5, 0.5), (1, 1)]


@pytest.mark.parametrize("spec", ["roc_area", "b_cubed", "doc_f"])
def test_only_measures_of_accepted_pairs_can_be_swept(spec: str) -> None:
    with pytest.raises(ParameterError, match="expected a measure of accepted pairs"):
        sweep(JudgedPairs([1, 0], score=[0.5, 0.2])).values(spec)
