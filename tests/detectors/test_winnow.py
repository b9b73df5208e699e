"""winnow: what it selects, and that no long common run is missed."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from samestory import Article, prepare
from samestory.detectors.winnow import Winnow
from tests.detectors.oracles import EDGES, check, check_keys, results
from tests.news import corpora
from tests.reference import winnow as reference

detectors = st.builds(
    Winnow,
    gram=st.sampled_from([1, 2, 5, 15, 16, 17, 40]),
    window=st.sampled_from([1, 2, 4, 20, 100]),
    threshold=st.sampled_from([0.1, 0.4, 1.0]),
)


def check_reference(detector: Winnow, articles: list[Article]) -> None:
    values = {name: getattr(detector, name) for name in ("gram", "window", "threshold")}
    check(detector, articles, lambda left, right: reference.compare(left, right, **values))


@given(detector=detectors, articles=corpora(most=2))
@settings(max_examples=60)
def test_shares_and_kinds_are_those_of_the_oracle(detector: Winnow, articles: list[Article]) -> None:
    check_reference(detector, articles)


@pytest.mark.parametrize("detector", [Winnow(), Winnow(gram=3, window=4), Winnow(gram=1, window=1)], ids=str)
def test_articles_at_the_edges(detector: Winnow) -> None:
    check_reference(detector, list(EDGES))
    check_keys(detector, EDGES)


@given(articles=corpora())
@pytest.mark.parametrize("threshold", [0.4, 0.1])
def test_keys_lose_nothing(threshold: float, articles: list[Article]) -> None:
    check_keys(Winnow(threshold=threshold), articles)


letters = st.text("abcdefgh", min_size=0, max_size=60)


@given(common=st.text("stuvwxyz", min_size=8, max_size=30), sides=st.tuples(letters, letters, letters, letters))
def test_a_common_run_as_long_as_a_window_and_a_gram_is_always_seen(
    common: str, sides: tuple[str, str, str, str]
) -> None:
    """t = window + gram - 1 characters, whatever stands around them."""
    before, behind, other_before, other_behind = sides
    news = [
        Article("a", before + common + behind, lang="en"),
        Article("b", f"{other_before} {common.upper()}, {other_behind}", lang="en"),
    ]
    for gram in range(1, len(common) + 1):
        detector = Winnow(gram=gram, window=len(common) + 1 - gram)
        forward, backward, _ = results(detector, news)[0][1]
        assert forward > 0
        assert backward > 0


def test_about_two_in_a_window_and_one_are_kept() -> None:
    text = " ".join(f"word{number * 7919 % 10007}" for number in range(3000))
    characters = len(text.replace(" ", ""))
    for window in (4, 20, 100):
        (signature,) = Winnow(window=window).sign(prepare([Article("a", text)]))
        assert len(signature) / 4 == pytest.approx(2 * characters / (window + 1), rel=0.15)


def test_what_stands_between_letters_and_digits_does_not_count() -> None:
    news = [Article("a", "abc"), Article("b", "A b-c!"), Article("c", "a1b"), Article("d", "A 1_B")]
    found = results(Winnow(), news)
    assert found[0][1] == found[2][3] == (1, 1, "NEAR")
    assert found[0][2] == (0, 0, None)
