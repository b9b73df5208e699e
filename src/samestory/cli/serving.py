"""Serving something on this machine or a network, for all commands that do."""

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

#: When it is ended, whoever still listens is cut off after so many seconds.
LAST_WORDS = 2
#: An address that nobody has (RFC 5737): a way to it shows which of our own addresses others see.
NOBODY = ("192.0.2.1", 9)


def add_public_url(command: argparse.ArgumentParser) -> None:
    """The option that says how people reach what is served, where that is not where it listens."""
    command.add_argument(
        "--public-url", metavar="URL", help="by which people reach it, as through a proxy, for the links that are told"
    )


def public_name(command: str, url: str | None) -> str | None:
    """The name in a public URL; an error if it is none."""
    if url is None:
        return None
    try:
        parts = urlsplit(url)
        _ = parts.port  # a port that is none is told here
    except ValueError:
        parts = urlsplit("")
    # what is served stands at the top of its host: pages name each other so
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
        raise ParameterError(f"{command}: --public-url: https://NAME is wanted, without a path, got {url!r}")
    return parts.hostname


def listening(command: str, host: str, port: int) -> socket.socket:
    """The socket that is listened at; said at once if that cannot be."""
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        bound = socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:
        raise ParameterError(f"{command}: cannot listen at {host}, port {port}: {error.strerror or error}") from None
    # otherwise the end of an answer waits some 40 ms for the client to say that it heard the beginning
    bound.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return bound


def serve(app: FastAPI, bound: socket.socket, proxy: str | None = None) -> None:
    """Serves until somebody ends it. `proxy` is believed about who asks."""
    import uvicorn

    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=bool(proxy),
        forwarded_allow_ips=proxy,
        timeout_graceful_shutdown=LAST_WORDS,
    )
    # whoever ends a server ends it as it should be ended
    with suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[bound])


def address_of(host: str, bound: socket.socket, public_url: str | None = None) -> str:
    """The address under which it is opened."""
    if public_url is not None:
        return f"{public_url.rstrip('/')}/"
    return f"http://{f'[{host}]' if ':' in host else host}:{bound.getsockname()[1]}/"


def reachable(host: str) -> str:
    """The address by which others reach a host; of all addresses of this machine, the one that a network sees."""
    if host not in ("0.0.0.0", ""):
        return host
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
        way.connect(NOBODY)  # nothing is sent
        return str(way.getsockname()[0])
    return socket.gethostname()


def names_of(host: str, public: str | None = None) -> tuple[str, ...] | None:
    """The names by which a server of this machine alone may be asked for; any, where others hear it."""
    return ("localhost", "127.0.0.1", "::1", host, *([public] if public else [])) if is_own(host) else None


def is_own(host: str) -> bool:
    """Does only this machine hear it?"""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
