"""X1: what the studies quote from others, as far as it can be computed."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb

from samestory.detectors import parse
from samestory.detectors.mega import MegaShingles
from samestory.experiments.collection import Collection
from samestory.experiments.experiment import Experiment
from samestory.experiments.quoted import alike, told
from samestory.experiments.times import timed
from samestory.experiments.values import YOURS, Published, Row
from samestory.experiments.variants import rows
from samestory.lab import GoldPairs
from samestory.model import Kind
from samestory.text import prepare

#: Mega-shingles: so many minima make a super-shingle, so many of which an article has; two common ones are enough.
MINIMA, SUPER, WANTED = 14, 6, 2
#: Sanderson's tests: pairs that turned out so, among the candidates.
COUNTED = {
    "Sanderson, test 1: not different events": (29, 33, 88),
    "Sanderson, test 2: not longer versions": (139, 283, 49),
    "Sanderson, test 3: exact duplicates": (320, 322, 99),
}
#: What the detector calls the pairs of each test, and whether a pair counts that people say yes to, or no.
TESTS = dict(zip(COUNTED, ((Kind.NEAR, True), (Kind.PART_OF, False), (Kind.IDENTICAL, True)), strict=True))
#: Claims about speed, and whom I-Match is faster than.
FASTER = {
    "I-Match faster than shingling": ("5 times; 9 times in another place", "dsc"),
    "I-Match faster than super-shingles": ("6 times", "dsc-ss"),
}
_LEXICONS = "recall gained by random lexicons"


def mega_shingles(resemblance: float) -> float:
    """The chance that two articles of this resemblance share a mega-shingle.

        p = s^14,  P = 1 − Σ_{k<2} C(6, k) p^k (1 − p)^(6−k)

    >>> round(mega_shingles(0.95), 4), round(mega_shingles(0.80), 4)
    (0.8786, 0.0258)
    """
    p = resemblance**MINIMA
    return 1 - sum(comb(SUPER, k) * p**k * (1 - p) ** (SUPER - k) for k in range(WANTED))


def run(collection: Collection) -> Iterator[Row]:
    """Chances by their formula, shares from their counts; the rest on the user's articles."""
    for percent in (95, 80):
        value = EXPERIMENT.value(f"mega-shingles find resemblance {percent} %, in %")
        yield value.beside(100 * mega_shingles(percent / 100))
    for what, (those, candidates, _) in COUNTED.items():
        yield EXPERIMENT.value(f"{what}, in %").beside(100 * those / candidates, f"{those} of {candidates}")
    if not collection.sources:
        for what in (*FASTER, _LEXICONS):
            yield EXPERIMENT.value(what).lacking("needs --docs and --gold")
        return
    articles = collection.articles()
    fitted = parse("imatch-idf").fit([prepare(articles)])
    collection.tell("timing imatch-idf")
    quickest = timed(fitted, articles).seconds
    for what, (_, slower) in FASTER.items():
        collection.tell(f"timing {slower}")
        times = timed(parse(slower), articles).seconds / quickest
        yield EXPERIMENT.value(what).beside(f"{times:.2f} times", "the time for idf not counted", basis=YOURS)
    forms = {name: parse(name) for name in ("imatch-idf", "imatch-rand")}
    found = dict(zip(forms, rows(EXPERIMENT, collection, forms, "recall"), strict=True))
    plain, lexicons = (row.measured for row in found.values())
    gain = 100 * (lexicons / plain - 1) if isinstance(plain, float) and isinstance(lexicons, float) and plain else None
    yield EXPERIMENT.value(_LEXICONS).beside(gain, "in %", basis=YOURS)
    yield from found.values()
    yield from _alike(collection)
    yield from _told(collection)


def _alike(collection: Collection) -> Iterator[Row]:
    """Of pairs of a resemblance, how many share a mega-shingle."""
    mega = MegaShingles()
    for row in alike(collection, collection.score(mega), mega.shingle, mega_shingles):
        what = f"mega-shingles find resemblance {row.percent} %, in %"
        printed = next((value.value for value in EXPERIMENT.published if value.what == what), None)
        if row.pairs or printed is not None:
            yield Row(what, printed, row.share, basis=YOURS, note=row.note)


def _told(collection: Collection) -> Iterator[Row]:
    """What the judgements say about the pairs of each of Sanderson's tests."""
    assert isinstance(collection.gold, GoldPairs)
    run = collection.score(parse("sanderson"))
    for what, (kind, right) in TESTS.items():
        row = told(collection.gold, run, kind)
        those = row.right if right else row.judged - row.right
        share = 100 * those / row.judged if row.judged else None
        yield EXPERIMENT.value(f"{what}, in %").beside(share, f"{those:,} {row.note}", basis=YOURS)
    if (row := told(collection.gold, run, Kind.UPDATE)).judged:
        share = 100 * row.right / row.judged
        yield Row(
            "Sanderson, new versions of one source, in %", None, share, basis=YOURS, note=f"{row.right:,} {row.note}"
        )


EXPERIMENT = Experiment(
    name="X1",
    title="claims quoted from others",
    study="others",
    relation="near",
    key="mega-shingles: 95 % alike found at almost 90 %, 80 % alike at 2.6 %; Sanderson 88, 49, 99 %",
    published=(
        Published("mega-shingles find resemblance 95 %, in %", "almost 90", "%"),
        Published("mega-shingles find resemblance 80 %, in %", 2.6, "%"),
        *(Published(f"{what}, in %", percent, "%") for what, (_, _, percent) in COUNTED.items()),
        *(Published(what, claim) for what, (claim, _) in FASTER.items()),
        Published(_LEXICONS, "40 to 60 %"),
    ),
    methods={
        "I-Match": "imatch-idf",
        "I-Match with random lexicons": "imatch-rand",
        "DSC": "dsc",
        "super-shingles": "dsc-ss",
        "mega-shingles": "mega",
        "Sanderson": "sanderson",
    },
    docs="may",
    gold="may",
    shape="pairs",
    any_relation=True,
    run=run,
)
