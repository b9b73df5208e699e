"""V6: how many similarities CoDet computes."""

from __future__ import annotations

from collections.abc import Iterator

from samestory.detectors.codet import CoDet
from samestory.experiments.collection import Collection
from samestory.experiments.experiment import Experiment
from samestory.experiments.values import YOURS, Published, Row
from samestory.experiments.variants import tree

#: The forms compared.
FORMS = {"words not sorted": CoDet(word_sorting=False), "words sorted": CoDet(word_sorting=True)}


def run(collection: Collection) -> Iterator[Row]:
    """How often a similarity is increased while every article goes into the tree once."""
    articles = collection.articles()
    for label, form in FORMS.items():
        grown = tree(collection, form, articles)
        note = f"{grown.computations:,} over {len(articles):,} articles"
        yield EXPERIMENT.value(label).beside(grown.computations / max(len(articles), 1), note, basis=YOURS)


EXPERIMENT = Experiment(
    name="V6",
    title="CoDet: similarity values for an article, words sorted or not",
    study="varol2012",
    relation="contains",
    key="341 fall to 3.53 with sorting",
    published=(
        Published("words not sorted", 341, "similarities an article"),
        Published("words sorted", 3.53, "similarities an article"),
    ),
    docs="must",
    methods={"CoDet": "codet"},
    run=run,
)
