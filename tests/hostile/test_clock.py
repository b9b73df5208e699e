"""A clock that jumps forgets no articles: large expiries are refused, and what has expired can be restored."""

from __future__ import annotations

import http.server
import json
import re
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from samestory.archive import Archive
from samestory.archive import archive as module
from samestory.archive.check import check
from samestory.archive.expiry import GRACE
from samestory.errors import ExpiryError, ParameterError
from tests.archive.news import item, story
from tests.conftest import Runner

DAY = 86_400_000_000
TODAY = datetime(2026, 3, 31, tzinfo=UTC)


class Clock:
    """The clock of an archive."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.days = 0.0
        monkeypatch.setattr(module, "_now", self)

    def __call__(self) -> int:
        return int(TODAY.timestamp() * 1e6 + self.days * DAY)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """A clock that a test sets."""
    return Clock(monkeypatch)


@pytest.fixture
def archive(place: str, clock: Clock) -> Iterator[Archive]:
    """Thirty articles, one a day, the last of today; one more has a second version, and one no date."""
    with Archive.open(place) as opened:
        opened.add([item(f"a{day}", story(day), day) for day in range(1, 32)])
        opened.add([item("a1", f"{story(1)} Corrected.", 1)])
        opened.add([{"id": "undated", "text": story(99)}])
        yield opened


def ids(archive: Archive) -> set[str]:
    """Return the ids of the stored articles."""
    with archive.database.read() as session:
        return {id for (id,) in session.rows("SELECT id FROM articles")}


def test_a_clock_that_jumps_deletes_nothing(archive: Archive, clock: Clock) -> None:
    assert archive.expire(timedelta(days=30)) == 0
    clock.days = 400
    with pytest.raises(ExpiryError) as error:
        archive.expire(timedelta(days=30))
    assert "32 of 32 articles would be deleted, more than 20%" in error.value.detail
    assert "the clock shows 2027-05-05, but the newest article is of 2026-03-31" in error.value.detail
    assert "and the last expiry was on 2026-03-31" in error.value.detail
    assert "--force" in error.value.hint
    assert len(ids(archive)) == 32
    clock.days = 1
    assert archive.expire(timedelta(days=30)) == 1


def test_a_small_share_by_a_doubtful_clock_is_refused_too(archive: Archive, clock: Clock) -> None:
    clock.days = 16
    with pytest.raises(ExpiryError, match="the clock shows 2026-04-16, but the newest article is of 2026-03-31"):
        archive.expire(timedelta(days=44))  # two articles
    # a new article confirms the clock
    archive.add([item("new", story(50)) | {"published": "2026-04-15"}])
    assert archive.expire(timedelta(days=44)) == 2
    # so does an expiry a few days ago
    clock.days = 29
    assert archive.expire(timedelta(days=53)) == 4


def test_a_clock_that_jumps_while_nothing_is_old_ends_no_grace_period(archive: Archive, clock: Clock) -> None:
    assert archive.expire(timedelta(days=28)) > 0
    expired = archive.stats()["expired"]
    clock.days = 400
    # nothing to delete, so nothing to refuse
    assert archive.expire(timedelta(days=3000)) == 0
    assert archive.expire(datetime(2020, 1, 1, tzinfo=UTC)) == 0
    assert archive.stats()["expired"] == expired > 0
    # and the jump does not confirm a later one
    clock.days = 60
    with pytest.raises(ExpiryError):
        archive.expire(timedelta(days=86))
    clock.days = 1
    assert archive.restore_expired()


def test_a_date_in_the_future_confirms_no_clock(archive: Archive, clock: Clock) -> None:
    archive.add([item("typo", story(51)) | {"published": "2072-04-15"}])
    clock.days = 400
    with pytest.raises(ExpiryError, match="the newest article is of 2026-03-31"):
        archive.expire(timedelta(days=428))


def test_a_large_share_needs_force_whatever_the_reason(archive: Archive) -> None:
    limit = datetime(2026, 3, 15, tzinfo=UTC)
    with pytest.raises(ExpiryError, match="14 of 32"):
        archive.expire(limit)
    with pytest.raises(ExpiryError, match="more than 40%"):
        archive.expire(limit, max_share=0.4)
    with pytest.raises(ParameterError):
        archive.expire(limit, max_share=2)
    assert archive.expire(limit, max_share=0.5) == 14
    assert archive.expire(datetime(2026, 5, 1, tzinfo=UTC), force=True) == 18
    assert ids(archive) == set()


def test_expired_articles_are_brought_back_as_they_were(archive: Archive, clock: Clock) -> None:
    with archive.database.read() as session:
        columns = "id, source, lang, at, day, arrived, words, likeness, revision"
        before = session.rows(f"SELECT {columns} FROM articles ORDER BY id")
        texts = session.rows("SELECT text, title, published, url FROM texts ORDER BY text")
        versions = session.rows("SELECT * FROM revisions")
    assert versions
    clock.days = 500
    assert archive.expire(timedelta(days=30), force=True) == 32
    assert (ids(archive), archive.stats()["expired"]) == (set(), 32)
    assert archive.query(story(5)) == []
    # some come again before that, and stay as they came
    clock.days = 1
    archive.add([item("a5", story(55), 5)])
    added = archive.restore_expired()
    assert (len(added.new), archive.stats()["expired"]) == (31, 0)
    with archive.database.read() as session:
        after = session.rows(f"SELECT {columns} FROM articles ORDER BY id")
        assert [row for row in after if row[0] != "a5"] == [row for row in before if row[0] != "a5"]
        assert len(set(texts) & set(session.rows("SELECT text, title, published, url FROM texts"))) == 31
        assert session.rows("SELECT * FROM revisions") == versions
    assert archive.query(story(6))[0].right == "a6"
    assert archive.articles(["a5"])["a5"].article.text == story(55)
    assert check(archive.database.place).damages == []
    assert archive.restore_expired().new == []


def test_only_the_last_expiry_can_be_brought_back_on_request(archive: Archive, clock: Clock) -> None:
    archive.expire(datetime(2026, 3, 4, tzinfo=UTC))
    clock.days = 3
    archive.expire(datetime(2026, 3, 6, tzinfo=UTC))
    assert set(archive.restore_expired(TODAY + timedelta(days=2)).new) == {"a4", "a5"}
    assert archive.stats()["expired"] == 3


def test_the_grace_period_ends(archive: Archive, clock: Clock) -> None:
    archive.expire(datetime(2026, 3, 4, tzinfo=UTC))
    clock.days = GRACE.days - 1
    archive.expire(datetime(2026, 3, 5, tzinfo=UTC))
    assert archive.stats()["expired"] == 4
    clock.days = GRACE.days
    archive.expire(datetime(2026, 3, 5, tzinfo=UTC))
    assert archive.stats()["expired"] == 1
    assert archive.restore_expired().new == ["a4"]
    archive.expire(datetime(2026, 3, 6, tzinfo=UTC), grace=timedelta(0))
    assert archive.stats()["expired"] == 0


def test_a_clock_in_the_future_does_not_lengthen_the_grace_period(archive: Archive, clock: Clock) -> None:
    clock.days = 400
    archive.expire(datetime(2026, 3, 4, tzinfo=UTC))
    clock.days = 1
    archive.expire(datetime(2026, 3, 4, tzinfo=UTC))
    clock.days = 1 + GRACE.days
    archive.expire(datetime(2026, 3, 4, tzinfo=UTC))
    assert archive.stats()["expired"] == 0


@pytest.mark.parametrize("days", [-400, -3, -0.01])
def test_a_clock_that_jumps_back_ends_no_grace_period(archive: Archive, clock: Clock, days: float) -> None:
    clock.days = 1
    assert archive.expire(timedelta(days=30)) == 1
    clock.days = days
    archive.expire(timedelta(days=30))
    clock.days = 2
    archive.expire(timedelta(days=31))
    assert archive.restore_expired().new == ["a1"]


def test_the_commands(samestory: Runner, tmp_path: Path) -> None:
    place = tmp_path / "news.db"
    with Archive.open(place) as archive:
        archive.add([item(f"a{day}", story(day), day) for day in range(1, 31)])
    done = samestory("index", "expire", place, "--older-than", "1h")
    assert done.code == 1
    assert "30 of 30 articles would be deleted" in done.err and "--force" in done.err
    done = samestory("index", "expire", place, "--before", "2026-03-04")
    assert (done.code, "3 articles deleted; 3 articles can be restored" in done.err) == (0, True), done.err
    done = samestory("index", "unexpire", place)
    assert (done.code, "3 articles restored" in done.err) == (0, True), done.err
    done = samestory("index", "expire", place, "--before", "2026-03-16", "--max-share", "0.5", "--grace", "0d")
    assert (done.code, done.err) == (0, "samestory: 15 articles deleted\n")
    assert json.loads(samestory("index", "stats", place).out)["articles"] == 15
    assert samestory("index", "expire", place, "--before", "2026-05-01", "--max-share", "7").code == 2


FEED = """<?xml version="1.0"?><rss version="2.0"><channel><title>Post</title><link>http://post.example/</link>
<item><guid isPermaLink="false">1</guid><title>Mill burns</title><description>{text}</description>
<pubDate>Mon, 02 Mar 2026 08:00:00 GMT</pubDate></item></channel></rss>"""


@pytest.fixture
def feed() -> Iterator[str]:
    """A feed on loopback, with an entry of March 2026."""
    text = FEED.format(text=story(1)).encode()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "application/rss+xml")
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, *_: Any) -> None:
            """Logs nothing."""

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{running.server_port}/feed"
        running.shutdown()


def test_following_by_a_doubtful_clock_adds_and_deletes_nothing(samestory: Runner, tmp_path: Path, feed: str) -> None:
    place, feeds = tmp_path / "news.db", tmp_path / "feeds.txt"
    feeds.write_text(f"{feed}\n")
    # to this archive of March 2026, the clock of this machine is far in the future
    with Archive.open(place) as archive:
        archive.add([item(f"a{day}", story(day), day) for day in range(2, 31)])
    words = (
        "follow",
        place,
        "--feeds",
        feeds,
        "--once",
        "--allow-private",
        "127.0.0.0/8",
        "--pause",
        "0",
        "--keep",
        "10d",
    )
    done = samestory(*words)
    assert done.code == 1
    assert "30 of 30 articles would be deleted" in done.err and "the clock shows" in done.err
    # the entry is as old as the archive, and new
    assert "1 new article" in done.err
    assert json.loads(samestory("index", "stats", place).out)["articles"] == 30
    assert re.search(r"expire DB --older-than SPAN --force", done.err)
    assert samestory("index", "expire", place, "--older-than", "10d", "--force").code == 0
    with Archive.open(place) as archive:
        assert ids(archive) == set()
        assert archive.stats()["expired"] == 30
