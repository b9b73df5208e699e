"""Backups of PostgreSQL: those of its own programs, pg_dump and pg_restore, whole or not at all."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

from psycopg import conninfo

from samestory.database.files import new_file
from samestory.database.migrate import migrations, version
from samestory.database.postgres import Postgres
from samestory.errors import InputError, StoreError

#: Where Debian keeps the programs of every version.
VERSIONS = Path("/usr/lib/postgresql")


def dumped(database: Postgres, path: str | Path) -> None:
    """Dumps the tables of a database into a new file."""
    program = _program("pg_dump")
    with database.read() as session:
        (schema,) = session.rows("SELECT quote_ident(current_schema())")[0]
    wanted = [f"--table={schema}.{table}" for table in migrations().tables]
    with new_file(path) as trial:
        _run(database, [program, "--format=custom", "--no-owner", "--no-privileges", *wanted, f"--file={trial}"])


def restored(path: Path, place: str) -> None:
    """Puts a dump into a database that holds no archive, or an empty one."""
    program = _program("pg_restore")
    database = Postgres(place)
    try:
        with database.read() as session:
            (schema,) = session.rows("SELECT current_schema()::text")[0]
            there = version(database, session, create=True, known=migrations())
            for table in migrations().tables if there else ():
                if table != "meta" and session.one(f"SELECT 1 FROM {table} LIMIT 1"):
                    raise InputError(f"{database.name}: holds something already", hint="restore to an empty database")
        listed = _run(database, [program, "--list", str(path)], connected=False)
        schemas = set(re.findall(r"^\d+; \d+ \d+ TABLE (?!DATA )(.+) \w+ \S+$", listed, flags=re.MULTILINE))
        if schemas != {schema}:
            raise InputError(
                f"{path}: of the schema {', '.join(sorted(schemas)) or '(none)'}, and {database.name} has {schema}",
                hint="give an address whose search path begins with that schema",
            )
        how = ["--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges"]
        # the tables of an archive that holds nothing are made again
        how += ["--clean", "--if-exists"] if there else []
        _run(database, [program, *how, str(path)])
    finally:
        database.close()


def _program(name: str) -> str:
    """The newest program of that name: an older one refuses a newer server."""
    versions = sorted(VERSIONS.glob(f"*/bin/{name}"), key=lambda found: (len(found.parts[-3]), found.parts[-3]))
    found = str(versions[-1]) if versions else shutil.which(name)
    if found is None:
        raise StoreError(
            f"a backup of PostgreSQL needs {name}, which is not installed", hint="postgresql-client has it"
        )
    return found


def _run(database: Postgres, words: list[str], connected: bool = True) -> str:
    """Runs a program for a database; its password goes where other users of the machine cannot read it."""
    given = {k: v for k, v in conninfo.conninfo_to_dict(database.place).items() if v is not None}
    password = given.pop("password", None)
    environment = {**os.environ, **({"PGPASSWORD": str(password)} if password is not None else {})}
    if connected:
        words = [words[0], f"--dbname={conninfo.make_conninfo('', **given)}", "--no-password", *words[1:]]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        said = " ".join(done.stderr.split())
        raise StoreError(f"{database.name}: {Path(words[0]).name}: {said}")
    return done.stdout
