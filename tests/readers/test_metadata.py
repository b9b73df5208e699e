"""Fields without a role are metadata of the article, the same from every kind of input."""

from __future__ import annotations

import csv
import json
import pickle
from dataclasses import asdict
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from samestory import Article, InputError, Problem, Source, read
from samestory.feeds.parse import parse as parse_feed
from samestory.html import Page
from samestory.html import article as page_article
from samestory.html import parse as parse_extractor
from samestory.model import ArticleMetadata, metadata_json
from samestory.readers import article, articles
from samestory.readers.metadata import MAX_METADATA_BYTES, RESERVED, to_metadata

ROW = {"id": "a", "text": "The ferry sank.", "Section": "Sports", "tags": ["ferry", "storm"], "page": 3, "live": True}
OTHERS = {"Section": "Sports", "tags": ("ferry", "storm"), "page": 3, "live": True}

#: Values of a record that are kept as they are.
scalars = st.text(min_size=1).filter(lambda text: text.strip() and "\0" not in text) | st.integers() | st.booleans()
values = st.recursive(
    scalars | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, min_size=1, max_size=3) | st.dictionaries(st.text(max_size=5), inner, min_size=1),
    max_leaves=4,
)
names = st.text(st.characters(exclude_categories=["Cc", "Cs"]), min_size=1, max_size=20).filter(
    lambda name: name.strip() and name.lower() not in RESERVED
)


def write(path: Path, rows: list[dict[str, Any]]) -> Path:
    """Write rows in the format of the name."""
    if path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    elif path.suffix == ".parquet":
        pq.write_table(pa.Table.from_pylist(rows), path)
    else:
        with path.open("w", newline="") as file:
            table = csv.DictWriter(file, list(rows[0]), delimiter="," if path.suffix == ".csv" else "\t")
            table.writeheader()
            table.writerows(rows)
    return path


@pytest.mark.parametrize("ending", ["jsonl", "parquet"])
def test_other_fields_of_files_are_kept(ending: str, tmp_path: Path) -> None:
    found = list(read(write(tmp_path / f"news.{ending}", [ROW, {**ROW, "id": "b", "page": None}])))
    assert found == [Article("a", "The ferry sank.", metadata=OTHERS), Article("b", "The ferry sank.", metadata={
        name: value for name, value in OTHERS.items() if name != "page"
    })]  # fmt: skip


@pytest.mark.parametrize("ending", ["csv", "tsv"])
def test_other_cells_of_tables_are_texts(ending: str, tmp_path: Path) -> None:
    rows = [{"id": "a", "text": "t", "Section": 'Say "x", y', "page": "3", "": "7", "desk": ""}]
    (found,) = read(write(tmp_path / f"news.{ending}", rows))
    assert isinstance(found, Article) and found.metadata == {"Section": 'Say "x", y', "page": "3"}
    path = tmp_path / "latin.csv"
    path.write_bytes("id,text,desk\n1,plain,b\xfcro\n".encode("latin-1"))
    (found,) = read(path)
    assert isinstance(found, Article) and found.metadata == {"desk": "b\ufffdro"}


def test_other_fields_of_python_values_are_kept() -> None:
    frame = pd.DataFrame([{**ROW, "none": float("nan"), "at": pd.NaT}])
    expected = [Article("a", "The ferry sank.", metadata=OTHERS)]
    for given_rows in ([ROW], frame, pl.DataFrame([ROW]), pa.Table.from_pylist([ROW]), expected):
        assert articles(given_rows) == expected
    row = {"text": "t", "n": np.int64(5), "x": np.float32(0.5), "b": np.bool_(True),
           "at": datetime(2026, 3, 1, tzinfo=UTC),
           "price": Decimal("2.50"), "list": np.array([1, 2]), "deep": {"a": [{"b": None}, {"c": 1}]}}  # fmt: skip
    assert article(row, 1).metadata == {
        "n": 5, "x": 0.5, "b": True, "at": "2026-03-01T00:00:00+00:00", "price": "2.50", "list": (1, 2),
        "deep": {"a": ({"c": 1},)},
    }  # fmt: skip


