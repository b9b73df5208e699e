"""Inter-assessor agreement, as a table for the terminal."""

from __future__ import annotations

from samestory.cli.summary import count
from samestory.lab.collection.agreement import AgreementReport, AgreementRow, Disagreement
from samestory.output import printable

#: Articles of an item that are named.
MAX_NAMED = 3


def table(found: AgreementReport) -> list[str]:
    """Formats the agreement of a collection."""
    lines = ["nothing has been judged twice yet"]
    if found.pooled is not None:
        lines = [f"{'':24} {'decisions':>9} {'agree':>6} {'Cohen κ':>8} {'S.-C. κ':>8} {'z':>7}  "]
        lines += [_line(row) for row in (*found.rows, found.pooled)]
    if found.mean is not None:
        lines.append(f"{'mean of groups or queries':24} {'':9} {'':6} {found.mean:8.3f}")
    if found.watched:
        lines.append("")
    for each in found.watched:
        pace = "" if each.seconds is None else f", half within {each.seconds:.0f} s"
        controls = f", {each.controls - each.missed} of {each.controls} controls right" if each.controls else ""
        lines.append(f"{printable(each.assessor)}: {each.judged:,} judged{controls}{pace}")
    if found.disagreements:
        lines += ["", f"{count(len(found.disagreements), 'disagreement')}:"]
    for item in found.disagreements:
        answers = ", ".join(f"{name}: {answer}" for name, answer in item.answers)
        end = f"; settled: {item.arbiter[1]}" if item.arbiter else "; open"
        lines.append(printable(f"item {item.item}  {_label(item)}  {answers[:200]}{end}"))
    return lines


def _label(item: Disagreement) -> str:
    """Labels an item by its query, or by its first articles."""
    if item.query is not None:
        return item.query
    more = len(item.articles) - MAX_NAMED
    return " | ".join(item.articles[:MAX_NAMED]) + (f" and {more:,} more" if more > 0 else "")


def _line(row: AgreementRow) -> str:
    def number(value: float | None, width: int, places: int) -> str:
        return f"{'–':>{width}}" if value is None else f"{value:{width}.{places}f}"

    name = printable(f"{row.by} {row.name}" if row.by != "all" else "pooled")
    figures = f"{number(row.cohen, 8, 3)} {number(row.siegel, 8, 3)} {number(row.z, 7, 2)}"
    return f"{name[:24]:24} {row.decisions:9,} {row.raw:6.1%} {figures}  {row.verdict}"
