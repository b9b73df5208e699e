"""samestory index and follow: an archive from the command line."""

from __future__ import annotations

import http.server
import json
import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from samestory.archive import Archive
from samestory.archive.subscriptions import states
from samestory.model import Relation
from tests.archive.news import item, story
from tests.conftest import Runner, Writer


@pytest.fixture
def filled(samestory: Runner, write: Writer, tmp_path: Path) -> Path:
    """An archive of four articles and two stories."""
    rows = [item("a", story(1)), item("b", f"{story(1)} More."), item("c", story(2)), item("d", f"{story(2)} Else.")]
    news = write("news.jsonl", rows)
    place = tmp_path / "news.db"
    done = samestory("index", "add", place, news)
    assert (done.code, done.out) == (0, "")
    assert "4 articles new, 0 revised, 0 unchanged; 2 stories" in done.err
    return place


def test_adding_again_is_nothing_and_another_text_a_revision(samestory: Runner, write: Writer, filled: Path) -> None:
    again = write("again.jsonl", [item("a", story(1)), item("b", f"{story(1)} Something else."), item("e", story(3))])
    done = samestory("index", "add", filled, again)
    assert "1 article new, 1 revised, 1 unchanged" in done.err


def test_standard_input_and_bad_lines(samestory: Runner, tmp_path: Path) -> None:
    place = tmp_path / "news.db"
    lines = "\n".join(
        [json.dumps(item("a", story(1))), "{broken", json.dumps({"id": "x"}), json.dumps(item("b", story(2)))]
    )
    done = samestory("index", "add", place, "-", "--rejects", tmp_path / "rejects.jsonl", stdin=lines.encode())
    assert done.code == 0
    assert "2 articles new" in done.err
    assert len((tmp_path / "rejects.jsonl").read_text().splitlines()) == 2


def test_an_id_that_comes_again_in_one_input_is_a_new_version(samestory: Runner, tmp_path: Path) -> None:
    lines = "\n".join(json.dumps(item("a", f"{story(1)} {more}")) for more in ("", "And more.", "And more."))
    done = samestory("index", "add", tmp_path / "news.db", "-", stdin=lines.encode())
    assert (done.code, "1 article new, 1 revised, 1 unchanged" in done.err) == (0, True)


def test_a_query_tells_what_a_text_repeats_and_keeps_nothing(samestory: Runner, write: Writer, filled: Path) -> None:
    done = samestory("index", "query", filled, write("draft.jsonl", [{"id": "draft", "text": story(1)}]))
    assert {(row["right"], row["kind"]) for row in done.rows} == {("a", "IDENTICAL"), ("b", "NEAR")}
    assert all(Relation.from_dict(json.loads(line)).to_line() == f"{line}\n".encode() for line in done.out.splitlines())
    assert json.loads(samestory("index", "stats", filled).out)["articles"] == 4


def test_decisions_rebuilding_expiring(samestory: Runner, filled: Path) -> None:
    assert "as group" in samestory("index", "decide", filled, "apart", "a", "b").out
    assert json.loads(samestory("index", "stats", filled).out)["stories"] == 3
    done = samestory("index", "rebuild", filled, "-d", "reuse")
    assert (done.code, "4 articles, 3 stories" in done.err) == (0, True)
    assert samestory("index", "decide", filled, "same", "a", "absent").code == 1
    samestory("index", "decide", filled, "forget", "a", "b")
    assert json.loads(samestory("index", "stats", filled).out)["stories"] == 2
    assert "4 articles deleted" in samestory("index", "expire", filled, "--before", "2026-04-01", "--force").err


