"""`samestory dedup`: rows that stay are those of the input, byte by byte, in every format."""

from __future__ import annotations

import csv
import gzip
import json
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard

from samestory import MinHash, relate
from tests.conftest import Runner

LONG = "The bridge over the river reopened on Monday after repairs that took three years and cost four million euros."
SHORT = "The bridge over the river reopened on Monday after repairs that took three years"
OTHER = (
    "A court in the capital sentenced two former ministers for fraud with subsidies on Friday, their lawyers appealed."
)
ROWS: list[dict[str, Any]] = [
    {"id": "part", "text": SHORT, "source": "Brief", "date": "2024-05-01", "extra": None},
    {"id": "copy", "text": LONG, "source": "Echo", "date": "2024-05-03", "extra": 'with "quotes",\nand a line'},
    {"id": "other", "text": OTHER, "source": "Post", "date": "2024-05-01", "extra": ""},
    {"id": "long", "text": f"{LONG} Ferries stop.", "source": "Post", "date": "2024-05-02", "extra": "ü"},
    {"id": "same", "text": LONG, "source": "Wire", "date": "2024-05-01", "extra": "x"},
]


def lines(rows: list[dict[str, Any]]) -> list[bytes]:
    """JSON in which no two rows have the same blanks."""
    return [json.dumps(row, separators=(",", ":" + " " * at)).encode() for at, row in enumerate(rows)]


def write_table(path: Path, rows: list[dict[str, Any]], delimiter: str = ",", end: str = "\n") -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]), delimiter=delimiter, lineterminator=end)
        writer.writeheader()
        writer.writerows(rows)
    return path


def ids(text: str) -> list[str]:
    return [json.loads(line)["id"] for line in text.splitlines()]


def test_rows_of_json_lines_stay_as_they_are(samestory: Runner, tmp_path: Path) -> None:
    path, out = tmp_path / "news.jsonl", tmp_path / "unique.jsonl"
    path.write_bytes(b"\r\n".join(lines(ROWS)))
    done = samestory("dedup", path, "-o", out, "--dropped", tmp_path / "dropped.jsonl")
    assert (done.code, done.out) == (0, "")
    written = lines(ROWS)
    assert out.read_bytes() == written[2] + b"\r\n" + written[3] + b"\r\n"
    assert "2 of 5 rows stay; 3 duplicates dropped: 2 × NEAR, 1 × PART_OF" in done.err
    dropped = [json.loads(line) for line in (tmp_path / "dropped.jsonl").read_text().splitlines()]
    assert [(row["id"], row["reason"], row["kind"], row["kept"], row["line"]) for row in dropped] == [
        ("part", "duplicate", "PART_OF", "long", 1),
        ("copy", "duplicate", "NEAR", "long", 2),
        ("same", "duplicate", "NEAR", "long", 5),
    ]
    assert all(row["share"] == 1 for row in dropped)


@pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_rows_of_tables_stay_as_they_are(suffix: str, end: str, samestory: Runner, tmp_path: Path) -> None:
    plain = write_table(tmp_path / "plain.csv", ROWS, end=end).read_bytes()
    pack = {"": lambda data: data, ".gz": gzip.compress, ".zst": zstandard.compress}[suffix]
    unpack = {"": lambda data: data, ".gz": gzip.decompress, ".zst": unzstd}[suffix]
    path, out = tmp_path / f"news.csv{suffix}", tmp_path / f"unique.csv{suffix}"
    path.write_bytes(pack(b"\xef\xbb\xbf" + plain if not suffix else plain))
    assert samestory("dedup", path, "-o", out, "--keep", "first", "--kinds", "identical").code == 0
    last = f"same,{LONG},Wire,2024-05-01,x{end}".encode()
    mark = b"" if suffix else b"\xef\xbb\xbf"
    assert plain.endswith(last)
    assert unpack(out.read_bytes()) == mark + plain.removesuffix(last)


def unzstd(data: bytes) -> bytes:
    with zstandard.ZstdDecompressor().stream_reader(data) as stream:
        return stream.read()


