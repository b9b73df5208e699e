"""Pages from memory are those that would be made now, whatever was written meanwhile."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from samestory.archive import Archive, StoredArticle
from samestory.archive.query import Filters
from samestory.database.timing import count_statements
from samestory.web import page_cache, views
from tests.archive.news import item, news, story


def pages(archive: Archive) -> list[Any]:
    """What the portal shows of an archive: front pages, searches, and every story."""
    with archive.database.read() as session:
        numbers = [number for (number,) in session.rows("SELECT DISTINCT story FROM articles ORDER BY story")]
    shown: list[Any] = [views.front_page(archive), views.front_page(archive, "2026-03-02", limit=3)]
    shown += [views.search_stories(archive, query, Filters()) for query in ("", "number", "-council")]
    return shown + [views.story_page(archive, number) for number in numbers]


def some(archive: Archive) -> Iterable[StoredArticle]:
    return islice(archive.each(), 3)


def fresh_pages(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    with monkeypatch.context() as patch:
        patch.setattr(views, "cached", lambda archive, key, make, story=None: make())
        return pages(archive)


def test_pages_are_those_of_now_after_every_write(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(4)
    with Archive.open(place) as archive, Archive.open(place) as other:
        archive.add(news(1, 30))
        writes: list[Callable[[], Any]] = [
            lambda: archive.add(news(rng.randrange(2, 9), 5)),
            lambda: other.add([item(f"new {rng.random()}", story(rng.randrange(1000, 1010)))]),
            lambda: archive.add([item(f"s1-{rng.randrange(30)}", story(rng.randrange(2000, 9999)))]),
            lambda: other.remove([f"s1-{rng.randrange(30)}"]),
            lambda: archive.decide("s1-1", "s1-2", rng.choice(["apart", None])),
            lambda: archive.rebuild(),
            lambda: other.add([replace(each.article, metadata={"section": rng.choice("abc")}) for each in some(other)]),
        ]
        for _ in range(25):
            write = rng.choice(writes)
            try:
                write()
            except ValueError:
                continue  # an article of the decision was removed
            assert pages(archive) == fresh_pages(archive, monkeypatch) == pages(other)


def test_a_page_is_made_once_while_nothing_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Archive.open(tmp_path / "news.db") as archive:
        archive.add(news(1, 20))
        made = views.front_page(archive)
        monkeypatch.setattr(views, "search", lambda *_, **__: pytest.fail("made again"))
        assert views.front_page(archive) is made
        with pytest.raises(pytest.fail.Exception):
            views.front_page(archive, limit=7)


def test_memory_is_bounded_and_old_positions_are_dropped() -> None:
    cache = page_cache.PageCache()
    cache.advance(-1, 1, None)
    for number in range(3 * page_cache.MAX_PAGES):
        cache.put(1, number, str(number))
    kept = [number for number in range(3 * page_cache.MAX_PAGES) if cache.get(1, number) is not None]
    assert kept == list(range(2 * page_cache.MAX_PAGES, 3 * page_cache.MAX_PAGES))
    cache.advance(1, 2, None)
    cache.put(2, "new", "page")
    assert (cache.get(1, kept[0]), cache.get(2, kept[0]), cache.get(2, "new")) == (None, None, "page")
    cache.put(1, "late", "of an older snapshot")
    assert cache.get(2, "late") is None and cache.get(1, "late") is None


def test_pages_of_other_stories_stay_when_articles_are_added(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Archive.open(tmp_path / "news.db", ["reuse()"]) as archive:
        archive.add([item("a", story(1000)), item("b", story(2000)), item("c", story(3000))])
        numbers = [archive.articles("abc")[id].story for id in "abc"]
        before = [views.story_page(archive, number) for number in numbers]
        archive.add([item("b2", story(2000)), item("d", story(4000))])
        after = [views.story_page(archive, number) for number in numbers]
        assert [one is other for one, other in zip(before, after, strict=True)] == [True, False, True]
        assert [page.articles for page in after] == [1, 2, 1]
        archive.add([item("c", story(5000))])
        assert views.story_page(archive, numbers[0]) is not after[0], "a revision may change any story"
        archive.remove(["d"])
        assert pages(archive) == fresh_pages(archive, monkeypatch)


def test_a_page_runs_as_many_statements_whatever_is_on_it(tmp_path: Path) -> None:
    """The first page after an addition: the caches have the articles before it."""
    counts: list[list[int]] = []
    with Archive.open(tmp_path / "news.db", ["reuse()"]) as archive:
        for copies in (2, 4, 20):
            archive.add([item(f"{copies}-{number}", f"{story(3000)} {number}") for number in range(copies)])
            (number,) = {each.story for each in archive.articles([f"{copies}-0"]).values()}
            makes: list[Callable[[], Any]] = [
                lambda: views.front_page(archive),
                lambda: views.search_stories(archive, "council OR number", Filters(), "relevance"),
                lambda number=number: views.story_page(archive, number),  # type: ignore[misc]
                lambda: views.find_repeats(archive, {"text": story(3000)}),
            ]
            counts.append([])
            for make in makes:
                with count_statements() as counted:
                    make()
                counts[-1].append(counted.count)
    assert counts[1] == counts[2], counts
    assert max(counts[1]) <= 40


def test_readers_beside_a_writer_see_every_article_that_was_acknowledged(tmp_path: Path) -> None:
    with Archive.open(tmp_path / "news.db") as archive:
        archive.add(news(1, 10))
        acknowledged, done, wrong = [10], threading.Event(), []

        def read() -> None:
            while not done.is_set():
                least = acknowledged[0]
                if views.search_stories(archive, "", Filters()).total_articles < least:
                    wrong.append(least)

        readers = [threading.Thread(target=read) for _ in range(3)]
        for reader in readers:
            reader.start()
        for number in range(40):
            archive.add([item(f"more {number}", story(3000 + number))])
            acknowledged[0] += 1
        done.set()
        for reader in readers:
            reader.join()
        assert not wrong
