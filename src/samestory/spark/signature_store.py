"""Stored signatures: a later run signs only new articles, and compares them with the stored ones.

A folder on any file system of Spark, with a subfolder of Parquet files for every run, and a JSON file that names the
detector and the preparation. Signatures of another detector or preparation are rejected.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from samestory.detectors import Detector
from samestory.errors import InputError, MismatchError
from samestory.spark.collection import BroadcastCollection
from samestory.spark.partitions import map_indexed, to_frame
from samestory.spark.session import java_errors
from samestory.spark.signing import BatchReader, PartitionBuilder, SignedPartition, consecutive
from samestory.text import PREPARATION

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark import RDD
    from pyspark.core.broadcast import Broadcast
    from pyspark.sql import DataFrame, SparkSession

_COLUMNS = ("id", "published", "source", "words", "signature")
_SCHEMA = "id string, published long, source long, words long, signature binary"


def _file_system(spark: SparkSession, folder: str) -> tuple[Any, Any]:
    """Returns the Hadoop path and file system of a folder."""
    gateway: Any = spark.sparkContext._jvm
    path = gateway.org.apache.hadoop.fs.Path(folder)
    return path, path.getFileSystem(spark.sparkContext._jsc.hadoopConfiguration())


def count_runs(spark: SparkSession, folder: str, detector: Detector) -> int:
    """Returns the number of runs stored in a folder; raises MismatchError if another detector has written them."""
    path, files = _file_system(spark, folder)
    if not files.exists(path):
        return 0
    try:
        ((written,),) = spark.read.text(f"{folder}/made-by.json").collect()
        metadata = json.loads(written)
    except java_errors(ValueError) as error:
        raise InputError(
            "not a folder of stored signatures", "give a folder that does not exist yet", place=folder
        ) from error
    expected = _metadata(detector)
    if (metadata["preparation"], metadata["fingerprint"]) != (expected["preparation"], expected["fingerprint"]):
        raise MismatchError(
            f"written by {metadata['detector']}, or with another preparation; {detector} cannot read it",
            f"use -d '{metadata['detector']}', or another folder",
            place=folder,
        )
    return sum(str(each.getPath().getName()).startswith("run=") for each in files.listStatus(path))


def _metadata(detector: Detector) -> dict[str, Any]:
    return {"detector": str(detector), "fingerprint": detector.fingerprint(), "preparation": PREPARATION}


def read_stored(spark: SparkSession, folder: str, number: int) -> tuple[DataFrame, BatchReader]:
    """Returns the stored articles as an input of old ones."""
    reader = spark.read.schema(_SCHEMA).option("recursiveFileLookup", "true").option("pathGlobFilter", "*.parquet")
    frame = reader.parquet(folder).select(*_COLUMNS, "_metadata.file_path", "_metadata.file_block_start")

    def read_batches(batches: Iterator[pa.RecordBatch], builder: PartitionBuilder) -> None:
        for batch in batches:
            for path, start, some in consecutive(batch, len(_COLUMNS)):
                builder.open_split((number, path, start), False)
                builder.add_signed(some)

    return frame, read_batches


def append_run(
    spark: SparkSession,
    partitions: RDD[SignedPartition],
    collection: Broadcast[BroadcastCollection],
    detector: Detector,
    folder: str,
    run: int,
) -> None:
    """Adds the new articles to a folder; a replacement is stored in a later run than the article that it replaces."""
    import pyarrow as pa

    def new_articles(partition: int, value: SignedPartition) -> Iterator[pa.RecordBatch]:
        layout, rows = collection.value.layout, collection.value.present(partition, value)
        rows = rows[value.numbers(layout, partition)[rows] >= layout.first_new]
        chosen, ids = value.articles.take(rows), value.ids(layout, partition).take(rows)
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
        path, files = _file_system(spark, f"{folder}/made-by.json")
        out = files.create(path)
        out.write(bytearray((json.dumps(_metadata(detector)) + "\n").encode()))
        out.close()
    to_frame(spark, map_indexed(partitions, new_articles), _SCHEMA).write.parquet(f"{folder}/run={run:06}")
