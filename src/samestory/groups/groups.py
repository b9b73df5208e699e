"""Groups of related articles.

`star`: articles are visited best representative first; each one that is still free opens a group and claims the free
articles related to it, so that every member was compared with the representative. `components`: connected components.
`majority`: two groups merge if most pairs between them are related, the strongest first; an article without a date
joins no groups that are more days apart than their detector allows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from samestory import _core
from samestory.detectors.spec import parse_stored
from samestory.errors import InputError, ParameterError, SamestoryError
from samestory.groups.decisions import Decisions
from samestory.model import KINDS, Article, Group, GroupList, Kind, Nearest, Overlap, Relation, check_ids
from samestory.old_arguments import accept_old_arguments
from samestory.readers.objects import articles as take
from samestory.text.prepare import prepare

METHODS = ("star", "components", "majority")
REPRESENTATIVES = ("longest", "earliest", "latest")


@dataclass(frozen=True)
class GroupingOptions:
    """How related articles become groups, and which member represents each group.

    >>> GroupingOptions("majority", prefer=("Reuters",)).representative
    'longest'
    """

    method: str = "star"
    """`star`, `components` or `majority`."""
    representative: str = "longest"
    """The member that represents a group: `longest`, `earliest` or `latest`."""
    prefer: tuple[str, ...] = ()
    """Sources whose articles represent their groups before others do, best first."""
    join_parts: bool = True
    """Whether an article joins the group of the one that contains it."""
    decisions: Decisions = field(default_factory=Decisions)
    """What people decided about pairs."""

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise ParameterError(f"grouping: must be one of {', '.join(METHODS)}, got {self.method!r}")
        if self.representative not in REPRESENTATIVES:
            allowed = ", ".join(REPRESENTATIVES)
            raise ParameterError(f"representative: must be one of {allowed}, got {self.representative!r}")
        if isinstance(self.prefer, str):
            raise ParameterError(
                f"prefer: must be a list of sources, got one text {self.prefer!r}", "put it into a list"
            )
        object.__setattr__(self, "prefer", tuple(self.prefer))

    @classmethod
    def from_arguments(
        cls, grouping: str | GroupingOptions | None, representative: str, prefer: Sequence[str], default: str = "star"
    ) -> GroupingOptions:
        """The options that the arguments of `find` and `group` name; `default` is the method if none is given."""
        if not isinstance(grouping, GroupingOptions):
            return cls(default if grouping is None else grouping, representative, prefer)  # type: ignore[arg-type]
        if representative != "longest" or prefer:
            raise ParameterError(
                "grouping: GroupingOptions have their own representative and prefer",
                "pass the name of a method, or put everything into GroupingOptions",
            )
        return grouping

    @property
    def is_connected_components(self) -> bool:
        """Whether groups are connected components, so that a spanning forest of the relations is enough."""
        return self.method == "components" and not self.decisions.apart

    @property
    def decided(self) -> frozenset[str]:
        """The ids of the articles in decisions."""
        return frozenset(id for pair in (*self.decisions.same, *self.decisions.apart) for id in pair)


# the class was named Choice when it had these arguments; its __init__ is generated, so it can only be wrapped here
_accept = accept_old_arguments(policy="representative", preferred="prefer")
GroupingOptions.__init__ = _accept(GroupingOptions.__init__)  # type: ignore[method-assign]


def check_min_size(name: str, size: int) -> None:
    """Raises a ParameterError unless `size` is a number of members."""
    if isinstance(size, bool) or not hasattr(size, "__index__") or size < 1:
        raise ParameterError(f"{name}: must be a whole number of at least 1, got {size!r}")


@accept_old_arguments("grouping", "articles", choice="grouping")
def group(
    relations: Iterable[Relation | Mapping[str, Any]],
    *,
    articles: Iterable[Article | Mapping[str, Any] | str] | Any = (),
    grouping: str | GroupingOptions | None = None,
    representative: str = "longest",
    prefer: Sequence[str] = (),
    min_size: int = 1,
) -> GroupList:
    """Groups of related articles, as a list.

    `articles`: those without relations become groups of one, and representatives are chosen by their length, date and
    source. Without them, the article with the most relations represents its group.
    `grouping`: `star` (the default), `components` or `majority`, or `GroupingOptions`.
    `representative`: `longest`, `earliest` or `latest`; `prefer`: sources whose articles come before others.
    `min_size`: leaves out groups with fewer members.

    >>> near = Relation("b", "a", Kind.NEAR, Overlap(0.9, 0.8), "reuse")
    >>> [g.members for g in group([near])]
    [('a', 'b')]
    """
    check_min_size("min_size", min_size)
    options = GroupingOptions.from_arguments(grouping, representative, prefer)
    return GroupList(each for each in group_relations(relations, options, articles) if len(each.members) >= min_size)


def group_relations(
    relations: Iterable[Relation | Mapping[str, Any]],
    options: GroupingOptions,
    articles: Iterable[Article | Mapping[str, Any] | str] | Any = (),
) -> list[Group]:
    """Groups of related articles, as `group` returns them."""
    import numpy as np

    found = [_relation(relation, number) for number, relation in enumerate(relations, 1)]
    known = take(articles)
    ids = list(dict.fromkeys([a.id for a in known] + [i for r in found for i in (r.left, r.right)]))
    number = {id: at for at, id in enumerate(ids)}

    def pairs(decided: Iterable[tuple[str, str]]) -> list[tuple[int, int]]:
        return [(number[a], number[b]) for a, b in decided if a in number and b in number]

    native = _core.engine.group(
        _candidates(ids, found, options, known),
        options.representative,
        (
            np.array([number[r.left] for r in found], np.uint32),
            np.array([number[r.right] for r in found], np.uint32),
        ),
        (
            np.array([r.overlap.forward for r in found], np.float64),
            np.array([r.overlap.backward for r in found], np.float64),
        ),
        np.array([KINDS.index(r.kind) for r in found], np.uint8),
        options.method,
        options.join_parts,
        pairs(options.decisions.same),
        pairs(options.decisions.apart),
        # a relation without a score is weighed by its larger share
        np.array([r.score or r.overlap.share for r in found], np.float64),
        _limit(found),
    )
    return rows_to_groups(native, lambda at: ids[at], found[0].detector if found else "")


def _candidates(
    ids: list[str], relations: Sequence[Relation], options: GroupingOptions, articles: Sequence[Article]
) -> tuple[list[str], list[int], list[int | None], list[int]]:
    """Ids, lengths, times, and the places of the sources among the preferred ones.

    An article that is not known has the number of its relations as its length.
    """
    known = {article.id: article for article in articles}
    words = dict(zip(known, prepare(known.values()).tokens.lengths().tolist(), strict=True)) if known else {}
    degree = Counter(id for r in relations for id in (r.left, r.right))
    preferred = {source.strip().casefold(): place for place, source in enumerate(options.prefer)}
    dates = [known[id].published if id in known else None for id in ids]
    sources = [known[id].source if id in known else None for id in ids]
    return (
        ids,
        [words.get(id, degree[id]) for id in ids],
        [_core.engine.microseconds(date) if date else None for date in dates],
        [preferred.get((source or "").strip().casefold(), len(preferred)) for source in sources],
    )


def _limit(relations: Sequence[Relation]) -> int | None:
    """The most days between articles of one event, if all detectors limit them."""
    limits = [_max_days(spec) for spec in {relation.detector for relation in relations}]
    known = [days for days in limits if days is not None]
    return max(known) if known and len(known) == len(limits) else None


def _max_days(spec: str) -> int | None:
    try:
        detector = parse_stored(spec)
    except SamestoryError:  # a detector that is not installed here
        return None
    days = getattr(detector, "days", None)
    return days if isinstance(days, int) and Kind.SAME_EVENT in detector.reports else None


def _relation(given: Relation | Mapping[str, Any], number: int) -> Relation:
    try:
        if not isinstance(given, Relation):
            return Relation.from_dict(given)
        check_ids(given.left, given.right)
        return given
    except ValueError as error:
        raise InputError(f"relation {number}: {error}") from None


def rows_to_groups(rows: Sequence[_core.engine.GroupRow], name: Callable[[int], str], detector: str) -> list[Group]:
    """Groups from the rows of the native core, with ids in place of numbers."""
    out = []
    for row in rows:
        weakest, nearest, members = row.weakest, row.nearest, row.members
        link = weakest and Relation(
            name(weakest[0]), name(weakest[1]), Kind(weakest[2]), Overlap(weakest[3], weakest[4]), detector, weakest[5]
        )
        outside = nearest and Nearest(name(nearest[0]), Overlap(nearest[1], nearest[2]), nearest[3])
        out.append(Group(name(row.representative), tuple(name(m) for m in members), link, outside, row.forced))
    return out
