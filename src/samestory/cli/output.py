"""Results on their way to standard output and small files, and a summary for people."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from samestory.jobs import Summary
from samestory.output import write_file


def write_out(data: bytes) -> None:
    """Writes to standard output."""
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def write_stages(path: str, seconds: dict[str, float]) -> None:
    """Seconds by stage, as JSON."""
    write_file(Path(path), (json.dumps({name: round(s, 4) for name, s in seconds.items()}) + "\n").encode())


def summarise(summary: Summary, grouped: bool) -> str:
    """A few words about a run."""
    total = sum(summary.seconds.values())
    against = f" against {summary.old:,} old ones" if summary.old else ""
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
    return "\n".join(lines)
