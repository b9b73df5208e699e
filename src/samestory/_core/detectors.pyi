"""Detectors, their statistics, and the evidence of pairs."""

from collections.abc import Sequence
from typing import Any

from samestory._core import Column, Rows
from samestory._core.html import Recogniser

#: Two columns that belong together: values and offsets of rows, or the left and right rows of pairs.
Two = tuple[Any, Any]

class Statistics:
    articles: int
    sizes: list[int]
    shingle: int
    def __new__(cls, kind: str, text: str) -> Statistics: ...
    def __add__(self, other: Statistics) -> Statistics: ...
    def __getitem__(self, key: tuple[str, str]) -> int: ...

class Part:
    start: int
    end: int
    text: str
    name: tuple[int, int]
    words: list[tuple[int, float]]

class Overlaps:
    forward: Column
    backward: Column
    kinds: Column
    whys: Column
    scores: Column

class Calibrated:
    values: bytes
    with_boilerplate: list[int]

class Detector:
    ceiling: int
    wants_text: bool
    works_in_batches: bool
    def __new__(
        cls,
        name: str,
        parameters: dict[str, object],
        statistics: Statistics | None = None,
        recogniser: Recogniser | None = None,
        calibration: bytes = b"",
        inner: object = None,
    ) -> Detector: ...
    def sign(
        self,
        published: list[int],
        tokens: Two | None = None,
        texts: list[str] = [],
        titles: list[str | None] = [],
        languages: list[str] = [],
        signed: Sequence[Any] | None = None,
    ) -> Rows: ...
    def calibrate(
        self, ids: list[str], rows: Two, sources: list[int] = [], total: int | None = None, as_is: bool = False
    ) -> bytes: ...
    def apply_calibration(self, values: Any, offsets: Any) -> Calibrated: ...
    def keys(self, values: Any, offsets: Any) -> Rows: ...
    def quorum(self, fewer: Any) -> Column: ...
    def admits(self, left: Two, right: Two, pairs: Two, shared: Any, fewer: Any) -> Column: ...
    def compare(self, left: Two, right: Two, pairs: Two) -> Overlaps: ...
    def parts(self, text: str, language: str) -> list[Part]: ...

class Counter:
    detector: Detector
    @property
    def statistics(self) -> Statistics: ...
    def __new__(cls, sections: Sequence[str] = [], shingle: int = 0) -> Counter: ...

class PairNumbers:
    names: list[str]
    #: A row per pair.
    values: Column

class DatedOverlaps:
    kinds: Column
    scores: Column
    whys: Column
    is_reversed: Column

def evidence(
    kind: str,
    left: Two,
    right: Two,
    pairs: Two,
    shingle: int = 0,
    threshold: float = 0.0,
    calibration: bytes = b"",
) -> PairNumbers: ...
def dated(detector: Detector | None, found: Sequence[Any], left: Two, right: Two) -> DatedOverlaps: ...
def drawn(ids: list[str]) -> list[int]: ...
def source_hash(name: str) -> int: ...
