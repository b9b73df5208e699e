"""Folding: the hits of any search engine in, groups out; nothing is kept.

Every hit is in one group. Groups stand in the order of their best hits, and so do the hits in a group.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from samestory.detectors import Detector, Native
from samestory.errors import InputError
from samestory.groups import Choice, group
from samestory.jobs import relate, run_on, run_relations
from samestory.model import Article, Kind, Relation
from samestory.readers.objects import article
from samestory.web import models

#: What search engines call the passage that they show, where they do not give the whole text.
SNIPPETS = ("snippet", "description", "summary", "excerpt", "abstract")


@dataclass(frozen=True, slots=True)
class Folded:
    """Groups of places in the list of hits, what holds each together, and hits that could not be read."""

    groups: list[list[int]]
    kinds: list[list[Kind]]
    ids: list[str | None]
    rejected: list[tuple[int, str]]


def fold(hits: Sequence[Any], detectors: Sequence[Detector]) -> Folded:
    """Groups hits by what the detectors say; of two articles that several relate the first is believed."""
    ids: list[str | None] = []
    known: list[Article] = []
    rejected = []
    for place, hit in enumerate(hits):
        try:
            one = _article(hit, place)
        except InputError as error:
            rejected.append((place + 1, str(error).removeprefix(f"article {place + 1}: ")))
            ids.append(None)
            continue
        # two hits may have one id, or none: here each is known by its place
        ids.append(None if one.id == str(place + 1) else one.id)
        known.append(replace(one, id=str(place)))
    copies: dict[tuple[str | None, str], list[str]] = {}
    for one in known:
        copies.setdefault((one.title, one.text), []).append(one.id)
    # a thousand copies of one hit are not compared two by two: they go where the first of them goes
    follow = {first: rest for first, *rest in copies.values()}
    relations = _relations([one for one in known if one.id in follow], detectors)
    # without the articles: who stands for a group is the best hit, and need not be chosen
    joined = [list(each.members) for each in group(relations.values(), Choice("majority"))]
    together = {id for members in joined for id in members}
    joined += [[id] for id in follow if id not in together]
    groups = [sorted(int(each) for id in members for each in (id, *follow[id])) for members in joined]
    groups += [[place - 1] for place, _ in rejected]
    groups.sort(key=lambda members: members[0])
    home = {member: at for at, members in enumerate(groups) for member in members}
    kinds: list[set[Kind]] = [set() for _ in groups]
    for relation in relations.values():
        if home[int(relation.left)] == home[int(relation.right)]:
            kinds[home[int(relation.left)]].add(relation.kind)
    for first, rest in follow.items():
        if rest:
            kinds[home[int(first)]].add(Kind.IDENTICAL)
    return Folded(groups, [[kind for kind in Kind if kind in found] for found in kinds], ids, rejected)


def _article(hit: Any, place: int) -> Article:
    """A hit as an article: a title or a snippet is enough of a text."""
    if not isinstance(hit, Mapping):
        one = article(hit, place + 1)
    else:
        try:
            one = article(hit, place + 1)
        except InputError:
            one = Article(str(place + 1), "")
        if not one.text.strip() or one.text == one.title:  # a title stands for a text that is missing
            shown = {name.lower(): value for name, value in hit.items() if isinstance(name, str)}
            passages = (shown[name] for name in SNIPPETS if isinstance(shown.get(name), str))
            one = article({**hit, "text": next(passages, one.text)}, place + 1)
        if not one.text.strip() and one.title:
            one = replace(one, text=one.title)
    if not one.text.strip():
        raise InputError("no words in its text, snippet or title")
    if len(one.text) > models.LONGEST_TEXT:
        raise InputError(f"text: at most {models.LONGEST_TEXT:,} characters are taken")
    return one


def _relations(known: Sequence[Article], detectors: Sequence[Detector]) -> dict[frozenset[str], Relation]:
    found: dict[frozenset[str], Relation] = {}
    for detector in detectors:
        own = run_relations(run_on(known, detector)) if isinstance(detector, Native) else relate(known, detector)
        for relation in own:
            found.setdefault(frozenset((relation.left, relation.right)), relation)
    return found
