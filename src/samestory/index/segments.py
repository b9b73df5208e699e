"""The segments of an index in a database: most of its articles, in files from which only what a query needs is read.

The database is the truth: a row for each segment says which entries it has, and a file that is missing or damaged is
written again from these. Files are written once and never changed; several processes read them, and the process in a
write transaction adds some. What is deleted later is noted in the database.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import time
import warnings
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from samestory.database import Database, Session
from samestory.database.places import is_address
from samestory.errors import StoreError
from samestory.index.durable import Durable
from samestory.index.finder import Finder, check_segment, merge_segments

#: So many articles in memory are written to a segment: a process that opens the index reads fewer of them.
MIN_ARTICLES = 2048
#: So many neighbouring segments of one level or below are merged, which gives one of the next level.
SEGMENTS_PER_LEVEL = 8
#: Segments of this level are not merged: half a million articles.
MAX_LEVEL = 3
#: A segment with a larger share of removed articles is written anew.
MAX_REMOVED_SHARE = 0.5
#: Files that belong to no row are deleted after this time: another process may be about to commit their row.
ORPHAN_SECONDS = 600.0
#: Entries of an archive without segments that are written to each of its first ones.
ENTRIES_PER_FIRST_SEGMENT = 16_384


class Segment(NamedTuple):
    """A row of the table `segments`."""

    name: str
    first: int
    last: int
    articles: int
    outside: list[str]

    @property
    def level(self) -> int:
        """How often its articles have been merged, by their number."""
        level, most = 0, MIN_ARTICLES * SEGMENTS_PER_LEVEL // 2
        while self.articles > most and level < MAX_LEVEL:
            level, most = level + 1, most * SEGMENTS_PER_LEVEL
        return level


class Segments:
    """The segments of one index."""

    def __init__(self, store: Durable, detector: str, mark: str) -> None:
        """`mark`: what the signatures depend on; `detector`: the name of the index in the database."""
        self._store, self._detector, self._mark = store, detector, mark
        self._folder = folder_of(store.database)
        self.last = 0
        """The number of the last entry that is in a segment."""

    def attach(self, finder: Finder) -> list[str]:
        """Attach all segments to an index; return the ids of entries that they should have and do not."""
        with self._store.database.read() as session:
            found = load_segments(session, self._detector)
            outside = [id for each in found for id in each.outside]
            for each in found:
                self.last = each.last
                if not self._attach(session, finder, each):
                    entries = self._store.between(each.first, each.last)
                    outside += [id for part in entries for id in part.ids]
        return outside

    def _attach(self, session: Session, finder: Finder, segment: Segment) -> bool:
        """Attach a segment, and write it again if that fails; return whether it is attached."""
        path = self._path(segment.name)
        if Path(path).exists():
            try:
                self._attach_file(finder, segment, path, self._removed(session, segment))
                return True
            except StoreError as error:
                set_aside(path, error)
        try:
            self._write_again(finder, segment)
        except OSError:  # a folder that cannot be written: the articles are indexed in memory
            return False
        return True

    def _attach_file(self, finder: Finder, segment: Segment, path: str, dead: list[str]) -> None:
        """Attach the file of a segment; raises a StoreError if it is damaged or does not have all articles.

        A file that was written again lacks the articles that had been removed by then. It may be used with an earlier
        state of the database, in which they are not removed: with a backup that was restored to the same place.
        """
        others = len(finder)
        finder.attach(path, self._mark, dead)
        if len(finder) - others != segment.articles - len(set(dead) - set(segment.outside)):
            finder.replace([path], None, self._mark)
            raise StoreError("a segment of another state of the archive", place=path)

    def _write_again(self, finder: Finder, segment: Segment) -> None:
        if not self._is_writable():
            raise PermissionError(self._folder)
        writer, outside = finder.empty(), set(segment.outside)
        for entries in self._store.between(segment.first, segment.last):
            if damaged := writer.file(entries):
                self._store.refuse(damaged[0])
        writer.remove(sorted(outside))
        path = self._path(segment.name)
        if writer.freeze(path, self._mark):
            finder.attach(path, self._mark, [])

    def write_stored(self, session: Session, finder: Finder) -> None:
        """Write stored entries that are in no segment to segments, but for less than a segment of the last ones.

        After a calibration, and in an archive of an older samestory, these are all entries: in memory they would take
        several kilobytes each. Without a folder that can be written, nothing happens.
        """
        while (last := self._end_of_first_segment(session)) and self._is_writable():
            writer, name = finder.empty(), self._new_name()
            for entries in self._store.between(self.last, last):
                if damaged := writer.file(entries):
                    self._store.refuse(damaged[0])
            path = self._path(name)
            count = writer.freeze(path, self._mark)
            finder.attach(path, self._mark, [])
            self._insert(session, Segment(name, self.last, last, count, []))
            self.last = last
            self._merge(session, finder)

    def _end_of_first_segment(self, session: Session) -> int | None:
        sql = "SELECT number FROM entries WHERE detector = ? AND number > ? ORDER BY number LIMIT 1 OFFSET ?"
        row = session.one(sql, (self._detector, self.last, ENTRIES_PER_FIRST_SEGMENT - 1))
        return row[0] if row else None

    def freeze(self, session: Session, finder: Finder, alone: list[str]) -> None:
        """Write the articles in memory to a segment, but for those that are reported on their own; merge segments.

        Without a folder that can be written, all articles stay in memory.
        """
        if not self._is_writable():
            return
        finder.remove(alone)
        name = self._new_name()
        count = finder.freeze(self._path(name), self._mark)
        (last,) = session.one("SELECT max(number) FROM entries WHERE detector = ?", (self._detector,)) or (None,)
        if count and last is not None:
            sql = "SELECT id FROM entries WHERE detector = ? AND number > ? AND id IN ({})"
            outside = [id for (id,) in session.rows_among(sql, alone, (self._detector, self.last))]
            self._insert(session, Segment(name, self.last, last, count, outside))
            self.last = last
            self._merge(session, finder)
        for entries in [self._store.some(alone)] if alone else []:
            finder.file(entries)
        self._delete_orphans(session)

    def _merge(self, session: Session, finder: Finder) -> None:
        """Write segments anew of which most articles were removed, and merge the last ones if many are small."""
        for each in load_segments(session, self._detector):
            if len(self._removed(session, each)) > MAX_REMOVED_SHARE * each.articles:
                self._write_merged(session, finder, [each])
        while run := merge_run(load_segments(session, self._detector)):
            if not self._write_merged(session, finder, run):
                return

    def _write_merged(self, session: Session, finder: Finder, run: list[Segment]) -> bool:
        """Write neighbouring segments as one; return whether it was possible."""
        paths = [self._path(each.name) for each in run]
        if not all(Path(path).exists() for path in paths):
            return False
        name, first, last = self._new_name(), run[0].first, run[-1].last
        outside = [id for each in run for id in self._still_outside(session, each)]
        parts = [(path, self._removed(session, each)) for path, each in zip(paths, run, strict=True)]
        count = merge_segments(parts, self._path(name), self._mark)
        finder.replace(paths, self._path(name) if count else None, self._mark)
        within = "WHERE detector = ? AND {} > ? AND {} <= ?"
        session.run(f"DELETE FROM segments {within.format('last', 'last')}", (self._detector, first, last))
        session.run(f"DELETE FROM removed_entries {within.format('number', 'number')}", (self._detector, first, last))
        if count or outside:
            self._insert(session, Segment(name, first, last, count, outside))
        return True

    def _removed(self, session: Session, segment: Segment) -> list[str]:
        """Return the ids of the articles that were removed since a segment was written."""
        sql = "SELECT id FROM removed_entries WHERE detector = ? AND number > ? AND number <= ?"
        return [id for (id,) in session.rows(sql, (self._detector, segment.first, segment.last))]

    def _still_outside(self, session: Session, segment: Segment) -> list[str]:
        """Return the ids of the entries of a segment that are not in its file, without those removed since."""
        sql = "SELECT id FROM entries WHERE detector = ? AND number > ? AND number <= ? AND id IN ({})"
        of_segment = (self._detector, segment.first, segment.last)
        return [id for (id,) in session.rows_among(sql, segment.outside, of_segment)]

    def _insert(self, session: Session, segment: Segment) -> None:
        columns = ("name", "detector", "first", "last", "articles", "outside")
        row = (segment.name, self._detector, *segment[1:4], json.dumps(segment.outside, ensure_ascii=False))
        session.insert("segments", columns, [row])

    def _delete_orphans(self, session: Session) -> None:
        """Delete the files that merges have left, and those of transactions that were rolled back."""
        known = {name for (name,) in session.rows("SELECT name FROM segments")}
        before = time.time() - ORPHAN_SECONDS
        for path in self._folder.iterdir():
            with suppress(OSError):
                if path.stem not in known and path.stat().st_mtime < before:
                    path.unlink()

    def _is_writable(self) -> bool:
        """Whether the folder exists, or could be made, and files can be written into it."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except OSError:
            return False
        return os.access(self._folder, os.W_OK)

    def _new_name(self) -> str:
        return f"{self._detector}-{secrets.token_hex(8)}"

    def _path(self, name: str) -> str:
        return str(self._folder / f"{name}.segment")


