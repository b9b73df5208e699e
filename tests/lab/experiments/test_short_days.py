"""Days with gold: every merge height, the best r, and the experiments of the study on them."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from samestory.errors import InputError
from samestory.lab.evaluation import read_gold
from samestory.lab.experiments import ExperimentInput, reproduce
from samestory.lab.experiments.fomin import predicted_r
from samestory.lab.experiments.fomin.r_models import ChosenNetwork, Network
from samestory.lab.experiments.fomin.short_days import COSINE, ROWS, ShortDay, merge_day, merged_days, short_days
from samestory.lab.experiments.values import YOURS
from samestory.lab.measures import parse
from samestory.readers import Source
from tests.conftest import Writer
from tests.reference import semshort as literal


def day(seed: int = 0, stories: int = 6, size: int = 4) -> ShortDay:
    """Return items of some stories: each has most words of its story, and some common words."""
    draws = np.random.default_rng(seed)
    rows, labels = [], []
    for story in range(stories):
        own = [f"s{story}w{n}" for n in range(10)]
        for _ in range(int(draws.integers(1, size + 1))):
            rows.append([w for w in own if draws.random() < 0.6] + [f"c{n}" for n in draws.integers(0, 12, 3)])
            labels.append(story)
    return ShortDay(f"day {seed}", rows, np.array(labels))


@settings(max_examples=15)
@given(seed=st.integers(0, 10**6))
@pytest.mark.parametrize("detector", [ROWS, COSINE], ids=["distance_rows", "cosine"])
def test_quality_at_every_height_is_that_of_the_groups_there(detector: Any, seed: int) -> None:
    found = merge_day(day(seed), replace(detector, lemmas="none"))
    curve = found.curve()
    assert (np.diff(curve.heights) > 0).all()
    for at, height in enumerate(curve.heights.tolist()):
        data = found.grouped(height)
        assert curve.precision[at] == pytest.approx(parse("pair_precision()").point(data))
        assert curve.recall[at] == pytest.approx(parse("pair_recall()").point(data) or 0.0)
        assert curve.f[at] == pytest.approx(parse("pair_f()").point(data))
    assert found.best_r() == curve.heights[np.flatnonzero(curve.f == curve.f.max())[0]]


def test_the_best_r_is_that_of_the_printed_pipeline() -> None:
    """A matrix of all distances, distances between its rows, and every height tried."""
    given = day(3, stories=8, size=5)
    detector = replace(ROWS, lemmas="none", m=1e-9, least=12)
    found = merge_day(given, detector)
    names, rows = literal.weights(given.rows)
    assert found.items == len(rows) and len(names) == found.features.p7
    matrix = literal.between_rows(literal.distances(literal.reduced(rows, 12)))
    assert found.heights == pytest.approx(np.sort(literal.merges(matrix)), abs=1e-4)
    gold = {(i, j) for i in range(len(rows)) for j in range(i) if given.labels[i] == given.labels[j]}
    best = {}
    for height in found.heights.tolist():
        groups = literal.groups(matrix, height + 1e-4)
        pairs = {(i, j) for group in groups for i in group for j in group if j < i}
        best[height] = 2 * len(pairs & gold) / (len(pairs) + len(gold))
    assert best[found.best_r()] == max(best.values())


def test_a_large_day_is_searched_as_far_as_the_best_r_and_not_further(monkeypatch: pytest.MonkeyPatch) -> None:
    from samestory.lab.experiments.fomin import short_days as module

    given = day(1, stories=40, size=8)
    whole = merge_day(given)
    monkeypatch.setattr(module, "MAX_ALL_PAIRS_ITEMS", 10)
    part = merge_day(given)
    assert part.best_r() == pytest.approx(whole.best_r())
    assert part.heights == pytest.approx(whole.heights[: len(part.heights)])


@pytest.fixture
def collection(write: Writer) -> ExperimentInput:
    docs, gold = [], []
    for number in range(5):
        each = day(number, stories=5 + 2 * number)
        for at, (row, label) in enumerate(zip(each.rows, each.labels.tolist(), strict=True)):
            docs.append({"id": f"{number}-{at}", "text": " ".join(row), "lang": "en"})
            gold.append({"id": f"{number}-{at}", "cluster": f"{number}-{label}", "day": f"2026-03-0{number + 1}"})
    gold = [{**line, "relation": "semantic"} for line in gold]
    return ExperimentInput(
        sources=[Source(str(write("docs.jsonl", docs)))],
        gold=read_gold(str(write("gold.jsonl", gold))),
        rounds=20,
        baselines=["cosine()"],
    )


def test_days_default_to_those_of_the_gold(collection: ExperimentInput) -> None:
    days = short_days(collection)
    assert [each.name for each in days] == [f"2026-03-0{n}" for n in range(1, 6)]
    assert [len(each.rows) for each in days] == [len(day(n, stories=5 + 2 * n).rows) for n in range(5)]


def yours(name: str, collection: ExperimentInput) -> dict[str, Any]:
    return {row.what: row for row in reproduce(name, collection) if row.basis == YOURS}


def test_f2_shows_the_best_r_of_every_day_beside_the_printed_ones(collection: ExperimentInput) -> None:
    rows, days = yours("F2", collection), merged_days(collection)
    best = [each.best_r() for each in days]
    assert (rows["smallest r"].published, rows["smallest r"].measured) == (2.05, min(best))
    assert (rows["largest r"].published, rows["largest r"].measured) == (4.46, max(best))
    measured = [each.measured(r) for each, r in zip(days, best, strict=True)]
    assert rows["your days, AMI, mean"].measured == pytest.approx(np.mean([m["ami"] for m in measured]))
    near = [each.best_r() for each in merged_days(collection, COSINE)]
    assert rows["1 − cos, largest best distance"].measured == max(near)
    assert any(what.startswith("cosine(), smallest best") for what in rows)


def test_f1_shows_steps_of_the_largest_day(collection: ExperimentInput) -> None:
    largest = max(short_days(collection), key=lambda each: len(each.rows))
    found = yours("F1", collection)
    rows = [row for what, row in found.items() if what.startswith(f"distance between rows, {largest.name}, F at r = ")]
    assert 10 < len(rows) <= 22
    assert max(row.measured for row in rows) == merge_day(largest).curve().f.max()
    assert "single linkage, best F" in found and "cosine(), best F" in found


def test_f3_shows_how_r_grows(collection: ExperimentInput) -> None:
    rows, days = yours("F3", collection), merged_days(collection)
    items = [len(each.day.rows) for each in days]
    expected = np.corrcoef(items, [each.best_r() for each in days])[0, 1]
    assert rows["your days, r against p1, articles of the day"].measured == pytest.approx(expected)
    assert f"r/√items {days[0].best_r() / sqrt(days[0].items):.4f}" in rows["your day 2026-03-01, best r"].note


def test_f4_and_f5_leave_every_day_out(collection: ExperimentInput) -> None:
    rows = yours("F4", collection)
    assert {what.rsplit(", ", 1)[0] for what in rows} == {
        "your days, seven features",
        "your days, ln of the items",
        "your days, mean of the other days",
    }
    r = np.array([each.best_r() for each in merged_days(collection)])
    means = [np.delete(r, at).mean() for at in range(5)]
    assert rows["your days, mean of the other days, mean absolute error"].measured == pytest.approx(
        np.abs(means - r).mean()
    )
    assert rows["your days, seven features, mean absolute error"].note == "5 days, each left out in turn"


def test_f6_is_best_at_the_best_r(collection: ExperimentInput, monkeypatch: pytest.MonkeyPatch) -> None:
    # two networks to choose from: all of them take their time
    monkeypatch.setitem(
        predicted_r.MODELS, "neural network", ChosenNetwork((Network(4, steps=30), Network(4, "logistic")), 2)
    )
    rows = yours("F6", collection)
    assert rows["best r, F, mean"].published == 0.75
    assert rows["neural network, F, mean"].published == 0.73
    for model in ("linear model", "neural network", "ln of the items"):
        assert 0 <= rows[f"{model}, F, mean"].measured <= rows["best r, F, mean"].measured


def test_f7_keeps_more_and_more_components(collection: ExperimentInput) -> None:
    rows = yours("F7", collection)
    kept = [row.note.split("; ")[1] for what, row in rows.items() if what.startswith("best F with")]
    assert len(kept) == 4
    assert rows["share chosen"].published == 0.03
    assert rows["share chosen"].measured in (0.02, 0.03, 0.05, 0.1)


def test_too_few_days_for_a_model_are_reported(collection: ExperimentInput, write: Writer) -> None:
    gold = collection.gold
    assert gold is not None
    one = replace(collection, gold=gold.take([at for at, name in enumerate(gold.columns["day"]) if name[-1] < "3"]))
    for name in ("F3", "F4", "F5", "F6"):
        notes = [row.note for row in reproduce(name, one) if row.measured is None]
        assert any("needs at least 3 days (--split FIELD), got 2" in note for note in notes), name


def test_days_on_which_there_is_nothing_to_find_are_refused(collection: ExperimentInput) -> None:
    gold = collection.gold
    assert gold is not None
    alone = replace(gold, groups=[str(n) for n in range(len(gold))])  # type: ignore[call-arg]
    with pytest.raises(InputError, match="there is nothing to find"):
        reproduce("F7", replace(collection, gold=alone))


def test_gold_about_missing_articles_is_rejected(collection: ExperimentInput, write: Writer) -> None:
    few = write("few.jsonl", [{"id": "0-0", "text": "a b c"}])
    with pytest.raises(InputError, match=r"gold\.jsonl: no article has the id '0-1'"):
        short_days(replace(collection, sources=[Source(str(few))]))
