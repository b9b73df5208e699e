"""docs/reference/experiments.md, written from the experiments themselves."""

from __future__ import annotations

from collections.abc import Iterator

from samestory.experiments import EXPERIMENTS, STUDIES, Experiment
from samestory.experiments.values import number
from tests.conftest import ROOT

PATH = ROOT / "docs" / "reference" / "experiments.md"

HEAD = """\
# Experiments

<!-- written by `python -m tests.experiments`; a test holds it to the code -->

Every published experiment by its name, for `samestory reproduce NAME` ([guide](../guides/reproducing.md)).
Numbers that the studies misprint stand here as they must be, and [below](#put-right-and-warnings) what the print has.
"""


def page() -> str:
    """The whole page."""
    return "\n".join([HEAD, *_table(), "", *_values(), *_errata(), "", *_studies()]) + "\n"


def _row(*cells: str) -> str:
    return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"


def _table() -> Iterator[str]:
    yield _row("name", "what", "source", "relation", "published", "takes", "state")
    yield _row(*["---"] * 7)
    for e in EXPERIMENTS.values():
        yield _row(e.name, e.title, e.source, f"`{e.relation}`", e.key, e.wants, e.state)


def _values() -> Iterator[str]:
    yield "## Published values\n"
    yield "`samestory reproduce --list --json` has them with their units."
    yield "Longer tables are in `src/samestory/experiments/data/`.\n"
    for e in EXPERIMENTS.values():
        yield f"- **{e.name}** {'; '.join(f'{v.what}: {number(v.value)}' for v in e.published)}"
    yield ""


def _errata() -> Iterator[str]:
    yield "## Put right, and warnings\n"
    yield _row("name", "value", "the print")
    yield _row(*["---"] * 3)
    for e in EXPERIMENTS.values():
        yield from (_row(e.name, f"{v.what}: {number(v.value)}", v.erratum) for v in e.published if v.erratum)


def _studies() -> Iterator[str]:
    yield "## Studies\n"
    for short, whole in STUDIES.values():
        yield f"- {short}: {whole}."


def write() -> None:
    """Writes the page."""
    PATH.write_text(page(), encoding="utf-8")


def mentioned(e: Experiment) -> str:
    """How the page names an experiment."""
    return f"| {e.name} | {e.title} |"
