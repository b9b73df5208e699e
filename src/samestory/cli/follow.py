"""samestory follow: feeds into a database, round by round."""

from __future__ import annotations

import argparse
import sys
import time
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from samestory.cli.index import add_made_with, opened, span
from samestory.cli.output import count
from samestory.errors import InputError
from samestory.output import printable

if TYPE_CHECKING:
    from samestory.archive import Archive
    from samestory.feeds import Fetcher, Schedule

HELP = "Follow RSS and Atom feeds: fetch those that are due, and add their articles to a database."
EXAMPLE = "samestory follow news.db --feeds feeds.txt --keep 30d"

#: The longest pause between two looks at which feeds are due, in seconds.
_LOOK = 30.0


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
    from samestory.archive.followed import enlist, states
    from samestory.feeds import Fetcher, Schedule, feed_list

    fetcher = Fetcher(allow_private=args.allow_private, per_host=args.pause)
    every = span("--every", args.every) or timedelta(minutes=10)
    usual = Schedule()
    schedule = Schedule(every, max(every, usual.longest_wish), max(every, usual.longest))
    keep = span("--keep", args.keep)
    with opened(args, create=True) as archive:
        if args.feeds:
            urls, problems = feed_list(args.feeds)
            for problem in problems:
                print(f"samestory: {problem}", file=sys.stderr)
            enlist(archive, urls)
        if not states(archive):
            raise InputError("no feeds to follow", "name a file of addresses with --feeds FILE")
        while True:
            _round(args, archive, fetcher, schedule)
            if keep:
                archive.expire(datetime.now(UTC) - keep)
            if args.once:
                return 0
            due = [state.due for state in states(archive) if state.due is not None]
            if not due:
                raise InputError("no feed is left: all say that they are gone")
            time.sleep(min(max(min(due) / 1e6 - time.time(), 0.1), _LOOK))


def _round(args: argparse.Namespace, archive: Archive, fetcher: Fetcher, schedule: Schedule) -> None:
    from samestory.archive.followed import round_of, states

    def doubt(url: str, why: str) -> None:
        if not args.quiet:
            print(printable(f"samestory: {url}: {why}"), file=sys.stderr)

    before = {state.url: state.taken for state in states(archive)}
    for state in round_of(archive, fetcher, args.pages, schedule, doubt):
        if not args.quiet:
            new = count(state.taken - before.get(state.url, 0), "new article")
            print(printable(f"samestory: {state.url}: {state.error or new}"), file=sys.stderr)
