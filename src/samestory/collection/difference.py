"""Difference sets: only articles that some detectors flag and others do not are judged.

Flagged by all: taken for a duplicate. By none: taken for none. Between: shown beside all others of its cluster.
What all detectors get wrong alike is invisible, and a further detector wants new judgements. (Uyar 2009) [uyar2009]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from samestory.collection.answers import Shape
from samestory.collection.collection import Collection, Wanted, check_known, note_run, now, put
from samestory.detectors import Detector, parse
from samestory.errors import ParameterError
from samestory.groups import Choice
from samestory.jobs import find
from samestory.model import Article

#: The cluster of every article that a detector flags.
Clusters = Mapping[str, tuple[str, ...]]


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
    chosen = [parse(each) if isinstance(each, str) else each for each in detectors]
    _check(collection, len(chosen))
    articles = list(collection.articles(among).values())
    found = [(str(detector), _clusters(collection, articles, detector)) for detector in chosen]
    return take_clusters(collection, found, [article.id for article in articles])


def take_clusters(collection: Collection, found: Sequence[tuple[str, Clusters]], among: Sequence[str]) -> Differences:
    """The same of clusters that were found elsewhere, by whoever is named, in a test set of these ids."""
    _check(collection, len(found))
    among = list(dict.fromkeys(among))
    check_known(collection, among)
    clusters = [own for _, own in found]
    if outside := {member for own in clusters for group in own.values() for member in group} - set(among):
        raise ParameterError(f"difference: {min(outside)!r} stands in a cluster and not in the test set")
    flagged = {id: [own for own in clusters if id in own] for id in among}
    between = {id: own for id, own in flagged.items() if 0 < len(own) < len(clusters)}
    by_all = [id for id, own in flagged.items() if len(own) == len(clusters)]
    with collection.database.write() as session:
        session.insert("test_sets", ("at",), [(now(),)])
        ((number,),) = session.rows("SELECT max(number) FROM test_sets")
        session.insert("members", ("test_set", "article"), [(number, id) for id in sorted(among)])
        new = 0
        for name, own in found:
            run = note_run(session, name, name, len(own), number)
            session.insert("flags", ("run", "article"), [(run, id) for id in sorted(own)])
            shown = [Wanted((id, *_others(id, between[id]))) for id in between if id in own]
            new += put(session, Shape.CLUSTER, shown, run)[0]
            # what is assumed is kept as it was seen, beside what is judged: every cluster once
            assumed = {own[id]: id for id in reversed(by_all)}
            alike = [Wanted((id, *_others(id, [own])), known="yes") for id in assumed.values()]
            put(session, Shape.CLUSTER, alike, run, "assumed")
    return Differences(len(by_all), len(among) - len(by_all) - len(between), len(between), new)


def _check(collection: Collection, detectors: int) -> None:
    if collection.shape is not Shape.CLUSTER:
        raise ParameterError(f"this collection is made by the protocol {collection.protocol!r}, not by 'difference'")
    if detectors < 2:
        raise ParameterError("difference: two detectors at least are wanted")


def _clusters(collection: Collection, articles: Sequence[Article], detector: Detector) -> Clusters:
    choice = Choice(detector.grouping, join_parts=not collection.meaning.symmetric)
    groups = find(articles, detector, choice=choice)
    return {id: group.members for group in groups if len(group.members) > 1 for id in group.members}


def _others(id: str, clusters: Sequence[Clusters]) -> list[str]:
    """The others of its clusters, each once."""
    return [other for other in dict.fromkeys(m for own in clusters for m in own[id]) if other != id]
