"""The values that flow through the house; every one immutable, no one reads or writes anything.

Offsets are half-open character offsets into ``article.text``. Batches are columns on Arrow arrays; one article is a
batch of one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray


class Kind(StrEnum):
    """What was found between two articles; gold data carries the same words.

    >>> Kind.PART_OF.flipped
    <Kind.HAS_PART: 'HAS_PART'>
    """

    NONE = "NONE"
    IDENTICAL = "IDENTICAL"
    NEAR = "NEAR"
    PART_OF = "PART_OF"
    HAS_PART = "HAS_PART"
    UPDATE = "UPDATE"
    SAME_EVENT = "SAME_EVENT"
    SHARES_TEXT = "SHARES_TEXT"

    @property
    def flipped(self) -> Kind:
        """The kind seen from the other side."""
        return {Kind.PART_OF: Kind.HAS_PART, Kind.HAS_PART: Kind.PART_OF}.get(self, self)


def flaw(text: str) -> str | None:
    """What keeps a text from being written anywhere, if anything does."""
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError as error:
            return f"half a character (a lone surrogate) at {error.start}"
    return None


def digits(number: float) -> str:
    """A number as the readers of files write one that is not whole: without an exponent; 7.0 is 7.

    >>> digits(7.0), digits(1e22), digits(2.5e-7)
    ('7', '10000000000000000000000', '0.00000025')
    """
    from decimal import Decimal

    return f"{Decimal(repr(float(number))):f}".removesuffix(".0")


def shown(value: object) -> str:
    """A value as a message may show it: short, with its type where that does not go without saying."""
    words = repr(value)
    words = words if len(words) <= 60 else f"{words[:60]}…"
    return words if value is None or isinstance(value, str | bytes) else f"{words} ({type(value).__name__})"


class Span(NamedTuple):
    """A stretch of text, from ``start`` up to but not including ``end``."""

    start: int
    end: int


class Evidence(NamedTuple):
    """The same words at two places."""

    left: Span
    right: Span


class Overlap(NamedTuple):
    """The share of left found in right and the share of right found in left, both in [0, 1]."""

    forward: float
    backward: float

    @property
    def share(self) -> float:
        """The larger of the two."""
        return max(self.forward, self.backward)

    @property
    def flipped(self) -> Overlap:
        """Seen from the other side."""
        return Overlap(self.backward, self.forward)


@dataclass(frozen=True, slots=True)
class Article:
    """One article. ``published`` is the date as it was given; ``lang`` an ISO 639-1 code."""

    id: str
    text: str
    title: str | None = None
    published: str | None = None
    url: str | None = None
    source: str | None = None
    lang: str | None = None

    @property
    def flaw(self) -> str | None:
        """What keeps it from being an article, if anything does.

        >>> Article("a", None).flaw
        'text: a text is wanted, got None'
        """
        for role in self.__slots__:
            given = getattr(self, role)
            if given is None and role not in ("id", "text"):
                continue
            if not isinstance(given, str):
                return f"{role}: a text is wanted, got {shown(given)}"
            if wrong := flaw(given):
                return f"{role}: {wrong}"
        return None

    def beginning(self, longest: int | None) -> Article:
        """The article with no more of its text than so many characters; itself, where that is all of it."""
        return self if longest is None or len(self.text) <= longest else replace(self, text=self.text[:longest])


def _id(given: object) -> str:
    """An id in a line of JSON: a text, or a number as readers take it."""
    if isinstance(given, int | float) and not isinstance(given, bool):
        return digits(given) if isinstance(given, float) else str(given)
    if not isinstance(given, str):
        raise ValueError(f"id: a text or a number is wanted, got {shown(given)}")
    return given


def _score(given: object) -> float:
    """The score in a line of JSON, on whatever scale others have; 0 where none is told."""
    if given is None:
        return 0.0
    if isinstance(given, bool) or not isinstance(given, int | float) or not 0 <= given < math.inf:
        raise ValueError(f"score: a number of at least 0 is wanted, got {shown(given)}")
    return float(given)


def check_ids(left: str, right: str) -> None:
    """A ValueError says why these cannot be the ids of two articles."""
    for id in (left, right):
        if not isinstance(id, str) or not id.strip():
            raise ValueError(f"id: a text is wanted, got {shown(id)}")
        if wrong := flaw(id):
            raise ValueError(f"id: {wrong}")
    if left == right:
        raise ValueError(f"two articles are wanted, got {shown(left)} twice")


@dataclass(frozen=True, slots=True)
class Relation:
    """What the left article has to do with the right one.

    Left is the article asked about, right the one found. A part stands left of its whole, a new version left of the
    old one.
    """

    left: str
    right: str
    kind: Kind
    overlap: Overlap
    detector: str
    score: float = field(default=0.0, compare=False)
    """What the detector's threshold cuts: the pair is related for every threshold up to this one. 0 if nobody knows."""

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Relation:
        """The relation in a line of JSON; a ValueError says why there is none."""
        try:
            left, right, kind = _id(row["left"]), _id(row["right"]), str(row["kind"]).upper()
            overlap = Overlap(float(row["forward"]), float(row["backward"]))
        except KeyError as error:
            raise ValueError(f"{error.args[0]!r} is missing") from None
        except TypeError:
            raise ValueError(f"an object with numbers for its shares is wanted, got {shown(row)}") from None
        if not (0 <= overlap.forward <= 1 and 0 <= overlap.backward <= 1):
            raise ValueError(f"a share lies between 0 and 1, got {overlap.forward} and {overlap.backward}")
        if kind not in Kind.__members__ or kind == Kind.NONE:
            raise ValueError(f"kind: one of {', '.join(KINDS[1:])} is wanted, got {shown(row['kind'])}")
        check_ids(left, right)
        return cls(left, right, Kind(kind), overlap, str(row.get("detector", "")), _score(row.get("score")))

    def flipped(self) -> Relation:
        """The same finding, told from the other side."""
        return Relation(self.right, self.left, self.kind.flipped, self.overlap.flipped, self.detector, self.score)

    def as_dict(self) -> dict[str, Any]:
        """The relation as it stands in a line of JSON."""
        forward, backward = round(self.overlap.forward, 4), round(self.overlap.backward, 4)
        return {
            "left": self.left,
            "right": self.right,
            "kind": str(self.kind),
            "forward": forward,
            "backward": backward,
            "score": round(self.score, 6),
            "detector": self.detector,
        }


