"""Articles from Python values: the same field names as in files, and rejection of invalid values."""

from __future__ import annotations

import uuid
import warnings
from datetime import UTC, date, datetime, timedelta
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import samestory
from samestory import Article, Index, InputError, Reuse, prepare
from samestory.readers import article, articles

STORY = "The ferry to the island of Sandoy runs again from Monday after 11 days of storm, the harbour master said."
NOTHING = float("nan")


@pytest.mark.parametrize(
    "value", [NOTHING, None, b"bytes", 7, 7.5, True, pd.NA, {"a": "b"}, [1], ["a", None], object()]
)
def test_a_text_that_is_no_text_is_rejected_with_its_location(value: Any) -> None:
    good = {"id": "a", "text": STORY}
    for bad in ({"id": "b", "text": value}, Article("b", value)):
        for job in (samestory.find, samestory.relate):
            with pytest.raises(InputError, match=r"^article 2: .*text"):
                job([good, bad])
        with pytest.raises(InputError, match=r"^article 2: .*text"):
            samestory.explain(good, bad)
        with pytest.raises(InputError, match=r"^article 2: .*text"):
            samestory.group([], articles=[good, bad])
    with pytest.raises(InputError, match=r"^article 1: text: expected a text, got"):
        prepare([Article("b", value)])


def test_all_that_cannot_be_taken_are_counted() -> None:
    rows = [{"text": STORY}, {"text": None}, {"id": "x"}, {"id": "1", "text": "again"}, 5]
    with pytest.raises(InputError, match=r"^article 2: no text or title among text \(and 3 more are invalid\)"):
        samestory.find(rows)
    with pytest.raises(InputError, match=r"^article 2: the id 'a' is already used by article 1"):
        samestory.find([Article("a", "one"), Article("a", "two")])


@pytest.mark.parametrize("given", [{"id": "a", "text": STORY}, STORY, 7, None])
def test_features_are_made_of_articles_alone(given: Any) -> None:
    """A mapping would get its number as id, which the next batch would reuse in an index."""
    with pytest.raises(InputError, match=r"^article 2: expected an Article, got .*\nhint: .*Article\(id, text\)"):
        prepare([Article("b", STORY), given])


@pytest.mark.parametrize("given", [STORY, {"text": STORY}, Article("a", STORY), 7])
def test_features_are_made_of_a_list(given: Any) -> None:
    with pytest.raises(InputError, match="articles: expected a list of articles, got"):
        prepare(given)


def test_half_characters_are_rejected_and_not_a_crash() -> None:
    for bad in ({"text": "half \ud800"}, Article("a", "half \ud800"), {"text": "x", "id": "\udcff"}):
        with pytest.raises(InputError, match=r"^article 1: \w+: half a character"):
            samestory.find([bad])
    with pytest.raises(InputError, match="half a character"):
        prepare([Article("a", "half \ud800")])


def test_the_usual_names_are_known_as_in_files() -> None:
    row = {"Headline": "T", "BODY": "words", "pubDate": "2026-01-02", "link": "http://x", "publisher": "P", 7: "seven"}
    assert article(row, 1) == Article("http://x", "words", "T", "2026-01-02", "http://x", "P")
    assert article({"content": "later", "text": "first", "id": None, "guid": "g"}, 1) == Article("g", "first")
    assert article({"content": "later", "text": None}, 3) == Article("3", "later")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (7, "7"), (7.0, "7"), (np.int64(7), "7"), (np.float64(7), "7"), (uuid.UUID(int=7), str(uuid.UUID(int=7))),
        ({"$oid": "5f"}, "5f"), (["first", "second"], "first"), ("", "1"), (NOTHING, "1"),
        (pd.NA, "1"), (None, "1"), (np.datetime64("NaT"), "1"), ({"other": 1}, "1"), ({"name": "n"}, "1"),
        (2**70, str(2**70)), (np.float32(7), "7"), (1e30, "1" + "0" * 30), (True, "1"), (np.False_, "1"),
    ],
)  # fmt: skip
def test_ids_of_every_usual_type_are_taken(value: Any, text: str) -> None:
    assert article({"id": value, "text": "words"}, 1).id == text


@pytest.mark.parametrize(
    "when", [datetime(2026, 1, 2, tzinfo=UTC), date(2026, 1, 2), np.datetime64("2026-01-02"), 1767312000, "2026-01-02"]
)
def test_dates_of_every_usual_type_are_taken(when: Any) -> None:
    taken = article({"text": "words", "published": when}, 1)
    assert prepare([taken]).published == [datetime(2026, 1, 2, tzinfo=UTC)]


def test_dates_that_cannot_be_read_are_warned_of_once_and_counted() -> None:
    """File readers report and count them; in memory they used to be undated silently, so that updates were missed."""
    new = [{"text": STORY, "date": "yesterday"}, {"text": "other", "date": ""}, Article("x", "more", published="noon")]
    old = [{"text": STORY, "source": {"x": 1}, "published": "2026-01-02"}]
    for job in (samestory.find, samestory.relate):
        with pytest.warns(UserWarning) as expected_warning:
            assert job(new, against=old)
        (warning,) = expected_warning
        assert str(warning.message) == (
            "3 articles have an empty or unreadable text, date or field, which is ignored; "
            "article 1: cannot read the date 'yesterday'"
        )
        assert warning.filename == __file__
        with pytest.warns(UserWarning, match=r"^1 article has .*; article 1: source: expected a text, got"):
            job(old)
        with pytest.warns(UserWarning, match=r"^1 article has .*; article old:1: source: expected a text, got"):
            job([STORY], against=old)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        samestory.find([{"text": STORY, "date": " "}, {"text": "more", "date": "2026-01-02", "published": [1]}])


