"""samestory relate: reports the related pairs of articles in files."""

from __future__ import annotations

import argparse
import sys

from samestory.cli.by_day import add_by_day, run_by_day
from samestory.cli.inputs import add_work, check, read_all
from samestory.cli.progress import progress
from samestory.cli.result_files import RELATION_COLUMNS, check_result, formatted
from samestory.cli.summary import summarise
from samestory.jobs import check_max_relations
from samestory.output import Outputs

HELP = "Relate articles: one JSON line for every pair that is related."
EXAMPLE = "samestory relate news.jsonl -d 'reuse(threshold=0.7)' > relations.jsonl"


def arguments(command: argparse.ArgumentParser) -> None:
    """Adds the options of the command."""
    add_work(command)
    add_by_day(command)
    command.add_argument(
        "--max-relations",
        type=int,
        metavar="N",
        help="keep the N strongest relations of each article to earlier ones, evenly by source (default: all)",
    )


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    check(args)
    check_result("--output", args.output)
    if args.max_relations is not None:
        check_max_relations("--max-relations", args.max_relations)
    if args.by_day:
        return _run_by_day(args)
    with Outputs() as out:
        with progress([*args.against, *args.files], args.quiet) as tick:
            work = read_all(args, tick, out)
            found = work.relations(args.max_relations)
        lines = work.corpus.lines(found, detector=str(work.detector))
        out.deliver(formatted(lines, args.output, RELATION_COLUMNS), args.output)
        out.commit()
    if not args.quiet:
        print(summarise(work.summary, grouped=False), file=sys.stderr)
    return 0


def _run_by_day(args: argparse.Namespace) -> int:
    with Outputs() as out:
        with progress([*args.against, *args.files], args.quiet) as tick:
            results = run_by_day(args, out, tick, None, relations=True)
        out.deliver(formatted(results.relation_lines, args.output, RELATION_COLUMNS), args.output)
        out.commit()
    if not args.quiet:
        print(summarise(results.summary, grouped=False), file=sys.stderr)
        print(results.summary_text, file=sys.stderr)
    return 0
