"""Cached story statistics equal those computed from all relations, whatever changed in between."""

from __future__ import annotations

from random import Random

import pytest

from samestory import Kind
from samestory.archive import Archive, columns
from samestory.archive.independent import DERIVED, count_independent
from samestory.archive.search import search
from samestory.archive.stories import story, summary
from tests.archive.news import news

Facts = dict[int, tuple[tuple[Kind, ...], int]]


def shown(archive: Archive) -> Facts:
    return {each.number: (each.kinds, each.texts) for each in search(archive.database, limit=1000).stories}


def counted(archive: Archive) -> Facts:
    """Compute the statistics from every relation."""
    with archive.database.read() as session:
        rows = session.rows("SELECT story, number, coalesce(at, arrived), likeness FROM articles")
        related = session.rows("SELECT left_number, right_number, kind FROM relations")
    story_of = {number: story for story, number, _, _ in rows}
    facts: Facts = {}
    for place in set(story_of.values()):
        inside = [(a, b, Kind(kind)) for a, b, kind in related if story_of[a] == story_of[b] == place]
        kinds = {kind for _, _, kind in inside}
        derived = [(a, b) for a, b, kind in inside if kind in DERIVED]
        own = [tuple(known) for number, *known in rows if number == place]
        facts[place] = tuple(k for k in Kind if k in kinds), count_independent(own, derived)
    return facts


@pytest.mark.parametrize("seed", [1, 3])
def test_story_statistics_match_the_relations(place: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columns, "MAX_CHANGED_SHARE", 100.0)  # cached statistics are used, however much has changed
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


@pytest.mark.parametrize("seed", [2, 5])
def test_the_summary_of_a_story_is_that_of_its_articles(place: str, seed: int) -> None:
    random = Random(seed)
    given = [dict(each, published=random.choice([None, "2026-03-01", "2026-03-02"])) for each in news(seed, 60)]
    with Archive.open(place) as archive:
        archive.add(given)
        archive.add([dict(given[0], title=" "), dict(given[1], source=None)])
        with archive.database.read() as session:
            numbers = [number for (number,) in session.rows("SELECT DISTINCT story FROM articles")]
        assert len(numbers) > 5
        for number in numbers:
            whole, found = story(archive.database, number), summary(archive.database, number)
            assert (found.representative, found.first, found.last) == (whole.representative, whole.first, whole.last)
            assert (found.articles, found.texts, found.sources) == (len(whole.members), whole.texts, whole.sources)
            assert found.kinds == whole.kinds
            titled = [m.title for m in (whole.representative, *whole.members) if m.title and m.title.strip()]
            assert found.title == (titled[0] if titled else whole.representative.id)
