"""Semshort: the worked example of the study, the printed pipeline as oracle, and days that are no good."""

from __future__ import annotations

import random
from itertools import combinations
from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform

from samestory import Article, Index, NotFittedError, ParameterError, find, parse, prepare, relate
from samestory.detectors import near_vectors
from samestory.detectors.day_space import DaySpace, _iterated, _principal
from samestory.detectors.near_vectors import exact, forest, near
from samestory.detectors.semshort import INTERCEPT, SLOPE, Semshort, predicted_r
from samestory.lab.experiments.tables import column
from samestory.model import Features, Pairs, Signatures
from tests.reference import semshort as literal

TOY = [
    "fire kills two in mall",
    "mall fire kills two people",
    "central bank raises key rate",
    "bank raises rate again",
]
WORDS = [item.split() for item in TOY]
#: All words of the toy count, and two components are kept.
TWO = Semshort(lemmas="none", max_df=1.0, min_df=1, m=1e-9, least=2)


def vectors(signatures: Signatures) -> np.ndarray:
    rows = [np.frombuffer(row, "<f4").astype(np.float64) for row in signatures if row]
    return np.stack(rows)


def shares(detector: Semshort, signatures: Signatures) -> np.ndarray:
    left, right = np.triu_indices(len(signatures), 1)
    return detector.compare(signatures, signatures, Pairs(left, right)).forward


# --- the worked example ---


def test_the_weights_of_the_toy_are_those_of_the_study() -> None:
    names, rows = literal.weights(WORDS, max_df=1.0, min_df=1)
    first = dict(zip(names, rows[0].round(4), strict=True))
    assert {word: first[word] for word in WORDS[0]} == {
        "fire": 0.1386,
        "kills": 0.1386,
        "mall": 0.1386,
        "two": 0.1386,
        "in": 0.2773,
    }
    day = TWO.fit_words(WORDS).fitted_day()
    assert dict(zip(day.words, day.idf.round(4).tolist(), strict=True)) == {
        word: 0.6931 if sum(word in item for item in WORDS) == 2 else 1.3863 for word in names
    }
    assert day._weigh(WORDS).toarray() == pytest.approx(rows)


def test_the_distances_and_merges_of_the_toy_are_those_of_the_study() -> None:
    matrix = literal.distances(literal.weights(WORDS, max_df=1.0, min_df=1)[1])
    assert matrix[np.triu_indices(4, 1)].round(4).tolist() == [0.5, 1.0, 1.0, 1.0, 1.0, 0.6581]
    assert np.round(literal.merges(matrix), 4).tolist() == [0.5, 0.6581, 1.0]
    rows = literal.between_rows(matrix)
    assert rows[np.triu_indices(4, 1)].round(4).tolist() == [0.7071, 1.5385, 1.5385, 1.5385, 1.5385, 0.9307]


def test_the_lance_williams_update_takes_the_smaller_distance() -> None:
    assert literal.nearest_neighbour(0.3, 0.8) == pytest.approx(0.3)


def test_two_components_of_the_toy_give_the_distances_of_the_study() -> None:
    detector = TWO.fit_words(WORDS)
    u = vectors(detector.sign_words(WORDS))
    found = (1 - u @ u.T)[np.triu_indices(4, 1)]
    assert found.round(4).tolist() == [0.0, 1.6941, 1.6924, 1.6941, 1.6924, 1.0388]
    assert shares(detector, detector.sign_words(WORDS)).round(4).tolist() == [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]


# --- the printed pipeline as oracle ---


@st.composite
def days(draw: st.DrawFn, most: int = 14) -> list[list[str]]:
    """Items of a few common words and of rarer ones; some repeat each other, some have nothing."""
    draws = random.Random(draw(st.integers(0, 10**6)))
    words = [f"w{number}" for number in range(18)]
    items: list[list[str]] = []
    for _ in range(draw(st.integers(4, most))):
        if items and draws.random() < 0.4:
            items.append([word for word in draws.choice(items) if draws.random() < 0.8])
        else:
            items.append(draws.choices(words, k=draws.randint(0, 9)))
    return items


