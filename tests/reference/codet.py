"""CoDet: containment by common beginnings of sentences.

    CS(d_C, d_A)  = Σ_{s_i ∈ S_C} Σ_{s_j ∈ S_A} cs(s_i, s_j)                                         (3.1)
    cs(s_i, s_j)  = Σ_{k=1..len(f)} k^DSP · idf(w_{f,k}),  f the longest common prefix of the two     (3.2)
    SCS(d_A)      = CS(d_A, d_A)                                                                      (3.3)
    d_C contains d_A  ⇔  CS(d_A, d_C) / SCS(d_A) > ETL

Varol (2012), chapter 3. [varol2012]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from samestory import Article
from tests.reference.shares import Result, without_features
from tests.reference.text import StopList, Table, sentences, wanted

Sentence = Sequence[str]
Idf = Callable[[str], float]


def prepared(
    found: Sequence[Sentence], idf: Idf, word_sorting: bool = True, depth_threshold: int = 5, suffixes: int = 1
) -> list[list[str]]:
    """Sentences sorted by descending idf, equal ones by the alphabet; with their suffixes; cut (0: not at all)."""
    out = []
    for sentence in found:
        words = sorted(sentence, key=lambda word: (-idf(word), word)) if word_sorting else list(sentence)
        for start in range(min(suffixes, len(words))):
            out.append(words[start:][: depth_threshold or None])
    return out


def common_prefix(left: Sentence, right: Sentence) -> list[str]:
    """The longest common beginning."""
    out = []
    for one, other in zip(left, right, strict=False):
        if one != other:
            break
        out.append(one)
    return out


def sentence_score(left: Sentence, right: Sentence, idf: Idf, depth_power: float = 1) -> float:
    """cs (3.2)."""
    return sum(float(depth**depth_power) * idf(word) for depth, word in enumerate(common_prefix(left, right), 1))


def score(left: Sequence[Sentence], right: Sequence[Sentence], idf: Idf, depth_power: float = 1) -> float:
    """CS (3.1) of prepared sentences; of an article with itself, SCS (3.3)."""
    return sum(sentence_score(one, other, idf, depth_power) for one in left for other in right)


def compare(
    left: Article,
    right: Article,
    *,
    table: Table | None = None,
    threshold: float = 0.6,
    stemming: str = "F5",
    stop_words: bool = True,
    word_sorting: bool = True,
    depth_threshold: int = 5,
    suffixes: int = 1,
    depth_power: float = 1,
    log_base: float = 10.0,
    plus_one: bool = False,
    stop_list: StopList | None = None,
) -> Result:
    """forward = CS(left, right) / SCS(left), at most 1; a side is contained where its share is above the threshold."""

    def idf(word: str) -> float:
        return wanted(table).idf(word, log_base, plus_one)

    a, b = (
        prepared(
            sentences(article, stemming, stop_words, stop_list=stop_list), idf, word_sorting, depth_threshold, suffixes
        )
        for article in (left, right)
    )
    own, other = score(a, a, idf, depth_power), score(b, b, idf, depth_power)
    if found := without_features(own > 0, other > 0):
        return found
    common = score(a, b, idf, depth_power)
    forward, backward = common / own, common / other
    kinds = {(True, True): "NEAR", (True, False): "PART_OF", (False, True): "HAS_PART"}
    return min(1.0, forward), min(1.0, backward), kinds.get((forward > threshold, backward > threshold))


@dataclass
class Node:
    """A node of the corpus tree: who passed, how often, and where to."""

    visitors: Counter[str] = field(default_factory=Counter)
    children: dict[str, Node] = field(default_factory=dict)


def tree_scores(
    articles: Sequence[tuple[str, Sequence[Sentence]]], idf: Idf, visitors: str = "counts", depth_power: float = 1
) -> dict[frozenset[str], float]:
    """CS of every two articles by the corpus tree, prepared sentences of articles coming in this order.

    Algorithms 2 and 3, an article not being compared with itself. `visitors="set"` is the printed form, in which an
    article that passed a node twice counts once for those behind it; `"counts"` equals (3.1) in any order.
    """
    root = Node()
    scores: dict[frozenset[str], float] = {}
    for name, prepared_sentences in articles:
        for sentence in prepared_sentences:
            node = root
            for depth, word in enumerate(sentence, 1):
                node = node.children.setdefault(word, Node())
                for visitor, times in node.visitors.items():
                    if visitor != name:
                        gain = idf(word) * depth**depth_power * (times if visitors == "counts" else 1)
                        pair = frozenset((name, visitor))
                        scores[pair] = scores.get(pair, 0.0) + gain
                node.visitors[name] += 1
    return scores
