"""samestory index: an archive of news in a database, filled, asked, thinned out and kept safe."""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from types import EllipsisType
from typing import TYPE_CHECKING, Any

from samestory import _core
from samestory.cli.inputs import DETAILS, add_as_is, add_complaints, add_reading, arriving, check_files, report
from samestory.cli.output import count, repaired
from samestory.cli.progress import progress
from samestory.detectors import Detector, parse
from samestory.errors import InputError, ParameterError
from samestory.groups.decisions import APART, SAME
from samestory.index.index import EPOCH
from samestory.model import Article, Relation
from samestory.output import Outputs, write_out
from samestory.readers import Problem

if TYPE_CHECKING:
    from samestory.archive import Added, Archive

HELP = "Keep news in a database: add, query, expire, stats, decide, rebuild, backup, restore."
EXAMPLE = "samestory index add news.db today.jsonl"

#: So many articles are asked about together.
AT_ONCE = 1000
#: Spans of time as people write them.
_SPAN = re.compile(r"(\d+(?:\.\d+)?)\s*([mhdw]?)")
_UNITS = {"": "days", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


def arguments(command: argparse.ArgumentParser) -> None:
    """The options of this command."""
    what = command.add_subparsers(dest="what", required=True, metavar="WHAT")

    def sub(name: str, help: str, example: str) -> argparse.ArgumentParser:
        one = what.add_parser(name, help=help, description=help, epilog=f"example: samestory index {name} {example}")
        if name != "restore":
            one.add_argument("database", metavar="DB", help="a file, or postgresql://…")
        return one

    add = sub("add", "Add articles; the database is made if it is not there.", "news.db today.jsonl")
    add.add_argument("files", nargs="+", metavar="FILE", help="of articles, as for find; - for stdin")
    add_made_with(add)
    add_reading(add)
    add_complaints(add)
    query = sub("query", "What do these articles repeat of those that are kept? Keeps nothing.", "news.db draft.jsonl")
    query.add_argument("files", nargs="+", metavar="FILE", help="of articles, as for find; - for stdin")
    add_reading(query)
    add_complaints(query)
    expire = sub("expire", "Forget old articles, and give their room back.", "news.db --older-than 30d")
    when = expire.add_mutually_exclusive_group(required=True)
    when.add_argument("--before", metavar="DATE", help="forget what was published before this time (UTC)")
    when.add_argument("--older-than", metavar="SPAN", help="… longer ago than this: 36h, 30d, 8w")
    sub("stats", "How much is in the database.", "news.db")
    decide = sub("decide", "Decide about two articles, whatever was measured.", "news.db apart id-1 id-2")
    decide.add_argument("decision", choices=(SAME, APART, "forget"), help="forget takes back what was decided")
    decide.add_argument("left", metavar="ID")
    decide.add_argument("right", metavar="ID")
    rebuild = sub("rebuild", "Relate and group everything anew; decisions stand.", "news.db -d reuse")
    add_detectors(rebuild)
    backup = sub("backup", "Copy the database into a file, while others use it.", "news.db sunday.backup")
    backup.add_argument("file", metavar="FILE")
    restore = sub("restore", "Make a database of a backup, where there is none.", "sunday.backup again.db")
    restore.add_argument("file", metavar="FILE")
    restore.add_argument("database", metavar="DB")


def add_detectors(command: argparse.ArgumentParser) -> None:
    """The option that names detectors."""
    command.add_argument(
        "-d",
        "--detector",
        action="append",
        metavar="SPEC",
        help="a detector; may be given several times, those that find text first (default: reuse and event)",
    )


def add_made_with(command: argparse.ArgumentParser) -> None:
    """The options that a new database is made with."""
    add_detectors(command)
    command.add_argument(
        "--within",
        "--window",
        dest="window",
        metavar="SPAN",
        help="how far apart related articles may be: 36h, 30d or 30 days (default: 14d)",
    )
    add_as_is(command)


def made_with(args: argparse.Namespace) -> tuple[list[Detector] | None, timedelta | None]:
    """The detectors and the window of the arguments."""
    detectors = None if args.detector is None else [parse(spec) for spec in args.detector]
    return detectors, span("--within", args.window)


def span(name: str, given: str | None) -> timedelta | None:
    """A span of time as people write it.

    >>> span("--window", "36h")
    datetime.timedelta(days=1, seconds=43200)
    """
    if given is None:
        return None
    found = _SPAN.fullmatch(given.strip().lower())
    if not found:
        raise ParameterError(f"{name}: a span of time is wanted, as 90m, 36h, 30d or 8w, got {given!r}")
    try:
        return timedelta(**{_UNITS[found[2]]: float(found[1])})
    except OverflowError:
        raise ParameterError(f"{name}: {given!r} is longer than time is counted here") from None


def run(args: argparse.Namespace) -> int:
    """Runs it."""
    _ACTIONS[args.what](args)
    return 0


def opened(args: argparse.Namespace, create: bool = False) -> Archive:
    """The archive of the arguments; loaded only here, so that other commands start without it."""
    from samestory.archive import Archive

    if create:
        return Archive.open(args.database, *made_with(args), as_is=args.as_is)
    return Archive.open(args.database, create=False)


def _add(args: argparse.Namespace) -> None:
    check_files(args, args.files)
    made_with(args)
    _check_some_open(args)
    with opened(args, create=True) as archive, Outputs() as out:
        whole, problems, repairs = Counter[str](), _Problems(), _Repairs()
        with progress(None, args.quiet) as tick:

            def done(part: Added) -> None:
                for name in ("new", "revised", "same", "rejected"):
                    whole[name] += len(getattr(part, name))
                repairs.count(_core.BOILERPLATE, len(part.with_boilerplate))
                for _, why in part.rejected:
                    problems.note(Problem(args.database, 0, "refused", why))
                if tick:
                    tick("adding", whole.total(), 0, whole.total())

            items = problems.aside(arriving(args, args.files, again=True))
            archive.add(items if archive.as_is else repairs.counted(items), done=done)
        if not args.quiet:
            stories = archive.stats()["stories"]
            print(
                f"samestory: {count(whole['new'], 'article')} new, {whole['revised']:,} revised, "
                f"{whole['same']:,} known; {count(stories, 'story', 'stories')} in {args.database}",
                file=sys.stderr,
            )
            if repairs.kinds:
                print(f"samestory: {repaired(repairs.kinds)}", file=sys.stderr)
        problems.tell(args, out)
        out.commit()
        if not whole.total() - whole["rejected"]:
            raise InputError("no articles to work on")


def _check_some_open(args: argparse.Namespace) -> None:
    """Refuses to make a database where nothing can be read; the reader says why."""
    if any(path == "-" or os.access(path, os.R_OK) for path in args.files):
        return
    problems = _Problems()
    with Outputs() as out:
        list(problems.aside(arriving(args, args.files)))
        problems.tell(args, out)
        out.commit()
    raise InputError("no articles to work on")


def _query(args: argparse.Namespace) -> None:
    check_files(args, args.files)
    problems = _Problems()
    with opened(args) as archive, Outputs() as out:
        batch: list[Article] = []
        for item in problems.aside(arriving(args, args.files)):
            if not isinstance(item, EllipsisType):
                batch.append(item)
            if len(batch) == AT_ONCE or item is ...:
                _print(archive.query(batch))
                batch.clear()
        _print(archive.query(batch))
        problems.tell(args, out)
        out.commit()


def _print(relations: list[Relation]) -> None:
    lines = (json.dumps(relation.as_dict(), ensure_ascii=False) for relation in relations)
    write_out("".join(f"{line}\n" for line in lines).encode())


class _Repairs:
    """Counts on the way the articles that need repair, by its kind."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()

    @property
    def kinds(self) -> dict[str, int]:
        """The kinds that occur, in their usual order."""
        return {kind: self._counts[kind] for kind in (*_core.REPAIRS, _core.BOILERPLATE) if self._counts[kind]}

    def count(self, kind: str, articles: int) -> None:
        """Counts articles with one kind of repair."""
        self._counts[kind] += articles

    def counted(self, items: Iterator[Any]) -> Iterator[Any]:
        """The same items."""
        for item in items:
            if isinstance(item, Article):
                self._counts.update(_core.count_repairs([(item.text, item.title)]))
            yield item


class _Problems:
    """Problems on the way, put aside and told at the end."""

    def __init__(self) -> None:
        self._found: list[Problem] = []
        self._faults = Counter[str]()

    def aside(self, items: Iterator[Article | Problem | EllipsisType]) -> Iterator[Article | EllipsisType]:
        """The articles among them, and where nothing comes for a while."""
        for item in items:
            if isinstance(item, Problem):
                self.note(item)
            else:
                yield item

    def note(self, problem: Problem) -> None:
        """Puts one aside; of many with one fault the first are kept, and all are counted."""
        self._faults[problem.fault] += 1
        if self._faults[problem.fault] <= DETAILS:
            self._found.append(problem)

    def tell(self, args: argparse.Namespace, out: Outputs) -> None:
        """Tells them."""
        report(self._found, self._faults, args, out)


def _expire(args: argparse.Namespace) -> None:
    if args.before is not None:
        at = _core.microseconds(args.before)
        if at is None:
            raise ParameterError(f"--before: a date is wanted, as 2026-03-02, got {args.before!r}")
        before = EPOCH + timedelta(microseconds=at)
    else:
        try:
            before = datetime.now(UTC) - (span("--older-than", args.older_than) or timedelta(0))
        except OverflowError:
            raise ParameterError(f"--older-than: {args.older_than!r} is before time is counted here") from None
    with opened(args) as archive:
        print(f"samestory: {count(archive.expire(before), 'article')} forgotten", file=sys.stderr)


def _stats(args: argparse.Namespace) -> None:
    with opened(args) as archive:
        write_out((json.dumps(archive.stats(), ensure_ascii=False, indent=2) + "\n").encode())


def _decide(args: argparse.Namespace) -> None:
    with opened(args) as archive:
        word = None if args.decision == "forget" else args.decision
        for change in archive.decide(args.left, args.right, word):
            print(change)


def _rebuild(args: argparse.Namespace) -> None:
    with opened(args) as archive:
        total = archive.stats()["articles"]
        with progress(None, False) as tick:
            done: Callable[[int], Any] | None = tick and (lambda number: tick("rebuilding", number, total, number))
            archive.rebuild(args.detector, done)
        stories = archive.stats()["stories"]
        print(f"samestory: {count(total, 'article')}, {count(stories, 'story', 'stories')}", file=sys.stderr)


def _backup(args: argparse.Namespace) -> None:
    with opened(args) as archive:
        archive.backup(args.file)


def _restore(args: argparse.Namespace) -> None:
    from samestory.archive import Archive

    Archive.restore(args.file, args.database)


_ACTIONS = {
    "add": _add,
    "query": _query,
    "expire": _expire,
    "stats": _stats,
    "decide": _decide,
    "rebuild": _rebuild,
    "backup": _backup,
    "restore": _restore,
}
