"""Folding: groups the hits of any search engine by story; nothing is stored.

Every hit is in exactly one group. Groups are ordered by their best hits, and so are the hits of a group.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from samestory import _core
from samestory.detectors import Detector
from samestory.errors import InputError
from samestory.index import Columns
from samestory.model import KINDS, Article, Kind, flaw
from samestory.readers.objects import NAMES, article
from samestory.run import run_on
from samestory.web import models

#: Field names that search engines use for the snippet, where they do not return the full text.
SNIPPET_FIELDS = ("snippet", "description", "summary", "excerpt", "abstract")

#: The roles of field names, in lower case.
_ROLES = {name: role for role, names in NAMES.items() for name in names} | dict.fromkeys(SNIPPET_FIELDS, "snippet")

#: Order of the kinds of a group.
KIND_ORDER = tuple(Kind)

#: Work limit of a detector, in signature elements compared: all pairs of 280 articles of 200 words. A thousand mostly
#: unrelated articles need a tenth of it; a list that needs more is folded more coarsely.
MAX_COMPARED_ELEMENTS = 20_000_000


@dataclass(frozen=True, slots=True)
class FoldedHits:
    """Groups of positions in the list of hits, the relation kinds in each, the ids, and the rejected hits."""

    groups: list[list[int]]
    kinds: list[list[Kind]]
    ids: list[str | None]
    rejected: list[tuple[int, str]]


def fold(hits: Sequence[Any], detectors: Sequence[Detector]) -> FoldedHits:
    """Group hits by the relations of the detectors; of several relations of one pair the first detector's counts."""
    ids: list[str | None] = []
    articles: list[Article] = []
    places: list[int] = []
    rejected = []
    for place, hit in enumerate(hits):
        try:
            one = _article(hit, place)
        except InputError as error:
            rejected.append((place + 1, error.detail))
            ids.append(None)
            continue
        # ids may be missing or repeated: inside, an article is identified by its position among the valid hits
        ids.append(None if one.id == str(place + 1) else one.id)
        articles.append(Article(str(len(articles)), one.text, one.title, one.published, one.url, one.source, one.lang))
        places.append(place)
    folder = _HitFolder(articles)
    for detector in detectors:
        folder.apply(detector)
    groups: dict[int, list[int]] = {}
    for at, first in enumerate(folder.representatives()):
        groups.setdefault(first, []).append(places[at])
    kinds = folder.kinds()
    folded = [(members, [kind for kind in KIND_ORDER if kind in kinds[first]]) for first, members in groups.items()]
    folded += [([place - 1], []) for place, _ in rejected]
    folded.sort(key=lambda each: each[0][0])
    return FoldedHits([members for members, _ in folded], [found for _, found in folded], ids, rejected)


