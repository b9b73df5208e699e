"""Relations to groups.

`star`: articles are taken best representative first; each that is still free opens a group and takes the free articles
related to it, so that every member is verified against the representative. `components`: whatever hangs together.
`majority`: two groups become one when most pairs between them are related, the strongest first; an article without a
date does not join groups between which more days lie than their detector allows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from samestory import _core
from samestory.detectors import parse
from samestory.errors import InputError, ParameterError, SamestoryError
from samestory.groups.decisions import Decisions
from samestory.model import KINDS, Article, Group, Kind, Nearest, Overlap, Relation, check_ids
from samestory.readers.objects import articles as take
from samestory.text.prepare import prepare

METHODS = ("star", "components", "majority")
POLICIES = ("longest", "earliest", "latest")


@dataclass(frozen=True)
class Choice:
    """How groups are made and which member stands for each."""

    method: str = "star"
    policy: str = "longest"
    preferred: tuple[str, ...] = ()
    """Sources whose articles stand for their groups before the policy is asked, best first."""
    join_parts: bool = True
    """Do parts join the groups of their wholes?"""
    decisions: Decisions = field(default_factory=Decisions)

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise ParameterError(f"grouping: one of {', '.join(METHODS)} is wanted, got {self.method!r}")
        if self.policy not in POLICIES:
            raise ParameterError(f"representative: one of {', '.join(POLICIES)} is wanted, got {self.policy!r}")

    @property
    def hangs_together(self) -> bool:
        """Are groups whatever hangs together, so that as few links as hold them are enough to know them?"""
        return self.method == "components" and not self.decisions.apart

    @property
    def counts_copies(self) -> bool:
        """Can one article stand for its copies, each with one relation to it?"""
        return self.method == "majority" or self.hangs_together

    @property
    def decided(self) -> frozenset[str]:
        """The articles that somebody decided about."""
        return frozenset(id for pair in (*self.decisions.same, *self.decisions.apart) for id in pair)


def group(
    relations: Iterable[Relation | Mapping[str, Any]],
    choice: Choice | None = None,
    articles: Iterable[Article | Mapping[str, Any] | str] | Any = (),
    copies: Mapping[str, str] | None = None,
) -> list[Group]:
    """Groups of related articles.

    With `articles`, those without relations come as groups of one, and the policy chooses the representatives; without,
    nothing is known but relations, and the article with most of them stands for its group. `copies`, by majority: the
    ids of articles that have one relation only, to the one that stands for each, and its id.

    >>> near = Relation("b", "a", Kind.NEAR, Overlap(0.9, 0.8), "reuse")
    >>> [g.members for g in group([near])]
    [('a', 'b')]
    """
    import numpy as np

    choice = choice or Choice()
    all_found = [_relation(relation, number) for number, relation in enumerate(relations, 1)]
    lots = _Lots(copies or {}, all_found)
    found = lots.others
    known = take(articles)
    ids = list(dict.fromkeys([a.id for a in known] + [i for r in all_found for i in (r.left, r.right)]))
    number = {id: at for at, id in enumerate(ids)}
    order = _order(ids, all_found, choice, known)

    def pairs(decided: Iterable[tuple[str, str]]) -> list[tuple[int, int]]:
        return [(number[a], number[b]) for a, b in decided if a in number and b in number]

    native = _core.group(
        len(ids),
        (
            np.array([number[r.left] for r in found], np.uint32),
            np.array([number[r.right] for r in found], np.uint32),
        ),
        (
            np.array([r.overlap.forward for r in found], np.float64),
            np.array([r.overlap.backward for r in found], np.float64),
        ),
        np.array([KINDS.index(r.kind) for r in found], np.uint8),
        np.array([number[id] for id in order], np.uint32),
        choice.method,
        choice.join_parts,
        pairs(choice.decisions.same),
        pairs(choice.decisions.apart),
        # lines tell no score: what the two share is the nearest to it
        np.array([r.score or r.overlap.share for r in found], np.float64),
        _days(ids, all_found, known),
        np.array(lots.sizes(ids), np.uint32) if lots.links else None,
    )
    detector = all_found[0].detector if all_found else ""
    groups = rows_to_groups(native.rows(1), lambda at: ids[at], detector)
    return lots.brought(groups, order, number) if lots.links else groups


class _Lots:
    """Copies, each with its relation to what stands for it."""

    def __init__(self, copies: Mapping[str, str], relations: Sequence[Relation]) -> None:
        self.links: dict[str, list[Relation]] = {}
        self.others = []
        for relation in relations:
            stand = copies.get(relation.left) or copies.get(relation.right)
            if stand in (relation.left, relation.right):
                self.links.setdefault(stand, []).append(relation)
            else:
                self.others.append(relation)
        self.gone = {id for stand, links in self.links.items() for link in links for id in (link.left, link.right)}
        self.gone -= self.links.keys()

    def sizes(self, ids: Sequence[str]) -> list[int]:
        """How many articles each stands for."""
        return [0 if id in self.gone else 1 + len(self.links.get(id, ())) for id in ids]

    def brought(self, groups: Sequence[Group], order: Sequence[str], number: Mapping[str, int]) -> list[Group]:
        """The groups with the copies of their members, best representative first."""
        rank = {id: at for at, id in enumerate(order)}
        out = []
        for group in groups:
            if group.representative in self.gone:
                continue
            links = [link for member in group.members for link in self.links.get(member, ())]
            members = [*group.members, *(id for link in links for id in (link.left, link.right) if id in self.gone)]
            best = min(members, key=rank.__getitem__)
            members.sort(key=lambda id: (id != best, number[id]))
            weakest = group.weakest or (links[0] if links else None)
            out.append(replace(group, representative=best, members=tuple(members), weakest=weakest))
        return sorted(out, key=lambda group: rank[group.representative])


def _days(
    ids: Sequence[str], relations: Sequence[Relation], articles: Sequence[Article]
) -> tuple[list[int | None], int] | None:
    """When the articles were published, and the most days between those of one event; if their detectors know it."""
    most = [_most_days(spec) for spec in {relation.detector for relation in relations}]
    known = [days for days in most if days is not None]
    if not known or len(known) < len(most):
        return None
    dates = {article.id: article.published for article in articles}
    return [_core.microseconds(date) if (date := dates.get(id)) else None for id in ids], max(known)


def _most_days(spec: str) -> int | None:
    try:
        detector = parse(spec)
    except SamestoryError:  # the detector of somebody else
        return None
    days = getattr(detector, "days", None)
    return days if isinstance(days, int) and Kind.SAME_EVENT in detector.reports else None


def _relation(given: Relation | Mapping[str, Any], number: int) -> Relation:
    try:
        if not isinstance(given, Relation):
            return Relation.of(given)
        check_ids(given.left, given.right)
        return given
    except ValueError as error:
        raise InputError(f"relation {number}: {error}") from None


def _order(ids: Sequence[str], relations: Sequence[Relation], choice: Choice, articles: Sequence[Article]) -> list[str]:
    """Ids, best representative first; the order of the input does not matter."""
    known = {article.id: article for article in articles}
    words = dict(zip(known, prepare(known.values()).tokens.lengths().tolist(), strict=True)) if known else {}
    degree = Counter(id for r in relations for id in (r.left, r.right))
    preferred = {source.strip().casefold(): place for place, source in enumerate(choice.preferred)}

    def rank(id: str) -> tuple[int, float, int, str]:
        article = known.get(id)
        if article is None:
            return (len(preferred), 0.0, -degree[id], id)
        time = _core.microseconds(article.published) if article.published else None
        place = preferred.get((article.source or "").strip().casefold(), len(preferred))
        if choice.policy == "longest":
            return (place, 0.0, -words[id], id)
        if time is None:
            return (place, float("inf"), -words[id], id)
        return (place, float(time if choice.policy == "earliest" else -time), -words[id], id)

    return sorted(ids, key=rank)


def rows_to_groups(rows: Iterable[Any], name: Callable[[int], str], detector: str) -> list[Group]:
    """Groups from the rows of the native core, with ids in place of numbers."""
    out = []
    for representative, members, weakest, nearest, forced in rows:
        link = weakest and Relation(
            name(weakest[0]), name(weakest[1]), Kind(weakest[2]), Overlap(weakest[3], weakest[4]), detector, weakest[5]
        )
        outside = nearest and Nearest(name(nearest[0]), Overlap(nearest[1], nearest[2]), nearest[3])
        out.append(Group(name(representative), tuple(name(m) for m in members), link, outside, forced))
    return out
