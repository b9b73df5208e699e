"""`samestory.dedup` returns frames, tables and lists in the form in which they were given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import samestory
from samestory import Article, InputError, ParameterError

LONG = "The bridge over the river reopened on Monday after repairs that took three years and cost four million euros."
ROWS: list[dict[str, Any]] = [
    {"key": "x", "body": LONG, "paper": "Echo", "n": 1},
    {
        "key": "y",
        "body": "A court in the capital sentenced two former ministers for fraud on Friday.",
        "paper": "",
        "n": 2,
    },
    {"key": "z", "body": f"{LONG} Ferries stop.", "paper": "Post", "n": 3},
    {"key": "x", "body": LONG, "paper": "Wire", "n": 4},
]
FIELDS = {"text": "body", "source": "paper"}
NUMBERS = {"keep": [2, 3], "group": [1, 2, 1, 1], "kind": ["NEAR", None, None, "NEAR"]}


def reader() -> pa.RecordBatchReader:
    table = pa.Table.from_pylist(ROWS)
    return pa.RecordBatchReader.from_batches(table.schema, table.to_batches(max_chunksize=2))


def batch() -> pa.RecordBatch:
    return pa.RecordBatch.from_pylist(ROWS)


FORMS: dict[str, tuple[Callable[[], Any], type, Callable[[Any], list[dict[str, Any]]]]] = {
    "pandas": (lambda: pd.DataFrame(ROWS), pd.DataFrame, lambda found: found.to_dict("records")),
    "polars": (lambda: pl.DataFrame(ROWS), pl.DataFrame, lambda found: found.to_dicts()),
    "polars lazy": (lambda: pl.LazyFrame(ROWS), pl.LazyFrame, lambda found: found.collect().to_dicts()),
    "arrow table": (lambda: pa.Table.from_pylist(ROWS), pa.Table, lambda found: found.to_pylist()),
    "arrow batch": (batch, pa.RecordBatch, lambda found: found.to_pylist()),
    "arrow reader": (reader, pa.RecordBatchReader, lambda found: found.read_all().to_pylist()),
    "list": (lambda: ROWS, list, list),
    "generator": (lambda: (row for row in ROWS), list, list),
}


@pytest.mark.parametrize(("make", "form", "rows"), FORMS.values(), ids=FORMS.keys())
def test_rows_that_stay_are_returned_in_the_same_form(
    make: Callable[[], Any], form: type, rows: Callable[[Any], list[dict[str, Any]]]
) -> None:
    found = samestory.dedup(make(), fields=FIELDS)
    assert isinstance(found, form)
    assert rows(found) == [ROWS[1], ROWS[2]]
    noted = samestory.dedup(make(), fields=FIELDS, annotate=True)
    assert isinstance(noted, form)
    columns = pd.DataFrame(rows(noted)).astype(object)
    assert columns["n"].tolist() == [1, 2, 3, 4]
    assert columns["group"].tolist() == NUMBERS["group"]
    assert columns["kind"].where(columns["kind"].notna(), None).tolist() == NUMBERS["kind"]
    assert columns["representative"].tolist() == [2, 1, 2, 2]


@pytest.mark.parametrize(("make", "form", "rows"), FORMS.values(), ids=FORMS.keys())
def test_labels_are_aligned_with_the_rows(make: Callable[[], Any], form: type, rows: Callable[[Any], Any]) -> None:
    found = samestory.label(make(), fields=FIELDS)
    assert list(found.to_pylist() if isinstance(found, pa.Array) else found) == NUMBERS["group"]


def test_labels_become_a_column_of_a_frame_with_its_own_index() -> None:
    frame = pd.DataFrame(ROWS, index=["d", "c", "b", "a"])
    frame["group"] = samestory.label(frame, fields=FIELDS)
    assert frame["group"].to_dict() == {"d": 1, "c": 2, "b": 1, "a": 1}
    frame = pl.DataFrame(ROWS)
    assert frame.with_columns(group=samestory.label(frame, fields=FIELDS))["group"].to_list() == NUMBERS["group"]


def test_the_index_of_a_data_frame_names_its_rows() -> None:
    frame = pd.DataFrame(ROWS, index=[10, 20, 30, 30])
    assert samestory.dedup(frame, fields=FIELDS).index.to_list() == [20, 30]
    noted = samestory.dedup(frame, fields=FIELDS, annotate=True)
    assert noted["representative"].tolist() == [30, 20, 30, 30]
    assert "group" not in frame.columns


def test_an_id_column_names_its_rows_even_if_ids_repeat() -> None:
    for frame in (pd.DataFrame(ROWS), pl.DataFrame(ROWS), pa.Table.from_pylist(ROWS), ROWS):
        noted = samestory.dedup(frame, fields={**FIELDS, "id": "key"}, annotate=True)
        column = noted["representative"] if not isinstance(noted, list) else [row["representative"] for row in noted]
        assert (column.to_pylist() if isinstance(noted, pa.Table) else list(column)) == ["z", "y", "z", "z"]


def test_options_are_those_of_the_command() -> None:
    def numbers(**options: Any) -> list[int]:
        return [row["n"] for row in samestory.dedup(ROWS, fields=FIELDS, **options)]

    assert numbers(keep="first") == [1, 2]
    assert numbers(keep="source:Wire", kinds=["IDENTICAL", "near", "HAS_PART"]) == [2, 4]
    assert numbers(kinds="IDENTICAL") == [1, 2, 3]
    assert numbers(against=[{"body": LONG, "paper": ""}]) == [2]
    assert numbers(against=[{"body": LONG, "key": "x", "paper": ""}], kinds="IDENTICAL") == [2, 3]
    with pytest.raises(ParameterError, match="keep: expected one of longest"):
        numbers(keep="best")
    with pytest.raises(ParameterError, match="kinds: expected some of"):
        numbers(kinds="SIMILAR")
    with pytest.raises(ParameterError, match="within: must be a whole number"):
        numbers(within=-1)


def test_texts_and_articles_are_rows_too() -> None:
    assert samestory.dedup([LONG, LONG, "Other words of another matter."]) == [LONG, "Other words of another matter."]
    articles = [Article("a", LONG), Article("b", LONG)]
    assert samestory.dedup(articles) == articles[:1]
    assert [row["representative"] for row in samestory.dedup(articles, annotate=True)] == ["a", "a"]


def test_nothing_is_dropped_of_nothing() -> None:
    assert samestory.dedup([]) == []
    assert samestory.label([]) == []
    empty = pd.DataFrame({"text": []})
    assert samestory.dedup(empty, annotate=True).columns.to_list() == [
        "text", "group", "kind", "representative", "share"
    ]  # fmt: skip


def test_one_text_is_no_frame() -> None:
    with pytest.raises(InputError, match="expected a list of articles, got one"):
        samestory.dedup(LONG)


def test_wrong_field_names_list_the_fields_that_are_there() -> None:
    with pytest.raises(InputError, match=r"no article has a field 'txt'; there are key, body, paper, n"):
        samestory.find(ROWS, fields={"text": "body", "title": "txt"})


@pytest.mark.parametrize("form", ["pandas", "polars", "arrow"])
def test_groups_become_frames(form: str) -> None:
    groups = samestory.find([{**row, "key": str(row["n"])} for row in ROWS], fields={**FIELDS, "id": "key"})
    frame = groups.to_frame(form)
    columns = frame.to_pydict() if form == "arrow" else {name: frame[name].to_list() for name in frame.columns}
    assert columns["id"] == ["3", "1", "4", "2"]
    assert columns["group"] == [1, 1, 1, 2]
    assert columns["representative"] == ["3", "3", "3", "2"]
    assert columns["size"] == [3, 3, 3, 1]
    assert [value if isinstance(value, str) else None for value in columns["kind"]] == ["NEAR", "NEAR", "NEAR", None]
    assert columns["share"][0] == 1


@pytest.mark.parametrize("make", [each[0] for each in FORMS.values()], ids=FORMS.keys())
def test_find_and_relate_accept_every_form(make: Callable[[], Any]) -> None:
    distinct = {**FIELDS, "id": "n"}
    assert {tuple(sorted(group.members)) for group in samestory.find(make(), fields=distinct)} == {
        ("1", "3", "4"),
        ("2",),
    }
    assert len(samestory.relate(make(), fields=distinct)) == 3


def test_groups_are_a_list_and_a_table_of_a_notebook() -> None:
    groups = samestory.find(ROWS[1:3], fields=FIELDS)
    assert isinstance(groups, list)
    assert len(groups) == 2
    assert "<table>" in groups._repr_html_()
    with pytest.raises(ParameterError, match="expected one of pandas, polars, arrow"):
        groups.to_frame("excel")
