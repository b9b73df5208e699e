"""The request guard, passed by every request before its route: checks, body, turn, in this order.

Host header, request rate, write token and Content-Length are checked before a byte of the body is read, and the body is
read completely before the request takes a slot: slow clients hold nothing that others wait for.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from samestory.database.timing import StatementTime, count_statements
from samestory.web.bodies import Bodies, drain, too_large
from samestory.web.errors import Refusal, error_response
from samestory.web.limits import WRITER, WRONG_TOKEN_COST, AccessToken, Limits, RateLimiter, client_of
from samestory.web.work import Slots, Work

#: Styles, scripts, their requests, and images from this server only; no framing; forms submit to this server only.
CONTENT_SECURITY_POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}

#: Paths that need no token: queries with a body, which change nothing, and forms, which have a CSRF token.
PUBLIC_POST_PATHS = frozenset({"/query", "/fold", "/sign-in", "/sign-out", "/decide"})
#: Streams have no size limit; their lines are limited one by one.
STREAMING_PATHS = frozenset({"/articles/stream"})
#: Answered without a slot: event streams have limits of their own, the others need no work.
WITHOUT_SLOT = frozenset({"/live", "/health", "/events", *STREAMING_PATHS})
#: Requests that compare texts with the archive or with each other.
COMPARISON_PATHS = frozenset({"/query", "/fold"})


class RequestGuard:
    """ASGI middleware that enforces the limits and adds the security headers."""

    def __init__(
        self,
        app: ASGIApp,
        limits: Limits,
        access: AccessToken,
        limiter: RateLimiter,
        hosts: Sequence[str] | None,
        work: Work,
        is_open: Callable[[str], bool] = PUBLIC_POST_PATHS.__contains__,
    ) -> None:
        self.app, self._limits, self._access, self._limiter = app, limits, access, limiter
        self._is_open, self._work, self._bodies = is_open, work, Bodies(limits)
        self._hosts = None if hosts is None else frozenset(host.lower() for host in hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        try:
            client = await self._check_and_drain(scope, receive)
            if scope["path"] in STREAMING_PATHS:
                await self.app(scope, receive, send_with_headers)
                return
            async with self._bodies.reading(client, receive) as replay:
                await self._answer(client, scope, replay, send_with_headers)
        except ClientDisconnect:
            return
        except Refusal as refusal:
            response = error_response(
                refusal.status_code, str(refusal.detail), refusal.hint, dict(refusal.headers or {})
            )
            await response(scope, receive, send_with_headers)

    async def _check_and_drain(self, scope: Scope, receive: Receive) -> str:
        """Check a request; a refusal is raised after the body: before, the client would not read the response."""
        try:
            return self._check(scope)
        except Refusal:
            await drain(receive)
            raise

    async def _answer(self, client: str, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request in its turn; the slot is free again when the response begins, however slowly it is read."""
        slots = self._slots(scope)
        if slots is None:
            await self.app(scope, receive, send)
            return
        began = time.perf_counter()
        release = await slots.acquire(client)
        taken = time.perf_counter()

        async def send_and_release(message: Message) -> None:
            release()
            if message["type"] == "http.response.start":
                parts = server_timing(taken - began, statements, time.perf_counter() - taken)
                MutableHeaders(scope=message).setdefault("Server-Timing", parts)
            await send(message)

        with count_statements() as statements:
            try:
                await self.app(scope, receive, send_and_release)
            finally:
                release()

    def _slots(self, scope: Scope) -> Slots | None:
        path: str = scope["path"]
        if path in WITHOUT_SLOT or path.startswith("/static/"):
            return None
        if path in COMPARISON_PATHS:
            return self._work.comparisons
        return self._work.pages if scope["method"] in ("GET", "HEAD", "OPTIONS") else self._work.writes

    def _check(self, scope: Scope) -> str:
        """Return the key of the client by which its work is limited; raise a refusal."""
        headers = Headers(scope=scope)
        if self._hosts is not None and _host(headers.get("host", "")) not in self._hosts:
            raise Refusal(421, "unknown host name", "use localhost")
        client = client_of(scope)
        token = _bearer(headers)
        is_writer = token is not None and self._access.matches(token)
        if scope["path"] != "/live" and not is_writer and (seconds := self._limiter.seconds_to_wait(client)):
            raise Refusal(429, "too many requests", f"try again in {seconds} s", {"Retry-After": str(seconds)})
        if scope["method"] not in ("GET", "HEAD", "OPTIONS") and not self._is_open(scope["path"]):
            self._check_writer(client, token, is_writer)
        length = headers.get("content-length", "0")
        if scope["path"] not in STREAMING_PATHS and length.isdigit() and int(length) > self._limits.max_body_bytes:
            raise too_large(self._limits.max_body_bytes)
        return WRITER if is_writer else client

    def _check_writer(self, client: str, token: str | None, is_writer: bool) -> None:
        if self._access.is_unset:
            hint = "start it with a token: samestory portal DB --token-file FILE"
            raise Refusal(403, "this portal is read-only", hint)
        if not is_writer:
            if token is not None:
                self._limiter.charge(client, WRONG_TOKEN_COST)
            raise Refusal(
                401,
                "writing requires the token" if token is None else "wrong token",
                "send it as Authorization: Bearer TOKEN",
                {"WWW-Authenticate": "Bearer"},
            )


def server_timing(wait: float, statements: StatementTime, whole: float) -> str:
    """Return the header that says where the time of a request went: its turn, the database, everything else.

    >>> server_timing(0.0, StatementTime(3, 0.0021), 0.0104)
    'wait;dur=0.0, db;dur=2.1;desc="3 statements", app;dur=8.3'
    """
    count = f"{statements.count} statement{'' if statements.count == 1 else 's'}"
    parts = (
        f"wait;dur={1000 * wait:.1f}",
        f'db;dur={1000 * statements.seconds:.1f};desc="{count}"',
        f"app;dur={1000 * max(0.0, whole - statements.seconds):.1f}",
    )
    return ", ".join(parts)


def _host(header: str) -> str:
    """Return the name in a Host header, without the port."""
    try:
        name = urlsplit(f"//{header}").hostname or ""
    except ValueError:
        return ""
    return name.lower()


def _bearer(headers: Headers) -> str | None:
    kind, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() if kind.lower() == "bearer" else None
