"""X1: claims that the studies quote from others, as far as they can be computed."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb

from samestory.detectors import parse
from samestory.detectors.mega import MegaShingles
from samestory.lab.evaluation import GoldPairs
from samestory.lab.experiments.experiment import Experiment
from samestory.lab.experiments.further.pair_claims import kind_accuracy, resemblance_recall
from samestory.lab.experiments.inputs import ExperimentInput
from samestory.lab.experiments.times import time_median
from samestory.lab.experiments.values import YOURS, PublishedValue, ReportRow
from samestory.lab.experiments.variants import rows
from samestory.model import Kind
from samestory.text import prepare

#: Mega-shingles: minima per super-shingle, super-shingles per article, and shared ones that suffice.
MINIMA, SUPER, REQUIRED = 14, 6, 2
#: Sanderson's tests: confirmed pairs, candidates, printed percentage.
COUNTED = {
    "Sanderson, test 1: not different events": (29, 33, 88),
    "Sanderson, test 2: not longer versions": (139, 283, 49),
    "Sanderson, test 3: exact duplicates": (320, 322, 99),
}
#: The kind of the pairs of each test, and whether pairs judged yes or no are counted.
TESTS = dict(zip(COUNTED, ((Kind.NEAR, True), (Kind.PART_OF, False), (Kind.IDENTICAL, True)), strict=True))
#: Claims about speed, and the detector that I-Match is compared with.
FASTER = {
    "I-Match faster than shingling": ("5 times; 9 times in another place", "dsc"),
    "I-Match faster than super-shingles": ("6 times", "dsc-ss"),
}
_LEXICONS = "recall gained by random lexicons"


def mega_shingles(resemblance: float) -> float:
    """Return the probability that two articles of this resemblance share a mega-shingle.

        p = s^14,  P = 1 − Σ_{k<2} C(6, k) p^k (1 − p)^(6−k)

    >>> round(mega_shingles(0.95), 4), round(mega_shingles(0.80), 4)
    (0.8786, 0.0258)
    """
    p = resemblance**MINIMA
    return 1 - sum(comb(SUPER, k) * p**k * (1 - p) ** (SUPER - k) for k in range(REQUIRED))


def run(collection: ExperimentInput) -> Iterator[ReportRow]:
    """Compute probabilities by formula and shares from counts; then measure the rest on the user's articles."""
    for percent in (95, 80):
        value = EXPERIMENT.value(f"mega-shingles find resemblance {percent} %, in %")
        yield value.with_measured(100 * mega_shingles(percent / 100))
    for what, (those, candidates, _) in COUNTED.items():
        yield EXPERIMENT.value(f"{what}, in %").with_measured(100 * those / candidates, f"{those} of {candidates}")
    if not collection.sources:
        for what in (*FASTER, _LEXICONS):
            yield EXPERIMENT.value(what).not_measured("needs --docs and --gold")
        return
    articles = collection.articles()
    fitted = parse("imatch-idf").fit([prepare(articles)])
    collection.progress("timing imatch-idf")
    quickest = time_median(fitted, articles).seconds
    for what, (_, slower) in FASTER.items():
        collection.progress(f"timing {slower}")
        times = time_median(parse(slower), articles).seconds / quickest
        yield EXPERIMENT.value(what).with_measured(f"{times:.2f} times", "the time for idf not counted", basis=YOURS)
    forms = {name: parse(name) for name in ("imatch-idf", "imatch-rand")}
    found = dict(zip(forms, rows(EXPERIMENT, collection, forms, "recall"), strict=True))
    plain, lexicons = (row.measured for row in found.values())
    gain = 100 * (lexicons / plain - 1) if isinstance(plain, float) and isinstance(lexicons, float) and plain else None
    yield EXPERIMENT.value(_LEXICONS).with_measured(gain, "in %", basis=YOURS)
    yield from found.values()
    yield from _mega_shingle_rows(collection)
    yield from _sanderson_rows(collection)


def _mega_shingle_rows(collection: ExperimentInput) -> Iterator[ReportRow]:
    """Yield the share of pairs of each resemblance that share a mega-shingle."""
    mega = MegaShingles()
    for row in resemblance_recall(collection, collection.score(mega), mega.shingle, mega_shingles):
        what = f"mega-shingles find resemblance {row.percent} %, in %"
        printed = next((value.value for value in EXPERIMENT.published if value.what == what), None)
        if row.pairs or printed is not None:
            yield ReportRow(what, printed, row.share, basis=YOURS, note=row.note)


def _sanderson_rows(collection: ExperimentInput) -> Iterator[ReportRow]:
    """Yield the judgements of the pairs of each of Sanderson's tests."""
    assert isinstance(collection.gold, GoldPairs)
    run = collection.score(parse("sanderson"))
    for what, (kind, right) in TESTS.items():
        row = kind_accuracy(collection.gold, run, kind)
        those = row.right if right else row.judged - row.right
        share = 100 * those / row.judged if row.judged else None
        yield EXPERIMENT.value(f"{what}, in %").with_measured(share, f"{those:,} {row.note}", basis=YOURS)
    if (row := kind_accuracy(collection.gold, run, Kind.UPDATE)).judged:
        share = 100 * row.right / row.judged
        yield ReportRow(
            "Sanderson, new versions of one source, in %", None, share, basis=YOURS, note=f"{row.right:,} {row.note}"
        )


EXPERIMENT = Experiment(
    name="X1",
    title="claims quoted from others",
    study="others",
    relation="near",
    key="mega-shingles: 95 % alike found at almost 90 %, 80 % alike at 2.6 %; Sanderson 88, 49, 99 %",
    published=(
        PublishedValue("mega-shingles find resemblance 95 %, in %", "almost 90", "%"),
        PublishedValue("mega-shingles find resemblance 80 %, in %", 2.6, "%"),
        *(PublishedValue(f"{what}, in %", percent, "%") for what, (_, _, percent) in COUNTED.items()),
        *(PublishedValue(what, claim) for what, (claim, _) in FASTER.items()),
        PublishedValue(_LEXICONS, "40 to 60 %"),
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