@settings(max_examples=60)
@given(items=days(), least=st.integers(1, 8))
def test_both_spaces_give_the_distances_of_the_printed_pipeline(items: list[list[str]], least: int) -> None:
    names, rows = literal.weights(items)
    kept = [row for row in range(len(items)) if rows[row].any() or any(word in names for word in items[row])]
    detector = Semshort(lemmas="none", m=1e-9, least=least, threshold=0.0).fit_words(items)
    if not names or np.linalg.matrix_rank(rows[kept] - rows[kept].mean(axis=0)) < least:
        return  # what is left beyond the rank is noise
    values = np.linalg.svd(rows[kept] - rows[kept].mean(axis=0), compute_uv=False)
    if least < len(values) and values[least - 1] - values[least] < 1e-6:
        return  # any direction would do
    plain = literal.reduced(rows[kept], least)
    if (np.linalg.norm(plain, axis=1) < 1e-6).any():
        return  # an item at the very mean points nowhere
    matrix = literal.distances(plain)
    signed = detector.sign_words(items)
    assert [row for row, signature in enumerate(signed) if signature] == kept
    u = vectors(signed)
    assert 1 - u @ u.T == pytest.approx(matrix, abs=1e-6)
    wide = Semshort(lemmas="none", m=1e-9, least=least, space="distance_rows", threshold=0.0).fit_words(items)
    w = vectors(wide.sign_words(items))
    gaps = np.linalg.norm(w[:, None] - w[None], axis=2) * sqrt(len(kept))
    assert gaps == pytest.approx(literal.between_rows(matrix), abs=1e-5)


def test_items_without_a_word_stay_outside_of_the_mean() -> None:
    day = Semshort(lemmas="none", least=2, m=1e-9).fit_words([["a", "b"], ["a", "c"], ["b", "c"], [], ["rare"]])
    alone = Semshort(lemmas="none", least=2, m=1e-9).fit_words([["a", "b"], ["a", "c"], ["b", "c"], [], []])
    assert day.fitted_day().items == 3
    assert day.fitted_day().components.tolist() == alone.fitted_day().components.tolist()


def test_the_weighting_of_sklearn_is_that_of_sklearn() -> None:
    from sklearn.feature_extraction.text import TfidfVectorizer

    draws = random.Random(3)
    items = [draws.choices("abcdefghij", k=draws.randint(1, 12)) for _ in range(40)]
    theirs = TfidfVectorizer(analyzer=lambda item: item, max_df=0.9, min_df=2)
    expected = theirs.fit_transform(items).toarray()
    day = Semshort(lemmas="none", weighting="sklearn").fit_words(items).fitted_day()
    assert list(day.words) == theirs.get_feature_names_out().tolist()
    assert day._weigh(items).toarray() == pytest.approx(expected)


def test_the_components_of_a_large_day_span_those_of_the_exact_way() -> None:
    """Subspace iteration never makes the centred matrix; where variances differ it must find the same directions."""
    draws = np.random.default_rng(5)
    topics = draws.random((12, 300)) ** 8
    rows = (topics[draws.integers(0, 12, 400)] + 0.01 * draws.random((400, 300))) * (draws.random((400, 300)) < 0.5)
    from scipy.sparse import csr_array

    sparse, mean = csr_array(rows), rows.mean(axis=0)
    found, lengths = _iterated(sparse, mean, 8)
    exactly = _principal(sparse, mean, 8)
    values = np.linalg.svd(rows - mean, compute_uv=False)
    assert lengths == pytest.approx(values[:8], rel=1e-4)
    assert np.abs((found * exactly).sum(axis=0)) == pytest.approx(np.ones(8), abs=1e-3)


def test_components_are_as_many_as_the_share_of_columns_says() -> None:
    draws = random.Random(1)
    items = [draws.choices([f"w{n}" for n in range(200)], k=12) for _ in range(150)]
    day = Semshort(lemmas="none", m=0.1, least=1).fit_words(items).fitted_day()
    assert day.components.shape == (len(day.words), round(0.1 * len(day.words)))
    assert Semshort(lemmas="none", m=1e-9, least=1).fit_words(items).fitted_day().components.shape[1] == 1
    everything = Semshort(lemmas="none", m=1.0).fit_words(items).fitted_day()
    assert everything.components.shape[1] <= min(everything.items, len(everything.words))


