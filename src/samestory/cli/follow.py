"""samestory follow: polls feeds and adds their articles to a database."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from samestory.cli.index import add_made_with, opened, span
from samestory.cli.load import add_load
from samestory.cli.summary import count
from samestory.errors import ExpiryError, InputError, ParameterError
from samestory.output import printable

if TYPE_CHECKING:
    from samestory.archive import Archive
    from samestory.feeds import FeedState, Fetcher, Schedule

HELP = "Follow RSS and Atom feeds: fetch those that are due, and add their articles to a database."
EXAMPLE = "samestory follow news.db --feeds feeds.txt --keep 30d"

#: Maximum seconds between two checks for due feeds.
_MAX_SLEEP_SECONDS = 30.0
#: Upper bounds of spans and of the pause in seconds.
_MAX_SPAN, _MAX_PAUSE_SECONDS = timedelta(days=36_500), 3600


def arguments(command: argparse.ArgumentParser) -> None:
    """Adds the options of the command."""
    command.add_argument("database", metavar="DB", help="a file, or postgresql://…; created if missing")
    command.add_argument(
        "--feeds", metavar="FILE", help="feed URLs, one per line, or OPML (default: those of the last run)"
    )
    command.add_argument("--once", action="store_true", help="poll the due feeds once and exit")
    command.add_argument("--pages", action="store_true", help="also fetch linked pages and extract their articles")
    command.add_argument("--every", default="10m", metavar="SPAN", help="polling interval of a feed (default: 10m)")
    command.add_argument("--keep", metavar="SPAN", help="delete articles older than this after every round: 30d")
    command.add_argument(
        "--allow-private",
        action="append",
        default=[],
        metavar="NETWORK",
        help="also fetch feeds from this network, and their links into it, as in 10.1.0.0/16; can be repeated",
    )
    command.add_argument("--pause", type=float, default=1.0, metavar="S", help="seconds between requests to one host")
    command.add_argument("--quiet", action="store_true", help="print errors only")
    command.add_argument("--allow-missing", action="store_true", help="with --once: exit 1 only if all feeds failed")
    add_made_with(command)
    add_load(command)


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    from samestory.archive.subscriptions import retry_refused, states, subscribe
    from samestory.feeds import Fetcher, Schedule, feed_list

    every, keep = _span("--every", args.every) or timedelta(minutes=10), _span("--keep", args.keep)
    if not 0 <= args.pause <= _MAX_PAUSE_SECONDS:
        raise ParameterError(f"--pause: expected 0 to {_MAX_PAUSE_SECONDS} seconds, got {args.pause:g}")
    fetcher = Fetcher(allow_private=args.allow_private, per_host=args.pause)
    usual = Schedule()
    schedule = Schedule(every, max(every, usual.longest_wish), max(every, usual.longest))
    urls, problems = feed_list(args.feeds) if args.feeds else ([], [])
    for problem in problems:
        print(f"samestory: {problem}", file=sys.stderr)
    with opened(args, create=True) as archive:
        if args.feeds:
            subscribe(archive, urls)
        if args.allow_private:
            retry_refused(archive)
        if not states(archive):
            raise InputError("no feeds to follow", "specify a file of feed URLs with --feeds FILE")
        _print_next_due(args, states(archive))
        refused = ""
        while True:
            # by a clock that may be wrong, every new entry would be too old
            doubt = archive.expiry_doubt(keep) if keep else None
            since = datetime.now(UTC) - keep if keep and not doubt else None
            polled, failed = _round(args, archive, fetcher, schedule, since)
            if keep:
                refused = _expire(archive, keep, args.once, refused)
            now = states(archive)
            if args.once and polled and all(state.error for state in now):
                raise InputError("every feed failed", "run without --quiet to see why" if args.quiet else "")
            due = [state.due for state in now if state.due is not None]
            if not due:
                raise InputError("no feeds left: all of them report that they are gone")
            if args.once:
                return 0 if args.allow_missing else _print_failed(failed, polled)
            time.sleep(min(max(min(due) / 1e6 - time.time(), 0.1), _MAX_SLEEP_SECONDS))


def _expire(archive: Archive, keep: timedelta, once: bool, refused: str) -> str:
    """Deletes old articles; returns the reason if that is refused, which is printed once: feeds are followed on."""
    try:
        archive.expire(keep)
    except ExpiryError as error:
        if once:
            raise
        if str(error) != refused:
            print(printable(f"samestory: nothing is deleted: {error}"), file=sys.stderr)
        return str(error)
    return ""


def _print_failed(failed: int, polled: int) -> int:
    """Prints how many feeds of a single round failed; returns the exit code."""
    if failed:
        print(f"samestory: {failed:,} of {count(polled, 'feed')} failed", file=sys.stderr)
    return int(failed > 0)


def _span(name: str, given: str | None) -> timedelta | None:
    """Parses a time span above zero."""
    found = span(name, given)
    if found is not None and not timedelta(0) < found <= _MAX_SPAN:
        raise ParameterError(f"{name}: expected a span above 0 and up to {_MAX_SPAN.days}d, got {given!r}")
    return found


def _print_next_due(args: argparse.Namespace, feeds: Sequence[FeedState]) -> None:
    """Prints when the next feed is due, if none is due now."""
    due = min((state.due for state in feeds if state.due is not None), default=0) / 1e6
    if due > time.time() and not args.quiet:
        at, now = datetime.fromtimestamp(due, UTC), datetime.now(UTC)
        when = f"{at:%H:%M} UTC" if at.date() == now.date() else f"{at:%Y-%m-%d %H:%M} UTC"
        print(f"samestory: {count(len(feeds), 'feed')}, none due before {when}", file=sys.stderr)


def _round(
    args: argparse.Namespace, archive: Archive, fetcher: Fetcher, schedule: Schedule, since: datetime | None
) -> tuple[int, int]:
    """Polls the due feeds once; returns how many were polled, and how many of them failed."""
    from samestory.archive.subscriptions import poll, states
    from samestory.feeds.addresses import NOT_PUBLIC

    def print_result(url: str, what: str) -> None:
        if not args.quiet:
            hint = " (allow its network with --allow-private)" if NOT_PUBLIC in what else ""
            print(printable(f"samestory: {url}: {what}{hint}"), file=sys.stderr)

    before, polled, failed = {state.url: state.taken for state in states(archive)}, 0, 0
    for state in poll(archive, fetcher, args.pages, schedule, print_result, since):
        polled, failed = polled + 1, failed + bool(state.error)
        print_result(state.url, state.error or count(state.taken - before.get(state.url, 0), "new article"))
    return polled, failed
