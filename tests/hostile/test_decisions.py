"""No acknowledged decision is lost: by parallel runs, kills, full disks or editors."""

from __future__ import annotations

import json
import os
import random
import resource
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from samestory import Decisions
from samestory.appending import append_line
from samestory.cli import main
from samestory.errors import DecisionError, InputError
from tests.conftest import Runner


def in_child(work: Callable[[], int]) -> int:
    """Runs a function in a process of its own; returns the process id."""
    child = os.fork()
    if child:
        return child
    code = 1
    try:
        code = work()
    finally:
        os._exit(code)


def exit_codes(children: list[int]) -> list[int]:
    return [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]


@pytest.mark.parametrize("there", [False, True])
def test_twenty_parallel_runs_keep_twenty_decisions(there: bool, tmp_path: Path) -> None:
    path = tmp_path / "decisions.jsonl"
    if there:
        path.write_text('{"left": "x", "right": "y", "decision": "same"}')
    waiting, start = os.pipe()

    def decide(number: int) -> int:
        os.read(waiting, 1)
        return main(["decide", str(path), "apart", f"left {number}", f"right {number}"])

    children = [in_child(lambda number=number: decide(number)) for number in range(20)]
    os.write(start, bytes(20))
    assert exit_codes(children) == [0] * 20
    for end in (waiting, start):
        os.close(end)
    decisions = Decisions.load(path)
    assert set(decisions.apart) == {(f"left {n}", f"right {n}") for n in range(20)}
    assert decisions.same == ((("x", "y"),) if there else ())
    assert list(tmp_path.iterdir()) == [path]


def test_kills_at_any_moment_keep_every_acknowledged_line(tmp_path: Path) -> None:
    """The kernel may end a killed write at a page of the file: a torn line was never acknowledged, and is named."""
    path, generator = tmp_path / "decisions.jsonl", random.Random(4)
    acknowledged: set[str] = set()
    for attempt in range(30):
        done, ended = os.pipe()

        def decide(attempt: int = attempt, ended: int = ended) -> int:
            for number in range(10**6):
                Decisions.append(path, f"left {attempt} {number}", "ş" * 2000, "apart")
                os.write(ended, f"left {attempt} {number}\n".encode())
            return 0

        child = in_child(decide)
        os.close(ended)
        os.read(done, 1)  # the first is acknowledged: the child is at work
        time.sleep(generator.random() * 0.01)
        os.kill(child, signal.SIGKILL)
        assert exit_codes([child]) == [-signal.SIGKILL]
        with os.fdopen(done, encoding="utf-8") as pipe:
            acknowledged |= {f"left {attempt} 0", *pipe.read().splitlines()[1:]}
        content = path.read_bytes()
        whole = content[: content.rfind(b"\n") + 1]
        if content != whole and not content.endswith(b"}"):
            with pytest.raises(InputError) as raised:
                Decisions.append(path, "a", "b", "apart")
            assert "delete it" in raised.value.hint
            path.write_bytes(whole)  # as the hint says
    assert acknowledged <= {left for left, _ in Decisions.load(path).apart}
    assert len(acknowledged) >= 30
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_cannot_grow_is_cut_back_to_whole_lines(tmp_path: Path) -> None:
    """A limit of the file size cuts the write short, as a full disk does."""
    path = tmp_path / "decisions.jsonl"
    Decisions.append(path, "a", "b", "same")
    before = path.read_bytes()

    def decide() -> int:
        resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 20, len(before) + 20))
        return main(["decide", str(path), "same", "c", "d" * 100])

    assert exit_codes([in_child(decide)]) == [1]
    assert path.read_bytes() == before


def test_the_file_and_the_folder_of_a_new_one_are_synchronised(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synchronised, real = [], os.fsync

    def fsync(fd: int) -> None:
        synchronised.append((Path(f"/proc/self/fd/{fd}").readlink(), path.read_bytes().count(b"\n")))
        real(fd)

    path = tmp_path / "decisions.jsonl"
    monkeypatch.setattr(os, "fsync", fsync)
    Decisions.append(path, "a", "b", "same")
    Decisions.append(path, "c", "d", "same")
    assert synchronised == [(path, 1), (tmp_path, 1), (path, 2)]


def test_a_decision_that_contradicts_others_changes_nothing(tmp_path: Path, samestory: Runner) -> None:
    path = tmp_path / "decisions.jsonl"
    for left, right in ("ab", "bc"):
        assert samestory("decide", path, "same", left, right).code == 0
    before = path.read_bytes()
    done = samestory("decide", path, "apart", "a", "c")
    assert (done.code, "a and c are decided to be apart" in done.err) == (1, True)
    assert path.read_bytes() == before
    with pytest.raises(DecisionError):
        Decisions.append(path, "a", "a", "same")


def test_a_torn_last_line_is_named_and_not_glued_to_the_next(tmp_path: Path) -> None:
    path = tmp_path / "decisions.jsonl"
    path.write_bytes(b'{"left": "a", "right": "b", "decision": "same"}\n{"left": "c", "ri')
    with pytest.raises(InputError, match=r"decisions.jsonl:2: a decision needs") as raised:
        Decisions.append(path, "e", "f", "same")
    assert "delete it" in raised.value.hint
    assert path.read_bytes().endswith(b'"ri')


def test_a_last_line_without_its_end_stays_a_line(tmp_path: Path) -> None:
    path = tmp_path / "decisions.jsonl"
    path.write_text('{"left": "a", "right": "b", "decision": "same"}')
    Decisions.append(path, "c", "d", "same")
    assert [json.loads(line)["left"] for line in path.read_text().splitlines()] == ["a", "c"]


def test_a_file_replaced_by_an_editor_is_not_written_to_its_old_self(tmp_path: Path) -> None:
    """An editor saves by renaming; an append that waits for the lock meanwhile goes to the new file."""
    path, edited = tmp_path / "decisions.jsonl", tmp_path / "edited"
    Decisions.append(path, "a", "b", "same")
    ready, child_ready = os.pipe()

    def replace(_: bytes) -> None:
        def decide() -> int:
            os.write(child_ready, b"1")
            return main(["decide", str(path), "same", "c", "d"])

        children.append(in_child(decide))
        os.read(ready, 1)
        time.sleep(0.1)  # the child has the old file open and waits, or opens the new one: both must end well
        edited.write_text('{"left": "e", "right": "f", "decision": "same"}\n')
        edited.replace(path)

    children: list[int] = []
    append_line(path, b'{"left": "g", "right": "h", "decision": "same"}', replace)
    assert exit_codes(children) == [0]
    assert Decisions.load(path).same == (("e", "f"), ("c", "d"))


def test_links_stay_links_and_devices_are_refused(tmp_path: Path, samestory: Runner) -> None:
    real, link = tmp_path / "real.jsonl", tmp_path / "link.jsonl"
    real.touch()
    link.symlink_to(real)
    Decisions.append(link, "a", "b", "same")
    assert link.is_symlink() and Decisions.load(real).same == (("a", "b"),)
    for place in ("/dev/null", str(tmp_path), str(tmp_path / "no" / "such.jsonl")):
        done = samestory("decide", place, "same", "a", "b")
        assert (done.code, "Traceback" in done.err) == (1, False)
