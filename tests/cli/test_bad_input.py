"""Bad input: one message with file and line, counted; reading continues, and nothing is dropped silently."""

from __future__ import annotations

import gzip
import json
import os
import re
import zlib
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard

from samestory import Exact, InputError, Problem, Source, read
from samestory.run import Run
from tests.conftest import Done, Runner, Writer

GOOD = {"id": "good", "text": "The ferry to the island runs again."}
ALSO = {"id": "also", "text": "A very different matter was settled in court."}

RELATION = {"left": "a", "right": "b", "kind": "NEAR", "forward": 1, "backward": 1}

#: Bad lines and their faults. Each is on line 2, between two good ones.
BAD: dict[str, tuple[bytes, str]] = {
    "a broken line": (b'{"id": "x", "text": "cut', "broken line"),
    "a line that is no object": (b'["x"]', "broken line"),
    "two objects in a line": (b'{"id": "x", "text": "one"} {"id": "y", "text": "two"}', "broken line"),
    "no JSON at all": (b"<html>", "broken line"),
    "half a surrogate": (rb'{"id": "x", "text": "\ud800"}', "broken line"),
    "a missing text": (b'{"id": "x", "source": "only a source"}', "no text"),
    "a missing text and an empty title": (b'{"id": "x", "title": " "}', "no text"),
    "a text that is null": (b'{"id": "x", "text": null}', "no text"),
    "an empty text": (b'{"id": "x", "text": ""}', "empty text"),
    "a text of white space": ('{"id": "x", "text": " \\n\\t\u00a0"}'.encode(), "empty text"),
    "a wrong encoding": ('{"id": "x", "text": "İstanbul’da yağış"}'.encode("windows-1254"), "wrong encoding"),
    "a duplicate id": (b'{"id": "good", "text": "Other words under a used name."}', "duplicate id"),
    "a huge article": (json.dumps({"id": "x", "text": "word " * 30_000}).encode(), "too large"),
}
LARGEST = 100_000


def messages(done: Done) -> list[str]:
    return [line for line in done.err.splitlines() if line.startswith("samestory: ")]


def put(write: Writer, bad: bytes) -> Path:
    good, also = json.dumps(GOOD).encode(), json.dumps(ALSO).encode()
    return write("news.jsonl", b"\n".join([good, bad, also]) + b"\n")


