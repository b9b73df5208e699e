"""Archives: durability, consistency across threads and processes, and decisions."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from samestory import Article, InputError, Kind, MismatchError, StoreError
from samestory.archive import Archive, settings
from samestory.archive.search import search
from samestory.archive.stored import ids_of_numbers
from samestory.archive.stories import relations as relations_of
from samestory.archive.stories import story as one_story
from tests.archive.news import FIRE, item, news, story

Places = Callable[[], str]


def stories(archive: Archive) -> set[frozenset[str]]:
    found: dict[int, set[str]] = {}
    with archive.database.read() as session:
        for id, number in session.rows("SELECT id, story FROM articles"):
            found.setdefault(number, set()).add(id)
    return set(map(frozenset, found.values()))


def relations(archive: Archive) -> set[tuple[Any, ...]]:
    with archive.database.read() as session:
        rows = session.rows("SELECT left_number, right_number, kind, score FROM relations")
        names = ids_of_numbers(session, {number for row in rows for number in row[:2]})
    return {(names[left], names[right], kind, round(score, 6)) for left, right, kind, score in rows}


def whole(archive: Archive) -> tuple[Any, ...]:
    return stories(archive), relations(archive)


def test_relations_and_query(place: str) -> None:
    text = story(1)
    with Archive.open(place) as archive:
        added = archive.add([item("a", text), item("b", f"{text} And more."), item("c", story(2))])
        assert (added.new, added.revised, added.same, added.rejected) == (["a", "b", "c"], [], [], [])
        assert [(r.left, r.right, r.kind) for r in added.relations] == [("b", "a", Kind.NEAR)]
        assert [str(change) for change in added.changes] == [
            "a opened group 1",
            "b joined group 1",
            "c opened group 3",
        ]
        assert [(r.right, r.kind) for r in archive.query(text)] == [("a", Kind.IDENTICAL), ("b", Kind.NEAR)]
        assert archive.stats()["articles"] == 3 and archive.stats()["stories"] == 2
        explained = archive.explain("a", "b")
        assert explained.relation is not None and explained.evidence
        (found,) = archive.articles(["a", "unknown"]).values()
        assert found.article == Article("a", text, published="2026-03-02T08:00:00Z", lang="en")
    with Archive.open(place, create=False) as archive:
        assert stories(archive) == {frozenset("ab"), frozenset("c")}
        assert len(archive.query(text)) == 2


def test_evidence_is_looked_for_by_the_detector_that_relates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If none does, by the first: evidence about an event takes ten times as long as all comparisons."""

    def refuse(*_: object) -> None:
        raise AssertionError

    with Archive.open(tmp_path / "news.db") as archive:
        archive.add([item("a", story(1)), item("b", story(2)), item("copy", story(1))])
        archive.add([item(f"fire {number}", title) for number, title in enumerate(FIRE)])
        for method in ("explain", "alone", "reasons"):
            monkeypatch.setattr(archive.detectors[1].__class__, method, refuse)
        for other, kind in (("b", None), ("copy", Kind.IDENTICAL)):
            found = archive.explain("a", other).relation
            assert (found and found.kind) == kind
        with pytest.raises(AssertionError):
            archive.explain("fire 0", "fire 1")


def test_copies_and_events_form_one_story_with_their_own_kinds(place: str) -> None:
    with Archive.open(place) as archive:
        archive.add([item(f"e{n}", text, title=text) for n, text in enumerate(FIRE)])
        archive.add([item("copy", FIRE[0], title=FIRE[0])])
        assert len(stories(archive)) == 1
        kinds = {frozenset(row[:2]): row[2] for row in relations(archive)}
        assert kinds[frozenset({"copy", "e0"})] == "IDENTICAL"
        assert kinds[frozenset({"e0", "e1"})] == "SAME_EVENT"


def test_adding_again_changes_nothing_and_another_text_is_a_revision(place: str) -> None:
    text = story(1)
    with Archive.open(place) as archive:
        archive.add([item("a", text), item("b", text)])
        before, log = whole(archive), archive.changes()
        again = archive.add([item("a", text), item("b", text, day=9)])
        assert (again.new, again.same, again.changes, again.relations) == ([], ["a", "b"], [], [])
        assert (whole(archive), archive.changes()) == (before, log)
        added = archive.add([item("a", f"{text} Two people were hurt.")])
        assert added.revised == ["a"]
        added = archive.add([item("a", story(7), title="Another matter")])
        assert added.revised == ["a"]
        assert stories(archive) == {frozenset("a"), frozenset("b")}
        first, second = archive.revisions("a")
        assert (first.article.text, first.revision, second.revision) == (text, 1, 2)
        assert (first.relation.kind, first.relation.left, first.relation.right) == (Kind.UPDATE, "a@2", "a@1")
        left = first.next.left.text
        assert [left[span.start : span.end] for span in first.next.only_left] == ["Two people were hurt"]
        assert archive.article("a").revision == 3  # type: ignore[union-attr]
    with Archive.open(place) as archive:
        assert len(archive.revisions("a")) == 2
        assert [r.right for r in archive.query(text)] == ["b"]


