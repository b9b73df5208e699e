"""V2: CoDet with and without stop words."""

from __future__ import annotations

from collections.abc import Iterator

from samestory.detectors.codet import CoDet
from samestory.lab.experiments.by_study import varol
from samestory.lab.experiments.inputs import ExperimentInput
from samestory.lab.experiments.values import YOURS, PublishedValue, ReportRow
from samestory.lab.experiments.variants import count, rows, tree

#: The variants compared: stop words kept or removed.
FORMS = {"with stop words": CoDet(stop_words=False), "without stop words": CoDet(stop_words=True)}


def run(collection: ExperimentInput) -> Iterator[ReportRow]:
    """Measure both variants on the judged pairs, and the size of both trees."""
    yield from rows(EXPERIMENT, collection, FORMS)
    articles = collection.articles()
    sizes = {label: tree(collection, form, articles).nodes for label, form in FORMS.items()}
    smaller = 100 * (1 - sizes["without stop words"] / max(sizes["with stop words"], 1))
    yield EXPERIMENT.value("tree smaller by").with_measured(smaller, "nodes", basis=YOURS)
    for label, size in sizes.items():
        yield count(f"{label}, nodes", size)


EXPERIMENT = varol(
    name="V2",
    title="CoDet with and without stop words",
    key="F1 0.76 both ways; the tree is 1 % smaller without them",
    published=(
        PublishedValue("with stop words, F1", 0.76, "share"),
        PublishedValue("without stop words, F1", 0.76, "share"),
        PublishedValue("tree smaller by", 1, "%"),
    ),
    run=run,
)
