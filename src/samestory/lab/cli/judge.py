"""samestory judge: serves the judging pages of a collection."""

from __future__ import annotations

import argparse
import secrets
import sys
import webbrowser
from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING

from samestory.cli.serving import add_server_options, address_of, listening, names_of, public_name, reachable, serve
from samestory.errors import ParameterError

if TYPE_CHECKING:
    from samestory.lab.collection import Collection

HELP = "Judge a test collection in the browser: one server, with a personal link for each assessor."
EXAMPLE = "samestory judge gold.db --assessors s1 s2 --assign --open"


def arguments(command: argparse.ArgumentParser) -> None:
    """Adds the options of the command."""
    command.add_argument("collection", metavar="FILE", help="a collection, created by samestory collection")
    command.add_argument(
        "--assessors",
        nargs="+",
        default=[],
        metavar="NAME",
        help="add these assessors, by pseudonym; TEAM=NAME,NAME for teams",
    )
    command.add_argument(
        "--links",
        action="store_true",
        help="create new links, for the named assessors or all; old links become invalid",
    )
    command.add_argument("--assign", action="store_true", help="assign all unassigned items, each to two assessors")
    command.add_argument("--open", action="store_true", help="open the first link in the browser")
    add_server_options(command, 8080, 200.0, "client addresses")


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    try:
        import uvicorn  # noqa: F401 - a missing package is reported first

        from samestory.lab.judging import LIMITS, app
        from samestory.web import TrustedProxies
    except ImportError as error:
        raise ParameterError(f"judge: {error.name} is not installed", "pip install 'samestory[portal]'") from None
    from samestory.lab.collection import Collection, assign

    if not 0 < args.rate < inf or not 0 <= args.port <= 65535:
        raise ParameterError("judge: --rate must be above 0, and --port between 0 and 65535")
    public = public_name("judge", args.public_url)
    TrustedProxies(args.proxy)  # an invalid address is reported before any link is created
    with Collection.open(args.collection) as collection, listening("judge", args.host, args.port) as bound:
        # if the work cannot be assigned, no assessor is added and old links stay valid: new ones would never be printed
        with collection.database.write():
            tokens = _tokens(collection, args)
            if args.assign:
                assigned = assign(collection, report=lambda text: print(f"samestory: {text}", file=sys.stderr))
                print(f"samestory: {assigned:,} items assigned", file=sys.stderr)
        keeper = secrets.token_urlsafe(24)
        limits = replace(LIMITS, rate=args.rate, burst=max(10, round(5 * args.rate)))
        served = app(collection, keeper, limits, None if args.proxy else names_of(args.host, public))
        address = address_of(reachable(args.host), bound, args.public_url)
        links = {name: f"{address}w/{token}/" for name, token in tokens.items()}
        print(f"samestory: {args.collection} is served at {address}", file=sys.stderr)
        for name, link in links.items():
            print(f"{name}\t{link}", flush=True)
        if not links:
            print("samestory: existing links stay valid; --links creates new ones", file=sys.stderr)
        overview = f"{address}o/{keeper}/"
        print(f"samestory: overview of the progress: {overview}", file=sys.stderr)
        if args.open:
            webbrowser.open(next(iter(links.values()), overview))
        serve(served, bound, args.proxy, args.log)
    return 0


def _tokens(collection: Collection, args: argparse.Namespace) -> dict[str, str]:
    """Returns the tokens to print: of new assessors, and of all named ones with --links."""
    from samestory.lab.collection import hire
    from samestory.lab.collection.people import assessors, parse_team

    with collection.database.read() as session:
        existing = {each.name: each.team for each in assessors(session)}
    out: dict[str, str] = {}
    wanted = [parse_team(given) for given in args.assessors]
    if args.links and not wanted:
        wanted = [(team, [name]) for name, team in existing.items()]
    for team, names in wanted:
        known = [name for name in names if name in existing]
        for name in known if not args.links else []:
            print(
                f"samestory: {name} already exists and keeps the old link; --links creates a new one", file=sys.stderr
            )
        out |= hire(collection, [name for name in names if name not in known or args.links], team)
    return out
