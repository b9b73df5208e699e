"""Folding: the hits of any search engine in, groups out; nothing is kept.

Every hit is in one group. Groups stand in the order of their best hits, and so do the hits in a group.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from samestory import _core
from samestory.detectors import Detector, Native
from samestory.errors import InputError
from samestory.index import Columns
from samestory.jobs import relate, run_on
from samestory.model import KINDS, Article, Kind, Relation, flaw
from samestory.readers.objects import article
from samestory.web import models

#: What search engines call the passage that they show, where they do not give the whole text.
SNIPPETS = ("snippet", "description", "summary", "excerpt", "abstract")

#: Kinds as they are told.
ORDER = tuple(Kind)

#: The most work of a detector, in numbers of signatures compared: all pairs of 280 articles of 200 words. A thousand
#: articles that have little to do with each other need a tenth of it; a list that needs more is folded more coarsely.
MOST = 20_000_000


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
    places: list[int] = []
    rejected = []
    for place, hit in enumerate(hits):
        try:
            one = _article(hit, place)
        except InputError as error:
            rejected.append((place + 1, str(error).removeprefix(f"article {place + 1}: ")))
            ids.append(None)
            continue
        # two hits may have one id, or none: here each is known by its place among those that can be read
        ids.append(None if one.id == str(place + 1) else one.id)
        known.append(Article(str(len(known)), one.text, one.title, one.published, one.url, one.source, one.lang))
        places.append(place)
    folding = _Folding(known)
    for detector in detectors:
        folding.ask(detector)
    groups: dict[int, list[int]] = {}
    for at, stands in enumerate(folding.settled()):
        groups.setdefault(stands, []).append(places[at])
    kinds = folding.kinds()
    folded = [(members, [kind for kind in ORDER if kind in kinds[stands]]) for stands, members in groups.items()]
    folded += [([place - 1], []) for place, _ in rejected]
    folded.sort(key=lambda each: each[0][0])
    return Folded([members for members, _ in folded], [found for _, found in folded], ids, rejected)


class _Folding:
    """Articles on their way into groups; they are numbered, the best first, and their ids are their numbers.

    Relations are columns: a thousand near copies have half a million of them.
    """

    def __init__(self, articles: Sequence[Article]) -> None:
        import numpy as np

        self._articles = articles
        first: dict[tuple[str | None, str], int] = {}
        # a thousand copies of one hit are not compared two by two: they go where the first of them goes
        stands = [first.setdefault((each.title, each.text), at) for at, each in enumerate(articles)]
        self._stands = np.array(stands, np.int64)
        self._copies = np.flatnonzero(self._stands != np.arange(len(stands)))
        self._open = _columns([])  # what was found among those that stand for themselves
        self._told = [self._open]  # all that was found

    def ask(self, detector: Detector) -> None:
        """Relates those that stand for themselves, where nobody before has."""
        found = self._related(detector)
        if found is None:
            # too much to compare two by two: what is known so far is settled, and whoever stands takes others with it
            self._settle()
            found = self._related(detector, taken=True)
            assert found is not None
            self._stands[found.left] = found.right
            self._stands = self._stands[self._stands]
        else:
            self._open = _columns([self._open, found])
        self._told.append(found)

    def settled(self) -> list[int]:
        """For every article the one that stands for its group, which is the first of it."""
        self._settle()
        stands: list[int] = self._stands.tolist()
        return stands

    def kinds(self) -> dict[int, set[Kind]]:
        """What was found inside of every group, by the number of what stands for it."""
        import numpy as np

        found: dict[int, set[Kind]] = {at: set() for at in self._stands.tolist()}
        for told in self._told:
            home = self._stands[told.left]
            inside = home == self._stands[told.right]
            for code in np.unique(home[inside] * len(KINDS) + told.kinds[inside]).tolist():
                found[code // len(KINDS)].add(KINDS[code % len(KINDS)])
        for at in self._stands[self._copies].tolist():
            found[at].add(Kind.IDENTICAL)
        return found

    def _settle(self) -> None:
        """Makes groups of what was found: the first of each stands for it."""
        import numpy as np

        found, count = self._open, len(self._articles)
        if len(found.left):
            degree = np.bincount(found.left, minlength=count) + np.bincount(found.right, minlength=count)
            order = sorted(range(count), key=lambda at: (-int(degree[at]), str(at)))
            pairs = found.left.astype(np.uint32), found.right.astype(np.uint32)
            shares = found.forward, found.backward
            ranks = np.array(order, np.uint32)
            groups = _core.group(count, pairs, shares, found.kinds, ranks, "majority", True, [], [], found.scores)
            for _, members, *_ in groups.rows(2):
                self._stands[members] = min(members)
            self._stands = self._stands[self._stands]
        self._open = _columns([])

    def _related(self, detector: Detector, taken: bool = False) -> Columns | None:
        """The relations of pairs that are not related yet, or of who is taken by whom; None if that is too much."""
        import numpy as np

        own = np.flatnonzero(self._stands == np.arange(len(self._stands)))
        standing = [self._articles[at] for at in own.tolist()]
        if not isinstance(detector, Native):
            return self._besides(relate(standing, detector))
        run = run_on(standing, detector)
        run.meet()
        number = np.array(run.corpus.ids(), np.int64)  # of every article of the run
        if taken:
            told: _core.Relations | None = run.corpus.taken(MOST)
        else:
            at = np.zeros(len(self._articles), np.uint32)
            at[number] = np.arange(len(number), dtype=np.uint32)
            told = run.corpus.relations_beside((at[self._open.left], at[self._open.right]), MOST)
        if told is None:
            return None
        types = (np.uint32, np.uint32, np.uint8, np.float64, np.float64, np.float64)
        left, right, *rest = (np.frombuffer(each, type) for each, type in zip(told.columns(), types, strict=True))
        return Columns(number[left], number[right], *rest)

    def _besides(self, relations: Sequence[Relation]) -> Columns:
        """The relations of pairs that are not related yet."""
        import numpy as np

        known = set(zip(self._open.left.tolist(), self._open.right.tolist(), strict=True))
        rows = [
            (int(r.left), int(r.right), KINDS.index(r.kind), *r.overlap, r.score)
            for r in relations
            if not known & {(int(r.left), int(r.right)), (int(r.right), int(r.left))}
        ]
        columns = zip(*rows, strict=True) if rows else [()] * 6
        left, right, kinds, *rest = (np.array(column) for column in columns)
        return Columns(left.astype(np.int64), right.astype(np.int64), kinds.astype(np.uint8), *rest)


def _columns(parts: Sequence[Columns]) -> Columns:
    """Relations one after the other."""
    import numpy as np

    types = (np.int64, np.int64, np.uint8, np.float64, np.float64, np.float64)
    none = [np.zeros(0, type) for type in types]
    return Columns(*(np.concatenate(column) for column in zip(none, *parts, strict=True)))


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
            passage = next((shown[name] for name in SNIPPETS if isinstance(shown.get(name), str)), one.text)
            if one.title and passage.strip() and not flaw(passage):
                one = replace(one, text=passage)
            else:
                one = article({**hit, "text": passage}, place + 1)
        if not one.text.strip() and one.title:
            one = replace(one, text=one.title)
    if not one.text.strip():
        raise InputError("no words in its text, snippet or title")
    if len(one.text) > models.LONGEST_TEXT:
        raise InputError(f"text: at most {models.LONGEST_TEXT:,} characters are taken")
    return one
