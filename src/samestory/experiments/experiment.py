"""The frame: a published experiment is one file that ends in one of these."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import TYPE_CHECKING, Literal

from samestory.detectors import DETECTORS
from samestory.experiments.studies import STUDIES
from samestory.experiments.values import Published, Row

if TYPE_CHECKING:
    from samestory.experiments.collection import Collection

#: Whether an experiment takes something: never, if it is there, or not without it.
Use = Literal["no", "may", "must"]


@dataclass(frozen=True, kw_only=True)
class Experiment:
    """A published experiment: what it asks, what was published, what it needs, and how it runs here.

    An experiment without `run` is listed with what it waits for, and does not pretend to run.
    """

    name: str
    title: str
    study: str
    """A key of `STUDIES`."""
    place: str = ""
    """Table, figure or section of the study."""
    relation: str = ""
    """What "duplicate" means in it, a name of `lab.MEANINGS`; no figure stands for two relations."""
    key: str
    """The published result in a line."""
    published: tuple[Published, ...] = ()
    docs: Use = "no"
    gold: Use = "no"
    shape: str = ""
    """Of the gold: "pairs", "groups", or "" for either."""
    sets: bool = False
    """Whether it goes over several test sets, which a field of the gold tells apart."""
    also: tuple[str, ...] = ()
    """Other relations whose gold may stand in, said in the report."""
    any_relation: bool = False
    """Whether gold of every relation may stand in: where people are measured, or the counting of errors."""
    methods: Mapping[str, str] = field(default_factory=dict)
    """The detectors that it compares: their names in the study, and here."""
    components: tuple[str, ...] = ()
    """Packages of samestory that it needs in full."""
    unpublished: str = ""
    """What the study does not tell, so that nobody can run it in full."""
    run: Callable[[Collection], Iterable[Row]] | None = None

    @property
    def source(self) -> str:
        """Study and place, for tables."""
        return f"{STUDIES[self.study][0]}{f', {self.place}' if self.place else ''}"

    def value(self, what: str) -> Published:
        """The published value of this name."""
        return next(value for value in self.published if value.what == what)

    @property
    def missing(self) -> list[str]:
        """Detectors and packages that are not there yet."""
        detectors = dict.fromkeys(name for name in self.methods.values() if name not in DETECTORS)
        packages = [name for name in self.components if find_spec(f"samestory.{name}") is None]
        return [f"detector {name}" for name in detectors] + [f"package {name}" for name in packages]

    @property
    def state(self) -> str:
        """What is there and what is missing, in a line."""
        needs = f"needs {', '.join(self.missing)}" if self.missing else ""
        if self.run is not None:
            first = f"runs in part; the rest {needs}" if needs else "runs"
        else:
            first = needs or "what it needs is there, but nobody has written its run yet"
        return f"{first}; not published: {self.unpublished}" if self.unpublished else first

    @property
    def wants(self) -> str:
        """What the user must or may give, in words."""
        shape = {"pairs": "judged pairs", "groups": "groups"}.get(self.shape, "judged pairs or groups")
        relations = "any relation" if self.any_relation else " or ".join([self.relation, *self.also])
        uses = {"--docs": self.docs, f"--gold ({shape} of {relations})": self.gold}
        must, may = ([word for word, use in uses.items() if use == wanted] for wanted in ("must", "may"))
        without = "neither" if len(may) > 1 else "nothing"
        parts = [
            " and ".join(must),
            f"{' and '.join(may)} or {without}" if may else "",
            "--split FIELD for test sets" if self.sets else "",
        ]
        return ", ".join(part for part in parts if part) or "nothing"
