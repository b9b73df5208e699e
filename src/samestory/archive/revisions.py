"""Earlier versions of articles that were added again with another text or title."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from samestory.archive import checksums
from samestory.archive.stored import StoredArticle
from samestory.database import Session
from samestory.explanation import Explanation, explain
from samestory.model import Article, ArticleMetadata, Kind, Overlap, Relation


@dataclass(frozen=True, slots=True)
class Revision:
    """An earlier version of an article, compared with the next one."""

    article: Article
    revision: int
    replaced: int
    """When the next version arrived; microseconds since 1970."""
    next: Explanation
    """The comparison of the next version with this one: shared passages and those of each alone."""
    whole: bool = True
    """Whether both versions were compared in full."""

    @property
    def relation(self) -> Relation:
        """The UPDATE relation of the next version to this one."""
        left, right = f"{self.article.id}@{self.revision + 1}", f"{self.article.id}@{self.revision}"
        overlap = Overlap(*self.next.overlap)
        return Relation(left, right, Kind.UPDATE, overlap, "", overlap.share)


def save(session: Session, old: Sequence[StoredArticle], now: int) -> None:
    """Store versions that are about to be replaced."""
    checksums.insert(
        session,
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


def load(
    session: Session, newest: StoredArticle, longest: int | None = None, most: int | None = None
) -> list[Revision]:
    """Return the earlier versions of an article, oldest first, each compared with the next one.

    At most `longest` characters of each are compared, and at most the last `most` versions returned.
    """
    sql = (
        "SELECT r.revision, r.text, r.title, r.published, m.fields, r.replaced FROM revisions r"
        " LEFT JOIN metadata m ON m.id = r.id AND m.revision = r.revision WHERE r.id = ? ORDER BY r.revision DESC"
    )
    rows = session.rows(f"{sql} LIMIT ?", (newest.article.id, 2**31 if most is None else most))[::-1]
    versions = [
        replace(newest.article, text=text, title=title, published=published, metadata=ArticleMetadata.from_json(fields))
        for _, text, title, published, fields, _ in rows
    ]
    out = []
    for (revision, *_, replaced), (before, after) in zip(rows, pairwise([*versions, newest.article]), strict=True):
        cut = after.beginning(longest), before.beginning(longest)
        left, right = (replace(each, id=f"{each.id}@{revision + 1 - at}") for at, each in enumerate(cut))
        out.append(Revision(before, revision, replaced, explain(left, right), cut == (after, before)))
    return out
