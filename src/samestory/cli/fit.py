"""samestory fit: in how many articles of a collection every word (or run of words) stands, as a table for detectors."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from functools import reduce
from operator import add
from typing import Any

from samestory.cli.inputs import add_as_is, add_care, add_inputs, check_files, details, fields, report
from samestory.cli.progress import progress
from samestory.errors import InputError, ParameterError
from samestory.jobs import Run
from samestory.output import Outputs
from samestory.text import Counter, Counting, Frequencies, ShingleCounter, ShingleCounts

HELP = "Count in how many articles every word stands; detectors that weigh words take the table."
EXAMPLE = "samestory fit archive.jsonl.zst -o news.idf"

#: Words in a run at most, as in detectors.
LONGEST = 100


def arguments(command: argparse.ArgumentParser) -> None:
    """The options of this command."""
    add_inputs(command)
    add_as_is(command)
    command.add_argument("--letters", action="store_true", help="count runs of five letters too (for koala)")
    command.add_argument(
        "--shingles", type=int, metavar="N", help="count runs of N words instead, for cedar(frequent=…)"
    )
    command.add_argument("--add", action="append", default=[], metavar="TABLE", help="add the counts of this table")
    command.add_argument("--threads", type=int, default=0, metavar="N", help="use so many threads (default: all)")
    add_care(command)


def run(args: argparse.Namespace) -> int:
    """Runs it."""
    if not args.output:
        raise ParameterError("-o: the file of the table is wanted, as in -o news.idf")
    check_files(args, args.files)
    counter: Counting
    load: Callable[[str], Any]
    if args.shingles is None:
        counter, load = Counter("words", "stems", *(("letters",) if args.letters else ())), Frequencies.load
    elif 1 <= args.shingles <= LONGEST:
        counter, load = ShingleCounter(args.shingles), ShingleCounts.load
    else:
        raise ParameterError(f"--shingles: from 1 to {LONGEST} words make a run, got {args.shingles}")
    added = [load(path) for path in args.add]
    with Outputs() as out:
        with progress(args.files, args.quiet) as tick:
            work = Run(
                counter,
                threads=args.threads,
                largest=args.largest,
                strict=args.strict,
                details=details(args),
                fields=fields(args),
                progress=tick,
                stage="counting",
                as_is=args.as_is,
            )
            for path in args.files:
                work.read(path, args.format, args.encoding)
        report(work.problems(), work.faults(), args, out)
        table = reduce(add, added, counter.counts())
        if not table.articles:
            raise InputError("no articles to count")
        out.add(args.output, bytes(table))
        out.commit()
    if not args.quiet:
        print(f"counted {table.articles:,} articles: {_sizes(table)}", file=sys.stderr)
    return 0


def _sizes(table: Frequencies | ShingleCounts) -> str:
    if isinstance(table, ShingleCounts):
        return f"{len(table):,} runs of {table.shingle} words"
    return ", ".join(f"{count:,} {section}" for section, count in table.sizes.items() if count)
