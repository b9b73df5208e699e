"""The evaluation report: one self-contained HTML page.

It shows curves, slices, and disagreements with their texts; docs/guides/evaluating.md explains how to read it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from samestory.errors import ParameterError
from samestory.lab.evaluation.articles import load_articles
from samestory.lab.evaluation.disagreements import disagreements
from samestory.lab.evaluation.evaluate import Evaluation
from samestory.lab.evaluation.gold import GoldPairs
from samestory.lab.evaluation.report import pictures
from samestory.lab.evaluation.slices import by_kind, slices
from samestory.output import write_file
from samestory.readers import Source

__all__ = ["check_report_paths", "write_report"]


def check_report_paths(path: str, articles: Sequence[str], others: Sequence[str] = ()) -> None:
    """Raise before any work is done if the report cannot be written or the articles cannot be read a second time."""
    if path == "-":
        raise ParameterError("report: must be a file; standard output is used for the result")
    if "-" in articles:
        raise ParameterError("report: the articles must be in a file, not standard input, because they are read twice")
    if Path(path).exists() and any(Path(one).exists() and Path(one).samefile(path) for one in (*articles, *others)):
        raise ParameterError(f"report: {path} is one of the inputs")
    pictures.require()


def write_report(path: str, evaluation: Evaluation, sources: Sequence[Source]) -> None:
    """Write the page atomically; the texts of the articles are read from the sources."""
    from samestory.lab.evaluation.report.page import page

    check_report_paths(path, [source.path for source in sources], [evaluation.gold.path])
    rounds = max((figure.rounds for result in evaluation.results for figure in result.figures), default=0)
    differing = disagreements(evaluation)
    shown = {article for pattern in differing.patterns for case in pattern.cases for article in (case.left, case.right)}
    pairs = isinstance(evaluation.gold, GoldPairs)
    articles = load_articles(sources, {article for article, _ in evaluation.gold.ids()}, shown, compare=pairs)
    parts = slices(evaluation, articles, rounds)
    whole = page(evaluation, sources, parts, by_kind(evaluation, rounds), differing, articles, rounds)
    write_file(Path(path), whole.encode("utf-8", "replace"))
