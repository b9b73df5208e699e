"""Harmful records, names and links: rejected with their place, and nothing reaches the terminal unescaped."""

from __future__ import annotations

import csv
import gzip
import io
import json
import math
import os
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import samestory as package
from samestory import Article, InputError
from samestory.cli import main
from samestory.output import printable
from tests.conftest import Runner, Writer

TEXT = "The ferry to the island runs again every day of the week."
BAD_IDS = ["a\0b", "\x1b[2J", "two\nlines", "a\tb", "bell\x07", "next\x85line", "\x9b31m", "del\x7f"]


def table(rows: list[dict[str, str]]) -> bytes:
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue().encode()


@pytest.mark.parametrize("ending", ["jsonl", "csv", "parquet"])
@pytest.mark.parametrize("by_day", [False, True])
def test_ids_with_control_characters_are_rejected_with_their_line(
    ending: str, by_day: bool, samestory: Runner, tmp_path: Path
) -> None:
    rows = [{"id": "good", "text": TEXT}, *({"id": id, "text": f"{TEXT} {n}"} for n, id in enumerate(BAD_IDS))]
    path = tmp_path / f"n.{ending}"
    if ending == "parquet":
        pq.write_table(pa.Table.from_pylist(rows), path)
    else:
        path.write_bytes(table(rows) if ending == "csv" else "".join(json.dumps(row) + "\n" for row in rows).encode())
    done = samestory("find", path, "--rejects", "rejects.jsonl", *(["--by-day"] if by_day else []))
    assert (done.code, done.members) == (0, ["good"])
    rejects = [json.loads(line) for line in (tmp_path / "rejects.jsonl").read_text().splitlines()]
    assert [row["fault"] for row in rejects] == ["bad id"] * len(BAD_IDS)
    lines = [row["line"] for row in rejects]
    assert lines == sorted(set(lines)) and all(lines)
    assert printable(done.err, one_line=False) == done.err


def test_python_rejects_such_ids_with_their_place() -> None:
    for id in BAD_IDS:
        for bad in (Article(id, TEXT), {"id": id, "text": TEXT}):
            with pytest.raises(InputError, match=r"^article 2: the id .* contains control characters$"):
                package.find([{"id": "a", "text": TEXT}, bad])
    (group,) = package.find([{"url": "http://x/\x1b[2J", "text": TEXT}])
    assert group.members == ("1",)


def test_a_url_with_control_characters_is_no_id(samestory: Runner, write: Writer) -> None:
    path = write("n.jsonl", [{"url": "http://x/\x1b[2J\n", "text": TEXT}, {"url": "http://y/", "text": TEXT}])
    assert samestory("find", path).members == [f"{path}:1", "http://y/"]


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity"])
def test_numbers_that_are_not_finite_are_bad_dates_and_cost_no_article(
    number: str, samestory: Runner, write: Writer
) -> None:
    """Python and pandas write them into JSON for missing values."""
    lines = [
        f'{{"id": "a", "date": {number}, "text": "{TEXT}"}}',
        f'{{"id": "b", "date": "{number}", "text": "{TEXT}", "other": [{number}, {{"x": {number}}}]}}',
        f'{{"id": "c", "title": {number}, "text": "Of \\"{number}\\" and {number}."}}',
        f'{{"id": "d", "text": {number}}}',
        f'{{"id": "e", "text": "{TEXT}", "date": x{number}}}',
    ]
    path = write("n.jsonl", lines)
    done = samestory("find", path)
    assert (done.code, done.members) == (0, ["a", "b", "c"])
    assert f"{path}:1: unreadable date: cannot read a date from {number}" in done.err
    assert f'{path}:2: unreadable date: cannot read the date "{number}"' in done.err
    assert f"{path}:3: unreadable field: title: expected a text, got {number}" in done.err
    assert f"{path}:4: broken line: text: expected a text, got {number}" in done.err
    assert f"{path}:5: broken line" in done.err
    (text,) = [item.text for item in package.read(path) if isinstance(item, Article) and item.id == "c"]
    assert text == f'Of "{number}" and {number}.'