def rejects(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("command", ["find", "relate"])
@pytest.mark.parametrize(("bad", "fault"), BAD.values(), ids=BAD.keys())
def test_a_bad_line_is_reported_once_with_its_location_and_reading_continues(
    command: str, bad: bytes, fault: str, samestory: Runner, write: Writer, tmp_path: Path
) -> None:
    path = put(write, bad)
    done = samestory(command, path, "--largest", LARGEST, "--rejects", "rejects.jsonl")
    assert done.code == 0
    (message,) = messages(done)
    assert message.startswith(f"samestory: {path}:2: {fault}: ")
    assert "1 rejected" in done.err
    assert "2 articles" in done.err
    if command == "find":
        assert done.members == ["also", "good"]
    (row,) = rejects(tmp_path / "rejects.jsonl")
    assert (row["file"], row["line"], row["fault"], row["kept"]) == (str(path), 2, fault, False)
    assert row["detail"]


@pytest.mark.parametrize(("bad", "fault"), BAD.values(), ids=BAD.keys())
def test_strict_stops_at_the_first_with_exit_1_and_no_output(
    bad: bytes, fault: str, samestory: Runner, write: Writer, tmp_path: Path
) -> None:
    path = put(write, bad)
    done = samestory("find", path, "--largest", LARGEST, "--strict", "--relations", "relations.jsonl")
    assert (done.code, done.out) == (1, "")
    assert messages(done)[0].startswith(f"samestory: {path}:2: {fault}: ")
    assert len([line for line in messages(done) if path.name in line]) == 1
    assert not (tmp_path / "relations.jsonl").exists()


@pytest.mark.parametrize("command", ["find", "relate"])
def test_strict_writes_down_what_it_stopped_at(command: str, samestory: Runner, write: Writer, tmp_path: Path) -> None:
    path = put(write, b"{")
    done = samestory(command, path, "--strict", "--rejects", "rejects.jsonl", "-o", "out.jsonl")
    assert (done.code, done.out) == (1, "")
    assert [(row["file"], row["line"]) for row in rejects(tmp_path / "rejects.jsonl")] == [(str(path), 2)]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["news.jsonl", "rejects.jsonl"]


def test_strict_says_nothing_about_good_input(samestory: Runner, write: Writer) -> None:
    done = samestory("find", write("news.jsonl", [GOOD, ALSO]), "--strict")
    assert (done.code, done.members, messages(done)) == (0, ["also", "good"], [])


def test_strict_names_the_first_of_several_bad_lines(samestory: Runner, write: Writer) -> None:
    path = write("news.jsonl", [GOOD, "{", "[", {"id": "x", "text": ""}])
    done = samestory("find", path, "--strict")
    assert f"{path}:2: broken line" in done.err
    assert f"{path}:3" not in done.err


@pytest.mark.parametrize("date", ["yesterday", "2026-13-40", "31/12/2025 noon"])
def test_an_article_with_an_unreadable_date_is_kept_without_it(date: str, samestory: Runner, write: Writer) -> None:
    path = write("news.jsonl", [GOOD, {**ALSO, "date": date}])
    done = samestory("find", path, "--rejects", "rejects.jsonl")
    assert (done.code, done.members) == (0, ["also", "good"])
    (message,) = messages(done)
    assert message.startswith(f"samestory: {path}:2: unreadable date: ")
    assert date in message
    assert "0 rejected, 1 kept with warnings" in done.err
    (row,) = rejects(path.parent / "rejects.jsonl")
    assert row["kept"] is True
    assert samestory("find", path, "--strict").code == 1


def test_every_line_is_in_the_result_or_among_the_rejects(samestory: Runner, write: Writer, tmp_path: Path) -> None:
    """Bad lines of every sort among good ones, in a file of several blocks, on several threads."""
    rows: list[bytes] = []
    good, bad = {}, set()
    kinds = [line for line, _ in BAD.values() if b'"good"' not in line]
    for number in range(1, 3001):
        if number % 7 == 3:
            rows.append(kinds[number % len(kinds)])
            bad.add(number)
        elif number % 100 == 50:
            rows.append(b"")  # an empty line is not a record
        else:
            good[f"n{number}"] = number
            text = f"word{number} " * 150
            rows.append(json.dumps({"id": f"n{number}", "text": text}).encode())
    path = write("news.jsonl", b"\n".join(rows))
    done = samestory("find", path, "--largest", LARGEST, "--rejects", "rejects.jsonl", "--threads", 4)
    assert done.code == 0
    assert done.members == sorted(good)
    refused = rejects(tmp_path / "rejects.jsonl")
    assert {row["line"] for row in refused} == bad
    assert len(refused) == len(bad)
    assert f"{len(bad):,} rejected" in done.err
    assert len(messages(done)) < 30, "a flood of messages is counted, not printed"
    counted = sum(int(count) for count in re.findall(r"(\d+) × ", done.err))
    assert len([line for line in messages(done) if f"{path}:" in line]) + counted == len(bad)


@pytest.mark.parametrize("bad", ["{", '{"text": "cut', "[1", '{"text": 1 2}'])
def test_a_broken_line_has_one_number_and_that_is_its_own(bad: str, samestory: Runner, write: Writer) -> None:
    """A parser that is given one line says "line 1" about every line."""
    for command in ("find", "group"):
        done = samestory(command, write("news.jsonl", [GOOD, bad]))
        (message,) = [line for line in messages(done) if "news.jsonl:2: " in line]
        assert "line 1" not in message
        assert "at column" in message


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("ending", ["jsonl", "csv", "parquet"])
def test_a_flood_of_bad_lines_is_counted_and_its_first_lines_are_kept(
    threads: int, ending: str, samestory: Runner, tmp_path: Path
) -> None:
    """A million bad lines used to be kept in memory with their messages, larger than the good ones."""
    rows, paths = 4000, [tmp_path / f"{name}.{ending}" for name in ("one", "two")]
    for path in paths:
        # one third each: missing text, invalid date, repeated id
        news = [
            {"id": f"{path.name} {n}" if n % 3 else "same", "text": "" if n % 3 == 1 else f"words {n} " * 20}
            | {"date": "once" if n % 3 == 2 else "2026-01-01"}
            for n in range(rows)
        ]
        if ending == "parquet":
            pq.write_table(pa.Table.from_pylist(news), path, row_group_size=500)
        elif ending == "csv":
            path.write_text("id,text,date\n" + "".join(f"{','.join(row.values())}\n" for row in news))
        else:
            path.write_text("".join(json.dumps(row) + "\n" for row in news))
    run = Run(Exact(), threads=threads, details=7)
    every = Run(Exact(), threads=threads)
    for path in paths:
        run.read(str(path))
        every.read(str(path))
    of_a_kind: dict[str, list[Problem]] = {}
    for problem in every.problems():
        of_a_kind.setdefault(problem.fault, []).append(problem)
    assert len(of_a_kind) == 3
    assert run.faults() == every.faults() == {fault: len(all) for fault, all in of_a_kind.items()}
    assert sorted(map(str, run.problems())) == sorted(str(p) for all in of_a_kind.values() for p in all[:7])
    words = ["find", *paths, "-d", "exact", "--threads", threads]
    few, all_of_them = samestory(*words), samestory(*words, "--rejects", "rejects.jsonl")
    assert messages(few) == messages(all_of_them)
    assert counts(few) == counts(all_of_them)
    assert len(rejects(tmp_path / "rejects.jsonl")) == sum(run.faults().values())


def test_a_duplicate_id_is_found_across_files(samestory: Runner, write: Writer) -> None:
    one, two = write("one.jsonl", [GOOD]), write("two.jsonl", [ALSO, {**GOOD, "text": "Elsewhere."}])
    done = samestory("find", one, two)
    assert f"{two}:2: duplicate id" in done.err
    assert done.members == ["also", "good"]


def test_ids_as_numbers_and_as_texts_are_the_same_ids(samestory: Runner, write: Writer) -> None:
    path = write("news.jsonl", [{"id": 7, "text": "one"}, {"id": "7", "text": "two"}])
    done = samestory("find", path)
    assert f"{path}:2: duplicate id" in done.err
    assert done.members == ["7"]


@pytest.mark.parametrize("name", ["missing.jsonl", "folder", "old.docx"])
def test_a_file_that_cannot_be_read_is_reported_and_the_others_are_read(
    name: str, samestory: Runner, write: Writer, tmp_path: Path
) -> None:
    (tmp_path / "folder").mkdir()
    write("old.docx", b"PK\x03\x04")
    good = write("news.jsonl", [GOOD])
    bad = tmp_path / name
    done = samestory("find", bad, good, "--rejects", "rejects.jsonl")
    assert (done.code, done.members) == (1, ["good"])
    message, lost = messages(done)
    assert message.startswith(f"samestory: {bad}: unreadable: ")
    assert lost == "samestory: not all input was read: 1 × unreadable"
    assert [row["file"] for row in rejects(tmp_path / "rejects.jsonl")] == [str(bad)]
    assert samestory("find", bad, good, "--strict").code == 1
    assert samestory("find", bad).code == 1


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission_is_reported(samestory: Runner, write: Writer) -> None:
    closed, good = write("closed.jsonl", [ALSO]), write("news.jsonl", [GOOD])
    closed.chmod(0)
    done = samestory("find", closed, good)
    assert done.members == ["good"]
    assert f"{closed}: unreadable: may not be read" in done.err


def test_parquet_that_is_not_parquet_is_reported_and_reading_continues(samestory: Runner, write: Writer) -> None:
    bad, good = write("bad.parquet", b"no parquet"), write("news.jsonl", [GOOD])
    done = samestory("find", bad, good)
    assert (done.code, done.members) == (1, ["good"])
    assert f"samestory: {bad}: unreadable: " in done.err


def counts(done: Done) -> tuple[int, int, int]:
    """Returns records, articles and rejected records from the summary."""
    (found,) = re.findall(r"([\d,]+) records?, ([\d,]+) articles?.*; ([\d,]+) rejected", done.err)
    records, articles, refused = (int(number.replace(",", "")) for number in found)
    return records, articles, refused


@pytest.mark.parametrize("packing", ["gz", "zst"])
@pytest.mark.parametrize("kind", ["jsonl", "csv"])
@pytest.mark.parametrize("named", [True, False])
def test_of_a_file_that_breaks_off_what_came_before_is_kept(
    packing: str, kind: str, named: bool, samestory: Runner, write: Writer
) -> None:
    """The lines before the damage are read; the message names the line at which reading stopped."""
    texts = [os.urandom(400).hex() for _ in range(5000)]
    if kind == "csv":
        whole = ("id,text\n" + "".join(f"n{n},{text}\n" for n, text in enumerate(texts))).encode()
    else:
        whole = "".join(json.dumps({"id": f"n{n}", "text": text}) + "\n" for n, text in enumerate(texts)).encode()
    packed = gzip.compress(whole) if packing == "gz" else zstandard.compress(whole)
    half = packed[: len(packed) // 2]
    opener = zlib.decompressobj(31) if packing == "gz" else zstandard.ZstdDecompressor().decompressobj()
    head = int(kind == "csv")
    readable = opener.decompress(half).count(b"\n") - head
    path = write(f"cut.{kind}.{packing}", half)
    words = ["--encoding", "utf-8"] if named else []
    done = samestory("find", path, *words)
    assert done.code == 1
    kept = len(done.members)
    # decoders may withhold a little at the end, but not a block of lines
    assert readable - 50 <= kept <= readable
    assert f"{path}:{kept + head + 1}: unreadable: reading stopped: " in done.err
    assert f"{kept:,} records, {kept:,} articles in" in done.err
    with pytest.raises(InputError, match=rf"cut.{kind}.{packing}: reading stopped in line {kept + head + 1}: "):
        list(read(Source(str(path), encoding="utf-8" if named else None)))
    done = samestory("group", write("r.jsonl", [RELATION]), "--articles", path, *words)
    assert f"{path}: unreadable: reading stopped in line {kept + head + 1}: " in done.err


@pytest.mark.parametrize("name", ["cut.jsonl.gz", "cut.csv.gz", "cut.txt.gz", "none.jsonl", "bad.parquet"])
def test_a_file_without_a_readable_line_is_reported_and_is_no_record(
    name: str, samestory: Runner, write: Writer
) -> None:
    if name.startswith("cut"):
        write(name, gzip.compress(b'{"text": "words"}\n' * 3)[:12])
    elif name.startswith("bad"):
        write(name, b"no parquet")
    done = samestory("find", name, write("news.jsonl", [GOOD, ALSO]))
    assert done.code == 1
    assert "2 records, 2 articles in" in done.err
    place = {"cut.jsonl.gz": "cut.jsonl.gz:1"}.get(name, name)
    assert f"samestory: {place}: unreadable: " in done.err
    done = samestory("find", name)
    assert done.code == 1
    assert "0 records, 0 articles in" in done.err


def test_a_50_mb_article_is_rejected_and_its_neighbours_are_not(samestory: Runner, tmp_path: Path) -> None:
    path = tmp_path / "news.jsonl"
    with path.open("w") as out:
        out.write(json.dumps(GOOD) + "\n")
        out.write('{"id": "huge", "text": "' + "many words " * (50 * 2**20 // 11) + '"}\n')
        out.write(json.dumps(ALSO) + "\n{broken\n")
    done = samestory("find", path)
    assert (done.code, done.members) == (0, ["also", "good"])
    assert f"samestory: {path}:2: too large: " in done.err
    assert f"samestory: {path}:4: broken line: " in done.err


def test_a_line_too_long_to_be_held_keeps_the_line_numbers_right(samestory: Runner, tmp_path: Path) -> None:
    path = tmp_path / "news.jsonl"
    with path.open("w") as out:
        out.write(json.dumps(GOOD) + "\n")
        out.write('{"id": "huge", "text": "' + "x" * 12_000_000 + '"}\n')
        out.write(json.dumps(ALSO) + "\n{broken\n")
    done = samestory("find", path, "--largest", 1000)
    assert done.members == ["also", "good"]
    assert f"{path}:2: too large" in done.err
    assert f"{path}:4: broken line" in done.err


def test_largest_can_be_raised(samestory: Runner, write: Writer) -> None:
    path = write("news.jsonl", [{"id": "big", "text": "word " * 3_000_000}])
    assert samestory("find", path).code == 1
    assert samestory("find", path, "--largest", 20_000_000).members == ["big"]


@pytest.mark.parametrize("content", [b"", b"\n\n", b'{"id": "x"}\n'])
def test_input_without_a_single_article_fails_and_says_so(content: bytes, samestory: Runner, write: Writer) -> None:
    done = samestory("find", write("news.jsonl", content))
    assert (done.code, done.out) == (1, "")
    assert "no articles" in done.err
    count = int(b"id" in content)
    assert f"{count} record{'' if count == 1 else 's'}, 0 articles" in done.err
    assert ("1 rejected" in done.err) is bool(count)


@pytest.mark.parametrize("command", ["find", "relate"])
@pytest.mark.parametrize("content", [b"", b'{"id": "x"}\n'])
def test_new_articles_must_be_there_however_many_old_ones_are(
    command: str, content: bytes, samestory: Runner, write: Writer, tmp_path: Path
) -> None:
    """An empty result with exit 0 would look like a day without duplicates."""
    new, old = write("new.jsonl", content), write("old.jsonl", [GOOD, ALSO])
    done = samestory(command, new, "--against", old, "-o", "out.jsonl", "--rejects", "rejects.jsonl")
    assert (done.code, done.out) == (1, "")
    assert "samestory: no new articles" in done.err
    assert "0 articles against 2 old ones" in done.err
    assert not (tmp_path / "out.jsonl").exists()
    assert len(rejects(tmp_path / "rejects.jsonl")) == int(b"id" in content)
    assert samestory(command, old, "--against", new).code == 0


@pytest.mark.parametrize("ending", ["jsonl", "csv", "parquet"])
def test_a_field_that_no_record_has_is_reported_once(
    ending: str, samestory: Runner, write: Writer, tmp_path: Path
) -> None:
    rows = [{"id": "a", "text": "one two", "Zeit": "2026-01-01"}, {"id": "b", "text": "three", "Zeit": "2026-01-02"}]
    path = tmp_path / f"n.{ending}"
    if ending == "jsonl":
        path = write("n.jsonl", rows)
    elif ending == "csv":
        path = write("n.csv", "id,text,Zeit\na,one two,2026-01-01\nb,three,2026-01-02\n")
    else:
        pq.write_table(pa.Table.from_pylist(rows), path)
    done = samestory("find", path, "--field", "source=Zeitung", "--field", "published=Zeit")
    assert done.code == 1
    assert messages(done) == [
        "samestory: --field source=Zeitung: no record has this field",
        "samestory: not all input was read: 1 × missing field",
    ]
    assert f"hint: the fields of {path} are id, text, Zeit" in done.err


def test_a_key_of_mongodb_is_an_id(samestory: Runner, write: Writer) -> None:
    path = write("n.jsonl", [{"_id": {"$oid": "5f01"}, "text": "one"}, {"_id": {"$oid": "5f02"}, "text": "two"}])
    assert samestory("find", path).members == ["5f01", "5f02"]


def test_an_unknown_id_is_reported(samestory: Runner, write: Writer) -> None:
    done = samestory("explain", "good", "absent", write("news.jsonl", [GOOD]))
    assert (done.code, done.out) == (1, "")
    assert "no article has the id 'absent'" in done.err
