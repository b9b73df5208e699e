"""A door to real models: whatever tells names in texts can stand in for our rules.

A model is any callable that takes texts and their languages and gives, for every text, names as (start, end, label);
places count characters. Labels of the usual schemes are understood (PER, PERSON, GPE, LOC, FAC, ORG …); others are
left out. `load` makes one of an installed package:

    load("spacy:en_core_web_sm")     pip install spacy, and the model
    load("stanza:tr")                pip install stanza, and stanza.download("tr")
    load("natasha")                  pip install natasha, for Russian; its model comes with it
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Sequence
from types import ModuleType
from typing import Any

from samestory.errors import InputError, ParameterError

#: Texts and languages to names, a list for every text.
Model = Callable[[list[str], list[str]], Iterable[Iterable[tuple[int, int, str]]]]

#: What models call the three classes.
LABELS = {
    **dict.fromkeys(("person", "per", "pers", "b-per", "i-per"), "person"),
    **dict.fromkeys(("location", "loc", "gpe", "fac", "facility", "city", "country", "b-loc", "i-loc"), "location"),
    **dict.fromkeys(("organization", "organisation", "org", "b-org", "i-org"), "organization"),
}
#: What `load` knows.
KNOWN = ("spacy:MODEL", "stanza:LANGUAGE", "natasha")


def named(model: Model, texts: Sequence[str], languages: Sequence[str]) -> list[list[tuple[int, int, str]]]:
    """What a model says of texts, checked, with our names for the classes."""
    rows = [list(row) for row in model(list(texts), list(languages))]
    if len(rows) != len(texts):
        raise InputError(f"the model told the names of {len(rows)} texts, wanted {len(texts)}")
    out = []
    for text, row in zip(texts, rows, strict=True):
        kept = []
        for start, end, label in row:
            if not 0 <= start < end <= len(text):
                raise InputError(f"the model put a name at {start} to {end} of a text of {len(text)} characters")
            if kind := LABELS.get(str(label).lower()):
                kept.append((int(start), int(end), kind))
        out.append(kept)
    return out


def load(spec: str) -> Model:
    """The model that a spec names, of a package that is installed."""
    kind, _, name = spec.partition(":")
    if kind == "spacy" and name:
        return _spacy(name)
    if kind == "stanza" and name:
        return _stanza(name)
    if spec == "natasha":
        return _natasha()
    raise ParameterError(f"a model must be one of {', '.join(KNOWN)}; got {spec!r}")


def _package(name: str, hint: str = "") -> ModuleType:
    try:
        return importlib.import_module(name)
    except ImportError:
        raise ParameterError(f"{name} is not installed", hint or f"pip install {name}") from None


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
