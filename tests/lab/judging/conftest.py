"""Servers in front of collections."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from samestory.lab.judging import app
from tests.lab.judging.making import Made, made
from tests.web.serving import UNLIMITED, running

KEEPER = "the-one-who-runs-it-all"


@pytest.fixture
def near(tmp_path: Path) -> Iterator[Made]:
    """Six pairs for two assessors."""
    out = made(tmp_path / "near.db")
    with out.collection:
        yield out


@pytest.fixture
def client(near: Made) -> Iterator[httpx.Client]:
    """A client of a server in front of it."""
    with running(app(near.collection, KEEPER, UNLIMITED)) as browser:
        yield browser
