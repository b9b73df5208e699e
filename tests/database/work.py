"""Tasks of other processes on the database of a test: `python -m tests.database.work WHAT PLACE …`."""

from __future__ import annotations

import os
import signal
import sys
import time

from samestory.database import connect


def increase(place: str, times: str) -> None:
    """Increment a number some times, each time by reading and writing it."""
    with connect(place, create=False) as database:
        for _ in range(int(times)):
            with database.write() as session:
                (number,) = session.one("SELECT number FROM trial") or (0,)
                session.run("UPDATE trial SET number = ?", (number + 1,))


def write_and_wait(place: str) -> None:
    """Write, and wait inside the transaction to be killed."""
    with connect(place, create=False) as database, database.write() as session:
        session.insert("trial", ["word"], ((str(number),) for number in range(20_000)))
        print("written", flush=True)
        time.sleep(600)


def write_pairs(place: str) -> None:
    """Write pairs of rows, one transaction each, and print every committed number, until killed."""
    with connect(place, create=False) as database:
        for number in range(1_000_000):
            with database.write() as session:
                session.run("INSERT INTO trial (number, word) VALUES (?, 'left')", (number,))
                session.run("INSERT INTO trial (number, word) VALUES (?, 'right')", (number,))
            print(number, flush=True)


def create(place: str) -> None:
    """Open a database that may not exist yet, as soon as standard input ends."""
    sys.stdin.read()
    with connect(place) as database, database.read() as session:
        print(session.rows("SELECT value FROM meta WHERE name = 'version'"))


def grow(place: str, most: str) -> None:
    """Write until a limit on the file size is reached, and print the error."""
    import resource

    from samestory.errors import StoreError

    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(most), int(most)))
    with connect(place) as database:
        kept = 0
        try:
            while True:
                with database.write() as session:
                    session.insert("trial", ["number", "word"], [(kept, "word " * 20_000)])
                kept += 1
        except StoreError as error:
            print(kept, str(error).splitlines()[0], sep="\t")
        with database.read() as session:
            assert session.one("SELECT count(*) FROM trial") == (kept,)


def fork(place: str) -> None:
    """Use in a child process what its parent opened, and print the outcome."""
    from samestory.errors import StoreError

    with connect(place) as database:
        child = os.fork()
        if child == 0:
            try:
                with database.read():
                    os._exit(1)
            except StoreError:
                os._exit(7)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        with database.write() as session:
            session.run("UPDATE meta SET value = 'x' WHERE name = 'nothing'")


if __name__ == "__main__":
    {each.__name__: each for each in (increase, write_and_wait, write_pairs, create, grow, fork)}[sys.argv[1]](
        *sys.argv[2:]
    )
