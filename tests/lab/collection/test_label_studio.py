"""Label Studio round trip: duties, comments, questionable marks, times and groups survive."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from samestory import Article
from samestory.lab.collection import AssessorSession, Collection, assign, hire, second_pass
from samestory.lab.collection.agreement import agreement, json_lines
from samestory.lab.collection.discussion import add_discussion_note
from samestory.lab.collection.export import documents, gold, judgements
from samestory.lab.collection.label_studio import tasks
from samestory.lab.collection.label_tasks import import_tasks
from samestory.lab.collection.pool import pool
from samestory.lab.collection.status import status
from tests.archive.news import news
from tests.lab.collection.work import made


@pytest.fixture
def judged(tmp_path: Path) -> Collection:
    """A collection in which everything has happened: two judges, a second pass, arbiters, comments, talks."""
    articles = [
        Article(one["id"], one["text"], f"Story {n}", one["published"], f"https://x.example/{n}", "the wire", "en")
        for n, one in enumerate(news(3, 40))
    ]
    collection = Collection.new(tmp_path / "c.db", "contains", "pool", articles)
    pool(collection, ["minhash", "exact"])
    tokens = hire(collection, ["s1", "s2"])
    assign(collection, groups=3, controls=0)
    draw = Random(4)

    def work(names: tuple[str, ...]) -> None:
        for name in names:
            assessor = AssessorSession.from_token(collection, tokens[name])
            assert assessor is not None
            while task := assessor.next():
                answer = draw.choice(["a>b", "both", "both", "none"])
                doubts = draw.random() < 0.2
                assessor.answer(
                    task.place, answer, None, f"{name} of {task.place}\nsaid so" * doubts, doubts, draw.random() * 60
                )

    work(("s1", "s2"))
    tokens |= hire(collection, ["s3"])
    second_pass(collection)
    work(("s3",))
    tokens |= hire(collection, ["s4"])
    assign(collection)
    work(("s4",))
    add_discussion_note(collection, 1, "wanted", "why?")
    add_discussion_note(collection, 1, "done", "so it is")
    return collection


def snapshot(collection: Collection) -> dict[str, Any]:
    """All that can be known of a collection, by articles rather than by numbers."""
    lines = list(judgements(collection))
    left_out = ("judgement", "item", "nominated")
    articles = {line["item"]: tuple(line["articles"]) for line in lines}
    paired = {id for pair in articles.values() for id in pair}
    return {
        "gold": gold(collection),
        "judgements": sorted(
            [{k: v for k, v in line.items() if k not in left_out} for line in lines if line["holds"]],
            key=lambda line: (line["articles"], line["assessor"]),
        ),
        "nominated": {articles[line["item"]]: sorted(map(str, line["nominated"])) for line in lines},
        "agreement": [line for line in json_lines(agreement(collection)) if '"item"' not in line],
        # of articles that are in no pair nothing goes
        "documents": {each["id"]: each for each in documents(collection) if each["id"] in paired},
        "talks": [(each.state, each.note, each.at) for each in status(collection).talked_over],
    }


def test_label_studio_round_trip(tmp_path: Path, judged: Collection) -> None:
    path = tmp_path / "tasks.json"
    with judged:
        before = snapshot(judged)
        moved = list(tasks(judged))
    duties = {each["result"][0]["meta"]["duty"] for task in moved for each in task["annotations"]}
    assert duties == {"judge", "second", "arbitrate"} and before["talks"]
    assert before["gold"].lines and {line["pass"] for line in before["gold"].lines} == {2}
    assert any("arbiter" in line for line in before["gold"].lines)
    path.write_text(json.dumps(moved), encoding="utf-8")
    with Collection.new(tmp_path / "d.db", "contains") as collection:
        found = import_tasks(collection, path)
        assert not found.broken and found.answers == len(before["judgements"])
        after = snapshot(collection)
        for name in before:
            assert after[name] == before[name], name
        again = import_tasks(collection, path)
        assert (again.pairs, again.answers) == (0, 0)
        assert snapshot(collection) == after
        # and once more round
        assert [{**each, "id": 0} for each in tasks(collection)] == [{**each, "id": 0} for each in moved]


def test_judged_pairs_stay_decided_and_others_are_assigned(tmp_path: Path) -> None:
    with made(tmp_path / "c.db", [("p", "q"), ("p", "r")]) as collection:
        tokens = hire(collection, ["s1"])
        assign(collection, groups=1, judges=1, controls=0)
        assessor = AssessorSession.from_token(collection, tokens["s1"])
        assert assessor is not None
        assessor.answer(1, "yes")
        (tmp_path / "t.json").write_text(json.dumps(list(tasks(collection))))
        before = gold(collection)
    with Collection.new(tmp_path / "d.db", "near") as collection:
        import_tasks(collection, tmp_path / "t.json")
        assert gold(collection) == before and len(before.lines) == 1
        hire(collection, ["s2"])
        assert assign(collection, judges=1, controls=0) == 1


@pytest.mark.parametrize(
    "meta",
    [
        5,
        {"duty": "king", "text": 7, "questionable": "yes"},
        {"duty": ["judge"], "text": [1, None, {"a": 1}]},
        {"text": "x" * 9000 + "\0"},
    ],
)
def test_invalid_metadata_does_no_harm(tmp_path: Path, meta: Any) -> None:
    data = {"a": "x", "b": "y", "text_a": "One.", "text_b": "Two.", "published_a": 7, "lang_b": ["en"]}
    result = [{"type": "choices", "value": {"choices": ["yes"]}, "meta": meta}]
    annotation = {"completed_by": 1, "result": result, "created_at": "never"}
    odd = {"group": True, "judges": -1, "nominated": [3, {"detector": 5}], "talks": [{"state": "shouted"}, "x"]}
    for about in (odd, 5, {"nominated": 7, "talks": {}}):
        (tmp_path / "t.json").write_text(json.dumps([{"data": data, "meta": about, "annotations": [annotation]}]))
        place = tmp_path / f"{abs(hash(str(about)))}.db"
        with Collection.new(place, "same") as collection:
            found = import_tasks(collection, tmp_path / "t.json")
            assert (found.pairs, found.answers, found.broken) == (1, 1, [])
            (line,) = judgements(collection)
            assert (line["duty"], line["questionable"], line["group"]) == ("judge", False, None)
            assert len(line["comment"] or "") <= 2000


def plain_task(a: str, text: str, **more: Any) -> dict[str, Any]:
    """A task with one article of this text."""
    return {"data": {"a": a, "b": "other", "text_a": text, "text_b": "Another text."}, "annotations": [], **more}


def test_one_id_with_two_texts_in_a_file_is_rejected(tmp_path: Path) -> None:
    path = tmp_path / "tasks.json"
    third = {"data": {"a": "x", "b": "z", "text_a": "Not the first text.", "text_b": "A third."}, "annotations": []}
    path.write_text(json.dumps([plain_task("x", "The first text."), third]))
    with Collection.new(tmp_path / "c.db", "near") as collection:
        imported = import_tasks(collection, path)
        assert (imported.pairs, imported.broken) == (1, ["task 2: the article 'x' has another text in an earlier task"])
        assert collection.articles(["x"])["x"].text == "The first text."


def test_lone_surrogates_and_infinite_scores_do_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "tasks.json"
    nominated = [{"detector": "d\ud800\0", "asked": "\udfff", "score": float("inf")}]
    talks = [{"state": "done", "note": "\ud800"}]
    choice = {"type": "choices", "value": {"choices": ["yes"]}, "meta": {"text": ["so\ud800"]}}
    annotations = [{"completed_by": 1, "result": [choice]}]
    one = plain_task("x", "The first text.", meta={"nominated": nominated, "talks": talks}) | {
        "annotations": annotations
    }
    path.write_text(json.dumps([one, plain_task("y", "The second text.")]))
    with Collection.new(tmp_path / "c.db", "near") as collection:
        imported = import_tasks(collection, path)
        assert (imported.pairs, imported.answers, imported.broken) == (2, 1, [])
        assert "Infinity" not in json.dumps(list(tasks(collection)))
