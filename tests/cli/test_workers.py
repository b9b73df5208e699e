"""samestory portal --workers: several processes behind one address."""

from __future__ import annotations

import os
import re
import signal
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from samestory.archive import Archive
from tests.cli.test_portal import TOKEN, portal
from tests.conftest import PATIENCE, Runner

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads the processes from /proc")
WRITER = {"Authorization": f"Bearer {TOKEN}"}


def children(process: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.02)


def exists(process: int) -> bool:
    try:
        return "\nState:\tZ" not in Path(f"/proc/{process}/status").read_text()
    except OSError:
        return False


@pytest.fixture
def words(tmp_path: Path) -> tuple[object, ...]:
    Archive.open(tmp_path / "news.db").close()
    (tmp_path / "token").write_text(TOKEN + "\n")
    return tmp_path / "news.db", "--token-file", tmp_path / "token", "--workers", 2


def test_every_worker_has_what_another_has_stored(words: tuple[object, ...]) -> None:
    with portal(*words) as (address, _, process):

        def add_and_read(number: int) -> int:
            # connections of their own, which any worker may accept
            new = {"id": f"a{number}", "text": f"Some words, and the number {number}."}
            assert httpx.post(f"{address}article", json=new, headers=WRITER, timeout=PATIENCE).status_code == 200
            return httpx.get(f"{address}article.json?id=a{number}", timeout=PATIENCE).status_code

        with ThreadPoolExecutor(8) as threads:
            assert set(threads.map(add_and_read, range(40))) == {200}
        assert len(children(process.pid)) == 2
        assert httpx.get(f"{address}status.json").json()["articles"] == 40


def test_a_worker_that_ends_is_replaced(words: tuple[object, ...]) -> None:
    with portal(*words) as (address, _, process):
        until(lambda: len(children(process.pid)) == 2)
        assert httpx.get(f"{address}live").status_code == 200
        time.sleep(5.5)  # workers that end at once have not started properly
        killed = children(process.pid)[0]
        os.kill(killed, signal.SIGKILL)
        until(lambda: len(children(process.pid)) == 2 and killed not in children(process.pid))
        assert {httpx.get(f"{address}live", timeout=PATIENCE).status_code for _ in range(10)} == {200}


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL], ids=["TERM", "INT", "KILL"])
def test_workers_end_with_their_parent(words: tuple[object, ...], number: signal.Signals) -> None:
    with portal(*words) as (address, _, process):
        until(lambda: len(children(process.pid)) == 2)
        assert httpx.get(f"{address}live").status_code == 200
        started = children(process.pid)
        process.send_signal(number)
        assert process.wait(PATIENCE) == (0 if number != signal.SIGKILL else -signal.SIGKILL)
        until(lambda: not any(map(exists, started)))


def test_workers_that_cannot_start_end_the_command(words: tuple[object, ...], tmp_path: Path) -> None:
    with portal(*words) as (_, _, process):
        until(lambda: len(children(process.pid)) == 2)
        for path in tmp_path.glob("news.db*"):
            path.unlink()
        for _ in range(8):
            for child in children(process.pid):
                os.kill(child, signal.SIGKILL)
            time.sleep(0.3)
        assert process.wait(PATIENCE) == 1


def test_a_number_of_workers_is_at_least_one(samestory: Runner, words: tuple[object, ...]) -> None:
    done = samestory("portal", words[0], "--workers", 0)
    assert done.code == 2 and "--workers" in done.err


def test_the_server_says_where_the_time_went(words: tuple[object, ...]) -> None:
    with portal(*words[:3]) as (address, _, _):
        parts = httpx.get(f"{address}index.json").headers["Server-Timing"].split(", ")
        durations = (part.partition(";desc=")[0].partition(";dur=") for part in parts)
        found = {name: float(value) for name, _, value in durations}
        assert re.fullmatch(r'db;dur=[0-9.]+;desc="[1-9][0-9]* statements"', parts[1])
        assert set(found) == {"wait", "db", "app"} and found["db"] > 0 and found["app"] > 0
        assert "Server-Timing" not in httpx.get(f"{address}live").headers
