"""Agreement of an extracted text with its gold text.

Both are split into shingles of four words, counted with repetition; precision is the share of extracted shingles that
are gold, recall the share of gold shingles that are extracted. Both are averaged over pages, so that long articles
weigh no more than short ones, and F1 is computed from the averages: the measure of the article extraction benchmark of
Zyte (formerly Scrapinghub).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

#: Words in a shingle.
SHINGLE_WORDS = 4
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class TextAgreement:
    """Precision and recall of one text, or averaged over many; None if the denominator is zero."""

    precision: float | None
    recall: float | None

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        p, r = self.precision or 0.0, self.recall or 0.0
        return 2 * p * r / (p + r) if p + r else 0.0


def agreement(gold: str, found: str) -> TextAgreement:
    """Compares an extracted text with its gold text.

    >>> agreement("it rained in Spain on Monday", "it rained in Spain")
    TextAgreement(precision=1.0, recall=0.3333333333333333)
    """
    wanted, got = _shingles(gold), _shingles(found)
    both = (wanted & got).total()
    return TextAgreement(*(both / runs.total() if runs else None for runs in (got, wanted)))


def average(each: Sequence[TextAgreement]) -> TextAgreement:
    """Averages the agreement of many texts."""
    precisions = [one.precision for one in each if one.precision is not None]
    recalls = [one.recall for one in each if one.recall is not None]
    return TextAgreement(fmean(precisions) if precisions else None, fmean(recalls) if recalls else None)


def _shingles(text: str) -> Counter[tuple[str, ...]]:
    words = _WORD.findall(text)
    starts = range(max(1, len(words) - SHINGLE_WORDS + 1)) if words else ()
    return Counter(tuple(words[at : at + SHINGLE_WORDS]) for at in starts)
