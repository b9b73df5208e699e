"""What a store keeps: the entries of an index, so that it can be opened again. Every store gives back the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from samestory.model import Signatures

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Entries:
    """Articles as an index files them: ids, times (microseconds since 1970), sources (as numbers), signatures."""

    ids: list[str]
    published: NDArray[np.int64]
    sources: NDArray[np.uint64]
    signatures: Signatures

    def __len__(self) -> int:
        return len(self.ids)


class Store(Protocol):
    """Entries. An id stands for one article; putting it again replaces that article."""

    @property
    def fingerprint(self) -> str:
        """Of the detector and the preparation whose signatures it holds; empty in a new store."""
        ...

    @fingerprint.setter
    def fingerprint(self, mark: str) -> None: ...

    def put(self, entries: Entries) -> None:
        """Keeps articles; no id comes twice. When this comes back, they are kept."""
        ...

    def remove(self, ids: Sequence[str]) -> int:
        """Forgets articles; gives how many there were."""
        ...

    def expire(self, before: int) -> int:
        """Forgets what was published before a time; articles without a time stay."""
        ...

    def batches(self) -> Iterator[Entries]:
        """All that is kept, in the order in which it came."""
        ...

    def __len__(self) -> int: ...
