"""The PostgreSQL backend; its tables are in the first schema of the connection's search path."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import psycopg
from psycopg import errors
from psycopg.adapt import Loader
from psycopg.types.numeric import Int8Dumper

from samestory.database.database import Database
from samestory.database.migrate import Migrations, migrations
from samestory.database.schema import postgres_faults
from samestory.database.session import Row, Session
from samestory.errors import InputError, SamestoryError, StoreError

Connection = psycopg.Connection[Row]

#: How long a writer waits for another one, in seconds, as in SQLite; and how long to wait for a connection.
WRITE_TIMEOUT_SECONDS, CONNECT_TIMEOUT_SECONDS = 60, 10

#: The advisory lock of the writer: this number, and a hash of the schema.
ADVISORY_LOCK_ID = 0x53414D45

#: Codes of errors caused by the server and not by the statement.
_NO_SPACE, _DAMAGED = ("53100", "53200"), ("XX001", "XX002")


def shown_address(address: str) -> str:
    """Return a URL without its password.

    >>> shown_address("postgresql://news:secret@localhost/archive?password=secret")
    'postgresql://news:***@localhost/archive?password=***'
    """
    try:
        parts = urlsplit(address)
        user, colon, _ = parts.netloc.rpartition("@")[0].partition(":")
    except ValueError:
        return "postgresql://…"
    host = parts.netloc.rpartition("@")[2]
    login = f"{user}{':***' if colon else ''}@" if "@" in parts.netloc else ""
    pairs = [(k, "***" if "password" in k.lower() else v) for k, v in parse_qsl(parts.query, keep_blank_values=True)]
    query = urlencode(pairs, safe="*/,-=") if pairs else ""
    return f"{parts.scheme}://{login}{host}{parts.path}{'?' if query else ''}{query}"


def failure(error: BaseException, name: str) -> SamestoryError | None:
    """Translate an error of PostgreSQL to a SamestoryError; None for any other."""
    if isinstance(error, UnicodeEncodeError):
        return InputError("a text with a lone surrogate cannot be stored", place=name)
    if not isinstance(error, psycopg.Error):
        return None
    message = " ".join(str(error).split())
    code = error.sqlstate or ""
    if isinstance(error, errors.LockNotAvailable):
        return StoreError(f"another program has been writing for {WRITE_TIMEOUT_SECONDS} seconds", place=name)
    if isinstance(error, errors.InsufficientPrivilege):
        return InputError(f"no permission ({message})", place=name)
    if code in _NO_SPACE:
        return StoreError(
            f"the server is out of space ({message})", hint="this transaction was rolled back", place=name
        )
    if code in _DAMAGED:
        return StoreError(f"damaged ({message})", hint="restore a backup", place=name)
    return StoreError(message, place=name)


class _NumericLoader(Loader):
    """Loads sums and means as SQLite returns them: an integer if it is one, otherwise a float."""

    def load(self, data: Any) -> int | float:
        text = bytes(data)
        return int(text) if text.lstrip(b"-").isdigit() else float(text)


@lru_cache(maxsize=1024)
def _to_psycopg(sql: str) -> str:
    """Convert the placeholders of a statement to those of psycopg."""
    return sql.replace("%", "%%").replace("?", "%s")


class PostgresSession(Session):
    """A transaction of one connection."""

    def __init__(self, connection: Connection, name: str) -> None:
        super().__init__(name)
        self._connection = connection
        self._cursors = 0

    def _execute(self, sql: str, args: Sequence[Any]) -> psycopg.Cursor[Row]:
        # an empty tuple rather than None, so that %% means % in every statement
        return self._connection.execute(_to_psycopg(sql), args or ())

    def _rows(self, sql: str, args: Sequence[Any]) -> list[Row]:
        return self._execute(sql, args).fetchall()

    def _one(self, sql: str, args: Sequence[Any]) -> Row | None:
        return self._execute(sql, args).fetchone()

    def _parts(self, sql: str, args: Sequence[Any], at_once: int) -> Generator[list[Row]]:
        self._cursors += 1
        with self._connection.cursor(f"each_{self._cursors}") as cursor:
            cursor.execute(_to_psycopg(sql), args or ())
            while part := cursor.fetchmany(at_once):
                yield part

    def _run(self, sql: str, args: Sequence[Any]) -> int:
        return self._execute(sql, args).rowcount

    def _many(self, sql: str, rows: Iterable[Sequence[Any]]) -> int:
        with self._connection.cursor() as cursor:
            cursor.executemany(_to_psycopg(sql), rows)
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
    """A database on a server. A lost connection is reopened at the next use."""

    kind = "postgres"

    def __init__(self, place: str) -> None:
        super().__init__(place, shown_address(place))

    def ready(self) -> None:
        """Do nothing: the setup is complete."""

    def _open(self, writing: bool) -> Connection:
        try:
            connection = psycopg.connect(
                self.place,
                autocommit=True,
                client_encoding="UTF8",
                **self._defaults(),
            )
        except (psycopg.Error, UnicodeError) as error:
            message = " ".join(str(error).split())
            hint = "create it with createdb; samestory creates the tables" if "does not exist" in message else ""
            raise InputError(message, hint, place=self.name) from error
        try:
            # integers always as 64-bit, not as the smallest type that fits: sums do not overflow
            connection.adapters.register_dumper(int, Int8Dumper)
            connection.adapters.register_loader("numeric", _NumericLoader)
            found = connection.execute("SELECT current_setting('server_encoding'), current_schema()").fetchone()
            encoding, schema = found or ("", None)
            if encoding != "UTF8":
                raise InputError(
                    f"has the encoding {encoding}, not UTF8", hint="createdb --encoding=UTF8", place=self.name
                )
            if schema is None:
                raise InputError(
                    "the schema of its search path does not exist", hint="CREATE SCHEMA …", place=self.name
                )
            if writing:
                connection.execute(f"SET lock_timeout = '{WRITE_TIMEOUT_SECONDS}s'")
                # the pending list of the GIN index is merged in sorted chunks of this size: faster than by 4 MB
                connection.execute(
                    "SELECT set_config('work_mem', '64MB', false)"
                    " WHERE pg_size_bytes(current_setting('work_mem')) < pg_size_bytes('64MB')"
                )
                # durable commits, whatever the default of the server
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
        """Return defaults for connection settings that the URL does not set."""
        given = psycopg.conninfo.conninfo_to_dict(self.place)
        wanted = {"connect_timeout": CONNECT_TIMEOUT_SECONDS, "application_name": "samestory"}
        return {name: value for name, value in wanted.items() if name not in given}

    def _begin(self, connection: Connection, writing: bool) -> Session:
        try:
            if writing:
                connection.execute(
                    f"BEGIN; SELECT pg_advisory_xact_lock({ADVISORY_LOCK_ID}, hashtext(current_schema()))"
                )
            else:
                # the query takes the snapshot now and not at the first statement
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
                    "connection lost during a commit",
                    hint="the transaction may or may not be committed: check before you repeat it",
                    place=self.name,
                ) from error
            raise failure(error, self.name) or error from error

    def _undo(self, connection: Connection) -> None:
        connection.execute("ROLLBACK")

    def _is_lost(self, connection: Connection) -> bool:
        return connection.closed

    def _shut(self, connection: Connection) -> None:
        connection.close()

    @contextmanager
    def writers_waiting(self) -> Iterator[None]:
        """Hold the lock of the writers without a transaction, for programs that write with connections of their own."""
        connection = self._open(writing=True)
        try:
            connection.execute(f"SELECT pg_advisory_lock({ADVISORY_LOCK_ID}, hashtext(current_schema()))")
            yield
        except psycopg.Error as error:
            raise failure(error, self.name) or error from error
        finally:
            connection.close()

    def names(self, session: Session) -> set[str]:
        sql = "SELECT tablename::text FROM pg_catalog.pg_tables WHERE schemaname = current_schema()"
        return {name for (name,) in session.rows(sql)}

    def columns(self, session: Session, table: str) -> set[str]:
        sql = (
            "SELECT column_name::text FROM information_schema.columns"
            " WHERE table_schema = current_schema() AND table_name = ?"
        )
        return {name for (name,) in session.rows(sql, (table,))}

    def faults(self, session: Session, known: Migrations) -> list[str]:
        found = postgres_faults(session.rows, known)
        for table in set(known.tables) & self.names(session):
            try:
                with session.part():
                    # reads every row in full, as the server checks it only then
                    session.rows(f"SELECT count(length(CAST(x AS text))) FROM {table} x")
            except StoreError as error:
                found.append(f"damaged: {table}: {error.detail}")
        return found

    def free(self) -> None:
        """Vacuum: the server reuses the space of deleted rows, and frees that at the end of a table."""
        with self._alone() as connection:
            try:
                for table in migrations().tables:
                    connection.execute(f"VACUUM {table}")
            except psycopg.Error as error:
                raise failure(error, self.name) or error from error

    def size(self) -> int:
        """Return the size of the tables and their indexes, in bytes."""
        with self.read() as session:
            total = session.one(
                "SELECT coalesce(sum(pg_total_relation_size(relid)), 0) FROM pg_catalog.pg_statio_user_tables"
                " WHERE schemaname = current_schema()"
            )
        return int(total[0]) if total else 0

    def backup(self, path: str | Path) -> None:
        """Dump the tables as they are now into a new file with `pg_dump`, while others read and write."""
        from samestory.database.postgres_backup import dump

        self._check()
        dump(self, path)
