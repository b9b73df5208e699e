"""Results on their way out: whole or not at all, and a summary for people."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from samestory.jobs import Summary


def write_file(path: Path, data: bytes) -> None:
    """Writes a file in one step: it is there whole or not at all. Pipes and devices are written to as they are."""
    path = path.resolve()
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    trial = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        trial.write_bytes(data)
        trial.replace(path)
    except BaseException:
        trial.unlink(missing_ok=True)
        raise


def write_out(data: bytes) -> None:
    """Writes to standard output."""
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def write_stages(path: str, seconds: dict[str, float]) -> None:
    """Seconds by stage, as JSON."""
    write_file(Path(path), (json.dumps({name: round(s, 4) for name, s in seconds.items()}) + "\n").encode())


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
