"""Where articles lie: which partition has which lines of which file, and the numbers that follow.

An article is a 64-bit number that orders like the input: old articles first, files in the order in which they were
given, lines in theirs. The number leads back to the partition that holds the article.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from samestory.readers import Problem

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]

#: Numbers from here on are those of new articles.
NEW = 1 << 62
#: Lines of one stretch of a file, in bits.
LINES = 32
#: The input of articles that were signed in earlier runs.
KEPT = -1


class Stretch(NamedTuple):
    """A stretch of a file in a partition: what was read of it."""

    place: tuple[int, str, int]
    """The input it belongs to (old ones come first), the file, and where in the file it begins."""
    is_new: bool
    articles: int
    lines: int
    records: int
    faults: Counter[str]
    kept: Counter[str]
    """Of the faults, those whose articles were kept."""
    problems: list[tuple[int, str, str, bool]]
    """Line, fault, detail, kept; as far as details are wanted."""
    repairs: Counter[str]
    """Articles whose text or title was repaired, by the kind of repair."""


@dataclass
class Layout:
    """All stretches of all partitions."""

    homes: list[list[Stretch]]
    bases: list[list[int]] = field(default_factory=list)
    """For every stretch of every partition the number before that of its first line."""
    firsts: list[list[int]] = field(default_factory=list)
    """And how many lines the file has before it."""

    def __post_init__(self) -> None:
        self.bases = [[0] * len(home) for home in self.homes]
        self.firsts = [[0] * len(home) for home in self.homes]
        every = [(s.place, home, at) for home, some in enumerate(self.homes) for at, s in enumerate(some)]
        self._home: list[int] = []
        self._is_new: list[bool] = []
        self._starts = [0]
        lines: Counter[tuple[int, str]] = Counter()
        for number, (place, home, at) in enumerate(sorted(every)):
            stretch = self.homes[home][at]
            self.bases[home][at] = (NEW if stretch.is_new else 0) + (number << LINES)
            self.firsts[home][at] = lines[place[:2]]
            lines[place[:2]] += stretch.lines
            self._home.append(home)
            self._is_new.append(stretch.is_new)
            self._starts.append(self._starts[-1] + stretch.lines + 1)

    def numbers(self, home: int, lines: Numbers) -> Numbers:
        """The numbers of the articles of a partition, whose lines are given stretch by stretch."""
        import numpy as np

        counts = [stretch.articles for stretch in self.homes[home]]
        numbers: Numbers = np.repeat(np.array(self.bases[home], np.int64), counts) + lines
        return numbers

    def homes_of(self, numbers: Numbers) -> NDArray[np.int64]:
        """The partitions that hold these articles."""
        import numpy as np

        homes: NDArray[np.int64] = np.array(self._home, np.int64)[(numbers & (NEW - 1)) >> LINES]
        return homes

    def ranges(self) -> tuple[NDArray[np.int64], NDArray[np.uint32]]:
        """Where the places of every stretch begin, and the partition that holds it."""
        import numpy as np

        return np.array(self._starts[:-1], np.int64), np.array(self._home, np.uint32)

    def places(self, numbers: Numbers) -> Numbers:
        """Articles by their places among all lines: small numbers in the same order."""
        import numpy as np

        places: Numbers = np.array(self._starts, np.int64)[(numbers & (NEW - 1)) >> LINES]
        return places + (numbers & ((1 << LINES) - 1))

    def numbers_at(self, places: Numbers) -> Numbers:
        """The articles at these places."""
        import numpy as np

        starts = np.array(self._starts, np.int64)
        stretch = np.searchsorted(starts, places, "right") - 1
        numbers: Numbers = (stretch << LINES) + places - starts[stretch]
        return np.where(np.array(self._is_new, np.bool_)[stretch], numbers | NEW, numbers)

    def name(self, home: int, stretch: int, line: int) -> str:
        """An article named by its place."""
        return f"{self.homes[home][stretch].place[1]}:{self.firsts[home][stretch] + line}"

    def place(self, number: int) -> tuple[str, int]:
        """The file and line of an article."""
        home = int(self._home[(number & (NEW - 1)) >> LINES])
        base = number >> LINES << LINES
        at = self.bases[home].index(base)
        return self.homes[home][at].place[1], self.firsts[home][at] + number - base

    def is_kept(self, number: int) -> bool:
        """Was it signed in an earlier run?"""
        home = self._home[(number & (NEW - 1)) >> LINES]
        return any(s.place[0] == KEPT for s in self.homes[home])

    def problems(self) -> list[Problem]:
        """What was refused or doubted, in the order of the input."""
        out = []
        for home, some in enumerate(self.homes):
            for at, stretch in enumerate(some):
                first = self.firsts[home][at]
                for line, fault, detail, kept in stretch.problems:
                    where = (*stretch.place, line)
                    out.append((where, Problem(stretch.place[1], first + line if line else 0, fault, detail, kept)))
        return [problem for _, problem in sorted(out, key=lambda each: each[0])]

    def faults(self) -> Counter[str]:
        """How often each fault was met."""
        return sum((s.faults for some in self.homes for s in some), Counter())

    def repairs(self) -> Counter[str]:
        """How many articles were repaired, by the kind of repair."""
        return sum((s.repairs for some in self.homes for s in some), Counter())

    def doubted(self) -> int:
        """How many of them were kept."""
        return sum(sum(s.kept.values()) for some in self.homes for s in some)

    def records(self) -> int:
        """Everything that came in."""
        return sum(s.records for some in self.homes for s in some)
