"""Output files are complete, at the requested path, and never overwrite an input."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import time
from pathlib import Path

import pytest

import samestory as package
from tests.conftest import DEMO, Runner, Writer, command, environment

NEWS = DEMO / "news.jsonl"


def test_the_result_may_go_to_a_file(samestory: Runner, tmp_path: Path) -> None:
    plain = samestory("find", NEWS)
    filed = samestory("find", NEWS, "-o", "groups.jsonl")
    assert (filed.code, filed.out) == (0, "")
    assert (tmp_path / "groups.jsonl").read_text(encoding="utf-8") == plain.out


@pytest.mark.parametrize("words", [("--relations", "d.jsonl"), ("--rejects", "d.jsonl"), ("-o", "d.jsonl")])
def test_decisions_are_never_written_over(words: tuple[str, str], samestory: Runner, tmp_path: Path) -> None:
    """A typing error once overwrote the file of decisions."""
    samestory("decide", "d.jsonl", "apart", "en-fire-1", "en-fire-2")
    before = (tmp_path / "d.jsonl").read_bytes()
    done = samestory("find", NEWS, "--decisions", "d.jsonl", *words)
    assert (done.code, done.out) == (2, "")
    assert "is one of the inputs" in done.err
    assert (tmp_path / "d.jsonl").read_bytes() == before


def test_outputs_do_not_meet_inputs_or_each_other(samestory: Runner, write: Writer, tmp_path: Path) -> None:
    write("folder/a.txt", "The bridge over the river reopened on Monday.")
    inside = samestory("find", "folder", "--relations", "folder/a.txt")
    assert inside.code == 2
    beside = samestory("find", "folder", "-o", "folder/groups.jsonl")
    assert (beside.code, "is inside the input folder folder" in beside.err) == (2, True)
    twice = samestory("find", NEWS, "--relations", "r.jsonl", "--rejects", "r.jsonl")
    assert (twice.code, "is also the file of --relations" in twice.err) == (2, True)
    folder = samestory("find", NEWS, "--relations", "folder")
    assert (folder.code, folder.out) == (2, "")
    assert not list(tmp_path.glob("*.part"))


def test_a_pipe_is_written_to_as_it_is(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE) as reader:
        words = command("find", NEWS, "--relations", pipe)
        done = subprocess.run(words, capture_output=True, env=environment(), cwd=tmp_path, timeout=60, check=False)
        assert done.returncode == 0, done.stderr
        assert reader.stdout is not None
        lines = reader.stdout.read().splitlines()
    assert all("kind" in json.loads(line) for line in lines)
    assert lines


def test_a_file_keeps_its_permissions(samestory: Runner, tmp_path: Path) -> None:
    place = tmp_path / "groups.jsonl"
    place.touch(0o600)
    assert samestory("find", NEWS, "-o", "groups.jsonl").code == 0
    assert stat.S_IMODE(place.stat().st_mode) == 0o600


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_ended_run_leaves_no_partial_files(number: signal.Signals, tmp_path: Path) -> None:
    """The result blocks on a full pipe, the files are staged under temporary names; then the process is ended."""
    big = tmp_path / "big.jsonl"
    with big.open("w", encoding="utf-8") as lines:
        for at in range(4000):
            lines.write(json.dumps({"id": f"article-{at:06}", "text": f"Words of article {at} {at * 7} and no other."}))
            lines.write("\n")
    words = command("find", big, "--relations", "relations.jsonl")
    with subprocess.Popen(
        words,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
        cwd=tmp_path,
        # under nohup, hangups are ignored, also by this child
        preexec_fn=lambda: signal.signal(
            number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL
        ),
    ) as run:
        waiting = time.monotonic() + 30
        while not list(tmp_path.glob("*.part")) and time.monotonic() < waiting:
            time.sleep(0.02)
        assert list(tmp_path.glob("*.part")), "the files are made ready before the result is written"
        time.sleep(0.2)
        run.send_signal(number)
        assert run.wait(30) == 128 + number
    assert sorted(path.name for path in tmp_path.iterdir()) == ["big.jsonl"]


def test_a_decision_goes_through_a_link(samestory: Runner, tmp_path: Path) -> None:
    (tmp_path / "real.jsonl").touch()
    (tmp_path / "link.jsonl").symlink_to("real.jsonl")
    (tmp_path / "link.jsonl.new").write_text("mine")
    assert samestory("decide", "link.jsonl", "same", "a", "b").code == 0
    assert (tmp_path / "link.jsonl").is_symlink()
    assert json.loads((tmp_path / "real.jsonl").read_text())["decision"] == "same"
    assert (tmp_path / "link.jsonl.new").read_text() == "mine"
    assert samestory("decide", "real.jsonl", "same", "", "b").code != 0


def test_old_texts_without_ids_are_not_replaced_by_new_ones() -> None:
    """Both used to be numbered from 1, so that every old text counted as an old version of a new one."""
    text = "The bridge over the river reopened on Monday after six months of repairs."
    other = "Shares closed higher in quiet trading on the last day of the week."
    assert [(r.left, r.right) for r in package.relate([text], against=[text])] == [("1", "old:1")]
    assert len(package.relate([other, text], against=[text, other])) == 2


@pytest.mark.parametrize(
    "text", ["北京市政府周一宣布跨河大桥经过六个月的维修后重新开放" * 12, "ข่าววันนี้สะพานข้ามแม่น้ำเปิดอีกครั้ง" * 12]
)
def test_texts_without_spaces_are_shown_whole(text: str, samestory: Runner, write: Writer) -> None:
    news = write("news.jsonl", [{"id": "x" * 150, "text": text}, {"id": "b", "text": text + "新句子在这里"}])
    done = samestory("explain", "x" * 150, "b", news)
    assert done.code == 0
    shown = "".join(c for c in done.out if c not in "│ \n")
    assert "新句子在这里" in shown
    assert "…" not in done.out
    table = samestory("find", news, "--table")
    assert "…" not in table.out
