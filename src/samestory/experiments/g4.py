"""G4: how much the extraction of content matters."""

from __future__ import annotations

from collections.abc import Iterator

from samestory.experiments.areas import Paged, Setting, published, recomputed
from samestory.experiments.collection import Collection
from samestory.experiments.experiment import Experiment
from samestory.experiments.values import Row

#: Words in a shingle.
SHINGLE = 2
#: The study's extractors by the names that they have here; then those that it did not have.
SETTINGS = {
    "heuristic only": Setting("heuristic"),
    "CE-SIMPLE": Setting("maxent"),
    "CE-BEST": Setting("crf"),
    "reference": Setting(""),
    **{spec: Setting(spec) for spec in ("rules", "trafilatura", "readability", "resiliparse")},
}


def run(collection: Collection) -> Iterator[Row]:
    """The standard errors again; then the area of every extractor on the user's pages."""
    yield from recomputed(EXPERIMENT)
    if collection.gold is not None:
        yield from Paged(collection, SHINGLE).rows(EXPERIMENT, SETTINGS)


EXPERIMENT = Experiment(
    name="G4",
    title="variants of extraction, shingles of 2 words",
    study="gibson2007",
    place="Table 1",
    relation="near",
    key="area 0.91076 by heuristic … 0.9999935 by reference",
    published=published("G4", {}),
    docs="may",
    gold="may",
    also=("identical", "same"),
    components=("html",),
    run=run,
)