def test_the_same_day_gives_the_same_bytes() -> None:
    draws = random.Random(2)
    items = [draws.choices([f"w{n}" for n in range(900)], k=30) for _ in range(1500)]
    one, other = (Semshort(lemmas="none").fit_words(items) for _ in range(2))
    assert one.fitted_day().items * len(one.fitted_day().words) > 1_000_000, "too small to be iterated"
    assert one.state() == other.state()
    assert list(one.sign_words(items)) == list(other.sign_words(items))


# --- single linkage ---


@settings(max_examples=40)
@given(seed=st.integers(0, 10**6), count=st.integers(1, 30), width=st.integers(1, 4), coarse=st.booleans())
def test_the_forest_is_single_linkage_at_every_height(seed: int, count: int, width: int, coarse: bool) -> None:
    draws = np.random.default_rng(seed)
    points = draws.integers(0, 3, (count, width)).astype(np.float64) if coarse else draws.random((count, width))
    found = forest(points)
    assert len(found.left) == count - 1
    assert (found.left > found.right).all()
    if count == 1:
        return
    matrix = np.linalg.norm(points[:, None] - points[None], axis=2)
    tree = linkage(squareform(matrix, checks=False), "single")
    assert found.length == pytest.approx(tree[:, 2], abs=1e-9)
    assert sorted(literal.merges(matrix)) == pytest.approx(tree[:, 2].tolist(), abs=1e-9)
    heights = np.unique(tree[:, 2].round(9))
    for height in heights.tolist():
        theirs = fcluster(tree, height + 1e-7, "distance")
        expected = {frozenset(np.flatnonzero(theirs == label).tolist()) for label in set(theirs.tolist())}
        assert literal.groups(matrix, height + 1e-7) == expected
        assert _components(count, found, height + 1e-7) == expected
        assert _components(count, forest(points, height + 1e-7), np.inf) == expected


def _components(count: int, links: near_vectors.Links, height: float) -> set[frozenset[int]]:
    leader = list(range(count))

    def top(item: int) -> int:
        return item if leader[item] == item else top(leader[item])

    for one, other, length in zip(links.left.tolist(), links.right.tolist(), links.length.tolist(), strict=True):
        if length <= height:
            leader[top(one)] = top(other)
    return {frozenset(i for i in range(count) if top(i) == root) for root in {top(i) for i in range(count)}}


def test_blocks_of_any_size_give_all_pairs_once(monkeypatch: pytest.MonkeyPatch) -> None:
    points = np.random.default_rng(4).random((57, 3))
    matrix = np.linalg.norm(points[:, None] - points[None], axis=2)
    expected = {(i, j) for i in range(57) for j in range(i) if matrix[i, j] <= 0.4}
    for block in (1, 57, 130, 10**6):
        monkeypatch.setattr(near_vectors, "BLOCK", block)
        monkeypatch.setattr(near_vectors, "MAX_LINKS", block)
        found = [
            pair for part in near(points, 0.4) for pair in zip(part.left.tolist(), part.right.tolist(), strict=True)
        ]
        assert len(found) == len(set(found))
        assert set(found) == expected
        late = {pair for part in near(points, 0.4, 40) for pair in zip(*(c.tolist() for c in part[:2]), strict=True)}
        assert late == {pair for pair in expected if pair[0] >= 40}
        assert forest(points).length == pytest.approx(np.sort(literal.merges(matrix)))


def test_equal_vectors_are_nothing_apart_however_far_from_the_origin() -> None:
    points = np.full((3, 2), 1e8) + np.array([[0, 0], [0, 0], [1, 0]])
    links = exact(points, next(near(points, 10.0)))
    assert sorted(links.length.tolist()) == [0.0, 1.0, 1.0]


# --- as a detector ---


def news() -> list[Article]:
    """Two events, each in three wordings, among items that are about neither."""
    fire = ["Mall fire kills two in Oldmere", "Two dead after blaze in Oldmere mall", "Oldmere mall fire: two killed"]
    bank = ["Central bank raises key rate", "Key rate raised by central bank", "Bank raises its key rate again"]
    rest = [f"Team {n} meets team {n + 1} in round {n} of the {word} cup" for n, word in enumerate(["old", "new"] * 6)]
    return [Article(f"a{n}", text, lang="en") for n, text in enumerate([*fire, *bank, *rest])]


