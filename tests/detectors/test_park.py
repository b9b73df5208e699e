"""park: five words that stand for an article."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings

from samestory import Article, ParameterError, parse, prepare
from samestory.detectors.park import VARIANTS, Park
from samestory.text import Frequencies
from tests.detectors.agreement import ODD, check, check_keys, compared, is_signed
from tests.news import corpora
from tests.reference import park
from tests.reference.examples import PARK

EXAMPLES = settings(max_examples=12, deadline=None)

OTHERS: list[dict[str, Any]] = [
    {"words": 1},
    {"words": 9, "threshold": 0.5, "stemming": "F5", "stop_words": False},
    {"variant": "pw", "words": 3, "plus_one": True, "log_base": 2.0},
]


def test_the_variants_are_those_of_the_oracle() -> None:
    assert set(VARIANTS) == set(park.VARIANTS)


@given(articles=corpora(most=5))
@EXAMPLES
def test_the_words_are_those_of_the_oracle(articles: list[Article]) -> None:
    for parameters in [*({"variant": variant} for variant in VARIANTS), *OTHERS]:
        check("park", park.compare, articles, parameters)


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_words_are_those_of_the_oracle_with_odd_articles(variant: str) -> None:
    check("park", park.compare, ODD, {"variant": variant, "threshold": 0.2})


@given(articles=corpora())
@EXAMPLES
def test_keys_lose_nothing(articles: list[Article]) -> None:
    for spec in ("park", "park(threshold=0.3)", "park(variant='pw')", "park(variant='tf', words=8, threshold=0.6)"):
        check_keys(spec, articles)


def by_hand(variant: str) -> Park:
    rows = "1000\tf\n100\tm\n30\tx\n2\tr\n1\tq\n"
    table = f"samestory frequencies 1\narticles\t1000\nwords\t5\n{rows}stems\t0\nletters\t0\n"
    return replace(Park(variant=variant, words=3, stop_words=False), frequencies=Frequencies.parse(table.encode()))


@pytest.mark.parametrize(("variant", "expected"), PARK.items())
def test_the_variants(variant: str, expected: str) -> None:
    """Against an article of just the words that are expected, and one of those that are not."""
    text = " ".join(["f"] * 9 + ["m"] * 7 + ["x"] * 4 + ["q"] + ["r"] * 2)
    rest = " ".join(set("fmxqr") - set(expected.split()))
    found = compared(by_hand(variant), [Article("a", text), Article("b", expected), Article("c", rest)])
    assert [result for left, right, result, _ in found if left == 0 and right] == [(1, 1, "NEAR"), (0, 0, None)]


def test_no_word_counts_more_than_five_times() -> None:
    """In pw, six times a word of idf 1 is 5; in tfidf it is more than twice one of idf 2.7."""
    text = " ".join(["m"] * 6 + ["r"] * 2)
    one = {variant: replace(by_hand(variant), words=1) for variant in ("pw", "tfidf")}
    for variant, word in (("pw", "r"), ("tfidf", "m")):
        own = one[variant]
        assert list(own.sign(prepare([Article("a", text)]))) == list(own.sign(prepare([Article("b", word)])))


def test_four_of_five_words_are_wanted() -> None:
    news = [Article("a", "k l m n o"), Article("b", "k l m n x"), Article("c", "k l m"), Article("d", "k l m x y")]
    found = [result for left, _, result, _ in compared(by_hand("tf"), news) if left == 0]
    assert len(found) == 4
    own = replace(by_hand("tf"), words=5)
    found = [result for left, _, result, _ in compared(own, news) if left == 0]
    assert found[1:] == [(4 / 5, 4 / 5, "NEAR"), (3 / 5, 1, "NEAR"), (3 / 5, 3 / 5, None)]


def test_which_odd_articles_have_a_signature() -> None:
    assert is_signed("park", ["", "Harbour", "the of and", "12 13"]) == [False, True, False, True]
    same = [Article(str(number), "the same few words", lang="en") for number in range(3)]
    assert is_signed("park(variant='tfidf')", [same[0].text], same) == [False]
    assert is_signed("park", [same[0].text], same) == [True]


@pytest.mark.parametrize("spec", ["park(words=0)", "park(variant='tfdf3')", "park(threshold=2.0)"])
def test_what_cannot_be_is_refused(spec: str) -> None:
    with pytest.raises(ParameterError, match="park: "):
        parse(spec)
