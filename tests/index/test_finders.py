"""The two finders give the same answers: the one in the core, which compares copies once, and the one by keys."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from samestory import Article, Index, Relation, parse, prepare
from samestory.index.finders import ByCore, ByKeys, Finder
from samestory.index.store import Entries
from samestory.model import NO_TIME, Kind, Signatures
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


def both(spec: str, window: timedelta | None) -> tuple[Index, Index]:
    one, other = Index(parse(spec), window=window), Index(parse(spec), window=window)
    other._finder = ByKeys(other.detector, None if window is None else window // timedelta(microseconds=1))
    assert isinstance(one._finder, ByCore)
    return one, other


def told(relations: list[Relation]) -> list[Any]:
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
            assert told(getattr(one, what)(features)) == told(getattr(other, what)(features))
        elif what == "remove":
            assert one.remove(meant) == other.remove(meant)
        else:
            assert one.expire(datetime(2026, 3, meant)) == other.expire(datetime(2026, 3, meant))
        assert len(one) == len(other)


def test_of_copies_the_first_stands_for_the_others_where_that_is_enough() -> None:
    copies = [Article(f"c{n}", SENTENCES[0], published="2026-03-02") for n in range(50)]
    index = Index(parse("reuse"))
    found = index.add(prepare(copies), every=False)
    assert {(r.left, r.right) for r in found} == {(f"c{n}", "c0") for n in range(1, 50)}
    assert {r.kind for r in found} == {Kind.IDENTICAL}
    index.remove(["c0"])
    assert [r.right for r in index.query(prepare([Article("x", SENTENCES[0])]), every=False)] == ["c1"]
    assert len(index.query(prepare([Article("x", SENTENCES[0])]))) == 49


def test_many_at_once_are_told_as_one_by_one() -> None:
    """Many questions are shared among threads, few are not."""
    news = [Article(f"a{n}", f"{SENTENCES[n % 7]} {SENTENCES[n % 5]}", published="2026-03-02") for n in range(200)]
    one, other = Index(parse("reuse")), Index(parse("reuse"))
    at_once = one.add(prepare(news))
    by_and_by = [relation for each in news for relation in other.add(prepare([each]))]
    assert told(at_once) == told(by_and_by)
    assert [(r.left, r.right) for r in at_once] == [(r.left, r.right) for r in by_and_by]


@pytest.mark.parametrize("make", [ByCore, ByKeys])
def test_what_has_no_words_meets_nobody(make: Any) -> None:
    finder: Finder = make(parse("reuse"), None)
    nothing = Entries(["a", "b"], np.array([NO_TIME] * 2), np.zeros(2, np.uint64), Signatures.of(b"", np.zeros(3, int)))
    assert finder.add(nothing, True).rows == []
    assert (len(finder), finder.postings) == (2, 0)
