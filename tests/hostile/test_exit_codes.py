"""Exit code 0 means that every input was read to its end; 1 that something was missing or broke off."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard

from samestory.cli.registry import COMMANDS
from tests.conftest import DEMO, PATIENCE, Runner, Writer, command, environment
from tests.readers.archives import answer, packed, record

NEWS = [
    {
        "id": "a",
        "text": "The bridge over the river reopened on Monday after six months of repairs.",
        "date": "2026-01-01",
    },
    {
        "id": "b",
        "text": "The bridge over the river reopened on Monday after six months of repairs.",
        "date": "2026-01-01",
    },
]
PAGE = f"<html><title>Bridge</title><body><p>{' '.join([str(NEWS[0]['text'])] * 6)}</p></body></html>"
RELATION = {"left": "a", "right": "b", "kind": "NEAR", "forward": 1, "backward": 1, "detector": "exact"}
GOLD = {"left": "a", "right": "b", "label": 1}


@pytest.fixture
def files(write: Writer) -> None:
    write("news.jsonl", NEWS)
    write("page.html", PAGE)
    write("relations.jsonl", [RELATION])
    write("gold.jsonl", [GOLD])
    write("sites.toml", '[s]\nhosts = ["example.com"]\ncontent = ["p"]\n')


MISSING = "no/such.jsonl"
#: For every command that reads files: words with a missing file among the others, and the exit code of misuse or 1.
WITH_A_MISSING_FILE = {
    "extract": ["extract", "page.html", "no/such.html"],
    "find": ["find", "news.jsonl", MISSING],
    "find by day": ["find", "news.jsonl", MISSING, "--by-day"],
    "find against": ["find", "news.jsonl", "--against", MISSING],
    "find pages": ["find", "--pages", "page.html", "no/such.html"],
    "find parquet": ["find", "news.jsonl", "no/such.parquet"],
    "dedup": ["dedup", "news.jsonl", MISSING, "-o", "unique.jsonl"],
    "relate": ["relate", "news.jsonl", MISSING],
    "relate weighed": ["relate", "news.jsonl", MISSING, "-d", "cosine"],
    "fit": ["fit", "news.jsonl", MISSING, "-o", "news.idf"],
    "group": ["group", "relations.jsonl", "--articles", MISSING],
    "group relations": ["group", MISSING, "--articles", "news.jsonl"],
    "explain": ["explain", "a", "b", MISSING, "news.jsonl"],
    "entities": ["entities", "news.jsonl", MISSING],
    "index": ["index", "add", "news.db", "news.jsonl", MISSING],
    "follow": ["follow", "news.db", "--feeds", MISSING, "--once"],
    "collection": ["collection", "new", "gold.db", "news.jsonl", MISSING, "--relation", "near"],
    "evaluate": ["evaluate", "gold.jsonl", MISSING, "-d", "exact"],
    "tune": ["tune", "gold.jsonl", MISSING, "-d", "minhash"],
    "audit": ["audit", "news.jsonl", MISSING],
    "tag": ["tag", "page.html", "no/such.html", "--rules", "sites.toml", "--site", "s", "-o", "out"],
    "train-extractor": ["train-extractor", "no/such.html", "-o", "my.model"],
    "fit-r": ["fit-r", "gold.jsonl", MISSING, "-o", "r.json"],
    "show": ["show", "no/such.html"],
    "reproduce": ["reproduce", "broder-1997", "--docs", MISSING, "--gold", "gold.jsonl"],
}
#: Commands that read no files of the user, and servers, which have tests of their own.
WITHOUT_FILES = {"completion", "decide", "portal", "judge", "detectors", "measures", "gazetteers"}


def test_every_command_is_in_the_table() -> None:
    assert {words[0] for words in WITH_A_MISSING_FILE.values()} | WITHOUT_FILES == set(COMMANDS)


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("name", WITH_A_MISSING_FILE)
def test_a_missing_file_is_never_success(name: str, samestory: Runner) -> None:
    words = WITH_A_MISSING_FILE[name]
    quiet = ["--quiet"] if words[0] in ("extract", "find", "relate", "group", "entities", "index", "audit") else []
    done = samestory(*words, *quiet)
    assert done.code in (1, 2), done.err
    assert done.err.strip()
    assert "Traceback" not in done.err


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    "words",
    [
        ["find", "news.jsonl", MISSING],
        ["find", "news.jsonl", MISSING, "no/such.parquet", "--by-day"],
        ["find", "news.jsonl", "--against", MISSING],
        ["entities", "news.jsonl", MISSING],
        ["extract", "page.html", "no/such.html"],
        ["index", "add", "news.db", "news.jsonl", MISSING],
        ["group", "relations.jsonl", "--articles", MISSING],
    ],
    ids=lambda words: words[0],
)
def test_a_file_that_may_be_missing_is_left_out(words: list[str], samestory: Runner) -> None:
    lost = samestory(*words)
    assert (lost.code, "not all input was read: " in lost.err) == (1, True)
    assert "hint: files that may be missing are left out with --allow-missing" in lost.err
    done = samestory(*words, "--allow-missing")
    assert (done.code, done.out) == (0, lost.out)
    assert "no such file or folder; left out" in done.err
    assert samestory(*words, "--allow-missing", "--quiet").err == ""


def test_nothing_to_do_is_no_success_even_if_files_may_be_missing(samestory: Runner) -> None:
    done = samestory("find", MISSING, "no/such.csv", "--allow-missing")
    assert (done.code, done.out) == (1, "")
    assert "none of the input files exists" in done.err


def cut(data: bytes) -> bytes:
    return data[: len(data) * 2 // 3]


def random_news(count: int = 400) -> bytes:
    rows = [{"id": f"n{n}", "text": os.urandom(150).hex(), "date": "2026-01-01"} for n in range(count)]
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def zst_in_frames(data: bytes) -> bytes:
    """Two frames, so that the first is whole when the second breaks off."""
    middle = data.index(b"\n", len(data) // 2) + 1
    return zstandard.compress(data[:middle]) + zstandard.compress(data[middle:])


BROKEN: dict[str, Callable[[], bytes]] = {
    "cut.jsonl.gz": lambda: cut(gzip.compress(random_news())),
    "cut.jsonl.zst": lambda: cut(zstandard.compress(random_news())),
    "frames.jsonl.zst": lambda: cut(zst_in_frames(random_news())),
    "trailer.jsonl.gz": lambda: gzip.compress(random_news())[:-4],
    "checksum.jsonl.gz": lambda: gzip.compress(random_news())[:-8] + bytes(8),
    "header.jsonl.gz": lambda: gzip.compress(random_news())[:7],
    "empty.jsonl.gz": lambda: b"",
    "empty.csv.zst": lambda: b"",
    "cut.csv.gz": lambda: cut(
        gzip.compress(b"id,text\n" + b"".join(b"%d,%s\n" % (n, os.urandom(99).hex().encode()) for n in range(400)))
    ),
    "cut.txt.gz": lambda: cut(gzip.compress(os.urandom(9000).hex().encode())),
}


@pytest.mark.parametrize("name", BROKEN)
@pytest.mark.parametrize("command", ["find", "find --by-day", "entities", "index add news.db", "fit -o n.idf"])
def test_a_compressed_file_that_breaks_off_is_no_success(
    name: str, command: str, samestory: Runner, write: Writer, tmp_path: Path
) -> None:
    write(name, BROKEN[name]())
    write("news.jsonl", NEWS)
    done = samestory(*command.split(), "news.jsonl", name, "--quiet", "--rejects", "rejects.jsonl")
    assert done.code == 1
    assert done.err.startswith("samestory: not all input was read: 1 × unreadable\n")
    (problem,) = [json.loads(line) for line in (tmp_path / "rejects.jsonl").read_text().splitlines()]
    assert problem["fault"] == "unreadable"


def test_damaged_parquet_is_no_success_and_its_rows_are_counted(samestory: Runner, tmp_path: Path) -> None:
    path = tmp_path / "n.parquet"
    rows = [json.loads(line) for line in random_news(900).splitlines()]
    pq.write_table(pa.Table.from_pylist(rows), path, row_group_size=300, compression="gzip", use_dictionary=False)
    data = bytearray(path.read_bytes())
    column = pq.ParquetFile(path).metadata.row_group(1).column(1)
    at = column.data_page_offset + column.total_compressed_size // 2
    data[at : at + 200] = bytes(200)
    path.write_bytes(data)
    done = samestory("find", path)
    assert (done.code, len(done.members)) == (1, 600)
    assert "900 records, 600 articles" in done.err and "300 rejected" in done.err
    assert "not all input was read: 300 × damaged" in done.err


def warc(body: bytes) -> bytes:
    return packed(record(1, answer(PAGE.encode())), record(2, answer(body)), record(3, answer(PAGE.encode())))


PAGES: dict[str, Callable[[], bytes]] = {
    "cut.warc.gz": lambda: cut(warc(os.urandom(9000).hex().encode())),
    "cut.warc": lambda: (record(1, answer(PAGE.encode())) + record(2, answer(PAGE.encode())))[:-200],
    "head.warc": lambda: record(1, answer(PAGE.encode())) + record(2, answer(PAGE.encode()))[:40],
    "flipped.warc.gz": lambda: warc(b"x" * 5000).replace(
        gzip.compress(record(2, answer(b"x" * 5000)))[20:30], bytes(10)
    ),
    "cut.html.gz": lambda: cut(gzip.compress(PAGE.encode())),
    "cut.jsonl.gz": lambda: cut(gzip.compress(json.dumps({"html": PAGE + os.urandom(900).hex()}).encode())),
    "empty.warc.gz": lambda: b"",
    "no.zip": lambda: b"PK\x03\x04",
}


@pytest.mark.parametrize("name", PAGES)
def test_an_archive_that_breaks_off_is_no_success(name: str, samestory: Runner, write: Writer) -> None:
    write(name, PAGES[name]())
    write("page.html", PAGE)
    for words in (["extract"], ["find", "--pages"]):
        done = samestory(*words, "page.html", name, "-e", "whole", "--quiet")
        assert done.code == 1, name
        assert "not all input was read: 1 × " in done.err
        assert "page.html" in done.out


def test_bad_records_do_not_fail_a_run_and_are_counted_with_quiet(samestory: Runner, write: Writer) -> None:
    path = write(
        "news.jsonl",
        [*NEWS, "{", {"id": "c", "text": ""}, {"id": "d", "text": ""}, {**NEWS[0], "id": "e", "date": "x"}],
    )
    for words in (["find", path], ["find", path, "--by-day"], ["entities", path]):
        done = samestory(*words, "--quiet")
        assert done.code == 0
        assert done.err == "samestory: 3 records rejected: 1 × broken line, 2 × empty text\n"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission_in_a_folder_is_no_success(samestory: Runner, write: Writer) -> None:
    write("news/a.txt", "The bridge reopened.")
    write("news/b.txt", "The bridge reopened.").chmod(0)
    done = samestory("find", "news")
    assert (done.code, done.members) == (1, ["news/a.txt"])


def test_other_files_in_a_folder_are_no_loss(samestory: Runner, write: Writer) -> None:
    write("news/a.txt", "The bridge reopened.")
    write("news/README.md", "About.")
    assert samestory("find", "news").code == 0


def test_files_are_counted_as_files_and_not_as_records(samestory: Runner, write: Writer) -> None:
    done = samestory("find", write("news.jsonl", [*NEWS, "{"]), MISSING)
    assert "3 records, 2 articles" in done.err
    assert "; 1 rejected, " in done.err
    assert "not all input was read: 1 × unreadable" in done.err


def test_repeated_sigterm_ends_a_server_without_a_traceback(samestory: Runner, tmp_path: Path) -> None:
    samestory("index", "add", "news.db", DEMO / "news.jsonl", "--quiet")
    with subprocess.Popen(
        command("portal", tmp_path / "news.db", "--port", 0), stderr=subprocess.PIPE, env=environment()
    ) as portal:
        assert portal.stderr is not None
        assert b"news.db is at http://" in portal.stderr.readline()
        for _ in range(3):
            portal.send_signal(signal.SIGTERM)
        assert portal.wait(PATIENCE) in (0, 143, -signal.SIGTERM)
        assert b"Traceback" not in portal.stderr.read()


@pytest.mark.parametrize("ending", ["jsonl", "jsonl.gz", "csv", "csv.zst", "parquet"])
@pytest.mark.parametrize("words", [["find"], ["find", "--by-day"], ["relate", "--quiet"]], ids=" ".join)
def test_a_field_that_is_not_there_is_no_success_and_those_there_are_listed(
    words: list[str], ending: str, samestory: Runner, tmp_path: Path
) -> None:
    path = tmp_path / f"n.{ending}"
    if ending == "parquet":
        pq.write_table(pa.Table.from_pylist(NEWS), path)
    else:
        rows = [",".join(row.values()) for row in NEWS] if "csv" in ending else map(json.dumps, NEWS)
        data = "".join(f"{row}\n" for row in (["id,text,date", *rows] if "csv" in ending else rows)).encode()
        data = gzip.compress(data) if ending.endswith("gz") else data
        path.write_bytes(zstandard.compress(data) if ending.endswith("zst") else data)
    done = samestory(*words, path, "--field", "source=paper\x1b")
    assert done.code == 1
    assert "--field source=paper\\x1b: no record has this field\n" in done.err
    assert f"hint: the fields of {path} are id, text, date\n" in done.err
    assert "not all input was read: 1 × missing field" in done.err
    assert samestory(*words, path, "--field", "published=date").code == 0
