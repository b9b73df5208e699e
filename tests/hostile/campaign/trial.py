"""What one attack counts, measures and finds violated."""

from __future__ import annotations

import sys
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from typing import Any

#: Violations of one case that are described; all are counted.
MAX_DESCRIBED = 5


@dataclass(frozen=True)
class Budget:
    """The largest costs that an attack may have, at full scale."""

    seconds: float
    memory_mb: int
    more: dict[str, float] = field(default_factory=dict)
    """Limits of measurements by their names: the largest values, or the smallest ones of names with `recall`."""


@dataclass
class Case:
    """One kind of attack on one kind of database: how often it was tried, what was measured, what was violated."""

    name: str
    tried: int = 0
    seconds: float = 0.0
    measures: dict[str, float] = field(default_factory=dict)
    violations: int = 0
    described: list[str] = field(default_factory=list)
    skipped: str = ""

    def count(self, name: str, number: int = 1) -> None:
        """Add to a count."""
        self.measures[name] = self.measures.get(name, 0) + number

    def violate(self, what: str) -> None:
        """Count a violation."""
        self.violations += 1
        if len(self.described) < MAX_DESCRIBED:
            self.described.append(what)
        print(f"  VIOLATION in {self.name}: {what}", file=sys.stderr, flush=True)

    @contextmanager
    def attempt(self) -> Iterator[None]:
        """Try once: any exception is a violation."""
        self.tried += 1
        try:
            yield
        except Exception as error:
            where = traceback.extract_tb(error.__traceback__)[-1]
            self.violate(f"{type(error).__name__} in {where.name}: {error}")


class Trial:
    """One run of an attack."""

    def __init__(self, budget: Budget, scale: float) -> None:
        self.budget, self.scale = budget, scale
        self.cases: list[Case] = []

    def times(self, count: int) -> int:
        """Scale a number of attempts; at least one is left."""
        return max(1, round(count * self.scale))

    @contextmanager
    def case(self, name: str) -> Iterator[Case]:
        """Begin a case; print how it ended. Measurements above their limits are violations."""
        case, start = Case(name), time.monotonic()
        self.cases.append(case)
        try:
            yield case
        except Exception as error:
            traceback.print_exc()
            case.violate(f"the attack broke off: {type(error).__name__}: {error}")
        for measure, limit in self.budget.more.items():
            value = case.measures.get(measure)
            if value is not None and (value < limit if "recall" in measure else value > limit):
                case.violate(f"{measure} is {value:.4g}, the limit is {limit:.4g}")
        case.seconds = time.monotonic() - start
        measures = ", ".join(f"{name} {value:,.4g}" for name, value in case.measures.items())
        result = f"{case.violations} violations" if case.violations else "held"
        print(
            f"  {name}: {case.tried:,} × in {case.seconds:.0f} s, {result}{'; ' if measures else ''}{measures}",
            file=sys.stderr,
            flush=True,
        )

    def skip(self, name: str, why: str) -> None:
        """Note a case that cannot be tried here."""
        self.cases.append(Case(name, skipped=why))
        print(f"  {name}: skipped: {why}", file=sys.stderr, flush=True)

    @property
    def violations(self) -> list[str]:
        """All violations that are described."""
        return [what for case in self.cases for what in case.described]

    def to_rows(self) -> list[dict[str, Any]]:
        """Return the cases as rows of results."""
        return [asdict(case) for case in self.cases]
