"""What people decided about pairs: these two are the same story, those two are not.

Decisions are lines of JSON, `{"left": …, "right": …, "decision": "same" | "apart"}`, in a file that outlives every run;
the last word about a pair counts. They stand above what was measured.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from samestory.errors import DecisionError, InputError
from samestory.output import write_file

SAME, APART = "same", "apart"


@dataclass(frozen=True, slots=True)
class Decisions:
    """Pairs of ids that are forced together and pairs that are kept apart."""

    same: tuple[tuple[str, str], ...] = ()
    apart: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        if both := {frozenset(p) for p in self.same} & {frozenset(p) for p in self.apart}:
            raise DecisionError(f"decided to be the same and to be apart: {' and '.join(sorted(next(iter(both))))}")
        self._check_chains()

    def _check_chains(self) -> None:
        """What is forced together through others must not be kept apart."""
        leader: dict[str, str] = {}

        def find(id: str) -> str:
            while leader.setdefault(id, id) != id:
                leader[id] = leader[leader[id]]
                id = leader[id]
            return id

        for left, right in self.same:
            leader[find(left)] = find(right)
        for left, right in self.apart:
            if left in leader and right in leader and find(left) == find(right):
                raise DecisionError(
                    f"{left} and {right} are decided to be apart, but other decisions make them one story",
                    "take one of those decisions back",
                )

    @classmethod
    def load(cls, path: str | Path) -> Decisions:
        """Reads a file of decisions; an empty one holds none."""
        path = Path(path)
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            hint = f'"samestory decide {path} same ID ID" makes it with a first decision; an empty file holds none'
            raise InputError(f"{path}: no such file of decisions", hint) from None
        except OSError as error:
            raise InputError(f"{path}: a file of decisions is wanted: {error.strerror}") from None
        return cls._parse(data, path)

    @classmethod
    def _parse(cls, data: bytes, path: Path) -> Decisions:
        last: dict[frozenset[str], tuple[str, str, str]] = {}
        for number, line in enumerate(data.split(b"\n"), 1):
            if not line.strip():
                continue
            try:
                row = json.loads(line)
                left, right, decision = row["left"], row["right"], row["decision"]
                if not (isinstance(left, str) and isinstance(right, str) and left and right):
                    raise ValueError("ids are texts")
            except (ValueError, KeyError, TypeError, RecursionError):
                raise InputError(f'{path}:{number}: a decision needs "left", "right" and "decision"') from None
            if decision not in (SAME, APART):
                raise InputError(f"{path}:{number}: a decision is {SAME!r} or {APART!r}, got {decision!r}")
            if left == right:
                raise InputError(f"{path}:{number}: a decision is about two articles, got {left!r} twice")
            last[frozenset((left, right))] = (left, right, decision)
        pairs = list(last.values())
        return cls(
            tuple((left, right) for left, right, decision in pairs if decision == SAME),
            tuple((left, right) for left, right, decision in pairs if decision == APART),
        )

    def unknown(self, known: Callable[[str], bool]) -> int:
        """How many decisions name an article that is not there, and so decide nothing."""
        return sum(not (known(left) and known(right)) for left, right in (*self.same, *self.apart))

    @staticmethod
    def append(path: str | Path, left: str, right: str, decision: str) -> None:
        """Adds a decision to a file, after looking whether the file as a whole still makes sense.

        A file that is not there is made.
        """
        path = Path(path)
        if left == right:
            raise DecisionError(f"a decision is about two articles, got {left!r} twice")
        before = ""
        if not left or not right:
            raise DecisionError("a decision is about two articles, got an empty id")
        if path.exists():
            Decisions.load(path)
            before = path.read_text(encoding="utf-8")
        line = json.dumps({"left": left, "right": right, "decision": decision}, ensure_ascii=False)
        whole = f"{before}{'' if not before or before.endswith(chr(10)) else chr(10)}{line}\n"
        Decisions._parse(whole.encode(), path)
        write_file(path, whole.encode())
