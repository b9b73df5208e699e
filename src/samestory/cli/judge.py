"""samestory judge: the judging pages of a collection."""

from __future__ import annotations

import argparse
import secrets
import sys
import webbrowser
from math import inf
from typing import TYPE_CHECKING

from samestory.cli.serving import add_public_url, address_of, listening, names_of, public_name, reachable, serve
from samestory.errors import ParameterError

if TYPE_CHECKING:
    from samestory.collection import Collection

HELP = "Judge a test collection in the browser: one server, and a link of their own for everybody who judges."
EXAMPLE = "samestory judge gold.db --assessors s1 s2 --assign --open"


def arguments(command: argparse.ArgumentParser) -> None:
    """The options of this command."""
    command.add_argument("collection", metavar="FILE", help="a collection, as samestory collection makes one")
    command.add_argument(
        "--assessors",
        nargs="+",
        default=[],
        metavar="NAME",
        help="take these in, by pseudonym; TEAM=NAME,NAME for teams",
    )
    command.add_argument("--links", action="store_true", help="new links, for those named or for all; the old ones end")
    command.add_argument("--assign", action="store_true", help="give out what nobody has yet, every item to two")
    command.add_argument("--host", default="127.0.0.1", metavar="ADDRESS", help="where to listen (default: 127.0.0.1)")
    command.add_argument("--port", type=int, default=8080, metavar="N", help="0 for any that is free (default: 8080)")
    command.add_argument("--open", action="store_true", help="open the first link in the browser")
    command.add_argument(
        "--rate", type=float, default=200.0, metavar="N", help="requests a second of one client (default: 200)"
    )
    command.add_argument("--proxy", metavar="ADDRESS", help="of a proxy in front, which is believed about who asks")
    add_public_url(command)


def run(args: argparse.Namespace) -> int:
    """Runs it."""
    try:
        import uvicorn  # noqa: F401 - what is missing is said before anything is opened

        from samestory.judging import app
        from samestory.web import Limits
    except ImportError as error:
        raise ParameterError(f"judge: {error.name} is not installed", "pip install 'samestory[portal]'") from None
    from samestory.collection import Collection, assign

    if not 0 < args.rate < inf or not 0 <= args.port <= 65535:
        raise ParameterError("judge: --rate is above 0, and --port lies between 0 and 65535")
    public = public_name("judge", args.public_url)
    with Collection.open(args.collection) as collection, listening("judge", args.host, args.port) as bound:
        # where the work cannot be given out nobody is taken in, and old links hold: nobody would hear the new ones
        with collection.database.write():
            tokens = _tokens(collection, args)
            if args.assign:
                given = assign(collection, told=lambda text: print(f"samestory: {text}", file=sys.stderr))
                print(f"samestory: {given:,} items given out", file=sys.stderr)
        keeper = secrets.token_urlsafe(24)
        limits = Limits(largest=1 << 20, rate=args.rate, burst=max(10, round(5 * args.rate)))
        served = app(collection, keeper, limits, None if args.proxy else names_of(args.host, public))
        address = address_of(reachable(args.host), bound, args.public_url)
        links = {name: f"{address}w/{token}/" for name, token in tokens.items()}
        print(f"samestory: {args.collection} is judged at {address}", file=sys.stderr)
        for name, link in links.items():
            print(f"{name}\t{link}", flush=True)
        if not links:
            print("samestory: links that were given hold; --links makes new ones", file=sys.stderr)
        overview = f"{address}o/{keeper}/"
        print(f"samestory: how far everybody is: {overview}", file=sys.stderr)
        if args.open:
            webbrowser.open(next(iter(links.values()), overview))
        serve(served, bound, args.proxy)
    return 0


def _tokens(collection: Collection, args: argparse.Namespace) -> dict[str, str]:
    """The tokens that are told now: of those who are new, and where new links are wanted."""
    from samestory.collection import hire
    from samestory.collection.people import assessors, team_of

    with collection.database.read() as session:
        there = {each.name: each.team for each in assessors(session)}
    out: dict[str, str] = {}
    wanted = [team_of(given) for given in args.assessors]
    if args.links and not wanted:
        wanted = [(team, [name]) for name, team in there.items()]
    for team, names in wanted:
        known = [name for name in names if name in there]
        for name in known if not args.links else []:
            print(
                f"samestory: {name} is there already, and the old link holds; --links makes a new one", file=sys.stderr
            )
        out |= hire(collection, [name for name in names if name not in known or args.links], team)
    return out
