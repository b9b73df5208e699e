"""What is computed again from published tables: the values that were checked, and tables that agree with themselves."""

from __future__ import annotations

from math import floor, log10

import pytest

from samestory.lab.experiments import EXPERIMENTS, ReportRow, reproduce
from samestory.lab.experiments.conrad.assessor_agreement import implied, significance
from samestory.lab.experiments.further.claims import mega_shingles
from samestory.lab.experiments.tables import column, table


def measured(name: str) -> dict[str, float]:
    return {row.what: row.measured for row in reproduce(name) if isinstance(row.measured, int | float)}


def row(name: str, what: str) -> ReportRow:
    return next(row for row in reproduce(name) if row.what == what)


def significant(value: float, digits: int) -> float:
    return round(value, digits - 1 - floor(log10(abs(value))))


#: Recomputed p-values, to the digits that were checked. ExperimentInput A has the slip of set 18 put right.
U4 = {
    "A, false alarm in %, set 18 as printed": 0.364,
    "A, miss in %": 1.21e-7,
    "A, C_dup": 1.63e-7,
    "A, precision": 0.164,
    "A, recall": 1.23e-7,
    "A, F1": 1.28e-6,
    "B, false alarm in %": 0.287,
    "B, miss in %": 3.38e-4,
    "B, C_dup": 1.45e-4,
    "B, precision": 0.0499,
    "B, recall": 3.38e-4,
    "B, F1": 7.34e-5,
}


@pytest.mark.parametrize("what", U4)
def test_the_t_tests_come_out_as_checked(what: str) -> None:
    assert significant(measured("U4")[what], 3) == U4[what]


def test_c_dup_as_printed_gives_the_other_checked_p_values() -> None:
    assert "p = 1.86e-07" in row("U4", "A, C_dup").note
    assert "p = 0.00013" in row("U4", "B, C_dup").note


def test_a_t_test_says_which_way_it_points() -> None:
    """False alarms and precision of collection A speak against Tweezer, which a bare p would hide."""
    against = {"A, false alarm in %", "A, false alarm in %, set 18 as printed", "A, precision"}
    for found in reproduce("U4"):
        assert ("worse" in found.note) == (found.what in against)


def test_the_slip_of_set_18_is_corrected_and_shown() -> None:
    """The printed p of the false alarms belongs to the slip, and to nothing else."""
    slipped, right = row("U4", "A, false alarm in %, set 18 as printed"), row("U4", "A, false alarm in %")
    assert (slipped.published, right.published) == (0.407, None)
    assert "0.49 is a slip for 0.05" in slipped.note
    assert right.measured == pytest.approx(0.0884, abs=5e-5)


@pytest.mark.parametrize("set_", table("uyar_sets"), ids=lambda set_: set_["set"])
@pytest.mark.parametrize("method", ["imatch", "tweezer"])
def test_a_test_set_agrees_with_itself(set_: dict[str, str], method: str) -> None:
    """F1 from precision and recall, recall from misses, C_dup from both rates: a column in a wrong place shows."""
    values = {name: float(set_[f"{method}_{name}"]) for name in ("precision", "recall", "f", "miss", "false_alarm")}
    precision, recall = values["precision"], values["recall"]
    assert 2 * precision * recall / (precision + recall) == pytest.approx(values["f"], abs=0.0012)
    assert recall == pytest.approx(1 - values["miss"] / 100, abs=0.0006)
    cost = 0.93 / 0.07 * values["false_alarm"] / 100 + values["miss"] / 100
    assert cost == pytest.approx(float(set_[f"{method}_c_dup"]), abs=0.0061)


@pytest.mark.parametrize("name", ["U2", "U3"])
def test_the_means_of_the_test_sets_are_the_printed_ones(name: str) -> None:
    for found in reproduce(name):
        assert isinstance(found.published, float) and isinstance(found.measured, float)
        # printed values are rounded, and so are the values that the printed means were taken of
        assert found.measured == pytest.approx(found.published, abs=0.0051), found.what


def test_tweezer_is_faster_by_the_printed_share_and_all_times_are_linear() -> None:
    found = measured("U5")
    gains = [value for what, value in found.items() if what.endswith("articles")]
    assert [round(gain, 1) for gain in gains] == [7.4, 16.1, 13.8, 12.8, 16.2, 18.0, 17.5]
    assert all(0.95 < value < 1.05 for what, value in found.items() if what.endswith("growth"))


