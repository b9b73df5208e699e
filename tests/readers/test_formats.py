"""Every format yields the same articles: JSON Lines plain and compressed, CSV, TSV, Parquet, standard input."""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard

from samestory import Article, Source, read
from tests.conftest import Runner, Writer

ROWS = [
    {
        "id": "1",
        "title": "Ferry",
        "text": 'The ferry runs\n\nagain, "daily".',
        "date": "2026-03-04",
        "publisher": "Post",
    },
    {"id": "2", "title": "", "text": "Yağış İstanbul’da sürüyor; 3,5 bin kişi.", "date": "", "publisher": "Kıyı"},
    {"id": "3", "title": "Мост", "text": "Старый мост закрыт 😀", "date": "1709510400", "publisher": ""},
]
EXPECTED = [
    Article("1", ROWS[0]["text"], "Ferry", "2026-03-04", None, "Post"),
    Article("2", ROWS[1]["text"], None, None, None, "Kıyı"),
    Article("3", ROWS[2]["text"], "Мост", "1709510400", None, None),
]


def jsonl() -> bytes:
    rows = [{key: value for key, value in row.items() if value} for row in ROWS]
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def table(delimiter: str) -> bytes:
    out = io.StringIO()
    writer = csv.DictWriter(out, list(ROWS[0]), delimiter=delimiter)
    writer.writeheader()
    writer.writerows(ROWS)
    return out.getvalue().encode()


def parquet(path: Path) -> None:
    columns = {key: [row[key] or None for row in ROWS] for key in ROWS[0]}
    pq.write_table(pa.table(columns), path)


FILES: dict[str, bytes | Callable[[Path], None]] = {
    "news.jsonl": jsonl(),
    "news.ndjson": jsonl(),
    "news.json": jsonl().replace(b"\n", b"\r\n"),
    "bom.jsonl": b"\xef\xbb\xbf" + jsonl(),
    "blank lines.jsonl": b"\n" + jsonl().replace(b"\n", b"\n\n  \n"),
    "no last line end.jsonl": jsonl().rstrip(b"\n"),
    "escaped.jsonl": "".join(json.dumps({k: v for k, v in row.items() if v}) + "\n" for row in ROWS).encode(),
    "news.jsonl.gz": gzip.compress(jsonl()),
    "two members.jsonl.gz": gzip.compress(jsonl()[:100]) + gzip.compress(jsonl()[100:]),
    "news.jsonl.zst": zstandard.compress(jsonl()),
    "news.csv": table(","),
    "bom.csv": b"\xef\xbb\xbf" + table(","),
    "news.csv.gz": gzip.compress(table(",")),
    "news.tsv": table("\t"),
    "news.tsv.zst": zstandard.compress(table("\t")),
    "news.parquet": parquet,
}


@pytest.fixture(params=FILES)
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    out = tmp_path / request.param
    content = FILES[request.param]
    if isinstance(content, bytes):
        out.write_bytes(content)
    else:
        content(out)
    return out


def test_every_format_gives_the_same_articles(path: Path) -> None:
    assert list(read(str(path))) == EXPECTED


def test_the_command_reads_every_format(path: Path, samestory: Runner) -> None:
    done = samestory("find", path)
    assert (done.code, done.members) == (0, ["1", "2", "3"])
    assert "refused" not in done.err


@pytest.mark.parametrize(
    ("words", "data"),
    [
        (["-"], jsonl()),
        (["-", "--format", "csv"], table(",")),
        (["-", "--format", "tsv"], table("\t")),
        (["/dev/stdin", "--format", "jsonl"], jsonl()),
    ],
)
def test_articles_come_from_standard_input(words: list[str], data: bytes, samestory: Runner) -> None:
    done = samestory("find", *words, stdin=data)
    assert (done.code, done.members) == (0, ["1", "2", "3"])


def test_a_format_can_be_named_when_the_name_says_nothing(write: Writer, samestory: Runner) -> None:
    path = write("export.dat", table(","))
    assert samestory("find", path, "--format", "csv").members == ["1", "2", "3"]
    assert list(read(Source(str(path), format="csv"))) == EXPECTED
    assert "--format" in samestory("find", path).err