def test_numbers_that_are_not_finite_are_bad_dates_in_tables_and_in_python(samestory: Runner, tmp_path: Path) -> None:
    path = tmp_path / "n.parquet"
    pq.write_table(pa.table({"id": ["a", "b"], "text": [TEXT, TEXT], "date": [math.inf, -math.inf]}), path)
    done = samestory("find", path)
    assert (done.code, done.members) == (0, ["a", "b"])
    assert done.err.count("unreadable date") == 2
    for date in (math.inf, "NaN", "nan", "Infinity", "-inf"):
        with pytest.warns(UserWarning, match="cannot read the date"):
            package.find([{"text": TEXT, "date": date}])


def test_links_lead_out_of_a_folder_of_texts_only_if_they_are_named(
    samestory: Runner, write: Writer, tmp_path: Path
) -> None:
    write("secret/key.txt", "A text that lies outside the folder.")
    write("news/page.txt", TEXT)
    news = tmp_path / "news"
    (news / "inside.txt").symlink_to("page.txt")
    (news / "outside.txt").symlink_to(tmp_path / "secret" / "key.txt")
    (news / "up.txt").symlink_to("../secret/key.txt")
    (news / "folder").symlink_to("../secret")
    (news / "back").symlink_to(".")
    done = samestory("find", "news")
    assert (done.code, done.members) == (0, ["news/inside.txt", "news/page.txt"])
    why = "outside link: leads out of the folder; to read it, specify the file itself"
    for name in ("outside", "up"):
        assert f"samestory: news/{name}.txt: {why}\n" in done.err
    assert samestory("find", "news/outside.txt").members == ["news/outside.txt"]
    (tmp_path / "link").symlink_to("news")
    assert samestory("find", "link").members == ["link/inside.txt", "link/page.txt"]
    (news / "gone.txt").symlink_to("nowhere.txt")
    lost = samestory("find", "news")
    assert (lost.code, "news/gone.txt: unreadable: no such file" in lost.err) == (1, True)


def test_file_names_do_not_steer_the_terminal_and_are_ids(samestory: Runner, tmp_path: Path) -> None:
    (tmp_path / "news").mkdir()
    (tmp_path / "news" / "a\x1b[2J\n\x9b.txt").write_text(TEXT)
    (tmp_path / "news" / "b\x1b[2J.md").write_text(TEXT)
    done = samestory("find", "news")
    assert done.members == ["news/a\\x1b[2J\\x0a\\x9b.txt"]
    missing = samestory("find", "news", "no\x1b[2J.jsonl", "--against", "no\x1b[2K.parquet", "--by-day")
    several = samestory("decide", "no\x1b[2J/such", "same", "a\x1b[2Jb", "c")
    for each in (done, missing, several):
        assert printable(each.err, one_line=False) == each.err


def test_titles_do_not_steer_the_terminal(samestory: Runner, write: Writer) -> None:
    title = "\x1b]0;x\x07 \rover \x9b31m \u202egnihton"
    path = write("n.jsonl", [{"id": id, "title": title, "text": f"{title} {TEXT}", "source": title} for id in "ab"])
    for words in (["find", path, "--table"], ["explain", "a", "b", path], ["entities", path, "--table"]):
        done = samestory(*words)
        assert done.code == 0
        assert "\\x1b]0;x\\x07" in done.out
        for text in (done.out, done.err):
            assert printable(text, one_line=False) == text


#: Arguments and files that used to end in a traceback.
ODD_SPECS = [
    "exhaustive(inner=1)",
    "exhaustive(inner=None)",
    "exhaustive(inner='no such')",
    "exhaustive(inner='exhaustive(inner=1)')",
    "tweezer(gazetteer=1)",
    "tweezer(gazetteer='/no/such')",
    "tweezer(gazetteer='\\x00')",
    "fusion(members=1)",
    "fusion(members=(1,))",
    "fusion(model=1)",
    "reuse(threshold='x')",
    "minhash(threshold=1e400)",
    f"minhash(threshold={'9' * 400})",
    f"minhash(threshold=0.{'0' * 400}1)",
    f"cedar(frequent={'9' * 5000})",
    "cosine(frequencies=1)",
    "vectors(model=1)",
    "semshort(r_model=1)",
]


