"""Encodings other than UTF-8, specified or rejected."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from samestory import Article, ParameterError, Source, read
from tests.conftest import Runner, Writer


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


@pytest.mark.parametrize("mark", [b"\xff\xfe", b"\xfe\xff"])
@pytest.mark.parametrize("ending", ["jsonl", "csv", "tsv", "jsonl.gz", "txt", "-"])
@pytest.mark.parametrize("named", [False, True])
def test_utf_16_is_known_by_its_mark(ending: str, mark: bytes, named: bool, tmp_path: Path, samestory: Runner) -> None:
    """The Unicode text of spreadsheets (UTF-16) used to be read as broken lines."""
    text = "İstanbul’da yağış sürüyor 😀"
    kind = ending.partition(".")[0]
    whole = {"csv": f"id,text\r\na,{text}\r\n", "tsv": f"id\ttext\r\na\t{text}\r\n", "txt": text}.get(
        kind, json.dumps({"id": "a", "text": text}, ensure_ascii=False) + "\n"
    )
    data = mark + whole.encode("utf-16-le" if mark == b"\xff\xfe" else "utf-16-be")
    words = ["--encoding", "utf-16"] if named else []
    if ending == "-":
        assert samestory("find", "-", *words, stdin=data).members == ["a"]
        return
    path = tmp_path / f"n.{ending}"
    path.write_bytes(gzip.compress(data) if ending.endswith("gz") else data)
    (article,) = read(Source(str(path), encoding="utf-16" if named else None))
    assert isinstance(article, Article)
    assert article.text == text
    done = samestory("find", path, *words)
    assert (done.members, "refused" in done.err) == ([article.id], False)


@pytest.mark.parametrize("data", [b"\xff", b"\xff\xfe", b"\xfe\xff\x00"])
def test_a_mark_and_nothing_behind_it_is_no_article(data: bytes, tmp_path: Path, samestory: Runner) -> None:
    for ending in ("jsonl", "csv", "txt"):
        path = tmp_path / f"n.{ending}"
        path.write_bytes(data)
        done = samestory("find", path)
        assert (done.code, "no articles" in done.err) == (1, True)


def test_an_encoding_that_does_not_exist_is_an_error_of_ours(write: Writer) -> None:
    with pytest.raises(ParameterError, match="nonsense"):
        list(read(Source(str(write("n.jsonl", [{"text": "words"}])), encoding="nonsense")))


def test_a_csv_in_a_wrong_encoding_is_rejected_row_by_row(write: Writer, samestory: Runner) -> None:
    path = write("n.csv", "id,text\n1,yağış\n2,plain\n".encode("windows-1254"))
    done = samestory("find", path)
    assert done.members == ["2"]
    assert f"{path}:2: wrong encoding" in done.err
    assert samestory("find", path, "--encoding", "windows-1254").members == ["1", "2"]
