"""Bad input on Spark: it is named, counted, and the rest goes on."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from samestory.cli import main
from samestory.errors import SamestoryError
from samestory.spark.session import failure
from tests.spark.conftest import MASTER, NEWS, installed

pytestmark = pytest.mark.filterwarnings("ignore")


def test_broken_lines_null_texts_ids_that_come_twice_and_a_broken_file(
    spark: Any, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    rows = Path(NEWS).read_text().splitlines()
    (tmp_path / "a.jsonl").write_text(
        "\n".join([*rows[:10], '{"text": ', '{"id": "x", "text": null}', '{"text": "No id here, it has none."}'])
    )
    packed = gzip.compress(("\n".join(rows[10:]) + "\n").encode() * 40)
    (tmp_path / "b.jsonl.gz").write_bytes(packed[: len(packed) - 200])
    (tmp_path / "c.jsonl").write_text("\n".join(rows[:3]))
    files = [str(tmp_path / name) for name in ("a.jsonl", "b.jsonl.gz", "c.jsonl", "none.jsonl")]
    rejected = []
    for name, more in (("one", []), ("many", ["--spark", MASTER])):
        rejects = tmp_path / f"{name}.rejects"
        assert main(["find", *files, "-o", str(tmp_path / name), "--rejects", str(rejects), *more]) == 1
        problems = [json.loads(line) for line in rejects.read_text().splitlines()]
        rejected.append({(p["file"], p["line"], p["fault"]) for p in problems})
    assert (tmp_path / "many").read_text() == (tmp_path / "one").read_text()
    assert rejected[0] == rejected[1]
    assert {fault for *_, fault in rejected[1]} >= {"broken line", "duplicate id", "unreadable"}
    assert "rejected" in capfd.readouterr().err


def test_strict_stops_at_the_first(spark: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = tmp_path / "bad.jsonl"
    bad.write_text(Path(NEWS).read_text() + "{\n")
    assert main(["find", str(bad), "--spark", MASTER, "--strict"]) == 1
    assert "bad.jsonl:44: broken line" in capsys.readouterr().err


def test_frames_with_null_texts_and_ids_in_two_partitions(spark: Any) -> None:
    from samestory.spark import job

    frame = spark.createDataFrame(
        [("a", "One two three four."), ("b", None), ("a", "Five six.")], "id string, text string"
    )
    work = job(frame.repartition(2))
    work.count()
    assert (work.summary.records, work.summary.articles, work.summary.rejected) == (3, 1, 2)
    assert work.faults()["duplicate id"] == 1


def test_without_java_there_is_one_clear_hint(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pytest.importorskip("pyspark")
    from samestory.spark.session import session

    for home in ("", str(tmp_path)):
        monkeypatch.setenv("PATH", str(tmp_path))
        monkeypatch.setenv("JAVA_HOME", home)
        with pytest.raises(SamestoryError, match="needs Java") as raised:
            session("local[1]")
        assert "openjdk-17" in raised.value.hint


def test_a_failed_job_is_reported_in_one_line() -> None:
    said = """An error occurred while calling z:org.apache.spark.api.python.PythonRDD.collectAndServe.
: org.apache.spark.SparkException: Job aborted: Lost task 0.0 in stage 26.0: java.io.IOException: Mkdirs failed (x)
\tat org.apache.spark.rdd.RDD.iterator(RDD.scala:338)
Caused by: java.io.IOException: Mkdirs failed (x)
"""
    assert str(failure(RuntimeError(said))) == "the Spark job failed: java.io.IOException: Mkdirs failed (x)"
    # of a Python worker: its message
    trace = """: org.apache.spark.SparkException: Job: a.PythonException: Traceback (most recent call last):
  File "worker.py", line 1, in main
ValueError: no such thing
"""
    assert str(failure(RuntimeError(trace))) == "the Spark job failed: ValueError: no such thing"
    assert str(failure(RuntimeError("nothing known"))) == "the Spark job failed: nothing known"


def test_workers_that_do_not_find_the_package_print_a_hint() -> None:
    installed()
    environment = {**os.environ, "PYSPARK_SUBMIT_ARGS": "--conf spark.python.daemon.module=no.daemon pyspark-shell"}
    words = [sys.executable, "-c", "from samestory.cli import main; raise SystemExit(main())", "find", NEWS]
    done = subprocess.run([*words, "--spark", "local[1]"], env=environment, capture_output=True, text=True)
    assert done.returncode == 1
    assert "samestory: the Python workers of Spark do not start" in done.stderr
    assert "spark.python.daemon.module=pyspark.daemon" in done.stderr
    assert "Traceback" not in done.stderr


def test_settings_of_the_user_stay() -> None:
    installed()
    environment = {**os.environ, "PYSPARK_SUBMIT_ARGS": "--conf spark.buffer.size=65536 pyspark-shell"}
    asked = "session('local[1]', {'spark.ui.enabled': 'false', 'spark.io.compression.codec': 'lz4'})"
    names = ("spark.buffer.size", "spark.io.compression.codec", "spark.ui.enabled", "spark.python.daemon.module")
    code = f"from samestory.spark import session; s = {asked}; print(*map(s.sparkContext.getConf().get, {names}))"
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["65536", "lz4", "false", "samestory.spark.daemon"]


def test_workers_are_forked_off_one_thread() -> None:
    installed()
    if not Path("/proc/self/task").exists():
        pytest.skip("threads are counted in /proc")
    code = "from samestory.spark import daemon; daemon.load(); import os; print(len(os.listdir('/proc/self/task')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "1"


def test_what_is_not_done_there_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["find", NEWS, "--spark", MASTER, "--events"]) == 2
    assert main(["find", NEWS, "--signatures", "somewhere"]) == 2
    assert "requires --spark" in capsys.readouterr().err


def test_statistics_that_cannot_be_added_up_are_asked_for(spark: Any) -> None:
    from samestory.spark import job

    with pytest.raises(SamestoryError, match="fit it first"):
        job(NEWS, detector="semshort").count()
