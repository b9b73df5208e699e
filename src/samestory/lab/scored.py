"""What a detector says about a pile of articles: every pair it relates, with the score that its threshold cuts.

A detector is run once, at the lowest threshold of interest; everything above that is a cut through its scores.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

from samestory import _core
from samestory.detectors import Detector, Native
from samestory.errors import InputError, ParameterError
from samestory.index import Columns, Index, related
from samestory.jobs import Run, fitted, run_on
from samestory.lab.jsonlines import json_lines
from samestory.model import KINDS, Article, Kind
from samestory.readers import Source, read
from samestory.text import prepare

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Scored:
    """Related pairs in columns: numbers of articles, kinds, shares and scores.

    `threshold` is the detector's own; the pairs reach down to `lowest`. A run made elsewhere may hold groups only.
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
    """The articles, best representative first, if not in order."""
    groups: NDArray[np.int64] | None = None
    """The group of every article, where groups were given and not pairs."""
    seconds: float | None = None
    detector: Detector | None = None
    """Who said it; none for a run made elsewhere."""

    @property
    def cuts_shares(self) -> bool:
        """Does the threshold cut each share by itself, so that the kind of a pair depends on it?"""
        return self.detector is not None and self.detector.cuts_shares

    @property
    def grouping(self) -> str:
        """How its pairs become groups, unless somebody says otherwise."""
        return "star" if self.detector is None else self.detector.grouping

    def sense(self, kinds: frozenset[Kind]) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
        """Which pairs are of one of these kinds at some threshold, and up to which one."""
        import numpy as np

        if not self.cuts_shares:
            return self.of(kinds), self.scores
        # parts and wholes count where either share reaches it; what must hold both ways, where the smaller one does
        either = Kind.PART_OF in kinds
        scores = np.maximum(self.forward, self.backward) if either else np.minimum(self.forward, self.backward)
        return self.reaches(scores, self.lowest), scores

    def reaches(self, shares: NDArray[np.float64], threshold: float) -> NDArray[np.bool_]:
        """Which shares the threshold lets through."""
        import numpy as np

        strict = self.detector is not None and self.detector.strict
        return shares > threshold if strict else shares >= max(threshold, np.finfo(np.float64).tiny)

    @property
    def own_kinds(self) -> NDArray[np.uint8]:
        """The kinds of the pairs at the detector's own threshold; of those that do not reach it, at the lowest."""
        import numpy as np

        if not self.cuts_shares or self.threshold is None:
            return self.kinds
        part, whole = self.reaches(self.forward, self.threshold), self.reaches(self.backward, self.threshold)
        near, update = KINDS.index(Kind.NEAR), KINDS.index(Kind.UPDATE)
        told = np.where(part & whole, near, np.where(part, KINDS.index(Kind.PART_OF), KINDS.index(Kind.HAS_PART)))
        return np.where((part | whole) & (self.kinds != update), told, self.kinds).astype(np.uint8)

    def __len__(self) -> int:
        return len(self.left)

    def of(self, kinds: frozenset[Kind]) -> NDArray[np.bool_]:
        """Which pairs are of one of these kinds."""
        import numpy as np

        return np.isin(self.kinds, [KINDS.index(kind) for kind in kinds])

    def grouped(self, thresholds: Sequence[float], kinds: frozenset[Kind], method: str) -> list[NDArray[np.int64]]:
        """For every threshold the group of every article, when pairs of these kinds count that reach it."""
        import numpy as np

        if self.groups is not None:
            return [self.groups] * len(thresholds)
        keep, scores = self.sense(kinds)
        pairs = (self.left[keep].astype(np.uint32), self.right[keep].astype(np.uint32))
        order = np.arange(len(self.ids), dtype=np.uint32) if self.order is None else self.order
        cut = _core.cuts(pairs, scores[keep], order, method, list(thresholds))
        return [np.frombuffer(labels, np.uint32).astype(np.int64) for labels in cut]


def score(detector: Detector, sources: Sequence[Source], lowest: float | None = None) -> Scored:
    """Runs a detector over files of articles, once, down to the lowest threshold."""

    def found(lenient: Detector) -> _Found:
        return _native(lenient, sources) if isinstance(lenient, Native) else _in_python(lenient, list(_read(sources)))

    return _scored(detector, lowest, found)


def score_articles(detector: Detector, articles: Sequence[Article], lowest: float | None = None) -> Scored:
    """The same over articles in memory, of which some may have no text."""

    def found(lenient: Detector) -> _Found:
        return _of(run_on(articles, lenient)) if isinstance(lenient, Native) else _in_python(lenient, articles)

    return _scored(detector, lowest, found)


