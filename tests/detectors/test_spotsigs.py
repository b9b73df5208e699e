"""spotsigs: spots at stop words, compared as multisets."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from samestory import Article, _core, prepare, relate
from samestory.detectors.spotsigs import SpotSigs
from tests.detectors.oracles import EDGES, check, check_keys, results
from tests.news import corpora
from tests.reference import spotsigs as reference
from tests.reference.text import terms

detectors = st.builds(
    SpotSigs,
    distance=st.integers(1, 4),
    chain=st.integers(1, 4),
    threshold=st.sampled_from([0.1, 0.44, 1.0]),
)
#: Few words, so that spots come back.
texts = st.lists(st.sampled_from(["the", "a", "of", "boat", "pier", "12"]), max_size=40).map(" ".join)


def check_reference(detector: SpotSigs, articles: list[Article]) -> None:
    values = {name: getattr(detector, name) for name in ("distance", "chain", "threshold")}
    check(detector, articles, lambda left, right: reference.compare(left, right, **values))


@given(detector=detectors, articles=corpora(most=3))
@settings(max_examples=60)
def test_shares_and_kinds_are_those_of_the_oracle(detector: SpotSigs, articles: list[Article]) -> None:
    check_reference(detector, articles)


@given(detector=detectors, left=texts, right=texts)
@settings(max_examples=100)
def test_spots_that_come_back_count_as_often(detector: SpotSigs, left: str, right: str) -> None:
    check_reference(detector, [Article("l", left, lang="en"), Article("r", right, lang="en")])


@pytest.mark.parametrize("detector", [SpotSigs(), SpotSigs(chain=1), SpotSigs(distance=3)], ids=str)
def test_articles_at_the_edges(detector: SpotSigs) -> None:
    check_reference(detector, list(EDGES))
    check_keys(detector, EDGES)


@given(articles=corpora(), repeated=st.lists(texts, max_size=4))
@pytest.mark.parametrize("threshold", [0.44, 0.1])
def test_keys_lose_nothing(threshold: float, articles: list[Article], repeated: list[str]) -> None:
    more = [Article(f"r{number}", text, lang="en") for number, text in enumerate(repeated)]
    check_keys(SpotSigs(threshold=threshold), articles + more)


def test_the_spots_of_the_rally() -> None:
    """a:rally:kick and a:weeklong:campaign; and at, to and off are stop words too."""
    rally = "at a rally to kick off a weeklong campaign"
    assert {"at", "a", "to", "off"} <= set(_core.text.Language("en").stop_words)
    expected = reference.spots(terms(Article("x", rally, lang="en")), set(_core.text.Language("en").stop_words))
    assert {"a:rally:kick", "a:weeklong:campaign"} <= set(expected)
    news = [Article("a", rally, lang="en"), Article("b", "A rally. Kick!", lang="en")]
    assert results(SpotSigs(), news)[0][1] == (1 / 5, 1, None)
    news[1] = Article("b", "a weeklong campaign", lang="en")
    assert results(SpotSigs(), news)[0][1] == (1 / 5, 1, None)
    # every second content word: at:kick:campaign, a:kick:campaign
    news[1] = Article("b", "A rally, kick, weeklong campaign", lang="en")
    assert results(SpotSigs(distance=2), news)[0][1] == (1 / 2, 1, "NEAR")


def test_spots_are_compared_as_multisets() -> None:
    news = [Article("a", "the x y the x y the", lang="en"), Article("b", "the x y z", lang="en")]
    assert results(SpotSigs(), news)[0][1] == (1 / 2, 1, "NEAR")
    assert results(SpotSigs(threshold=0.51), news)[0][1] == (1 / 2, 1, None)


def test_menus_and_lists_leave_no_spots() -> None:
    story = "The mayor of the town said that a bridge to the island will be closed for a week."
    menu = "Home Sport Weather Politics Business Culture Travel Contact "
    news = [Article("a", menu + story, lang="en"), Article("b", story + " Tags: bridge, island, mayor", lang="en")]
    (relation,) = relate(news, detector="spotsigs(threshold=0.8)")
    assert max(relation.overlap) == 1, "the tags complete one chain, the menu none"
    assert len(next(iter(SpotSigs().sign(prepare([Article("m", menu, lang="en")]))))) == 0


@pytest.mark.parametrize(("code", "signed"), [("tr", True), ("en", True), ("ru", True), ("de", False)])
def test_only_languages_with_stop_words_have_spots(code: str, signed: bool) -> None:
    text = {
        "tr": "Köprü ve yol için karar verildi, ama çok geç kalındı.",
        "ru": "Мост и дорога были закрыты на ремонт, а паром стоит.",
    }.get(code, "The bridge and the road were closed for a week.")
    (signature,) = SpotSigs().sign(prepare([Article("a", text, lang=code)]))
    assert bool(signature) is signed
