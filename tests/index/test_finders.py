"""The live index gives the answers of a slow one, which compares all articles that share enough keys one by one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from samestory import Article, Detector, Index, Relation, parse, prepare
from samestory.index.finder import Finder, Hits
from samestory.index.index import directed
from samestory.index.store import Entries
from samestory.model import KINDS, NO_TIME, Kind, Overlap, Pairs, Signatures
from tests.news import SENTENCES

SPECS = ["reuse(ceiling=0)", "event", "minhash", "resemblance(shingle=1, threshold=0.3)", "exact"]
WORDS = ["harbour", "Oldmere", "council", "storm", "ferry", "budget", "mill", "Eastholm"]
TEXTS = st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join) | st.sampled_from(SENTENCES)
#: (id, text, day or none, source) of articles that come, or the names of those that go.
COMING = st.tuples(st.sampled_from("abcdefgh"), TEXTS, st.none() | st.integers(1, 9), st.sampled_from(["", "Post"]))
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("add"), st.lists(COMING, min_size=1, max_size=6)),
        st.tuples(st.just("query"), st.lists(COMING, min_size=1, max_size=3)),
        st.tuples(st.just("remove"), st.lists(st.sampled_from("abcdefgh"))),
        st.tuples(st.just("expire"), st.integers(1, 9)),
    ),
    max_size=8,
)


class SlowHits(NamedTuple):
    """The columns of `Hits`."""

    rows: Sequence[int]
    ids: Sequence[str]
    published: Sequence[int]
    sources: Sequence[int]
    forward: Sequence[float]
    backward: Sequence[float]
    kinds: Sequence[int]
    scores: Sequence[float]
    is_reversed: Sequence[bool]
    sampled: Sequence[int] = ()
    sample_size: int = 0


def _hits(entries: Entries, found: Sequence[tuple[Any, ...]]) -> Any:
    """Hits with the kinds and directions of relations between articles."""
    if not found:
        return SlowHits(*([] for _ in range(9)))
    sides = [(entries.ids[row], int(entries.sources[row]), int(entries.published[row])) for row, *_ in found]
    pairs = [
        (side, (id, source, published), KINDS[kind], Overlap(forward, backward))
        for side, (_, id, published, source, forward, backward, kind, _) in zip(sides, found, strict=True)
    ]
    kinds, is_reversed = zip(*directed(pairs), strict=True)
    rows, ids, published, sources, forward, backward, _, scores = zip(*found, strict=True)
    numbers = [KINDS.index(kind) for kind in kinds]
    return SlowHits(rows, ids, published, sources, forward, backward, numbers, scores, is_reversed)


class SlowFinder:
    """Compares each article with all earlier ones that share enough keys and lie inside of the window."""

    def __init__(self, detector: Detector, reach: int | None) -> None:
        self._detector, self._reach = detector, reach
        self._entries: dict[str, tuple[int, int, bytes]] = {}

    def _hits(self, row: int, id: str, published: int, signature: bytes) -> list[tuple[Any, ...]]:
        others = [(other, *entry) for other, entry in self._entries.items() if other != id]
        near = [each for each in others if self._is_near(published, each[1])]
        rows = [signature, *(each[3] for each in near)]
        signatures = Signatures.from_offsets(b"".join(rows), np.cumsum([0, *map(len, rows)]).astype(np.int64))
        keys = self._detector.keys(signatures)
        own = set(keys[0].tolist())
        out = []
        for at, (other, time, source, _) in enumerate(near, 1):
            theirs = set(keys[at].tolist())
            shared, fewer = len(own & theirs), min(len(own), len(theirs))
            pair, counts = Pairs(np.zeros(1, np.int64), np.array([at])), (np.array([shared]), np.array([fewer]))
            if not shared or shared < self._detector.quorum(np.array([fewer]))[0]:
                continue
            if self._detector.admits(signatures, signatures, pair, *counts)[0]:
                found = self._detector.compare(signatures, signatures, pair)
                if found.kinds[0]:
                    numbers = found.forward[0], found.backward[0], int(found.kinds[0]), found.score[0]
                    out.append((row, other, time, source, *numbers))
        return out

    def _is_near(self, one: int, other: int) -> bool:
        return self._reach is None or NO_TIME in (one, other) or abs(one - other) <= self._reach

    def _each(self, entries: Entries) -> Iterator[tuple[str, int, int, bytes]]:
        columns = entries.published.tolist(), entries.sources.tolist(), entries.signatures
        return zip(entries.ids, *columns, strict=True)

    def add(self, entries: Entries, all_copies: bool) -> Hits:
        out = []
        for row, (id, published, source, signature) in enumerate(self._each(entries)):
            out += self._hits(row, id, published, signature)
            self._entries[id] = (published, source, signature)
        return _hits(entries, out)

    def query(self, entries: Entries, all_copies: bool) -> Hits:
        rows = enumerate(self._each(entries))
        out = [hit for row, (id, published, _, signature) in rows for hit in self._hits(row, id, published, signature)]
        return _hits(entries, out)

    def remove(self, ids: Sequence[str]) -> int:
        return sum(self._entries.pop(id, None) is not None for id in ids)

    def expire(self, before: int) -> int:
        return self.remove([id for id, (time, *_) in self._entries.items() if time != NO_TIME and time < before])

    def __len__(self) -> int:
        return len(self._entries)


def both(spec: str, window: timedelta | None) -> tuple[Index, Index]:
    one, other = Index(parse(spec), window=window), Index(parse(spec), window=window)
    reach = None if window is None else window // timedelta(microseconds=1)
    other._finder = SlowFinder(other.detector, reach)  # type: ignore[assignment]
    return one, other


def rounded(relations: list[Relation]) -> list[Any]:
    return sorted((r.left, r.right, str(r.kind), r.overlap, round(r.score, 9)) for r in relations)


def articles(given: list[tuple[str, str, int | None, str]]) -> list[Article]:
    return [
        Article(id, text, lang="en", published=day and f"2026-03-0{day}", source=source)
        for id, text, day, source in given
    ]


@pytest.mark.parametrize("spec", SPECS)
@settings(max_examples=40)
@given(steps=STEPS, days=st.sampled_from([None, 0, 1, 3]))
def test_any_history_gives_the_same_relations(spec: str, steps: list[tuple[str, Any]], days: int | None) -> None:
    one, other = both(spec, None if days is None else timedelta(days=days))
    for what, meant in steps:
        if what in ("add", "query"):
            features = prepare(articles(meant))
            assert rounded(getattr(one, what)(features)) == rounded(getattr(other, what)(features))
        elif what == "remove":
            assert one.remove(meant) == other.remove(meant)
        else:
            assert one.expire(datetime(2026, 3, meant)) == other.expire(datetime(2026, 3, meant))
        assert len(one) == len(other)


def test_of_copies_the_first_stands_for_the_others_where_that_is_enough() -> None:
    copies = [Article(f"c{n}", SENTENCES[0], published="2026-03-02") for n in range(50)]
    index = Index(parse("reuse"))
    found = index.add(prepare(copies), all_copies=False)
    assert {(r.left, r.right) for r in found} == {(f"c{n}", "c0") for n in range(1, 50)}
    assert {r.kind for r in found} == {Kind.IDENTICAL}
    index.remove(["c0"])
    assert [r.right for r in index.query(prepare([Article("x", SENTENCES[0])]), all_copies=False)] == ["c1"]
    assert len(index.query(prepare([Article("x", SENTENCES[0])]))) == 49


def test_many_at_once_are_reported_as_one_by_one() -> None:
    """Many questions are shared among threads, few are not."""
    news = [Article(f"a{n}", f"{SENTENCES[n % 7]} {SENTENCES[n % 5]}", published="2026-03-02") for n in range(200)]
    one, other = Index(parse("reuse")), Index(parse("reuse"))
    at_once = one.add(prepare(news))
    by_and_by = [relation for each in news for relation in other.add(prepare([each]))]
    assert rounded(at_once) == rounded(by_and_by)
    assert [(r.left, r.right) for r in at_once] == [(r.left, r.right) for r in by_and_by]


def test_an_article_without_words_has_no_candidates() -> None:
    finder = Finder(parse("reuse"), None)
    nothing = Entries(
        ["a", "b"], np.array([NO_TIME] * 2), np.zeros(2, np.uint64), Signatures.from_offsets(b"", np.zeros(3, int))
    )
    assert len(finder.add(nothing, True).rows) == 0
    assert (len(finder), finder.postings) == (2, 0)
