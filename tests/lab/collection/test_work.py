"""Assignment and sessions: assessors work independently, and no answer is lost or counted twice."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from samestory import InputError, ParameterError
from samestory.lab.collection import AssessorSession, Collection, Shape, arbitrate, assign, exercise, hire, second_pass
from samestory.lab.collection.assessor_session import Task
from samestory.lab.collection.collection import NewItem, add_items, record_run
from samestory.lab.collection.export import gold
from samestory.lab.collection.people import sha256_hex
from samestory.lab.collection.status import status
from samestory.lab.collection.votes import final_decisions, items_with_judgements
from tests.lab.collection.work import judge, made, pile


@pytest.fixture
def pairs() -> list[tuple[str, str]]:
    return [(f"a{n:04}", f"a{n + 1:04}") for n in range(60)]


def test_every_item_is_assigned_to_two_and_work_is_balanced(tmp_path: Path, pairs: list[tuple[str, str]]) -> None:
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
        # items added later form groups of the same size, and no task is assigned twice
        with collection.database.write() as session:
            add_items(
                session,
                Shape.PAIR,
                [NewItem((f"a{n:04}", f"a{n + 2:04}")) for n in range(10)],
                record_run(session, "x", "x", 10),
            )
        assert assign(collection, controls=0) == 10
        assert {item.part for item in collection.items("part > 12")} == {13, 14}
        with pytest.raises(ParameterError, match="assessors are required"):
            assign(Collection.new(tmp_path / "d.db", "near"), judges=2)


def test_a_session_resumes_where_it_stopped(tmp_path: Path, pairs: list[tuple[str, str]]) -> None:
    path = tmp_path / "c.db"
    with made(path, pairs, articles=pile(61)) as collection:
        tokens = hire(collection, ["s1", "s2"])
        assign(collection, groups=4, controls=0)
        assert judge(collection, tokens["s1"], lambda _: "yes", 7) == 7
    with Collection.open(path) as collection:
        assessor = AssessorSession.from_token(collection, tokens["s1"])
        assert assessor is not None
        progress = assessor.progress()
        assert (progress.done, progress.all) == (7, 60)
        task = assessor.next()
        assert task is not None and task.place == 8
        assert AssessorSession.from_token(collection, "guessed") is None
        assert sha256_hex(tokens["s1"]) != tokens["s1"]
        new = hire(collection, ["s1"])
        assert (
            AssessorSession.from_token(collection, tokens["s1"]) is None
            and AssessorSession.from_token(collection, new["s1"]) is not None
        )


def test_answers_can_be_changed_and_the_old_ones_stay(tmp_path: Path) -> None:
    with made(tmp_path / "c.db", [("x", "y")], "contains") as collection:
        tokens = hire(collection, ["s1", "s2"])
        assign(collection, controls=0)
        assessor = AssessorSession.from_token(collection, tokens["s1"])
        assert assessor is not None
        task = assessor.next()
        assert task is not None
        assessor.answer(task.place, "a>b", comment="first", seconds=4)
        assessor.answer(task.place, "b>a", comment="second", questionable=True, seconds=1e9)
        assert [(e["answer"], e["comment"], e["seconds"]) for e in assessor.history(task.place)] == [
            ("a>b", "first", 4.0),
            ("b>a", "second", None),
        ]
        again = assessor.task(task.place)
        assert again is not None and (again.shown_answer, again.questionable) == ("b>a", True)
        # the stored answer is about x and y in this order, whichever is on the left
        assert again.answer == ("a>b" if again.turned else "b>a")
        assert assessor.articles(again)[0].id == ("y" if again.turned else "x")


def test_repeated_answers_are_stored_once_and_invalid_ones_refused(tmp_path: Path) -> None:
    with made(tmp_path / "c.db", [("x", "y"), ("x", "z")]) as collection:
        tokens = hire(collection, ["s1", "s2"])
        assign(collection, controls=0)
        assessor = AssessorSession.from_token(collection, tokens["s1"])
        assert assessor is not None
        assert [assessor.answer(1, "yes", key="k").new for _ in range(3)] == [True, False, False]
        assert len(assessor.history(1)) == 1
        for wrong in ("maybe", "a>b", "", 1, ["yes"]):
            with pytest.raises(InputError):
                assessor.answer(2, wrong)
        for place in (0, -1, 3, 10**12):
            assert assessor.task(place) is None
            with pytest.raises(InputError):
                assessor.answer(place, "yes")
        other = AssessorSession.from_token(collection, tokens["s2"])
        assert other is not None and other.history(1) == []


def test_skipped_tasks_come_last(tmp_path: Path) -> None:
    with made(tmp_path / "c.db", [("x", "y"), ("x", "z"), ("y", "z")]) as collection:
        tokens = hire(collection, ["s1", "s2"])
        assign(collection, controls=0)
        assessor = AssessorSession.from_token(collection, tokens["s1"])
        assert assessor is not None
        assessor.answer(1, None)
        seen = []
        while task := assessor.next():
            seen.append(task.place)
            assessor.answer(task.place, "no")
        assert seen == [2, 3, 1]
        assert assessor.neighbours(2) == (1, 3) and assessor.neighbours(1) == (None, 2)


def test_exercises_come_first_and_return_the_correct_answer(tmp_path: Path) -> None:
    with made(tmp_path / "c.db", [("x", "y"), ("x", "z")], "contains") as collection:
        assert exercise(collection, {("y", "x"): "a>b", ("x", "z"): "none"}) == 2
        with pytest.raises(ParameterError, match="absent"):
            exercise(collection, {("x", "absent"): "none"})
        with pytest.raises(InputError):
            exercise(collection, {("x", "y"): "yes"})
        tokens = hire(collection, ["s1", "s2"])
        assign(collection, controls=0)
        assessor = AssessorSession.from_token(collection, tokens["s1"])
        assert assessor is not None
        assert assessor.progress().exercises == 2
        assert assessor.task(1) is None, "work waits"
        first = assessor.next()
        assert first is not None and first.duty == "exercise"
        with pytest.raises(InputError):
            assessor.answer(first.place, None)
        result = assessor.answer(first.place, "none")
        # y contains x: the answer depends on which of them is first on the page
        assert result.right == ("a>b" if first.articles == ("y", "x") else "b>a")
        second = assessor.next()
        assert second is not None and assessor.answer(second.place, "none").right == "none"
        third = assessor.next()
        assert third is not None and third.duty == "judge"
        with collection.database.read() as session:
            assert all(not judgements for _, judgements in items_with_judgements(session)), "exercises are not votes"


def test_disagreements_go_to_an_arbiter_without_names(tmp_path: Path) -> None:
    pairs = [(f"x{n}", f"y{n}") for n in range(12)]
    with made(tmp_path / "c.db", pairs) as collection:
        tokens = hire(collection, ["s1", "s2", "s3"])
        assign(collection, groups=6, controls=0)
        says = {"s1": "yes", "s2": "no", "s3": "no"}
        for name, token in tokens.items():
            assessor = AssessorSession.from_token(collection, token)
            assert assessor is not None
            while (task := assessor.next()) and task.duty == "judge":
                assessor.answer(task.place, says[name], comment=f"because {says[name]}")
        with collection.database.read() as session:
            rows = session.rows("SELECT item, assessor FROM tasks WHERE duty = 'arbitrate'")
            judged = set(session.rows("SELECT item, assessor FROM tasks WHERE duty = 'judge'"))
        assert rows and not judged & set(rows)
        assert arbitrate(collection) == (len(rows), 0)
        third = AssessorSession.from_token(collection, tokens["s3"])
        assert third is not None
        task = third.next()
        assert task is not None and task.duty == "arbitrate"
        assert third.remarks(task) == ["because no", "because yes"]
        third.answer(task.place, "yes")
        with collection.database.read() as session:
            item, judgements = next((i, s) for i, s in items_with_judgements(session) if i.number == task.item.number)
        assert final_decisions("near", item, judgements) == {item.articles: True}


def test_a_changed_answer_withdraws_the_arbitration(tmp_path: Path) -> None:
    with made(tmp_path / "c.db", [("x", "y")]) as collection:
        tokens = hire(collection, ["s1", "s2", "s3"])
        assign(collection, groups=1, controls=0)
        with collection.database.read() as session:
            people = [
                n for (n,) in session.rows("SELECT s.name FROM tasks t JOIN assessors s ON s.number = t.assessor")
            ]
        one, other = (AssessorSession.from_token(collection, tokens[name]) for name in people)
        assert one and other
        one.answer(1, "yes")
        other.answer(1, "no")
        (free,) = set(tokens) - set(people)
        arbiter = AssessorSession.from_token(collection, tokens[free])
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
            for item, judgements in items_with_judgements(session):
                assert [each.duty for each in judgements] == ["judge", "judge", "second"]
                assert final_decisions("near", item, judgements) == {item.articles: True}, "two of three"


def test_lists_go_to_teams_week_by_week_and_are_settled_by_the_other_team(tmp_path: Path) -> None:
    articles = pile(40)
    with Collection.new(tmp_path / "c.db", "near", "queries", articles) as collection:
        with collection.database.write() as session:
            wanted = [NewItem(tuple(f"a{n + at:04}" for at in range(5)), query=f"q{n}") for n in range(8)]
            add_items(session, Shape.LIST, wanted, record_run(session, "search", "first 5", 8))
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
            assessor = AssessorSession.from_token(collection, token)
            assert assessor is not None
            while (task := assessor.next()) and task.duty == "judge":
                assessor.answer(task.place, rule(name)(task))
        with collection.database.read() as session:
            settled = session.rows(
                "SELECT s.team, i.team FROM tasks t JOIN assessors s ON s.number = t.assessor"
                " JOIN items i ON i.number = t.item WHERE t.duty = 'arbitrate'"
            )
        assert settled == [("B", "A")] * 4
        assessor = AssessorSession.from_token(collection, tokens["a1"])
        assert assessor is not None
        for wrong in ([["a0000", "a0000"]], [["absent", "a0001"]], "[", [1], {"a": 1}):
            with pytest.raises(InputError):
                assessor.answer(1, wrong)


def test_controls_are_hidden_among_the_work_and_known(tmp_path: Path) -> None:
    pairs = [(f"a{n:04}", f"a{n + 1:04}") for n in range(100)]
    with made(tmp_path / "c.db", pairs, "contains", pile(120)) as collection:
        tokens = hire(collection, ["s1", "s2"])
        assign(collection, groups=4, controls=0.1)
        assessor = AssessorSession.from_token(collection, tokens["s1"])
        assert assessor is not None and assessor.progress().all >= 104
        kinds = set()
        while task := assessor.next():
            assessor.answer(task.place, task.item.known or "none")
            kinds.add((task.item.known, len(set(task.item.articles))))
        assert kinds == {(None, 2), ("both", 1), ("none", 2)}


def test_a_place_is_never_reused_for_another_item(tmp_path: Path) -> None:
    with made(tmp_path / "c.db", [("x", "y"), ("x", "z")]) as collection:
        tokens = hire(collection, ["s1", "s2"])
        assign(collection, groups=2, controls=0)
        tokens |= hire(collection, ["s3"])
        one, other, third = (AssessorSession.from_token(collection, token) for token in tokens.values())
        assert one and other and third
        places = {task.item.articles: task.place for task in [one.task(1), one.task(2)] if task}
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


def test_a_skipped_and_withdrawn_task_does_not_come_back(tmp_path: Path) -> None:
    with made(tmp_path / "c.db", [("x", "y")]) as collection:
        tokens = hire(collection, ["s1", "s2"])
        assign(collection, groups=1, controls=0)
        tokens |= hire(collection, ["s3"])
        one, other, third = (AssessorSession.from_token(collection, token) for token in tokens.values())
        assert one and other and third
        one.answer(1, "yes")
        other.answer(1, "no")
        assert third.next() is not None
        other.answer(1, "yes")
        third.answer(1, None, comment="hard")
        assert third.next() is None and third.task(1) is None


def test_nothing_is_decided_before_all_judges_have_answered(tmp_path: Path) -> None:
    with made(tmp_path / "c.db", [("x", "y")]) as collection:
        tokens = hire(collection, ["s1", "s2"])
        assign(collection, controls=0)
        judge(collection, tokens["s1"], lambda _: "yes")
        assert (gold(collection).lines, gold(collection).undecided) == ([], 1)
        judge(collection, tokens["s2"], lambda _: "no")
        assert gold(collection).undecided == 1
        # a new assessor settles the open disagreements
        tokens |= hire(collection, ["s3"])
        assert assign(collection) == 0
        assert judge(collection, tokens["s3"], lambda _: "yes") == 1
        (line,) = gold(collection).lines
        assert (line["label"], line["arbiter"]) == (1, ["s3", 1])
        # no arbitration if the judges agree
        assessor = AssessorSession.from_token(collection, tokens["s1"])
        assert assessor is not None
        assessor.answer(1, "no")
        assert gold(collection).lines[0]["label"] == 0


def test_links_stay_valid_and_teams_change(tmp_path: Path) -> None:
    with made(tmp_path / "c.db", [("x", "y")]) as collection:
        tokens = hire(collection, ["s1"])
        assert hire(collection, ["s1", "s2"], "A", renew=False).keys() == {"s2"}
        assessor = AssessorSession.from_token(collection, tokens["s1"])
        assert assessor is not None and assessor.assessor.team == "A"
        for wrong in ({"groups": 0}, {"judges": 0}, {"controls": 1}, {"a_week": 0}):
            with pytest.raises(ParameterError):
                assign(collection, **wrong)


def test_a_skipped_item_keeps_its_comment(tmp_path: Path) -> None:
    with made(tmp_path / "c.db", [("x", "y")]) as collection:
        tokens = hire(collection, ["s1", "s2"])
        assign(collection, controls=0)
        assessor = AssessorSession.from_token(collection, tokens["s1"])
        assert assessor is not None
        assessor.answer(1, None, comment="later", questionable=True)
        task = assessor.task(1)
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
                    NewItem(tuple(f"a{n + at:04}" for at in range(5)), query=f"q{n}")
                    for n in range(first, first + count)
                ]
                add_items(session, Shape.LIST, wanted, record_run(session, "search", "first 5", count))

        hire(collection, ["a1", "a2", "a3"], "A")
        hire(collection, ["b1", "b2"], "B")
        add(0, 8)
        assign(collection, a_week=2)
        add(8, 4)
        assign(collection, a_week=2)
        weeks = Counter((item.team, item.week) for item in collection.items("role = 'work'"))
        assert weeks == Counter({(team, week): 2 for team in "AB" for week in (1, 3, 5)})


def test_decisions_stay_when_later_work_has_more_judges(tmp_path: Path) -> None:
    with made(tmp_path / "c.db", [("x", "y")]) as collection:
        tokens = hire(collection, ["s1", "s2", "s3"])
        assign(collection, controls=0)
        for token in tokens.values():
            judge(collection, token, lambda _: "yes")
        assert [line["label"] for line in gold(collection).lines] == [1]
        assert assign(collection, judges=3) == 0
        assert [line["label"] for line in gold(collection).lines] == [1]


def test_the_answer_of_an_exercise_can_be_corrected(tmp_path: Path) -> None:
    with made(tmp_path / "c.db", [("x", "y")]) as collection:
        exercise(collection, {("y", "x"): "yes"}, why={("y", "x"): "one wire"})
        assert exercise(collection, {("x", "y"): "no"}) == 1
        (item,) = collection.items("role = 'exercise'")
        assert (item.known, item.why) == ("no", None)


def test_disagreements_without_an_arbiter_are_reported(tmp_path: Path) -> None:
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
