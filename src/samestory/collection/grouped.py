"""The gold of difference sets: which articles repeat another, in groups with those they were shown beside.

An article may be judged several times, beside other clusters of other test sets, and once more as one of the others of
somebody else's cluster. An answer says of pairs:

    duplicate    it is the same as at least one of those that were shown
    unique       it is the same as none of them

So "duplicate" beside one cluster and "unique" beside another are both true of an article. Answers contradict each
other where all beside whom an article is called a duplicate were called different from it, by a "unique" about it or
about them; and where the groups that come of it hold two that were called different. As with two lists that say
different things about a pair, nothing is said then about the articles concerned.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from samestory.collection.collection import Collection, Item
from samestory.collection.votes import VOTING, Said, final


class Grouped(NamedTuple):
    """Lines of gold, and the articles of which nothing is said."""

    lines: list[dict[str, Any]]
    undecided: set[str]
    contested: set[str]
    left: int
    """Items about which nothing is decided."""


def grouped(
    collection: Collection,
    said: Sequence[tuple[Item, list[Said]]],
    assumed: Iterable[Item],
    open_still: set[int],
    nominated: Mapping[int, Sequence[str]],
) -> Grouped:
    """What was judged, and what all detectors took for duplicates; all others that they looked at are groups of one.

    Which one an article repeats is what its detector says. Of articles that no detector has looked at, and of those
    about which nothing is decided, nothing is said.
    """
    judged: dict[str, list[Said]] = {}
    pools: dict[str, dict[str, None]] = {}
    undecided, left = set[str](), 0
    alike, apart = [item.articles for item in assumed], list[tuple[str, ...]]()
    for item, answers in said:
        id = item.articles[0]
        made = final(collection.relation, item, answers).get((id,))
        if made is None or item.number in open_still:
            undecided.add(id)
            left += 1
            continue
        judged[id] = [*judged.get(id, []), *answers]
        pools.setdefault(id, {}).update(dict.fromkeys(nominated.get(item.number, ())))
        (alike if made else apart).append(item.articles)
    groups = _joined(alike, apart, undecided)
    lines = []
    for id in _looked_at(collection):
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
    return Grouped(lines, undecided, groups.contested, left)


class _Groups:
    """Articles that belong together, and those about whom answers contradict each other."""

    def __init__(self) -> None:
        self.home: dict[str, str] = {}
        self.contested: set[str] = set()

    def root(self, id: str) -> str:
        while self.home.get(id, id) != id:
            id = self.home[id]
        return id

    def join(self, one: str, other: str) -> None:
        first, second = sorted((self.root(one), self.root(other)))
        self.home[second] = first


def _joined(alike: Sequence[tuple[str, ...]], apart: Sequence[tuple[str, ...]], undecided: set[str]) -> _Groups:
    unlike: dict[str, set[str]] = {}
    """Of an article that was called unique, those beside whom it was."""
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


def _looked_at(collection: Collection) -> list[str]:
    """Articles of any test set, in the order in which they came."""
    sql = "SELECT id FROM articles WHERE id IN (SELECT article FROM members) ORDER BY number"
    with collection.database.read() as session:
        return [id for (id,) in session.rows(sql)]
