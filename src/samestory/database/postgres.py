"""A database on a server, by PostgreSQL; the tables lie in the first schema of the connection's search path."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import psycopg
from psycopg import errors
from psycopg.adapt import Loader
from psycopg.types.numeric import Int8Dumper

from samestory.database.database import Database
from samestory.database.migrate import migrations
from samestory.database.session import Row, Session
from samestory.errors import InputError, SamestoryError, StoreError

Connection = psycopg.Connection[Row]

#: How long a writer waits for another one, in seconds, as in SQLite; and how long for a server that does not answer.
PATIENCE, PATIENCE_TO_CONNECT = 60, 10

#: The lock that the writer holds: this number, and one for the schema.
LOCK = 0x53414D45

#: Errors by which the server, and not the statement, says no: those classes of its codes.
_NO_ROOM, _DAMAGED = ("53100", "53200"), ("XX001", "XX002")


def shown_address(address: str) -> str:
    """An address without its password.

    >>> shown_address("postgresql://news:secret@localhost/archive?password=secret")
    'postgresql://news:***@localhost/archive?password=***'
    """
    try:
        parts = urlsplit(address)
        user, colon, _ = parts.netloc.rpartition("@")[0].partition(":")
    except ValueError:
        return "postgresql://…"
    host = parts.netloc.rpartition("@")[2]
    who = f"{user}{':***' if colon else ''}@" if "@" in parts.netloc else ""
    pairs = [(k, "***" if "password" in k.lower() else v) for k, v in parse_qsl(parts.query, keep_blank_values=True)]
    query = urlencode(pairs, safe="*/,-=") if pairs else ""
    return f"{parts.scheme}://{who}{host}{parts.path}{'?' if query else ''}{query}"


def failure(error: BaseException, name: str) -> SamestoryError | None:
    """An error of PostgreSQL as one of ours; None for any other."""
    if isinstance(error, UnicodeEncodeError):
        return InputError(f"{name}: a text with half a character (a lone surrogate) cannot be kept")
    if not isinstance(error, psycopg.Error):
        return None
    said = " ".join(str(error).split())
    code = error.sqlstate or ""
    if isinstance(error, errors.LockNotAvailable):
        return StoreError(f"{name}: another program has been writing for {PATIENCE} seconds")
    if isinstance(error, errors.InsufficientPrivilege):
        return InputError(f"{name}: no permission ({said})")
    if code in _NO_ROOM:
        return StoreError(f"{name}: no room left on the server ({said})", hint="nothing of this transaction was kept")
    if code in _DAMAGED:
        return StoreError(f"{name}: damaged ({said})", hint="restore a backup")
    return StoreError(f"{name}: {said}")


class _NumericLoader(Loader):
    """Sums and means as SQLite gives them: a whole number where it is one, otherwise a float."""

    def load(self, data: Any) -> int | float:
        text = bytes(data)
        return int(text) if text.lstrip(b"-").isdigit() else float(text)


@lru_cache(maxsize=1024)
def _own(sql: str) -> str:
    """A statement with the marks of psycopg."""
    return sql.replace("%", "%%").replace("?", "%s")


class PostgresSession(Session):
    """A transaction of one connection."""

    def __init__(self, connection: Connection, name: str) -> None:
        super().__init__(name)
        self._connection = connection
        self._cursors = 0

    def _execute(self, sql: str, args: Sequence[Any]) -> psycopg.Cursor[Row]:
        # an empty list of values, so that %% means % in every statement
        return self._connection.execute(_own(sql), args or ())

    def _rows(self, sql: str, args: Sequence[Any]) -> list[Row]:
        return self._execute(sql, args).fetchall()

    def _one(self, sql: str, args: Sequence[Any]) -> Row | None:
        return self._execute(sql, args).fetchone()

    def _parts(self, sql: str, args: Sequence[Any], at_once: int) -> Generator[list[Row]]:
        self._cursors += 1
        with self._connection.cursor(f"each_{self._cursors}") as cursor:
            cursor.execute(_own(sql), args or ())
            while part := cursor.fetchmany(at_once):
                yield part

    def _run(self, sql: str, args: Sequence[Any]) -> int:
        return self._execute(sql, args).rowcount

    def _many(self, sql: str, rows: Iterable[Sequence[Any]]) -> int:
        with self._connection.cursor() as cursor:
            cursor.executemany(_own(sql), rows)
            return cursor.rowcount

    def _insert(self, table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> int:
        statement = f"COPY {table} ({', '.join(columns)}) FROM STDIN"
        with self._connection.cursor() as cursor:
            with cursor.copy(statement) as copy:
                for row in rows:
                    copy.write_row(row)
            return cursor.rowcount

    def _error(self, error: BaseException) -> SamestoryError | None:
        return failure(error, self._place)


class Postgres(Database):
    """A database on a server. A connection that was lost is opened anew at the next use."""

    kind = "postgres"

    def __init__(self, place: str) -> None:
        super().__init__(place, shown_address(place))

    def ready(self) -> None:
        """Nothing is left to be done."""

    def _open(self, writing: bool) -> Connection:
        try:
            connection = psycopg.connect(
                self.place,
                autocommit=True,
                client_encoding="UTF8",
                **self._defaults(),
            )
        except (psycopg.Error, UnicodeError) as error:
            said = " ".join(str(error).split())
            hint = 'createdb makes one, "samestory" puts its tables in' if "does not exist" in said else ""
            raise InputError(f"{self.name}: {said}", hint) from error
        try:
            # whole numbers always as those of 64 bits, not as the smallest that holds them: sums do not overflow
            connection.adapters.register_dumper(int, Int8Dumper)
            connection.adapters.register_loader("numeric", _NumericLoader)
            found = connection.execute("SELECT current_setting('server_encoding'), current_schema()").fetchone()
            encoding, schema = found or ("", None)
            if encoding != "UTF8":
                raise InputError(f"{self.name}: keeps its texts as {encoding}", hint="createdb --encoding=UTF8")
            if schema is None:
                raise InputError(f"{self.name}: the schema of its search path is not there", hint="CREATE SCHEMA …")
            if writing:
                connection.execute(f"SET lock_timeout = '{PATIENCE}s'")
                # words wait in a list and go into their index by sorted chunks of this size: faster than by 4 MB
                connection.execute(
                    "SELECT set_config('work_mem', '64MB', false)"
                    " WHERE pg_size_bytes(current_setting('work_mem')) < pg_size_bytes('64MB')"
                )
                # on disk before it is said to be, whatever the server does for others
                connection.execute(
                    "SELECT set_config('synchronous_commit', 'on', false)"
                    " WHERE current_setting('synchronous_commit') IN ('off', 'local')"
                )
        except psycopg.Error as error:
            connection.close()
            raise failure(error, self.name) or error from error
        except BaseException:
            connection.close()
            raise
        return connection

    def _defaults(self) -> dict[str, Any]:
        """Settings for those that the address does not give."""
        given = psycopg.conninfo.conninfo_to_dict(self.place)
        wanted = {"connect_timeout": PATIENCE_TO_CONNECT, "application_name": "samestory"}
        return {name: value for name, value in wanted.items() if name not in given}

    def _begin(self, connection: Connection, writing: bool) -> Session:
        try:
            if writing:
                connection.execute(f"BEGIN; SELECT pg_advisory_xact_lock({LOCK}, hashtext(current_schema()))")
            else:
                # the question takes the snapshot, which would otherwise be that of the first statement
                connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT 1")
        except psycopg.Error as error:
            raise failure(error, self.name) or error from error
        return PostgresSession(connection, self.name)

    def _finish(self, connection: Connection, keep: bool) -> None:
        try:
            connection.execute("COMMIT" if keep else "ROLLBACK")
        except psycopg.Error as error:
            if keep and self._is_lost(connection):
                raise StoreError(
                    f"{self.name}: lost while the end of a transaction was written",
                    hint="whether it was kept is not known: look before you repeat it",
                ) from error
            raise failure(error, self.name) or error from error

    def _undo(self, connection: Connection) -> None:
        connection.execute("ROLLBACK")

    def _is_lost(self, connection: Connection) -> bool:
        return connection.closed

    def _shut(self, connection: Connection) -> None:
        connection.close()

    def names(self, session: Session) -> set[str]:
        """The names of the tables that are there."""
        sql = "SELECT tablename::text FROM pg_catalog.pg_tables WHERE schemaname = current_schema()"
        return {name for (name,) in session.rows(sql)}

    def columns(self, session: Session, table: str) -> set[str]:
        """The names of the columns of a table."""
        sql = (
            "SELECT column_name::text FROM information_schema.columns"
            " WHERE table_schema = current_schema() AND table_name = ?"
        )
        return {name for (name,) in session.rows(sql, (table,))}

    def free(self) -> None:
        """Lets the server use the room of deleted rows again, and gives back what lies at the end of a table."""
        with self._alone() as connection:
            try:
                for table in migrations().tables:
                    connection.execute(f"VACUUM {table}")
            except psycopg.Error as error:
                raise failure(error, self.name) or error from error

    def size(self) -> int:
        """How many bytes the tables and their indexes take."""
        with self.read() as session:
            total = session.one(
                "SELECT coalesce(sum(pg_total_relation_size(relid)), 0) FROM pg_catalog.pg_statio_user_tables"
                " WHERE schemaname = current_schema()"
            )
        return int(total[0]) if total else 0

    def backup(self, path: str | Path) -> None:
        """Dumps the tables as they are now into a new file, by `pg_dump`, while others read and write."""
        from samestory.database.postgres_backup import dumped

        self._check()
        dumped(self, path)
