"""The real command in a process of its own, forked from one that has imported it already.

The same code on the same streams: only the half second is spared in which Python imports it. What is about the start of
a process (closed outputs, signals, variables that Python itself reads) starts one as people do: `conftest.command`.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import pkgutil
import resource
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import samestory
from samestory.cli import main

#: Libraries that are imported only where they are needed, and take long.
OTHERS = ("pyarrow.parquet", "rich.console", "rich.progress", "rich.table", "scipy.linalg", "scipy.sparse.linalg")


class Forker:
    """A process that has imported the command, and becomes it at every call."""

    def __init__(self) -> None:
        self._ours, theirs = socket.socketpair()
        with theirs:
            words = [sys.executable, "-m", __spec__.name, str(theirs.fileno())]
            self._process = subprocess.Popen(words, pass_fds=[theirs.fileno()], cwd=Path(__file__).parents[1])

    def close(self) -> None:
        """Ends it."""
        self._ours.close()
        self._process.wait()

    def run(
        self,
        words: Sequence[str],
        cwd: Path,
        env: Mapping[str, str],
        stdin: bytes,
        patience: float,
        memory: int | None = None,
    ) -> tuple[int, bytes, bytes]:
        """Runs the command, with no more memory than that; gives its exit code and what it wrote on both outputs."""
        given, out, err = os.pipe(), os.pipe(), os.pipe()
        task = json.dumps([list(words), str(cwd), dict(env), memory]).encode()
        socket.send_fds(self._ours, [len(task).to_bytes(4, "big")], [given[0], out[1], err[1]])
        self._ours.sendall(task)
        for end in (given[0], out[1], err[1]):
            os.close(end)
        child = int.from_bytes(self._ours.recv(4), "big")
        with ThreadPoolExecutor(3) as pumps:
            pumps.submit(_feed, given[1], stdin)
            drained = [pumps.submit(_drain, end[0]) for end in (out, err)]
            self._ours.settimeout(patience)
            try:
                status = self._ours.recv(4)
            except TimeoutError:
                os.kill(child, signal.SIGKILL)
                self._ours.settimeout(None)
                self._ours.recv(4)
                raise subprocess.TimeoutExpired(list(words), patience) from None
            finally:
                self._ours.settimeout(None)
            return int.from_bytes(status, "big", signed=True), drained[0].result(), drained[1].result()


def _feed(end: int, data: bytes) -> None:
    # who reads no further has seen enough
    with contextlib.suppress(BrokenPipeError), open(end, "wb") as pipe:
        pipe.write(data)


def _drain(end: int) -> bytes:
    with open(end, "rb") as pipe:
        return pipe.read()


def _become(line: socket.socket) -> list[str]:
    """Waits for tasks. Comes back in the child of every one, as the process that does it, with its words."""
    while True:
        size, given, *_ = socket.recv_fds(line, 4, 3)
        if not size:
            sys.exit()
        task = b""
        while len(task) < int.from_bytes(size, "big"):
            task += line.recv(1 << 16)
        child = os.fork()
        if not child:
            break
        for end in given:
            os.close(end)
        line.sendall(child.to_bytes(4, "big"))
        _, status = os.waitpid(child, 0)
        line.sendall(os.waitstatus_to_exitcode(status).to_bytes(4, "big", signed=True))
    line.close()
    words, folder, env, memory = json.loads(task)
    if memory is not None:
        resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
    for number, end in enumerate(given):
        os.dup2(end, number)
        os.close(end)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(env)
    sys.stdin = open(0, encoding="utf-8")  # noqa: SIM115 - these three stay open as long as it runs
    sys.stdout = open(1, "w", encoding="utf-8")  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", errors="backslashreplace", buffering=1)  # noqa: SIM115
    return list(words)


def _import_all() -> None:
    """What commands import when they are run, too."""
    own = [module.name for module in pkgutil.walk_packages(samestory.__path__, "samestory.")]
    for name in (*own, *OTHERS):
        if not name.endswith("__main__"):
            with contextlib.suppress(ImportError):  # an extra that is not installed
                importlib.import_module(name)
    gc.freeze()  # a child that looks through what it inherits would copy it


if __name__ == "__main__":
    _import_all()
    sys.exit(main(_become(socket.socket(fileno=int(sys.argv[1])))))
