"""The laws that every measure keeps, run for each of them, for some variants, and for all data it can be taken of."""

from __future__ import annotations

import inspect
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest

from samestory import ParameterError
from samestory.lab.measures import (
    MEASURES,
    Data,
    DuplicateSets,
    FlaggedArticles,
    GroupedArticles,
    JudgedPairs,
    LabelledBlocks,
    Measure,
    Predictions,
    Ratings,
    SumMeasure,
    difference,
    figure,
    parse,
)
from samestory.lab.measures.bootstrap import drawings
from tests.lab.measures.examples import MAKERS

UNITS = {"document", "unordered pair", "item", "block", "page", "prediction", "set"}
SPECS = [
    *(f"{name}()" for name in MEASURES),
    *("doc_f(beta=2.0)", "c_dup(p='gold')", "c_dup(p=0.2, cost_miss=2.0, normalised=False)"),
    *("pair_precision(unjudged='out')", "pair_f(beta=0.5, unjudged='out')", "pair_c_dup(p=0.5, unjudged='out')"),
    *("b_cubed(beta=2.0)", "ami(norm='arithmetic')", "cohen_kappa(over='mean')"),
    *("siegel_kappa(over='mean', unanimous='out')", "block_f(label='NOTCONTENT')"),
    *("set_precision(match='overlap')", "set_recall(match='overlap')"),
]
CASES = [(parse(spec), need) for spec in SPECS for need in parse(spec).needs]

every_measure = pytest.mark.parametrize("measure", [parse(spec) for spec in SPECS], ids=SPECS)
every_case = pytest.mark.parametrize(
    ("measure", "kind"), CASES, ids=[f"{measure}-{kind.__name__}" for measure, kind in CASES]
)


def some(kind: type[Data], seed: int = 1, **more: Any) -> Any:
    return MAKERS[kind](np.random.default_rng(seed), **more)


def nothing(kind: type[Data]) -> Data:
    columns = {f.name: [] for f in fields(kind) if f.name in ("gold", "found", "score", "truth", "predicted", "page")}  # type: ignore[arg-type]
    if kind is JudgedPairs:
        columns["accepted"] = []
    return kind(chosen=[]) if kind is Ratings else kind(**columns)  # type: ignore[call-arg]


def perfect(data: Data) -> Data:
    """The same gold, found without an error; between people, agreement without an exception."""
    if isinstance(data, JudgedPairs):
        return replace(data, score=data.gold * 1.0, accepted=data.gold)
    if isinstance(data, Ratings):
        return replace(data, chosen=data.chosen[:, [0, 0]])
    if isinstance(data, Predictions):
        return replace(data, predicted=data.truth)
    if isinstance(data, GroupedArticles):
        return GroupedArticles(data.gold, data.gold)
    return replace(data, found=data.gold)  # type: ignore[type-var]


def shuffled(data: Any, order: np.ndarray) -> Data:
    """The same rows in another order, groups and units under other names."""

    def taken(name: str, column: Any) -> Any:
        if isinstance(data, DuplicateSets) and name != "units":
            return [column[row] for row in order]
        if name in ("units", "query", "page") or (isinstance(data, GroupedArticles) and name in ("gold", "found")):
            column = 1000 - column
        return column[order]

    columns = {f.name: getattr(data, f.name) for f in fields(data)}
    arrays = {k: taken(k, v) for k, v in columns.items() if isinstance(v, np.ndarray | tuple)}
    return replace(data, **arrays)


def drawn(data: Any, times: np.ndarray) -> Data:
    """The collection that holds every unit so many times; each copy has groups, pages and queries of its own."""
    rows = [(row, copy) for row in range(len(data)) for copy in range(int(times[data.units[row]]))]
    order = np.array([row for row, _ in rows], np.int64)
    copies = np.array([copy for _, copy in rows], np.int64)

    def apart(column: np.ndarray) -> np.ndarray:
        return column[order] * 1000 + copies

    units = apart(data.units)
    if isinstance(data, GroupedArticles):
        return GroupedArticles(apart(data.gold), apart(data.found))
    if isinstance(data, Ratings):
        return Ratings(data.chosen[order], query=None if data.query is None else apart(data.query), units=units)
    if isinstance(data, LabelledBlocks):
        return LabelledBlocks(apart(data.page), data.gold[order], data.found[order])
    if isinstance(data, DuplicateSets):
        return DuplicateSets([data.gold[row] for row in order], [data.found[row] for row in order])
    if isinstance(data, JudgedPairs):
        return JudgedPairs(data.gold[order], data.score[order], data.accepted[order], data.judged[order], units)
    if isinstance(data, Predictions):
        return Predictions(data.truth[order], data.predicted[order], units)
    return FlaggedArticles(data.gold[order], data.found[order], units)


