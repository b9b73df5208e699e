"""A run of the main job: a corpus is read, candidates are found, and relations or groups are computed.

The native engine reads files on all processors, without an object for any article. A detector written in Python runs
in the same engine: its adapter signs articles and compares pairs many at a time.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from itertools import islice
from typing import Any

from samestory import _core
from samestory.detectors import Detector
from samestory.detectors.engine import limited_to
from samestory.errors import InputError
from samestory.groups import GroupingOptions, rows_to_groups
from samestory.index import Columns
from samestory.model import KINDS, Article, Group, Overlap, Relation
from samestory.readers import UNREADABLE, Problem, is_parquet, name, parquet_rows
from samestory.text import Counting

#: Articles passed to the core at a time.
BATCH = 4096

#: Called from time to time with the stage, the amount done (bytes while reading), the total amount (0 while reading),
#: and the number of articles read.
Progress = Callable[[str, int, int, int], None]


#: Least share of articles without a date that is reported, if some have one.
MIN_UNDATED_SHARE = 0.05


def undated_note(dated: int | None, articles: int, days_matter: bool) -> str:
    """Returns a note about articles without a date, without what to do about it; empty if there is no reason for one.

    >>> undated_note(2988, 5000, True)
    '2,012 of 5,000 articles have no date: they could be related to articles of any day'
    """
    if dated is None or articles < 2:
        return ""
    if not dated:
        return f"no dates: any two of {articles:,} articles could be related"
    undated = articles - dated
    if not days_matter or undated < MIN_UNDATED_SHARE * articles:
        return ""
    have = "has" if undated == 1 else "have"
    return f"{undated:,} of {articles:,} articles {have} no date: they could be related to articles of any day"


def compares_days(detector: Detector | Counting, within: int | None) -> bool:
    """Returns whether the dates of two articles limit whether a detector relates them."""
    return within is not None or (not isinstance(detector, Counting) and detector.days_limit is not None)


@dataclass
class Summary:
    """Counts of a run: what was read, found and left out."""

    records: int = 0
    articles: int = 0
    earlier_articles: int = 0
    replaced: int = 0
    """Old articles replaced by a new one with the same id."""
    rejected: int = 0
    warned: int = 0
    groups: int = 0
    grouped: int = 0
    singletons: int = 0
    relations: int | None = None
    weaker_relations: int = 0
    """Relations that were left out, since articles have more and stronger ones than were asked for."""
    compared: int = 0
    forms: int = 0
    dropped_candidates: int = 0
    """Candidates that were not compared, since their articles have as many stronger ones as they may have."""
    skipped_keys: int = 0
    hint: str = ""
    """What to do about skipped keys."""
    without_signature: int = 0
    """Articles too short for the detector."""
    unknown_decisions: int = 0
    """Decisions that name an unknown article."""
    repaired: dict[str, int] = field(default_factory=dict)
    """Articles whose text or title was repaired, by kind of repair."""
    dated: int | None = None
    """Articles with a date; None if they were not counted."""
    compares_days: bool = False
    """Whether dates limit which articles are related."""
    seconds: dict[str, float] = field(default_factory=dict)

    def count(self, counts: tuple[int, int, int]) -> None:
        """Sets the counts of comparisons from those of the core."""
        self.compared, self.forms, self.dropped_candidates = counts


def hint_about_skipped(skipped: int, detector: Detector | Counting) -> str:
    """Returns how to use the keys above the ceiling: they may be those of a story that very many have copied."""
    if not skipped or isinstance(detector, Counting) or "ceiling" not in (each.name for each in fields(detector)):
        return ""
    occur = "key occurs" if skipped == 1 else "keys occur"
    wider: Any = replace(detector, **{"ceiling": 0})
    where = f"{skipped:,} {occur} in more than {detector.ceiling:,} articles each"
    if detector.samples_long_lists:
        return f"{where}, of which a sample was used for candidates; {wider} uses all"
    return f"{where} and were not used for candidates; {wider} uses them too"


@dataclass
class Run:
    """A corpus in the main job. Call `read` or `add` first, then `relations` and `groups`, each any number of times."""

    detector: Detector | Counting
    threads: int = 0
    largest: int = _core.LARGEST
    titles: bool = False
    strict: bool = False
    empty: bool = False
    """Keep articles with an empty text; those of files are rejected by default."""
    as_is: bool = False
    """Compare texts without repairs of entities, control characters and remains of pages."""
    within: int | None = None
    """The most calendar days (UTC) between related articles; articles without a date have no limit."""
    details: int | None = None
    """The most problems of a kind that are kept (None: all); all are counted."""
    fields: Mapping[str, str] = field(default_factory=dict)
    progress: Progress | None = None
    stage: str = "reading"
    """The name of the stage of reading in progress reports."""
    summary: Summary = field(default_factory=Summary)
    refused: int = 0
    """Pages without an article that were rejected, or kept with a warning, before the run."""
    doubted: int = 0

    @cached_property
    def corpus(self) -> _core.engine.Corpus:
        """The corpus; created at the first file, since some detectors count words before."""
        threads, native = self.threads or _processors(), self.detector.native
        return _core.engine.Corpus(
            native if self.within is None else limited_to(native, self.within),
            list(self.fields.items()),
            threads,
            self.largest,
            self.titles,
            self.strict,
            self.empty,
            self.details,
            self.as_is,
        )

    def __post_init__(self) -> None:
        self._indexed = False
        self._columns: set[str] = set()

    def tick(self, stage: str) -> Callable[[int, int, int, int], None] | None:
        """Reports the start of a stage; returns the function that the core calls with its progress."""
        report = self.progress
        if report is None:
            return None
        if stage == self.stage:
            if not self._columns and not len(self.corpus):
                report(stage, 0, 0, 0)
            return lambda read, articles, done, total: report(stage, read, 0, articles)
        report(stage, 0, 0, len(self.corpus))
        return lambda read, articles, done, total: report(stage, done, total, articles)

    def _timed(self, step: str, start: float) -> None:
        self.summary.seconds[step] = self.summary.seconds.get(step, 0.0) + time.perf_counter() - start

    @property
    def stopped(self) -> bool:
        """Whether a problem has ended a strict run."""
        return self.strict and self.corpus.has_problems

    def read(self, path: str, format: str | None = None, encoding: str | None = None) -> None:
        """Reads a file or folder, unless the run is stopped."""
        if self.stopped:
            return
        start = time.perf_counter()
        if is_parquet(path, format):
            try:
                rows = parquet_rows(path, self.fields, self._columns)
                self.add(name(path), ((row, doubts) if doubts else row for _, row, doubts, _ in rows))
            except InputError as error:
                self.corpus.add(name(path), error.without_place)
        else:
            self.corpus.read(path, format, encoding, self.tick(self.stage))
        self._timed("read", start)

    def add(self, name: str, rows: Iterable[list[str | None] | tuple[Any, Any]]) -> None:
        """Adds articles in memory: values in the order of the roles, or a fault and its detail.

        Values may be in a tuple with the unreadable roles and the reasons.
        """
        rows, first = iter(rows), 1
        while not self.stopped and (batch := list(islice(rows, BATCH))):
            self.corpus.add(name, batch, first)
            first += len(batch)

    def unmatched(self) -> dict[str, str]:
        """The user-defined field names, by role, that no record has."""
        missing = set(self.corpus.report().unmatched)
        return {role: own for role, own in self.fields.items() if own in missing and own not in self._columns}

    def again(self, detector: Detector) -> Run:
        """A new run with the same settings and another detector."""
        return replace(self, detector=detector, summary=Summary(seconds=self.summary.seconds))

    def age(self) -> None:
        """Marks all articles read so far as old: they are not compared with each other."""
        self.corpus.age()

    def problems(self) -> list[Problem]:
        """Rejected and doubtful records in input order, as far as they are kept."""
        problems = [Problem(*row) for row in self.corpus.report().problems]
        place = {file: at for at, file in enumerate(dict.fromkeys(p.file for p in problems))}
        return sorted(problems, key=lambda p: (place[p.file], p.line))

    def faults(self) -> dict[str, int]:
        """The number of records by fault."""
        return {fault: count for fault, count, _ in self.corpus.report().faults}

    def count(self) -> None:
        """Fills in the counts of reading."""
        report = self.corpus.report()
        # an unreadable file is no record: the number of its records is unknown
        files = self.faults().get(UNREADABLE, 0)
        self.summary.replaced = report.replaced
        self.summary.records = report.records + self.refused - files
        self.summary.rejected = sum(count for _, count, kept in report.faults if not kept) + self.refused - files
        self.summary.warned = sum(count for _, count, kept in report.faults if kept) + self.doubted
        self.summary.repaired = dict(report.repairs)
        self.summary.dated = report.dated
        self.summary.compares_days = compares_days(self.detector, self.within)
        self.summary.articles = self.corpus.new_articles
        self.summary.earlier_articles = len(self.corpus) - self.corpus.new_articles

    def index(self, for_components: bool = False) -> None:
        """Builds the posting lists. With `for_components`, only connected components can be computed from them."""
        if self._indexed:
            return
        start = time.perf_counter()
        self.count()
        self.corpus.find_candidates(self.tick("finding candidates"), for_components)
        self.summary.repaired = dict(self.corpus.report().repairs)  # with boilerplate
        self.summary.skipped_keys = self.corpus.skipped
        self.summary.without_signature = self.corpus.unsigned
        self.summary.hint = hint_about_skipped(self.summary.skipped_keys, self.detector)
        self._indexed = True
        self._timed("candidates", start)

    def relations(self, max_relations: int | None = None) -> _core.engine.Relations:
        """All relations, or so many of the strongest of each article to earlier ones, evenly by source."""
        self.index()
        start = time.perf_counter()
        if max_relations is None:
            found = self.corpus.relations(self.tick("comparing"))
        else:
            found = self.corpus.relations(self.tick("comparing"), max_relations=max_relations)
        assert found is not None  # without a limit of work
        self.summary.relations, self.summary.weaker_relations = len(found), found.weaker
        self.summary.count(found.counts)
        self._timed("relate", start)
        return found

    def groups(self, options: GroupingOptions) -> _core.engine.Groups:
        """All groups. Articles are compared only where groups depend on it."""
        self.index(options.is_connected_components)
        start = time.perf_counter()
        decisions = options.decisions
        self.summary.unknown_decisions = decisions.unknown(self.corpus.__contains__)
        found = self.corpus.groups(
            options.method,
            options.representative,
            list(options.prefer),
            options.join_parts,
            list(decisions.same),
            list(decisions.apart),
            self.tick("grouping"),
        )
        if self.summary.relations is None:
            self.summary.count(found.counts)
        self.summary.groups, self.summary.grouped = len(found) - found.alone, found.grouped
        self.summary.singletons = found.alone
        self._timed("group", start)
        return found


def _processors() -> int:
    """The number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def weighed(detector: Detector, run: Run, read: Callable[[Run], None]) -> Detector:
    """The detector with the statistics of the collection that `read` reads: word frequencies, or a calibration."""
    if detector.calibrates:
        read(run)
        return detector.restore(run.corpus.calibration())
    if detector.fitted:
        return detector
    counter = detector.counter()
    counting = replace(run, detector=counter, stage="counting", summary=Summary())
    read(counting)
    run.summary.seconds["count"] = counting.summary.seconds.get("read", 0.0)
    return detector.weighed(counter.counts())


