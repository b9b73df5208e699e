"""Separate days, and detectors written in Python, on the command line."""

from __future__ import annotations

import json
from typing import Any

import pytest

from samestory import Article, find, read, relate
from samestory.index.days import date_of, days
from tests.conftest import DEMO, Runner, Writer

STORY = "The ferry to the island of Sandoy runs again from Monday after 11 days of storm, the harbour master said."
OTHER = "Court upholds the sentence of a baker who sold the same cake twice to two different weddings in one day."
NEWS: list[dict[str, Any]] = [
    {"id": "a", "title": "Ferry [runs]", "text": STORY, "published": "2026-03-01T23:59:59Z"},
    {"id": "b", "text": STORY, "published": "2026-03-02T01:30:00+03:00"},
    {"id": "c", "text": STORY, "published": "2026-03-02T00:00:00Z"},
    {"id": "d", "text": STORY},
    {"id": "e", "text": STORY, "published": "some day"},
    {"id": "f", "text": OTHER, "published": "2026-03-02"},
]


def events() -> list[dict[str, Any]]:
    """Two days with the same two events each in other words, and items about neither."""
    stories = {
        "fire": [
            "Mall fire kills two in Oldmere",
            "Oldmere mall fire: two killed",
            "Two killed by fire in Oldmere mall",
        ],
        "bank": ["Central bank raises key rate", "Key rate raised by central bank", "Bank raises its key rate"],
    }
    out = []
    for day in ("2026-03-01", "2026-03-02"):
        for name, items in stories.items():
            out += [{"id": f"{day} {name} {n}", "text": text} for n, text in enumerate(items)]
        out += [
            {"id": f"{day} cup {n}", "text": f"Team {n} meets team {n + 1} in round {n} of a cup"} for n in range(9)
        ]
    return [{**row, "published": row["id"][:10], "lang": "en"} for row in out]


def test_a_day_is_that_of_utc_and_articles_without_a_date_are_one_corpus() -> None:
    articles = [Article(row["id"], row["text"], published=row.get("published")) for row in NEWS]
    found = [(day.date, [a.id for a in day.new]) for day in days(articles)]
    assert found == [("2026-03-01", ["a", "b"]), ("2026-03-02", ["c", "f"]), (None, ["d", "e"])]
    assert date_of(Article("x", "", published="1969-12-31T23:00:00Z")) == "1969-12-31"


def test_articles_of_different_days_are_not_related(samestory: Runner, write: Writer) -> None:
    news = write("news.jsonl", NEWS)
    whole = samestory("find", news)
    apart = samestory("find", news, "--by-day")
    assert frozenset("abcde") in whole.groups
    assert apart.groups == {frozenset("ab"), frozenset("c"), frozenset("f"), frozenset("de")}
    assert [row["group"] for row in apart.rows] == [1, 2, 3, 4]
    assert "processed 2 days separately; 2 articles without a date as one further corpus" in apart.err
    related = samestory("relate", news, "--by-day")
    assert {frozenset((row["left"], row["right"])) for row in related.rows} == {frozenset("ab"), frozenset("de")}
    assert "2 days" in related.err


def test_python_and_the_command_put_the_same_days_apart(samestory: Runner) -> None:
    articles = [item for item in read(str(DEMO / "news.jsonl")) if isinstance(item, Article)]
    for spec in ("reuse", "semshort(least=3)"):
        done = samestory("find", DEMO / "news.jsonl", "--by-day", "-d", spec)
        groups = find(articles, detector=spec, by_day=True)
        assert done.rows == [group.to_dict(number) for number, group in enumerate(groups, 1)]
        done = samestory("relate", DEMO / "news.jsonl", "--by-day", "-d", spec)
        assert done.rows == [relation.to_dict() for relation in relate(articles, detector=spec, by_day=True)]


def test_one_day_is_worked_on_as_without_days(samestory: Runner, write: Writer) -> None:
    news = write("news.jsonl", [{**row, "published": "2026-03-01"} for row in NEWS])
    for command in ("find", "relate"):
        plain, day = samestory(command, news, "-d", "minhash"), samestory(command, news, "-d", "minhash", "--by-day")
        assert day.rows == plain.rows


def test_days_are_related_to_old_articles_of_the_same_day(samestory: Runner, write: Writer) -> None:
    old = write("old.jsonl", [{**row, "id": f"old {row['id']}"} for row in NEWS] + [{**NEWS[5], "text": "replaced"}])
    done = samestory("relate", write("news.jsonl", NEWS[2:]), "--against", old, "--by-day")
    assert {(row["left"], row["right"]) for row in done.rows} >= {("c", "old c"), ("f", "old f")}
    assert not any("old a" in (row["left"], row["right"]) for row in done.rows)
    assert "(1 more replaced by new versions)" in done.err


