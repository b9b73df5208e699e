"""A real HTTP server on localhost with configurable responses, which records its requests."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

#: A response: a status, headers and a body, or a function that writes it.
Response = tuple[int, Mapping[str, str], bytes] | Callable[["Handler"], None]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    fake: FakeServer

    def do_GET(self) -> None:
        self.fake.requests.append((self.path, {name.lower(): value for name, value in self.headers.items()}))
        response = self.fake.responses.get(self.path, (404, {}, b""))
        if callable(response):
            response(self)
        else:
            self.answer(*response)

    def answer(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
        self.send_response(status)
        if "Content-Length" not in headers and "Transfer-Encoding" not in headers:
            self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        pass


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: Any) -> None:
        """Ignore errors: clients may disconnect in the middle of a response."""


@dataclass
class FakeServer:
    port: int = 0
    responses: dict[str, Response] = field(default_factory=dict)
    requests: list[tuple[str, dict[str, str]]] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def paths(self) -> list[str]:
        return [path for path, _ in self.requests]

    def serve(self, path: str, body: bytes | str, type: str = "application/rss+xml", **headers: str) -> str:
        raw = body.encode() if isinstance(body, str) else body
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self.responses[path] = (200, {"Content-Type": type, **named}, raw)
        return self.url + path

    def redirect(self, path: str, to: str, status: int = 302) -> str:
        self.responses[path] = (status, {"Location": to}, b"")
        return self.url + path

    def fail(self, path: str, status: int, **headers: str) -> str:
        self.responses[path] = (status, {name.replace("_", "-"): value for name, value in headers.items()}, b"")
        return self.url + path

    def by(self, path: str, answers: Callable[[Handler], None]) -> str:
        self.responses[path] = answers
        return self.url + path


@contextmanager
def serving(wrap: Callable[[Any], Any] | None = None) -> Iterator[FakeServer]:
    fake = FakeServer()
    server = _Server(("127.0.0.1", 0), type("FakeHandler", (Handler,), {"fake": fake}))
    if wrap:
        server.socket = wrap(server.socket)
    fake.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield fake
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
