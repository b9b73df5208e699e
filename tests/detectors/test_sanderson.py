"""sanderson: the same words within two days, and longer versions."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

from samestory import Article, Kind, ParameterError, parse, relate
from tests.detectors.agreement import ODD, check, check_keys, is_signed
from tests.news import corpora
from tests.reference import sanderson

EXAMPLES = settings(max_examples=20, deadline=None)

PARAMETERS: list[dict[str, Any]] = [
    {},
    {"similar": 0.3, "exact": 0.7, "hours": 1_000_000},
    {"similar": 0.9, "exact": 0.5, "longer": 0.5, "hours": 1},
    {"similar": 0.2, "longer": 1.0, "stemming": "F5", "stop_words": True, "plus_one": True},
]


@given(articles=corpora(most=5))
@EXAMPLES
def test_the_tests_are_those_of_the_oracle(articles: list[Article]) -> None:
    for parameters in PARAMETERS:
        cuts = (parameters.get("similar", 0.8), parameters.get("exact", 0.95))

        def doubtful(share: float, cuts: tuple[float, float] = cuts) -> bool:
            return any(abs(share - cut) < 1e-6 for cut in cuts)

        check("sanderson", sanderson.compare, articles, parameters, near=1e-6, doubtful=doubtful)


def test_the_tests_are_those_of_the_oracle_with_odd_articles() -> None:
    check("sanderson", sanderson.compare, ODD, {"similar": 0.1, "exact": 0.5}, near=1e-6)


@given(articles=corpora())
@EXAMPLES
def test_keys_lose_nothing(articles: list[Article]) -> None:
    for spec in ("sanderson", "sanderson(similar=0.3)", "sanderson(similar=0.9, exact=0.2)", "sanderson(hours=0)"):
        check_keys(spec, articles)


TEXT = "The harbour council of Oldmere voted on Monday to rebuild the wooden pier before the winter storms arrive"
OTHERS = [Article("x", "Shares closed higher in quiet trading"), Article("y", "Rain is expected in the north")]


def kinds(left: Article, right: Article, spec: str = "sanderson") -> list[Kind]:
    return [r.kind for r in relate([left, right, *OTHERS], detector=spec)]


@pytest.mark.parametrize(
    ("date", "expected"),
    [
        ("2020-01-03T00:00:00Z", [Kind.IDENTICAL]),
        ("2020-01-03T00:00:01Z", []),
        ("2019-12-30T00:00:00Z", [Kind.IDENTICAL]),
        (None, [Kind.IDENTICAL]),
    ],
)
def test_forty_eight_hours(date: str | None, expected: list[Kind]) -> None:
    assert kinds(Article("a", TEXT, published="2020-01-01T00:00:00Z"), Article("b", TEXT, published=date)) == expected


def test_a_longer_version_holds_the_shorter_one() -> None:
    longer = TEXT + " and mend the sea wall behind it too"
    (relation,) = relate([Article("long", longer), Article("short", TEXT), *OTHERS], detector="sanderson(similar=0.6)")
    assert (relation.left, relation.kind, relation.right) == ("short", Kind.PART_OF, "long")
    assert kinds(Article("a", TEXT), Article("b", longer), "sanderson(similar=0.6, longer=0.5)") == [Kind.NEAR]


def test_an_article_is_related_to_all_its_copies_not_to_the_first_one_found() -> None:
    """The study's rank is not asked for, as the documentation says: it follows from all other articles."""
    copies = [Article(name, TEXT) for name in "abc"]
    assert len(relate([*copies, *OTHERS], detector="sanderson")) == 3


def test_which_odd_articles_have_a_signature() -> None:
    assert is_signed("sanderson", ["", "Harbour", "the of and", "12 13"]) == [False, True, True, True]
    assert is_signed("sanderson(stop_words=True)", ["the of and"]) == [False]


@pytest.mark.parametrize("spec", ["sanderson(hours=-1)", "sanderson(similar=1.5)", "sanderson(longer=-1)"])
def test_what_cannot_be_is_refused(spec: str) -> None:
    with pytest.raises(ParameterError, match="sanderson: "):
        parse(spec)