def _scored(detector: Detector, lowest: float | None, found: Callable[[Detector], _Found]) -> Scored:
    own = getattr(detector, "threshold", None)
    low = own if own is None or lowest is None else min(own, lowest)
    start = time.perf_counter()
    ids, order, columns = found(detector if low == own else replace(detector, threshold=low))
    return Scored(
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


#: One pair: two numbers of articles, the number of the kind, two shares, the score.
_Row = tuple[int, int, int, float, float, float]
#: Ids, the order of representatives, and the columns of the related pairs.
_Found = tuple[Sequence[str], "NDArray[np.uint32]", Columns]


def _longest_first(words: Sequence[int], ids: Sequence[str]) -> NDArray[np.uint32]:
    import numpy as np

    return np.array(sorted(range(len(ids)), key=lambda at: (-words[at], ids[at])), np.uint32)


def _native(detector: Native, sources: Sequence[Source]) -> _Found:
    def reading(run: Run) -> None:
        for source in sources:
            run.read(source.path, source.format, source.encoding)

    run = fitted(Run(detector, fields=sources[0].fields if sources else {}), reading)
    reading(run)
    if refused := [problem for problem in run.problems() if not problem.kept]:
        more = f" (and {len(refused) - 1} more)" if len(refused) > 1 else ""
        raise InputError(f"{refused[0]}{more}", "gold is about whole collections: mend the articles first")
    return _of(run)


def _of(run: Run) -> _Found:
    """What a run finds that has read everything."""
    import numpy as np

    left, right, kinds, forward, backward, scores = run.relations().columns()
    ids = run.corpus.ids()
    order = _longest_first(np.frombuffer(run.corpus.words(), np.uint32).tolist(), ids)
    return (
        ids,
        order,
        Columns(
            np.frombuffer(left, np.uint32).astype(np.int64),
            np.frombuffer(right, np.uint32).astype(np.int64),
            np.frombuffer(kinds, np.uint8),
            np.frombuffer(forward, np.float64),
            np.frombuffer(backward, np.float64),
            np.frombuffer(scores, np.float64),
        ),
    )


def _read(sources: Sequence[Source]) -> Iterator[Article]:
    for source in sources:
        for item in read(source):
            if not isinstance(item, Article):
                raise InputError(str(item))
            yield item


def _in_python(detector: Detector, articles: Sequence[Article]) -> _Found:
    ids = [article.id for article in articles]
    features = prepare(articles)
    order = _longest_first(features.tokens.lengths().tolist(), ids)
    fit = detector if detector.fitted else detector.fit([features])
    if articles and (found := related(fit, features)) is not None:
        return ids, order, found.columns
    number = {article: at for at, article in enumerate(ids)}
    rows = [
        (number[r.left], number[r.right], KINDS.index(r.kind), r.overlap.forward, r.overlap.backward, r.score)
        for r in (Index(fit).add(features) if articles else [])
    ]
    return ids, order, _columns(rows)


def _columns(rows: Iterable[_Row]) -> Columns:
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


def read_run(path: str, ids: Sequence[str]) -> Scored:
    """Relations or groups that were made elsewhere, about the articles with these ids.

    Relations need left and right; kind (else NEAR), forward, backward, and score (else the larger share, else 1) are
    taken where they stand. Groups need members.
    """
    import numpy as np

    number = {article: at for at, article in enumerate(ids)}
    pairs: list[_Row] = []
    groups = np.arange(len(ids), dtype=np.int64)
    taken: dict[int, int] = {}
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
                at = _known(member, number, path, line)
                if at in taken:
                    raise InputError(
                        f"{path}:{line}: not a partition: {member!r} is also in the group of line {taken[at]}"
                    )
                taken[at] = line
                groups[at] = len(ids) + line
        else:
            pairs.append(_relation(row, number, path, line))
    if grouped is None:
        raise InputError(f"{path}: no relations or groups in it")
    everything = frozenset(Kind) - {Kind.NONE}
    return Scored(path, ids, *_columns(pairs), everything, groups=groups if grouped else None)


def _known(article: str, number: dict[str, int], path: str, line: int) -> int:
    if article not in number:
        raise InputError(f"{path}:{line}: no article has the id {article!r}")
    return number[article]


def _relation(row: dict[str, Any], number: dict[str, int], path: str, line: int) -> _Row:
    left, right = (_known(str(row[side]), number, path, line) for side in ("left", "right"))
    word = str(row.get("kind", "NEAR"))
    if word not in (str(kind) for kind in KINDS):
        raise InputError(f"{path}:{line}: no kind is called {word!r}")
    try:
        forward, backward = (float(row.get(side, 1.0)) for side in ("forward", "backward"))
        score = float(row.get("score", max(forward, backward)))
        if not (0 <= forward <= 1 and 0 <= backward <= 1 and 0 <= score < float("inf")):
            raise ValueError
    except (TypeError, ValueError):
        raise InputError(f"{path}:{line}: forward, backward and score must be numbers from 0 on") from None
    return left, right, KINDS.index(Kind(word)), forward, backward, score


def sweep(text: str) -> tuple[str, list[float]]:
    """A parameter and its values: `threshold=0.1:0.9:0.05` or `shingle=2,3,4`.

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
    """The detector with each of these values of a parameter."""
    known = {f.name: f for f in fields(detector)}
    if name not in known:
        raise ParameterError(f"{detector.name}: no parameter is called {name!r}; there are {', '.join(sorted(known))}")
    whole = isinstance(known[name].default, int) and not isinstance(known[name].default, bool)
    return [replace(detector, **{name: int(v) if whole and v == int(v) else v}) for v in values]
