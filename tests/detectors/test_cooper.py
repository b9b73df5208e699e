"""cooper: sums of the hash codes of salient terms."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from samestory import Article, ParameterError, parse, prepare
from samestory.detectors.cooper import Cooper
from samestory.text import Frequencies
from tests.detectors.agreement import ODD, check, check_keys, compared, is_signed
from tests.news import corpora
from tests.reference import cooper

EXAMPLES = settings(max_examples=20, deadline=None)

PARAMETERS: list[dict[str, Any]] = [
    {},
    {"salient": 5, "threshold": 0.4},
    {"salient": 12, "threshold": 0.7, "stemming": "F5", "stop_words": False},
    {"salient": 1, "plus_one": True, "log_base": 2.0},
]


@given(articles=corpora(most=5))
@EXAMPLES
def test_sets_resemble_each_other_as_those_of_the_oracle(articles: list[Article]) -> None:
    for parameters in PARAMETERS:
        check("cooper", cooper.compare, articles, parameters)


def test_sets_resemble_each_other_as_those_of_the_oracle_with_odd_articles() -> None:
    check("cooper", cooper.compare, ODD, {"threshold": 0.1, "stop_words": False})
    check("cooper", cooper.compare, ODD, {})


@given(articles=corpora())
@EXAMPLES
def test_keys_lose_nothing(articles: list[Article]) -> None:
    for spec in ("cooper", "cooper(threshold=0.3)", "cooper(salient=8, threshold=0.8)", "cooper(salient=3)"):
        check_keys(spec, articles)


def by_hand(**parameters: Any) -> Cooper:
    """In a hundred articles: a and b weigh 1, c weighs 2, d nothing, hello and the unknown 2."""
    table = b"samestory frequencies 1\narticles\t100\nwords\t4\n100\td\n10\ta\n10\tb\n1\tc\nstems\t0\nletters\t0\n"
    return replace(Cooper(stop_words=False, **parameters), frequencies=Frequencies.parse(table))


def test_the_sum_of_the_hash_codes_of_java() -> None:
    signatures = by_hand().sign(
        prepare([Article("x", "Hello hello"), Article("y", "hello zzzzzzz"), Article("z", "d")])
    )
    sums = [int(np.frombuffer(signature, "<u4")[0]) for signature in list(signatures)[:2]]
    assert sums == [99162322, (99162322 + cooper.java_hash("zzzzzzz")) % 2**32]
    assert signatures[2] == b"", "what weighs nothing says nothing"


def test_the_salient_terms_decide() -> None:
    a, b = Article("l", "a a a b c"), Article("r", "c a a a d")
    assert compared(by_hand(salient=2), [a, b])[1][2] == (1, 1, "NEAR")
    assert compared(by_hand(), [a, b])[1][2] == (2 / 3, 2 / 3, None)
    assert compared(by_hand(threshold=0.5), [a, b])[1][2] == (2 / 3, 2 / 3, "NEAR")


def test_the_sum_is_the_only_key_of_equal_sets() -> None:
    signatures = by_hand().sign(prepare([Article("x", "a b c e f"), Article("y", "f e c b a a")]))
    assert by_hand().keys(signatures).lengths().tolist() == [1, 1]
    assert by_hand(threshold=0.6).keys(signatures).lengths().tolist() == [3, 3]


def test_which_odd_articles_have_a_signature() -> None:
    assert is_signed("cooper", ["", "Harbour", "the of and", "12 13"]) == [False, True, False, True]


@pytest.mark.parametrize("spec", ["cooper(salient=0)", "cooper(threshold=1.5)", "cooper(stemming='F6')"])
def test_what_cannot_be_is_refused(spec: str) -> None:
    with pytest.raises(ParameterError, match="cooper: "):
        parse(spec)
