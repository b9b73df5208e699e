"""Groups of a stream: numbers stay, changes tell all that happened, and every group has its majority."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from samestory import NotFittedError, Stream
from samestory.stream import Change

FIRE = ["Fire destroys historic mill in Oldmere", "Oldmere's historic mill destroyed by fire", "Mill fire in Oldmere"]
#: Short texts of few words: many pairs are related, some are not, and chains come about.
WORDS = ["harbour", "Oldmere", "council", "storm", "ferry", "budget", "mill", "Eastholm"]
TEXTS = st.lists(st.lists(st.sampled_from(WORDS), min_size=2, max_size=5).map(" ".join), min_size=1, max_size=12)


def news(texts: list[str], **more: Any) -> list[dict[str, Any]]:
    return [{"id": f"a{n}", "text": text, "lang": "en", **more} for n, text in enumerate(texts)]


def replayed(changes: list[Change], groups: dict[int, set[str]] | None = None) -> dict[int, set[str]]:
    """The groups that somebody has who knows nothing but the changes."""
    groups = {} if groups is None else groups
    for change in changes:
        match change.what:
            case "opened":
                assert change.group not in groups
                groups[change.group] = set(change.articles)
            case "joined":
                groups[change.group] |= set(change.articles)
            case "merged":
                assert change.other is not None
                groups[change.group] |= groups.pop(change.other)
            case "split":
                assert change.other is not None
                groups[change.group] -= set(change.articles)
                groups[change.other] = set(change.articles)
            case "left":
                groups[change.group] -= set(change.articles)
            case "closed":
                assert groups.pop(change.group) == set(change.articles)
    return groups


def as_sets(stream: Stream) -> dict[int, set[str]]:
    return {number: set(members) for number, members in stream.groups().items()}


def bonds_are_right(stream: Stream) -> None:
    """What is remembered between groups is what a look at all pairs finds."""
    groups = stream.groups()
    for one, other in combinations(groups, 2):
        scores = [stream._scores.get(a, {}).get(b) for a in groups[one] for b in groups[other]]
        found = [score for score in scores if score is not None]
        bond = stream._parties[one].bonds.get(other)
        assert (bond.pairs if bond else 0) == len(found)
        assert (bond.total if bond else 0.0) == pytest.approx(sum(found))
        assert 2 * len(found) < len(groups[one]) * len(groups[other]) or not found


def test_a_group_keeps_its_number_while_it_grows() -> None:
    stream = Stream()
    first = stream.add([{"id": "x", "text": "Museum of Eastholm shows Roman coins", "lang": "en"}])
    assert [str(change) for change in first] == ["x opened group 1"]
    changes = [stream.add([item]) for item in news(FIRE)]
    assert [[change.what for change in some] for some in changes] == [["opened"], ["joined"], ["joined"]]
    assert stream.groups() == {1: ("x",), 2: ("a0", "a1", "a2")}
    assert stream.group_of("a2") == 2
    assert stream.group_of("nobody") is None


def test_an_article_that_comes_again_takes_the_place_of_the_old_one() -> None:
    stream = Stream()
    stream.add(news(FIRE))
    (left, opened) = stream.add([{"id": "a1", "text": "Museum of Eastholm shows Roman coins", "lang": "en"}])
    assert (left.what, opened.what) == ("left", "opened")
    assert sorted(map(sorted, stream.groups().values())) == [["a0", "a2"], ["a1"]]


def test_old_articles_are_forgotten_and_their_groups_go_on() -> None:
    stream = Stream("event(days=30)")
    days = ["2026-03-01", "2026-03-02", "2026-03-03"]
    stream.add([dict(item, published=day) for item, day in zip(news(FIRE), days, strict=True)])
    changes = stream.expire(datetime(2026, 3, 3, tzinfo=UTC))
    assert [change.what for change in changes] == ["left", "left"]
    assert stream.groups() == {1: ("a2",)}
    assert [change.what for change in stream.expire(datetime(2027, 1, 1))] == ["closed"]
    assert stream.groups() == {}


def test_a_detector_that_must_count_first_is_refused() -> None:
    with pytest.raises(NotFittedError, match="cosine"):
        Stream("cosine")


@settings(max_examples=60)
@given(TEXTS, st.integers(1, 4))
def test_changes_tell_all_and_no_two_groups_have_a_majority_between_them(texts: list[str], size: int) -> None:
    stream, items, known = Stream("event(threshold=0.4)"), news(texts), {}
    for start in range(0, len(items), size):
        known = replayed(stream.add(items[start : start + size]), known)
        assert known == as_sets(stream)
        bonds_are_right(stream)
    assert sorted(id for members in known.values() for id in members) == sorted(item["id"] for item in items)


@settings(max_examples=60)
@given(TEXTS, st.data())
def test_what_is_taken_back_leaves_groups_that_hold_together(texts: list[str], data: st.DataObject) -> None:
    stream, items = Stream("event(threshold=0.4)"), news(texts)
    known = replayed(stream.add(items))
    gone = data.draw(st.lists(st.sampled_from([item["id"] for item in items]), unique=True))
    known = replayed(stream.remove([*gone, "nobody"]), known)
    assert known == as_sets(stream)
    assert sorted(id for members in known.values() for id in members) == sorted({i["id"] for i in items} - set(gone))
    for one, other in combinations(stream.groups(), 2):
        bond = stream._parties[one].bonds.get(other)
        groups = stream.groups()
        found = [a for a in groups[one] for b in groups[other] if b in stream._scores.get(a, {})]
        assert (bond.pairs if bond else 0) == len(found)
