"""Atomic backup and restore of PostgreSQL, with pg_dump and pg_restore."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from psycopg import conninfo

from samestory.database.database import Database
from samestory.database.files import new_file
from samestory.database.migrate import migrations, version
from samestory.errors import InputError, StoreError
from samestory.processes import end_with_parent

if TYPE_CHECKING:
    from samestory.database.postgres import Postgres

#: The kinds of objects in a dump of samestory.
_KINDS = ("TABLE", "TABLE DATA", "INDEX", "CONSTRAINT", "SEQUENCE", "SEQUENCE SET", "SEQUENCE OWNED BY", "DEFAULT")

#: Where Debian installs the programs of every version.
VERSIONS = Path("/usr/lib/postgresql")


def dump(database: Database, path: str | Path) -> None:
    """Dump the tables of a database into a new file."""
    program = _program("pg_dump")
    with database.read() as session:
        (schema,) = session.rows("SELECT quote_ident(current_schema())")[0]
    tables = [f"--table={schema}.{table}" for table in migrations().tables]
    # a sign-in that is ended later must not come back with the backup
    tables.append(f"--exclude-table-data={schema}.sessions")
    with new_file(path) as temporary:
        _run(database, [program, "--format=custom", "--no-owner", "--no-privileges", *tables, f"--file={temporary}"])


def restore(path: Path, database: Postgres) -> dict[str, int]:
    """Restore a dump to a database without an archive, or with an empty one; return the number of rows of each table.

    Writers wait meanwhile, and see the restored archive.
    """
    program, known = _program("pg_restore"), migrations()
    try:
        with database.writers_waiting():
            with database.read() as session:
                (schema,) = session.rows("SELECT current_schema()::text")[0]
                existing = version(database, session, create=True, known=known)
                for table in database.names(session) & set(known.tables) if existing else ():
                    if table != "meta" and session.one(f"SELECT 1 FROM {table} LIMIT 1"):
                        raise InputError("already has data", hint="restore to an empty database", place=database.name)
            _check_contents(_run(database, [program, "--list", str(path)], connected=False), schema, database, path)
            options = ["--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges"]
            # the tables of an empty archive are created again
            options += ["--clean", "--if-exists"] if existing else []
            _run(database, [program, *options, str(path)])
            with database.read() as session:
                tables = database.names(session)
                return {
                    name: session.rows(f"SELECT count(*) FROM {name}")[0][0] for name in known.tables if name in tables
                }
    finally:
        database.close()


def _check_contents(listed: str, schema: str, database: Database, path: Path) -> None:
    """Raise an InputError if a dump is of another schema, or has more than the tables of samestory."""
    known = "|".join(sorted(_KINDS, key=len, reverse=True))
    pattern = rf"^\d+; \d+ \d+ ({known}|[A-Z][A-Z ]*[A-Z]) (\S.*) \S+$"
    entries = re.findall(pattern, listed, flags=re.MULTILINE)
    schemas = {rest.rpartition(" ")[0] for kind, rest in entries if kind == "TABLE"}
    if schemas != {schema}:
        raise InputError(
            f"a backup of the schema {', '.join(sorted(schemas)) or '(none)'}, not of {schema}, the schema"
            f" of {database.name}",
            hint="use a URL whose search path begins with the schema of the backup",
            place=path,
        )
    if foreign := sorted({f"{kind.lower()} {rest}" for kind, rest in entries if kind not in _KINDS}):
        raise InputError(f"has what no backup of samestory has: {', '.join(foreign)}", place=path)


def _program(name: str) -> str:
    """Return the newest program of a name: an older one refuses a newer server."""
    versions = sorted(VERSIONS.glob(f"*/bin/{name}"), key=lambda found: (len(found.parts[-3]), found.parts[-3]))
    found = str(versions[-1]) if versions else shutil.which(name)
    if found is None:
        raise StoreError(f"backups of PostgreSQL need {name}, which is not installed", hint="install postgresql-client")
    return found


def _run(database: Database, command: list[str], connected: bool = True) -> str:
    """Run a program for a database; the password is passed where other users of the machine cannot read it."""
    given = {k: v for k, v in conninfo.conninfo_to_dict(database.place).items() if v is not None}
    password = given.pop("password", None)
    environment = {**os.environ, **({"PGPASSWORD": str(password)} if password is not None else {})}
    if connected:
        command = [command[0], f"--dbname={conninfo.make_conninfo('', **given)}", "--no-password", *command[1:]]
    # a killed restore must not go on without the lock that makes writers wait: it would replace what they write
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, check=False, preexec_fn=end_with_parent()
    )
    if done.returncode:
        message = " ".join(done.stderr.split())
        raise StoreError(f"{Path(command[0]).name}: {message}", place=database.name)
    return done.stdout
