"""Difference sets: only articles that some detectors flag and others do not are judged.

Flagged by all: assumed to be a duplicate. By none: assumed to be unique. By some: shown with all others of its cluster.
Errors that all detectors share are invisible, and a further detector needs new judgements. (Uyar 2009) [uyar2009]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from samestory.detectors import Detector, parse
from samestory.errors import ParameterError
from samestory.groups import GroupingOptions
from samestory.jobs import find
from samestory.lab.collection.answers import Shape
from samestory.lab.collection.collection import (
    Collection,
    NewItem,
    add_items,
    check_article_ids,
    now_micros,
    record_run,
)
from samestory.model import Article

#: The cluster of every article that a detector flags.
Clusters = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Differences:
    """Numbers of articles that the detectors agree and disagree about."""

    duplicates: int
    """Flagged by all."""
    unique: int
    """Flagged by none."""
    judged: int
    """Flagged by some, therefore to be judged."""
    new: int
    """Of those, not in the collection before this run."""


def difference(
    collection: Collection, detectors: Sequence[str | Detector], among: Sequence[str] | None = None
) -> Differences:
    """Run two or more detectors on all articles, or on a test set of ids, and add the differences as items."""
    chosen = [parse(each) if isinstance(each, str) else each for each in detectors]
    _check(collection, len(chosen))
    articles = list(collection.articles(among).values())
    found = [(str(detector), _clusters(collection, articles, detector)) for detector in chosen]
    return add_clusters(collection, found, [article.id for article in articles])


def add_clusters(collection: Collection, found: Sequence[tuple[str, Clusters]], among: Sequence[str]) -> Differences:
    """Add the differences between named sets of clusters that were computed elsewhere, in a test set of these ids."""
    _check(collection, len(found))
    among = list(dict.fromkeys(among))
    check_article_ids(collection, among)
    clusters = [own for _, own in found]
    if outside := {member for own in clusters for group in own.values() for member in group} - set(among):
        raise ParameterError(f"difference: article {min(outside)!r} is in a cluster but not in the test set")
    flagged = {id: [own for own in clusters if id in own] for id in among}
    between = {id: own for id, own in flagged.items() if 0 < len(own) < len(clusters)}
    by_all = [id for id, own in flagged.items() if len(own) == len(clusters)]
    with collection.database.write() as session:
        session.insert("test_sets", ("at",), [(now_micros(),)])
        ((number,),) = session.rows("SELECT max(number) FROM test_sets")
        session.insert("members", ("test_set", "article"), [(number, id) for id in sorted(among)])
        new = 0
        for name, own in found:
            run = record_run(session, name, name, len(own), number)
            session.insert("flags", ("run", "article"), [(run, id) for id in sorted(own)])
            shown = [NewItem((id, *_others(id, between[id]))) for id in between if id in own]
            new += add_items(session, Shape.CLUSTER, shown, run)[0]
            # assumed duplicates are stored like judged items: one per cluster
            assumed = {own[id]: id for id in reversed(by_all)}
            alike = [NewItem((id, *_others(id, [own])), known="yes") for id in assumed.values()]
            add_items(session, Shape.CLUSTER, alike, run, "assumed")
    return Differences(len(by_all), len(among) - len(by_all) - len(between), len(between), new)


def _check(collection: Collection, detectors: int) -> None:
    if collection.shape is not Shape.CLUSTER:
        raise ParameterError(f"this collection has the protocol {collection.protocol!r}, not 'difference'")
    if detectors < 2:
        raise ParameterError("difference: at least two detectors are required")


def _clusters(collection: Collection, articles: Sequence[Article], detector: Detector) -> Clusters:
    grouping = GroupingOptions(detector.grouping, join_parts=not collection.meaning.symmetric)
    groups = find(articles, detector=detector, grouping=grouping)
    return {id: group.members for group in groups if len(group.members) > 1 for id in group.members}


def _others(id: str, clusters: Sequence[Clusters]) -> list[str]:
    """Return the other articles of the clusters of an article, without repetition."""
    return [other for other in dict.fromkeys(m for own in clusters for m in own[id]) if other != id]