def test_categories_and_authors_of_feeds_are_kept() -> None:
    feed = b"""<rss version="2.0"><channel><title>T</title><item><title>Rain</title><category>Sport</category>
        <category>  Foot\n ball </category><category>Sport</category><author>ann@a.com (Ann Bee)</author></item>
        <item><title>Storm</title></item></channel></rss>"""
    rain, storm = parse_feed(feed, "http://a.com/feed").articles
    assert rain.metadata == {"category": ("Sport", "Foot ball"), "author": "ann@a.com (Ann Bee)"}
    assert not storm.metadata


def test_section_keywords_and_author_of_pages_are_kept() -> None:
    data = {"@type": "NewsArticle", "headline": "Storm hits coast", "articleSection": ["Weather", "News"],
            "keywords": "storm, <b>coast</b>,storm,",
            "author": {"name": "Ann Bee"}, "dateModified": "2024-05-13"}  # fmt: skip
    text = "A storm has hit the coast of Norway, the police said today."
    for head, expected in (
        (f'<script type="application/ld+json">{json.dumps(data)}</script>',
         {"author": "Ann Bee", "modified": "2024-05-13", "section": "Weather", "keywords": ("storm", "coast")}),
        ('<meta property="article:section" content="Weather"><meta property="article:tag" content="a, b">'
         '<meta property="article:tag" content="c">', {"section": "Weather", "keywords": ("a, b", "c")}),
        ('<meta name="keywords" content="a, b">', {"keywords": ("a", "b")}),
    ):  # fmt: skip
        page = Page(
            f"<title>Storm hits coast</title>{head}<h1>Storm hits coast</h1><p>{text}".encode(), "http://a.com/1"
        )
        assert page_article(page, parse_extractor("rules").extract([page])[0], "1").metadata == expected


@pytest.mark.parametrize("ending", ["jsonl", "csv", "parquet"])
def test_mapped_and_usual_names_are_roles_and_no_metadata(ending: str, tmp_path: Path) -> None:
    row = {"id": "a", "Meldung": "The whole report.", "text": "teaser", "Body": "x", "GUID": "g", "desk": "Foreign"}
    path = write(tmp_path / f"news.{ending}", [row])
    expected = Article("a", "The whole report.", metadata={"desk": "Foreign"})
    assert list(read(Source(str(path), {"text": "Meldung"}))) == [expected]
    assert article(row, 1, fields={"text": "Meldung"}) == expected


def test_an_object_of_metadata_has_further_fields(tmp_path: Path) -> None:
    row = {"id": "a", "text": "t", "metadata": {"section": "Sports", "desk": "x", "text": "no"}, "desk": "Foreign"}
    expected = {"section": "Sports", "desk": "Foreign"}
    assert article(row, 1).metadata == expected
    (found,) = read(write(tmp_path / "a.jsonl", [row]))
    assert isinstance(found, Article) and found.metadata == expected


HOSTILE: list[tuple[dict[Any, Any], dict[str, Any], str]] = [
    ({"big": "x" * 20_000, "section": "a"}, {"section": "a"}, "left out 'big': more than 10,000 bytes of metadata"),
    ({"": "x", " ": "y", 7: "z", "\t": 1}, {}, ""),
    ({"a\x1bb": 1, "n" * 101: 2, "c": 3}, {"c": 3}, "left out 'a\\x1bb': control characters in a name; "),
    ({"a": "x\0y", "b": ["\0", ""]}, {"a": "x\ufffdy", "b": ("\ufffd",)}, ""),
    ({"a": b"bytes", "b": "half \ud800"}, {}, "left out 'a': expected a text, a number or a list, got b'bytes'; left"),
    ({"id'; DROP TABLE articles; --": "<script>"}, {"id'; DROP TABLE articles; --": "<script>"}, ""),
    ({"a": float("nan"), "b": float("inf"), "c": {}, "d": [], "e": [None], "f": {"g": None}}, {}, ""),
    ({"deep": [[[[[[[[[[1]]]]]]]]]]}, {}, "left out 'deep': more than 8 levels"),
    ({"Title": "x", "HEADLINE": "y", "Locale": "tr", "metadata": 7}, {}, ""),
]


