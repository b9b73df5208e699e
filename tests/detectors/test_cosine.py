"""cosine: tf·idf vectors and the angle between them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from samestory import Article, ParameterError, parse, prepare
from samestory.detectors.cosine import Cosine
from samestory.model import Pairs
from samestory.text import Frequencies
from tests.detectors.agreement import ODD, check, check_keys, is_signed
from tests.news import corpora
from tests.reference import cosine

EXAMPLES = settings(max_examples=20, deadline=None)

PARAMETERS: list[dict[str, Any]] = [
    {},
    {"threshold": 0.3, "stemming": "F5", "stop_words": False},
    {"threshold": 0.9, "plus_one": True, "log_base": 2.0},
]


@given(articles=corpora(most=5))
@EXAMPLES
def test_the_cosine_is_that_of_the_oracle(articles: list[Article]) -> None:
    for parameters in PARAMETERS:
        threshold = parameters.get("threshold", 0.6)

        def doubtful(share: float, threshold: float = threshold) -> bool:
            return abs(share - threshold) < 1e-6

        check("cosine", cosine.compare, articles, parameters, near=1e-6, doubtful=doubtful)


def test_the_cosine_is_that_of_the_oracle_with_odd_articles() -> None:
    check("cosine", cosine.compare, ODD, {"stop_words": False, "threshold": 0.1}, near=1e-6)
    check("cosine", cosine.compare, ODD, {}, near=1e-6)


@given(articles=corpora())
@EXAMPLES
def test_keys_lose_nothing(articles: list[Article]) -> None:
    for spec in ("cosine", "cosine(threshold=0.2)", "cosine(threshold=0.9, plus_one=True)", "cosine(threshold=1.0)"):
        check_keys(spec, articles)


def by_hand() -> Cosine:
    """In a hundred articles: a and b weigh 1, c weighs 2, d nothing."""
    table = b"samestory frequencies 1\narticles\t100\nwords\t4\n100\td\n10\ta\n10\tb\n1\tc\nstems\t0\nletters\t0\n"
    return replace(Cosine(stop_words=False), frequencies=Frequencies.parse(table))


def test_a_cosine_worked_out_by_hand() -> None:
    """(2, 1) on a and b against (1, 2) on b and c: 1 / 5."""
    own = by_hand()
    signatures = own.sign(prepare([Article("x", "a a b d"), Article("y", "b c d"), Article("z", "d")]))
    found = own.compare(signatures, signatures, Pairs(np.array([0]), np.array([1])))
    assert found.forward[0] == found.backward[0] == pytest.approx(1 / 5)
    assert signatures[2] == b""


def test_only_the_rarest_terms_are_keys() -> None:
    """c weighs 2 of a length of √6: behind it the rest is √2 / √6 = 0.577 long, behind b 1 / √6 = 0.408."""
    own = by_hand()
    signatures = own.sign(prepare([Article("x", "a b c d")]))
    for rest, keys in ((0.6, 1), (0.58, 1), (0.57, 2), (0.41, 2), (0.40, 3), (0.0, 3)):
        assert replace(own, threshold=rest / 0.6).keys(signatures).lengths().tolist() == [keys], rest


def test_articles_that_share_too_few_keys_are_not_compared() -> None:
    """Twenty words of one weight each: three of them are 0.15 of a cosine, and what is no key less than 0.36."""
    words = [f"w{number:02}" for number in range(60)]
    texts = [words[:20], words[17:37], words[:2] + words[40:58], words[:14] + words[50:56]]
    own = Cosine().fit([prepare([Article(str(n), " ".join(text)) for n, text in enumerate(texts)])])
    table = b"samestory frequencies 1\narticles\t100\nwords\t0\nstems\t0\nletters\t0\n"
    own = replace(own, frequencies=Frequencies.parse(table))
    rows = own.sign(prepare([Article(str(n), " ".join(text)) for n, text in enumerate(texts)]))
    pairs = Pairs(np.array([0, 0, 0]), np.array([1, 2, 3]))
    shared = np.array([3, 2, 14])
    assert own.admits(rows, rows, pairs, shared, shared).tolist() == [False, False, True]


def test_which_odd_articles_have_a_signature() -> None:
    texts = ["", "Harbour", "the of and", "12 13"]
    assert is_signed("cosine", texts) == [False, True, False, True]
    assert is_signed("cosine(stop_words=False)", texts) == [False, True, True, True]


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(ParameterError, match=r"cosine: threshold must be in \[0, 1\], got 2"):
        parse("cosine(threshold=2)")
