"""What the servers keep and report: sessions, health, logs."""

from __future__ import annotations

import logging
import re
import resource
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from samestory.archive import Archive
from samestory.web import log
from samestory.web.log import CountingHandler, open_log
from tests.conftest import PATIENCE, command
from tests.hostile.serving import HTML, TOKEN, Running, portal, read_all, running
from tests.lab.judging.making import PAIRS, made


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """An archive of one article."""
    with Archive.open(tmp_path / "news.db") as archive:
        archive.add([{"id": "pier", "text": "The pier was closed."}])
    return tmp_path / "news.db"


def sign_in(server: Running) -> str:
    """The cookie of a new session."""
    with server.client() as client:
        assert client.post("/sign-in", data={"token": TOKEN}).status_code == 303
        return client.cookies["samestory"]


def csrf_token(server: Running, cookie: str) -> str | None:
    """The CSRF token in the forms of a page; None if the cookie is worthless."""
    with server.client(cookies={"samestory": cookie}) as client:
        found = re.search(r'name="csrf_token" value="([^"]+)"', client.get("/", headers=HTML).text)
        return found and found[1]


def test_a_cookie_is_worthless_after_signing_out_here_elsewhere_and_after_a_restart(database: Path) -> None:
    with portal(database) as first, portal(database) as second:
        cookie, other = sign_in(first), sign_in(first)
        given = csrf_token(second, cookie)
        assert given and csrf_token(first, cookie) == given
        with first.client(cookies={"samestory": cookie}) as client:
            assert client.post("/sign-out", data={"csrf_token": given}).status_code == 303
        for server in (first, second):
            assert csrf_token(server, cookie) is None and csrf_token(server, other)
            with server.client(cookies={"samestory": cookie}) as client:
                form = {"left": "pier", "right": "pier", "decision": "same", "csrf_token": given}
                assert client.post("/decide", data=form).status_code == 401
    with portal(database) as restarted:
        assert csrf_token(restarted, cookie) is None and csrf_token(restarted, other)
    with sqlite3.connect(database) as connection:
        rows = connection.execute("SELECT id FROM sessions").fetchall()
    connection.close()
    assert len(rows) == 1 and not any(part in rows[0][0] for part in other.split(".")), "a cookie can be read there"
    with running(command("portal", database, "--port", 0, "--edit")) as with_a_new_token:
        assert csrf_token(with_a_new_token, other) is None


def test_a_restored_backup_brings_no_sign_in_back(tmp_path: Path, database: Path) -> None:
    with portal(database) as server:
        cookie = sign_in(server)
        with Archive.open(database) as archive:
            archive.backup(tmp_path / "backup.db")
        assert csrf_token(server, cookie)
    Archive.restore(tmp_path / "backup.db", tmp_path / "restored.db")
    with portal(tmp_path / "restored.db") as server:
        assert csrf_token(server, cookie) is None


def test_a_replaced_link_of_the_judging_server_is_worthless_also_after_a_restart(tmp_path: Path) -> None:
    gold = tmp_path / "gold.db"
    made(gold, items=PAIRS).collection.close()

    def path_of(server: Running) -> str:
        assert server.process.stdout
        return httpx.URL(server.process.stdout.readline().split()[1]).path

    def status(server: Running, path: str) -> int:
        with server.client() as client:
            return client.get(path, headers=HTML).status_code

    with running(command("judge", gold, "--links", "--port", 0)) as first:
        old = path_of(first)
        assert status(first, old) == 200
        with running(command("judge", gold, "--links", "--port", 0)) as second:
            new = path_of(second)
            assert [status(each, old) for each in (first, second)] == [404, 404]
            assert [status(each, new) for each in (first, second)] == [200, 200]
    with running(command("judge", gold, "--port", 0)) as restarted:
        assert (status(restarted, old), status(restarted, new)) == (404, 200)


def health(server: Running, status: int) -> None:
    """Waits until the health check has this status: results are used again for a second."""
    until = time.monotonic() + PATIENCE
    with server.client() as client:
        while (answer := client.get("/health")).status_code != status:
            assert time.monotonic() < until, answer.text
            time.sleep(0.1)
        assert client.get("/live").json() == {"status": "ok"}
        assert ("retry-after" in answer.headers) == (status == 503)
        assert "news.db" not in answer.text and "gold.db" not in answer.text


