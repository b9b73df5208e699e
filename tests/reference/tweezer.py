"""Tweezer: a name with p words before it and s behind it, a shingle; an article by the hash, or the set, of these.

Only names that touch nothing but blanks are one. The suffix behind an apostrophe counts in words that are of no name.
Uyar (2009), chapter 4. [uyar2009]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from samestory import Article, prepare
from tests.reference.exact_hash import sha1
from tests.reference.shares import APART, NEAR, Result, contained_sets, without_features
from tests.reference.text import fold, is_figure, language
from tests.reference.tokens import Token, tokens
from tests.reference.tuner import UNCLASSIFIED, Found, Lists, blank, found

#: Without names, so many words of the beginning and of the end stand for an article.
ENDS = 20
#: Tells the signature of an article without names from all others.
NAMELESS = "\x01"

#: A number of words by their places.
Span = tuple[int, int]


def merged(text: str, words: Sequence[Token], names: Sequence[Found]) -> list[Span]:
    """The places of names; those that overlap or touch are one."""
    out: list[Span] = []
    for first, last, _ in sorted(name for name in names if name.kind != UNCLASSIFIED):
        start, end = out[-1] if out else (-1, -1)
        touch = first == end and blank(text[words[end - 1].end : words[first].start])
        if out and (first < end or touch):
            out[-1] = start, max(end, last)
        else:
            out.append((first, last))
    return out


def written(article: Article, words: Sequence[Token], spans: Sequence[Span], mask_figures: bool) -> list[str]:
    """The words as they are compared: names without suffix, others with it."""
    out = []
    for at, word in enumerate(words):
        base = article.text[word.start : word.base]
        if mask_figures and is_figure(base):
            base = "#"
        suffix = article.text[word.base + 1 : word.end]
        inside = any(first <= at < last for first, last in spans)
        out.append(fold(base if inside or not suffix else f"{base}'{suffix}", language(article)))
    return out


def sentence(article: Article, words: Sequence[Token]) -> Callable[[int], int]:
    """Of which sentence a word is."""
    starts = prepare([article]).sentences[0].tolist()[::2]
    return lambda at: sum(start <= words[at].start for start in starts)


def shingles(
    article: Article,
    lists: Lists,
    p: int = 5,
    s: int = 5,
    window: str = "document",
    mask_figures: bool = False,
    least: int = 0,
) -> list[str]:
    """The shingles in order, but for those of few words; without any the ends, marked; none without words."""
    words = tokens(article.text)
    spans = merged(article.text, words, found(article.text, lists))
    text = written(article, words, spans, mask_figures)
    of = sentence(article, words)
    out = []
    for first, last in spans:
        before = [at for at in range(max(0, first - p), first) if window == "document" or of(at) == of(first)]
        behind = [at for at in range(last, len(text))[:s] if window == "document" or of(at) == of(last - 1)]
        whole = [*before, *range(first, last), *behind]
        if len(whole) >= least:
            out.append(" ".join(text[at] for at in whole))
    ends = NAMELESS + " ".join(text if len(text) < 2 * ENDS else text[:ENDS] + text[-ENDS:])
    return out or ([ends] if text else [])


def signature(shingles: Sequence[str]) -> str | None:
    """SHA-1 of the different shingles in ascending order, one a line; none without shingles."""
    return sha1("\n".join(sorted(set(shingles)))) if shingles else None


def compare(left: Article, right: Article, *, lists: Lists, **given: Any) -> Result:
    """tweezer: near where the signatures are equal."""
    a, b = (signature(shingles(article, lists, **given)) for article in (left, right))
    return without_features(bool(a), bool(b)) or (NEAR if a == b else APART)


def compare_sets(
    left: Article, right: Article, *, lists: Lists, least: int = 5, threshold: float = 0.3, **given: Any
) -> Result:
    """tweezer-set: what share of the shingles of one the other has."""
    a, b = (set(shingles(article, lists, least=least, **given)) for article in (left, right))
    return contained_sets(a, b, threshold)
