"""Limits of requests, and what they are measured by: the write token, the client, its request rate."""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import math
import os
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

from starlette.types import Scope

#: Rate limit cost of a wrong token, in requests: guessing is slow.
WRONG_TOKEN_COST = 20
#: The key of clients with the token, which share the limits for all clients and have none of their own.
WRITER = "writer"
#: Clients in the rate limiter; the least recently seen is evicted.
MAX_CLIENTS = 10_000


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of request bodies, request rate, concurrent work and event streams."""

    max_body_bytes: int = 16 << 20
    max_buffered_bytes: int = 128 << 20
    """Bodies of all requests that are being read or answered."""
    max_buffered_bytes_per_client: int = 32 << 20
    max_idle_seconds: float = 30.0
    """Between two chunks of a body."""
    max_body_seconds: float = 300.0
    """For a whole body."""
    rate: float = 50.0
    """Requests per second and client on average; requests with the token are not limited."""
    burst: int = 200
    """Requests of one client at once."""
    max_pages: int = 4
    """Pages made at the same time; others wait their turn."""
    max_pages_per_client: int = 2
    max_comparisons: int = field(default_factory=lambda: os.cpu_count() or 2)
    """Comparisons of texts that clients send, made at the same time."""
    max_comparisons_per_client: int = 1
    max_writes: int = 4
    max_wait_seconds: float = 10.0
    """For the turn of a request."""
    max_streams: int = 64
    """Open event streams of all clients."""
    max_streams_per_client: int = 8


class AccessToken:
    """The secret token that clients must send to write; kept as a hash. Without a token nothing matches."""

    def __init__(self, token: str | None) -> None:
        self._key = None if token is None else hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()

    @property
    def is_unset(self) -> bool:
        """Whether there is no token."""
        return self._key is None

    def matches(self, token: str) -> bool:
        """Return whether this is the token, in constant time."""
        given = hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
        return self._key is not None and hmac.compare_digest(self._key, given)

    def sign(self, text: str) -> str:
        """Return the HMAC-SHA256 of a text with the hash of the token as key."""
        return hmac.new(self._key or b"", text.encode(), hashlib.sha256).hexdigest()


class RateLimiter:
    """Token bucket per client: each request takes one token, and buckets refill with time."""

    def __init__(self, rate: float, burst: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate, self._burst, self._clock = rate, burst, clock
        self._clients: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def seconds_to_wait(self, client: str, cost: float = 1.0) -> int:
        """Charge a request; return 0 if it is allowed, otherwise the seconds until the next one is."""
        now = self._clock()
        left, then = self._clients.pop(client, (float(self._burst), now))
        left = min(float(self._burst), left + (now - then) * self._rate)
        allowed = left >= 1
        self._clients[client] = (left - cost if allowed else left, now)
        if len(self._clients) > MAX_CLIENTS:
            self._clients.popitem(last=False)
        return 0 if allowed else max(1, math.ceil((1 - left) / self._rate))

    def charge(self, client: str, cost: float) -> None:
        """Charge an additional cost for a request that was allowed."""
        left, then = self._clients.get(client, (float(self._burst), self._clock()))
        self._clients[client] = (left - cost, then)


def client_key(host: str) -> str:
    """Return the key of a client: its IPv4 address, or its IPv6 /64 network, since a household has a whole one."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address)


def client_of(scope: Scope) -> str:
    """Return the key of the client of a request."""
    return client_key(str((scope.get("client") or ("unknown", 0))[0]))
