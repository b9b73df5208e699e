"""sif: byte runs by Rabin's fingerprints, sampled by value."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from samestory import Article, prepare
from samestory.detectors.sif import Sif
from tests.detectors.oracles import EDGES, check, check_keys, results
from tests.news import corpora
from tests.reference import rabin
from tests.reference import sif as reference

detectors = st.builds(
    Sif,
    length=st.sampled_from([1, 2, 7, 8, 9, 50]),
    modulus=st.sampled_from([1, 2, 3, 16, 256]),
    threshold=st.sampled_from([0.1, 0.5, 1.0]),
)


def check_reference(detector: Sif, articles: list[Article]) -> None:
    values = {name: getattr(detector, name) for name in ("length", "modulus", "threshold")}
    check(detector, articles, lambda left, right: reference.compare(left, right, **values))


@given(detector=detectors, articles=corpora(most=2))
@settings(max_examples=25)
def test_shares_and_kinds_are_those_of_the_oracle(detector: Sif, articles: list[Article]) -> None:
    check_reference(detector, [Article(a.id, a.text[-300:], lang=a.lang) for a in articles])


@pytest.mark.parametrize("detector", [Sif(), Sif(length=3, modulus=2), Sif(length=1, modulus=1)], ids=str)
def test_articles_at_the_edges(detector: Sif) -> None:
    check_reference(detector, list(EDGES))
    check_keys(detector, EDGES)


@given(articles=corpora(), modulus=st.sampled_from([4, 32, 256]))
@pytest.mark.parametrize("threshold", [0.5, 0.1])
def test_keys_lose_nothing(threshold: float, articles: list[Article], modulus: int) -> None:
    check_keys(Sif(threshold=threshold, modulus=modulus), articles)


def test_fingerprints_are_kept_by_value_wherever_their_run_stands() -> None:
    text = " ".join(str(number) for number in range(300))
    data = text.encode()
    kept = {rabin.fingerprint(data[at : at + 50]) for at in range(len(data) - 49)}
    kept = {value for value in kept if value % 16 == 0}
    news = [Article("a", text), Article("b", f"Something before it. {text}")]
    signatures = list(Sif(modulus=16).sign(prepare(news)))
    assert len(signatures[0]) // 4 == len(kept)
    assert results(Sif(modulus=16), news)[0][1][0] == 1


def test_a_part_of_sixteen_bytes_in_runs_of_four() -> None:
    news = [Article("a", "0123456789abcdefgh"), Article("b", "abcdefgh")]
    assert results(Sif(length=4, modulus=1), news)[0][1] == (5 / 15, 1, "HAS_PART")


def test_every_byte_counts() -> None:
    news = [Article("a", "One line of text."), Article("b", "One line of text,"), Article("c", "one line of text.")]
    found = results(Sif(), news)
    assert found[0][1] == found[0][2] == (0, 0, None)