@pytest.mark.parametrize(
    "spec", ["semshort(threshold=0.7, least=60)", "semshort(space=distance_rows, r=1.2, least=60)"]
)
def test_a_detector_that_works_in_python_finds_events_by_day(spec: str, samestory: Runner, write: Writer) -> None:
    done = samestory("find", write("news.jsonl", events()), "--by-day", "-d", spec, "--min-size", 2)
    assert done.code == 0
    expected = {
        frozenset(f"2026-03-0{day} {name} {n}" for n in range(3)) for day in (1, 2) for name in ("fire", "bank")
    }
    assert expected <= done.groups
    assert all(len({member[:10] for member in group}) == 1 for group in done.groups)
    assert {row["kind"] for row in done.rows} == {"SAME_EVENT"}


def test_relations_tables_and_stages_of_corpora_in_memory(samestory: Runner, write: Writer, tmp_path: Any) -> None:
    news = write("news.jsonl", NEWS)
    done = samestory("find", news, "--by-day", "--table", "--relations", "r.jsonl", "--stages", "s.json")
    assert "* a  Ferry [runs]" in done.out
    assert len((tmp_path / "r.jsonl").read_text().splitlines()) == 2
    assert set(json.loads((tmp_path / "s.json").read_text())) == {"read", "relate"}
    assert "2 relations" in done.err


def test_bad_lines_are_reported_counted_and_left_out(samestory: Runner, write: Writer) -> None:
    news = write("news.jsonl", ["{broken", *events()])
    done = samestory("find", news, "-d", "semshort", "--rejects", "bad.jsonl")
    assert done.code == 0
    assert "news.jsonl:1" in done.err and "1 rejected" in done.err
    assert len(done.members) == len(events())
    assert samestory("find", news, "-d", "semshort", "--strict").code == 1
    empty = samestory("find", write("empty.jsonl", ""), "-d", "semshort")
    assert (empty.code, empty.out) == (1, "")
    assert "no articles" in empty.err


def test_items_without_words_are_reported_and_come_back_alone(samestory: Runner, write: Writer) -> None:
    rows = [*events()[:15], {"id": "lone", "text": "Xylophone", "published": "2026-03-01", "lang": "en"}]
    done = samestory("find", write("news.jsonl", rows), "-d", "semshort")
    assert frozenset({"lone"}) in done.groups
    assert "1 article has too little text for this detector" in done.err


def test_standard_input_is_read_once(samestory: Runner) -> None:
    news = "".join(json.dumps(row) + "\n" for row in events())
    done = samestory("find", "-", "--by-day", "-d", "semshort", stdin=news.encode())
    assert len(done.members) == len(events())


def test_pages_must_be_extracted_before_days_are_put_apart(samestory: Runner, write: Writer) -> None:
    page = write("page.html", "<html><body><p>A ferry stops.</p></body></html>")
    done = samestory("find", page, "--pages", "--by-day")
    assert (done.code, done.out) == (2, "")
    assert "hint: extract the articles first: samestory extract PAGES | samestory find" in done.err


def test_what_two_items_have_in_common_is_asked_among_the_items_of_the_file(samestory: Runner, write: Writer) -> None:
    news = write("news.jsonl", events()[:15])
    ids = [row["id"] for row in events()[:2]]
    done = samestory("explain", *ids, news, "-d", "semshort(threshold=0.5)", "--json")
    assert done.rows[0]["kind"] == "SAME_EVENT"
    one, other = (write(f"{n}.jsonl", [row]) for n, row in enumerate(events()[:2]))
    done = samestory("explain", one, other, "-d", "semshort")
    assert done.code == 1
    assert "semshort: needs the word frequencies of a day" in done.err


def test_evaluate_measures_it_too(samestory: Runner, write: Writer) -> None:
    rows = events()[:15]
    news = write("news.jsonl", rows)
    labels = [{"id": r["id"], "cluster": r["id"] if "cup" in r["id"] else r["id"][:-2]} for r in rows]
    words = [
        "evaluate",
        "--gold",
        write("gold.jsonl", labels),
        "--docs",
        news,
        "-d",
        "semshort(threshold=0.7, least=60)",
        "--json",
    ]
    done = samestory(*words, "--rounds", "0", "-m", "pair_recall()")
    assert done.code == 0, done.err
    assert done.rows[1]["figures"]["pair_recall()"]["value"] == 1.0
    swept = samestory(*words, "--rounds", "0", "-m", "pair_f()", "--sweep", "threshold=0.1:0.9:0.2")
    (curve,) = [row["values"] for row in swept.rows if row.get("curve") == "pair_f()"]
    assert len(curve) == 5 and max(curve) > 0.9 > min(curve)
