"""Texts as shown to assessors: word differences, matching sentences, lengths.

Both kinds of marks are in the page at once and are toggled by CSS, so that the layout does not shift.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Any

from markupsafe import Markup

from samestory.detectors import parse
from samestory.lab.collection import Collection
from samestory.model import Article, Span
from samestory.text import differences, prepare
from samestory.web.presentation import escape_text

#: Longer pairs of texts, in total, are not compared: it would take too long.
MAX_PAIR_CHARS = 400_000
#: Characters compared per cluster.
MAX_CLUSTER_CHARS = 400_000
#: Articles from which word frequencies are estimated.
MAX_FITTED_ARTICLES = 5000
#: Matching sentences share at least this many of their rarest words.
MIN_SHARED_WORDS = 2

#: A number with its separators is one word.
_WORD = re.compile(r"\d+(?:[.,]\d+)*|\w+")


def find_differences(left: str, right: str) -> list[tuple[int, int, int, int]]:
    """Return the spans in which two texts differ by words: left start and end, right start and end.

    >>> find_differences("a red house", "a blue house")
    [(2, 5, 2, 6)]
    """
    if len(left) + len(right) > MAX_PAIR_CHARS:
        return []
    return [(*each.left, *each.right) for each in differences(left, right)]


def mark_text(text: str, differs: Iterable[Sequence[int]], matches: Sequence[Sequence[int]] = ()) -> Markup:
    """Escape a text and mark its differing spans and matching sentences.

    >>> mark_text("a <b> c", [(2, 5)], [(0, 5)])
    Markup('<mark class="m" data-m="1">a </mark><mark class="d m" data-m="1">&lt;b&gt;</mark> c')
    """
    places = [(place[0], place[1], 0) for place in differs if place[0] < place[1]]
    places += [(place[0], place[1], number) for number, place in enumerate(matches, 1) if place[0] < place[1]]
    cuts = sorted({0, len(text), *(end for place in places for end in place[:2] if 0 <= end <= len(text))})
    begins: dict[int, list[int]] = {}
    ends: dict[int, list[int]] = {}
    for start, end, number in places:
        begins.setdefault(start, []).append(number)
        ends.setdefault(end, []).append(number)
    out, inside = list[str](), list[int]()
    for start, end in pairwise(cuts):
        for number in ends.get(start, ()):
            inside.remove(number)
        inside += begins.get(start, ())
        piece = str(escape_text(text[start:end]))
        out.append(_mark(piece, 0 in inside, next((one for one in inside if one), None)) if inside else piece)
    return Markup("".join(out))


def _mark(piece: str, differs: bool, number: int | None) -> str:
    """Wrap an escaped text in a mark element with the classes of its marks."""
    if number is None:
        return f'<mark class="d">{piece}</mark>'
    return f'<mark class="{"d m" if differs else "m"}" data-m="{number}">{piece}</mark>'


class Sentences:
    """Finds matching sentences by words that are rare in this collection."""

    def __init__(self, collection: Collection) -> None:
        some = list(collection.articles(islice(collection.categories(), MAX_FITTED_ARTICLES)).values())
        self._detector: Any = parse("codet").fit([prepare(some)]) if some else None

    def matching(self, left: Article, right: Article) -> list[tuple[Span, Span]]:
        """Return the matching sentences of two articles, each used once, in the order of the first text."""
        if self._detector is None or len(left.text) + len(right.text) > MAX_PAIR_CHARS:
            return []
        out: list[tuple[Span, Span]] = []
        here, there = set[Span](), set[Span]()
        for match in self._detector.matches(prepare([left]), prepare([right])):
            if match.words >= MIN_SHARED_WORDS and match.left not in here and match.right not in there:
                here.add(match.left)
                there.add(match.right)
                out.append((match.left, match.right))
        return sorted(out)


@dataclass(frozen=True, slots=True)
class Length:
    """Length of a text in words, and its distinct words."""

    words: int
    terms: frozenset[str]


def length(text: str) -> Length:
    """Count the words of a text.

    >>> length("The cat and the dog").words
    5
    """
    words = _WORD.findall(text.casefold())
    return Length(len(words), frozenset(words))


def ratio(left: Length, right: Length) -> float:
    """Return the length of the shorter text as a share of the longer one."""
    longer = max(left.words, right.words)
    return min(left.words, right.words) / longer if longer else 1.0


@dataclass(frozen=True, slots=True)
class MarkedArticle:
    """An article as shown on the page."""

    article: Article
    title: Markup
    text: Markup
    length: Length


def without_marks(article: Article) -> MarkedArticle:
    """Return an article without marks."""
    return MarkedArticle(article, escape_text(article.title or ""), escape_text(article.text), length(article.text))


def mark_pair(sentences: Sentences, left: Article, right: Article) -> tuple[MarkedArticle, MarkedArticle]:
    """Mark the differences and matching sentences of two articles."""
    texts, titles = find_differences(left.text, right.text), find_differences(left.title or "", right.title or "")
    matches = sentences.matching(left, right)
    one, other = (
        MarkedArticle(
            article,
            mark_text(article.title or "", [place[2 * side : 2 * side + 2] for place in titles]),
            mark_text(article.text, [place[2 * side : 2 * side + 2] for place in texts], [m[side] for m in matches]),
            length(article.text),
        )
        for side, article in enumerate((left, right))
    )
    return one, other


def mark_against(sentences: Sentences, first: Article, others: Iterable[Article]) -> list[MarkedArticle]:
    """Mark articles against the first; those beyond `MAX_CLUSTER_CHARS` are returned without marks."""
    out, compared = list[MarkedArticle](), 0
    for each in others:
        compared += len(first.text) + len(each.text)
        out.append(mark_pair(sentences, first, each)[1] if compared <= MAX_CLUSTER_CHARS else without_marks(each))
    return out
