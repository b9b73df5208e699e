"""What every task must know: the detector, the layout of the input, and the duplicates of the whole collection."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from samestory import _core
from samestory.model import Signatures
from samestory.spark.layout import Layout
from samestory.spark.recipe import Recipe
from samestory.spark.signing import SignedPartition

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class BroadcastCollection:
    """The collection, broadcast to tasks."""

    recipe: Recipe
    layout: Layout
    directory: _core.exchange.Directory
    """Where articles are, and which are removed or copies: a few bytes for each of these."""
    parts: int
    """Number of parts of keys, ids and components."""

    @property
    def native(self) -> _core.detectors.Detector:
        """The detector as the engine calls it."""
        return self.recipe.engine.native

    def open(self, partition: int, value: SignedPartition) -> _core.exchange.Articles:
        """Returns the articles of an input partition, for the core."""
        articles, numbers = value.articles, value.numbers(self.layout, partition)
        named = {"number": numbers, "id": value.ids(self.layout, partition)}
        named |= {name: articles[name] for name in ("published", "source", "words")}
        signatures = Signatures(articles["signature"].combine_chunks()).columns
        return _core.exchange.Articles(self.native, self.directory, named, signatures)

    def compared(self, buffer: bytes) -> _core.exchange.ComparedPartition:
        """Returns the compared pairs of a partition."""
        return _core.exchange.ComparedPartition(self.native, str(self.recipe.detector), self.directory, buffer)

    def present(self, partition: int, value: SignedPartition) -> NDArray[np.int64]:
        """Returns the rows of the articles that are not removed."""
        import numpy as np

        removed = np.isin(value.numbers(self.layout, partition), np.asarray(self.directory.removed))
        rows: NDArray[np.int64] = np.flatnonzero(~removed)
        return rows