class _HitFolder:
    """Assigns articles to groups; articles are numbered best hit first, and their ids are their numbers.

    `_representative[n]` is the first article of the group of article n. Relations are stored as columns, since a
    thousand near copies have half a million of them.
    """

    def __init__(self, articles: Sequence[Article]) -> None:
        import numpy as np

        self._articles = articles
        first: dict[tuple[str | None, str], int] = {}
        # exact copies are not compared pairwise: they join the group of the first of them
        firsts = [first.setdefault((each.title, each.text), at) for at, each in enumerate(articles)]
        self._representative = np.array(firsts, np.int64)
        self._copies = np.flatnonzero(self._representative != np.arange(len(firsts)))
        self._pending = _concatenate([])  # relations between representatives, not grouped yet
        self._relations = [self._pending]  # all relations

    def apply(self, detector: Detector) -> None:
        """Relate the representatives, except pairs that an earlier detector has related."""
        found = self._related(detector)
        if found is None:
            # too many pairs: group what is related so far, then assign each article to an earlier one it is related to
            self._group_pending()
            found = self._related(detector, taken=True)
            assert found is not None
            self._representative[found.left] = found.right
            self._representative = self._representative[self._representative]
        else:
            self._pending = _concatenate([self._pending, found])
        self._relations.append(found)

    def representatives(self) -> list[int]:
        """Return the representative of every article: the first article of its group."""
        self._group_pending()
        representatives: list[int] = self._representative.tolist()
        return representatives

    def kinds(self) -> dict[int, set[Kind]]:
        """Return the relation kinds inside every group, by the number of its representative."""
        import numpy as np

        found: dict[int, set[Kind]] = {at: set() for at in self._representative.tolist()}
        for relations in self._relations:
            group = self._representative[relations.left]
            inside = group == self._representative[relations.right]
            for code in np.unique(group[inside] * len(KINDS) + relations.kinds[inside]).tolist():
                found[code // len(KINDS)].add(KINDS[code % len(KINDS)])
        for at in self._representative[self._copies].tolist():
            found[at].add(Kind.IDENTICAL)
        return found

    def _group_pending(self) -> None:
        """Group the pending relations by majority; the first article of each group becomes its representative."""
        import numpy as np

        found, count = self._pending, len(self._articles)
        if len(found.left):
            degree = np.bincount(found.left, minlength=count) + np.bincount(found.right, minlength=count)
            pairs = found.left.astype(np.uint32), found.right.astype(np.uint32)
            shares = found.forward, found.backward
            # the article with the most relations comes first
            times: list[int | None] = [None] * count
            articles = [str(at) for at in range(count)], degree.tolist(), times, [0] * count
            groups = _core.engine.group(
                articles, "longest", pairs, shares, found.kinds, "majority", True, [], [], found.scores
            )
            for row in groups:
                if len(row.members) > 1:  # an article that is alone here may have been grouped before
                    self._representative[row.members] = min(row.members)
            self._representative = self._representative[self._representative]
        self._pending = _concatenate([])

    def _related(self, detector: Detector, taken: bool = False) -> Columns | None:
        """Return the relations of pairs not related yet, or with `taken` one per article; None if too much work."""
        import numpy as np

        own = np.flatnonzero(self._representative == np.arange(len(self._representative)))
        candidates = [self._articles[at] for at in own.tolist()]
        run = run_on(candidates, detector)
        run.index()
        number = np.array(run.corpus.articles().ids, np.int64)  # original number of every article of the run
        if taken:
            relations = run.corpus.relations(max_work=MAX_COMPARED_ELEMENTS, greedy=True)
        else:
            at = np.zeros(len(self._articles), np.uint32)
            at[number] = np.arange(len(number), dtype=np.uint32)
            beside = (at[self._pending.left], at[self._pending.right])
            relations = run.corpus.relations(beside=beside, max_work=MAX_COMPARED_ELEMENTS)
        if relations is None:
            return None
        found = Columns.from_core(relations)
        return Columns(number[found.left], number[found.right], *found[2:])


def _concatenate(parts: Sequence[Columns]) -> Columns:
    """Concatenate columns of relations."""
    import numpy as np

    types = (np.int64, np.int64, np.uint8, np.float64, np.float64, np.float64)
    none = [np.zeros(0, type) for type in types]
    return Columns(*(np.concatenate(column) for column in zip(none, *parts, strict=True)))


def _usual_article(hit: dict[Any, Any], place: int) -> Article | None:
    """Convert a hit whose fields are texts, one for each role, as the reader would; None for any other hit.

    The reader, which understands every kind of field, takes most of the time of a long list.
    """
    found: dict[str, Any] = {}
    for name, content in hit.items():
        role = _ROLES.get(name)
        if role is None:
            if not isinstance(name, str) or name.lower() in _ROLES:
                return None
        elif type(content) is not str or not content.strip() or flaw(content) or role in found:
            return None
        else:
            found[role] = content
    passage, title, url = found.pop("snippet", None), found.get("title"), found.get("url")
    text, id = found.pop("text", None) or passage, found.pop("id", None) or url or str(place + 1)
    if title is None or text is None or text == title or not (id + (url or "")).isprintable():
        return None
    return Article(id, text, **found)


def _article(hit: Any, place: int) -> Article:
    """Convert a hit to an article; a title or a snippet stands in for a missing text."""
    one = (_usual_article(hit, place) if type(hit) is dict else None) or _any_article(hit, place)
    if len(one.text) > models.MAX_TEXT_CHARS:
        raise InputError(f"text: longer than {models.MAX_TEXT_CHARS:,} characters")
    return one


def _any_article(hit: Any, place: int) -> Article:
    """Convert a hit with fields of any kind."""
    if not isinstance(hit, Mapping):
        one = article(hit, place + 1, with_metadata=False)
    else:
        try:
            one = article(hit, place + 1, with_metadata=False)
        except InputError:
            one = Article(str(place + 1), "")
        if not one.text.strip() or one.text == one.title:  # the reader uses the title where the text is missing
            fields = {name.lower(): value for name, value in hit.items() if isinstance(name, str)}
            passage = next((fields[name] for name in SNIPPET_FIELDS if isinstance(fields.get(name), str)), one.text)
            if one.title and passage.strip() and not flaw(passage):
                one = replace(one, text=passage)
            else:
                one = article({**hit, "text": passage}, place + 1, with_metadata=False)
        if not one.text.strip() and one.title:
            one = replace(one, text=one.title)
    if not one.text.strip():
        raise InputError("empty text, snippet and title")
    return one
