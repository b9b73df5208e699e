"""What a page tells of its stories is what their relations say, whatever has happened since they were shown last."""

from __future__ import annotations

from random import Random

import pytest

from samestory import Kind
from samestory.archive import Archive, narrow
from samestory.archive.independent import TAKEN, independent
from samestory.archive.search import search
from tests.archive.news import news

Facts = dict[int, tuple[tuple[Kind, ...], int]]


def shown(archive: Archive) -> Facts:
    return {story.number: (story.kinds, story.texts) for story in search(archive.database, limit=1000).stories}


def counted(archive: Archive) -> Facts:
    """The slow way: every relation is looked at."""
    with archive.database.read() as session:
        rows = session.rows("SELECT story, number, coalesce(at, arrived), likeness FROM articles")
        related = session.rows("SELECT left_number, right_number, kind FROM relations")
    home = {number: story for story, number, _, _ in rows}
    facts: Facts = {}
    for story in set(home.values()):
        inside = [(a, b, Kind(kind)) for a, b, kind in related if home[a] == home[b] == story]
        kinds = {kind for _, _, kind in inside}
        taken = [(a, b) for a, b, kind in inside if kind in TAKEN]
        own = [tuple(known) for number, *known in rows if number == story]
        facts[story] = tuple(k for k in Kind if k in kinds), independent(own, taken)
    return facts


@pytest.mark.parametrize("seed", [1, 3])
def test_stories_are_told_as_their_relations_say(place: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(narrow, "MUCH", 100.0)  # what was told before is used, however much has changed
    random, given = Random(seed), news(seed, 70)
    given += [dict(each, text=f"{each['text']} New version.") for each in random.sample(given, 6)]
    with Archive.open(place) as archive, Archive.open(place) as reader:
        there: list[str] = []
        for at in range(0, len(given), 5):
            batch = given[at : at + 5]
            archive.add(batch)
            there += [each["id"] for each in batch]
            if at % 15 == 0:
                archive.remove([gone := random.choice(there)])
                there = [id for id in there if id != gone]
            elif at % 25 == 0:
                archive.decide(*random.sample(sorted(set(there)), 2), "same")
            expected = counted(archive)
            assert shown(archive) == shown(reader) == expected
        assert any(Kind.NEAR in kinds and texts < 3 for kinds, texts in expected.values())
