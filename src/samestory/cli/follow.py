"""samestory follow: feeds into a database, round by round."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from samestory.cli.index import add_made_with, opened, span
from samestory.cli.output import count
from samestory.errors import InputError, ParameterError
from samestory.output import printable

if TYPE_CHECKING:
    from samestory.archive import Archive
    from samestory.feeds import Fetcher, Schedule, State

HELP = "Follow RSS and Atom feeds: fetch those that are due, and add their articles to a database."
EXAMPLE = "samestory follow news.db --feeds feeds.txt --keep 30d"

#: The longest pause between two looks at which feeds are due, in seconds.
_LOOK = 30.0
#: Longer spans and pauses than these nobody means.
_LONGEST_SPAN, _LONGEST_PAUSE = timedelta(days=36_500), 3600


def arguments(command: argparse.ArgumentParser) -> None:
    """The options of this command."""
    command.add_argument("database", metavar="DB", help="a file, or postgresql://…; made if it is not there")
    command.add_argument("--feeds", metavar="FILE", help="addresses, one a line, or OPML (default: those of last time)")
    command.add_argument("--once", action="store_true", help="one round over the feeds that are due, and no more")
    command.add_argument("--pages", action="store_true", help="fetch linked pages too, and take the articles on them")
    command.add_argument("--every", default="10m", metavar="SPAN", help="how often a feed is asked (default: 10m)")
    command.add_argument("--keep", metavar="SPAN", help="forget articles older than this after every round: 30d")
    command.add_argument(
        "--allow-private", action="store_true", help="fetch from addresses on private networks and this machine too"
    )
    command.add_argument("--pause", type=float, default=1.0, metavar="S", help="seconds between requests to one host")
    command.add_argument("--quiet", action="store_true", help="say nothing but errors")
    add_made_with(command)


def run(args: argparse.Namespace) -> int:
    """Runs it."""
    from samestory.archive.followed import ask_refused_again, enlist, states
    from samestory.feeds import Fetcher, Schedule, feed_list

    every, keep = _span("--every", args.every) or timedelta(minutes=10), _span("--keep", args.keep)
    if not 0 <= args.pause <= _LONGEST_PAUSE:
        raise ParameterError(f"--pause: 0 to {_LONGEST_PAUSE} seconds are wanted, got {args.pause:g}")
    fetcher = Fetcher(allow_private=args.allow_private, per_host=args.pause)
    usual = Schedule()
    schedule = Schedule(every, max(every, usual.longest_wish), max(every, usual.longest))
    urls, problems = feed_list(args.feeds) if args.feeds else ([], [])
    for problem in problems:
        print(f"samestory: {problem}", file=sys.stderr)
    with opened(args, create=True) as archive:
        if args.feeds:
            enlist(archive, urls)
        if args.allow_private:
            ask_refused_again(archive)
        if not states(archive):
            raise InputError("no feeds to follow", "name a file of addresses with --feeds FILE")
        _tell_none_due(args, states(archive))
        while True:
            since = datetime.now(UTC) - keep if keep else None
            asked = _round(args, archive, fetcher, schedule, since)
            if since:
                archive.expire(since)
            now = states(archive)
            if args.once and asked and all(state.error for state in now):
                raise InputError("every feed failed", "leave --quiet away to see why" if args.quiet else "")
            due = [state.due for state in now if state.due is not None]
            if not due:
                raise InputError("no feed is left: all say that they are gone")
            if args.once:
                return 0
            time.sleep(min(max(min(due) / 1e6 - time.time(), 0.1), _LOOK))


def _span(name: str, given: str | None) -> timedelta | None:
    """A span of time that is longer than nothing."""
    found = span(name, given)
    if found is not None and not timedelta(0) < found <= _LONGEST_SPAN:
        raise ParameterError(f"{name}: a span above 0 and up to {_LONGEST_SPAN.days}d is wanted, got {given!r}")
    return found


def _tell_none_due(args: argparse.Namespace, feeds: Sequence[State]) -> None:
    """Says when the first feed is due, if none is now: otherwise it looks as if nothing happened."""
    due = min((state.due for state in feeds if state.due is not None), default=0) / 1e6
    if due > time.time() and not args.quiet:
        at, now = datetime.fromtimestamp(due, UTC), datetime.now(UTC)
        when = f"{at:%H:%M} UTC" if at.date() == now.date() else f"{at:%Y-%m-%d %H:%M} UTC"
        print(f"samestory: {count(len(feeds), 'feed')}, none due before {when}", file=sys.stderr)


def _round(
    args: argparse.Namespace, archive: Archive, fetcher: Fetcher, schedule: Schedule, since: datetime | None
) -> int:
    """One round; how many feeds were asked."""
    from samestory.archive.followed import round_of, states
    from samestory.feeds.addresses import NOT_PUBLIC

    def tell(url: str, what: str) -> None:
        if not args.quiet:
            way_out = " (--allow-private lets it be asked)" if NOT_PUBLIC in what else ""
            print(printable(f"samestory: {url}: {what}{way_out}"), file=sys.stderr)

    before, asked = {state.url: state.taken for state in states(archive)}, 0
    for state in round_of(archive, fetcher, args.pages, schedule, tell, since):
        asked += 1
        tell(state.url, state.error or count(state.taken - before.get(state.url, 0), "new article"))
    return asked
