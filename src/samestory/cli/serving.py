"""HTTP serving on this machine or a network, shared by all commands that serve."""

from __future__ import annotations

import argparse
import ipaddress
import socket
from contextlib import suppress
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from samestory.errors import ParameterError

if TYPE_CHECKING:
    from fastapi import FastAPI

#: An unassigned address (RFC 5737); the route to it shows which local address other machines see.
UNASSIGNED_ADDRESS = ("192.0.2.1", 9)


def add_public_url(command: argparse.ArgumentParser) -> None:
    """Adds the option for the public URL, where it differs from the listening address."""
    command.add_argument("--public-url", metavar="URL", help="the public URL, as behind a proxy, used in printed links")


def add_server_options(command: argparse.ArgumentParser, port: int, rate: float, trusted_for: str) -> None:
    """Adds the options that all servers share, with the defaults of one."""
    command.add_argument("--host", default="127.0.0.1", metavar="ADDRESS", help="where to listen (default: 127.0.0.1)")
    command.add_argument("--port", type=int, default=port, metavar="N", help=f"0 for any free port (default: {port})")
    command.add_argument(
        "--rate", type=float, default=rate, metavar="N", help=f"requests per second and client (default: {rate:g})"
    )
    command.add_argument(
        "--proxy",
        metavar="ADDRESS",
        help=f"addresses or networks of reverse proxies that are trusted to report {trusted_for}, separated by commas",
    )
    command.add_argument(
        "--log", metavar="FILE", help="write warnings and errors to a file, which is rotated (default: standard error)"
    )
    add_public_url(command)


def public_name(command: str, url: str | None) -> str | None:
    """Returns the host name of a public URL; raises ParameterError if it is invalid."""
    if url is None:
        return None
    try:
        parts = urlsplit(url)
        _ = parts.port  # raises ValueError if invalid
    except ValueError:
        parts = urlsplit("")
    # pages link to each other from the root of the host
    if (
        parts.scheme not in ("http", "https")
        or not parts.hostname
        or (parts.path, parts.query, parts.fragment) not in (("", "", ""), ("/", "", ""))
        or parts.username is not None
        or "?" in url
        or "#" in url
        or not url.isprintable()
        or " " in url
    ):
        raise ParameterError(f"{command}: --public-url: expected https://NAME without a path, got {url!r}")
    return parts.hostname


def listening(command: str, host: str, port: int) -> socket.socket:
    """Opens the listening socket; raises ParameterError if that fails."""
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        bound = socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:
        raise ParameterError(f"{command}: cannot listen at {host}, port {port}: {error.strerror or error}") from None
    # otherwise the end of a response waits some 40 ms for the client to acknowledge its beginning
    bound.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return bound


def serve(app: FastAPI, bound: socket.socket, proxy: str | None = None, log: str | None = None) -> None:
    """Serves until interrupted. `proxy` is trusted to report client addresses; `log`: a file instead of stderr."""
    from samestory.web.server import run

    run(app, bound, proxy, log)


def address_of(host: str, bound: socket.socket, public_url: str | None = None) -> str:
    """Returns the URL of the server."""
    if public_url is not None:
        return f"{public_url.rstrip('/')}/"
    return f"http://{f'[{host}]' if ':' in host else host}:{bound.getsockname()[1]}/"


def reachable(host: str) -> str:
    """Returns the address of a host for other machines; for the wildcard address, the one visible on the network."""
    if host not in ("0.0.0.0", ""):
        return host
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(UNASSIGNED_ADDRESS)  # nothing is sent
        return str(probe.getsockname()[0])
    return socket.gethostname()


def names_of(host: str, public: str | None = None) -> tuple[str, ...] | None:
    """Returns the allowed Host names of a server that listens on loopback; None (any) if others can reach it."""
    return ("localhost", "127.0.0.1", "::1", host, *([public] if public else [])) if is_own(host) else None


def is_own(host: str) -> bool:
    """Returns whether a host is a loopback address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
