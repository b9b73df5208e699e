"""Event: articles that report the same happening, in whatever words.

    score = probability that two items report one event

Whole articles are compared by the cosine of their weighted words, relative to the level of both articles in the
collection; headlines and short items by trees over what they share (rare words, names, numbers) and where they
contradict each other (other numbers for the same thing, other days, opposite acts, exchanged names). The length of the
shorter item decides gradually between the two. The base rate, how many articles of the collection could be paired,
counts against every pair; see docs/concepts/events.md.

Both shares are the score. An item with fewer than three different words has no signature. Two dated items lie at most
`days` apart, and days between them count against them.

Keys: every two of the most telling words of an item.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from samestory import _core
from samestory.detectors.calibrated import Calibrated
from samestory.model import Evidence, Features, Kind, Overlap
from samestory.specs import parameter
from samestory.text import shared_passages

#: What the numbers of an agreement say, where they are more than nothing.
REASONS = {
    "names_shared": "for: names in common",
    "numbers_shared": "for: a number in common",
    "counts_near": "for: numbers that are one, rounded",
    "slots_names": "against: other names or rare words between the same words",
    "slots_numbers": "against: other numbers between the same words",
    "names_apart": "against: each begins with a name that the other lacks",
    "numbers_apart": "against: each has a number that the other lacks",
    "counts_conflict": "against: they count the same thing and come to other numbers",
    "ordinals_apart": "against: another one of a row, as a 12th is no 13th",
    "dates_apart": "against: each names a day or month that the other lacks",
    "ways_conflict": "against: they say the opposite",
    "exchanged": "against: two names have changed places",
    "swapped": "against: the same words, but for another name",
    "rest_apart": "against: after the same beginning they go on in quite other words",
    "ahead_of": "against: to come in one, done in the other",
    "days": "against: they are of different days",
    "no_single_event": "against: one of them is a column, a letter, a live blog or a digest",
    "other_months": "against: their beginnings name different months",
}


#: The least weight of the words of the whole text, beside the trees, that is worth a line.
LEAST_WEIGHT = 0.01
#: Those that count between whole articles.
OF_ARTICLES = {"rest_apart", "dates_apart", "slots_names", "slots_numbers", "days"}


def percent(probability: float) -> str:
    """A probability for readers: never 0 % and never 100 %.

    >>> percent(0.0001), percent(0.256), percent(0.9999)
    ('under 1 %', '26 %', 'over 99 %')
    """
    if not 0.01 <= probability <= 0.99:
        return "under 1 %" if probability < 0.01 else "over 99 %"
    return f"{100 * probability:.0f} %"


@dataclass(frozen=True)
class Event(Calibrated):
    """Finds news of the same event in other words.

    >>> str(Event(threshold=0.9))
    'event(threshold=0.9)'
    """

    name: ClassVar[str] = "event"
    sees: ClassVar[str] = "news of the same event, in whatever words"
    shares: ClassVar[str] = "likely to be one event"
    reports: ClassVar[frozenset[Kind]] = frozenset({Kind.SAME_EVENT})
    grouping: ClassVar[str] = "majority"

    threshold: float = parameter(0.5, "how likely two items must be one event to be reported")
    telling: int = parameter(20, "how many of its most telling words an item is filed under, two by two")
    days: int = parameter(7, "how many days two items may lie apart; one without a date keeps nobody apart")
    ceiling: int = parameter(0, "two words that more articles have bring nobody together (0: no limit)")

    def __post_init__(self) -> None:
        self._check("threshold", 0, 1)
        self._check("telling", 2, 64)
        self._check("days", 0, 10**6)
        self._check("ceiling", 0, 2**31)

    def explain(self, left: Features, right: Features) -> list[Evidence]:
        """The words they share, but for those that every text has."""
        text, stops = left.texts[0], set(_core.stop_words(left.languages[0]))

        def says(found: Evidence) -> bool:
            return bool({_core.fold(word, False) for word in text[found.left.start : found.left.end].split()} - stops)

        return [found for found in shared_passages(left, right, least=1) if says(found)]

    def reasons(self, left: Features, right: Features) -> tuple[str, ...]:
        """Evidence for and against one event, then the probability before and after the base rate."""
        import numpy as np

        one, other = self.sign(left).columns, self.sign(right).columns
        weighed = _core.event_weighed(one, other, self.threshold, self.calibration)
        if weighed is None:
            return ()
        weight_of_terms, cosine, level, population, before, after, genre, months = weighed
        first = np.zeros(1, np.int64)
        raw = _core.event_agreement(one, other, (first, first))
        agreement = dict(zip(_core.AGREEMENT, np.frombuffer(raw, np.float64).tolist(), strict=True))
        counts = REASONS if weight_of_terms < 1 else OF_ARTICLES
        out = [words for name, words in REASONS.items() if name in counts and agreement.get(name, 0) > 0]
        if weight_of_terms >= LEAST_WEIGHT:
            side = "for" if cosine > level else "against"
            alike = (
                f"their words are {100 * cosine:.0f} % alike, where more than {100 * level:.0f} % is unusual by chance"
            )
            out.insert(0, f"{side}: {alike}")
        if months and weight_of_terms >= LEAST_WEIGHT:
            out.append(REASONS["other_months"])
        if genre:
            out.append(REASONS["no_single_event"])
        if after < before:
            out.append(
                f"against: {population:,.0f} articles could be compared, and some are alike by chance or of one topic"
            )
        odds = f"{percent(before)} likely to be one event by the evidence, {percent(after)} with the base rate"
        return (
            *out,
            odds if population == population else f"{percent(after)} likely to be one event, without a base rate",
        )

    def told(self, overlap: Overlap, left: str, right: str) -> str:
        """See the base: the probability."""
        return f"{percent(overlap.forward)} {self.shares}"

    def decided(self, left: Features, right: Features) -> str | None:
        """See the base: the contradiction that counts most."""
        name = _core.event_decided(self.sign(left).columns, self.sign(right).columns, self.threshold, self.calibration)
        return f"enough in common, but {REASONS[name].removeprefix('against: ')}" if name else None
