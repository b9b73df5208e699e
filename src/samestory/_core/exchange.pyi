"""What the tasks of a cluster compute. The bytes of all buffers are made and read by the core alone."""

from collections.abc import Sequence
from typing import Any

from samestory._core import Column
from samestory._core.detectors import Detector, Two

#: Arrow or NumPy arrays by name, and single ones: their types are checked.
Named = Any
Array = Any
#: Columns by name: `samestory.model.record_batch` makes an Arrow batch of them.
Columns = dict[str, Column]
#: Buffers with the number of the partition or part that receives each.
Addressed = list[tuple[int, bytes]]

class Directory:
    removed: Column
    copies: Columns
    def __new__(cls, count: int, first_new: int, splits: Named, removed: Array, members: Named) -> Directory: ...

class Group:
    rank: bytes
    members: list[str]
    weakest: tuple[str, str, str, float, float] | None
    nearest: tuple[str, float, float, str] | None
    forced: bool
    line: bytes
    def __new__(
        cls,
        rank: bytes,
        members: list[str],
        weakest: tuple[str, str, str, float, float] | None,
        nearest: tuple[str, float, float, str] | None,
        forced: bool,
    ) -> Group: ...

class PartDuplicates:
    removed: Column
    rejected: list[tuple[int, str]]
    replaced: int
    members: Columns

class Articles:
    def __new__(cls, detector: Detector, directory: Directory, articles: Named, signatures: Two) -> Articles: ...
    def request_shared(self, articles: int, parts: int) -> Addressed: ...
    def pack_keys(self, directory: Directory, responses: list[bytes], articles: int) -> tuple[Addressed, int]: ...
    def find_crowded(
        self, directory: Directory, skipped: Array, order: tuple[str, list[str]], parts: int
    ) -> Addressed: ...
    def send_requested(self, directory: Directory, requests: list[bytes], partition: int) -> Addressed: ...
    def compare(
        self, directory: Directory, pairs: list[bytes], articles: list[bytes], skipped: Array, partition: int
    ) -> bytes: ...
    def group_rows(self, directory: Directory, messages: list[bytes], options: object) -> list[Group]: ...

class ComparedPartition:
    counts: tuple[int, int, int]
    edges: Columns
    relations: tuple[list[str], Columns]
    relation_lines: tuple[Columns, bytes]
    def __new__(cls, detector: Detector, name: str, directory: Directory, buffer: bytes) -> ComparedPartition: ...
    def send_components(self, directory: Directory, labels: Named, join_parts: bool, parts: int) -> Addressed: ...
    def nearest(self, directory: Directory, memberships: list[bytes], options: object) -> Addressed: ...

def respond_shared(requests: list[bytes], stored_end: int, first_new: int) -> tuple[list[bytes], PartDuplicates]: ...
def build_lists(
    directory: Directory, keys: list[bytes], part: tuple[int, int], ceiling: int, is_sampled: bool
) -> tuple[Addressed, Column, bytes]: ...
def select_hubs(detector: Detector, directory: Directory, long_lists: bytes, crowded: list[bytes]) -> Addressed: ...
def find_pairs(directory: Directory, lists: list[bytes], partition: int, decided: Sequence[int]) -> Addressed: ...
def stars(edges: Named) -> Columns: ...
def group(
    detector: Detector, directory: Directory, received: list[tuple[int, bytes]], options: object
) -> tuple[Addressed, Addressed]: ...
