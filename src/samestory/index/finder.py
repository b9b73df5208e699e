"""Finds the indexed articles that are related to others. The index is in memory, in the native core."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from samestory import _core
from samestory.detectors import Detector
from samestory.index.store import Entries
from samestory.model import KINDS, Kind, Overlap, Signatures

Hits = _core.engine.Hits


class Finder:
    """A live index of signed articles; copies are compared once."""

    def __init__(self, detector: Detector, reach: int | None) -> None:
        """Creates an empty index; `reach`: the longest time between related articles, in microseconds."""
        self._detector, self._reach = detector, reach
        self._native = _core.engine.Finder(detector.native, reach)

    def empty(self) -> Finder:
        """Returns an empty index of the same detector."""
        out = Finder.__new__(Finder)
        out._detector, out._reach = self._detector, self._reach
        out._native = _core.engine.Finder(self._detector.native, self._reach)
        return out

    def file(self, entries: Entries) -> list[str]:
        """Indexes entries of a store without a query; returns the ids of those with malformed signatures, not indexed.

        The signatures may be of an earlier calibration: that of the detector is applied. If a detector written in
        Python has malformed ones, none is indexed.
        """
        if malformed := _odd(entries.signatures) or self._detector.malformed_rows(entries.signatures):
            return [entries.ids[at] for at in malformed]
        if self._detector.calibrates:
            entries = replace(entries, signatures=self._detector.engine.apply_calibration(entries.signatures))
        self._native.remove(entries.ids)
        expected = len(self._native) + len(entries)
        self._native.add(*_columns(entries), None)
        if len(self._native) == expected:
            return []
        return [id for id in entries.ids if not self._native.remove([id])]

    def add(self, entries: Entries, all_copies: bool) -> Hits:
        """Indexes articles; returns the earlier articles that each is related to. Ids are distinct.

        With `all_copies`, all copies are reported; otherwise the first may represent the others.
        """
        return self._native.add(*_columns(entries), all_copies)

    def query(self, entries: Entries, all_copies: bool) -> Hits:
        """Returns the same for articles that are not indexed; an article is not related to its own id."""
        return self._native.query(*_columns(entries), all_copies)

    def forms(self, pairs: list[tuple[str, str]]) -> list[bool]:
        """Returns for pairs of indexed articles whether they share a template, with other facts."""
        return [found is not None and found.is_template for found in self._native.compare(pairs)]

    def compare(self, left: str, right: str) -> tuple[Kind, Overlap] | None:
        """Compares two indexed articles; None if they are unrelated."""
        (found,) = self._native.compare([(left, right)])
        if found is None or not found.kind:
            return None
        return KINDS[found.kind], Overlap(found.forward, found.backward)

    def set_alone(self, ids: Sequence[str]) -> None:
        """Reports these articles individually from now on, even if they are copies of others."""
        self._native.set_alone(list(ids))

    def remove(self, ids: Sequence[str]) -> int:
        """Removes articles; returns how many there were."""
        return self._native.remove(list(ids))

    def expire(self, before: int) -> int:
        """Removes articles published before a time; those without a time stay."""
        return self._native.remove(before=before)

    def freeze(self, path: str, mark: str) -> int:
        """Writes the articles in memory to a segment, which is attached in their place; returns how many there were.

        Without any, nothing is written. `mark` names the detector and the preparation of the signatures.
        """
        return self._native.freeze(path, mark)

    def attach(self, path: str, mark: str, dead: Sequence[str] = ()) -> None:
        """Attaches a segment, without the articles with the ids `dead`; a StoreError for one with another mark."""
        self._native.attach(path, mark, list(dead))

    def replace(self, old: Sequence[str], new: str | None, mark: str) -> None:
        """Replaces attached segments by the one they were merged into, or by none.

        Articles that were removed from the old segments since the merge are removed from the new one.
        """
        self._native.replace(list(old), new, mark)

    def segments(self) -> list[tuple[str, list[str]]]:
        """Returns the paths of the attached segments, with the ids of the articles that were removed from each."""
        return self._native.segments()

    @property
    def skipped(self) -> int:
        """Number of key lookups skipped because the posting list exceeded the ceiling."""
        return self._native.skipped

    @property
    def postings(self) -> int:
        """Number of posting lists."""
        return self._native.postings

    def __len__(self) -> int:
        return len(self._native)


def merge_segments(parts: Sequence[tuple[str, Sequence[str]]], out: str, mark: str) -> int:
    """Writes the articles of some segments, given with the ids of removed ones, as one segment.

    Returns how many there are; without any, nothing is written. Several merges can run at once, besides searches.
    """
    return _core.engine.merge_segments([(path, list(dead)) for path, dead in parts], out, mark)


def check_segment(path: str, mark: str, detector: Detector | None = None) -> int:
    """Reads all of a segment; raises a StoreError for the first damaged part. Returns the number of articles."""
    return _core.engine.check_segment(path, mark, None if detector is None else detector.native)


def _odd(signatures: Signatures) -> list[int]:
    """The positions of the signatures that are no rows of 32-bit numbers."""
    import numpy as np

    odd: list[int] = np.flatnonzero(np.diff(signatures.columns[1]) % 4).tolist()
    return odd


def _columns(entries: Entries) -> tuple[list[str], tuple[Any, Any], tuple[bytes, Any]]:
    return entries.ids, (entries.published, entries.sources), entries.signatures.columns