def test_a_revision_between_two_pages_keeps_its_page(place: str) -> None:
    def own(n: int) -> str:
        letters = Random(n)
        return " ".join("".join(letters.choices("abcdefgh", k=9)) for _ in range(30))

    with Archive.open(place) as archive:
        archive.add([item(f"a{n}", own(n), n + 1) for n in range(12)])
        first = search(archive.database, limit=4)
        archive.add([item("a5", f"{own(5)} And more.", 6), item("b", own(50), 7)])
        pages, cursor = [first], first.cursor
        while cursor:
            pages.append(search(archive.database, limit=4, cursor=cursor))
            cursor = pages[-1].cursor
        seen = [each.representative.id for page in pages for each in page.stories]
        assert seen == [f"a{n}" for n in reversed(range(12))]
        assert {page.total_stories for page in pages} == {12}


def test_limits_on_compared_characters_and_versions(place: str) -> None:
    with Archive.open(place) as archive:
        for n in range(5):
            archive.add([item("a", f"{story(1)} {'Again. ' * 50} And {n} more.")])
        last = archive.revisions("a", longest=80, most=2)
        assert [(each.revision, each.whole, len(each.next.left.text)) for each in last] == [
            (3, False, 80),
            (4, False, 80),
        ]
        assert last[-1].article.text.endswith("And 3 more.")
        assert [(each.revision, each.whole) for each in archive.revisions("a")] == [(n, True) for n in range(1, 5)]


def test_an_id_twice_in_one_batch_is_an_article_and_its_revision(place: str) -> None:
    with Archive.open(place) as archive:
        added = archive.add([item("a", story(1)), item("a", story(2)), item("b", story(3))])
        assert (added.new, added.revised) == (["a", "b"], ["a"])
        assert len(archive.revisions("a")) == 1


def test_a_rejected_article_does_not_affect_the_others(place: str) -> None:
    with Archive.open(place) as archive:
        given = [item("a", story(1)), {"id": "x"}, 7, item("empty", "  "), item("b", "NUL \0 is kept as a mark.")]
        added = archive.add(given, origin="a test")
        assert added.new == ["a", "b"]
        assert [number for number, _ in added.rejected] == [2, 3, 4]
        assert archive.stats()["rejects"] == 3
        assert archive.article("b").article.text == "NUL \ufffd is kept as a mark."  # type: ignore[union-attr]


def test_a_text_without_an_id_gets_a_hash(place: str) -> None:
    with Archive.open(place) as archive:
        (first,) = archive.add([story(1)]).new
        assert archive.add([story(2), story(1)]).same == [first]
        assert first.startswith("text-")


@pytest.mark.parametrize("seed", [0, 2, 7])
def test_reopened_and_concurrent_archives_are_equal(places: Places, seed: int) -> None:
    """An archive that stays open, one that is reopened for every batch, and two on one place have the same result."""
    random, given = Random(seed), news(seed, 120)
    given += [dict(each, text=f"{each['text']} New version.") for each in random.sample(given, 10)]
    batches = [given[at : at + 13] for at in range(0, len(given), 13)]
    gone = [each["id"] for each in random.sample(given, 8)]
    with Archive.open(places()) as staying:
        for batch in batches:
            staying.add(batch)
        staying.remove(gone)
        staying.add(batches[0])
        expected = whole(staying)
    place = places()
    for batch in batches:
        with Archive.open(place) as archive:
            archive.add(batch)
    with Archive.open(place) as archive:
        archive.remove(gone)
    with Archive.open(place) as archive:
        archive.add(batches[0])
        assert stories(archive) == expected[0]
    place = places()
    with Archive.open(place) as one, Archive.open(place) as other:
        for batch in batches:
            random.choice([one, other]).add(batch)
        one.remove(gone)
        other.add(batches[0])
        assert whole(other) == expected
        text = given[5]["text"]
        assert one.query(text) == other.query(text)