def test_events_in_other_words_are_grouped_over_others() -> None:
    groups = {frozenset(group.members) for group in find(news(), detector="semshort(threshold=0.55, least=60)")}
    assert {frozenset({"a0", "a1", "a2"}), frozenset({"a3", "a4", "a5"})} <= groups
    relations = relate(news(), detector="semshort(threshold=0.55, least=60)")
    assert {str(relation.kind) for relation in relations} == {"SAME_EVENT"}


def test_an_index_finds_what_a_batch_finds() -> None:
    features = prepare(news())
    detector = parse("semshort(threshold=0.3)").fit([features])
    batch = relate(news(), detector=detector)
    index = Index(detector)
    streamed = [r for at in range(0, len(features), 4) for r in index.add(features.take(range(at, min(at + 4, 18))))]
    key = [(r.left, r.right, r.overlap) for r in streamed]
    assert sorted(key) == sorted((r.left, r.right, r.overlap) for r in batch)
    assert len(batch) >= 6


@pytest.mark.parametrize("space", ["cosine", "distance_rows"])
def test_links_hang_together_as_all_relations_do(space: str) -> None:
    spec = f"semshort(space={space}, threshold=0.5{', r=2.0' if space == 'distance_rows' else ''})"
    whole = find(news(), detector=spec, grouping="components")
    from samestory import group

    by_all = group(relate(news(), detector=spec), grouping="components", articles=news())
    assert {frozenset(g.members) for g in whole} == {frozenset(g.members) for g in by_all}
    assert any(len(g.members) > 2 for g in whole)


def test_of_a_chain_the_certificate_names_the_height_of_its_last_merge() -> None:
    detector = parse("semshort(threshold=0.5)").fit([prepare(news())])
    signed = detector.sign(prepare(news()))
    (group,) = [g for g in find(news(), detector=detector) if "a0" in g.members]
    assert group.weakest is not None
    rows = [int(member[1:]) for member in group.members]
    links = {(a, b): s for a, b, s in zip(*np.triu_indices(18, 1), shares(detector, signed), strict=True)}
    inside = sorted((links[min(p), max(p)] for p in combinations(rows, 2)), reverse=True)
    assert group.weakest.overlap.share in inside
    assert group.weakest.overlap.share >= 0.5


def test_new_items_are_related_to_old_ones_and_old_ones_not_to_each_other() -> None:
    detector = parse("semshort(threshold=0.55, least=60)").fit([prepare(news())])
    found = relate(news()[2:4], detector=detector, against=[*news()[:2], *news()[4:]])
    pairs = {frozenset((r.left, r.right)) for r in found}
    assert {frozenset({"a2", "a0"}), frozenset({"a2", "a1"})} <= pairs
    assert frozenset({"a0", "a1"}) not in pairs


def test_a_headline_is_read_with_the_text_and_once() -> None:
    titled = [Article(str(n), a.text, title=a.text, lang="en") for n, a in enumerate(news())]
    split = [
        Article(str(n), " ".join(a.text.split()[2:]), title=" ".join(a.text.split()[:2]), lang="en")
        for n, a in enumerate(news())
    ]
    detector = Semshort()
    assert detector.words(prepare(titled)) == detector.words(prepare(news())) == detector.words(prepare(split))
    assert Semshort(headlines=False).words(prepare(split))[0] == ["kill", "two", "in", "oldmer"]


def test_r_cuts_the_distance_between_rows() -> None:
    features = prepare(news())
    fitted = Semshort(space="distance_rows", threshold=0.0, r=1e6).fit([features])
    signed, items = fitted.sign(features), fitted.fitted_day().items
    rows = (1 - shares(fitted, signed)) * sqrt(items)
    left, right = np.triu_indices(len(features), 1)
    for r in (0.3, 0.9, 1.7):
        cut = Semshort(space="distance_rows", threshold=0.0, r=r).restore(fitted.state())
        kinds = cut.compare(signed, signed, Pairs(left, right)).kinds
        far_from = np.abs(rows - r) > 1e-6
        assert ((kinds > 0) == (rows <= r))[far_from].all()
    assert Semshort(space="distance_rows").restore(fitted.state()).least_share == pytest.approx(
        1 - predicted_r(items) / sqrt(items)
    )


