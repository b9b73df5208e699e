"""What is told of a story beside its articles: what holds it together, and how many independent texts it has.

A story of hundreds of near copies has a hundred thousand relations, and they are counted where they lie: of a text the
question ends at the first relation to an earlier one, and of the kinds only those are looked at that new articles have
brought.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from samestory.archive.independent import TAKEN
from samestory.database import Session
from samestory.model import Kind


class Told(NamedTuple):
    """What is told of a story, as long as it has these articles."""

    kinds: frozenset[Kind]
    """What its articles have to do with each other."""
    articles: frozenset[int]
    texts: int | None
    """How many texts were taken from no earlier one; None where articles have come since."""

    def grown(self) -> Told:
        """The same when articles have come."""
        return self._replace(texts=None)


_KINDS = "SELECT DISTINCT a.story, r.kind FROM articles a JOIN relations r ON r.{near} = a.number"
_INSIDE = " JOIN articles b ON b.number = r.{far} AND b.story = a.story WHERE a.{asked} IN ({{}})"
_SIDES = (("left_number", "right_number"), ("right_number", "left_number"))

_EARLIER = (
    "EXISTS (SELECT 1 FROM relations r JOIN dated b ON b.number = r.{far} WHERE r.{near} = a.number"
    " AND b.story = a.story AND b.first < a.first AND r.kind IN ({kinds}))"
)
#: A text is as old as the first article that has it, and it was taken if any article that has it is related to one
#: with an older text.
_TEXTS = (
    "WITH placed AS MATERIALIZED (SELECT number, story, likeness, row_number() OVER"
    " (PARTITION BY story ORDER BY coalesce(at, arrived), number) AS place FROM articles WHERE story IN ({{}})),"
    " dated AS MATERIALIZED (SELECT number, story, likeness, min(place) OVER (PARTITION BY story, likeness) AS first"
    " FROM placed)"
    " SELECT story, count(DISTINCT likeness) - count(DISTINCT CASE WHEN {taken} THEN likeness END)"
    " FROM dated a GROUP BY story"
).format(
    taken=" OR ".join(
        _EARLIER.format(near=near, far=far, kinds=", ".join(f"'{kind}'" for kind in sorted(TAKEN)))
        for near, far in _SIDES
    )
)


def tell(session: Session, stories: Mapping[int, Iterable[int]], known: Mapping[int, Told]) -> dict[int, Told]:
    """What is told of some stories, given with the numbers of their articles; `known` is what was told before."""
    now = {story: frozenset(articles) for story, articles in stories.items()}
    # whose articles are all still there has only gained some, and their relations are all that is new
    old = {story: told for story in stories if (told := known.get(story)) is not None and told.articles <= now[story]}
    new = [number for story, told in old.items() for number in now[story] - told.articles]
    kinds = {story: set(old[story].kinds) if story in old else set() for story in stories}
    # of a whole story every relation is found from its left end
    rows = _kinds(session, _SIDES[:1], "story", [story for story in stories if story not in old])
    for story, kind in (*rows, *_kinds(session, _SIDES, "number", new)):
        kinds[story].add(Kind(kind))
    texts: dict[int, int] = dict(session.rows_among(_TEXTS, list(stories)))
    return {story: Told(frozenset(kinds[story]), now[story], texts[story]) for story in stories}


def _kinds(session: Session, sides: Iterable[tuple[str, str]], asked: str, values: list[int]) -> list[tuple[int, str]]:
    found = []
    for near, far in sides:
        sql = (_KINDS + _INSIDE).format(near=near, far=far, asked=asked)
        found += session.rows_among(sql, values)
    return found
