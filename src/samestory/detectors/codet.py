"""CoDet: which articles hold which, from the word prefixes that their sentences share.

    cs(s, t)  = Σ k^power · idf(w_k)      over the words w_1 … w_K of the longest common prefix of two sentences
    CS(A, B)  = Σ cs(s, t)                over all pairs of a sentence of A and one of B
    forward   = CS(left, right) / CS(left, left), at most 1
    right contains left  <=>  forward > threshold

The words of a sentence are sorted by idf, the rarest first, so that a prefix is what the sentence is about; only the
first `depth` of them count. Two articles that contain each other are near.

Keys: the first word of every sentence. Two articles with a score above zero share one; those that share too few for
either to hold the other are not compared. Nothing is lost. With a `limit`, words that begin sentences of more articles
are passed over, and counted. Without `word_sorting` first words are common ones, and far more pairs meet.
Varol (2012), CoDet: containment and near-duplicate detection in text corpora, Eq. 3.1 to 3.3. [varol2012]
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from samestory import _core
from samestory.detectors.native import CONTAINMENT
from samestory.detectors.weighted import Weighted
from samestory.errors import ParameterError
from samestory.model import Evidence, Features, Kind, Span
from samestory.specs import parameter
from samestory.text import shared_passages


class Match(NamedTuple):
    """Two sentences with a common beginning, how many words of it they share, and its score."""

    left: Span
    right: Span
    words: int
    score: float


@dataclass(frozen=True)
class CoDet(Weighted):
    """Finds articles whose sentences another article holds.

    >>> str(CoDet(threshold=0.5, depth=6))
    'codet(threshold=0.5, depth=6)'
    """

    name: ClassVar[str] = "codet"
    sees: ClassVar[str] = "articles whose sentences, by their rarest words, stand in another one"
    shares: ClassVar[str] = "of the weight of {one}, sentence by sentence, is in {other}"
    reports: ClassVar[frozenset[Kind]] = CONTAINMENT
    cuts_shares: ClassVar[bool] = True
    strict: ClassVar[bool] = True
    paper: ClassVar[str] = "varol2012"

    threshold: float = parameter(0.6, "ETL: a share above this means that the other article holds this one")
    word_sorting: bool = parameter(True, "WS: sort the words of a sentence, the rarest first")
    depth: int = parameter(5, "DT: only so many words of a sentence count (0: all)")
    suffixes: int = parameter(1, "PSC: the sentence and its suffixes, so many in all, are looked at")
    power: float = parameter(1.0, "DSP: a word at depth k counts k to this power")
    weight: str = parameter("idf", "what a word weighs: 'idf', 'tf' or 'tfidf'")
    stemming: str = parameter("F5", "'F5' keeps the first five letters of a word, 'none' all of it")
    stop_words: bool = parameter(True, "leave the most common words of the language out")
    limit: int = parameter(0, "pass over first words that more articles than this have (0: none)")

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check("threshold", 0, 1)
        self._check("depth", 0, 1000)
        self._check("suffixes", 1, 1000)
        self._check("power", 0, 10)
        self._check("limit", 0, 2**32)
        self._check_switch("word_sorting")
        self._check_choice("weight", "idf", "tf", "tfidf")
        self._check_preparation()

    def matches(self, left: Features, right: Features) -> list[Match]:
        """The sentence pairs that make up the score of two articles, the highest first."""
        # sentences that share no first word share nothing
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
        """What the matched sentences have in common, as places in the texts."""
        here, there = self._sentences(left), self._sentences(right)
        # sentences match where their first words are the same; which with which need not be known, and may be millions
        common = {path[0][0] for _, path in here} & {path[0][0] for _, path in there}

        def inside(span: Span, sentences: list[Span]) -> bool:
            # sentences do not overlap: only the last that begins before the end of the span can hold some of it
            at = bisect_left(sentences, (span.end, 0))
            return at > 0 and sentences[at - 1].end > span.start

        lefts, rights = (sorted({span for span, path in side if path[0][0] in common}) for side in (here, there))
        return [e for e in shared_passages(left, right) if inside(e.left, lefts) and inside(e.right, rights)]

    def _sentences(self, features: Features) -> list[tuple[Span, list[tuple[int, float]]]]:
        """The sentences of one article: where they stand, and the words of their paths with weights."""
        if len(features) != 1:
            raise ParameterError(f"{self.name}: one article on each side is wanted, got {len(features)}")
        (text,), (language,) = features.compared, features.languages
        paths = _core.codet_paths(self.arguments(), self.table().native, text, language)
        if text.isascii():
            spans = features.original([Span(start, end) for start, end, _ in paths])
            return [(span, path) for span, (_, _, path) in zip(spans, paths, strict=True)]
        out: list[tuple[Span, list[tuple[int, float]]]] = []
        data, byte, character = text.encode(), 0, 0
        for start, end, path in paths:
            if start < byte:  # a suffix of the sentence before
                out.append((out[-1][0], path))
                continue
            character += len(data[byte:start].decode())
            length = len(data[start:end].decode())
            out.append((Span(character, character + length), path))
            byte, character = end, character + length
        spans = features.original([span for span, _ in out])
        return [(span, path) for span, (_, path) in zip(spans, out, strict=True)]
