"""The layout of the input: which partition has which lines of which file, and the article numbers that follow.

The number of an article is its position among all lines, old articles first, then by file and line.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from samestory import _core
from samestory.readers import Problem

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

#: The input number of articles with stored signatures of earlier runs.
STORED_INPUT = -1


@dataclass
class InputSplit:
    """A contiguous range of a file in a partition, with the counts and problems of its records."""

    place: tuple[int, str, int]
    """The number of the input (old ones first), the file, and the byte offset in the file."""
    is_new: bool
    articles: int = 0
    lines: int = 0
    records: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    kept: Counter[str] = field(default_factory=Counter)
    """The faults of articles that were kept nevertheless."""
    problems: list[tuple[int, str, str, bool]] = field(default_factory=list)
    """Line, fault, detail, kept; at most `ReadOptions.details` for each fault."""
    repairs: Counter[str] = field(default_factory=Counter)
    """Number of articles with a repaired text or title, by kind of repair."""


class PlacedSplit(NamedTuple):
    """An input split with its place in the whole input."""

    split: InputSplit
    partition: int
    start: int
    """The number before that of the first line."""
    first: int
    """The number of lines of the file before the split."""


class RepeatedArticles(NamedTuple):
    """The ids and signatures of a part that occur repeatedly."""

    removed: NDArray[np.int64]
    """The articles displaced by others with the same id."""
    rejected: list[tuple[int, str]]
    """Number and id of those that are rejected records."""
    replaced: int
    """Number of old articles that new ones replace."""
    members: pa.RecordBatch
    """Duplicate classes (`class`) and their articles (`article`)."""


@dataclass
class Layout:
    """The input splits of all partitions."""

    partitions: list[list[InputSplit]]

    def __post_init__(self) -> None:
        self.ordered: list[PlacedSplit] = []
        self.placed: dict[tuple[int, int], PlacedSplit] = {}
        every = ((p, at, split) for p, splits in enumerate(self.partitions) for at, split in enumerate(splits))
        lines: Counter[tuple[int, str]] = Counter()
        start = 0
        for partition, at, split in sorted(every, key=lambda each: each[2].place):
            placed = PlacedSplit(split, partition, start, lines[split.place[:2]])
            self.placed[partition, at] = placed
            self.ordered.append(placed)
            lines[split.place[:2]] += split.lines
            start += split.lines + 1
        #: Articles with smaller numbers are old, or stored by earlier runs.
        self.first_new = next((each.start for each in self.ordered if each.split.is_new), start)
        self.stored_end = next((each.start for each in self.ordered if each.split.place[0] != STORED_INPUT), start)

    def of_partition(self, partition: int) -> list[PlacedSplit]:
        """Returns the splits of a partition, in the order of their articles."""
        return [self.placed[partition, at] for at in range(len(self.partitions[partition]))]

    def directory(self, repeated: Sequence[RepeatedArticles] = ()) -> _core.exchange.Directory:
        """Returns where articles are, and which are removed or duplicates of others."""
        import numpy as np
        import pyarrow as pa

        starts = np.array([each.start for each in self.ordered], np.int64)
        owners = np.array([each.partition for each in self.ordered], np.uint32)
        splits = {"start": starts, "partition": owners}
        removed = np.concatenate([np.zeros(0, np.int64), *(some.removed for some in repeated)])
        schema = pa.schema([("class", pa.int64()), ("article", pa.int64())])
        members = pa.Table.from_batches([some.members for some in repeated], schema)
        return _core.exchange.Directory(len(self.partitions), self.first_new, splits, removed, members)

    def place(self, number: int) -> tuple[str, int]:
        """Returns the file and line of an article."""
        split = self.ordered[bisect_right(self.ordered, number, key=lambda each: each.start) - 1]
        return split.split.place[1], split.first + number - split.start

    def problems(self) -> list[Problem]:
        """Returns the problems of all records, in the order of the input."""
        out = []
        for split, _, _, first in self.ordered:
            for line, fault, detail, kept in sorted(split.problems, key=lambda problem: problem[0]):
                out.append(Problem(split.place[1], first + line if line else 0, fault, detail, kept))
        return out

    @property
    def splits(self) -> list[InputSplit]:
        """The splits in the order of the input."""
        return [each.split for each in self.ordered]

    def count(self, is_new: bool) -> int:
        """Counts the new or the old articles, duplicate ids included."""
        return sum(split.articles for split in self.splits if split.is_new == is_new)

    def faults(self) -> Counter[str]:
        """Counts the problems by fault."""
        return sum((split.faults for split in self.splits), Counter())
