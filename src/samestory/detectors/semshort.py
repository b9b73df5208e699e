"""Semshort: short items of one day about one event, by rare words, principal components and single linkage.

    x_t = n_t / Σ n · ln(items / items with t), centred, reduced to k = m · columns components, made one long: u
    cosine         d(i, j) = 1 − u_i·u_j                                  both shares: 1 − d
    distance_rows  d(i, j) = ‖A_i − A_j‖, A_ij = 1 − u_i·u_j              both shares: 1 − d / √items

Each day is fitted and searched alone (`--by-day`). Two items are related where their share reaches the threshold: in
`cosine`, 0.8 is a distance of 0.2. `distance_rows` is what the printed r of 2.05 to 4.46 can only mean: the distance
between two rows of the matrix A. A itself is not made: ‖A_i − A_j‖² = (u_i − u_j)ᵀ G (u_i − u_j) with G = Σ u uᵀ. There
two items must also lie within `r`; without one, within what `r_model` predicts for the day, or what the study's days
give for as many items, −3.322 + 0.797 ln(items). Related items are put together over others (`--grouping
components`): single linkage.

Words are lemmas or stems (`lemmas`); those in more than `max_df` of the items or in fewer than `min_df` of them are
left out. An item of which nothing is left has no signature, and is related to nobody.

Keys: one for all. Nothing is lost; files are compared in blocks, without a table of all pairs.
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
from samestory.specs import parameter
from samestory.text import LEMMAS, Normaliser

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from samestory.detectors.r_model import RModel

#: r = intercept + slope · ln(items): the line through the 20 days of the study, the smallest of which has 855 items.
INTERCEPT, SLOPE, SMALLEST_DAY = -3.322, 0.797, 855
#: Pairs compared at a time.
CHUNK = 1 << 15


def predicted_r(items: int) -> float:
    """The r that the days of the study give for a day of so many items.

    Below the smallest of them the line would fall under 0: r/√items is held instead, which changes slowly.

    >>> round(predicted_r(6467), 2), round(predicted_r(100), 2)
    (3.67, 0.7)
    """
    if items >= SMALLEST_DAY:
        return INTERCEPT + SLOPE * log(items)
    return predicted_r(SMALLEST_DAY) * sqrt(items / SMALLEST_DAY)


@dataclass(frozen=True)
class Semshort(Detector):
    """Finds short items of one day that tell the same event in other words.

    >>> str(Semshort(threshold=0.75))
    'semshort(threshold=0.75)'
    """

    name: ClassVar[str] = "semshort"
    sees: ClassVar[str] = "short items of one day about one event, in whatever words"
    shares: ClassVar[str] = "alike, by their place among the items of the day"
    reports: ClassVar[frozenset[Kind]] = frozenset({Kind.SAME_EVENT})
    paper: ClassVar[str] = "fomin2017"
    grouping: ClassVar[str] = "components"

    threshold: float = parameter(0.8, "least share that is reported: 1 − distance in 'cosine', 1 − distance/√items")
    space: str = parameter("cosine", "'cosine' (between two items), or 'distance_rows' (of the study: rows of A)")
    r: float = parameter(0.0, "in 'distance_rows', the largest distance besides (0: as in the study's days)")
    r_model: str = parameter("", "in 'distance_rows', a file made by `samestory fit-r`: predicts r for every day")
    weighting: str = parameter("paper", "'paper' (tf · idf), or 'sklearn' (its default: counts, smooth idf, unit rows)")
    lemmas: str = parameter("by_language", "of words: 'by_language', 'russian', 'turkish', 'english' or 'none'")
    headlines: bool = parameter(True, "read the headline before the text")
    m: float = parameter(0.03, "principal components that are kept, as a share of the columns")
    least: int = parameter(1, "components kept at least")
    max_df: float = parameter(0.9, "leave out words in more than this share of the items")
    min_df: int = parameter(2, "leave out words in fewer items than this")
    day: DaySpace | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        self._check("threshold", 0, 1)
        self._check_choice("space", "cosine", "distance_rows")
        self._check("r", 0, 1e6)
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
        self._check_choice("weighting", "paper", "sklearn")
        self._check_choice("lemmas", *LEMMAS)
        self._check_switch("headlines")
        self._check("m", 0, 1, above=True)
        self._check("least", 1, 100_000)
        self._check("max_df", 0, 1, above=True)
        self._check("min_df", 1, 1_000_000)

    @property
    def fitted(self) -> bool:
        """See the base."""
        return self.day is not None

    def words(self, features: Features) -> list[list[str]]:
        """The words of every item, as they are weighed."""
        return Normaliser(self.lemmas).words(features, self.headlines)

    def fit(self, corpus: Iterable[Features]) -> Self:
        """See the base: the corpus is the day."""
        return self.fit_words([row for features in corpus for row in self.words(features)])

    def fit_words(self, rows: list[list[str]]) -> Self:
        """The same for items whose words are known."""
        day = DaySpace.fit(rows, self.weighting, self.m, self.least, self.max_df, self.min_df)
        return replace(self, day=day)

    def fitted_day(self) -> DaySpace:
        """The space of the day."""
        if self.day is None:
            raise NotFittedError(
                f"{self.name}: the items of a day are wanted, among which words are rare or not",
                "fit it: detector.fit([prepare(items)]); find and relate do so by themselves",
            )
        return self.day

    def state(self) -> bytes:
        """See the base."""
        return bytes(self.day) if self.day is not None else b""

    def restore(self, state: bytes) -> Self:
        """See the base."""
        return replace(self, day=DaySpace.parse(state)) if state else self

    def sign(self, features: Features) -> Signatures:
        """See the base: a vector whose Euclidean distances are those of the space."""
        return self.sign_words(self.words(features))

    def sign_words(self, rows: list[list[str]]) -> Signatures:
        """The same for items whose words are known."""
        import numpy as np

        day = self.fitted_day()
        found, vectors = day.units(rows)
        if self.space == "distance_rows":
            # one by one and not as one product, so that an item is signed alike in every batch
            vectors = np.stack([day.root @ u for u in vectors]) if len(vectors) else vectors
        width = 4 * vectors.shape[1]
        ends = np.concatenate([[0], np.cumsum(np.where(found, width, 0))]).astype(np.int64)
        return Signatures.of(np.ascontiguousarray(on_grid(vectors), "<f4").tobytes(), ends)

    def keys(self, signatures: Signatures) -> Ragged:
        """See the base."""
        import numpy as np

        filed = (np.diff(signatures.columns[1]) > 0).astype(np.int64)
        return Ragged.of(np.zeros(int(filed.sum()), np.int64), np.concatenate([[0], np.cumsum(filed)]))

    @property
    def least_share(self) -> float:
        """What a share must reach."""
        if self.space == "cosine":
            return self.threshold
        items = max(self.fitted_day().items, 1)
        return max(self.threshold, 1.0 - self._r(items) / sqrt(items))

    def _r(self, items: int) -> float:
        """The largest distance between items of the day."""
        if self.predictor is None:
            return self.r or predicted_r(items)
        from samestory.detectors.r_model import DayFeatures

        features = self.fitted_day().features
        return self.predictor.predict(DayFeatures(*features)) if features else 0.0

    @cached_property
    def predictor(self) -> RModel | None:
        """The model of r, if a file names one."""
        if not self.r_model:
            return None
        from samestory.detectors.r_model import RModel

        return RModel.load(self.r_model)

    def load(self) -> None:
        """Reads the model of r, so that a missing file is reported before the work begins."""
        _ = self.predictor

    def _shares(self, gaps: NDArray[np.float64]) -> NDArray[np.float64]:
        """Of squared distances between vectors."""
        import numpy as np

        distances = gaps / 2 if self.space == "cosine" else np.sqrt(gaps)
        return np.clip(1.0 - distances, 0.0, 1.0)

    def compare(self, left: Signatures, right: Signatures, pairs: Pairs) -> Overlaps:
        """See the base."""
        import numpy as np

        (rows, one), (others, other) = (_vectors(side) for side in (left, right))
        at, to = rows[pairs.left], others[pairs.right]
        # two items without a signature are alike, and meet nobody
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
        """How far apart the vectors of related items may be."""
        far = 1.0 - self.least_share
        return sqrt(2 * far) if self.space == "cosine" else far

    def pairs(self, signatures: Signatures, since: int = 0) -> Iterator[Pairs]:
        """See the base."""
        import numpy as np

        rows, vectors = _vectors(signatures)
        items = np.flatnonzero(rows >= 0)
        for links in near(vectors, self._reach(), int(np.searchsorted(items, since))):
            yield Pairs(items[links.left], items[links.right])

    def links(self, signatures: Signatures) -> Pairs:
        """See the base."""
        found = self.merges(signatures, self._reach())
        return Pairs(found.left, found.right)

    def merges(self, signatures: Signatures, reach: float = float("inf")) -> Links:
        """The merges of single linkage up to a distance between vectors, the lowest first."""
        import numpy as np

        rows, vectors = _vectors(signatures)
        items = np.flatnonzero(rows >= 0)
        found = forest(vectors, reach)
        return Links(items[found.left], items[found.right], found.length)


def _vectors(signatures: Signatures) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """For every item the row of its vector, −1 where it has none; and the vectors."""
    import numpy as np

    values, offsets = signatures.columns
    lengths = np.diff(offsets)
    rows = np.where(lengths > 0, np.cumsum(lengths > 0) - 1, -1)
    width = int(lengths.max(initial=0)) // 4
    start, end = (int(offsets[0]), int(offsets[-1])) if len(offsets) else (0, 0)
    return rows, np.frombuffer(values[start:end], "<f4").reshape(-1, max(width, 1)).astype(np.float64)
