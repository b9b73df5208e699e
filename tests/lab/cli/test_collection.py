"""samestory collection: from articles to gold for evaluation."""

from __future__ import annotations

import csv
import json
from pathlib import Path

from samestory.lab.collection import AssessorSession, Collection
from tests.archive.news import news
from tests.conftest import Runner, Writer


def test_a_collection_from_news_to_figures(samestory: Runner, write: Writer, tmp_path: Path) -> None:
    docs = write("news.jsonl", [*news(5, 60), {"id": "broken"}])
    place = tmp_path / "gold.db"
    done = samestory("collection", "new", place, docs, "--relation", "near")
    assert (done.code, "60 articles new" in done.err, "news.jsonl:61" in done.err) == (0, True, True)
    done = samestory("collection", "pool", place, "-d", "minhash", "-d", "codet", "-d", "headlines")
    assert (done.code, "in the pool" in done.err) == (0, True)
    done = samestory("collection", "assign", place, "s1", "s2", "s3", "--groups", "4", "--controls", "0")
    tokens = {line.split("\t")[0]: line.split("/")[2] for line in done.out.splitlines()}
    assert (done.code, list(tokens)) == (0, ["s1", "s2", "s3"])
    assert "nothing has been judged twice" in samestory("collection", "agreement", place).out
    with Collection.open(place) as collection:
        texts = collection.articles()
        for _ in range(2):
            for name, token in tokens.items():
                assessor = AssessorSession.from_token(collection, token)
                assert assessor is not None
                while task := assessor.next():
                    one, two = (texts[id].text for id in task.articles)
                    # s3 is stricter
                    least = 0.9 if name == "s3" else 0.5
                    alike = len(set(one.split()) & set(two.split())) / max(len(set(one.split())), len(set(two.split())))
                    assessor.answer(task.place, "yes" if alike > least else "no", seconds=9)
    printed = samestory("collection", "status", place).out
    assert "undecided 0" in printed and "s1: judge" in printed
    status = json.loads(samestory("collection", "status", place, "--json").out)
    done = samestory("collection", "agreement", place)
    assert "pooled" in done.out and "disagreement" in done.out
    rows = [json.loads(line) for line in samestory("collection", "agreement", place, "--json").out.splitlines()]
    assert {"pair", "group", "all"} <= {row.get("agreement") for row in rows}
    files = {name: tmp_path / name for name in ("g.jsonl", "d.jsonl", "j.csv", "ls.json")}
    done = samestory(
        *("collection", "export", place, "--gold", files["g.jsonl"], "--docs", files["d.jsonl"]),
        *("--judgements", files["j.csv"], "--label-studio", files["ls.json"]),
    )
    assert (done.code, "protocol pool" in done.err) == (0, True)
    assert len(files["g.jsonl"].read_text().splitlines()) == status["items"]
    assert {row["assessor"] for row in csv.DictReader(files["j.csv"].read_text().splitlines())} == set(tokens)
    done = samestory(
        "evaluate", "--gold", files["g.jsonl"], "--docs", files["d.jsonl"], "-d", "minhash", "--rounds", "20"
    )
    assert (done.code, "protocol: pool; not measured: " in done.err) == (0, True)
    done = samestory("reproduce", "V10", "--gold", files["g.jsonl"], "--docs", files["d.jsonl"], "--rounds", "20")
    assert done.code == 0 and "pairs judged" in done.out
    other = tmp_path / "other.db"
    samestory("collection", "new", other, "--relation", "near")
    done = samestory("collection", "import", other, files["ls.json"])
    assert (done.code, f"{status['items']:,} pairs new" in done.err) == (0, True)


def test_test_sets_and_differences(samestory: Runner, write: Writer, tmp_path: Path) -> None:
    docs = write("news.jsonl", [{**each, "section": "ab"[n % 2]} for n, each in enumerate(news(6, 60))])
    place = tmp_path / "gold.db"
    assert (
        samestory(
            "collection", "new", place, docs, "--relation", "near", "--protocol", "difference", "--category", "section"
        ).code
        == 0
    )
    done = samestory(
        "collection",
        "difference",
        place,
        "-d",
        "exact",
        "-d",
        "minhash",
        "--sets",
        "2",
        "--size",
        "40",
        "--by",
        "a=25,b=15",
    )
    assert done.code == 0 and "set 2: " in done.err
    assert (
        samestory("collection", "difference", place, "-d", "exact", "-d", "minhash", "--by", "a=x", "--sets", "1").code
        == 2
    )


def test_errors_are_reported(samestory: Runner, write: Writer, tmp_path: Path) -> None:
    place = tmp_path / "gold.db"
    docs = write("news.jsonl", news(7, 10))
    assert samestory("collection", "new", place, docs, "--relation", "nearly").code == 2
    assert samestory("collection", "new", place, docs, "--relation", "near").code == 0
    again = samestory("collection", "new", place, docs, "--relation", "near")
    assert (again.code, "already exists" in again.err) == (1, True)
    assert samestory("collection", "pool", place, "-d", "absent").code == 2
    assert samestory("collection", "assign", place, "A=", "--groups", "3").code == 1
    assert samestory("collection", "assign", place, "s1").code == 2
    assert samestory("collection", "export", place).code == 2
    assert samestory("collection", "status", tmp_path / "nothing.db").code == 1
    tasks = tmp_path / "t.json"
    tasks.write_text("[{}]")
    done = samestory("collection", "import", place, tasks)
    assert (done.code, "task 1: no field data" in done.err) == (1, True)
    known = write("known.jsonl", [{"a": "x"}])
    assert samestory("collection", "exercise", place, known).code == 1


