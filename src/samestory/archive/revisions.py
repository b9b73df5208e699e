"""Old versions of articles: what an article said before it came again with another text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from samestory.archive.stored import Stored
from samestory.database import Session
from samestory.explanation import Explanation, explain
from samestory.model import Article, Kind, Overlap, Relation


@dataclass(frozen=True, slots=True)
class Revision:
    """An old version of an article, and what became of it."""

    article: Article
    revision: int
    replaced: int
    """When the next version came; microseconds since 1970."""
    next: Explanation
    """The next version, beside this one: what it has in common with it, and what each has alone."""
    whole: bool = True
    """Whether all of both was compared."""

    @property
    def relation(self) -> Relation:
        """The next version is an update of this one."""
        left, right = f"{self.article.id}@{self.revision + 1}", f"{self.article.id}@{self.revision}"
        overlap = Overlap(*self.next.overlap)
        return Relation(left, right, Kind.UPDATE, overlap, "", overlap.share)


def keep(session: Session, old: Sequence[Stored], now: int) -> None:
    """Keeps versions that are about to be replaced."""
    session.insert(
        "revisions",
        ("id", "revision", "text", "title", "published", "at", "replaced"),
        [
            (
                each.article.id,
                each.revision,
                each.article.text,
                each.article.title,
                each.article.published,
                each.at,
                now,
            )
            for each in old
        ],
    )


def load(session: Session, newest: Stored, longest: int | None = None, most: int | None = None) -> list[Revision]:
    """The versions that an article had before, the oldest first, each beside the next one.

    Of each `longest` characters are compared, of many versions the last `most` are given.
    """
    sql = "SELECT revision, text, title, published, replaced FROM revisions WHERE id = ? ORDER BY revision DESC"
    rows = session.rows(f"{sql} LIMIT ?", (newest.article.id, 2**31 if most is None else most))[::-1]
    versions = [
        replace(newest.article, text=text, title=title, published=published) for _, text, title, published, _ in rows
    ]
    out = []
    for (revision, *_, replaced), (before, after) in zip(rows, pairwise([*versions, newest.article]), strict=True):
        cut = after.beginning(longest), before.beginning(longest)
        left, right = (replace(each, id=f"{each.id}@{revision + 1 - at}") for at, each in enumerate(cut))
        out.append(Revision(before, revision, replaced, explain(left, right), cut == (after, before)))
    return out