def test_the_predicted_r_is_the_line_through_the_days_of_the_study() -> None:
    from statistics import linear_regression

    line = linear_regression([np.log(n) for n in column("fomin_days", "articles")], column("fomin_days", "r"))
    assert (round(line.intercept, 3), round(line.slope, 3)) == (INTERCEPT, SLOPE)
    assert predicted_r(12221) == pytest.approx(INTERCEPT + SLOPE * np.log(12221))
    assert predicted_r(854) == pytest.approx(predicted_r(855), rel=1e-2)
    assert 0 < predicted_r(1) < predicted_r(10) < predicted_r(855)


# --- days that are no good ---


@pytest.mark.parametrize(
    "items",
    [
        ["Fire in mall"],
        ["Fire in mall", "Fire in mall"],
        ["Fire", "Flood", "Storm", ""],
        ["!", "…"],
        ["same words here"] * 30,
    ],
    ids=["one item", "two copies", "words of their own", "no words", "nothing but copies"],
)
@pytest.mark.parametrize("space", ["cosine", "distance_rows"])
def test_items_that_nothing_tells_apart_come_back_alone(items: list[str], space: str) -> None:
    articles = [Article(str(n), text, lang="en") for n, text in enumerate(items)]
    groups = find(articles, detector=f"semshort(space={space})")
    assert sorted(group.members for group in groups) == sorted((str(n),) for n in range(len(items)))


def test_a_day_of_copies_is_linked_in_a_line() -> None:
    """Every copy hangs on the first: a table of all pairs of them would hold 800 million."""
    copied = Semshort(lemmas="none", least=2).fit_words([["a", "b"], ["c", "d"], ["a", "c"], ["b", "d"]] * 10_000)
    signed = copied.sign_words([["a", "b"], ["c", "d"], ["a", "c"], ["b", "d"]] * 10_000)
    links = copied.links(signed)
    assert len(links.left) == 40_000 - 4
    assert set((links.left % 4 - links.right % 4).tolist()) == {0}
    assert set(links.right.tolist()) == {0, 1, 2, 3}


def test_items_of_other_languages_do_not_meet() -> None:
    foreign = [
        Article("ru1", "Центробанк повысил ключевую ставку", lang="ru"),
        Article("ru2", "Ключевая ставка повышена Центробанком", lang="ru"),
        Article("tr1", "Merkez Bankası faizi artırdı", lang="tr"),
        Article("tr2", "Merkez Bankası'ndan faiz artışı", lang="tr"),
    ]
    groups = {
        frozenset(g.members)
        for g in find([*news(), *foreign], detector="semshort(threshold=0.55, least=60)")
        if len(g.members) > 1
    }
    assert frozenset({"ru1", "ru2"}) in groups
    assert not any({m[:2] for m in group} > {"ru"} or {m[:2] for m in group} > {"tr"} for group in groups)


def test_who_has_not_seen_the_day_says_so() -> None:
    with pytest.raises(NotFittedError, match=r"semshort: needs the word frequencies of a day.*\n?hint: fit it"):
        Semshort().sign(prepare(news()))
    assert Semshort().state() == b""
    assert Semshort().restore(b"") == Semshort()


@pytest.mark.parametrize(
    "spoil",
    [
        lambda s: s[:-3],
        lambda s: b"{}\n" + s,
        lambda s: b"",
        lambda s: s.replace(b"-2", b"-9", 1),
        lambda s: b"\n".join([s.split(b"\n")[0], s.split(b"\n", 1)[1].replace(b"\n", b" ", 1)]),
        lambda s: s[:-4] + b"\0\0\xc0\x7f",
    ],
)
def test_a_damaged_state_is_refused(spoil: object) -> None:
    state = TWO.fit_words(WORDS).state()
    with pytest.raises(ParameterError, match="semshort: expected a state of the format semshort-2"):
        DaySpace.parse(spoil(state))  # type: ignore[operator]


def test_a_batch_without_known_words_is_signed_empty() -> None:
    detector = TWO.fit_words(WORDS)
    assert list(detector.sign_words([["unheard"], []])) == [b"", b""]
    assert isinstance(prepare([]), Features)
