"""Adapters for named entity models, which can replace the rules.

A model is any callable that takes texts and their languages and returns, for each text, names as (start, end, label)
in characters. Labels of the usual schemes are mapped (PER, PERSON, GPE, LOC, FAC, ORG …); others are left out. `load`
creates a model from an installed package:

    load("spacy:en_core_web_sm")     pip install spacy, and the model
    load("stanza:tr")                pip install stanza, and stanza.download("tr")
    load("natasha")                  pip install natasha, for Russian; the model is included
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Sequence
from operator import index
from types import ModuleType
from typing import Any

from samestory.errors import InputError, ParameterError
from samestory.model import shown

#: Maps texts and languages to a list of names per text.
Model = Callable[[list[str], list[str]], Iterable[Iterable[tuple[int, int, str]]]]

#: Classes by model label.
LABELS = {
    **dict.fromkeys(("person", "per", "pers", "b-per", "i-per"), "person"),
    **dict.fromkeys(("location", "loc", "gpe", "fac", "facility", "city", "country", "b-loc", "i-loc"), "location"),
    **dict.fromkeys(("organization", "organisation", "org", "b-org", "i-org"), "organization"),
}
#: Specs that `load` accepts.
SPECS = ("spacy:MODEL", "stanza:LANGUAGE", "natasha")


def named(model: Model, texts: Sequence[str], languages: Sequence[str]) -> list[list[tuple[int, int, str]]]:
    """Runs a model on texts, checks its output and maps its labels to classes."""
    rows = list(model(list(texts), list(languages)))
    if len(rows) != len(texts):
        raise InputError(f"the model returned names for {len(rows)} texts, expected {len(texts)}")
    return [_checked(text, row) for text, row in zip(texts, rows, strict=True)]


def _checked(text: str, row: Iterable[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    out = []
    try:
        for start, end, label in row:
            if not 0 <= index(start) < index(end) <= len(text):
                raise InputError(f"the model returned a name at {start} to {end} in a text of {len(text)} characters")
            if kind := LABELS.get(str(label).lower()):
                out.append((index(start), index(end), kind))
    except (TypeError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"the model must return names as (start, end, label), got {shown(row)}") from None
    return out


def load(spec: str) -> Model:
    """Loads the model of a spec from an installed package."""
    kind, _, name = spec.partition(":")
    if kind == "spacy" and name:
        model = _spacy(name)
    elif kind == "stanza" and name:
        model = _stanza(name)
    elif spec == "natasha":
        model = _natasha()
    else:
        raise ParameterError(f"a model must be one of {', '.join(SPECS)}; got {spec!r}")
    model.__qualname__ = spec  # distinguishes it from other models of the package in an index
    return model


def _package(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name == name:
            raise ParameterError(f"{name} is not installed", f"pip install {name}") from None
        raise ParameterError(f"{name} is installed, but cannot be used: {error}") from None
    except ImportError as error:
        raise ParameterError(f"{name} is installed, but cannot be used: {error}") from None


def _spacy(name: str) -> Model:
    spacy: Any = _package("spacy")
    try:
        pipeline = spacy.load(name)
    except OSError:
        raise ParameterError(f"spaCy has no model {name!r}", f"python -m spacy download {name}") from None

    def model(texts: list[str], languages: list[str]) -> Iterable[Iterable[tuple[int, int, str]]]:
        for document in pipeline.pipe(texts):
            yield [(name.start_char, name.end_char, name.label_) for name in document.ents]

    return model


def _stanza(language: str) -> Model:
    stanza: Any = _package("stanza")
    pipeline = stanza.Pipeline(language, processors="tokenize,ner", verbose=False)

    def model(texts: list[str], languages: list[str]) -> Iterable[Iterable[tuple[int, int, str]]]:
        for text in texts:
            yield [(name.start_char, name.end_char, name.type) for name in pipeline(text).ents]

    return model


def _natasha() -> Model:
    natasha: Any = _package("natasha")
    segmenter, tagger = natasha.Segmenter(), natasha.NewsNERTagger(natasha.NewsEmbedding())

    def model(texts: list[str], languages: list[str]) -> Iterable[Iterable[tuple[int, int, str]]]:
        for text in texts:
            document = natasha.Doc(text)
            document.segment(segmenter)
            document.tag_ner(tagger)
            yield [(span.start, span.stop, span.type) for span in document.spans]

    return model
