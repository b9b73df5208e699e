"""Split gold into two halves, one to choose on and one to report on; no group is in both.

A group is never split. Neither are judged pairs connected through shared articles; where nearly all pairs are one
connected component, only pairs judged the same stay together, and pairs across the halves are set aside.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from samestory.errors import InputError
from samestory.lab.evaluation.gold import GoldGroups, GoldPairs
from samestory.lab.measures.units import components

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: A unit larger than this share of all judgements leaves too little to split.
MAX_UNIT_SHARE = 0.6


def halves(gold: GoldPairs | GoldGroups, seed: int = 0) -> tuple[GoldPairs | GoldGroups, GoldPairs | GoldGroups, int]:
    """Return two halves that share no group, and the number of judgements across them, which are in neither."""
    import numpy as np

    sides = _of_groups(gold, seed) if isinstance(gold, GoldGroups) else _of_pairs(gold, seed)
    first, second = (gold.take(np.flatnonzero(sides == side).tolist()) for side in (0, 1))
    for part in (first, second):
        if isinstance(part, GoldPairs) and (not len(part) or part.labels.all() or not part.labels.any()):
            raise InputError(
                "too few judgements to split: one half would have only positives or only negatives", place=gold.path
            )
        if isinstance(part, GoldGroups) and not len(part):
            raise InputError("too few groups to split: there is only one", place=gold.path)
    return first, second, int((sides < 0).sum())


def _of_groups(gold: GoldGroups, seed: int) -> NDArray[np.int64]:
    import numpy as np

    units = np.unique(np.array(gold.groups), return_inverse=True)[1]
    return _assign(units, seed)[units]


def _of_pairs(gold: GoldPairs, seed: int) -> NDArray[np.int64]:
    import numpy as np

    names = np.unique(np.array([*gold.left, *gold.right]), return_inverse=True)[1].astype(np.int64)
    left, right = names[: len(gold)], names[len(gold) :]
    units = components(left, right)
    if np.bincount(units).max() <= MAX_UNIT_SHARE * len(gold):
        return _assign(units, seed)[units]
    # keep the articles of a story together and cut all other edges
    same = gold.labels
    count = int(names.max()) + 1
    alone = np.arange(count)
    linked = components(np.concatenate([left[same], alone]), np.concatenate([right[same], alone]))
    story = linked[int(same.sum()) :]
    # weight a story by its number of judgements
    side = _assign(np.concatenate([story[left], story[right], story]), seed)
    return np.where(side[story[left]] == side[story[right]], side[story[left]], -1)


def _assign(units: NDArray[np.int64], seed: int) -> NDArray[np.int64]:
    """Assign every unit to a half: largest first, each to the smaller half so far; ties are in random order."""
    import numpy as np

    sizes = np.bincount(units).tolist()
    order = list(range(len(sizes)))
    random.Random(seed).shuffle(order)
    total = [0, 0]
    out = np.zeros(len(sizes), np.int64)
    for unit in sorted(order, key=lambda unit: -sizes[unit]):
        side = int(total[1] < total[0])
        out[unit] = side
        total[side] += sizes[unit]
    return out
