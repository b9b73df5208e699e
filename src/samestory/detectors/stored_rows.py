"""Rows of detectors written in Python that come from a store: finds those that are no signatures.

The native core checks the rows of its own detectors.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from samestory.model import Signatures

if TYPE_CHECKING:
    from samestory.detectors.base import Detector

#: A row: number of bytes, number of keys, the bytes padded with zeros, the keys.
_WORD, _KEY = 4, 8


def malformed(detector: Detector, rows: Signatures) -> list[int]:
    """Return the positions of the rows that `packed` cannot have written, or that the detector does not recognise."""
    return [at for at, row in enumerate(rows) if row and not _is_row(detector, row)]


def _is_row(detector: Detector, row: bytes) -> bool:
    size, keys = (int.from_bytes(row[at : at + _WORD], "little") for at in (0, _WORD))
    padded = -(-size // _WORD) * _WORD
    start = 2 * _WORD
    return len(row) == start + padded + _KEY * keys and detector.is_signature(row[start : start + size])
