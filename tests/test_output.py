"""Output files appear complete and together at the end; until then their targets are unchanged."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from samestory.model import Relation
from samestory.output import Outputs, write_file
from tests.conftest import Runner, Writer


def test_nothing_is_in_its_place_before_all_is_done(tmp_path: Path) -> None:
    """Fails if a file is written directly to its target."""
    old, new = tmp_path / "old.jsonl", tmp_path / "new.jsonl"
    old.write_bytes(b"before")
    with Outputs() as out:
        out.add(str(old), b"after")
        out.add(str(new), b"after")
        assert old.read_bytes() == b"before"
        assert not new.exists()
        out.commit()
        assert (old.read_bytes(), new.read_bytes()) == (b"after", b"after")
    assert sorted(tmp_path.iterdir()) == [new, old]


def test_what_is_not_committed_never_was(tmp_path: Path) -> None:
    old = tmp_path / "old.jsonl"
    old.write_bytes(b"before")
    with pytest.raises(KeyboardInterrupt), Outputs() as out:
        out.add(str(old), b"after")
        out.add(str(tmp_path / "new.jsonl"), b"after")
        raise KeyboardInterrupt
    assert [(path, path.read_bytes()) for path in tmp_path.iterdir()] == [(old, b"before")]


def test_a_file_is_replaced_and_not_written_over(tmp_path: Path) -> None:
    """An open old file can be read to its end; an interrupted write leaves the old or the new file."""
    old, kept = tmp_path / "old.jsonl", tmp_path / "kept.jsonl"
    old.write_bytes(b"before")
    kept.hardlink_to(old)
    with old.open("rb") as reading:
        write_file(old, b"after")
        assert reading.read() == b"before"
    assert (old.read_bytes(), kept.read_bytes()) == (b"after", b"before")


def test_a_file_that_cannot_be_written_whole_leaves_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = tmp_path / "old.jsonl"
    old.write_bytes(b"before")
    real = Path.write_bytes

    def full(path: Path, data: bytes) -> int:
        real(path, data[:2])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OSError, match="No space"):
        write_file(old, b"after")
    assert [(path, path.read_bytes()) for path in tmp_path.iterdir()] == [(old, b"before")]


@pytest.mark.parametrize("spec", ["reuse", "minhash(threshold=0.1)", "dsc(threshold=0.01)"])
def test_relations_are_written_as_the_core_writes_them(spec: str, samestory: Runner, write: Writer) -> None:
    ids = ['"quoted"', "back\\slash", "İstanbul 🌋", "a\u2028b", "é"]
    texts = [f"A fire broke out in the old mill of Oldmere on Monday, and {n} firemen saved it." for n in range(5)]
    articles = [{"id": id, "text": text, "published": "2026-03-01"} for id, text in zip(ids, texts, strict=True)]
    done = samestory("relate", write("news.jsonl", articles), "-d", spec)
    lines = [f"{line}\n" for line in done.out.split("\n") if line]
    relations = [Relation.from_dict(json.loads(line)) for line in lines]
    assert relations and [relation.to_line().decode() for relation in relations] == lines
