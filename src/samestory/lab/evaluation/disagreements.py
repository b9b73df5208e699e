"""Disagreements: pairs on which detectors differ from each other or from the gold, by which detectors report them.

All judged pairs are examined. For groups, a detector reports a pair when both articles are in one group; the pairs
examined are those inside a group of the gold or of a detector.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from samestory.lab.evaluation.evaluate import Evaluation, Subject
from samestory.lab.evaluation.gold import GoldGroups, GoldPairs
from samestory.lab.evaluation.slices import relations_of
from samestory.lab.measures import GroupedArticles, JudgedPairs
from samestory.model import KINDS, Kind

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: Pairs shown per pattern, and patterns shown; the rest is counted.
MAX_CASES, MAX_PATTERNS = 12, 12
#: Articles examined per group: a thousand would make half a million pairs.
MAX_MEMBERS = 40


@dataclass(frozen=True)
class DetectorVerdict:
    """A detector's result for a pair: whether it reports it, its kind, and its score (None: not compared)."""

    reports: bool
    kind: Kind | None
    score: float | None


@dataclass(frozen=True)
class Case:
    """A pair, its judgement in the gold with its location, and the verdict of every detector."""

    left: str
    right: str
    duplicate: bool
    label: str
    """The label as written in the gold."""
    place: str
    verdicts: tuple[DetectorVerdict, ...]
    margin: float
    """Sum over detectors of the distance from score to threshold, on the side of the verdict."""


@dataclass(frozen=True)
class Pattern:
    """All pairs that the same detectors report and that have the same judgement."""

    reports: tuple[bool, ...]
    duplicate: bool
    count: int
    cases: tuple[Case, ...]
    """The pairs with the largest margins."""

    @property
    def agreed(self) -> bool:
        """Whether all detectors are right."""
        return all(one == self.duplicate for one in self.reports)


@dataclass(frozen=True)
class Disagreements:
    """Every pattern: first those in which all detectors are wrong, then by number of pairs."""

    patterns: tuple[Pattern, ...]
    whole: bool
    """False if some groups were too large to examine every pair."""


@dataclass(frozen=True, eq=False)
class _PairTable:
    left: Sequence[str]
    right: Sequence[str]
    duplicate: NDArray[np.bool_]
    reports: NDArray[np.bool_]
    """One row per detector."""
    label: Callable[[int], tuple[str, str]]
    """Returns the gold's label of a row, and its location."""
    whole: bool = True


def disagreements(evaluation: Evaluation, cases: int = MAX_CASES, patterns: int = MAX_PATTERNS) -> Disagreements:
    """Group the pairs by reporting detectors, with the clearest pairs of every pattern that contains an error."""
    import numpy as np

    gold, subjects = evaluation.gold, evaluation.subjects
    pairs = _judged(gold, subjects) if isinstance(gold, GoldPairs) else _grouped(gold, subjects)
    if not subjects or not len(pairs.left):
        return Disagreements((), pairs.whole)
    relations = [relations_of(subject, pairs.left, pairs.right) for subject in subjects]
    kinds, flips, scores = (np.stack(columns) for columns in zip(*relations, strict=True))
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
            chosen = [_case(pairs, row, kinds, flips, scores, margins) for row in rows]
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
    """Sum over detectors the distance from score to threshold, on the side of the verdict."""
    import numpy as np

    thresholds = np.array([subject.scored.threshold or 0.0 for subject in subjects])[:, None]
    beyond = np.maximum(scores, 0.0) - thresholds
    return np.where(reports, beyond, -beyond).sum(axis=0)  # type: ignore[no-any-return]


def _clearest(rows: NDArray[np.int64], margins: NDArray[np.float64], pairs: _PairTable, cases: int) -> list[int]:
    """Return the rows with the largest margins, preferring rows whose articles are not shown yet."""
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
    pairs: _PairTable,
    row: int,
    kinds: NDArray[np.int64],
    flips: NDArray[np.bool_],
    scores: NDArray[np.float64],
    margins: NDArray[np.float64],
) -> Case:
    left, right, duplicate = pairs.left[row], pairs.right[row], bool(pairs.duplicate[row])
    verdicts = []
    for at in range(len(kinds)):
        kind = KINDS[int(kinds[at, row])]
        kind = kind.flipped if flips[at, row] else kind
        score = float(scores[at, row])
        verdicts.append(
            DetectorVerdict(
                bool(pairs.reports[at, row]),
                None if kind is Kind.NONE else kind,
                None if score < 0 else max(score, 0.0),
            )
        )
    label, place = pairs.label(row)
    return Case(left, right, duplicate, label, place, tuple(verdicts), float(margins[row]))


def _judged(gold: GoldPairs, subjects: Sequence[Subject]) -> _PairTable:
    import numpy as np

    reports = []
    for subject in subjects:
        data = subject.at(subject.scored.threshold)
        assert isinstance(data, JudgedPairs)
        reports.append(data.accepts()[: len(gold)])
    labels = gold.columns.get("label", [""] * len(gold))
    return _PairTable(
        gold.left, gold.right, gold.labels, np.stack(reports), lambda row: (str(labels[row]), gold.place(row))
    )


def _grouped(gold: GoldGroups, subjects: Sequence[Subject]) -> _PairTable:
    import numpy as np

    groupings: list[NDArray[np.int64]] = []
    for subject in subjects:
        data = subject.at(subject.scored.threshold)
        assert isinstance(data, GroupedArticles)
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

    return _PairTable(
        [gold.articles[at] for at in left.tolist()],
        [gold.articles[at] for at in right.tolist()],
        stories[left] == stories[right],
        np.stack([grouping[left] == grouping[right] for grouping in groupings]),
        label,
        all(whole for *_, whole in inside),
    )


def _inside(groups: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64], bool]:
    """Return the pairs of rows inside each group, limited to its first articles, and whether those are all."""
    import numpy as np

    order = np.argsort(groups, kind="stable")
    starts = np.flatnonzero(np.append(True, np.diff(groups[order]) != 0))
    sizes = np.diff(np.append(starts, len(order)))
    left: list[NDArray[np.int64]] = []
    right: list[NDArray[np.int64]] = []
    for size in np.unique(np.minimum(sizes, MAX_MEMBERS)).tolist():
        if size > 1:
            one, other = np.triu_indices(size, 1)
            begin = starts[np.minimum(sizes, MAX_MEMBERS) == size][:, None]
            left.append(order[begin + one].ravel())
            right.append(order[begin + other].ravel())
    none = np.zeros(0, np.int64)
    whole = bool((sizes <= MAX_MEMBERS).all())
    # the sort is stable: the left article precedes the right one in the gold
    return np.concatenate([none, *left]), np.concatenate([none, *right]), whole
