"""The process that Spark forks its Python workers from, with all modules loaded, which takes each worker a second.

A stage that zips four collections has as many workers at once. A forked process has none of the threads of its parent,
but the locks that they held: so libraries are configured to start no threads before they are loaded.
"""

from __future__ import annotations

import importlib
import os

#: Modules that workers need.
MODULES = ("numpy", "pyarrow.compute", "pyspark.worker", "samestory.spark.job")

#: Settings of Arrow's memory and of numpy's linear algebra, which is not used.
NO_THREADS = {
    "JE_ARROW_MALLOC_CONF": "background_thread:false",
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
}


def load() -> None:
    """Loads all modules, with a single thread."""
    for name, value in NO_THREADS.items():
        os.environ.setdefault(name, value)
    for module in MODULES:
        importlib.import_module(module)


if __name__ == "__main__":
    load()
    importlib.import_module("pyspark.daemon").manager()
