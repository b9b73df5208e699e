"""V6: number of similarities that CoDet computes."""

from __future__ import annotations

from collections.abc import Iterator

from samestory.detectors.codet import CoDet
from samestory.lab.experiments.by_study import varol
from samestory.lab.experiments.inputs import ExperimentInput
from samestory.lab.experiments.values import YOURS, PublishedValue, ReportRow
from samestory.lab.experiments.variants import tree

#: The variants compared.
FORMS = {"words not sorted": CoDet(word_sorting=False), "words sorted": CoDet(word_sorting=True)}


def run(collection: ExperimentInput) -> Iterator[ReportRow]:
    """Count the pairs of articles that share a node, while every article is added to the tree once."""
    articles = collection.articles()
    for label, form in FORMS.items():
        grown = tree(collection, form, articles)
        note = f"{grown.computations:,} over {len(articles):,} articles"
        yield EXPERIMENT.value(label).with_measured(grown.computations / max(len(articles), 1), note, basis=YOURS)


EXPERIMENT = varol(
    name="V6",
    title="CoDet: similarity values for an article, words sorted or not",
    key="341 fall to 3.53 with sorting",
    published=(
        PublishedValue("words not sorted", 341, "similarities an article"),
        PublishedValue("words sorted", 3.53, "similarities an article"),
    ),
    run=run,
    gold="no",
    shape="",
)
