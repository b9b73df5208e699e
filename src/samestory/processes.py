"""Child processes that end with their parent, and worker processes that are replaced when they end."""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable
from multiprocessing.connection import wait

from samestory.errors import ParameterError

#: `prctl` of Linux: the signal that a process receives when its parent ends.
_PR_SET_PDEATHSIG = 1
#: A worker that ends within this time has not started properly; after so many of them in a row no other is started.
MIN_LIFE_SECONDS, MAX_FAILED_STARTS = 5.0, 3
#: How long workers may take to end before they are killed.
END_SECONDS = 10.0


def end_with_parent() -> Callable[[], None] | None:
    """Return what a child calls first, so that it ends with this process; None where that cannot be arranged."""
    if sys.platform != "linux":
        return None
    prctl, parent = ctypes.CDLL(None, use_errno=True).prctl, os.getpid()

    def arrange() -> None:
        prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # it has ended already
            os._exit(1)

    return arrange


def run_workers(work: Callable[[], None], count: int) -> int:
    """Run `work` in several processes until this one is interrupted; a process that ends is replaced.

    The processes share what is open here, such as a listening socket. Returns the exit code: 1 if they cannot start.
    """
    if "fork" not in multiprocessing.get_all_start_methods():
        raise ParameterError("--workers: needs a system that can copy processes, such as Linux or macOS")
    context, arrange = multiprocessing.get_context("fork"), end_with_parent()

    def start() -> multiprocessing.process.BaseProcess:
        def begin() -> None:
            if arrange:
                arrange()
            work()

        process = context.Process(target=begin, daemon=False)
        process.start()
        return process

    workers = {start(): time.monotonic() for _ in range(count)}
    failed = 0
    try:
        while True:
            ended = set(wait([worker.sentinel for worker in workers]))
            for worker in [each for each in workers if each.sentinel in ended]:
                lived = time.monotonic() - workers.pop(worker)
                worker.join()
                failed = failed + 1 if lived < MIN_LIFE_SECONDS else 0
                print(f"samestory: a worker ended with status {worker.exitcode}", file=sys.stderr)
                if failed >= MAX_FAILED_STARTS:
                    return 1
                workers[start()] = time.monotonic()
    except KeyboardInterrupt:
        return 0
    finally:
        _end(list(workers))


def _end(workers: list[multiprocessing.process.BaseProcess]) -> None:
    """End worker processes, and wait until they have."""
    for worker in workers:
        worker.terminate()
    until = time.monotonic() + END_SECONDS
    for worker in workers:
        worker.join(max(0.0, until - time.monotonic()))
        if worker.is_alive():
            worker.kill()
            worker.join()
