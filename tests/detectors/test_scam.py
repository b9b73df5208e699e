"""scam: relative frequencies of words."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

from samestory import Article, ParameterError, parse
from tests.detectors.agreement import ODD, check, check_keys, compared, is_signed
from tests.news import corpora
from tests.reference import scam

EXAMPLES = settings(max_examples=20, deadline=None)

PARAMETERS: list[dict[str, Any]] = [
    {},
    {"epsilon": 2.01, "threshold": 0.3, "stop_words": False},
    {"epsilon": 4.0, "threshold": 0.9, "stemming": "F5"},
]


@given(articles=corpora(most=5))
@EXAMPLES
def test_the_subsets_are_those_of_the_oracle(articles: list[Article]) -> None:
    for parameters in PARAMETERS:
        check("scam", scam.compare, articles, parameters)


def test_the_subsets_are_those_of_the_oracle_with_odd_articles() -> None:
    check("scam", scam.compare, ODD, {"threshold": 0.1})
    check("scam", scam.compare, ODD, {"threshold": 0.1, "stop_words": False})


@given(articles=corpora())
@EXAMPLES
def test_keys_lose_nothing(articles: list[Article]) -> None:
    for spec in ("scam", "scam(threshold=0.2)", "scam(epsilon=3.0, stop_words=False)"):
        check_keys(spec, articles)


@pytest.mark.parametrize(
    ("left", "right", "epsilon", "forward", "backward", "kind"),
    [
        ("a b c", "a b c d e f", 2.5, 1.0, 0.5, "PART_OF"),
        ("a a a b", "a b c", 2.5, 0.1, 1 / 3, None),
        ("a a b c", "a b b c", 2.6, 5 / 6, 5 / 6, "NEAR"),
        ("a a b c", "a b b c", 2.5, 1 / 6, 1 / 6, None),
        ("x x x", "x x x x", 2.5, 1.0, 12 / 16, "NEAR"),
    ],
)
def test_the_worked_examples(
    left: str, right: str, epsilon: float, forward: float, backward: float, kind: str | None
) -> None:
    articles = [Article("l", left), Article("r", right)]
    found = compared(parse(f"scam(epsilon={epsilon}, stop_words=False)"), articles)[1][2]
    assert found[:2] == pytest.approx((forward, backward))
    assert found[2] == kind


def test_a_word_used_very_often_is_counted_without_overflow() -> None:
    articles = [Article("l", "wave " * 70_000), Article("r", "wave " * 80_000 + "shore")]
    found = compared(parse("scam"), articles)[1][2]
    assert found == (1.0, 70_000 * 80_000 / (80_000**2 + 1), "NEAR")


def test_which_odd_articles_have_a_signature() -> None:
    assert is_signed("scam", ["", "Harbour", "the of and", "12 13"]) == [False, True, False, True]
    assert is_signed("scam(stop_words=False)", ["the of and"]) == [True]


@pytest.mark.parametrize("spec", ["scam(epsilon=2.0)", "scam(threshold=-1)", "scam(ceiling=-1)"])
def test_what_cannot_be_is_refused(spec: str) -> None:
    with pytest.raises(ParameterError, match="scam: "):
        parse(spec)
