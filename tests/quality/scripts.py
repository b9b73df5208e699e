"""The benchmark scripts, which import each other by name."""

from __future__ import annotations

import runpy
import sys
from functools import cache
from typing import Any

from tests.conftest import ROOT

BENCHMARKS = ROOT / "benchmarks"


@cache
def benchmark(name: str) -> dict[str, Any]:
    """Run a script without its main part; returns its names."""
    sys.path.insert(0, str(BENCHMARKS))
    try:
        return runpy.run_path(str(BENCHMARKS / f"{name}.py"))
    finally:
        sys.path.remove(str(BENCHMARKS))
