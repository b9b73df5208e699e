"""Spark sessions, and clear errors for what is missing."""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from samestory.errors import SamestoryError
from samestory.text import library

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

#: Defaults for settings that the user has not set. Signatures and keys are half noise: zstd compresses the rest better.
#: JSON lines are long, so batches have few of them. Data is passed to Python workers in large buffers, and workers keep
#: freed memory: returning it to the system and allocating it again at every step takes a quarter of the time.
SETTINGS = {
    "spark.python.daemon.module": "samestory.spark.daemon",
    "spark.buffer.size": "1048576",
    "spark.executorEnv.MALLOC_MMAP_THRESHOLD_": "1073741824",
    "spark.executorEnv.MALLOC_TRIM_THRESHOLD_": "4294967296",
    "spark.sql.adaptive.enabled": "true",
    "spark.io.compression.codec": "zstd",
    "spark.io.compression.zstd.level": "3",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "4096",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "ERROR",
}


def session(master: str | None = None, settings: dict[str, str] | None = None) -> SparkSession:
    """Returns a session at a master ("local[2]", "spark://…", "yarn"; None: that of `spark-submit`)."""
    sql = library("pyspark.sql", "spark", "work on Spark")
    _check_java()
    # workers run the same Python as the driver
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder: Any = sql.SparkSession.builder.appName("samestory")
    if master:
        builder = builder.master(master)
    active = sql.SparkSession.getActiveSession()
    if active is not None:
        existing: SparkSession = active
        return existing
    try:
        user_settings = _user_settings(settings or {})
        for name, value in {**SETTINGS, **_local(master)}.items():
            builder = builder.config(name, user_settings.get(name, value))
        for name, value in (settings or {}).items():
            builder = builder.config(name, value)
        created: SparkSession = builder.getOrCreate()
    except java_errors(RuntimeError, OSError) as error:
        raise SamestoryError(f"cannot start Spark at {master or 'its master'}: {first_line(error)}") from error
    return created


def _user_settings(settings: dict[str, str]) -> dict[str, str]:
    """Returns the settings of the user, by `spark-submit --conf` or in spark-defaults.conf."""
    from pyspark import SparkConf, SparkContext

    configuration: Any = SparkConf()
    for name, value in settings.items():
        configuration.set(name, value)
    # Java is started with them (its memory cannot be set later), and loads all others
    ensure: Any = SparkContext._ensure_initialized
    ensure(conf=configuration)
    return dict(SparkConf().getAll())


def _local(master: str | None) -> dict[str, str]:
    """Returns the defaults of a local master: no network access, and few tasks instead of 200 small ones."""
    if not (master or "").startswith("local"):
        return {}
    here = "127.0.0.1"
    return {"spark.driver.host": here, "spark.driver.bindAddress": here, "spark.sql.shuffle.partitions": "8"}


def java_errors(*others: type[Exception]) -> tuple[type[Exception], ...]:
    """Returns the exceptions of Spark and Java, and others, for an except clause."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    return Py4JError, PySparkException, *others


def failure(error: BaseException) -> SamestoryError:
    """Returns the cause of a failed job in one line: the last error of a Python worker, or that of Java."""
    lines = [line.strip() for line in str(error).splitlines()]
    if any("daemon" in line and "No module named" in line for line in lines):
        return SamestoryError(
            "the Python workers of Spark do not start: they cannot import samestory",
            "install samestory[spark] on every executor; if it is shipped with the job (--archives, --py-files), add "
            "--conf spark.python.daemon.module=pyspark.daemon",
        )
    # a line has an error after those that it caused: the last one is the cause
    matches = (re.search(r"[\w.]*(?:Error|Exception): (?!.*Exception: ).+", line) for line in lines)
    causes = [match[0] for match in matches if match and not match[0].endswith("Traceback (most recent call last):")]
    return SamestoryError(f"the Spark job failed: {(causes or [first_line(error)])[0][:500]}")


def _check_java() -> None:
    home = os.environ.get("JAVA_HOME")
    if not (Path(home, "bin", "java").exists() if home else shutil.which("java")):
        raise SamestoryError(
            "Spark needs Java, which was not found" + (f" (JAVA_HOME is {home})" if home else ""),
            "install Java 17 or 21 (Debian: apt-get install openjdk-17-jre-headless), or set JAVA_HOME",
        )


def first_line(error: BaseException) -> str:
    """Returns the first line of the message of an error, or its type."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
