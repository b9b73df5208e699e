"""Snippets: the passage of a text that answers a question best, and where the words asked for stand in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from samestory.archive.query import Query
from samestory.archive.words import MARK, Token, inflects, stem, terms, token_terms, tokens
from samestory.model import Span

#: How many words a snippet has, and how many stand before the first that was asked for.
WIDE, BEFORE = 32, 6

#: A text is looked through up to this character: no reader wants a snippet from further behind. Where no words are
#: asked for, its beginning is the snippet, and so many characters hold that.
FAR, NEAR = 50_000, 16 * WIDE


@dataclass(frozen=True, slots=True)
class Snippet:
    """A passage. `places` are the words asked for, counted from its own beginning; `start` is where it begins."""

    text: str
    places: tuple[Span, ...] = ()
    start: int = 0


def snippets(texts: Sequence[str], languages: Sequence[str | None], query: Query) -> list[Snippet]:
    """The snippet of every text."""
    beginnings = [text[: FAR if query.wanted else NEAR] for text in texts]
    plain, by_stem = _Asked(query, stems=False), _Asked(query, stems=True)
    return [
        _snippet(text, found, (by_stem if inflects(language) else plain).marks(text, found) if query.wanted else [])
        for text, found, language in zip(beginnings, tokens(beginnings), languages, strict=True)
    ]


class _Asked(dict[str, bool]):
    """For every word without a suffix, whether it may have been asked for: most words of a text come again."""

    def __init__(self, query: Query, stems: bool) -> None:
        super().__init__()
        self._words = {piece.terms[0] for piece in query.pieces if len(piece.terms) == 1}
        self._stems = {piece.stem for piece in query.pieces if piece.stem} if stems else set()
        self._phrases = [piece.terms for piece in query.pieces if len(piece.terms) > 1]
        self._begins = self._words | {phrase[0] for phrase in self._phrases}
        first = {term[0] for term in self._begins} | {each.removeprefix(MARK)[0] for each in self._stems}
        self._initials = first | {letter.upper() for letter in first}

    def __missing__(self, word: str) -> bool:
        found = terms(word)
        asked = not self._begins.isdisjoint(found) or (bool(self._stems) and any(map(self._is_word, found)))
        self[word] = asked
        return asked

    def _is_word(self, term: str) -> bool:
        return term in self._words or (bool(self._stems) and stem(term) in self._stems)

    def marks(self, text: str, found: Sequence[Token]) -> list[int]:
        """Which of the words of a text were asked for."""
        out: set[int] = set()
        for number, (start, base, end) in enumerate(found):
            if base == end and text[start] not in self._initials:
                # most words begin with another letter; of plain ones that is enough to know
                word = text[start:base]
                if word.isascii() and word.isalnum():
                    continue
            if self[text[start:base]] or base != end:
                if any(map(self._is_word, token_terms(text, found[number]))):
                    out.add(number)
                for phrase in self._phrases:
                    out.update(range(number, number + _reach(text, found, number, phrase)))
        return sorted(out)


def _reach(text: str, found: Sequence[Token], number: int, phrase: tuple[str, ...]) -> int:
    """How many words a phrase that begins in a word takes; 0 if none does."""
    row: list[str] = []
    first = len(token_terms(text, found[number]))
    for after, token in enumerate(found[number : number + len(phrase)], 1):
        row += token_terms(text, token)
        if any(tuple(row[at : at + len(phrase)]) == phrase for at in range(first)):
            return after
    return 0


def _snippet(text: str, found: Sequence[Token], marks: list[int]) -> Snippet:
    """The first passage with the most marks."""
    if not found:
        return Snippet(text[:NEAR].rstrip())
    first = _densest(marks) if marks else 0
    begin = max(0, first - BEFORE) if first >= WIDE - BEFORE else 0
    end = min(len(found), begin + WIDE)
    start, stop = (0 if begin == 0 else found[begin][0]), found[end - 1][2]
    spans = (Span(found[mark][0] - start, found[mark][2] - start) for mark in marks if begin <= mark < end)
    return Snippet(text[start:stop], tuple(spans), start)


def _densest(marks: list[int]) -> int:
    """The mark from which most others are in reach."""
    best, most, last = marks[0], 0, 0
    for number, mark in enumerate(marks):
        while last < len(marks) and marks[last] < mark + WIDE - BEFORE:
            last += 1
        if last - number > most:
            best, most = mark, last - number
    return best
