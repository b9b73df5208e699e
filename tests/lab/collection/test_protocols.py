"""How items come into a collection, by every protocol; and how they leave it."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import pytest

from samestory import Article, InputError, ParameterError, relate
from samestory.archive import Archive
from samestory.lab.collection import AssessorSession, Collection, Shape, assign, hire
from samestory.lab.collection.agreement import agreement
from samestory.lab.collection.difference import difference
from samestory.lab.collection.events import import_labels
from samestory.lab.collection.export import documents, gold
from samestory.lab.collection.label_studio import interface, tasks
from samestory.lab.collection.label_tasks import import_tasks
from samestory.lab.collection.lists import add_lists, read_lists, search_lists
from samestory.lab.collection.pool import pool
from samestory.lab.collection.sample import sample_sets
from samestory.lab.evaluation import read_gold
from tests.archive.news import item, news, story
from tests.lab.collection.work import judge, made, pile


def articles(count: int = 80) -> list[Article]:
    return [
        Article(one["id"], one["text"], f"Story {n % 30}", one["published"]) for n, one in enumerate(news(3, count))
    ]


def keys(collection: Collection) -> set[tuple[str, ...]]:
    return {item.articles for item in collection.items("role = 'work'")}


def test_a_pool_contains_the_usual_output_of_its_detectors(tmp_path: Path) -> None:
    known = articles()
    names = ["codet", "minhash", "simhash", "exact", "dsc"]
    with Collection.new(tmp_path / "c.db", "contains", "pool", known) as collection:
        found = pool(collection, names)
        pairs = keys(collection)
        for name, each in zip(names, found, strict=True):
            usual = {tuple(sorted((r.left, r.right))) for r in relate(known, detector=name)}
            assert usual <= pairs
            assert each.usual == len(usual) <= each.found
        assert sum(each.new for each in found) == len(pairs)
        assert any(each.found > each.usual for each in found), "the nominating configuration is permissive"
        # the same again nominates nothing new, another only what is its own
        assert [each.new for each in pool(collection, ["minhash"])] == [0]
        before = len(pairs)
        (more,) = pool(collection, ["headlines"])
        assert len(keys(collection)) == before + more.new
        titles = {each.id: each.title for each in known}
        assert {pair for pair in combinations(sorted(titles), 2) if titles[pair[0]] == titles[pair[1]]} <= keys(
            collection
        )


def test_the_nominating_configuration_can_be_given_and_its_misses_are_reported(tmp_path: Path) -> None:
    known = articles()
    with Collection.new(tmp_path / "c.db", "near", "pool", known) as collection:
        (wide,) = pool(collection, ["minhash(threshold=0.7) | minhash(threshold=0.2)"])
        assert (wide.asked, wide.missed) == ("minhash(threshold=0.2)", 0)
        (narrow,) = pool(collection, ["minhash(threshold=0.3) | minhash(threshold=0.9)"])
        assert narrow.missed > 0 and narrow.found >= narrow.usual
        for wrong in (["absent"], ["minhash |"], ["minhash(threshold=7)"]):
            with pytest.raises(ParameterError):
                pool(collection, wrong)
    with Collection.new(tmp_path / "d.db", "near", "queries", known) as collection, pytest.raises(ParameterError):
        pool(collection, ["minhash"])


def test_only_what_some_detectors_flag_is_judged(tmp_path: Path) -> None:
    text = story(1)
    known = [
        *(Article(id, text, "Copies") for id in ("same1", "same2")),
        *(Article(f"near{n}", f"{story(2, 12)} And {n} more words of its own.", "Near") for n in range(2)),
        *(Article(f"alone{n}", each.text, each.title) for n, each in enumerate(pile(5, 80))),
    ]
    with Collection.new(tmp_path / "c.db", "near", "difference", known) as collection:
        found = difference(collection, ["exact", "minhash"])
        assert (found.duplicates, found.unique, found.judged, found.new) == (2, 5, 2, 2)
        assert keys(collection) == {("near0", "near1"), ("near1", "near0")}
        assert difference(collection, ["exact", "minhash"]).new == 0
        tokens = hire(collection, ["s1", "s2", "s3"])
        assign(collection, judges=3)
        for token in tokens.values():
            judge(collection, token, lambda _: "no")
        path = tmp_path / "gold.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in gold(collection).lines))
        read = read_gold(str(path))
        groups: dict[str, set[str]] = {}
        for id, name in zip(read.articles, read.groups, strict=True):
            groups.setdefault(name, set()).add(id)
        assert len(read) == len(known)
        assert {frozenset(each) for each in groups.values() if len(each) > 1} == {frozenset({"same1", "same2"})}
        assert read.protocol == "difference" and "both" in read.bias
        with pytest.raises(ParameterError):
            difference(collection, ["exact"])


def test_the_first_results_of_queries_are_lists(tmp_path: Path) -> None:
    known = pile(30)
    ids = [each.id for each in known]
    path = tmp_path / "results.jsonl"
    lines = [
        {"query": "one", "results": ids[:20]},
        {"query": "few", "results": ids[:7] * 3},
        {"query": "two", "results": ids[5:]},
    ]
    bad = ["{broken", json.dumps({"query": "none"}), json.dumps({"query": "x", "results": ["absent"]})]
    path.write_text("".join(f"{line}\n" for line in [*map(json.dumps, lines), *bad]))
    with Collection.new(tmp_path / "c.db", "fuzzy80", "queries", known) as collection:
        results, broken = read_lists(str(path), collection.categories())
        assert [line.split(":")[1] for line in broken] == ["4", "5", "6"]
        assert add_lists(collection, results, "search") == ["few"]
        lists = collection.items("role = 'work'")
        assert [(each.query, each.shape, len(each.articles)) for each in lists] == [
            ("one", Shape.LIST, 20),
            ("two", Shape.LIST, 20),
        ]
        with pytest.raises(ParameterError, match="absent"):
            add_lists(collection, {"q": ["absent", "x"]}, "search", 2)
        tokens = hire(collection, ["s1", "s2"])
        assign(collection)
        for token in tokens.values():
            judge(collection, token, lambda task: json.dumps([list(task.item.articles[:3])]))
        lines_of_gold = gold(collection).lines
        # three pairs are one set in the second list, and are none in the first: both lines of each are left out
        assert len(lines_of_gold) == 2 * 190 - 6
        assert sum(line["label"] for line in lines_of_gold) == 3
        assert {line["query"] for line in lines_of_gold} == {"one", "two"}


def test_lists_from_an_archive(tmp_path: Path) -> None:
    with (
        Archive.open(tmp_path / "news.db") as archive,
        Collection.new(tmp_path / "c.db", "near", "queries") as collection,
    ):
        archive.add([item(f"a{n}", f"The ferry number {n} sinks. {story(n % 4)}", 1 + n) for n in range(12)])
        assert search_lists(collection, archive, ["ferry", "zeppelin"], 5) == ["zeppelin"]
        (only,) = collection.items("role = 'work'")
        assert only.articles == tuple(f"a{n}" for n in (11, 10, 9, 8, 7)), "the newest first, not folded"


def test_imported_labels_are_gold(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    labels = [{"id": f"a{n:04}", "cluster": str(n // 3), "day": "2026-03-02"} for n in range(9)]
    path.write_text("".join(json.dumps(line) + "\n" for line in labels))
    with Collection.new(tmp_path / "c.db", "semantic", "events", pile(9)) as collection:
        assert import_labels(collection, str(path)) == (3, [])
        with pytest.raises(ParameterError, match="has the protocol 'events'"):
            pool(collection, ["exact"])
        lines = gold(collection).lines
        # days have groups of their own, what is broken is named, and new labels stand for the old ones
        again = [
            {"id": "a0000", "cluster": "1", "day": "2"},
            {"id": "a0001", "cluster": "1", "day": "3"},
            {"id": "x"},
            7,
        ]
        path.write_text("".join(json.dumps(line) + "\n" for line in again))
        many, broken = import_labels(collection, str(path))
        assert (many, len(broken)) == (2, 2)
        assert [line["cluster"] for line in gold(collection).lines] == ["2 1", "3 1"]
    assert [(line["id"], line["cluster"], line["day"]) for line in lines] == [
        (each["id"], each["cluster"], "2026-03-02") for each in labels
    ]


def test_test_sets_are_drawn_by_category() -> None:
    categories = {f"a{n}": "abc"[n % 3] if n < 90 else "d" for n in range(100)}
    first = sample_sets(categories, 5, 30, {"a": 10, "b": 15, "d": 5}, seed=4)
    assert (
        first
        == sample_sets(categories, 5, 30, {"a": 10, "b": 15, "d": 5}, seed=4)
        != sample_sets(categories, 5, 30, seed=4)
    )
    for one in first:
        assert len(set(one)) == 30
        assert [sum(categories[id] == name for id in one) for name in "abcd"] == [10, 15, 0, 5]
    for one in sample_sets(categories, 3, 20, seed=1):
        assert [sum(categories[id] == name for id in one) for name in "abcd"] == [6, 6, 6, 2]
    singles = sample_sets(categories, 4, 25, "single")
    assert [{categories[id] for id in one} for one in singles] == [{"a"}, {"b"}, {"c"}, {"a"}]
    for wrong in (
        {"sets": 0, "size": 5},
        {"sets": 1, "size": 500},
        {"sets": 1, "size": 5, "by_category": {"d": 5, "a": 1}},
    ):
        with pytest.raises(ParameterError):
            sample_sets(categories, **wrong)
    with pytest.raises(ParameterError):
        sample_sets(categories, 1, 50, "single")
    with pytest.raises(ParameterError):
        sample_sets(categories, 1, 5, {"absent": 5})


def test_pairs_move_to_label_studio_and_back(tmp_path: Path) -> None:
    pairs = [("p", "q"), ("r", "q"), ("p", "r")]
    random = Random(2)
    with made(tmp_path / "c.db", pairs, "contains") as collection:
        tokens = hire(collection, ["s1", "s2"])
        assign(collection, groups=1, controls=0)
        for token in tokens.values():
            judge(collection, token, lambda _: random.choice(["a>b", "b>a", "both", "none"]))
        moved = list(tasks(collection))
        choices = [each.get("value") for each in ElementTree.fromstring(interface(collection)).iter("Choice")]
        assert choices == ["a>b", "b>a", "both", "none"]
        before = gold(collection)
        kappa = agreement(collection).pooled
    path = tmp_path / "tasks.json"
    path.write_text(json.dumps([*moved, {"id": 9}, {"data": {"a": "x", "text_a": "only one"}}, "nonsense"]))
    with Collection.new(tmp_path / "d.db", "contains") as collection:
        found = import_tasks(collection, path)
        assert (found.pairs, found.answers) == (3, 6)
        assert [line.split(":")[0] for line in found.broken] == ["task 4", "task 5", "task 6"]
        assert [{**line, "pool": ["tester"], "group": 1} for line in gold(collection).lines] == before.lines
        again = agreement(collection).pooled
        assert again is not None and kappa is not None and again.cohen == kappa.cohen
        assert import_tasks(collection, path).answers == 0, "what is there is not kept twice"
        assert {each["id"] for each in documents(collection)} == {"p", "q", "r"}


def test_label_studio_users_get_pseudonyms(tmp_path: Path) -> None:
    data = {"id1": "x", "id2": "y", "text1": "One.", "text2": "Two."}
    annotation = {
        "completed_by": {"email": "someone@example.org"},
        "result": [{"type": "choices", "value": {"choices": ["yes"]}}],
    }
    (tmp_path / "t.json").write_text(json.dumps([{"data": data, "annotations": [annotation, {"was_cancelled": True}]}]))
    with Collection.new(tmp_path / "c.db", "same") as collection:
        assert import_tasks(collection, tmp_path / "t.json").answers == 1
    assert b"example.org" not in (tmp_path / "c.db").read_bytes()


def test_other_files_are_refused(tmp_path: Path) -> None:
    Archive.open(tmp_path / "news.db").close()
    with pytest.raises(InputError, match="no collection of samestory"):
        Collection.open(tmp_path / "news.db")
    with pytest.raises(InputError):
        Collection.open(tmp_path / "nothing.db")
    with Collection.new(tmp_path / "c.db", "near"), pytest.raises(InputError, match="already"):
        Collection.new(tmp_path / "c.db", "near")
    with pytest.raises(InputError, match="no archive of samestory"):
        Archive.open(tmp_path / "c.db")
    for wrong in (("nearly", "pool"), ("near", "guess")):
        with pytest.raises(ParameterError):
            Collection.new(tmp_path / "e.db", *wrong)
    assert not (tmp_path / "e.db").exists()


def test_a_session_opens_only_its_own_tasks(tmp_path: Path) -> None:
    with made(tmp_path / "c.db", [("x", "y")]) as collection:
        tokens = hire(collection, ["s1", "s2", "s3"])
        assign(collection, groups=1, controls=0)
        assessors = [AssessorSession.from_token(collection, token) for token in tokens.values()]
        assert sorted(0 if assessor is None or assessor.task(1) is None else 1 for assessor in assessors) == [0, 1, 1]


def test_difference_gold_leaves_out_undecided_articles(tmp_path: Path) -> None:
    known = [Article(f"near{n}", f"{story(2, 12)} And {n} more words of its own.", "Near") for n in range(2)]
    known += [Article(f"alone{n}", each.text, each.title) for n, each in enumerate(pile(5, 80))]
    with Collection.new(tmp_path / "c.db", "near", "difference", known) as collection:
        difference(collection, ["exact", "minhash"], ["near0", "near1", "alone0"])
        found = gold(collection)
        assert ([line["id"] for line in found.lines], found.undecided) == (["alone0"], 2)


def test_pairs_with_contradicting_lists_are_left_out(tmp_path: Path) -> None:
    ids = [each.id for each in pile(4)]
    with Collection.new(tmp_path / "c.db", "near", "queries", pile(4)) as collection:
        add_lists(collection, {"one": ids[:3], "two": ids[1:]}, "search", 3)
        tokens = hire(collection, ["s1", "s2"])
        assign(collection)
        for token in tokens.values():
            judge(collection, token, lambda task: json.dumps([ids[1:3]] if task.item.query == "one" else []))
        lines = gold(collection).lines
    assert {(line["a"], line["b"]) for line in lines} == {*combinations(ids, 2)} - {(ids[1], ids[2]), (ids[0], ids[3])}


def test_invalid_parameters_are_refused(tmp_path: Path) -> None:
    for protocol in ("queries", "difference", "events"):
        with pytest.raises(ParameterError, match="direction"):
            Collection.new(tmp_path / "c.db", "contains", protocol)


@pytest.mark.parametrize(
    "task",
    [
        {"annotations": 5},
        {"annotations": [{"completed_by": 1, "result": 5}]},
        {"annotations": [{"completed_by": 1, "result": [{"type": "choices", "value": ["yes"]}]}]},
        {"annotations": [{"completed_by": 1, "result": [{"type": "choices", "value": {"choices": 3}}]}]},
        {"annotations": [{"completed_by": "a\u0000", "result": [{"type": "choices", "value": {"choices": ["yes"]}}]}]},
        {"data": {"a": True, "b": "y", "text_a": "One.", "text_b": "Two."}},
        {"data": {"a": "x", "b": "y", "text_a": "Another text.", "text_b": "Two."}},
    ],
)
def test_an_invalid_task_is_skipped(tmp_path: Path, task: dict[str, object]) -> None:
    data = {"a": "x", "b": "y", "text_a": "One.", "text_b": "Two."}
    good = {"completed_by": 1, "lead_time": -3, "result": [{"type": "choices", "value": {"choices": ["yes"]}}]}
    (tmp_path / "t.json").write_text(json.dumps([{"data": data, **task}, {"data": data, "annotations": [good]}]))
    with Collection.new(tmp_path / "c.db", "same", articles=[Article("x", "One."), Article("y", "Two.")]) as collection:
        found = import_tasks(collection, tmp_path / "t.json")
        assert (len(found.broken), found.answers) == (1, 1)
        (tmp_path / "t.json").write_text("[" * 5000)
        with pytest.raises(InputError):
            import_tasks(collection, tmp_path / "t.json")


def test_imported_answers_complete_assigned_tasks(tmp_path: Path) -> None:
    with made(tmp_path / "c.db", [("p", "q"), ("p", "r")]) as collection:
        hire(collection, ["s1", "s2", "s3"])
        assign(collection, groups=1, controls=0)
        moved = list(tasks(collection))
        for each in moved:
            each["annotations"] = [
                {"completed_by": name, "result": [{"type": "choices", "value": {"choices": [answer]}}]}
                for name, answer in (("s1", "yes"), ("s2", "no"), ("s3", "no"))
            ]
        (tmp_path / "t.json").write_text(json.dumps(moved))
        assert import_tasks(collection, tmp_path / "t.json").answers == 6
        assert gold(collection).undecided == 0
