"""Which article stands for its group: a row of bytes for each, of which the smaller one is the better article.

Preferred sources first, then the policy, then the most words, then the id, as on one machine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from samestory import _core
from samestory.groups import Choice
from samestory.model import NO_TIME

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

#: Bytes before the id: the place of the source, the time, the words.
HEAD = 16


def ranks(about: pa.Table, choice: Choice) -> list[bytes]:
    """The rank of every article; the id stands at its end."""
    import numpy as np

    source = about["source"].to_numpy()
    place = np.full(len(source), len(choice.preferred), np.uint32)
    for at in range(len(choice.preferred) - 1, -1, -1):
        place[source == np.uint64(_core.source_hash(choice.preferred[at]))] = at
    published = about["published"].to_numpy()
    known = published != NO_TIME
    time = np.zeros(len(source), np.int64)
    if choice.policy != "longest":
        # a date that nobody knows is neither early nor late
        time = np.where(known, published if choice.policy == "earliest" else -published, np.iinfo(np.int64).max)
    head = np.zeros((len(source), HEAD), np.uint8)
    head[:, :4] = _big(place, ">u4")
    head[:, 4:12] = _big(time.view(np.uint64) ^ np.uint64(1 << 63), ">u8")
    head[:, 12:] = _big(np.uint32(2**32 - 1) - about["words"].to_numpy(), ">u4")
    heads = head.tobytes()
    ids = about["id"].to_pylist()
    return [heads[at * HEAD : (at + 1) * HEAD] + id.encode() for at, id in enumerate(ids)]


def _big(numbers: Any, kind: str) -> NDArray[np.uint8]:
    import numpy as np

    return np.ascontiguousarray(numbers.astype(kind)).view(np.uint8).reshape(len(numbers), np.dtype(kind).itemsize)


def places(all_ranks: list[bytes]) -> NDArray[np.int64]:
    """For every rank its place among them all; the same rank, the same place."""
    import numpy as np

    place = {rank: at for at, rank in enumerate(sorted(set(all_ranks)))}
    return np.array([place[rank] for rank in all_ranks], np.int64)