@pytest.mark.parametrize("which", ["portal", "judge"])
def test_health_fails_while_the_database_is_locked_and_recovers(tmp_path: Path, database: Path, which: str) -> None:
    gold = tmp_path / "gold.db"
    made(gold, items=PAIRS).collection.close()
    judge = running(command("judge", gold, "--port", 0))
    with portal(database) if which == "portal" else judge as server:
        health(server, 200)
        locking = sqlite3.connect(database if which == "portal" else gold, isolation_level=None)
        locking.execute("BEGIN IMMEDIATE")
        health(server, 503)
        locking.execute("ROLLBACK")
        locking.close()
        health(server, 200)


def test_health_of_a_portal_that_does_not_write_needs_no_lock(database: Path) -> None:
    with running(command("portal", database, "--port", 0)) as server:
        locking = sqlite3.connect(database, isolation_level=None)
        locking.execute("BEGIN IMMEDIATE")
        health(server, 200)
        locking.close()


def test_health_fails_when_the_database_file_is_gone_or_replaced(database: Path) -> None:
    with portal(database) as server:
        health(server, 200)
        away = database.rename(database.with_name("away.db"))
        health(server, 503)
        database.write_bytes(away.read_bytes())
        health(server, 503)
        database.unlink()
        away.rename(database)
        health(server, 200)


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="the limit of another process is set on Linux only")
def test_health_fails_when_the_disk_is_full_and_recovers(database: Path) -> None:
    with portal(database) as server:
        health(server, 200)
        written = database.with_name("news.db-wal").stat().st_size
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (written, resource.RLIM_INFINITY))
        health(server, 503)
        with server.client() as client:
            assert client.get("/article.json?id=pier").status_code == 200
        unlimited = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, unlimited)
        health(server, 200)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have one loopback address")
@pytest.mark.parametrize("which", ["portal", "judge"])
def test_a_repeated_message_is_written_once_and_counted(tmp_path: Path, database: Path, which: str) -> None:
    written = tmp_path / "server.log"
    gold = tmp_path / "gold.db"
    made(gold, items=PAIRS).collection.close()
    place = database if which == "portal" else gold
    with running(command(which, place, "--port", 0, "--log", written)) as server:
        for number in range(300):
            with server.connect(f"127.0.5.{number % 200 + 1}") as hostile:
                hostile.sendall(b"no HTTP \x1b[2J " + bytes([number % 256]) + b"\r\n\r\n")
                assert read_all(hostile).startswith(b"HTTP/1.1 400")
    lines = written.read_text().splitlines()
    assert len(lines) == 2 and "repeated 299 times" in lines[1], lines


def test_logs_are_rotated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log, "MAX_LOG_BYTES", 10_000)
    handler = open_log(str(tmp_path / "server.log"))
    now = [0.0]
    monkeypatch.setattr(handler, "_clock", lambda: now[0])
    logger = logging.Logger("trial")
    logger.addHandler(handler)
    for number in range(2000):
        now[0] += log.QUIET_SECONDS
        handler.report()
        logger.warning("message %s of a client\nsecond \x1b[2J line", number)
    handler.close()
    files = sorted(tmp_path.iterdir())
    assert len(files) == 1 + log.OLD_LOGS and sum(file.stat().st_size for file in files) <= 6 * 10_000
    text = (tmp_path / "server.log").read_text()
    assert "message 1999" in text and "\x1b" not in text
    assert all(line.startswith(("20", "    ")) for line in text.splitlines())


def test_messages_with_other_arguments_are_one_and_others_are_not(capsys: pytest.CaptureFixture[str]) -> None:
    now = 0.0
    handler = CountingHandler(logging.StreamHandler(), clock=lambda: now)
    logger = logging.Logger("trial")
    logger.addHandler(handler)
    for number in range(1000):
        logger.warning("from %s", number)
        try:
            _ = [1, 1 / (number % 2)]
        except ZeroDivisionError:
            logger.exception("broken by %s", number)
    handler.report()
    assert capsys.readouterr().err.count("from ") == 1
    now = log.QUIET_SECONDS
    handler.report()
    assert capsys.readouterr().err.splitlines() == [
        "repeated 999 times in 60 s: from 0",
        "repeated 499 times in 60 s: broken by 0",
    ]
    handler.close()
    assert capsys.readouterr().err == ""


def test_a_log_that_cannot_be_opened_is_an_error(tmp_path: Path, database: Path) -> None:
    done = subprocess.run(
        command("portal", database, "--port", 0, "--log", tmp_path / "none" / "server.log"),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode != 0 and "server.log" in done.stderr and "Traceback" not in done.stderr
