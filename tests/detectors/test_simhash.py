"""simhash: votes of terms, and the bits in which they differ. Its worked example is in the core's tests."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from samestory import Article, ParameterError, parse, prepare
from samestory.detectors.simhash import SimHash
from tests.detectors.agreement import ODD, check, check_keys, fitted, is_signed
from tests.news import corpora
from tests.reference import simhash
from tests.reference.text import terms

EXAMPLES = settings(max_examples=20, deadline=None)

PARAMETERS: list[dict[str, Any]] = [
    {},
    {"bits": 160, "distance": 30},
    {"bits": 61, "distance": 8, "skip": 0},
    {"skip": 5, "stemming": "none", "stop_words": False, "distance": 20},
    {"log_base": 2.0, "plus_one": True, "distance": 1},
]


@given(articles=corpora(most=5))
@EXAMPLES
def test_bits_differ_as_those_of_the_oracle(articles: list[Article]) -> None:
    for parameters in PARAMETERS:
        check("simhash", simhash.compare, articles, parameters)


def test_bits_differ_as_those_of_the_oracle_with_odd_articles() -> None:
    check("simhash", simhash.compare, ODD, {"skip": 0, "distance": 30})
    check("simhash", simhash.compare, ODD, {})


@given(articles=corpora())
@EXAMPLES
def test_keys_lose_nothing(articles: list[Article]) -> None:
    for spec in ("simhash", "simhash(distance=16)", "simhash(bits=160, distance=40, skip=0)", "simhash(distance=1)"):
        check_keys(spec, articles)


@pytest.mark.parametrize("bits", [64, 160, 50])
def test_the_very_bits_are_those_of_the_oracle(bits: int) -> None:
    own, table = fitted(SimHash(bits=bits), ODD)
    assert table is not None
    article = ODD[-1]
    (signature,) = own.sign(prepare([article]))
    wanted = simhash.fingerprint(simhash.votes(terms(article, "F5", True), table, bits), bits)
    found = "".join(f"{word:032b}" for word in np.frombuffer(signature, "<u4"))
    assert found == f"{wanted:0{bits}b}".ljust(len(found), "0")


def test_nothing_left_to_vote_is_no_signature() -> None:
    assert is_signed("simhash", ["", "ferry quay", "ferry quay pier", "the of and", "12 13 14"]) == [
        False,
        False,
        True,
        False,
        True,
    ]
    # what stands in every article votes with nothing
    same = [Article(str(number), "the same few words in all of them", lang="en") for number in range(3)]
    assert is_signed("simhash", [same[0].text, same[0].text + " ferry quay pier"], same) == [False, True]


@pytest.mark.parametrize("spec", ["simhash(bits=7)", "simhash(bits=161)", "simhash(distance=0)", "simhash(skip=-1)"])
def test_what_cannot_be_is_refused(spec: str) -> None:
    with pytest.raises(ParameterError, match="simhash: "):
        parse(spec)
