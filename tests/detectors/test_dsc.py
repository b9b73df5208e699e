"""dsc and dsc-ss: sketches of Rabin fingerprints, compared by resemblance or by a super-shingle in common."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from samestory import Article, Detector, prepare
from samestory.detectors.dsc import SyntacticClustering
from samestory.detectors.dsc_ss import SuperShingles
from tests.detectors.oracles import EDGES, check, check_keys, found, results
from tests.news import corpora
from tests.reference import dsc as reference
from tests.reference.text import terms

CAT, DOG = Article("cat", "a cat is a cat is a cat", lang="en"), Article("dog", "a cat is a dog", lang="en")
NUMBERS = [str(number) for number in range(300)]

widths, moduli = st.sampled_from([1, 3, 10]), st.sampled_from([1, 2, 5, 25])
sketches = st.builds(
    SyntacticClustering,
    shingle=widths,
    modulus=moduli,
    smallest=st.sampled_from([0, 0, 1, 5, 400]),
    threshold=st.sampled_from([0.0, 0.25, 0.5, 1.0]),
)
supers = st.builds(SuperShingles, shingle=widths, modulus=moduli, super=st.sampled_from([1, 2, 4, 7]))


def check_reference(detector: Detector, articles: list[Article]) -> None:
    names = ("shingle", "modulus", "smallest", "threshold", "super")
    values = {name: getattr(detector, name) for name in names if hasattr(detector, name)}
    oracle = reference.compare_super if isinstance(detector, SuperShingles) else reference.compare
    check(detector, articles, lambda left, right: oracle(left, right, **values))


def size(detector: Detector, article: Article) -> int:
    (signature,) = detector.sign(prepare([article]))
    return len(signature) // 4


def test_a_sketch_is_kept_by_value_and_a_short_text_keeps_all() -> None:
    assert size(SyntacticClustering(shingle=4), CAT) == len(reference.sketch(terms(CAT), 4)) == 3
    article = Article("n", " ".join(NUMBERS))
    kept = reference.sketch(NUMBERS)
    assert 0 < len(kept) < 40
    assert size(SyntacticClustering(), article) == len(kept)
    assert size(SyntacticClustering(smallest=2), article) == 2
    shifted = Article("s", " ".join(["before", *NUMBERS]))
    assert results(SyntacticClustering(), [article, shifted])[0][1][0] == 1


def test_the_resemblance_of_two_sketches() -> None:
    assert results(SyntacticClustering(shingle=4, threshold=0.25), [CAT, DOG])[0][1] == (1 / 3, 1 / 2, "NEAR")
    assert results(SyntacticClustering(shingle=4), [CAT, DOG])[0][1] == (1 / 3, 1 / 2, None)


def test_super_shingles_are_runs_of_the_sorted_sketch() -> None:
    assert results(SuperShingles(shingle=4), [CAT, DOG])[0][1] == (0, 0, None)
    assert results(SuperShingles(shingle=4, super=1), [CAT, DOG])[0][1] == (1 / 3, 1 / 2, "NEAR")
    article = Article("n", " ".join(NUMBERS))
    assert size(SuperShingles(), article) == 2 * (len(reference.sketch(NUMBERS)) - 3)


@given(detector=sketches | supers, articles=corpora(most=3))
@settings(max_examples=50)
def test_shares_and_kinds_are_those_of_the_oracle(detector: Detector, articles: list[Article]) -> None:
    check_reference(detector, articles)


@pytest.mark.parametrize(
    "detector",
    [SyntacticClustering(), SyntacticClustering(shingle=2, modulus=3), SuperShingles(), SuperShingles(shingle=1)],
    ids=str,
)
def test_articles_at_the_edges(detector: Detector) -> None:
    check_reference(detector, list(EDGES))
    check_keys(detector, EDGES)


@pytest.mark.parametrize("threshold", [0.9, 0.5, 0.2])
@given(articles=corpora(), shingle=widths, modulus=moduli, smallest=st.sampled_from([0, 6]))
@settings(max_examples=40)
def test_keys_of_sketches_lose_nothing(
    threshold: float, articles: list[Article], shingle: int, modulus: int, smallest: int
) -> None:
    check_keys(SyntacticClustering(shingle, modulus, smallest, threshold), articles)


@given(detector=supers, articles=corpora())
@settings(max_examples=40)
def test_keys_of_super_shingles_lose_nothing(detector: SuperShingles, articles: list[Article]) -> None:
    check_keys(detector, articles)


def words(name: str, count: int) -> list[str]:
    return [f"{name}{number}" for number in range(count)]


def test_a_ceiling_passes_over_what_too_many_articles_have() -> None:
    """Three articles share most of their words: a ceiling of two leaves no candidates, one of three all."""
    news = [Article(name, " ".join(words("common", 90) + words(name, 5))) for name in "abc"]
    assert len(found(news, SyntacticClustering(shingle=1, modulus=1, ceiling=3))) == 3
    assert len(found(news, SyntacticClustering(shingle=1, modulus=1, ceiling=2))) == 0


def test_a_ceiling_loses_only_pairs_that_share_nothing_else() -> None:
    """The words that all three have are passed over; two have more in common, meet, and are compared as a whole."""
    common, ours = words("common", 40), words("ours", 60)
    rows = {"a": common + ours + words("a", 5), "b": common + ours + words("b", 5), "c": common + words("c", 10)}
    news = [Article(name, " ".join(row)) for name, row in rows.items()]
    detector = SyntacticClustering(shingle=1, modulus=1, threshold=0.3, ceiling=2)
    share = 100 / 105
    assert found(news, detector) == {("a", "b", "NEAR", share, share)}
    assert len(found(news, SyntacticClustering(shingle=1, modulus=1, threshold=0.3))) == 3
