"""What Spark forks its Python workers off: with all that they need at hand, or each would load it for a second.

A stage that puts four collections side by side has as many workers at a time. A process that is forked has none of the
threads that its origin had, but the locks that they held: so libraries are told to start none before they are loaded.
"""

from __future__ import annotations

import importlib
import os

#: What workers would load.
LOADED = ("numpy", "pyarrow.compute", "pyspark.worker", "samestory.spark.job")

#: Settings of Arrow's memory and of numpy's linear algebra, which is not used.
NO_THREADS = {
    "JE_ARROW_MALLOC_CONF": "background_thread:false",
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
}


def load() -> None:
    """Everything, in the one thread there is."""
    for name, value in NO_THREADS.items():
        os.environ.setdefault(name, value)
    for module in LOADED:
        importlib.import_module(module)


if __name__ == "__main__":
    load()
    importlib.import_module("pyspark.daemon").manager()
