"""An archive of the demo's news, and servers in front of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from samestory import read
from samestory.archive import Archive
from tests.conftest import DEMO
from tests.web.serving import serving


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    """A fresh archive of the demo's news."""
    with Archive.open(tmp_path / "news.db") as made:
        made.add(list(read(DEMO / "news.jsonl")))
        yield made


@pytest.fixture
def client(archive: Archive) -> Iterator[httpx.Client]:
    """A client of a server in front of it."""
    with serving(archive) as asked:
        yield asked


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[httpx.Client]:
    """A client of a server that has nothing yet."""
    with Archive.open(tmp_path / "empty.db") as made, serving(made) as asked:
        yield asked


@pytest.fixture(scope="module")
def untouched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """A client of a server that has nothing, for tests after which it must have nothing still."""
    with Archive.open(tmp_path_factory.mktemp("untouched") / "empty.db") as made, serving(made) as asked:
        yield asked
        assert asked.get("/status.json").json()["articles"] == 0