@every_measure
def test_a_measure_can_be_read_back_from_its_spec(measure: Measure[Any]) -> None:
    assert parse(str(measure)) == measure
    assert type(parse(str(measure))) is type(measure)
    assert hash(parse(str(measure))) == hash(measure)


@pytest.mark.parametrize("name", sorted(MEASURES))
def test_a_measure_says_its_unit_its_formula_its_source_and_what_it_needs(name: str) -> None:
    cls = MEASURES[name]
    assert cls.name == name
    assert cls.unit in UNITS
    assert cls.formula and cls.source and cls.best in (0.0, 1.0)
    assert cls.needs and all(issubclass(need, Data) for need in cls.needs)
    assert (inspect.getdoc(cls) or "").startswith(f"`{name}(")
    assert "\n" in (inspect.getdoc(inspect.getmodule(cls)) or "")


@pytest.mark.parametrize("name", sorted(MEASURES))
def test_a_measure_is_not_taken_of_other_data(name: str) -> None:
    measure = MEASURES[name]()
    for kind in MAKERS:
        if kind not in measure.needs:
            with pytest.raises(ParameterError, match=f"{name}: expected .*, got {kind.__name__}"):
                measure.point(some(kind))


@every_case
@pytest.mark.parametrize("seed", range(3))
def test_perfect_output_has_the_best_value_and_none_is_better(
    measure: Measure[Any], kind: type[Data], seed: int
) -> None:
    data = some(kind, seed)
    value, best = measure.point(data), measure.point(perfect(data))
    assert best == pytest.approx(measure.best, abs=1e-12)
    assert value is not None
    assert abs(value - measure.best) > 1e-6, "the example has errors, and the measure sees them"
    assert (value < measure.best) == (measure.best == 1.0)


@every_case
def test_worse_output_has_a_worse_value(measure: Measure[Any], kind: type[Data]) -> None:
    few, many = (measure.point(some(kind, 5, rows=300, wrong=wrong)) for wrong in (0.05, 0.5))
    assert few is not None and many is not None
    assert abs(few - measure.best) < abs(many - measure.best)


@every_case
def test_of_nothing_every_measure_is_undefined(measure: Measure[Any], kind: type[Data]) -> None:
    data = nothing(kind)
    if "over='mean'" in str(measure):
        data = Ratings([], query=[])
    assert len(data) == 0
    assert measure.point(data) is None
    found = figure(measure, data)
    assert found.value is found.low is found.high is None
    assert str(found) == "undefined"


@every_case
@pytest.mark.parametrize("seed", range(3))
def test_order_and_names_do_not_matter(measure: Measure[Any], kind: type[Data], seed: int) -> None:
    data = some(kind, seed)
    order = np.random.default_rng(seed).permutation(len(data))
    assert measure.point(shuffled(data, order)) == pytest.approx(measure.point(data), abs=1e-12)


@every_case
def test_measuring_changes_nothing_it_is_given(measure: Measure[Any], kind: type[Data]) -> None:
    data, same = some(kind), some(kind)
    figure(measure, data, rounds=10)
    for field in fields(data):
        before, after = getattr(same, field.name), getattr(data, field.name)
        assert np.array_equal(before, after) if isinstance(before, np.ndarray) else before == after


@every_case
def test_the_tally_sums_to_the_value(measure: Measure[Any], kind: type[Data]) -> None:
    data = some(kind)
    if isinstance(measure, SumMeasure):
        tally = measure.tally(data)
        assert len(tally) == data.count
        assert float(measure.value(tally.sum(axis=0))) == pytest.approx(measure.point(data))


@every_case
def test_a_round_is_worth_what_the_collection_drawn_is_worth(measure: Measure[Any], kind: type[Data]) -> None:
    """The law that makes intervals cheap: weights on units are as good as writing the units out again."""
    data = some(kind)
    (weights,) = drawings(data.count, rounds=8, seed=3)
    for times, value in zip(weights, measure.on(data)(weights), strict=True):
        assert measure.point(drawn(data, times)) == pytest.approx(None if np.isnan(value) else value, abs=1e-9)


