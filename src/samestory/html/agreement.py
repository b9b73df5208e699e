"""How well an extracted text agrees with the text that was to be extracted.

Both are cut into runs of four words; precision is the share of the runs found that were wanted, recall the share of
those wanted that were found, as often as each stands in both. Over pages both are averaged, so that a long article
counts no more than a short one, and F1 is made of the two averages: the measure of the article extraction benchmark of
Zyte (formerly Scrapinghub).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

#: Words in a run.
RUN = 4
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Agreement:
    """Precision and recall of one text, or of many on average; none where there is nothing to divide by."""

    precision: float | None
    recall: float | None

    @property
    def f1(self) -> float:
        """Their harmonic mean."""
        p, r = self.precision or 0.0, self.recall or 0.0
        return 2 * p * r / (p + r) if p + r else 0.0


def agreement(gold: str, found: str) -> Agreement:
    """How well one text agrees with another.

    >>> agreement("it rained in Spain on Monday", "it rained in Spain")
    Agreement(precision=1.0, recall=0.3333333333333333)
    """
    wanted, got = _runs(gold), _runs(found)
    both = (wanted & got).total()
    return Agreement(*(both / runs.total() if runs else None for runs in (got, wanted)))


def average(each: Sequence[Agreement]) -> Agreement:
    """The agreement of many texts."""
    precisions = [one.precision for one in each if one.precision is not None]
    recalls = [one.recall for one in each if one.recall is not None]
    return Agreement(fmean(precisions) if precisions else None, fmean(recalls) if recalls else None)


def _runs(text: str) -> Counter[tuple[str, ...]]:
    words = _WORD.findall(text)
    starts = range(max(1, len(words) - RUN + 1)) if words else ()
    return Counter(tuple(words[at : at + RUN]) for at in starts)
