"""Interrupts leave no partial files, and a closed output pipe is not an error."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from samestory.archive import Archive
from samestory.cli import main
from samestory.errors import InputError
from samestory.run import Run
from tests.conftest import PATIENCE, command, environment

LINE = (json.dumps({"text": "The ferry to the island runs again every day. " * 20}) + "\n").encode()


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Makes children handle SIGINT even if the test runner ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def start(folder: Path, *words: object, **more: object) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        command(*words),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=folder,
        env=environment(),
        **more,  # type: ignore[call-overload]
    )


def feed(process: subprocess.Popen[bytes], size: int) -> None:
    """Writes more than a pipe holds: when this returns, the process is reading."""
    assert process.stdin is not None
    process.stdin.write(LINE * (size // len(LINE)))
    process.stdin.flush()


def end(process: subprocess.Popen[bytes]) -> tuple[int, bytes, bytes]:
    """Waits with standard input still open; a process that does not exit is killed, and the test fails."""
    assert process.stdin is not None
    try:
        code = process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        pytest.fail("the command went on after the interrupt")
    finally:
        process.stdin.close()
        out, err = process.stdout.read(), process.stderr.read()  # type: ignore[union-attr]
        process.stdout.close()  # type: ignore[union-attr]
        process.stderr.close()  # type: ignore[union-attr]
    return code, out, err


def kept(place: Path) -> int:
    """Returns the current number of articles in a database."""
    try:
        with Archive.open(place, create=False) as archive:
            return int(archive.stats()["articles"])
    except InputError:
        return 0


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize(
    "words", [["find", "-", "--relations", "out.jsonl"], ["relate", "-", "--rejects", "out.jsonl"]]
)
def test_an_interrupt_while_input_is_awaited_ends_at_once_and_leaves_nothing(words: list[str], tmp_path: Path) -> None:
    """Standard input stays open and idle, as in a stream between two articles."""
    process = start(tmp_path, *words)
    feed(process, 4 << 20)
    process.send_signal(signal.SIGINT)
    code, out, err = end(process)
    assert (code, out) == (130, b"")
    assert err.decode().splitlines() == ["samestory: interrupted; output files are complete or absent"]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("format", ["csv", "text", "jsonl"])
def test_an_interrupt_before_the_first_byte_ends_at_once(format: str, tmp_path: Path) -> None:
    """Waiting for the first row of a table used to block interrupts."""
    process = start(tmp_path, "find", "-", "--format", format)
    wait_until_it_waits(process)
    process.send_signal(signal.SIGINT)
    code, out, _ = end(process)
    assert (code, out) == (130, b"")


def wait_until_it_waits(process: subprocess.Popen[bytes]) -> None:
    """Waits until the process reads in threads and is idle."""
    until, still, before = time.monotonic() + PATIENCE, 0, ""
    while still < 10:
        assert time.monotonic() < until, "it works on and on"
        # threads, and the time spent by itself and in the kernel
        fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
        spent = " ".join(fields[11:13])
        still = still + 1 if spent == before and int(fields[17]) > 1 else 0
        before = spent
        time.sleep(0.1)


@pytest.mark.usefixtures("interruptible")
def test_an_article_is_kept_while_the_next_is_awaited_and_after_an_interrupt(tmp_path: Path) -> None:
    """Articles of a stream used to wait for a full batch of a thousand."""
    process = start(tmp_path, "index", "add", "news.db", "-")
    assert process.stdin is not None
    for number in (1, 2):
        process.stdin.write(json.dumps({"id": number, "text": f"The ferry {number} runs again."}).encode() + b"\n")
        process.stdin.flush()
        until = time.monotonic() + PATIENCE
        while kept(tmp_path / "news.db") < number:
            assert time.monotonic() < until, "the article is not kept"
            time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    code, out, _ = end(process)
    assert (code, out, kept(tmp_path / "news.db")) == (130, b"", 2)


@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_while_input_pours_in_ends_at_once_and_leaves_nothing(tmp_path: Path) -> None:
    pipe = tmp_path / "feed.jsonl"
    os.mkfifo(pipe)
    process = start(tmp_path, "find", pipe, "--relations", "out.jsonl")
    writing = os.open(pipe, os.O_WRONLY)
    try:
        os.write(writing, LINE)
        sent = 0
        while sent < 3 << 20:
            sent += os.write(writing, LINE * 50)
        process.send_signal(signal.SIGINT)
        with pytest.raises(BrokenPipeError):
            while sent < 1 << 30:  # after a GiB the interrupt was ignored
                sent += os.write(writing, LINE * 50)
    finally:
        os.close(writing)
    code, out, _ = end(process)
    assert (code, out) == (130, b"")
    assert list(tmp_path.iterdir()) == [pipe]


@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_leaves_the_results_of_an_earlier_run_alone(tmp_path: Path) -> None:
    earlier = tmp_path / "out.jsonl"
    earlier.write_text("the earlier result\n")
    process = start(tmp_path, "find", "-", "--relations", "out.jsonl")
    feed(process, 2 << 20)
    process.stdin.close()  # type: ignore[union-attr]
    process.send_signal(signal.SIGINT)
    code = process.wait(PATIENCE)
    process.stdout.close()  # type: ignore[union-attr]
    process.stderr.close()  # type: ignore[union-attr]
    # it may have finished before the signal: then the result is complete
    assert code in (0, 130)
    if code == 130:
        assert earlier.read_text() == "the earlier result\n"
    else:
        assert all(json.loads(line)["kind"] == "IDENTICAL" for line in earlier.read_text().splitlines())
    assert list(tmp_path.iterdir()) == [earlier]


@pytest.mark.parametrize("stage", ["relations", "groups"])
def test_an_interrupt_after_some_outputs_are_ready_leaves_none(
    stage: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Relations and rejects used to be written before the groups were complete."""

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    news = tmp_path / "news.jsonl"
    news.write_bytes(LINE + b"{\n" + LINE)
    monkeypatch.chdir(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(Run, stage, interrupted)
        words = ["find", "news.jsonl", "--relations", "r.jsonl", "--rejects", "bad.jsonl", "--stages", "s.json"]
        assert main(words) == 130
        assert capsys.readouterr().out == ""
        assert list(tmp_path.iterdir()) == [news]
    assert main(words) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.jsonl", "news.jsonl", "r.jsonl", "s.json"]


def test_files_are_written_even_if_the_result_is_not_read(tmp_path: Path) -> None:
    news = tmp_path / "news.jsonl"
    news.write_bytes(LINE * 2000)
    process = start(tmp_path, "find", news, "--relations", "r.jsonl", "-d", "exact")
    process.stdout.close()  # type: ignore[union-attr]
    assert process.wait(PATIENCE) == 128 + signal.SIGPIPE
    assert (tmp_path / "r.jsonl").stat().st_size > 0
    process.stdin.close()  # type: ignore[union-attr]
    process.stderr.close()  # type: ignore[union-attr]


def test_strict_stops_at_the_first_bad_input_and_not_at_the_end_of_the_file(tmp_path: Path) -> None:
    """Standard input stays open: reading it to its end would block forever."""
    twice = json.dumps({"id": "a", "text": "The ferry runs again."}) + "\n"
    process = start(tmp_path, "find", "-", "--strict")
    assert process.stdin is not None
    process.stdin.write(2 * twice.encode())
    with contextlib.suppress(BrokenPipeError):
        feed(process, 8 << 20)
    code, out, err = end(process)
    assert (code, out) == (1, b"")
    assert err.decode().startswith("samestory: -:2: duplicate id")
    process = start(tmp_path, "find", "missing.jsonl", "-", "--strict")
    code, out, err = end(process)
    assert (code, out) == (1, b"")
    assert err.decode().startswith("samestory: missing.jsonl: unreadable")


def test_strict_stops_within_parquet_too(tmp_path: Path) -> None:
    path = tmp_path / "n.parquet"
    pq.write_table(pa.table({"id": ["a", "a", *map(str, range(20_000))], "text": ["x y z"] * 20_002}), path)
    done = subprocess.run(command("find", path, "--strict"), capture_output=True, env=environment(), check=False)
    assert done.returncode == 1
    assert f"{path}:2: duplicate id" in done.stderr.decode()


@pytest.mark.parametrize("name", ["find", "relate", "detectors", "explain"])
def test_a_closed_pipe_is_no_error(name: str, tmp_path: Path) -> None:
    news = tmp_path / "news.jsonl"
    text = "The ferry to the island runs again every day."
    news.write_text("".join(json.dumps({"id": f"n{n}", "text": f"{text} {n % 700}"}) + "\n" for n in range(1500)))
    words: dict[str, list[object]] = {
        "find": ["find", news, "-d", "exact", "--threads", "1"],
        "relate": ["relate", news, "-d", "exact"],
        "detectors": ["detectors"],
        "explain": ["explain", "n0", "n1", news],
    }
    reading, writing = os.pipe()
    os.close(reading)  # the pipe is never read
    done = subprocess.run(
        command(*words[name]),
        stdin=subprocess.DEVNULL,
        stdout=writing,
        stderr=subprocess.PIPE,
        env=environment(),
        timeout=PATIENCE,
        check=False,
    )
    os.close(writing)
    assert done.stderr == b""
    assert done.returncode == 128 + signal.SIGPIPE