def test_tables_with_tabs_keep_quotes_that_are_just_quotes(samestory: Runner, tmp_path: Path) -> None:
    path, out = tmp_path / "news.tsv", tmp_path / "all.tsv"
    path.write_text(f'id\ttext\n1\t"We won," {OTHER}\n2\t{LONG}\n3\t{LONG}')
    assert samestory("dedup", path, "--annotate", "-o", out).code == 0
    head, *rows = out.read_text().splitlines()
    assert head == "id\ttext\tgroup\tkind\trepresentative\tshare"
    assert rows == [
        f'1\t"We won," {OTHER}\t1\t\t1\t',
        f"2\t{LONG}\t2\t\t2\t",
        f"3\t{LONG}\t2\tIDENTICAL\t2\t1.0",
    ]


def test_parquet_keeps_its_schema(samestory: Runner, tmp_path: Path) -> None:
    schema = pa.schema(
        [pa.field("id", pa.large_string(), metadata={"a": "b"}), ("text", pa.string()), ("tags", pa.list_(pa.int16()))],
        metadata={"made": "here"},
    )
    rows = [{"id": row["id"], "text": row["text"], "tags": [at]} for at, row in enumerate(ROWS)]
    path, out = tmp_path / "news.parquet", tmp_path / "unique.parquet"
    pq.write_table(pa.Table.from_pylist(rows, schema), path, row_group_size=2, compression="zstd")
    assert samestory("dedup", path, "-o", out).code == 0
    found = pq.ParquetFile(out)
    assert found.read().to_pylist() == [rows[2], rows[3]]
    assert found.schema_arrow.equals(pq.ParquetFile(path).schema_arrow, check_metadata=True)
    assert found.metadata.row_group(0).column(0).compression == "ZSTD"
    samestory("dedup", path, "-o", out, "--annotate")
    table = pq.read_table(out)
    assert table.select(schema.names).to_pylist() == rows
    assert table["group"].to_pylist() == [1, 1, 2, 1, 1]
    assert table["representative"].to_pylist() == ["long", "long", "other", "long", "long"]
    assert table["kind"].to_pylist() == ["PART_OF", "NEAR", None, None, "NEAR"]


@pytest.mark.parametrize(
    ("words", "kept"),
    [
        (["--keep", "longest"], ["other", "long"]),
        (["--keep", "earliest"], ["other", "same"]),
        (["--keep", "latest"], ["copy", "other"]),
        (["--keep", "first"], ["part", "copy", "other"]),
        (["--keep", "source:Wire"], ["other", "same"]),
        (["--keep", "source:Brief", "--keep", "source:Echo", "--keep", "earliest"], ["part", "copy", "other"]),
        (["--kinds", "IDENTICAL"], ["part", "copy", "other", "long"]),
        (["--kinds", "part_of,identical"], ["copy", "other", "long"]),
        (["--keep", "first", "--kinds", "HAS_PART,IDENTICAL,NEAR"], ["part", "other"]),
        (["--within", "0"], ["copy", "other", "long", "same"]),
    ],
)
def test_what_stays_follows_the_options(words: list[str], kept: list[str], samestory: Runner, tmp_path: Path) -> None:
    path = tmp_path / "news.jsonl"
    path.write_bytes(b"\n".join(lines(ROWS)))
    done = samestory("dedup", path, *words)
    assert done.code == 0
    assert ids(done.out) == kept


def test_older_articles_are_not_written_and_their_copies_are_dropped(samestory: Runner, tmp_path: Path) -> None:
    old, new = tmp_path / "old.jsonl", tmp_path / "new.jsonl"
    old.write_bytes(b"\n".join(lines([ROWS[1], {"id": "other", "text": "replaced by its new version"}])))
    new.write_bytes(b"\n".join(lines([ROWS[0], *ROWS[2:]])))
    done = samestory("dedup", new, "--against", old, "--dropped", tmp_path / "dropped.jsonl")
    assert ids(done.out) == ["other"]
    dropped = [json.loads(line) for line in (tmp_path / "dropped.jsonl").read_text().splitlines()]
    assert [(row["id"], row["kept"], row["line"]) for row in dropped] == [
        ("part", "copy", 1), ("long", "copy", 3), ("same", "copy", 4)
    ]  # fmt: skip


