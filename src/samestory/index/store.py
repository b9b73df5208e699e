"""What a store keeps and what it answers; every store gives the same answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from samestory.model import Ragged, Signatures

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Entries:
    """Articles as a store files them: ids, times (microseconds since 1970), sources (as numbers), keys, signatures."""

    ids: list[str]
    published: NDArray[np.int64]
    sources: NDArray[np.uint64]
    keys: Ragged
    signatures: Signatures


@dataclass(frozen=True, slots=True)
class Candidates:
    """Rows of a question, the entries they met, and how many keys each pair shares."""

    rows: NDArray[np.int64]
    entries: NDArray[np.int64]
    shared: NDArray[np.int64]


class Store(Protocol):
    """Entries and postings. An id stands for one article; putting it again replaces that article."""

    fingerprint: str
    """Of the detector and the preparation whose signatures it holds; empty in a new store."""

    def put(self, entries: Entries) -> NDArray[np.int64]:
        """Files articles; gives the numbers of their entries."""
        ...

    def find(
        self, keys: Ragged, since: NDArray[np.int64] | None, until: NDArray[np.int64] | None, ceiling: int
    ) -> Candidates:
        """Who shares a key with each row, inside its window of time if there is one.

        Entries without a time lie in every window. Keys with more than `ceiling` entries are passed over and counted.
        """
        ...

    def entries(self, numbers: Sequence[int]) -> Entries:
        """The entries with these numbers."""
        ...

    def remove(self, ids: Sequence[str]) -> int:
        """Forgets articles; gives how many there were."""
        ...

    def expire(self, before: int) -> int:
        """Forgets what was published before a time; articles without a time stay."""
        ...

    def skipped(self) -> int:
        """How many questions about keys were passed over because the key was too common."""
        ...

    def __len__(self) -> int: ...
