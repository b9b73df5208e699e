"""CoDet: containment of articles, from the word prefixes that their sentences share.

    cs(s, t)  = Σ k^power · idf(w_k)      over the words w_1 … w_K of the longest common prefix of two sentences
    CS(A, B)  = Σ cs(s, t)                over all pairs of a sentence of A and one of B
    forward   = CS(left, right) / CS(left, left), at most 1
    right contains left  <=>  forward > threshold

The words of a sentence are sorted by idf, the rarest first, so that a prefix is what the sentence is about; only the
first `depth` of them count. Two articles that contain each other are near.

Keys: the first word of every sentence. Two articles with a score above zero share one; those that share too few for
either to contain the other are not compared. No related pair is missed. With a `limit`, first words of more articles
are skipped, and counted. Without `word_sorting` first words are common ones, and there are far more candidates.
Varol (2012), CoDet: containment and near-duplicate detection in text corpora, Eq. 3.1 to 3.3. [varol2012]
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from samestory.detectors.native import CONTAINMENT, stemming_parameter, stop_words_parameter
from samestory.detectors.weighted import Weighted
from samestory.errors import ParameterError
from samestory.model import Evidence, Features, Kind, Span
from samestory.specs import SHARE, Range, parameter
from samestory.text import shared_passages


class Match(NamedTuple):
    """Two sentences with a common prefix, the number of its words, and its score."""

    left: Span
    right: Span
    words: int
    score: float


@dataclass(frozen=True)
class CoDet(Weighted):
    """Finds articles whose sentences another article contains.

    >>> str(CoDet(threshold=0.5, depth=6))
    'codet(threshold=0.5, depth=6)'
    """

    name: ClassVar[str] = "codet"
    summary: ClassVar[str] = "articles whose sentences, by their rarest words, are in another one"
    share_phrase: ClassVar[str] = "of the weight of {one}, sentence by sentence, is in {other}"
    reports: ClassVar[frozenset[Kind]] = CONTAINMENT
    threshold_per_share: ClassVar[bool] = True
    strict: ClassVar[bool] = True
    paper: ClassVar[str] = "varol2012"

    threshold: float = parameter(0.6, "ETL: a share above this means that the other article contains this one", SHARE)
    word_sorting: bool = parameter(True, "WS: sort the words of a sentence, the rarest first")
    depth: int = parameter(5, "DT: most words of a sentence that count (0: all)", Range(0, 1000))
    suffixes: int = parameter(1, "PSC: how many suffixes of a sentence are compared, itself included", Range(1, 1000))
    power: float = parameter(1.0, "DSP: a word at depth k is weighted by k to this power", Range(0, 10))
    weight: str = parameter("idf", "the weight of a word: 'idf', 'tf' or 'tfidf'", ("idf", "tf", "tfidf"))
    stemming: str = stemming_parameter("F5")
    stop_words: bool = stop_words_parameter(True)
    limit: int = parameter(0, "skip first words that more articles than this have (0: skip none)", Range(0, 2**32))

    def matches(self, left: Features, right: Features) -> list[Match]:
        """Returns the sentence pairs that make up the score of two articles, the highest first."""
        # sentences with different first words share no prefix
        beginnings: dict[int, list[tuple[Span, list[tuple[int, float]]]]] = {}
        for b, other in self._sentences(right):
            beginnings.setdefault(other[0][0], []).append((b, other))
        out = []
        for a, one in self._sentences(left):
            for b, other in beginnings.get(one[0][0], ()):
                words = next((k for k in range(min(len(one), len(other))) if one[k][0] != other[k][0]), None)
                words = min(len(one), len(other)) if words is None else words
                score = sum((k + 1) ** self.power * one[k][1] for k in range(words))
                out.append(Match(a, b, words, score))
        return sorted(out, key=lambda match: (-match.score, match.left, match.right))

    def explain(self, left: Features, right: Features) -> list[Evidence]:
        """Returns what the matched sentences have in common, as positions in the texts."""
        here, there = self._sentences(left), self._sentences(right)
        # sentences match if their first words are equal; the pairs are not listed, as there may be millions
        common = {path[0][0] for _, path in here} & {path[0][0] for _, path in there}

        def inside(span: Span, sentences: list[Span]) -> bool:
            # sentences do not overlap: only the last one that begins before the end of the span can intersect it
            at = bisect_left(sentences, (span.end, 0))
            return at > 0 and sentences[at - 1].end > span.start

        lefts, rights = (sorted({span for span, path in side if path[0][0] in common}) for side in (here, there))
        return [e for e in shared_passages(left, right) if inside(e.left, lefts) and inside(e.right, rights)]

    def _sentences(self, features: Features) -> list[tuple[Span, list[tuple[int, float]]]]:
        """Returns the sentences of one article: their spans, and the words of their paths with weights."""
        if len(features) != 1:
            raise ParameterError(f"{self.name}: expected one article on each side, got {len(features)}")
        (text,), (language,) = features.compared, features.languages
        parts = self.native.parts(text, language)
        spans = features.original([Span(part.start, part.end) for part in parts])
        return [(span, part.words) for span, part in zip(spans, parts, strict=True)]
