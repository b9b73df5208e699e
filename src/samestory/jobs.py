"""The main jobs: find, relate, group, explain, in the words of the command line.

A native detector reads files in the core, on all processors, without making an object of any article. Any other
detector works through an `Index`. Both ways give the same relations.
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
from samestory.detectors import Detector, Native
from samestory.errors import InputError, ParameterError
from samestory.explanation import AnyArticle, chosen_or_default
from samestory.groups import Choice, group, rows_to_groups
from samestory.index import Related, days, relate_batch
from samestory.model import KINDS, Article, Group, Overlap, Relation
from samestory.readers import Problem, Source, is_parquet, name, parquet_rows, read, warn
from samestory.readers import articles as take
from samestory.text import Counting, prepare

#: Articles handed to the core at a time.
BATCH = 4096

#: A list of articles, a data frame or a table of them.
Articles = Iterable[AnyArticle] | Any
#: Told now and then: the stage, how much of it is done (of reading: bytes), how much there is (of reading: 0, since
#: nobody knows), and how many articles were read.
Progress = Callable[[str, int, int, int], None]


@dataclass
class Summary:
    """What came in, what went out, and what was passed over on the way."""

    records: int = 0
    articles: int = 0
    old: int = 0
    replaced: int = 0
    """Old articles in whose place a new one with the same id has come."""
    rejected: int = 0
    doubted: int = 0
    groups: int = 0
    grouped: int = 0
    alone: int = 0
    relations: int | None = None
    compared: int = 0
    forms: int = 0
    skipped_keys: int = 0
    hint: str = ""
    """What can be done about them."""
    unsigned: int = 0
    """Articles with too little in them for the detector to go by."""
    undecided: int = 0
    """Decisions that name an article that is not there."""
    repaired: dict[str, int] = field(default_factory=dict)
    """Articles whose text or title was repaired while it was read, by the kind of repair."""
    dated: int = 0
    """Articles that have a date."""
    seconds: dict[str, float] = field(default_factory=dict)


@dataclass
class Run:
    """A corpus on its way through the main job; the steps are called in order.

    `read`, then `relations` or `groups` as often as wanted.
    """

    detector: Native | Counting
    threads: int = 0
    largest: int = _core.LARGEST
    titles: bool = False
    strict: bool = False
    empty: bool = False
    """Keep articles whose text is empty; from files they are refused."""
    as_is: bool = False
    """Compare texts as they are: entities, control characters and remains of pages are not repaired."""
    within: int | None = None
    """The most calendar days (UTC) between related articles; articles without a date have no limit."""
    details: int | None = None
    """The most problems of a kind that are kept; all are counted, and without a number all are kept."""
    fields: Mapping[str, str] = field(default_factory=dict)
    progress: Progress | None = None
    stage: str = "reading"
    """What reading is called where somebody watches."""
    summary: Summary = field(default_factory=Summary)
    refused: int = 0
    """What was refused before it came here, and what was doubted: pages that hold no article."""
    doubted: int = 0

    @cached_property
    def corpus(self) -> _core.Corpus:
        """What is read; made when the first file comes, since a detector may have to count words before."""
        threads, native = self.threads or _processors(), self.detector.native
        return _core.Corpus(
            native if self.within is None else native.within(self.within),
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
        self._met = False
        self._columns: set[str] = set()

    def _tick(self, stage: str) -> Callable[[int, int, int, int], None] | None:
        """Says that a stage begins; gives what the core is to call on the way."""
        tell = self.progress
        if tell is None:
            return None
        if stage == self.stage:
            if not self._columns and not len(self.corpus):
                tell(stage, 0, 0, 0)
            return lambda read, articles, done, total: tell(stage, read, 0, articles)
        tell(stage, 0, 0, len(self.corpus))
        return lambda read, articles, done, total: tell(stage, done, total, articles)

    def _timed(self, step: str, start: float) -> None:
        self.summary.seconds[step] = self.summary.seconds.get(step, 0.0) + time.perf_counter() - start

    @property
    def stopped(self) -> bool:
        """Has a problem been met that ends the run?"""
        return self.strict and bool(self.corpus.faults())

    def read(self, path: str, format: str | None = None, encoding: str | None = None) -> None:
        """Reads a file or folder; nothing once the run is stopped."""
        if self.stopped:
            return
        start = time.perf_counter()
        if is_parquet(path, format):
            try:
                rows = parquet_rows(path, self.fields, self._columns)
                self.add(name(path), ((row, doubts) if doubts else row for _, row, doubts in rows))
            except InputError as error:
                self.corpus.refuse(name(path), str(error).removeprefix(f"{name(path)}: "))
        else:
            try:
                self.corpus.read(path, format, encoding, self._tick(self.stage))
            except ValueError as error:
                raise ParameterError(str(error)) from None
        self._timed("read", start)

    def add(self, name: str, rows: Iterable[list[str | None] | tuple[Any, Any]]) -> None:
        """Takes articles that are in memory, as values in the order of the roles; or a fault and its detail.

        Values may stand in a tuple with the roles that cannot be taken, and why.
        """
        rows, first = iter(rows), 1
        while not self.stopped and (batch := list(islice(rows, BATCH))):
            self.corpus.add(name, batch, first)
            first += len(batch)

    def unmatched(self) -> dict[str, str]:
        """Of the user's own names of fields, by role, those under which nothing was found."""
        missing = set(self.corpus.unmatched())
        return {role: own for role, own in self.fields.items() if own in missing and own not in self._columns}

    def again(self, detector: Native) -> Run:
        """A new run with the same settings and another detector."""
        return replace(self, detector=detector, summary=Summary(seconds=self.summary.seconds))

    def age(self) -> None:
        """What was read so far is old: compared with, not related to itself."""
        self.corpus.age()

    def problems(self) -> list[Problem]:
        """What was refused or doubted, in the order of the input, as far as it is kept."""
        problems = [Problem(*row) for row in self.corpus.problems()]
        place = {file: at for at, file in enumerate(dict.fromkeys(p.file for p in problems))}
        return sorted(problems, key=lambda p: (place[p.file], p.line))

    def faults(self) -> dict[str, int]:
        """How often each fault was met."""
        return {fault: count for fault, count, _ in self.corpus.faults()}

    def count(self) -> None:
        """Counts what was read."""
        self.summary.replaced = self.corpus.settle()
        faults = self.corpus.faults()
        self.summary.records = self.corpus.records + self.refused
        self.summary.rejected = sum(count for _, count, kept in faults if not kept) + self.refused
        self.summary.doubted = sum(count for _, count, kept in faults if kept) + self.doubted
        self.summary.repaired = dict(self.corpus.repairs())
        self.summary.dated = self.corpus.dated
        self.summary.articles = self.corpus.new_articles
        self.summary.old = len(self.corpus) - self.corpus.new_articles

    def meet(self) -> None:
        """Brings together the articles that share keys."""
        if self._met:
            return
        start = time.perf_counter()
        self.count()
        self.corpus.meet(self._tick("meeting"))
        self.summary.repaired = dict(self.corpus.repairs())  # boilerplate is known now
        self.summary.skipped_keys = self.corpus.skipped
        self.summary.unsigned = self.corpus.unsigned
        self.summary.hint = self._hint()
        self._met = True
        self._timed("meet", start)

    def _hint(self) -> str:
        """How to look at the keys that were skipped: what stands in so many articles may be a story that all copied."""
        skipped, detector = self.summary.skipped_keys, self.detector
        if not skipped or isinstance(detector, Counting) or "ceiling" not in (each.name for each in fields(detector)):
            return ""
        stand = "key stands" if skipped == 1 else "keys stand"
        wider: Any = replace(detector, **{"ceiling": 0})
        return (
            f"{skipped:,} {stand} in more than {detector.ceiling:,} articles and brought nobody together; "
            f"{wider} looks at them too"
        )

    def relations(self) -> _core.Relations:
        """All relations."""
        self.meet()
        start = time.perf_counter()
        found = self.corpus.relations(self._tick("comparing"))
        self.summary.relations = len(found)
        self.summary.compared, self.summary.forms = found.compared, found.forms
        self._timed("relate", start)
        return found

    def groups(self, choice: Choice) -> _core.Groups:
        """All groups. Relations are measured only where groups depend on them."""
        self.meet()
        start = time.perf_counter()
        decisions = choice.decisions
        self.summary.undecided = decisions.unknown(self.corpus.has)
        found = self.corpus.groups(
            choice.method,
            choice.policy,
            list(choice.preferred),
            choice.join_parts,
            list(decisions.same),
            list(decisions.apart),
            self._tick("grouping"),
        )
        if self.summary.relations is None:
            self.summary.compared, self.summary.forms = found.compared, found.forms
        self.summary.groups, self.summary.grouped = found.count(2)
        self.summary.alone = len(found) - self.summary.groups
        self._timed("group", start)
        return found


