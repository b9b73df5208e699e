"""Stores of the entries of an index, so that it can be opened again."""

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
    """Indexed articles: ids, times (microseconds since 1970), hashes of sources, signatures as rows of the engine."""

    ids: list[str]
    published: NDArray[np.int64]
    sources: NDArray[np.uint64]
    signatures: Signatures

    def __len__(self) -> int:
        return len(self.ids)


class Store(Protocol):
    """A store of entries, one per id; putting an id again replaces its entry."""

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the detector and the preparation of the signatures; empty in a new store."""
        ...

    @fingerprint.setter
    def fingerprint(self, mark: str) -> None: ...

    def put(self, entries: Entries) -> None:
        """Stores entries with distinct ids, durably when it returns."""
        ...

    def remove(self, ids: Sequence[str]) -> int:
        """Removes entries; returns how many there were."""
        ...

    def expire(self, before: int) -> int:
        """Removes entries published before a time; those without a time stay."""
        ...

    def batches(self) -> Iterator[Entries]:
        """All entries in order of insertion."""
        ...

    def __len__(self) -> int: ...
