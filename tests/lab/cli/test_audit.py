"""samestory audit, end to end."""

from __future__ import annotations

from pathlib import Path

import pytest

from samestory.lab.collection import Collection
from tests.conftest import Runner, Writer
from tests.lab.evaluation.dated import FIRST, SECOND, Row, pairs, row, strangers, words


def news() -> list[Row]:
    """60 unrelated articles, three texts that recur after two months, and two copies on one day."""
    return strangers(60) + pairs("false", 3, FIRST, SECOND, 1) + pairs("copy", 2, FIRST, FIRST + 1, 2)


def test_a_table_for_people_and_what_must_be_known_to_read_it(samestory: Runner, write: Writer) -> None:
    done = samestory("audit", write("news.jsonl", news()), "-d", "exact")
    assert done.code == 0, done.err
    lines = done.out.splitlines()
    assert lines[0] == "dropped articles" and lines[1].split()[:3] == ["dates", "articles", "groups"]
    withheld = lines[4].split()
    assert withheld[:4] == ["withheld", "70", "5", "3"], "all articles, the groups and those that span blocks"
    assert "42.86 [" in lines[4], "three falsely dropped of seventy, per thousand"
    assert "growth: exponent of the size" in done.out and "dropped articles by kind" in done.out
    assert "exact(): 70 of 70 articles audited" in done.err
    assert "2 blocks of 30 days" in done.err and "presumed false" in done.err and "not measured" in done.err


def test_json_lines_tell_everything(samestory: Runner, write: Writer) -> None:
    done = samestory("audit", write("news.jsonl", news()), "-d", "exact", "--json", "--sample", "2", "--seed", "3")
    assert done.code == 0, done.err
    first, *rows = done.rows
    assert (first["audit"], first["articles"], first["audited"], len(first["blocks"])) == ("exact()", 70, 70, 2)
    assert first["dates"]["dated"] == 70 and first["missing"] == []
    sizes = [each["size"] for each in rows if "size" in each and each["dates"] == "withheld"]
    assert [each["articles"] for each in sizes] == [18, 35, 70]
    whole = sizes[-1]["presumed_false_per_thousand"]
    assert (whole["count"], whole["of"]) == (3, 70) and whole["low"] < whole["rate"] < whole["high"]
    assert {each["by"] for each in rows if "by" in each} == {"kind", "length_ratio", "share"}
    assert [each["dates"] for each in rows if "growth" in each] == ["withheld", "given"]
    drawn = [each for each in rows if "pair" in each]
    assert [each["pair"] for each in drawn] == ["worst"] * 2 + ["random"] * 2
    assert all(each["presumed_false"] and each["days_apart"] == SECOND - FIRST for each in drawn)


def test_sampled_pairs_go_into_a_collection_to_be_judged(samestory: Runner, write: Writer, tmp_path: Path) -> None:
    path, gold = write("news.jsonl", news()), tmp_path / "gold.db"
    done = samestory("audit", path, "-d", "exact", "--judge", gold, "--sample", "2")
    assert done.code == 0, done.err
    assert "2 new pairs in" in done.err and "samestory judge" in done.err
    with Collection.open(gold) as collection:
        assert (collection.relation, collection.protocol) == ("near", "pool")
        items = collection.items("role = 'work'")
        assert len(items) == 2
        for item in items:
            left, right = item.articles
            assert left.startswith("false") and left.rpartition("-")[0] == right.rpartition("-")[0]
            shown = collection.articles(item.articles)
            assert shown[left].text == shown[right].text and shown[left].published
    again = samestory("audit", path, "-d", "exact", "--judge", gold, "--sample", "3")
    assert "1 new pair in" in again.err
    assert samestory("collection", "status", gold).out.count("audit of exact()") >= 1
    given = samestory("collection", "assign", gold, "s1", "s2", "--groups", "1")
    assert given.code == 0 and "3 items assigned" in given.err


def test_pairs_of_events_are_judged_as_events(samestory: Runner, write: Writer, tmp_path: Path) -> None:
    path, gold = write("news.jsonl", news()), tmp_path / "gold.db"
    done = samestory("audit", path, "--events", "--judge", gold)
    assert done.code == 0, done.err
    assert "event(): 70 of 70" in done.err
    with Collection.open(gold) as collection:
        assert collection.relation == "semantic" and len(collection.items()) >= 3


def test_a_collection_for_other_judgements_is_rejected_before_the_work(
    samestory: Runner, write: Writer, tmp_path: Path
) -> None:
    gold = tmp_path / "lists.db"
    Collection.new(gold, "near", "queries").close()
    done = samestory("audit", write("news.jsonl", news()), "--judge", gold)
    assert done.code == 2 and "queries" in done.err and not done.out


def test_nothing_to_judge_makes_no_collection(samestory: Runner, write: Writer, tmp_path: Path) -> None:
    gold = tmp_path / "gold.db"
    done = samestory("audit", write("news.jsonl", strangers(60)), "-d", "exact", "--judge", gold)
    assert done.code == 0 and "no pairs to judge" in done.err and not gold.exists()


