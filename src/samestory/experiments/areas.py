"""Areas with standard errors, as in G4 and G5: errors from the printed areas; areas need pages."""

from __future__ import annotations

from collections.abc import Iterator

from samestory.experiments.experiment import Experiment
from samestory.experiments.tables import table
from samestory.experiments.values import Published, Row
from samestory.measures import hanley_mcneil

#: Pairs of the 1,621 pages: duplicates and others. The study names 3,591 identical and 1,231 near ones, 4,822 in all,
#: and works with these.
DUPLICATES, OTHERS = 4_815, 1_308_195


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
