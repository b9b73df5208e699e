"""A real PostgreSQL server for tests: made in a temporary folder, gone when the tests are."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote, urlencode

import psycopg

#: Where Debian keeps the programs of every version.
VERSIONS = Path("/usr/lib/postgresql")

USER, PASSWORD = "samestory", "a secret: 50%"

#: How long a server may take to start, in seconds.
PATIENCE = 60

# The shell ends the server when its own standard input ends, and that is when the tests do, however they end.
WATCH = 'top=$1; shift; "$@" & server=$!; read -r _; kill -INT "$server"; wait "$server"; rm -rf "$top"'


def programs() -> Path | None:
    """The folder of the newest server on this machine."""
    found = sorted(
        VERSIONS.glob("*/bin/postgres"), key=lambda path: int(path.parts[-3]) if path.parts[-3].isdigit() else 0
    )
    if found:
        return found[-1].parent
    path = shutil.which("postgres")
    return Path(path).resolve().parent if path and shutil.which("initdb") else None


def user() -> str | None:
    """Whom the server runs as: it refuses to run as root."""
    if os.getuid():
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return next(name for name in ("postgres", "nobody") if name in names)


class Server:
    """A running server, and fresh databases on it."""

    def __init__(self, port: int, folder: Path, start: Callable[[], None]) -> None:
        self.port = port
        self.folder = folder
        self.start = start
        """Starts the server again after it has ended by itself, and waits for it."""
        self._made = 0

    def address(self, name: str, **more: str) -> str:
        """The address of a database."""
        return address(self.port, name, **more)

    def is_running(self) -> bool:
        """Whether the server accepts connections, once it has recovered from a crash."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            try:
                psycopg.connect(self.address("postgres")).close()
                return True
            except psycopg.OperationalError as error:
                # a server that recovers, or starts to, refuses the connection itself
                if "refused" in str(error):
                    return False
                time.sleep(0.05)
        return False

    def fresh(self, options: str = "") -> str:
        """A new, empty database; gives its address."""
        self._made += 1
        name = f"fresh_{self._made}"
        with psycopg.connect(self.address("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name} {options}".encode())
        return self.address(name)

    def drop(self, address: str) -> None:
        """Drops a database and ends the connections to it."""
        name = psycopg.conninfo.conninfo_to_dict(address)["dbname"]
        with psycopg.connect(self.address("postgres"), autocommit=True) as connection:
            connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)".encode())


def address(port: int, name: str, **more: str) -> str:
    query = f"?{urlencode(more, quote_via=quote)}" if more else ""
    return f"postgresql://{USER}:{quote(PASSWORD, safe='')}@127.0.0.1:{port}/{name}{query}"


@contextmanager
def running(
    bin: Path, within: Path | None = None, create: Sequence[str] = (), options: Sequence[str] = ()
) -> Iterator[Server]:
    """Makes and starts a server; stops it in the end.

    Its files are in a folder of their own `within` another one; `create` are further arguments of initdb, and `options`
    of the server.
    """
    who = user()
    top = Path(tempfile.mkdtemp(prefix="samestory-server-", dir=within))
    watches: list[subprocess.Popen[bytes]] = []
    try:
        data, secret = top / "data", top / "secret"
        secret.write_text(PASSWORD)
        if who is not None:
            for path in (top, secret):
                shutil.chown(path, who)
        subprocess.run(
            [
                bin / "initdb",
                f"--pgdata={data}",
                f"--username={USER}",
                f"--pwfile={secret}",
                "--auth=scram-sha-256",
                "--encoding=UTF8",
                "--locale=C.UTF-8",
                "--no-sync",
                *create,
            ],
            user=who,
            cwd=top,
            check=True,
            capture_output=True,
        )
        port = free_port()
        words = [bin / "postgres", "-D", data, "-p", str(port), "-k", top]
        words += ["-c", "listen_addresses=127.0.0.1", "-c", "fsync=on", "-c", "max_connections=50"]
        words += options

        def start() -> None:
            with (top / "log").open("ab") as log:
                watch = subprocess.Popen(
                    ["/bin/sh", "-c", WATCH, "sh", top, *words],
                    user=who,
                    cwd=top,
                    stdin=subprocess.PIPE,
                    stdout=log,
                    stderr=log,
                    start_new_session=True,
                )
            watches.append(watch)
            wait_for(address(port, "postgres"), top / "log")

        try:
            start()
            yield Server(port, data, start)
        finally:
            for watch in reversed(watches):
                assert watch.stdin is not None
                watch.stdin.close()
                watch.wait(PATIENCE)
    finally:
        shutil.rmtree(top, ignore_errors=True)


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


def wait_for(address: str, log: Path) -> None:
    until = time.monotonic() + PATIENCE
    while True:
        try:
            psycopg.connect(address).close()
            return
        except psycopg.Error:
            if time.monotonic() > until:
                raise RuntimeError(f"the server did not start: {log.read_text()}") from None
            time.sleep(0.05)
