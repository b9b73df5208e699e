"""Test sets drawn from a pile: so many articles of every category, or of one category each. (Uyar 2009) [uyar2009]"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from random import Random

from samestory.errors import ParameterError


def sample_sets(
    categories: Mapping[str, str | None],
    sets: int,
    size: int,
    by_category: Mapping[str, int] | str = "share",
    seed: int = 0,
) -> list[list[str]]:
    """Draws test sets of articles, given by id with the category of each.

    `by_category`: how many of each category; "share", as many as each has of all; or "single", every set of one
    category that is large enough, by turns. An article is in one set once, and may be in several sets.

    >>> [len(one) for one in sample_sets({str(n): "ab"[n % 2] for n in range(10)}, 2, 4, {"a": 3, "b": 1})]
    [4, 4]
    """
    if sets < 1 or size < 1:
        raise ParameterError("sets and size: 1 or more are wanted")
    members: dict[str, list[str]] = defaultdict(list)
    for id, category in categories.items():
        members[category or ""].append(id)
    random = Random(seed)
    if by_category == "single":
        large = [name for name, ids in members.items() if len(ids) >= size]
        if not large:
            raise ParameterError(f"no category has {size} articles")
        return [random.sample(members[large[number % len(large)]], size) for number in range(sets)]
    if isinstance(by_category, str):
        if by_category != "share":
            raise ParameterError(f"by_category: numbers, 'share' or 'single' are wanted, got {by_category!r}")
        counts = _shares({name: len(ids) for name, ids in members.items()}, size)
    else:
        counts = dict(by_category)
        if sum(counts.values()) != size:
            raise ParameterError(f"the categories come to {sum(counts.values())} articles, and {size} are wanted")
    for name, count in counts.items():
        if count < 0:
            raise ParameterError(f"category {name!r}: 0 or more articles are wanted, got {count}")
        if count > len(members.get(name, ())):
            raise ParameterError(f"category {name!r}: {count} articles are wanted, and there are {len(members[name])}")
    return [[id for name, count in counts.items() for id in random.sample(members[name], count)] for _ in range(sets)]


def _shares(sizes: Mapping[str, int], wanted: int) -> dict[str, int]:
    """So many in all, by the size of each; what is left over goes to the largest remainders."""
    total = sum(sizes.values())
    if wanted > total:
        raise ParameterError(f"{wanted} articles are wanted, and there are {total}")
    exact = {name: size * wanted / total for name, size in sizes.items()}
    out = {name: int(share) for name, share in exact.items()}
    for name in sorted(exact, key=lambda name: (out[name] - exact[name], name))[: wanted - sum(out.values())]:
        out[name] += 1
    return out
