"""Controls of every shape: they have an obvious answer, are hidden, and misses are reported."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from samestory import Article
from samestory.lab.collection import AssessorSession, Collection, Shape, assign, hire
from samestory.lab.collection.agreement import agreement
from samestory.lab.collection.assessor_session import Task
from samestory.lab.collection.collection import NewItem, add_items
from samestory.lab.collection.controls import is_correct
from samestory.lab.collection.export import documents, gold
from samestory.lab.collection.status import status
from tests.lab.collection.work import made, pile


def tasks(collection: Collection, token: str) -> list[Task]:
    assessor = AssessorSession.from_token(collection, token)
    assert assessor is not None
    return [task for place in range(1, assessor.progress().all + 1) if (task := assessor.task(place))]


def test_any_number_of_controls_can_be_made(tmp_path: Path) -> None:
    """More than 400 controls are made, and every assessor gets a share in every group, up to the last."""
    articles = pile(1500, 4)
    pairs = [(articles[n % 1500].id, articles[(n + 1 + n // 1500) % 1500].id) for n in range(4500)]
    messages: list[str] = []
    with made(tmp_path / "c.db", pairs, articles=articles) as collection:
        hire(collection, ["s1", "s2"])
        assign(collection, groups=10, controls=0.1, report=messages.append)
        assert (status(collection).controls, messages) == (450, [])
        with collection.database.read() as session:
            controls = "SELECT number FROM items WHERE role = 'control'"
            sql = f"SELECT place FROM tasks WHERE item IN ({controls}) AND assessor = ?"
            places = [sorted(place for (place,) in session.rows(sql, (assessor,))) for assessor in (1, 2)]
        assert [len(own) for own in places] == [450, 450]
        assert all(own[-1] > 4950 - 495 for own in places), "the last group has some, too"


def test_too_few_controls_are_reported(tmp_path: Path) -> None:
    messages: list[str] = []
    alike = [Article(f"x{n}", "The ferry sinks before midnight.") for n in range(41)]
    pairs = [(f"x{n}", f"x{n + 1}") for n in range(40)]
    with made(tmp_path / "c.db", pairs, articles=alike) as collection:
        hire(collection, ["s1", "s2"])
        assign(collection, groups=1, controls=0.9, report=messages.append)
        found = {item.known for item in collection.items("role = 'control'")}
    assert found == {"yes"} and messages == ["only 21 of 36 controls could be made: too few unrelated articles"]


def test_clusters_have_controls(tmp_path: Path) -> None:
    articles = pile(40)
    with Collection.new(tmp_path / "c.db", "near", "difference", articles) as collection:
        with collection.database.write() as session:
            add_items(
                session, Shape.CLUSTER, [NewItem((f"a{n:04}", f"a{n + 1:04}", f"a{n + 2:04}")) for n in range(20)]
            )
        tokens = hire(collection, ["careful", "hasty"])
        assign(collection, groups=2, controls=0.2)
        hidden = [task.item for task in tasks(collection, tokens["hasty"]) if task.item.role == "control"]
        assert len(hidden) == 4 and {len(item.articles) for item in collection.items("role = 'control'")} == {3}
        for item in collection.items("role = 'control'"):
            assert (item.articles.count(item.articles[0]) == 2) == (item.known == "yes")
        assert {item.known for item in collection.items("role = 'control'")} == {"yes", "no"}
        for name, token in tokens.items():
            assessor = AssessorSession.from_token(collection, token)
            assert assessor is not None
            while task := assessor.next():
                wrong = {"yes": "no", "no": "yes"}[task.item.known or "no"]
                assessor.answer(task.place, wrong if name == "hasty" else task.item.known or "no")
        watched = {each.assessor: (each.controls, each.missed) for each in agreement(collection).watched}
        assert watched == {"careful": (4, 0), "hasty": (4, 4)}
        assert gold(collection).undecided == 20, "they are no work"


def lists(path: Path, count: int, size: int = 8) -> Collection:
    collection = Collection.new(path, "near", "queries", pile(60))
    with collection.database.write() as session:
        wanted = [NewItem(tuple(f"a{n + at:04}" for at in range(size)), query=f"q{n}") for n in range(count)]
        add_items(session, Shape.LIST, wanted)
    return collection


def test_controls_of_lists_have_a_planted_copy_and_an_unrelated_article(tmp_path: Path) -> None:
    with lists(tmp_path / "c.db", 40) as collection:
        tokens = {**hire(collection, ["a1", "a2"], "A"), **hire(collection, ["b1", "b2"], "B")}
        assign(collection, a_week=10, controls=0.1)
        for token in tokens.values():
            own = tasks(collection, token)
            controls = [task for task in own if task.item.role == "control"]
            assert (len(own), len(controls)) == (22, 2), "one in ten, and not one for every list"
            for task in controls:
                texts = [collection.articles([id])[id].text for id in task.articles]
                assert len(texts) == 8 and len(set(texts)) == 7 and task.item.query
            # the weeks count them, otherwise they would be recognisable
            assessor = AssessorSession.from_token(collection, token)
            assert assessor is not None
            far = assessor.progress().week
            assert far is not None
            for done in range(far.all):
                week = assessor.progress().week
                assert week is not None and (week.number, week.done) == (1, done)
                task = assessor.next()
                assert task is not None
                known = json.loads(task.item.known or '{"same": []}')
                assessor.answer(task.place, json.dumps([known["same"]]) if token != tokens["a1"] else "[]")
        found = {each.assessor: each for each in agreement(collection).watched}
        assert found["a1"].missed == found["a1"].controls and found["b1"].missed == 0
        # copies stand in no export and in no pool
        assert status(collection).articles == len(list(documents(collection))) == len(collection.articles()) == 60
        assert len(collection.categories()) == 60


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        ([["x", "copy"]], True),
        ([["copy", "x", "y"], ["z", "w"]], True),
        ([], False),
        ([["x", "y"], ["copy", "z"]], False),
        ([["x", "copy", "far"]], False),
        ([["x", "copy"], ["far", "y"]], False),
    ],
)
def test_only_the_planted_articles_of_a_list_are_checked(answer: list[list[str]], right: bool) -> None:
    known = json.dumps({"same": ["x", "copy"], "alone": ["far"]})
    assert is_correct(known, json.dumps(answer)) is right


def test_a_list_of_a_small_collection_has_no_controls(tmp_path: Path) -> None:
    messages: list[str] = []
    with Collection.new(tmp_path / "c.db", "near", "queries", pile(5)) as collection:
        with collection.database.write() as session:
            add_items(session, Shape.LIST, [NewItem(tuple(each.id for each in pile(5)), query="q")])
            session.run("UPDATE articles SET text = 'a b' WHERE id = 'a0000'")
        hire(collection, ["s1", "s2"])
        assert assign(collection, report=messages.append) == 1
    assert messages == ["only 0 of 2 controls could be made: too few unrelated articles"]