def test_decisions_are_previewed_listed_and_undone(samestory: Runner, filled: Path) -> None:
    stories = {row["id"]: row["story"] for row in articles_of(filled)}
    preview = samestory("index", "decide", filled, "move", "b", "--preview").out
    assert "(new): b (from 1)" in preview
    assert {row["id"]: row["story"] for row in articles_of(filled)} == stories
    done = samestory("index", "decide", filled, "move", "b", "--who", "Ada", "--why", "another fire")
    assert ("b left group 1 as group" in done.out, "decision 1" in done.err) == (True, True)
    (row,) = samestory("index", "decisions", filled).rows
    assert (row["number"], row["decision"], row["who"], row["why"]) == (1, "move", "Ada", "another fire")
    assert row["summary"] == "b moved out of the story of a" and row["undone_by"] is None
    done = samestory("index", "decide", filled, "join", stories["a"], row["opened"])
    assert (done.code, "decision 1 (b moved out of the story of a) contradicts it" in done.err) == (1, True)
    assert "no longer exists" in samestory("index", "undo", filled, 1, "--preview").out
    assert samestory("index", "undo", filled, 1, "--why", "the same one").code == 0
    assert {row["id"]: row["story"] for row in articles_of(filled)} == stories
    assert [row["decision"] for row in samestory("index", "decisions", filled, "--limit", 1).rows] == ["undo"]
    assert samestory("index", "decide", filled, "join", "a", "1").code == 2


def articles_of(path: Path) -> list[dict[str, Any]]:
    with Archive.open(path, create=False) as archive, archive.database.read() as session:
        return [{"id": id, "story": story} for id, story in session.rows("SELECT id, story FROM articles")]


def test_backup_and_restore(samestory: Runner, filled: Path, tmp_path: Path) -> None:
    assert samestory("index", "backup", filled, tmp_path / "copy").code == 0
    assert samestory("index", "restore", tmp_path / "copy", tmp_path / "again.db").code == 0
    assert json.loads(samestory("index", "stats", tmp_path / "again.db").out)["stories"] == 2
    done = samestory("index", "restore", tmp_path / "copy", filled)
    assert (done.code, "already exists" in done.err) == (1, True)


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["stats", "nowhere.db"], 1, "no such database"),
        (["expire", "nowhere.db", "--older-than", "soon"], 2, "expected a time span"),
        (["expire", "nowhere.db", "--before", "soon"], 2, "expected a date"),
        (["add", "new.db", "nothing.jsonl"], 1, "nothing.jsonl"),
        (["add", "new.db", "nothing.jsonl", "--within", "soon"], 2, "expected a time span"),
        (["add", "new.db", "nothing.jsonl", "-d", "absent"], 2, "absent"),
    ],
)
def test_invalid_arguments_are_reported(
    samestory: Runner, write: Writer, tmp_path: Path, words: list[str], code: int, said: str
) -> None:
    words = [str(tmp_path / word) if word.endswith((".db", ".jsonl")) else word for word in words]
    done = samestory("index", *words)
    assert (done.code, said in done.err) == (code, True), done.err
    assert "Traceback" not in done.err


def test_where_no_input_can_be_opened_no_database_is_made(samestory: Runner, write: Writer, tmp_path: Path) -> None:
    done = samestory("index", "add", "typo.db", "nothing.jsonl", "nowhere.csv", "--rejects", "bad.jsonl")
    assert done.code == 1
    assert "nothing.jsonl: unreadable" in done.err and "nowhere.csv: unreadable" in done.err
    assert [path.name for path in tmp_path.iterdir()] == ["bad.jsonl"]
    write("news.jsonl", [item("a", story(1))])
    done = samestory("index", "add", "news.db", "nothing.jsonl", "news.jsonl")
    assert (done.code, "1 article new" in done.err, "nothing.jsonl: unreadable" in done.err) == (1, True, True)


def test_an_archive_made_with_other_detectors_is_rejected_with_a_hint(
    samestory: Runner, write: Writer, filled: Path
) -> None:
    done = samestory("index", "add", filled, write("more.jsonl", [item("z", story(9))]), "-d", "minhash")
    assert done.code == 1
    assert "was created with reuse" in done.err and "samestory index rebuild" in done.err


