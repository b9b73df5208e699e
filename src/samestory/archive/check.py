"""Checks an archive for damage: every row against the text that it was made from, and tables against each other.

    for damage in check("news.db", repair=True).damages:
        print(damage)

What follows from the texts can be made again: signatures, dates, counts, the search index. A text cannot.
"""

from __future__ import annotations

import json
import time
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from samestory.archive import article_rows, checksums, dependencies, log, metadata, settings, words
from samestory.archive.article_rows import Findings
from samestory.database import Database, Session, connect
from samestory.database.migrate import migrations
from samestory.errors import MismatchError, SamestoryError, StoreError
from samestory.groups.decisions import APART, SAME
from samestory.index.segments import damaged_segments, remove_damaged
from samestory.model import Kind, shown

#: Examples of each kind of damage.
MAX_EXAMPLES = 5
#: Tables whose rows can be deleted: a client signs in or sends its request again, and rejects are only displayed.
_DELETABLE = ("answers", "sessions", "rejects")


@dataclass(frozen=True, slots=True)
class Damage:
    """One kind of damage: what is wrong, how often, where, and whether it can be, or was, repaired."""

    what: str
    count: int
    examples: tuple[str, ...] = ()
    repair: str = ""
    """How it is repaired; empty if nothing is left from which it could be."""
    repaired: bool = False

    def __str__(self) -> str:
        more = ", …" if self.count > len(self.examples) else ""
        where = f": {', '.join(self.examples)}{more}" if self.examples else ""
        way = "" if not self.repair else f" ({'repaired' if self.repaired else 'can be repaired'}: {self.repair})"
        return f"{self.count:,} × {self.what}{where}{way}"


@dataclass(slots=True)
class Report:
    """The result of a check."""

    articles: int = 0
    relations: int = 0
    unchecked: int = 0
    """Rows without a checksum, which an older samestory stored."""
    damages: list[Damage] = field(default_factory=list)

    @property
    def is_sound(self) -> bool:
        """Whether no damage is left."""
        return all(damage.repaired for damage in self.damages)

    def add(self, what: str, found: Iterable[object], repair: str = "", repaired: bool = False) -> None:
        """Add a kind of damage, if there is any."""
        if examples := [each if isinstance(each, str) else shown(each) for each in found]:
            kept = tuple(examples[:MAX_EXAMPLES])
            self.damages.append(Damage(what, len(examples), kept, repair, bool(repair) and repaired))


def check(place: str, repair: bool = False) -> Report:
    """Check the archive at a place; with `repair`, make again what can be made again, in one transaction."""
    report = Report()
    with connect(place, create=False, read_only=not repair) as database:
        with database.read() as session:
            faults = database.faults(session, migrations())
        report.add("fault of the database", faults)
        if any(fault.startswith(("no table", "no column", "damaged")) for fault in faults):
            return report
        with database.write() if repair else database.read() as session:
            try:
                _check(database, session, report, repair)
            except StoreError as error:
                raise StoreError(f"the check broke off: {error.detail}", error.hint, place=database.name) from error
    return report


def _check(database: Database, session: Session, report: Report, repair: bool) -> None:
    mended: list[str] = []
    changed = _check_checksums(database, session, report, repair)
    _check_pairs(session, report)
    try:
        specs, _, as_is = settings.load_or_create(session, None, None)
        detectors = settings.load_detectors(session, specs)
    except SamestoryError as error:
        hint = "samestory index rebuild DB" if isinstance(error, MismatchError) else ""
        report.add("setting of the archive", [f"{error.detail}; {error.hint}" if error.hint else error.detail], hint)
    else:
        findings = Findings()
        checker = article_rows.Checker(database, detectors, as_is, repair, changed["articles"], changed["texts"])
        for batch in checker.batches(session):
            report.articles += len(batch)
            checker.check(session, batch, findings)
        for (what, way), ids in findings.kinds.items():
            report.add(what, ids, way, repair)
            mended += ids if way else []
        _check_entries(session, report, len(detectors), repair)
    _check_metadata(database, session, report, changed["articles"], repair)
    _check_segments(database, session, report, repair)
    _check_relations(session, report, repair)
    _check_stories(session, report, repair)
    _check_dependencies(session, report, repair)
    is_reindexed = _check_search(database, session, report, repair)
    if repair:
        checksums.add_missing(session, database.kind)
    else:
        report.unchecked = checksums.missing(session)
    if repair and (mended or is_reindexed):
        # other processes read these articles, and search for words, again
        now = time.time_ns() // 1000
        log.append(session, [("repaired", None, json.dumps(mended, ensure_ascii=False), None)], now)


