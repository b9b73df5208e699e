"""Articles to relations and groups."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from samestory._core import Column, Rows
from samestory._core.detectors import Detector, Statistics, Two

#: Called from time to time with bytes and articles read, the amount done of the current step, and its total.
Tick = Callable[[int, int, int, int], None] | None
#: What happened to a group of a stream, its number, the articles, the other group.
RelatedRow = tuple[str, float, bool, int | None]
#: Numbers of compared pairs, of those with one template and other facts, and of candidates that were dropped.
Counts = tuple[int, int, int]
GroupChange = tuple[str, int, list[str], int | None]

class CorpusTree:
    sizes: tuple[int, int]
    computations: int
    def __new__(cls, given: dict[str, object], statistics: Statistics, visitors: str, fold: bool) -> CorpusTree: ...
    def relate(self, text: str, language: str, article: int | None = None) -> list[tuple[int, float, float]]: ...
    def __delitem__(self, article: int) -> None: ...
    def __len__(self) -> int: ...

class Stream:
    groups: list[tuple[int, list[str]]]
    sizes: list[int]
    skipped: int
    def __new__(cls, detector: Detector | None = None, window: int | None = None) -> Stream: ...
    def add(
        self,
        ids: list[str],
        published: list[int],
        *,
        sources: list[int] = [],
        rows: Two | None = None,
        related: list[list[RelatedRow]] = [],
        likeness: list[int] = [],
    ) -> list[GroupChange]: ...
    def calibrate(self) -> bytes: ...
    def restore(
        self, articles: list[tuple[str, int, int, int]], edges: list[tuple[str, str, float]], last: int
    ) -> None: ...
    def decide(self, left: str, right: str, same: bool | None, split: bool = False) -> list[GroupChange]: ...
    def remove(self, ids: list[str] = [], *, before: int | None = None, regroup: bool = True) -> list[GroupChange]: ...
    def __contains__(self, id: str) -> bool: ...
    def __getitem__(self, id: str) -> int: ...
    def __len__(self) -> int: ...

class Relations:
    weaker: int
    counts: Counts
    left: Column
    right: Column
    kinds: Column
    forward: Column
    backward: Column
    scores: Column
    def __len__(self) -> int: ...

class GroupRow:
    representative: int
    members: list[int]
    #: Left, right, kind, forward, backward, score.
    weakest: tuple[int, int, str, float, float, float] | None
    #: Article, forward, backward, why.
    nearest: tuple[int, float, float, str] | None
    forced: bool

class Groups(Sequence[GroupRow]):
    counts: Counts
    grouped: int
    alone: int
    def __len__(self) -> int: ...
    def __getitem__(self, at: Any) -> Any: ...
    def __iter__(self) -> Iterator[GroupRow]: ...

class KeptArticles:
    kept: Column
    kinds: Column
    shares: Column
    lines: Column
    counts: Counts

class StoredRowReader:
    header: bytes | None
    def __new__(cls, path: str, format: str | None, encoding: str | None, largest: int) -> StoredRowReader: ...
    def __iter__(self) -> Iterator[list[tuple[int, bytes]]]: ...
    def __next__(self) -> list[tuple[int, bytes]]: ...

class Articles:
    ids: list[str]
    lines: Column
    published: Column
    sources: Column
    words: Column
    signatures: Rows | None

class Report:
    records: int
    dated: int
    replaced: int
    faults: list[tuple[str, int, bool]]
    repairs: list[tuple[str, int]]
    problems: list[tuple[str, int, str, str, bool]]
    unmatched: list[str]

class Corpus:
    new_articles: int
    has_problems: bool
    skipped: int
    unsigned: int
    def __new__(
        cls,
        detector: Detector,
        fields: list[tuple[str, str]],
        threads: int,
        largest: int,
        titles: bool,
        strict: bool,
        empty: bool,
        details: int | None = None,
        as_is: bool = False,
    ) -> Corpus: ...
    def read(self, path: str, format: str | None, encoding: str | None, tick: Tick) -> None: ...
    def add(self, name: str, records: list[list[str | None] | tuple[Any, Any]] | Two | str, first: int = 1) -> None: ...
    def articles(self, with_signatures: bool = False) -> Articles: ...
    def age(self) -> None: ...
    def report(self) -> Report: ...
    def calibration(self) -> bytes: ...
    def find_candidates(self, tick: Tick, for_components: bool = False) -> None: ...
    def relations(
        self,
        tick: Tick = None,
        *,
        beside: Two | None = None,
        max_work: int = ...,
        greedy: bool = False,
        max_relations: int = ...,
    ) -> Relations | None: ...
    def groups(
        self,
        method: str,
        representative: str,
        preferred: list[str],
        join_parts: bool,
        same: list[tuple[str, str]],
        apart: list[tuple[str, str]],
        tick: Tick,
    ) -> Groups: ...
    def duplicates(self, keep: str | None, preferred: list[str], kinds: list[int], tick: Tick) -> KeptArticles: ...
    def lines(
        self, found: Relations | Groups, *, detector: str = "", least: int = 1, labels: bool = False, first: int = 1
    ) -> bytes: ...
    def __len__(self) -> int: ...
    def __contains__(self, id: str) -> bool: ...
    def __getitem__(self, article: int) -> tuple[str, str]: ...

class Reader:
    def __new__(
        cls, path: str, own: list[tuple[str, str]], format: str | None, encoding: str | None, largest: int
    ) -> Reader: ...
    def __iter__(
        self,
    ) -> Iterator[list[tuple[int | str, list[str | None] | None, tuple[str, str] | None, str | None]]]: ...
    def __next__(self) -> list[tuple[int | str, list[str | None] | None, tuple[str, str] | None, str | None]]: ...

class Hits:
    rows: Column
    ids: list[str]
    published: Column
    sources: Column
    forward: Column
    backward: Column
    kinds: Column
    scores: Column
    is_reversed: Column
    sampled: list[int]
    sample_size: int

class Comparison:
    kind: int
    forward: float
    backward: float
    is_template: bool

class Finder:
    postings: int
    skipped: int
    def __new__(cls, detector: Detector, window: int | None) -> Finder: ...
    def __len__(self) -> int: ...
    def add(self, ids: list[str], about: Two, rows: Two, every: bool | None) -> Hits: ...
    def query(self, ids: list[str], about: Two, rows: Two, every: bool) -> Hits: ...
    def compare(self, pairs: list[tuple[str, str]]) -> list[Comparison | None]: ...
    def set_alone(self, ids: list[str]) -> None: ...
    def remove(self, ids: list[str] = [], *, before: int | None = None) -> int: ...
    def freeze(self, path: str, mark: str) -> int: ...
    def attach(self, path: str, mark: str, dead: list[str] = []) -> None: ...
    def replace(self, old: list[str], new: str | None, mark: str) -> None: ...
    def segments(self) -> list[tuple[str, list[str]]]: ...

def merge_segments(parts: list[tuple[str, list[str]]], out: str, mark: str) -> int: ...
def check_segment(path: str, mark: str, detector: Detector | None = None) -> int: ...
def group(
    articles: tuple[list[str], list[int], list[int | None], list[int]],
    representative: str,
    pairs: Two,
    shares: Two,
    kinds: Any,
    method: str,
    join_parts: bool,
    same: list[tuple[int, int]],
    apart: list[tuple[int, int]],
    scores: Any = None,
    max_days: int | None = None,
) -> Groups: ...
def strongest(relations: list[tuple[int, float, str, int]], limit: int) -> list[int]: ...
def judge(
    values: list[str | None], doubts: list[tuple[str, str]], largest: int
) -> tuple[list[str | None] | None, tuple[str, str] | None]: ...
def cuts(pairs: Two, scores: Any, order: Any, method: str, thresholds: list[float]) -> list[Column]: ...
def microseconds(value: str) -> int | None: ...