def _processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _new_and_old(articles: Articles, against: Articles) -> tuple[list[Article], list[Article]]:
    """An article that is also among the old ones is a new version, and the old one is set aside.

    A number is no id: old articles without one are numbered apart. What they are taken without is warned of.
    """
    doubts: list[str] = []
    new = take(articles, doubts=doubts)
    ids = {article.id for article in new}
    old = [article for article in take(against, "old:", doubts) if article.id not in ids]
    warn(doubts, stacklevel=3)  # told where the job was called
    return new, old


#: More days than there are dates.
MOST_DAYS = 10_000_000


def check_days(name: str, days: int) -> None:
    """Refuses a limit of days that is none."""
    if isinstance(days, bool) or not hasattr(days, "__index__") or not 0 <= days <= MOST_DAYS:
        raise ParameterError(f"{name}: a whole number of days, 0 to {MOST_DAYS:,}, is wanted, got {days!r}")


def weighed(detector: Native, run: Run, read: Callable[[Run], None]) -> Native:
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
    """The run itself; or, where its detector must know how frequent words are, one whose detector has counted them.

    `read` reads the collection, and is called once more for it.
    """
    detector = run.detector
    return run if isinstance(detector, Counting) or detector.fitted else run.again(weighed(detector, run, read))


def run_on(
    articles: Sequence[Article],
    detector: Native,
    against: Sequence[Article] = (),
    threads: int = 0,
    as_is: bool = False,
    within: int | None = None,
) -> Run:
    """A run over articles in memory, all of them read."""

    def read(run: Run) -> None:
        _read(run, articles, against)

    run = fitted(Run(detector, threads, largest=2**62, empty=True, as_is=as_is, within=within), read)
    read(run)
    return run


