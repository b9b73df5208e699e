"""The summary of a run, printed to stderr."""

from __future__ import annotations

from collections.abc import Mapping

from samestory.run import Summary, undated_note

#: What to do about articles without a date.
ADD_DATES = "to avoid matches by chance, add dates with --field published=NAME"


def count(number: int, one: str, more: str = "") -> str:
    """Formats a number with its noun in singular or plural.

    >>> count(1, "article"), count(2000, "story", "stories")
    ('1 article', '2,000 stories')
    """
    return f"{number:,} {one if number == 1 else more or one + 's'}"


def summarise(summary: Summary, grouped: bool, pages: bool = False) -> str:
    """Summarises a run in a few lines; the dates of web pages are not in a field."""
    total = sum(summary.seconds.values())
    against = (
        f" against {count(summary.earlier_articles, 'old one')}" if summary.earlier_articles or summary.replaced else ""
    )
    if summary.replaced:
        against += f" ({summary.replaced:,} more replaced by new versions)"
    lines = [f"{count(summary.records, 'record')}, {count(summary.articles, 'article')}{against} in {total:.2f} s"]
    if summary.rejected or summary.warned:
        lines[0] += f"; {summary.rejected:,} rejected, {summary.warned:,} kept with warnings"
    if grouped:
        groups = count(summary.groups, "group contains", "groups contain")
        lines.append(f"{groups} {count(summary.grouped, 'article')}; {summary.singletons:,} ungrouped")
    if summary.relations is not None:
        left_out = f"; {summary.weaker_relations:,} weaker ones left out" if summary.weaker_relations else ""
        lines.append(f"{count(summary.relations, 'relation')}{left_out}")
    details = [f"{count(summary.compared, 'pair')} compared"]
    if summary.forms:
        details.append(f"{summary.forms:,} of them from one template with other facts")
    if summary.dropped_candidates:
        details.append(f"{count(summary.dropped_candidates, 'weaker candidate')} left out")
    if summary.skipped_keys:
        details.append(f"{count(summary.skipped_keys, 'key')} in more articles than the ceiling")
    lines.append(", ".join(details))
    if summary.without_signature:
        articles = count(summary.without_signature, "article has", "articles have")
        lines.append(f"{articles} too little text for this detector and no relations")
    if summary.unknown_decisions:
        lines.append(undecided(summary.unknown_decisions))
    if summary.repaired:
        lines.append(repaired(summary.repaired))
    total_articles = summary.articles + summary.earlier_articles
    if note := undated_note(summary.dated, total_articles, summary.compares_days):
        lines.append(f"{note}; {'with dates fewer chance matches are compared and reported' if pages else ADD_DATES}")
    if summary.hint:
        lines.append(f"hint: {summary.hint}")
    return "\n".join(lines)


def repaired(kinds: Mapping[str, int]) -> str:
    """Formats how many articles were repaired, by kind of repair.

    >>> repaired({"HTML entities": 812, "control characters": 3})
    'repaired: 812 × HTML entities, 3 × control characters'
    """
    return "repaired: " + ", ".join(f"{number:,} × {kind}" for kind, number in kinds.items())


def undecided(number: int) -> str:
    """Formats the number of decisions about unknown articles."""
    return f"{count(number, 'decision names', 'decisions name')} an unknown article"
