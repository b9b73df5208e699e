"""Signatures that were kept: a later run signs only what is new, and compares it with them.

A folder of Parquet wherever Spark writes, with a folder in it for every run that added something; beside them a line
that says which detector and preparation made them. Others are refused: a signature never changes its meaning.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from samestory.detectors import Detector
from samestory.errors import InputError, MismatchError
from samestory.spark.blobs import indexed, to_frame
from samestory.spark.census import Census
from samestory.spark.layout import NEW, Layout
from samestory.spark.session import java_errors
from samestory.spark.signing import Home, Taken, Work
from samestory.text import PREPARATION

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark import RDD
    from pyspark.core.broadcast import Broadcast
    from pyspark.sql import DataFrame, SparkSession

_COLUMNS = ("id", "published", "source", "words", "signature")
_SCHEMA = "id string, published long, source long, words long, signature binary"


def _files(spark: SparkSession, folder: str) -> tuple[Any, Any]:
    """A folder and its file system, as Java knows them."""
    gateway: Any = spark.sparkContext._jvm
    path = gateway.org.apache.hadoop.fs.Path(folder)
    return path, path.getFileSystem(spark.sparkContext._jsc.hadoopConfiguration())


def runs(spark: SparkSession, folder: str, detector: Detector) -> int:
    """How many runs have added to a folder; refuses one that another detector has filled."""
    path, files = _files(spark, folder)
    if not files.exists(path):
        return 0
    try:
        ((written,),) = spark.read.text(f"{folder}/made-by.json").collect()
        mark = json.loads(written)
    except java_errors(ValueError) as error:
        raise InputError(f"{folder}: no signatures of ours", "name a folder that is not there yet") from error
    mine = _mark(detector)
    if (mark["preparation"], mark["fingerprint"]) != (mine["preparation"], mine["fingerprint"]):
        raise MismatchError(
            f"{folder} was filled by {mark['detector']}, or with another preparation; {detector} cannot read it",
            f"use -d '{mark['detector']}', or name another folder",
        )
    return sum(str(each.getPath().getName()).startswith("run=") for each in files.listStatus(path))


def _mark(detector: Detector) -> dict[str, Any]:
    return {"detector": str(detector), "fingerprint": detector.fingerprint(), "preparation": PREPARATION}


def stored(spark: SparkSession, folder: str, number: int) -> tuple[DataFrame, Work]:
    """The kept articles, as an input of old ones."""
    frame = spark.read.schema(_SCHEMA).option("recursiveFileLookup", "true").option("pathGlobFilter", "*.parquet")
    kept = frame.parquet(folder).select(*_COLUMNS, "_metadata.file_path", "_metadata.file_block_start")

    def work(batches: Iterator[pa.RecordBatch], taken: Taken) -> None:
        for batch in batches:
            begin = 0
            paths, starts = (batch.column(at).to_pylist() for at in (5, 6))
            while begin < batch.num_rows:
                end = begin
                while end < batch.num_rows and (paths[end], starts[end]) == (paths[begin], starts[begin]):
                    end += 1
                place = (number, paths[begin], starts[begin])
                if taken.place != place:
                    taken.open(place, False)
                taken.signed(batch.slice(begin, end - begin))
                begin = end

    return kept, work


def keep(
    spark: SparkSession,
    homes: RDD[Home],
    layout: Broadcast[Layout],
    census: Broadcast[Census],
    detector: Detector,
    folder: str,
    run: int,
) -> None:
    """Adds the new articles to a folder; an article that is new in place of an old one comes after it."""
    import pyarrow as pa

    def new(home: int, value: Home) -> Iterator[pa.RecordBatch]:
        numbers = value.numbers(layout.value, home)
        fresh = pa.array((numbers >= NEW) & ~census.value.is_gone(numbers))
        chosen, ids = value.articles.filter(fresh), value.ids(layout.value, home).filter(fresh)
        columns = [
            ids,
            chosen["published"],
            chosen["source"].cast(pa.int64(), safe=False),
            chosen["words"].cast(pa.int64()),
            chosen["signature"].cast(pa.binary()),
        ]
        if len(ids):
            yield from pa.table(columns, names=list(_COLUMNS)).combine_chunks().to_batches()

    if not run:
        path, files = _files(spark, f"{folder}/made-by.json")
        out = files.create(path)
        out.write(bytearray((json.dumps(_mark(detector)) + "\n").encode()))
        out.close()
    to_frame(spark, indexed(homes, new), _SCHEMA).write.parquet(f"{folder}/run={run:06}")
