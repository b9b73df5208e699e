"""Tables: CSV quoting, TSV, Parquet types and damage."""

from __future__ import annotations

import gzip
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from samestory import Article, InputError, read
from tests.conftest import Runner, Writer


def test_csv_lines_are_counted_as_an_editor_counts_them(write: Writer, samestory: Runner) -> None:
    path = write("n.csv", 'id,text\n1,"two\nlines"\n2,\n3,fine\n')
    done = samestory("find", path)
    assert done.members == ["1", "3"]
    assert f"{path}:4: no text" in done.err or f"{path}:4: empty text" in done.err


@pytest.mark.parametrize("row", ["2", "2,cut, here"])
def test_a_csv_row_with_fewer_or_more_cells_is_rejected(row: str, write: Writer, samestory: Runner) -> None:
    """More cells mean an unquoted comma: half of the text would be lost silently."""
    path = write("n.csv", f"id,text\n1,whole\n{row}\n3,fine\n")
    done = samestory("find", path)
    assert done.members == ["1", "3"]
    assert f"{path}:3: broken line" in done.err


@pytest.mark.parametrize("ending", ["csv", "csv.gz"])
@pytest.mark.parametrize("bad", ['2,"never closed', '2,"she said "no" and left"'])
def test_a_quote_that_does_not_close_costs_its_own_line_only(
    bad: str, ending: str, tmp_path: Path, samestory: Runner
) -> None:
    """One such quote used to swallow the rest of the file as one cell, silently."""
    rows = [f'{n},"story {n}"' if n % 2 else f"{n},story {n}" for n in range(3, 2000)]
    text = "\n".join(["id,text", '1,"two\nlines"', bad, *rows, ""]).encode()
    path = tmp_path / f"n.{ending}"
    path.write_bytes(gzip.compress(text) if ending.endswith("gz") else text)
    done = samestory("find", path, "--min-size", 1)
    assert done.members == sorted(map(str, [1, *range(3, 2000)]))
    assert f"samestory: {path}:4: broken line: a quote is opened in this line" in done.err
    assert "1,999 records, 1,998 articles" in done.err
    assert "1 rejected" in done.err
    assert samestory("find", path, "--strict").code == 1


def test_a_quote_that_is_never_closed_in_a_long_file_does_not_fill_the_memory(
    tmp_path: Path, samestory: Runner
) -> None:
    path = tmp_path / "n.csv"
    rows = "".join(f"{n},a longer story {n} with words\n" for n in range(100_000))
    path.write_text('id,text\nx,"never closed\n' + rows)
    done = samestory("find", path, "--largest", 1000, "-d", "exact")
    assert f"{path}:2: broken line: a quote is opened in this line and not closed within" in done.err
    assert "100,001 records, 100,000 articles" in done.err


def test_between_tabs_a_text_may_begin_with_a_quotation(tmp_path: Path, samestory: Runner) -> None:
    path = tmp_path / "n.tsv"
    path.write_text('id\ttext\n1\t"We won," she said.\n2\t"Open\n3\t"in\tquotes"\n')
    assert [item.text for item in read(str(path)) if isinstance(item, Article)] == (
        ['"We won," she said.', '"Open', "in\tquotes"]
    )


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet"])
def test_a_table_without_a_text_column_says_how_to_name_one(ending: str, tmp_path: Path, samestory: Runner) -> None:
    path = tmp_path / f"n.{ending}"
    if ending == "parquet":
        pq.write_table(pa.table({"id": ["1"], "words": ["x"]}), path)
    else:
        path.write_text("id,words\n1,x\n".replace(",", "," if ending == "csv" else "\t"))
    with pytest.raises(InputError, match="no column for the text among id, words"):
        list(read(str(path)))
    done = samestory("find", path)
    assert done.code == 1
    assert "no column for the text" in done.err and "--field text=" in done.err


def test_parquet_columns_of_other_types_are_taken_as_texts(tmp_path: Path) -> None:
    path = tmp_path / "n.parquet"
    when = datetime(2026, 3, 4, 7, tzinfo=UTC)
    pq.write_table(pa.table({"id": [7], "text": pa.array([b"bytes"]), "date": [when]}), path)
    assert list(read(str(path))) == [Article("7", "bytes", published="2026-03-04T07:00:00+00:00")]


def test_parquet_of_several_batches_without_ids_loses_nothing(tmp_path: Path, samestory: Runner) -> None:
    """Rows are read in batches of thousands; each must keep its row number."""
    path = tmp_path / "n.parquet"
    texts = [f"story{n}" for n in range(9000)]
    texts[5000] = ""
    pq.write_table(pa.table({"text": texts}), path, row_group_size=1000)
    done = samestory("find", path)
    assert f"{path}:5001: empty text" in done.err
    assert "1 rejected" in done.err
    assert done.members == sorted(f"{path}:{n}" for n in range(1, 9001) if n != 5001)


def test_a_damaged_part_of_parquet_costs_its_own_rows_and_each_is_counted(tmp_path: Path, samestory: Runner) -> None:
    """The rest of the file used to count as one rejected record."""
    rows = 3000
    texts = [f"The bridge number {n} over the river {n * 7} reopened on Monday after repairs." for n in range(rows)]
    path = tmp_path / "news.parquet"
    pq.write_table(
        pa.table({"id": [str(n) for n in range(rows)], "text": texts}), path, row_group_size=1000, compression="snappy"
    )
    metadata = pq.read_metadata(path).row_group(1)
    start = metadata.column(1).dictionary_page_offset or metadata.column(1).data_page_offset
    data = bytearray(path.read_bytes())
    data[start : start + 400] = b"\xff" * 400
    path.write_bytes(data)
    done = samestory("find", path)
    assert done.code == 1
    kept = len(done.members)
    assert 2000 <= kept < rows
    assert f"{rows:,} records, {kept:,} articles" in done.err
    assert f"{rows - kept:,} rejected" in done.err
    assert "damaged: reading stopped after" in done.err
