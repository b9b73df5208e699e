"""Statistics of a story: the kinds of its relations, and its number of independent texts.

A story of hundreds of near copies has a hundred thousand relations, so they are counted in the database: the test of a
text stops at its first relation to an earlier one, and kinds are collected from the relations of new articles only.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from samestory.archive.independent import DERIVED
from samestory.database import Session
from samestory.model import Kind


class StoryStats(NamedTuple):
    """Statistics of a story, valid for this set of articles."""

    kinds: frozenset[Kind]
    """The kinds of the relations between its articles."""
    articles: frozenset[int]
    texts: int | None
    """The number of texts that derive from no earlier one; None if articles were added since."""

    def outdated(self) -> StoryStats:
        """Return a copy without the text count, for a story that has changed."""
        return self._replace(texts=None)


_KINDS = "SELECT DISTINCT a.story, r.kind FROM articles a JOIN relations r ON r.{near} = a.number"
_INSIDE = " JOIN articles b ON b.number = r.{far} AND b.story = a.story WHERE a.{column} IN ({{}})"
_SIDES = (("left_number", "right_number"), ("right_number", "left_number"))

_EARLIER = (
    "EXISTS (SELECT 1 FROM relations r JOIN dated b ON b.number = r.{far} WHERE r.{near} = a.number"
    " AND b.story = a.story AND b.first < a.first AND r.kind IN ({kinds}))"
)
#: A text is as old as the first article with it; it is derived if any article with it is related to one with an older
#: text.
_TEXTS = (
    "WITH placed AS MATERIALIZED (SELECT number, story, likeness, row_number() OVER"
    " (PARTITION BY story ORDER BY coalesce(at, arrived), number) AS place FROM articles WHERE story IN ({{}})),"
    " dated AS MATERIALIZED (SELECT number, story, likeness, min(place) OVER (PARTITION BY story, likeness) AS first"
    " FROM placed)"
    " SELECT story, count(DISTINCT likeness) - count(DISTINCT CASE WHEN {derived} THEN likeness END)"
    " FROM dated a GROUP BY story"
).format(
    derived=" OR ".join(
        _EARLIER.format(near=near, far=far, kinds=", ".join(f"'{kind}'" for kind in sorted(DERIVED)))
        for near, far in _SIDES
    )
)


def compute_stats(
    session: Session, stories: Mapping[int, Iterable[int]], known: Mapping[int, StoryStats]
) -> dict[int, StoryStats]:
    """Compute the statistics of stories, given with their article numbers; `known` holds earlier statistics."""
    now = {story: frozenset(articles) for story, articles in stories.items()}
    # a story that lost no article only gained relations of its new ones
    old = {
        story: stats for story in stories if (stats := known.get(story)) is not None and stats.articles <= now[story]
    }
    new = [number for story, stats in old.items() for number in now[story] - stats.articles]
    kinds = {story: set(old[story].kinds) if story in old else set() for story in stories}
    # within a whole story every relation is found from its left end
    rows = _kinds(session, _SIDES[:1], "story", [story for story in stories if story not in old])
    for story, kind in (*rows, *_kinds(session, _SIDES, "number", new)):
        kinds[story].add(Kind(kind))
    texts = count_texts(session, stories)
    return {story: StoryStats(frozenset(kinds[story]), now[story], texts[story]) for story in stories}


def count_texts(session: Session, stories: Iterable[int]) -> dict[int, int]:
    """Count the texts of stories that derive from no earlier one."""
    return dict(session.rows_among(_TEXTS, list(stories)))


def _kinds(session: Session, sides: Iterable[tuple[str, str]], column: str, values: list[int]) -> list[tuple[int, str]]:
    """Return pairs of story and relation kind, for articles selected by a column."""
    rows = []
    for near, far in sides:
        sql = (_KINDS + _INSIDE).format(near=near, far=far, column=column)
        rows += session.rows_among(sql, values)
    return rows
