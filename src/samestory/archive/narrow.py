"""The narrow table in memory: what folding needs of every article, in columns, as the database has it now.

A frequent word stands in tens of thousands of articles. To look each of them up in the database takes longer than a
reader waits, to count columns in memory some milliseconds. The columns are read once and catch up by the log
`changes`: whoever writes articles logs, in the same transaction, the stories that they are in and were in.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from samestory.archive.told import Told
from samestory.database import Database, Session

Numbers = NDArray[np.int64]

#: Numbers are marked one by one where so many lie between the first and the last for every article, at most.
WIDEST = 16

#: When more than this share of the articles has changed, all are read anew.
MUCH = 0.2

COLUMNS = ("number", "story", "coalesce(at, arrived)", "day", "words", "likeness", "came", "source", "lang")
_SELECT = f"SELECT {', '.join(COLUMNS)} FROM articles WHERE story IS NOT NULL"


class Names:
    """Sources or languages, each with a number; None is one of them."""

    def __init__(self) -> None:
        self.names: list[str | None] = []
        self._numbers: dict[str | None, int] = {}

    def number(self, name: str | None) -> int:
        """The number of a name; a new one gets the next."""
        known = self._numbers.get(name)
        if known is None:
            known = self._numbers[name] = len(self.names)
            self.names.append(name)
        return known


@dataclass(frozen=True)
class Narrow:
    """The articles in columns, by number; only names are added to it, never rows."""

    seq: int
    """The last change that is in it."""
    columns: tuple[Numbers, ...]
    sources: Names
    languages: Names
    told: dict[int, Told] = field(default_factory=dict)
    """What was told of stories that were shown, by number."""
    stories: Numbers = field(init=False)
    """The numbers of all stories, sorted."""
    story: Numbers = field(init=False)
    """The story of every article, as a place in `stories`."""

    def __post_init__(self) -> None:
        stories, story = _places(self.columns[1])
        object.__setattr__(self, "stories", stories)
        object.__setattr__(self, "story", story)

    def __len__(self) -> int:
        return len(self.columns[0])

    def is_told(self, story: int) -> bool:
        """Is all that is told of a story as it is now?"""
        return story in self.told and self.told[story].texts is not None

    @property
    def number(self) -> Numbers:
        """The numbers of the articles, sorted."""
        return self.columns[0]

    @property
    def time(self) -> Numbers:
        """When: published or, where nobody knows, arrived."""
        return self.columns[2]

    @property
    def day(self) -> Numbers:
        """The days."""
        return self.columns[3]

    @property
    def words(self) -> Numbers:
        """How many words."""
        return self.columns[4]

    @property
    def likeness(self) -> Numbers:
        """The same number: the same words."""
        return self.columns[5]

    @property
    def came(self) -> Numbers:
        """The numbers that the articles had when they came first."""
        return self.columns[6]

    @property
    def source(self) -> Numbers:
        """The sources, by number."""
        return self.columns[7]

    @property
    def language(self) -> Numbers:
        """The languages, by number."""
        return self.columns[8]

    def rows(self, numbers: Numbers) -> Numbers:
        """The rows of articles, sorted; numbers that are not there are left out."""
        if not len(self):
            return np.empty(0, np.int64)
        at = np.minimum(np.searchsorted(self.number, numbers), len(self) - 1)
        return np.sort(at[self.number[at] == numbers])


def _places(values: Numbers) -> tuple[Numbers, Numbers]:
    """The different values, sorted, and the place of each value among them."""
    least, most = (int(values.min()), int(values.max())) if len(values) else (0, 0)
    if most - least > WIDEST * len(values):
        return np.unique(values, return_inverse=True)
    # numbers of stories lie close together: a mark for each is made in a tenth of the time that sorting takes
    there = np.zeros(most - least + 1, bool)
    there[values - least] = True
    return np.flatnonzero(there) + least, (np.cumsum(there) - 1)[values - least]


#: So many states of the table are kept: whoever began to read before others went on finds the one that fits.
STATES = 4

_kept: WeakKeyDictionary[Database, list[Narrow]] = WeakKeyDictionary()
_turn = threading.Lock()


def narrow(database: Database, session: Session) -> Narrow:
    """The columns as this session sees the database."""
    seq = _seq(session)
    with _turn:
        states = _kept.setdefault(database, [])
        before = [each for each in states if each.seq <= seq]
        if before and before[-1].seq == seq:
            return before[-1]
        table = _caught_up(before[-1], session, seq) if before else None
        if table is None:
            table = _read(session, seq)
        states.append(table)
        states.sort(key=lambda each: each.seq)
        del states[:-STATES]
        return table


def _seq(session: Session) -> int:
    found = session.one("SELECT max(seq) FROM changes")
    return int(found[0]) if found and found[0] is not None else 0


def _read(session: Session, seq: int) -> Narrow:
    """All articles."""
    rows = session.rows(f"{_SELECT} ORDER BY number")
    sources, languages = Names(), Names()
    return Narrow(seq, _columns(rows, sources, languages), sources, languages)


def _columns(rows: Sequence[tuple[Any, ...]], sources: Names, languages: Names) -> tuple[Numbers, ...]:
    """Rows as columns, names as numbers."""
    if not rows:
        return tuple(np.empty(0, np.int64) for _ in COLUMNS)
    *plain, source, language = zip(*rows, strict=True)
    named = [list(map(sources.number, source)), list(map(languages.number, language))]
    return tuple(np.array(column, np.int64) for column in (*plain, *named))


def _caught_up(known: Narrow, session: Session, seq: int) -> Narrow | None:
    """The columns with what has changed since; None where that is unknown or too much."""
    oldest = session.one("SELECT min(seq) FROM changes")
    if oldest is None or oldest[0] is None or oldest[0] > known.seq + 1:
        return None  # the log does not reach back so far
    stories: set[int] = set()
    ids: set[str] = set()
    is_decided = False
    for what, story, articles, other in session.rows(
        "SELECT what, story, articles, other FROM changes WHERE seq > ?", (known.seq,)
    ):
        stories |= {number for number in (story, other) if number is not None}
        # a copy about which somebody decided has relations of its own from then on
        is_decided |= what == "decided"
        ids.update(json.loads(articles) if articles else ())
    touched = np.isin(known.columns[1], np.fromiter(stories, np.int64, len(stories)))
    if touched.sum() + len(ids) > MUCH * len(known):
        return None
    last = int(known.number[-1]) if len(known) else -1
    question = f"{_SELECT} AND"
    fresh = {row[0]: row for row in session.rows(f"{question} number > ?", (last,))}
    for column, values in (("number", known.number[touched].tolist()), ("story", stories), ("id", ids)):
        fresh |= {row[0]: row for row in session.rows_among(f"{question} {column} IN ({{}})", values)}
    new = _columns(list(fresh.values()), known.sources, known.languages)
    stay = ~touched & ~np.isin(known.number, new[0])
    mixed = [np.concatenate([old[stay], added]) for old, added in zip(known.columns, new, strict=True)]
    order = np.argsort(mixed[0], kind="stable")
    changed = stories.union(new[1].tolist())
    told = {
        story: facts.grown() if story in changed else facts
        for story, facts in list(known.told.items())
        if not (is_decided and story in changed)
    }
    return Narrow(seq, tuple(column[order] for column in mixed), known.sources, known.languages, told)
