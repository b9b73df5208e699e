"""Feed subscriptions of an archive: the feed states in its table `feeds`, and the polling of feeds that are due."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, replace
from datetime import datetime

from samestory import _core
from samestory.archive import checksums
from samestory.archive.archive import Archive
from samestory.archive.stored import numbers_of_ids
from samestory.feeds import Feed, FeedState, Fetcher, LinkedPages, Schedule, follow
from samestory.feeds.addresses import NOT_PUBLIC
from samestory.index import microseconds_of
from samestory.model import Article
from samestory.readers import article_place

_COLUMNS = tuple(field.name for field in fields(FeedState))


def states(archive: Archive) -> list[FeedState]:
    """Return the states of all feeds, sorted by URL."""
    with archive.database.read() as session:
        rows = session.rows(f"SELECT {', '.join(_COLUMNS)} FROM feeds ORDER BY url")
    return [FeedState(**dict(zip(_COLUMNS, row, strict=True))) for row in rows]


def save(archive: Archive, state: FeedState) -> None:
    """Store the state of a feed."""
    with archive.database.write() as session:
        session.run("DELETE FROM feeds WHERE url = ?", (state.url,))
        checksums.insert(session, "feeds", _COLUMNS, [tuple(getattr(state, name) for name in _COLUMNS)])


def subscribe(archive: Archive, urls: Sequence[str]) -> None:
    """Subscribe to exactly these feeds. Known feeds keep their state; those that were gone become due again."""
    known = {state.url: state for state in states(archive)}
    with archive.database.write() as session:
        session.run_among("DELETE FROM feeds WHERE url IN ({})", sorted(known.keys() - set(urls)))
    for url in urls:
        state = known.get(url, FeedState(url))
        if url not in known or state.due is None:
            save(archive, replace(state, due=0))


def retry_refused(archive: Archive) -> None:
    """Make the feeds due that were refused because their addresses are not public."""
    for state in states(archive):
        if state.due is not None and NOT_PUBLIC in (state.error or ""):
            save(archive, replace(state, due=0))


def poll(
    archive: Archive,
    fetcher: Fetcher,
    pages: bool = False,
    schedule: Schedule | None = None,
    warn: Callable[[str, str], None] | None = None,
    since: datetime | None = None,
) -> Iterator[FeedState]:
    """Fetch the feeds that are due and add their articles; yield the new state of each feed once it is stored.

    With `pages`, the text of an entry is replaced by that of its linked page if that is longer. `warn` is called with
    the URL of a feed and each warning about it. Entries published before `since` are skipped: feeds may hold entries
    longer than the archive, and an expired article must not be added again with every response.
    """
    oldest = None if since is None else microseconds_of(since)

    def recent(feed: Feed) -> Feed:
        if oldest is None:
            return feed
        return replace(feed, articles=tuple(each for each in feed.articles if not _is_before(oldest, each)))

    def take(feed: Feed) -> int:
        added = archive.add(_claimed(archive, recent(feed)), origin=feed.url)
        if warn:
            for warning in (*feed.warnings, *(f"{article_place(number)}: {why}" for number, why in added.rejected)):
                warn(feed.url, warning)
        return len(added.new) + len(added.revised)

    def known(ids: Sequence[str]) -> dict[str, int]:
        with archive.database.read() as session:
            return numbers_of_ids(session, ids)

    _forget_claims(archive)
    linked = LinkedPages(fetcher, known) if pages else None
    # the page of a skipped entry is not fetched
    fetch_pages = linked and (lambda feed: linked(recent(feed)))
    for state in follow(states(archive), fetcher, take, fetch_pages, schedule=schedule):
        save(archive, state)
        yield state


def _claimed(archive: Archive, feed: Feed) -> list[Article]:
    """Return the articles that a feed may add or change: not those that another feed has added.

    An id prefixed with the URL of the feed cannot belong to another one.
    """
    shared = {article.id for article in feed.articles if not article.id.startswith(f"{feed.url}#")}
    with archive.database.write() as session:
        rows = session.rows_among("SELECT id, feed FROM feed_articles WHERE id IN ({})", sorted(shared))
        owners: dict[str, str] = dict(rows)
        claims = [(id, feed.url) for id in sorted(shared - owners.keys())]
        checksums.insert(session, "feed_articles", ("id", "feed"), claims)
    return [article for article in feed.articles if owners.get(article.id, feed.url) == feed.url]


def _forget_claims(archive: Archive) -> None:
    """Remove the claims to articles that are no longer in the archive."""
    gone = "NOT EXISTS (SELECT 1 FROM articles WHERE articles.id = feed_articles.id)"
    with archive.database.read() as session:
        if session.one(f"SELECT 1 FROM feed_articles WHERE {gone} LIMIT 1") is None:
            return
    with archive.database.write() as session:
        session.run(f"DELETE FROM feed_articles WHERE {gone}")


def _is_before(oldest: int, article: Article) -> bool:
    """Whether an article was published before a time; one without a date is not, as the archive dates it by arrival."""
    at = None if article.published is None else _core.engine.microseconds(article.published)
    return at is not None and at < oldest
