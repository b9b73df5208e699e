"""Metadata in archives: stored exactly, updated without a revision, found and counted, on both databases."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from samestory import Article, ParameterError
from samestory.archive import Archive, facet_columns
from samestory.archive.check import check
from samestory.archive.copy import copy
from samestory.archive.facets import MAX_FACETS, MAX_VALUE_CHARS, facets_of
from samestory.archive.query import Filters, name_key, parse
from samestory.archive.search import SearchPage, search, search_ids
from samestory.database import connect
from samestory.model import metadata_json
from samestory.web.views import make_filters
from tests.archive.news import item, story
from tests.readers.test_metadata import HOSTILE, names, values


def ids(page: SearchPage) -> set[str]:
    return {hit.representative.id for hit in page.stories}


def metadata_of(archive: Archive, id: str) -> Any:
    found = archive.article(id)
    assert found is not None
    return found.article.metadata


def with_fields(*fields: dict[str, Any], first: int = 0) -> list[dict[str, Any]]:
    """Articles about different things, each with some fields."""
    return [{**item(f"a{number}", story(number)), **own} for number, own in enumerate(fields, first)]


once = settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=6)


@once
@given(st.lists(st.dictionaries(names, values, max_size=4), min_size=1, max_size=5))
def test_metadata_are_stored_exactly(place: str, fields: list[dict[str, Any]]) -> None:
    given_articles = [Article(f"a{number}", f"Words {number}.", metadata=own) for number, own in enumerate(fields)]
    with Archive.open(place) as archive:
        archive.remove([f"a{number}" for number in range(5)])  # of the last example
        archive.add(given_articles)
        stored = {each.article.id: each.article for each in archive.each()}
        for each in given_articles:
            assert metadata_json(stored[each.id].metadata) == metadata_json(each.metadata)
            for facet in facets_of(each.metadata):
                assert each.id in ids(search(archive.database, filters=Filters(fields=((facet.name, facet.value),))))
    assert check(place).damages == []


def test_other_metadata_alone_is_an_update_without_a_revision(place: str) -> None:
    first, other = with_fields({"section": "Sports", "desk": "x"}, {"section": "Politics"})
    with Archive.open(place) as archive, Archive.open(place) as reader:
        archive.add([first, other])
        assert ids(search(reader.database, "section:sports")) == {"a0"}
        added = archive.add([{**first, "section": "Travel"}, other, *with_fields({"section": "Travel"}, first=2)])
        names_of = (added.new, added.revised, added.updated, added.same)
        assert names_of == (["a2"], [], ["a0"], ["a1"])
        assert metadata_of(archive, "a0") == {"section": "Travel", "desk": "x"}
        found = archive.article("a0")
        assert found is not None and found.revision == 1 and archive.revisions("a0") == []
        for each in (archive, reader):
            assert ids(search(each.database, "section:sports")) == set()
            assert ids(search(each.database, "section:travel")) == {"a0", "a2"}
            counts = dict(search(each.database).facets.fields)
            assert counts == {"desk": (("x", 1),), "section": (("Travel", 2), ("Politics", 1))}
        # a record without any leaves them as they are
        assert archive.add([item("a0", story(0))]).same == ["a0"]
        assert metadata_of(archive, "a0") == {"section": "Travel", "desk": "x"}
    assert check(place).damages == []


def test_every_version_keeps_its_own(place: str) -> None:
    (first,) = with_fields({"section": "Sports"})
    with Archive.open(place) as archive:
        archive.add([first])
        archive.add([{**first, "text": story(7), "section": "Travel"}])
        archive.add([{**first, "text": story(8), "section": None}])
        assert [dict(each.article.metadata) for each in archive.revisions("a0")] == [
            {"section": "Sports"}, {"section": "Travel"}
        ]  # fmt: skip
        assert metadata_of(archive, "a0") == {}
        assert search(archive.database, filters=Filters(fields=(("section", "Travel"),))).total_articles == 0
        archive.remove(["a0"])
        archive.add(with_fields({"section": "New"}))
        assert metadata_of(archive, "a0") == {"section": "New"} and archive.revisions("a0") == []
    assert check(place).damages == []


def test_expired_articles_come_back_with_all_versions(place: str) -> None:
    (first,) = with_fields({"section": "Sports"})
    with Archive.open(place) as archive:
        archive.add([first, *with_fields({}, {"code": "only here"}, first=1)])
        archive.add([{**first, "text": story(7), "section": "Travel"}])
        archive.expire(datetime(2026, 3, 9, tzinfo=UTC), force=True)
        assert search(archive.database, filters=Filters(fields=(("section", "Travel"),))).total_articles == 0
        with archive.database.read() as session:
            assert session.rows("SELECT * FROM metadata") == session.rows("SELECT * FROM facets") == []
        archive.restore_expired()
        assert metadata_of(archive, "a0") == {"section": "Travel"} and metadata_of(archive, "a2") == {
            "code": "only here"
        }
        assert [dict(each.article.metadata) for each in archive.revisions("a0")] == [{"section": "Sports"}]
        assert ids(search(archive.database, "section:travel")) == {"a0"}
        assert ids(search(archive.database, 'code:"only here"')) == {"a2"}
    assert check(place).damages == []


def test_copies_and_backups_have_all(places: Callable[[], str], tmp_path: Path) -> None:
    (place, again), backup, other = (places(), places()), tmp_path / "a.backup", tmp_path / "copy.db"
    (first,) = with_fields({"section": "Sports", "deep": {"a": [1, None]}})
    with Archive.open(place) as archive:
        archive.add([first])
        archive.add([{**first, "text": story(7), "section": "Travel"}])
        archive.backup(backup)
    copy(place, str(other))
    Archive.restore(backup, again)
    for each in (again, str(other)):
        with Archive.open(each) as archive:
            assert metadata_of(archive, "a0") == {"section": "Travel", "deep": {"a": (1,)}}
            assert archive.revisions("a0")[0].article.metadata["section"] == "Sports"
            assert ids(search(archive.database, "section:travel")) == {"a0"}
            archive.add(with_fields({"section": "Sports"}, first=1))
        assert check(each).damages == []


def test_search_by_fields(place: str) -> None:
    fields: list[dict[str, Any]] = [
        {"section": "Sports", "tags": ["ferry", "storm"], "page": 3},
        {"Section": "SPORTS ", "tags": "Ferry", "page": "3"},
        {"section": "Économie", "live": True, "long": "x" * 101, "object": {"tags": "no"}},
        {"section": "World news", "lines": "a\nb", "two words": "x", "price": 2.5},
        {"day": "Monday"},
    ]
    with Archive.open(place) as archive:
        archive.add(with_fields(*fields))
        database = archive.database
        for query, expected in (
            ("section:sports", "01"), ('SECTION:"world news"', "3"), ("section:economie", "2"), ("section:sport", ""),
            ("tags:ferry", "01"), ("tags:storm page:3", "0"), ("tags:storm tags:ferry", "01"), ("page:3", "01"),
            ("live:true", "2"), ("price:2.5", "3"), ("section:sports since:2027-01-01", ""), ("section: sports", ""),
            ("no:sports", ""), ("long:x", ""), ("tags:no", ""),
        ):  # fmt: skip
            assert ids(search(database, query)) == {f"a{number}" for number in expected}, query
            assert set(search_ids(database, query, 10)) == {f"a{number}" for number in expected}, query
        for pair, expected in ((("two words", "X"), "3"), (("day", "monday"), "4"), (("no", "x"), ""), (("", ""), "")):
            assert ids(search(database, filters=Filters(fields=(pair,)))) == {f"a{number}" for number in expected}
        page = search(database, "section:sports")
        counts = (("tags", (("ferry", 2), ("storm", 1))), ("page", (("3", 2),)), ("section", (("Sports", 2),)))
        assert page.facets.fields == counts
        first = search(database, "section:sports", limit=1)
        second = search(database, "section:sports", limit=1, cursor=first.cursor)
        assert ids(first) | ids(second) == {"a0", "a1"} and second.cursor is None


def test_a_name_that_no_article_has_is_searched_as_a_word(place: str) -> None:
    texts = ["Read https://example.com/a at 10:30 today.", "The section sports is closed."]
    with Archive.open(place) as archive:
        archive.add([{"id": str(number), "text": text} for number, text in enumerate(texts)])
        assert ids(search(archive.database, "https://example.com")) == {"0"}
        assert ids(search(archive.database, "10:30")) == {"0"}
        assert ids(search(archive.database, "section:sports")) == {"1"}
        archive.add([{"id": "2", "text": "Other words.", "section": "Sports"}])
        assert ids(search(archive.database, "section:sports")) == {"2"}
    assert parse("-section:x", ["section"]).filters.fields == ()
    assert parse('a" b:', ["a", 'b"', "b"]).filters.fields == ()
    with pytest.raises(ParameterError, match="field: expected a name and a value such as section:Sports, got 'sports'"):
        make_filters(fields=["sports"])


def test_counts_are_those_of_a_slow_model(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Counted while articles arrive, are revised, updated and removed, and a field gets too many values."""
    monkeypatch.setattr(facet_columns, "MAX_VALUES", 4)
    sections = ["Sports", "sports", "Travel", "Économie", None]
    with Archive.open(place) as archive, Archive.open(place) as reader:
        now: dict[str, dict[str, Any]] = {}
        for step in range(6):
            for number in range(step, step + 4):
                one = item(f"n{number}", story(100 * number + step // 3))
                one |= {"section": sections[(number + step) % 5], "number": number, "tags": ["a", "b"][: number % 3]}
                now[one["id"]] = one
            archive.add(list(now.values()))
            if step == 4:
                archive.remove(["n0", "n3"])
                now.pop("n0"), now.pop("n3")
            for each in (archive, reader):
                found = dict(search(each.database, limit=1000).facets.fields)
                for name in ("section", "tags"):
                    expected = Counter(
                        key
                        for one in now.values()
                        for key in {name_key(v) for v in (one[name] if name == "tags" else [one[name]]) if v}
                    )
                    assert {name_key(str(value)): count for value, count in found.get(name, ())} == expected
                assert ("number" in found) == (len(now) <= 4)
    assert check(place).damages == []


def test_damaged_facets_are_found_and_written_again(place: str) -> None:
    with Archive.open(place) as archive:
        archive.add(with_fields({"section": "Sports"}, {"section": "Travel"}, {}))
    with connect(place) as database, database.write() as session:
        session.run("DELETE FROM article_facets WHERE article = 1")
        session.insert("article_facets", ("facet", "article"), [(1, 3), (1, 77)])
        session.insert("metadata", ("id", "revision", "fields"), [("gone", 1, "{}")])
    kinds = [(damage.what, damage.examples) for damage in check(place).damages]
    assert kinds == [
        ("metadata or facets of an article that does not exist", ("gone", "77 (int)")),
        ("article whose facets are not those of its metadata", ("a0", "a2")),
    ]
    assert check(place, repair=True).is_sound and check(place).damages == []
    with Archive.open(place) as archive:
        assert ids(search(archive.database, "section:sports")) == {"a0"}
    with connect(place) as database, database.write() as session:
        session.run("UPDATE metadata SET fields = ? WHERE id = ?", (json.dumps({"section": "Spurts"}), "a0"))
    (damage,) = check(place, repair=True).damages
    assert "row of the table metadata that has changed since it was stored" in damage.what and not damage.repaired
    with Archive.open(place) as archive:
        assert ids(search(archive.database, "section:sports")) == {"a0"}


def test_a_hostile_set_is_stored_or_left_out(place: str) -> None:
    many = {f"field {number}": number for number in range(10_000)}
    rows = [
        item(f"h{at}", story(at), **{str(name): value for name, value in own.items()})
        for at, (own, _, _) in enumerate(HOSTILE)
    ]
    with Archive.open(place) as archive:
        added = archive.add([*rows, item("many", story(99), **many), item("list", story(98), tags=list(range(5000)))])
        assert added.rejected == [] and len(added.new) == len(HOSTILE) + 2
        for at, (_, expected, _) in enumerate(HOSTILE):
            assert metadata_of(archive, f"h{at}").items() >= expected.items()
        assert len(facets_of(metadata_of(archive, "many"))) == MAX_FACETS
        name = "id'; DROP TABLE articles; --"
        page = search(archive.database, filters=Filters(fields=((name, "<script>"),)))
        assert ids(page) == {"h5"} and (name.casefold(), (("<script>", 1),)) in page.facets.fields
        assert len(search(archive.database).facets.fields) == facet_columns.MAX_COUNTED_FIELDS
        for query in (f"{name}:<script>", "field 1:1", "(?i:x)", "a:" * 50, 'x:"', ":", "::x"):
            search(archive.database, query)
    assert MAX_VALUE_CHARS == 100 and check(place).damages == []
