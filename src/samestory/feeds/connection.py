"""One request to one server, within one deadline.

A socket timeout restarts with every byte that arrives, so a server that sends a byte now and then never exceeds it.
Here every step is limited to the time left of the whole.
"""

from __future__ import annotations

import http.client
import io
import socket
import ssl
import time
from collections.abc import Mapping, Sequence
from typing import Any

from samestory.feeds.addresses import Target

#: Bytes per read.
_CHUNK_BYTES = 1 << 16


class BodyTooLargeError(Exception):
    """A body exceeds the size limit."""


class Deadline:
    """A time limit for several steps."""

    def __init__(self, seconds: float) -> None:
        self._ends = time.monotonic() + seconds

    def left(self) -> float:
        """Return the seconds left; raise a TimeoutError if there are none."""
        left = self._ends - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return left


class _SocketReader(io.RawIOBase):
    """Reads from a socket until the deadline."""

    def __init__(self, sock: socket.socket, deadline: Deadline) -> None:
        self._sock, self._deadline = sock, deadline

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        """Receive up to the size of the buffer."""
        self._sock.settimeout(self._deadline.left())
        return self._sock.recv_into(buffer)


class _Socket:
    """The socket interface of http.client. Its owner closes the socket: a body may be read after `close`."""

    def __init__(self, sock: socket.socket, deadline: Deadline) -> None:
        self._sock, self._deadline = sock, deadline

    def sendall(self, data: bytes) -> None:
        """Send all bytes, within the deadline."""
        self._sock.settimeout(self._deadline.left())
        self._sock.sendall(data)

    def makefile(self, *_: Any) -> io.BufferedReader:
        """Return a file to read the response from."""
        return io.BufferedReader(_SocketReader(self._sock, self._deadline), _CHUNK_BYTES)

    def close(self) -> None:
        """Do nothing."""


class PendingResponse:
    """A response whose body has not been read yet."""

    def __init__(self, response: http.client.HTTPResponse) -> None:
        self._response = response
        self.status = response.status
        self.headers: dict[str, str] = {}
        for name, value in response.getheaders():
            self.headers.setdefault(name.lower(), value)

    def body(self, largest: int) -> bytes:
        """Return the body as sent; raise BodyTooLargeError as soon as it exceeds `largest` bytes."""
        length = self.headers.get("content-length", "")
        declared = int(length) if length.isascii() and length.isdigit() and len(length) < 19 else None
        chunked = "transfer-encoding" in self.headers
        if declared is not None and not chunked and declared > largest:
            raise BodyTooLargeError(f"more than {largest} bytes")
        parts, size = [], 0
        while chunk := self._response.read(_CHUNK_BYTES):
            parts.append(chunk)
            size += len(chunk)
            if size > largest:
                raise BodyTooLargeError(f"more than {largest} bytes")
        if declared is not None and not chunked and size < declared:
            raise http.client.IncompleteRead(b"", declared - size)
        return b"".join(parts)


class Connection:
    """A connection to a checked address, under the host name of the URL."""

    def __init__(self, target: Target, addresses: Sequence[str], tls: ssl.SSLContext, deadline: Deadline) -> None:
        self._target, self._deadline = target, deadline
        self._sock = _connect(target, addresses, deadline)
        if target.scheme == "https":
            try:
                self._sock.settimeout(deadline.left())
                self._sock = tls.wrap_socket(self._sock, server_hostname=target.host)
            except BaseException:
                self._sock.close()
                raise

    def __enter__(self) -> Connection:
        return self

    def __exit__(self, *_: object) -> None:
        self._sock.close()

    def request(self, headers: Mapping[str, str]) -> PendingResponse:
        """Request the target and read the head of the response."""
        default_port = http.client.HTTPS_PORT if self._target.scheme == "https" else http.client.HTTP_PORT
        connection = http.client.HTTPConnection(self._target.host, self._target.port)
        connection.default_port = default_port  # so that the Host header is written as browsers write it
        connection.sock = _Socket(self._sock, self._deadline)
        # Accept-Encoding is among the given headers
        connection.putrequest("GET", self._target.path, skip_accept_encoding=True)
        for name, value in headers.items():
            connection.putheader(name, value)
        connection.endheaders()
        return PendingResponse(connection.getresponse())


def _connect(target: Target, addresses: Sequence[str], deadline: Deadline) -> socket.socket:
    """Connect to the first address that accepts; each gets an equal share of the time left."""
    failure: OSError = OSError("no address")
    for number, address in enumerate(addresses):
        try:
            return socket.create_connection((address, target.port), deadline.left() / (len(addresses) - number))
        except OSError as error:
            failure = error
    raise failure
