"""A session of Spark, or one clear word about what is missing for it."""

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

#: What is set where the user has set nothing else. Signatures and keys are half noise: what can be packed is packed
#: better by zstd. Lines of JSON are long: few of them make a batch. What goes to a Python worker goes in large pieces,
#: and a worker keeps the room for them: to give it back and get it again at every step takes a quarter of the time.
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
    """A session at a master ("local[2]", "spark://…", "yarn"; none: where `spark-submit` has put us)."""
    sql = library("pyspark.sql", "spark", "work on Spark")
    _check_java()
    # workers run the Python that we run
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder: Any = sql.SparkSession.builder.appName("samestory")
    if master:
        builder = builder.master(master)
    active = sql.SparkSession.getActiveSession()
    if active is not None:
        found: SparkSession = active
        return found
    try:
        known = _known(settings or {})
        for name, value in {**SETTINGS, **_local(master)}.items():
            builder = builder.config(name, known.get(name, value))
        for name, value in (settings or {}).items():
            builder = builder.config(name, value)
        made: SparkSession = builder.getOrCreate()
    except java_errors(RuntimeError, OSError) as error:
        raise SamestoryError(f"Spark does not start at {master or 'its master'}: {_first_line(error)}") from error
    return made


def _known(settings: dict[str, str]) -> dict[str, str]:
    """What the user has set: by `spark-submit --conf`, or in spark-defaults.conf."""
    from pyspark import SparkConf, SparkContext

    told: Any = SparkConf()
    for name, value in settings.items():
        told.set(name, value)
    # Java starts with them (its memory cannot be set later), and knows the others
    ensure: Any = SparkContext._ensure_initialized
    ensure(conf=told)
    return dict(SparkConf().getAll())


def _local(master: str | None) -> dict[str, str]:
    """On one machine nobody else needs to reach us, and two hundred small tasks are slower than a few."""
    if not (master or "").startswith("local"):
        return {}
    here = "127.0.0.1"
    return {"spark.driver.host": here, "spark.driver.bindAddress": here, "spark.sql.shuffle.partitions": "8"}


def java_errors(*others: type[Exception]) -> tuple[type[Exception], ...]:
    """What comes of Spark and of the Java below it, and what else is awaited."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    return Py4JError, PySparkException, *others


def failure(error: BaseException) -> SamestoryError:
    """What a job that Spark gave up died of, in one line: what the Python workers said last, or what Java did."""
    lines = [line.strip() for line in str(error).splitlines()]
    if any("daemon" in line and "No module named" in line for line in lines):
        return SamestoryError(
            "the Python workers of Spark do not start: samestory is not where they look for it",
            "install samestory[spark] on every executor; where it comes with the job (--archives, --py-files), give "
            "--conf spark.python.daemon.module=pyspark.daemon",
        )
    # an error is told with all those that it led to in front of it: the last one in a line is where it began
    told = (re.search(r"[\w.]*(?:Error|Exception): (?!.*Exception: ).+", line) for line in lines)
    causes = [found[0] for found in told if found and not found[0].endswith("Traceback (most recent call last):")]
    return SamestoryError(f"Spark gave up: {(causes or [_first_line(error)])[0][:500]}")


def _check_java() -> None:
    home = os.environ.get("JAVA_HOME")
    if not (Path(home, "bin", "java").exists() if home else shutil.which("java")):
        raise SamestoryError(
            "Spark needs Java, which is not here" + (f" (JAVA_HOME is {home})" if home else ""),
            "install Java 17 or 21 (Debian: apt-get install openjdk-17-jre-headless), or set JAVA_HOME to it",
        )


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