def _read(run: Run, articles: Sequence[Article], against: Sequence[Article]) -> None:
    start = time.perf_counter()
    for batch in (against, articles):
        run.add("articles", ([a.id, a.title, a.text, a.published, a.url, a.source, a.lang] for a in batch))
        if batch is against:
            run.age()
    run._timed("read", start)


def relate(
    articles: Articles,
    detector: Detector | str | None = None,
    against: Articles = (),
    by_day: bool = False,
    as_is: bool = False,
    within: int | None = None,
) -> list[Relation]:
    """What the articles have to do with each other and with older ones (which are not related among themselves).

    With `by_day`, every day (UTC) is a corpus of its own, and so are all articles without a date. Dirty text is
    repaired before it is compared, unless `as_is`. Articles more than `within` days apart are not related.

    >>> import samestory
    >>> news = [{"id": "a", "text": "The bridge over the river reopened on Monday after repairs."},
    ...         {"id": "b", "text": "The bridge over the river reopened on Monday after repairs, officials said."}]
    >>> [(r.left, r.right, str(r.kind)) for r in samestory.relate(news)]
    [('b', 'a', 'NEAR')]
    """
    if within is not None:
        check_days("within", within)
    chosen, (new, old) = chosen_or_default(detector), _new_and_old(articles, against)
    if by_day:
        return [relation for day in days(new, old) for relation in _relate(day.new, chosen, day.old, as_is, within)]
    return _relate(new, chosen, old, as_is, within)


