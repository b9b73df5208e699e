"""sha1-exact and md5-exact: the published hash of the words, whatever stands between them."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given, settings

from samestory import Article, parse, prepare
from tests.detectors.oracles import EDGES, check, check_keys, found
from tests.news import corpora
from tests.reference import exact_hash

every_hash = pytest.mark.parametrize("algorithm", ["sha1", "md5"])


def digest(algorithm: str, text: str, lang: str = "en") -> str:
    (signature,) = parse(f"{algorithm}-exact").sign(prepare([Article("a", text, lang=lang)]))
    words = [signature[at : at + 4][::-1] for at in range(0, len(signature), 4)]
    return b"".join(words).hex()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the quick brown fox jumps over the lazy dog", "16312751ef9307c3fd1afbcb993cdc80464ba0f1"),
        ("The quick brown fox — jumps; over the LAZY dog!", "16312751ef9307c3fd1afbcb993cdc80464ba0f1"),
        ("", ""),
        ("— …", ""),
    ],
)
def test_the_digest_is_that_of_the_words_and_never_that_of_nothing(text: str, expected: str) -> None:
    assert digest("sha1", text) == expected


@every_hash
def test_a_suffix_is_a_word_and_case_goes_by_the_language(algorithm: str) -> None:
    words = "ankara da bugün %5 ığdır"
    expected = hashlib.new(algorithm, words.encode()).hexdigest()
    assert digest(algorithm, "  Ankara'da, BUGÜN:\n%5! IĞDIR", "tr") == expected
    assert digest(algorithm, "ANKARA’DA bugün %5 ığdır", "tr") == expected
    assert digest(algorithm, "Ankara'da, BUGÜN: %5! IĞDIR", "en") != expected


@every_hash
@given(articles=corpora())
@settings(max_examples=20)
def test_shares_and_kinds_are_those_of_the_oracle(algorithm: str, articles: list[Article]) -> None:
    detector = parse(f"{algorithm}-exact")
    check(detector, articles, lambda left, right: exact_hash.compare(left, right, algorithm=algorithm))
    for signature, article in zip(detector.sign(prepare(articles)), articles, strict=True):
        assert bool(signature) == bool(exact_hash.digest(article, algorithm))


@every_hash
@given(articles=corpora())
@settings(max_examples=20)
def test_keys_lose_nothing(algorithm: str, articles: list[Article]) -> None:
    check_keys(parse(f"{algorithm}-exact"), articles)


@every_hash
def test_articles_at_the_edges(algorithm: str) -> None:
    detector = parse(f"{algorithm}-exact")
    check(detector, EDGES, lambda left, right: exact_hash.compare(left, right, algorithm=algorithm))
    assert found(EDGES, detector) == {("one", "same", "IDENTICAL", 1, 1)}


def test_both_find_what_exact_finds() -> None:
    """But for a suffix, which `exact` hashes apart from its word: "Ankara'da" and "Ankara da" are two texts there."""
    news = [*EDGES, Article("apart", "Ankara da"), Article("joined", "Ankara'da")]
    suffixed = {("apart", "joined", "IDENTICAL", 1, 1)}
    for spec in ("sha1-exact", "md5-exact"):
        assert found(news, parse(spec)) == found(news, parse("exact")) | suffixed
