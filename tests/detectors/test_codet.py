"""codet: the worked example of the study, the formula as an oracle, and keys that lose nothing."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from samestory import Article, Index, InputError, NotFittedError, ParameterError, parse, prepare, relate
from samestory.detectors.codet import CoDet
from samestory.index import CorpusTree
from samestory.model import KINDS, Pairs, Relation
from tests.news import corpora
from tests.reference import codet as reference
from tests.reference.text import Table, sentences

#: Figure 3.1 of the study; sentences end in stops, and the figures of the running text.
FIGURE = [
    Article("A", "NASDAQ starts day with an increase. Shares gain 2%.", lang="en"),
    Article("B", "NASDAQ starts day with a decrease. Shares lose 2%.", lang="en"),
    Article("C", "Shares lose 2%.", lang="en"),
]
PLAIN = CoDet(stemming="none", stop_words=False, word_sorting=False, depth=0, plus_one=True)

SETTINGS = [
    "codet()",
    "codet(plus_one=True)",
    "codet(threshold=0.2, log_base=2.718281828459045)",
    "codet(word_sorting=False, depth=0, plus_one=True)",
    "codet(stemming=none, stop_words=False, suffixes=3)",
    "codet(depth=3, power=0.0)",
    "codet(depth=6, power=2.0, suffixes=2)",
]


def shares(detector: CoDet, left: Article, right: Article) -> tuple[float, float, str | None]:
    one, other = detector.sign(prepare([left])), detector.sign(prepare([right]))
    found = detector.compare(one, other, Pairs(np.array([0]), np.array([0])))
    kind = KINDS[int(found.kinds[0])]
    return float(found.forward[0]), float(found.backward[0]), None if kind == "NONE" else str(kind)


def own(detector: CoDet, article: Article) -> float:
    """SCS: what stands behind the demand in the signature."""
    return float(np.frombuffer(detector.sign(prepare([article]))[0][8:16], np.float64)[0])


@pytest.mark.parametrize(
    ("change", "a", "b", "c", "ab", "ac", "bc"),
    [
        ({}, 34.963489, 34.361429, 6.352183, 12.760913, 1.0, 6.352183),
        ({"log_base": math.e}, 45.336611, 43.950316, 6.810930, 15.054651, 1.0, 6.810930),
        ({"plus_one": False}, 7.963489, 7.361429, 0.352183, 1.760913, 0.0, 0.352183),
        ({"power": 0.0}, 11.135729, None, None, 5.704365, None, None),
        ({"power": 2.0}, 141.295619, None, None, 36.282738, None, None),
        ({"power": 3.0}, 661.124444, None, None, 118.609126, None, None),
        ({"suffixes": 3}, 73.659372, 72.756282, 10.528274, 24.345734, None, 10.528274),
        ({"word_sorting": True, "depth": 5}, 25.021580, 24.720550, 6.176091, 0.0, None, 6.176091),
    ],
)
def test_the_figure_of_the_study(
    change: dict[str, Any], a: float, b: float | None, c: float | None, ab: float, ac: float | None, bc: float | None
) -> None:
    detector = replace(PLAIN, **change).fit([prepare(FIGURE)])
    for article, expected in zip(FIGURE, (a, b, c), strict=True):
        if expected is not None:
            assert own(detector, article) == pytest.approx(expected, rel=1e-6, abs=1e-6)
    for left, right, expected in ((0, 1, ab), (0, 2, ac), (1, 2, bc)):
        if expected is not None:
            forward, backward, _ = shares(detector, FIGURE[left], FIGURE[right])
            assert forward * own(detector, FIGURE[left]) == pytest.approx(expected, rel=1e-6, abs=1e-6)
            assert backward * own(detector, FIGURE[right]) == pytest.approx(expected, rel=1e-6, abs=1e-6)


def test_only_one_of_the_three_is_contained() -> None:
    (found,) = relate(FIGURE, detector=PLAIN)
    assert (found.left, found.kind, found.right) == ("C", "PART_OF", "B")
    assert found.overlap.forward == 1.0
    assert found.overlap.backward == pytest.approx(0.184864, abs=1e-6)


@pytest.mark.parametrize("spec", SETTINGS)
@given(articles=corpora(most=5))
@settings(max_examples=25)
def test_shares_are_those_of_the_formula(spec: str, articles: list[Article]) -> None:
    found = parse(spec)
    assert isinstance(found, CoDet)
    detector = found.fit([prepare(articles)])
    table = Table.of(articles, detector.stemming)
    for left in articles:
        for right in articles:
            expected = reference.compare(
                left,
                right,
                table=table,
                threshold=detector.threshold,
                stemming=detector.stemming,
                stop_words=detector.stop_words,
                word_sorting=detector.word_sorting,
                depth_threshold=detector.depth,
                suffixes=detector.suffixes,
                depth_power=detector.power,
                log_base=detector.log_base,
                plus_one=detector.plus_one,
            )
            forward, backward, kind = shares(detector, left, right)
            assert (forward, backward) == pytest.approx(expected[:2], rel=1e-5, abs=1e-6)
            if all(abs(share - detector.threshold) > 1e-5 for share in expected[:2]):
                assert kind == expected[2]


def seen(relations: list[Relation]) -> set[tuple[frozenset[str], str]]:
    return {(frozenset((r.left, r.right)), str(r.kind)) for r in relations}


@pytest.mark.parametrize("spec", SETTINGS)
@given(articles=corpora())
@settings(max_examples=15)
def test_keys_lose_nothing(spec: str, articles: list[Article]) -> None:
    """Also where sentences begin alike again and again: then less sharing is asked for."""
    assert seen(relate(articles, detector=spec)) == seen(relate(articles, detector=f"exhaustive(inner={spec!r})"))


@given(words=st.lists(st.lists(st.sampled_from("abcd"), min_size=1, max_size=6), min_size=2, max_size=12))
@settings(max_examples=150)
def test_keys_lose_nothing_where_everything_repeats(words: list[list[str]]) -> None:
    articles = [
        Article(str(n), ". ".join(" ".join(f"{w.upper()}x" for w in word) for word in words[n:]), lang="en")
        for n in range(len(words))
    ]
    spec = "codet(stop_words=False, plus_one=True, threshold=0.3)"
    assert seen(relate(articles, detector=spec)) == seen(relate(articles, detector=f"exhaustive(inner={spec!r})"))


@given(articles=corpora(), order=st.randoms(use_true_random=False), fold=st.booleans())
@settings(max_examples=25)
def test_the_tree_relates_as_the_index_does_in_any_order(
    articles: list[Article], order: random.Random, fold: bool
) -> None:
    detector = CoDet(plus_one=True).fit([prepare(articles)])
    tree = CorpusTree(detector)
    shuffled = list(articles)
    order.shuffle(shuffled)
    found = [r for article in shuffled for r in tree.add(prepare([article]))]
    expected = Index(detector).add(prepare(articles))
    assert seen(found) == seen(expected)
    shares = {frozenset((r.left, r.right)): sorted(r.overlap) for r in found}
    for relation in expected:
        assert shares[frozenset((relation.left, relation.right))] == pytest.approx(sorted(relation.overlap), rel=1e-5)
    assert tree.remove([a.id for a in articles[::2]]) == len(articles[::2])
    left = [a for a in articles if a not in articles[::2]]
    fresh = CorpusTree(detector)
    fresh.add(prepare(left))
    assert tree.nodes == fresh.nodes
    assert seen(tree.query(prepare(articles[:1]))) == seen(fresh.query(prepare(articles[:1])))


def test_the_tree_forgets_what_is_old_and_keeps_its_window() -> None:
    text = "The harbour council voted to rebuild the wooden pier. Fishermen had asked for the repair since March."
    days = [Article(str(day), text, published=f"2026-03-{day:02}") for day in (1, 5, 9)]
    detector = CoDet(plus_one=True).fit([prepare(days)])
    tree = CorpusTree(detector, window=timedelta(days=4))
    assert {(r.left, r.right) for r in tree.add(prepare(days))} == {("5", "1"), ("9", "5")}
    assert len(tree) == 2, "the first is too old to be related to anything that may still come"
    assert tree.expire(datetime(2026, 3, 6, tzinfo=UTC)) == 1
    assert len(tree) == 1
    assert [r.right for r in tree.query(prepare([replace(days[1], id="x")]))] == ["9"]
    assert tree.remove(["9", "9", "absent"]) == 1
    assert tree.nodes == 0


def test_copies_fold_into_one_and_all_are_answered_for() -> None:
    text = "The harbour council voted to rebuild the wooden pier. Fishermen had asked for the repair since March."
    copies = [Article(f"c{n}", text) for n in range(20)]
    detector = CoDet(plus_one=True).fit([prepare(copies)])
    plain, folding = CorpusTree(detector), CorpusTree(detector, fold=True)
    assert seen(plain.add(prepare(copies))) == seen(folding.add(prepare(copies)))
    assert plain.nodes == folding.nodes
    assert folding.computations < plain.computations / 5
    assert folding.remove(["c0"]) == 1
    assert {r.right for r in folding.query(prepare([Article("new", text)]))} == {f"c{n}" for n in range(1, 20)}


def test_a_similarity_value_is_counted_once_for_each_pair_that_shares_a_node() -> None:
    news = [Article(str(n), f"Xyz alpha beta{n}. Xyz gamma delta{n}.", lang="en") for n in range(4)]
    news.append(Article("alone", "Omega.", lang="en"))
    tree = CorpusTree(PLAIN.fit([prepare(news)]))
    tree.add(prepare(news))
    assert tree.computations == 4 * 3 / 2, "whatever the number of shared words and sentences"


def test_visitors_as_a_set_depend_on_the_order_and_as_counts_do_not() -> None:
    one, other = Article("1", "Xyz alpha. Xyz beta.", lang="en"), Article("2", "Xyz gamma.", lang="en")
    detector = replace(PLAIN, threshold=0.0).fit([prepare([one, other])])

    def score(first: Article, second: Article, visitors: str) -> float:
        tree = CorpusTree(detector, visitors=visitors)
        (found,) = [r for article in (first, second) for r in tree.add(prepare([article]))]
        return round(max(found.overlap), 6)

    assert score(one, other, "counts") == score(other, one, "counts")
    assert score(one, other, "set") != score(other, one, "set")


def test_word_sorting_saves_most_similarity_computations() -> None:
    words = ["council", "harbour", "pier", "repair", "boats", "planks", "winter"]
    news = [
        Article(str(n), ". ".join(f"The {words[(n + k) % 7]} of town number{n}x{k} waits" for k in range(6)), lang="en")
        for n in range(60)
    ]
    counts = []
    for sorting in (False, True):
        tree = CorpusTree(CoDet(word_sorting=sorting, stop_words=False, stemming="none").fit([prepare(news)]))
        tree.add(prepare(news))
        counts.append(tree.computations / len(news))
    assert counts[1] < counts[0] / 50


def test_matches_are_the_sentence_pairs_of_the_score() -> None:
    detector = PLAIN.fit([prepare(FIGURE)])
    left, right = prepare(FIGURE[:1]), prepare(FIGURE[1:2])
    first, second = detector.matches(left, right)
    assert FIGURE[0].text[slice(*first.left)] == "NASDAQ starts day with an increase."
    assert FIGURE[1].text[slice(*first.right)] == "NASDAQ starts day with a decrease."
    assert (first.words, second.words) == (4, 1)
    assert first.score + second.score == pytest.approx(12.760913, rel=1e-6)
    assert [FIGURE[0].text[slice(*e.left)] for e in detector.explain(left, right)]


@pytest.mark.parametrize("text", ["", "…", "Goal", "the of and", "12 34,5 %6"])
def test_articles_with_nothing_to_weigh_are_nobodys(text: str) -> None:
    news = [Article("a", text, lang="en"), Article("b", text, lang="en"), Article("c", "Other words stand here.")]
    expected = {"Goal", "12 34,5 %6"}
    assert len(relate(news, detector="codet(plus_one=True)")) == (1 if text in expected else 0)


def test_an_unfitted_detector_says_how_to_fit_it() -> None:
    with pytest.raises(NotFittedError, match="samestory fit"):
        Index(CoDet()).add(prepare(FIGURE))
    with pytest.raises(InputError, match="samestory fit"):
        relate(FIGURE, detector="codet(idf='missing.idf')")
    with pytest.raises(ParameterError, match="weight must be"):
        parse("codet(weight=heavy)")


def test_many_sentences_are_matched_and_explained_at_once() -> None:
    """Every sentence against every other would be millions of pairs."""
    text = " ".join(f"Übung number{n}x of the harbour council begins again." for n in range(2000))
    left, right = (prepare([Article(name, text, lang="en")]) for name in "ab")
    others = prepare([Article(str(n), "Übung of the harbour council begins again.", lang="en") for n in range(5)])
    detector = CoDet(plus_one=True, stemming="none").fit([left, right, others])
    matches = detector.matches(left, right)
    assert len(matches) == 2000
    assert text[slice(*matches[0].left)].startswith("Übung number")
    assert detector.explain(left, right)


def test_sentences_that_all_begin_alike_are_explained_without_pairing_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two thousand equal lines were four million pairs of sentences, and half a minute."""
    text = "The harbour council begins again.\n" * 2000
    left, right = (prepare([Article(name, text + f"Other{name}", lang="en")]) for name in "ab")
    detector = CoDet(plus_one=True).fit([left, right])
    monkeypatch.delattr(CoDet, "matches")
    (evidence,) = detector.explain(left, right)
    assert evidence.left == evidence.right == (0, len(text.rstrip(".\n")))


