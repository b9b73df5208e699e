"""Every experiment of the studies exists once, lists its requirements, and runs if its state is "runs"."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from math import isfinite
from pathlib import Path

import pytest

import samestory.lab.experiments
from samestory.detectors import DETECTORS
from samestory.errors import InputError, ParameterError, SamestoryError
from samestory.lab.evaluation import MEANINGS
from samestory.lab.experiments import EXPERIMENTS, STUDIES, ExperimentInput, PublishedValue, about, reproduce
from samestory.lab.experiments import tables as published_tables
from samestory.lab.experiments.values import OURS, TABLE, YOURS
from tests.lab.experiments.conftest import Given

NAMES = [
    *(f"U{number}" for number in range(1, 7)),
    *(f"V{number}" for number in range(1, 11)),
    *(f"G{number}" for number in range(1, 8)),
    *(f"C{number}" for number in range(1, 6)),
    *(f"F{number}" for number in range(1, 8)),
    "X1",
    "X2",
]
RUNNING = [name for name, found in EXPERIMENTS.items() if found.run]
FROM_FILES = ["U2", "U3", "U4", "U5", "F2", "F3", "F4", "F5"]


def test_every_experiment_of_the_studies_is_there_once() -> None:
    assert list(EXPERIMENTS) == NAMES


def test_every_experiment_is_a_module_of_its_study() -> None:
    folder = Path(samestory.lab.experiments.__path__[0])
    found = {}
    for path in folder.glob("*/[a-z]*.py"):
        module = import_module(f"samestory.lab.experiments.{path.parent.name}.{path.stem}")
        if experiment := getattr(module, "EXPERIMENT", None):
            found[experiment.name] = experiment
            assert (module.__doc__ or "").startswith(f"{experiment.name}: ")
            study = "further" if experiment.name.startswith("X") else experiment.study.rstrip("0123456789")
            assert study == path.parent.name, "the folder is the study"
    assert found == EXPERIMENTS


@pytest.mark.parametrize("name", NAMES)
def test_an_experiment_says_what_it_is_about(name: str) -> None:
    found = EXPERIMENTS[name]
    assert found.name == name
    assert found.study in STUDIES
    assert found.relation in MEANINGS
    assert set(found.also) <= set(MEANINGS)
    assert found.title and found.key and found.published
    assert len({value.what for value in found.published}) == len(found.published)
    assert found.run or found.missing, "an experiment that does not run lists what it needs"
    assert found.state.startswith("runs") == (found.run is not None)


def test_what_waits_for_a_method_does_not_pretend_to_run(monkeypatch: pytest.MonkeyPatch) -> None:
    assert RUNNING == NAMES
    monkeypatch.delitem(DETECTORS.places, "semshort")
    monkeypatch.setitem(EXPERIMENTS, "F7", replace(EXPERIMENTS["F7"], run=None))
    with pytest.raises(SamestoryError, match="F7 cannot run yet: needs detector semshort"):
        reproduce("F7")


def test_a_method_that_arrives_is_no_longer_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert EXPERIMENTS["V1"].missing == []
    monkeypatch.delitem(DETECTORS.places, "codet")
    assert EXPERIMENTS["V1"].missing == ["detector codet"]
    monkeypatch.setitem(DETECTORS.places, "codet", DETECTORS.places["exact"])
    assert EXPERIMENTS["V1"].missing == []


@pytest.mark.parametrize("name", RUNNING)
def test_what_says_that_it_runs_does_run(name: str, given: Given) -> None:
    found = EXPERIMENTS[name]
    collection = given(name, split="category")
    rows = reproduce(name, collection)
    numbers = [row for row in rows if isinstance(row.measured, int | float)]
    assert numbers
    assert all(isfinite(float(row.measured)) for row in numbers if row.measured is not None)
    assert all(row.basis in (TABLE, YOURS, OURS) for row in numbers), "a number has a basis"
    assert all(row.note for row in rows if row.measured is None), "a missing number has a reason"
    assert all(row.low is None or row.low <= row.measured <= row.high for row in numbers)  # type: ignore[operator]
    if found.docs != "no" or found.gold != "no":
        assert any(row.basis == YOURS for row in rows)
        assert any("are not public" in line for line in about(found, collection, rows))
    published = {value.what: value.value for value in found.published}
    assert all(row.published == published[row.what] for row in rows if row.what in published)


@pytest.mark.parametrize("name", [name for name in RUNNING if "must" not in (EXPERIMENTS[name].docs)])
def test_what_needs_no_articles_runs_without_any(name: str) -> None:
    rows = reproduce(name)
    assert rows
    assert all(row.basis != YOURS for row in rows)


@pytest.mark.parametrize("name", FROM_FILES)
def test_what_is_recomputed_follows_the_published_table(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers are computed, not quoted: with other numbers in the table others come out."""
    before = [row.measured for row in reproduce(name)]
    real = published_tables.table

    def bent(file: str) -> list[dict[str, str]]:
        return [{key: _bent(key, value, row) for key, value in line.items()} for row, line in enumerate(real(file), 1)]

    monkeypatch.setattr(published_tables, "table", bent)
    assert [row.measured for row in reproduce(name)] != before


def _bent(field: str, value: str, row: int) -> str:
    try:
        return value if field == "set" else str(float(value) * (1 + 0.003 * row))
    except ValueError:
        return value


@pytest.mark.parametrize("name", [name for name in RUNNING if EXPERIMENTS[name].docs == "must"])
def test_missing_articles_are_reported(name: str) -> None:
    with pytest.raises(ParameterError, match=rf"{name} needs --docs.*not given: --docs"):
        reproduce(name)


def test_gold_without_articles_is_refused_where_both_are_needed(given: Given) -> None:
    with pytest.raises(ParameterError, match=r"U2 needs .* not given: --docs"):
        reproduce("U2", given("U2", sources=[]))


def test_gold_of_another_relation_is_refused(given: Given) -> None:
    """No figure stands for two definitions of a duplicate."""
    with pytest.raises(ParameterError, match=r"F1 is about semantic, .* about near"):
        reproduce("F1", given("F1", gold=given("U2").gold))


def test_gold_of_another_shape_is_refused(given: Given) -> None:
    with pytest.raises(ParameterError, match=r"V8 needs .* contains groups"):
        reproduce("V8", given("V8", gold=given("U2").gold))


def test_gold_of_relation_same_is_accepted_with_a_note(given: Given) -> None:
    gold = given("F1").gold
    assert gold is not None
    object.__setattr__(gold, "meaning", MEANINGS["same"])
    collection = given("F1", gold=gold)
    rows = reproduce("F1", collection)
    assert any("the study is about semantic" in line for line in about(EXPERIMENTS["F1"], collection, rows))


def test_gold_in_which_nothing_is_to_be_found_is_refused(given: Given) -> None:
    gold = given("V8").gold
    assert gold is not None
    object.__setattr__(gold, "labels", gold.labels & False)  # type: ignore[union-attr]
    with pytest.raises(InputError, match="no pair is judged contains"):
        reproduce("V8", given("V8", gold=gold))


def test_a_name_may_be_in_small_letters_and_must_exist() -> None:
    assert reproduce("x1", ExperimentInput())
    with pytest.raises(ParameterError, match=r"unknown experiment 'X9'; available: U1, .* X2"):
        reproduce("X9")


def test_an_erratum_stands_in_the_note() -> None:
    assert PublishedValue("a", 1.0, erratum="printed as 2").with_measured(1.0, "mean").note == "mean; printed as 2"
    assert PublishedValue("a", 1.0, erratum="printed as 2").not_measured("needs x").note == "needs x; printed as 2"