@dataclass(frozen=True, slots=True)
class Nearest:
    """The article that came nearest to a group without joining it, and why it did not."""

    id: str
    overlap: Overlap
    why: str


@dataclass(frozen=True, slots=True)
class Group:
    """Articles that are one story, with the certificate: what holds them together and what keeps others out."""

    representative: str
    members: tuple[str, ...]
    weakest: Relation | None = None
    nearest: Nearest | None = None
    forced: bool = False

    @property
    def kind(self) -> Kind | None:
        """The kind of the weakest link; none for an article alone."""
        return self.weakest.kind if self.weakest else None

    def as_dict(self, number: int) -> dict[str, Any]:
        """The group as it stands in a line of JSON."""
        weakest = self.weakest and {
            key: value for key, value in self.weakest.as_dict().items() if key not in ("kind", "score", "detector")
        }
        nearest = self.nearest and {
            "id": self.nearest.id,
            "forward": round(self.nearest.overlap.forward, 4),
            "backward": round(self.nearest.overlap.backward, 4),
            "why": self.nearest.why,
        }
        out: dict[str, Any] = {
            "group": number,
            "representative": self.representative,
            "members": list(self.members),
            "weakest": weakest,
            "kind": self.kind and str(self.kind),
            "nearest": nearest,
        }
        if self.forced:
            out["forced"] = True
        return out


