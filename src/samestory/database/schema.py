"""Compares the tables of a database with those that the migrations create."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from functools import cache
from typing import Any

from samestory.database.migrate import Migrations, statements

#: Runs a query and returns its rows.
Query = Callable[[str], list[tuple[Any, ...]]]

_OWN = "name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"


def sqlite_faults(query: Query, known: Migrations, version: int) -> list[str]:
    """Describe what a SQLite database lacks of its schema version, and what others have added that runs by itself."""
    wanted, found = _expected(known, version), _objects(query)
    out = [f"{kind} {name}, which samestory does not create" for kind, name in found if kind in ("trigger", "view")]
    for (kind, name), columns in wanted.items():
        if (kind, name) not in found:
            out.append(f"no {kind} {name}")
        elif absent := [each for each in columns if each not in found[kind, name]]:
            out.append(f"no column {', '.join(absent)} in the {kind} {name}")
    return out


def postgres_faults(query: Query, known: Migrations) -> list[str]:
    """The same for PostgreSQL: tables that are missing, and triggers and rules on those of samestory."""
    names = ", ".join(f"'{table}'" for table in known.tables)
    found = {name for (name,) in query("SELECT tablename::text FROM pg_tables WHERE schemaname = current_schema()")}
    out = [f"no table {table}" for table in known.tables if table not in found]
    among = f"n.nspname = current_schema() AND c.relname IN ({names})"
    joined = "JOIN pg_namespace n ON n.oid = c.relnamespace"
    for kind, sql in (
        (
            "trigger",
            f"SELECT t.tgname::text FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid {joined}"
            f" WHERE NOT t.tgisinternal AND {among}",
        ),
        (
            "rule",
            f"SELECT r.rulename::text FROM pg_rewrite r JOIN pg_class c ON c.oid = r.ev_class {joined} WHERE {among}",
        ),
    ):
        out += [f"{kind} {name}, which samestory does not create" for (name,) in query(sql)]
    return out


@cache
def _expected(known: Migrations, version: int) -> dict[tuple[str, str], list[str]]:
    with closing(sqlite3.connect(":memory:")) as connection:
        for number in range(1, version + 1):
            for name in (f"{number:04}.sql", f"{number:04}.sqlite.sql"):
                for statement in statements(known.text(name), "sqlite"):
                    connection.execute(statement)
        return _objects(lambda sql: connection.execute(sql).fetchall())


def _objects(query: Query) -> dict[tuple[str, str], list[str]]:
    """Return all tables, indexes, triggers and views, with the columns of each."""
    out = {}
    for kind, name in query(f"SELECT type, name FROM sqlite_master WHERE {_OWN}"):
        quoted = name.replace("'", "''")
        pragma = {"table": "table_info", "view": "table_info", "index": "index_info"}.get(kind)
        columns = query(f"SELECT name FROM pragma_{pragma}('{quoted}')") if pragma else []
        out[kind, name] = [column for (column,) in columns]
    return out
