"""Progress bars with rate and remaining time, one per stage; none if stderr is not a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from samestory.run import Progress

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import TaskID


@contextmanager
def progress(paths: Sequence[str] | None, quiet: bool) -> Iterator[Progress | None]:
    """Yields a function that reports progress, or None if stderr is not a terminal.

    Without paths the number of bytes to read is unknown.
    """
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    # wide enough for the longest stage name, so that the bars align
    columns = [TextColumn("{task.description:<9}"), BarColumn(), TextColumn("{task.fields[note]}")]
    with Bar(*columns, TimeElapsedColumn(), TimeRemainingColumn(), console=Console(stderr=True)) as bar:
        stages = Stages(bar, None if paths is None else _size(paths))
        yield stages.update
        stages.close()


#: Stages whose progress is counted in bytes.
READING = ("counting", "reading")


class Stages:
    """One bar per stage; starting a stage completes the previous one."""

    def __init__(self, bar: Bar, size: int | None) -> None:
        self._bar, self._size = bar, size
        self._stage = ""

    def _open(self, stage: str, whole: int | None) -> None:
        self._stage, self._since = stage, time.perf_counter()
        self._task: TaskID = self._bar.add_task(stage, total=whole, note="")

    def update(self, stage: str, done: int, total: int, articles: int) -> None:
        """Updates the bar of a stage."""
        reading = stage in READING
        whole = self._size if reading else total or None
        if stage != self._stage:
            self.close()
            self._open(stage, whole)
        note = f"{done:,} of {total:,}" if total else f"{done:,} articles" if done else ""
        if reading:
            rate = done / max(time.perf_counter() - self._since, 0.01)
            note = f"{done / 1e6:,.1f} MB, {rate / 1e6:,.1f} MB/s, {articles:,} articles"
        self._bar.update(self._task, completed=done, total=whole, note=note)

    def close(self) -> None:
        """Completes the bar of the current stage."""
        if not self._stage:
            return
        task = self._bar.tasks[self._task]
        whole = task.total or 1
        note = task.fields["note"] if self._stage in READING or not task.total else f"{task.total:,.0f}"
        self._bar.update(self._task, completed=whole, total=whole, note=note)


def _size(paths: Sequence[str]) -> int | None:
    """Returns the size in bytes, or None if it is not known in advance."""
    total = 0
    for path in map(Path, paths):
        if path.is_dir():
            total += sum(file.stat().st_size for file in path.rglob("*.[tT][xX][tT]") if file.is_file())
        elif path.is_file():
            total += path.stat().st_size
        else:
            return None
    return total
