"""A detector in plain Python, as a user would write one: equal sets of words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from samestory import Detector, Features, Kind
from samestory.model import KINDS, Overlaps, Pairs, Ragged, Signatures


@dataclass(frozen=True)
class SameWords(Detector):
    """Relates articles by the Jaccard resemblance of their sets of words, and files them under every word."""

    name: ClassVar[str] = "same_words"
    summary: ClassVar[str] = "the same words in any order"
    reports: ClassVar[frozenset[Kind]] = frozenset({Kind.NEAR})

    threshold: float = 0.5

    def sign(self, features: Features) -> Signatures:
        rows = [np.unique(features.tokens[at] & ~np.uint32(3)).astype("<u4").tobytes() for at in range(len(features))]
        ends = np.cumsum([0, *map(len, rows)]).astype(np.int64)
        return Signatures.from_offsets(b"".join(rows), ends)

    def keys(self, signatures: Signatures) -> Ragged:
        rows = [np.frombuffer(row, "<u4").astype(np.int64) for row in signatures]
        ends = np.cumsum([0, *map(len, rows)]).astype(np.int64)
        return Ragged.from_offsets(np.concatenate([np.zeros(0, np.int64), *rows]), ends)

    def compare(self, left: Signatures, right: Signatures, pairs: Pairs) -> Overlaps:
        forward, backward, kinds, scores = [], [], [], []
        for one, other in zip(pairs.left.tolist(), pairs.right.tolist(), strict=True):
            a, b = (set(np.frombuffer(side, "<u4").tolist()) for side in (left[one], right[other]))
            common = len(a & b)
            forward.append(common / len(a) if a else float(a == b))
            backward.append(common / len(b) if b else float(a == b))
            resemblance = common / len(a | b) if a | b else 1.0
            near = resemblance >= self.threshold and resemblance > 0
            scores.append(resemblance if near else 0.0)
            kinds.append(KINDS.index(Kind.NEAR if near else Kind.NONE))
        shares = np.array(forward, np.float64), np.array(backward, np.float64)
        return Overlaps(*shares, np.array(kinds, np.uint8), scores=np.array(scores, np.float64))
