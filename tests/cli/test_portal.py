"""samestory portal: the real command, queried over the network and stopped by a signal."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from samestory.archive import Archive
from tests.conftest import PATIENCE, Runner, command, environment

TOKEN = "a-token-that-is-long-enough"


@contextmanager
def portal(*words: object) -> Iterator[tuple[str, str, subprocess.Popen[str]]]:
    """Runs the command and yields its URL and the next line."""
    process = subprocess.Popen(
        command("portal", *words, "--port", 0), stderr=subprocess.PIPE, text=True, env=environment()
    )
    assert process.stderr
    try:
        first, second = process.stderr.readline(), process.stderr.readline() if "--token-file" not in words else ""
        found = re.search(r"http://\S+/", first)
        assert found, first + process.stderr.read()
        yield found[0], second, process
    finally:
        process.kill()
        process.wait(PATIENCE)
        process.stderr.close()


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    """An empty archive."""
    Archive.open(tmp_path / "news.db").close()
    return tmp_path / "news.db"


def test_the_link_that_is_printed_signs_in(empty: Path) -> None:
    with portal(empty, "--edit") as (address, printed, _), httpx.Client(base_url=address) as client:
        assert client.get("health").json() == {"status": "ok"}
        link = printed.partition("sign in: ")[2].strip()
        assert client.get(link).status_code == 303
        assert "Sign out" in client.get("/", headers={"Accept": "text/html"}).text
        assert client.post("article", json={"text": "Some words."}).status_code == 401


def test_without_a_token_it_is_only_read(empty: Path) -> None:
    with portal(empty) as (address, printed, _), httpx.Client(base_url=address) as client:
        assert "read-only" in printed
        answer = client.post("article", json={"text": "Some words."}, headers={"Authorization": "Bearer x"})
        assert answer.status_code == 403 and "--token-file" in answer.json()["hint"]
        assert client.get("health", headers={"Host": "news.example"}).status_code == 421


def test_a_file_that_is_not_there_is_not_made(samestory: Runner, tmp_path: Path) -> None:
    done = samestory("portal", "mispelt.db")
    assert (done.code, "no such database" in done.err, "samestory index add" in done.err) == (1, True, True), done.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["TERM", "INT"])
def test_what_was_acknowledged_is_there_after_the_end_even_with_open_connections(
    tmp_path: Path, empty: Path, number: signal.Signals
) -> None:
    (tmp_path / "token").write_text(TOKEN + "\n")
    writer = {"Authorization": f"Bearer {TOKEN}"}
    words = (empty, "--token-file", tmp_path / "token")
    with portal(*words) as (address, _, process), httpx.Client(base_url=address) as client:
        response = client.post("articles", json={"articles": [{"id": "a", "text": "Some words."}]}, headers=writer)
        assert response.json()["new"] == ["a"]
        with client.stream("GET", "events?since=0") as events:
            lines = events.iter_lines()
            next(lines)
            process.send_signal(number)
            assert process.wait(PATIENCE) == 0
    with portal(*words) as (address, _, _):
        assert httpx.get(f"{address}article.json?id=a").json()["text"] == "Some words."


@pytest.mark.usefixtures("empty")
def test_what_cannot_be_is_said_at_once(samestory: Runner, tmp_path: Path) -> None:
    (tmp_path / "short").write_text("secret")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        for words, printed in [
            (["--token-file", "short"], "at least 16 characters"),
            (["--token-file", "short", "--edit"], "one of the two"),
            (["--edit", "--host", "0.0.0.0"], "only on a loopback address"),
            (["--port", port], "cannot listen"),
            (["--port", 70000], "--port"),
            (["--rate", 0], "--rate"),
            (["--proxy", "proxy.example"], "--proxy: expected an IP address"),
        ]:
            done = samestory("portal", "news.db", *words)
            assert done.code == 2 and printed in done.err and "Traceback" not in done.err, done.err