def test_the_report_is_a_page_in_one_file(samestory: Runner, write: Writer, tmp_path: Path) -> None:
    rows = news()
    bad = "<script>alert(1)</script>"
    rows += [row(f"bad-{at}", words(50, 99), after, title=bad) for at, after in enumerate((FIRST, SECOND))]
    done = samestory("audit", write("news.jsonl", rows), "-d", "exact", "--report", tmp_path / "page.html")
    assert done.code == 0, done.err
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>") and "<script" not in page and "&lt;script&gt;" in page
    assert "false-0-a" in page and "62 days apart" in page


def test_a_calibration_curve_where_there_is_gold(samestory: Runner, write: Writer, tmp_path: Path) -> None:
    gold = write("gold.jsonl", [{"a": f"copy-{at}-a", "b": f"copy-{at}-b", "label": "same"} for at in range(2)])
    words_of = ("audit", write("news.jsonl", news()), "-d", "exact", "--gold", gold)
    done = samestory(*words_of, "--report", tmp_path / "page.html")
    assert done.code == 0, done.err
    assert "calibration" in done.out and "expected calibration error" in done.out
    assert "Score and share judged the same" in (tmp_path / "page.html").read_text(encoding="utf-8")
    (curve,) = [each["calibration"] for each in samestory(*words_of, "--json").rows if "calibration" in each]
    assert curve["judged"] == 2 and curve["bins"][0]["judged_same"]["count"] == 2


def undated() -> list[Row]:
    return [{**each, "date": None} for each in news()]


def one_block() -> list[Row]:
    return [row(str(at), words(40, at), at % 9) for at in range(30)]


@pytest.mark.parametrize(
    ("rows", "missing"),
    [
        (undated(), "missing: dates: none of 70 articles has a date"),
        (one_block(), "missing: blocks: 30 dated articles in 9 days"),
        (strangers(12), "missing: articles: half of the 2 blocks have 6 or fewer"),
        ([row("only", words(40, 1), 0)], "missing: blocks: 1 dated article in 1 day"),
    ],
    ids=["undated", "one block", "small blocks", "one article"],
)
def test_what_is_missing_is_said_and_the_rest_estimated(
    rows: list[Row], missing: str, samestory: Runner, write: Writer, tmp_path: Path
) -> None:
    done = samestory("audit", write("news.jsonl", rows), "-d", "exact", "--report", tmp_path / "page.html")
    assert done.code == 0, done.err
    assert missing in done.err and "estimated: " in done.err
    assert done.out.startswith("dropped articles\n")
    assert missing.removeprefix("missing: ") in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_odd_dates_are_counted_and_never_fatal(samestory: Runner, write: Writer) -> None:
    odd = ["0001-01-01", "9999-01-01", "2099-01-01T00:00:00+14:00", "yesterday", 12, {"a": 1}, "1970-01-01T00:00:00Z"]
    rows = news() + [{"id": f"odd-{at}", "text": words(40, 500 + at), "date": each} for at, each in enumerate(odd)]
    rows[0]["date"] += "T10:00:00+03:00"
    done = samestory("audit", write("news.jsonl", rows), "-d", "exact")
    assert done.code == 0, done.err
    assert "3 without a readable date; 2 with a placeholder" in done.err and "2 with a date in the future" in done.err
    assert "zones: " in done.err and "1 × +03:00" in done.err
    assert "70 of 77 articles audited" in done.err


def test_standard_input_is_read_once(samestory: Runner, write: Writer) -> None:
    path = write("news.jsonl", news())
    done = samestory("audit", "-", "-d", "cosine", "--json", stdin=path.read_bytes())
    assert done.code == 0, done.err
    assert done.rows == samestory("audit", path, "-d", "cosine", "--json").rows


@pytest.mark.parametrize(
    "options",
    [
        ["--gap", "0"],
        ["--max", "0"],
        ["--sample", "-1"],
        ["--sizes", "0.5,2"],
        ["--sizes", "half"],
        ["--events", "-d", "minhash"],
        ["-d", "no-such"],
        ["--report", "-"],
        ["--report", "news.jsonl"],
        ["--judge", "news.jsonl"],
        ["--report", "same.html", "-o", "same.html"],
        ["--judge", "new.db", "--relation", "no-such"],
    ],
    ids=" ".join,
)
def test_misuse_is_rejected_before_the_work(options: list[str], samestory: Runner, write: Writer) -> None:
    write("news.jsonl", news())
    done = samestory("audit", "news.jsonl", *options)
    assert done.code == 2 and done.err and not done.out


def test_no_articles_is_an_error(samestory: Runner, write: Writer) -> None:
    done = samestory("audit", write("empty.jsonl", ""))
    assert done.code == 1 and "no articles" in done.err