def test_rejected_records_are_dropped_with_their_reason_and_annotated_if_they_are_rows(
    samestory: Runner, tmp_path: Path
) -> None:
    path = tmp_path / "news.jsonl"
    rows = [b'{"id": "a", "text": ""}', b"{broken", b'{"id": "long", "text": "again"}']
    path.write_bytes(b"\n".join([*lines(ROWS), *rows]))
    done = samestory("dedup", path, "--dropped", tmp_path / "dropped.jsonl")
    assert (done.code, ids(done.out)) == (0, ["other", "long"])
    dropped = [json.loads(line) for line in (tmp_path / "dropped.jsonl").read_text().splitlines()]
    assert [(row["reason"], row["line"], row["id"]) for row in dropped[3:]] == [
        ("empty text", 6, None), ("broken line", 7, None), ("duplicate id", 8, None)
    ]  # fmt: skip
    done = samestory("dedup", path, "--annotate")
    assert [(row["id"], row["group"]) for row in done.rows[5:]] == [("a", None), ("long", None)]


def test_standard_input_is_read_twice(samestory: Runner) -> None:
    text = b"\n".join(lines(ROWS))
    assert ids(samestory("dedup", "-", stdin=text).out) == ["other", "long"]
    # a detector that weighs words by their frequencies reads it once more
    weighed = samestory("dedup", "-", "-d", "cosine(threshold=0.1)", stdin=text)
    assert (weighed.code, ids(weighed.out)) == (0, ["other", "long"])


def test_several_files_become_one(samestory: Runner, tmp_path: Path) -> None:
    for at, row in enumerate(ROWS):
        write_table(tmp_path / f"{at}.csv", [row])
    out = tmp_path / "out" / "unique.csv"
    out.parent.mkdir()
    assert samestory("dedup", tmp_path / "[0-9].csv", "-o", out).code == 0
    with out.open(newline="") as file:
        assert [row["id"] for row in csv.DictReader(file)] == ["other", "long"]
    write_table(tmp_path / "5.csv", [{"text": OTHER, "id": "more"}])
    done = samestory("dedup", tmp_path / "[0-9].csv", "-o", out)
    assert done.code == 1
    assert "5.csv: expected the columns id, text, source, date, extra, found text, id" in done.err


def test_a_folder_of_parquet_is_one_input(samestory: Runner, tmp_path: Path) -> None:
    folder = tmp_path / "news"
    for at, row in enumerate(ROWS):
        part = folder / f"day={at}"
        part.mkdir(parents=True)
        pq.write_table(pa.Table.from_pylist([{key: str(value) for key, value in row.items()}]), part / "0.parquet")
    (folder / "_SUCCESS").touch()
    out = tmp_path / "unique.parquet"
    assert samestory("dedup", folder, "-o", out).code == 0
    assert pq.read_table(out)["id"].to_pylist() == ["other", "long"]
    assert samestory("find", folder, "--min-size", 2).groups == {frozenset(["part", "copy", "long", "same"])}


@pytest.mark.parametrize("source", ["jsonl", "csv", "parquet"])
@pytest.mark.parametrize("target", ["jsonl", "jsonl.gz", "csv", "tsv", "parquet"])
@pytest.mark.parametrize("annotate", [False, True])
def test_rows_are_converted_to_the_format_of_the_output(
    source: str, target: str, annotate: bool, samestory: Runner, tmp_path: Path
) -> None:
    path, out = tmp_path / f"news.{source}", tmp_path / f"unique.{target}"
    if source == "csv":
        write_table(path, ROWS)
    elif source == "parquet":
        pq.write_table(pa.Table.from_pylist(ROWS), path)
    else:
        path.write_bytes(b"\n".join(lines(ROWS)))
    done = samestory("dedup", path, "-o", out, *(["--annotate"] if annotate else []))
    if source == "jsonl" and target in ("csv", "tsv"):
        assert done.code == 2
        assert "JSON Lines cannot be written as" in done.err
        assert not out.exists()
        return
    assert done.code == 0, done.err
    rows = list(read_rows(out))
    wanted = ROWS if annotate else [ROWS[2], ROWS[3]]
    assert [{name: row[name] or None for name in ROWS[0]} for row in rows] == [
        {name: value or None for name, value in row.items()} for row in wanted
    ]
    if annotate:
        assert [int(row["group"]) for row in rows] == [1, 1, 2, 1, 1]
        assert [row["kind"] or None for row in rows] == ["PART_OF", "NEAR", None, None, "NEAR"]


