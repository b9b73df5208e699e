"""The table `metadata`: the fields without a role of every version of an article, as JSON.

The metadata of a version stays when the article is revised; it is replaced if the article is added again with the same
text and title and other metadata.
"""

from __future__ import annotations

import json
from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Any

from samestory.archive import checksums, facets, log
from samestory.database import Session
from samestory.errors import SamestoryError
from samestory.model import ArticleMetadata, metadata_json

#: A version of an article: its number, its id, the number of the revision, and its metadata.
Version = tuple[int, str, int, Mapping[str, Any]]

_COLUMNS = ("id", "revision", "fields")
#: Articles that are checked at a time.
_BATCH = 1000


def insert(session: Session, versions: Iterable[Version]) -> None:
    """Write the metadata of new articles."""
    given = [each for each in versions if each[3]]
    if given:
        _insert(session, given)
        facets.insert(session, [(number, own) for number, _, _, own in given])


def replace(session: Session, versions: Sequence[Version], now: int) -> int:
    """Write other metadata of stored articles; return the last position of the log."""
    session.many("DELETE FROM metadata WHERE id = ? AND revision = ?", [each[1:3] for each in versions])
    _insert(session, versions)
    facets.replace(session, {number: own for number, _, _, own in versions})
    # pages are made again
    ids = json.dumps([id for _, id, _, _ in versions], ensure_ascii=False)
    log.append(session, [("updated", None, ids, None)], now)
    return log.end(session)


def _insert(session: Session, versions: Sequence[Version]) -> None:
    rows = [(id, revision, metadata_json(own)) for _, id, revision, own in versions]
    checksums.insert(session, "metadata", _COLUMNS, rows)


def texts_by_revision(session: Session, ids: Iterable[str]) -> dict[str, dict[int, str]]:
    """Return the metadata of all versions of some articles, as JSON."""
    out: dict[str, dict[int, str]] = {}
    for id, revision, fields in session.rows_among("SELECT id, revision, fields FROM metadata WHERE id IN ({})", ids):
        out.setdefault(id, {})[revision] = fields
    return out


def put_back(session: Session, versions: Mapping[str, Mapping[int, str]]) -> None:
    """Write the metadata of all versions of some articles, in place of what is stored of them."""
    session.run_among("DELETE FROM metadata WHERE id IN ({})", list(versions))
    rows = [(id, revision, fields) for id, own in versions.items() for revision, fields in own.items()]
    checksums.insert(session, "metadata", _COLUMNS, rows)


def without_article(session: Session, repair: bool) -> list[Any]:
    """Return the ids of metadata, and the numbers of facets, without an article; delete them if asked to."""
    out: list[Any] = []
    for table, column, article in (("metadata", "id", "id"), ("article_facets", "article", "number")):
        alone = f"NOT EXISTS (SELECT 1 FROM articles a WHERE a.{article} = {table}.{column})"
        out += [
            key for (key,) in session.rows(f"SELECT DISTINCT {column} FROM {table} WHERE {alone} ORDER BY {column}")
        ]
        if repair:
            session.run(f"DELETE FROM {table} WHERE {alone}")
    return out


def wrong_facets(session: Session, damaged: Container[str], changed: Container[int], repair: bool) -> list[str]:
    """Return the ids of articles whose facets are not those of their metadata.

    Not those with damaged metadata, by id, nor changed articles, by number.
    """
    sql = (
        "SELECT a.number, a.id, m.fields FROM articles a LEFT JOIN metadata m ON m.id = a.id"
        f" AND m.revision = a.revision WHERE a.number > ? ORDER BY a.number LIMIT {_BATCH}"
    )
    wrong, last = [], -(2**63)
    while rows := session.rows(sql, (last,)):
        last = rows[-1][0]
        ids = {number: id for number, id, _ in rows}
        own: dict[int, Mapping[str, Any]] = {}
        for number, id, fields in rows:
            try:
                if id not in damaged and number not in changed:
                    own[number] = ArticleMetadata.from_json(fields)
            except (ValueError, SamestoryError):
                wrong.append(id)
        wrong += [ids[number] for number in facets.wrong_articles(session, own, repair)]
    return wrong
