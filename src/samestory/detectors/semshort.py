"""Semshort: short items of one day about one event, by rare words, principal components and single linkage.

    x_t = n_t / Σ n · ln(items / items with t), centred, reduced to k = m · columns components, of unit length: u
    cosine         d(i, j) = 1 − u_i·u_j                                  both shares: 1 − d
    distance_rows  d(i, j) = ‖A_i − A_j‖, A_ij = 1 − u_i·u_j              both shares: 1 − d / √items

Each day is fitted and searched separately (`--by-day`). Two items are related if their share reaches the threshold: in
`cosine`, 0.8 is a distance of 0.2. `distance_rows` is the only interpretation of the printed r of 2.05 to 4.46: the
distance between two rows of the matrix A. A is not materialised: ‖A_i − A_j‖² = (u_i − u_j)ᵀ G (u_i − u_j) with
G = Σ u uᵀ. There two items must also be within `r`; without one, within the r that `r_model` predicts for the day, or
that of the study's days with as many items, −3.322 + 0.797 ln(items). Related items are grouped transitively
(`--grouping components`): single linkage.

Words are lemmas or stems (`lemmas`); those in more than `max_df` of the items or in fewer than `min_df` of them are
removed. An item without remaining words has no signature and no relations.

Keys: one common to all items. No related pair is missed; files are compared in blocks, without a matrix of all pairs.
Fomin and Belousov (2017), Detecting semantic duplicates in short news items. [fomin2017]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import log, sqrt
from typing import TYPE_CHECKING, ClassVar, Self

from samestory.detectors.base import Detector
from samestory.detectors.day_space import DaySpace, on_grid
from samestory.detectors.near_vectors import Links, forest, near
from samestory.errors import NotFittedError, ParameterError
from samestory.model import KINDS, Features, Kind, Overlaps, Pairs, Ragged, Signatures
from samestory.specs import SHARE, Range, parameter
from samestory.text import LEMMAS, Normaliser

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from samestory.detectors.r_model import RModel

#: r = intercept + slope · ln(items): the line through the 20 days of the study, the smallest of which has 855 items.
INTERCEPT, SLOPE, SMALLEST_DAY = -3.322, 0.797, 855
#: Pairs compared at once.
CHUNK = 1 << 15


def predicted_r(items: int) -> float:
    """Returns the r of a day with that many items, by the days of the study.

    Below the smallest of them the line would become negative: r/√items, which changes slowly, is kept constant instead.

    >>> round(predicted_r(6467), 2), round(predicted_r(100), 2)
    (3.67, 0.7)
    """
    if items >= SMALLEST_DAY:
        return INTERCEPT + SLOPE * log(items)
    return predicted_r(SMALLEST_DAY) * sqrt(items / SMALLEST_DAY)


@dataclass(frozen=True)
class Semshort(Detector):
    """Finds short items of one day about the same event in different words.

    >>> str(Semshort(threshold=0.75))
    'semshort(threshold=0.75)'
    """

    name: ClassVar[str] = "semshort"
    summary: ClassVar[str] = "short reports of one event on one day, in any words"
    share_phrase: ClassVar[str] = "alike, by their position among the items of the day"
    reports: ClassVar[frozenset[Kind]] = frozenset({Kind.SAME_EVENT})
    paper: ClassVar[str] = "fomin2017"
    grouping: ClassVar[str] = "components"

    threshold: float = parameter(
        0.8, "least share that is reported: 1 − distance in 'cosine', 1 − distance/√items", SHARE
    )
    space: str = parameter(
        "cosine",
        "'cosine' (between two items), or 'distance_rows' (of the study: rows of A)",
        ("cosine", "distance_rows"),
    )
    r: float = parameter(
        0.0, "in 'distance_rows', also the largest distance (0: as in the study's days)", Range(0, 1e6)
    )
    r_model: str = parameter("", "in 'distance_rows', a file made by `samestory fit-r`: predicts r for every day")
    weighting: str = parameter(
        "paper", "'paper' (tf · idf), or 'sklearn' (its default: counts, smooth idf, unit rows)", ("paper", "sklearn")
    )
    lemmas: str = parameter(
        "by_language", "lemmatisation: 'by_language', 'russian', 'turkish', 'english' or 'none'", tuple(LEMMAS)
    )
    headlines: bool = parameter(True, "put the headline before the text")
    m: float = parameter(0.03, "number of principal components, as a share of the columns", Range(0, 1, above=True))
    least: int = parameter(1, "least number of components", Range(1, 100_000))
    max_df: float = parameter(0.9, "leave out words in more than this share of the items", Range(0, 1, above=True))
    min_df: int = parameter(2, "leave out words in fewer items than this", Range(1, 1_000_000))
    day: DaySpace | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.r and self.space == "cosine":
            raise ParameterError(
                f"{self.name}: r must be 0 in the space 'cosine', where the threshold alone decides, got {self.r!r}",
                f"{self.name}(space='distance_rows', r={self.r!r}), or another threshold",
            )
        if not isinstance(self.r_model, str):
            raise ParameterError(f"{self.name}: r_model must be the name of a file, got {self.r_model!r}")
        if self.r_model and (self.r or self.space == "cosine"):
            why = "r is given" if self.r else "the space is 'cosine', where the threshold alone decides"
            raise ParameterError(f"{self.name}: r_model must be empty: {why}, got {self.r_model!r}")

    @property
    def fitted(self) -> bool:
        return self.day is not None

    def words(self, features: Features) -> list[list[str]]:
        """Returns the normalised words of every item."""
        return Normaliser(self.lemmas).words(features, self.headlines)

    def fit(self, corpus: Iterable[Features]) -> Self:
        """Returns this detector, fitted on a corpus, which is one day."""
        return self.fit_words([row for features in corpus for row in self.words(features)])

    def fit_words(self, rows: list[list[str]]) -> Self:
        """Returns this detector, fitted on the items of a day that are given as lists of words."""
        day = DaySpace.fit(rows, self.weighting, self.m, self.least, self.max_df, self.min_df)
        return replace(self, day=day)

    def fitted_day(self) -> DaySpace:
        """Returns the space of the day; raises NotFittedError if there is none."""
        if self.day is None:
            raise NotFittedError(
                f"{self.name}: needs the word frequencies of a day",
                "fit it with detector.fit([prepare(items)]); find and relate do this themselves",
            )
        return self.day

    def state(self) -> bytes:
        return bytes(self.day) if self.day is not None else b""

    def restore(self, state: bytes) -> Self:
        return replace(self, day=DaySpace.parse(state)) if state else self

    def sign(self, features: Features) -> Signatures:
        """Returns a vector for every item, whose Euclidean distances are those of the space."""
        return self.sign_words(self.words(features))

    def sign_words(self, rows: list[list[str]]) -> Signatures:
        """Returns the signatures of items that are given as lists of words."""
        import numpy as np

        day = self.fitted_day()
        found, vectors = day.units(rows)
        if self.space == "distance_rows":
            # one by one and not as one product, so that the signature of an item does not depend on its batch
            vectors = np.stack([day.root @ u for u in vectors]) if len(vectors) else vectors
        width = 4 * vectors.shape[1]
        ends = np.concatenate([[0], np.cumsum(np.where(found, width, 0))]).astype(np.int64)
        return Signatures.from_offsets(np.ascontiguousarray(on_grid(vectors), "<f4").tobytes(), ends)

    def is_signature(self, signature: bytes) -> bool:
        return len(signature) in (0, 4 * self.fitted_day().units([])[1].shape[1])

    def keys(self, signatures: Signatures) -> Ragged:
        import numpy as np

        counts = (np.diff(signatures.columns[1]) > 0).astype(np.int64)
        return Ragged.from_offsets(np.zeros(int(counts.sum()), np.int64), np.concatenate([[0], np.cumsum(counts)]))

    @property
    def least_share(self) -> float:
        """The least share of related items."""
        if self.space == "cosine":
            return self.threshold
        items = max(self.fitted_day().items, 1)
        return max(self.threshold, 1.0 - self._r(items) / sqrt(items))

    def _r(self, items: int) -> float:
        """Returns the largest distance between related items of the day."""
        if self.predictor is None:
            return self.r or predicted_r(items)
        from samestory.detectors.r_model import DayFeatures

        features = self.fitted_day().features
        return self.predictor.predict(DayFeatures(*features)) if features else 0.0

    @cached_property
    def predictor(self) -> RModel | None:
        """The model of r from the file `r_model`; None without one."""
        if not self.r_model:
            return None
        from samestory.detectors.r_model import RModel

        return RModel.load(self.r_model)

    def load(self) -> None:
        """Loads the model of r, so that a missing file is reported before the work begins."""
        _ = self.predictor

    def _shares(self, gaps: NDArray[np.float64]) -> NDArray[np.float64]:
        """Converts squared distances between vectors to shares."""
        import numpy as np

        distances = gaps / 2 if self.space == "cosine" else np.sqrt(gaps)
        return np.clip(1.0 - distances, 0.0, 1.0)

    def compare(self, left: Signatures, right: Signatures, pairs: Pairs) -> Overlaps:
        import numpy as np

        (rows, one), (others, other) = (_vectors(side) for side in (left, right))
        at, to = rows[pairs.left], others[pairs.right]
        # two items without a signature are equal, but never candidates
        shares = ((at < 0) & (to < 0)).astype(np.float64)
        both = np.flatnonzero((at >= 0) & (to >= 0))
        for start in range(0, len(both), CHUNK):
            here = both[start : start + CHUNK]
            gaps = ((one[at[here]] - other[to[here]]) ** 2).sum(axis=1)
            shares[here] = self._shares(gaps)
        related = (shares >= self.least_share) & (shares > 0)
        kinds = np.where(related, KINDS.index(Kind.SAME_EVENT), 0).astype(np.uint8)
        return Overlaps(shares, shares, kinds)

    def _reach(self) -> float:
        """Returns the largest distance between the vectors of related items."""
        far = 1.0 - self.least_share
        return sqrt(2 * far) if self.space == "cosine" else far

    def pairs(self, signatures: Signatures, since: int = 0) -> Iterator[Pairs]:
        import numpy as np

        rows, vectors = _vectors(signatures)
        items = np.flatnonzero(rows >= 0)
        for links in near(vectors, self._reach(), int(np.searchsorted(items, since))):
            yield Pairs(items[links.left], items[links.right])

    def links(self, signatures: Signatures) -> Pairs:
        found = self.merges(signatures, self._reach())
        return Pairs(found.left, found.right)

    def merges(self, signatures: Signatures, reach: float = float("inf")) -> Links:
        """Returns the merges of single linkage up to a distance between vectors, the lowest first."""
        import numpy as np

        rows, vectors = _vectors(signatures)
        items = np.flatnonzero(rows >= 0)
        found = forest(vectors, reach)
        return Links(items[found.left], items[found.right], found.length)


def _vectors(signatures: Signatures) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Returns the row of the vector of every item, −1 without one; and the vectors."""
    import numpy as np

    values, offsets = signatures.columns
    lengths = np.diff(offsets)
    rows = np.where(lengths > 0, np.cumsum(lengths > 0) - 1, -1)
    width = int(lengths.max(initial=0)) // 4
    start, end = (int(offsets[0]), int(offsets[-1])) if len(offsets) else (0, 0)
    return rows, np.frombuffer(values[start:end], "<f4").reshape(-1, max(width, 1)).astype(np.float64)
