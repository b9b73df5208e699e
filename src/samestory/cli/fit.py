"""samestory fit: counts the document frequency of words or shingles, as a table for detectors."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from functools import reduce
from operator import add
from typing import Any

from samestory.cli.inputs import add_as_is, add_care, add_inputs, check_files, fields
from samestory.cli.progress import progress
from samestory.cli.rejected import details, report
from samestory.errors import InputError, ParameterError
from samestory.output import Outputs
from samestory.run import Run
from samestory.text import Counter, Counting, Frequencies, ShingleCounter, ShingleCounts

HELP = "Count in how many articles each word occurs, as a table for detectors that weigh words."
EXAMPLE = "samestory fit archive.jsonl.zst -o news.idf"

#: Maximum words of a shingle, as in detectors.
MAX_SHINGLE_WORDS = 100


def arguments(command: argparse.ArgumentParser) -> None:
    """Adds the options of the command."""
    add_inputs(command)
    add_as_is(command)
    command.add_argument("--letters", action="store_true", help="also count runs of five letters (for koala)")
    command.add_argument(
        "--shingles", type=int, metavar="N", help="count shingles of N words instead, for cedar(frequent=…)"
    )
    command.add_argument("--add", action="append", default=[], metavar="TABLE", help="add the counts of this table")
    command.add_argument(
        "--threads", type=int, default=0, metavar="N", help="number of threads (default: all processors)"
    )
    add_care(command)


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    if not args.output:
        raise ParameterError("-o: specify the file of the table, as in -o news.idf")
    check_files(args, args.files)
    counter: Counting
    load: Callable[[str], Any]
    if args.shingles is None:
        counter, load = Counter("words", "stems", *(("letters",) if args.letters else ())), Frequencies.load
    elif 1 <= args.shingles <= MAX_SHINGLE_WORDS:
        counter, load = ShingleCounter(args.shingles), ShingleCounts.load
    else:
        raise ParameterError(f"--shingles: expected 1 to {MAX_SHINGLE_WORDS} words, got {args.shingles}")
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
