"""The description of a published experiment; every experiment module defines one as EXPERIMENT."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Literal

from samestory.detectors import DETECTORS
from samestory.lab.experiments.inputs import ExperimentInput
from samestory.lab.experiments.studies import STUDIES
from samestory.lab.experiments.values import PublishedValue, ReportRow

#: Whether an experiment uses an input: never, if present, or always.
Use = Literal["no", "may", "must"]


@dataclass(frozen=True, kw_only=True)
class Experiment:
    """A published experiment: its question, its published values, its inputs, and the function that runs it.

    An experiment without `run` is listed with what it still needs.
    """

    name: str
    title: str
    study: str
    """A key of `STUDIES`."""
    place: str = ""
    """Table, figure or section of the study."""
    relation: str = ""
    """The meaning of "duplicate", a name of `lab.MEANINGS`; no figure covers two relations."""
    key: str
    """The published result in one line."""
    published: tuple[PublishedValue, ...] = ()
    docs: Use = "no"
    gold: Use = "no"
    shape: str = ""
    """The shape of the gold: "pairs", "groups", or "" for either."""
    sets: bool = False
    """Whether it uses several test sets, given by a field of the gold."""
    also: tuple[str, ...] = ()
    """Other relations whose gold is accepted, with a note in the report."""
    any_relation: bool = False
    """Whether gold of any relation is accepted: where assessors are measured, or error counts."""
    methods: Mapping[str, str] = field(default_factory=dict)
    """The detectors that it compares: name in the study → name here."""
    components: tuple[str, ...] = ()
    """Packages of samestory that a full run needs."""
    unpublished: str = ""
    """What the study does not publish, so that a full run is impossible."""
    run: Callable[[ExperimentInput], Iterable[ReportRow]] | None = None

    @property
    def source(self) -> str:
        """Study and place, for tables."""
        return f"{STUDIES[self.study][0]}{f', {self.place}' if self.place else ''}"

    def value(self, what: str) -> PublishedValue:
        """Return the published value of this name."""
        return next(value for value in self.published if value.what == what)

    @property
    def missing(self) -> list[str]:
        """Detectors and packages that are not implemented yet."""
        detectors = dict.fromkeys(name for name in self.methods.values() if name not in DETECTORS)
        packages = [name for name in self.components if find_spec(f"samestory.{name}") is None]
        return [f"detector {name}" for name in detectors] + [f"package {name}" for name in packages]

    @property
    def state(self) -> str:
        """What runs and what is missing, in one line."""
        needs = f"needs {', '.join(self.missing)}" if self.missing else ""
        if self.run is not None:
            first = f"runs in part; the rest {needs}" if needs else "runs"
        else:
            first = needs or "everything it needs exists, but its run is not implemented yet"
        return f"{first}; not published: {self.unpublished}" if self.unpublished else first

    @property
    def requirements(self) -> str:
        """The required and optional inputs, in words."""
        shape = {"pairs": "judged pairs", "groups": "groups"}.get(self.shape, "judged pairs or groups")
        relations = "any relation" if self.any_relation else " or ".join([self.relation, *self.also])
        uses = {"--docs": self.docs, f"--gold ({shape} of {relations})": self.gold}
        must, may = ([word for word, use in uses.items() if use == kind] for kind in ("must", "may"))
        without = "neither" if len(may) > 1 else "nothing"
        parts = [
            " and ".join(must),
            f"{' and '.join(may)} or {without}" if may else "",
            "--split FIELD for test sets" if self.sets else "",
        ]
        return ", ".join(part for part in parts if part) or "nothing"
