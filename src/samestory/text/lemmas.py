"""Word normalisation by lemma or stem, chosen by the language of each article or by name.

    russian   the lemma of a morphological analyser (pymorphy3, extra `ru`)
    turkish   F5, the first five letters: as good as a lemma for finding Turkish news, and free
    english   the Snowball stem (snowballstemmer, extra `short`)
    none      the word in lower case

A suffix after an apostrophe (İstanbul'da) is not part of a word. Normal forms are cached.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

from samestory import _core
from samestory.model import Features, Ragged
from samestory.text.extra import library

#: Letters of an F5 stem.
STEM_LETTERS = 5
#: Maximum cached words per language; a year of news has fewer.
CACHE_WORDS = 1 << 20

#: Normalisers by ISO 639-1 code; words of other languages are unchanged.
BY_LANGUAGE = {"ru": "russian", "tr": "turkish", "en": "english"}


#: The alternative if a library is missing.
_OTHERWISE = "or do not normalise words: lemmas='none'"


@cache
def _russian() -> Callable[[str], str]:
    analyser = library("pymorphy3", "ru", "lemmas='russian'", _OTHERWISE).MorphAnalyzer()

    @lru_cache(CACHE_WORDS)
    def lemma(word: str) -> str:
        return str(analyser.parse(word)[0].normal_form)

    return lemma


@cache
def _english() -> Callable[[str], str]:
    stemmer = library("snowballstemmer", "short", "lemmas='english'", _OTHERWISE).stemmer("english")

    @lru_cache(CACHE_WORDS)
    def stem(word: str) -> str:
        return str(stemmer.stemWord(word))

    return stem


def _turkish() -> Callable[[str], str]:
    return lambda word: word[:STEM_LETTERS]


def _none() -> Callable[[str], str]:
    return lambda word: word


_MAKERS: dict[str, Callable[[], Callable[[str], str]]] = {
    "russian": _russian,
    "turkish": _turkish,
    "english": _english,
    "none": _none,
}
#: The values of the detector parameter `lemmas`.
LEMMAS = ("by_language", *_MAKERS)


def normaliser(name: str) -> Callable[[str], str]:
    """Returns the function that normalises a lower-case word.

    >>> normaliser("turkish")("kitaplarda")
    'kitap'
    """
    return _MAKERS[name]()


class Normaliser:
    """Normalises the words of articles; caches each spelling, so create one per job."""

    def __init__(self, lemmas: str = "by_language") -> None:
        self._lemmas = lemmas
        self._cache: dict[str, dict[str, str]] = {}

    def _forms(self, lang: str) -> dict[str, str]:
        # the normal form depends on the case rules and the normaliser
        name = BY_LANGUAGE.get(lang, "none") if self._lemmas == "by_language" else self._lemmas
        return self._cache.setdefault(
            f"{name} {lang == 'tr'}", _Forms(normaliser(name), "tr" if lang == "tr" else "en")
        )

    def words(self, features: Features, headlines: bool = False) -> list[list[str]]:
        """Returns the normalised words of each article in order, with `headlines` those of its headline first.

        A headline that the text begins with is not repeated.

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
        found = _core.text.prepare(texts, list(languages))
        starts, bases = Ragged.from_core(found.starts), Ragged.from_core(found.bases)
        return self._cut(texts, languages, starts.offsets, starts.values, bases.values)

    def _cut(self, texts: list[str], languages: list[str], offsets: Any, starts: Any, bases: Any) -> list[list[str]]:
        at, begins, ends = offsets.tolist(), starts.tolist(), bases.tolist()
        out = []
        for row, (text, lang) in enumerate(zip(texts, languages, strict=True)):
            forms, here = self._forms(lang), slice(at[row], at[row + 1])
            out.append([forms[text[start:end]] for start, end in zip(begins[here], ends[here], strict=True)])
        return out


class _Forms(dict[str, str]):
    """Cached normal forms by spelling."""

    def __init__(self, form: Callable[[str], str], language: str) -> None:
        self._form, self._language = form, _core.text.Language(language)

    def __missing__(self, spelling: str) -> str:
        # the spelling is cut from the original text and may contain HTML entities
        self[spelling] = form = self._form(self._language.fold(_core.text.repair(spelling).text))
        return form