def _relate(
    new: Sequence[Article], detector: Detector, old: Sequence[Article], as_is: bool, within: int | None
) -> list[Relation]:
    if not isinstance(detector, Native):
        return relate_batch(detector, prepare(old, as_is), prepare(new, as_is), within=within)[0]
    return run_relations(run_on(new, detector, old, as_is=as_is, within=within))


def run_relations(run: Run) -> list[Relation]:
    """The relations that a run finds, as objects."""
    import numpy as np

    ids, spec = run.corpus.ids(), str(run.detector)
    types = (np.uint32, np.uint32, np.uint8, np.float64, np.float64, np.float64)
    columns = zip(run.relations().columns(), types, strict=True)
    rows = zip(*(np.frombuffer(column, kind).tolist() for column, kind in columns), strict=True)
    return [Relation(ids[a], ids[b], KINDS[k], Overlap(f, g), spec, s) for a, b, k, f, g, s in rows]


def run_groups(run: Run, choice: Choice) -> list[Group]:
    """The groups that a run finds, as objects."""
    ids = run.corpus.ids()
    return rows_to_groups(run.groups(choice).rows(1), lambda at: ids[at], str(run.detector))


def find(
    articles: Articles,
    detector: Detector | str | None = None,
    against: Articles = (),
    choice: Choice | None = None,
    by_day: bool = False,
    as_is: bool = False,
    within: int | None = None,
) -> list[Group]:
    """Groups of articles that are one story; articles alone come as groups of one.

    With `against`, older articles are compared with but not with each other, and groups without a new one are left out.
    A new article with the id of an old one is its new version: the old one is set aside. With `by_day`, every day (UTC)
    is a corpus of its own, and so are all articles without a date. Dirty text is repaired before it is compared, unless
    `as_is`. Articles more than `within` days apart are not related.
    """
    if within is not None:
        check_days("within", within)
    chosen, (new, old) = chosen_or_default(detector), _new_and_old(articles, against)
    choice = choice or Choice(chosen.grouping)
    if by_day:
        return [found for day in days(new, old) for found in _find(day.new, chosen, day.old, choice, as_is, within)]
    return _find(new, chosen, old, choice, as_is, within)


def _find(
    new: Sequence[Article],
    detector: Detector,
    old: Sequence[Article],
    choice: Choice,
    as_is: bool,
    within: int | None,
) -> list[Group]:
    if isinstance(detector, Native):
        return run_groups(run_on(new, detector, old, as_is=as_is, within=within), choice)
    how = (choice.hangs_together, choice.counts_copies, choice.decided)
    found, batch = relate_batch(detector, prepare(old, as_is), prepare(new, as_is), *how, within=within)
    return grouped(found, batch, choice, new, old)


def grouped(
    relations: Sequence[Relation], batch: Related | None, choice: Choice, new: Sequence[Article], old: Sequence[Article]
) -> list[Group]:
    """The groups of relations of a batch in which there is a new article."""
    fresh = {article.id for article in new}
    copies = (
        batch.lots.copied() if batch is not None and batch.lots is not None and choice.method == "majority" else None
    )
    return [g for g in group(relations, choice, [*old, *new], copies) if fresh.intersection(g.members)]


def load(sources: Iterable[Source], ids: Sequence[str]) -> dict[str, Article]:
    """The articles with these ids, looked up in files."""
    wanted, found = set(ids), {}
    for source in sources:
        for item in read(source):
            if isinstance(item, Article) and item.id in wanted and item.id not in found:
                found[item.id] = item
                if len(found) == len(wanted):
                    return found
    if absent := wanted - found.keys():
        raise InputError(f"no article has the id {sorted(absent)[0]!r}")
    return found
