"""What pages state of articles beside results: whether their dates are known, and words that name untitled ones."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import NamedTuple

from samestory.archive.times import moment
from samestory.database import Database

#: Characters read of the text of an untitled article, and characters of the words that name it.
MAX_READ_CHARS, MAX_NAME_CHARS = 400, 80
#: Stories looked up per statement.
STORIES_PER_QUERY = 400


class ArticleLabel(NamedTuple):
    """Whether the publication time of an article is known, and the first words of one without a title."""

    is_dated: bool
    first_words: str | None


class LatestArticle(NamedTuple):
    """The latest article of a story; `time`: its publication time or, if unknown, the time of its arrival."""

    id: str
    source: str | None
    time: datetime
    is_dated: bool


def article_labels(database: Database, ids: Collection[str]) -> dict[str, ArticleLabel]:
    """Return the labels of articles, by id."""
    with database.read() as session:
        rows = session.rows_among(
            "SELECT a.id, a.at IS NOT NULL, CASE WHEN t.title IS NULL OR trim(t.title) = ''"
            f" THEN substr(t.text, 1, {MAX_READ_CHARS}) END"
            " FROM articles a JOIN texts t ON t.number = a.number WHERE a.id IN ({})",
            sorted(set(ids)),
        )
    return {
        id: ArticleLabel(bool(is_dated), None if text is None else first_words(text)) for id, is_dated, text in rows
    }


def first_words(text: str) -> str | None:
    """Return the beginning of a text, cut between words; None if it has none.

    >>> first_words("One two. " * 20)
    'One two. One two. One two. One two. One two. One two. One two. One two. One two…'
    """
    line = " ".join(text[:MAX_READ_CHARS].split())
    if len(line) <= MAX_NAME_CHARS:
        return line or None
    cut = line[: MAX_NAME_CHARS + 1].rpartition(" ")[0] or line[:MAX_NAME_CHARS]
    return cut.rstrip(".,;:") + "…"


def latest_articles(database: Database, numbers: Collection[int]) -> dict[int, LatestArticle]:
    """Return the latest article of each story, by the number of the story."""
    wanted, out = sorted(set(numbers)), {}
    with database.read() as session:
        for start in range(0, len(wanted), STORIES_PER_QUERY):
            chunk = wanted[start : start + STORIES_PER_QUERY]
            marks = ", ".join(["(?)"] * len(chunk))
            # one step in the index of stories and times for each: a story may have ten thousand articles
            rows = session.rows(
                f"WITH wanted (story) AS (VALUES {marks})"
                " SELECT a.story, a.id, a.source, coalesce(a.at, a.arrived), a.at IS NOT NULL FROM wanted w"
                " JOIN articles a ON a.number = (SELECT b.number FROM articles b WHERE b.story = w.story"
                " ORDER BY coalesce(b.at, b.arrived) DESC, b.number DESC LIMIT 1)",
                chunk,
            )
            for story, id, source, time, is_dated in rows:
                out[story] = LatestArticle(id, source, moment(time), bool(is_dated))
    return out
