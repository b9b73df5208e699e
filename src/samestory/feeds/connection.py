"""One question to one server, within one deadline.

A timeout that a socket keeps begins anew with every byte that arrives: who sends a byte now and then is never late.
Here every step is given what is left of the whole.
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

#: Bytes read at a time.
_STEP = 1 << 16


class TooLarge(Exception):  # noqa: N818 - says what it is
    """A body that goes on behind the limit."""


class Deadline:
    """A time by which all must be done."""

    def __init__(self, seconds: float) -> None:
        self._ends = time.monotonic() + seconds

    def left(self) -> float:
        """The seconds that are left; a TimeoutError if none are."""
        left = self._ends - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return left


class _Reader(io.RawIOBase):
    """What a socket receives, up to the deadline."""

    def __init__(self, sock: socket.socket, deadline: Deadline) -> None:
        self._sock, self._deadline = sock, deadline

    def readable(self) -> bool:
        """It is there to be read."""
        return True

    def readinto(self, room: Any) -> int:
        """Fills as much of the room as is there."""
        self._sock.settimeout(self._deadline.left())
        return self._sock.recv_into(room)


class _Socket:
    """A socket as http.client uses one. Who made the socket closes it: a body may be read after `close`."""

    def __init__(self, sock: socket.socket, deadline: Deadline) -> None:
        self._sock, self._deadline = sock, deadline

    def sendall(self, data: bytes) -> None:
        """Sends all, up to the deadline."""
        self._sock.settimeout(self._deadline.left())
        self._sock.sendall(data)

    def makefile(self, *_: Any) -> io.BufferedReader:
        """A file to read the answer from."""
        return io.BufferedReader(_Reader(self._sock, self._deadline), _STEP)

    def close(self) -> None:
        """Does nothing."""


class Asked:
    """An answer whose body is not read yet."""

    def __init__(self, response: http.client.HTTPResponse) -> None:
        self._response = response
        self.status = response.status
        self.headers: dict[str, str] = {}
        for name, value in response.getheaders():
            self.headers.setdefault(name.lower(), value)

    def body(self, largest: int) -> bytes:
        """The body as it was sent; TooLarge as soon as it is."""
        length = self.headers.get("content-length", "")
        wanted = int(length) if length.isascii() and length.isdigit() and len(length) < 19 else None
        chunked = "transfer-encoding" in self.headers
        if wanted is not None and not chunked and wanted > largest:
            raise TooLarge(f"more than {largest} bytes")
        parts, size = [], 0
        while some := self._response.read(_STEP):
            parts.append(some)
            size += len(some)
            if size > largest:
                raise TooLarge(f"more than {largest} bytes")
        if wanted is not None and not chunked and size < wanted:
            raise http.client.IncompleteRead(b"", wanted - size)
        return b"".join(parts)


class Connection:
    """A connection to an address that was looked at, under the name that was asked for."""

    def __init__(self, goal: Target, addresses: Sequence[str], tls: ssl.SSLContext, deadline: Deadline) -> None:
        self._goal, self._deadline = goal, deadline
        self._sock = _connected(goal, addresses, deadline)
        if goal.scheme == "https":
            try:
                self._sock.settimeout(deadline.left())
                self._sock = tls.wrap_socket(self._sock, server_hostname=goal.host)
            except BaseException:
                self._sock.close()
                raise

    def __enter__(self) -> Connection:
        return self

    def __exit__(self, *_: object) -> None:
        self._sock.close()

    def ask(self, headers: Mapping[str, str]) -> Asked:
        """Asks for the target, and reads the head of the answer."""
        usual = http.client.HTTPS_PORT if self._goal.scheme == "https" else http.client.HTTP_PORT
        connection = http.client.HTTPConnection(self._goal.host, self._goal.port)
        connection.default_port = usual  # so that the header Host is written as browsers write it
        connection.sock = _Socket(self._sock, self._deadline)
        # what is packed is asked for by our own header
        connection.putrequest("GET", self._goal.path, skip_accept_encoding=True)
        for name, value in headers.items():
            connection.putheader(name, value)
        connection.endheaders()
        return Asked(connection.getresponse())


def _connected(goal: Target, addresses: Sequence[str], deadline: Deadline) -> socket.socket:
    """A socket to the first of the addresses that answers; a silent one leaves time for the others."""
    failure: OSError = OSError("no address")
    for number, address in enumerate(addresses):
        try:
            return socket.create_connection((address, goal.port), deadline.left() / (len(addresses) - number))
        except OSError as error:
            failure = error
    raise failure
