"""minhash: exact with verification, unbiased without, and the bands it is known for."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from samestory import Article, Kind, MinHash, prepare, relate
from samestory.model import KINDS, Overlaps, Pairs
from tests.news import plain_words
from tests.reference import overlaps as reference
from tests.reference.shares import reaches

WORDS = ["one", "two", "boats", "harbour", "left", "the", "for"]
texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=40)


def compare(detector: MinHash, left: list[str], right: list[str]) -> Overlaps:
    signatures = detector.sign(prepare([Article("l", " ".join(left)), Article("r", " ".join(right))]))
    return detector.compare(signatures, signatures, Pairs(np.array([0]), np.array([1])))


@given(left=texts, right=texts, width=st.sampled_from([1, 2, 5]), threshold=st.sampled_from([0.0, 0.3, 0.7, 1.0]))
@settings(max_examples=200)
def test_with_verification_the_shares_are_counted_exactly(
    left: list[str], right: list[str], width: int, threshold: float
) -> None:
    found = compare(MinHash(shingle=width, threshold=threshold, verify=True), left, right)
    a, b = set(reference.shingles(left, width)), set(reference.shingles(right, width))
    assert found.forward[0] == pytest.approx(len(a & b) / len(a), abs=1e-12)
    assert found.backward[0] == pytest.approx(len(a & b) / len(b), abs=1e-12)
    near = reaches(reference.jaccard(left, right, width), threshold)
    assert KINDS[int(found.kinds[0])] is (Kind.NEAR if near else Kind.NONE)


def pair_with(resemblance: float, size: int, name: str) -> tuple[list[str], list[str]]:
    """Two sets of words whose Jaccard resemblance is about this."""
    common = round(2 * size * resemblance / (1 + resemblance))
    shared = plain_words(common, f"{name}both").split()
    return (
        shared + plain_words(size - common, f"{name}left").split(),
        shared + plain_words(size - common, f"{name}right").split(),
    )


@pytest.mark.parametrize("resemblance", [0.1, 0.3, 0.5, 0.7, 0.9])
def test_the_estimate_is_unbiased_and_as_good_as_its_number_of_hashes(resemblance: float) -> None:
    """128 hashes: a standard deviation of sqrt(j (1 - j) / 128) a pair; the mean of 60 pairs is much better."""
    detector = MinHash(shingle=1, threshold=0.0)
    errors = []
    for number in range(60):
        left, right = pair_with(resemblance, 200, f"n{number}z")
        found = compare(detector, left, right)
        common = found.forward[0] * 200
        errors.append(common / (400 - common) - reference.jaccard(left, right, 1))
    deviation = (resemblance * (1 - resemblance) / 128) ** 0.5
    assert abs(np.mean(errors)) < 4 * deviation / 60**0.5
    assert np.std(errors) < 1.5 * deviation
    assert np.std(errors) > 0.5 * deviation, "an estimate, not a count"


def test_the_threshold_decides() -> None:
    left, right = pair_with(0.6, 100, "t")
    assert KINDS[int(compare(MinHash(shingle=1, threshold=0.55, verify=True), left, right).kinds[0])] is Kind.NEAR
    assert KINDS[int(compare(MinHash(shingle=1, threshold=0.65, verify=True), left, right).kinds[0])] is Kind.NONE


def test_there_is_a_key_for_every_band() -> None:
    for bands, rows in ((1, 1), (16, 8), (20, 5), (3, 17)):
        detector = MinHash(bands=bands, rows=rows)
        keys = detector.keys(detector.sign(prepare([Article("a", plain_words(50, "w"))])))
        assert len(set(keys[0].tolist())) == bands


@pytest.mark.parametrize(("bands", "rows", "resemblance"), [(16, 8, 0.7), (20, 5, 0.5), (40, 2, 0.1)])
def test_pairs_meet_as_often_as_the_bands_say(bands: int, rows: int, resemblance: float) -> None:
    """P[meet] = 1 - (1 - j^rows)^bands."""
    detector = MinHash(bands=bands, rows=rows, shingle=1)
    met = 0
    for number in range(150):
        sides = pair_with(resemblance, 100, f"n{number}z")
        keys = detector.keys(detector.sign(prepare([Article(str(n), " ".join(side)) for n, side in enumerate(sides)])))
        met += bool(set(keys[0].tolist()) & set(keys[1].tolist()))
    j = reference.jaccard(*pair_with(resemblance, 100, "n"), 1)
    expected = 1 - (1 - j**rows) ** bands
    slack = 4 * (max(expected * (1 - expected), 0.01) / 150) ** 0.5
    assert abs(met / 150 - expected) < slack


def test_near_duplicates_are_found_in_a_crowd() -> None:
    draw = random.Random(11)
    articles = [Article(f"n{n}", plain_words(80, f"n{n}y")) for n in range(200)]
    expected = set()
    for number in draw.sample(range(200), 20):
        words = articles[number].text.split()
        words[40] = "edited"
        articles.append(Article(f"edit{number}", " ".join(words)))
        expected.add(frozenset((f"n{number}", f"edit{number}")))
    assert {frozenset((r.left, r.right)) for r in relate(articles, detector="minhash()")} == expected
