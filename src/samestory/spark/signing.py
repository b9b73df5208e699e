"""Parsing and signing of lines and rows, in the tasks that read them: texts are not shuffled."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from samestory import _core
from samestory.errors import InputError
from samestory.model import Signatures
from samestory.readers import is_parquet, parquet_rows
from samestory.readers.parquet import _row
from samestory.spark.layout import InputSplit, Layout
from samestory.spark.recipe import Recipe
from samestory.text import Counting

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

#: Placeholder for the name of a file in generated ids, until the first line of the split is known; no valid file name.
UNNAMED_FILE = "\x00\x00"
#: Rows passed to the core at once.
ROWS_PER_BATCH = 4096


@dataclass(frozen=True)
class ReadOptions:
    """The options of reading, as on one machine."""

    recipe: Recipe
    fields: Mapping[str, str] = field(default_factory=dict)
    format: str | None = None
    encoding: str | None = None
    largest: int = _core.LARGEST
    details: int | None = None
    as_is: bool = False

    def corpus(self, counting: Counting | None = None) -> _core.engine.Corpus:
        """Returns an empty corpus for a batch."""
        native = counting.native if counting else self.recipe.detector.native
        switches = (False, False, False)
        return _core.engine.Corpus(
            native, list(self.fields.items()), 1, self.largest, *switches, self.details, self.as_is
        )


@dataclass
class SignedPartition:
    """The signed articles of an input partition as columns, ordered by split; and the splits."""

    articles: pa.Table
    splits: list[InputSplit]

    def numbers(self, layout: Layout, partition: int) -> NDArray[np.int64]:
        """Returns the numbers of the articles."""
        import numpy as np

        starts = np.array([split.start for split in layout.of_partition(partition)], np.int64)
        before = np.repeat(starts, [split.articles for split in self.splits])
        numbers: NDArray[np.int64] = before + self.articles["line"].to_numpy()
        return numbers

    def ids(self, layout: Layout, partition: int) -> pa.Array:
        """Returns the ids of the articles; an article without one gets its file and line."""
        import pyarrow as pa
        import pyarrow.compute as pc

        ids = self.articles["id"].combine_chunks()
        if not pc.any(pc.starts_with(ids, UNNAMED_FILE)).as_py():
            return ids
        splits = [each for each in layout.of_partition(partition) for _ in range(each.split.articles)]
        lines = self.articles["line"].to_pylist()
        named = (
            f"{each.split.place[1]}:{each.first + line}" if id.startswith(UNNAMED_FILE) else id
            for id, each, line in zip(ids.to_pylist(), splits, lines, strict=True)
        )
        return pa.array(named, pa.string())


class PartitionBuilder:
    """Collects the signed articles of a partition, batch by batch."""

    def __init__(self, options: ReadOptions, counting: Counting | None = None) -> None:
        self._options, self._counting = options, counting
        self._tables: list[pa.Table] = []
        self._splits: list[InputSplit] = []

    def open_split(self, place: tuple[int, str, int], is_new: bool) -> None:
        """Begins a new split, unless its place is that of the current one."""
        if not self._splits or self._splits[-1].place != place:
            self._splits.append(InputSplit(place, is_new))

    def add_lines(self, values: Any, offsets: NDArray[np.int64]) -> None:
        """Adds JSON lines."""
        corpus = self._options.corpus(self._counting)
        corpus.add(UNNAMED_FILE, (values, offsets))
        self._add_corpus(corpus, len(offsets) - 1)

    def add_rows(self, rows: list[Any]) -> None:
        """Adds rows of values."""
        corpus = self._options.corpus(self._counting)
        corpus.add(UNNAMED_FILE, rows)
        self._add_corpus(corpus, len(rows))

    def add_signed(self, batch: pa.RecordBatch) -> None:
        """Adds articles with stored signatures: id, time, source, words, signature."""
        import numpy as np
        import pyarrow as pa

        first = self._splits[-1].lines + 1
        lines = np.arange(first, first + batch.num_rows, dtype=np.int64)
        ids, published, sources, words, signatures = batch.columns[:5]
        source_hashes = pa.concat_arrays([sources]).to_numpy(zero_copy_only=False).astype(np.int64).view(np.uint64)
        self._add_columns(
            lines, ids, published, source_hashes, words.cast(pa.uint32()), signatures.cast(pa.large_binary())
        )
        self._splits[-1].lines += batch.num_rows

    def add_file(self, path: str) -> None:
        """Adds a whole file from a temporary path."""
        options = self._options
        if is_parquet(path, options.format):
            self._add_parquet(path)
        else:
            corpus = options.corpus(self._counting)
            corpus.read(path, options.format, options.encoding, None)
            self._add_corpus(corpus, None, path)

    def _add_parquet(self, path: str) -> None:
        try:
            rows = ((row, doubts) if doubts else row for _, row, doubts, _ in parquet_rows(path, self._options.fields))
            while batch := list(islice(rows, ROWS_PER_BATCH)):
                self.add_rows(batch)
        except InputError as error:
            self._record_problem((0, "unreadable", error.without_place, False))

    def _record_problem(self, problem: tuple[int, str, str, bool]) -> None:
        last = self._splits[-1]
        last.records += 1
        last.faults[problem[1]] += 1
        last.kept[problem[1]] += problem[3]
        if self._options.details is None or last.faults[problem[1]] <= self._options.details:
            last.problems.append(problem)

    def _add_corpus(self, corpus: _core.engine.Corpus, lines: int | None, path: str = "") -> None:
        """Adds a corpus of the core; `lines` is the number of lines of the batch, None for a whole file."""
        import numpy as np
        import pyarrow as pa

        last = self._splits[-1]
        report = corpus.report()
        for fault, count, kept in report.faults:
            last.faults[fault] += count
            last.kept[fault] += count if kept else 0
        last.repairs.update(dict(report.repairs))
        room = None if self._options.details is None else max(self._options.details - len(last.problems), 0)
        last.problems.extend(
            (line + last.lines if line else 0, fault, detail, kept)
            for _, line, fault, detail, kept in islice(report.problems, room)
        )
        last.records += report.records
        found = corpus.articles(with_signatures=True)
        ids, own_lines = found.ids, np.asarray(found.lines).astype(np.int64)
        assert found.signatures is not None
        if path:
            ids = [UNNAMED_FILE + id[len(path) :] if id.startswith(f"{path}:") else id for id in ids]
        self._add_columns(
            own_lines + last.lines,
            pa.array(ids, pa.string()),
            np.asarray(found.published),
            np.asarray(found.sources),
            np.asarray(found.words),
            Signatures.from_core(found.signatures).array,
        )
        last.lines += int(own_lines.max(initial=0)) if lines is None else lines

    def _add_columns(self, *columns: Any) -> None:
        import pyarrow as pa

        arrays = [column if isinstance(column, pa.Array) else pa.array(column) for column in columns]
        self._tables.append(pa.table(arrays, schema=signed_schema()))
        self._splits[-1].articles += len(arrays[0])

    def build(self) -> SignedPartition:
        """Returns the partition."""
        import pyarrow as pa

        empty = signed_schema().empty_table()
        return SignedPartition(pa.concat_tables([empty, *self._tables]).combine_chunks(), self._splits)


def signed_schema() -> pa.Schema:
    """The schema of signed articles."""
    import pyarrow as pa

    return pa.schema(
        [
            ("line", pa.int64()),
            ("id", pa.string()),
            ("published", pa.int64()),
            ("source", pa.uint64()),
            ("words", pa.uint32()),
            ("signature", pa.large_binary()),
        ]
    )


#: Reads the batches of a partition into a builder.
BatchReader = Callable[[Iterator[Any], PartitionBuilder], None]


def lines_reader(input: int, is_new: bool, display_name: Callable[[str], str]) -> BatchReader:
    """Returns a reader of lines, with columns for line, file, and byte offset of the split."""

    def read_batches(batches: Iterator[pa.RecordBatch], builder: PartitionBuilder) -> None:
        for batch in batches:
            for path, start, some in consecutive(batch, 1):
                builder.open_split((input, display_name(path), start), is_new)
                builder.add_lines(*column(some.column(0)))

    return read_batches


def consecutive(batch: pa.RecordBatch, at: int) -> Iterator[tuple[str, int, pa.RecordBatch]]:
    """Yields the rows of each split, which are consecutive, with its file and offset: columns `at` and `at + 1`."""
    import numpy as np

    paths, starts = batch.column(at).dictionary_encode(), batch.column(at + 1).to_numpy()
    codes = paths.indices.to_numpy()
    ends = [*(np.flatnonzero((np.diff(codes) != 0) | (np.diff(starts) != 0)) + 1).tolist(), batch.num_rows]
    for begin, end in pairwise([0, *ends]):
        if end > begin:
            yield paths[begin].as_py(), int(starts[begin]), batch.slice(begin, end - begin)


def column(array: pa.Array) -> tuple[Any, NDArray[np.int64]]:
    """Returns the bytes of a binary column, and the offsets of its rows."""
    import numpy as np
    import pyarrow as pa

    whole = pa.concat_arrays([array]) if array.offset else array
    _, offsets, values = whole.buffers()
    wide = np.int64 if pa.types.is_large_binary(whole.type) else np.int32
    bounds = np.frombuffer(offsets, wide)[whole.offset : whole.offset + len(whole) + 1].astype(np.int64)
    data = memoryview(values)[bounds[0] : bounds[-1]] if values is not None else b""
    return data, bounds - bounds[0]


def files_reader(input: int, is_new: bool, display_name: Callable[[str], str]) -> BatchReader:
    """Returns a reader of whole files, with columns for name and content."""

    def read_batches(batches: Iterator[pa.RecordBatch], builder: PartitionBuilder) -> None:
        for batch in batches:
            for path, content in zip(batch.column(0), batch.column(1), strict=True):
                builder.open_split((input, display_name(path.as_py()), 0), is_new)
                with tempfile.TemporaryDirectory() as folder:
                    file = Path(folder, Path(path.as_py()).name)
                    file.write_bytes(memoryview(content.as_buffer()))
                    builder.add_file(str(file))

    return read_batches


def rows_reader(input: int, is_new: bool, columns: list[list[int]]) -> BatchReader:
    """Returns a reader of the rows of a frame; `columns` are the indexes of the columns for every role, best first."""

    def read_batches(batches: Iterator[pa.RecordBatch], builder: PartitionBuilder) -> None:
        from pyspark import TaskContext

        task = TaskContext.get()
        builder.open_split((input, "articles", task.partitionId() if task else 0), is_new)
        for batch in batches:
            lists = [batch.column(at).to_pylist() for at in range(batch.num_columns)]
            rows = []
            for at in range(batch.num_rows):
                _, values, doubts, _ = _row(at, [[lists[c][at] for c in some] for some in columns], {})
                rows.append((values, doubts) if doubts else values)
            builder.add_rows(rows)

    return read_batches
