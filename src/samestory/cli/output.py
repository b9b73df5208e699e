"""A summary of a run, for people."""

from __future__ import annotations

from collections.abc import Mapping

from samestory.jobs import Summary


def count(number: int, one: str, more: str = "") -> str:
    """A number of things, in words that fit it.

    >>> count(1, "article"), count(2000, "stands", "stand")
    ('1 article', '2,000 stand')
    """
    return f"{number:,} {one if number == 1 else more or one + 's'}"


def summarise(summary: Summary, grouped: bool) -> str:
    """A few words about a run."""
    total = sum(summary.seconds.values())
    against = f" against {count(summary.old, 'old one')}" if summary.old or summary.replaced else ""
    if summary.replaced:
        against += f" ({summary.replaced:,} more replaced by new versions)"
    lines = [f"{count(summary.records, 'record')}, {count(summary.articles, 'article')}{against} in {total:.2f} s"]
    if summary.rejected or summary.doubted:
        lines[0] += f"; {summary.rejected:,} refused, {summary.doubted:,} kept with a doubt"
    if grouped:
        groups = count(summary.groups, "group holds", "groups hold")
        alone = count(summary.alone, "stands alone", "stand alone")
        lines.append(f"{groups} {count(summary.grouped, 'article')}; {alone}")
    if summary.relations is not None:
        lines.append(count(summary.relations, "relation"))
    details = [f"{count(summary.compared, 'pair')} compared"]
    if summary.forms:
        details.append(f"{summary.forms:,} of them from one template with other facts")
    if summary.skipped_keys:
        details.append(f"{count(summary.skipped_keys, 'key')} too common to count")
    lines.append(", ".join(details))
    if summary.unsigned:
        articles = count(summary.unsigned, "article has", "articles have")
        lines.append(f"{articles} too little for this detector to go by, and no relations")
    if summary.undecided:
        lines.append(undecided(summary.undecided))
    if summary.repaired:
        lines.append(repaired(summary.repaired))
    total_articles = summary.articles + summary.old
    if not summary.dated and total_articles > 1:
        lines.append(
            f"no dates: any two of {total_articles:,} articles could be related; "
            "with dates fewer chance matches are compared and reported"
        )
    if summary.hint:
        lines.append(f"hint: {summary.hint}")
    return "\n".join(lines)


def repaired(kinds: Mapping[str, int]) -> str:
    """How many articles were repaired, by the kind of repair.

    >>> repaired({"HTML entities": 812, "control characters": 3})
    'repaired: 812 × HTML entities, 3 × control characters'
    """
    return "repaired: " + ", ".join(f"{number:,} × {kind}" for kind, number in kinds.items())


def undecided(number: int) -> str:
    """What is said about decisions that name articles which are not there."""
    return f"{count(number, 'decision names', 'decisions name')} an article that is not here"
