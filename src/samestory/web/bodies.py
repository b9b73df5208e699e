"""Request bodies: read completely before any work begins, within limits of size, speed and memory."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.requests import ClientDisconnect
from starlette.types import Message, Receive

from samestory.web.errors import Refusal
from samestory.web.limits import WRITER, Limits

#: How much of a refused body is read: a client that is cut off while sending does not see the response.
MAX_DRAIN_BYTES, MAX_DRAIN_SECONDS = 64 << 20, 5.0


class Bodies:
    """Reads request bodies; those that are being read or used share a budget of memory."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._buffered: Counter[str] = Counter()
        self._total = 0

    @asynccontextmanager
    async def reading(self, client: str, receive: Receive) -> AsyncIterator[Receive]:
        """Read a body; yield a function that returns it, and then the messages after it.

        Raises a refusal for a body that is too large or too slow, or while others use the memory.
        """
        parts: list[bytes] = []
        size, more = 0, True
        until = asyncio.get_running_loop().time() + self._limits.max_body_seconds
        try:
            while more:
                message = await self._next(receive, until)
                more = bool(message.get("more_body"))
                parts.append(message.get("body", b""))
                size += len(parts[-1])
                if refusal := self._reserve(client, len(parts[-1]), size):
                    parts.clear()
                    if more:
                        await drain(receive)
                    raise refusal
            whole: Message | None = {"type": "http.request", "body": b"".join(parts), "more_body": False}
            parts.clear()

            async def replay() -> Message:
                nonlocal whole
                if whole is None:
                    return await receive()
                message, whole = whole, None
                return message

            yield replay
        finally:
            self._release(client, size)

    async def _next(self, receive: Receive, until: float) -> Message:
        """Receive the next part of a body; raise a refusal if it is too slow."""
        idle = asyncio.get_running_loop().time() + self._limits.max_idle_seconds
        try:
            async with asyncio.timeout_at(min(until, idle)):
                message = await receive()
        except TimeoutError:
            # on a connection kept open the rest of the body would be read as another request
            headers = {"Connection": "close"}
            raise Refusal(408, "the body arrived too slowly", "send it again, or less at once", headers) from None
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        return message

    def _reserve(self, client: str, part: int, size: int) -> Refusal | None:
        """Reserve memory for a part of a body; return the refusal if the body or all together are too large."""
        self._buffered[client] += part
        self._total += part
        if size > self._limits.max_body_bytes:
            return too_large(self._limits.max_body_bytes)
        if client != WRITER and self._buffered[client] > self._limits.max_buffered_bytes_per_client:
            return Refusal(429, "too many bytes at once", "send one request after the other", {"Retry-After": "5"})
        if self._total > self._limits.max_buffered_bytes:
            return Refusal(503, "too many large requests", "try again in 5 s", {"Retry-After": "5"})
        return None

    def _release(self, client: str, size: int) -> None:
        self._total -= size
        self._buffered[client] -= size
        if not self._buffered[client]:
            del self._buffered[client]


def too_large(limit: int) -> Refusal:
    """Return the refusal of a body that is larger than the limit."""
    return Refusal(413, f"the body is larger than {limit:,} bytes", "send less at once")


async def drain(receive: Receive) -> None:
    """Read and discard the rest of a body, up to a limit."""
    size = 0
    try:
        async with asyncio.timeout(MAX_DRAIN_SECONDS):
            while size < MAX_DRAIN_BYTES:
                message = await receive()
                size += len(message.get("body", b""))
                if message["type"] != "http.request" or not message.get("more_body"):
                    return
    except TimeoutError:
        return
