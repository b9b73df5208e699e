"""Inputs of invented news, with each kind of gold that an experiment may need."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from samestory.lab.evaluation import read_gold
from samestory.lab.experiments import ExperimentInput, experiment
from samestory.readers import Source
from tests.conftest import Writer
from tests.lab.experiments.news import containments, docs, groups

Given = Callable[..., ExperimentInput]


@pytest.fixture
def news(write: Writer) -> Path:
    return write("news.jsonl", docs())


@pytest.fixture
def given(news: Path, write: Writer) -> Given:
    """Return a function that makes the input of an experiment."""

    def collection(name: str, **options: Any) -> ExperimentInput:
        wanted = experiment(name)
        gold = None
        if wanted.gold != "no":
            pairs = wanted.shape == "pairs" or name in ("C1", "V10")
            lines = containments() if pairs else groups(wanted.relation)
            gold = read_gold(str(write(f"{name}.gold.jsonl", lines)))
        sources = [Source(str(news))] if wanted.docs != "no" else []
        return ExperimentInput(**{"sources": sources, "gold": gold, "rounds": 50, **options})

    return collection
