"""Lines and rows to signed articles, in the tasks that read them: texts go no further.

A native detector parses, prepares and signs whole batches in the core. Any other detector is handed articles.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from samestory import _core
from samestory.detectors import Native
from samestory.errors import InputError
from samestory.model import Article, Signatures
from samestory.readers import Problem, Source, is_parquet, name, parquet_rows, read
from samestory.readers.parquet import _row
from samestory.spark.layout import Layout, Stretch
from samestory.spark.recipe import Recipe
from samestory.text import Counting, prepare

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

#: Stands for the name of a file while nobody knows in which line of it a stretch begins; no file is called so.
NOWHERE = "\x00\x00"
#: Rows handed to the core at a time.
ROWS = 4096


@dataclass(frozen=True)
class Reading:
    """How records are read: the same settings as on one machine."""

    recipe: Recipe
    fields: Mapping[str, str] = field(default_factory=dict)
    format: str | None = None
    encoding: str | None = None
    largest: int = _core.LARGEST
    details: int | None = None
    as_is: bool = False

    def corpus(self, counting: Counting | None = None) -> _core.Corpus:
        """Room for a batch."""
        native = counting.native if counting else cast(Native, self.recipe.detector).native
        switches = (False, False, False)
        return _core.Corpus(native, list(self.fields.items()), 1, self.largest, *switches, self.details, self.as_is)


@dataclass
class Home:
    """The articles of one partition, in columns, stretch by stretch; and the stretches."""

    articles: pa.Table
    stretches: list[Stretch]

    def numbers(self, layout: Layout, home: int) -> NDArray[np.int64]:
        """The numbers of the articles."""
        return layout.numbers(home, self.articles["line"].to_numpy())

    def ids(self, layout: Layout, home: int) -> pa.Array:
        """Their ids; an article without one is named by its place."""
        import pyarrow as pa
        import pyarrow.compute as pc

        ids = self.articles["id"].combine_chunks()
        if not pc.any(pc.starts_with(ids, NOWHERE)).as_py():
            return ids
        stretch = [at for at, s in enumerate(self.stretches) for _ in range(s.articles)]
        lines = self.articles["line"].to_pylist()
        named = (
            layout.name(home, at, line) if id.startswith(NOWHERE) else id
            for id, at, line in zip(ids.to_pylist(), stretch, lines, strict=True)
        )
        return pa.array(named, pa.string())


class Taken:
    """What the batches of a partition became so far."""

    def __init__(self, reading: Reading, counting: Counting | None = None) -> None:
        self._reading, self._counting = reading, counting
        self._tables: list[pa.Table] = []
        self._stretches: list[Stretch] = []

    def open(self, place: tuple[int, str, int], is_new: bool) -> None:
        """What follows is a stretch of its own."""
        self._stretches.append(Stretch(place, is_new, 0, 0, 0, Counter(), Counter(), [], Counter()))

    @property
    def place(self) -> tuple[int, str, int] | None:
        """Where the last stretch is."""
        return self._stretches[-1].place if self._stretches else None

    def lines(self, values: Any, offsets: NDArray[np.int64]) -> None:
        """Takes lines of JSON."""
        count = len(offsets) - 1
        if self._counting or self._reading.recipe.is_native:
            corpus = self._reading.corpus(self._counting)
            corpus.take(NOWHERE, values, offsets)
            self._corpus(corpus, count)
        else:
            own = list(self._reading.fields.items())
            self._judged(_core.read_lines(values, offsets, own, self._reading.largest), count)

    def rows(self, rows: list[Any], first: int) -> None:
        """Takes rows of values, the first of them number `first` of its stretch."""
        before = self._stretches[-1].lines
        if self._counting or self._reading.recipe.is_native:
            corpus = self._reading.corpus(self._counting)
            corpus.add(NOWHERE, rows, 1)
            self._corpus(corpus, len(rows))
        else:
            out: list[Any] = []
            for line, row in enumerate(rows, 1):
                if isinstance(row, tuple) and isinstance(row[0], str):
                    out.append((line, None, row))
                else:
                    values, doubts = row if isinstance(row, tuple) else (row, [])
                    out.append((line, *_core.judge(values, doubts, self._reading.largest)))
            self._judged(out, len(rows))
        assert self._stretches[-1].lines == before + len(rows)

    def signed(self, batch: pa.RecordBatch) -> None:
        """Takes articles that were signed in another run: id, time, source, words, signature."""
        import numpy as np
        import pyarrow as pa

        first = self._stretches[-1].lines + 1
        lines = np.arange(first, first + batch.num_rows, dtype=np.int64)
        ids, published, sources, words, signatures = batch.columns[:5]
        whole = pa.concat_arrays([sources]).to_numpy(zero_copy_only=False).astype(np.int64).view(np.uint64)
        self._add(lines, ids, published, whole, words.cast(pa.uint32()), signatures.cast(pa.large_binary()))
        self._grow(batch.num_rows, batch.num_rows, 0)

    def file(self, path: str, shown: str) -> None:
        """Takes a whole file that lies here for the moment, and is shown under another name."""
        reading = self._reading
        native = self._counting or reading.recipe.is_native
        if is_parquet(path, reading.format):
            self._parquet(path)
        elif native:
            corpus = reading.corpus(self._counting)
            corpus.read(path, reading.format, reading.encoding, None)
            self._corpus(corpus, None, path)
        else:
            items = read(Source(path, reading.fields, reading.format, reading.encoding, reading.largest))
            self._articles(items, path, shown)

    def _parquet(self, path: str) -> None:
        try:
            rows = ((row, doubts) if doubts else row for _, row, doubts in parquet_rows(path, self._reading.fields))
            first = 1
            while batch := list(islice(rows, ROWS)):
                self.rows(batch, first)
                first += len(batch)
        except InputError as error:
            self._note([(0, "unreadable", str(error).removeprefix(f"{name(path)}: "), False)])

    def _note(self, problems: Iterable[tuple[int, str, str, bool]], records: int = 1) -> None:
        last = self._stretches[-1]
        self._stretches[-1] = last._replace(records=last.records + records)
        for problem in problems:
            last.faults[problem[1]] += 1
            last.kept[problem[1]] += problem[3]
            if self._reading.details is None or last.faults[problem[1]] <= self._reading.details:
                last.problems.append(problem)

    def _corpus(self, corpus: _core.Corpus, lines: int | None, path: str = "") -> None:
        """Takes what the core has read; lines are those of the batch, or (none) of the whole file."""
        import numpy as np
        import pyarrow as pa

        last = self._stretches[-1]
        for fault, count, kept in corpus.faults():
            last.faults[fault] += count
            last.kept[fault] += count if kept else 0
        last.repairs.update(dict(corpus.repairs()))
        room = None if self._reading.details is None else self._reading.details - len(last.problems)
        last.problems.extend(
            (line + last.lines if line else 0, fault, detail, kept)
            for _, line, fault, detail, kept in islice(corpus.problems(), room if room is None else max(room, 0))
        )
        at, published, sources, words, values, offsets = corpus.columns()
        ids = corpus.ids()
        if path:
            ids = [NOWHERE + id[len(path) :] if id.startswith(f"{path}:") else id for id in ids]
        self._add(
            np.frombuffer(at, np.int64) + last.lines,
            pa.array(ids, pa.string()),
            np.frombuffer(published, np.int64),
            np.frombuffer(sources, np.uint64),
            np.frombuffer(words, np.uint32),
            Signatures.of(values, np.frombuffer(offsets, np.int64)).array,
        )
        read = int(np.frombuffer(at, np.int64).max(initial=0)) if lines is None else lines
        self._grow(len(ids), read, corpus.records)

    def _grow(self, articles: int, lines: int, records: int) -> None:
        last = self._stretches[-1]
        self._stretches[-1] = last._replace(
            articles=last.articles + articles, lines=last.lines + lines, records=last.records + records
        )

    def _judged(self, rows: Iterable[Any], lines: int) -> None:
        """Takes rows that the core has judged, for detectors that want articles."""
        base, kept, articles, records = self._stretches[-1].lines, [], [], 0
        for line, values, fault in rows:
            records += 1
            if fault is not None:
                self._note([(base + line, *fault, values is not None)], 0)
            if values is not None:
                id, title, text, published, url, source, lang = values
                articles.append(
                    Article(id or f"{NOWHERE}:{base + line}", text or "", title, published, url, source, lang)
                )
                kept.append(base + line)
        self._sign(articles, kept)
        self._grow(len(articles), lines, records)

    def _articles(self, items: Iterator[Article | Problem], path: str, shown: str) -> None:
        articles, lines, records = [], [], 0
        try:
            for item in items:
                records += 1
                if isinstance(item, Problem):
                    self._note([(item.line, item.fault, item.detail, item.kept)], 0)
                    records -= item.kept
                else:
                    articles.append(item)
                    lines.append(records)
        except InputError as error:
            self._note([(0, "unreadable", str(error).removeprefix(f"{name(path)}: "), False)], 1)
        self._sign(articles, lines)
        self._grow(len(articles), records, records)

    def _sign(self, articles: list[Article], lines: list[int]) -> None:
        import numpy as np
        import pyarrow as pa

        if not articles:
            return
        features = prepare(articles, self._reading.as_is)
        self._add(
            np.array(lines, np.int64),
            pa.array([article.id for article in articles], pa.string()),
            np.array(features.microseconds, np.int64),
            np.array([_core.source_hash(source or "") for source in features.sources], np.uint64),
            features.tokens.lengths().astype(np.uint32),
            self._reading.recipe.detector.sign(features).array,
        )

    def _add(self, *columns: Any) -> None:
        import pyarrow as pa

        self._tables.append(pa.table(list(map(_array, columns)), schema=signed_schema()))

    def home(self) -> Home:
        """All of it."""
        import pyarrow as pa

        empty = signed_schema().empty_table()
        return Home(pa.concat_tables([empty, *self._tables]).combine_chunks(), self._stretches)


def _array(column: Any) -> pa.Array:
    import pyarrow as pa

    return column if isinstance(column, pa.Array) else pa.array(column)


def signed_schema() -> pa.Schema:
    """The columns of signed articles."""
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


#: What makes a value of the batches of a partition.
Work = Callable[[Iterator[Any], Taken], None]


def take_lines(input: int, is_new: bool, shown: Callable[[str], str]) -> Work:
    """Takes batches of lines: the line, its file, where in the file its stretch begins."""

    def work(batches: Iterator[pa.RecordBatch], taken: Taken) -> None:
        import numpy as np

        for batch in batches:
            paths, starts = batch.column(1), batch.column(2).to_numpy()
            begin = 0
            while begin < batch.num_rows:
                path = paths[begin].as_py()
                # lines of one stretch come one after the other
                same = np.flatnonzero(starts[begin:] != starts[begin])
                end = begin + (int(same[0]) if len(same) else batch.num_rows - begin)
                while end > begin + 1 and paths[end - 1].as_py() != path:
                    end -= 1
                place = (input, shown(path), int(starts[begin]))
                if taken.place != place:
                    taken.open(place, is_new)
                taken.lines(*column(batch.column(0).slice(begin, end - begin)))
                begin = end

    return work


def column(array: pa.Array) -> tuple[Any, NDArray[np.int64]]:
    """The bytes of a column of bytes, and where each row begins."""
    import numpy as np
    import pyarrow as pa

    whole = pa.concat_arrays([array]) if array.offset else array
    _, offsets, values = whole.buffers()
    wide = np.int64 if pa.types.is_large_binary(whole.type) else np.int32
    bounds = np.frombuffer(offsets, wide)[whole.offset : whole.offset + len(whole) + 1].astype(np.int64)
    data = memoryview(values)[bounds[0] : bounds[-1]] if values is not None else b""
    return data, bounds - bounds[0]


def take_files(input: int, is_new: bool, shown: Callable[[str], str]) -> Work:
    """Takes whole files: name and content."""

    def work(batches: Iterator[pa.RecordBatch], taken: Taken) -> None:
        for batch in batches:
            for path, content in zip(batch.column(0), batch.column(1), strict=True):
                taken.open((input, shown(path.as_py()), 0), is_new)
                with tempfile.TemporaryDirectory() as folder:
                    file = Path(folder, Path(path.as_py()).name)
                    file.write_bytes(memoryview(content.as_buffer()))
                    taken.file(str(file), shown(path.as_py()))

    return work


def take_rows(input: int, is_new: bool, columns: list[list[int]]) -> Work:
    """Takes the rows of a frame: for every role the places of its columns, best first."""

    def work(batches: Iterator[pa.RecordBatch], taken: Taken) -> None:
        from pyspark import TaskContext

        task = TaskContext.get()
        taken.open((input, "articles", task.partitionId() if task else 0), is_new)
        first = 1
        for batch in batches:
            lists = [batch.column(at).to_pylist() for at in range(batch.num_columns)]
            rows = []
            for at in range(batch.num_rows):
                _, values, doubts = _row(at, [[lists[c][at] for c in some] for some in columns])
                rows.append((values, doubts) if doubts else values)
            taken.rows(rows, first)
            first += len(rows)

    return work
