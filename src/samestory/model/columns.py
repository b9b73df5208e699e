"""Batches of articles, signatures and pairs as columns on Arrow arrays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from samestory.model import arrow
from samestory.model.article import Span

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    from samestory import _core


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def record_batch(columns: Mapping[str, _core.Column]) -> pa.RecordBatch:
    """Columns of the native core, by their names."""
    import numpy as np
    import pyarrow as pa

    return pa.RecordBatch.from_pydict({name: np.asarray(column) for name, column in columns.items()})


@dataclass(frozen=True, slots=True)
class Ragged:
    """Rows of different lengths in one column: an Arrow list array."""

    array: pa.LargeListArray

    @classmethod
    def from_lists(cls, rows: Iterable[Iterable[int]]) -> Ragged:
        """Returns a row of 64-bit integers for every list.

        >>> Ragged.from_lists([[1, 2], [], [3]]).lengths().tolist()
        [2, 0, 1]
        """
        import numpy as np

        lists = [list(row) for row in rows]
        offsets = np.cumsum([0, *map(len, lists)], dtype=np.int64)
        return cls.from_offsets(np.array([value for row in lists for value in row], np.int64), offsets)

    @classmethod
    def from_offsets(cls, values: NDArray[Any], offsets: NDArray[np.int64]) -> Ragged:
        """Returns rows over values, row i being ``values[offsets[i]:offsets[i + 1]]``."""
        import pyarrow as pa

        return cls(pa.LargeListArray.from_arrays(arrow.from_numpy(offsets), arrow.from_numpy(values)))

    @classmethod
    def from_core(cls, rows: _core.Rows) -> Ragged:
        """Rows of the native core."""
        import numpy as np

        return cls.from_offsets(np.asarray(rows.values), np.asarray(rows.offsets))

    @property
    def values(self) -> NDArray[Any]:
        """The values of all rows."""
        return arrow.to_numpy(self.array.flatten())

    @property
    def offsets(self) -> NDArray[np.int64]:
        """Where the rows begin, from 0, and where the last one ends."""
        offsets: NDArray[np.int64] = arrow.to_numpy(self.array.offsets)
        out: NDArray[np.int64] = offsets - offsets[0]
        return out

    def lengths(self) -> NDArray[np.int64]:
        """How many values every row has."""
        offsets = self.offsets
        return offsets[1:] - offsets[:-1]

    def __len__(self) -> int:
        return len(self.array)

    def __getitem__(self, row: int) -> NDArray[Any]:
        return arrow.to_numpy(self.array[row].values)


@dataclass(frozen=True, slots=True)
class Signatures:
    """One signature (bytes) for every article: an Arrow binary array."""

    array: pa.LargeBinaryArray

    @classmethod
    def from_lists(cls, signatures: Iterable[bytes]) -> Signatures:
        """Returns the signatures of articles, in order.

        >>> list(Signatures.from_lists([b"one", b""]))
        [b'one', b'']
        """
        import pyarrow as pa

        return cls(arrow.from_bytes(list(signatures), pa.large_binary()))

    @classmethod
    def from_offsets(cls, values: bytes | NDArray[np.uint8], offsets: NDArray[np.int64]) -> Signatures:
        """Returns signatures from their concatenated bytes."""
        import pyarrow as pa

        buffers = [None, pa.py_buffer(offsets), pa.py_buffer(values)]
        return cls(pa.LargeBinaryArray.from_buffers(pa.large_binary(), len(offsets) - 1, buffers))

    @classmethod
    def from_core(cls, rows: _core.Rows) -> Signatures:
        """Signatures of the native core."""
        import numpy as np

        return cls.from_offsets(np.asarray(rows.values), np.asarray(rows.offsets))

    @classmethod
    def concat(cls, parts: Sequence[Signatures]) -> Signatures:
        """Several batches as one; none as an empty one."""
        import pyarrow as pa

        return cls(pa.concat_arrays([part.array for part in parts])) if parts else cls.from_lists([])

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
        values, offsets = self.columns
        return (values[start:end] for start, end in pairwise(offsets.tolist()))


@dataclass(frozen=True, slots=True)
class Features:
    """Articles with their tokens and sentences, in columns.

    ``tokens`` are packed (30 bits of hash, two flags) as detectors read them; ``starts``, ``bases`` and ``ends`` are
    the positions of every token, of the end of its base and of its end; ``sentences`` are starts and ends, alternating.
    Positions are those of ``texts``, the articles' own; detectors compare ``compared``, the same texts repaired.
    """

    batch: pa.RecordBatch

    def __len__(self) -> int:
        return int(self.batch.num_rows)

    def __repr__(self) -> str:
        return f"Features({len(self):,} article{'s' if len(self) != 1 else ''})"

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
        """The titles of the articles, or None."""
        return self._list("title")

    @property
    def compared(self) -> list[str]:
        """The texts as detectors compare them: repaired if necessary."""
        return [own if text is None else text for own, text in zip(self.texts, self._list("repaired"), strict=True)]

    @property
    def compared_titles(self) -> list[str | None]:
        """The titles as detectors compare them."""
        repaired = self._list("repaired_title")
        return [own if title is None else title for own, title in zip(self.titles, repaired, strict=True)]

    def original(self, spans: Sequence[Span]) -> list[Span]:
        """Spans of the compared text of the first article, as spans of its own text."""
        if self.batch.column("repaired")[0].as_py() is None:
            return list(spans)
        import numpy as np

        from samestory import _core

        own = np.asarray(_core.text.repair(self.texts[0]).offsets).tolist()
        return [Span(own[start], own[end]) for start, end in spans]

    @property
    def languages(self) -> list[str]:
        """The language of every article, declared or detected."""
        return self._list("lang")

    @property
    def sources(self) -> list[str | None]:
        """The sources of the articles, or None."""
        return self._list("source")

    @property
    def published(self) -> list[datetime | None]:
        """The times of publication, or None."""
        # not by Arrow, which imports pandas to convert a time, if it is installed
        return [None if at == NO_TIME else _EPOCH + timedelta(microseconds=at) for at in self.microseconds]

    @property
    def microseconds(self) -> list[int]:
        """The times of publication in microseconds since 1970; NO_TIME if unknown."""
        # a view: a conversion takes a tenth of a millisecond even for one article
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
        """Starts and ends of the sentences, alternating."""
        return self._ragged("sentences")

    def take(self, rows: Iterable[int]) -> Features:
        """Some of the articles, in the given order."""
        import numpy as np

        return Features(self.batch.take(arrow.from_numpy(np.array(list(rows), np.int64))))

    @classmethod
    def concat(cls, parts: Sequence[Features]) -> Features:
        """Several batches as one."""
        import pyarrow as pa

        table = pa.Table.from_batches([part.batch for part in parts]).combine_chunks()
        batches = table.to_batches()
        return cls(batches[0] if batches else parts[0].batch)


#: Marks an unknown time in columns of microseconds.
NO_TIME = -(2**63)


class Pairs(NamedTuple):
    """Rows of two batches, pair by pair."""

    left: NDArray[np.int64]
    right: NDArray[np.int64]


class Overlaps(NamedTuple):
    """The result of comparing pairs, in columns; ``kinds`` are numbers into ``KINDS``, 0 being no relation.

    Optional columns: ``whys``, numbers into ``_core.WHYS`` for pairs that are not related; ``scores``, which the
    threshold is compared with (by default the larger share).
    """

    forward: NDArray[np.float64]
    backward: NDArray[np.float64]
    kinds: NDArray[np.uint8]
    whys: NDArray[np.uint8] | None = None
    scores: NDArray[np.float64] | None = None

    @classmethod
    def from_core(cls, found: _core.detectors.Overlaps) -> Overlaps:
        """Overlaps of the native core."""
        import numpy as np

        columns = (found.forward, found.backward, found.kinds, found.whys, found.scores)
        return cls(*(np.asarray(column) for column in columns))

    @property
    def score(self) -> NDArray[np.float64]:
        """The score of every pair."""
        import numpy as np

        return np.maximum(self.forward, self.backward) if self.scores is None else self.scores

    @property
    def columns(self) -> tuple[NDArray[Any], ...]:
        """Forward, backward, kinds, whys and scores, as the native module reads them."""
        import numpy as np

        whys = np.zeros(len(self.kinds), np.uint8) if self.whys is None else self.whys
        shares = (np.ascontiguousarray(share, np.float64) for share in (self.forward, self.backward, self.score))
        forward, backward, score = shares
        return forward, backward, np.ascontiguousarray(self.kinds), np.ascontiguousarray(whys), score


def numbers_by_name(found: _core.detectors.PairNumbers) -> dict[str, NDArray[np.float64]]:
    """The numbers about pairs, a column for every name."""
    import numpy as np

    table = np.asarray(found.values).reshape(-1, len(found.names))
    return {name: table[:, at] for at, name in enumerate(found.names)}
