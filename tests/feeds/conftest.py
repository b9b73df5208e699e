from __future__ import annotations

from collections.abc import Iterator

import pytest

from samestory.feeds import Fetcher
from tests.feeds.server import FakeServer, serving


@pytest.fixture
def server() -> Iterator[FakeServer]:
    with serving() as server:
        yield server


@pytest.fixture
def fetcher() -> Fetcher:
    """A fetcher that may connect to localhost and does not pause."""
    return Fetcher(allow_private=["127.0.0.0/8"], per_host=0)
