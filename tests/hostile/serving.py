"""Real servers in processes of their own, and raw connections from several loopback addresses."""

from __future__ import annotations

import json
import re
import resource
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from tests.conftest import PATIENCE, ROOT, command, environment

TOKEN = "a-token-that-is-long-enough"
WRITER = {"Authorization": f"Bearer {TOKEN}"}
HTML = {"Accept": "text/html"}


@dataclass(frozen=True)
class Running:
    """A server that runs: its process, its port, and what it has printed."""

    process: subprocess.Popen[str]
    port: int
    printed: str

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def client(self, address: str = "127.0.0.1", **more: Any) -> httpx.Client:
        """A client with an address of its own."""
        transport = httpx.HTTPTransport(local_address=address, verify=False)
        return httpx.Client(base_url=self.url, transport=transport, timeout=PATIENCE, **more)

    def connect(self, address: str = "127.0.0.1") -> socket.socket:
        """A raw connection from an address."""
        return socket.create_connection(("127.0.0.1", self.port), PATIENCE, (address, 0))


@contextmanager
def running(words: list[str], files: int | None = None) -> Iterator[Running]:
    """Starts a server; `files`: how many files it may open."""

    def limit() -> None:
        if files is not None:
            resource.setrlimit(resource.RLIMIT_NOFILE, (files // 4, files))

    process = subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT, env=environment(), preexec_fn=limit
    )
    try:
        assert process.stderr
        printed = process.stderr.readline()
        found = re.search(r":(\d+)/", printed)
        assert found, printed + process.stderr.read()
        yield Running(process, int(found[1]), printed)
    finally:
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.communicate(timeout=PATIENCE)
        process.kill()
        process.communicate()


@contextmanager
def portal(database: Path, *words: object, files: int | None = None) -> Iterator[Running]:
    """`samestory portal`, with a token."""
    token = database.with_name("token")
    token.write_text(TOKEN + "\n")
    with running(command("portal", database, "--port", 0, "--token-file", token, *words), files) as server:
        yield server


@contextmanager
def small_portal(database: Path, limits: Mapping[str, float]) -> Iterator[Running]:
    """A portal with other limits of connections."""
    with running([sys.executable, "-m", "tests.hostile.small_portal", str(database), json.dumps(limits)]) as server:
        yield server


def read_all(connection: socket.socket) -> bytes:
    """What a server sends until it closes the connection, however it does."""
    out = b""
    with suppress(ConnectionError):
        while part := connection.recv(1 << 16):
            out += part
    return out


def is_open(connection: socket.socket) -> bool:
    """Whether the server has not closed a connection on which it has nothing to send."""
    connection.setblocking(False)
    try:
        return connection.recv(1, socket.MSG_PEEK) != b""
    except BlockingIOError:
        return True
    except ConnectionError:
        return False
    finally:
        connection.settimeout(PATIENCE)


def post(path: str, body: bytes, length: int | None = None) -> bytes:
    """A request with a JSON body, of which only a part may be given."""
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    return f"{head}Content-Length: {len(body) if length is None else length}\r\n\r\n".encode() + body