FEED = """<?xml version="1.0"?><rss version="2.0"><channel><title>Oldmere Post</title><link>http://post.example/</link>
<item><guid isPermaLink="false">1</guid><title>Mill burns</title><description>{first}</description></item>
<item><guid isPermaLink="false">2</guid><title>Mill burned</title><description>{second}</description></item>
</channel></rss>"""


@pytest.fixture
def server() -> Iterator[str]:
    """A feed on loopback, and a URL without one."""
    text = FEED.format(first=story(1), second=f"{story(1)} More.").encode()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200 if self.path == "/feed" else 500)
            self.send_header("Content-Type", "application/rss+xml")
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, *_: object) -> None:
            """Logs nothing."""

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{running.server_port}"
        running.shutdown()


def test_feeds_are_followed_and_one_that_breaks_stops_no_other(
    samestory: Runner, write: Writer, tmp_path: Path, server: str
) -> None:
    feeds = tmp_path / "feeds.txt"
    feeds.write_text(f"# ours\n{server}/broken\n{server}/feed\nnot an address\n")
    place = tmp_path / "news.db"
    done = samestory("follow", place, "--feeds", feeds, "--once", "--allow-private", "127.0.0.0/8", "--pause", "0")
    assert done.code == 1, done.err
    assert "samestory: 1 of 2 feeds failed" in done.err
    assert f"{server}/feed: 2 new articles" in done.err and f"{server}/broken: " in done.err
    with Archive.open(place) as archive:
        assert archive.stats()["stories"] == 1
        broken, good = states(archive)
        assert (broken.failures, good.failures, good.taken, good.title) == (1, 0, 2, "Oldmere Post")
        assert {each.article.source for each in archive.articles([f"{server}/feed#1"]).values()} == {"Oldmere Post"}
    again = samestory("follow", place, "--once", "--allow-private", "127.0.0.0/8")
    assert again.code == 0
    assert re.fullmatch(r"samestory: 2 feeds, none due before [\d: -]+ UTC\n", again.err), again.err
    assert samestory("follow", place, "--once", "--quiet").err == ""


def test_feeds_on_private_networks_are_rejected_unless_allowed(samestory: Runner, tmp_path: Path, server: str) -> None:
    feeds = tmp_path / "feeds.txt"
    feeds.write_text(f"{server}/feed\n")
    done = samestory("follow", tmp_path / "news.db", "--feeds", feeds, "--once")
    assert done.code == 1
    assert "127.0.0.1 is no public address (allow its network with --allow-private)" in done.err
    assert "samestory: every feed failed" in done.err
    again = samestory("follow", tmp_path / "news.db", "--once")
    assert (again.code, "1 feed, none due before" in again.err) == (0, True), again.err
    allowed = samestory("follow", tmp_path / "news.db", "--once", "--allow-private", "127.0.0.0/8")
    assert (allowed.code, "2 new articles" in allowed.err) == (0, True), allowed.err
    assert samestory("follow", tmp_path / "other.db", "--once").code == 1


@pytest.mark.parametrize(
    ("option", "given"),
    [("--keep", "0d"), ("--keep", "99999999d"), ("--every", "0m"), ("--pause", "-1"), ("--pause", "nan")],
)
def test_spans_and_pauses_that_cannot_be_are_rejected_by_their_names(
    samestory: Runner, tmp_path: Path, option: str, given: str
) -> None:
    done = samestory("follow", tmp_path / "news.db", "--once", option, given)
    assert (done.code, done.err.startswith(f"samestory: {option}: "), given in done.err) == (2, True, True), done.err
    assert list(tmp_path.iterdir()) == []


def test_a_list_of_feeds_that_is_not_there_makes_no_database(samestory: Runner, tmp_path: Path) -> None:
    done = samestory("follow", tmp_path / "news.db", "--feeds", tmp_path / "feeds.txt", "--once")
    assert (done.code, "feeds.txt" in done.err) == (1, True), done.err
    assert list(tmp_path.iterdir()) == []
