"""Words brought to one form: the normaliser of a language, chosen by the language of each article or by name.

    russian   the lemma of a morphological analyser (pymorphy3, extra `ru`)
    turkish   F5, the first five letters: as good as a lemma for finding Turkish news, and free
    english   the Snowball stem (snowballstemmer, extra `short`)
    none      the word in small letters

A suffix behind an apostrophe (İstanbul'da) is no part of a word. Every word is looked at once, and remembered.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

from samestory import _core
from samestory.model import Features
from samestory.text.extra import library

#: Letters that F5 keeps.
STEM = 5
#: Words remembered at most, of each language; a year of news has fewer.
REMEMBERED = 1 << 20

#: The normaliser of a language, by its ISO 639-1 code; words of other languages stay as they are.
BY_LANGUAGE = {"ru": "russian", "tr": "turkish", "en": "english"}


#: The way out where a library is missing.
_OTHERWISE = "or leave words as they are: lemmas='none'"


@cache
def _russian() -> Callable[[str], str]:
    analyser = library("pymorphy3", "ru", "lemmas='russian'", _OTHERWISE).MorphAnalyzer()

    @lru_cache(REMEMBERED)
    def lemma(word: str) -> str:
        return str(analyser.parse(word)[0].normal_form)

    return lemma


@cache
def _english() -> Callable[[str], str]:
    stemmer = library("snowballstemmer", "short", "lemmas='english'", _OTHERWISE).stemmer("english")

    @lru_cache(REMEMBERED)
    def stem(word: str) -> str:
        return str(stemmer.stemWord(word))

    return stem


def _turkish() -> Callable[[str], str]:
    return lambda word: word[:STEM]


def _none() -> Callable[[str], str]:
    return lambda word: word


_MAKERS: dict[str, Callable[[], Callable[[str], str]]] = {
    "russian": _russian,
    "turkish": _turkish,
    "english": _english,
    "none": _none,
}
#: What the parameter `lemmas` of a detector may be.
LEMMAS = ("by_language", *_MAKERS)


def normaliser(name: str) -> Callable[[str], str]:
    """The function that brings a word in small letters to its form.

    >>> normaliser("turkish")("kitaplarda")
    'kitap'
    """
    return _MAKERS[name]()


class Normaliser:
    """Words of articles in one form each; made for a job, so that every spelling is looked at once in it."""

    def __init__(self, lemmas: str = "by_language") -> None:
        self._lemmas = lemmas
        self._seen: dict[str, dict[str, str]] = {}

    def _forms(self, lang: str) -> dict[str, str]:
        # what a spelling becomes depends on the rule of case and on the normaliser
        name = BY_LANGUAGE.get(lang, "none") if self._lemmas == "by_language" else self._lemmas
        return self._seen.setdefault(f"{name} {lang == 'tr'}", _Forms(normaliser(name), lang == "tr"))

    def words(self, features: Features, headlines: bool = False) -> list[list[str]]:
        """The words of every article, in order; with `headlines`, those of its headline first.

        A headline with which the text begins is not read twice.

        >>> from samestory import Article, prepare
        >>> Normaliser("english").words(prepare([Article("a", "Two ferries collided.", lang="en")]))
        [['two', 'ferri', 'collid']]
        """
        bodies = self._rows(features)
        if not headlines:
            return bodies
        titles = [title or "" for title in features.batch.column("title").to_pylist()]
        heads = self._split(titles, features.languages)
        return [body if body[: len(head)] == head else head + body for head, body in zip(heads, bodies, strict=True)]

    def _rows(self, features: Features) -> list[list[str]]:
        starts, bases = features.starts, features.bases
        return self._cut(features.texts, features.languages, starts.offsets, starts.values, bases.values)

    def _split(self, texts: list[str], languages: list[str]) -> list[list[str]]:
        import numpy as np

        _, starts, bases, _, offsets = _core.prepare(texts, list(languages)).tokens()
        columns = (np.frombuffer(column, np.uint32) for column in (starts, bases))
        return self._cut(texts, languages, np.frombuffer(offsets, np.int64), *columns)

    def _cut(self, texts: list[str], languages: list[str], offsets: Any, starts: Any, bases: Any) -> list[list[str]]:
        at, begins, ends = offsets.tolist(), starts.tolist(), bases.tolist()
        out = []
        for row, (text, lang) in enumerate(zip(texts, languages, strict=True)):
            forms, here = self._forms(lang), slice(at[row], at[row + 1])
            out.append([forms[text[start:end]] for start, end in zip(begins[here], ends[here], strict=True)])
        return out


class _Forms(dict[str, str]):
    """The form of every spelling met so far."""

    def __init__(self, form: Callable[[str], str], turkish: bool) -> None:
        self._form, self._turkish = form, turkish

    def __missing__(self, spelling: str) -> str:
        # a word is cut from the text as it is, with the entities that stand in it
        self[spelling] = form = self._form(_core.fold(_core.repair(spelling) or spelling, self._turkish))
        return form
