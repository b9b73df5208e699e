"""Run one command and say what it cost: wall and CPU seconds, peak memory of its whole process tree.

The peak is the greatest sum of the proportional set sizes (a page shared by n processes counts 1/n in each)
seen by polling.  A short run can peak between two looks, so the kernel's own high-water mark of the largest
process (ru_maxrss) is taken too, and `peak_mb` is the larger of the two.  That mark starts at the size of the
process that started the command, below which it says nothing: use this module from a small one.

Linux only, as it reads /proc.
"""

import contextlib
import os
import resource
import signal
import subprocess
import threading
import time
from dataclasses import dataclass
from pathlib import Path

EVERY = 0.02  # seconds between two looks at the memory
TREE_EVERY = 0.1  # seconds between two looks for new child processes, which cost more
DUTY = 0.05  # and no more than this share of the time is spent looking
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Cost:
    """What one run took. `others` is the share of all processors that other programs used meanwhile."""

    exit_code: int | None  # None: stopped by the time limit
    seconds: float
    cpu_seconds: float
    pss_mb: float
    rss_mb: float | None  # None: less than the process that started it
    others: float

    @property
    def peak_mb(self) -> float:
        return max(self.pss_mb, self.rss_mb or 0.0)


def _stat(pid: int) -> list[str]:
    """The fields of /proc/PID/stat after the command's name: state, parent, ..."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()


def process_tree(root: int) -> list[int]:
    """The process and all its living descendants."""
    children: dict[int, list[int]] = {}
    for pid in (int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()):
        with contextlib.suppress(OSError):  # it ended while we looked
            children.setdefault(int(_stat(pid)[1]), []).append(pid)
    todo, found = [root], []
    while todo:
        pid = todo.pop()
        found.append(pid)
        todo += children.get(pid, [])
    return found


class Watch(threading.Thread):
    """Polls the memory and CPU time of a process tree until stopped."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self.pid, self.peak_kb, self.done = pid, 0, threading.Event()
        self.ticks: dict[int, int] = {}  # by process, so that the ended ones still count

    def run(self) -> None:
        pids, looked = [self.pid], 0.0
        while not self.done.is_set():
            started = time.perf_counter()
            if started - looked > TREE_EVERY:
                pids, looked = process_tree(self.pid), started
            total = 0
            for pid in pids:
                with contextlib.suppress(OSError, IndexError):  # it ended while we looked
                    fields = _stat(pid)
                    self.ticks[pid] = int(fields[11]) + int(fields[12])
                    with Path(f"/proc/{pid}/smaps_rollup").open() as lines:
                        total += next((int(x.split()[1]) for x in lines if x.startswith("Pss:")), 0)
            self.peak_kb = max(self.peak_kb, total)
            self.done.wait(max(EVERY, (time.perf_counter() - started) / DUTY))


def busy_seconds() -> float:
    """CPU seconds that all programs together have used since the machine started."""
    values = [int(x) for x in Path("/proc/stat").read_text().splitlines()[0].split()[1:9]]
    return (sum(values) - values[3] - values[4]) / TICKS


def wait_for_quiet(seconds: float, limit: float = 0.15, patience: float = 2.0) -> None:
    """Wait until others use less than `limit` of the processors, at most `seconds` long."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        before = busy_seconds()
        time.sleep(patience)
        if (busy_seconds() - before) / patience / (os.cpu_count() or 1) < limit:
            return


def measure(command: list[str], output: Path, log: Path, environment: dict[str, str], timeout: float) -> Cost:
    """Run the command with its standard output in one file and its standard error in another."""
    with output.open("wb") as out, log.open("wb") as err:
        busy, started = busy_seconds(), time.perf_counter()
        process = subprocess.Popen(command, stdout=out, stderr=err, env=environment, start_new_session=True)
        watch = Watch(process.pid)
        watch.start()
        expired = threading.Event()

        def stop() -> None:
            expired.set()
            os.killpg(process.pid, signal.SIGKILL)  # its own session: only what this run started

        timer = threading.Timer(timeout, stop)
        timer.start()
        try:
            _, status, usage = os.wait4(process.pid, 0)
        except BaseException:
            stop()
            raise
        finally:
            timer.cancel()
        seconds = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        watch.done.set()
        watch.join()
        others = busy_seconds() - busy
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    cpu = max(usage.ru_utime + usage.ru_stime, sum(watch.ticks.values()) / TICKS)
    return Cost(
        exit_code=None if expired.is_set() else process.returncode,
        seconds=seconds,
        cpu_seconds=cpu,
        pss_mb=watch.peak_kb / 1024,
        rss_mb=usage.ru_maxrss / 1024 if usage.ru_maxrss > own else None,
        others=max(0.0, (others - cpu) / seconds / (os.cpu_count() or 1)),
    )
