"""Statistics of stories, counted in the columns that are stored with their articles (archive/dependencies.py)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from samestory.database import Session
from samestory.model import CLOSEST_FIRST, Kind


class StoryStats(NamedTuple):
    """Statistics of a story."""

    articles: int
    texts: int
    """The number of texts that derive from no earlier one."""
    dependencies: dict[Kind, int]
    """The number of articles by the kind of the relation to the article they depend on most, closest first."""
    kinds: frozenset[Kind]
    """The kinds of the relations between its articles, with the contained article on the left."""


class StoryShape(NamedTuple):
    """What a list of stories shows of each, beside its articles."""

    texts: int
    """The number of texts that derive from no earlier one."""
    kinds: tuple[Kind, ...]
    """The kinds of the relations between its articles, in their order, with the contained article on the left."""


#: A story of one article.
SINGLE = StoryShape(1, ())

_DISTINCT_TEXTS = "count(DISTINCT likeness) - count(DISTINCT CASE WHEN derived = 1 THEN likeness END)"
_KINDS = "SELECT story, earlier_kinds, count(*) FROM articles WHERE story IN ({}) GROUP BY story, earlier_kinds"
_TEXTS = f"SELECT story, {_DISTINCT_TEXTS} FROM articles WHERE story IN ({{}}) GROUP BY story"
# SQLite has no aggregate of bits
_ALL_KINDS = " + ".join(f"max(earlier_kinds & {1 << place})" for place in range(len(CLOSEST_FIRST)))
_SHAPES = f"SELECT story, {_DISTINCT_TEXTS}, {_ALL_KINDS} FROM articles WHERE story IN ({{}}) GROUP BY story"


def load_shapes(session: Session, stories: Iterable[int]) -> dict[int, StoryShape]:
    """Return what lists show of stories, by number, in one statement."""
    rows = session.rows_among(_SHAPES, stories)
    return {story: StoryShape(texts, _ordered_kinds(bits)) for story, texts, bits in rows}


@lru_cache(maxsize=1 << len(CLOSEST_FIRST))
def _ordered_kinds(bits: int) -> tuple[Kind, ...]:
    found = _kinds([bits])
    return tuple(kind for kind in Kind if kind in found)


def load_stats(session: Session, stories: Iterable[int]) -> dict[int, StoryStats]:
    """Return the statistics of stories, by number."""
    wanted = list(stories)
    counts: dict[int, Counter[int]] = defaultdict(Counter)
    for story, kinds, count in session.rows_among(_KINDS, wanted):
        counts[story][kinds] = count
    return {
        story: StoryStats(counts[story].total(), texts, _dependencies(counts[story]), _kinds(counts[story]))
        for story, texts in session.rows_among(_TEXTS, wanted)
    }


def _dependencies(counts: Counter[int]) -> dict[Kind, int]:
    """Count articles by the closest of their kinds, which is the lowest bit."""
    closest: Counter[int] = Counter()
    for kinds, count in counts.items():
        closest[(kinds & -kinds).bit_length() - 1] += count
    return {kind: closest[place] for place, kind in enumerate(CLOSEST_FIRST) if closest[place]}


def _kinds(counts: Iterable[int]) -> frozenset[Kind]:
    """Return all kinds; the earlier of two articles may be the contained one or the container."""
    found = {kind for kinds in counts for place, kind in enumerate(CLOSEST_FIRST) if kinds >> place & 1}
    return frozenset(Kind.PART_OF if kind is Kind.HAS_PART else kind for kind in found)
