"""samestory index: manages an archive of news in a database."""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from types import EllipsisType
from typing import TYPE_CHECKING, Any

from samestory import _core
from samestory.cli import archive_decisions, article_lines
from samestory.cli.archive_care import backup, check, copy, preview_expiry, previewed_rebuild, restore
from samestory.cli.inputs import add_as_is, add_complaints, add_reading, check_files, read_items
from samestory.cli.load import add_load
from samestory.cli.progress import progress
from samestory.cli.rejected import MAX_PROBLEMS_PER_FAULT, report
from samestory.cli.summary import count, repaired
from samestory.detectors import Detector, parse
from samestory.errors import InputError, ParameterError
from samestory.index.index import EPOCH
from samestory.model import Article, Relation
from samestory.output import Outputs, write_out
from samestory.readers import Problem, article_place
from samestory.text import repairs

if TYPE_CHECKING:
    from samestory.archive import AddResult, Archive

HELP = (
    "Keep news in a database: add, query, expire, unexpire, stats, decide, decisions, undo, rebuild, backup, restore, "
    "copy, export, check."
)
EXAMPLE = "samestory index add news.db today.jsonl"

#: Articles per query batch.
QUERY_BATCH = 1000
#: Time spans such as 36h or 30d.
_SPAN = re.compile(r"(\d+(?:\.\d+)?)\s*([mhdw]?)")
_UNITS = {"": "days", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


def arguments(command: argparse.ArgumentParser) -> None:
    """Adds the options of the command."""
    what = command.add_subparsers(dest="what", required=True, metavar="WHAT")

    def sub(name: str, help: str, example: str) -> argparse.ArgumentParser:
        one = what.add_parser(name, help=help, description=help, epilog=f"example: samestory index {name} {example}")
        if name != "restore":
            one.add_argument("database", metavar="DB", help="a file, or postgresql://…")
        add_load(one)
        return one

    add = sub("add", "Add articles; the database is created if missing.", "news.db today.jsonl")
    add.add_argument("files", nargs="+", metavar="FILE", help="of articles, as for find; - for stdin")
    add_made_with(add)
    add_reading(add)
    add_complaints(add)
    query = sub(
        "query",
        "Find related articles in the database for each of these articles; nothing is stored.",
        "news.db draft.jsonl",
    )
    query.add_argument("files", nargs="+", metavar="FILE", help="of articles, as for find; - for stdin")
    add_reading(query)
    add_complaints(query)
    expire = sub("expire", "Delete old articles and free their space.", "news.db --older-than 30d")
    when = expire.add_mutually_exclusive_group(required=True)
    when.add_argument("--before", metavar="DATE", help="delete articles published before this time (UTC)")
    when.add_argument("--older-than", metavar="SPAN", help="delete articles older than this: 36h, 30d, 8w")
    expire.add_argument(
        "--max-share", type=float, metavar="SHARE", help="maximum share of the articles to delete (0.2)"
    )
    expire.add_argument(
        "--force", action="store_true", help="delete without checking the share of articles or the clock"
    )
    expire.add_argument("--grace", metavar="SPAN", help="how long expired articles can be restored (7d)")
    expire.add_argument("--dry-run", action="store_true", help="only print what would be deleted")
    unexpire = sub("unexpire", "Restore recently expired articles.", "news.db")
    unexpire.add_argument("--since", metavar="DATE", help="only those that have expired since this time (UTC)")
    sub("stats", "Print the size of the database.", "news.db")
    archive_decisions.add_arguments(
        sub("decide", "Decide which articles or stories belong together; overrides detectors.", "news.db move id-1"),
        sub("decisions", "Print the log of decisions, newest first.", "news.db --story 12"),
        sub("undo", "Undo a decision; stories and their numbers are as they would be without it.", "news.db 3"),
    )
    rebuild = sub("rebuild", "Recompute all relations and groups; decisions are kept.", "news.db -d reuse")
    add_detectors(rebuild)
    rebuild.add_argument("--dry-run", action="store_true", help="only print what would change; takes as long")
    backup = sub("backup", "Copy the database into a file while it is in use.", "news.db sunday.backup")
    backup.add_argument("file", metavar="FILE")
    restore = sub("restore", "Create a database from a backup.", "sunday.backup again.db")
    restore.add_argument("file", metavar="FILE")
    restore.add_argument("database", metavar="DB")
    copy = sub(
        "copy",
        "Copy the database to another place, also from SQLite to PostgreSQL and back.",
        "news.db postgresql://news@db.example/news",
    )
    copy.add_argument("target", metavar="TARGET", help="a new file, or postgresql://… of an empty database")
    article_lines.add_arguments(
        sub("export", "Print articles as JSON lines, with all their fields.", "news.db > articles.jsonl")
    )
    check = sub("check", "Check every row of the database for damage; exit 1 if there is any.", "news.db --repair")
    check.add_argument("--repair", action="store_true", help="recompute damaged data that depends on the texts only")


def add_detectors(command: argparse.ArgumentParser) -> None:
    """Adds the detector option."""
    command.add_argument(
        "-d",
        "--detector",
        action="append",
        metavar="SPEC",
        help="a detector; can be repeated, detectors of shared text first (default: reuse and event)",
    )


class OldWindow(argparse.Action):
    """The old name of --within: accepted for one version, with a hint."""

    def __call__(self, parser: object, namespace: argparse.Namespace, value: object, option: str | None = None) -> None:
        print("hint: --window is now --within", file=sys.stderr)
        setattr(namespace, self.dest, value)


def add_made_with(command: argparse.ArgumentParser) -> None:
    """Adds the options used to create a new database."""
    add_detectors(command)
    command.add_argument(
        "--within",
        dest="window",
        metavar="SPAN",
        help="maximum time between related articles: 36h, 30d or 30 days (default: 14d)",
    )
    command.add_argument("--window", dest="window", action=OldWindow, help=argparse.SUPPRESS)
    add_as_is(command)


def made_with(args: argparse.Namespace) -> tuple[list[Detector] | None, timedelta | None]:
    """Returns the detectors and the time window of the arguments."""
    detectors = None if args.detector is None else [parse(spec) for spec in args.detector]
    return detectors, span("--within", args.window)


def span(name: str, given: str | None) -> timedelta | None:
    """Parses a time span such as 36h or 30d.

    >>> span("--within", "36h")
    datetime.timedelta(days=1, seconds=43200)
    """
    if given is None:
        return None
    found = _SPAN.fullmatch(given.strip().lower())
    if not found:
        raise ParameterError(f"{name}: expected a time span such as 90m, 36h, 30d or 8w, got {given!r}")
    try:
        return timedelta(**{_UNITS[found[2]]: float(found[1])})
    except OverflowError:
        raise ParameterError(f"{name}: {given!r} is too long") from None


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    return _ACTIONS[args.what](args) or 0


def opened(args: argparse.Namespace, create: bool = False) -> Archive:
    """Opens the archive; imported here, so that other commands start faster."""
    from samestory.archive import Archive

    if create:
        return Archive.open(args.database, *made_with(args), as_is=args.as_is)
    return Archive.open(args.database, create=False)


def _add(args: argparse.Namespace) -> None:
    check_files(args, args.files)
    made_with(args)
    _check_some_open(args)
    with opened(args, create=True) as archive, Outputs() as out:
        totals, problems, repairs, weaker = Counter[str](), _Problems(), _Repairs(), 0
        with progress(None, args.quiet) as tick:

            def done(part: AddResult) -> None:
                for name in ("new", "revised", "updated", "same", "rejected"):
                    totals[name] += len(getattr(part, name))
                nonlocal weaker
                weaker += part.weaker_relations
                repairs.count(_core.BOILERPLATE, len(part.with_boilerplate))
                for number, why in part.rejected:
                    problems.note(Problem(args.database, 0, "refused", f"{article_place(number)}: {why}"))
                if tick:
                    tick("adding", totals.total(), 0, totals.total())

            items = problems.filter(read_items(args, args.files, allow_repeated_ids=True))
            archive.add(items if archive.as_is else repairs.counted(items), done=done)
        if not args.quiet:
            stories = archive.stats()["stories"]
            updated = f"{totals['updated']:,} with other metadata, " if totals["updated"] else ""
            print(
                f"samestory: {count(totals['new'], 'article')} new, {totals['revised']:,} revised, {updated}"
                f"{totals['same']:,} unchanged; {count(stories, 'story', 'stories')} in {args.database}",
                file=sys.stderr,
            )
            if repairs.kinds:
                print(f"samestory: {repaired(repairs.kinds)}", file=sys.stderr)
            if weaker:
                from samestory.index.strongest import MAX_RELATIONS

                left_out = f"{count(weaker, 'weaker relation')} not stored"
                text = f"{left_out}: each article keeps its {MAX_RELATIONS} strongest"
                print(f"samestory: {text}", file=sys.stderr)
        problems.report(args, out)
        out.commit()
        if not totals.total() - totals["rejected"]:
            raise InputError("no articles")


def _check_some_open(args: argparse.Namespace) -> None:
    """Raises InputError before a database is created if no file is readable."""
    if any(path == "-" or os.access(path, os.R_OK) for path in args.files):
        return
    problems = _Problems()
    with Outputs() as out:
        list(problems.filter(read_items(args, args.files)))
        problems.report(args, out)
        out.commit()
    raise InputError("no articles")


def _query(args: argparse.Namespace) -> None:
    check_files(args, args.files)
    problems = _Problems()
    with opened(args) as archive, Outputs() as out:
        batch: list[Article] = []
        for item in problems.filter(read_items(args, args.files)):
            if not isinstance(item, EllipsisType):
                batch.append(item)
            if len(batch) == QUERY_BATCH or item is ...:
                _print(archive.query(batch))
                batch.clear()
        _print(archive.query(batch))
        problems.report(args, out)
        out.commit()


def _print(relations: list[Relation]) -> None:
    write_out(b"".join(relation.to_line() for relation in relations))


class _Repairs:
    """Counts articles that need repair, by kind."""

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
        """Yields the items and counts repairs of articles."""
        for item in items:
            if isinstance(item, Article):
                self._counts.update(repairs(item))
            yield item


class _Problems:
    """Collects problems while reading and reports them at the end."""

    def __init__(self) -> None:
        self._found: list[Problem] = []
        self._faults = Counter[str]()

    def filter(self, items: Iterator[Article | Problem | EllipsisType]) -> Iterator[Article | EllipsisType]:
        """Yields articles and idle marks, and records problems."""
        for item in items:
            if isinstance(item, Problem):
                self.note(item)
            else:
                yield item

    def note(self, problem: Problem) -> None:
        """Records a problem; all are counted, and the first of each kind are kept."""
        self._faults[problem.fault] += 1
        if self._faults[problem.fault] <= MAX_PROBLEMS_PER_FAULT:
            self._found.append(problem)

    def report(self, args: argparse.Namespace, out: Outputs) -> None:
        """Prints the problems and writes them to --rejects."""
        report(self._found, self._faults, args, out)


def _expire(args: argparse.Namespace) -> int:
    from samestory.archive.expiry import GRACE, MAX_SHARE

    before: datetime | timedelta
    if args.before is not None:
        at = _core.engine.microseconds(args.before)
        if at is None:
            raise ParameterError(f"--before: expected a date such as 2026-03-02, got {args.before!r}")
        before = EPOCH + timedelta(microseconds=at)
    else:
        before = span("--older-than", args.older_than) or timedelta(0)
    grace = span("--grace", args.grace)
    share = MAX_SHARE if args.max_share is None else args.max_share
    with opened(args) as archive:
        if args.dry_run:
            return preview_expiry(archive, before, args.force, share)
        total = archive.preview_expiry(before).articles
        with progress(None, False) as tick:
            done: Callable[[int], Any] | None = tick and (lambda number: tick("deleting", number, total, number))
            deleted = archive.expire(before, args.force, share, GRACE if grace is None else grace, done)
        kept = archive.stats()["expired"]
    way = f"; {count(kept, 'article')} can be restored: samestory index unexpire" if kept else ""
    print(f"samestory: {count(deleted, 'article')} deleted{way}", file=sys.stderr)
    return 0


def _unexpire(args: argparse.Namespace) -> None:
    at = None if args.since is None else _core.engine.microseconds(args.since)
    if args.since is not None and at is None:
        raise ParameterError(f"--since: expected a date such as 2026-03-02, got {args.since!r}")
    with opened(args) as archive:
        added = archive.restore_expired(None if at is None else EPOCH + timedelta(microseconds=at))
    print(f"samestory: {count(len(added.new), 'article')} restored", file=sys.stderr)


def _stats(args: argparse.Namespace) -> None:
    with opened(args) as archive:
        write_out((json.dumps(archive.stats(), ensure_ascii=False, indent=2) + "\n").encode())


def _on_archive(run: Callable[[Archive, argparse.Namespace], None]) -> Callable[[argparse.Namespace], None]:
    """Returns an action that opens the archive first."""

    def action(args: argparse.Namespace) -> None:
        with opened(args) as archive:
            run(archive, args)

    return action


def _rebuild(args: argparse.Namespace) -> None:
    with opened(args) as archive:
        total = archive.stats()["articles"]
        with progress(None, False) as tick:
            done: Callable[[int], Any] | None = tick and (lambda number: tick("rebuilding", number, total, number))
            if args.dry_run:
                print(previewed_rebuild(archive.preview_rebuild(args.detector, done)), file=sys.stderr)
                return
            archive.rebuild(args.detector, done)
        stories = archive.stats()["stories"]
        print(f"samestory: {count(total, 'article')}, {count(stories, 'story', 'stories')}", file=sys.stderr)


_ACTIONS: dict[str, Callable[[argparse.Namespace], int | None]] = {
    "add": _add,
    "query": _query,
    "expire": _expire,
    "unexpire": _unexpire,
    "stats": _stats,
    "decide": _on_archive(archive_decisions.decide),
    "decisions": _on_archive(archive_decisions.decisions),
    "undo": _on_archive(archive_decisions.undo),
    "rebuild": _rebuild,
    "backup": backup,
    "restore": restore,
    "copy": copy,
    "export": _on_archive(article_lines.export),
    "check": check,
}
