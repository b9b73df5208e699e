"""Expiry of articles: what speaks against it, and the grace period in which it can be undone.

A clock that is wrong makes every article old. So an expiry that would delete a large share of the archive is refused,
and so is one by a clock that neither the newest article nor the last expiry confirms.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from samestory.archive import checksums, facets, metadata, settings, stored
from samestory.archive.dependencies import DependencyUpdate
from samestory.archive.stored import StoredArticle
from samestory.archive.times import moment
from samestory.database import Session
from samestory.errors import ExpiryError, ParameterError, StoreError
from samestory.index import microseconds_of
from samestory.model import Article, ArticleMetadata

#: The largest share of the articles that one expiry deletes.
MAX_SHARE = 0.2
#: How long expired articles can be brought back.
GRACE = timedelta(days=7)
#: If the newest article and the last expiry are both older than this, the clock may be wrong.
MAX_SILENCE = timedelta(days=14)

_MICROSECOND = timedelta(microseconds=1)
_SETTING = "last expiry"
_FIELDS = ("text", "title", "published", "url", "source", "lang")
_VERSION = ("revision", "text", "title", "published", "at", "replaced")


class Limit(NamedTuple):
    """The time before which articles expire, in microseconds since 1970; and the clock, if it follows from it."""

    before: int
    now: int | None

    @classmethod
    def of(cls, before: datetime | timedelta, now: int) -> Limit:
        """Return the limit for a time, or for an age."""
        if isinstance(before, timedelta):
            return cls(now - before // _MICROSECOND, now)
        return cls(microseconds_of(before), None)


class ExpiryPreview(NamedTuple):
    """What an expiry would delete."""

    articles: int
    oldest: datetime | None
    newest: datetime | None


def preview(session: Session, limit: Limit) -> ExpiryPreview:
    """Return what an expiry would delete."""
    time = "coalesce(at, arrived)"
    sql = f"SELECT count(*), min({time}), max({time}) FROM articles WHERE {time} < ?"
    count, oldest, newest = session.one(sql, (limit.before,)) or (0, None, None)
    return ExpiryPreview(count, None if oldest is None else moment(oldest), None if newest is None else moment(newest))


def check(session: Session, limit: Limit, max_share: float) -> None:
    """Raise an ExpiryError if an expiry would delete too much, or by a clock that may be wrong."""
    if not 0 <= max_share <= 1:
        raise ParameterError(f"expire: the largest share must be from 0 to 1, got {max_share:g}")
    row = session.one(
        "SELECT count(*), coalesce(sum(CASE WHEN coalesce(at, arrived) < ? THEN 1 ELSE 0 END), 0) FROM articles",
        (limit.before,),
    )
    total, expired = row or (0, 0)
    silence = "" if limit.now is None else clock_doubt(session, limit.now)
    if expired > max_share * total:
        what = f"{expired:,} of {total:,} articles would be deleted, more than {max_share:.0%}"
        raise ExpiryError(f"{what}; {silence}" if silence else what, _hint("if this is meant"))
    if expired and silence:
        raise ExpiryError(silence, _hint("if the clock is right"))


def _hint(condition: str) -> str:
    return f"{condition}: samestory index expire DB --older-than SPAN --force"


def clock_doubt(session: Session, now: int) -> str:
    """Describe why the clock may be wrong; empty if the newest article or the last expiry confirms it."""
    # dates in the future confirm no clock
    newest = (session.one("SELECT max(at) FROM articles WHERE at <= ?", (now,)) or (None,))[0]
    if newest is None:
        newest = (session.one("SELECT max(arrived) FROM articles WHERE arrived <= ?", (now,)) or (None,))[0]
    last = settings.number(session, _SETTING)
    known = [each for each in (newest, last) if each is not None and each <= now]
    if not known or any(now - each <= MAX_SILENCE // _MICROSECOND for each in known):
        return ""
    found = [f"the newest article is of {_shown(newest)}" if newest is not None else ""]
    found.append(f"the last expiry was on {_shown(last)}" if last is not None else "")
    return f"the clock shows {_shown(now)}, but {' and '.join(filter(None, found))}"


def is_clock_behind(session: Session, now: int) -> bool:
    """Whether articles have arrived in the future of the clock: by it, no grace period is measured."""
    return session.one("SELECT 1 FROM articles WHERE arrived > ? LIMIT 1", (now,)) is not None


def _shown(at: int) -> str:
    return f"{moment(at):%Y-%m-%d}"


def note(session: Session, limit: Limit) -> None:
    """Store the time of an expiry by the clock."""
    if limit.now is not None:
        settings.put(session, _SETTING, str(limit.now))


def keep(session: Session, ids: Sequence[str], now: int) -> None:
    """Store articles that are about to be deleted, with their earlier versions, for the grace period."""
    versions: dict[str, list[list[Any]]] = {}
    sql = f"SELECT id, {', '.join(_VERSION)} FROM revisions WHERE id IN ({{}})"
    for id, *version in session.rows_among(sql, ids):
        versions.setdefault(id, []).append(version)
    rows, fields = [], metadata.texts_by_revision(session, ids)
    for id, each in stored.load(session, ids).items():
        record: dict[str, Any] = {name: getattr(each.article, name) for name in _FIELDS}
        record |= {"arrived": each.arrived, "revision": each.revision, "versions": sorted(versions.get(id, []))}
        if id in fields:
            record["metadata"] = fields[id]
        rows.append((id, now, json.dumps(record, ensure_ascii=False)))
    session.run_among("DELETE FROM expired WHERE id IN ({})", [row[0] for row in rows])
    checksums.insert(session, "expired", ("id", "expired_at", "record"), rows)


def purge(session: Session, now: int, grace: timedelta) -> None:
    """Delete the articles whose grace period is over, and the facets that no article has."""
    # those that a clock in the future has expired wait from now on
    late = [id for (id,) in session.rows("SELECT id FROM expired WHERE expired_at > ?", (now,))]
    session.run_among("UPDATE expired SET expired_at = ? WHERE id IN ({})", late, (now,))
    checksums.renew(session, "expired", "id", late)
    session.run("DELETE FROM expired WHERE expired_at <= ?", (now - grace // _MICROSECOND,))
    facets.purge(session)


class ExpiredArticle(NamedTuple):
    """An article in its grace period."""

    article: Article
    arrived: int
    revision: int
    versions: list[Sequence[Any]]
    metadata: dict[int, str]
    """The metadata of all its versions, as JSON."""


def load(session: Session, since: int, limit: int) -> Iterator[ExpiredArticle]:
    """Yield articles that expired at a time or later, the last ones first."""
    sql = "SELECT id, record FROM expired WHERE expired_at >= ? ORDER BY expired_at DESC, id LIMIT ?"
    for id, record in session.rows(sql, (since, limit)):
        try:
            found = json.loads(record)
            fields = {int(revision): text for revision, text in found.get("metadata", {}).items()}
            revision = int(found["revision"])
            own = ArticleMetadata.from_json(fields.get(revision))
            article = Article(id, **{name: found[name] for name in _FIELDS}, metadata=own)
            yield ExpiredArticle(article, int(found["arrived"]), revision, found["versions"], fields)
        except (ValueError, KeyError, TypeError, AttributeError):
            raise StoreError(f"the expired article {id!r} is damaged", "restore a backup") from None


def put_back(
    session: Session,
    found: Mapping[str, ExpiredArticle],
    current: Mapping[str, StoredArticle],
    added: Sequence[str],
    update: DependencyUpdate,
) -> None:
    """Complete articles that were added again by their times of arrival and earlier versions; forget the expired ones.

    Those that have come again in the meantime stay as they came.
    """
    undated = [current[id].number for id in added if current[id].at is None]
    update.leave(undated)
    update.enter(undated)
    for id in added:
        each = found[id]
        day = (each.arrived if current[id].at is None else current[id].at or 0) // stored.DAY
        session.run(
            "UPDATE articles SET arrived = ?, revision = ?, day = ? WHERE id = ?",
            (each.arrived, each.revision, day, id),
        )
        checksums.insert(session, "revisions", ("id", *_VERSION), [(id, *version) for version in each.versions])
    checksums.renew(session, "articles", "id", added)
    metadata.put_back(session, {id: found[id].metadata for id in added if found[id].metadata})
    session.run_among("DELETE FROM expired WHERE id IN ({})", list(found))
