"""Fixtures: an archive of the demo news, and clients of servers."""

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
    """A new archive of the demo news."""
    with Archive.open(tmp_path / "news.db") as made:
        made.add(list(read(DEMO / "news.jsonl")))
        yield made


@pytest.fixture
def client(archive: Archive) -> Iterator[httpx.Client]:
    """A client of a server of `archive`."""
    with serving(archive) as client_of_server:
        yield client_of_server


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[httpx.Client]:
    """A client of a server with an empty archive."""
    with Archive.open(tmp_path / "empty.db") as made, serving(made) as client_of_server:
        yield client_of_server


@pytest.fixture(scope="module")
def untouched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """A client of a server with an empty archive, which must still be empty after the tests."""
    with Archive.open(tmp_path_factory.mktemp("untouched") / "empty.db") as made, serving(made) as client_of_server:
        yield client_of_server
        assert client_of_server.get("/status.json").json()["articles"] == 0