def test_expire_deletes_from_every_table_and_frees_space(place: str) -> None:
    with Archive.open(place) as archive:
        given = news(3, 400)
        archive.add(given)
        archive.add([dict(given[0], text="Another text altogether, with other words in it.")])
        full = archive.stats()["bytes"]
        kept = {each["id"] for each in given if each["published"] >= "2026-03-07"}
        expired = archive.expire(datetime(2026, 3, 7, tzinfo=UTC), force=True, grace=timedelta(0))
        assert expired == len(given) - len(kept)
        assert set().union(*stories(archive)) == kept
        with archive.database.read() as session:
            for table in ("articles", "texts", "relations", "entries", "revisions"):
                column = {"relations": "left_number", "entries": "id", "revisions": "id"}.get(table, "number")
                left = {value for (value,) in session.rows(f"SELECT DISTINCT {column} FROM {table}")}
                numbers = {number for (number,) in session.rows("SELECT number FROM articles")}
                assert left <= (kept if column == "id" else numbers), table
        if archive.database.kind == "sqlite":
            assert archive.stats()["bytes"] < full * 0.6
        old = next(each for each in given if each["id"] not in kept)
        assert old["id"] not in {r.right for r in archive.query(old["text"])}
        assert archive.expire(datetime(2030, 1, 1, tzinfo=UTC), force=True) == len(kept)
        assert whole(archive) == (set(), set())


def test_many_copies_have_one_relation_each(place: str) -> None:
    with Archive.open(place) as archive:
        added = archive.add([item(f"c{n}", story(1)) for n in range(300)])
        assert len(added.relations) == 299 and len(stories(archive)) == 1
        added = archive.add([item("late", f"{story(1)} More.")])
        assert len(added.relations) == 1 and len(stories(archive)) == 1
        # also from different sources
        added = archive.add([item(f"s{n}", story(2), source=f"source {n}") for n in range(300)])
        assert len(added.relations) == 299 and len(stories(archive)) == 2


def test_a_window_separates_old_news_from_new(place: str) -> None:
    with Archive.open(place, window=timedelta(days=3)) as archive:
        archive.add([item("a", story(1), 2), item("b", story(1), 4), item("c", story(1), 20)])
        assert stories(archive) == {frozenset("ab"), frozenset("c")}


def test_other_detectors_are_refused_with_a_hint(place: str) -> None:
    with Archive.open(place, ["reuse"]) as archive:
        archive.add([item("a", story(1))])
    with pytest.raises(MismatchError, match=r"was created with reuse.*\n?.*rebuild"):
        Archive.open(place, ["minhash"])
    with pytest.raises(MismatchError, match="window"):
        Archive.open(place, window=timedelta(days=3))
    with Archive.open(place) as archive:
        assert archive.rebuild(["minhash"]) == 1
        assert [r.right for r in archive.query(story(1))] == ["a"]


def test_words_folded_by_other_rules_are_indexed_again(place: str) -> None:
    """SQLite deletes only words given exactly as inserted: other folding rules would leave words behind."""
    with Archive.open(place) as archive:
        archive.add([item("a", story(1), title="Seçimler"), item("b", story(2))])
        with archive.database.write() as session:
            settings.put(session, "folding", "of another time")
            if archive.database.kind == "sqlite":
                session.run("INSERT INTO words (words) VALUES ('delete-all')")
            else:
                session.run("UPDATE texts SET found = NULL")
        assert search(archive.database, "secimler").total_articles == 0
    with Archive.open(place) as archive:
        assert search(archive.database, "secimler").total_articles == 1
        archive.remove(["a"])
        assert search(archive.database, "secimler").total_articles == 0


def test_readers_do_not_wait_for_a_writer(place: str) -> None:
    with Archive.open(place) as archive:
        archive.add([item("a", story(1))])
        with archive.database.write(), Archive.open(place, create=False) as reader:
            assert reader.stats()["articles"] == 1
            assert [r.right for r in reader.query(story(1))] == ["a"]


def test_a_query_does_not_wait_for_a_blocked_writer(place: str) -> None:
    """Regression: a query waited behind an `add` that waited for another writer, and with it the whole portal."""
    with Archive.open(place) as other, Archive.open(place) as archive:
        archive.add([item("a", story(1))])
        with other.database.write():
            adding = threading.Thread(target=archive.add, args=([item("b", story(2))],))
            adding.start()
            adding.join(0.5)
            assert adding.is_alive()
            with ThreadPoolExecutor(1) as executor:
                query = executor.submit(archive.query, story(1))
                assert [r.right for r in query.result(20)] == ["a"]
        adding.join()
        assert archive.stats()["articles"] == 2


def test_close_does_not_deadlock_with_other_threads(tmp_path: Path) -> None:
    """Regression: `close` took the archive's lock before the database's, `add` the other way round."""
    for number in range(30):
        archive = Archive.open(tmp_path / f"{number}.db")

        def busy(task: Callable[[], object]) -> None:
            with suppress(StoreError):
                while True:
                    task()

        tasks: list[Callable[[], object]] = [
            partial(archive.add, [item("a", story(number))]),
            partial(archive.query, story(1)),
        ]
        threads = [threading.Thread(target=busy, args=(task,), daemon=True) for task in tasks]
        for thread in threads:
            thread.start()
        closing = threading.Thread(target=archive.close, daemon=True)
        closing.start()
        for thread in (closing, *threads):
            thread.join(30)
            assert not thread.is_alive()


