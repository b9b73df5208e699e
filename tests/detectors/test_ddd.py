"""ddd: date, length, and the rarest words."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings

from samestory import Article, ParameterError, parse, prepare
from samestory.detectors.ddd import SHORT, Ddd
from samestory.text import Frequencies
from tests.detectors.agreement import ODD, check, check_keys, compared, is_signed
from tests.news import corpora
from tests.reference import ddd
from tests.reference.examples import DDD

EXAMPLES = settings(max_examples=12, deadline=None)

OTHERS: list[dict[str, Any]] = [
    {"least": 1, "days": 0, "length": 0.5},
    {"least": 5, "terms": 12, "threshold": 0.5, "stemming": "F5", "stop_words": True},
]


@given(articles=corpora(most=5))
@EXAMPLES
def test_overlaps_are_those_of_the_oracle(articles: list[Article]) -> None:
    for short in SHORT:
        for terms in (60, 15):
            parameters = {"short": short, "terms": terms, "least": 8, "threshold": 0.6}
            check("ddd", ddd.compare, articles, parameters)
    for parameters in OTHERS:
        check("ddd", ddd.compare, articles, parameters)


@pytest.mark.parametrize("short", SHORT)
def test_overlaps_are_those_of_the_oracle_with_odd_articles(short: str) -> None:
    check("ddd", ddd.compare, ODD, {"short": short, "least": 1, "threshold": 0.3, "length": 0.2})
    check("ddd", ddd.compare, ODD, {"short": short})


@given(articles=corpora())
@EXAMPLES
def test_keys_lose_nothing(articles: list[Article]) -> None:
    for short in SHORT:
        check_keys(f"ddd(short='{short}')", articles)
        check_keys(f"ddd(short='{short}', least=1, length=0.3, days=1000, threshold=0.4, terms=20)", articles)


def many(prefix: str, count: int) -> list[str]:
    return [f"{prefix}{number}" for number in range(count)]


def by_hand(articles: int = 1000, often: int = 900, **parameters: Any) -> Ddd:
    """A table that knows one word; the others are as rare as can be."""
    table = f"samestory frequencies 1\narticles\t{articles}\nwords\t1\n{often}\toften\nstems\t0\nletters\t0\n"
    return replace(Ddd(**parameters), frequencies=Frequencies.parse(table.encode()))


@pytest.mark.parametrize(("common", "lengths", "date", "expected"), [*DDD, (48, (500, 410), None, "NEAR")])
def test_the_worked_check(common: int, lengths: tuple[int, int], date: str | None, expected: str | None) -> None:
    def text(own: str, length: int) -> str:
        return " ".join([*many("common", common), *many(own, 60 - common), *["often"] * (length - 60)])

    a = Article("a", text("left", lengths[0]), published="2020-01-01")
    b = Article("b", text("right", lengths[1]), published=date)
    assert compared(by_hand(), [a, b])[1][2] == (common / 60, common / 60, expected)


@pytest.mark.parametrize(
    ("sizes", "common", "short", "share"),
    [
        ((45, 45), 36, "c-pad", 0.85),
        ((45, 45), 36, "c-guarded", 0.8),
        ((45, 45), 36, "a", 36 / 45),
        ((20, 20), 8, "c-pad", 0.8),
        ((20, 20), 8, "c-guarded", 0.4),
        ((50, 40), 40, "c-pad", 50 / 60),
        ((30, 40), 30, "a", 30 / 40),
    ],
)
def test_short_vectors(sizes: tuple[int, int], common: int, short: str, share: float) -> None:
    texts = [" ".join(many("common", common) + many(own, size - common)) for own, size in zip("lr", sizes, strict=True)]
    found = compared(by_hand(short=short, length=0.5), [Article(text, text) for text in texts])[1][2]
    assert found == (share, share, "NEAR" if share >= 0.8 else None)


def test_the_rarest_of_the_larger_against_all_of_the_smaller() -> None:
    """Words of one df come by the alphabet: of forty the first thirty count."""
    words = [f"x{number:02}" for number in range(40)]
    own = by_hand(short="b", length=0.5)
    first, last, every = (Article(part[0], " ".join(part)) for part in (words[:30], words[10:], words))
    assert compared(own, [first, every])[1][2] == (1, 1, "NEAR")
    found = compared(own, [replace(last, id="last"), replace(every, id="every")])[1][2]
    assert found == (20 / 30, 20 / 30, None)


def test_words_that_the_table_does_not_know_fill_up() -> None:
    own = by_hand(short="c-oov", least=1, terms=2, threshold=0.5)
    known, other = Article("a", "zebra often apple"), Article("b", "often apple")
    assert compared(own, [known, other])[1][2][:2] == (1, 1)
    assert compared(replace(own, short="a"), [known, other])[1][2][:2] == (0.5, 0.5)


def test_thirteen_of_sixty_words_are_keys() -> None:
    own = by_hand()
    signatures = own.sign(prepare([Article("a", " ".join(many("x", 80))), Article("b", " ".join(many("x", 25)))]))
    assert own.keys(signatures).lengths().tolist() == [13, 13]
    assert replace(own, short="a").keys(signatures).lengths().tolist() == [13, 6]


def test_fewer_than_twenty_words_are_unreliable() -> None:
    texts = ["", "Harbour", "the of and", " ".join(many("x", 19)), " ".join(many("x", 20)), " ".join("1234567")]
    assert is_signed("ddd", texts) == [False, False, False, False, True, False]
    assert is_signed("ddd(least=1)", texts) == [False, True, True, True, True, True]


@pytest.mark.parametrize("spec", ["ddd(days=-1)", "ddd(short='d')", "ddd(terms=0)", "ddd(length=2.0)", "ddd(least=0)"])
def test_what_cannot_be_is_refused(spec: str) -> None:
    with pytest.raises(ParameterError, match="ddd: "):
        parse(spec)
