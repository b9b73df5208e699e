"""Stories that are loaded when they are needed are those of an archive that has all of them in memory."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from samestory.archive import Archive, live_groups
from samestory.errors import DecisionError
from samestory.stream import Change
from tests.archive.news import item, news, story

Places = Callable[[], str]


def written(archive: Archive) -> dict[str, int]:
    with archive.database.read() as session:
        return dict(session.rows("SELECT id, story FROM articles"))


def in_memory(archive: Archive) -> dict[str, int]:
    state = archive._state
    return {} if state is None else {id: number for number, ids in state.groups.groups for id in ids}


def partition(archive: Archive) -> set[frozenset[str]]:
    """The stories, whatever their numbers: those that a process gives depend on what it did before."""
    stories: dict[int, set[str]] = {}
    for id, number in written(archive).items():
        stories.setdefault(number, set()).add(id)
    return set(map(frozenset, stories.values()))


def without_numbers(changes: list[Change]) -> list[tuple[str, tuple[str, ...]]]:
    return [(change.what, tuple(sorted(change.articles))) for change in changes]


def write(archive: Archive, rng: random.Random, step: int) -> list[Change]:
    """One write; all choices follow from the generator."""
    ids = [f"s1-{rng.randrange(40)}" for _ in range(3)]
    kind = rng.randrange(7)
    if kind <= 2:
        return archive.add(news(rng.randrange(1, 4), rng.randrange(1, 15))).changes
    if kind == 3:
        return archive.add([item(id, story(rng.randrange(1000, 1004)), rng.randrange(1, 8)) for id in set(ids)]).changes
    if kind == 4:
        return archive.remove(ids)
    if kind == 5:
        try:
            return archive.decide(ids[0], ids[1], rng.choice(["same", "apart", None]))
        except DecisionError:
            return []
    return archive.add([item(f"copy {step}", story(1000 + step % 4), rng.randrange(1, 8))]).changes


@pytest.mark.parametrize("seed", range(2))
def test_the_stories_do_not_depend_on_what_is_in_memory(
    places: Places, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """One archive drops all groups before every write, one never, and one is opened for each write."""
    with Archive.open(places()) as keeps, Archive.open(places()) as drops:
        third = places()
        Archive.open(third).close()
        generators = [random.Random(seed) for _ in range(3)]
        for step in range(25):
            monkeypatch.setattr(live_groups, "MAX_ARTICLES", 10**9)
            wanted = without_numbers(write(keeps, generators[0], step))
            monkeypatch.setattr(live_groups, "MAX_ARTICLES", -1)
            assert without_numbers(write(drops, generators[1], step)) == wanted
            with Archive.open(third) as opened:
                assert without_numbers(write(opened, generators[2], step)) == wanted
                assert partition(keeps) == partition(drops) == partition(opened)
            stored = written(keeps)
            assert all(stored[id] == number for id, number in in_memory(keeps).items())


def test_only_the_stories_that_are_concerned_are_in_memory(places: Places) -> None:
    place = places()
    with Archive.open(place, ["reuse"]) as archive:
        archive.add([item(f"a{number}", story(number), 1 + number % 7) for number in range(200)])
    with Archive.open(place) as archive:
        archive.query(story(3))
        assert in_memory(archive) == {}
        archive.add([item("near", story(3) + " And more.", 4), item("new", story(900), 4)])
        assert set(in_memory(archive)) == {"near", "new", "a3"}
        archive.remove(["a5"])
        assert set(in_memory(archive)) == {"near", "new", "a3"}


def test_memory_is_bounded(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_groups, "MAX_ARTICLES", 50)
    with Archive.open(place, ["reuse"]) as archive:
        for start in range(0, 400, 20):
            archive.add([item(f"a{number}", story(number % 150)) for number in range(start, start + 20)])
            assert len(in_memory(archive)) <= 50 + 3 * 20


def test_a_story_keeps_its_number_when_its_articles_come_again_from_another_process(places: Places) -> None:
    place = places()
    with Archive.open(place) as one, Archive.open(place) as other:
        one.add([item("a", story(1)), item("b", story(1) + " More."), item("c", story(2))])
        other.add([item("d", story(1) + " And other things.")])
        one.add([item("a", story(1) + " A new version.")])
        other.add([item("e", story(2) + " More."), item("f", story(3))])
        stories = written(one)
        assert stories.pop("f") > 3
        assert stories == {"a": 1, "b": 1, "d": 1, "c": 3, "e": 3}
