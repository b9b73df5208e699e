"""What can be answered about an item, and the single decisions, each yes or no, that an answer comes to.

Agreement is measured and gold is made of decisions, so that two articles, an article with its cluster and a list of
twenty are one thing to both.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from enum import StrEnum
from itertools import combinations
from typing import Any

from samestory.errors import InputError
from samestory.lab.relations import MEANINGS
from samestory.model import shown


class Shape(StrEnum):
    """What an item shows."""

    PAIR = "pair"
    """Two articles beside each other."""
    CLUSTER = "cluster"
    """An article, and beside it the others of its cluster: does it repeat one of them?"""
    LIST = "list"
    """The results of a query, to be put into sets of duplicates."""


#: About two articles of which one may hold the other: the first holds the second, and so on.
HOLDING = ("a>b", "b>a", "both", "none")
PLAIN = ("yes", "no")

#: Who is decided about: two articles in the order of their ids; for containment the part and the whole; one article.
Decided = tuple[str, ...]
Decisions = dict[Decided, bool]


def choices(shape: Shape, relation: str) -> tuple[str, ...]:
    """The answers there are, but for a list, whose answers are sets."""
    return HOLDING if shape is Shape.PAIR and not MEANINGS[relation].symmetric else PLAIN


def checked(shape: Shape, relation: str, articles: Sequence[str], answer: Any) -> str:
    """The answer as it is kept; an InputError says why it is none."""
    if shape is not Shape.LIST:
        if answer not in choices(shape, relation):
            raise InputError(f"answer: one of {', '.join(choices(shape, relation))} is wanted, got {shown(answer)}")
        return str(answer)
    sets = answer
    if isinstance(answer, str):
        try:
            sets = json.loads(answer)
        except ValueError:
            sets = None
    if not isinstance(sets, list) or not all(isinstance(one, list) for one in sets):
        raise InputError(f"answer: a list of sets is wanted, got {shown(answer)}")
    seen: set[str] = set()
    for one in sets:
        for id in one:
            if id not in articles or id in seen:
                raise InputError(f"answer: every article of the list once at most, got {shown(id)}")
            seen.add(id)
    return json.dumps(sorted(sorted(one) for one in sets if len(one) > 1), ensure_ascii=False)


def decisions(shape: Shape, relation: str, articles: Sequence[str], answer: str) -> Decisions:
    """What an answer says of each that is decided about.

    >>> decisions(Shape.PAIR, "contains", ["x", "y"], "a>b")
    {('x', 'y'): False, ('y', 'x'): True}
    """
    if shape is Shape.CLUSTER:
        return {(articles[0],): answer == "yes"}
    if shape is Shape.PAIR:
        a, b = articles
        if MEANINGS[relation].symmetric:
            return {(a, b): answer == "yes"}
        # the part first, as gold has it
        return {(a, b): answer in ("b>a", "both"), (b, a): answer in ("a>b", "both")}
    home = {id: number for number, members in enumerate(json.loads(answer)) for id in members}
    return {(one, other): home.get(one, -1) == home.get(other, -2) for one, other in combinations(sorted(articles), 2)}


def together(shape: Shape, relation: str, articles: Sequence[str], made: Mapping[Decided, bool]) -> str | None:
    """The answer that decisions come to; None for a list, whose pairs need not make sets."""
    if shape is Shape.LIST:
        return None
    if shape is Shape.CLUSTER or MEANINGS[relation].symmetric:
        return "yes" if next(iter(made.values())) else "no"
    a, b = articles
    return {(True, True): "both", (True, False): "b>a", (False, True): "a>b", (False, False): "none"}[
        made[a, b], made[b, a]
    ]


def turned(answer: str) -> str:
    """An answer about two articles, of which the other stands first."""
    return {"a>b": "b>a", "b>a": "a>b"}.get(answer, answer)
