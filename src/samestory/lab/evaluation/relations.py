"""Definitions of "duplicate": every gold standard judges one relation, and no score mixes two of them."""

from __future__ import annotations

from dataclasses import dataclass

from samestory.errors import ParameterError
from samestory.model import Kind

_ALIKE = frozenset({Kind.IDENTICAL, Kind.NEAR, Kind.UPDATE})
_ANY = frozenset(Kind) - {Kind.NONE}


@dataclass(frozen=True)
class Meaning:
    """One definition of "duplicate", and the relation kinds that count as detecting it."""

    name: str
    definition: str
    symmetric: bool
    kinds: frozenset[Kind]


#: By the name used in gold data. For containment, a relation that holds both ways counts in both directions.
MEANINGS: dict[str, Meaning] = {
    meaning.name: meaning
    for meaning in (
        Meaning("identical", "the same text after normalisation", True, frozenset({Kind.IDENTICAL})),
        Meaning("near", "roughly the same content, or versions of one story, with small edits", True, _ALIKE),
        Meaning(
            "contains",
            "a reader of the whole learns nothing new from the part",
            False,
            _ALIKE | {Kind.PART_OF, Kind.HAS_PART},
        ),
        Meaning("fuzzy80", "at least 80 % shared terms, and lengths within 20 %", True, _ALIKE),
        # passages in common may be the background of another event
        Meaning("semantic", "the same event on the same day, in any words", True, _ANY - {Kind.SHARES_TEXT}),
        Meaning("boilerplate", "pages that differ only in session ids, counters and the like", True, _ALIKE),
        Meaning("same", "one story; the judgement does not distinguish kinds", True, _ANY),
    )
}


def meaning(name: str) -> Meaning:
    """Return the definition of this name."""
    if name not in MEANINGS:
        raise ParameterError(f"unknown relation {name!r}; available: {', '.join(MEANINGS)}")
    return MEANINGS[name]


#: What each judging protocol cannot measure; printed in every report.
BIAS: dict[str, str] = {
    "difference": "duplicates that both detectors missed and false alarms that both reported are invisible, so "
    "precision and recall are too high; a third detector cannot be scored without new judgements",
    "pool": "pairs that no pooled method nominated are invisible; a new method is undervalued until its own pairs are "
    "judged",
    "queries": "duplicates outside the first results of a query are invisible; all depends on the mix of queries",
    "headlines": "the pages were chosen to be about the same stories: far more duplicates than in the wild",
    "events": "how the labels were made is undocumented; nearly every article has a duplicate, so precision looks easy",
    "unknown": "how the pairs were chosen and judged is unknown (see --protocol), and so is what they miss",
}


def bias(protocol: str) -> str:
    """Return what this protocol cannot measure."""
    if protocol not in BIAS:
        raise ParameterError(f"unknown protocol {protocol!r}; available: {', '.join(BIAS)}")
    return BIAS[protocol]
