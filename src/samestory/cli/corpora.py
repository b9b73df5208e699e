"""Corpora that are held in memory: days, each worked on alone, and detectors that work in Python.

`find` and `relate` go this way with `--by-day`, or with a detector that the native core does not know; everything else
goes through files without making an object of any article.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from samestory import _core
from samestory.cli.inputs import Reading, articles, nothing
from samestory.cli.output import count, summarise
from samestory.detectors import Detector, Native, parse
from samestory.errors import ParameterError
from samestory.groups import Choice
from samestory.index import Day, days, relate_batch
from samestory.jobs import Progress, Summary, grouped, run_groups, run_on, run_relations
from samestory.model import Article, Group, Relation
from samestory.output import Outputs
from samestory.readers import Problem
from samestory.text import prepare


def add_by_day(command: argparse.ArgumentParser) -> None:
    """The option that puts days apart."""
    command.add_argument(
        "--by-day",
        action="store_true",
        help="every day (UTC) is a corpus of its own; articles without a date are one more",
    )


def in_memory(args: argparse.Namespace) -> bool:
    """Must articles be held in memory, for what these arguments ask?"""
    return bool(args.by_day) or not isinstance(parse(args.detector), Native)


@dataclass
class Worked:
    """What came out of all corpora."""

    corpora: list[Day]
    by_day: bool
    summary: Summary
    relations: list[Relation] = field(default_factory=list)
    groups: list[Group] = field(default_factory=list)

    @property
    def titles(self) -> Mapping[str, str]:
        """The headlines by id."""
        return {a.id: a.title or "" for corpus in self.corpora for a in (*corpus.old, *corpus.new)}

    def told(self, is_grouped: bool) -> str:
        """A few words about it, for people."""
        lines = [summarise(self.summary, is_grouped)]
        if self.by_day:
            undated = sum(len(corpus.new) for corpus in self.corpora if corpus.date is None)
            dated = count(sum(corpus.date is not None for corpus in self.corpora), "day")
            without = f"; {count(undated, 'article')} without a date: one corpus of their own" if undated else ""
            lines.append(f"{dated}, each worked on alone{without}")
        return "\n".join(lines)


def work(
    args: argparse.Namespace, out: Outputs, tick: Progress | None, choice: Choice | None, relations: bool
) -> Worked:
    """Reads what the arguments name and works on every corpus of it: groups with a choice, relations if asked for."""
    if getattr(args, "pages", False):
        raise ParameterError(
            f"--pages: not with {'--by-day' if args.by_day else args.detector}, for which articles are held in memory",
            "extract the articles first: samestory extract PAGES | samestory find - …",
        )
    detector = parse(args.detector)
    detector.load()
    corpora, summary = _read(args, out, tick)
    if not args.as_is:
        summary.repaired = _repaired(corpora, detector)
    worked = Worked(corpora, args.by_day, summary)
    for done, corpus in enumerate(corpora):
        if tick:
            tick("comparing", done, len(corpora), summary.articles)
        _work_on(corpus, detector, args, choice, relations, worked)
    if relations:
        summary.relations = len(worked.relations)
    if choice:
        sizes = [len(group.members) for group in worked.groups]
        summary.groups, summary.alone = sum(size > 1 for size in sizes), sizes.count(1)
        summary.grouped = sum(size for size in sizes if size > 1)
        there = {article.id for corpus in corpora for article in (*corpus.new, *corpus.old)}
        summary.undecided = choice.decisions.unknown(there.__contains__)
    return worked


def _read(args: argparse.Namespace, out: Outputs, tick: Progress | None) -> tuple[list[Day], Summary]:
    start = time.perf_counter()
    if tick:
        tick("reading", 0, 0, 0)
    reading = Reading(args, out)
    old: list[Article] = []
    for item in articles(args, args.against):
        if isinstance(item, Problem):
            reading.met([item])
        else:
            old.append(item)
    new = list(reading.each())
    reading.finish()
    fresh = {article.id for article in new}
    kept = [article for article in old if article.id not in fresh]
    refused = sum(reading.refused.values())
    summary = Summary(len(new) + len(old) + refused, len(new), len(kept), len(old) - len(kept), refused)
    summary.doubted = reading.doubted
    summary.dated = sum(article.published is not None for article in (*kept, *new))
    summary.seconds["read"] = time.perf_counter() - start
    if not new:
        out.commit()
        if not args.quiet:
            print(summarise(summary, grouped=False), file=sys.stderr)
        raise nothing(args, refused)
    return (days(new, kept) if args.by_day else [Day(None, new, kept)]), summary


def _repaired(corpora: Iterable[Day], detector: Detector) -> dict[str, int]:
    """How many articles need repair, by its kind; of titles only where the detector reads them."""
    titled = not isinstance(detector, Native) or detector.native.wants_text
    every = (article for corpus in corpora for article in (*corpus.old, *corpus.new))
    return _core.count_repairs([(article.text, article.title if titled else None) for article in every])


def _work_on(
    corpus: Day,
    detector: Detector,
    args: argparse.Namespace,
    choice: Choice | None,
    relations: bool,
    worked: Worked,
) -> None:
    start, summary = time.perf_counter(), worked.summary
    if isinstance(detector, Native):
        run = run_on(corpus.new, detector, corpus.old, args.threads, args.as_is, args.within)
        worked.relations += run_relations(run) if relations else []
        worked.groups += run_groups(run, choice) if choice else []
        part = run.summary
        if with_boilerplate := part.repaired.get(_core.BOILERPLATE):
            summary.repaired[_core.BOILERPLATE] = summary.repaired.get(_core.BOILERPLATE, 0) + with_boilerplate
        summary.compared, summary.forms = summary.compared + part.compared, summary.forms + part.forms
        summary.skipped_keys, summary.unsigned = (
            summary.skipped_keys + part.skipped_keys,
            summary.unsigned + part.unsigned,
        )
    else:
        wanted = choice if not relations else None
        found, batch = relate_batch(
            detector,
            prepare(corpus.old, args.as_is),
            prepare(corpus.new, args.as_is),
            wanted is not None and wanted.hangs_together,
            wanted is not None and wanted.counts_copies,
            wanted.decided if wanted else (),
            args.within,
        )
        worked.relations += found if relations else []
        worked.groups += grouped(found, batch, choice, corpus.new, corpus.old) if choice else []
        if batch is not None:
            summary.compared, summary.unsigned = summary.compared + batch.compared, summary.unsigned + batch.unsigned
    summary.seconds["relate"] = summary.seconds.get("relate", 0.0) + time.perf_counter() - start


def relation_lines(relations: Iterable[Relation]) -> bytes:
    """Relations as JSON lines."""
    return _lines(relation.as_dict() for relation in relations)


def group_lines(worked: Worked, least: int, gists: bool) -> bytes:
    """Groups of at least so many members as JSON lines, numbered through; with `gists`, what each is about."""
    kept = [group for group in worked.groups if len(group.members) >= least]
    articles = {a.id: a for corpus in worked.corpora for a in (*corpus.old, *corpus.new)} if gists else {}
    return _lines(
        group.as_dict(number) | (_gist([articles[id] for id in group.members]) if gists else {})
        for number, group in enumerate(kept, 1)
    )


def _gist(members: list[Article]) -> dict[str, Any]:
    headlines = [_core.headline(article.title, article.text) for article in members]
    # the first stands for the group; alone it has no words to hold it together
    language = prepare(members[:1]).languages[0] if len(members) > 1 else None
    at, words = _core.gist(headlines, language)
    return {"headline": None if at is None else headlines[at], "words": words}


def _lines(rows: Iterable[Mapping[str, Any]]) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for row in rows).encode()
