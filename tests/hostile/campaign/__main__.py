"""Runs the attacks, each in a process of its own, and writes what they found.

    python -m tests.hostile.campaign [--only NAME ...] [--scale 0.1] [--dry]
    python -m tests.hostile.campaign --write docs/concepts/promises.md     only the table, from the results

Exits with 1 if a promise was broken, or a budget of time or memory was exceeded.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
from importlib import import_module
from pathlib import Path
from typing import Any

from samestory import __version__
from tests.conftest import ROOT, environment
from tests.hostile.campaign.trial import Budget, Case, Trial

sys.path.insert(0, str(ROOT / "benchmarks"))
import record
from table import markdown, write

#: The attacks, in the order of their running.
ATTACKS = ("restores", "clock", "full_disk", "bits", "writers", "portal", "sources", "kills")
RESULTS = record.RESULTS / "campaign.jsonl"
#: Seconds after its budget until an attack is ended.
MAX_OVERTIME_SECONDS = 60
MARK = "campaign"


def budget(name: str) -> Budget:
    """Return the budget of an attack."""
    found: Budget = import_module(f"tests.hostile.campaign.{name}").BUDGET
    return found


def attack(name: str, scale: float) -> list[dict[str, Any]]:
    """Run an attack in a process of its own; return its cases, with one more for its time and memory."""
    limits = budget(name)
    words = [sys.executable, "-m", "tests.hostile.campaign", "--only", name, "--scale", str(scale), "--child"]
    start = time.monotonic()
    child = subprocess.Popen(words, stdout=subprocess.PIPE, cwd=ROOT, env=environment(), start_new_session=True)
    end = threading.Timer(limits.seconds + MAX_OVERTIME_SECONDS, os.killpg, (child.pid, signal.SIGKILL))
    end.start()
    assert child.stdout is not None
    printed = child.stdout.read()
    _, status, usage = os.wait4(child.pid, 0)
    end.cancel()
    # the mark of a child starts at that of this process, which may be a whole test run: only what is above tells
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    seconds, memory = time.monotonic() - start, usage.ru_maxrss / 1024 if usage.ru_maxrss > own else 0
    costs = Case(f"budget: {name}", 1, seconds)
    costs.measures = {"peak_mb": memory}
    if status:
        costs.violate(f"the attack ended with status {status}")
    if seconds > limits.seconds:
        costs.violate(f"took {seconds:.0f} s, the limit is {limits.seconds:.0f} s")
    if memory > limits.memory_mb:
        costs.violate(f"took {memory:.0f} MB, the limit is {limits.memory_mb} MB")
    trial = Trial(limits, scale)
    trial.cases.append(costs)
    return [*(json.loads(printed) if printed.strip() else []), *trial.to_rows()]


def child(name: str, scale: float) -> None:
    """Run an attack in this process; print its cases."""
    out, sys.stdout = sys.stdout, sys.stderr
    module = import_module(f"tests.hostile.campaign.{name}")
    trial = Trial(module.BUDGET, scale)
    with tempfile.TemporaryDirectory(prefix="samestory-campaign-") as folder:
        module.run(trial, Path(folder))
    print(json.dumps(trial.to_rows()), file=out)


def rows_of(cases: list[dict[str, Any]], name: str, scale: float) -> list[dict[str, Any]]:
    """Return the cases of an attack as rows of results."""
    own = budget(name)
    limits = {"seconds": own.seconds, "peak_mb": own.memory_mb, **own.more}
    about = {"version": __version__, "machine": record.machine(), "date": record.now(), "attack": name, "scale": scale}
    about["load"] = os.getloadavg()[2]
    rows = []
    for case in cases:
        is_budget = case["name"].startswith("budget")
        limited = {limit: value for limit, value in limits.items() if limit in case["measures"]}
        limited |= {"seconds": own.seconds} if is_budget else {}
        rows.append({"what": case.pop("name"), **about, "limits": limited, **case})
    return rows


def table(rows: list[dict[str, Any]]) -> str:
    """Return the latest row of each case as a table."""
    latest: dict[str, dict[str, Any]] = {}
    for row in rows:
        latest[row["what"]] = row
    lines = []
    for what, row in latest.items():
        measured = [f"{name.replace('_', ' ')} {value:,.4g}" for name, value in row["measures"].items()]
        limits = [f"{name.replace('_', ' ')} {value:,g}" for name, value in row["limits"].items()]
        held = f"skipped: {row['skipped']}" if row["skipped"] else f"{row['violations']:,}"
        lines.append(
            [
                what,
                f"{row['tried']:,}",
                held,
                "; ".join(measured),
                "; ".join(limits),
                f"{row['seconds']:,.0f}",
                f"{row['scale']:g}",
                f"{row['load']:.1f}",
            ]
        )
    return markdown(["attack", "tried", "violations", "measured", "limits", "s", "scale", "load"], lines)


def text(rows: list[dict[str, Any]]) -> str:
    """Return the table, with what it was measured on."""
    last = max(rows, key=lambda row: row["date"])
    machine = last["machine"]
    about = (
        f"Measured on {last['date'][:10]} with {machine['cores']} cores of {machine['cpu']}. A scale of 1 is that of"
        " `make campaign`. The load is the number of processes that wanted a core, other work on the machine included."
    )
    return f"{about}\n\n{table(rows)}"


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=ATTACKS, default=ATTACKS, metavar="NAME", help=", ".join(ATTACKS))
    parser.add_argument("--scale", type=float, default=1.0, help="of the numbers of attempts and of entries")
    parser.add_argument("--dry", action="store_true", help="record nothing")
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the table of the latest results into a page")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.write:
        write(args.write, text(list(record.read(RESULTS))), MARK)
        return 0
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    if args.child:
        child(args.only[0], args.scale)
        return 0
    found = []
    for name in args.only:
        print(f"{name}:", file=sys.stderr, flush=True)
        rows = rows_of(attack(name, args.scale), name, args.scale)
        for row in rows if not args.dry else ():
            record.append(RESULTS, row)
        found += rows
    print(table(found))
    broken = sum(row["violations"] for row in found)
    print(f"{sum(row['tried'] for row in found):,} attempts, {broken:,} violations")
    return int(broken > 0)


if __name__ == "__main__":
    sys.exit(main())
