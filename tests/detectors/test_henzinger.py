"""henzinger: super-shingles as in mega, then the projection of the oracle."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from samestory import Article, ParameterError, parse, prepare
from samestory.detectors.henzinger import Henzinger
from samestory.detectors.mega import MegaShingles
from tests.detectors.oracles import EDGES, check, check_keys, results
from tests.news import corpora, plain_words
from tests.reference import henzinger as reference
from tests.reference.shares import Result
from tests.reference.text import terms

detectors = st.sampled_from(
    [Henzinger(), Henzinger(shingle=1, agreeing=200), Henzinger(shingle=2, bits=70, agreeing=36), Henzinger(1, 1, 1)]
)


def check_reference(detector: Henzinger, articles: list[Article]) -> None:
    """Near where the second stage says so and the first one let the pair through."""
    places = {id(article): at for at, article in enumerate(articles)}
    first = results(MegaShingles(shingle=detector.shingle), articles)

    def oracle(left: Article, right: Article) -> Result:
        bits, agreeing = detector.bits, detector.agreeing
        forward, backward, kind = reference.second_stage(left, right, bits=bits, agreeing=agreeing)
        return forward, backward, kind if first[places[id(left)]][places[id(right)]][2] else None

    check(detector, articles, oracle)


@given(detector=detectors, articles=corpora(most=3))
@settings(max_examples=25)
def test_shares_and_kinds_are_those_of_the_oracle(detector: Henzinger, articles: list[Article]) -> None:
    check_reference(detector, articles)


@pytest.mark.parametrize("bits", [1, 31, 32, 33, 64, 65, 100, 384])
def test_the_bits_of_the_projection_stand_in_the_signature(bits: int) -> None:
    article = Article("a", "The bank of the river, the bank of the town: 12 of 40 boats.", lang="en")
    frequencies = {term: terms(article).count(term) for term in terms(article)}
    (signature,) = Henzinger(bits=bits, agreeing=0).sign(prepare([article]))
    words = [int.from_bytes(signature[at : at + 4], "little") for at in range(24, len(signature), 4)]
    written = "".join(f"{word:032b}" for word in words)
    assert written[:bits] == "".join(map(str, reference.projection(frequencies, bits)))
    assert set(written[bits:]) <= {"0"}
    assert len(words) == -(-bits // 32)


def test_words_in_another_order_have_one_projection_but_no_super_shingle_in_common() -> None:
    words = plain_words(200, "w").split()
    news = [Article("a", " ".join(words)), Article("b", " ".join(reversed(words)))]
    assert results(Henzinger(), news)[0][1] == (1, 1, None)


def test_a_passage_in_common_is_not_enough_where_other_words_stand_often() -> None:
    """Each side repeats a word of its own: the sets of runs are nearly equal, the frequencies are not."""
    body = plain_words(300, "w")
    news = [Article(name, f"{body} {f'{name}only ' * 400}") for name in ("a", "b")]
    assert results(MegaShingles(shingle=8), news)[0][1][2] == "NEAR"
    forward, _, kind = results(Henzinger(), news)[0][1]
    assert kind is None
    assert forward < 0.7


@given(articles=corpora(), agreeing=st.sampled_from([355, 230]))
@settings(max_examples=40)
def test_keys_lose_nothing(articles: list[Article], agreeing: int) -> None:
    check_keys(Henzinger(shingle=2, agreeing=agreeing), articles)


def test_articles_at_the_edges() -> None:
    check_reference(Henzinger(), list(EDGES))
    check_keys(Henzinger(), EDGES)


def test_more_bits_than_there_are_cannot_agree() -> None:
    with pytest.raises(ParameterError, match=r"henzinger: agreeing must be in \[0, 64\], got 355"):
        parse("henzinger(bits=64)")
