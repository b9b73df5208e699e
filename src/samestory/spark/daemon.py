"""What Spark forks its Python workers off: with all that they need at hand, or each would load it for a second.

A stage that puts four collections side by side has as many workers at a time.
"""

from __future__ import annotations

import numpy  # noqa: F401
import pyarrow.compute  # noqa: F401
import pyspark.worker  # noqa: F401
from pyspark.daemon import manager

import samestory.spark.job  # noqa: F401

if __name__ == "__main__":
    manager()
