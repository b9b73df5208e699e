"""An index with segments on disk gives the answers of one in memory; a damaged segment is an error with its path."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from samestory import Article, Index, prepare
from samestory.errors import StoreError
from samestory.index.finder import Finder, Hits, check_segment, merge_segments
from samestory.index.store import Entries
from samestory.model import NO_TIME, Signatures
from tests.fuzz.segments import BLOCK, PAYLOAD
from tests.fuzz.signatures import native_specs
from tests.fuzz.values import detector
from tests.news import SENTENCES

MARK = "a detector"
HOUR = 3600 * 10**6
DAY = 24 * HOUR
DAYS = [None, "2026-03-02", "2026-03-03", "2026-03-09"]
#: Articles with other sentences in common: parts, wholes and edited copies among them.
TEXTS = [
    " ".join(SENTENCES[:4]),
    " ".join(SENTENCES[:5]),
    " ".join(SENTENCES[:4]).replace("Monday", "Friday"),
    " ".join(SENTENCES[:4]).replace("240 planks", "300 planks"),
    " ".join(SENTENCES[3:8]),
    SENTENCES[0],
    "",
]


@cache
def pool(spec: str) -> tuple[Entries, dict[tuple[int, int], int]]:
    """The signed articles of all texts and days, and their rows by text and day."""
    places = [(text, day) for text in range(len(TEXTS)) for day in range(len(DAYS))]
    articles = [Article(f"{text} {day}", TEXTS[text], lang="en", published=DAYS[day]) for text, day in places]
    return Index(detector(spec))._entries(prepare(articles)), {place: row for row, place in enumerate(places)}


def entries(spec: str, batch: Sequence[tuple[str, int, int, int, int]]) -> Entries:
    """Entries of articles, given by id, text, day, hour and source."""
    signed, rows = pool(spec)
    at = np.array([rows[text, day] for _, text, day, _, _ in batch])
    times = signed.published[at]
    hours = np.array([hour * HOUR for *_, hour, _ in batch])
    signatures = [signed.signatures[int(row)] for row in at]
    return Entries(
        [id for id, *_ in batch],
        np.where(times == NO_TIME, times, times + hours),
        np.array([source for *_, source in batch], np.uint64),
        Signatures.from_offsets(b"".join(signatures), np.cumsum([0, *map(len, signatures)]).astype(np.int64)),
    )


def rows(hits: Hits) -> list[tuple[Any, ...]]:
    columns = hits.rows, hits.published, hits.sources, hits.forward, hits.backward, hits.kinds, hits.scores
    numbers = (np.asarray(column).tolist() for column in (*columns, hits.is_reversed))
    return sorted(zip(hits.ids, *numbers, strict=True))


class Segmented:
    """A finder whose articles are written to segments, merged and reopened."""

    def __init__(self, spec: str, reach: int | None, folder: Path) -> None:
        self.spec, self.reach, self.folder = spec, reach, folder
        self.finder = Finder(detector(spec), reach)
        self.written = 0
        self.alone: list[str] = []

    def path(self) -> str:
        self.written += 1
        return str(self.folder / f"{self.written}.segment")

    def freeze(self) -> None:
        path = self.path()
        count = self.finder.freeze(path, MARK)
        assert Path(path).exists() == (count > 0)

    def merge(self, first: int, end: int, meanwhile: Callable[[], None]) -> None:
        """Merges some segments, while something happens."""
        parts = self.finder.segments()[first:end]
        path = self.path()
        count = merge_segments(parts, path, MARK)
        assert Path(path).exists() == (count > 0)
        meanwhile()
        self.finder.replace([old for old, _ in parts], path if count else None, MARK)

    def reopen(self) -> None:
        self.freeze()
        segments, own = self.finder.segments(), len(self.finder)
        self.finder = Finder(detector(self.spec), self.reach)
        for path, dead in segments:
            self.finder.attach(path, MARK, dead)
            check_segment(path, MARK, detector(self.spec))
        self.finder.set_alone(self.alone)
        assert len(self.finder) == own


IDS = st.sampled_from("abcdefgh")
COMING = st.tuples(
    IDS, st.integers(0, len(TEXTS) - 1), st.integers(0, len(DAYS) - 1), st.integers(0, 23), st.integers(0, 2)
)
BATCH = st.lists(COMING, min_size=1, max_size=5, unique_by=lambda article: article[0])
CHANGES = st.one_of(
    st.tuples(st.just("add"), BATCH, st.sampled_from([True, False, None])),
    st.tuples(st.just("query"), BATCH, st.booleans()),
    st.tuples(st.just("remove"), st.lists(IDS, max_size=3)),
    st.tuples(st.just("expire"), st.integers(2, 9)),
    st.tuples(st.just("alone"), st.lists(IDS, max_size=2)),
)
STEPS = st.lists(
    st.one_of(
        CHANGES,
        st.just(("freeze",)),
        st.tuples(st.just("merge"), st.integers(0, 2), st.integers(1, 4), st.lists(CHANGES, max_size=2)),
        st.just(("reopen",)),
    ),
    max_size=12,
)
EARLIEST = int(np.datetime64("2026-03-01", "us").astype(int))


def apply(step: tuple[Any, ...], plain: Finder, segmented: Segmented) -> None:
    """Applies a step to both finders and compares what they return."""
    match step:
        case ("add", batch, every):
            some = entries(segmented.spec, batch)
            if every is None:
                assert segmented.finder.file(some) == plain.file(some)
            else:
                assert rows(segmented.finder.add(some, every)) == rows(plain.add(some, every))
        case ("query", batch, every):
            some = entries(segmented.spec, batch)
            assert rows(segmented.finder.query(some, every)) == rows(plain.query(some, every))
        case ("remove", ids):
            assert segmented.finder.remove(ids) == plain.remove(ids)
        case ("expire", day):
            before = EARLIEST + (day - 1) * DAY + 12 * HOUR
            assert segmented.finder.expire(before) == plain.expire(before)
        case ("alone", ids):
            segmented.alone += ids
            segmented.finder.set_alone(ids)
            plain.set_alone(ids)
        case ("merge", first, count, changes):
            segmented.merge(first, first + count, lambda: [apply(each, plain, segmented) for each in changes] and None)
        case ("freeze",):
            segmented.freeze()
        case ("reopen",):
            segmented.reopen()


@pytest.mark.parametrize("spec", native_specs())
@settings(max_examples=6, deadline=None)
@given(steps=STEPS, reach=st.sampled_from([None, 0, HOUR, DAY, 3 * DAY]))
def test_any_history_gives_the_relations_of_an_index_in_memory(
    spec: str, steps: list[tuple[Any, ...]], reach: int | None
) -> None:
    with TemporaryDirectory() as folder:
        plain, segmented = Finder(detector(spec), reach), Segmented(spec, reach, Path(folder))
        for step in steps:
            apply(step, plain, segmented)
            assert len(segmented.finder) == len(plain)
        everything = entries(spec, [(f"{text} {day}", text, day, 7, 1) for text in range(7) for day in range(4)])
        for every in (True, False):
            assert rows(segmented.finder.query(everything, every)) == rows(plain.query(everything, every))
        pairs = [(left, right) for left in "abcdefgh" for right in "abcdefgh"]
        assert [segmented.finder.compare(*pair) for pair in pairs] == [plain.compare(*pair) for pair in pairs]
        assert segmented.finder.forms(pairs) == plain.forms(pairs)


def some_articles(first: int, count: int) -> list[tuple[str, int, int, int, int]]:
    return [(f"n{at}", at % len(TEXTS), at % len(DAYS), at % 24, at % 3) for at in range(first, first + count)]


@pytest.fixture
def segment(tmp_path: Path) -> Path:
    """A segment of 60 articles."""
    path = tmp_path / "a.segment"
    finder = Finder(detector("reuse()"), 3 * DAY)
    finder.file(entries("reuse()", some_articles(0, 60)))
    assert finder.freeze(str(path), MARK) == 60
    return path


def test_a_class_in_several_segments_is_reported_once_by_the_article_inserted_first(tmp_path: Path) -> None:
    finder = Finder(detector("reuse()"), None)
    for number, id in enumerate(("late", "first", "second")):
        finder.file(entries("reuse()", [(id, 0, 1, 10 - number, 2)]))
        finder.freeze(str(tmp_path / f"{number}"), MARK)
    query = entries("reuse()", [("new", 1, 1, 12, 1)])
    assert finder.query(query, False).ids == ["late"]
    assert sorted(finder.query(query, True).ids) == ["first", "late", "second"]
    finder.remove(["late"])
    assert finder.query(query, False).ids == ["first"]


def test_an_article_set_alone_survives_the_merge_with_the_segment_it_was_in(tmp_path: Path) -> None:
    """Once it kept its place in the order of insertion, and was removed with the row that it had left."""
    finder = Finder(detector("reuse()"), None)
    finder.file(entries("reuse()", [("alone", 0, 1, 9, 1), ("copy", 0, 1, 10, 2)]))
    finder.freeze(str(tmp_path / "1"), MARK)
    finder.set_alone(["alone"])
    finder.freeze(str(tmp_path / "2"), MARK)
    parts = finder.segments()
    assert parts == [(str(tmp_path / "1"), ["alone"]), (str(tmp_path / "2"), [])]
    assert merge_segments(parts, str(tmp_path / "merged"), MARK) == 2
    finder.replace([path for path, _ in parts], str(tmp_path / "merged"), MARK)
    assert len(finder) == 2
    assert sorted(finder.query(entries("reuse()", [("new", 1, 1, 12, 0)]), False).ids) == ["alone", "copy"]


def test_a_segment_of_another_detector_or_window_is_rejected(segment: Path) -> None:
    with pytest.raises(StoreError, match='the segment is of "a detector"') as wrong:
        Finder(detector("reuse()"), 3 * DAY).attach(str(segment), "another detector")
    assert wrong.value.place == str(segment)
    with pytest.raises(StoreError, match="another window"):
        Finder(detector("reuse()"), HOUR).attach(str(segment), MARK)
    finder = Finder(detector("reuse()"), 30 * DAY)
    finder.attach(str(segment), MARK)
    with pytest.raises(StoreError, match="attached already"):
        finder.attach(str(segment), MARK)
    with pytest.raises(StoreError, match="not attached"):
        finder.replace(["other"], None, MARK)


def test_a_file_that_is_no_segment_or_missing_is_an_error_with_its_path(tmp_path: Path) -> None:
    (tmp_path / "empty").write_bytes(b"")
    (tmp_path / "text").write_bytes(b"samesegm" * 4096)
    (tmp_path / "folder").mkdir()
    for name in ("empty", "text", "folder", "missing"):
        path = str(tmp_path / name)
        for read in (Finder(detector("reuse()"), None).attach, check_segment):
            with pytest.raises(StoreError) as wrong:
                read(path, MARK)
            assert wrong.value.place == path
    finder = Finder(detector("reuse()"), None)
    finder.file(entries("reuse()", some_articles(0, 3)))
    with pytest.raises(StoreError) as wrong:
        finder.freeze(str(tmp_path / "missing" / "a"), MARK)
    assert wrong.value.place == str(tmp_path / "missing" / "a")
    assert len(finder) == 3 and finder.segments() == []


def test_any_damaged_byte_and_any_truncation_is_found(segment: Path, tmp_path: Path) -> None:
    content = segment.read_bytes()
    damaged = tmp_path / "damaged"
    query = entries("reuse()", some_articles(100, 28))
    assert check_segment(str(segment), MARK, detector("reuse()")) == 60
    for at in [*range(0, 400), *range(400, len(content), 61), *range(len(content) - 40, len(content))]:
        damaged.write_bytes(content[:at] + bytes([content[at] ^ 1 << at % 8]) + content[at + 1 :])
        with pytest.raises(StoreError) as wrong:
            check_segment(str(damaged), MARK)
        assert wrong.value.place == str(damaged)
    for at in range(BLOCK, len(content), BLOCK):
        damaged.write_bytes(content[:at] + content[:BLOCK] + content[at + BLOCK :])
        with pytest.raises(StoreError, match=f"block {at // BLOCK} is damaged"):
            check_segment(str(damaged), MARK)
        finder = Finder(detector("reuse()"), 3 * DAY)
        finder.attach(str(damaged), MARK)
        for search in (finder.query, finder.add):
            with pytest.raises(StoreError, match="is damaged"):
                search(query, True)
                finder.compare("n0", "n1")
                finder.remove(["n3"])
    for length in [*range(0, 200), *range(200, len(content), 1009)]:
        damaged.write_bytes(content[:length])
        with pytest.raises(StoreError):
            Finder(detector("reuse()"), 3 * DAY).attach(str(damaged), MARK)


def test_a_write_that_fails_leaves_no_file_and_the_index_as_it_was(segment: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    content = bytearray(segment.read_bytes())
    content[2 * BLOCK + 7] ^= 1
    broken.write_bytes(content)
    with pytest.raises(StoreError) as wrong:
        merge_segments([(str(segment), []), (str(broken), [])], str(tmp_path / "out"), MARK)
    assert wrong.value.place == str(broken)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.segment", "broken"]


def test_a_merged_segment_is_as_one_written_at_once(tmp_path: Path) -> None:
    spec, articles = "event()", some_articles(0, 80)
    one, other = Finder(detector(spec), None), Finder(detector(spec), None)
    one.file(entries(spec, articles))
    one.freeze(str(tmp_path / "one"), MARK)
    parts = []
    for number in range(4):
        other.file(entries(spec, articles[number * 20 : number * 20 + 20]))
        parts.append((str(tmp_path / f"part {number}"), []))
        other.freeze(parts[-1][0], MARK)
    assert merge_segments(parts, str(tmp_path / "merged"), MARK) == 80
    assert check_segment(str(tmp_path / "merged"), MARK, detector(spec)) == 80
    payloads = [
        [path.read_bytes()[at : at + PAYLOAD] for at in range(0, path.stat().st_size, BLOCK)]
        for path in (tmp_path / "one", tmp_path / "merged")
    ]
    assert payloads[0] == payloads[1]


REOPEN = """
import sys
import numpy as np
from tests.index.test_segments import DAY, MARK, Finder, detector, entries, rows, some_articles
finder = Finder(detector("reuse()"), 3 * DAY)
finder.attach(sys.argv[1], MARK, ["n4"])
print(len(finder), rows(finder.query(entries("reuse()", some_articles(100, 28)), False)))
"""


def test_another_process_answers_as_the_one_that_wrote(segment: Path) -> None:
    finder = Finder(detector("reuse()"), 3 * DAY)
    finder.attach(str(segment), MARK, ["n4"])
    expected = len(finder), rows(finder.query(entries("reuse()", some_articles(100, 28)), False))
    done = subprocess.run([sys.executable, "-c", REOPEN, segment], capture_output=True, text=True, timeout=120)
    assert done.stdout.strip() == f"{expected[0]} {expected[1]}" and expected[0] == 59


def test_a_replaced_segment_can_be_deleted_and_searches_go_on(segment: Path, tmp_path: Path) -> None:
    finder = Finder(detector("reuse()"), 3 * DAY)
    finder.attach(str(segment), MARK)
    query = entries("reuse()", some_articles(100, 28))
    expected = rows(finder.query(query, True))
    copy = tmp_path / "copy"
    shutil.copy(segment, copy)
    finder.replace([str(segment)], str(copy), MARK)
    segment.unlink()
    assert rows(finder.query(query, True)) == expected
    finder.replace([str(copy)], None, MARK)
    assert len(finder) == 0 and rows(finder.query(query, True)) == []
