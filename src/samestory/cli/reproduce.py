"""samestory reproduce: published experiments by name, what was published beside what comes out."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from samestory.cli.evaluate import add_gold, gold_of, sources
from samestory.errors import ParameterError
from samestory.output import printable, write_out

if TYPE_CHECKING:
    from samestory.experiments import Collection, Experiment, Row

HELP = "Run a published experiment on your articles, or compute it again from its printed tables."
EXAMPLE = "samestory reproduce V8 --docs news.jsonl --gold pairs.jsonl --relation contains"

#: Columns of a table that nobody watches: its lines are not folded.
UNFOLDED = 1000


def arguments(command: argparse.ArgumentParser) -> None:
    """The options of this command."""
    command.add_argument("name", nargs="?", metavar="NAME", help="of the experiment: U1 … F7, X1, X2 (see --list)")
    command.add_argument("--list", action="store_true", help="all experiments, what was published, what is missing")
    add_gold(command, required=False)
    command.add_argument("--split", metavar="FIELD", help="of the gold: the test set of every article (category, day)")
    command.add_argument(
        "-d",
        "--detector",
        action="append",
        default=[],
        metavar="SPEC",
        help="what to show beside the methods of the study (reuse, minhash, exact)",
    )
    command.add_argument("--json", action="store_true", help="JSON lines instead of a table")


def run(args: argparse.Namespace) -> int:
    """Runs it."""
    from samestory.experiments import EXPERIMENTS, about, experiment, reproduce

    if args.list:
        write_out((_list_lines if args.json else _list_table)(list(EXPERIMENTS.values())).encode())
        return 0
    if args.name is None:
        raise ParameterError("the name of an experiment is wanted", "samestory reproduce --list shows them all")
    wanted = experiment(args.name)
    with _steps() as tell:
        collection = _collection(args, wanted, tell)
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


def _collection(args: argparse.Namespace, wanted: Experiment, tell: Callable[[str], None]) -> Collection:
    from samestory.detectors import parse
    from samestory.experiments import BESIDE, Collection

    return Collection(
        sources=sources(args) if args.docs and wanted.docs != "no" else (),
        gold=gold_of(args) if args.gold and wanted.gold != "no" else None,
        split=args.split,
        beside=[str(parse(spec)) for spec in args.detector] or BESIDE,
        grouping=args.grouping,
        rounds=args.rounds,
        tell=tell,
    )


@contextmanager
def _steps() -> Iterator[Callable[[str], None]]:
    """Gives a function that shows what is being done, where somebody looks."""
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
    console = Console(highlight=False, width=None if sys.stdout.isatty() else UNFOLDED)
    with console.capture() as printed:
        console.print(table)
    return "\n".join(line.rstrip() for line in printed.get().splitlines()) + "\n"


def _table(rows: Sequence[Row]) -> str:
    from samestory.experiments.values import number

    cells = [(row.what, number(row.published), row.shown, row.basis, row.note) for row in rows]
    return _print(("", "published", "measured", "from", "note"), cells)


def _lines(wanted: Experiment, rows: Sequence[Row], notes: Sequence[str]) -> str:
    """A line for the experiment, then one for every row."""
    head = {"experiment": wanted.name, "title": wanted.title, "source": wanted.source, "notes": notes}
    return _json([head, *(row.as_dict() for row in rows)])


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
                "wants": e.wants,
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
