"""The messages that describe relations: shares of text for kinds of common text, likelihood in words for events."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from samestory.model import Kind, Relation
from samestory.web.models import RelationOut

#: Symbols of relation kinds.
SYMBOLS = {
    "IDENTICAL": "=",
    "NEAR": "≈",
    "UPDATE": "↻",
    "PART_OF": "⊂",
    "HAS_PART": "⊃",
    "SAME_EVENT": "∥",
    "SHARES_TEXT": "∩",
}
#: Least share of both texts that is common to two that are called nearly the same.
MIN_NEARLY_SAME_SHARE = 0.5
#: Names of likelihoods by their least probability.
LIKELIHOODS = ((0.95, "certain"), (0.8, "very"), (0.5, "probable"), (0.2, "possible"), (0.0, "unlikely"))
#: Kinds whose numbers are no shares of text that are worth a sentence: all of it, and a likelihood.
WITHOUT_SHARE = ("IDENTICAL", "SAME_EVENT")


class RelationPhrase(NamedTuple):
    """A relation from the side of one article: its symbol, the names of its messages, and the id of the other.

    `name` is a message of the section `relation`, `chip` one of `kind`; `share_name` the message of `share`, if any.
    """

    symbol: str
    name: str
    chip: str
    other: str
    share_name: str | None
    share: float


def likelihood(probability: float) -> str:
    """Return the name of a likelihood.

    >>> likelihood(0.98), likelihood(0.6)
    ('certain', 'probable')
    """
    return next(name for least, name in LIKELIHOODS if probability >= least)


def relation_name(kind: str, forward: float, backward: float) -> str:
    """Return the name of the message of a relation: near copies by what they share, events by their likelihood.

    >>> relation_name("NEAR", 0.9, 0.05), relation_name("SAME_EVENT", 0.9, 0.9)
    ('NEAR_IN_PART', 'SAME_EVENT_very')
    """
    if kind == "NEAR" and min(forward, backward) < MIN_NEARLY_SAME_SHARE:
        return "NEAR_IN_PART"
    if kind == "SAME_EVENT":
        name = likelihood(max(forward, backward))
        return "SAME_EVENT_" + ("possible" if name == "unlikely" else name)
    return kind


def describe_relation(relation: Relation | RelationOut, id: str) -> RelationPhrase:
    """Describe a relation from the side of the article with this id."""
    kind, other = str(relation.kind), relation.right
    forward, backward = relation.overlap if isinstance(relation, Relation) else (relation.forward, relation.backward)
    is_flipped = relation.left != id
    if is_flipped:
        kind, other, forward, backward = str(Kind(kind).flipped), relation.left, backward, forward
    name = relation_name(kind, forward, backward)
    share_name, share = ("share_here", backward) if kind == "HAS_PART" else ("share_there", forward)
    return RelationPhrase(
        symbol=SYMBOLS[kind],
        name="UPDATED_BY" if kind == "UPDATE" and is_flipped else name,
        chip=kind if kind == "SAME_EVENT" else name,
        other=other,
        share_name=None if kind in WITHOUT_SHARE else share_name,
        share=share,
    )


def distinct_kinds(kinds: Iterable[str]) -> list[str]:
    """Return the kinds without mirrored ones, in their order.

    >>> distinct_kinds(["HAS_PART", "PART_OF", "NEAR"])
    ['PART_OF', 'NEAR']
    """
    return list(dict.fromkeys("PART_OF" if kind == "HAS_PART" else str(kind) for kind in kinds if kind in SYMBOLS))
