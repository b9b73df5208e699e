"""Gold in CSV, TSV and Parquet is that of JSON lines."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from samestory import InputError
from samestory.lab.evaluation.gold import GoldGroups, GoldPairs, read_gold

PAIRS = [
    {"a": "x", "b": "y", "label": "1", "score": 0.9},
    {"a": "x", "b": "01", "label": "0", "score": 0.2},
    {"a": "y", "b": "z", "label": "0", "score": 0.6},
]
GROUPS = [{"id": "x", "cluster": "1"}, {"id": "01", "cluster": "1"}, {"id": "z", "cluster": "2"}]


def write(path: Path, rows: list[dict[str, Any]], names: dict[str, str]) -> str:
    rows = [{names.get(name, name): value for name, value in row.items()} for row in rows]
    if path.suffix == ".parquet":
        pq.write_table(pa.Table.from_pylist(rows), path)
    elif path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    else:
        with path.open("w", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]), delimiter="\t" if path.suffix == ".tsv" else ",")
            writer.writeheader()
            writer.writerows(rows)
    return str(path)


@pytest.mark.parametrize("suffix", ["jsonl", "csv", "tsv", "parquet"])
@pytest.mark.parametrize("names", [{}, {"a": "id1", "b": "ID2", "label": "is_duplicate"}])
def test_pairs(suffix: str, names: dict[str, str], tmp_path: Path) -> None:
    gold = read_gold(write(tmp_path / f"gold.{suffix}", PAIRS, {} if suffix == "jsonl" else names))
    assert isinstance(gold, GoldPairs)
    assert (list(gold.left), list(gold.right)) == (["x", "x", "y"], ["y", "01", "z"])
    assert gold.labels.tolist() == [True, False, False]
    chosen = read_gold(gold.path, positive="score>=0.5", leave_out=["score<0.5"])
    assert isinstance(chosen, GoldPairs)
    assert chosen.labels.tolist() == [True, True]


@pytest.mark.parametrize("suffix", ["jsonl", "csv", "tsv", "parquet"])
def test_groups(suffix: str, tmp_path: Path) -> None:
    names = {} if suffix == "jsonl" else {"cluster": "story"}
    gold = read_gold(write(tmp_path / f"gold.{suffix}", GROUPS, names))
    assert isinstance(gold, GoldGroups)
    assert (list(gold.articles), list(gold.groups)) == (["x", "01", "z"], ["1", "1", "2"])


def test_other_columns_are_an_error_that_lists_them(tmp_path: Path) -> None:
    path = write(tmp_path / "gold.csv", [{"one": "x", "two": "y"}], {})
    with pytest.raises(InputError, match="neither pairs nor groups among the columns one, two"):
        read_gold(path)
