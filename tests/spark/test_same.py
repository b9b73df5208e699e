"""The law of the house on Spark: the same relations and groups as on one machine, for any detector and any dealing."""

from __future__ import annotations

import importlib
import json
import random
from pathlib import Path
from typing import Any

import pytest

import samestory
from samestory.cli import main
from samestory.groups import GroupingOptions
from tests.detectors.test_boilerplate import news as herald
from tests.news import short_reports
from tests.spark.conftest import MASTER, NEWS

pytestmark = pytest.mark.filterwarnings("ignore")

#: The default, sketches, one that weighs words, one of events, one that works in Python.
DETECTORS = ("reuse", "minhash", "cosine", "event", "fusion")


def lines(folder: Path, name: str, *words: str) -> tuple[list[str], list[str]]:
    """The sorted lines of groups and of relations that a command writes."""
    groups, relations = folder / f"{name}.groups", folder / f"{name}.relations"
    assert main(["find", *words, "--quiet", "-o", str(groups), "--relations", str(relations)]) == 0
    return sorted(groups.read_text().splitlines()), sorted(relations.read_text().splitlines())


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo's news with copies, versions of one source and common endings; in two files, the second packed."""
    rows = [json.loads(line) for line in Path(NEWS).read_text().splitlines()]
    chance = random.Random(7)
    more = []
    for at in range(120):
        row = dict(chance.choice(rows))
        words = row["text"].split()
        cut = chance.randrange(len(words))
        row["text"] = " ".join(words if at % 3 else [*words[: max(cut, 4)], "and", "others", "said"])
        more.append(
            {**row, "id": f"more-{at:03}", "source": chance.choice("AB"), "published": f"2024-05-0{1 + at % 9}"}
        )
    folder = tmp_path_factory.mktemp("corpus")
    (folder / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows + more[:60]))
    (folder / "b.jsonl").write_text("".join(json.dumps(row) + "\n" for row in more[60:]))
    return folder


@pytest.mark.parametrize("detector", DETECTORS)
def test_lines_are_those_of_one_machine(spark: Any, corpus: Path, tmp_path: Path, detector: str) -> None:
    files = (str(corpus / "a.jsonl"), str(corpus / "b.jsonl"), "-d", detector)
    many, one = lines(tmp_path, "many", *files, "--spark", MASTER), lines(tmp_path, "one", *files)
    assert many[0] == one[0]
    assert many[1] == one[1]


@pytest.mark.parametrize(
    "words",
    [
        ("--grouping", "components"),
        ("--grouping", "majority", "--join-parts", "--representative", "earliest"),
        ("--within", "2", "--grouping", "components"),
        ("--within", "1", "-d", "event"),
        ("--prefer", "B", "--representative", "latest", "--min-size", "2", "-d", "reuse(ceiling=9)"),
    ],
    ids=" ".join,
)
def test_whatever_is_chosen(spark: Any, corpus: Path, tmp_path: Path, words: tuple[str, ...]) -> None:
    files = (str(corpus / "a.jsonl"), str(corpus / "b.jsonl"), *words)
    assert lines(tmp_path, "many", *files, "--spark", MASTER, "--parts", "3") == lines(tmp_path, "one", *files)


def test_a_collection_of_more_articles_than_the_sample_of_a_calibration(spark: Any, tmp_path: Path) -> None:
    corpus = tmp_path / "news.jsonl"
    corpus.write_text("".join(json.dumps(row) + "\n" for row in short_reports(20_500)))
    files = (str(corpus), "-d", "event")
    many, one = lines(tmp_path, "many", *files, "--spark", MASTER), lines(tmp_path, "one", *files)
    assert many == one
    assert len(one[0]) > 6000


def test_new_against_old_and_what_people_decided(spark: Any, corpus: Path, tmp_path: Path) -> None:
    decisions = tmp_path / "decisions.jsonl"
    main(["decide", str(decisions), "same", "en-library-1", "more-070"])
    main(["decide", str(decisions), "apart", "en-fire-1", "en-fire-2"])
    files = (str(corpus / "b.jsonl"), NEWS, "--against", str(corpus / "a.jsonl"), "--decisions", str(decisions))
    many, one = (lines(tmp_path, name, *files, *more) for name, more in (("many", ("--spark", MASTER)), ("one", ())))
    assert many == one


def test_old_articles_are_compared_with_new_ones_only(spark: Any) -> None:
    from samestory.spark import job

    by_id = {row["id"]: row for row in map(json.loads, Path(NEWS).read_text().splitlines())}
    first, second = (by_id[f"en-fire-{at}"]["text"] for at in (1, 2))

    def frame(*rows: tuple[str, str]) -> Any:
        return spark.createDataFrame(list(rows), "id string, text string")

    old = frame(("old 1", first), ("old 2", second))
    alone = job(frame(("new", by_id["en-library-1"]["text"])), against=old)
    assert alone.relations().count() == 0
    assert alone.summary.compared == 0
    # the old original of a new copy stands for it
    copied = job(frame(("new", first)), against=old).relations().collect()
    assert {frozenset((row["left"], row["right"])) for row in copied} == {
        frozenset(("new", "old 1")),
        frozenset(("new", "old 2")),
    }


