"""The feeds that an archive follows: their states in its table `feeds`, and a round over those that are due."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, replace

from samestory.archive.archive import Archive
from samestory.archive.stored import numbers_of_ids
from samestory.feeds import Feed, Fetcher, Pages, Schedule, State, follow

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


def round_of(
    archive: Archive,
    fetcher: Fetcher,
    pages: bool = False,
    schedule: Schedule | None = None,
    doubts: Callable[[str, str], None] | None = None,
) -> Iterator[State]:
    """Fetches the feeds that are due and adds their articles; gives each feed's new state once that is kept.

    With `pages`, the texts of linked pages are taken where the feed gives a line only. What is doubtful about a feed is
    told with its address.
    """

    def take(feed: Feed) -> int:
        added = archive.add(feed.articles, origin=feed.url)
        if doubts:
            for doubt in (*feed.doubts, *(why for _, why in added.rejected)):
                doubts(feed.url, doubt)
        return len(added.new) + len(added.revised)

    def known(ids: Sequence[str]) -> dict[str, int]:
        with archive.database.read() as session:
            return numbers_of_ids(session, ids)

    looked_up = Pages(fetcher, known) if pages else None
    for state in follow(states(archive), fetcher, take, looked_up, schedule=schedule):
        keep(archive, state)
        yield state
