"""Server logs of bounded size: files are rotated, and repeated messages are counted instead of written."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from logging.handlers import RotatingFileHandler
from pathlib import Path

from samestory.output import printable

#: A message is written once within this time, and then with the number of its repetitions.
QUIET_SECONDS = 60.0
#: Size of a log file, and how many older files are kept.
MAX_LOG_BYTES, OLD_LOGS = 10 << 20, 5
#: A longer message or traceback is cut.
MAX_MESSAGE_CHARS = 20_000
#: Messages that are distinguished; those beyond share one counter.
MAX_KEYS = 1000

_FORMAT = "%(asctime)s %(levelname)s %(message)s"
_Key = tuple[object, ...]


class _OneLine(logging.Formatter):
    """Formats messages without control characters, so that a request cannot forge a line; tracebacks keep theirs."""

    def format(self, record: logging.LogRecord) -> str:
        text = super().format(record)
        lines = [printable(line) for line in text.split("\n")]
        return "\n    ".join(lines)[:MAX_MESSAGE_CHARS]


class CountingHandler(logging.Handler):
    """Passes a message on to another handler once per interval, then with the number of its repetitions.

    Messages are equal if they come from the same place in the program with the same kind of exception: their arguments
    may be chosen by clients.
    """

    def __init__(self, target: logging.Handler, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._target, self._clock = target, clock
        self._seen: dict[_Key, tuple[float, int, logging.LogRecord]] = {}

    def emit(self, record: logging.LogRecord) -> None:
        key = _key(record)
        if key not in self._seen and len(self._seen) >= MAX_KEYS:
            key = ()
        if key in self._seen:
            since, count, latest = self._seen[key]
            self._seen[key] = since, count + 1, latest
        else:
            self._seen[key] = self._clock(), 0, record
            self._target.handle(record)

    def report(self, everything: bool = False) -> None:
        """Write the number of repetitions of messages whose interval is over, or of all."""
        self.acquire()  # also serialises emit
        try:
            for key, (since, count, record) in list(self._seen.items()):
                seconds = self._clock() - since
                if everything or seconds >= QUIET_SECONDS:
                    del self._seen[key]
                    if count:
                        self._target.handle(_repeated(record, count, seconds))
        finally:
            self.release()

    def close(self) -> None:
        self.report(everything=True)
        self._target.close()
        super().close()


def open_log(path: str | None) -> CountingHandler:
    """Return the handler of a log file, or of standard error; raise OSError if the file cannot be opened."""
    target: logging.Handler = logging.StreamHandler()
    if path is not None:
        target = RotatingFileHandler(Path(path), maxBytes=MAX_LOG_BYTES, backupCount=OLD_LOGS, encoding="utf-8")
    target.setFormatter(_OneLine(_FORMAT))
    return CountingHandler(target)


def _key(record: logging.LogRecord) -> _Key:
    """Return what distinguishes a message: its place in the program, and that of its exception."""
    kind, trace = (record.exc_info[0], record.exc_info[2]) if record.exc_info else (None, None)
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    at = (trace.tb_frame.f_code, trace.tb_lineno) if trace is not None else None
    return record.name, record.levelno, record.pathname, record.lineno, kind, at


def _repeated(record: logging.LogRecord, count: int, seconds: float) -> logging.LogRecord:
    text = f"repeated {count:,} times in {seconds:.0f} s: {record.getMessage().strip()}"
    return logging.LogRecord(record.name, record.levelno, record.pathname, record.lineno, text, (), None)
