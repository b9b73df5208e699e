"""Collections of the invented news, with each kind of gold that an experiment may want."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from samestory.experiments import Collection, experiment
from samestory.lab import read_gold
from samestory.readers import Source
from tests.conftest import Writer
from tests.experiments.news import containments, docs, groups

Given = Callable[..., Collection]


@pytest.fixture
def news(write: Writer) -> Path:
    return write("news.jsonl", docs())


@pytest.fixture
def given(news: Path, write: Writer) -> Given:
    """The collection that an experiment can be run on."""

    def collection(name: str, **options: Any) -> Collection:
        wanted = experiment(name)
        gold = None
        if wanted.gold != "no":
            pairs = wanted.shape == "pairs" or name in ("C1", "V10")
            lines = containments() if pairs else groups(wanted.relation)
            gold = read_gold(str(write(f"{name}.gold.jsonl", lines)))
        sources = [Source(str(news))] if wanted.docs != "no" else []
        return Collection(**{"sources": sources, "gold": gold, "rounds": 50, **options})

    return collection
