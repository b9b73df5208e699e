"""Reports rejected and doubtful records: messages on the terminal, and the file of --rejects."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from samestory.cli.losses import note_losses
from samestory.cli.summary import count
from samestory.errors import InputError
from samestory.output import Outputs
from samestory.readers import LOSSES, Problem

#: Messages about bad input that are printed; the rest are counted (--rejects has all of them).
MAX_MESSAGES = 20
#: Problems of one kind kept in memory without --rejects.
MAX_PROBLEMS_PER_FAULT = 300


class ProblemLog:
    """Collects input problems and reports them at the end."""

    def __init__(self, args: argparse.Namespace, out: Outputs) -> None:
        self._args, self._out = args, out
        self._max_problems = details(args)
        self._problems: list[Problem] = []
        self._faults: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self.doubted = 0

    def note(self, problems: Iterable[Problem]) -> None:
        """Records problems; with --strict, raises at the first."""
        for problem in problems:
            self._faults[problem.fault] += 1
            self.refused[problem.fault] += not problem.kept
            self.doubted += problem.kept
            if self._max_problems is None or self._faults[problem.fault] <= self._max_problems:
                self._problems.append(problem)
            if self._args.strict:
                self.finish()

    def finish(self) -> None:
        """Prints the problems, writes them to --rejects, and raises InputError with --strict."""
        report(self._problems, self._faults, self._args, self._out)


def details(args: argparse.Namespace) -> int | None:
    """Returns how many problems of one kind to keep; None for all, if a file lists them."""
    return None if args.rejects or getattr(args, "dropped", None) else MAX_PROBLEMS_PER_FAULT


def report(problems: Sequence[Problem], faults: Mapping[str, int], args: argparse.Namespace, out: Outputs) -> None:
    """Prints input problems, writes them to --rejects, and raises InputError with --strict.

    `faults` counts all problems by kind, including those that were not kept.
    """
    note_losses(args, faults)
    if args.strict or not args.quiet:
        print_problems(problems, faults, args.strict)
    else:
        _print_rejected(problems, faults)
    if args.rejects:
        rows = (
            {"file": p.file, "line": p.line, "fault": p.fault, "detail": p.detail, "kept": p.kept} for p in problems
        )
        out.add(args.rejects, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode())
    if args.strict and problems:
        out.commit()
        raise InputError("stopped at the first bad input", "run without --strict to continue with the rest")


def _print_rejected(problems: Sequence[Problem], faults: Mapping[str, int]) -> None:
    """Prints the number of rejected records by kind, for runs that print no messages about single inputs."""
    doubts = {problem.fault for problem in problems if problem.kept}
    rejected = {fault: number for fault, number in sorted(faults.items()) if fault not in (*doubts, *LOSSES)}
    if rejected:
        counted = ", ".join(f"{number:,} × {fault}" for fault, number in rejected.items())
        print(f"samestory: {count(sum(rejected.values()), 'record')} rejected: {counted}", file=sys.stderr)


def print_problems(problems: Sequence[Problem], faults: Mapping[str, int], strict: bool) -> None:
    """Prints one message per problem, up to a limit, and counts the rest by kind."""
    printed = problems[: 1 if strict else MAX_MESSAGES]
    for problem in printed:
        print(f"samestory: {problem}", file=sys.stderr)
    rest = Counter(faults)
    rest.subtract(problem.fault for problem in printed)
    counted = ", ".join(f"{count} × {fault}" for fault, count in sorted(rest.items()) if count)
    if not strict and counted:
        print(f"samestory: … and {counted} (write all of them with --rejects FILE)", file=sys.stderr)
