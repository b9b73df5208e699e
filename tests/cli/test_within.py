"""The limit of days between related articles."""

from __future__ import annotations

import random
from datetime import date, timedelta
from typing import Any

import pytest

import samestory
from samestory import Article, GroupingOptions, find, relate
from tests.conftest import Runner, Writer

STORY = "The ferry to the island of Sandoy runs again from Monday after 11 days of storm, the harbour master said."
DAYS = {"a": "2026-03-01T23:59:59Z", "b": "2026-03-02T00:00:00Z", "c": "2026-03-08", "d": "2026-03-10", "e": None}
#: Native detectors of several kinds, and one written in Python.
DETECTORS = ("reuse", "minhash", "cosine", "event", "semshort")


def news() -> list[Article]:
    """Copies of one story on five days, one of them unknown."""
    return [Article(id, STORY, published=at) for id, at in DAYS.items()]


def collection() -> list[Article]:
    """Copies and near copies, each dated within a month or undated."""
    chance, out = random.Random(5), []
    for at in range(40):
        words = [f"w{chance.randrange(4000)}" for _ in range(60)]
        for copy in range(3):
            shown = " ".join(words if copy < 2 else words[: -max(2, len(words) // 8)])
            day = date(2026, 3, 1) + timedelta(days=chance.randrange(30))
            out.append(Article(f"{at}-{copy}", shown, published=None if at % 9 == 0 else day.isoformat()))
    return out


def apart(one: Article, other: Article) -> int | None:
    """Calendar days between two articles, if both dates are known."""
    if one.published is None or other.published is None:
        return None
    first, second = (date.fromisoformat(str(article.published)[:10]) for article in (one, other))
    return abs((first - second).days)


def test_copies_further_apart_are_not_related() -> None:
    pairs = {frozenset((r.left, r.right)) for r in relate(news(), within=6)}
    assert pairs == {frozenset(pair) for pair in ("ab", "bc", "cd", "ae", "be", "ce", "de")}
    same_day = {frozenset((r.left, r.right)) for r in relate(news(), within=0)}
    assert same_day == {frozenset(pair) for pair in ("ae", "be", "ce", "de")}


@pytest.mark.parametrize("detector", DETECTORS)
def test_relations_are_those_without_a_limit_that_lie_within_it(detector: str) -> None:
    articles = collection()
    by_id = {article.id: article for article in articles}

    def kinds(limit: int | None) -> set[tuple[str, str, str]]:
        return {(r.left, r.right, str(r.kind)) for r in relate(articles, detector=detector, within=limit)}

    everything = kinds(None)
    assert everything
    for limit in (0, 3, 12):
        kept = {row for row in everything if (apart(by_id[row[0]], by_id[row[1]]) or 0) <= limit}
        assert kinds(limit) == kept


@pytest.mark.parametrize("grouping", ["star", "components", "majority"])
@pytest.mark.parametrize("detector", ["reuse", "semshort"])
def test_groups_hold_no_link_over_the_limit(detector: str, grouping: str) -> None:
    articles = collection()
    by_id = {article.id: article for article in articles}
    for group in find(articles, detector=detector, grouping=GroupingOptions(grouping), within=3):
        for member in group.members:
            nearest = [apart(by_id[member], by_id[other]) for other in group.members if other != member]
            assert not nearest or any(days is None or days <= 3 for days in nearest)
        if grouping == "star" and detector == "reuse":
            head = by_id[group.members[0]]
            assert all((apart(head, by_id[member]) or 0) <= 3 for member in group.members)


def test_the_command(samestory: Runner, write: Writer) -> None:
    path = write("news.jsonl", [{"id": a.id, "text": a.text, "published": DAYS[a.id]} for a in news() if DAYS[a.id]])
    assert samestory("find", path, "--within", "1").groups == {frozenset("ab"), frozenset("c"), frozenset("d")}
    assert samestory("find", path, "--within", "2").groups == {frozenset("ab"), frozenset("cd")}
    assert samestory("find", path).groups == {frozenset("abcd")}
    assert len(samestory("relate", path, "--within", "1").rows) == 1
    bad = samestory("find", path, "--within", "-1")
    assert bad.code == 2
    assert "--within: must be a whole number of days, 0 to 10,000,000, got -1" in bad.err


def test_days_are_written_as_people_write_them(samestory: Runner, write: Writer) -> None:
    path = write("news.jsonl", [{"id": a.id, "text": a.text, "published": DAYS[a.id]} for a in news() if DAYS[a.id]])
    assert samestory("find", path, "--within", "2d").groups == {frozenset("ab"), frozenset("cd")}
    bad = samestory("find", path, "--within", "soon")
    assert bad.code == 2 and "expected a number of days such as 30 or 30d, got 'soon'" in bad.err
    for span in ("30", "30d", "4w"):
        done = samestory("index", "add", f"{span}.db", path, "--within", span)
        assert done.code == 0, done.err
    bad = samestory("index", "add", "new.db", path, "--within", "soon")
    assert bad.code == 2 and "--within: expected a time span" in bad.err


@pytest.mark.parametrize("bad", [-1, 2.5, True, "3", 2**40])
def test_what_is_no_number_of_days(bad: Any) -> None:
    with pytest.raises(samestory.ParameterError, match="within: must be a whole number of days"):
        find(news(), within=bad)


def test_a_copy_beyond_the_limit_is_named_with_its_reason() -> None:
    groups = {g.representative: g for g in find(news()[2:4], within=1)}
    assert {g.nearest.why for g in groups.values() if g.nearest} == {"too many days apart"}
