"""Runs of a detector over a collection: every related pair, with the score that its threshold cuts.

A detector runs once, at the lowest threshold of interest; every higher threshold is a cut through its scores.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

from samestory import _core
from samestory.detectors import Detector
from samestory.errors import InputError, ParameterError
from samestory.index import Columns
from samestory.lab.evaluation.jsonlines import json_lines
from samestory.model import KINDS, Article, Kind
from samestory.readers import Source
from samestory.run import Run, fitted, run_on

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class ScoredRun:
    """Related pairs as columns: article numbers, kinds, shares and scores.

    `threshold` is the detector's own; the pairs reach down to `lowest`. An external run may hold groups only.
    """

    name: str
    ids: Sequence[str]
    left: NDArray[np.int64]
    right: NDArray[np.int64]
    kinds: NDArray[np.uint8]
    forward: NDArray[np.float64]
    backward: NDArray[np.float64]
    scores: NDArray[np.float64]
    reports: frozenset[Kind]
    threshold: float | None = None
    lowest: float = 0.0
    order: NDArray[np.uint32] | None = None
    """Article numbers, best representative first; None: in order."""
    groups: NDArray[np.int64] | None = None
    """The group of every article, for a run given as groups instead of pairs."""
    seconds: float | None = None
    detector: Detector | None = None
    """The detector of the run; None for an external run."""

    @property
    def threshold_per_share(self) -> bool:
        """Whether the threshold cuts each share separately, so that the kind of a pair depends on it."""
        return self.detector is not None and self.detector.threshold_per_share

    @property
    def grouping(self) -> str:
        """The default method that makes groups of its pairs."""
        return "star" if self.detector is None else self.detector.grouping

    def sense(self, kinds: frozenset[Kind]) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
        """Return which pairs are of one of these kinds at some threshold, and the highest such threshold of each."""
        import numpy as np

        if not self.threshold_per_share:
            return self.is_of_kinds(kinds), self.scores
        # containment needs either share to reach the threshold, a symmetric kind needs the smaller one
        either = Kind.PART_OF in kinds
        scores = np.maximum(self.forward, self.backward) if either else np.minimum(self.forward, self.backward)
        return self.reaches(scores, self.lowest), scores

    def reaches(self, shares: NDArray[np.float64], threshold: float) -> NDArray[np.bool_]:
        """Return which shares reach the threshold."""
        import numpy as np

        strict = self.detector is not None and self.detector.strict
        return shares > threshold if strict else shares >= max(threshold, np.finfo(np.float64).tiny)

    @property
    def own_kinds(self) -> NDArray[np.uint8]:
        """The kinds at the detector's own threshold; for pairs below it, those at the lowest threshold."""
        import numpy as np

        if not self.threshold_per_share or self.threshold is None:
            return self.kinds
        part, whole = self.reaches(self.forward, self.threshold), self.reaches(self.backward, self.threshold)
        near, update = KINDS.index(Kind.NEAR), KINDS.index(Kind.UPDATE)
        kinds = np.where(part & whole, near, np.where(part, KINDS.index(Kind.PART_OF), KINDS.index(Kind.HAS_PART)))
        return np.where((part | whole) & (self.kinds != update), kinds, self.kinds).astype(np.uint8)

    def __len__(self) -> int:
        return len(self.left)

    def is_of_kinds(self, kinds: frozenset[Kind]) -> NDArray[np.bool_]:
        """Return which pairs are of one of these kinds."""
        import numpy as np

        return np.isin(self.kinds, [KINDS.index(kind) for kind in kinds])

    def grouped(self, thresholds: Sequence[float], kinds: frozenset[Kind], method: str) -> list[NDArray[np.int64]]:
        """Return the group of every article at each threshold, from the pairs of these kinds that reach it."""
        import numpy as np

        if self.groups is not None:
            return [self.groups] * len(thresholds)
        keep, scores = self.sense(kinds)
        pairs = (self.left[keep].astype(np.uint32), self.right[keep].astype(np.uint32))
        order = np.arange(len(self.ids), dtype=np.uint32) if self.order is None else self.order
        cut = _core.engine.cuts(pairs, scores[keep], order, method, list(thresholds))
        return [np.asarray(labels).astype(np.int64) for labels in cut]


def score(detector: Detector, sources: Sequence[Source], lowest: float | None = None) -> ScoredRun:
    """Run a detector once over files of articles, down to the lowest threshold."""

    return _scored(detector, lowest, lambda lenient: _output_of_files(lenient, sources))


def score_articles(detector: Detector, articles: Sequence[Article], lowest: float | None = None) -> ScoredRun:
    """Run a detector once over articles in memory, some of which may have no text."""

    return _scored(detector, lowest, lambda lenient: _output_of(run_on(articles, lenient)))


def _scored(detector: Detector, lowest: float | None, run: Callable[[Detector], _RunOutput]) -> ScoredRun:
    own = getattr(detector, "threshold", None)
    low = own if own is None or lowest is None else min(own, lowest)
    start = time.perf_counter()
    ids, order, columns = run(detector if low == own else replace(detector, threshold=low))
    return ScoredRun(
        str(detector),
        ids,
        *columns,
        detector.reports,
        own,
        low or 0.0,
        order,
        seconds=time.perf_counter() - start,
        detector=detector,
    )


#: One pair: two article numbers, the kind's index, two shares, the score.
_PairRow = tuple[int, int, int, float, float, float]
#: Ids, the order of representatives, and the columns of the related pairs.
_RunOutput = tuple[Sequence[str], "NDArray[np.uint32]", Columns]


