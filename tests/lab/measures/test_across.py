"""Tests across test sets: the toy, and the sixty sets of Uyar 2009 with the p-values of table 6.10."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from samestory import ParameterError
from samestory.lab.measures import paired_t, wilcoxon

TWEEZER, I_MATCH = [0.01, 0.12, 0.04, 0.09, 0.04], [0.15, 0.47, 0.06, 0.18, 0.31]


def read() -> dict[str, np.ndarray]:
    lines = (Path(__file__).parent / "uyar2009.tsv").read_text().splitlines()
    names, *rows = [line.split("\t") for line in lines if not line.startswith("#")]
    table = {name: np.array([row[place] for row in rows]) for place, name in enumerate(names)}
    table |= {name: column.astype(np.float64) for name, column in table.items() if name != "collection"}
    for system in ("imatch", "tweezer"):
        table[f"{system}_exact_cost"] = cost(table[f"{system}_false_alarm"], table[f"{system}_miss"])
    return table


def cost(false_alarm: np.ndarray, miss: np.ndarray) -> np.ndarray:
    return 0.93 / 0.07 * false_alarm / 100 + miss / 100


TABLE = read()


def test_the_toy_of_five_sets() -> None:
    found = paired_t(TWEEZER, I_MATCH, expected="less")
    assert round(found.mean, 3) == -0.174
    assert round(found.sd, 6) == 0.134276
    assert round(found.statistic or 0, 6) == -2.897586
    assert round(found.p or 0, 6) == 0.022112
    assert str(found) == "paired t: left less than right, mean difference -0.174, p = 0.0221, 5 sets"


@pytest.mark.parametrize(
    ("collection", "column", "expected", "p"),
    [
        ("A", "miss", "less", "1.207e-07"),
        ("A", "cost", "less", "1.86e-07"),
        ("A", "precision", "less", "1.64e-01"),  # Tweezer is the worse one here
        ("A", "recall", "greater", "1.229e-07"),
        ("A", "f", "greater", "1.276e-06"),
        ("B", "false_alarm", "less", "2.87e-01"),
        ("B", "miss", "less", "3.383e-04"),
        ("B", "cost", "less", "1.30e-04"),
        ("B", "exact_cost", "less", "1.448e-04"),
        ("B", "precision", "greater", "4.99e-02"),
        ("B", "recall", "greater", "3.377e-04"),
        ("B", "f", "greater", "7.342e-05"),
    ],
)
def test_the_sixty_sets_give_the_p_values_of_the_study(collection: str, column: str, expected: str, p: str) -> None:
    rows = TABLE["collection"] == collection
    found = paired_t(TABLE[f"tweezer_{column}"][rows], TABLE[f"imatch_{column}"][rows], expected)
    assert found.sets == 30
    assert f"{found.p:.{p.index('e') - 2}e}" == p  # as many digits as were recomputed


def test_f_of_collection_b_to_the_last_digit() -> None:
    rows = TABLE["collection"] == "B"
    found = paired_t(TABLE["tweezer_f"][rows], TABLE["imatch_f"][rows], "greater")
    assert round(found.statistic or 0, 3) == 4.366


@pytest.mark.parametrize(
    ("printed", "false_alarm", "costs"),
    [
        (0.49, "0.364", "1.2e-07"),  # as printed
        (0.049, "0.0881", "1.64e-07"),  # as it must have been; the study prints 1.65e-07 for the costs
    ],
)
def test_a_slip_of_the_comma_in_set_18_moves_false_alarm_and_cost(printed: float, false_alarm: str, costs: str) -> None:
    rows = TABLE["collection"] == "A"
    theirs = TABLE["imatch_false_alarm"].copy()
    theirs[17] = printed
    worse = paired_t(TABLE["tweezer_false_alarm"][rows], theirs[rows], "greater")
    assert f"{worse.p:.3g}" == false_alarm
    cheaper = paired_t(TABLE["tweezer_exact_cost"][rows], cost(theirs, TABLE["imatch_miss"])[rows], "less")
    assert f"{cheaper.p:.3g}" == costs


def test_f_is_that_of_precision_and_recall_once_the_columns_are_right() -> None:
    for system in ("imatch", "tweezer"):
        p, r = TABLE[f"{system}_precision"], TABLE[f"{system}_recall"]
        assert np.abs(2 * p * r / (p + r) - TABLE[f"{system}_f"]).max() < 0.0015
        assert np.abs(1 - TABLE[f"{system}_miss"] / 100 - r).max() < 0.0011


def test_both_directions_make_one() -> None:
    less, greater = paired_t(TWEEZER, I_MATCH, "less"), paired_t(TWEEZER, I_MATCH, "greater")
    assert (less.p or 0) + (greater.p or 0) == pytest.approx(1)


def test_signed_ranks_of_five_sets_all_one_way() -> None:
    """All five differences negative: one of 2⁵ sign patterns."""
    assert wilcoxon(TWEEZER, I_MATCH, "less").p == pytest.approx(1 / 32)
    assert wilcoxon(TWEEZER, I_MATCH, "greater").p == pytest.approx(1)


def test_signed_ranks_of_the_sixty_sets_agree_in_direction() -> None:
    rows = TABLE["collection"] == "B"
    found = wilcoxon(TABLE["tweezer_f"][rows], TABLE["imatch_f"][rows], "greater")
    assert found.mean == pytest.approx(0.1241, abs=1e-4)
    assert (found.p or 1) < 0.001


def test_sets_without_any_difference_are_undefined() -> None:
    assert paired_t([1, 2, 3], [1, 2, 3], "less").p is None
    assert paired_t([2, 3, 4], [1, 2, 3], "less").statistic is None
    assert wilcoxon([1, 2, 3], [1, 2, 3], "less").p is None
    assert "p = undefined" in str(wilcoxon([1, 2, 3], [1, 2, 3], "less"))


@pytest.mark.parametrize(
    ("left", "right", "expected", "message"),
    [
        ([1, 2], [1, 2], "better", "expected must be 'less' or 'greater', got 'better'"),
        ([1, 2], [1], "less", "got 2 left and 1 right values"),
        ([1], [1], "less", "at least two test sets, got 1"),
        ([1, float("nan")], [1, 2], "less", "left must be finite"),
    ],
)
def test_what_cannot_be_tested_is_refused(left: list[float], right: list[float], expected: str, message: str) -> None:
    for test in (paired_t, wilcoxon):
        with pytest.raises(ParameterError, match=message):
            test(left, right, expected)
