"""Difference sets: all of a cluster is shown, what contradicts itself is left out, and every set has its counts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from samestory import Article, ParameterError
from samestory.lab.collection import Collection, assign, hire
from samestory.lab.collection.difference import add_clusters, difference
from samestory.lab.collection.export import gold
from samestory.lab.collection.sets import DetectorCounts, count_by_detector
from samestory.lab.collection.status import status
from tests.archive.news import story
from tests.conftest import Runner
from tests.lab.collection.work import judge, pile

Groups = Mapping[str, list[set[str]]]


def clusters(groups: Groups) -> list[tuple[str, dict[str, tuple[str, ...]]]]:
    """The clusters of detectors as they are taken."""
    return [
        (name, {id: tuple(sorted(group, key=int)) for group in found for id in group}) for name, found in groups.items()
    ]


def numbered(path: Path, count: int) -> Collection:
    """A collection of articles 1, 2, 3 and so on."""
    return Collection.new(path, "near", "difference", [Article(str(n + 1), f"Text {n}") for n in range(count)])


def decided(collection: Collection, duplicates: set[tuple[str, ...]]) -> None:
    """Two people call these duplicates, each beside these others, and all else unique."""
    tokens = hire(collection, ["s1", "s2"])
    assign(collection, controls=0)
    for token in tokens.values():
        judge(collection, token, lambda task: "yes" if task.item.articles in duplicates else "no")


def in_groups(collection: Collection) -> set[frozenset[str]]:
    found: dict[str, set[str]] = {}
    for line in gold(collection).lines:
        found.setdefault(line["cluster"], set()).add(line["id"])
    return {frozenset(group) for group in found.values()}


def test_a_large_cluster_is_shown_in_full(tmp_path: Path) -> None:
    known = [Article(f"near{n:02}", f"{story(2, 12)} And {n} more words of its own.") for n in range(35)]
    with Collection.new(tmp_path / "c.db", "near", "difference", known) as collection:
        assert difference(collection, ["exact", "minhash"]).judged == 35
        assert {len(item.articles) for item in collection.items("role = 'work'")} == {35}
        decided(collection, {item.articles for item in collection.items("role = 'work'")})
        assert in_groups(collection) == {frozenset(each.id for each in known)}


def test_articles_flagged_by_all_are_one_group(tmp_path: Path) -> None:
    known = [*(Article(f"same{n:02}", story(3)) for n in range(30)), *pile(2)]
    with Collection.new(tmp_path / "c.db", "near", "difference", known) as collection:
        assert difference(collection, ["exact", "minhash"]).duplicates == 30
        assert in_groups(collection) == {
            frozenset(f"same{n:02}" for n in range(30)),
            frozenset({"a0000"}),
            frozenset({"a0001"}),
        }
        assert len(collection.items("role = 'assumed'")) <= 2, (
            "a cluster is kept once, not once for each of its articles"
        )


#: As {articles that two called a duplicate, each beside others}: the groups of gold, and who contradicts whom.
CONTRADICTIONS = {
    "two call each other different things": ({("1", "2")}, [{"3"}], 2),
    "each is the same as the other": ({("1", "2"), ("2", "1")}, [{"1", "2"}, {"3"}], 0),
    "neither": (set[tuple[str, ...]](), [{"1"}, {"2"}, {"3"}], 0),
}


@pytest.mark.parametrize("name", CONTRADICTIONS)
def test_a_pair_that_is_judged_from_both_sides(tmp_path: Path, name: str) -> None:
    yes, groups, contested = CONTRADICTIONS[name]
    with numbered(tmp_path / "c.db", 3) as collection:
        add_clusters(collection, clusters({"one": [{"1", "2"}], "none": []}), ["1", "2", "3"])
        decided(collection, yes)
        assert in_groups(collection) == {frozenset(group) for group in groups}
        found = gold(collection)
        assert (found.contested, found.undecided, status(collection).contested) == (contested, 0, contested)


def test_one_article_beside_several_clusters(tmp_path: Path) -> None:
    sets = [{"1", "2"}, {"1", "3", "4"}, {"5", "6"}, {"5", "6", "7"}, {"8", "9", "10"}]
    everyone = [str(n + 1) for n in range(10)]
    with numbered(tmp_path / "c.db", 10) as collection:
        for group in sets:
            add_clusters(collection, clusters({"one": [group], "none": []}), everyone)
        yes = {
            *(("1", "2"), ("2", "1")),  # and unique beside 3 and 4: both are true
            *(("3", "1", "4"), ("4", "1", "3")),  # each must mean the other, as 1 is different
            ("5", "6"),  # and unique beside 6 and 7: not both are true
            ("7", "5", "6"),  # but 5 and 6 were both called different from it
            *(("8", "9", "10"), ("9", "8", "10")),
        }
        decided(collection, yes)
        assert in_groups(collection) == {frozenset(each) for each in ({"1", "2"}, {"3", "4"}, {"8", "9"}, {"10"})}
        assert gold(collection).contested == 3
        lines = {line["id"]: line for line in gold(collection).lines}
        assert sorted(lines["1"]["assessors"]) == [["s1", 0], ["s1", 1], ["s2", 0], ["s2", 1]]
        assert lines["1"]["pool"] == ["one"]


def test_a_group_never_contains_two_articles_judged_different(tmp_path: Path) -> None:
    everyone = ["1", "2", "3"]
    with numbered(tmp_path / "c.db", 3) as collection:
        for group in ({"1", "2"}, {"2", "3"}, {"1", "3"}):
            add_clusters(collection, clusters({"one": [group], "none": []}), everyone)
        # 1 is 2, 2 is 3, and 1 is not 3
        decided(collection, {("1", "2"), ("2", "1"), ("2", "3"), ("3", "2")})
        assert (in_groups(collection), gold(collection).contested) == ({frozenset({"2"})}, 2)


IMATCH = [{"1", "4", "7"}, {"2", "6"}, {"5", "11", "18"}, {"9", "16", "17"}]
TWEEZER = [{"3", "4", "7"}, {"2", "6", "15"}, {"5", "18"}, {"8", "9", "16", "19"}]


def test_the_worked_example_of_the_study(tmp_path: Path, samestory: Runner) -> None:
    """Twenty articles; people accept 3, 11 and 15 of the seven that one of two detectors flags."""
    everyone = [str(n + 1) for n in range(20)]
    path = tmp_path / "c.db"
    with numbered(path, 20) as collection:
        found = add_clusters(collection, clusters({"imatch": IMATCH, "tweezer": TWEEZER}), everyone)
        assert (found.duplicates, found.unique, found.judged) == (8, 5, 7)
        before = count_by_detector(collection)
        assert [each.undecided for each in before] == [7, 7]
        assert [(each.a, each.b, each.c, each.d) for each in before] == [(8, 0, 0, 5)] * 2
        shown = {item.articles for item in collection.items("role = 'work'")}
        decided(collection, {articles for articles in shown if articles[0] in ("3", "11", "15")})
        one, other = count_by_detector(collection)
        assert one == DetectorCounts(1, 20, "imatch", 9, 2, 2, 7, 0)
        assert other == DetectorCounts(1, 20, "tweezer", 10, 2, 1, 7, 0)
        assert (one.miss, one.false_alarm) == (2 / 11, 2 / 9)
        # another set has counts of its own, and takes what was judged before where it shows the same
        add_clusters(collection, clusters({"imatch": IMATCH[:1], "third": [{"4", "7"}]}), ["1", "4", "7", "20"])
        assert count_by_detector(collection)[:2] == [one, other]
        assert [(each.a, each.b, each.c, each.d, each.undecided) for each in count_by_detector(collection)[2:]] == [
            (2, 1, 0, 1, 0),
            (2, 0, 0, 2, 0),
        ]
    done = samestory("collection", "status", path)
    assert "set 1 of 20 articles, tweezer: a 10, b 2, c 1, d 7; miss 0.0909, false alarm 0.2222" in done.out
    assert [each["c"] for each in json.loads(samestory("collection", "status", path, "--json").out)["sets"]] == [
        2,
        1,
        0,
        0,
    ]


def test_invalid_clusters_from_elsewhere_are_refused(tmp_path: Path) -> None:
    with numbered(tmp_path / "c.db", 3) as collection:
        for groups, among in (
            ({"one": []}, ["1"]),
            ({"one": [], "two": [{"1", "3"}]}, ["1"]),
            ({"one": [], "two": []}, ["9"]),
        ):
            with pytest.raises(ParameterError):
                add_clusters(collection, clusters(groups), among)


def test_an_article_beside_two_clusters_is_two_items_to_decide(tmp_path: Path) -> None:
    with numbered(tmp_path / "c.db", 4) as collection:
        for other in ("2", "3"):
            add_clusters(collection, clusters({"x": [{"1", other}], "y": []}), ["1", "2", "3", "4"])
        found = status(collection)
        assert (found.items, found.decided, found.undecided) == (4, 0, 4)