def _check_checksums(database: Database, session: Session, report: Report, repair: bool) -> dict[str, set[Any]]:
    """Report the rows whose values are not those that were stored; return the numbers of articles and texts."""
    numbers: dict[str, set[Any]] = {"articles": set(), "texts": set()}
    for table in checksums.TABLES:
        damaged: list[checksums.ChangedRow] = []
        values: list[checksums.ChangedRow] = []
        for row in checksums.changed(session, database.kind, table):
            (damaged if row.is_checksum else values).append(row)
        report.add(f"damaged checksum in the table {table}", map(_key, damaged), "computed again", repair)
        if repair:
            checksums.replace(session, table, damaged)
        if table in numbers:
            # the articles are named where they are compared with their texts
            numbers[table] = {row.key[0] for row in values}
        elif table in _DELETABLE:
            report.add(
                f"row of the table {table} that has changed since it was stored", map(_key, values), "deleted", repair
            )
            if repair:
                checksums.delete(session, table, values)
        else:
            again = "; samestory index rebuild writes it again" if table in ("relations", "changes") else ""
            report.add(f"row of the table {table} that has changed since it was stored{again}", map(_key, values))
    return numbers


def _key(row: checksums.ChangedRow) -> str:
    return ", ".join(map(shown, row.key))


def _check_pairs(session: Session, report: Report) -> None:
    sql = "SELECT {0} FROM {1} x WHERE NOT EXISTS (SELECT 1 FROM {2} y WHERE y.number = x.number) ORDER BY x.number"
    report.add("article without its text", _column(session, sql.format("x.id", "articles", "texts")))
    report.add("text without its article, by number", _column(session, sql.format("x.number", "texts", "articles")))


def _check_entries(session: Session, report: Report, detectors: int, repair: bool) -> None:
    marks = ", ".join("?" * detectors)
    where = f"WHERE detector NOT IN ({marks}) OR NOT EXISTS (SELECT 1 FROM articles a WHERE a.id = entries.id)"
    names = [str(number) for number in range(detectors)]
    found = _column(session, f"SELECT id FROM entries {where} ORDER BY number", names)
    report.add("signature without an article", found, "deleted", repair)
    if found and repair:
        session.run(f"DELETE FROM entries {where}", names)


def _check_metadata(
    database: Database, session: Session, report: Report, changed: Container[int], repair: bool
) -> None:
    found = metadata.without_article(session, repair)
    report.add("metadata or facets of an article that does not exist", found, "deleted", repair)
    # what follows from damaged values must not replace what followed from the true ones
    damaged = {row.key[0] for row in checksums.changed(session, database.kind, "metadata")}
    wrong = metadata.wrong_facets(session, damaged, changed, repair)
    report.add("article whose facets are not those of its metadata", wrong, "computed again", repair)


def _check_segments(database: Database, session: Session, report: Report, repair: bool) -> None:
    damaged = damaged_segments(database, session)
    report.add("damaged segment of the index", [path for path, _ in damaged], "written again when it is used", repair)
    for path, _ in damaged if repair else ():
        remove_damaged(path)


