"""Extractors that have learned from pages whose content is known: CE-SIMPLE and CE-BEST of the study. [gibson2007]

A model is a file of plain text (`samestory train-extractor` makes one); two are part of the package, each with a card
that says on what pages it was trained and how good it is on pages of other sites.
"""

from __future__ import annotations

import errno
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import ClassVar

from samestory import _core
from samestory.errors import InputError
from samestory.html.extractors.native import BlockExtractor
from samestory.html.scorer import ALL, ALL_ENTITIES, scorer
from samestory.specs import parameter

#: A model larger than this is none.
LARGEST = 64 * 2**20


@dataclass(frozen=True)
class Learned(BlockExtractor):
    """Weighs the features of every block by a model."""

    model: str = parameter("", "file of the model (samestory train-extractor makes one); none: that of the package")
    ours: ClassVar[str]
    """The file in the package."""
    features: ClassVar[tuple[str, ...]]
    """What its models were trained on, as they say themselves."""

    @cached_property
    def native(self) -> _core.Extractor:
        """The same in the core."""
        text = self._text()
        said = text.splitlines()[1:2]
        if said and said[0].startswith("features ") and said[0].removeprefix("features ") not in self.features:
            raise InputError(f"{self.model}: a model of {said[0]}; {self.name} wants features {self.features[0]}")
        try:
            return scorer(text, self.least)
        except ValueError as why:
            raise InputError(f"{self.model or self.ours}: no model of an extractor: {why}") from None

    def _text(self) -> str:
        if not self.model:
            return (files("samestory.html") / "models" / self.ours).read_text(encoding="utf-8")
        try:
            if not Path(self.model).is_file():  # a pipe or device would be read for ever
                raise FileNotFoundError(errno.ENOENT, "no such file")
            with Path(self.model).open("rb") as file:
                raw = file.read(LARGEST + 1)
            if len(raw) > LARGEST:
                raise InputError(f"{self.model}: too large for a model of an extractor")
            return raw.decode("utf-8")
        except OSError as error:
            raise InputError(f"{self.model}: {error.strerror}", "samestory train-extractor makes a model") from None
        except UnicodeDecodeError:
            raise InputError(f"{self.model}: no model of an extractor: it is no text") from None


@dataclass(frozen=True)
class MaxEnt(Learned):
    """CE-SIMPLE: the words of a block alone, weighed by a maximum entropy model (logistic regression).

        P(content | block) = 1 / (1 + exp(-Σ weight(word)))

    It knows the languages it was trained on, and no others.
    """

    name = "maxent"
    ours = "maxent.model"
    features = ("words",)


@dataclass(frozen=True)
class Crf(Learned):
    """CE-BEST: all features of a block and its neighbours, and the labels of all blocks together, weighed by a
    conditional random field over the blocks of the page.

        P(y | page) ∝ exp( Σ weight(feature of block i) · y[i] + Σ turns(y[i], y[i+1]) )

    The features are hardly words, but sizes, links, tags, names of classes and places: it reads languages that it was
    not trained on.
    """

    name = "crf"
    ours = "crf.model"
    features = (ALL, ALL_ENTITIES)
