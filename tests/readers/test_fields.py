"""Field roles: usual names, user-defined names, values of every type, dates."""

from __future__ import annotations

import csv
import json
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from samestory import Article, ParameterError, Problem, Source, read
from samestory.readers import article
from tests.conftest import Runner, Writer


@pytest.mark.parametrize(
    ("role", "name"),
    [
        ("id", "guid"), ("id", "_id"), ("id", "ID"),
        ("title", "headline"), ("title", "Title"),
        ("text", "body"), ("text", "content"), ("text", "articleBody"),
        ("published", "date"), ("published", "pubDate"), ("published", "datePublished"), ("published", "published_at"),
        ("url", "link"),
        ("source", "publisher"), ("source", "site"),
        ("lang", "language"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("ending", ["jsonl", "csv", "parquet"])
def test_usual_names_of_fields_are_known(role: str, name: str, ending: str, tmp_path: Path) -> None:
    row = {"id": "a", "text": "The ferry runs.", name: "2026-03-04"}
    if role in ("id", "text"):
        del row[role]
    path = tmp_path / f"news.{ending}"
    if ending == "jsonl":
        path.write_text(json.dumps(row))
    elif ending == "csv":
        path.write_text(",".join(row) + "\n" + ",".join(row.values()) + "\n")
    else:
        pq.write_table(pa.table({key: [value] for key, value in row.items()}), path)
    (article,) = read(str(path))
    assert isinstance(article, Article)
    assert getattr(article, role) == "2026-03-04"


@pytest.mark.parametrize("ending", ["jsonl", "csv", "parquet"])
def test_other_names_are_mapped_and_then_count_alone(ending: str, tmp_path: Path, samestory: Runner) -> None:
    row = {"id": "other", "Kennung": "k1", "text": "teaser only", "Meldung": "The whole report."}
    path = tmp_path / f"news.{ending}"
    if ending == "jsonl":
        path.write_text(json.dumps(row))
    elif ending == "csv":
        path.write_text(",".join(row) + "\n" + ",".join(row.values()) + "\n")
    else:
        pq.write_table(pa.table({key: [value] for key, value in row.items()}), path)
    assert list(read(Source(str(path), {"text": "Meldung", "id": "Kennung"}))) == [Article("k1", "The whole report.")]
    assert samestory("find", path, "--field", "text=Meldung", "--field", "id=Kennung").members == ["k1"]


@pytest.mark.parametrize("ending", ["jsonl", "csv", "tsv", "parquet", "python"])
@pytest.mark.parametrize(
    "row",
    [
        {"content": "later", "text": "first"},
        {"text": "first", "content": "later"},
        {"content": "later", "body": "first", "text": None},
        {"text": "", "content": "first"},
        {"text": " \t", "content": "", "body": "first", "article": "later"},
    ],
)
def test_of_several_names_for_one_role_the_first_counts_that_holds_something(
    row: dict[str, str | None], ending: str, tmp_path: Path
) -> None:
    """JSON Lines, CSV and Python used to differ for an empty text next to a body; Parquet read only one column."""
    path = tmp_path / f"n.{ending}"
    row = {"id": "a", **row}
    if ending == "python":
        assert article(row, 1) == Article("a", "first")
        return
    if ending == "jsonl":
        path.write_text(json.dumps(row))
    elif ending == "parquet":
        pq.write_table(pa.table({key: pa.array([value], pa.string()) for key, value in row.items()}), path)
    else:
        with path.open("w", newline="") as out:
            writer = csv.DictWriter(out, list(row), delimiter="," if ending == "csv" else "\t")
            writer.writeheader()
            writer.writerow(row)
    assert list(read(str(path))) == [Article("a", "first")]


@pytest.mark.parametrize("ending", ["jsonl", "csv", "tsv", "parquet", "python", "Article"])
@pytest.mark.parametrize("row", [{}, {"text": None}, {"text": ""}, {"text": " \t"}, {"body": "", "text": " "}])
def test_a_headline_is_the_text_of_what_has_no_other(
    row: dict[str, str | None], ending: str, write: Writer, samestory: Runner
) -> None:
    """Short news with only a headline used to be rejected for lack of a text."""
    row = {"id": "a", "headline": "Ferry sinks off Sandoy", **row}
    wanted = Article("a", "Ferry sinks off Sandoy", "Ferry sinks off Sandoy")
    if ending in ("python", "Article"):
        given = row if ending == "python" else Article("a", row.get("text") or "", "Ferry sinks off Sandoy")
        assert article(given, 1, doubts=(doubts := [])) == wanted
        assert doubts == []
        return
    path = write(f"n.{ending}", [row])
    if ending == "parquet":
        pq.write_table(pa.table({key: pa.array([value], pa.string()) for key, value in row.items()}), path)
    elif ending != "jsonl":
        with path.open("w", newline="") as out:
            writer = csv.DictWriter(out, list(row), delimiter="," if ending == "csv" else "\t")
            writer.writeheader()
            writer.writerow(row)
    assert list(read(str(path))) == [wanted]
    # in the core; and once with the language, and in Python
    for detector in ("reuse", "event", "semshort") if len(row) == 2 else ("reuse",):
        done = samestory("find", path, "-d", detector)
        assert (done.code, done.members) == (0, ["a"]), done.err
        assert "refused" not in done.err


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet"])
def test_headlines_do_not_stand_for_a_column_that_is_named_and_not_there(
    ending: str, write: Writer, samestory: Runner
) -> None:
    path = write(f"n.{ending}", "id,title\n1,Ferry sinks\n".replace(",", "\t" if ending == "tsv" else ","))
    if ending == "parquet":
        pq.write_table(pa.table({"id": ["1"], "title": ["Ferry sinks"]}), path)
    assert [item.text for item in read(str(path)) if isinstance(item, Article)] == ["Ferry sinks"]
    done = samestory("find", path, "--field", "text=Meldung")
    assert done.code == 1
    assert "no column for the text among id, title" in done.err


def test_a_role_that_does_not_exist_is_rejected() -> None:
    with pytest.raises(ParameterError, match="colour"):
        Source("news.jsonl", {"colour": "red"})


def test_values_that_are_lists_objects_and_numbers_are_taken_as_texts(write: Writer) -> None:
    row = {
        "id": 7,
        "headline": ["First", "Second"],
        "body": ["One paragraph.", "Another."],
        "publisher": {"type": "Organization", "name": "Post"},
        "date": 1709510400,
        "tags": [{"deep": [1, None, {}]}],
    }
    assert list(read(str(write("n.jsonl", [row])))) == [
        Article(
            "7", "One paragraph.\n\nAnother.", "First", "1709510400", None, "Post", metadata={"tags": [{"deep": [1]}]}
        )
    ]


@pytest.mark.parametrize("value", ["[1, 2]", "[{}]", '[["deep"]]'])
def test_a_text_that_is_no_text_is_rejected_and_not_guessed(value: str, write: Writer) -> None:
    items = list(read(str(write("n.jsonl", [f'{{"id": "a", "text": {value}}}', '{"id": "b", "text": "fine"}']))))
    assert isinstance(items[0], Problem) and items[0].line == 1
    assert items[1] == Article("b", "fine")


def test_an_article_without_id_is_named_by_its_address_or_its_place(write: Writer, samestory: Runner) -> None:
    path = write(
        "n.jsonl",
        [{"text": "one"}, {"url": "http://x/2", "text": "two"}, {"id": "", "url": "http://x/3", "text": "three"}],
    )
    expected = [f"{path}:1", "http://x/2", "http://x/3"]
    assert [item.id for item in read(str(path)) if isinstance(item, Article)] == expected
    assert samestory("find", path).members == sorted(expected)


@pytest.mark.parametrize(
    "date",
    ["2024-01-01T00:00:00Z", "2024-01-01T03:00:00+03:00", "2024-01-01 00:00:00", "2024-01-01", "2024-01-01T00:00",
     "Mon, 01 Jan 2024 00:00:00 GMT", "Mon, 1 Jan 2024 02:00:00 +0200", "1704067200", "1704067200000", " 2024-01-01 "],
)  # fmt: skip
def test_dates_of_every_usual_form_are_one(date: str) -> None:
    from samestory import prepare

    assert prepare([Article("a", "x", published=date)]).published == [datetime(2024, 1, 1, tzinfo=UTC)]
