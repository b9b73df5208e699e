"""What judges disagree about is settled when a group or a week is judged, by others, and at no great cost."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from samestory.lab.collection import AssessorSession, Collection, arbitrate, assign, hire, second_pass
from samestory.lab.collection.assessor_session import Task
from samestory.lab.collection.status import status
from tests.conftest import Runner
from tests.lab.collection.work import judge, made, weekly


def session_of(collection: Collection, token: str) -> AssessorSession:
    found = AssessorSession.from_token(collection, token)
    assert found is not None
    return found


def to_settle(collection: Collection) -> int:
    with collection.database.read() as session:
        sql = "SELECT count(*) FROM tasks WHERE duty = 'arbitrate' AND state != 'withdrawn'"
        return int((session.one(sql) or (0,))[0])


def test_arbitration_of_a_group_starts_when_all_of_it_is_judged(tmp_path: Path) -> None:
    with made(tmp_path / "c.db", [(f"x{n}", f"y{n}") for n in range(8)]) as collection:
        tokens = hire(collection, ["s1", "s2"])
        assign(collection, groups=2, controls=0)
        tokens |= hire(collection, ["s3"])
        judge(collection, tokens["s1"], lambda _: "yes")
        for done in range(1, 9):
            judge(collection, tokens["s2"], lambda _: "no", 1)
            # the groups of an assessor follow each other
            assert to_settle(collection) == 4 * (done // 4), done
        third = session_of(collection, tokens["s3"])
        assert third.progress().all == 8
        # a changed answer withdraws only its own arbitration
        changed = session_of(collection, tokens["s2"]).task(1)
        assert changed is not None
        session_of(collection, tokens["s2"]).answer(1, "yes")
        assert to_settle(collection) == 7
        assert changed.item.number not in {task.item.number for place in range(1, 9) if (task := third.task(place))}


def test_skipped_items_delay_arbitration_unless_forced(tmp_path: Path, samestory: Runner) -> None:
    with made(tmp_path / "c.db", [("x", "y"), ("x", "z")]) as collection:
        tokens = hire(collection, ["s1", "s2"])
        assign(collection, groups=1, controls=0)
        judge(collection, tokens["s1"], lambda _: "yes")
        session_of(collection, tokens["s2"]).answer(1, None)
        session_of(collection, tokens["s2"]).answer(2, "no")
        hire(collection, ["s3"])
        assert (arbitrate(collection), to_settle(collection)) == ((0, 0), 0)
    done = samestory("collection", "assign", tmp_path / "c.db", "--settle-now")
    assert (done.code, "1 disagreement to be settled" in done.err) == (0, True)
    with Collection.open(tmp_path / "c.db") as collection:
        assert to_settle(collection) == 1


def two_sets(task: Task) -> str:
    ids = list(task.item.articles)
    return json.dumps([ids[:2], ids[2:4]])


def one_set(task: Task) -> str:
    return json.dumps([list(task.item.articles[:2])])


def test_a_week_is_settled_in_the_next_by_the_other_team(tmp_path: Path) -> None:
    collection, tokens = weekly(tmp_path / "c.db")
    with collection:
        judge(collection, tokens["a1"], two_sets, 2)
        judge(collection, tokens["a2"], one_set, 1)
        assert to_settle(collection) == 0, "the week is not done"
        judge(collection, tokens["a2"], one_set, 1)
        assert to_settle(collection) == 2
        weeks = {(each.assessor, each.duty, each.week): each.all for each in status(collection).work}
        assert weeks["b1", "arbitrate", 2] + weeks["b2", "arbitrate", 2] == 2
        # arbitration comes before the third week
        seen = list[tuple[str, int | None]]()
        other = session_of(collection, tokens["b1"])
        while task := other.next():
            seen.append((task.duty, task.item.week))
            week = other.progress().week
            assert week is not None and week.number == (task.item.week or 0) + (task.duty == "arbitrate")
            other.answer(task.place, two_sets(task))
        assert seen == [*[("judge", 1)] * 2, ("arbitrate", 1), *[("judge", 3)] * 2]
        assert other.progress().week is None


def test_the_week_and_the_day_are_counted(tmp_path: Path) -> None:
    collection, tokens = weekly(tmp_path / "c.db", 20, 10)
    with collection:
        own = session_of(collection, tokens["a1"])
        far = own.progress()
        assert far.week is not None
        assert (far.week.number, far.week.done, far.week.all, far.today, far.a_day) == (1, 0, 10, 0, 2)
        judge(collection, tokens["a1"], one_set, 3)
        own.answer(1, "[]")  # once more is no more
        far = own.progress()
        assert far.week is not None and (far.week.done, far.today) == (3, 3)
        with collection.database.write() as session:
            session.run("UPDATE judgements SET at = at - 48 * 3600 * 1000000")
        assert own.progress().today == 0


def test_an_unfinished_second_pass_changes_nothing(tmp_path: Path) -> None:
    with made(tmp_path / "c.db", [("x", "y"), ("x", "z")]) as collection:
        tokens = hire(collection, ["s1", "s2"])
        assign(collection, groups=1, controls=0)
        judge(collection, tokens["s1"], lambda _: "yes")
        judge(collection, tokens["s2"], lambda _: "yes")
        tokens |= hire(collection, ["s3"])
        second_pass(collection)
        tokens |= hire(collection, ["s4"])
        judge(collection, tokens["s3"], lambda _: "no", 1)
        assert to_settle(collection) == 0
        judge(collection, tokens["s3"], lambda _: "no")
        assert to_settle(collection) == 2 and session_of(collection, tokens["s4"]).progress().all == 2


@pytest.mark.parametrize("items", [40, 400])
def test_arbitration_runs_a_constant_number_of_queries(tmp_path: Path, items: int) -> None:
    with made(tmp_path / "c.db", [(f"x{n:04}", f"y{n:04}") for n in range(items)]) as collection:
        hire(collection, ["s1", "s2", "s3", "s4"])
        assign(collection, groups=4, controls=0)
        with collection.database.write() as session:
            columns = ("task", "answer", "questionable", "at", "key")
            rows = session.rows("SELECT number, item, assessor FROM tasks ORDER BY number")
            answers = [(n, "yes" if who % 2 else "no", 0, 1, str(n)) for n, _, who in rows]
            session.insert("judgements", columns, answers)
            session.run(
                "UPDATE tasks SET state = 'done', judgement = (SELECT number FROM judgements WHERE task = tasks.number)"
            )
        statements: Counter[str] = Counter()
        with collection.database.write():
            writer = collection.database._writer
            writer.set_trace_callback(lambda sql: statements.update([sql.split()[0]]))
            settled, unassigned = arbitrate(collection)
            writer.set_trace_callback(None)
        assert settled == to_settle(collection) > items / 4 and unassigned == 0
        assert statements["SELECT"] + statements["UPDATE"] < 30, statements