@every_case
def test_leaving_a_unit_out_is_measuring_without_it(measure: Measure[Any], kind: type[Data]) -> None:
    data = some(kind, rows=12)
    left_out = measure.left_out(data)
    assert len(left_out) == data.count
    for unit, value in enumerate(left_out):
        without = drawn(data, np.arange(data.count) != unit)
        assert measure.point(without) == pytest.approx(None if np.isnan(value) else value, abs=1e-9)


@every_case
@pytest.mark.parametrize("seed", range(4))
def test_the_value_lies_in_its_interval(measure: Measure[Any], kind: type[Data], seed: int) -> None:
    data = some(kind, seed)
    found = figure(measure, data, rounds=200)
    assert found.value is not None and found.low is not None and found.high is not None
    assert found.low <= found.value <= found.high
    assert found.low < found.high
    assert found.units == data.count > 1
    assert found.measure == str(measure)
    assert found.drawn == data.drawn


@every_case
def test_a_seed_gives_the_same_interval_again_and_another_one_another(measure: Measure[Any], kind: type[Data]) -> None:
    data = some(kind)
    assert figure(measure, data, rounds=100, seed=7) == figure(measure, data, rounds=100, seed=7)
    assert figure(measure, data, rounds=100, seed=7) != figure(measure, data, rounds=100, seed=8)


@every_case
def test_more_confidence_is_a_wider_interval(measure: Measure[Any], kind: type[Data]) -> None:
    data = some(kind)
    wide, narrow = (figure(measure, data, rounds=400, confidence=confidence) for confidence in (0.99, 0.6))
    assert wide.low is not None and narrow.low is not None and wide.high is not None and narrow.high is not None
    assert wide.low <= narrow.low <= narrow.high <= wide.high
    assert wide.high - wide.low > narrow.high - narrow.low


@every_case
def test_perfection_has_no_interval_of_no_width(measure: Measure[Any], kind: type[Data]) -> None:
    """All units agree, so drawing them tells nothing; an interval from 1 to 1 would claim certainty."""
    data = perfect(some(kind))
    found = figure(measure, data, rounds=50)
    assert found.value == pytest.approx(measure.best, abs=1e-12)
    assert found.low is found.high is None
    assert "units agree" in (found.note or "")


@every_case
def test_a_difference_is_left_minus_right_and_turns_with_them(measure: Measure[Any], kind: type[Data]) -> None:
    data = some(kind, rows=150)
    if kind is Ratings:
        with pytest.raises(ParameterError, match="without gold"):
            difference(measure, data, data)
        return
    best = perfect(data)
    there, back = difference(measure, data, best, rounds=200), difference(measure, best, data, rounds=200)
    assert there.value == pytest.approx((there.left or 0) - (there.right or 0))
    assert there.value == pytest.approx(-(back.value or 0))
    assert there.low == pytest.approx(-(back.high or 0), abs=1e-9)
    assert there.p == pytest.approx(back.p)
    assert there.p is not None and there.p < 0.05


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("absent", "unknown measure 'absent'; available: ami, ari, b_cubed"),
        ("pair_f(gamma=1)", "pair_f: unknown parameter 'gamma'; available: beta, unjudged"),
        ("ari(norm='max')", "ari: unknown parameter 'norm'; it has no parameters"),
        ("pair_f(beta=-1)", "pair_f: beta must be in"),
        ("pair_f(beta=True)", "pair_f: beta must be a number, got True"),
        ("pair_f(unjudged='right')", "pair_f: unjudged must be 'wrong' or 'out', got 'right'"),
        ("pair_f(1)", "expected a spec like 'pair_f"),
        ("ami(norm='min')", "ami: norm must be 'max' or 'arithmetic', got 'min'"),
        ("siegel_kappa(over='all')", "siegel_kappa: over must be 'pooled' or 'mean', got 'all'"),
        ("set_recall(match=1)", "set_recall: match must be 'exact' or 'overlap', got 1"),
        ("c_dup(p='silver')", "c_dup: p must be between 0 and 1, or 'gold', got 'silver'"),
        ("c_dup(normalised=1)", "c_dup: normalised must be True or False, got 1"),
    ],
)
def test_a_spec_that_cannot_be_is_refused_by_name(spec: str, message: str) -> None:
    with pytest.raises(ParameterError) as refused:
        parse(spec)
    assert str(refused.value).startswith(message)
