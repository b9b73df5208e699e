"""samestory find: files of news to groups of duplicates; the main job."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

from samestory.cli.inputs import add_work, check, read_all
from samestory.cli.output import summarise
from samestory.cli.pages import add_extractor, check_pages, read_pages
from samestory.cli.progress import progress
from samestory.errors import ParameterError
from samestory.groups import METHODS, POLICIES, Choice, Decisions
from samestory.jobs import Run
from samestory.output import Outputs, printable

HELP = "Find groups of articles that are the same story."
EXAMPLE = "samestory find today.jsonl --against archive.jsonl.zst --relations relations.jsonl > groups.jsonl"


def add_choice(command: argparse.ArgumentParser, also: str = "") -> None:
    """The options about groups; `also` says what else the default may be."""
    grouping = command.add_argument_group("groups")
    grouping.add_argument(
        "--grouping", choices=METHODS, default="star", help=f"how groups are made (default: star{also})"
    )
    grouping.add_argument(
        "--representative", choices=POLICIES, default="longest", help="which member stands for a group"
    )
    grouping.add_argument(
        "--prefer", action="append", default=[], metavar="SOURCE", help="let this source stand for its groups first"
    )
    grouping.add_argument("--join-parts", action="store_true", help="put parts into the groups of their wholes")
    grouping.add_argument(
        "--decisions", metavar="FILE", help="what people decided about pairs (made by samestory decide)"
    )
    grouping.add_argument(
        "--min-size", type=int, default=1, metavar="N", help="leave out groups with fewer members (default: 1)"
    )


def choice(args: argparse.Namespace) -> Choice:
    """The choice that the options make."""
    if args.min_size < 1:
        raise ParameterError(f"--min-size: at least 1 is wanted, got {args.min_size}")
    if args.decisions and not Path(args.decisions).exists():
        raise ParameterError(
            f"--decisions: {args.decisions}: no such file",
            f'"samestory decide {args.decisions} same ID ID" makes it with a first decision; an empty file holds none',
        )
    decisions = Decisions.load(args.decisions) if args.decisions else Decisions()
    return Choice(args.grouping, args.representative, tuple(args.prefer), args.join_parts, decisions)


#: Detector and grouping where nobody names them: of articles; and of pages, those of the study of pages.
ARTICLES = ("reuse", "star")
PAGES = ("cedar", "components")


def arguments(command: argparse.ArgumentParser) -> None:
    """The options of this command."""
    add_work(command, f"; of pages {PAGES[0]}")
    add_choice(command, f"; of pages {PAGES[1]}")
    command.set_defaults(detector=None, grouping=None)  # they depend on what is read
    command.add_argument(
        "--pages",
        action="store_true",
        help="the files are web pages: HTML, folders of it, WARC, ZIP; their content is extracted first",
    )
    add_extractor(command)
    command.add_argument("--relations", metavar="FILE", help="also write every relation here, as JSON lines")
    command.add_argument("--table", action="store_true", help="a table for people instead of JSON lines")
    command.add_argument("--stages", metavar="FILE", help="write seconds by stage here, as JSON")


def run(args: argparse.Namespace) -> int:
    """Runs it."""
    check_pages(args)
    detector, grouping = PAGES if args.pages else ARTICLES
    args.detector, args.grouping = args.detector or detector, args.grouping or grouping
    chosen = choice(args)
    check(args)
    passed = ""
    with Outputs() as out:
        with progress(None if args.pages else [*args.against, *args.files], args.quiet) as tick:
            if args.pages:
                work, extraction = read_pages(args, tick, out, titles=args.table)
                passed = extraction.others()
            else:
                work = read_all(args, tick, out, titles=args.table)
            if args.relations:
                out.add(args.relations, work.corpus.relation_lines(work.relations(), str(work.detector)))
            groups = work.groups(chosen)
        start = time.perf_counter()
        if args.table:
            out.deliver(_table(work, groups.rows(max(args.min_size, 2))), args.output)
        else:
            out.deliver(work.corpus.group_lines(groups, args.min_size), args.output)
        work.summary.seconds["write"] = time.perf_counter() - start
        if args.stages:
            seconds = {name: round(s, 4) for name, s in work.summary.seconds.items()}
            out.add(args.stages, (json.dumps(seconds) + "\n").encode())
        out.commit()
    if not args.quiet:
        print(summarise(work.summary, grouped=True) + passed, file=sys.stderr)
    return 0


def _table(work: Run, rows: list[tuple[Any, ...]]) -> bytes:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table("group", "kind", "share", box=None, pad_edge=False)
    table.add_column("articles (* stands for the group)", overflow="fold")
    for number, (representative, members, weakest, _, forced) in enumerate(rows, 1):
        kind = f"{weakest[2]}{' (decided)' if forced else ''}" if weakest else "decided"
        share = f"{max(weakest[3], weakest[4]):.2f}" if weakest else ""
        for place, member in enumerate(members):
            mark = "*" if member == representative else " "
            name = Text(printable(f"{mark} {work.corpus.id(member)}  {work.corpus.title(member)}".rstrip()))
            table.add_row(*((str(number), kind, share) if place == 0 else ("", "", "")), name)
    console = Console(highlight=False, width=None if sys.stdout.isatty() else 120)
    with console.capture() as printed:
        console.print(table)
    return printed.get().encode()
