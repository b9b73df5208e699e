"""Inputs that `make fuzz` tried: per target, how many, and which failed.

python benchmarks/fuzz.py [--seconds 900] [--seed 1]
"""

import argparse
import sys
import time
from pathlib import Path

import record

ROOT = Path(__file__).parents[1]
RESULTS = record.RESULTS / "fuzz.jsonl"


def main() -> int:
    """Fuzz all targets and append a row; 1 if an input failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=900)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    sys.path.insert(0, str(ROOT))
    from tests.fuzz.__main__ import fuzz
    from tests.fuzz.targets import TARGETS

    import samestory

    date, begin = record.now(), time.monotonic()
    report = fuzz(list(TARGETS), args.seconds, args.seed, sys.maxsize, ROOT / ".fuzz")
    measures = {
        "inputs": report.inputs.total(),
        "failed": len(report.failures),
        "seconds": time.monotonic() - begin,
        "targets": dict(report.inputs),
    }
    row = {"what": "fuzz", "version": samestory.__version__, "machine": record.machine(), "date": date}
    record.append(RESULTS, {**row, "seed": args.seed, "measures": measures})
    print(*(f"{name:14} {count:9,}" for name, count in report.inputs.items()), *report.failures, sep="\n")
    return int(bool(report.failures))


if __name__ == "__main__":
    sys.exit(main())
