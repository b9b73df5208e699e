"""Results on their way out: whole or not at all, and a summary for people."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from samestory.jobs import Summary


class Outputs:
    """Files that appear together, whole, when everything is done; or not at all.

    Each is written beside its place under a passing name. Pipes and devices are written to as they are, at the end.
    """

    def __init__(self) -> None:
        self._ready: list[tuple[Path, Path | bytes]] = []

    def __enter__(self) -> Outputs:
        return self

    def add(self, path: str, data: bytes) -> None:
        """Makes a file ready."""
        place = Path(path).resolve()
        if place.exists() and not place.is_file():
            self._ready.append((place, data))
            return
        trial = place.with_name(f"{place.name}.{os.getpid()}.part")
        self._ready.append((place, trial))
        trial.write_bytes(data)

    def commit(self) -> None:
        """Puts all files into their places."""
        while self._ready:
            place, ready = self._ready[0]
            if isinstance(ready, bytes):
                place.write_bytes(ready)
            else:
                ready.replace(place)
            del self._ready[0]

    def __exit__(self, *how: object) -> None:
        for _, ready in self._ready:
            if isinstance(ready, Path):
                ready.unlink(missing_ok=True)

    def deliver(self, data: bytes) -> None:
        """Writes the result to standard output; the files follow even if whoever reads it has seen enough."""
        try:
            write_out(data)
        except BrokenPipeError:
            self.commit()
            raise


def write_out(data: bytes) -> None:
    """Writes to standard output."""
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


#: Control characters, each as an escape that can be read; what people see must not steer their terminal.
CONTROLS = {code: f"\\x{code:02x}" for code in (*range(9), 11, 12, *range(14, 32), *range(127, 160))}
ONE_LINE = CONTROLS | {9: " ", 10: " ", 13: " "}


def printable(text: str, one_line: bool = True) -> str:
    """A text as it may be shown to people."""
    return text.translate(ONE_LINE if one_line else CONTROLS)


def summarise(summary: Summary, grouped: bool) -> str:
    """A few words about a run."""
    total = sum(summary.seconds.values())
    against = f" against {summary.old:,} old ones" if summary.old or summary.replaced else ""
    if summary.replaced:
        against += f" ({summary.replaced:,} more replaced by new versions)"
    lines = [f"{summary.records:,} records, {summary.articles:,} articles{against} in {total:.2f} s"]
    if summary.rejected or summary.doubted:
        lines[0] += f"; {summary.rejected:,} refused, {summary.doubted:,} kept with a doubt"
    if grouped:
        lines.append(f"{summary.groups:,} groups hold {summary.grouped:,} articles; {summary.alone:,} stand alone")
    if summary.relations is not None:
        lines.append(f"{summary.relations:,} relations")
    details = [f"{summary.compared:,} pairs compared"]
    if summary.forms:
        details.append(f"{summary.forms:,} of them one form with other facts")
    if summary.skipped_keys:
        details.append(f"{summary.skipped_keys:,} keys too common to count")
    lines.append(", ".join(details))
    if summary.undecided:
        lines.append(undecided(summary.undecided))
    return "\n".join(lines)


def undecided(count: int) -> str:
    """What is said about decisions that name articles which are not there."""
    return f"{count:,} {'decision names' if count == 1 else 'decisions name'} an article that is not here"
