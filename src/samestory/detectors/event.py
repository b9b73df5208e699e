"""Event: items of news that tell the same happening, in whatever words.

    score = how likely two items are one event, by what they share and where they contradict each other

Every different word of the headline and the beginning of the text is known by its first four letters and weighed by
how rare it is in news at large, names and numbers more than others; the first words, headline and lead, are a field of
their own. Two items agree by the words they share, how much of either that is, and how much of their leads. They
contradict each other when they have other names, count the same thing and come to other numbers, fall on other days,
say the opposite (raised, cut), or say the same of each other the other way round (who beat whom). What each of these
says was learned from judged pairs, by language.

Both shares are the score. An article without words has no signature.

An item without a date may be of any day; otherwise two items lie at most `days` apart, and days apart count against
them.

Keys: every two of the most telling words of an item, so that two items meet when they share two of them.
Numbers are compared as quantities: "1,500", "1.5 thousand" and, in Turkish, English and Russian, number words.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from samestory import _core
from samestory.detectors.native import Native
from samestory.model import Evidence, Features, Kind
from samestory.specs import parameter
from samestory.text import shared_passages

#: What the numbers of an agreement say, where they are more than nothing.
REASONS = {
    "names_shared": "for: names in common",
    "numbers_shared": "for: a number in common",
    "counts_near": "for: numbers that are one, rounded",
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
}


@dataclass(frozen=True)
class Event(Native):
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
    telling: int = parameter(16, "how many of its most telling words an item is filed under, two by two")
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
        """See the base."""
        import numpy as np

        first = np.zeros(1, np.int64)
        raw = _core.event_agreement(self.sign(left).columns, self.sign(right).columns, (first, first))
        numbers = dict(zip(_core.AGREEMENT, np.frombuffer(raw, np.float64).tolist(), strict=True))
        return tuple(words for name, words in REASONS.items() if numbers[name] > 0)

    def decided(self, left: Features, right: Features) -> str | None:
        """See the base: the contradiction that counts most."""
        name = _core.event_decided(self.sign(left).columns, self.sign(right).columns, self.threshold)
        return f"enough in common, but {REASONS[name].removeprefix('against: ')}" if name else None
