"""Two texts beside each other; of long ones only the beginnings, so that nobody waits for what repeats itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from samestory.archive import Archive, Stored
from samestory.explanation import Explanation, explain
from samestory.model import Article

#: So many characters of a text are compared.
LONGEST = 100_000


def cut(article: Article) -> Article:
    """The article, with the beginning of its text if that is too long to be compared."""
    return article if len(article.text) <= LONGEST else replace(article, text=article.text[:LONGEST])


def beginning(*articles: Article) -> int | None:
    """How many characters of each are compared; None where that is all of them."""
    return LONGEST if any(len(article.text) > LONGEST for article in articles) else None


def explained(archive: Archive, left: Article, right: Article) -> Explanation:
    """What the first detector of the archive says that relates two articles; if none does, what the first says."""
    one, other = cut(left), cut(right)
    told = [explain(one, other, archive.detectors[0])]
    for detector in archive.detectors[1:]:
        if told[-1].relation:
            break
        told.append(explain(one, other, detector))
    return told[-1] if told[-1].relation else told[0]


@dataclass(frozen=True, slots=True)
class Version:
    """A version that an article had before, beside the next one."""

    article: Article
    revision: int
    replaced: int
    """When the next one came; microseconds since 1970."""
    next: Explanation
    """The next version stands left."""
    beginning: int | None


def versions(archive: Archive, newest: Stored) -> Iterator[Version]:
    """The versions that an article had before, the oldest first."""
    with archive.database.read() as session:
        rows = session.rows(
            "SELECT revision, text, title, published, replaced FROM revisions WHERE id = ? ORDER BY revision",
            (newest.article.id,),
        )
    old = [replace(newest.article, text=text, title=title, published=day) for _, text, title, day, _ in rows]
    for (revision, *_, replaced), (before, after) in zip(rows, pairwise([*old, newest.article]), strict=True):
        name = newest.article.id
        left, right = replace(cut(after), id=f"{name}@{revision + 1}"), replace(cut(before), id=f"{name}@{revision}")
        yield Version(before, revision, replaced, explain(left, right), beginning(before, after))