@pytest.mark.parametrize("name", ["G4", "G5"])
def test_standard_errors_follow_from_areas(name: str) -> None:
    for found in reproduce(name):
        assert isinstance(found.published, float) and isinstance(found.measured, float)
        # the second best area is printed with an error that its digits do not give
        slack = 0.031 if found.what.startswith("CE-BEST") else 0.0151
        assert found.measured == pytest.approx(found.published, rel=slack), found.what


def test_the_misprinted_standard_error_is_put_right() -> None:
    found = row("G5", "whole page, N 7.5 %, standard error")
    assert (found.published, significant(float(found.measured or 0), 2)) == (0.0005, 0.00051)
    assert "printed as 0.00005" in found.note


def test_error_intervals() -> None:
    found = reproduce("C5")
    assert [round(float(row.measured or 0), 4) for row in found] == [0.4372, 0.3091]
    assert [row.published for row in found] == [0.44, 0.31]
    assert "printed as ± 0.22" in found[0].note and "printed as ± 0.16" in found[1].note


def test_what_the_printed_z_stand_for() -> None:
    found = measured("C1")
    assert (found["sets of duplicates"], found["articles in sets"]) == (170, 397)
    assert found["duplicate pairs in a list"] == 3.09
    assert round(implied(0.8443, 1.965, 190), 2) == 2.67
    assert round(implied(0.7304, 1.842, 190), 2) == 3.13
    assert significance(0.8443, implied(0.8443, 1.965, 190), 190) == pytest.approx(1.965)
    assert (round(found["team A, z"]), round(found["team B, z"])) == (15, 13)
    assert "printed as 1.965" in row("C1", "team A, z").note


def test_the_worked_example_of_kappa() -> None:
    assert measured("V10")["κ of the worked example"] == pytest.approx(0.4)


def test_a_summary_of_the_days() -> None:
    found = {row.what: row for row in reproduce("F2")}
    for what, row in found.items():
        assert isinstance(row.published, float) and isinstance(row.measured, float)
        assert abs(row.measured - row.published) <= 0.0051, what
    assert found["F, mean"].measured == pytest.approx(0.745)
    assert found["largest r"].measured == 4.465
    assert sum(column("fomin_days", "articles")) == 134_519


def test_r_against_the_number_of_articles() -> None:
    found = measured("F3")
    assert round(found["r against p1, articles of the day"], 2) == 0.87
    assert round(found["r against ln p1"], 2) == 0.92


#: Model: mean absolute error, root mean square error; largest error and R² where they were checked.
ERRORS = {
    ("F4", ""): (0.283, 0.338, 0.732, 0.598),
    ("F5", ""): (0.114, 0.204, 0.767, 0.854),
    ("F4", "mean of the other days, "): (0.419, 0.560, None, None),
    ("F4", "ln of the articles, "): (0.160, 0.224, None, 0.823),
    ("F4", "√ of the articles, "): (0.177, 0.256, None, 0.769),
}


@pytest.mark.parametrize(("name", "model"), ERRORS)
def test_the_errors_of_predictions(name: str, model: str) -> None:
    found = measured(name)
    names = ("mean absolute error", "root mean square error", "largest error", "R² of predictions")
    for what, value in zip(names, ERRORS[name, model], strict=True):
        if value is not None:
            assert round(found[model + what], 3) == value


def test_the_model_with_one_feature() -> None:
    found = measured("F4")
    assert round(found["ln of the articles, slope"], 3) == 0.797
    assert round(found["ln of the articles, intercept"], 3) == -3.322


def test_mega_shingles_and_shares_of_others() -> None:
    assert (round(mega_shingles(0.95), 4), round(mega_shingles(0.80), 4)) == (0.8786, 0.0258)
    for found in reproduce("X1"):
        if isinstance(found.published, int):
            assert round(float(found.measured or 0)) == found.published


@pytest.mark.parametrize(("name", "slack"), [("V7", 0.0101), ("V8", 0.0101), ("G6", 0.0011)])
def test_published_f_follows_from_precision_and_recall(name: str, slack: float) -> None:
    """Within what rounding allows; numbers that were copied into the wrong place would show."""
    values = {value.what: value.value for value in EXPERIMENTS[name].published}
    checked = 0
    for what in values:
        if "precision" in what:
            word = "F" if name == "G6" else "F1"
            p, r, f = (float(values[what.replace("precision", part)]) for part in ("precision", "recall", word))
            assert 2 * p * r / (p + r) == pytest.approx(f, abs=slack), what
            checked += 1
    assert checked >= 4
