"""Snippets: the passage of a text that matches a query best, and the positions of the matching words in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from samestory.archive.query import Query
from samestory.archive.words import STEM_MARK, is_inflected, passages
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
    """Return the snippet of every text: the first passage with the most matching words."""
    beginnings = [text[: MAX_SEARCHED_CHARACTERS if query.wanted else MAX_LEAD_CHARACTERS] for text in texts]
    words = [phrase.terms[0] for phrase in query.phrases if len(phrase.terms) == 1]
    stems = [phrase.stem.removeprefix(STEM_MARK) for phrase in query.phrases if phrase.stem]
    phrases = [list(phrase.terms) for phrase in query.phrases if len(phrase.terms) > 1]
    with_stems = list(map(is_inflected, languages))
    found = passages(beginnings, with_stems, words, stems, phrases, (SNIPPET_WORDS, WORDS_BEFORE_MATCH))
    return [
        Snippet(text[:MAX_LEAD_CHARACTERS].rstrip())
        if passage is None
        else Snippet(text[passage[0] : passage[1]], tuple(Span(*place) for place in passage[2]), passage[0])
        for text, passage in zip(beginnings, found, strict=True)
    ]
