"""samestory portal: serves the archive as pages and as a JSON API."""

from __future__ import annotations

import argparse
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from pathlib import Path
from urllib.parse import urlencode

from samestory.cli.load import add_load
from samestory.cli.serving import add_server_options, address_of, is_own, listening, names_of, public_name, serve
from samestory.errors import ParameterError
from samestory.processes import run_workers

HELP = "Serve an archive: its stories as pages, and a JSON API at the same URLs."
EXAMPLE = "samestory portal news.db --edit"

#: Shorter tokens could be guessed.
MIN_TOKEN_CHARACTERS = 16


def arguments(command: argparse.ArgumentParser) -> None:
    """Adds the options of the command."""
    command.add_argument("database", metavar="DB", help="a file, or the URL of a PostgreSQL database")
    command.add_argument("--token-file", metavar="FILE", help="a file with the write token in its first line")
    command.add_argument("--edit", action="store_true", help="create a write token and print a sign-in link")
    command.add_argument(
        "--largest", type=int, default=16 << 20, metavar="BYTES", help="maximum size of a request (default: 16 MiB)"
    )
    command.add_argument(
        "--workers", type=int, default=1, metavar="N", help="processes that answer requests (default: 1)"
    )
    add_load(command)
    add_server_options(command, 8000, 50.0, "client addresses and https")


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    try:
        import uvicorn  # noqa: F401 - a missing package is reported first

        from samestory.web import Limits, TrustedProxies, app
    except ImportError as error:
        raise ParameterError(f"portal: {error.name} is not installed", "pip install 'samestory[portal]'") from None
    from samestory.archive import Archive
    from samestory.database.places import is_address

    if not 0 < args.rate < inf or args.largest < 1 or not 0 <= args.port <= 65535:
        raise ParameterError("portal: --rate and --largest must be above 0, and --port between 0 and 65535")
    if args.workers < 1:
        raise ParameterError(f"portal: --workers must be at least 1, got {args.workers}")
    token, public = _token(args), public_name("portal", args.public_url)
    TrustedProxies(args.proxy)  # an invalid address is reported before the server starts
    hosts, rate = None if args.proxy else names_of(args.host, public), args.rate / args.workers
    limits = Limits(max_body_bytes=args.largest, rate=rate, burst=max(10, round(4 * rate)))

    @contextmanager
    def opened() -> Iterator[Archive]:
        # a missing file is probably a misspelt name; a database on a server was created on purpose
        with Archive.open(args.database, create=is_address(args.database)) as archive:
            yield archive

    def work() -> None:
        with opened() as archive:
            serve(app(archive, token, limits, hosts), bound, args.proxy, args.log)

    with opened() as archive, listening("portal", args.host, args.port) as bound:
        _announce(args, address_of(args.host, bound, args.public_url), token)
        if args.workers == 1:
            serve(app(archive, token, limits, hosts), bound, args.proxy, args.log)
            return 0
        archive.close()  # every worker has its own connections
        return run_workers(work, args.workers)


def _announce(args: argparse.Namespace, address: str, token: str | None) -> None:
    print(f"samestory: {args.database} is at {address}", file=sys.stderr)
    if args.edit:
        print(f"samestory: sign in: {address}sign-in?{urlencode({'token': token})}", file=sys.stderr)
    elif token is None:
        print("samestory: this portal is read-only; --edit or --token-file FILE enables writing", file=sys.stderr)
    sys.stderr.flush()


def _token(args: argparse.Namespace) -> str | None:
    """Returns the write token, or None for a read-only portal."""
    if args.edit and args.token_file:
        raise ParameterError("portal: --edit and --token-file exclude each other", "use one of the two")
    if args.edit:
        if not is_own(args.host):
            raise ParameterError("portal: --edit works only on a loopback address", "use --token-file FILE")
        return secrets.token_urlsafe(24)
    if not args.token_file:
        return None
    lines = Path(args.token_file).read_text(encoding="utf-8").splitlines()
    token = lines[0].strip() if lines else ""
    if len(token) < MIN_TOKEN_CHARACTERS or not token.isascii() or " " in token:
        raise ParameterError(
            f"{args.token_file}:1: expected a token of at least {MIN_TOKEN_CHARACTERS} characters without spaces",
            "create one: python -c 'import secrets; print(secrets.token_urlsafe(24))'",
        )
    return token
