"""ROC areas with standard errors, as in G1 to G5: errors from the printed areas, areas from pages.

An extractor produces the texts of the pages, and their resemblance separates duplicates from other pairs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from samestory.lab.experiments.experiment import Experiment
from samestory.lab.experiments.inputs import ExperimentInput
from samestory.lab.experiments.pages import PageSet, pages, usable
from samestory.lab.experiments.resemblance import LabelledPairs, labelled_pairs
from samestory.lab.experiments.tables import table
from samestory.lab.experiments.values import YOURS, PublishedValue, ReportRow
from samestory.lab.measures import hanley_mcneil
from samestory.model import Article

#: Pairs of the 1,621 pages: duplicates and others. The study lists 3,591 identical and 1,231 near ones, 4,822 in all,
#: but uses these numbers.
DUPLICATES, OTHERS = 4_815, 1_308_195
#: Half-width of a 95 % interval, in standard errors.
Z = 1.96


def published(name: str, errata: dict[str, str]) -> tuple[PublishedValue, ...]:
    """Return the printed areas and errors of a table; errata refer to the error of a setting."""
    out = []
    for row in table("gibson_areas"):
        if row["experiment"] == name:
            setting = row["setting"]
            out.append(PublishedValue(f"{setting}, area", float(row["area"]), "area"))
            out.append(
                PublishedValue(
                    f"{setting}, standard error", float(row["error"]), "standard error", errata.get(setting, "")
                )
            )
    return tuple(out)


def recomputed(experiment: Experiment) -> Iterator[ReportRow]:
    """Yield the standard errors of the printed areas, by the formula."""
    for value in experiment.published:
        if value.what.endswith("standard error"):
            area = experiment.value(value.what.replace("standard error", "area")).value
            assert isinstance(area, float)
            yield value.with_measured(hanley_mcneil(area, DUPLICATES, OTHERS), form=".3g")


@dataclass(frozen=True)
class Setting:
    """An extractor, and the percentage of frequent shingles left out."""

    extractor: str
    """A spec; "" is the manually extracted content."""
    frequent: float = 0.0


@dataclass(frozen=True)
class Area:
    """An area with its standard error."""

    value: float
    error: float

    def row(self, what: str, experiment: Experiment, note: str = "") -> ReportRow:
        """Return the row of this area, with the value published under this name."""
        published = next((value.value for value in experiment.published if value.what == what), None)
        low, high = max(0.0, self.value - Z * self.error), min(1.0, self.value + Z * self.error)
        error = f"standard error {self.error:.2g}"
        return ReportRow(what, published, self.value, low, high, YOURS, f"{error}; {note}" if note else error, ".7g")


@dataclass(frozen=True, eq=False)
class PageAreas:
    """The pages of a collection and the pairs of its gold, to compute areas."""

    collection: ExperimentInput
    shingle: int

    @cached_property
    def pages(self) -> PageSet:
        """The pages of the collection."""
        return pages(self.collection)

    @cached_property
    def _pairs(self) -> LabelledPairs:
        return labelled_pairs(self.collection, [Article(name, "") for name in self.pages.ids])

    @property
    def note(self) -> str:
        """What was compared."""
        return f"{self._pairs.note}; {self.pages.note}"

    def area(self, setting: Setting) -> Area | str:
        """Compute the area of a setting; or return why there is none."""
        self.collection.progress(
            f"extracting by {setting.extractor or 'hand'}, {setting.frequent:g} % of shingles left out"
        )
        if not setting.extractor:
            texts = self.pages.reference()
        else:
            extractor = usable(setting.extractor)
            texts = extractor if isinstance(extractor, str) else self.pages.extracted(extractor)
        if isinstance(texts, str):
            return texts
        return Area(*self._pairs.with_texts(texts).area(self.shingle, setting.frequent))

    def rows(self, experiment: Experiment, settings: dict[str, Setting]) -> Iterator[ReportRow]:
        """Yield a row for every setting."""
        for name, setting in settings.items():
            found, what = self.area(setting), f"{name}, area"
            if isinstance(found, Area):
                yield found.row(what, experiment, self.note)
            elif any(value.what == what for value in experiment.published):
                yield experiment.value(what).not_measured(found)
            else:
                yield ReportRow(what, note=found)
