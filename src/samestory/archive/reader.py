"""What an archive stores, for reading: nothing of it needs the indexes in memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

from samestory import explanation
from samestory.archive import log, revisions, stored
from samestory.archive.stats import stats
from samestory.archive.stored import StoredArticle
from samestory.database import Database
from samestory.detectors import Detector, parse
from samestory.errors import InputError
from samestory.stream import Change

#: Articles in memory at a time.
BATCH_SIZE = 1000


class ArchiveReader:
    """The stored articles of an archive, their versions and changes."""

    database: Database
    detectors: tuple[Detector, ...]
    window: timedelta | None
    as_is: bool

    def article(self, id: str) -> StoredArticle | None:
        """Return an article, or None."""
        return self.articles([id]).get(id)

    def articles(self, ids: Iterable[str]) -> dict[str, StoredArticle]:
        """Return the stored articles with these ids, by id."""
        with self.database.read() as session:
            return stored.load(session, ids)

    def each(self) -> Iterator[StoredArticle]:
        """Yield all articles in order of arrival, as they are now."""
        with self.database.read() as session:
            last = 0
            while batch := stored.load_after(session, last, BATCH_SIZE):
                last = batch[-1].number
                yield from batch

    def revisions(self, id: str, longest: int | None = None, most: int | None = None) -> list[revisions.Revision]:
        """Return the earlier versions of an article, oldest first, each compared with the next one.

        At most `longest` characters of each are compared, and at most the last `most` versions returned.
        """
        with self.database.read() as session:
            newest = stored.load(session, [id]).get(id)
            return revisions.load(session, newest, longest, most) if newest else []

    def explain(self, left: str, right: str, longest: int | None = None) -> explanation.Explanation:
        """Explain why two articles are, or are not, the same story, by the first detector that relates them.

        At most `longest` characters of each are compared.
        """
        found = self.articles([left, right])
        if absent := [id for id in (left, right) if id not in found]:
            raise InputError(f"no article has the id {absent[0]!r}")
        one, other = (found[id].article.beginning(longest) for id in (left, right))
        return explanation.explain_by_first(one, other, self.detectors, self.as_is)

    def detector(self, spec: str) -> Detector:
        """Return the detector of a stored relation; the archive may have had others when it was stored."""
        return next((each for each in self.detectors if str(each) == spec), None) or parse(spec)

    def changes(self, since: int = 0, limit: int = 1000) -> list[tuple[int, Change]]:
        """Return the changes to groups after a log position, each with its own position."""
        with self.database.read() as session:
            return log.read(session, since, limit)

    def stats(self) -> dict[str, Any]:
        """Return counts, time range, settings and size of the archive."""
        with self.database.read() as session:
            found = stats(session)
        return {
            **found,
            "detectors": [str(each) for each in self.detectors],
            "window_days": None if self.window is None else self.window / timedelta(days=1),
            "bytes": self.database.size(),
        }

    def backup(self, path: str | Path) -> None:
        """Copy the database as it is now into a file, while others read and write."""
        self.database.backup(path)