def _check_relations(session: Session, report: Report, repair: bool) -> None:
    report.relations = (session.one("SELECT count(*) FROM relations") or (0,))[0]
    known = "EXISTS (SELECT 1 FROM articles a WHERE a.number = relations.{})"
    dangling = f"left_number = right_number OR NOT {known.format('left_number')} OR NOT {known.format('right_number')}"
    kinds = ", ".join(f"'{kind}'" for kind in Kind)
    # in SQLite, a text is larger than every number
    wrong = (
        f"kind NOT IN ({kinds}) OR NOT (forward >= 0 AND forward <= 1 AND backward >= 0 AND backward <= 1)"
        " OR NOT (score >= -1e9 AND score <= 1e9)"
    )
    columns = "SELECT left_number, right_number FROM relations WHERE"
    found = session.rows(f"{columns} {dangling}")
    report.add("relation of an article that does not exist, by numbers", _pairs(found), "deleted", repair)
    if found and repair:
        session.run(f"DELETE FROM relations WHERE {dangling}")
    found = session.rows(f"{columns} NOT ({dangling}) AND ({wrong})")
    report.add("relation with an impossible kind or share, by numbers", _pairs(found))


def _check_stories(session: Session, report: Report, repair: bool) -> None:
    unknown = "story IS NULL OR NOT (story > 0 AND story <= 9223372036854775807)"
    report.add("article without a story", _column(session, f"SELECT id FROM articles WHERE {unknown} ORDER BY number"))
    for name, column, extra in (("last story", "story", 0), ("next number", "number", 1)):
        row = session.one(f"SELECT max({column}) FROM articles WHERE NOT ({unknown})")
        least = (row[0] or 0) + extra if row else 0
        stored = settings.get(session, name)
        if least > extra and not (stored and stored.isdecimal() and int(stored) >= least):
            report.add("count of the archive", [name], "counted again", repair)
            if repair:
                settings.put(session, name, str(least))
    sql = f"SELECT left_id FROM decisions WHERE decision NOT IN ('{SAME}', '{APART}') OR NOT (left_id < right_id)"
    report.add("decision that is none", _column(session, sql))


def _check_dependencies(session: Session, report: Report, repair: bool) -> None:
    if not report.is_sound and not repair:
        return  # they follow from what is damaged
    if repair:
        dependencies.store_if_absent(session)
    numbers = dependencies.wrong_numbers(session, repair)
    found = _column_among(session, "SELECT id FROM articles WHERE number IN ({}) ORDER BY number", numbers)
    report.add("article whose dependencies are not those of its relations", found, "computed again", repair)


def _check_search(database: Database, session: Session, report: Report, repair: bool) -> bool:
    """Compare the search index with the texts; return whether it was made anew."""
    if database.kind == "sqlite":
        missing = "SELECT number FROM texts WHERE number NOT IN (SELECT id FROM words_docsize)"
        foreign = "SELECT id FROM words_docsize WHERE id NOT IN (SELECT number FROM texts)"
        found = _column(session, f"{missing} UNION ALL {foreign}")
    else:
        found = _column(session, "SELECT number FROM texts WHERE found IS NULL")
    report.add("article missing in the search index or left in it, by number", found, "indexed again", repair)
    # an entry that is missing makes all others of its words differ
    wrong = [] if found else words.wrong_entries(session, database)
    report.add(
        "word or article whose entries in the search index are not those of the texts", wrong, "indexed again", repair
    )
    if (found or wrong) and repair:
        words.reindex(session, database.kind)
    return bool(found or wrong) and repair


def _column(session: Session, sql: str, args: Sequence[Any] = ()) -> list[Any]:
    return [row[0] for row in session.rows(sql, args)]


def _column_among(session: Session, sql: str, values: Iterable[Any]) -> list[Any]:
    return [row[0] for row in session.rows_among(sql, values)]


def _pairs(rows: Iterable[Sequence[int]]) -> list[str]:
    return [f"{left}–{right}" for left, right in rows]