def test_ten_reprints_of_a_wire_story_are_one_text(place: str) -> None:
    with Archive.open(place) as archive:
        archive.add([item(f"r{n}", f"{story(1)} (Wire, paper {n})", source=f"paper {n}") for n in range(10)])
        archive.add([item("loud", story(1).upper(), source="paper loud")])
        (found,) = search(archive.database).stories
        assert (found.articles, found.sources, found.texts) == (11, 11, 1)
        assert one_story(archive.database, found.number).texts == 1


def test_words_of_expired_articles_free_their_space(tmp_path: Path) -> None:
    """Regression: SQLite keeps the words of deleted articles until it merges, so the file only grew."""
    with Archive.open(tmp_path / "news.db") as archive:

        def size() -> int:
            with archive.database.read() as session:
                return int((session.one("SELECT sum(length(block)) FROM words_data") or (0,))[0])

        nothing = size()
        for day in (1, 2, 3):
            archive.add([item(f"d{day}-{n}", story(n), day) for n in range(200)])
        full = size()
        assert archive.expire(datetime(2026, 4, 1, tzinfo=UTC), force=True) == 600
        assert size() < nothing + full / 20


def test_a_restored_backup_equals_the_archive(places: Places, tmp_path: Any) -> None:
    with Archive.open(places()) as archive:
        archive.add(news(5, 60))
        archive.decide("s5-1", "s5-2", "apart")
        archive.backup(tmp_path / "backup")
        expected = whole(archive)
    place = places()
    Archive.restore(tmp_path / "backup", place)
    with Archive.open(place) as archive:
        assert whole(archive) == expected
        assert archive.add(news(5, 60)).new == []


def test_a_failed_add_leaves_nothing(place: str) -> None:
    with Archive.open(place) as archive:
        archive.add([item("a", story(1))])
        before = whole(archive)

        def broken(*_: object, **__: object) -> None:
            raise InputError("the power went")

        from samestory.archive import stored

        original, stored.insert_relations = stored.insert_relations, broken  # type: ignore[assignment]
        try:
            with pytest.raises(InputError, match="the power went"):
                archive.add([item("b", story(1))])
        finally:
            stored.insert_relations = original
        assert whole(archive) == before
        assert archive.add([item("b", story(1))]).new == ["b"]
        assert stories(archive) == {frozenset("ab")}


def test_idempotent_responses_are_kept_for_a_week(place: str) -> None:
    now, day = round(datetime.now(UTC).timestamp() * 1e6), 86_400_000_000
    with Archive.open(place) as archive:
        with archive.database.write() as session:
            rows = [("young", now - 6 * day, 200, "{}"), ("old", now - 8 * day, 200, "{}")]
            session.insert("answers", ("key", "at", "status", "body"), rows)
        archive.expire(datetime.now(UTC) - timedelta(days=1))
        with archive.database.read() as session:
            assert session.rows("SELECT key FROM answers") == [("young",)]


def test_a_pause_commits_the_batch_and_done_receives_all_results(place: str) -> None:
    parts: list[tuple[list[str], list[int]]] = []
    with Archive.open(place) as archive:

        def articles() -> Iterator[Any]:
            yield ...
            yield item("a", story(1))
            yield {"id": "x"}
            yield ...
            assert archive.stats()["articles"] == 1
            yield item("b", f"{story(1)} More.")

        added = archive.add(articles(), done=lambda part: parts.append((part.new, [at for at, _ in part.rejected])))
        assert parts == [(["a"], [2]), (["b"], [])]
        assert (added.new, added.rejected, added.relations, added.changes) == ([], [], [], [])


def test_the_next_copies_inherit_relations_of_a_removed_one(place: str) -> None:
    text = story(4)
    copies = [item(f"c{n}", text, source=f"source {n % 3}") for n in range(6)]
    new = item("new", f"{text} {story(5, 1)}", 3, source="source 0")

    def seen(id: str) -> dict[str, Kind]:
        found = relations_of(archive.database, id)
        return {r.left if r.right == id else r.right: r.kind for r in found}

    with Archive.open(place, ["reuse"]) as archive:
        archive.add([*copies, new])
        assert seen("new") == {"c0": Kind.UPDATE}
        archive.remove(["c0"])
        # the next copy is from another source, and the next one of the same source is related too
        assert seen("new") == {"c1": Kind.NEAR, "c3": Kind.UPDATE}
        assert {f"c{n}" for n in range(2, 6)} <= seen("c1").keys()
        archive.remove(["c3", "c1"])
        assert seen("new") == {"c2": Kind.NEAR}
