"""Fresh places for databases of both kinds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import psycopg

from tests import server


class Places:
    """Fresh places for databases of one kind."""

    def __init__(self, kind: str, fresh: Callable[[], str], drop: Callable[[str], None]) -> None:
        self.kind, self.fresh, self.drop = kind, fresh, drop


def files(folder: Path) -> Places:
    """SQLite files in a folder."""
    numbers = count(1)

    def drop(place: str) -> None:
        for end in ("", "-wal", "-shm", "-journal"):
            Path(f"{place}{end}").unlink(missing_ok=True)

    return Places("sqlite", lambda: str(folder / f"fresh {next(numbers)}.db"), drop)


@contextmanager
def postgres() -> Iterator[Places | None]:
    """Databases of a server of this process's own; None if PostgreSQL is not installed."""
    programs = server.programs()
    if programs is None:
        yield None
        return
    with server.running(programs) as started:
        yield Places("postgres", started.fresh, started.drop)


def wait_for_others(place: str) -> None:
    """Wait until no other process is connected to a PostgreSQL database: pg_restore outlives its killed parent."""
    with psycopg.connect(place, autocommit=True) as connection:
        while True:
            others = connection.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
                " AND backend_type = 'client backend'"
            ).fetchone()
            if others == (0,):
                return
            connection.execute("SELECT pg_sleep(0.02)")
