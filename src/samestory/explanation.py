"""Why two articles are, or are not, the same story."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from samestory import _core
from samestory.detectors import Detector, Reuse, parse
from samestory.index import dated
from samestory.model import Article, Evidence, Features, Overlap, Pairs, Relation, Span
from samestory.readers import article
from samestory.text import prepare

#: An article as Python users have it.
AnyArticle = Article | Mapping[str, Any] | str
#: Why two articles are not related of which one has too little in it for the detector.
NOTHING = "nothing to go by"
#: Why two articles are not related where the detector does not say: a number of `_core.WHYS`.
TOO_LITTLE = 1


def chosen_or_default(detector: Detector | str | None) -> Detector:
    """A detector, from its spec if need be; the default one where nobody chose."""
    if detector is None:
        return Reuse()
    chosen = parse(detector) if isinstance(detector, str) else detector
    chosen.load()
    return chosen


@dataclass(frozen=True)
class Explanation:
    """What two articles have in common and what each has alone, as places in their texts."""

    left: Article
    right: Article
    overlap: Overlap
    relation: Relation | None
    why: str | None
    """Why they are not related, if they are not."""
    evidence: tuple[Evidence, ...]
    only_left: tuple[Span, ...]
    only_right: tuple[Span, ...]
    reasons: tuple[str, ...] = ()
    """What else the detector goes by, for and against, in words."""


def explain(
    left: AnyArticle,
    right: AnyArticle,
    detector: Detector | str | None = None,
    as_is: bool = False,
) -> Explanation:
    """Why two articles are, or are not, the same story.

    The relation is what the detector finds between just these two, whatever keys they share. Dirty text is repaired
    before it is compared, unless `as_is`; places are those of the articles' own texts.
    """
    chosen = chosen_or_default(detector)
    a, b = article(left, 1), article(right, 2)
    one, other = prepare([a], as_is), prepare([b], as_is)
    evidence = chosen.explain(one, other)
    only_left, only_right = chosen.alone(one, other, evidence)
    overlap, relation, why = _compare(one, other, a, b, chosen)
    if relation is None and why != NOTHING:
        why = chosen.decided(one, other) or why
    alone = tuple(only_left), tuple(only_right)
    return Explanation(a, b, overlap, relation, why, tuple(evidence), *alone, chosen.reasons(one, other))


def _compare(
    one: Features, other: Features, a: Article, b: Article, detector: Detector
) -> tuple[Overlap, Relation | None, str | None]:
    import numpy as np

    first, signed = np.zeros(1, np.int64), (detector.sign(one), detector.sign(other))
    # who is filed nowhere meets nobody, however alike two texts without words are
    if not all(detector.keys(signatures).lengths()[0] for signatures in signed):
        return Overlap(0.0, 0.0), None, NOTHING
    found = detector.compare(*signed, Pairs(first, first))
    overlap = Overlap(float(found.forward[0]), float(found.backward[0]))
    if relation := dated(detector, found, a, b):
        return overlap, relation, None
    why = 0 if found.whys is None else int(found.whys[0])
    return overlap, None, _core.WHYS[why or TOO_LITTLE]
