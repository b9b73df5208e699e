"""A real server on this machine that answers what a test tells it to, and remembers what it was asked."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

#: What is answered: a status, headers and a body, or something that answers by itself.
Answers = tuple[int, Mapping[str, str], bytes] | Callable[["Handler"], None]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    told: Told

    def do_GET(self) -> None:
        self.told.asked.append((self.path, {name.lower(): value for name, value in self.headers.items()}))
        answer = self.told.answers.get(self.path, (404, {}, b""))
        if callable(answer):
            answer(self)
        else:
            self.answer(*answer)

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
        """Who is cut off in the middle of an answer has nothing to tell."""


@dataclass
class Told:
    port: int = 0
    answers: dict[str, Answers] = field(default_factory=dict)
    asked: list[tuple[str, dict[str, str]]] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def paths(self) -> list[str]:
        return [path for path, _ in self.asked]

    def serve(self, path: str, body: bytes | str, type: str = "application/rss+xml", **headers: str) -> str:
        raw = body.encode() if isinstance(body, str) else body
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self.answers[path] = (200, {"Content-Type": type, **named}, raw)
        return self.url + path

    def redirect(self, path: str, to: str, status: int = 302) -> str:
        self.answers[path] = (status, {"Location": to}, b"")
        return self.url + path

    def fail(self, path: str, status: int, **headers: str) -> str:
        self.answers[path] = (status, {name.replace("_", "-"): value for name, value in headers.items()}, b"")
        return self.url + path

    def by(self, path: str, answers: Callable[[Handler], None]) -> str:
        self.answers[path] = answers
        return self.url + path


@contextmanager
def serving(wrap: Callable[[Any], Any] | None = None) -> Iterator[Told]:
    told = Told()
    server = _Server(("127.0.0.1", 0), type("Telling", (Handler,), {"told": told}))
    if wrap:
        server.socket = wrap(server.socket)
    told.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield told
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
