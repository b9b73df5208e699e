"""mega: two of six super-shingles agree, as often as the formula says."""

from __future__ import annotations

import random
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from samestory import Article, prepare
from samestory.detectors.mega import MegaShingles
from tests.detectors.oracles import EDGES, check_keys, results
from tests.news import corpora, plain_words
from tests.reference import overlaps
from tests.reference.mega import probability

PAIRS = 300


def are_near(detector: MegaShingles, left: str, right: str) -> bool:
    return results(detector, [Article("l", left), Article("r", right)])[0][1][2] == "NEAR"


@pytest.mark.parametrize(("common", "each"), [(380, 10), (360, 20), (170, 15), (160, 20)])
def test_pairs_are_near_as_often_as_their_resemblance_says(common: int, each: int) -> None:
    """s = 0.95, 0.9, 0.85 and 0.8: P = 1 - (1 - p)^6 - 6p(1 - p)^5 with p = s^14, within four standard deviations."""
    detector = MegaShingles(shingle=1)
    near = 0
    for number in range(PAIRS):
        both = plain_words(common, f"n{number}both")
        sides = (f"{both} {plain_words(each, f'n{number}{side}')}" for side in ("left", "right"))
        near += are_near(detector, *sides)
    expected = probability(common / (common + 2 * each))
    assert abs(near / PAIRS - expected) < 4 * (expected * (1 - expected) / PAIRS) ** 0.5


def test_the_two_values_of_the_study() -> None:
    assert probability(0.95) == pytest.approx(0.8786, abs=5e-5)
    assert probability(0.80) == pytest.approx(0.0258, abs=5e-5)


def test_edited_articles_are_near_as_often_as_their_word_runs_say() -> None:
    """The same over runs of five words: some words of 400 are exchanged, each of which breaks five runs."""
    draw = random.Random(5)
    near, expected, variance = 0, 0.0, 0.0
    for number in range(200):
        words = plain_words(400, f"n{number}w").split()
        edited = list(words)
        for at in draw.sample(range(400), draw.randint(1, 8)):
            edited[at] = f"edited{number}x{at}"
        p = probability(overlaps.jaccard(words, edited, 5))
        expected, variance = expected + p, variance + p * (1 - p)
        near += are_near(MegaShingles(), " ".join(words), " ".join(edited))
    assert abs(near - expected) < 4 * variance**0.5


@pytest.mark.parametrize("supers", [2, 3, 6, 7])
def test_there_is_a_key_for_every_pair_of_super_shingles(supers: int) -> None:
    detector = MegaShingles(supers=supers)
    keys = detector.keys(detector.sign(prepare([Article("a", plain_words(50, "w"))])))
    assert len(set(keys[0].tolist())) == supers * (supers - 1) // 2


@given(articles=corpora(most=6), values=st.sampled_from([1, 2, 14]))
@settings(max_examples=30)
def test_two_that_agree_make_a_pair_near(articles: list[Article], values: int) -> None:
    detector = MegaShingles(values=values)
    signatures = list(detector.sign(prepare(articles)))
    rows = results(detector, articles)
    for left, right in combinations(range(len(articles)), 2):
        one, other = signatures[left], signatures[right]
        if one and other:
            agreeing = sum(one[at : at + 4] == other[at : at + 4] for at in range(0, 24, 4))
            share = agreeing / 6
            assert rows[left][right] == (share, share, "NEAR" if agreeing >= 2 else None)
        else:
            assert rows[left][right] == ((0, 0, None) if one or other else (1, 1, "NEAR"))


@given(articles=corpora(), values=st.sampled_from([1, 2, 14]), supers=st.sampled_from([2, 6]))
@settings(max_examples=40)
def test_keys_lose_nothing(articles: list[Article], values: int, supers: int) -> None:
    check_keys(MegaShingles(shingle=2, supers=supers, values=values), articles)


def test_articles_at_the_edges() -> None:
    check_keys(MegaShingles(), EDGES)
    rows = results(MegaShingles(), EDGES)
    for left, one in enumerate(EDGES):
        for right, other in enumerate(EDGES):
            alike = left == right or {one.id, other.id} in ({"empty", "marks"}, {"one", "same"})
            assert rows[left][right] == ((1, 1, "NEAR") if alike else (0, 0, None))
