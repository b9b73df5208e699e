"""Inputs: files on any file system that Spark supports, and frames.

JSON lines are split by Spark and parsed by the reader of the core, with the same checks as everywhere. Files that
cannot be split (compressed files, Parquet, CSV) are read by one task, as on one machine: invalid records are reported
and skipped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from samestory.errors import InputError, ParameterError
from samestory.readers.objects import NAMES, ROLES
from samestory.spark.partitions import from_batches
from samestory.spark.session import first_line, java_errors
from samestory.spark.signing import (
    BatchReader,
    PartitionBuilder,
    ReadOptions,
    SignedPartition,
    files_reader,
    lines_reader,
    rows_reader,
)

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark import RDD
    from pyspark.sql import DataFrame, SparkSession

#: Suffixes of files that are read line by line.
LINE_SUFFIXES = (".jsonl", ".ndjson", ".json", ".jsonlines")


@dataclass(frozen=True)
class Input:
    """An input: a path or a frame."""

    source: Any
    is_new: bool
    number: int

    def frame(
        self, spark: SparkSession, format: str | None, fields: Mapping[str, str]
    ) -> tuple[DataFrame, BatchReader]:
        """Returns the frame of its rows, and the reader of their batches."""
        if not isinstance(self.source, str):
            return self._rows(fields)
        path, display_name = self.source, _display_name(self.source)
        if path == "-":
            raise ParameterError("-: Spark cannot read standard input; give a file")
        try:
            if self._is_lines(format):
                frame = spark.read.option("lineSep", "\n").text(path)
                chosen = frame.selectExpr(
                    "cast(value as binary) as value",
                    "_metadata.file_path as path",
                    "_metadata.file_block_start as start",
                )
                return chosen, lines_reader(self.number, self.is_new, display_name)
            frame = spark.read.format("binaryFile").load(path)
            return frame.select("path", "content"), files_reader(self.number, self.is_new, display_name)
        except java_errors() as error:
            raise InputError(_reason(error), place=path) from error

    def _is_lines(self, format: str | None) -> bool:
        ending = Path(str(self.source).rstrip("/")).suffix.lower()
        return (format == "jsonl" and ending not in (".gz", ".zst")) or (
            format is None and ending in (*LINE_SUFFIXES, "")
        )

    def _rows(self, fields: Mapping[str, str]) -> tuple[DataFrame, BatchReader]:
        frame = self.source
        by_lower_name = {name.lower(): name for name in reversed(frame.columns)}
        columns = [
            [fields[role]] if role in fields else [by_lower_name.get(name, "") for name in NAMES[role]]
            for role in ROLES
        ]
        columns = [[name for name in names if name in frame.columns] for names in columns]
        if not columns[ROLES.index("text")] and not columns[ROLES.index("title")]:
            raise InputError(f"no column for the text among {', '.join(frame.columns)}")
        used = list(dict.fromkeys(name for names in columns for name in names))
        places = [[used.index(name) for name in names] for names in columns]
        return frame.select(*(f"`{name}`" for name in used)), rows_reader(self.number, self.is_new, places)


def _display_name(given: str) -> Callable[[str], str]:
    """Returns a function from the URI of a file to its displayed name: the given path if that is a file."""
    single_file = given if Path(given).is_file() else None

    def display(uri: str) -> str:
        return single_file or unquote(uri.removeprefix("file://").removeprefix("file:"))

    return display


def _reason(error: Exception) -> str:
    line = first_line(error)
    return "no such file or directory" if "PATH_NOT_FOUND" in line else line


def read_partitions(
    spark: SparkSession, inputs: list[tuple[DataFrame, BatchReader]], options: ReadOptions
) -> RDD[SignedPartition]:
    """Reads and signs the articles of all inputs."""
    readers = [from_batches(frame, partial(_read, reader=reader, options=options)) for frame, reader in inputs]
    return spark.sparkContext.union(readers)


def _read(batches: Iterator[pa.RecordBatch], reader: BatchReader, options: ReadOptions) -> SignedPartition:
    builder = PartitionBuilder(options)
    reader(batches, builder)
    return builder.build()


def count_terms(inputs: list[tuple[DataFrame, BatchReader]], options: ReadOptions) -> Any:
    """Returns the statistics of all inputs: the sum of those of the partitions."""
    count = partial(_count, options=options)
    tables = [some for frame, reader in inputs for some in from_batches(frame, partial(count, reader=reader)).collect()]
    first, *others = map(type(options.recipe.detector.counter().counts()).parse, tables)
    return sum(others, first)


def _count(batches: Iterator[pa.RecordBatch], reader: BatchReader, options: ReadOptions) -> bytes:
    counting = options.recipe.detector.counter()
    reader(batches, PartitionBuilder(options, counting))
    return bytes(counting.counts())
