"""Disagreements: pairs about which detectors differ among themselves or with the gold, sorted by who reports them.

Of judged pairs all are looked at. Of groups, a detector reports a pair when it puts both articles into one group; the
pairs looked at are those inside a group, of the gold or of a detector.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from samestory.lab.evaluate import Evaluation, Subject
from samestory.lab.gold import GoldGroups, GoldPairs
from samestory.lab.slices import relations_of
from samestory.measures import Grouped, JudgedPairs
from samestory.model import KINDS, Kind

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: Pairs shown of every kind of disagreement, and kinds shown; the rest is counted.
CASES, PATTERNS = 12, 12
#: Of a large group, so many articles are looked at: a thousand would make half a million pairs.
MEMBERS = 40


@dataclass(frozen=True)
class Said:
    """What a detector says of a pair: whether it reports it, as what, and with which score (none: not compared)."""

    reports: bool
    kind: Kind | None
    score: float | None


@dataclass(frozen=True)
class Case:
    """A pair, what the gold says of it and where, and what every detector says of it."""

    left: str
    right: str
    duplicate: bool
    label: str
    """The gold's own word."""
    place: str
    said: tuple[Said, ...]
    margin: float
    """How far all scores together lie from the thresholds, on the side that the detectors take."""


@dataclass(frozen=True)
class Pattern:
    """All pairs that the same detectors report, of which the gold says the same."""

    reports: tuple[bool, ...]
    duplicate: bool
    count: int
    cases: tuple[Case, ...]
    """The clearest ones."""

    @property
    def agreed(self) -> bool:
        """Are all detectors right?"""
        return all(one == self.duplicate for one in self.reports)


@dataclass(frozen=True)
class Disagreements:
    """Every pattern, those first in which all detectors are wrong, then by how many pairs they hold."""

    patterns: tuple[Pattern, ...]
    whole: bool
    """False if groups were too large to look at every pair in them."""


@dataclass(frozen=True, eq=False)
class _Pairs:
    left: Sequence[str]
    right: Sequence[str]
    duplicate: NDArray[np.bool_]
    reports: NDArray[np.bool_]
    """A row a detector."""
    label: Callable[[int], tuple[str, str]]
    """What the gold says of a row in its own words, and where."""
    whole: bool = True


def disagreements(evaluation: Evaluation, cases: int = CASES, patterns: int = PATTERNS) -> Disagreements:
    """Who reports what, with the clearest pairs of every pattern in which somebody is wrong."""
    import numpy as np

    gold, subjects = evaluation.gold, evaluation.subjects
    pairs = _judged(gold, subjects) if isinstance(gold, GoldPairs) else _grouped(gold, subjects)
    if not subjects or not len(pairs.left):
        return Disagreements((), pairs.whole)
    told = [relations_of(subject, pairs.left, pairs.right) for subject in subjects]
    kinds, turned, scores = (np.stack(columns) for columns in zip(*told, strict=True))
    margins = _margins(subjects, scores, pairs.reports)
    columns = np.vstack([pairs.reports, pairs.duplicate[None]])
    found, members, counts = np.unique(columns, axis=1, return_inverse=True, return_counts=True)
    members = members.reshape(-1)
    order = sorted(range(len(counts)), key=lambda at: _rank(found[:, at].tolist(), int(counts[at])))
    out: list[Pattern] = []
    for at in order:
        *reports, duplicate = map(bool, found[:, at].tolist())
        pattern = Pattern(tuple(reports), duplicate, int(counts[at]), ())
        detailed = sum(bool(other.cases) for other in out) < patterns
        if not pattern.agreed and detailed:
            rows = _clearest(np.flatnonzero(members == at), margins, pairs, cases)
            chosen = [_case(pairs, row, kinds, turned, scores, margins) for row in rows]
            pattern = Pattern(tuple(reports), duplicate, int(counts[at]), tuple(chosen))
        out.append(pattern)
    return Disagreements(tuple(out), pairs.whole)


def _rank(column: list[bool], count: int) -> tuple[bool, bool, int, list[bool]]:
    *reports, duplicate = column
    wrong = sum(one != duplicate for one in reports)
    return wrong == 0, wrong < len(reports), -count, column


