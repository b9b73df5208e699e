"""A model made ready to judge blocks: the one place where the core is given what a model needs besides its weights."""

from __future__ import annotations

from samestory import _core
from samestory.entities.recogniser import recogniser

#: What a model says of itself that weighs all features of blocks, and one that weighs the names in them too.
ALL, ALL_ENTITIES = "all", "all entities"


def names_for(features: str) -> _core.Recogniser | None:
    """What tells names, made once for all, for features that hold them."""
    return recogniser().native if features == ALL_ENTITIES else None


def scorer(model: str, least: int = 0) -> _core.Extractor:
    """The extractor of a model, given as the text of its file; a ValueError says what is wrong with it."""
    wants = any(line.rstrip() == f"features {ALL_ENTITIES}" for line in model.splitlines())
    return _core.Extractor("learned", least, model, names_for(ALL_ENTITIES if wants else ALL))