@pytest.mark.parametrize("text", ["", " \n\u00a0"])
def test_an_empty_text_is_taken_and_reported_by_every_job_and_stays_alone(text: str) -> None:
    """Jobs and streams used to accept it silently, while file readers rejected it with a message."""
    news = [{"id": "a", "text": STORY}, {"id": "b", "text": text}, Article("c", text, title=" ")]
    expected_warning = (
        r"^2 articles have an empty or unreadable text, .*; article 2: the text is empty, and there is no title$"
    )
    for detector in ("reuse", "event"):
        with pytest.warns(UserWarning, match=expected_warning) as warned:
            assert [g.members for g in samestory.find(news, detector=detector)] == [("a",), ("b",), ("c",)]
        about_texts = [each for each in warned if "no date" not in str(each.message)]
        assert (len(about_texts), about_texts[0].filename) == (1, __file__)
        with pytest.warns(UserWarning, match=expected_warning):
            assert samestory.relate(news, detector=detector) == []
        stream = samestory.Stream(detector)
        with pytest.warns(UserWarning, match=expected_warning) as warned:
            stream.add(news)
        assert (len(warned), warned[0].filename) == (1, __file__)
        assert sorted(stream.groups().values()) == [("a",), ("b",), ("c",)]


@pytest.mark.parametrize(
    ("field", "value", "taken"),
    [
        ("title", 7, "7"), ("title", 7.5, "7.5"), ("title", b"bytes", None), ("title", [1, 2], None),
        ("title", True, None), ("source", {"name": "Post"}, "Post"), ("source", {"x": 1}, None),
        ("source", ["Post", "other"], "Post"), ("url", 7, "7"), ("lang", [["en"]], None), ("lang", NOTHING, None),
        ("published", 1767312000, "1767312000"), ("published", {"x": 1}, None), ("published", [], None),
    ],
)  # fmt: skip
def test_side_fields_are_taken_or_left_out_as_from_files(field: str, value: Any, taken: str | None) -> None:
    """A number as the title of an Article used to reject the whole list; from a file it is a title."""
    for given in ({"id": "a", "text": STORY, field: value}, Article("a", STORY, **{field: value})):
        doubts: list[str] = []
        one = article(given, 1, doubts=doubts)
        assert (one.id, one.text, getattr(one, field)) == ("a", STORY, taken)
        assert len(doubts) == (taken is None and value is not NOTHING)


def test_plain_texts_are_articles_named_by_their_places() -> None:
    (group,) = samestory.find([STORY, STORY.upper()])
    assert sorted(group.members) == ["1", "2"]
    assert samestory.explain(STORY, STORY.upper()).relation is not None


def test_frames_and_tables_are_lists_of_rows() -> None:
    rows = [{"id": "a", "text": STORY, "source": NOTHING}, {"id": "b", "text": STORY.upper(), "source": "P"}]
    for given in (
        rows,
        iter(rows),
        pd.DataFrame(rows),
        pl.DataFrame([dict(r, source=None) for r in rows]),
        pa.Table.from_pylist([dict(r, source=None) for r in rows]),
    ):
        (group,) = samestory.find(given)
        assert sorted(group.members) == ["a", "b"]
    assert [a.text for a in articles(pa.array(["one", "two"]))] == ["one", "two"]


@pytest.mark.parametrize("given", [STORY, {"id": "a", "text": STORY}, Article("a", STORY), b"bytes", 5, None])
def test_one_article_is_not_a_list_of_articles(given: Any) -> None:
    """A text would be iterated by letters, and a mapping by keys."""
    with pytest.raises(InputError, match="expected a list of articles"):
        samestory.find(given)


def test_relations_may_be_mappings_too() -> None:
    row = {"left": "a", "right": "b", "kind": "near", "forward": 0.9, "backward": 0.8}
    assert [sorted(g.members) for g in samestory.group([row], articles=[{"id": "c", "text": "x"}])] == [
        ["a", "b"],
        ["c"],
    ]
    with pytest.raises(InputError, match=r"^relation 2: 'kind' is missing"):
        samestory.group([row, {"left": "a", "right": "b", "forward": 1, "backward": 1}])


@pytest.mark.parametrize("when", ["-90000000000", "99999999999", "0001-01-01", "9999-12-31T23:59:59Z", "-009999-01-01"])
@pytest.mark.parametrize("window", [None, timedelta(days=1), timedelta.max])
def test_dates_at_the_ends_of_time_do_not_overflow(when: str, window: timedelta | None) -> None:
    index = Index(Reuse(), window=window)
    index.add(prepare([Article("a", STORY, published=when)]))
    assert len(index.add(prepare([Article("b", STORY, published=when)]))) == 1


@pytest.mark.parametrize(
    ("given", "place", "detail", "hint"),
    [
        (["text", 7], "article 2", "expected an Article, a mapping or a text, got 7 (int)", ""),
        ([{"text": 7}], "article 1", "text: expected a text, got 7 (int)", ""),
        ("text", "articles", "expected a list of articles, got one 'text'", "read a file"),
    ],
)
def test_errors_have_place_detail_and_hint_in_fields(given: Any, place: str, detail: str, hint: str) -> None:
    for call in (samestory.find, samestory.relate):
        with pytest.raises(InputError) as caught:
            call(given)
        assert (caught.value.place, caught.value.detail) == (place, detail)
        assert hint in caught.value.hint