def test_frames_in_any_number_of_partitions(spark: Any, corpus: Path) -> None:
    from samestory.spark import find, relate

    rows = [json.loads(line) for line in (corpus / "a.jsonl").read_text().splitlines()]
    frame = spark.createDataFrame([{k: r.get(k) for k in ("id", "text", "source", "published")} for r in rows])
    wanted = samestory.relate(rows)

    def row_of(left: str, right: str, *rest: Any) -> tuple[Any, ...]:
        return (*sorted((left, right)), *rest)

    here = {row_of(r.left, r.right, round(r.overlap.share, 9)) for r in wanted}
    groups = {frozenset(group.members) for group in samestory.find(rows)}
    for parts in (1, 3):
        dealt = frame.repartition(parts, "id")
        found = relate(dealt).collect()
        assert {row_of(r["left"], r["right"], round(max(r["forward"], r["backward"]), 9)) for r in found} == here
    assert {frozenset(row["members"]) for row in find(dealt, grouping=GroupingOptions()).collect()} == groups


def test_old_arguments_work_with_a_warning(spark: Any) -> None:
    api: Any = importlib.import_module("samestory.spark")
    frame = spark.createDataFrame([("a", "one two three"), ("b", "one two three")], "id string, text string")
    options = samestory.GroupingOptions("components")
    with pytest.warns(DeprecationWarning) as caught:
        old = [
            api.relate(frame, "exact", None, 2).collect(),
            api.find(frame, "exact", choice=options).collect(),
            api.group(api.relate(frame, detector="exact"), options, frame).collect(),
        ]
    assert [str(warning.message) for warning in caught if warning.filename == __file__] == [
        *(f"relate: pass {name}=… by keyword" for name in ("detector", "against", "parts")),
        *("find: pass detector=… by keyword", "find: choice=… is now grouping=…"),
        *(f"group: pass {name}=… by keyword" for name in ("grouping", "articles")),
    ]
    assert old == [
        api.relate(frame, detector="exact", parts=2).collect(),
        api.find(frame, detector="exact", grouping=options).collect(),
        api.group(api.relate(frame, detector="exact"), grouping=options, articles=frame).collect(),
    ]


def test_relations_made_elsewhere_are_grouped(spark: Any, corpus: Path) -> None:
    from samestory.spark import group

    rows = [json.loads(line) for line in (corpus / "a.jsonl").read_text().splitlines()]
    relations = [r.to_dict() for r in samestory.relate(rows)]
    ids = spark.createDataFrame([(row["id"],) for row in rows], "id string")
    found = group(spark.createDataFrame(relations), grouping=None, articles=ids).collect()
    wanted = samestory.group(relations)
    several = {frozenset(each["members"]) for each in found if len(each["members"]) > 1}
    assert several == {frozenset(each.members) for each in wanted if len(each.members) > 1}
    assert sum(len(each["members"]) for each in found) == len(rows)
    # by majority the score counts if there is one, and otherwise the share
    chain = [("b", "a", 0.6, 0.95), ("c", "b", 0.6, 0.5), ("d", "c", 0.95, 0.5)]
    columns = {"kind": "SAME_EVENT", "detector": "event"}
    scoreless = [{"left": a, "right": b, "forward": share, "backward": share, **columns} for a, b, share, _ in chain]
    scored = [row | {"score": score} for row, (*_, score) in zip(scoreless, chain, strict=True)]
    for relations in (scoreless, scored):
        made = group(spark.createDataFrame(relations), grouping="majority").collect()
        expected = samestory.group(relations, grouping="majority")
        assert {frozenset(each["members"]) for each in made} == {frozenset(each.members) for each in expected}


def test_the_summary_counts_repairs_as_on_one_machine(spark: Any, tmp_path: Path) -> None:
    from samestory.spark import job

    rows = [{"id": str(n), "text": f"Oldmere &amp; Wexford reopen pier number {n} &quot;soon&quot;"} for n in range(6)]
    path = tmp_path / "news.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows) + '{"id": "x", "text": "clean text of pier"}\n')
    done = job(str(path), detector="reuse")
    done.count()
    assert done.summary.repaired == {"HTML entities": 6}


def test_the_summary_counts_boilerplate_as_on_one_machine(spark: Any, tmp_path: Path) -> None:
    from samestory.spark import job

    path = tmp_path / "news.jsonl"
    rows = [{"id": each.id, "text": each.text, "source": each.source, "lang": each.lang} for each in herald()]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = job(str(path), detector="reuse")
    done.relations().collect()
    assert done.summary.repaired == {"boilerplate": 260}
