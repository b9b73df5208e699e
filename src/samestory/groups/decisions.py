"""What people decided about pairs: these two are the same story, those two are not.

Decisions are lines of JSON, `{"left": …, "right": …, "decision": "same" | "apart"}`, in a file that outlives every run;
the last word about a pair counts. They stand above what was measured.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from samestory.appending import append_line
from samestory.errors import DecisionError, InputError

SAME, APART = "same", "apart"
#: Decisions about stories, which only archives have.
MOVE, SPLIT, JOIN, UNDO = "move", "split", "join", "undo"


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
            raise InputError("no such file of decisions", hint, place=path) from None
        except OSError as error:
            raise InputError(f"expected a file of decisions: {error.strerror}", place=path) from None
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
                is_torn = not line.rstrip().endswith(b"}")
                hint = "a line that was cut off while it was written was never confirmed: delete it"
                detail = f'{path}:{number}: a decision needs "left", "right" and "decision"'
                raise InputError(detail, hint if is_torn else "") from None
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
        """Adds a decision to a file, which is created if missing and must be consistent as a whole.

        Processes may append at the same time; the decision is on disk when this returns.
        """
        path = Path(path)
        if left == right:
            raise DecisionError(f"a decision is about two articles, got {left!r} twice")
        if not left or not right:
            raise DecisionError("a decision is about two articles, got an empty id")
        line = json.dumps({"left": left, "right": right, "decision": decision}, ensure_ascii=False)
        append_line(path, line.encode(), lambda content: Decisions._parse(content, path))
