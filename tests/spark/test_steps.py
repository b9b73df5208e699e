"""The steps by themselves: components against an obvious way, tasks that fail, signatures that were kept."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from samestory import parse
from samestory.cli import main
from samestory.errors import MismatchError
from tests.spark.conftest import MASTER, NEWS, installed

pytestmark = pytest.mark.filterwarnings("ignore")


def edge_table(edges: Any) -> Any:
    """Edges as the steps exchange them."""
    import pyarrow as pa

    return pa.table({"node": edges[:, 0], "other": edges[:, 1]})


def hanging(edges: list[tuple[int, int]]) -> dict[int, int]:
    """For every node the smallest that hangs together with it."""
    label = {node: node for edge in edges for node in edge}
    while True:
        before = dict(label)
        for a, b in edges:
            label[a] = label[b] = min(label[a], label[b])
        if label == before:
            return label


@settings(max_examples=2, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(edges=st.lists(st.tuples(st.integers(-9, 30), st.integers(-9, 30)), max_size=40))
@pytest.mark.parametrize("few", [0, 1000], ids=["by-turns", "by-the-driver"])
def test_components_are_what_hangs_together(spark: Any, few: int, edges: list[tuple[int, int]]) -> None:
    import numpy as np

    from samestory.spark.components import components

    every = edges + [(at, at + 1) for at in range(100, 112)]
    parts = [np.array(every[part::3], np.int64).reshape(-1, 2) for part in range(3)]
    dealt = spark.sparkContext.parallelize([edge_table(part) for part in parts], 3)
    found = components(spark, dealt, few).collect()
    wanted = {node: least for node, least in hanging(every).items() if node != least}
    assert {row["node"]: row["other"] for row in found} == wanted


@settings(max_examples=2, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(edges=st.lists(st.tuples(st.integers(-9, 30), st.integers(-9, 30)), max_size=40))
@pytest.mark.parametrize("few", [0, 1000], ids=["by-turns", "by-the-driver"])
def test_every_partition_of_edges_has_the_labels_of_its_articles(
    spark: Any, few: int, edges: list[tuple[int, int]]
) -> None:
    import numpy as np

    from samestory.spark.components import labels

    every = edges + [(at, at + 1) for at in range(100, 112)]
    parts = [np.array(every[part::3], np.int64).reshape(-1, 2) for part in range(3)]
    dealt = spark.sparkContext.parallelize([edge_table(part) for part in parts], 3)
    label = hanging(every)
    for part, found in zip(parts, labels(spark, dealt, few).collect(), strict=True):
        pairs = dict(zip(found["node"].to_pylist(), found["other"].to_pylist(), strict=True))
        assert {node: pairs.get(node, node) for node in part.ravel().tolist()} == {
            node: label[node] for node in part.ravel().tolist()
        }


def test_the_articles_of_a_file_that_is_read_whole_have_lines_of_their_own(tmp_path: Path) -> None:
    from samestory.spark.recipe import Recipe
    from samestory.spark.signing import PartitionBuilder, ReadOptions

    path = tmp_path / "many.jsonl.gz"  # long enough to be read in several blocks
    with gzip.open(path, "wt", compresslevel=1) as file:
        file.writelines(json.dumps({"id": f"a{at}", "text": f"word{at} " * 200}) + "\n" for at in range(3000))
    builder = PartitionBuilder(ReadOptions(Recipe.from_detector(parse("reuse()"))))
    builder.open_split((1, str(path), 0), True)
    builder.add_file(str(path))
    partition = builder.build()
    assert partition.articles["line"].to_pylist() == list(range(1, 3001))
    assert partition.splits[0].lines == 3000


def test_a_task_that_is_killed_is_run_again_and_changes_nothing(
    spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from samestory.spark import candidates, grouping

    plain = tmp_path / "plain.jsonl"
    assert main(["find", NEWS, "--quiet", "-o", str(plain)]) == 0
    marks = tmp_path / "marks"
    marks.mkdir()

    def killed(work: Any) -> Any:
        def first_dies(part: int, value: Any) -> Any:
            mark = Path(str(marks), f"{work.__name__}-{part}")
            if not mark.exists():
                mark.touch()
                os.kill(os.getpid(), signal.SIGKILL)
            yield from work(part, value)

        return first_dies

    for module in (candidates, grouping):
        real = module.map_indexed
        monkeypatch.setattr(module, "map_indexed", lambda rdd, work, real=real: real(rdd, killed(work)))
    again = tmp_path / "again.jsonl"
    assert main(["find", NEWS, "--quiet", "-o", str(again), "--spark", MASTER]) == 0
    assert len(list(marks.iterdir())) > 4
    assert again.read_bytes() == plain.read_bytes()


def test_kept_signatures_are_the_old_articles_of_a_later_run(spark: Any, tmp_path: Path) -> None:
    rows = Path(NEWS).read_text().splitlines()
    first, second, third = (tmp_path / name for name in ("first.jsonl", "second.jsonl", "third.jsonl"))
    first.write_text("\n".join(rows[:20]))
    second.write_text("\n".join(rows[20:30]))
    changed = json.loads(rows[0])
    third.write_text("\n".join([*rows[30:], json.dumps({**changed, "text": changed["text"] + " More was said."})]))
    kept, out = str(tmp_path / "kept"), tmp_path / "out"
    for file in (first, second):
        assert main(["find", str(file), "--quiet", "-o", str(out), "--spark", MASTER, "--signatures", kept]) == 0
    assert main(["find", str(third), "--quiet", "-o", str(out), "--spark", MASTER, "--signatures", kept]) == 0
    plain = tmp_path / "plain"
    against = ("--against", str(first), "--against", str(second))
    assert main(["find", str(third), "--quiet", "-o", str(plain), *against]) == 0
    assert out.read_text() == plain.read_text()
    from samestory.spark import Input, Job

    other = Job(spark, parse("minhash"), [Input(NEWS, True, 0)], signatures=kept)
    with pytest.raises(MismatchError, match="reuse"):
        other.count()


def test_groups_and_relations_are_written_as_parquet(spark: Any, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    assert main(["find", NEWS, "--quiet", "--spark", MASTER, "--parquet", str(folder)]) == 0
    assert spark.read.parquet(str(folder / "relations")).count() == 36
    groups = spark.read.parquet(str(folder / "groups")).collect()
    assert sum(len(row["members"]) for row in groups) == 43


def test_spark_submit_runs_it(tmp_path: Path) -> None:
    program = str(Path(installed().__file__).parent / "bin" / "spark-submit")
    from samestory.cli import spark_submit

    where = subprocess.run(
        [sys.executable, "-m", "samestory.cli.spark_submit", "--where"], check=True, capture_output=True, text=True
    )
    assert where.stdout.strip() == spark_submit.__file__
    out, plain = tmp_path / "out.jsonl", tmp_path / "plain.jsonl"
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    words = [
        "--master",
        "local[2]",
        "--conf",
        "spark.ui.enabled=false",
        spark_submit.__file__,
        NEWS,
        "--quiet",
        "-o",
        str(out),
    ]
    subprocess.run([program, *words], check=True, env=environment)
    assert main(["find", NEWS, "--quiet", "-o", str(plain)]) == 0
    assert out.read_bytes() == plain.read_bytes()
