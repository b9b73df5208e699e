"""Results are written in the format of the name of their file."""

from __future__ import annotations

import csv
import gzip
import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import zstandard

from tests.conftest import Runner, Writer

TEXT = "The bridge over the river reopened on Monday after repairs that took three years and cost four million euros."
NEWS = [{"id": "a", "text": TEXT}, {"id": "b", "text": TEXT}, {"id": 'c, "d"', "text": "Another matter altogether."}]
MEMBERS = [
    {"group": 1, "id": "a", "representative": "a", "size": 2, "kind": "IDENTICAL", "share": 1.0},
    {"group": 1, "id": "b", "representative": "a", "size": 2, "kind": "IDENTICAL", "share": 1.0},
    {"group": 2, "id": 'c, "d"', "representative": 'c, "d"', "size": 1, "kind": None, "share": None},
]


@pytest.mark.parametrize("words", [["find", "news.jsonl"], ["group", "relations.jsonl", "--articles", "news.jsonl"]])
def test_groups_are_tables_with_a_row_for_every_member(
    words: list[str], samestory: Runner, write: Writer, tmp_path: Path
) -> None:
    write("news.jsonl", NEWS)
    assert samestory("relate", "news.jsonl", "-o", "relations.jsonl").code == 0
    for suffix in ("csv", "tsv", "parquet"):
        assert samestory(*words, "-o", f"groups.{suffix}").code == 0
    assert pq.read_table(tmp_path / "groups.parquet").to_pylist() == MEMBERS
    texts = [{name: "" if value is None else str(value) for name, value in row.items()} for row in MEMBERS]
    for suffix, delimiter in (("csv", ","), ("tsv", "\t")):
        with (tmp_path / f"groups.{suffix}").open(newline="", encoding="utf-8") as file:
            assert list(csv.DictReader(file, delimiter=delimiter)) == texts


def test_relations_are_tables_and_compressed_lines(samestory: Runner, write: Writer, tmp_path: Path) -> None:
    write("news.jsonl", NEWS)
    plain = samestory("relate", "news.jsonl").out
    (row,) = [json.loads(line) for line in plain.splitlines()]
    for name in ("r.jsonl", "r.jsonl.gz", "r.jsonl.zst", "r.parquet", "r.csv.gz"):
        assert samestory("relate", "news.jsonl", "-o", name).code == 0
        assert samestory("find", "news.jsonl", "--relations", f"find-{name}").code == 0
    for prefix in ("", "find-"):
        folder = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
        assert folder[f"{prefix}r.jsonl"].decode() == plain
        assert gzip.decompress(folder[f"{prefix}r.jsonl.gz"]).decode() == plain
        unpacked = zstandard.ZstdDecompressor().stream_reader(folder[f"{prefix}r.jsonl.zst"]).read()
        assert unpacked.decode() == plain
        assert pq.read_table(tmp_path / f"{prefix}r.parquet").to_pylist() == [row]
        head, line = gzip.decompress(folder[f"{prefix}r.csv.gz"]).decode().splitlines()
        assert head == "left,right,kind,forward,backward,score,detector"
        assert line.startswith("b,a,IDENTICAL,1.0,1.0,")


def test_a_result_without_rows_has_its_columns(samestory: Runner, write: Writer, tmp_path: Path) -> None:
    write("news.jsonl", NEWS[1:])
    assert samestory("relate", "news.jsonl", "-o", "r.csv").code == 0
    assert (tmp_path / "r.csv").read_text() == "left,right,kind,forward,backward,score,detector\n"
    assert samestory("relate", "news.jsonl", "-o", "r.parquet").code == 0
    assert pq.read_table(tmp_path / "r.parquet").num_rows == 0


def test_articles_with_names_are_lines_which_may_be_compressed(
    samestory: Runner, write: Writer, tmp_path: Path
) -> None:
    write("news.jsonl", NEWS)
    plain = samestory("entities", "news.jsonl").out
    assert samestory("entities", "news.jsonl", "-o", "names.jsonl.gz").code == 0
    assert gzip.decompress((tmp_path / "names.jsonl.gz").read_bytes()).decode() == plain
    done = samestory("entities", "news.jsonl", "-o", "names.csv")
    assert done.code == 2
    assert "names.csv: the result is JSON lines" in done.err
    assert not (tmp_path / "names.csv").exists()
