"""Test server: an application served by uvicorn in a background thread."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import uvicorn
from fastapi import FastAPI

from samestory.archive import Archive
from samestory.web import Limits, app

TOKEN = "a token of the tests, long enough".replace(" ", "-")
WRITER = {"Authorization": f"Bearer {TOKEN}"}

#: Practically no rate limit; tests of the limiter set their own.
UNLIMITED = Limits(rate=100_000, burst=100_000)

#: Timeout for starting the server and for requests.
PATIENCE_SECONDS = 30


@contextmanager
def serving(
    archive: Archive, token: str | None = TOKEN, limits: Limits = UNLIMITED, **more: Any
) -> Iterator[httpx.Client]:
    """Serve an archive; yields a client."""
    with running(app(archive, token, limits, **more)) as client:
        yield client


@contextmanager
def running(served: FastAPI, port: int = 0) -> Iterator[httpx.Client]:
    """Serve an application; yields a client."""
    config = uvicorn.Config(served, port=port, log_level="error", access_log=False, timeout_graceful_shutdown=1)
    bound = config.bind_socket()
    bound.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]}, daemon=True)
    thread.start()
    try:
        until = time.monotonic() + PATIENCE_SECONDS
        while not server.started:
            assert time.monotonic() < until, "the server did not start"
            time.sleep(0.01)
        with httpx.Client(base_url=f"http://127.0.0.1:{bound.getsockname()[1]}", timeout=PATIENCE_SECONDS) as client:
            yield client
    finally:
        server.should_exit = True
        thread.join(PATIENCE_SECONDS)
        bound.close()
