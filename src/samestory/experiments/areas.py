"""Areas with standard errors, as in G1 to G5: errors from the printed areas, areas from pages.

An extractor makes texts of the pages, and resemblance of the texts tells duplicates from others.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from samestory.experiments.collection import Collection
from samestory.experiments.experiment import Experiment
from samestory.experiments.pages import Pages, pages, usable
from samestory.experiments.resemblance import Compared, compared
from samestory.experiments.tables import table
from samestory.experiments.values import YOURS, Published, Row
from samestory.measures import hanley_mcneil
from samestory.model import Article

#: Pairs of the 1,621 pages: duplicates and others. The study names 3,591 identical and 1,231 near ones, 4,822 in all,
#: and works with these.
DUPLICATES, OTHERS = 4_815, 1_308_195
#: So many standard errors to each side make an interval of 95 %.
Z = 1.96


def published(name: str, errata: dict[str, str]) -> tuple[Published, ...]:
    """The printed areas and errors of a table; errata by setting, of its error."""
    out = []
    for row in table("gibson_areas"):
        if row["experiment"] == name:
            setting = row["setting"]
            out.append(Published(f"{setting}, area", float(row["area"]), "area"))
            out.append(
                Published(f"{setting}, standard error", float(row["error"]), "standard error", errata.get(setting, ""))
            )
    return tuple(out)


def recomputed(experiment: Experiment) -> Iterator[Row]:
    """The standard errors that the printed areas have by the formula."""
    for value in experiment.published:
        if value.what.endswith("standard error"):
            area = experiment.value(value.what.replace("standard error", "area")).value
            assert isinstance(area, float)
            yield value.beside(hanley_mcneil(area, DUPLICATES, OTHERS), form=".3g")


@dataclass(frozen=True)
class Setting:
    """How texts are made of pages, and what is left out of them."""

    extractor: str
    """A spec; "" stands for the news as people took it out."""
    frequent: float = 0.0


@dataclass(frozen=True)
class Area:
    """An area with its standard error."""

    value: float
    error: float

    def row(self, what: str, experiment: Experiment, note: str = "") -> Row:
        """The row that shows it, beside what was published under this name."""
        published = next((value.value for value in experiment.published if value.what == what), None)
        low, high = max(0.0, self.value - Z * self.error), min(1.0, self.value + Z * self.error)
        said = f"standard error {self.error:.2g}"
        return Row(what, published, self.value, low, high, YOURS, f"{said}; {note}" if note else said, ".7g")


@dataclass(frozen=True, eq=False)
class Paged:
    """The pages of a collection, and the pairs that its gold tells about."""

    collection: Collection
    shingle: int

    @cached_property
    def pages(self) -> Pages:
        """The pages."""
        return pages(self.collection)

    @cached_property
    def _pairs(self) -> Compared:
        return compared(self.collection, [Article(name, "") for name in self.pages.ids])

    @property
    def note(self) -> str:
        """What was compared."""
        return f"{self._pairs.note}; {self.pages.note}"

    def area(self, setting: Setting) -> Area | str:
        """The area of a setting; or why there is none."""
        self.collection.tell(f"extracting by {setting.extractor or 'people'}, {setting.frequent:g} % of shingles out")
        if not setting.extractor:
            texts = self.pages.reference()
        else:
            extractor = usable(setting.extractor)
            texts = extractor if isinstance(extractor, str) else self.pages.extracted(extractor)
        if isinstance(texts, str):
            return texts
        return Area(*self._pairs.of(texts).area(self.shingle, setting.frequent))

    def rows(self, experiment: Experiment, settings: dict[str, Setting]) -> Iterator[Row]:
        """A row for every setting, under its name."""
        for name, setting in settings.items():
            found, what = self.area(setting), f"{name}, area"
            if isinstance(found, Area):
                yield found.row(what, experiment, self.note)
            elif any(value.what == what for value in experiment.published):
                yield experiment.value(what).lacking(found)
            else:
                yield Row(what, note=found)