def test_an_exercise_from_a_file_says_why(samestory: Runner, write: Writer, tmp_path: Path) -> None:
    place = tmp_path / "gold.db"
    docs = write("docs.jsonl", [{"id": id, "text": f"Text of {id}."} for id in "pqr"])
    assert samestory("collection", "new", place, docs, "--relation", "near").code == 0
    known = [{"a": "q", "b": "p", "label": 1, "why": "one wire"}, {"a": "q", "b": "r", "label": 0}]
    done = samestory("collection", "exercise", place, write("known.jsonl", known))
    assert (done.code, "2 exercises" in done.err) == (0, True)
    done = samestory("collection", "assign", place, "s1", "s2")
    token = done.out.split("/")[2]
    with Collection.open(place) as collection:
        assessor = AssessorSession.from_token(collection, token)
        assert assessor is not None
        why = set()
        while task := assessor.next():
            why.add(task.item.why)
            assessor.answer(task.place, "yes")
    assert why == {"one wire", None}
    assert "s1: 1 of 2 exercises right at first" in samestory("collection", "status", place).out


def test_a_file_that_cannot_be_written_is_reported_by_its_name(
    samestory: Runner, write: Writer, tmp_path: Path
) -> None:
    place = tmp_path / "gold.db"
    docs = write("docs.jsonl", [{"id": id, "text": f"Text of {id}."} for id in "pqr"])
    assert samestory("collection", "new", place, docs, "--relation", "near").code == 0
    wanted = tmp_path / "nowhere" / "docs.jsonl"
    done = samestory("collection", "export", place, "--docs", wanted)
    assert (done.code, f"{wanted}: " in done.err, ".part" in done.err) == (1, True, False)
    done = samestory("find", docs, "-o", wanted)
    assert done.code != 0 and ".part" not in done.err and str(wanted) in done.err


def test_nothing_is_written_over_the_collection(samestory: Runner, write: Writer, tmp_path: Path) -> None:
    place = tmp_path / "gold.db"
    docs = write("docs.jsonl", [{"id": id, "text": f"Text of {id}."} for id in "pqr"])
    assert samestory("collection", "new", place, docs, "--relation", "near").code == 0
    (tmp_path / "also.db").symlink_to(place)
    for option in ("--gold", "--docs", "--judgements", "--label-studio"):
        for path in (place, tmp_path / "also.db"):
            done = samestory("collection", "export", place, option, path)
            assert (done.code, "is one of the inputs" in done.err) == (2, True)
    done = samestory("collection", "add", place, docs, "--rejects", place)
    assert (done.code, "is one of the inputs" in done.err) == (2, True)
    done = samestory("collection", "export", place, "--gold", tmp_path / "x", "--docs", tmp_path / "x")
    assert (done.code, "is also the file of" in done.err) == (2, True)
    assert "3 articles" in samestory("collection", "status", place).out


def test_a_collection_that_could_not_be_made_is_not_there(samestory: Runner, write: Writer, tmp_path: Path) -> None:
    place = tmp_path / "gold.db"
    docs = write("docs.jsonl", [{"id": "p", "text": "Text of p."}, {"id": "q"}])
    assert samestory("collection", "new", place, docs, "--relation", "near", "--strict").code == 1
    assert [each.name for each in tmp_path.iterdir()] == ["docs.jsonl"]
    assert samestory("collection", "new", place, docs, "--relation", "near").code == 0


def test_an_endless_number_is_rejected(samestory: Runner, write: Writer, tmp_path: Path) -> None:
    place = tmp_path / "gold.db"
    assert samestory("collection", "new", place, write("n.jsonl", news(7, 10)), "--relation", "near").code == 0
    done = samestory("collection", "pool", place, "-d", "minhash", "--times", "inf")
    assert (done.code, "times" in done.err) == (2, True)


def test_labels_stay_when_a_file_holds_none(samestory: Runner, write: Writer, tmp_path: Path) -> None:
    place, pairs = tmp_path / "gold.db", tmp_path / "pairs.db"
    docs = write("docs.jsonl", [{"id": id, "text": f"Text of {id}."} for id in "pqr"])
    labels = write("labels.jsonl", [{"id": id, "cluster": "c"} for id in "pq"])
    assert samestory("collection", "new", place, docs, "--relation", "same", "--protocol", "events").code == 0
    assert samestory("collection", "events", place, labels).code == 0
    assert samestory("collection", "events", place, write("none.jsonl", [{"id": "z", "cluster": "c"}])).code == 1
    samestory("collection", "export", place, "--gold", tmp_path / "gold.jsonl")
    assert len((tmp_path / "gold.jsonl").read_text().splitlines()) == 2
    # gold is of pairs or of groups, not of both
    assert samestory("collection", "new", pairs, docs, "--relation", "same").code == 0
    done = samestory("collection", "events", pairs, labels)
    assert (done.code, "'pool'" in done.err) == (2, True)


def test_sets_of_less_than_nothing_are_rejected(samestory: Runner, write: Writer, tmp_path: Path) -> None:
    place = tmp_path / "gold.db"
    docs = write("docs.jsonl", [{"id": id, "text": f"Text of {id}.", "kind": "k"} for id in "pqr"])
    new = ("collection", "new", place, docs, "--relation", "near", "--protocol", "difference", "--category", "kind")
    assert samestory(*new).code == 0
    for options in (("--sets", 0), ("--sets", 1, "--size", 1, "--by", "k=2,other=-1")):
        done = samestory("collection", "difference", place, "-d", "minhash", "-d", "exact", *options)
        assert done.code == 2 and ("must be 1 or more" in done.err or "expected 0 or more" in done.err)
