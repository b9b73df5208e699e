"""Days processed separately (`find --by-day`, `relate --by-day`): each is a corpus of its own.

Articles are read as objects, to be sorted into days; the rest is done by the engine, one day after the other.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from samestory import _core
from samestory.cli.inputs import ArticleReader, articles, no_articles_error
from samestory.cli.summary import count, summarise
from samestory.detectors import Detector, parse
from samestory.errors import ParameterError
from samestory.groups import GroupingOptions
from samestory.index import Day, days
from samestory.model import Article
from samestory.output import Outputs
from samestory.readers import UNREADABLE, Problem
from samestory.run import Progress, Run, Summary, run_on
from samestory.text import repairs


def add_by_day(command: argparse.ArgumentParser) -> None:
    """Adds the option that processes days separately."""
    command.add_argument(
        "--by-day",
        action="store_true",
        help="every day (UTC) is a corpus of its own; articles without a date are one more",
    )


#: A group in the table: kind, share, forced, and the members with their headlines, the representative first.
TableRow = tuple[str, float, bool, list[tuple[str, str]]]


def table_rows(run: Run, groups: Iterable[_core.engine.GroupRow], least: int) -> list[TableRow]:
    """Returns the groups of at least so many members as rows of a table."""
    out = []
    for row in groups:
        if len(row.members) < least:
            continue
        kind, share = (row.weakest[2], max(row.weakest[3], row.weakest[4])) if row.weakest else ("", 0.0)
        first = [row.representative, *(member for member in row.members if member != row.representative)]
        out.append((kind, share, row.forced, [run.corpus[member] for member in first]))
    return out


@dataclass
class DayResults:
    """The results of all days."""

    days: list[Day]
    summary: Summary
    relation_lines: bytes = b""
    group_lines: bytes = b""
    rows: list[TableRow] = field(default_factory=list)
    """With `--table`."""

    @property
    def summary_text(self) -> str:
        """The number of days, and of articles without a date."""
        undated = sum(len(day.new) for day in self.days if day.date is None)
        dated = count(sum(day.date is not None for day in self.days), "day")
        without = f"; {count(undated, 'article')} without a date as one further corpus" if undated else ""
        return f"processed {dated} separately{without}"


def run_by_day(
    args: argparse.Namespace, out: Outputs, tick: Progress | None, options: GroupingOptions | None, relations: bool
) -> DayResults:
    """Reads the files of the arguments and processes each day: groups if `options` is set, and relations."""
    if getattr(args, "pages", False):
        raise ParameterError(
            "--pages: cannot be combined with --by-day",
            "extract the articles first: samestory extract PAGES | samestory find - …",
        )
    detector = parse(args.detector)
    detector.load()
    corpora, summary = _read(args, out, tick)
    if not args.as_is:
        summary.repaired = _repaired(corpora, detector)
    results = DayResults(corpora, summary)
    for done, day in enumerate(corpora):
        if tick:
            tick("comparing", done, len(corpora), summary.articles)
        _run_day(day, detector, args, options, relations, results)
    if options:
        there = {article.id for day in corpora for article in (*day.new, *day.old)}
        summary.unknown_decisions = options.decisions.unknown(there.__contains__)
    return results


def _read(args: argparse.Namespace, out: Outputs, tick: Progress | None) -> tuple[list[Day], Summary]:
    start = time.perf_counter()
    if tick:
        tick("reading", 0, 0, 0)
    reading = ArticleReader(args, out)
    old: list[Article] = []
    for item in articles(args, args.against):
        if isinstance(item, Problem):
            reading.note([item])
        else:
            old.append(item)
    new = list(reading.each())
    reading.finish()
    fresh = {article.id for article in new}
    kept = [article for article in old if article.id not in fresh]
    refused = reading.refused.total() - reading.refused[UNREADABLE]
    summary = Summary(len(new) + len(old) + refused, len(new), len(kept), len(old) - len(kept), refused)
    summary.warned = reading.doubted
    summary.dated = sum(article.published is not None for article in (*kept, *new))
    summary.seconds["read"] = time.perf_counter() - start
    if not new:
        out.commit()
        if not args.quiet:
            print(summarise(summary, grouped=False), file=sys.stderr)
        raise no_articles_error(args)
    return days(new, kept), summary


def _repaired(corpora: Iterable[Day], detector: Detector) -> dict[str, int]:
    """Counts the articles that need repair, by kind; titles only if the detector reads them."""
    titled = detector.native.wants_text
    every = (article for corpus in corpora for article in (*corpus.old, *corpus.new))
    counts = Counter(kind for article in every for kind in repairs(article, titled))
    return {kind: counts[kind] for kind in _core.REPAIRS if counts[kind]}


def _run_day(
    day: Day,
    detector: Detector,
    args: argparse.Namespace,
    options: GroupingOptions | None,
    relations: bool,
    results: DayResults,
) -> None:
    start, summary = time.perf_counter(), results.summary
    titles = options is not None and (args.table or args.events)
    run = run_on(day.new, detector, day.old, args.threads, args.as_is, args.within, titles)
    if relations:
        found = run.relations(getattr(args, "max_relations", None))
        results.relation_lines += run.corpus.lines(found, detector=str(detector))
    if options:
        _group_day(run, options, args, results)
    part = run.summary
    if relations:
        summary.relations = (summary.relations or 0) + (part.relations or 0)
    if with_boilerplate := part.repaired.get(_core.BOILERPLATE):
        summary.repaired[_core.BOILERPLATE] = summary.repaired.get(_core.BOILERPLATE, 0) + with_boilerplate
    compared = ("compared", "forms", "dropped_candidates", "skipped_keys", "without_signature", "weaker_relations")
    for name in (*compared, "groups", "grouped", "singletons"):
        setattr(summary, name, getattr(summary, name) + getattr(part, name))
    summary.seconds["relate"] = summary.seconds.get("relate", 0.0) + time.perf_counter() - start


def _group_day(run: Run, options: GroupingOptions, args: argparse.Namespace, results: DayResults) -> None:
    groups = run.groups(options)
    if args.table:
        results.rows += table_rows(run, groups, max(args.min_size, 2))
    least, first = max(args.min_size, 2) if args.table else args.min_size, results.group_lines.count(b"\n") + 1
    results.group_lines += run.corpus.lines(groups, least=least, labels=args.events, first=first)