@pytest.mark.parametrize("spec", ["codet()", "codet(depth=3, suffixes=4)", "codet(depth=0)", "codet(depth=1)"])
@given(words=st.lists(st.integers(0, 40), min_size=30, max_size=120), seen=st.lists(st.integers(0, 40), max_size=30))
@settings(max_examples=25)
def test_of_a_text_without_full_stops_the_same_words_are_taken(spec: str, words: list[int], seen: list[int]) -> None:
    """One sentence of all words, many of which weigh the same: only the first few are put in order."""
    news = [Article("a", " ".join(f"w{n}" for n in words), lang="en")]
    news += [Article(f"s{at}", f"w{n}", lang="en") for at, n in enumerate(seen)]
    detector = parse(spec)
    assert isinstance(detector, CoDet)
    detector = replace(detector, plus_one=True).fit([prepare(news)])
    table = Table.of(news, "F5")

    def idf(word: str) -> float:
        return table.idf(word, 10.0, True)

    (sentence,) = sentences(news[0], "F5", True)
    paths = reference.prepared([sentence], idf, True, detector.depth, detector.suffixes)
    names = {detector._sentences(prepare([Article("x", word, lang="en")]))[0][1][0][0]: word for word in sentence}
    found = [path for _, path in detector._sentences(prepare(news[:1]))]
    assert [[names[word] for word, _ in path] for path in found] == paths
    assert [weight for path in found for _, weight in path] == pytest.approx([idf(w) for path in paths for w in path])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"window": timedelta(days=-1)}, "window: expected a timedelta of at least 0"),
        ({"window": 5}, "window: expected a timedelta of at least 0"),
        ({"visitors": "some"}, "visitors must be"),
    ],
)
def test_a_tree_that_cannot_be_is_refused(options: dict[str, Any], message: str) -> None:
    detector = PLAIN.fit([prepare(FIGURE)])
    with pytest.raises(ParameterError, match=message):
        CorpusTree(detector, **options)
    with pytest.raises(ParameterError, match="words must weigh the same"):
        CorpusTree(replace(detector, weight="tf"))
    with pytest.raises(ParameterError, match="idf must be"):
        parse("codet(idf=5)")
