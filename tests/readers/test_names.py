"""File names: suffixes in any case, and undecodable bytes."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard

from samestory import Article, read
from tests.conftest import Runner


@pytest.mark.parametrize(
    "ending", ["JSONL", "Csv", "TSV", "TXT", "PARQUET", "jsonl.GZ", "CSV.gz", "Jsonl.Zst", "txt.gz"]
)
def test_endings_are_known_in_any_case(ending: str, tmp_path: Path, samestory: Runner) -> None:
    path = tmp_path / f"NEWS.{ending}"
    kind, _, packing = ending.lower().partition(".")
    plain = {"csv": b"text\nwords\n", "tsv": b"text\nwords\n", "txt": b"words"}.get(kind, b'{"text": "words"}\n')
    if kind == "parquet":
        pq.write_table(pa.table({"text": ["words"]}), path)
    else:
        pack = {"gz": gzip.compress, "zst": zstandard.compress}.get(packing, bytes)
        path.write_bytes(pack(plain))
    assert [item.text for item in read(path) if isinstance(item, Article)] == ["words"]
    done = samestory("find", path)
    assert (done.code, len(done.members)) == (0, 1)


@pytest.mark.parametrize("ending", ["jsonl", "csv", "txt", "parquet"])
def test_a_file_whose_name_is_no_text_is_read_as_any_other(ending: str, tmp_path: Path, samestory: Runner) -> None:
    """Old disks have names that are not UTF-8; they are shown with escaped bytes."""
    path = tmp_path / (os.fsdecode(b"caf\xe9.") + ending)
    try:
        path.touch()
    except OSError:
        pytest.skip("this disk has no such names")
    if ending == "parquet":
        whole = tmp_path / "whole"
        pq.write_table(pa.table({"text": ["words", ""]}), whole)
        whole.replace(path)
    else:
        texts = {"csv": "text,x\nwords,\n,\n", "txt": "words"}
        path.write_text(texts.get(ending, '{"text": "words"}\n{"text": ""}\n'))
    shown = f"{tmp_path}/caf\\xe9.{ending}"
    done = samestory("find", path, "--rejects", "rejects.jsonl")
    assert done.code == 0
    expected = {"txt": shown, "csv": f"{shown}:2"}.get(ending, f"{shown}:1")
    assert done.members == [expected]
    assert [item.id for item in read(path) if isinstance(item, Article)] == [expected]
    if ending != "txt":
        (row,) = map(json.loads, (tmp_path / "rejects.jsonl").read_text().splitlines())
        assert row["file"] == shown
