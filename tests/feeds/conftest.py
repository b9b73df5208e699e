from __future__ import annotations

from collections.abc import Iterator

import pytest

from samestory.feeds import Fetcher
from tests.feeds.server import Told, serving


@pytest.fixture
def server() -> Iterator[Told]:
    with serving() as told:
        yield told


@pytest.fixture
def fetcher() -> Fetcher:
    """One that may ask this machine, and does not make tests wait."""
    return Fetcher(allow_private=True, per_host=0)