def fitted(run: Run, read: Callable[[Run], None]) -> Run:
    """The run itself, or one with a fitted detector if its detector needs statistics of the collection.

    `read` reads the collection; it is called once more for these.
    """
    detector = run.detector
    return run if isinstance(detector, Counting) or detector.fitted else run.again(weighed(detector, run, read))


def run_on(
    articles: Sequence[Article],
    detector: Detector,
    against: Sequence[Article] = (),
    threads: int = 0,
    as_is: bool = False,
    within: int | None = None,
    titles: bool = False,
) -> Run:
    """A run that has read articles in memory; with `titles`, it keeps their headlines."""

    def read(run: Run) -> None:
        _read(run, articles, against)

    run = fitted(Run(detector, threads, largest=2**62, empty=True, as_is=as_is, within=within, titles=titles), read)
    read(run)
    return run


def _read(run: Run, articles: Sequence[Article], against: Sequence[Article]) -> None:
    start = time.perf_counter()
    for batch in (against, articles):
        run.add("articles", ([a.id, a.title, a.text, a.published, a.url, a.source, a.lang] for a in batch))
        if batch is against:
            run.age()
    run._timed("read", start)


def run_relations(run: Run, max_relations: int | None = None) -> list[Relation]:
    """The relations of a run as objects."""
    ids, spec = run.corpus.articles().ids, str(run.detector)
    found = Columns.from_core(run.relations(max_relations))
    rows = zip(*(column.tolist() for column in found), strict=True)
    return [Relation(ids[a], ids[b], KINDS[k], Overlap(f, g), spec, s) for a, b, k, f, g, s in rows]


def run_groups(run: Run, options: GroupingOptions) -> list[Group]:
    """The groups of a run as objects."""
    ids = run.corpus.articles().ids
    return rows_to_groups(run.groups(options), lambda at: ids[at], str(run.detector))
