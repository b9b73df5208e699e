"""Exit code 0 means that every byte was written, whatever the stream accepts at a time."""

from __future__ import annotations

import fcntl
import json
import os
import resource
import select
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from samestory.output import CompleteWriter, complete_streams
from tests.conftest import PATIENCE, Runner, Writer, command, environment
from tests.hostile.disks import CannotMountError, mounted

COUNT = 6000


@pytest.fixture(scope="module")
def news(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Enough articles that the groups are larger than a pipe."""
    path = tmp_path_factory.mktemp("news") / "news.jsonl"
    path.write_text(
        "".join(json.dumps({"id": f"article {n}", "text": f"Ferry {n} runs again."}) + "\n" for n in range(COUNT))
    )
    return path


GROUPS = ["find", "-d", "exact", "--quiet"]


@pytest.fixture(scope="module")
def whole(news: Path) -> bytes:
    """All groups."""
    return subprocess.run(command(*GROUPS, news), capture_output=True, env=environment(), check=True).stdout


def slowly(end: int) -> bytes:
    """Reads a non-blocking pipe, a little at a time and with pauses."""
    out = bytearray()
    while True:
        select.select([end], [], [])
        piece = os.read(end, 50_000)
        if not piece:
            return bytes(out)
        out += piece
        time.sleep(0.001)


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("blocking", [True, False])
def test_a_slow_pipe_receives_every_byte(blocking: bool, unbuffered: str, news: Path, whole: bytes) -> None:
    reading, writing = os.pipe()
    os.set_blocking(writing, blocking)
    with subprocess.Popen(
        command(*GROUPS, news), stdout=writing, stderr=subprocess.PIPE, env=environment(PYTHONUNBUFFERED=unbuffered)
    ) as process:
        os.close(writing)
        received = slowly(reading)
        os.close(reading)
        assert process.wait(PATIENCE) == 0
    assert received == whole
    assert len(whole) > 2 * 65536


@pytest.mark.parametrize("words", [["detectors"], ["find", "--help"], ["detectors", "reuse"]], ids=" ".join)
def test_printed_text_is_written_completely_too(words: list[str]) -> None:
    """The text layer of Python ignores how much of an unbuffered write was accepted."""
    whole = subprocess.run(command(*words), capture_output=True, env=environment(), check=True).stdout
    reading, writing = os.pipe()
    fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, 4096)
    os.set_blocking(writing, False)
    with subprocess.Popen(command(*words), stdout=writing, env=environment(PYTHONUNBUFFERED="1")) as process:
        os.close(writing)
        received = slowly(reading)
        os.close(reading)
        assert process.wait(PATIENCE) == 0
    assert received == whole


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("words", [["detectors"], ["measures", "--json"], ["find", "--help"], ["find"]], ids=" ".join)
def test_a_full_device_is_no_success(words: list[str], unbuffered: str, news: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            command(*words, *([news] if words == ["find"] else [])),
            stdout=full,
            stderr=subprocess.PIPE,
            env=environment(PYTHONUNBUFFERED=unbuffered),
            timeout=PATIENCE,
            check=False,
        )
    assert done.returncode == 1
    assert b"output: No space left on device" in done.stderr
    assert b"Traceback" not in done.stderr and b"Exception ignored" not in done.stderr


def test_a_device_that_is_named_and_full_is_no_success(news: Path, samestory: Runner, write: Writer) -> None:
    twice = write("twice.jsonl", [{"id": id, "text": "The ferry to the island runs again."} for id in "ab"])
    for words in (["find", news, "-o", "/dev/full"], ["find", twice, "--relations", "/dev/full"]):
        done = samestory(*words)
        assert done.code == 1
        assert "/dev/full: No space left on device" in done.err


def test_a_file_that_may_not_grow_is_no_success_and_leaves_the_old_one(news: Path, tmp_path: Path) -> None:
    """A limit of the file size cuts the write short, as a full disk does."""
    out = tmp_path / "groups.jsonl"
    out.write_text("the earlier result\n")

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))

    done = subprocess.run(
        command("find", news, "-o", out), capture_output=True, env=environment(), preexec_fn=limit, check=False
    )
    assert done.returncode == 1
    assert b"File too large" in done.stderr and b"Traceback" not in done.stderr
    assert [(path, path.read_text()) for path in tmp_path.iterdir()] == [(out, "the earlier result\n")]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 200 KB."""
    try:
        with mounted(tmp_path / "disk", "200k") as place:
            yield place
    except CannotMountError as error:
        pytest.skip(f"no file system can be mounted here: {error}")


def test_a_full_disk_is_no_success_and_leaves_the_old_result(small_disk: Path, news: Path, samestory: Runner) -> None:
    out = small_disk / "groups.jsonl"
    out.write_text("the earlier result\n")
    for name in ("find", "entities"):
        done = samestory(name, news, "-o", out)
        assert done.code == 1
        assert "No space left on device" in done.err and "Traceback" not in done.err
        assert [(path, path.read_text()) for path in small_disk.iterdir()] == [(out, "the earlier result\n")]


def test_a_write_of_more_than_two_gigabytes_is_split(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Linux writes at most 2,147,479,552 bytes at once; the limit is scaled down here."""
    target, real = tmp_path / "out", os.write
    monkeypatch.setattr(os, "write", lambda fd, data: real(fd, data[:1000]))
    fd = os.open(target, os.O_WRONLY | os.O_CREAT)
    try:
        assert CompleteWriter(fd).write(bytes(range(250)) * 100) == 25_000
    finally:
        os.close(fd)
    assert target.read_bytes() == bytes(range(250)) * 100


def test_more_than_two_gigabytes_reach_a_pipe(tmp_path: Path) -> None:
    """The memory is never touched but read: its pages are all the same one of zeros."""
    import mmap

    size = (2 << 30) + (5 << 20)
    reading, writing = os.pipe()
    fcntl.fcntl(reading, fcntl.F_SETPIPE_SZ, 1 << 20)
    counted = []

    def count() -> None:
        total = 0
        null = os.open(os.devnull, os.O_WRONLY)
        while moved := os.splice(reading, null, 1 << 20):
            total += moved
        os.close(null)
        counted.append(total)

    thread = threading.Thread(target=count)
    thread.start()
    with mmap.mmap(-1, size, prot=mmap.PROT_READ, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS) as zeros:
        assert CompleteWriter(writing).write(zeros) == size
    os.close(writing)
    thread.join()
    os.close(reading)
    assert counted == [size]


def test_the_streams_are_put_back(capfd: pytest.CaptureFixture[str]) -> None:
    before = sys.stdout, sys.stderr
    with complete_streams():
        print("written")
        assert sys.stdout is not before[0]
    assert (sys.stdout, sys.stderr) == before
    assert capfd.readouterr().out == "written\n"


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_that_has_seen_enough_is_no_error(unbuffered: str, news: Path) -> None:
    with subprocess.Popen(
        command(*GROUPS, news),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(PYTHONUNBUFFERED=unbuffered),
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        assert process.stdout.readline().startswith(b'{"group":1')
        process.stdout.close()
        assert process.wait(PATIENCE) == 141
        assert process.stderr.read() == b""