@dataclass(frozen=True, slots=True)
class Ragged:
    """Rows of different lengths in one column: an Arrow list array."""

    array: pa.LargeListArray

    @classmethod
    def of(cls, values: NDArray[Any], offsets: NDArray[np.int64]) -> Ragged:
        """Rows over values, row i being ``values[offsets[i]:offsets[i + 1]]``."""
        import pyarrow as pa

        return cls(pa.LargeListArray.from_arrays(pa.array(offsets), pa.array(values)))

    @property
    def values(self) -> NDArray[Any]:
        """All rows one after the other."""
        values: NDArray[Any] = self.array.flatten().to_numpy(zero_copy_only=False)
        return values

    @property
    def offsets(self) -> NDArray[np.int64]:
        """Where the rows begin, from 0, and where the last one ends."""
        offsets: NDArray[np.int64] = self.array.offsets.to_numpy()
        out: NDArray[np.int64] = offsets - offsets[0]
        return out

    def lengths(self) -> NDArray[np.int64]:
        """How many values every row has."""
        offsets = self.offsets
        return offsets[1:] - offsets[:-1]

    def __len__(self) -> int:
        return len(self.array)

    def __getitem__(self, row: int) -> NDArray[Any]:
        values: NDArray[Any] = self.array[row].values.to_numpy()
        return values


@dataclass(frozen=True, slots=True)
class Signatures:
    """One signature, some bytes, an article: an Arrow binary array."""

    array: pa.LargeBinaryArray

    @classmethod
    def of(cls, values: bytes, offsets: NDArray[np.int64]) -> Signatures:
        """Signatures that lie one after the other in ``values``."""
        import pyarrow as pa

        buffers = [None, pa.py_buffer(offsets), pa.py_buffer(values)]
        return cls(pa.LargeBinaryArray.from_buffers(pa.large_binary(), len(offsets) - 1, buffers))

    @classmethod
    def concat(cls, parts: Sequence[Signatures]) -> Signatures:
        """Several batches as one."""
        import pyarrow as pa

        return cls(pa.concat_arrays([part.array for part in parts]))

    @property
    def columns(self) -> tuple[bytes, NDArray[np.int64]]:
        """The bytes of all signatures, and where each begins."""
        import numpy as np
        import pyarrow as pa

        # a slice of a larger array starts where its first signature does
        array = pa.concat_arrays([self.array])
        _, offsets, values = array.buffers()
        found = np.frombuffer(offsets, dtype=np.int64)[array.offset : array.offset + len(array) + 1]
        return (values.to_pybytes() if values is not None else b"", found)

    def __len__(self) -> int:
        return len(self.array)

    def __getitem__(self, row: int) -> bytes:
        signature: bytes = self.array[row].as_py()
        return signature

    def __iter__(self) -> Iterator[bytes]:
        return (signature.as_py() for signature in self.array)


