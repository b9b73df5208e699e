"""Specs parse back for anything with a name and parameters, with messages for invalid ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import pytest

from samestory.errors import ParameterError
from samestory.specs import Range, Spec, parameter, parse


@dataclass(frozen=True)
class Tea(Spec):
    name: ClassVar[str] = "tea"

    sugar: int = parameter(0, "lumps", Range(0, 5))
    strength: float = parameter(0.5, "minutes", Range(0, float("inf")))
    milk: bool = parameter(False, "with milk")
    served: str = parameter("hot", "'hot' or 'cold'", ("hot", "cold"))


@dataclass(frozen=True)
class Water(Spec):
    name: ClassVar[str] = "water"


def order(spec: str) -> Spec:
    return parse(spec, {"tea": Tea, "water": Water}, what="drink", example="tea(sugar=2)")


@pytest.mark.parametrize(
    "drink", [Tea(), Tea(sugar=2, served="cold"), Tea(milk=True, strength=1), Tea(strength=1e-7), Water()], ids=str
)
def test_a_spec_reads_back(drink: Spec) -> None:
    assert order(str(drink)) == drink


def test_brackets_and_spaces_are_free() -> None:
    assert order(" tea ") == order("tea()") == order("tea( sugar = 0 )") == Tea()


def test_only_what_differs_from_the_default_is_written() -> None:
    assert str(Tea(sugar=1, served="cold")) == "tea(sugar=1, served='cold')"
    assert Tea().parameters(defaults=True) == "sugar=0, strength=0.5, milk=False, served='hot'"


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("coffee", "unknown drink 'coffee'; available: tea, water"),
        ("tea(lemon=1)", "tea: unknown parameter 'lemon'; available: milk, served, strength, sugar"),
        ("water(lemon=1)", "water: unknown parameter 'lemon'; it has no parameters"),
        ("tea(1)", "expected a spec like 'tea(sugar=2)', got 'tea(1)'"),
        ("taa", "unknown drink 'taa'; available: tea, water\nhint: did you mean tea?"),
        ("tea(served=hot or cold)", "expected a spec like 'tea(sugar=2)', got 'tea(served=hot or cold)'"),
        ("tea(served=warm)", "tea: served must be 'hot' or 'cold', got 'warm'"),
        ("", "expected a spec like 'tea(sugar=2)', got ''"),
        ("tea(milk=1)", "tea: milk must be True or False, got 1"),
        ("tea(sugar=True)", "tea: sugar must be a number, got True"),
        ("tea(sugar=6)", "tea: sugar must be in [0, 5], got 6"),
        ("tea(sugar=1.5)", "tea: sugar must be a whole number, got 1.5"),
        ("tea(sugar='2')", "tea: sugar must be a whole number in [0, 5], got '2'"),
        ("tea(strength=-1)", "tea: strength must be at least 0, got -1"),
        ("tea(served='warm')", "tea: served must be 'hot' or 'cold', got 'warm'"),
        ("tea(served=True)", "tea: served must be 'hot' or 'cold', got True"),
    ],
)
def test_a_spec_that_cannot_be_error_names_what_is_expected(spec: str, message: str) -> None:
    with pytest.raises(ParameterError) as caught:
        order(spec)
    assert str(caught.value) == message


@pytest.mark.parametrize("value", ["-" * 3000 + "1", "(" * 300 + ")" * 300, "[" * 2000, "1" + "+1" * 3000])
def test_a_spec_with_deep_nesting_is_an_error(value: str) -> None:
    with pytest.raises(ParameterError, match="expected a spec like"):
        order(f"tea(sugar={value})")


def test_a_spec_may_be_a_value_without_quotes() -> None:
    from samestory.detectors import parse as detector

    assert detector("exhaustive(inner=event())") == detector("exhaustive(inner='event')")
    nested = detector("exhaustive(inner=event(threshold=0.6, days=3))")
    assert str(nested) == "exhaustive(inner='event(threshold=0.6, days=3)')"
    for spec in ("exhaustive(inner=event(3))", "event(threshold=event())"):
        with pytest.raises(ParameterError):
            detector(spec)
