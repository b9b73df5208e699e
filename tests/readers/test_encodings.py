"""Other encodings than UTF-8, named or refused."""

from __future__ import annotations

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


def test_an_encoding_that_does_not_exist_is_an_error_of_ours(write: Writer) -> None:
    with pytest.raises(ParameterError, match="nonsense"):
        list(read(Source(str(write("n.jsonl", [{"text": "words"}])), encoding="nonsense")))


def test_a_csv_in_a_wrong_encoding_is_refused_row_by_row(write: Writer, samestory: Runner) -> None:
    path = write("n.csv", "id,text\n1,yağış\n2,plain\n".encode("windows-1254"))
    done = samestory("find", path)
    assert done.members == ["2"]
    assert f"{path}:2: wrong encoding" in done.err
    assert samestory("find", path, "--encoding", "windows-1254").members == ["1", "2"]