def load_segments(session: Session, detector: str) -> list[Segment]:
    """Return the segments of an index, in the order of their entries."""
    sql = "SELECT name, first, last, articles, outside FROM segments WHERE detector = ? ORDER BY first"
    rows = session.rows(sql, (detector,))
    return [Segment(name, first, last, articles, json.loads(outside)) for name, first, last, articles, outside in rows]


def merge_run(found: list[Segment]) -> list[Segment]:
    """Return the last segments that are to be merged: as many as make one of the next level."""
    for level in range(MAX_LEVEL):
        larger = [at for at, each in enumerate(found) if each.level > level]
        run = found[larger[-1] + 1 if larger else 0 :]
        if len(run) >= SEGMENTS_PER_LEVEL:
            return run
    return []


def drop_segments(session: Session) -> None:
    """Forget all segments: their signatures are no longer those of the database."""
    session.run("DELETE FROM segments")
    session.run("DELETE FROM removed_entries")


def folder_of(database: Database) -> Path:
    """Return the folder of the segments of a database: beside a file, or in the cache of the user."""
    if not is_address(database.place):
        return Path(f"{Path(database.place).absolute()}.index")
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return cache / "samestory" / hashlib.sha256(database.name.encode()).hexdigest()[:24]


def damaged_segments(database: Database, session: Session) -> list[tuple[str, StoreError]]:
    """Read all segments that this machine has; return the paths of those that are damaged, with the reason."""
    out = []
    removed = (
        "SELECT count(DISTINCT r.id) FROM removed_entries r WHERE r.detector = s.detector AND r.number > s.first"
        " AND r.number <= s.last"
    )
    rows = session.rows(f"SELECT s.name, s.detector, s.articles, ({removed}) FROM segments s ORDER BY s.name")
    for name, detector, articles, dead in rows:
        path = str(folder_of(database) / f"{name}.segment")
        if Path(path).exists():
            try:
                found = check_segment(path, Durable(database, detector).fingerprint)
                # one that was written again lacks the articles removed by then
                if not articles - dead <= found <= articles:
                    raise StoreError("a segment of another state of the archive", place=path)
            except StoreError as error:
                out.append((path, error))
    return out


def is_segment(database: Database, place: object) -> bool:
    """Whether this is the path of a segment of a database, which can be written again."""
    path = Path(str(place))
    return path.suffix == ".segment" and path.parent == folder_of(database)


def set_aside(path: str, error: StoreError) -> None:
    """Rename a damaged segment, which is written again from the database at the next use."""
    warnings.warn(f"{path}: {error.detail}; it is written again from the database", stacklevel=3)
    remove_damaged(path)


def remove_damaged(path: str) -> None:
    """Rename a damaged segment, so that it is not used any more."""
    with suppress(OSError):
        Path(path).replace(f"{path}.damaged")
