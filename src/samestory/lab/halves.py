"""Gold in two halves, to choose on the one and report on the other: no group is ever in both.

Groups go to a half whole. So do judged pairs that share articles, directly or over other pairs; where nearly all pairs
hang together, only pairs that people called the same are kept together, and pairs across the halves are set aside.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from samestory.errors import InputError
from samestory.lab.gold import GoldGroups, GoldPairs
from samestory.measures.units import components

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: A unit larger than this share of all judgements leaves nothing to split.
TOO_LARGE = 0.6


def halves(gold: GoldPairs | GoldGroups, seed: int = 0) -> tuple[GoldPairs | GoldGroups, GoldPairs | GoldGroups, int]:
    """Two halves that share no group, and how many judgements lie across and are in neither."""
    import numpy as np

    sides = _of_groups(gold, seed) if isinstance(gold, GoldGroups) else _of_pairs(gold, seed)
    first, second = (gold.take(np.flatnonzero(sides == side).tolist()) for side in (0, 1))
    for part in (first, second):
        if isinstance(part, GoldPairs) and (not len(part) or part.labels.all() or not part.labels.any()):
            raise InputError(f"{gold.path}: too little to split: one half would have only one kind of judgement")
        if isinstance(part, GoldGroups) and not len(part):
            raise InputError(f"{gold.path}: too little to split: there is one group only")
    return first, second, int((sides < 0).sum())


def _of_groups(gold: GoldGroups, seed: int) -> NDArray[np.int64]:
    import numpy as np

    units = np.unique(np.array(gold.groups), return_inverse=True)[1]
    return _deal(units, seed)[units]


def _of_pairs(gold: GoldPairs, seed: int) -> NDArray[np.int64]:
    import numpy as np

    names = np.unique(np.array([*gold.left, *gold.right]), return_inverse=True)[1].astype(np.int64)
    left, right = names[: len(gold)], names[len(gold) :]
    units = components(left, right)
    if np.bincount(units).max() <= TOO_LARGE * len(gold):
        return _deal(units, seed)[units]
    # the articles of one story stay together, and the rest of the web is cut
    same = gold.labels
    count = int(names.max()) + 1
    alone = np.arange(count)
    linked = components(np.concatenate([left[same], alone]), np.concatenate([right[same], alone]))
    story = linked[int(same.sum()) :]
    # a story weighs as many judgements as it holds
    side = _deal(np.concatenate([story[left], story[right], story]), seed)
    return np.where(side[story[left]] == side[story[right]], side[story[left]], -1)


def _deal(units: NDArray[np.int64], seed: int) -> NDArray[np.int64]:
    """A half for every unit: the largest first, each to the half that has less so far; chance orders equals."""
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
