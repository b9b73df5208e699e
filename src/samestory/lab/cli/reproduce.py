"""samestory reproduce: runs published experiments by name and prints published and measured values."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from samestory.errors import ParameterError
from samestory.lab.cli.evaluate import add_gold, gold_of, sources
from samestory.output import printable, write_out

if TYPE_CHECKING:
    from samestory.lab.experiments import Experiment, ExperimentInput, ReportRow

HELP = "Run a published experiment on your articles, or recompute it from its printed tables."
EXAMPLE = "samestory reproduce V8 --docs news.jsonl --gold pairs.jsonl --relation contains"

#: Width of tables that are not printed to a terminal, so that lines are not wrapped.
UNWRAPPED_WIDTH = 1000


def arguments(command: argparse.ArgumentParser) -> None:
    """Adds the options of the command."""
    command.add_argument("name", nargs="?", metavar="NAME", help="the experiment: U1 … F7, X1, X2 (see --list)")
    command.add_argument(
        "--list", action="store_true", help="list all experiments, their published values and what is missing"
    )
    add_gold(command, required=False)
    command.add_argument(
        "--split", metavar="FIELD", help="gold field with the test set of each article (category, day)"
    )
    command.add_argument(
        "-d",
        "--detector",
        action="append",
        default=[],
        metavar="SPEC",
        help="detectors to compare with those of the study (reuse, minhash, exact)",
    )
    command.add_argument("--json", action="store_true", help="JSON lines instead of a table")


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    from samestory.lab.experiments import EXPERIMENTS, about, experiment, reproduce

    if args.list:
        write_out((_list_lines if args.json else _list_table)(list(EXPERIMENTS.values())).encode())
        return 0
    if args.name is None:
        raise ParameterError("no experiment specified", "samestory reproduce --list shows them all")
    wanted = experiment(args.name)
    with _steps() as show_step:
        collection = _collection(args, wanted, show_step)
        rows = reproduce(wanted.name, collection)
    notes = about(wanted, collection, rows)
    write_out((_lines(wanted, rows, notes) if args.json else _table(rows)).encode())
    if not args.json:
        used = {"docs": wanted.docs != "no", "gold": wanted.gold != "no", "split": wanted.sets}
        notes += [
            f"--{option} is not used by {wanted.name}" for option in used if getattr(args, option) and not used[option]
        ]
        print("\n".join([f"{wanted.name}: {wanted.title} ({wanted.source})", *notes]), file=sys.stderr)
    return 0


def _collection(args: argparse.Namespace, wanted: Experiment, show_step: Callable[[str], None]) -> ExperimentInput:
    from samestory.detectors import parse
    from samestory.lab.experiments import DEFAULT_BASELINES, ExperimentInput

    return ExperimentInput(
        sources=sources(args) if args.docs and wanted.docs != "no" else (),
        gold=gold_of(args) if args.gold and wanted.gold != "no" else None,
        split=args.split,
        baselines=[str(parse(spec)) for spec in args.detector] or DEFAULT_BASELINES,
        grouping=args.grouping,
        rounds=args.rounds,
        progress=show_step,
    )


@contextmanager
def _steps() -> Iterator[Callable[[str], None]]:
    """Yields a function that shows the current step on a terminal."""
    if not sys.stderr.isatty():
        yield lambda step: None
        return
    from rich.console import Console
    from rich.text import Text

    with Console(stderr=True).status("") as status:
        yield lambda step: status.update(Text(printable(step)))


def _print(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(*header, box=None, pad_edge=False)
    for row in rows:
        table.add_row(*(Text(printable(cell)) for cell in row))
    console = Console(highlight=False, width=None if sys.stdout.isatty() else UNWRAPPED_WIDTH)
    with console.capture() as printed:
        console.print(table)
    return "\n".join(line.rstrip() for line in printed.get().splitlines()) + "\n"


def _table(rows: Sequence[ReportRow]) -> str:
    from samestory.lab.experiments.values import number

    cells = [(row.what, number(row.published), row.shown, row.basis, row.note) for row in rows]
    return _print(("", "published", "measured", "from", "note"), cells)


def _lines(wanted: Experiment, rows: Sequence[ReportRow], notes: Sequence[str]) -> str:
    """Formats a line for the experiment, then one per row."""
    head = {"experiment": wanted.name, "title": wanted.title, "source": wanted.source, "notes": notes}
    return _json([head, *(row.to_dict() for row in rows)])


def _list_table(experiments: Sequence[Experiment]) -> str:
    cells = [(e.name, e.title, e.source, e.key, e.state) for e in experiments]
    return _print(("name", "title", "source", "published", "state"), cells)


def _list_lines(experiments: Sequence[Experiment]) -> str:
    return _json(
        [
            {
                "experiment": e.name,
                "title": e.title,
                "source": e.source,
                "relation": e.relation,
                "key": e.key,
                "runs": e.run is not None,
                "wants": e.requirements,
                "missing": e.missing,
                "state": e.state,
                "published": [
                    {"what": v.what, "value": v.value, "unit": v.unit, "erratum": v.erratum} for v in e.published
                ],
            }
            for e in experiments
        ]
    )


def _json(rows: Sequence[dict[str, Any]]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
