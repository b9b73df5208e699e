"""Every format gives the same articles: JSON Lines plain and packed, CSV, TSV, Parquet, folders, standard input."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard

from samestory import Article, InputError, ParameterError, Problem, Source, read
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


def test_a_folder_gives_an_article_for_every_text_file(write: Writer, tmp_path: Path, samestory: Runner) -> None:
    write("news/one.txt", "The ferry runs again.")
    write("news/deep/er/two.TXT", b"\xef\xbb\xbfThe bridge is closed.")
    write("news/notes.md", "not an article")
    write("news/.hidden", "nobody's news")
    taken = list(read(str(tmp_path / "news")))
    articles = [item for item in taken if isinstance(item, Article)]
    assert [str(item) for item in taken if not isinstance(item, Article)] == [
        f"{tmp_path}/news/notes.md: unreadable: not a text file (*.txt)"
    ]
    assert articles == [
        Article(f"{tmp_path}/news/deep/er/two.TXT", "The bridge is closed."),
        Article(f"{tmp_path}/news/one.txt", "The ferry runs again."),
    ]
    assert samestory("find", "news").members == ["news/deep/er/two.TXT", "news/one.txt"]
    done = samestory("find", "news/")
    assert done.members == ["news/deep/er/two.TXT", "news/one.txt"]
    assert "1 refused" in done.err


def test_files_of_one_name_in_two_folders_are_two_articles(write: Writer, samestory: Runner) -> None:
    bridge = "The old bridge over the river is closed for repairs until the end of May, the town said."
    write("day1/1.txt", bridge)
    write("day2/1.txt", "Shares fell on Monday after the central bank raised its key rate once more.")
    write("day2/2.txt", bridge)
    done = samestory("find", "day1", "day2")
    assert (done.code, sorted(done.members)) == (0, ["day1/1.txt", "day2/1.txt", "day2/2.txt"])
    done = samestory("relate", "day2", "--against", "day1")
    (relation,) = map(json.loads, done.out.splitlines())
    assert (relation["left"], relation["right"], relation["kind"]) == ("day2/2.txt", "day1/1.txt", "IDENTICAL")
    assert sorted(samestory("find", "day1/1.txt", "day2/1.txt").members) == ["day1/1.txt", "day2/1.txt"]


def test_a_text_file_is_an_article(write: Writer) -> None:
    path = write("one.txt", "The ferry\nruns again.")
    assert list(read(path)) == [Article(str(path), "The ferry\nruns again.")]


def test_any_file_can_be_read_as_text_when_asked(write: Writer, samestory: Runner) -> None:
    path = write("note.md", "The ferry\nruns again.")
    done = samestory("find", path, "--format", "text")
    assert (done.code, done.members) == (0, [str(path)])


def test_a_format_can_be_named_when_the_name_says_nothing(write: Writer, samestory: Runner) -> None:
    path = write("export.dat", table(","))
    assert samestory("find", path, "--format", "csv").members == ["1", "2", "3"]
    assert list(read(Source(str(path), format="csv"))) == EXPECTED
    assert "--format" in samestory("find", path).err


# --- fields ---


@pytest.mark.parametrize(
    ("role", "name"),
    [
        ("id", "guid"), ("id", "_id"), ("id", "ID"),
        ("title", "headline"), ("title", "Title"),
        ("text", "body"), ("text", "content"), ("text", "articleBody"),
        ("published", "date"), ("published", "pubDate"), ("published", "datePublished"), ("published", "published_at"),
        ("url", "link"),
        ("source", "publisher"), ("source", "site"),
        ("lang", "language"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("ending", ["jsonl", "csv", "parquet"])
def test_usual_names_of_fields_are_known(role: str, name: str, ending: str, tmp_path: Path) -> None:
    row = {"id": "a", "text": "The ferry runs.", name: "2026-03-04"}
    if role in ("id", "text"):
        del row[role]
    path = tmp_path / f"news.{ending}"
    if ending == "jsonl":
        path.write_text(json.dumps(row))
    elif ending == "csv":
        path.write_text(",".join(row) + "\n" + ",".join(row.values()) + "\n")
    else:
        pq.write_table(pa.table({key: [value] for key, value in row.items()}), path)
    (article,) = read(str(path))
    assert isinstance(article, Article)
    assert getattr(article, role) == "2026-03-04"


@pytest.mark.parametrize("ending", ["jsonl", "csv", "parquet"])
def test_other_names_are_mapped_and_then_count_alone(ending: str, tmp_path: Path, samestory: Runner) -> None:
    row = {"id": "other", "Kennung": "k1", "text": "teaser only", "Meldung": "The whole report."}
    path = tmp_path / f"news.{ending}"
    if ending == "jsonl":
        path.write_text(json.dumps(row))
    elif ending == "csv":
        path.write_text(",".join(row) + "\n" + ",".join(row.values()) + "\n")
    else:
        pq.write_table(pa.table({key: [value] for key, value in row.items()}), path)
    assert list(read(Source(str(path), {"text": "Meldung", "id": "Kennung"}))) == [Article("k1", "The whole report.")]
    assert samestory("find", path, "--field", "text=Meldung", "--field", "id=Kennung").members == ["k1"]


def test_where_a_record_has_two_names_for_one_role_the_better_counts(write: Writer) -> None:
    rows = [
        {"content": "later", "text": "first"},
        {"text": "first", "content": "later"},
        {"content": "later", "text": None},
    ]
    assert [item.text for item in read(str(write("n.jsonl", rows))) if isinstance(item, Article)] == (
        ["first", "first", "later"]
    )


def test_a_role_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ParameterError, match="colour"):
        Source("news.jsonl", {"colour": "red"})


def test_values_that_are_lists_objects_and_numbers_are_taken_as_texts(write: Writer) -> None:
    row = {
        "id": 7,
        "headline": ["First", "Second"],
        "body": ["One paragraph.", "Another."],
        "publisher": {"type": "Organization", "name": "Post"},
        "date": 1709510400,
        "tags": [{"deep": [1, None, {}]}],
    }
    assert list(read(str(write("n.jsonl", [row])))) == [
        Article("7", "One paragraph.\n\nAnother.", "First", "1709510400", None, "Post")
    ]


@pytest.mark.parametrize("value", ["[1, 2]", "[{}]", '[["deep"]]'])
def test_a_text_that_is_no_text_is_refused_and_not_guessed(value: str, write: Writer) -> None:
    items = list(read(str(write("n.jsonl", [f'{{"id": "a", "text": {value}}}', '{"id": "b", "text": "fine"}']))))
    assert isinstance(items[0], Problem) and items[0].line == 1
    assert items[1] == Article("b", "fine")


def test_an_article_without_id_is_named_by_its_address_or_its_place(write: Writer, samestory: Runner) -> None:
    path = write(
        "n.jsonl",
        [{"text": "one"}, {"url": "http://x/2", "text": "two"}, {"id": "", "url": "http://x/3", "text": "three"}],
    )
    expected = [f"{path}:1", "http://x/2", "http://x/3"]
    assert [item.id for item in read(str(path)) if isinstance(item, Article)] == expected
    assert samestory("find", path).members == sorted(expected)


def test_csv_lines_are_counted_as_an_editor_counts_them(write: Writer, samestory: Runner) -> None:
    path = write("n.csv", 'id,text\n1,"two\nlines"\n2,\n3,fine\n')
    done = samestory("find", path)
    assert done.members == ["1", "3"]
    assert f"{path}:4: no text" in done.err or f"{path}:4: empty text" in done.err


@pytest.mark.parametrize("row", ["2", "2,cut, here"])
def test_a_csv_row_with_fewer_or_more_cells_is_refused(row: str, write: Writer, samestory: Runner) -> None:
    """More cells mean an unquoted comma: half of the text would be lost without a word."""
    path = write("n.csv", f"id,text\n1,whole\n{row}\n3,fine\n")
    done = samestory("find", path)
    assert done.members == ["1", "3"]
    assert f"{path}:3: broken line" in done.err


@pytest.mark.parametrize("ending", ["csv", "csv.gz"])
@pytest.mark.parametrize("bad", ['2,"never closed', '2,"she said "no" and left"'])
def test_a_quote_that_does_not_close_costs_its_own_line_only(
    bad: str, ending: str, tmp_path: Path, samestory: Runner
) -> None:
    """One such quote used to swallow the rest of the file as one cell, without a word."""
    rows = [f'{n},"story {n}"' if n % 2 else f"{n},story {n}" for n in range(3, 2000)]
    text = "\n".join(["id,text", '1,"two\nlines"', bad, *rows, ""]).encode()
    path = tmp_path / f"n.{ending}"
    path.write_bytes(gzip.compress(text) if ending.endswith("gz") else text)
    done = samestory("find", path, "--min-size", 1)
    assert done.members == sorted(map(str, [1, *range(3, 2000)]))
    assert f"samestory: {path}:4: broken line: a quote is opened in this line" in done.err
    assert "1,999 records, 1,998 articles" in done.err
    assert "1 refused" in done.err
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
    """Rows come some thousands at a time; each must keep its own number in the file."""
    path = tmp_path / "n.parquet"
    texts = [f"story{n}" for n in range(9000)]
    texts[5000] = ""
    pq.write_table(pa.table({"text": texts}), path, row_group_size=1000)
    done = samestory("find", path)
    assert f"{path}:5001: empty text" in done.err
    assert "1 refused" in done.err
    assert done.members == sorted(f"{path}:{n}" for n in range(1, 9001) if n != 5001)


# --- names of files ---


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
    """Disks from before UTF-8 have such names; they are shown with their bytes."""
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


def test_a_long_id_that_comes_twice_is_told_shortly(write: Writer, samestory: Runner) -> None:
    path = write("n.jsonl", (json.dumps({"id": "x" * 100_000, "text": "words"}) + "\n") * 2)
    done = samestory("find", path)
    assert 'xxx…" was read before' in done.err
    assert len(done.err) < 1000
    assert [len(str(item)) < 1000 for item in read(path) if isinstance(item, Problem)] == [True]


def test_problems_of_a_folder_name_the_very_file(tmp_path: Path, samestory: Runner) -> None:
    folder = tmp_path / "folder"
    (folder / "deep").mkdir(parents=True)
    (folder / "a.txt").write_text("words")
    (folder / "deep" / "b.TXT").write_text("")
    (folder / "c.txt").write_bytes(b"\xff")
    (folder / os.fsdecode(b"\xe9.txt")).write_text("more")
    other = tmp_path / "other"
    other.mkdir()
    (other / "a.txt").write_text("again")
    done = samestory("find", folder, other, "--rejects", "rejects.jsonl")
    assert sorted(done.members) == [f"{folder}/\\xe9.txt", f"{folder}/a.txt", f"{other}/a.txt"]
    assert f"samestory: {folder}/c.txt: wrong encoding: not UTF-8" in done.err
    assert f"samestory: {folder}/deep/b.TXT: empty text: the text is empty" in done.err
    rows = [json.loads(line) for line in (tmp_path / "rejects.jsonl").read_text().splitlines()]
    assert [row["line"] for row in rows] == [0, 0]
    problems = [str(item) for item in read(folder) if isinstance(item, Problem)]
    assert [problem.split(": ")[:2] for problem in problems] == [
        [f"{folder}/c.txt", "wrong encoding"],
        [f"{folder}/deep/b.TXT", "empty text"],
    ]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_folder_below_that_is_closed_is_told_and_the_others_are_read(tmp_path: Path, samestory: Runner) -> None:
    folder = tmp_path / "folder"
    for below in ("closed", "open"):
        (folder / below).mkdir(parents=True)
        (folder / below / "a.txt").write_text(f"words in {below}")
    (folder / "closed").chmod(0)
    try:
        done = samestory("find", folder)
    finally:
        (folder / "closed").chmod(0o700)
    assert done.members == [f"{folder}/open/a.txt"]
    assert f"samestory: {folder}/closed: unreadable: may not be read" in done.err
    assert "1 refused" in done.err


def test_a_text_comes_from_standard_input_when_asked(samestory: Runner) -> None:
    done = samestory("find", "-", "--format", "text", stdin="Yağış sürüyor.".encode())
    assert (done.code, done.members) == (0, ["-"])
    done = samestory("find", "-", "--format", "text", stdin="Yağış".encode("windows-1254"))
    assert done.code == 1
    assert "samestory: -: wrong encoding" in done.err
    done = samestory(
        "find", "-", "--format", "text", "--encoding", "windows-1254", stdin="Yağış".encode("windows-1254")
    )
    assert done.code == 0


# --- encodings, sizes ---


@pytest.mark.parametrize("encoding", ["windows-1254", "iso-8859-9", "utf-16", "windows-1251"])
def test_other_encodings_are_read_when_named(encoding: str, tmp_path: Path, samestory: Runner) -> None:
    text = "Старый мост закрыт" if encoding == "windows-1251" else "İstanbul'da yağış sürüyor"
    path = tmp_path / "n.jsonl"
    path.write_bytes((json.dumps({"id": "a", "text": text}, ensure_ascii=False) + "\n").encode(encoding))
    assert list(read(Source(str(path), encoding=encoding))) == [Article("a", text)]
    assert samestory("find", path, "--encoding", encoding).members == ["a"]
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "a.txt").write_bytes(text.encode(encoding))
    assert list(read(Source(str(folder), encoding=encoding))) == [Article(f"{folder}/a.txt", text)]


def test_an_encoding_that_does_not_exist_is_an_error_of_ours(write: Writer) -> None:
    with pytest.raises(ParameterError, match="nonsense"):
        list(read(Source(str(write("n.jsonl", jsonl())), encoding="nonsense")))


def test_a_csv_in_a_wrong_encoding_is_refused_row_by_row(write: Writer, samestory: Runner) -> None:
    path = write("n.csv", "id,text\n1,yağış\n2,plain\n".encode("windows-1254"))
    done = samestory("find", path)
    assert done.members == ["2"]
    assert f"{path}:2: wrong encoding" in done.err
    assert samestory("find", path, "--encoding", "windows-1254").members == ["1", "2"]


@pytest.mark.parametrize("size", [2**20 - 40, 2**20, 2**20 + 1, 5 * 2**20])
def test_lines_longer_than_a_block_are_read_whole(size: int, tmp_path: Path) -> None:
    """The reader cuts files at line ends near every MiB."""
    path = tmp_path / "n.jsonl"
    long = {"id": "long", "text": "x" * size}
    rows = [{"id": "a", "text": "before"}, long, {"id": "b", "text": "after"}]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert [(item.id, len(item.text)) for item in read(str(path)) if isinstance(item, Article)] == (
        [("a", 6), ("long", size), ("b", 5)]
    )


def test_problems_come_in_their_places_with_file_and_line(write: Writer) -> None:
    path = write("n.jsonl", [{"id": "a", "text": "one"}, "{", {"id": "a", "text": "two"}, {"id": "b", "text": "three"}])
    items = list(read(str(path)))
    assert [type(item) for item in items] == [Article, Problem, Problem, Article]
    assert str(items[1]).startswith(f"{path}:2: broken line: ")
    assert str(items[2]).startswith(f"{path}:3: duplicate id: ")


@pytest.mark.parametrize("name", ["missing.jsonl", "missing.parquet", "empty"])
def test_a_file_that_cannot_be_opened_is_an_input_error(name: str, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=name):
        list(read(str(tmp_path / name)))


def test_a_file_that_breaks_off_is_an_error_of_ours(write: Writer) -> None:
    path = write("n.jsonl.gz", gzip.compress(jsonl())[:-20])
    try:
        items = list(read(str(path)))
    except InputError as error:
        assert path.name in str(error)
    else:
        assert any(isinstance(item, Problem) for item in items)


# --- dates ---


@pytest.mark.parametrize(
    "date",
    ["2024-01-01T00:00:00Z", "2024-01-01T03:00:00+03:00", "2024-01-01 00:00:00", "2024-01-01", "2024-01-01T00:00",
     "Mon, 01 Jan 2024 00:00:00 GMT", "Mon, 1 Jan 2024 02:00:00 +0200", "1704067200", "1704067200000", " 2024-01-01 "],
)  # fmt: skip
def test_dates_of_every_usual_form_are_one(date: str) -> None:
    from samestory import prepare

    assert prepare([Article("a", "x", published=date)]).published == [datetime(2024, 1, 1, tzinfo=UTC)]


def test_a_damaged_part_of_parquet_costs_its_own_rows_and_each_is_counted(tmp_path: Path, samestory: Runner) -> None:
    """The rest of the file was once one reject, however many rows it held."""
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
    assert done.code == 0
    kept = len(done.members)
    assert 2000 <= kept < rows
    assert f"{rows:,} records, {kept:,} articles" in done.err
    assert f"{rows - kept:,} refused" in done.err
    assert "unreadable: reading stopped after" in done.err
