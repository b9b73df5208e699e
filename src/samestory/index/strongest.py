"""Keeps the strongest relations of a new article: those of archives and streams are bounded, whatever sources do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from samestory import _core
from samestory.model import JOINING, KINDS, Relation

#: The most relations to earlier articles that are stored with an article. A group of twice as many articles, with each
#: related to every other, still has most of its pairs.
MAX_RELATIONS = 50

_NUMBERS = {kind: number for number, kind in enumerate(KINDS)}


class NewRelation(NamedTuple):
    """A relation of a new article to an earlier one."""

    relation: Relation
    other: str
    """The id of the earlier article."""
    source: int
    """The hash of its source."""
    sample: int | None
    """If a sample was searched: how many related articles of one group it can have."""


def strongest(found: Sequence[NewRelation], limit: int) -> list[NewRelation]:
    """Return at most `limit` relations: the strongest of each source, then the second of each source, and so on.

    The rule is that of `engine/strongest.rs`.
    """
    if len(found) <= limit:
        return list(found)
    rows = [(_NUMBERS[each.relation.kind], each.relation.score, each.other, each.source) for each in found]
    return [found[at] for at in _core.engine.strongest(rows, limit)]


def rows_for_groups(found: Sequence[NewRelation], kept: Sequence[NewRelation]) -> list[_core.engine.RelatedRow]:
    """Return the joining relations of an article as the core wants them: all decide which group the article joins, and
    those that are kept count for later articles too."""
    strong = {each.other for each in kept}
    joining = (each for each in found if each.relation.kind in JOINING)
    return [(each.other, each.relation.score, each.other in strong, each.sample) for each in joining]
