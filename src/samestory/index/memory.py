"""The memory store: postings in the native core, gone with the process."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from samestory import _core
from samestory.index.store import Candidates, Entries
from samestory.model import Ragged, Signatures

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Memory:
    """A store in memory."""

    def __init__(self) -> None:
        self.fingerprint = ""
        self._native = _core.MemoryStore()

    def put(self, entries: Entries) -> NDArray[np.int64]:
        """See the store."""
        import numpy as np

        about = (entries.published, entries.sources)
        keys = (entries.keys.values, entries.keys.offsets)
        return np.frombuffer(self._native.put(entries.ids, about, keys, entries.signatures.columns), np.int64)

    def find(
        self, keys: Ragged, since: NDArray[np.int64] | None, until: NDArray[np.int64] | None, ceiling: int
    ) -> Candidates:
        """See the store."""
        import numpy as np

        windows = None if since is None or until is None else (since, until)
        found = self._native.find((keys.values, keys.offsets), windows, ceiling)
        return Candidates(*(np.frombuffer(column, np.int64) for column in found))

    def entries(self, numbers: Sequence[int]) -> Entries:
        """See the store."""
        import numpy as np

        numbers = list(numbers)
        published, sources, counts = self._native.about(numbers)
        values, offsets = self._native.signatures(numbers)
        # only their number is asked for again, so the keys themselves stay in the core
        ends = np.concatenate([[0], np.cumsum(np.frombuffer(counts, np.int64))]).astype(np.int64)
        return Entries(
            self._native.ids(numbers),
            np.frombuffer(published, np.int64),
            np.frombuffer(sources, np.uint64),
            Ragged.of(np.zeros(ends[-1], np.int64), ends),
            Signatures.of(values, np.frombuffer(offsets, np.int64)),
        )

    def remove(self, ids: Sequence[str]) -> int:
        """See the store."""
        return self._native.remove(list(ids))

    def expire(self, before: int) -> int:
        """See the store."""
        return self._native.expire(before)

    def skipped(self) -> int:
        """See the store."""
        return self._native.skipped

    def postings(self) -> int:
        """How many keys are filed."""
        return self._native.postings

    def __len__(self) -> int:
        return len(self._native)
