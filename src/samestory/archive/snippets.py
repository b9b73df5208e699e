"""Snippets: the passage of a text that answers a question best, and where the words asked for stand in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from samestory.archive.query import Query
from samestory.archive.words import Place, inflects, places, stem
from samestory.model import Span

#: How many words a snippet has, and how many stand before the first that was asked for.
WIDE, BEFORE = 32, 6

#: A text is looked through up to this character: no reader wants a snippet from further behind.
FAR = 100_000


@dataclass(frozen=True, slots=True)
class Snippet:
    """A passage. `places` are the words asked for, counted from its own beginning; `start` is where it begins."""

    text: str
    places: tuple[Span, ...] = ()
    start: int = 0


def snippets(texts: Sequence[str], languages: Sequence[str | None], query: Query) -> list[Snippet]:
    """The snippet of every text."""
    near = [text[:FAR] for text in texts]
    return [
        _snippet(text, found, marked(found, query, inflects(language)))
        for text, found, language in zip(near, places(near), languages, strict=True)
    ]


def marked(found: Sequence[Place], query: Query, by_stem: bool) -> list[int]:
    """Which of the terms of a text were asked for."""
    words = {piece.terms[0] for piece in query.pieces if len(piece.terms) == 1}
    stems = {piece.stem for piece in query.pieces if piece.stem} if by_stem else set()
    phrases = [piece.terms for piece in query.pieces if len(piece.terms) > 1]
    out: set[int] = set()
    for number, place in enumerate(found):
        if place.term in words or (stems and stem(place.term) in stems):
            out.add(number)
        for phrase in phrases:
            if place.term == phrase[0]:
                run = tuple(other.term for other in found[number : number + len(phrase)])
                if run == phrase:
                    out.update(range(number, number + len(phrase)))
    return sorted(out)


def _snippet(text: str, found: Sequence[Place], marks: list[int]) -> Snippet:
    """The first passage with the most marks."""
    if not found:
        return Snippet(text[: 8 * WIDE].rstrip())
    first = _densest(marks) if marks else 0
    begin = max(0, first - BEFORE) if first >= WIDE - BEFORE else 0
    end = min(len(found), begin + WIDE)
    start, stop = (0 if begin == 0 else found[begin].start), found[end - 1].end
    spans = dict.fromkeys(
        Span(found[mark].start - start, found[mark].end - start) for mark in marks if begin <= mark < end
    )
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
