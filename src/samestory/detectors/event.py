"""Event: articles that report the same event, in any words.

    score = probability that two items report one event

Whole articles are compared by the cosine of their weighted words, relative to the level of both articles in the
collection; headlines and short items by decision trees over agreements (rare words, names, numbers) and contradictions
(different numbers for the same thing, different days, opposite acts, exchanged names). The length of the shorter item
blends the two. The base rate, which depends on the number of possible pairs in the collection, counts against every
pair; see docs/concepts/events.md.

Both shares are the score. An item with fewer than three distinct words has no signature. Two dated items are at most
`days` apart, and every day between them lowers the score.

Keys: all pairs of the most distinctive words of an item.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from samestory import _core
from samestory.detectors.calibrated import Calibrated
from samestory.detectors.event_details import EventDetails
from samestory.model import Evidence, Features, Kind, Overlap, Reason, Signatures
from samestory.model.columns import numbers_by_name
from samestory.specs import SHARE, Range, parameter
from samestory.text import MIN_PASSAGE_WORDS, shared_passages

#: Explanations of the features of `_core.AGREEMENT`, for values above 0.
REASONS = {
    "names_shared": Reason("for", "names in common"),
    "numbers_shared": Reason("for", "a number in common"),
    "dates_shared": Reason("for", "a day or month in common"),
    "counts_near": Reason("for", "numbers that agree after rounding"),
    "slots_names": Reason("against", "different names or rare words between the same words"),
    "slots_numbers": Reason("against", "different numbers, days or months between the same words"),
    "slots_dates": Reason("against", "different dates between the same words"),
    "main_names_apart": Reason("against", "the main name of each does not occur in the other"),
    "names_apart": Reason("against", "each begins with a name that the other lacks"),
    "numbers_apart": Reason("against", "each has a number that the other lacks"),
    "counts_conflict": Reason("against", "different numbers for the same thing"),
    "ordinals_apart": Reason("against", "different ordinals, as in the 12th and the 13th"),
    "dates_apart": Reason("against", "each names a day or month that the other lacks"),
    "ways_conflict": Reason("against", "opposite acts or stages"),
    "exchanged": Reason("against", "two names have exchanged roles"),
    "swapped": Reason("against", "the same words except for a name"),
    "rest_apart": Reason("against", "different words after the same beginning"),
    "ahead_of": Reason("against", "upcoming in one, past in the other"),
    "days": Reason("against", "published on different days"),
    "no_single_event": Reason("against", "one of them is a column, a letter, a live blog or a digest"),
    "other_months": Reason("against", "their beginnings name different months"),
}

#: Number of most distinctive words whose pairs are the keys of an item.
KEY_WORDS = 20
#: Evidence in other words where the numbers themselves are printed.
BEFORE_DETAILS = {
    "ordinals_apart": Reason("against", "different ordinals"),
    "slots_numbers": Reason("against", "different numbers between the same words"),
}
#: Longer texts share most of their words by chance: single words are no evidence, and too many.
MAX_WORDS_EXPLAINED_SINGLY = 5_000
#: Cosines that differ by less are neither evidence for nor against.
MIN_COSINE_DIFFERENCE = 0.015
#: From this share of the threshold on, a pair has enough in common to be near it.
NEAR_THRESHOLD_SHARE = 0.5
#: Least weight of the cosine of whole texts, relative to the trees, that is explained.
MIN_EXPLAINED_WEIGHT = 0.01
#: Least weight of the trees at which features that only they read are listed as evidence.
MIN_TREES_WEIGHT = 0.05
#: Features that also count between whole articles; those that count if the main names differ, and if numbers differ
#: too; and those that count between whole articles of one wording.
ARTICLE_FEATURES = {"rest_apart", "dates_apart", "slots_names", "slots_numbers", "days"}
OTHER_WORDS_FEATURES = {"main_names_apart", "names_apart"}, {"counts_conflict", "numbers_apart"}
TEMPLATE_FEATURES = {"swapped", "names_apart", "ways_conflict", "ordinals_apart", "slots_dates", "counts_conflict"}
#: Least share of runs of the same words in articles of one wording (odds.rs).
MIN_TEMPLATE_RUNS = 0.3


#: Appended to differences that are evidence only between articles of one wording.
NOT_COUNTED = "; not counted in articles of different wording"


def percent(probability: float) -> str:
    """Formats a probability for readers: never 0 % and never 100 %.

    >>> percent(0.0001), percent(0.256), percent(0.9999)
    ('under 1 %', '26 %', 'over 99 %')
    """
    if not 0.01 <= probability <= 0.99:
        return "under 1 %" if probability < 0.01 else "over 99 %"
    return f"{100 * probability:.0f} %"


def with_detail(name: str, detail: str) -> Reason:
    """Returns the explanation of a feature, with the names or numbers that it is about.

    >>> with_detail("numbers_apart", "3.4 / 4.2")
    'against: each has a number that the other lacks (3.4 / 4.2)'
    """
    return BEFORE_DETAILS.get(name, REASONS[name]).with_detail(detail) if detail else REASONS[name]


def counted_of_articles(agreement: Mapping[str, float]) -> set[str]:
    """Returns the features that count between whole articles with this agreement."""
    of_template = TEMPLATE_FEATURES if agreement.get("runs", 0) > MIN_TEMPLATE_RUNS else set()
    of_other_words = OTHER_WORDS_FEATURES[: int(agreement.get("main_names_apart", 0))]
    return ARTICLE_FEATURES.union(of_template, *of_other_words)


@dataclass(frozen=True)
class Event(Calibrated):
    """Finds news of the same event in different words.

    >>> str(Event(threshold=0.9))
    'event(threshold=0.9)'
    """

    name: ClassVar[str] = "event"
    summary: ClassVar[str] = "reports of one event, in any words"
    share_phrase: ClassVar[str] = "likely to be one event"
    reports: ClassVar[frozenset[Kind]] = frozenset({Kind.SAME_EVENT})
    grouping: ClassVar[str] = "majority"

    threshold: float = parameter(0.5, "least probability of one event that is reported", SHARE)
    telling: int = parameter(
        KEY_WORDS, "number of most distinctive words of an item; its keys are all pairs of them", Range(2, 64)
    )
    days: int = parameter(
        7, "most days between two items; an unknown date is compatible with every date", Range(0, 10**6)
    )
    ceiling: int = parameter(0, "skip pairs of words that more articles than this have (0: no limit)", Range(0, 2**31))

    def with_boilerplate(self, signatures: Signatures) -> Sequence[int]:
        """Returns no row: it compares all of a text."""
        return ()

    def explain(self, left: Features, right: Features) -> list[Evidence]:
        """Returns the words that both have, except passages of stop words only; of long texts, passages alone."""
        text, language = left.texts[0], _core.text.Language("en")
        stops = set(_core.text.Language(left.languages[0]).stop_words)

        def has_content(passage: Evidence) -> bool:
            words = text[passage.left.start : passage.left.end].split()
            return bool({language.fold(word) for word in words} - stops)

        is_long = max(len(features.tokens[0]) for features in (left, right)) > MAX_WORDS_EXPLAINED_SINGLY
        least = MIN_PASSAGE_WORDS if is_long else 1
        return [passage for passage in shared_passages(left, right, least) if has_content(passage)]

    def reasons(self, left: Features, right: Features) -> tuple[str, ...]:
        """Returns evidence for and against one event; then the probability without the base rate, if it differs."""
        weighed = self._evidence("probability", left, right)
        weight_of_terms, cosine, level, population, before, after, genre, months = weighed.values()
        if math.isnan(weight_of_terms):
            return ()
        is_calibrated = population == population
        agreement, details = self._evidence("agreement", left, right), EventDetails(left, right)
        found = [name for name in REASONS if agreement.get(name, 0) > 0 and not details.has_only_dates(name)]
        counted = set(REASONS) if weight_of_terms < 1 - MIN_TREES_WEIGHT else counted_of_articles(agreement)
        uncounted = [with_detail(name, details.of(name)) for name in found if name in TEMPLATE_FEATURES - counted]
        out: list[str] = [
            *(with_detail(name, details.of(name)) for name in found if name in counted),
            *(Reason(each.side, each.words + NOT_COUNTED) for each in uncounted),
        ]
        if weight_of_terms >= MIN_EXPLAINED_WEIGHT:
            reach = "unrelated articles here reach" if is_calibrated else "unrelated articles reach about"
            similarity = f"wording {100 * cosine:.0f} % alike; {reach} {100 * level:.0f} %"
            reason = Reason("for" if cosine > level else "against", similarity)
            out.insert(0, similarity if abs(cosine - level) < MIN_COSINE_DIFFERENCE else reason)
        if months and weight_of_terms >= MIN_EXPLAINED_WEIGHT:
            out.append(REASONS["other_months"])
        if genre:
            out.append(REASONS["no_single_event"])
        if not is_calibrated:
            return (*out, "not adjusted for chance matches: the other articles of the collection are unknown")
        if percent(after) == percent(before):
            return tuple(out)
        articles = f"{population:,.0f} articles"
        return (
            *out,
            Reason("against", f"among {articles}, chance alone would produce such pairs"),
            f"{percent(before)} before, {percent(after)} after allowing for chance among {articles}",
        )

    def describe(self, overlap: Overlap, left: str, right: str) -> str:
        """Returns the probability in words."""
        return f"{percent(overlap.forward)} {self.share_phrase}"

    def decided(self, left: Features, right: Features) -> str | None:
        """Returns why two articles are not related; None if they have too little in common.

        That is the strongest contradiction between two with enough in common, or that they are below the threshold.
        """
        found = self._evidence("contradiction", left, right)
        if name := next((name for name, is_found in found.items() if is_found), None):
            details = EventDetails(left, right)
            name = "dates_apart" if details.has_only_dates(name) else name
            reason = REASONS[name] if name in BEFORE_DETAILS else with_detail(name, details.of(name))
            return f"enough in common, but {reason.words}"
        probability = self._evidence("probability", left, right)["probability"]
        is_near = NEAR_THRESHOLD_SHARE * self.threshold <= probability < self.threshold
        return f"below the threshold of {100 * self.threshold:g} %" if is_near else None

    def _evidence(self, kind: str, left: Features, right: Features) -> dict[str, float]:
        """Returns the evidence of a kind about two articles, by name."""
        import numpy as np

        one, other, first = self.sign(left).columns, self.sign(right).columns, np.zeros(1, np.int64)
        found = _core.detectors.evidence(
            kind, one, other, (first, first), threshold=self.threshold, calibration=self.calibration
        )
        return {name: float(column[0]) for name, column in numbers_by_name(found).items()}
