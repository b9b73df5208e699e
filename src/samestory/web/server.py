"""Runs an application as a server that withstands hostile clients: caps, deadlines, bounded logs."""

from __future__ import annotations

import asyncio
import gc
import logging
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace

import uvicorn
from fastapi import FastAPI

from samestory.web.connections import ConnectionLimits, ConnectionTable, TrustedProxies
from samestory.web.log import CountingHandler, open_log
from samestory.web.protocol import GuardedProtocol, GuardedState

#: Seconds after which open connections are cut off on shutdown.
SHUTDOWN_SECONDS = 2
#: Open files wanted; more would only let more idle connections in.
WANTED_FILES = 65_536
#: Files for databases, logs and modules, beside connections.
RESERVED_FILES = 256
#: uvicorn's own deadline, which the sweep replaces.
NEVER_SECONDS = 24 * 3600
#: Connections accepted before others have their turn, and connections that wait in the kernel.
ACCEPTED_AT_ONCE, BACKLOG = 64, 2048
#: How long a worker thread may compute while the event loop waits: the loop waits several times per request.
SWITCH_SECONDS = 0.001
#: Objects that are made between two garbage collections: a page makes tens of thousands, of which none is garbage yet.
OBJECTS_PER_COLLECTION = 50_000
#: Loggers of the server; those of the library do not log.
LOGGERS = ("uvicorn", "asyncio")


class GuardedServer(uvicorn.Server):
    """A server with a table of its connections, which it sweeps while it runs."""

    def __init__(self, config: uvicorn.Config, table: ConnectionTable, log: CountingHandler) -> None:
        super().__init__(config)
        self.server_state = GuardedState(table)
        self._table, self._log = table, log

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to listen."""
        await super().startup(sockets)
        for bound in sockets or ():
            # uvicorn has one number for this queue and for the connections accepted at once
            bound.listen(BACKLOG)

    async def on_tick(self, counter: int) -> bool:
        """Sweep the connections and the log; return whether to stop. Called ten times a second."""
        self._table.sweep(asyncio.get_running_loop().time())
        self._log.report()
        return await super().on_tick(counter)


def run(
    app: FastAPI,
    bound: socket.socket,
    proxy: str | None = None,
    log: str | None = None,
    limits: ConnectionLimits | None = None,
) -> None:
    """Serve until interrupted. `proxy` is trusted to report client addresses; `log`: a file instead of stderr."""
    sys.setswitchinterval(SWITCH_SECONDS)
    # what there is now stays as long as the server runs: without it, collections of garbage take a tenth of the time
    gc.collect()
    gc.freeze()
    gc.set_threshold(OBJECTS_PER_COLLECTION)
    limits = limits or ConnectionLimits()
    limits = replace(limits, max_total=max_connections(limits.max_total, raise_file_limit()))
    config = uvicorn.Config(
        app,
        http=GuardedProtocol,
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=bool(proxy),
        forwarded_allow_ips=proxy,
        backlog=ACCEPTED_AT_ONCE,
        timeout_keep_alive=NEVER_SECONDS,
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
    )
    with _logging(log) as handler:
        server = GuardedServer(config, ConnectionTable(limits, TrustedProxies(proxy)), handler)
        # an interrupt is the normal way to stop a server
        with suppress(KeyboardInterrupt):
            server.run(sockets=[bound])


def raise_file_limit() -> int:
    """Raise the number of files that this process may open, as far as it may; return that number."""
    try:
        import resource
    except ImportError:  # Windows, where sockets are no files and have no such limit
        return WANTED_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = WANTED_FILES if hard == resource.RLIM_INFINITY else min(hard, WANTED_FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        # some systems allow less than the hard limit
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            return wanted
    return WANTED_FILES if soft == resource.RLIM_INFINITY else soft


def max_connections(wanted: int, files: int) -> int:
    """Return the cap of connections for a number of open files, of which each connection needs one."""
    return max(ACCEPTED_AT_ONCE, min(wanted, files - RESERVED_FILES - ACCEPTED_AT_ONCE))


@contextmanager
def _logging(path: str | None) -> Iterator[CountingHandler]:
    """Send the messages of the server to a log."""
    handler = open_log(path)
    loggers = [logging.getLogger(name) for name in LOGGERS]
    # a log on a full disk must not fill standard error with tracebacks
    logging.raiseExceptions = False
    for logger in loggers:
        logger.addHandler(handler)
        logger.setLevel(logging.WARNING)
    try:
        yield handler
    finally:
        for logger in loggers:
            logger.removeHandler(handler)
        logging.raiseExceptions = True
        handler.close()
