"""Snippets: the passage of a text that matches a query best, and the positions of the matching words in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from samestory.archive.query import Query
from samestory.archive.words import STEM_MARK, Token, is_inflected, stem, terms, token_terms, tokens
from samestory.model import Span

#: The number of words of a snippet, and how many precede its first match.
SNIPPET_WORDS, WORDS_BEFORE_MATCH = 32, 6

#: A text is searched for matches up to this character: no reader wants a snippet from further down. A query without
#: words shows the beginning of the text, which fits into this many characters.
MAX_SEARCHED_CHARACTERS, MAX_LEAD_CHARACTERS = 50_000, 16 * SNIPPET_WORDS


@dataclass(frozen=True, slots=True)
class Snippet:
    """A passage. `places` are the spans of matching words, relative to its `start` in the text."""

    text: str
    places: tuple[Span, ...] = ()
    start: int = 0


def snippets(texts: Sequence[str], languages: Sequence[str | None], query: Query) -> list[Snippet]:
    """Return the snippet of every text."""
    beginnings = [text[: MAX_SEARCHED_CHARACTERS if query.wanted else MAX_LEAD_CHARACTERS] for text in texts]
    plain, by_stem = _QueryMatcher(query, stems=False), _QueryMatcher(query, stems=True)
    return [
        _snippet(text, found, (by_stem if is_inflected(language) else plain).marks(text, found) if query.wanted else [])
        for text, found, language in zip(beginnings, tokens(beginnings), languages, strict=True)
    ]


class _QueryMatcher(dict[str, bool]):
    """Cache from a word without its suffix to whether it may match the query: most words of a text are repeated."""

    def __init__(self, query: Query, stems: bool) -> None:
        super().__init__()
        self._words = {phrase.terms[0] for phrase in query.phrases if len(phrase.terms) == 1}
        self._stems = {phrase.stem for phrase in query.phrases if phrase.stem} if stems else set()
        self._phrases = [phrase.terms for phrase in query.phrases if len(phrase.terms) > 1]
        self._first_terms = self._words | {phrase[0] for phrase in self._phrases}
        first = {term[0] for term in self._first_terms} | {each.removeprefix(STEM_MARK)[0] for each in self._stems}
        self._initials = first | {letter.upper() for letter in first}

    def __missing__(self, word: str) -> bool:
        found = terms(word)
        may_match = not self._first_terms.isdisjoint(found) or (bool(self._stems) and any(map(self._is_word, found)))
        self[word] = may_match
        return may_match

    def _is_word(self, term: str) -> bool:
        return term in self._words or (bool(self._stems) and stem(term) in self._stems)

    def marks(self, text: str, found: Sequence[Token]) -> list[int]:
        """Return the indices of the tokens that match the query."""
        out: set[int] = set()
        for number, (start, base, end) in enumerate(found):
            if base == end and text[start] not in self._initials:
                # most words begin with another letter, which rules out plain ones
                word = text[start:base]
                if word.isascii() and word.isalnum():
                    continue
            if self[text[start:base]] or base != end:
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
