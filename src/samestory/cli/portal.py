"""samestory portal: the archive as pages and as a JSON API."""

from __future__ import annotations

import argparse
import secrets
import sys
from math import inf
from pathlib import Path
from urllib.parse import urlencode

from samestory.cli.serving import add_public_url, address_of, is_own, listening, names_of, public_name, serve
from samestory.errors import ParameterError

HELP = "Serve an archive: its stories as pages, and a JSON API at the same addresses."
EXAMPLE = "samestory portal news.db --edit"

#: A token that can be guessed is none.
SHORTEST = 16


def arguments(command: argparse.ArgumentParser) -> None:
    """The options of this command."""
    command.add_argument("database", metavar="DB", help="a file, or the address of a PostgreSQL database")
    command.add_argument("--host", default="127.0.0.1", metavar="ADDRESS", help="where to listen (default: 127.0.0.1)")
    command.add_argument("--port", type=int, default=8000, metavar="N", help="0 for any that is free (default: 8000)")
    command.add_argument("--token-file", metavar="FILE", help="whose first line is the token of whoever may write")
    command.add_argument("--edit", action="store_true", help="make a token, and print a link that signs in with it")
    command.add_argument(
        "--rate", type=float, default=50.0, metavar="N", help="requests a second of one client (default: 50)"
    )
    command.add_argument(
        "--largest", type=int, default=16 << 20, metavar="BYTES", help="of one request (default: 16 MiB)"
    )
    command.add_argument(
        "--proxy", metavar="ADDRESS", help="of a proxy in front, which is believed about who asks and whether by https"
    )
    add_public_url(command)


def run(args: argparse.Namespace) -> int:
    """Runs it."""
    try:
        import uvicorn  # noqa: F401 - what is missing is said before anything is opened

        from samestory.web import Limits, app
    except ImportError as error:
        raise ParameterError(f"portal: {error.name} is not installed", "pip install 'samestory[portal]'") from None
    from samestory.archive import Archive
    from samestory.database.places import is_address

    if not 0 < args.rate < inf or args.largest < 1 or not 0 <= args.port <= 65535:
        raise ParameterError("portal: --rate and --largest are above 0, and --port lies between 0 and 65535")
    token, public = _token(args), public_name("portal", args.public_url)
    # a file that is not there is a name misspelt; a database on a server is one that somebody made
    with Archive.open(args.database, create=is_address(args.database)) as archive:
        served = app(
            archive,
            token,
            Limits(largest=args.largest, rate=args.rate, burst=max(10, round(4 * args.rate))),
            None if args.proxy else names_of(args.host, public),
        )
        with listening("portal", args.host, args.port) as bound:
            address = address_of(args.host, bound, args.public_url)
            print(f"samestory: {args.database} is at {address}", file=sys.stderr)
            if args.edit:
                print(f"samestory: sign in: {address}sign-in?{urlencode({'token': token})}", file=sys.stderr)
            elif token is None:
                print("samestory: it is only read; --edit or --token-file FILE lets you write", file=sys.stderr)
            serve(served, bound, args.proxy)
    return 0


def _token(args: argparse.Namespace) -> str | None:
    """The token of whoever may write."""
    if args.edit and args.token_file:
        raise ParameterError("portal: --edit makes a token, --token-file has one", "give one of the two")
    if args.edit:
        if not is_own(args.host):
            raise ParameterError("portal: --edit is for this machine alone", "elsewhere use --token-file FILE")
        return secrets.token_urlsafe(24)
    if not args.token_file:
        return None
    lines = Path(args.token_file).read_text(encoding="utf-8").splitlines()
    token = lines[0].strip() if lines else ""
    if len(token) < SHORTEST or not token.isascii() or " " in token:
        raise ParameterError(
            f"{args.token_file}: a token of at least {SHORTEST} characters without spaces is wanted in its first line",
            "make one: python -c 'import secrets; print(secrets.token_urlsafe(24))'",
        )
    return token