@dataclass(frozen=True, slots=True)
class Features:
    """Articles with everything known about their words, in columns.

    ``tokens`` are packed (30 bits of hash, two flags) as detectors take them; ``starts``, ``bases`` and ``ends`` are
    the places of every token, of the end of its base and of its end; ``sentences`` are starts and ends by turns.
    Places are those of ``texts``, the articles' own; detectors compare ``compared``, the same texts repaired.
    """

    batch: pa.RecordBatch

    def __len__(self) -> int:
        return int(self.batch.num_rows)

    def _list(self, name: str) -> list[Any]:
        values: list[Any] = self.batch.column(name).to_pylist()
        return values

    def _ragged(self, name: str) -> Ragged:
        return Ragged(self.batch.column(name))

    @property
    def ids(self) -> list[str]:
        """The ids of the articles."""
        return self._list("id")

    @property
    def texts(self) -> list[str]:
        """The texts of the articles."""
        return self._list("text")

    @property
    def titles(self) -> list[str | None]:
        """The headlines of the articles, where they have one."""
        return self._list("title")

    @property
    def compared(self) -> list[str]:
        """The texts as detectors compare them: repaired, where they needed repair."""
        return [own if text is None else text for own, text in zip(self.texts, self._list("repaired"), strict=True)]

    @property
    def compared_titles(self) -> list[str | None]:
        """The headlines as detectors compare them."""
        repaired = self._list("repaired_title")
        return [own if title is None else title for own, title in zip(self.titles, repaired, strict=True)]

    def original(self, spans: Sequence[Span]) -> list[Span]:
        """Spans of the compared text of the first article, as spans of its own text."""
        if self.batch.column("repaired")[0].as_py() is None:
            return list(spans)
        from samestory import _core

        places = sorted({place for span in spans for place in span})
        own = dict(zip(places, _core.original_places(self.texts[0], places), strict=True))
        return [Span(own[start], own[end]) for start, end in spans]

    @property
    def languages(self) -> list[str]:
        """The language of every article, given or detected."""
        return self._list("lang")

    @property
    def sources(self) -> list[str | None]:
        """Who published the articles."""
        return self._list("source")

    @property
    def published(self) -> list[datetime | None]:
        """When, where that is known."""
        return self._list("published")

    @property
    def microseconds(self) -> list[int]:
        """When, as a number; NO_TIME where that is not known."""
        # looked at as numbers, not made into them, which takes a tenth of a millisecond even for one article
        return [NO_TIME if at is None else at for at in self.batch.column("published").view("int64").to_pylist()]

    @property
    def tokens(self) -> Ragged:
        """The packed tokens."""
        return self._ragged("tokens")

    @property
    def starts(self) -> Ragged:
        """Where tokens begin."""
        return self._ragged("starts")

    @property
    def bases(self) -> Ragged:
        """Where the bases of tokens end and suffixes behind apostrophes begin."""
        return self._ragged("bases")

    @property
    def ends(self) -> Ragged:
        """Where tokens end."""
        return self._ragged("ends")

    @property
    def sentences(self) -> Ragged:
        """Starts and ends of the sentences, by turns."""
        return self._ragged("sentences")

    def take(self, rows: Iterable[int]) -> Features:
        """Some of the articles, in the order asked for."""
        import pyarrow as pa

        return Features(self.batch.take(pa.array(list(rows), pa.int64())))

    @classmethod
    def concat(cls, parts: Sequence[Features]) -> Features:
        """Several batches as one."""
        import pyarrow as pa

        table = pa.Table.from_batches([part.batch for part in parts]).combine_chunks()
        batches = table.to_batches()
        return cls(batches[0] if batches else parts[0].batch)


#: Stands for a time that nobody knows, in columns of microseconds.
NO_TIME = -(2**63)


class Pairs(NamedTuple):
    """Rows of two batches, pair by pair."""

    left: NDArray[np.int64]
    right: NDArray[np.int64]


class Overlaps(NamedTuple):
    """The result of comparing pairs, in columns; ``kinds`` are numbers into ``KINDS``, 0 being no relation.

    Where a detector can say more: ``whys``, numbers into ``_core.WHYS`` for pairs that are not related; ``scores``,
    what its threshold cuts (the larger share, if it does not say).
    """

    forward: NDArray[np.float64]
    backward: NDArray[np.float64]
    kinds: NDArray[np.uint8]
    whys: NDArray[np.uint8] | None = None
    scores: NDArray[np.float64] | None = None

    @property
    def score(self) -> NDArray[np.float64]:
        """What the threshold cuts, for every pair."""
        import numpy as np

        return np.maximum(self.forward, self.backward) if self.scores is None else self.scores

    @property
    def columns(self) -> tuple[NDArray[Any], ...]:
        """Forward, backward, kinds, whys and scores, as the native module takes them."""
        import numpy as np

        whys = np.zeros(len(self.kinds), np.uint8) if self.whys is None else self.whys
        shares = (np.ascontiguousarray(share, np.float64) for share in (self.forward, self.backward, self.score))
        forward, backward, score = shares
        return forward, backward, np.ascontiguousarray(self.kinds), np.ascontiguousarray(whys), score


#: Kinds by their number in columns.
KINDS: tuple[Kind, ...] = tuple(Kind)
