"""A run of a peer: its settings, its articles and results, its stages; and the table of all peers."""

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SHINGLE, HASHES, BANDS, ROWS, THRESHOLD = 5, 128, 16, 8, 0.7
SPEC = f"shingle={SHINGLE}, hashes={HASHES}, bands={BANDS}, rows={ROWS}, threshold={THRESHOLD}"
SEED = 42
BATCH = 4096  # articles shingled at a time, so that not all shingles are in memory at once


class Stages:
    """Wall seconds by stage: each call of done() gives a name to the time since the one before."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._last = time.perf_counter()

    def done(self, name: str) -> None:
        now = time.perf_counter()
        self.seconds[name] = self.seconds.get(name, 0.0) + now - self._last
        self._last = now


class Job:
    """One run: where the articles are, where the answer goes, how many threads, and the clock."""

    def __init__(self, corpus: Path, out: Path) -> None:
        self.docs, self.out, self.stages = corpus / "docs.jsonl", out, Stages()
        self.threads = len(os.sched_getaffinity(0))

    def texts(self) -> list[str]:
        import numpy  # noqa: F401  imported by all: so that it counts as import, not as work
        import orjson

        self.stages.done("import")
        with self.docs.open("rb") as lines:
            texts = [orjson.loads(line)["text"] for line in lines]
        self.stages.done("read")
        return texts

    def save(self, **arrays: Any) -> None:
        import numpy as np

        for name, values in arrays.items():
            np.save(self.out / f"{name}.npy", np.asarray(values))
        self.stages.done("write")


@dataclass(frozen=True)
class Peer:
    """A way to use one package: its runner, where it is installed, and how its settings differ from SPEC."""

    name: str
    run: Callable[[Job], None]
    venv: str
    package: str
    shingles: str
    check: str


PEERS: dict[str, Peer] = {}


def peer(
    venv: str, package: str, shingles: str, check: str
) -> Callable[[Callable[[Job], None]], Callable[[Job], None]]:
    def add(run: Callable[[Job], None]) -> Callable[[Job], None]:
        name = run.__name__.replace("_", "-")
        PEERS[name] = Peer(name, run, venv, package, shingles, check)
        return run

    return add
