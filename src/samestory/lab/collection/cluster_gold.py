"""The gold of difference sets: groups of articles that repeat another article they were shown with.

An article may be judged several times, with other clusters of other test sets, and also be shown as one of the others
in the cluster of another article. An answer is a statement about pairs:

    duplicate    it is the same as at least one of the articles shown
    unique       it is the same as none of them

So "duplicate" in one cluster and "unique" in another can both be true of an article. Answers contradict each other if
an article is a duplicate within a cluster all of whose others were judged different from it, by a "unique" about it or
about them; and if a resulting group contains two articles that were judged different. As with contradicting lists, the
articles concerned are left out of the gold.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from samestory.lab.collection.collection import Collection, JudgingItem
from samestory.lab.collection.votes import VOTING, Judgement, final_decisions


class ClusterGold(NamedTuple):
    """Gold lines, and the articles that are left out."""

    lines: list[dict[str, Any]]
    undecided: set[str]
    contested: set[str]
    left: int
    """Undecided items."""


def cluster_gold(
    collection: Collection,
    judged_items: Sequence[tuple[JudgingItem, list[Judgement]]],
    assumed: Iterable[JudgingItem],
    undecided_numbers: set[int],
    nominated: Mapping[int, Sequence[str]],
) -> ClusterGold:
    """Combine judged items and articles that all detectors flagged; other articles of the test sets are singletons.

    The article that a duplicate repeats is the one its detector found. Articles outside all test sets, and undecided
    ones, are left out.
    """
    judged: dict[str, list[Judgement]] = {}
    pools: dict[str, dict[str, None]] = {}
    undecided, left = set[str](), 0
    alike, apart = [item.articles for item in assumed], list[tuple[str, ...]]()
    for item, answers in judged_items:
        id = item.articles[0]
        made = final_decisions(collection.relation, item, answers).get((id,))
        if made is None or item.number in undecided_numbers:
            undecided.add(id)
            left += 1
            continue
        judged[id] = [*judged.get(id, []), *answers]
        pools.setdefault(id, {}).update(dict.fromkeys(nominated.get(item.number, ())))
        (alike if made else apart).append(item.articles)
    groups = _joined(alike, apart, undecided)
    lines = []
    for id in _test_articles(collection):
        if id in undecided or id in groups.contested:
            continue
        line: dict[str, Any] = {
            "relation": collection.relation,
            "id": id,
            "cluster": groups.root(id),
            "protocol": collection.protocol,
        }
        if id in judged:
            line["assessors"] = [
                [each.assessor, int(each.answer == "yes")] for each in judged[id] if each.duty in VOTING
            ]
            line["pool"] = list(pools[id])
        lines.append({**line, "judged": id in judged})
    return ClusterGold(lines, undecided, groups.contested, left)


class _Groups:
    """Union-find over article ids, and the articles with contradicting answers."""

    def __init__(self) -> None:
        self.parent: dict[str, str] = {}
        self.contested: set[str] = set()

    def root(self, id: str) -> str:
        while self.parent.get(id, id) != id:
            id = self.parent[id]
        return id

    def join(self, one: str, other: str) -> None:
        first, second = sorted((self.root(one), self.root(other)))
        self.parent[second] = first


def _joined(alike: Sequence[tuple[str, ...]], apart: Sequence[tuple[str, ...]], undecided: set[str]) -> _Groups:
    unlike: dict[str, set[str]] = {}
    """By article judged unique, the articles it was shown with."""
    for first, *others in apart:
        unlike.setdefault(first, set()).update(others)
    out = _Groups()
    for first, *others in alike:
        left = [each for each in others if each not in unlike.get(first, ()) and first not in unlike.get(each, ())]
        if others and not left:
            out.contested |= {first, *(each for each in others if first in unlike.get(each, ()))}
        for other in left:
            if other not in undecided:
                out.join(first, other)
    for first, different in unlike.items():
        if any(out.root(first) == out.root(other) for other in different):
            out.contested.add(first)
    return out


def _test_articles(collection: Collection) -> list[str]:
    """Return the articles of all test sets in insertion order."""
    sql = "SELECT id FROM articles WHERE id IN (SELECT article FROM members) ORDER BY number"
    with collection.database.read() as session:
        return [id for (id,) in session.rows(sql)]
