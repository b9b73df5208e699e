"""G4: effect of content extraction."""

from __future__ import annotations

from collections.abc import Iterator

from samestory.lab.experiments.by_study import gibson
from samestory.lab.experiments.gibson.roc_areas import PageAreas, Setting, published, recomputed
from samestory.lab.experiments.inputs import ExperimentInput
from samestory.lab.experiments.values import ReportRow

#: Words in a shingle.
SHINGLE = 2
#: The study's extractors, by their names here; then others.
SETTINGS = {
    "heuristic only": Setting("heuristic"),
    "CE-SIMPLE": Setting("maxent"),
    "CE-BEST": Setting("crf"),
    "reference": Setting(""),
    **{spec: Setting(spec) for spec in ("rules", "trafilatura", "readability", "resiliparse")},
}


def run(collection: ExperimentInput) -> Iterator[ReportRow]:
    """Recompute the standard errors; then the area of every extractor on the user's pages."""
    yield from recomputed(EXPERIMENT)
    if collection.gold is not None:
        yield from PageAreas(collection, SHINGLE).rows(EXPERIMENT, SETTINGS)


EXPERIMENT = gibson(
    name="G4",
    title="variants of extraction, shingles of 2 words",
    place="Table 1",
    key="area 0.91076 by heuristic … 0.9999935 by reference",
    published=published("G4", {}),
    docs="may",
    gold="may",
    run=run,
)
