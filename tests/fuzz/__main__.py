"""Gives changed inputs to everything that reads bytes from outside, for a time, and keeps those that fail.

    python -m tests.fuzz --seconds 60 --seed 1
    python -m tests.fuzz --target signatures --seconds 600
    python -m tests.fuzz --run .fuzz/signatures-17.txt

All targets share the time. The inputs are run in another process. A crash of that process, an exception that is not one
of samestory.errors, a broken law, or an input that takes too long or too much memory is a failure: its input is kept,
and a new process continues behind it. The input with a number is always the same.
"""

from __future__ import annotations

import argparse
import ast
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from tests.fuzz.targets import TARGETS

#: Limits of one input: seconds of processor time, and bytes of memory beyond those of a process that ran no input.
MAX_SECONDS = 5
MAX_BYTES = 1 << 30
#: The first input of a target loads models and makes valid values.
MAX_LOADING_SECONDS = 20

ROOT = Path(__file__).parents[2]


@dataclass
class Report:
    """How many inputs each target was given, and which of them failed."""

    inputs: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)


def main() -> int:
    """Run the command; 1 if an input failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60, help="time for all targets")
    parser.add_argument("--seed", type=int, default=0, help="number of the first input of every target")
    parser.add_argument("--inputs", type=int, default=sys.maxsize, help="maximum number of inputs of a target")
    parser.add_argument("--target", action="append", choices=list(TARGETS), help="only this one; may be repeated")
    parser.add_argument("--keep", type=Path, default=Path(".fuzz"), help="folder for inputs that fail")
    parser.add_argument("--run", type=Path, metavar="FILE", help="run one kept input in this process")
    parser.add_argument("--first", type=int, default=0, help=argparse.SUPPRESS)
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.run:
        run_kept(args.run)
        return 0
    names = args.target or list(TARGETS)
    if args.child:
        run_inputs(names, args.seed, args.first, args.seconds, args.inputs)
        return 0
    report = fuzz(names, args.seconds, args.seed, args.inputs, args.keep)
    for name in names:
        print(f"{name:14} {report.inputs[name]:9,} inputs")
    print(f"{'in all':14} {report.inputs.total():9,} inputs, {len(report.failures)} failed")
    return int(bool(report.failures))


def fuzz(names: list[str], seconds: float, seed: int, inputs: int, keep: Path) -> Report:
    """Run all targets in turn, each for its share of the time that is left."""
    report, until, first = Report(), time.monotonic() + seconds, seed
    while names and (left := until - time.monotonic()) > 0:
        counts, error = run_child(names, seed, first, left, inputs)
        report.inputs.update(counts)
        if not error:
            break
        name = list(counts)[-1] if counts else names[0]
        number = (first if name == names[0] else seed) + counts[name] - 1
        report.failures.append(f"{name} {number}: {error}")
        print(f"{name} {number}: {error}; kept as {keep_input(keep, name, number)}", flush=True)
        names, first = names[names.index(name) :], number + 1
    return report


def keep_input(folder: Path, name: str, number: int) -> Path:
    """Write an input to a file for `--run`."""
    folder.mkdir(exist_ok=True)
    path = folder / f"{name.replace(' ', '_')}-{number}.txt"
    path.write_text(f"{name!r}\n{TARGETS[name].input(number)!r}\n", encoding="utf-8", errors="backslashreplace")
    return path


def run_kept(path: Path) -> None:
    """Run an input of `keep_input`."""
    name, value = path.read_text(encoding="utf-8").splitlines()
    TARGETS[ast.literal_eval(name)].check(ast.literal_eval(value))


def run_child(names: list[str], seed: int, first: int, seconds: float, inputs: int) -> tuple[Counter[str], str]:
    """Run targets in another process, the first of them from the input `first` on.

    Return how many inputs each was given, the last target at the end, and why the process failed.
    """
    words = [sys.executable, "-X", "faulthandler", "-m", "tests.fuzz", "--child", "--first", str(first)]
    words += ["--seed", str(seed), "--seconds", str(seconds), "--inputs", str(inputs)]
    words += [word for name in names for word in ("--target", name)]
    counts: Counter[str] = Counter()
    with (
        tempfile.TemporaryFile() as errors,
        subprocess.Popen(words, stdout=subprocess.PIPE, stderr=errors, cwd=ROOT) as child,
    ):
        assert child.stdout is not None
        # a process that hangs is ended by its own limit
        for line in child.stdout:
            counts[line.decode().strip()] += 1
        code = child.wait()
        errors.seek(0)
        messages = [line for line in errors.read().decode(errors="replace").splitlines() if line.strip()]
    if code == 0:
        return counts, ""
    return counts, f"exit code {code}: {messages[-1][:300] if messages else 'no message'}"


def run_inputs(names: list[str], seed: int, first: int, seconds: float, inputs: int) -> None:
    """Run the inputs of all targets, and print the name of the target before each."""
    until = time.monotonic() + seconds
    for at, name in enumerate(names):
        target, number = TARGETS[name], seed if at else first
        is_loaded = False
        resource.setrlimit(resource.RLIMIT_DATA, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        end = time.monotonic() + (until - time.monotonic()) / (len(names) - at)
        while number < seed + inputs and time.monotonic() < end:
            sys.stdout.write(f"{name}\n")
            sys.stdout.flush()
            allowed = processor_seconds() + (MAX_SECONDS if is_loaded else MAX_LOADING_SECONDS)
            resource.setrlimit(resource.RLIMIT_CPU, (allowed, resource.RLIM_INFINITY))
            target.check(target.input(number))
            number += 1
            if not is_loaded:
                limit = memory() + MAX_BYTES
                resource.setrlimit(resource.RLIMIT_DATA, (limit, resource.RLIM_INFINITY))
                is_loaded = True


def memory() -> int:
    """Return the bytes of data of this process."""
    return int(Path("/proc/self/statm").read_text().split()[5]) * resource.getpagesize()


def processor_seconds() -> int:
    """Return the processor time that this process has used, rounded up."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return int(used.ru_utime + used.ru_stime) + 1


if __name__ == "__main__":
    sys.exit(main())
