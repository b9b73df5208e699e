"""A collection that an older samestory made is opened, and nothing of it is lost."""

from __future__ import annotations

import json
import sqlite3
from importlib.resources import files
from pathlib import Path

from samestory.database.migrate import statements
from samestory.lab.collection import AssessorSession, Collection
from samestory.lab.collection.collection import MIGRATIONS
from samestory.lab.collection.export import gold
from samestory.lab.collection.people import sha256_hex
from samestory.lab.collection.status import status

MIGRATION_FILES = files("samestory.lab.collection").joinpath("migrations")


def old(path: Path, protocol: str, rows: dict[str, list[dict[str, object]]], **meta: str) -> None:
    """Create a collection with the tables of the first version."""
    with sqlite3.connect(path) as file:
        for statement in statements(MIGRATION_FILES.joinpath("0001.sql").read_text(encoding="utf-8"), "sqlite"):
            file.execute(statement)
        values = {
            "maker": "samestory collection",
            "version": "1",
            "relation": "near",
            "protocol": protocol,
            "seed": "0",
        }
        file.executemany("INSERT INTO meta VALUES (?, ?)", list((values | meta).items()))
        for table, lines in rows.items():
            for line in lines:
                marks = ", ".join("?" * len(line))
                file.execute(f"INSERT INTO {table} ({', '.join(line)}) VALUES ({marks})", list(line.values()))
    file.close()


def version(collection: Collection) -> str | None:
    return collection.setting("version")


def test_a_difference_collection_keeps_its_test_set(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    ids = ["c", "a", "b"]
    articles: list[dict[str, object]] = [{"id": id, "text": f"Text {id}."} for id in ids]
    assumed: dict[str, object] = {
        "shape": "cluster", "role": "assumed", "key": "k", "articles": '["a", "b"]', "known": "yes",
    }  # fmt: skip
    old(
        path,
        "difference",
        {"articles": [*articles, {"id": "d", "text": "Nobody looked."}], "items": [assumed]},
        **{"looked at": json.dumps(ids)},
    )
    with Collection.open(path) as collection:
        assert version(collection) == str(MIGRATIONS.newest) and collection.setting("looked at") is None
        assert [(line["id"], line["cluster"]) for line in gold(collection).lines] == [
            ("c", "c"),
            ("a", "a"),
            ("b", "a"),
        ]
        assert status(collection).sets == (), "who flagged what was not kept then"


def test_weeks_answers_and_links_survive_the_migration(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    articles: list[dict[str, object]] = [{"id": id, "text": f"Text {id}."} for id in "ab"]
    lists: list[dict[str, object]] = [
        {
            "shape": "list", "role": "work", "key": str(n), "articles": '["a", "b"]', "part": n, "query": f"q{n}",
            "week": week, "team": "A",
        }
        for n, week in ((1, 1), (2, 3))
    ]  # fmt: skip
    people: list[dict[str, object]] = [{"name": name, "token": sha256_hex(name), "team": "A"} for name in ("s1", "s2")]
    tasks: list[dict[str, object]] = [
        {
            "assessor": assessor,
            "item": item,
            "duty": "judge",
            "place": item,
            "turned": 0,
            "state": state,
            "judgement": judgement,
        }
        for assessor, item, state, judgement in ((1, 1, "done", 1), (1, 2, "open", None), (2, 1, "open", None))
    ]
    answer: dict[str, object] = {"task": 1, "answer": "[]", "comment": "x", "questionable": 0, "at": 5, "key": "k"}
    old(
        path,
        "queries",
        {"articles": articles, "items": lists, "assessors": people, "tasks": tasks, "judgements": [answer]},
    )
    for _ in range(2):
        with Collection.open(path) as collection:
            assessor = AssessorSession.from_token(collection, "s1")
            assert assessor is not None
            task = assessor.next()
            assert task is not None and task.item.query == "q2"
            assert [one["comment"] for one in assessor.history(1)] == ["x"]
            with collection.database.read() as session:
                assert session.rows("SELECT week FROM tasks ORDER BY number") == [(1,), (3,), (1,)]