@pytest.mark.parametrize("spec", ODD_SPECS, ids=lambda spec: spec[:40])
def test_odd_detectors_are_errors_with_a_message(spec: str, samestory: Runner, write: Writer) -> None:
    path = write("n.jsonl", [{"id": id, "text": TEXT, "date": "2026-01-01"} for id in "ab"])
    done = samestory("find", path, "-d", spec)
    assert done.code in (0, 1, 2)
    assert "Traceback" not in done.err, done.err
    assert done.code == 0 or done.err.startswith("samestory: ")


def test_a_share_of_400_digits_is_a_bad_relation(samestory: Runner, write: Writer) -> None:
    good = {"left": "a", "right": "b", "kind": "NEAR", "forward": 1, "backward": 1, "detector": "exact"}
    odd = [
        "9" * 400,
        "-" + "9" * 400,
        "1e400",
        "0." + "9" * 400,
        "9" * 5000,
        "NaN",
        "-0.0",
        "true",
        '"1"',
        "[]",
        "null",
    ]
    lines = [json.dumps(good)]
    for field in ("forward", "backward", "score"):
        lines += [json.dumps({**good, "left": f"x{n}", field: "?"}).replace('"?"', each) for n, each in enumerate(odd)]
    done = samestory("group", write("r.jsonl", lines))
    assert (done.code, "Traceback" in done.err) == (0, False)
    assert "r.jsonl:2: not a relation: " in done.err


@pytest.mark.parametrize("column", ["id", "title", "text", "date", "url", "source", "lang"])
@pytest.mark.parametrize("ending", ["jsonl", "csv", "tsv", "parquet", "csv.gz"])
def test_bytes_that_are_not_utf_8_in_a_column_cost_their_row(
    column: str, ending: str, samestory: Runner, tmp_path: Path
) -> None:
    good = {"id": b"a", "title": b"T", "text": TEXT.encode(), "date": b"2026-01-01", "url": b"http://x/a"}
    good |= {"source": b"Post", "lang": b"en"}
    bad = {**good, "id": b"b", "url": b"http://x/b", column: b"\xff\xfe" + good[column]}
    path = tmp_path / f"n.{ending}"
    if ending == "parquet":
        # Arrow does not check strings when they are written
        arrays = {name: pa.array([good[name], bad[name]], pa.binary()).view(pa.string()) for name in good}
        pq.write_table(pa.table(arrays), path)
    elif ending == "jsonl":
        lines = [b",".join(b'"%s":"%s"' % (name.encode(), row[name]) for name in good) for row in (good, bad)]
        path.write_bytes(b"".join(b"{%s}\n" % line for line in lines))
    else:
        mark = b"\t" if ending == "tsv" else b","
        data = b"".join(mark.join(row) + b"\n" for row in ([n.encode() for n in good], good.values(), bad.values()))
        path.write_bytes(gzip.compress(data) if ending.endswith("gz") else data)
    for more in ([], ["--by-day"]):
        done = samestory("find", path, *more)
        assert "Traceback" not in done.err, done.err
        assert (done.code, done.members) == (0, ["a"])
        assert "wrong encoding" in done.err


def test_a_table_with_bytes_that_are_not_utf_8_is_an_error_with_its_place() -> None:
    column = pa.array([b"good", b"\xff\xfe"], pa.binary()).view(pa.string())
    for name in ("id", "title", "other"):
        with pytest.raises(InputError, match=f"^article 2: {name}: bytes that are not UTF-8$"):
            package.find(pa.table({"text": [TEXT, TEXT], name: column}))


def test_arguments_that_are_not_utf_8_are_no_traceback(
    write: Writer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    odd = os.fsdecode(b"\xff")
    write("n.jsonl", [{"id": "a", "text": TEXT}])
    monkeypatch.chdir(tmp_path)
    for words in (
        ["find", odd],
        ["find", "n.jsonl", "-d", odd],
        ["find", "n.jsonl", "-d", f"minhash({odd})"],
        ["find", "n.jsonl", "--field", f"text={odd}"],
        ["find", "n.jsonl", "--encoding", odd],
        ["find", "n.jsonl", "--prefer", odd],
        ["decide", "d.jsonl", "same", odd, "b"],
        ["explain", odd, "a", "n.jsonl"],
    ):
        assert main(words) in (0, 1, 2), words
        capsys.readouterr()
