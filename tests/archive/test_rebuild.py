"""Decisions persist, and rebuilding an archive obeys them."""

from __future__ import annotations

import pytest

from samestory import DecisionError, parse
from samestory.archive import Archive
from tests.archive.news import item, story
from tests.archive.test_archive import stories


def test_decisions_persist_and_survive_a_rebuild(place: str) -> None:
    text = story(1)
    with Archive.open(place) as archive:
        archive.add([item("a", text), item("b", text), item("c", f"{text} More."), item("x", story(2))])
        archive.add([item("y", f"{story(2)} Else.")])
        assert stories(archive) == {frozenset("abc"), frozenset("xy")}
        changes = archive.decide("b", "a", "apart")
        assert [change.what for change in changes] == ["split"]
        assert not any({"a", "b"} <= group for group in stories(archive))
        archive.decide("x", "a", "same")
        expected = stories(archive)
        assert any({"a", "x", "y"} <= group for group in expected)
        with pytest.raises(
            DecisionError, match=r"cannot be decided to be same: decisions 1 \(a and b are not.*2 \(x and a are"
        ):
            archive.decide("x", "b", "same")
        with pytest.raises(DecisionError, match="no article has the id 'unknown'"):
            archive.decide("x", "unknown", "same")
    with Archive.open(place) as archive:
        assert stories(archive) == expected
        archive.add([item("d", text, day=3)])
        assert not any({"a", "b"} <= group for group in stories(archive))
        assert archive.rebuild() == 6
        assert not any({"a", "b"} <= group for group in stories(archive))
        assert any({"a", "x", "y"} <= group for group in stories(archive))
        archive.remove(["a"])
        archive.add([item("a", text)])
        assert not any({"a", "b"} <= group for group in stories(archive))
        assert any({"a", "x"} <= group for group in stories(archive))
        archive.decide("x", "a", None)
        archive.decide("a", "b", None)
        assert stories(archive) == {frozenset("abcd"), frozenset("xy")}


def test_a_rebuild_obeys_decisions_that_were_made_while_articles_were_absent(place: str) -> None:
    """It raised a DecisionError: by measurement, c is in the group of a, which b belongs to and c must not share."""
    text = story(1)
    a, b, c = item("a", text), item("b", story(2)), item("c", f"{text} More.")
    with Archive.open(place) as archive:
        archive.add([a, b, c])
        archive.decide("b", "c", "apart")
        archive.remove(["c"])
        archive.decide("a", "b", "same")
        archive.add([c])
        assert stories(archive) == {frozenset("ab"), frozenset("c")}
        assert archive.rebuild() == 3
        assert stories(archive) == {frozenset("ab"), frozenset("c")}
        archive.remove(["a"])
        assert archive.rebuild() == 2
        archive.add([a])
        assert stories(archive) == {frozenset("ab"), frozenset("c")}


def test_a_rebuild_keeps_decisions_that_contradict_each_other(place: str) -> None:
    """They can: b was absent when a and c were decided to be apart. Apart prevails, as when b is added again."""
    with Archive.open(place) as archive:
        archive.add([item("a", story(1)), item("b", story(2)), item("c", story(3))])
        archive.decide("a", "b", "same")
        archive.decide("b", "c", "same")
        archive.remove(["b"])
        archive.decide("a", "c", "apart")
        archive.add([item("b", story(2))])
        expected = {frozenset("ab"), frozenset("c")}
        assert stories(archive) == expected
        assert archive.rebuild() == 3 and stories(archive) == expected
        with archive.database.read() as session:
            assert session.one("SELECT count(*) FROM decisions") == (3,)
        archive.decide("a", "c", None)
        archive.rebuild()
        assert stories(archive) == {frozenset("abc")}


def test_another_process_sees_decisions_and_rebuilds(place: str) -> None:
    text = story(1)
    with Archive.open(place) as one, Archive.open(place) as other:
        one.add([item("a", text), item("b", text)])
        other.add([item("c", story(2))])
        one.decide("a", "b", "apart")
        other.add([item("d", story(3))])
        other.remove(["a"])
        other.add([item("a", text)])
        assert not any({"a", "b"} <= group for group in stories(other))
        one.rebuild(["reuse"])
        added = other.add([item("e", text)])
        assert other.detectors == (parse("reuse"),)
        assert {r.right for r in added.relations} == {"a", "b"} or {r.right for r in added.relations} == {"b"}
