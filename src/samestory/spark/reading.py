"""Inputs: files on any file system that Spark knows, and frames.

Lines of JSON are cut into stretches by Spark and parsed by our own reader, which refuses what it refuses everywhere.
What cannot be cut (packed files, Parquet, CSV) is handed to a task as a whole, and read there as on one machine: what
is broken is named, and the rest goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from samestory.errors import InputError, ParameterError
from samestory.readers.objects import NAMES, ROLES
from samestory.spark.blobs import from_batches
from samestory.spark.session import java_errors
from samestory.spark.signing import Home, Reading, Taken, Work, take_files, take_lines, take_rows
from samestory.text import Counting

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark import RDD
    from pyspark.sql import DataFrame, SparkSession

#: How names of files end that are read line by line.
LINES = (".jsonl", ".ndjson", ".json", ".jsonlines")


@dataclass(frozen=True)
class Input:
    """Something to read: a path, or a frame."""

    what: Any
    is_new: bool
    number: int

    def frame(self, spark: SparkSession, format: str | None, fields: Mapping[str, str]) -> tuple[DataFrame, Work]:
        """Its rows, and what takes them."""
        if not isinstance(self.what, str):
            return self._rows(fields)
        path, shown = self.what, _shown(self.what)
        if path == "-":
            raise ParameterError("-: Spark reads files, not standard input")
        try:
            if self._is_lines(format):
                frame = spark.read.option("lineSep", "\n").text(path)
                chosen = frame.selectExpr(
                    "cast(value as binary) as value",
                    "_metadata.file_path as path",
                    "_metadata.file_block_start as start",
                )
                return chosen, take_lines(self.number, self.is_new, shown)
            frame = spark.read.format("binaryFile").load(path)
            return frame.select("path", "content"), take_files(self.number, self.is_new, shown)
        except java_errors() as error:
            raise InputError(f"{path}: {_why(error)}") from error

    def _is_lines(self, format: str | None) -> bool:
        ending = Path(str(self.what).rstrip("/")).suffix.lower()
        return (format == "jsonl" and ending not in (".gz", ".zst")) or (format is None and ending in (*LINES, ""))

    def _rows(self, fields: Mapping[str, str]) -> tuple[DataFrame, Work]:
        frame = self.what
        known = {name.lower(): name for name in reversed(frame.columns)}
        wanted = [[fields[role]] if role in fields else [known.get(name, "") for name in NAMES[role]] for role in ROLES]
        wanted = [[name for name in names if name in frame.columns] for names in wanted]
        if not wanted[ROLES.index("text")] and not wanted[ROLES.index("title")]:
            raise InputError(f"no column for the text among {', '.join(frame.columns)}")
        used = list(dict.fromkeys(name for names in wanted for name in names))
        places = [[used.index(name) for name in names] for names in wanted]
        return frame.select(*(f"`{name}`" for name in used)), take_rows(self.number, self.is_new, places)


def _shown(given: str) -> Callable[[str], str]:
    """How the files of a path are called: as they were given, where they are one file."""
    alone = given if Path(given).is_file() else None

    def shown(found: str) -> str:
        return alone or unquote(found.removeprefix("file://").removeprefix("file:"))

    return shown


def _why(error: Exception) -> str:
    words = str(error).strip().splitlines() or [type(error).__name__]
    return "no such file or directory" if "PATH_NOT_FOUND" in words[0] else words[0]


def homes(spark: SparkSession, inputs: list[tuple[DataFrame, Work]], reading: Reading) -> RDD[Home]:
    """The signed articles of all inputs, partition by partition."""
    return spark.sparkContext.union([from_batches(frame, _home(work, reading)) for frame, work in inputs])


def _home(work: Work, reading: Reading) -> Callable[[Iterator[pa.RecordBatch]], Home]:
    def whole(batches: Iterator[pa.RecordBatch]) -> Home:
        taken = Taken(reading)
        work(batches, taken)
        return taken.home()

    return whole


def counted(inputs: list[tuple[DataFrame, Work]], reading: Reading, counter: Callable[[], Counting]) -> Any:
    """The statistics of all inputs: those of the partitions, added up."""

    def count(work: Work) -> Callable[[Iterator[pa.RecordBatch]], bytes]:
        def whole(batches: Iterator[pa.RecordBatch]) -> bytes:
            counting = counter()
            work(batches, Taken(reading, counting))
            return bytes(counting.counts())

        return whole

    tables = [table for frame, work in inputs for table in from_batches(frame, count(work)).collect()]
    parse = type(counter().counts()).parse
    first, *others = map(parse, tables)
    for other in others:
        first = first + other
    return first
