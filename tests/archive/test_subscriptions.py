"""Feed subscriptions of an archive: which entries are added."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from samestory.archive import Archive
from samestory.archive.subscriptions import poll, retry_refused, save, states, subscribe
from samestory.feeds import Fetcher
from tests.archive.news import story
from tests.feeds.server import FakeServer, serving
from tests.feeds.test_parse import rss

NOW = datetime.now(UTC)


@pytest.fixture
def server() -> Iterator[FakeServer]:
    with serving() as server:
        yield server


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    with Archive.open(tmp_path / "news.db") as archive:
        yield archive


def entry(server: FakeServer, number: int, days: int) -> str:
    page = server.serve(f"/page{number}", f"<html><body><p>{story(number)}</p></body></html>", "text/html")
    date = f"{NOW - timedelta(days=days):%a, %d %b %Y %H:%M:%S} GMT"
    return f"<guid>{page}</guid><link>{page}</link><title>A {number}</title><pubDate>{date}</pubDate>"


@pytest.mark.parametrize("pages", [False, True])
def test_expired_entries_are_not_added_again(server: FakeServer, archive: Archive, pages: bool) -> None:
    """Regression: a feed keeps entries longer than the archive; they were added and expired with every response."""
    url = server.serve("/rss", rss(entry(server, 1, days=1), entry(server, 2, days=40)))
    subscribe(archive, [url])
    since = NOW - timedelta(days=30)
    for _ in range(2):
        (state,) = poll(archive, Fetcher(allow_private=["127.0.0.0/8"], per_host=0), pages, since=since)
        assert archive.expire(since) == 0
        assert (state.error, state.taken) == (None, 1)
        save(archive, replace(state, due=0))
    assert archive.stats()["articles"] == 1
    assert "/page2" not in server.paths and len(archive.changes()) == 1


def test_a_refused_feed_is_due_once_it_is_allowed(server: FakeServer, archive: Archive) -> None:
    refused, broken = server.serve("/rss", rss(entry(server, 1, days=1))), "http://127.0.0.1:1/rss"
    subscribe(archive, [refused])
    (state,) = poll(archive, Fetcher(per_host=0))
    subscribe(archive, [refused, broken])
    list(poll(archive, Fetcher(allow_private=["127.0.0.0/8"], per_host=0)))
    retry_refused(archive)
    assert {each.url: each.due == 0 for each in states(archive)} == {refused: True, broken: False}
    (state,) = poll(archive, Fetcher(allow_private=["127.0.0.0/8"], per_host=0))
    assert (state.url, state.error, state.taken) == (refused, None, 1)
