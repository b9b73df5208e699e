"""What comes before every route: hosts, rates, the token of whoever writes, how large a body may be and how
slowly it may come.

It is asked in this order, and before a byte of the body is read.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import ipaddress
import math
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from samestory.web.errors import Refusal, failure

#: Nothing but our own style, script and pictures; nobody may frame us, and forms go nowhere else.
POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}

#: What is asked with a body but changes nothing, and forms, which have their own proof of who sends them.
OPEN = frozenset({"/query", "/fold", "/sign-in", "/sign-out", "/decide"})
#: A stream is as long as it is; its lines are limited one by one.
ENDLESS = frozenset({"/articles/stream"})
#: A wrong token costs as much as so many requests: guessing is slow.
WRONG = 20
#: So many clients are remembered; whoever was longest away is forgotten.
CLIENTS = 10_000
#: Of a body that is refused so much is read, for so many seconds: who is cut off while sending does not hear why.
DRAIN, PATIENCE = 64 << 20, 5.0


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one client may ask for."""

    largest: int = 16 << 20
    """Bytes of a body."""
    pause: float = 30.0
    """Seconds in which nothing of a body comes."""
    longest: float = 300.0
    """Seconds for a whole body."""
    rate: float = 50.0
    """Requests a second, in the long run; whoever shows the token has no such limit."""
    burst: int = 200
    """Requests at once."""
    streams: int = 64
    """Streams of events that are open at once, of all clients."""
    own_streams: int = 8
    """Of one client."""


class Keeper:
    """Knows the token of whoever may write; without one nobody may."""

    def __init__(self, token: str | None) -> None:
        self._key = None if token is None else hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()

    @property
    def closed(self) -> bool:
        """Does nobody write here?"""
        return self._key is None

    def knows(self, token: str) -> bool:
        """Is this the token? It takes as long to say so as to deny it."""
        given = hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
        return self._key is not None and hmac.compare_digest(self._key, given)

    def sign(self, words: str) -> str:
        """A signature that only the server makes."""
        return hmac.new(self._key or b"", words.encode(), hashlib.sha256).hexdigest()


class Rates:
    """Buckets that fill with time: every request takes one drop."""

    def __init__(self, rate: float, burst: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate, self._burst, self._clock = rate, burst, clock
        self._clients: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, client: str, cost: float = 1.0) -> int:
        """0 if the client may go on; otherwise in how many seconds it may."""
        now = self._clock()
        left, then = self._clients.pop(client, (float(self._burst), now))
        left = min(float(self._burst), left + (now - then) * self._rate)
        may = left >= 1
        self._clients[client] = (left - cost if may else left, now)
        if len(self._clients) > CLIENTS:
            self._clients.popitem(last=False)
        return 0 if may else max(1, math.ceil((1 - left) / self._rate))

    def charge(self, client: str, cost: float) -> None:
        """Takes more for a request that was let in."""
        left, then = self._clients.get(client, (float(self._burst), self._clock()))
        self._clients[client] = (left - cost, then)


def client_of(scope: Scope) -> str:
    """Who asks: an address; of IPv6 the network, since one household has as many addresses as it likes."""
    host = (scope.get("client") or ("unknown", 0))[0]
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return str(host)
    if isinstance(address, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address)


class Guard:
    """Stands before the routes."""

    def __init__(
        self,
        app: ASGIApp,
        limits: Limits,
        keeper: Keeper,
        rates: Rates,
        hosts: Sequence[str] | None,
        is_open: Callable[[str], bool] = OPEN.__contains__,
    ) -> None:
        self.app, self._limits, self._keeper, self._rates = app, limits, keeper, rates
        self._is_open = is_open
        self._hosts = None if hosts is None else frozenset(host.lower() for host in hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def protected(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        try:
            self._check(scope)
        except Refusal as refusal:
            await _drain(receive)
            answer = failure(refusal.status_code, str(refusal.detail), refusal.hint, dict(refusal.headers or {}))
            await answer(scope, receive, protected)
            return
        await self.app(scope, self._measured(scope, receive), protected)

    def _check(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        if self._hosts is not None and _host(headers.get("host", "")) not in self._hosts:
            raise Refusal(421, "this server is not known by that name", "ask for it as localhost")
        client = client_of(scope)
        trusted = _bearer(headers)
        known = trusted is not None and self._keeper.knows(trusted)
        if not known and (seconds := self._rates.wait(client)):
            raise Refusal(429, "too many requests", f"again in {seconds} s", {"Retry-After": str(seconds)})
        if scope["method"] not in ("GET", "HEAD", "OPTIONS") and not self._is_open(scope["path"]):
            self._check_writer(client, trusted, known)
        length = headers.get("content-length", "0")
        if scope["path"] not in ENDLESS and length.isdigit() and int(length) > self._limits.largest:
            raise self._too_large()

    def _check_writer(self, client: str, given: str | None, known: bool) -> None:
        if self._keeper.closed:
            hint = "start it with a token: samestory portal DB --token-file FILE"
            raise Refusal(403, "this server is only read", hint)
        if not known:
            if given is not None:
                self._rates.charge(client, WRONG)
            raise Refusal(
                401,
                "who writes must show the token" if given is None else "that is not the token",
                "Authorization: Bearer TOKEN",
                {"WWW-Authenticate": "Bearer"},
            )

    def _too_large(self) -> Refusal:
        return Refusal(413, f"a body has at most {self._limits.largest:,} bytes", "send less at once")

    def _measured(self, scope: Scope, receive: Receive) -> Receive:
        """The body, as long as it is neither too large nor too slow: chunks have no length that could be read before.

        Behind its end somebody may listen for whether the client is still there, and waits as long as it takes.
        """
        if scope["path"] in ENDLESS:
            return receive
        came, more, until = 0, True, math.inf

        async def measured() -> Message:
            nonlocal came, more, until
            now = asyncio.get_running_loop().time()
            until = min(until, now + self._limits.longest)
            try:
                async with asyncio.timeout_at(min(until, now + self._limits.pause) if more else None):
                    message = await receive()
            except TimeoutError:
                # a client that is asked to go on would send the rest as another request
                headers = {"Connection": "close"}
                raise Refusal(408, "the body comes too slowly", "send it again, or less at once", headers) from None
            more = more and bool(message.get("more_body"))
            came += len(message.get("body", b""))
            if came > self._limits.largest:
                if message.get("more_body"):
                    await _drain(receive)
                raise self._too_large()
            return message

        return measured


def _host(given: str) -> str:
    """The name in a Host header, without the port."""
    try:
        name = urlsplit(f"//{given}").hostname or ""
    except ValueError:
        return ""
    return name.lower()


def _bearer(headers: Headers) -> str | None:
    kind, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() if kind.lower() == "bearer" else None


async def _drain(receive: Receive) -> None:
    """Reads what is still coming, up to a point."""
    came = 0
    try:
        async with asyncio.timeout(PATIENCE):
            while came < DRAIN:
                message = await receive()
                came += len(message.get("body", b""))
                if message["type"] != "http.request" or not message.get("more_body"):
                    return
    except TimeoutError:
        return
