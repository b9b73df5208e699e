"""samestory evaluate: measures detectors, or results of other tools, against gold."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from samestory.cli.inputs import FORMATS, fields
from samestory.detectors import parse
from samestory.errors import ParameterError
from samestory.groups import METHODS
from samestory.output import printable, write_out
from samestory.readers import Source

if TYPE_CHECKING:
    from samestory.lab.evaluation import Evaluation, GoldGroups, GoldPairs, Result, ScoredRun

HELP = "Measure detectors against gold: figures with intervals, curves over thresholds, an HTML report."
EXAMPLE = "samestory evaluate --gold pairs.jsonl --docs news.jsonl -d reuse -d minhash --report report.html"

#: The thresholds of a report, if the user names none.
SWEEP = "threshold=0.05:0.95:0.05"


def add_gold(command: argparse.ArgumentParser, required: bool = True) -> None:
    """Adds the options for gold and its articles."""
    gold = command.add_argument_group("gold")
    gold.add_argument(
        "--gold", required=required, metavar="FILE", help="judged pairs (a, b, label) or groups (id, cluster)"
    )
    gold.add_argument(
        "--docs", action="append", required=required, metavar="FILE", help="the articles; can be repeated"
    )
    gold.add_argument("--relation", metavar="NAME", help="the relation to evaluate, if the gold has several or none")
    gold.add_argument("--protocol", metavar="NAME", help="how the gold was made: pool, difference, queries, events, …")
    gold.add_argument(
        "--positive", metavar="CONDITION", help="condition for a positive, instead of the label: 'orig>=0'"
    )
    gold.add_argument(
        "--leave-out",
        action="append",
        default=[],
        metavar="CONDITION",
        help="judgements to exclude: 'same:overlap3<0.1'",
    )
    gold.add_argument("--field", action="append", default=[], metavar="ROLE=NAME", help="as in samestory find")
    gold.add_argument("--format", choices=FORMATS, help="format of the articles (default: by file name)")
    gold.add_argument("--encoding", metavar="NAME", help="encoding of the articles, if not UTF-8")
    command.add_argument(
        "--grouping",
        choices=METHODS,
        help="grouping method for gold of groups (default: that of the detector, mostly star)",
    )
    command.add_argument("--rounds", type=int, default=1000, metavar="N", help="bootstrap rounds per interval (1000)")


def arguments(command: argparse.ArgumentParser) -> None:
    """Adds the options of the command."""
    add_gold(command)
    command.add_argument("-d", "--detector", action="append", default=[], metavar="SPEC", help="a detector to measure")
    command.add_argument(
        "--run", action="append", default=[], metavar="FILE", help="relations or groups from another tool"
    )
    command.add_argument(
        "-m", "--measure", action="append", default=[], metavar="SPEC", help="what to measure (samestory measures)"
    )
    command.add_argument(
        "--sweep",
        metavar="PARAMETER=FROM:TO:STEP",
        help=f"try these values of a parameter; one run for all thresholds (with --report: {SWEEP})",
    )
    command.add_argument(
        "--cost", type=float, default=1.0, metavar="N", help="cost of a false alarm relative to a miss (1)"
    )
    command.add_argument(
        "--share", default="0.07", metavar="P", help="share of duplicates assumed for costs, or 'gold' (0.07)"
    )
    command.add_argument(
        "--report", metavar="FILE", help="write a page with curves, slices and disagreements to this file"
    )
    command.add_argument("--json", action="store_true", help="JSON lines instead of a table")


def sources(args: argparse.Namespace) -> list[Source]:
    """Returns the sources of the articles."""
    own = fields(args)
    return [Source(path, own, args.format, args.encoding) for path in args.docs]


def gold_of(args: argparse.Namespace) -> GoldPairs | GoldGroups:
    """Reads the gold of the options."""
    from samestory.lab.evaluation import read_gold

    if args.rounds < 0:
        raise ParameterError(f"--rounds: expected 0 or more, got {args.rounds}")
    return read_gold(args.gold, args.relation, args.protocol, args.positive, args.leave_out)


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    from samestory.lab.evaluation import evaluate
    from samestory.lab.measures.c_dup import CDup

    if not args.detector and not args.run:
        raise ParameterError("nothing to measure: specify a detector (-d) or a file of relations or groups (--run)")
    if args.report:
        from samestory.lab.evaluation.report import check_report_paths

        check_report_paths(args.report, args.docs, [args.gold, *args.run])
    share = args.share if args.share == "gold" else _number("--share", args.share)
    cost = CDup(p=share, cost_false=args.cost)
    gold = gold_of(args)
    runs, thresholds = _runs(args)
    found = evaluate(gold, runs, args.measure, thresholds, args.grouping, cost, args.rounds)
    if args.report:
        from samestory.lab.evaluation.report import write_report

        write_report(args.report, found, sources(args))
    write_out((_lines(found) if args.json else _table(found)).encode())
    if not args.json:
        print(about(found), file=sys.stderr)
    return 0


def _number(option: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ParameterError(f"{option}: expected a number, got {text!r}") from None


def _runs(args: argparse.Namespace) -> tuple[list[ScoredRun], Sequence[float]]:
    """Scores every detector, once each if only thresholds vary."""
    from samestory.lab.evaluation import read_run, score, sweep, variants

    text = args.sweep or (SWEEP if args.report else None)
    name, values = sweep(text) if text else ("threshold", [])
    detectors = [parse(spec) for spec in args.detector]
    if name != "threshold":
        detectors = [variant for detector in detectors for variant in variants(detector, name, values)]
        values = []
    elif args.sweep:
        for detector in detectors:
            if hasattr(detector, "threshold"):
                variants(detector, name, values)  # raises ParameterError for invalid values
    places = sources(args)
    out = [score(detector, places, min(values, default=None)) for detector in detectors]
    if args.run:
        ids = out[0].ids if out else score(parse("exact"), places).ids
        out += [read_run(path, ids) for path in args.run]
    return out, values


def about(found: Evaluation) -> str:
    """Describes the gold, notes and differences behind the figures."""
    gold = found.gold
    lines = [f"{len(gold):,} judged: {gold.meaning.name} ({gold.meaning.definition})"]
    if gold.left_out:
        lines.append("left out: " + ", ".join(f"{count:,} × {what}" for what, count in gold.left_out.items()))
    lines.append(f"protocol: {gold.protocol}; not measured: {gold.bias}")
    notes = dict.fromkeys(f.note for r in found.results for f in r.figures if f.note)
    lines += [f"note: {note}" for note in notes]
    for name, first, differs in found.differences:
        if differs.value is not None and differs.low is not None and differs.p is not None:
            lines.append(
                f"{name} − {first}: {differs.measure} {differs.value:+.4f} [{differs.low:+.4f}, {differs.high:+.4f}], "
                f"p = {differs.p:.3g}"
            )
    if any(r.chosen == "best" for r in found.results):
        lines.append(
            "best and cheapest thresholds were chosen on these same judgements; samestory tune chooses on held-out ones"
        )
    return "\n".join(lines)


def _result(result: Result) -> dict[str, Any]:
    return {
        "detector": result.detector,
        "threshold": result.threshold,
        "chosen": result.chosen,
        "figures": {f.measure: f.to_dict() for f in result.figures},
        "unjudged": result.unjudged,
        "seconds": result.seconds and round(result.seconds, 4),
    }


def _lines(found: Evaluation) -> str:
    """Formats a line for the gold, then one per result, curve and difference."""
    gold = found.gold
    rows: list[dict[str, Any]] = [
        {
            "gold": gold.path,
            "relation": gold.meaning.name,
            "judged": len(gold),
            "left_out": gold.left_out,
            "protocol": gold.protocol,
            "not_seen": gold.bias,
        }
    ]
    rows += [_result(result) for result in found.results]
    rows += [
        {"detector": c.detector, "curve": c.measure, "thresholds": c.thresholds, "values": c.values}
        for c in found.curves
    ]
    rows += [{"detector": name, "against": first, "difference": d.to_dict()} for name, first, d in found.differences]
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _table(found: Evaluation) -> str:
    return figures_table(found.results, [str(measure) for measure in found.measures])


def figures_table(results: Sequence[Result], measures: Sequence[str]) -> str:
    """Formats results as a table."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table("detector", "threshold", *measures, "unjudged", "seconds", box=None, pad_edge=False)
    for result in results:
        at = "" if result.threshold is None else f"{result.threshold:g} {result.chosen}"
        seconds = "" if result.seconds is None else f"{result.seconds:.2f}"
        figures = [str(f) for f in result.figures]
        table.add_row(Text(printable(result.detector)), at, *figures, f"{result.unjudged:,}", seconds)
    console = Console(highlight=False, width=None if sys.stdout.isatty() else 240)
    with console.capture() as printed:
        console.print(table)
    return "\n".join(line.rstrip() for line in printed.get().splitlines()) + "\n"
