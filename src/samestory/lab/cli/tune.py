"""samestory tune: chooses the parameters of a detector on one half of the gold and reports on the other."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence

from samestory.detectors import Detector, parse
from samestory.errors import ParameterError
from samestory.lab.cli.evaluate import add_gold, figures_table, gold_of, sources
from samestory.output import write_out

HELP = "Choose a detector's parameters on one half of the gold and report on the other."
EXAMPLE = (
    "samestory tune --gold pairs.jsonl --docs news.jsonl -d reuse --over threshold=0.1:0.9:0.05 --over shingle=2,3"
)


def arguments(command: argparse.ArgumentParser) -> None:
    """Adds the options of the command."""
    add_gold(command)
    command.add_argument("-d", "--detector", default="reuse", metavar="SPEC", help="the detector to tune (reuse)")
    command.add_argument(
        "--over",
        action="append",
        default=[],
        metavar="PARAMETER=VALUES",
        help="values to try: threshold=0.1:0.9:0.05 or shingle=2,3,4; can be repeated (default: the threshold)",
    )
    command.add_argument(
        "-m", "--measure", metavar="SPEC", help="measure to maximise (default: the main measure for the gold)"
    )
    command.add_argument("--seed", type=int, default=0, metavar="N", help="random seed of the split (0)")
    command.add_argument("--json", action="store_true", help="JSON lines instead of a table")


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    from samestory.lab.evaluation import sweep, tune

    detector = parse(args.detector)
    if not args.over and not hasattr(detector, "threshold"):
        raise ParameterError(f"{detector.name}: has no threshold", "specify a parameter with --over")
    over = [sweep(text) for text in args.over or ["threshold=0.05:0.95:0.05"]]
    names = [name for name, _ in over]
    if len(set(names)) < len(names):
        raise ParameterError("--over: a parameter is specified twice")
    gold = gold_of(args)
    found = tune(
        gold,
        detector,
        sources(args),
        over,
        args.measure,
        args.grouping,
        args.seed,
        args.rounds,
        _progress(len(over) > 1),
    )
    if args.json:
        rows = [
            {
                "detector": str(found.detector),
                "measure": found.measure,
                "chosen_on": found.chosen_on,
                "reported_on": found.reported_on,
                "across": found.across,
                "figures": {f.measure: f.to_dict() for f in found.chosen.figures},
                "before": {f.measure: f.to_dict() for f in found.before.figures},
                "difference": found.difference and found.difference.to_dict(),
            },
            *({"trial": str(trial.detector), found.measure: trial.value} for trial in found.trials),
        ]
        write_out("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode())
        return 0
    write_out(figures_table([found.chosen, found.before], [f.measure for f in found.chosen.figures]).encode())
    differs = found.difference
    lines = [
        f"{len(found.trials)} settings tried on {found.chosen_on:,} judgements, reported on {found.reported_on:,} more"
        + (f"; {found.across:,} span both halves and are excluded" if found.across else ""),
        f"not measured: {gold.bias}",
    ]
    if edge := _at_the_edge(found.detector, over):
        lines.append(f"note: {edge} is the last value tried; the optimum may lie beyond it")
    notes = dict.fromkeys(f.note for result in (found.chosen, found.before) for f in result.figures if f.note)
    lines += [f"note: {note}" for note in notes]
    if differs and differs.value is not None and differs.low is not None and differs.p is not None:
        lines.append(
            f"chosen − before: {differs.measure} {differs.value:+.4f} [{differs.low:+.4f}, {differs.high:+.4f}], "
            f"p = {differs.p:.3g}"
        )
    print("\n".join(lines), file=sys.stderr)
    return 0


def _at_the_edge(detector: Detector, over: Sequence[tuple[str, Sequence[float]]]) -> str | None:
    """Returns the first parameter whose chosen value is the lowest or highest tried."""
    for name, values in over:
        if len(values) > 1 and getattr(detector, name) in (min(values), max(values)):
            return f"{name}={getattr(detector, name):g}"
    return None


def _progress(has_grid: bool) -> Callable[[int, int], None] | None:
    """Returns a function that prints the progress on a terminal, for more than one parameter."""
    if not has_grid or not sys.stderr.isatty():
        return None
    return lambda done, total: print(f"\rsetting {done + 1} of {total}", end="", file=sys.stderr)
