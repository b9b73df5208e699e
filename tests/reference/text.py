"""Terms, sentences, shingles and frequencies on strings: what the oracles of the detectors are made of.

A term is the base of a token (the apostrophe suffix left aside) in lower case. Stop words go first, then stems are cut.
Varol (2012), sections 2.2 and 2.3. [varol2012]
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from samestory import Article, _core, prepare
from tests.reference import hashes
from tests.reference.tokens import Token, tokens

#: The stop words of a language, by its code.
StopList = Callable[[str], Iterable[str]]
#: A 64-bit hash of a text under a number.
Hash64 = Callable[[int, str], int]

STEM = 5
TURKISH_CASE = ("tr", "az")


def stop_list_or_own(stop_list: StopList | None) -> StopList:
    """The list given, or the one of the product, looked up only when it is needed."""
    return stop_list or (lambda code: _core.text.Language(code).stop_words)


def hash64_or_own(hash64: Hash64 | None) -> Hash64:
    """The hash given, or the one of `hashes`."""
    return hash64 or hashes.hash64


def language(article: Article) -> str:
    """The code of the language that the article names, or that is detected."""
    return prepare([article]).languages[0]


def fold(text: str, code: str) -> str:
    """Lower case by the rule of the language."""
    return _core.text.Language(code).fold(text)


def is_figure(term: str) -> bool:
    """Does it begin with a digit or a per cent sign?"""
    return term[0] == "%" or term[0].isdecimal()


def stem(term: str, stemming: str) -> str:
    """F5: the first five characters of a word; figures stay whole."""
    return term[:STEM] if stemming == "F5" and not is_figure(term) else term


def length(article: Article) -> int:
    """How many words an article has, stop words among them."""
    return len(tokens(article.text))


def _terms(
    article: Article, which: Iterable[Token], stemming: str, stop_words: bool, stop_list: StopList | None
) -> list[str]:
    code = language(article)
    stops = set(stop_list_or_own(stop_list)(code)) if stop_words else set()
    words = [fold(article.text[token.start : token.base], code) for token in which]
    return [stem(word, stemming) for word in words if word not in stops]


def terms(
    article: Article, stemming: str = "none", stop_words: bool = False, *, stop_list: StopList | None = None
) -> list[str]:
    """The terms of an article in order; `stop_words` leaves stop words out."""
    return _terms(article, tokens(article.text), stemming, stop_words, stop_list)


def sentences(
    article: Article, stemming: str = "none", stop_words: bool = False, *, stop_list: StopList | None = None
) -> list[list[str]]:
    """The terms of every sentence that has any."""
    turns = prepare([article]).sentences[0].tolist()
    every = tokens(article.text)
    out = []
    for start, end in zip(turns[::2], turns[1::2], strict=True):
        inside = [token for token in every if start <= token.start < end]
        out.append(_terms(article, inside, stemming, stop_words, stop_list))
    return [sentence for sentence in out if sentence]


def letters(article: Article) -> str:
    """The text in lower case, reduced to its letters."""
    return "".join(c for c in fold(article.text, language(article)) if c.isalpha())


def letters_and_digits(article: Article) -> str:
    """The text in lower case, reduced to its letters and digits."""
    return "".join(c for c in fold(article.text, language(article)) if c.isalnum())


def runs(words: Sequence[str], width: int) -> list[tuple[str, ...]]:
    """Every run of so many words, place by place; a shorter text is one run, an empty one has none."""
    width = min(width, len(words))
    return [tuple(words[at : at + width]) for at in range(len(words) - width + 1)] if words else []


def shingles(words: Sequence[str], width: int) -> set[tuple[str, ...]]:
    """The set of all runs of so many words."""
    return set(runs(words, width))


def substrings(text: str, width: int) -> list[str]:
    """Every run of so many characters, place by place; a shorter text is one run, an empty one has none."""
    return ["".join(run) for run in runs(text, width)]


@dataclass(frozen=True)
class Table:
    """In how many articles of a collection each term stands."""

    articles: int
    counts: dict[str, int]

    @classmethod
    def of(cls, articles: Sequence[Article], stemming: str = "none") -> Table:
        """Counts the terms of articles, stop words too; an article counts once."""
        return cls.counted([terms(article, stemming) for article in articles])

    @classmethod
    def of_letters(cls, articles: Sequence[Article]) -> Table:
        """Counts the runs of five letters of articles, across words; a text with fewer letters has none."""
        texts = [letters(article) for article in articles]
        return cls.counted([substrings(text, STEM) if len(text) >= STEM else [] for text in texts])

    @classmethod
    def counted(cls, rows: Sequence[Iterable[str]]) -> Table:
        """Counts in how many rows each term stands."""
        counts: dict[str, int] = {}
        for row in rows:
            for term in set(row):
                counts[term] = counts.get(term, 0) + 1
        return cls(len(rows), counts)

    def df(self, term: str) -> int:
        """The number of articles with the term; 1 for an unknown term."""
        return self.counts.get(term, 1)

    def idf(self, term: str, log_base: float = 10.0, plus_one: bool = False) -> float:
        """idf(w) = log(|D| / df(w)), plus one if wanted."""
        return math.log(max(self.articles, 1) / self.df(term), log_base) + plus_one

    def rarest_first(self, terms: Iterable[str]) -> list[str]:
        """Different terms by descending idf; equal ones by the alphabet."""
        return sorted(set(terms), key=lambda term: (self.df(term), term))


def wanted(table: Table | None) -> Table:
    """The table, which a method that weighs words cannot do without."""
    if table is None:
        raise ValueError("expected a table of frequencies")
    return table
