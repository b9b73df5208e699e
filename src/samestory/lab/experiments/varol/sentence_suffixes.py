"""V4: number of suffixes of a sentence that CoDet processes."""

from __future__ import annotations

from collections.abc import Iterator

from samestory.detectors.codet import CoDet
from samestory.lab.experiments.by_study import varol
from samestory.lab.experiments.inputs import ExperimentInput
from samestory.lab.experiments.values import YOURS, PublishedValue, ReportRow
from samestory.lab.experiments.variants import count, rows, tree

#: The numbers of suffixes compared.
FORMS = {f"{suffixes} suffixes": CoDet(suffixes=suffixes) for suffixes in range(1, 7)}


def run(collection: ExperimentInput) -> Iterator[ReportRow]:
    """Measure every number on the judged pairs, and the size of every tree."""
    found = list(rows(EXPERIMENT, collection, FORMS))
    values = [row.measured for row in found if isinstance(row.measured, float)]
    spread = f"from {min(values):.4f} to {max(values):.4f}" if values else "–"
    yield EXPERIMENT.value("F1 with more suffixes").with_measured(spread, basis=YOURS)
    articles = collection.articles()
    sizes = {label: tree(collection, form, articles).nodes for label, form in FORMS.items()}
    first, *_, last = sizes.values()
    grown = f"{last / max(first, 1):.2f} times with {len(FORMS)} suffixes"
    yield EXPERIMENT.value("space with more suffixes").with_measured(grown, "nodes", basis=YOURS)
    yield from found
    for label, size in sizes.items():
        yield count(f"{label}, nodes", size)


EXPERIMENT = varol(
    name="V4",
    title="CoDet: processed suffixes of a sentence",
    key="F1 almost flat, space grows",
    published=(
        PublishedValue("F1 with more suffixes", "almost flat"),
        PublishedValue("space with more suffixes", "grows"),
    ),
    unpublished="numbers behind the figure",
    run=run,
)