def _margins(
    subjects: Sequence[Subject], scores: NDArray[np.float64], reports: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """How far, over all detectors, the scores lie on that side of the thresholds that the detectors take."""
    import numpy as np

    thresholds = np.array([subject.scored.threshold or 0.0 for subject in subjects])[:, None]
    beyond = np.maximum(scores, 0.0) - thresholds
    return np.where(reports, beyond, -beyond).sum(axis=0)  # type: ignore[no-any-return]


def _clearest(rows: NDArray[np.int64], margins: NDArray[np.float64], pairs: _Pairs, cases: int) -> list[int]:
    """The rows with the largest margins, first those that show articles not shown yet."""
    order = sorted(rows.tolist(), key=lambda row: (-round(float(margins[row]), 9), pairs.left[row], pairs.right[row]))
    fresh: list[int] = []
    shown: set[str] = set()
    for row in order:
        if len(fresh) == cases:
            return fresh
        both = {pairs.left[row], pairs.right[row]}
        if not both & shown:
            fresh.append(row)
            shown |= both
    others = [row for row in order if row not in set(fresh)]
    chosen = set(fresh + others[: cases - len(fresh)])
    return [row for row in order if row in chosen]


def _case(
    pairs: _Pairs,
    row: int,
    kinds: NDArray[np.int64],
    turned: NDArray[np.bool_],
    scores: NDArray[np.float64],
    margins: NDArray[np.float64],
) -> Case:
    left, right, duplicate = pairs.left[row], pairs.right[row], bool(pairs.duplicate[row])
    said = []
    for at in range(len(kinds)):
        kind = KINDS[int(kinds[at, row])]
        kind = kind.flipped if turned[at, row] else kind
        score = float(scores[at, row])
        said.append(
            Said(
                bool(pairs.reports[at, row]),
                None if kind is Kind.NONE else kind,
                None if score < 0 else max(score, 0.0),
            )
        )
    label, place = pairs.label(row)
    return Case(left, right, duplicate, label, place, tuple(said), float(margins[row]))


def _judged(gold: GoldPairs, subjects: Sequence[Subject]) -> _Pairs:
    import numpy as np

    reports = []
    for subject in subjects:
        data = subject.at(subject.scored.threshold)
        assert isinstance(data, JudgedPairs)
        reports.append(data.accepts()[: len(gold)])
    labels = gold.columns.get("label", [""] * len(gold))
    return _Pairs(
        gold.left, gold.right, gold.labels, np.stack(reports), lambda row: (str(labels[row]), gold.place(row))
    )


def _grouped(gold: GoldGroups, subjects: Sequence[Subject]) -> _Pairs:
    import numpy as np

    groupings: list[NDArray[np.int64]] = []
    for subject in subjects:
        data = subject.at(subject.scored.threshold)
        assert isinstance(data, Grouped)
        groupings.append(data.found)
    stories = np.unique(np.array(gold.groups), return_inverse=True)[1]
    count = len(gold)
    inside = [_inside(grouping) for grouping in (stories, *groupings)]
    keys = np.unique(np.concatenate([one * count + other for one, other, _ in inside]))
    left, right = keys // max(count, 1), keys % max(count, 1)

    def label(row: int) -> tuple[str, str]:
        one, other = int(left[row]), int(right[row])
        names = list(dict.fromkeys((gold.groups[one], gold.groups[other])))
        return " and ".join(names), f"{gold.place(one)} and {gold.lines[other]}"

    return _Pairs(
        [gold.articles[at] for at in left.tolist()],
        [gold.articles[at] for at in right.tolist()],
        stories[left] == stories[right],
        np.stack([grouping[left] == grouping[right] for grouping in groupings]),
        label,
        all(whole for *_, whole in inside),
    )


def _inside(groups: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64], bool]:
    """The pairs of rows inside a group, of its first articles; and whether those are all."""
    import numpy as np

    order = np.argsort(groups, kind="stable")
    starts = np.flatnonzero(np.append(True, np.diff(groups[order]) != 0))
    sizes = np.diff(np.append(starts, len(order)))
    left: list[NDArray[np.int64]] = []
    right: list[NDArray[np.int64]] = []
    for size in np.unique(np.minimum(sizes, MEMBERS)).tolist():
        if size > 1:
            one, other = np.triu_indices(size, 1)
            begin = starts[np.minimum(sizes, MEMBERS) == size][:, None]
            left.append(order[begin + one].ravel())
            right.append(order[begin + other].ravel())
    none = np.zeros(0, np.int64)
    whole = bool((sizes <= MEMBERS).all())
    # a stable sort keeps the articles of a group in order: the left one comes first in the gold
    return np.concatenate([none, *left]), np.concatenate([none, *right]), whole
