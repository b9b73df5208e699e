"""imatch-idf, imatch-top10 and imatch-rand: equal digests of chosen terms."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from samestory import Article, ParameterError, parse, prepare, relate
from samestory.detectors.imatch import IMatch, IMatchRandom, IMatchTop
from samestory.text import Frequencies
from tests.detectors.agreement import ODD, check, check_keys, is_signed
from tests.news import corpora
from tests.reference import imatch

EXAMPLES = settings(max_examples=15, deadline=None)

BANDS: list[dict[str, Any]] = [
    {},
    {"low": 0.0, "high": 1.0},
    {"low": 0.3, "high": 0.6, "stemming": "F5", "stop_words": True},
    {"low": 0.2, "high": 1.0, "plus_one": True, "log_base": 2.0},
]
TOPS: list[dict[str, Any]] = [{}, {"skip": 0, "count": 3}, {"skip": 1, "count": 50, "stemming": "none"}]
RANDOM: list[dict[str, Any]] = [
    {},
    {"low": 0.0, "high": 1.0, "lexicons": 9, "drop": 0.7},
    {"lexicons": 0, "least": 0.0},
    {"low": 0.1, "high": 1.0, "drop": 0.9, "least": 0.5, "stop_words": True},
    {"drop": 1.0, "least": 0.0},
]


@given(articles=corpora(most=5))
@EXAMPLES
def test_all_three_do_as_their_oracles(articles: list[Article]) -> None:
    for parameters in BANDS:
        check("imatch-idf", imatch.compare, articles, parameters)
    for parameters in TOPS:
        check("imatch-top10", imatch.compare_top, articles, parameters)
    for parameters in RANDOM:
        check("imatch-rand", imatch.compare_random, articles, parameters)


def test_all_three_do_as_their_oracles_with_odd_articles() -> None:
    check("imatch-idf", imatch.compare, ODD, {"low": 0.0, "high": 1.0})
    check("imatch-top10", imatch.compare_top, ODD, {})
    check("imatch-rand", imatch.compare_random, ODD, {"low": 0.0, "high": 1.0})


@given(articles=corpora())
@EXAMPLES
def test_keys_lose_nothing(articles: list[Article]) -> None:
    for spec in ("imatch-idf", "imatch-top10", "imatch-rand", "imatch-rand(low=0.0, high=1.0, drop=0.8)"):
        check_keys(spec, articles)


def table(articles: int, **counts: int) -> Frequencies:
    """Frequencies written down by hand."""
    rows = "".join(f"{n}\t{word}\n" for word, n in counts.items())
    return Frequencies.parse(
        f"samestory frequencies 1\narticles\t{articles}\nwords\t{len(counts)}\n{rows}"
        f"stems\t{len(counts)}\n{rows}letters\t0\n".encode()
    )


def hex_of(signature: bytes) -> str:
    return "".join(f"{word:08x}" for word in np.frombuffer(signature, "<u4"))


def test_the_digest_of_the_worked_example() -> None:
    found = replace(IMatch(low=0.0, high=1.0), frequencies=table(100, starts=9, day=9, nasdaq=9, increase=9))
    (signature,) = found.sign(prepare([Article("a", "NASDAQ starts day: increase, day", lang="en")]))
    assert hex_of(signature) == "d132e1d0ebc8d2e0bbb371684110ceb568df4b21"


def test_the_rarest_two_are_passed_over_and_ten_are_taken() -> None:
    words = [f"w{number:02}" for number in range(20)]
    own = replace(IMatchTop(), frequencies=table(100, **{word: at + 1 for at, word in enumerate(words)}))
    one, other = own.sign(
        prepare([Article("a", " ".join(words)), Article("b", " ".join(["typo", "slip", *words[2:]]))])
    )
    assert hex_of(one) == imatch.digest(words[2:12])
    # w01 was one of the two; now the two misspelt words are
    assert one == other


def test_a_word_more_is_forgiven_by_a_lexicon_that_has_forgotten_it() -> None:
    counts = {f"w{number:02}": 20 for number in range(20)} | {"extra": 20}
    own = replace(IMatchRandom(lexicons=10), frequencies=table(1000, **counts))
    text = " ".join(word for word in counts if word != "extra")
    news = [Article("a", text, lang="en"), Article("b", text + " extra", lang="en")]
    (relation,) = relate(news, detector=own)
    assert 0 < relation.overlap.forward == relation.overlap.backward < 1
    assert relate(news, detector=replace(own, lexicons=0)) == relate(news, detector=replace(own, drop=0.0)) == []


def test_an_article_with_hardly_a_term_in_the_band_has_no_signature() -> None:
    own = replace(IMatchRandom(), frequencies=table(1000, some=100))
    other = " ".join(f"unknown{number}" for number in range(9))
    signatures = list(own.sign(prepare([Article("a", f"some {other}"), Article("b", f"some {other} more")])))
    assert [len(signature) for signature in signatures] == [6 * 20, 0]


def test_which_odd_articles_have_a_signature() -> None:
    texts = ["", "Harbour", "the of and", "the of and to", "12 13", "12 13 14"]
    assert is_signed("imatch-top10", texts) == [False, False, False, False, False, True]
    assert is_signed("imatch-top10(stop_words=False)", texts) == [False, False, True, True, False, True]
    assert is_signed("imatch-idf(low=0.0, high=1.0)", texts) == [False, True, True, True, True, True]


@pytest.mark.parametrize(
    ("spec", "wrong"),
    [
        ("imatch-rand(lexicons=-1)", "lexicons"),
        ("imatch-rand(drop=1.1)", "drop"),
        ("imatch-rand(least=-0.1)", "least"),
        ("imatch-rand(low=0.9)", "low"),
    ],
)
def test_what_cannot_be_is_refused(spec: str, wrong: str) -> None:
    with pytest.raises(ParameterError, match=f"imatch-rand: {wrong}"):
        parse(spec)
