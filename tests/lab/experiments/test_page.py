"""The page of experiments is what the code says."""

from __future__ import annotations

from samestory.lab.experiments import EXPERIMENTS
from tests.lab.experiments.page import PATH, mentioned, page


def test_the_page_is_up_to_date() -> None:
    assert PATH.read_text(encoding="utf-8") == page(), "python -m tests.lab.experiments writes it again"


def test_the_page_names_every_experiment_once() -> None:
    written = PATH.read_text(encoding="utf-8")
    assert all(written.count(mentioned(e)) == 1 for e in EXPERIMENTS.values())
