"""Extractors trained on pages with known content: CE-SIMPLE and CE-BEST of the study. [gibson2007]

A model is a plain text file, created by `samestory train-extractor`; two are part of the package, each with a model
card of its training pages and its quality on pages of other sites.
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

#: Maximum bytes of a model.
MAX_MODEL_BYTES = 64 * 2**20


@dataclass(frozen=True)
class LearnedExtractor(BlockExtractor):
    """Scores the features of each block by a model."""

    model: str = parameter("", "model file, created by samestory train-extractor; empty for the model of the package")
    ours: ClassVar[str]
    """The model file in the package."""
    features: ClassVar[tuple[str, ...]]
    """The feature sets of its models, as declared in the model files."""

    @cached_property
    def native(self) -> _core.html.Extractor:
        """The native extractor."""
        text = self._text()
        declared = text.splitlines()[1:2]
        if (
            declared
            and declared[0].startswith("features ")
            and declared[0].removeprefix("features ") not in self.features
        ):
            raise InputError(
                f"a model of {declared[0]}; {self.name} needs features {self.features[0]}", place=self.model
            )
        try:
            return scorer(text, self.least)
        except InputError as why:
            raise InputError(f"not an extractor model: {why.detail}", place=self.model or self.ours) from None

    def _text(self) -> str:
        if not self.model:
            return (files("samestory.html") / "models" / self.ours).read_text(encoding="utf-8")
        try:
            if not Path(self.model).is_file():  # a pipe or device might never end
                raise FileNotFoundError(errno.ENOENT, "no such file")
            with Path(self.model).open("rb") as file:
                raw = file.read(MAX_MODEL_BYTES + 1)
            if len(raw) > MAX_MODEL_BYTES:
                raise InputError("too large for an extractor model", place=self.model)
            return raw.decode("utf-8")
        except OSError as error:
            raise InputError(
                str(error.strerror), "create a model with samestory train-extractor", place=self.model
            ) from None
        except UnicodeDecodeError:
            raise InputError("not an extractor model: not a text file", place=self.model) from None


@dataclass(frozen=True)
class MaxEnt(LearnedExtractor):
    """CE-SIMPLE: the words of each block, weighted by a maximum entropy model (logistic regression).

        P(content | block) = 1 / (1 + exp(-Σ weight(word)))

    It works only for the languages it was trained on.
    """

    name = "maxent"
    ours = "maxent.model"
    features = ("words",)


@dataclass(frozen=True)
class Crf(LearnedExtractor):
    """CE-BEST: all features of a block and its neighbours, weighted by a conditional random field that labels all
    blocks of a page jointly.

        P(y | page) ∝ exp( Σ weight(feature of block i) · y[i] + Σ turns(y[i], y[i+1]) )

    Its features are mainly sizes, links, tags, class names and positions rather than words, so it works for languages
    that it was not trained on.
    """

    name = "crf"
    ours = "crf.model"
    features = (ALL, ALL_ENTITIES)
