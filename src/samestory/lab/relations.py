"""What "duplicate" means: every gold standard says which relation it judges, and no score mixes two of them."""

from __future__ import annotations

from dataclasses import dataclass

from samestory.errors import ParameterError
from samestory.model import Kind

_ALIKE = frozenset({Kind.IDENTICAL, Kind.NEAR, Kind.UPDATE})
_ANY = frozenset(Kind) - {Kind.NONE}


@dataclass(frozen=True)
class Meaning:
    """One definition of "duplicate", and the kinds of relation that count as finding it."""

    name: str
    definition: str
    symmetric: bool
    kinds: frozenset[Kind]


#: By the word that gold data uses. For containment a relation in which both sides hold each other counts both ways.
MEANINGS: dict[str, Meaning] = {
    meaning.name: meaning
    for meaning in (
        Meaning("identical", "the same text after normalisation", True, frozenset({Kind.IDENTICAL})),
        Meaning("near", "roughly the same content, or versions of one story, with small edits", True, _ALIKE),
        Meaning(
            "contains",
            "a reader who has read the whole gains nothing from reading the part",
            False,
            _ALIKE | {Kind.PART_OF, Kind.HAS_PART},
        ),
        Meaning("fuzzy80", "at least 80 % shared terms, and lengths within 20 %", True, _ALIKE),
        # passages in common may be the background of another event
        Meaning("semantic", "the same event on the same day, in whatever words", True, _ANY - {Kind.SHARES_TEXT}),
        Meaning("boilerplate", "pages that differ only in session ids, counters and the like", True, _ALIKE),
        Meaning("same", "one story, in a way that the judgement does not tell", True, _ANY),
    )
}


def meaning(name: str) -> Meaning:
    """The definition of this name."""
    if name not in MEANINGS:
        raise ParameterError(f"no relation is called {name!r}; there are {', '.join(MEANINGS)}")
    return MEANINGS[name]


#: What a protocol of judging cannot see, for every report.
BIAS: dict[str, str] = {
    "difference": "duplicates that both detectors missed and false alarms that both gave are invisible, so precision "
    "and recall are too high; a third detector cannot be scored without new judgements",
    "pool": "pairs that no pooled method nominated are invisible; a new method is undervalued until its own pairs are "
    "judged",
    "queries": "duplicates outside the first results of a query are invisible; all depends on the mix of queries",
    "headlines": "the pages were chosen to be about the same stories: far more duplicates than in the wild",
    "events": "how the labels came about is not told; nearly everything has a duplicate, so precision looks easy",
    "unknown": "how the pairs were chosen and judged is not told (--protocol): nobody knows what they cannot see",
}


def bias(protocol: str) -> str:
    """What this protocol cannot see."""
    if protocol not in BIAS:
        raise ParameterError(f"no protocol is called {protocol!r}; there are {', '.join(BIAS)}")
    return BIAS[protocol]
