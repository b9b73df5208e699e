"""Snippets word by word, in Python: the passage of a text that matches a query best."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from samestory import _core
from samestory.archive.query import Query
from samestory.archive.snippets import (
    MAX_LEAD_CHARACTERS,
    MAX_SEARCHED_CHARACTERS,
    SNIPPET_WORDS,
    WORDS_BEFORE_MATCH,
    Snippet,
)
from samestory.archive.words import _suffixed, is_inflected, stem, terms
from samestory.model import Span

Token = tuple[int, int, int]


def tokens(texts: Sequence[str]) -> Iterator[list[Token]]:
    """Tokenise texts as the detectors do; a token is the offsets of a word's start, its suffix and its end."""
    # the language only affects hashes, and detecting it would take time
    found = _core.text.prepare(list(texts), ["en"] * len(texts), as_is=True)
    columns = [np.asarray(rows.values).tolist() for rows in (found.starts, found.bases, found.ends)]
    for first, last in pairwise(np.asarray(found.starts.offsets).tolist()):
        yield list(zip(*(column[first:last] for column in columns), strict=True))


def token_terms(text: str, token: Token) -> tuple[str, ...]:
    """Return the terms of one token of a text."""
    start, base, end = token
    # after the apostrophe, which a space may precede
    suffix = text[base:end].lstrip()[1:]
    return terms(text[start:base]) if base == end else _suffixed(text[start:base], suffix)


def snippets(texts: Sequence[str], languages: Sequence[str | None], query: Query) -> list[Snippet]:
    """Return the snippet of every text."""
    beginnings = [text[: MAX_SEARCHED_CHARACTERS if query.wanted else MAX_LEAD_CHARACTERS] for text in texts]
    plain, by_stem = _QueryMatcher(query, stems=False), _QueryMatcher(query, stems=True)
    return [
        _snippet(text, found, (by_stem if is_inflected(language) else plain).marks(text, found) if query.wanted else [])
        for text, found, language in zip(beginnings, tokens(beginnings), languages, strict=True)
    ]


class _QueryMatcher:
    """Which tokens match a query."""

    def __init__(self, query: Query, stems: bool) -> None:
        self._words = {phrase.terms[0] for phrase in query.phrases if len(phrase.terms) == 1}
        self._stems = {phrase.stem for phrase in query.phrases if phrase.stem} if stems else set()
        self._phrases = [phrase.terms for phrase in query.phrases if len(phrase.terms) > 1]

    def _is_word(self, term: str) -> bool:
        return term in self._words or (bool(self._stems) and stem(term) in self._stems)

    def marks(self, text: str, found: Sequence[Token]) -> list[int]:
        """Return the indices of the tokens that match the query."""
        out: set[int] = set()
        for number in range(len(found)):
            if any(map(self._is_word, token_terms(text, found[number]))):
                out.add(number)
            for phrase in self._phrases:
                out.update(range(number, number + _phrase_tokens(text, found, number, phrase)))
        return sorted(out)


def _phrase_tokens(text: str, found: Sequence[Token], number: int, phrase: tuple[str, ...]) -> int:
    """Return the number of tokens of a phrase that begins in a token; 0 if it does not."""
    row: list[str] = []
    first = len(token_terms(text, found[number]))
    for after, token in enumerate(found[number : number + len(phrase)], 1):
        row += token_terms(text, token)
        if any(tuple(row[at : at + len(phrase)]) == phrase for at in range(first)):
            return after
    return 0


def _snippet(text: str, found: Sequence[Token], marks: list[int]) -> Snippet:
    """Return the first passage with the most marks."""
    if not found:
        return Snippet(text[:MAX_LEAD_CHARACTERS].rstrip())
    first = _densest(marks) if marks else 0
    begin = max(0, first - WORDS_BEFORE_MATCH) if first >= SNIPPET_WORDS - WORDS_BEFORE_MATCH else 0
    end = min(len(found), begin + SNIPPET_WORDS)
    start, stop = (0 if begin == 0 else found[begin][0]), found[end - 1][2]
    spans = (Span(found[mark][0] - start, found[mark][2] - start) for mark in marks if begin <= mark < end)
    return Snippet(text[start:stop], tuple(spans), start)


def _densest(marks: list[int]) -> int:
    """Return the mark that is followed by the most others within a snippet."""
    best, most, last = marks[0], 0, 0
    for number, mark in enumerate(marks):
        while last < len(marks) and marks[last] < mark + SNIPPET_WORDS - WORDS_BEFORE_MATCH:
            last += 1
        if last - number > most:
            best, most = mark, last - number
    return best
