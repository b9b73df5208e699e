"""Whoever judges gets work that nobody else sees through, and nothing that is answered is lost or counted twice."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from samestory import InputError, ParameterError
from samestory.collection import Collection, Desk, Shape, arbitrate, assign, exercise, hire, second_pass
from samestory.collection.collection import Wanted, note_run, put
from samestory.collection.desk import Task
from samestory.collection.export import gold
from samestory.collection.people import hashed
from samestory.collection.status import status
from samestory.collection.votes import all_said, final
from tests.collection.work import judge, made, pile


@pytest.fixture
def pairs() -> list[tuple[str, str]]:
    return [(f"a{n:04}", f"a{n + 1:04}") for n in range(60)]


def test_every_item_goes_to_two_and_work_is_spread_evenly(tmp_path: Path, pairs: list[tuple[str, str]]) -> None:
    with made(tmp_path / "c.db", pairs, articles=pile(61)) as collection:
        hire(collection, ["s1", "s2", "s3", "s4"])
        assert assign(collection, groups=12, controls=0) == 60
        with collection.database.read() as session:
            rows = session.rows("SELECT item, assessor, turned FROM tasks")
            parts = Counter(part for (part,) in session.rows("SELECT part FROM items"))
        assert set(Counter(item for item, *_ in rows).values()) == {2}
        assert set(Counter(person for _, person, _ in rows).values()) == {30}
        assert sorted(parts.values()) == [5] * 12
        assert 0.3 < sum(turned for *_, turned in rows) / len(rows) < 0.7
        assert assign(collection) == 0
        # what is added later makes groups of the same size, and nobody gets anything twice
        with collection.database.write() as session:
            put(
                session,
                Shape.PAIR,
                [Wanted((f"a{n:04}", f"a{n + 2:04}")) for n in range(10)],
                note_run(session, "x", "x", 10),
            )
        assert assign(collection, controls=0) == 10
        assert {item.part for item in collection.items("part > 12")} == {13, 14}
        with pytest.raises(ParameterError, match="assessors are wanted"):
            assign(Collection.new(tmp_path / "d.db", "near"), judges=2)


def test_who_comes_back_goes_on_where_they_stopped(tmp_path: Path, pairs: list[tuple[str, str]]) -> None:
    path = tmp_path / "c.db"
    with made(path, pairs, articles=pile(61)) as collection:
        tokens = hire(collection, ["s1", "s2"])
        assign(collection, groups=4, controls=0)
        assert judge(collection, tokens["s1"], lambda _: "yes", 7) == 7
    with Collection.open(path) as collection:
        desk = Desk.of(collection, tokens["s1"])
        assert desk is not None
        progress = desk.progress()
        assert (progress.done, progress.all) == (7, 60)
        task = desk.next()
        assert task is not None and task.place == 8
        assert Desk.of(collection, "guessed") is None
        assert hashed(tokens["s1"]) != tokens["s1"]
        new = hire(collection, ["s1"])
        assert Desk.of(collection, tokens["s1"]) is None and Desk.of(collection, new["s1"]) is not None


def test_answers_can_be_changed_and_the_old_ones_stay(tmp_path: Path) -> None:
    with made(tmp_path / "c.db", [("x", "y")], "contains") as collection:
        tokens = hire(collection, ["s1", "s2"])
        assign(collection, controls=0)
        desk = Desk.of(collection, tokens["s1"])
        assert desk is not None
        task = desk.next()
        assert task is not None
        desk.answer(task.place, "a>b", comment="first", seconds=4)
        desk.answer(task.place, "b>a", comment="second", questionable=True, seconds=1e9)
        assert [(e["answer"], e["comment"], e["seconds"]) for e in desk.history(task.place)] == [
            ("a>b", "first", 4.0),
            ("b>a", "second", None),
        ]
        again = desk.task(task.place)
        assert again is not None and (again.shown_answer, again.questionable) == ("b>a", True)
        # what is kept is about x and y, whoever stands left
        assert again.answer == ("a>b" if again.turned else "b>a")
        assert desk.articles(again)[0].id == ("y" if again.turned else "x")


def test_what_is_sent_twice_is_kept_once_and_what_is_nonsense_not_at_all(tmp_path: Path) -> None:
    with made(tmp_path / "c.db", [("x", "y"), ("x", "z")]) as collection:
        tokens = hire(collection, ["s1", "s2"])
        assign(collection, controls=0)
        desk = Desk.of(collection, tokens["s1"])
        assert desk is not None
        assert [desk.answer(1, "yes", key="k").new for _ in range(3)] == [True, False, False]
        assert len(desk.history(1)) == 1
        for wrong in ("maybe", "a>b", "", 1, ["yes"]):
            with pytest.raises(InputError):
                desk.answer(2, wrong)
        for place in (0, -1, 3, 10**12):
            assert desk.task(place) is None
            with pytest.raises(InputError):
                desk.answer(place, "yes")
        other = Desk.of(collection, tokens["s2"])
        assert other is not None and other.history(1) == []


def test_what_is_skipped_comes_again_at_the_end(tmp_path: Path) -> None:
    with made(tmp_path / "c.db", [("x", "y"), ("x", "z"), ("y", "z")]) as collection:
        tokens = hire(collection, ["s1", "s2"])
        assign(collection, controls=0)
        desk = Desk.of(collection, tokens["s1"])
        assert desk is not None
        desk.answer(1, None)
        seen = []
        while task := desk.next():
            seen.append(task.place)
            desk.answer(task.place, "no")
        assert seen == [2, 3, 1]
        assert desk.beside(2) == (1, 3) and desk.beside(1) == (None, 2)


def test_exercises_come_before_the_work_and_tell_what_is_right(tmp_path: Path) -> None:
    with made(tmp_path / "c.db", [("x", "y"), ("x", "z")], "contains") as collection:
        assert exercise(collection, {("y", "x"): "a>b", ("x", "z"): "none"}) == 2
        with pytest.raises(ParameterError, match="nobody"):
            exercise(collection, {("x", "nobody"): "none"})
        with pytest.raises(InputError):
            exercise(collection, {("x", "y"): "yes"})
        tokens = hire(collection, ["s1", "s2"])
        assign(collection, controls=0)
        desk = Desk.of(collection, tokens["s1"])
        assert desk is not None
        assert desk.progress().exercises == 2
        assert desk.task(1) is None, "work waits"
        first = desk.next()
        assert first is not None and first.duty == "exercise"
        with pytest.raises(InputError):
            desk.answer(first.place, None)
        told = desk.answer(first.place, "none")
        # y holds x: the first of them that stands on the page holds, or is held by, the other
        assert told.right == ("a>b" if first.articles == ("y", "x") else "b>a")
        second = desk.next()
        assert second is not None and desk.answer(second.place, "none").right == "none"
        third = desk.next()
        assert third is not None and third.duty == "judge"
        with collection.database.read() as session:
            assert all(not said for _, said in all_said(session)), "exercises are no votes"


def test_disagreements_go_to_somebody_else_who_is_not_told_who_said_what(tmp_path: Path) -> None:
    pairs = [(f"x{n}", f"y{n}") for n in range(12)]
    with made(tmp_path / "c.db", pairs) as collection:
        tokens = hire(collection, ["s1", "s2", "s3"])
        assign(collection, groups=6, controls=0)
        says = {"s1": "yes", "s2": "no", "s3": "no"}
        for name, token in tokens.items():
            desk = Desk.of(collection, token)
            assert desk is not None
            while (task := desk.next()) and task.duty == "judge":
                desk.answer(task.place, says[name], comment=f"because {says[name]}")
        with collection.database.read() as session:
            rows = session.rows("SELECT item, assessor FROM tasks WHERE duty = 'arbitrate'")
            judged = set(session.rows("SELECT item, assessor FROM tasks WHERE duty = 'judge'"))
        assert rows and not judged & set(rows)
        assert arbitrate(collection) == (len(rows), 0)
        third = Desk.of(collection, tokens["s3"])
        assert third is not None
        task = third.next()
        assert task is not None and task.duty == "arbitrate"
        assert third.remarks(task) == ["because no", "because yes"]
        third.answer(task.place, "yes")
        with collection.database.read() as session:
            item, said = next((i, s) for i, s in all_said(session) if i.number == task.item.number)
        assert final("near", item, said) == {item.articles: True}


def test_who_changes_their_mind_leaves_nothing_to_settle(tmp_path: Path) -> None:
    with made(tmp_path / "c.db", [("x", "y")]) as collection:
        tokens = hire(collection, ["s1", "s2", "s3"])
        assign(collection, groups=1, controls=0)
        with collection.database.read() as session:
            people = [
                n for (n,) in session.rows("SELECT s.name FROM tasks t JOIN assessors s ON s.number = t.assessor")
            ]
        one, other = (Desk.of(collection, tokens[name]) for name in people)
        assert one and other
        one.answer(1, "yes")
        other.answer(1, "no")
        (free,) = set(tokens) - set(people)
        arbiter = Desk.of(collection, tokens[free])
        assert arbiter is not None and arbiter.next() is not None
        other.answer(1, "yes")
        assert arbiter.next() is None
        assert arbitrate(collection) == (0, 0)


def test_a_second_pass_is_done_by_another(tmp_path: Path) -> None:
    with made(tmp_path / "c.db", [("x", "y"), ("x", "z")]) as collection:
        tokens = hire(collection, ["s1", "s2"])
        assign(collection, controls=0)
        for token in tokens.values():
            judge(collection, token, lambda _: "yes")
        with pytest.raises(ParameterError, match="second pass"):
            second_pass(collection)
        tokens |= hire(collection, ["s3"])
        assert second_pass(collection) == 2
        assert judge(collection, tokens["s3"], lambda _: "no") == 2
        with collection.database.read() as session:
            for item, said in all_said(session):
                assert [each.duty for each in said] == ["judge", "judge", "second"]
                assert final("near", item, said) == {item.articles: True}, "two of three"


def test_lists_go_to_teams_week_by_week_and_are_settled_by_the_other_team(tmp_path: Path) -> None:
    articles = pile(40)
    with Collection.new(tmp_path / "c.db", "near", "queries", articles) as collection:
        with collection.database.write() as session:
            wanted = [Wanted(tuple(f"a{n + at:04}" for at in range(5)), query=f"q{n}") for n in range(8)]
            put(session, Shape.LIST, wanted, note_run(session, "search", "first 5", 8))
        tokens = {**hire(collection, ["a1", "a2"], "A"), **hire(collection, ["b1", "b2"], "B")}
        assert assign(collection, a_week=2, controls=0) == 8
        items = collection.items("role = 'work'")
        assert Counter((item.team, item.week) for item in items) == Counter(
            {("A", 1): 2, ("B", 1): 2, ("A", 3): 2, ("B", 3): 2}
        )

        def rule(name: str) -> Callable[[Task], str]:
            def answer(task: Task) -> str:
                ids = list(task.item.articles)
                return json.dumps([ids[:2], ids[2:4]] if name in ("a1", "b1", "b2") else [ids[:2]])

            return answer

        for name, token in tokens.items():
            desk = Desk.of(collection, token)
            assert desk is not None
            while (task := desk.next()) and task.duty == "judge":
                desk.answer(task.place, rule(name)(task))
        with collection.database.read() as session:
            settled = session.rows(
                "SELECT s.team, i.team FROM tasks t JOIN assessors s ON s.number = t.assessor"
                " JOIN items i ON i.number = t.item WHERE t.duty = 'arbitrate'"
            )
        assert settled == [("B", "A")] * 4
        desk = Desk.of(collection, tokens["a1"])
        assert desk is not None
        for wrong in ([["a0000", "a0000"]], [["nobody", "a0001"]], "[", [1], {"a": 1}):
            with pytest.raises(InputError):
                desk.answer(1, wrong)


def test_controls_are_hidden_among_the_work_and_known(tmp_path: Path) -> None:
    pairs = [(f"a{n:04}", f"a{n + 1:04}") for n in range(100)]
    with made(tmp_path / "c.db", pairs, "contains", pile(120)) as collection:
        tokens = hire(collection, ["s1", "s2"])
        assign(collection, groups=4, controls=0.1)
        desk = Desk.of(collection, tokens["s1"])
        assert desk is not None and desk.progress().all >= 104
        kinds = set()
        while task := desk.next():
            desk.answer(task.place, task.item.known or "none")
            kinds.add((task.item.known, len(set(task.item.articles))))
        assert kinds == {(None, 2), ("both", 1), ("none", 2)}


def test_a_page_that_is_open_never_becomes_one_about_another_item(tmp_path: Path) -> None:
    with made(tmp_path / "c.db", [("x", "y"), ("x", "z")]) as collection:
        tokens = hire(collection, ["s1", "s2"])
        assign(collection, groups=2, controls=0)
        tokens |= hire(collection, ["s3"])
        one, other, third = (Desk.of(collection, token) for token in tokens.values())
        assert one and other and third
        places = {task.item.articles: task.place for desk in (one,) for task in [desk.task(1), desk.task(2)] if task}
        theirs = {task.item.articles: task.place for task in [other.task(1), other.task(2)] if task}
        one.answer(places["x", "y"], "yes")
        other.answer(theirs["x", "y"], "no")
        first = third.next()
        assert first is not None and first.item.articles == ("x", "y")
        other.answer(theirs["x", "y"], "yes")  # nothing is to be settled any more
        one.answer(places["x", "z"], "yes")
        other.answer(theirs["x", "z"], "no")
        second = third.next()
        assert second is not None and second.place != first.place
        # a page that was open still brings its answer, which counts where it is needed again
        assert third.task(first.place) is None
        assert third.answer(first.place, "yes").task.item.articles == ("x", "y")
        assert [line["label"] for line in gold(collection).lines if line["b"] == "y"] == [1]
        third.answer(first.place, None)
        other.answer(theirs["x", "y"], "no")
        again = third.task(first.place)
        assert again is not None and (again.item.articles, again.state) == (("x", "y"), "done")
        assert [(line["label"], line["arbiter"]) for line in gold(collection).lines if line["b"] == "y"] == [
            (1, ["s3", 1])
        ]


def test_what_is_skipped_that_nobody_has_to_settle_any_more_does_not_come_back(tmp_path: Path) -> None:
    with made(tmp_path / "c.db", [("x", "y")]) as collection:
        tokens = hire(collection, ["s1", "s2"])
        assign(collection, groups=1, controls=0)
        tokens |= hire(collection, ["s3"])
        one, other, third = (Desk.of(collection, token) for token in tokens.values())
        assert one and other and third
        one.answer(1, "yes")
        other.answer(1, "no")
        assert third.next() is not None
        other.answer(1, "yes")
        third.answer(1, None, comment="hard")
        assert third.next() is None and third.task(1) is None


def test_nothing_is_decided_before_all_who_were_asked_have_answered(tmp_path: Path) -> None:
    with made(tmp_path / "c.db", [("x", "y")]) as collection:
        tokens = hire(collection, ["s1", "s2"])
        assign(collection, controls=0)
        judge(collection, tokens["s1"], lambda _: "yes")
        assert (gold(collection).lines, gold(collection).undecided) == ([], 1)
        judge(collection, tokens["s2"], lambda _: "no")
        assert gold(collection).undecided == 1
        # whoever comes later settles what nobody could
        tokens |= hire(collection, ["s3"])
        assert assign(collection) == 0
        assert judge(collection, tokens["s3"], lambda _: "yes") == 1
        (line,) = gold(collection).lines
        assert (line["label"], line["arbiter"]) == (1, ["s3", 1])
        # who agree need nobody to settle it
        desk = Desk.of(collection, tokens["s1"])
        assert desk is not None
        desk.answer(1, "no")
        assert gold(collection).lines[0]["label"] == 0


def test_links_hold_and_teams_change(tmp_path: Path) -> None:
    with made(tmp_path / "c.db", [("x", "y")]) as collection:
        tokens = hire(collection, ["s1"])
        assert hire(collection, ["s1", "s2"], "A", renew=False).keys() == {"s2"}
        desk = Desk.of(collection, tokens["s1"])
        assert desk is not None and desk.assessor.team == "A"
        for wrong in ({"groups": 0}, {"judges": 0}, {"controls": 1}, {"a_week": 0}):
            with pytest.raises(ParameterError):
                assign(collection, **wrong)


def test_a_skipped_item_keeps_what_was_noted(tmp_path: Path) -> None:
    with made(tmp_path / "c.db", [("x", "y")]) as collection:
        tokens = hire(collection, ["s1", "s2"])
        assign(collection, controls=0)
        desk = Desk.of(collection, tokens["s1"])
        assert desk is not None
        desk.answer(1, None, comment="later", questionable=True)
        task = desk.task(1)
        assert task is not None and (task.state, task.comment, task.questionable, task.answer) == (
            "skipped",
            "later",
            True,
            None,
        )
        assert gold(collection).undecided == 1


def test_pairs_of_a_large_team_take_turns_and_weeks_go_on(tmp_path: Path) -> None:
    with Collection.new(tmp_path / "c.db", "near", "queries", pile(40)) as collection:

        def add(first: int, count: int) -> None:
            with collection.database.write() as session:
                wanted = [
                    Wanted(tuple(f"a{n + at:04}" for at in range(5)), query=f"q{n}")
                    for n in range(first, first + count)
                ]
                put(session, Shape.LIST, wanted, note_run(session, "search", "first 5", count))

        hire(collection, ["a1", "a2", "a3"], "A")
        hire(collection, ["b1", "b2"], "B")
        add(0, 8)
        assign(collection, a_week=2)
        add(8, 4)
        assign(collection, a_week=2)
        weeks = Counter((item.team, item.week) for item in collection.items("role = 'work'"))
        assert weeks == Counter({(team, week): 2 for team in "AB" for week in (1, 3, 5)})


def test_what_is_decided_stays_when_later_work_goes_to_more_people(tmp_path: Path) -> None:
    with made(tmp_path / "c.db", [("x", "y")]) as collection:
        tokens = hire(collection, ["s1", "s2", "s3"])
        assign(collection, controls=0)
        for token in tokens.values():
            judge(collection, token, lambda _: "yes")
        assert [line["label"] for line in gold(collection).lines] == [1]
        assert assign(collection, judges=3) == 0
        assert [line["label"] for line in gold(collection).lines] == [1]


def test_a_slip_in_an_exercise_can_be_mended(tmp_path: Path) -> None:
    with made(tmp_path / "c.db", [("x", "y")]) as collection:
        exercise(collection, {("y", "x"): "yes"}, why={("y", "x"): "one wire"})
        assert exercise(collection, {("x", "y"): "no"}) == 1
        (item,) = collection.items("role = 'exercise'")
        assert (item.known, item.why) == ("no", None)


def test_disagreements_that_nobody_can_settle_are_told(tmp_path: Path) -> None:
    with made(tmp_path / "c.db", [("x", "y"), ("y", "z")]) as collection:
        tokens = hire(collection, ["s1", "s2"])
        assign(collection, groups=1, controls=0)
        judge(collection, tokens["s1"], lambda _: "yes")
        judge(collection, tokens["s2"], lambda _: "no", most=1)
        assert status(collection).unsettled == 0
        judge(collection, tokens["s2"], lambda _: "no")
        assert status(collection).unsettled == 2
        hire(collection, ["s3"])
        assign(collection)
        assert status(collection).unsettled == 0
