"""samestory find: files of news to groups of duplicates; the main job."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from samestory.cli.corpora import Worked, add_by_day, group_lines, in_memory, relation_lines, work
from samestory.cli.inputs import add_work, check, read_all
from samestory.cli.on_spark import add_spark, check_spark, check_without, find_on_spark
from samestory.cli.output import summarise
from samestory.cli.progress import progress
from samestory.detectors import parse
from samestory.errors import ParameterError
from samestory.groups import METHODS, POLICIES, Choice, Decisions
from samestory.jobs import Run, Summary
from samestory.model import Kind
from samestory.output import Outputs, printable

HELP = "Find groups of articles that are the same story."
EXAMPLE = "samestory find today.jsonl --against archive.jsonl.zst --relations relations.jsonl > groups.jsonl"


def add_choice(command: argparse.ArgumentParser, also: str = "") -> None:
    """The options about groups; `also` says what else the default may be."""
    grouping = command.add_argument_group("groups")
    grouping.add_argument(
        "--grouping",
        choices=METHODS,
        default="star",
        help=f"how groups are made (default: that of the detector, mostly star{also})",
    )
    grouping.add_argument(
        "--representative", choices=POLICIES, default="longest", help="which member stands for a group"
    )
    grouping.add_argument(
        "--prefer", action="append", default=[], metavar="SOURCE", help="let this source stand for its groups first"
    )
    grouping.add_argument(
        "--join-parts",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="put an article into the group of the one that contains it (default: yes)",
    )
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


#: Detector and grouping where nobody names them: of articles (None: the grouping of the detector); and of pages, those
#: of the study of pages.
ARTICLES = ("reuse", None)
PAGES = ("cedar", "components")
EVENTS = ("event", None)


def arguments(command: argparse.ArgumentParser) -> None:
    """The options of this command."""
    add_work(command, f"; of pages {PAGES[0]}, of events {EVENTS[0]}")
    add_choice(command, f"; of pages {PAGES[1]}, of events majority")
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
        help="how the content of pages is told from the rest, as in samestory extract",
    )
    command.add_argument(
        "--events",
        action="store_true",
        help="put together news of the same event in whatever words, not only copies; each group with its headline and "
        "the words that hold it together",
    )
    command.add_argument("--relations", metavar="FILE", help="also write every relation here, as JSON lines")
    command.add_argument("--table", action="store_true", help="a table for people instead of JSON lines")
    command.add_argument("--stages", metavar="FILE", help="write seconds by stage here, as JSON")
    add_spark(command)


def _check_pages(args: argparse.Namespace) -> None:
    """Refuses options that are not for pages, and the other way round."""
    if args.pages:
        for option in ("field", "format", "encoding"):
            if getattr(args, option):
                raise ParameterError(f"--{option}: is not for pages; what they are and hold is found by extraction")
    elif args.extractor:
        raise ParameterError("--extractor: is for --pages; other files hold the texts themselves")


def run(args: argparse.Namespace) -> int:
    """Runs it."""
    _check_pages(args)
    if args.events and args.detector and Kind.SAME_EVENT not in parse(args.detector).reports:
        raise ParameterError(
            f"--events: a detector of events is wanted, got {args.detector}",
            f"leave out -d (--events chooses {EVENTS[0]}), or leave out --events",
        )
    detector, grouping = EVENTS if args.events else PAGES if args.pages else ARTICLES
    args.detector = args.detector or detector
    args.grouping = args.grouping or grouping or parse(args.detector).grouping
    chosen = choice(args)
    check(args)
    if args.spark:
        check_spark(args)
        return find_on_spark(args, chosen)
    check_without(args)
    if in_memory(args):
        return _by_corpus(args, chosen)
    passed = ""
    with Outputs() as out:
        with progress(None if args.pages else [*args.against, *args.files], args.quiet) as tick:
            if args.pages:
                # what reads pages takes long to load, and most files are none
                from samestory.cli.pages import read_pages

                job, extraction = read_pages(args, tick, out, titles=args.table or args.events)
                passed = extraction.others()
            else:
                job = read_all(args, tick, out, titles=args.table or args.events)
            if args.relations:
                out.add(args.relations, job.corpus.relation_lines(job.relations(), str(job.detector)))
            groups = job.groups(chosen)
        start = time.perf_counter()
        if args.table:
            least = max(args.min_size, 2)
            gists = job.corpus.group_lines(groups, least, True) if args.events else b""
            out.deliver(_table(_rows(job, groups.rows(least)), gists), args.output)
        else:
            out.deliver(job.corpus.group_lines(groups, args.min_size, args.events), args.output)
        job.summary.seconds["write"] = time.perf_counter() - start
        _stages(args, out, job.summary)
        out.commit()
    if not args.quiet:
        print(summarise(job.summary, grouped=True) + passed, file=sys.stderr)
    return 0


def _by_corpus(args: argparse.Namespace, chosen: Choice) -> int:
    """The same for corpora in memory."""
    with Outputs() as out:
        with progress([*args.against, *args.files], args.quiet) as tick:
            worked = work(args, out, tick, chosen, relations=bool(args.relations))
        if args.relations:
            out.add(args.relations, relation_lines(worked.relations))
        if args.table:
            least = max(args.min_size, 2)
            gists = group_lines(worked, least, True) if args.events else b""
            out.deliver(_table(_rows_of(worked, least), gists), args.output)
        else:
            out.deliver(group_lines(worked, args.min_size, args.events), args.output)
        _stages(args, out, worked.summary)
        out.commit()
    if not args.quiet:
        print(worked.told(True), file=sys.stderr)
    return 0


def _stages(args: argparse.Namespace, out: Outputs, summary: Summary) -> None:
    if args.stages:
        seconds = {name: round(s, 4) for name, s in summary.seconds.items()}
        out.add(args.stages, (json.dumps(seconds) + "\n").encode())


#: A group in the table: kind, share, forced, and the members with their headlines, the representative first.
_Row = tuple[str, float, bool, list[tuple[str, str]]]


def _rows(job: Run, rows: Iterable[tuple[Any, ...]]) -> Iterator[_Row]:
    for representative, members, weakest, _, forced in rows:
        kind, share = (weakest[2], max(weakest[3], weakest[4])) if weakest else ("", 0.0)
        first = [representative, *(member for member in members if member != representative)]
        yield kind, share, forced, [(job.corpus.id(member), job.corpus.title(member)) for member in first]


def _rows_of(worked: Worked, least: int) -> Iterator[_Row]:
    titles = worked.titles
    for group in worked.groups:
        if len(group.members) >= least:
            share = group.weakest.overlap.share if group.weakest else 0.0
            yield str(group.kind or ""), share, group.forced, [(id, titles[id]) for id in group.members]


def _told(gist: bytes) -> str:
    """What a group is about, by its line of JSON: its headline, and the words that hold it together."""
    about = json.loads(gist)
    return f"{about['headline'] or ''} ({', '.join(about['words'])})".removesuffix(" ()").strip()


def _table(rows: Iterable[_Row], gists: bytes = b"") -> bytes:
    """The groups for people; of events, what each is about stands above its articles."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table("group", "kind", "share", box=None, pad_edge=False)
    table.add_column("articles (* stands for the group)", overflow="fold")
    abouts = [_told(gist) for gist in gists.splitlines()]
    for number, (kind, share, forced, members) in enumerate(rows, 1):
        told = (f"{kind}{' (decided)' if forced else ''}", f"{share:.2f}") if kind else ("decided", "")
        first = (str(number), *told)
        if abouts:
            table.add_row(*first, Text(printable(abouts[number - 1])))
            first = ("", "", "")
        for place, (id, title) in enumerate(members):
            name = Text(printable(f"{' ' if place else '*'} {id}  {title}".rstrip()))
            table.add_row(*(("", "", "") if place else first), name)
    console = Console(highlight=False, width=None if sys.stdout.isatty() else 120)
    with console.capture() as printed:
        console.print(table)
    return printed.get().encode()
