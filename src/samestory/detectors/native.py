"""Detectors whose work is done in the native core."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

from samestory import _core
from samestory.detectors.base import Detector
from samestory.model import Features, Kind, Overlaps, Pairs, Ragged, Signatures
from samestory.text import Counter, Counting

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


#: What detectors report that measure how much of one article another one holds.
CONTAINMENT = frozenset({Kind.NEAR, Kind.PART_OF, Kind.HAS_PART})


class Native(Detector):
    """A detector that the native core knows by the same name and with the same parameters."""

    @cached_property
    def native(self) -> _core.Detector:
        """The native half."""
        return _core.Detector(self.name, self.arguments())

    def within(self, days: int | None) -> Self:
        """This detector for articles at most so many days apart; itself without a number."""
        if days is None:
            return self
        limited = copy(self)
        # where `native` looks first
        limited.__dict__["native"] = self.native.within(days)
        return limited

    def arguments(self) -> dict[str, object]:
        """The parameters by name."""
        return {each.name: getattr(self, each.name) for each in fields(self) if each.repr}

    def _check_preparation(self) -> None:
        """Refuses what cannot be in the parameters that say how tokens become terms."""
        self._check_choice("stemming", "none", "F5")
        self._check_switch("stop_words")

    def counter(self) -> Counting:
        """What counts the terms that it must know before it signs: none, for most."""
        return Counter()

    def weighed(self, counts: Any) -> Self:
        """This detector with what was counted."""
        return self

    @property
    def ceiling(self) -> int:
        """See the base."""
        return self.native.ceiling

    def apply_calibration(self, signatures: Signatures) -> Signatures:
        """See the base."""
        values, offsets = signatures.columns
        return Signatures.of(self.native.apply_calibration(values, offsets), offsets)

    def with_boilerplate(self, signatures: Signatures) -> Sequence[int]:
        """See the base."""
        return self.native.with_boilerplate(*signatures.columns)

    def sign(self, features: Features) -> Signatures:
        """See the base."""
        import numpy as np

        if self.native.wants_text:
            values, offsets = self.native.sign_texts(
                features.compared, features.compared_titles, features.languages, features.microseconds
            )
        else:
            tokens = features.tokens
            values, offsets = self.native.sign_words(tokens.values, tokens.offsets, features.microseconds)
        return Signatures.of(values, np.frombuffer(offsets, np.int64))

    def keys(self, signatures: Signatures) -> Ragged:
        """See the base."""
        import numpy as np

        values, offsets = self.native.keys(*signatures.columns)
        return Ragged.of(np.frombuffer(values, np.int64), np.frombuffer(offsets, np.int64))

    def quorum(self, fewer: NDArray[np.int64]) -> NDArray[np.int64]:
        """See the base."""
        import numpy as np

        return np.frombuffer(self.native.quorum(np.ascontiguousarray(fewer, np.int64)), np.int64)

    def admits(
        self, left: Signatures, right: Signatures, pairs: Pairs, shared: NDArray[np.int64], fewer: NDArray[np.int64]
    ) -> NDArray[np.bool_]:
        """See the base."""
        import numpy as np

        found = self.native.admits(left.columns, right.columns, (pairs.left, pairs.right), shared, fewer)
        return np.frombuffer(found, np.bool_)

    def compare(self, left: Signatures, right: Signatures, pairs: Pairs) -> Overlaps:
        """See the base."""
        import numpy as np

        rows = (np.ascontiguousarray(pairs.left, np.int64), np.ascontiguousarray(pairs.right, np.int64))
        forward, backward, kinds, whys, scores = self.native.compare(left.columns, right.columns, rows)
        return Overlaps(
            np.frombuffer(forward, np.float64),
            np.frombuffer(backward, np.float64),
            np.frombuffer(kinds, np.uint8),
            np.frombuffer(whys, np.uint8),
            np.frombuffer(scores, np.float64),
        )