def read_rows(path: Path) -> list[Mapping[str, Any]]:
    if path.suffix == ".parquet":
        return list(pq.read_table(path).to_pylist())
    text = (gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()).decode()
    if ".jsonl" in path.name:
        return [json.loads(line) for line in text.splitlines()]
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t" if path.suffix == ".tsv" else ","))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--keep", "best"], "--keep: expected one of longest, earliest, latest, first, or source:NAME, got 'best'"),
        (["--keep", "first", "--keep", "latest"], "--keep: expected one of"),
        (["--kinds", "SHARES_TEXT"], "--kinds: expected some of IDENTICAL, NEAR"),
        (["-o", "out.xlsx"], "out.xlsx: rows cannot be written in this format"),
        (["-o", "out.parquet.gz"], "Parquet is compressed inside"),
        (["-o", "news.jsonl"], "is one of the inputs"),
        (["-o", "a.jsonl", "--dropped", "a.jsonl"], "--dropped: a.jsonl is also the file of --output"),
    ],
)
def test_misuse_is_an_error_and_writes_nothing(
    words: list[str], message: str, samestory: Runner, tmp_path: Path
) -> None:
    path = tmp_path / "news.jsonl"
    path.write_bytes(b"\n".join(lines(ROWS)))
    done = samestory("dedup", path, *words)
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert [file.name for file in tmp_path.iterdir()] == ["news.jsonl"]


def test_rows_that_are_annotated_already_are_an_error(samestory: Runner, tmp_path: Path) -> None:
    path = tmp_path / "news.jsonl"
    path.write_bytes(b"\n".join(lines([{**row, "group": 7} for row in ROWS])))
    done = samestory("dedup", path, "--annotate", "-o", "out.jsonl")
    assert done.code == 1
    assert "rows have a column called 'group' already" in done.err
    assert not (tmp_path / "out.jsonl").exists()


def test_the_summary_is_json_if_asked_for(samestory: Runner, tmp_path: Path) -> None:
    path = tmp_path / "news.jsonl"
    path.write_bytes(b"\n".join(lines(ROWS)))
    done = samestory("dedup", path, "--json", "-o", tmp_path / "out.jsonl")
    summary = json.loads(done.err)
    assert (summary["records"], summary["written"], summary["dropped"]) == (5, 2, 3)
    assert summary["dropped_by_kind"] == {"NEAR": 2, "PART_OF": 1}


def test_a_damaged_file_loses_only_what_was_reported(samestory: Runner, tmp_path: Path) -> None:
    path, out = tmp_path / "news.jsonl.gz", tmp_path / "out.jsonl"
    rng = random.Random(5)
    rows = [{"id": str(at), "text": " ".join(str(rng.random()) for _ in range(50))} for at in range(400)]
    path.write_bytes(gzip.compress(b"\n".join(lines(rows)))[:-4000])
    done = samestory("dedup", path, "-o", out)
    assert done.code == 1
    assert "not all input was read" in done.err
    assert 0 < len(out.read_text().splitlines()) < 400


def test_no_two_rows_that_stay_are_related_and_each_dropped_one_is_related_to_the_kept_one(
    samestory: Runner, tmp_path: Path
) -> None:
    rng = random.Random(3)
    words = [f"word{at}" for at in range(500)]
    rows = []
    for at in range(300):
        text = rng.choices(words, k=40)
        rows.append({"id": f"n{at}", "text": " ".join(text)})
        for copy in range(rng.randrange(3)):
            changed = [rng.choice(words) if rng.random() < 0.05 else word for word in text]
            rows.append({"id": f"n{at}-{copy}", "text": " ".join(changed)})
    path = tmp_path / "news.jsonl"
    path.write_bytes(b"\n".join(json.dumps(row).encode() for row in rows))
    spec = "minhash(threshold=0.4)"
    kept = set(ids(samestory("dedup", path, "-d", spec, "--dropped", tmp_path / "dropped.jsonl").out))
    related = {frozenset((r.left, r.right)) for r in relate(rows, detector=MinHash(threshold=0.4))}
    dropped = [json.loads(line) for line in (tmp_path / "dropped.jsonl").read_text().splitlines()]
    assert len(dropped) > 50
    assert kept | {row["id"] for row in dropped} == {row["id"] for row in rows}
    assert all(row["kept"] in kept and frozenset((row["id"], row["kept"])) in related for row in dropped)
    assert not any(pair <= kept for pair in related)
