"""samestory find: groups articles in files that are the same story; the main command."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterable
from pathlib import Path

from samestory.cli.by_day import TableRow, add_by_day, run_by_day, table_rows
from samestory.cli.inputs import add_work, check, read_all
from samestory.cli.on_spark import add_spark, check_spark, check_without, find_on_spark
from samestory.cli.progress import progress
from samestory.cli.result_files import GROUP_COLUMNS, RELATION_COLUMNS, check_result, formatted
from samestory.cli.summary import summarise
from samestory.detectors import parse
from samestory.errors import ParameterError
from samestory.groups import METHODS, REPRESENTATIVES, Decisions, GroupingOptions
from samestory.model import Kind
from samestory.output import Outputs, printable
from samestory.run import Summary

HELP = "Find groups of articles that are the same story."
EXAMPLE = "samestory find today.jsonl --against archive.jsonl.zst --relations relations.jsonl > groups.jsonl"


def add_join_parts(command: argparse._ActionsContainer) -> None:
    """Adds the option for articles that are part of others."""
    command.add_argument(
        "--join-parts",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="put an article into the group of the one that contains it (default: yes)",
    )


def add_grouping_arguments(command: argparse.ArgumentParser, also: str = "") -> None:
    """Adds the grouping options; `also` is appended to the default in the help."""
    grouping = command.add_argument_group("groups")
    grouping.add_argument(
        "--grouping",
        choices=METHODS,
        default="star",
        help=f"grouping method (default: that of the detector, mostly star{also})",
    )
    grouping.add_argument(
        "--representative", choices=REPRESENTATIVES, default="longest", help="the member that represents a group"
    )
    grouping.add_argument(
        "--prefer",
        action="append",
        default=[],
        metavar="SOURCE",
        help="source whose articles represent their groups if possible; can be repeated",
    )
    add_join_parts(grouping)
    grouping.add_argument(
        "--decisions", metavar="FILE", help="manual decisions about pairs, made with samestory decide"
    )
    grouping.add_argument(
        "--min-size", type=int, default=1, metavar="N", help="leave out groups with fewer members (default: 1)"
    )


def grouping_options(args: argparse.Namespace) -> GroupingOptions:
    """Builds the grouping options from the arguments."""
    if args.min_size < 1:
        raise ParameterError(f"--min-size: expected at least 1, got {args.min_size}")
    if args.decisions and not Path(args.decisions).exists():
        raise ParameterError(
            f"--decisions: {args.decisions}: no such file",
            f'"samestory decide {args.decisions} same ID ID" creates it with a first decision; an empty file is valid',
        )
    decisions = Decisions.load(args.decisions) if args.decisions else Decisions()
    return GroupingOptions(args.grouping, args.representative, tuple(args.prefer), args.join_parts, decisions)


#: Default detector and grouping for articles (None: the grouping of the detector), for pages (those of the page study)
#: and for events.
ARTICLES = ("reuse", None)
PAGES = ("cedar", "components")
EVENTS = ("event", None)


def arguments(command: argparse.ArgumentParser) -> None:
    """Adds the options of the command."""
    add_work(command, f"; of pages {PAGES[0]}, of events {EVENTS[0]}")
    add_grouping_arguments(command, f"; of pages {PAGES[1]}, of events majority")
    add_by_day(command)
    command.set_defaults(detector=None, grouping=None)  # they depend on what is read
    command.add_argument(
        "--pages",
        action="store_true",
        help="the files are web pages: HTML, folders of it, WARC, ZIP; their content is extracted first",
    )
    command.add_argument(
        "-e",
        "--extractor",
        metavar="SPEC",
        help="content extractor for pages, as in samestory extract",
    )
    command.add_argument(
        "--events",
        action="store_true",
        help="group reports of one event, not only copies; each group is written with a headline and keywords",
    )
    command.add_argument("--relations", metavar="FILE", help="also write all relations to this file, as JSON lines")
    command.add_argument("--table", action="store_true", help="print a table instead of JSON lines")
    command.add_argument("--stages", metavar="FILE", help="write the seconds per stage to this file, as JSON")
    add_spark(command)


def _check_pages(args: argparse.Namespace) -> None:
    """Rejects article options with --pages, and page options without it."""
    if args.pages:
        for option in ("field", "format", "encoding"):
            if getattr(args, option):
                raise ParameterError(f"--{option}: cannot be used with --pages")
    elif args.extractor:
        raise ParameterError("--extractor: requires --pages")


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    _check_pages(args)
    if args.events and args.detector and Kind.SAME_EVENT not in parse(args.detector).reports:
        raise ParameterError(
            f"--events: expected an event detector, got {args.detector}",
            f"leave out -d (--events chooses {EVENTS[0]}), or leave out --events",
        )
    detector, grouping = EVENTS if args.events else PAGES if args.pages else ARTICLES
    args.detector = args.detector or detector
    args.grouping = args.grouping or grouping or parse(args.detector).grouping
    chosen = grouping_options(args)
    check(args)
    check_result("--output", None if args.table else args.output)
    check_result("--relations", args.relations)
    if args.spark:
        check_spark(args)
        return find_on_spark(args, chosen)
    check_without(args)
    if args.by_day:
        return _run_by_day(args, chosen)
    skipped = ""
    with Outputs() as out:
        with progress(None if args.pages else [*args.against, *args.files], args.quiet) as tick:
            if args.pages:
                # importing the page reader is slow, and most inputs are not pages
                from samestory.cli.pages import read_pages

                job, extraction = read_pages(args, tick, out, titles=args.table or args.events)
                skipped = extraction.skipped_summary()
            else:
                job = read_all(args, tick, out, titles=args.table or args.events)
            if args.relations:
                lines = job.corpus.lines(job.relations(), detector=str(job.detector))
                out.add(args.relations, formatted(lines, args.relations, RELATION_COLUMNS))
            groups = job.groups(chosen)
        start = time.perf_counter()
        if args.table:
            least = max(args.min_size, 2)
            labels = job.corpus.lines(groups, least=least, labels=True) if args.events else b""
            out.deliver(_table(table_rows(job, groups, least), labels), args.output)
        else:
            lines = job.corpus.lines(groups, least=args.min_size, labels=args.events)
            out.deliver(formatted(lines, args.output, GROUP_COLUMNS), args.output)
        job.summary.seconds["write"] = time.perf_counter() - start
        _stages(args, out, job.summary)
        out.commit()
    if not args.quiet:
        print(summarise(job.summary, grouped=True, pages=args.pages) + skipped, file=sys.stderr)
    return 0


def _run_by_day(args: argparse.Namespace, chosen: GroupingOptions) -> int:
    """Runs the command for every day."""
    with Outputs() as out:
        with progress([*args.against, *args.files], args.quiet) as tick:
            results = run_by_day(args, out, tick, chosen, relations=bool(args.relations))
        if args.relations:
            out.add(args.relations, formatted(results.relation_lines, args.relations, RELATION_COLUMNS))
        labels = results.group_lines if args.events else b""
        if args.table:
            out.deliver(_table(results.rows, labels), args.output)
        else:
            out.deliver(formatted(results.group_lines, args.output, GROUP_COLUMNS), args.output)
        _stages(args, out, results.summary)
        out.commit()
    if not args.quiet:
        print(summarise(results.summary, grouped=True), file=sys.stderr)
        print(results.summary_text, file=sys.stderr)
    return 0


def _stages(args: argparse.Namespace, out: Outputs, summary: Summary) -> None:
    if args.stages:
        seconds = {name: round(s, 4) for name, s in summary.seconds.items()}
        out.add(args.stages, (json.dumps(seconds) + "\n").encode())


def _label(line: bytes) -> str:
    """Formats the label of a group from its JSON line: headline and keywords."""
    about = json.loads(line)
    return f"{about['headline'] or ''} ({', '.join(about['words'])})".removesuffix(" ()").strip()


def _table(rows: Iterable[TableRow], label_lines: bytes = b"") -> bytes:
    """Formats groups as a table; groups of events have their label above the articles."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table("group", "kind", "share", box=None, pad_edge=False)
    table.add_column("articles (* is the representative)", overflow="fold")
    labels = [_label(line) for line in label_lines.splitlines()]
    for number, (kind, share, forced, members) in enumerate(rows, 1):
        relation = (f"{kind}{' (decided)' if forced else ''}", f"{share:.2f}") if kind else ("decided", "")
        first = (str(number), *relation)
        if labels:
            table.add_row(*first, Text(printable(labels[number - 1])))
            first = ("", "", "")
        for place, (id, title) in enumerate(members):
            name = Text(printable(f"{' ' if place else '*'} {id}  {title}".rstrip()))
            table.add_row(*(("", "", "") if place else first), name)
    console = Console(highlight=False, width=None if sys.stdout.isatty() else 120)
    with console.capture() as printed:
        console.print(table)
    return printed.get().encode()