@pytest.mark.parametrize(("row", "expected", "reason"), HOSTILE)
def test_what_cannot_be_kept_is_left_out_and_said(row: dict[Any, Any], expected: dict[str, Any], reason: str) -> None:
    found, left_out = to_metadata(row)
    assert found == expected
    assert left_out.startswith(reason) and bool(left_out) == bool(reason)


def test_ten_thousand_fields_are_bounded(tmp_path: Path) -> None:
    row = {"id": "a", "text": "t", **{f"field {number}": "value" for number in range(10_000)}}
    doubts: list[Any] = []
    one = article(row, 1, doubts=doubts)
    assert 300 < len(one.metadata) < 1000 and len(metadata_json(one.metadata).encode()) <= MAX_METADATA_BYTES
    assert "more: more than 10,000 bytes of metadata" in doubts[0].detail and len(doubts[0].detail) < 300
    for ending in ("jsonl", "csv", "parquet"):
        read_one, problem = read(write(tmp_path / f"many.{ending}", [row]))
        assert read_one == one and isinstance(problem, Problem)
        assert (problem.fault, problem.kept, problem.line) == ("unreadable field", True, 2 if ending == "csv" else 1)


def test_json_that_only_one_parser_accepts_costs_the_metadata_only(tmp_path: Path) -> None:
    path = tmp_path / "news.jsonl"
    long = "9" * 5000
    path.write_text(
        f'{{"text": "t", "n": NaN, "desk": "x"}}\n{{"text": "u", "n": {long}}}\n{{"text": "v", "n": 1e999}}\n'
    )
    items = list(read(path))
    kept = [each.metadata for each in items if isinstance(each, Article)]
    assert (kept[0], len(kept)) == ({"desk": "x"}, 3)


@given(st.dictionaries(names, values, max_size=4))
def test_json_lines_and_mappings_give_the_same_metadata(
    tmp_path_factory: pytest.TempPathFactory, others: dict[str, Any]
) -> None:
    row = {"id": "a", **others, "text": "t"}
    path = write(tmp_path_factory.mktemp("lines") / "news.jsonl", [row])
    found = [each for each in read(path) if isinstance(each, Article)]
    assert found == [article(row, 1)]
    again = ArticleMetadata.from_json(metadata_json(found[0].metadata))
    assert again == found[0].metadata and metadata_json(again) == metadata_json(found[0].metadata)


def test_metadata_are_immutable_hashable_and_pickled() -> None:
    given_fields = {"tags": ["a"], "deep": {"b": [1]}}
    one = Article("a", "t", metadata=given_fields)
    given_fields["tags"].append("b")  # type: ignore[attr-defined]
    assert one.metadata == {"tags": ("a",), "deep": {"b": (1,)}}
    assert one == pickle.loads(pickle.dumps(one)) and hash(one) == hash(Article("a", "t"))
    assert hash(one.metadata) == hash(ArticleMetadata(dict(one.metadata))) and repr(ArticleMetadata()) == "{}"
    assert json.dumps(asdict(one)) and asdict(one)["metadata"] == one.metadata
    assert one != Article("a", "t") and Article("a", "t").metadata is Article("b", "t").metadata
    with pytest.raises(TypeError):
        one.metadata["tags"] = ()  # type: ignore[index]
    for wrong in (7, {"a": object()}, {1: "a"}):
        with pytest.raises(InputError, match="metadata"):
            Article("a", "t", metadata=wrong)  # type: ignore[arg-type]
