"""resemblance: the Jaccard coefficient of two sets of word runs, counted."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from samestory import Article, Index, prepare
from samestory.detectors.resemblance import Resemblance
from tests.detectors.oracles import EDGES, check, check_keys, results
from tests.news import corpora, plain_words
from tests.reference import resemblance as reference

CAT, DOG = Article("cat", "a cat is a cat is a cat", lang="en"), Article("dog", "a cat is a dog", lang="en")

detectors = st.builds(
    Resemblance,
    shingle=st.sampled_from([1, 2, 4, 9]),
    threshold=st.sampled_from([0.0, 0.2, 0.4, 1.0]),
    stemming=st.sampled_from(["F5", "none"]),
    stop_words=st.booleans(),
)


def check_reference(detector: Resemblance, articles: list[Article]) -> None:
    values = {name: getattr(detector, name) for name in ("shingle", "threshold", "stemming", "stop_words")}
    check(detector, articles, lambda left, right: reference.compare(left, right, **values))


def test_the_cat_and_the_dog() -> None:
    """Five runs of four words, three of them different; one of four in common: r = 1/4, and half of the second."""
    (cat, _) = Resemblance(shingle=4).sign(prepare([CAT, DOG]))
    assert len(cat) // 4 == 3
    assert results(Resemblance(shingle=4, threshold=0.25), [CAT, DOG])[0][1] == (1 / 3, 1 / 2, "NEAR")
    assert results(Resemblance(shingle=4, threshold=0.26), [CAT, DOG])[0][1] == (1 / 3, 1 / 2, None)


@given(detector=detectors, articles=corpora(most=5))
@settings(max_examples=60)
def test_shares_and_kinds_are_those_of_the_oracle(detector: Resemblance, articles: list[Article]) -> None:
    check_reference(detector, articles)


@pytest.mark.parametrize("detector", [Resemblance(), Resemblance(shingle=1, stop_words=True)], ids=str)
def test_articles_at_the_edges(detector: Resemblance) -> None:
    check_reference(detector, list(EDGES))
    check_keys(detector, EDGES)


@pytest.mark.parametrize("threshold", [1.0, 0.75, 0.4, 0.2, 0.05])
@given(articles=corpora(), shingle=st.sampled_from([1, 2, 3]))
@settings(max_examples=40)
def test_keys_lose_nothing(threshold: float, articles: list[Article], shingle: int) -> None:
    check_keys(Resemblance(shingle=shingle, threshold=threshold), articles)


@pytest.mark.parametrize("common", range(30, 61))
def test_nothing_is_lost_at_the_very_threshold(common: int) -> None:
    """Sets of 60 and 40 + common/2 words, so that r is now below the threshold, now on it, now above."""
    both = plain_words(common, "both")
    left = f"{both} {plain_words(60 - common, 'left')}"
    right = f"{both} {plain_words(10 + common // 2, 'right')}"
    size = 60 + 10 + common // 2
    for threshold in (common / size, common / size + 1e-6):
        check_keys(Resemblance(shingle=1, threshold=threshold), [Article("a", left), Article("b", right)])


def test_a_higher_threshold_asks_for_more_shared_keys() -> None:
    fewer = np.array([1, 10, 100])
    for threshold, quorum in ((1.0, [1, 10, 100]), (0.9, [1, 9, 90]), (0.4, [1, 4, 40]), (0.0, [1, 1, 1])):
        assert Resemblance(threshold=threshold).quorum(fewer).tolist() == quorum


def test_pairs_that_cannot_resemble_are_not_compared() -> None:
    """They share the first runs in the order of hashes, but one is ten times as long."""
    detector = Resemblance(shingle=1)
    short, long = plain_words(30, "w"), plain_words(300, "w")
    index = Index(detector)
    index.add(prepare([Article("long", long)]))
    assert index.query(prepare([Article("short", short)])) == []
    check_keys(detector, [Article("long", long), Article("short", short)])
