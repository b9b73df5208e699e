"""Explanations of why two articles are, or are not, the same story."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import chain
from typing import Any

from samestory import _core
from samestory.detectors import Detector, Reuse, parse
from samestory.detectors.user_errors import reported
from samestory.index import dated
from samestory.model import Article, Evidence, Features, Kind, Overlap, Pairs, Relation, Span
from samestory.old_arguments import accept_old_arguments
from samestory.readers import article
from samestory.text import prepare

#: The forms in which the Python API accepts an article.
AnyArticle = Article | Mapping[str, Any] | str
#: The reason where one article has too little text for the detector.
TOO_LITTLE_TEXT = "too little text to compare"
#: The reason where the detector reports none: an index into `_core.WHYS`.
TOO_LITTLE = 1


def chosen_or_default(detector: Detector | str | None) -> Detector:
    """Returns a loaded detector, parsed from a spec if needed; `Reuse` by default."""
    if detector is None:
        return Reuse()
    chosen = parse(detector) if isinstance(detector, str) else detector
    chosen.load()
    return chosen


@dataclass(frozen=True, repr=False)
class Explanation:
    """What two articles have in common and what only one of them has, as positions in their texts."""

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
    """Other evidence of the detector, for and against, in words."""
    is_beyond_days: bool = False
    """Whether their dates are further apart than related articles can be; their texts are then not compared."""

    @property
    def is_reversed(self) -> bool:
        """Whether the relation is that of the right article to the left one."""
        left, right, relation = self.left, self.right, self.relation
        if relation is None:
            return False
        # articles of two files may have the same id: the shares then decide
        return relation.left == right.id if left.id != right.id else relation.overlap != self.overlap

    @property
    def relation_from_left(self) -> Relation | None:
        """The relation of the left article to the right one."""
        return self.relation.flipped() if self.relation and self.is_reversed else self.relation

    @property
    def newer(self) -> str | None:
        """The id of the new version, if one article updates the other."""
        return self.relation.left if self.relation and self.relation.kind is Kind.UPDATE else None

    def to_dict(self) -> dict[str, Any]:
        """The explanation as `samestory explain --json` prints it."""
        relation = self.relation_from_left
        return {
            "left": self.left.id,
            "right": self.right.id,
            "kind": str(relation.kind) if relation else None,
            "newer": self.newer,
            "why": self.why,
            "forward": round(self.overlap.forward, 4),
            "backward": round(self.overlap.backward, 4),
            "reasons": list(self.reasons),
            "shared": [{"left": list(e.left), "right": list(e.right)} for e in self.evidence],
            "only_left": [list(span) for span in self.only_left],
            "only_right": [list(span) for span in self.only_right],
        }

    def __repr__(self) -> str:
        relation = self.relation_from_left
        found = str(relation.kind) if relation else f"not related: {self.why}"
        shares = f"forward={self.overlap.forward:.4g}, backward={self.overlap.backward:.4g}"
        return f"Explanation({self.left.id!r}, {self.right.id!r}, {found}, {shares})"

    def _repr_html_(self) -> str:
        sides = [
            (self.left, [evidence.left for evidence in self.evidence]),
            (self.right, [evidence.right for evidence in self.evidence]),
        ]
        cells = "".join(f"<td>{_marked(article.text, spans)}</td>" for article, spans in sides)
        heads = "".join(f"<th>{escape(article.id)}</th>" for article, _ in sides)
        reasons = "".join(f"<li>{escape(reason)}</li>" for reason in self.reasons)
        return f"<p>{escape(repr(self))}</p><table><tr>{heads}</tr><tr>{cells}</tr></table><ul>{reasons}</ul>"


def _marked(text: str, spans: Iterable[Span]) -> str:
    """A text as HTML with some of its passages marked."""
    out, end = "", 0
    for span in sorted(spans):
        if span.end > end:
            start = max(span.start, end)
            out += escape(text[end:start]) + f"<mark>{escape(text[start : span.end])}</mark>"
            end = span.end
    return out + escape(text[end:])


@accept_old_arguments("detector", "as_is")
def explain(
    left: AnyArticle,
    right: AnyArticle,
    *,
    detector: Detector | str = "reuse",
    as_is: bool = False,
) -> Explanation:
    """Explains why two articles are, or are not, the same story.

    The relation is the one that the detector finds between these two alone, whether or not they share keys.

    `left`, `right`: the articles: `Article` objects, dicts or texts.
    `detector`: a detector or its spec, such as `"event"`.
    `as_is`: compares texts without repairs. Positions are always those of the original texts.

    >>> first = {"id": "a", "text": "The bridge over the river reopened on Monday after repairs."}
    >>> second = {"id": "b", "text": "The bridge over the river reopened on Monday after repairs, officials said."}
    >>> explain(second, first)
    Explanation('b', 'a', NEAR, forward=0.8, backward=1)
    """
    return explain_by_first(left, right, [chosen_or_default(detector)], as_is)


def explain_by_first(
    left: AnyArticle, right: AnyArticle, detectors: Sequence[Detector], as_is: bool = False
) -> Explanation:
    """Explains two articles by the first detector that relates them; if none does, by the first of all.

    The others only compare: finding the evidence takes most of the time.
    """
    a, b = article(left, 1), article(right, 2)
    one, other = prepare([a], as_is=as_is), prepare([b], as_is=as_is)
    compared = ((each, *_compare(one, other, a, b, each)) for each in detectors)
    first = next(compared)
    related = (each for each in chain([first], compared) if each[2] is not None)
    chosen, overlap, relation, why = next(related, first)
    with reported(chosen, "explain"):
        evidence = chosen.explain(one, other)
        only_left, only_right = chosen.alone(one, other, evidence)
    too_far = beyond_days(one, other, chosen) if relation is None and why != TOO_LITTLE_TEXT else None
    if relation is None and why != TOO_LITTLE_TEXT:
        why = too_far or chosen.decided(one, other) or why
    alone = tuple(only_left), tuple(only_right)
    reasons = () if too_far else chosen.reasons(one, other)
    return Explanation(a, b, overlap, relation, why, tuple(evidence), *alone, reasons, too_far is not None)


#: Two articles, and the detector that relates them or its spec.
ComparedPair = tuple[Article, Article, Detector | str]


def shared_evidence(pairs: Sequence[ComparedPair], as_is: bool = False) -> list[tuple[Evidence, ...]]:
    """Returns what the articles of each pair have in common: the evidence of `explain`, and no more."""
    return [tuple(evidence) for *_, evidence in _compared(pairs, as_is)]


def only_left(pairs: Sequence[ComparedPair], as_is: bool = False) -> list[tuple[Span, ...]]:
    """Returns what only the left article of each pair has: a part of what `explain` returns."""
    return [
        tuple(detector.alone(left, right, evidence)[0]) for left, right, detector, evidence in _compared(pairs, as_is)
    ]


def _compared(
    pairs: Sequence[ComparedPair], as_is: bool
) -> Iterator[tuple[Features, Features, Detector, list[Evidence]]]:
    """Yields the features of pairs with their evidence; every article is prepared once."""
    rows = {article: row for row, article in enumerate(dict.fromkeys(each for pair in pairs for each in pair[:2]))}
    batch = prepare(list(rows), as_is=as_is).batch
    for left, right, detector in pairs:
        chosen = chosen_or_default(detector)
        one, other = (Features(batch.slice(rows[each], 1)) for each in (left, right))
        with reported(chosen, "explain"):
            evidence = chosen.explain(one, other)
        yield one, other, chosen, evidence


def beyond_days(left: Features, right: Features, detector: Detector) -> str | None:
    """Returns, in words, that two articles are too many days apart for a detector; None if they are not."""
    limit, (first, last) = detector.days_limit, (features.published[0] for features in (left, right))
    if limit is None or first is None or last is None:
        return None
    days = abs((first.date() - last.date()).days)
    if days <= limit:
        return None
    return (
        f"published {days:,} days apart; "
        f"{detector.name} never relates articles more than {limit:,} {'day' if limit == 1 else 'days'} apart"
    )


def _compare(
    one: Features, other: Features, a: Article, b: Article, detector: Detector
) -> tuple[Overlap, Relation | None, str | None]:
    import numpy as np

    first = np.zeros(1, np.int64)
    with reported(detector, "sign"):
        signed = detector.sign(one), detector.sign(other)
    with reported(detector, "keys"):
        # an article without keys is never a candidate, however similar two texts without words are
        if not all(detector.keys(signatures).lengths()[0] for signatures in signed):
            return Overlap(0.0, 0.0), None, TOO_LITTLE_TEXT
    with reported(detector, "compare"):
        found = detector.compare(*signed, Pairs(first, first))
    overlap = Overlap(float(found.forward[0]), float(found.backward[0]))
    if relation := dated(detector, found, a, b):
        return overlap, relation, None
    why = 0 if found.whys is None else int(found.whys[0])
    return overlap, None, _core.WHYS[why or TOO_LITTLE]
