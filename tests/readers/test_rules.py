"""The record rules: one table that every reader obeys."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from samestory import Article, InputError, Problem, Source, read
from samestory.readers import article
from tests.conftest import Runner

LARGEST = 100

#: A record, and either its id and text or its fault. PLACE is the id derived from its location.
PLACE = "(place)"
RULES: dict[str, tuple[dict[str, Any], tuple[str, str] | str]] = {
    "a plain one": ({"id": "a", "text": "words"}, ("a", "words")),
    "other names": ({"guid": "a", "content": "words"}, ("a", "words")),
    "two names for the text": ({"body": "worse", "text": "better"}, (PLACE, "better")),
    "an empty text and a body": ({"id": "a", "text": "", "body": "words"}, ("a", "words")),
    "white space and a body": ({"id": "a", "text": " \n", "body": "words"}, ("a", "words")),
    "a body and an empty text": ({"id": "a", "body": "words", "text": ""}, ("a", "words")),
    "nothing and a body": ({"id": "a", "text": None, "body": "words"}, ("a", "words")),
    "a number and a body": ({"id": "a", "text": 7, "body": "words"}, ("a", "words")),
    "a text and a number": ({"id": "a", "text": "words", "body": 7}, ("a", "words")),
    "an empty text and a number": ({"id": "a", "text": "", "body": 7}, "broken line"),
    "two empty texts": ({"id": "a", "text": "", "body": " "}, "empty text"),
    "two empty texts, the other way round": ({"id": "a", "text": " ", "body": ""}, "empty text"),
    "an empty id and a guid": ({"id": "", "guid": "a", "url": "http://x", "text": "words"}, ("a", "words")),
    "a truth value and a guid": ({"id": True, "guid": "a", "text": "words"}, ("a", "words")),
    "white space for an id": ({"id": " ", "url": "http://x", "text": "words"}, ("http://x", "words")),
    "white space for an address": ({"url": " ", "text": "words"}, (PLACE, "words")),
    "an empty date and another": ({"id": "a", "published": "", "date": "once", "text": "words"}, "unreadable date"),
    "an object and a date": ({"id": "a", "published": {"x": 1}, "date": "2024-01-01", "text": "words"}, ("a", "words")),
    "no id": ({"text": "words"}, (PLACE, "words")),
    "an empty id": ({"id": "", "text": "words"}, (PLACE, "words")),
    "an address for an id": ({"id": "", "url": "http://x", "text": "words"}, ("http://x", "words")),
    "a number for an id": ({"id": 7, "text": "words"}, ("7", "words")),
    "a whole number with a point for an id": ({"id": 7.0, "text": "words"}, ("7", "words")),
    "a number beyond 64 bits for an id": (
        {"id": 36893488147419103233, "text": "words"},
        ("36893488147419103233", "words"),
    ),
    "a number below 64 bits for an id": ({"id": -(2**70), "text": "words"}, (str(-(2**70)), "words")),
    "the largest of 64 bits for an id": ({"id": 2**64 - 1, "text": "words"}, (str(2**64 - 1), "words")),
    "a number with a fraction for an id": ({"id": 7.25, "text": "words"}, ("7.25", "words")),
    "a number with an exponent for an id": ({"id": 1e22, "text": "words"}, ("1" + "0" * 22, "words")),
    "a tiny number for an id": ({"id": 2.5e-7, "text": "words"}, ("0.00000025", "words")),
    "a long number of MongoDB": (
        {"_id": {"$numberLong": "36893488147419103233"}, "text": "words"},
        ("36893488147419103233", "words"),
    ),
    "a truth value for an id": ({"id": True, "text": "words"}, "unreadable field"),
    "a truth value for an id, and an address": ({"id": False, "url": "x", "text": "words"}, "unreadable field"),
    "an object for an id": ({"id": {"x": 1}, "text": "words"}, "unreadable field"),
    "an object with a name for an id": ({"id": {"name": "n"}, "text": "words"}, "unreadable field"),
    "a truth value for a title": ({"id": "a", "title": True, "text": "words"}, "unreadable field"),
    "white space around": ({"id": " a ", "text": " words "}, (" a ", " words ")),
    "paragraphs": ({"id": "a", "text": ["one", "two"]}, ("a", "one\n\ntwo")),
    "a key of MongoDB": ({"_id": {"$oid": "5f"}, "text": "words"}, ("5f", "words")),
    "just small enough": ({"id": "a", "text": "ş" * 50}, ("a", "ş" * 50)),
    "too large": ({"id": "a", "text": "ş" * 51}, "too large"),
    "a title alone": ({"id": "a", "title": "only"}, ("a", "only")),
    "a title and nothing": ({"id": "a", "headline": "only", "text": None}, ("a", "only")),
    "a title and an empty text": ({"id": "a", "title": "only", "text": ""}, ("a", "only")),
    "a title and white space": ({"id": "a", "text": " \n", "title": " only "}, ("a", " only ")),
    "a title and two empty texts": ({"id": "a", "title": "only", "text": "", "body": " "}, ("a", "only")),
    "a title and a number for a text": ({"id": "a", "title": "only", "text": 7}, "broken line"),
    "a title that is too large": ({"id": "a", "title": "ş" * 51}, "too large"),
    "an empty title": ({"id": "a", "title": " "}, "no text"),
    "a truth value for a title alone": ({"id": "a", "title": True}, "no text"),
    "an empty title and an empty text": ({"id": "a", "title": "", "text": ""}, "empty text"),
    "neither text nor title": ({"id": "a"}, "no text"),
    "nothing for a text": ({"id": "a", "text": None}, "no text"),
    "an empty text": ({"id": "a", "text": ""}, "empty text"),
    "white space for a text": ({"id": "a", "text": " \n\u00a0\u2003"}, "empty text"),
    "a number for a text": ({"id": "a", "text": 7}, "broken line"),
    "a truth value for a text": ({"id": "a", "text": True}, "broken line"),
    "an object for a text": ({"id": "a", "text": {"name": "words"}}, "broken line"),
    "numbers for paragraphs": ({"id": "a", "text": [1, 2]}, "broken line"),
    "a date that cannot be read": ({"id": "a", "text": "words", "date": "once"}, "unreadable date"),
    "an object for a date": ({"id": "a", "text": "words", "date": {"x": 1}}, "unreadable date"),
    "a list for a date": ({"id": "a", "text": "words", "date": []}, "unreadable date"),
    "a truth value for a date": ({"id": "a", "text": "words", "date": True}, "unreadable date"),
    "a date of MongoDB": ({"id": "a", "text": "words", "date": {"$date": "2024-01-01T00:00:00Z"}}, ("a", "words")),
    "a date of MongoDB in numbers": ({"id": "a", "text": "words", "date": {"$date": 1704067200000}}, ("a", "words")),
    "a long date of MongoDB": (
        {"id": "a", "text": "words", "date": {"$date": {"$numberLong": "1704067200000"}}},
        ("a", "words"),
    ),
    "an object for a source": ({"id": "a", "text": "words", "source": {"x": "y"}}, "unreadable field"),
    "an empty name of a source": ({"id": "a", "text": "words", "source": {"name": None, "x": 1}}, ("a", "words")),
    "numbers for a title": ({"id": "a", "text": "words", "title": [1, 2]}, "unreadable field"),
    "lists for a language": ({"id": "a", "text": "words", "lang": [["en"]]}, "unreadable field"),
    "an object for an address": ({"id": "a", "text": "words", "url": {"x": {"y": 1}}}, "unreadable field"),
    "a date out of range": ({"id": "a", "text": "words", "date": -90000000000}, "unreadable date"),
}


@pytest.mark.parametrize("ending", ["jsonl", "parquet"])
@pytest.mark.parametrize(("record", "outcome"), RULES.values(), ids=RULES.keys())
def test_files_read_for_looking_and_for_finding_obey_the_same_rules(
    ending: str, record: dict[str, Any], outcome: tuple[str, str] | str, tmp_path: Path, samestory: Runner
) -> None:
    path = tmp_path / f"n.{ending}"
    if ending == "parquet":
        if not {"text", "content", "title"} & record.keys():
            pytest.skip("a table without a column for the text is refused as a whole")
        if isinstance(record.get("id"), int) and abs(record["id"]) >= 2**63:
            pytest.skip("a column of numbers holds 64 bits")
        pq.write_table(pa.Table.from_pylist([record]), path)
    else:
        path.write_text(json.dumps(record) + "\n")
    articles, problems = [], []
    for item in read(Source(str(path), largest=LARGEST)):
        (articles if isinstance(item, Article) else problems).append(item)
    done = samestory("find", path, "--largest", LARGEST, "--rejects", "rejects.jsonl")
    rejected = [json.loads(line) for line in (tmp_path / "rejects.jsonl").read_text().splitlines()]
    if isinstance(outcome, tuple):
        id, text = outcome
        id = f"{path}:1" if id == PLACE else id
        assert [(a.id, a.text) for a in articles] == [(id, text)]
        assert problems == rejected == []
        assert done.members == [id]
    else:
        found_problems = [p for p in problems if isinstance(p, Problem)]
        kept = outcome in ("unreadable date", "unreadable field")
        assert [(p.line, p.fault, p.kept) for p in found_problems] == [(1, outcome, kept)]
        assert [(row["line"], row["fault"], row["detail"]) for row in rejected] == [
            (1, outcome, found_problems[0].detail)
        ]
        assert len(articles) == kept


@pytest.mark.parametrize(("record", "outcome"), RULES.values(), ids=RULES.keys())
def test_values_of_python_obey_the_same_rules(record: dict[str, Any], outcome: tuple[str, str] | str) -> None:
    """Except size, empty texts, dates and other fields, which are not checked in memory."""
    if isinstance(outcome, tuple):
        taken = article(record, 1)
        assert (taken.id, taken.text) == (outcome[0].replace(PLACE, "1"), outcome[1])
    elif outcome in ("no text", "broken line"):
        with pytest.raises(InputError, match=r"^article 1: "):
            article(record, 1)
    else:
        named = record.get("id") if isinstance(record.get("id"), str) else record.get("url", "1")
        assert article(record, 1).id == named
