"""The HTTP/1.1 protocol of the servers: uvicorn's, with the caps and deadlines of `connections`.

uvicorn limits neither the time until the first request, nor that from the first to the last byte of a head, nor that in
which a client reads a response; and its `limit_concurrency` refuses new clients while idle ones stay.
"""

from __future__ import annotations

import asyncio
import json
import socket
import struct
import time
from http import HTTPStatus
from typing import Any, cast

import h11
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from samestory.web.connections import ConnectionTable, Stage
from samestory.web.limits import client_key

#: Seconds after which a refused client may try again.
RETRY_SECONDS = 5
#: A longer request head is refused.
MAX_HEAD_BYTES = 16 << 10
#: Small chunks of a body that are allowed at once and per second, and the size from which chunks are not small. Parsing
#: one takes some 20 µs, and a read of 256 KB may contain forty thousand.
SMALL_CHUNKS, SMALL_CHUNKS_PER_SECOND, SMALL_CHUNK_BYTES = 256, 50, 64


class _ChunkLimit(h11.Connection):
    """A parser that rejects bodies in very many small chunks."""

    _chunks = _bytes = 0
    _began = 0.0

    def next_event(self) -> Any:
        event = super().next_event()
        if isinstance(event, h11.Request):
            self._chunks, self._bytes, self._began = 0, 0, time.monotonic()
        elif isinstance(event, h11.Data):
            self._chunks += 1
            self._bytes += len(event.data)
            allowed = SMALL_CHUNKS + self._bytes // SMALL_CHUNK_BYTES
            if self._chunks > allowed + SMALL_CHUNKS_PER_SECOND * (time.monotonic() - self._began):
                raise h11.RemoteProtocolError("too many small chunks")
        return event


class GuardedState(ServerState):
    """The state that the connections of a server share."""

    def __init__(self, table: ConnectionTable) -> None:
        super().__init__()
        self.table = table


class GuardedProtocol(H11Protocol):
    """A connection with an entry in the table of its server."""

    server_state: GuardedState
    client_host = client_key = "unknown"
    _is_listed = False

    def __init__(self, config: Config, server_state: ServerState, app_state: dict[str, Any], **more: Any) -> None:
        super().__init__(config, server_state, app_state, **more)
        self.conn = _ChunkLimit(h11.SERVER, MAX_HEAD_BYTES)

    @property
    def unread_bytes(self) -> int:
        """Bytes that wait for the client to read them."""
        return self.transport.get_write_buffer_size()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        peer = transport.get_extra_info("peername")
        if isinstance(peer, tuple):
            self.client_host = str(peer[0])
            self.client_key = client_key(self.client_host)
        super().connection_made(cast("asyncio.Transport", transport))
        status = self.server_state.table.admit(self, self.loop.time())
        if status:
            self._refuse(status, "too many connections", f"try again in {RETRY_SECONDS} s")
            transport.close()
            return
        self._is_listed = True

    def connection_lost(self, exc: Exception | None) -> None:
        self._unlist()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._is_listed:
            super().data_received(data)
            self._note_stage()

    def on_response_complete(self) -> None:
        """Wait for the next request, and for the client to read the response."""
        super().on_response_complete()
        if self._is_listed:
            if self.unread_bytes:
                self.server_state.table.note_unread(self, self.loop.time())
            self._note_stage()

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._is_listed:
            self.server_state.table.note_unread(self, self.loop.time())

    def time_out(self) -> None:
        """Close the connection, whose request has not arrived in time; a client that has begun one gets a 408."""
        self._unlist()
        has_begun = bool(self.conn.trailing_data[0])
        if self.unread_bytes:
            self._abort()  # closing would wait for the client to read
            return
        if has_begun:
            self._refuse(408, "the request arrived too slowly", "send it again")
        self.transport.close()

    def drop(self) -> None:
        """Close the connection at once."""
        self._unlist()
        self._abort()

    def _abort(self) -> None:
        if self.unread_bytes:
            # otherwise the kernel would keep what the client does not read
            own = self.transport.get_extra_info("socket")
            own.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.transport.abort()

    def _unlist(self) -> None:
        if self._is_listed:
            self._is_listed = False
            self.server_state.table.remove(self)

    def _note_stage(self) -> None:
        if not self._is_listed:
            return
        cycle = self.cycle
        if cycle is None or cycle.response_complete:
            stage = Stage.HEAD
        elif cycle.more_body and not cycle.response_started:
            stage = Stage.BODY
        else:
            stage = Stage.RESPONSE
        self.server_state.table.note(self, stage, self.loop.time())

    def _refuse(self, status: int, error: str, hint: str) -> None:
        """Write a response without a request, which h11 would not send in every state."""
        body = json.dumps({"error": error, "hint": hint}).encode()
        head = [
            f"HTTP/1.1 {status} {HTTPStatus(status).phrase}",
            "Content-Type: application/json",
            f"Content-Length: {len(body)}",
            f"Retry-After: {RETRY_SECONDS}",
            "Connection: close",
        ]
        self.transport.write("\r\n".join([*head, "", ""]).encode() + body)
