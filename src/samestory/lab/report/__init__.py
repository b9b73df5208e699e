"""The report: everything that an evaluation found out, as one page to look at, offline.

Curves, slices and disagreements stand on it with the texts; see docs/guides/evaluating.md for how to read it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from samestory.errors import ParameterError
from samestory.lab.articles import look
from samestory.lab.disagreements import disagreements
from samestory.lab.evaluate import Evaluation
from samestory.lab.gold import GoldPairs
from samestory.lab.report import pictures
from samestory.lab.slices import by_kind, slices
from samestory.output import write_file
from samestory.readers import Source

__all__ = ["ready", "write_report"]


def ready(path: str, articles: Sequence[str], others: Sequence[str] = ()) -> None:
    """Refuses what cannot become a report, before any work is done; the articles are read once more for it."""
    if path == "-":
        raise ParameterError("report: a file is wanted; standard output is for the result")
    if "-" in articles:
        raise ParameterError("report: the articles are read again for it: a file is wanted, got standard input")
    if Path(path).exists() and any(Path(one).exists() and Path(one).samefile(path) for one in (*articles, *others)):
        raise ParameterError(f"report: {path} is one of the inputs")
    pictures.require()


def write_report(path: str, evaluation: Evaluation, sources: Sequence[Source]) -> None:
    """Writes the page, whole or not at all; the articles are looked up in the sources."""
    from samestory.lab.report.page import page

    ready(path, [source.path for source in sources], [evaluation.gold.path])
    rounds = max((found.rounds for result in evaluation.results for found in result.figures), default=0)
    found = disagreements(evaluation)
    shown = {article for pattern in found.patterns for case in pattern.cases for article in (case.left, case.right)}
    pairs = isinstance(evaluation.gold, GoldPairs)
    known = look(sources, {article for article, _ in evaluation.gold.ids()}, shown, compare=pairs)
    parts = slices(evaluation, known, rounds)
    whole = page(evaluation, sources, parts, by_kind(evaluation, rounds), found, known, rounds)
    write_file(Path(path), whole.encode("utf-8", "replace"))
