"""The feeds that an archive follows: their states in its table `feeds`, and a round over those that are due."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, replace
from datetime import datetime

from samestory import _core
from samestory.archive.archive import Archive
from samestory.archive.stored import numbers_of_ids
from samestory.feeds import Feed, Fetcher, Pages, Schedule, State, follow
from samestory.feeds.addresses import NOT_PUBLIC
from samestory.index import microseconds_of
from samestory.model import Article

_COLUMNS = tuple(field.name for field in fields(State))


def states(archive: Archive) -> list[State]:
    """What is remembered of every feed, by address."""
    with archive.database.read() as session:
        rows = session.rows(f"SELECT {', '.join(_COLUMNS)} FROM feeds ORDER BY url")
    return [State(**dict(zip(_COLUMNS, row, strict=True))) for row in rows]


def keep(archive: Archive, state: State) -> None:
    """Remembers the state of a feed."""
    with archive.database.write() as session:
        session.run("DELETE FROM feeds WHERE url = ?", (state.url,))
        session.insert("feeds", _COLUMNS, [tuple(getattr(state, name) for name in _COLUMNS)])


def enlist(archive: Archive, urls: Sequence[str]) -> None:
    """Follows these feeds and no others; what is remembered of those that stay, stays. Who was gone is asked again."""
    known = {state.url: state for state in states(archive)}
    with archive.database.write() as session:
        session.run_among("DELETE FROM feeds WHERE url IN ({})", sorted(known.keys() - set(urls)))
    for url in urls:
        state = known.get(url, State(url))
        if url not in known or state.due is None:
            keep(archive, replace(state, due=0))


def ask_refused_again(archive: Archive) -> None:
    """Makes those feeds due that were not asked because their addresses are not public: now they may be."""
    for state in states(archive):
        if state.due is not None and NOT_PUBLIC in (state.error or ""):
            keep(archive, replace(state, due=0))


def round_of(
    archive: Archive,
    fetcher: Fetcher,
    pages: bool = False,
    schedule: Schedule | None = None,
    doubts: Callable[[str, str], None] | None = None,
    since: datetime | None = None,
) -> Iterator[State]:
    """Fetches the feeds that are due and adds their articles; gives each feed's new state once that is kept.

    With `pages`, the texts of linked pages are taken where the feed gives a line only. What is doubtful about a feed is
    told with its address. What was published before `since` is left out: feeds hold entries for longer than an archive
    may, and one that is forgotten must not come again with every answer.
    """
    oldest = None if since is None else microseconds_of(since)

    def young(feed: Feed) -> Feed:
        if oldest is None:
            return feed
        return replace(feed, articles=tuple(each for each in feed.articles if not _is_before(oldest, each)))

    def take(feed: Feed) -> int:
        added = archive.add(young(feed).articles, origin=feed.url)
        if doubts:
            for doubt in (*feed.doubts, *(why for _, why in added.rejected)):
                doubts(feed.url, doubt)
        return len(added.new) + len(added.revised)

    def known(ids: Sequence[str]) -> dict[str, int]:
        with archive.database.read() as session:
            return numbers_of_ids(session, ids)

    looked_up = Pages(fetcher, known) if pages else None
    # nobody is asked for the page of an entry that is left out
    look_up = looked_up and (lambda feed: looked_up(young(feed)))
    for state in follow(states(archive), fetcher, take, look_up, schedule=schedule):
        keep(archive, state)
        yield state


def _is_before(oldest: int, article: Article) -> bool:
    """Was it published before then? One without a date is as old as the archive takes it to be: it comes now."""
    at = None if article.published is None else _core.microseconds(article.published)
    return at is not None and at < oldest