def _longest_first(words: Sequence[int], ids: Sequence[str]) -> NDArray[np.uint32]:
    import numpy as np

    return np.array(sorted(range(len(ids)), key=lambda at: (-words[at], ids[at])), np.uint32)


def _output_of_files(detector: Detector, sources: Sequence[Source]) -> _RunOutput:
    def reading(run: Run) -> None:
        for source in sources:
            run.read(source.path, source.format, source.encoding)

    run = fitted(Run(detector, fields=sources[0].fields if sources else {}), reading)
    reading(run)
    if refused := [problem for problem in run.problems() if not problem.kept]:
        more = f" (and {len(refused) - 1} more)" if len(refused) > 1 else ""
        raise InputError(f"{refused[0]}{more}", "an evaluation needs every article: fix the input first")
    return _output_of(run)


def _output_of(run: Run) -> _RunOutput:
    """Return the output of a run that has read all articles."""
    import numpy as np

    read, found = run.corpus.articles(), Columns.from_core(run.relations())
    order = _longest_first(np.asarray(read.words).tolist(), read.ids)
    return read.ids, order, found


def _columns(rows: Iterable[_PairRow]) -> Columns:
    import numpy as np

    left, right, kinds, forward, backward, scores = zip(*rows, strict=True) if (rows := list(rows)) else [()] * 6
    return Columns(
        np.array(left, np.int64),
        np.array(right, np.int64),
        np.array(kinds, np.uint8),
        np.array(forward, np.float64),
        np.array(backward, np.float64),
        np.array(scores, np.float64),
    )


def read_run(path: str, ids: Sequence[str]) -> ScoredRun:
    """Read an external run: relations or groups of the articles with these ids.

    Relations need left and right; optional are kind (default NEAR), forward, backward, and score (default the larger
    share, else 1). Groups need members.
    """
    import numpy as np

    number = {article: at for at, article in enumerate(ids)}
    pairs: list[_PairRow] = []
    groups = np.arange(len(ids), dtype=np.int64)
    line_of: dict[int, int] = {}
    grouped: bool | None = None
    for line, row in json_lines(path):
        is_group = "members" in row
        if not is_group and not {"left", "right"} <= row.keys():
            raise InputError(f"{path}:{line}: neither a relation (left, right) nor a group (members)")
        if grouped is not None and grouped != is_group:
            raise InputError(f"{path}:{line}: relations and groups in one file")
        grouped = is_group
        if is_group:
            if not isinstance(row["members"], list):
                raise InputError(f"{path}:{line}: members must be a list of ids")
            for member in map(str, row["members"]):
                at = _number_of(member, number, path, line)
                if at in line_of:
                    raise InputError(
                        f"{path}:{line}: not a partition: {member!r} is also in the group of line {line_of[at]}"
                    )
                line_of[at] = line
                groups[at] = len(ids) + line
        else:
            pairs.append(_relation(row, number, path, line))
    if grouped is None:
        raise InputError("contains no relations or groups", place=path)
    all_kinds = frozenset(Kind) - {Kind.NONE}
    return ScoredRun(path, ids, *_columns(pairs), all_kinds, groups=groups if grouped else None)


def _number_of(article: str, number: dict[str, int], path: str, line: int) -> int:
    if article not in number:
        raise InputError(f"{path}:{line}: no article has the id {article!r}")
    return number[article]


def _relation(row: dict[str, Any], number: dict[str, int], path: str, line: int) -> _PairRow:
    left, right = (_number_of(str(row[side]), number, path, line) for side in ("left", "right"))
    word = str(row.get("kind", "NEAR"))
    if word not in (str(kind) for kind in KINDS):
        raise InputError(f"{path}:{line}: unknown kind {word!r}")
    try:
        forward, backward = (float(row.get(side, 1.0)) for side in ("forward", "backward"))
        score = float(row.get("score", max(forward, backward)))
        if not (0 <= forward <= 1 and 0 <= backward <= 1 and 0 <= score < float("inf")):
            raise ValueError
    except (TypeError, ValueError, OverflowError):
        raise InputError(
            f"{path}:{line}: forward and backward must be numbers from 0 to 1, score a number of at least 0"
        ) from None
    return left, right, KINDS.index(Kind(word)), forward, backward, score


def sweep(text: str) -> tuple[str, list[float]]:
    """Parse a parameter and its values: `threshold=0.1:0.9:0.05` or `shingle=2,3,4`.

    >>> sweep("threshold=0.2:0.4:0.1")
    ('threshold', [0.2, 0.3, 0.4])
    """
    name, equals, values = text.partition("=")
    try:
        if not equals:
            raise ValueError
        if ":" in values:
            start, stop, step = (float(part) for part in values.split(":"))
            if not step > 0 or stop < start or (stop - start) / step > 10_000:
                raise ValueError
            return name.strip(), [round(start + step * at, 12) for at in range(int((stop - start) / step + 1e-9) + 1)]
        return name.strip(), [float(part) for part in values.split(",")]
    except ValueError:
        raise ParameterError(f"a sweep looks like 'threshold=0.1:0.9:0.05' or 'shingle=2,3,4', got {text!r}") from None


def variants(detector: Detector, name: str, values: Sequence[float]) -> list[Detector]:
    """Return the detector with each of these values of a parameter."""
    parameters = {f.name: f for f in fields(detector)}
    if name not in parameters:
        raise ParameterError(f"{detector.name}: unknown parameter {name!r}; available: {', '.join(sorted(parameters))}")
    whole = isinstance(parameters[name].default, int) and not isinstance(parameters[name].default, bool)
    return [replace(detector, **{name: int(v) if whole and v == int(v) else v}) for v in values]
