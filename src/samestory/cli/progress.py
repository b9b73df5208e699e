"""A progress bar with rate and estimate on a terminal; silence in a pipe."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from samestory.jobs import Progress


@contextmanager
def progress(paths: Sequence[str], quiet: bool) -> Iterator[Progress | None]:
    """Gives a function that is told bytes and articles read so far, or nothing where nobody looks."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, TextColumn, TimeRemainingColumn, TransferSpeedColumn
    from rich.progress import Progress as Bar

    total = _size(paths)
    columns = [TextColumn("reading"), BarColumn(), DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn()]
    with Bar(*columns, TextColumn("{task.fields[articles]:,} articles"), console=Console(stderr=True)) as bar:
        task = bar.add_task("reading", total=total, articles=0)
        yield lambda read, articles: bar.update(task, completed=read, articles=articles)


def _size(paths: Sequence[str]) -> int | None:
    """Bytes on disk, if that can be known beforehand."""
    total = 0
    for path in map(Path, paths):
        if path.is_dir():
            total += sum(file.stat().st_size for file in path.rglob("*.[tT][xX][tT]") if file.is_file())
        elif path.is_file():
            total += path.stat().st_size
        else:
            return None
    return total
