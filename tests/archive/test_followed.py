"""Feeds into an archive: what it takes of them, and what not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from samestory.archive import Archive
from samestory.archive.followed import ask_refused_again, enlist, keep, round_of, states
from samestory.feeds import Fetcher
from tests.archive.news import story
from tests.feeds.server import Told, serving
from tests.feeds.test_parse import rss

NOW = datetime.now(UTC)


@pytest.fixture
def server() -> Iterator[Told]:
    with serving() as told:
        yield told


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    with Archive.open(tmp_path / "news.db") as archive:
        yield archive


def entry(server: Told, number: int, days: int) -> str:
    page = server.serve(f"/page{number}", f"<html><body><p>{story(number)}</p></body></html>", "text/html")
    date = f"{NOW - timedelta(days=days):%a, %d %b %Y %H:%M:%S} GMT"
    return f"<guid>{page}</guid><link>{page}</link><title>A {number}</title><pubDate>{date}</pubDate>"


@pytest.mark.parametrize("pages", [False, True])
def test_what_is_too_old_to_be_kept_does_not_come_again_with_every_answer(
    server: Told, archive: Archive, pages: bool
) -> None:
    """A feed holds entries for longer than the archive does: they came, and went, with every answer."""
    url = server.serve("/rss", rss(entry(server, 1, days=1), entry(server, 2, days=40)))
    enlist(archive, [url])
    since = NOW - timedelta(days=30)
    for _ in range(2):
        (state,) = round_of(archive, Fetcher(allow_private=True, per_host=0), pages, since=since)
        assert archive.expire(since) == 0
        assert (state.error, state.taken) == (None, 1)
        keep(archive, replace(state, due=0))
    assert archive.stats()["articles"] == 1
    assert "/page2" not in server.paths and len(archive.changes()) == 1


def test_who_was_refused_for_its_address_is_due_once_it_is_allowed(server: Told, archive: Archive) -> None:
    refused, broken = server.serve("/rss", rss(entry(server, 1, days=1))), "http://127.0.0.1:1/rss"
    enlist(archive, [refused])
    (state,) = round_of(archive, Fetcher(per_host=0))
    enlist(archive, [refused, broken])
    list(round_of(archive, Fetcher(allow_private=True, per_host=0)))
    ask_refused_again(archive)
    assert {each.url: each.due == 0 for each in states(archive)} == {refused: True, broken: False}
    (state,) = round_of(archive, Fetcher(allow_private=True, per_host=0))
    assert (state.url, state.error, state.taken) == (refused, None, 1)
