"""A summary of a run, for people."""

from __future__ import annotations

from samestory.jobs import Summary


def summarise(summary: Summary, grouped: bool) -> str:
    """A few words about a run."""
    total = sum(summary.seconds.values())
    against = f" against {summary.old:,} old ones" if summary.old or summary.replaced else ""
    if summary.replaced:
        against += f" ({summary.replaced:,} more replaced by new versions)"
    lines = [f"{summary.records:,} records, {summary.articles:,} articles{against} in {total:.2f} s"]
    if summary.rejected or summary.doubted:
        lines[0] += f"; {summary.rejected:,} refused, {summary.doubted:,} kept with a doubt"
    if grouped:
        lines.append(f"{summary.groups:,} groups hold {summary.grouped:,} articles; {summary.alone:,} stand alone")
    if summary.relations is not None:
        lines.append(f"{summary.relations:,} relations")
    details = [f"{summary.compared:,} pairs compared"]
    if summary.forms:
        details.append(f"{summary.forms:,} of them one form with other facts")
    if summary.skipped_keys:
        details.append(f"{summary.skipped_keys:,} keys too common to count")
    lines.append(", ".join(details))
    if summary.undecided:
        lines.append(undecided(summary.undecided))
    return "\n".join(lines)


def undecided(count: int) -> str:
    """What is said about decisions that name articles which are not there."""
    return f"{count:,} {'decision names' if count == 1 else 'decisions name'} an article that is not here"
