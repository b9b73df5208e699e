"""Blocks of pages: the gold label of each, and its label by the extractor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from samestory.errors import ParameterError
from samestory.lab.measures.data.base import Data


@dataclass(frozen=True, eq=False)
class LabelledBlocks(Data):
    """One row per block: its page, its gold label, and its predicted label. Pages are the units.

    >>> LabelledBlocks(["p1", "p1"], gold=["CONTENT", "NOTCONTENT"], found=["CONTENT", "CONTENT"]).count
    1
    """

    what: ClassVar[str] = "blocks"

    page: Any
    gold: Any
    found: Any
    units: Any = None

    def __post_init__(self) -> None:
        for name in ("gold", "found"):
            labels = np.asarray(getattr(self, name))
            if labels.ndim != 1:
                raise ParameterError(f"{self.what}: {name} must be one label per block")
            self._set(name, labels.astype(str))
        self._same_lengths("page", "gold", "found", "units")
        self._set("page", self._units(self.page, len(self.gold)))
        self._set("units", self._units(self.page if self.units is None else self.units, len(self.gold)))
        self._check_unsplit(self.page, "page")

    @property
    def drawn(self) -> str:
        return "pages"

    def __len__(self) -> int:
        return len(self.gold)

    def gold_columns(self) -> tuple[NDArray[Any], ...]:
        return self.page, self.gold
