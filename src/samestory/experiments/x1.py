"""X1: what the studies quote from others, as far as it can be computed."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb

from samestory.detectors import DETECTORS
from samestory.experiments.collection import Collection
from samestory.experiments.experiment import Experiment
from samestory.experiments.values import Published, Row

#: Mega-shingles: so many minima make a super-shingle, so many of which an article has; two common ones are enough.
MINIMA, SUPER, WANTED = 14, 6, 2
#: Sanderson's tests: pairs that turned out so, among the candidates.
COUNTED = {
    "Sanderson, test 1: not different events": (29, 33, 88),
    "Sanderson, test 2: not longer versions": (139, 283, 49),
    "Sanderson, test 3: exact duplicates": (320, 322, 99),
}
#: Claims that only a run can check, and the detectors for it.
CLAIMS = {
    "I-Match faster than shingling": ("5 times; 9 times in another place", ("imatch_idf", "dsc")),
    "I-Match faster than super-shingles": ("6 times", ("imatch_idf", "dsc_ss")),
    "recall gained by random lexicons": ("40 to 60 %", ("imatch_idf", "imatch_rand")),
}


def mega_shingles(resemblance: float) -> float:
    """The chance that two articles of this resemblance share a mega-shingle.

        p = s^14,  P = 1 − Σ_{k<2} C(6, k) p^k (1 − p)^(6−k)

    >>> round(mega_shingles(0.95), 4), round(mega_shingles(0.80), 4)
    (0.8786, 0.0258)
    """
    p = resemblance**MINIMA
    return 1 - sum(comb(SUPER, k) * p**k * (1 - p) ** (SUPER - k) for k in range(WANTED))


def run(collection: Collection) -> Iterator[Row]:
    """Chances by their formula, shares from their counts; the rest waits for its detectors."""
    for percent in (95, 80):
        value = EXPERIMENT.value(f"mega-shingles find resemblance {percent} %, in %")
        yield value.beside(100 * mega_shingles(percent / 100))
    for what, (those, candidates, _) in COUNTED.items():
        yield EXPERIMENT.value(f"{what}, in %").beside(100 * those / candidates, f"{those} of {candidates}")
    for what, (_, detectors) in CLAIMS.items():
        absent = [name for name in detectors if name not in DETECTORS]
        needs = f"needs detectors {', '.join(absent)}" if absent else "its detectors are there; its run is not written"
        yield EXPERIMENT.value(what).lacking(needs)


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
        *(Published(what, claim) for what, (claim, _) in CLAIMS.items()),
    ),
    methods={
        "I-Match": "imatch_idf",
        "I-Match with random lexicons": "imatch_rand",
        "DSC": "dsc",
        "super-shingles": "dsc_ss",
    },
    run=run,
)
