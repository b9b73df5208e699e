"""Decisions of editors: what they move, what contradicts them, and that undoing them leaves nothing behind."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from random import Random

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from samestory import DecisionError
from samestory.archive import Archive, Decision
from samestory.archive.check import check
from samestory.archive.decided_stories import DecisionEntry, decided_stories
from samestory.archive.stories import merged_into
from tests.archive.news import item, news, story
from tests.database.older import TO_VERSION_5

Places = Callable[[], str]


def stories(archive: Archive) -> dict[str, int]:
    """The number of the story of every article."""
    with archive.database.read() as session:
        return dict(session.rows("SELECT id, story FROM articles"))


def in_memory(archive: Archive) -> dict[str, int]:
    """The same, of the groups in memory, after those of the other stories were loaded."""
    with archive._transaction() as (session, state, _):
        state.groups.load(session, [id for (id,) in session.rows("SELECT id FROM articles")])
        return {id: number for number, ids in state.groups.groups for id in ids}


def members(archive: Archive) -> dict[int, list[str]]:
    out: dict[int, list[str]] = {}
    for id, number in sorted(stories(archive).items()):
        out.setdefault(number, []).append(id)
    return out


def leads_to(archive: Archive, number: int) -> int | None:
    """The story to which the address of a story leads."""
    with archive.database.read() as session:
        if session.one("SELECT 1 FROM articles WHERE story = ? LIMIT 1", (number,)):
            return number
        return merged_into(session, number)


@pytest.fixture
def archive(place: str) -> Archive:
    """Two stories, of a, copy, c, d and of x, y, and one of z."""
    made = Archive.open(place)
    text, other = story(1), story(2)
    made.add([item("a", text), item("copy", text), item("c", f"{text} More of it."), item("d", f"{text} Else.")])
    made.add([item("x", other), item("y", f"{other} Else."), item("z", story(3))])
    assert members(made) == {1: ["a", "c", "copy", "d"], 4: ["x", "y"], 6: ["z"]}
    return made


def test_not_the_same_story_moves_one_article_and_its_identical_copies(archive: Archive) -> None:
    """It removed other articles than the one it stood under, where majorities pulled the other way."""
    with archive:
        archive.apply(Decision("move", ("c",)))
        assert members(archive) == {1: ["a", "copy", "d"], 4: ["x", "y"], 6: ["z"], 7: ["c"]}
        archive.apply(Decision("move", ("a",)))
        assert members(archive) == {1: ["d"], 4: ["x", "y"], 6: ["z"], 7: ["c"], 8: ["a", "copy"]}
        assert in_memory(archive) == stories(archive)


def test_copies_that_arrive_later_follow_an_article_that_was_moved(archive: Archive) -> None:
    with archive:
        archive.apply(Decision("move", ("c",)))
        archive.add([item("late", f"{story(1)} More of it.", day=3)])
        assert stories(archive)["late"] == 7
        archive.undo(1)
        assert members(archive)[1] == ["a", "c", "copy", "d", "late"]


def test_a_preview_is_what_happens_and_writes_nothing(archive: Archive) -> None:
    with archive:
        before = stories(archive)
        preview = archive.preview(Decision("join", stories=(4, 1)))
        assert [(each.number, each.articles, each.is_new) for each in preview.stories] == [
            (1, ("a", "copy", "c", "d", "x", "y"), False)
        ]
        assert [(move.article, move.before, move.after) for move in preview.moves] == [("x", 4, 1), ("y", 4, 1)]
        assert preview.vanished == (4,) and stories(archive) == before and archive.decisions() == []
        made = archive.apply(Decision("join", stories=(4, 1)))
        assert made.number == 1 and [str(each) for each in made.changes] == ["group 4 became part of group 1"]
        assert stories(archive) == {**before, "x": 1, "y": 1}
        preview = archive.preview(Decision("split", articles=("c", "x")))
        assert [(each.number, each.articles, each.is_new) for each in preview.stories] == [
            (1, ("a", "copy", "d", "y"), False),
            (7, ("c", "x"), True),
        ]


def test_undo_restores_stories_and_addresses(archive: Archive) -> None:
    """After thirty joins and their withdrawal, thirty addresses led to the wrong story."""
    with archive:
        before = stories(archive)
        archive.apply(Decision("join", stories=(1, 4)))
        archive.apply(Decision("join", stories=(1, 6)))
        assert set(stories(archive).values()) == {1}
        assert (leads_to(archive, 4), leads_to(archive, 6)) == (1, 1)
        archive.undo(1)
        assert members(archive) == {1: ["a", "c", "copy", "d", "z"], 4: ["x", "y"]}
        assert (leads_to(archive, 4), leads_to(archive, 6)) == (4, 1)
        archive.undo(2)
        assert stories(archive) == before


def test_an_address_leads_to_the_articles_that_the_story_had(archive: Archive) -> None:
    with archive:
        archive.apply(Decision("join", stories=(1, 4)))
        archive.apply(Decision("split", ("c", "y")))
        assert members(archive) == {1: ["a", "copy", "d", "x"], 6: ["z"], 7: ["c", "y"]}
        assert leads_to(archive, 4) == 1
        archive.undo(2)
        archive.undo(1)
        assert (leads_to(archive, 4), leads_to(archive, 7)) == (4, 1)  # most of its articles are there
        archive.apply(Decision("join", stories=(1, 4)))
        archive.remove(["x", "y"])
        assert leads_to(archive, 4) is None


def test_the_log_has_who_when_and_why(archive: Archive) -> None:
    with archive:
        start = datetime.now(UTC)
        archive.apply(Decision("move", ("c",)), who="Ada", why="another match")
        archive.undo(1, who="Bo", why="it was the same one")
        undo, move = archive.decisions()
        assert (move.number, move.what, move.who, move.why) == (1, "move", "Ada", "another match")
        assert move.sides == (("a", "copy", "d"), ("c",)) and (move.undone_by, undo.undoes) == (2, 1)
        assert (undo.what, undo.who, undo.why) == ("undo", "Bo", "it was the same one")
        assert start.timestamp() <= move.at / 1e6 <= undo.at / 1e6 <= datetime.now(UTC).timestamp()
        assert archive.decisions(limit=1) == [undo] and archive.decisions(before=2) == [move]
        assert archive.decisions(story=1) == [move] and archive.decisions(story=4) == []
        for number, why in ((1, "not in force: 2 undid"), (2, "is an undo"), (3, "no decision 3")):
            with pytest.raises(DecisionError, match=why):
                archive.undo(number)


def test_contradictions_are_refused_and_name_the_chain(archive: Archive) -> None:
    with archive:
        archive.decide("c", "x", "same")
        archive.decide("x", "z", "same")
        before = stories(archive)
        with pytest.raises(DecisionError, match=r"decisions 1 \(c and x .* same story\), 2 \(x and z .*contradict it"):
            archive.decide("z", "c", "apart")
        with pytest.raises(
            DecisionError, match=r"x cannot be moved out of the story: decisions 1 .*, 2 .*contradict it"
        ):
            archive.apply(Decision("move", ("x",)))
        archive.apply(Decision("move", ("d",)))
        with pytest.raises(
            DecisionError, match=r"stories 1 and 7 cannot be joined: decision 3 \(d moved out of the st"
        ):
            archive.apply(Decision("join", stories=(1, 7)))
        with pytest.raises(
            DecisionError, match=r"d and z cannot .* same: decisions 1 .*2 .*3 \(d moved out.*contradict"
        ):
            archive.decide("d", "z", "same")
        archive.undo(3)
        assert stories(archive) == before and len(archive.decisions()) == 4


def test_a_pair_that_was_decided_to_be_the_same_leaves_together(archive: Archive) -> None:
    """A majority could separate c from d, which were decided to be the same story, when d left the story of a."""
    with archive:
        archive.decide("c", "d", "same")
        archive.decide("a", "d", "apart")
        assert members(archive) == {1: ["a", "copy"], 4: ["x", "y"], 6: ["z"], 7: ["c", "d"]}


def test_another_decision_about_a_pair_replaces_the_first(archive: Archive) -> None:
    with archive:
        before = stories(archive)
        archive.decide("a", "d", "apart")
        assert archive.decide("d", "a", "apart") == [] and len(archive.decisions()) == 1
        archive.decide("a", "d", "same")
        assert stories(archive) == before
        second, first = archive.decisions()
        assert first.undone_by == second.number == 2
        archive.decide("a", "d", None)
        assert archive.decide("a", "d", None) == [] and len(archive.decisions()) == 3
        with archive.database.read() as session:
            assert session.rows("SELECT * FROM decisions") == []


@pytest.mark.parametrize(
    ("decision", "why"),
    [
        (Decision("move", ("a", "x")), "they are in 2 stories"),
        (Decision("move", ("z",)), "no article would stay"),
        (Decision("split", ("x", "y")), "no article would stay"),
        (Decision("split", ("unknown",)), "no article has the id 'unknown'"),
        (Decision("move"), "expected an article"),
        (Decision("join", stories=(1, 1)), "expected two stories"),
        (Decision("join", stories=(1, 99)), "there is no story 99"),
        (Decision("same", ("a",)), "expected two articles"),
        (Decision("merge", ("a",)), "got 'merge'"),
    ],
)
def test_decisions_that_decide_nothing_are_refused(archive: Archive, decision: Decision, why: str) -> None:
    with archive:
        for do in (archive.preview, archive.apply):
            with pytest.raises(DecisionError, match=why):
                do(decision)
        assert archive.decisions() == []


def test_another_process_sees_decisions_and_undos(archive: Archive, place: str) -> None:
    with archive, Archive.open(place) as other:
        before = in_memory(other)
        archive.apply(Decision("move", ("c",)))
        assert in_memory(other) == stories(archive) != before
        other.add([item("late", f"{story(1)} More of it.", day=3)])
        assert stories(other)["late"] == 7
        other.apply(Decision("join", stories=(4, 6)))
        archive.undo(1)
        archive.undo(2)
        assert in_memory(other) == in_memory(archive) == stories(archive) == {**before, "late": 1}


def test_stories_exchange_their_numbers() -> None:
    """The cut of decision 1 opened story 7, which has the lower number after story 9 was joined with it."""
    first = DecisionEntry(1, "split", (("a",), ("b",)), story=7)
    assert decided_stories({"a": 1, "b": 1, "c": 9}, [first]) == {"a": 1, "b": 7, "c": 9}
    second = DecisionEntry(2, "join", (("b",), ("c",)))
    assert decided_stories({"a": 1, "b": 1, "c": 9}, [first, second]) == {"a": 1, "b": 7, "c": 7}
    assert decided_stories({"a": 1, "b": 1, "c": 9}, [second]) == {"a": 1, "b": 1, "c": 1}


def test_decisions_of_an_older_version_are_in_the_log(archive: Archive, place: str) -> None:
    with archive:
        archive.decide("a", "d", "apart")
        archive.decide("x", "z", "same")
        before = stories(archive)
        with archive.database.write() as session:
            for statement in TO_VERSION_5:
                session.run(statement)
    with Archive.open(place) as old:
        same, apart = old.decisions()
        assert [(each.number, each.what, each.sides, each.who) for each in (apart, same)] == [
            (1, "apart", (("a",), ("d",)), ""),
            (2, "same", (("x",), ("z",)), ""),
        ]
        assert stories(old) == in_memory(old) == before
        with pytest.raises(DecisionError, match="decision 1 "):
            old.apply(Decision("join", stories=(1, before["d"])))
        old.undo(2)
        old.rebuild()
        assert members(old)[1] == ["a", "c", "copy"] and stories(old)["z"] != stories(old)["x"]
        old.undo(1)
        assert members(old)[1] == ["a", "c", "copy", "d"]


def any_decision(archive: Archive, random: Random) -> Decision | None:
    """A random decision or undo; None if there is none of its kind."""
    now = members(archive)
    large = [ids for ids in now.values() if len(ids) > 1]
    what = random.choice(["same", "apart", "move", "split", "join", "undo", "undo"])
    if what == "undo":
        numbers = in_force(archive)
        return Decision("undo", number=random.choice(numbers)) if numbers else None
    if what == "join":
        return Decision("join", stories=tuple(random.sample(sorted(now), 2))) if len(now) > 1 else None
    if what in ("same", "apart"):
        ids = random.choice(large) if large and random.random() < 0.5 else sorted(stories(archive))
        return Decision(what, tuple(random.sample(ids, 2))) if len(ids) > 1 else None
    if not large:
        return None
    ids = random.choice(large)
    return Decision(what, tuple(random.sample(ids, 1 if what == "move" else random.randint(1, len(ids) - 1))))


def in_force(archive: Archive) -> list[int]:
    return [each.number for each in archive.decisions(limit=10**6) if each.what != "undo" and each.undone_by is None]


def note(archive: Archive, had: dict[int, set[str]]) -> None:
    """Note the articles that stories have."""
    for id, number in stories(archive).items():
        had.setdefault(number, set()).add(id)


def decide_at_random(archive: Archive, random: Random, steps: int, had: dict[int, set[str]] | None = None) -> None:
    """Make random decisions and undos; each must have the effect of its preview."""
    for _ in range(steps):
        decision = any_decision(archive, random)
        if decision is None:
            continue
        before = stories(archive)
        try:
            preview = archive.preview(decision)
        except DecisionError:
            assert decision.what != "undo"  # undoing is always possible
            with pytest.raises(DecisionError):
                archive.apply(decision)
            assert stories(archive) == before
            continue
        archive.apply(decision)
        assert stories(archive) == {**before, **{move.article: move.after for move in preview.moves}}
        note(archive, {} if had is None else had)


#: A random sequence is not shrunk, which would take minutes.
LAW = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    max_examples=6,
)


@LAW
@given(random=st.randoms(use_true_random=False), seed=st.integers(0, 1000), steps=st.integers(1, 25))
def test_decisions_undone_in_any_order_leave_stories_and_numbers_as_they_were(
    places: Places, random: Random, seed: int, steps: int
) -> None:
    """And in between, the address of every story there ever was leads to one that has an article of it."""
    place = places()
    with Archive.open(place) as archive:
        archive.add(news(seed, 30))
        before, had = stories(archive), dict[int, set[str]]()
        note(archive, had)
        decide_at_random(archive, random, steps, had)
        assert in_memory(archive) == stories(archive)
        now = members(archive)
        for number, ids in had.items():
            story = leads_to(archive, number)
            assert story is not None and ids & set(now[story]), number
        numbers = in_force(archive)
        random.shuffle(numbers)
        for number in numbers:
            archive.undo(number)
        assert stories(archive) == in_memory(archive) == before
        with archive.database.read() as session:
            assert session.rows("SELECT id FROM articles WHERE measured IS NOT NULL") == []
            assert session.rows("SELECT * FROM decisions") == []
    assert check(place).damages == []


@LAW
@given(random=st.randoms(use_true_random=False), seed=st.integers(0, 1000), steps=st.integers(1, 25))
def test_a_rebuild_gives_the_stories_and_numbers_of_the_living_archive(
    places: Places, random: Random, seed: int, steps: int
) -> None:
    place = places()
    with Archive.open(place) as archive:
        archive.add(news(seed, 30))
        before = stories(archive)
        decide_at_random(archive, random, steps)
        living = stories(archive)
        archive.rebuild()
        assert stories(archive) == in_memory(archive) == living
        for number in in_force(archive):
            archive.undo(number)
        assert stories(archive) == before
    assert check(place).damages == []


@settings(LAW, max_examples=3)
@given(random=st.randoms(use_true_random=False), seed=st.integers(0, 1000))
def test_memory_and_database_agree_while_articles_come_and_go(places: Places, random: Random, seed: int) -> None:
    place, later = places(), news(seed + 5000, 60)
    with Archive.open(place) as archive, Archive.open(place) as other:
        archive.add([*news(seed, 20), *later[:10]])
        for step in range(6):
            decide_at_random(archive, random, 4)
            other.add(later[10 + step * 8 : 18 + step * 8])
            ids = sorted(stories(archive))
            other.add([{**random.choice(later), "id": random.choice(ids)}])  # a revision
            archive.remove([random.choice(ids)])
            if step == 3:
                archive.expire(datetime(2026, 3, 2, tzinfo=UTC), force=True)
            assert in_memory(archive) == in_memory(other) == stories(archive)
        for number in in_force(archive):
            archive.undo(number)
        assert in_memory(archive) == in_memory(other) == stories(archive)
    assert check(place).damages == []
