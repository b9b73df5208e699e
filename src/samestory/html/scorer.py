"""Creates the native extractor of a model, with the recogniser that some models need."""

from __future__ import annotations

from samestory import _core
from samestory.entities.recogniser import recogniser

#: Feature sets of models: all block features, and all block features with entity names.
ALL, ALL_ENTITIES = "all", "all entities"


def names_for(features: str) -> _core.html.Recogniser | None:
    """Returns the shared name recogniser if the feature set needs it."""
    return recogniser().native if features == ALL_ENTITIES else None


def scorer(model: str, least: int = 0) -> _core.html.Extractor:
    """Creates the extractor of a model, given as the text of its file; raises InputError if it is invalid."""
    has_entities = any(line.rstrip() == f"features {ALL_ENTITIES}" for line in model.splitlines())
    return _core.html.Extractor("learned", least, model, names_for(ALL_ENTITIES if has_entities else ALL))
