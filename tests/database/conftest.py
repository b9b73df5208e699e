"""A database of every kind, open."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from samestory.database import Database, connect


@pytest.fixture
def database(place: str) -> Iterator[Database]:
    """A fresh, open database with a table to try things on."""
    with connect(place) as opened:
        with opened.write() as session:
            session.run("CREATE TABLE trial (number BIGINT, share DOUBLE PRECISION, word TEXT)")
        yield opened
