"""Difference sets: only articles that some detectors flag and others do not are judged.

Flagged by all: taken for a duplicate. By none: taken for none. Between: shown beside the others of its cluster.
What all detectors get wrong alike is invisible, and a further detector wants new judgements. (Uyar 2009) [uyar2009]
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from samestory.collection.answers import Shape
from samestory.collection.collection import Collection, Wanted, note_run, put
from samestory.detectors import Detector, parse
from samestory.errors import ParameterError
from samestory.groups import Choice
from samestory.jobs import find
from samestory.model import Article

#: So many others of a cluster are shown.
SHOWN = 20


@dataclass(frozen=True, slots=True)
class Differences:
    """What the detectors agree about, and what is to be judged."""

    duplicates: int
    """Flagged by all."""
    unique: int
    """Flagged by none."""
    judged: int
    """Flagged by some: to be judged."""
    new: int
    """Of those, not in the collection before."""


def difference(
    collection: Collection, detectors: Sequence[str | Detector], among: Sequence[str] | None = None
) -> Differences:
    """Lets two detectors or more flag articles, of a test set if ids are given, and puts what differs before people."""
    if collection.shape is not Shape.CLUSTER:
        raise ParameterError(f"this collection is made by the protocol {collection.protocol!r}, not by 'difference'")
    chosen = [parse(each) if isinstance(each, str) else each for each in detectors]
    if len(chosen) < 2:
        raise ParameterError("difference: two detectors at least are wanted")
    articles = list(collection.articles(among).values())
    clusters = [_clusters(collection, articles, detector) for detector in chosen]
    everyone = [article.id for article in articles]
    flagged = {id: [own for own in clusters if id in own] for id in everyone}
    between = {id: found for id, found in flagged.items() if 0 < len(found) < len(clusters)}
    by_all = [id for id, found in flagged.items() if len(found) == len(clusters)]
    with collection.database.write() as session:
        before = json.loads(collection.setting("looked at") or "[]")
        collection.settle("looked at", json.dumps(list(dict.fromkeys([*before, *everyone])), ensure_ascii=False))
        new = 0
        for detector, own in zip(chosen, clusters, strict=True):
            run = note_run(session, str(detector), str(detector), len(own))
            shown = [Wanted((id, *_others(id, between[id]))) for id in between if id in own]
            new += put(session, Shape.CLUSTER, shown, run)[0]
            # what is assumed is kept as it was seen, beside what is judged
            alike = [Wanted((id, *_others(id, [own])), known="yes") for id in by_all]
            put(session, Shape.CLUSTER, alike, run, "assumed")
    return Differences(len(by_all), len(everyone) - len(by_all) - len(between), len(between), new)


def _clusters(collection: Collection, articles: Sequence[Article], detector: Detector) -> Mapping[str, tuple[str, ...]]:
    """The cluster of every article that a detector flags."""
    choice = Choice(detector.grouping, join_parts=not collection.meaning.symmetric)
    groups = find(articles, detector, choice=choice)
    return {id: group.members for group in groups if len(group.members) > 1 for id in group.members}


def _others(id: str, clusters: Sequence[Mapping[str, tuple[str, ...]]]) -> list[str]:
    """The others of its clusters, each once."""
    return [other for other in dict.fromkeys(m for own in clusters for m in own[id]) if other != id][:SHOWN]
