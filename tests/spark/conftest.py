"""One session for all tests on Spark, in one process, with few and small tasks; without it or Java they are skipped."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import DEMO

NEWS = str(DEMO / "news.jsonl")

#: A task may fail twice: `local[2]` alone gives up at the first failure.
MASTER = "local[2,3]"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.xdist_group("spark"))


def installed() -> Any:
    """Spark, where it is; otherwise the test is skipped."""
    found = pytest.importorskip("pyspark", reason="pyspark is not installed: make test-spark")
    if not (shutil.which("java") or os.environ.get("JAVA_HOME")):
        pytest.skip("no Java on this machine: apt-get install default-jre-headless, or make packages as root")
    return found


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    installed()
    from samestory.spark import session

    settings = {
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "2",
        "spark.driver.memory": "1g",
        # small work: to compile it well takes longer than to do it
        "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xshare:auto",
        "spark.sql.codegen.wholeStage": "false",
    }
    made = session(MASTER, settings)
    yield made
    made.stop()
