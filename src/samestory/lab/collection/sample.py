"""Random test sets: a number of articles from each category, or one category per set. (Uyar 2009) [uyar2009]"""

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
    """Draw test sets of articles, given by id with the category of each.

    `by_category`: the number per category; "share", proportional to the size of the category; or "single", every set
    from one category that is large enough, in turns. An article is at most once in a set, and may be in several sets.

    >>> [len(one) for one in sample_sets({str(n): "ab"[n % 2] for n in range(10)}, 2, 4, {"a": 3, "b": 1})]
    [4, 4]
    """
    if sets < 1 or size < 1:
        raise ParameterError("sets and size must be 1 or more")
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
            raise ParameterError(f"by_category: expected numbers, 'share' or 'single', got {by_category!r}")
        counts = _shares({name: len(ids) for name, ids in members.items()}, size)
    else:
        counts = dict(by_category)
        if sum(counts.values()) != size:
            raise ParameterError(
                f"the numbers of the categories add up to {sum(counts.values())}, not to the size {size}"
            )
    for name, count in counts.items():
        if count < 0:
            raise ParameterError(f"category {name!r}: expected 0 or more articles, got {count}")
        if count > len(members.get(name, ())):
            raise ParameterError(f"category {name!r}: {count} articles requested, but it has only {len(members[name])}")
    return [[id for name, count in counts.items() for id in random.sample(members[name], count)] for _ in range(sets)]


def _shares(sizes: Mapping[str, int], wanted: int) -> dict[str, int]:
    """Apportion `wanted` articles by size with the largest remainder method."""
    total = sum(sizes.values())
    if wanted > total:
        raise ParameterError(f"{wanted} articles requested, but there are only {total}")
    exact = {name: size * wanted / total for name, size in sizes.items()}
    out = {name: int(share) for name, share in exact.items()}
    for name in sorted(exact, key=lambda name: (out[name] - exact[name], name))[: wanted - sum(out.values())]:
        out[name] += 1
    return out
