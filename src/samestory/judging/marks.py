"""Texts as a judge sees them: what differs word for word, which sentences match, how long they are.

Both kinds of marks are in the page at once, and a reader chooses which are seen: nothing moves when that changes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Any

from markupsafe import Markup

from samestory.collection import Collection
from samestory.detectors import parse
from samestory.model import Article, Span
from samestory.text import differences, prepare
from samestory.web.drawing import as_text

#: Texts longer than this, in characters, both together, are not compared: people would wait.
LONGEST = 400_000
#: Of a cluster so many characters are compared.
CLUSTER = 400_000
#: How common words are is counted in so many articles of the collection at most.
COUNTED = 5000
#: Sentences match that have so many of their rarest words in common.
COMMON = 2

#: A number with its commas is one word.
_WORD = re.compile(r"\d+(?:[.,]\d+)*|\w+")


def differing(left: str, right: str) -> list[tuple[int, int, int, int]]:
    """The stretches in which two texts differ, word for word: left start and end, right start and end.

    >>> differing("a red house", "a blue house")
    [(2, 5, 2, 6)]
    """
    if len(left) + len(right) > LONGEST:
        return []
    return [(*each.left, *each.right) for each in differences(left, right)]


def marked(text: str, differs: Iterable[Sequence[int]], matches: Sequence[Sequence[int]] = ()) -> Markup:
    """A text with what differs and what matches marked; everything in it is shown as text.

    >>> marked("a <b> c", [(2, 5)], [(0, 5)])
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
        piece = str(as_text(text[start:end]))
        out.append(_inside(piece, 0 in inside, next((one for one in inside if one), None)) if inside else piece)
    return Markup("".join(out))


def _inside(piece: str, differs: bool, number: int | None) -> str:
    """What is text already, inside the element that says why it is marked."""
    if number is None:
        return f'<mark class="d">{piece}</mark>'
    return f'<mark class="{"d m" if differs else "m"}" data-m="{number}">{piece}</mark>'


class Sentences:
    """Finds matching sentences, by the words that are rare in this collection."""

    def __init__(self, collection: Collection) -> None:
        some = list(collection.articles(islice(collection.categories(), COUNTED)).values())
        self._finder: Any = parse("codet").fit([prepare(some)]) if some else None

    def matching(self, left: Article, right: Article) -> list[tuple[Span, Span]]:
        """Sentences of two articles that match, each once, in the order of the first text."""
        if self._finder is None or len(left.text) + len(right.text) > LONGEST:
            return []
        out: list[tuple[Span, Span]] = []
        here, there = set[Span](), set[Span]()
        for match in self._finder.matches(prepare([left]), prepare([right])):
            if match.words >= COMMON and match.left not in here and match.right not in there:
                here.add(match.left)
                there.add(match.right)
                out.append((match.left, match.right))
        return sorted(out)


@dataclass(frozen=True, slots=True)
class Length:
    """How long a text is: its words, and how many different ones."""

    words: int
    terms: frozenset[str]


def length(text: str) -> Length:
    """How long a text is.

    >>> length("The cat and the dog").words
    5
    """
    words = _WORD.findall(text.casefold())
    return Length(len(words), frozenset(words))


def ratio(left: Length, right: Length) -> float:
    """The length of the shorter as a share of the longer."""
    longer = max(left.words, right.words)
    return min(left.words, right.words) / longer if longer else 1.0


@dataclass(frozen=True, slots=True)
class Shown:
    """An article as it stands on the page."""

    article: Article
    title: Markup
    text: Markup
    length: Length


def plain(article: Article) -> Shown:
    """An article without marks."""
    return Shown(article, as_text(article.title or ""), as_text(article.text), length(article.text))


def beside(sentences: Sentences, left: Article, right: Article) -> tuple[Shown, Shown]:
    """Two articles with what differs and what matches."""
    texts, titles = differing(left.text, right.text), differing(left.title or "", right.title or "")
    matches = sentences.matching(left, right)
    one, other = (
        Shown(
            article,
            marked(article.title or "", [place[2 * side : 2 * side + 2] for place in titles]),
            marked(article.text, [place[2 * side : 2 * side + 2] for place in texts], [m[side] for m in matches]),
            length(article.text),
        )
        for side, article in enumerate((left, right))
    )
    return one, other


def against(sentences: Sentences, first: Article, others: Iterable[Article]) -> list[Shown]:
    """Articles with what differs from the first and matches it; where a cluster is very large, only in some of them."""
    out, compared = list[Shown](), 0
    for each in others:
        compared += len(first.text) + len(each.text)
        out.append(beside(sentences, first, each)[1] if compared <= CLUSTER else plain(each))
    return out
