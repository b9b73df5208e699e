"""Repairs on the command line: commands compare repaired text, count repairs, and show the original text."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import Runner, Writer

CLEAN = "The council's plan for the old bridge was approved on Monday, and the ferry line's owners didn't object to it."
DIRTY = (
    "<p>The council&#39;s plan for the old bridge was approved on Monday, "
    "and the ferry line\x92s owners didn&amp;rsquo;t object to it.</p>"
)
OTHER = "A baker sold the same cake to two weddings &amp; was fined by the court in the city, the judge said on Friday."
NEWS = [{"id": "a", "text": CLEAN}, {"id": "b", "text": DIRTY}, {"id": "c", "text": OTHER}]
REPAIRED = "repaired: 2 × HTML entities, 1 × control characters, 1 × HTML tags"


@pytest.fixture
def news(write: Writer) -> Path:
    return Path(write("news.jsonl", NEWS))


@pytest.mark.parametrize("options", [(), ("--by-day",), ("-d", "exact")])
def test_find_groups_dirty_copies_and_counts_repairs(options: tuple[str, ...], samestory: Runner, news: Path) -> None:
    done = samestory("find", news, *options)
    assert done.groups == {frozenset("ab"), frozenset("c")}
    assert REPAIRED in done.err
    assert "repaired" not in samestory("find", news, *options, "--quiet").err


def test_as_is_switches_repairs_off(samestory: Runner, news: Path) -> None:
    done = samestory("find", news, "-d", "exact", "--as-is")
    assert done.groups == {frozenset("a"), frozenset("b"), frozenset("c")}
    assert "repaired" not in done.err
    assert "IDENTICAL" not in [row["kind"] for row in samestory("relate", news, "--as-is").rows]


def test_relate_and_explain_report_the_same(samestory: Runner, news: Path) -> None:
    (row,) = samestory("relate", news).rows
    assert (row["kind"], {row["left"], row["right"]}) == ("IDENTICAL", {"a", "b"})
    row = json.loads(samestory("explain", "a", "b", news, "--json").out)
    assert row["kind"] == "IDENTICAL"
    ((start, end),) = [shared["right"] for shared in row["shared"]]
    assert DIRTY[start:end] == DIRTY.removeprefix("<p>").removesuffix(".</p>")
    assert json.loads(samestory("explain", "a", "b", news, "--json", "--as-is").out)["kind"] != "IDENTICAL"
    shown = samestory("explain", "a", "b", news).out
    assert "council&#39;s" in shown.replace("\n", "")


def test_a_title_counts_where_the_detector_reads_it(samestory: Runner, write: Writer) -> None:
    news = write("news.jsonl", [{"id": "a", "title": "Q&amp;A", "text": "Plain words."}])
    assert "repaired: 1 × HTML entities" in samestory("find", news, "-d", "event").err
    assert "repaired" not in samestory("find", news).err


def test_an_archive_compares_repaired_texts_and_keeps_its_own(samestory: Runner, news: Path, tmp_path: Path) -> None:
    done = samestory("index", "add", tmp_path / "news.db", news)
    assert "3 articles new" in done.err and "2 stories" in done.err and REPAIRED in done.err
    asked = tmp_path / "asked.jsonl"
    asked.write_text(json.dumps({"id": "q", "text": DIRTY}) + "\n")
    kinds = {row["right"]: row["kind"] for row in samestory("index", "query", tmp_path / "news.db", asked).rows}
    assert kinds == {"a": "IDENTICAL", "b": "IDENTICAL"}
    refused = samestory("index", "add", tmp_path / "news.db", news, "--as-is")
    assert refused.code == 1 and "the archive repairs texts before it compares them" in refused.err


def test_an_archive_made_as_is_stays_so(samestory: Runner, news: Path, tmp_path: Path) -> None:
    place = tmp_path / "news.db"
    assert "repaired" not in samestory("index", "add", place, news, "--as-is", "-d", "exact").err
    assert "3 stories" in samestory("index", "stats", place).out or json.loads(samestory("index", "stats", place).out)
    more = tmp_path / "more.jsonl"
    more.write_text(json.dumps({"id": "d", "text": CLEAN}) + "\n")
    assert "3 stories" in samestory("index", "add", place, more).err
    samestory("index", "rebuild", place)
    kinds = {row["right"] for row in samestory("index", "query", place, more).rows}
    assert kinds == {"a"}


def test_a_collection_without_dates_summary_states_what_that_costs(samestory: Runner, write: Writer) -> None:
    undated = write("undated.jsonl", NEWS)
    line = (
        "no dates: any two of 3 articles could be related; "
        "to avoid matches by chance, add dates with --field published=NAME\n"
    )
    for options in ((), ("--by-day",)):
        assert line in samestory("find", undated, *options).err
        assert "no dates" not in samestory("find", undated, *options, "--quiet").err
    dated = write("dated.jsonl", [NEWS[0] | {"date": "Wed Nov 25, 2009 11:05am EST"}, *NEWS[1:]])
    assert "no date" not in samestory("find", dated).err


@pytest.mark.parametrize(
    "command", [("find", "--events"), ("relate", "-d", "event"), ("find", "-d", "exact", "--within", "3")]
)
def test_articles_without_a_date_are_counted_where_days_are_compared(
    command: tuple[str, ...], samestory: Runner, write: Writer
) -> None:
    """With 40 % undated news there was no note, although groups spanned more than the window of days."""

    def printed(undated: int) -> str:
        rows = [
            {"id": f"{n}", "text": f"The ferry {n} sails again on Monday.", "date": "2026-03-02"} for n in range(40)
        ]
        for row in rows[:undated]:
            del row["date"]
        return samestory(*command, write("news.jsonl", rows)).err

    todo = "to avoid matches by chance, add dates with --field published=NAME\n"
    line = f"16 of 40 articles have no date: they could be related to articles of any day; {todo}"
    assert printed(16).count(line) == 1
    assert "2 of 40 articles have no date" in printed(2)
    assert "no date" not in printed(1) + printed(0)
    assert f"no dates: any two of 40 articles could be related; {todo}" in printed(40)


@pytest.mark.parametrize(
    "date",
    [
        "Wed Nov 25, 2009 11:05am EST",
        "Wed, 25 Nov 09 11:05:00 EST",
        "Wed Nov 25 11:05:00 EST 2009",
        "25.11.2009 16:05",
        "November 25, 2009 4:05 PM",
    ],
)
def test_dates_in_words_are_read(date: str, samestory: Runner, write: Writer) -> None:
    rows = [{"id": "a", "text": CLEAN, "date": date}, {"id": "b", "text": CLEAN, "date": "2009-11-25T16:05:00Z"}]
    done = samestory("relate", write("news.jsonl", rows), "--by-day")
    assert len(done.rows) == 1 and "unreadable" not in done.err


def test_a_date_that_may_be_two_days_is_not_guessed(samestory: Runner, write: Writer) -> None:
    done = samestory("find", write("news.jsonl", [{"id": "a", "text": CLEAN, "date": "03/04/2009"}]))
    assert 'cannot read the date "03/04/2009"' in done.err and done.code == 0


@pytest.mark.parametrize("date", ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "2999-01-01 10:00 PST"])
def test_odd_dates_are_never_fatal(date: str, samestory: Runner, write: Writer) -> None:
    done = samestory("find", write("news.jsonl", [{"id": "a", "text": CLEAN, "date": date}, *NEWS[1:]]))
    assert done.code == 0 and len(done.members) == 3
