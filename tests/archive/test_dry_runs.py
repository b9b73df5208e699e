"""Dry runs say what would happen, and change nothing."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from samestory.archive import Archive
from tests.archive.news import item, news, story
from tests.archive.test_copy import tables
from tests.archive.test_live_groups import written
from tests.conftest import Runner


@pytest.fixture
def filled(place: str) -> str:
    with Archive.open(place) as archive:
        archive.add(news(3, 40))
        archive.add([item(f"old {number}", story(number), 1, source="Post") for number in range(5)])
    return place


def without_counters(found: dict[str, Any]) -> dict[str, Any]:
    return {table: rows for table, rows in found.items() if table != "meta"}


def test_a_previewed_expiry_deletes_what_it_says_and_nothing_before(filled: str) -> None:
    limit, before = datetime(2026, 3, 2, tzinfo=UTC), tables(filled)
    with Archive.open(filled) as archive:
        found = archive.preview_expiry(limit)
        assert tables(filled) == before
        assert found.oldest is not None and found.newest is not None and found.oldest <= found.newest < limit
        counts: list[int] = []
        assert archive.expire(limit, force=True, done=counts.append) == found.articles == counts[-1] >= 5
        assert archive.preview_expiry(limit).articles == 0 and archive.preview_expiry(limit).oldest is None


def test_a_previewed_rebuild_changes_nothing_and_is_what_a_rebuild_does(filled: str) -> None:
    before = tables(filled)
    with Archive.open(filled) as archive:
        stories = written(archive)
        for detectors in (None, ["reuse"]):
            found = archive.preview_rebuild(detectors)
            assert tables(filled) == before
            assert (found.articles, found.stories) == (45, len(set(stories.values())))
            assert [str(each) for each in archive.detectors] == ["reuse()", "event()"]
            archive.query(story(1))
        archive.add([item("new", story(1) + " More.")])
        archive.remove(["new"])
        stories = written(archive)
        found = archive.preview_rebuild(["reuse"])
        archive.rebuild(["reuse"])
        after = written(archive)
        assert found.moved == sum(after[id] != number for id, number in stories.items()) > 0
        assert found.new_stories == len(set(after.values()))


def test_the_commands_print_it(samestory: Runner, tmp_path: Path) -> None:
    with Archive.open(tmp_path / "a.db") as archive:
        archive.add(news(3, 40))
    place, before = tmp_path / "a.db", tables(str(tmp_path / "a.db"))
    refused = samestory("index", "expire", place, "--before", "2026-03-05", "--dry-run")
    assert refused.code == 1 and "would be deleted, published 2026-03-01 to 2026-03-04" in refused.err
    assert "refused without --force" in refused.err
    assert samestory("index", "expire", place, "--before", "2026-03-05", "--force", "--dry-run").code == 0
    done = samestory("index", "rebuild", place, "-d", "reuse", "--dry-run")
    assert done.code == 0 and "of 40 articles would be in another story" in done.err
    assert tables(str(place)) == before
