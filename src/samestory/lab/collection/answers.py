"""Possible answers about an item, and the yes-or-no decisions that an answer implies.

Agreement and gold are computed from decisions, so that pairs, clusters and lists are handled alike.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from enum import StrEnum
from itertools import combinations
from typing import Any

from samestory.errors import InputError
from samestory.lab.evaluation.relations import MEANINGS
from samestory.model import shown


class Shape(StrEnum):
    """What an item shows to the assessor."""

    PAIR = "pair"
    """Two articles side by side."""
    CLUSTER = "cluster"
    """An article and the others of its cluster: does it repeat one of them?"""
    LIST = "list"
    """The results of a query, to be grouped into sets of duplicates."""


#: Answers of a containment relation: a>b means that the first article contains the second.
CONTAINMENT = ("a>b", "b>a", "both", "none")
YES_NO = ("yes", "no")

#: Ids that a decision is about: two articles in the order of their ids; for containment the contained article and its
#: container; or one article.
DecisionKey = tuple[str, ...]
Decisions = dict[DecisionKey, bool]


def answer_choices(shape: Shape, relation: str) -> tuple[str, ...]:
    """Return the possible answers; not for lists, whose answers are sets."""
    return CONTAINMENT if shape is Shape.PAIR and not MEANINGS[relation].symmetric else YES_NO


def check_answer(shape: Shape, relation: str, articles: Sequence[str], answer: Any) -> str:
    """Return the answer as it is stored; raise an InputError if it is invalid."""
    if shape is not Shape.LIST:
        if answer not in answer_choices(shape, relation):
            raise InputError(
                f"answer: expected one of {', '.join(answer_choices(shape, relation))}, got {shown(answer)}"
            )
        return str(answer)
    sets = answer
    if isinstance(answer, str):
        try:
            sets = json.loads(answer)
        except ValueError:
            sets = None
    if not isinstance(sets, list) or not all(isinstance(one, list) for one in sets):
        raise InputError(f"answer: expected a list of sets, got {shown(answer)}")
    seen: set[str] = set()
    for one in sets:
        for id in one:
            if id not in articles or id in seen:
                raise InputError(f"answer: {shown(id)} is not in the list, or is in two sets")
            seen.add(id)
    return json.dumps(sorted(sorted(one) for one in sets if len(one) > 1), ensure_ascii=False)


def decisions(shape: Shape, relation: str, articles: Sequence[str], answer: str) -> Decisions:
    """Return the decisions that an answer implies.

    >>> decisions(Shape.PAIR, "contains", ["x", "y"], "a>b")
    {('x', 'y'): False, ('y', 'x'): True}
    """
    if shape is Shape.CLUSTER:
        return {(articles[0],): answer == "yes"}
    if shape is Shape.PAIR:
        a, b = articles
        if MEANINGS[relation].symmetric:
            return {(a, b): answer == "yes"}
        # the contained article first, as in gold
        return {(a, b): answer in ("b>a", "both"), (b, a): answer in ("a>b", "both")}
    set_of = {id: number for number, members in enumerate(json.loads(answer)) for id in members}
    return {
        (one, other): set_of.get(one, -1) == set_of.get(other, -2) for one, other in combinations(sorted(articles), 2)
    }


def combine_decisions(
    shape: Shape, relation: str, articles: Sequence[str], made: Mapping[DecisionKey, bool]
) -> str | None:
    """Return the answer that corresponds to decisions; None for a list, whose pairs need not form sets."""
    if shape is Shape.LIST:
        return None
    if shape is Shape.CLUSTER or MEANINGS[relation].symmetric:
        return "yes" if next(iter(made.values())) else "no"
    a, b = articles
    return {(True, True): "both", (True, False): "b>a", (False, True): "a>b", (False, False): "none"}[
        made[a, b], made[b, a]
    ]


def swap_sides(answer: str) -> str:
    """Return the answer about the same two articles in the other order."""
    return {"a>b": "b>a", "b>a": "a>b"}.get(answer, answer)
