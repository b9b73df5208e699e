"""Rows of benchmarks/results/: what one measured run writes down, and how rows are read back.

A row is one JSON line.  It says what ran (`what`, `spec`, `version`), on what (`corpus` with its digest,
`machine`), when (`date`: the start of the session, so rows of one side-by-side comparison share it), what it
cost and what it was worth (`measures`).  Neither host names nor paths are kept.
"""

import json
import os
import platform
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

Row = dict[str, Any]

RESULTS = Path(__file__).parent / "results"


def machine() -> dict[str, Any]:
    """The processor's model, the cores we may use, the architecture."""
    model = platform.processor()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        names = [line.partition(":")[2].strip() for line in cpuinfo.read_text().splitlines() if "model name" in line]
        model = names[0] if names else model
    return {"cpu": model or "unknown", "cores": len(os.sched_getaffinity(0)), "arch": platform.machine()}


def now() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


def rounded(value: Any) -> Any:
    """The value with its floats cut to what a measurement can mean."""
    if isinstance(value, float):
        return round(value, 4)
    if isinstance(value, dict):
        return {key: rounded(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [rounded(inner) for inner in value]
    return value


def append(path: Path, row: Row) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as lines:
        lines.write(json.dumps(rounded(row), ensure_ascii=False) + "\n")


def read(path: Path) -> Iterator[Row]:
    if path.exists():
        with path.open() as lines:
            yield from map(json.loads, lines)
