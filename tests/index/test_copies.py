"""Copies are one lot, whoever published them: told of once each, and new versions for what they are."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from samestory import Article, parse, prepare
from samestory.index import Index
from samestory.model import Kind, Relation
from samestory.stream import Stream
from tests.news import SENTENCES

TEXT = " ".join(SENTENCES[:6])
PART = " ".join(SENTENCES[:4])


def article(id: str, text: str, source: str | None, hour: int) -> Article:
    return Article(id, text, source=source, published=f"2026-03-02T{hour:02}:00:00Z")


def copies(count: int, sources: int) -> list[Article]:
    return [article(f"a{n:03}", TEXT, f"source {n % sources}", n % 24) for n in range(count)]


def told(news: list[Article], every: bool = False) -> list[Relation]:
    return Index(parse("reuse")).add(prepare(news), every)


@pytest.mark.parametrize("sources", [1, 7, 60])
def test_copies_are_told_once_each_whatever_their_sources(sources: int) -> None:
    found = told(copies(60, sources))
    assert {(r.left, r.right, r.kind) for r in found} == {(f"a{n:03}", "a000", Kind.IDENTICAL) for n in range(1, 60)}


def test_a_new_version_is_told_beside_the_first_copy() -> None:
    new = article("new", f"{TEXT} {SENTENCES[7]}", "source 5", 23)
    found = {(r.left, r.right): r.kind for r in told([*copies(60, 60), new]) if "new" in (r.left, r.right)}
    assert found == {("new", "a000"): Kind.NEAR, ("new", "a005"): Kind.UPDATE}
    # the first copy may itself be the old version, and a source that has none has no new one
    for source, kind in (("source 0", Kind.UPDATE), ("another", Kind.NEAR), (None, Kind.NEAR)):
        new = article("new", f"{TEXT} {SENTENCES[7]}", source, 23)
        found = {(r.left, r.right): r.kind for r in told([*copies(60, 60), new]) if "new" in (r.left, r.right)}
        assert found == {("new", "a000"): kind}


_news = st.lists(
    st.tuples(
        st.sampled_from([TEXT, PART, f"{TEXT} {SENTENCES[7]}", SENTENCES[9]]),
        st.sampled_from([None, "one", "two", "three"]),
        st.integers(0, 3),
    ),
    max_size=12,
)


@given(_news)
def test_what_is_told_is_true_and_says_of_everybody_what_all_of_it_says(
    given: list[tuple[str, str | None, int]],
) -> None:
    news = [article(f"a{n}", *each) for n, each in enumerate(given)]
    every = {(r.left, r.right): r for r in told(news, every=True)}
    some = told(news)
    assert all(every[r.left, r.right] == r for r in some)
    # nobody loses the texts that they are related to, nor that they have versions
    text = {each.id: each.text for each in news}
    place = {each.id: n for n, each in enumerate(news)}

    def seen(found: list[Relation]) -> set[tuple[str, str]]:
        later = [(r.left, r.right) if place[r.left] > place[r.right] else (r.right, r.left) for r in found]
        return {(one, text[other]) for one, other in later}

    assert seen(some) == seen(list(every.values()))
    updates = [r for r in every.values() if r.kind is Kind.UPDATE]
    assert seen([r for r in some if r.kind is Kind.UPDATE]) == seen(updates)


def test_a_stream_joins_a_part_to_its_container_whatever_its_source() -> None:
    whole = copies(3, 3)
    for source in ("source 1", "another"):
        stream = Stream("reuse")
        stream.add([*whole, article("part", PART, source, 20)])
        assert stream.group_of("a000") == stream.group_of("a002") == stream.group_of("part")
