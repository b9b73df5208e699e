"""Intervals: they contain the truth as often as stated, and have a note where there is none."""

from __future__ import annotations

import json

import numpy as np
import pytest

from samestory import ParameterError
from samestory.lab.measures import FlaggedArticles, GroupedArticles, JudgedPairs, Predictions, difference, figure, parse
from samestory.lab.measures.bootstrap import Rounds, drawings

#: Collections simulated, and rounds for each: enough to distinguish 0.95 from 0.90, few enough to run in seconds.
COLLECTIONS, ROUNDS = 500, 250


def pairs(random: np.random.Generator, components: int) -> JudgedPairs:
    """Components of judged pairs: easy ones, and hard ones in which half of the pairs come out wrong."""
    sizes = random.geometric(0.25, components)
    units = np.repeat(np.arange(components), sizes)
    gold = random.random(len(units)) < 0.5
    hard = (random.random(components) < 0.2)[units]
    return JudgedPairs(gold, accepted=gold ^ (hard & (random.random(len(units)) < 0.5)), units=units)


def stories(random: np.random.Generator, count: int) -> GroupedArticles:
    """Stories of several articles; a tenth of them are found as one with another."""
    gold = np.repeat(np.arange(count), 2 + random.poisson(2, count))
    names = np.arange(count)
    mixed = random.permutation(count)[: 2 * random.binomial(count // 2, 0.1)]
    names[mixed[::2]] = mixed[1::2]
    found = np.where(random.random(len(gold)) < 0.1, count + np.arange(len(gold)), names[gold])
    return GroupedArticles(gold, found)


def coverage(make: object, spec: str, size: int, single: bool = False) -> float:
    """How often the interval of a small collection holds the value of a very large one."""
    random = np.random.default_rng(12)
    truth = parse(spec).point(make(random, 40_000))  # type: ignore[operator]
    assert truth is not None
    held = 0
    for number in range(COLLECTIONS):
        data = make(random, size)  # type: ignore[operator]
        if single:
            data = data.in_units(np.arange(len(data)))
        found = figure(spec, data, rounds=ROUNDS, seed=number)
        assert found.low is not None and found.high is not None
        held += found.low <= truth <= found.high
    return held / COLLECTIONS


@pytest.mark.parametrize("spec", ["pair_precision", "pair_f"])
def test_intervals_of_judged_pairs_hold_the_truth_as_often_as_they_say(spec: str) -> None:
    assert 0.90 <= coverage(pairs, spec, 150) <= 0.98


def test_pairs_drawn_singly_would_hold_it_far_less_often() -> None:
    """What the units are for: in a hard component pairs err together."""
    assert coverage(pairs, "pair_f", 150, single=True) < 0.86


@pytest.mark.parametrize("spec", ["pair_precision", "pair_f", "b_cubed"])
def test_intervals_of_groups_hold_the_truth_as_often_as_they_say(spec: str) -> None:
    assert 0.90 <= coverage(stories, spec, 250) <= 0.98


def test_an_interval_narrows_with_the_square_root_of_what_is_known() -> None:
    random = np.random.default_rng(2)
    few, many = (figure("pair_f", pairs(random, size)) for size in (200, 3200))
    assert few.low is not None and few.high is not None and many.low is not None and many.high is not None
    assert 3 < (few.high - few.low) / (many.high - many.low) < 5.5


def test_the_mean_of_independent_numbers_has_the_interval_of_the_textbook() -> None:
    errors = np.random.default_rng(3).exponential(1, 400)
    found = figure("mae", Predictions(errors, np.zeros(400)), rounds=4000)
    reach = 1.96 * errors.std() / 20
    assert found.low == pytest.approx(errors.mean() - reach, abs=0.25 * reach)
    assert found.high == pytest.approx(errors.mean() + reach, abs=0.25 * reach)


def test_the_interval_is_scipys_bca() -> None:
    from scipy.stats import bootstrap

    errors = np.random.default_rng(4).exponential(1, 200)
    ours = figure("mae", Predictions(errors, np.zeros(200)), rounds=20_000)
    theirs = bootstrap((errors,), np.mean, n_resamples=20_000, method="BCa", rng=np.random.default_rng(1))
    assert ours.note is None
    assert (ours.low, ours.high) == pytest.approx(tuple(theirs.confidence_interval), rel=0.03)


@pytest.mark.parametrize("spread", [np.exp(np.arange(12.0)), -np.exp(np.arange(12.0))])
def test_no_confidence_is_too_much_for_skewed_rounds(spread: np.ndarray) -> None:
    """Where one unit outweighs all others, the correction for skew would turn round."""
    rounds = Rounds(0.0, np.linspace(-1, 0.001, 1000) * np.sign(spread[0]), spread, 12, 12)
    low, high = rounds.interval(0.999999)
    assert low is not None and high is not None
    assert low <= 0 <= high
    assert 0 < (rounds.p() or 0) <= 1


def test_rounds_equal_to_the_value_but_for_rounding_are_equal_to_it() -> None:
    """Values of 0.0743 and 2e-12 more once counted as all to one side, and the interval closed upon itself."""
    gold = np.repeat(np.arange(2000), 3)
    found = figure("ami", GroupedArticles(gold, np.where(gold < 1500, 0, gold)), rounds=300)
    assert found.value == pytest.approx(0.0743, abs=1e-4)
    assert found.high == pytest.approx(1)
    assert found.note == "based on about 1 units: rough"


def test_two_units_of_which_neither_can_be_left_out_are_rough() -> None:
    data = FlaggedArticles([True, False], [True, True], units=[0, 1])
    found = figure("doc_false_alarm", FlaggedArticles([False, True, False], [True, True, False], units=[0, 0, 1]))
    assert found.note is not None and "rough" in found.note
    assert figure("c_dup", data).value == pytest.approx(0.93 / 0.07)


def test_a_figure_that_rests_on_one_unit_says_so() -> None:
    gold = np.zeros(200, bool)
    gold[:150] = True
    found = figure(
        "doc_recall", FlaggedArticles(gold, gold & (np.arange(200) > 40), units=np.maximum(np.arange(200) - 60, 0))
    )
    assert found.low is not None
    assert found.note == "based on about 1 units: rough"


def test_one_unit_has_no_interval_and_says_so() -> None:
    data = JudgedPairs.from_pairs(["a", "a", "a"], ["b", "c", "d"], gold=[1, 0, 1], score=[1, 1, 0]).cut(0.5)
    found = figure("pair_f", data)
    assert found.value == 0.5
    assert found.low is found.high is None
    assert found.note == "all data is one unit: there is nothing to resample"


def test_rounds_in_which_a_measure_is_undefined_are_noted() -> None:
    gold = [True, True, True] + [False] * 6
    found = figure("doc_precision", FlaggedArticles(gold, [True, False, False, True] + [False] * 5), rounds=500)
    assert found.note is not None
    assert "undefined in" in found.note


def test_no_error_in_100_duplicates_allows_three_in_a_hundred() -> None:
    """Articles that are neither duplicates nor flagged do not affect F, however many there are."""
    gold = np.arange(300) < 100
    found = figure("doc_f", FlaggedArticles(gold, gold))
    assert (found.value, found.low, found.high) == (1, None, None)
    assert found.note == "all 100 units agree; up to 0.03 of others may not"


def test_a_difference_of_two_detectors_is_surer_than_their_intervals() -> None:
    """Both err on the same hard stories; drawn together, that cancels."""
    random = np.random.default_rng(5)
    good = pairs(random, 300)
    worse = JudgedPairs(good.gold, accepted=good.accepted & (random.random(len(good)) < 0.97), units=good.units)
    found = difference("pair_f", good, worse)
    one, other = figure("pair_f", good), figure("pair_f", worse)
    assert one.low is not None and other.high is not None and found.low is not None and found.p is not None
    assert one.low < other.high
    assert 0 < found.low < (found.value or 0)
    assert found.p < 0.01


def test_two_detectors_that_differ_by_chance_are_rarely_distinguished() -> None:
    random = np.random.default_rng(6)
    found = 0
    for number in range(100):
        data = pairs(random, 120)
        noise = [data.accepted ^ (random.random(len(data)) < 0.05) for _ in range(2)]
        left, right = (JudgedPairs(data.gold, accepted=accepted, units=data.units) for accepted in noise)
        p = difference("pair_f", left, right, rounds=300, seed=number).p
        found += p is not None and p < 0.05
    assert found <= 11


def test_p_is_where_the_interval_reaches_zero() -> None:
    random = np.random.default_rng(7)
    data = pairs(random, 150)
    worse = JudgedPairs(data.gold, accepted=data.accepted & (random.random(len(data)) < 0.99), units=data.units)
    p = difference("pair_f", data, worse, rounds=2000).p
    assert p is not None and 1e-3 < p < 0.5
    ends = [difference("pair_f", data, worse, rounds=2000, confidence=1 - p * factor).low for factor in (0.8, 1.2)]
    assert ends[0] is not None and ends[1] is not None
    assert ends[0] <= 0 <= ends[1]


def test_the_same_output_twice_differs_nowhere() -> None:
    data = pairs(np.random.default_rng(8), 50)
    found = difference("pair_f", data, data)
    assert (found.value, found.low, found.p) == (0, None, None)
    assert "units agree" in (found.note or "")


def test_undefined_for_one_is_undefined_for_the_difference() -> None:
    gold = [True, False, True]
    left, right = FlaggedArticles(gold, [False] * 3), FlaggedArticles(gold, gold)
    found = difference("doc_precision", left, right)
    assert (found.left, found.right, found.value) == (None, 1, None)
    assert found.note == "undefined for one of the two"


def test_without_rounds_there_is_a_value_alone() -> None:
    data = pairs(np.random.default_rng(9), 50)
    found = figure("pair_f", data, rounds=0)
    assert found.value == parse("pair_f").point(data)
    assert found.low is None and found.rounds == 0
    assert str(found) == f"{found.value:.4f}"


def test_figures_can_be_written_as_lines() -> None:
    data = pairs(np.random.default_rng(9), 50)
    line = json.loads(json.dumps(figure("pair_f(beta=2)", data).to_dict()))
    assert line["measure"] == "pair_f(beta=2.0)"
    assert line["low"] < line["value"] < line["high"]
    json.dumps(difference("pair_f", data, data).to_dict())


def test_a_drawing_has_as_many_units_as_there_are() -> None:
    weights = np.concatenate(list(drawings(3_000_000, 2, seed=1)))
    assert weights.shape == (2, 3_000_000)
    assert (weights.sum(axis=1) == 3_000_000).all()
    assert weights.mean() == 1
    assert weights.var() == pytest.approx(1, abs=0.01)


@pytest.mark.parametrize("rounds", [-1, True])
def test_rounds_that_cannot_be_are_refused(rounds: int) -> None:
    with pytest.raises(ParameterError, match="rounds must be at least 1"):
        figure("doc_f", FlaggedArticles([True, False], [True, True]), rounds=rounds)


def test_a_confidence_that_cannot_be_is_refused() -> None:
    with pytest.raises(ParameterError, match="confidence must be between 0 and 1"):
        figure("doc_f", FlaggedArticles([True, False], [True, True]), confidence=95)
