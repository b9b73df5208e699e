"""Open connections of a server by client, with caps and deadlines.

A new connection above a cap replaces the one that has waited longest for a request, so that idle connections cannot
lock other clients out. It is refused only if all others have sent complete requests.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum
from itertools import islice
from typing import Protocol

from samestory.errors import ParameterError

#: Bytes per second that a client must read of a response, over `max_write_seconds`.
MIN_READ_RATE = 1024
#: Connections closed before others have their turn: thousands may have been opened, and end, at the same moment.
MAX_CLOSED_AT_ONCE = 100
#: Responses that wait for one client to read them; the oldest is cut off.
MAX_UNREAD_PER_CLIENT = 32


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """Caps and deadlines of connections."""

    max_total: int = 4096
    max_per_client: int = 256
    """Does not apply to a trusted proxy, whose connections belong to many clients."""
    max_head_seconds: float = 15.0
    """From the connection, or the previous response, to the end of a request head."""
    max_write_seconds: float = 60.0
    """Interval over which `MIN_READ_RATE` is measured, while a response does not fit into the buffers of the system."""


class TrustedProxies:
    """The addresses and networks of reverse proxies that are trusted to report client addresses; `*` is all."""

    def __init__(self, given: str | None = None) -> None:
        self._all = given == "*"
        try:
            names = given.split(",") if given and not self._all else []
            self._networks = [ipaddress.ip_network(name.strip(), strict=False) for name in names]
        except ValueError as error:
            raise ParameterError(f"--proxy: expected an IP address, a network or several, got {given!r}") from error

    def __contains__(self, host: str) -> bool:
        if self._all or not self._networks:
            return self._all
        try:
            address = ipaddress.ip_address(host)
        except ValueError:
            return False
        return any(address in network for network in self._networks)


class Stage(Enum):
    """What a connection waits for: the head of a request, its body, or the response."""

    HEAD = 0
    BODY = 1
    RESPONSE = 2


class Entry(Protocol):
    """A connection as the table sees it."""

    client_host: str
    client_key: str
    """Key of the client: see `limits.client_key`."""

    @property
    def unread_bytes(self) -> int:
        """Bytes that wait for the client to read them."""

    def drop(self) -> None:
        """Close the connection at once and remove it from the table."""

    def time_out(self) -> None:
        """Close the connection, whose request has not arrived in time, and remove it from the table."""


@dataclass(slots=True)
class _Client:
    """The connections of one client by stage, each with the time at which the stage began, oldest first."""

    stages: dict[Stage, dict[Entry, float]] = field(default_factory=lambda: {stage: {} for stage in Stage})
    unread: dict[Entry, None] = field(default_factory=dict)

    def __len__(self) -> int:
        return sum(map(len, self.stages.values()))


class ConnectionTable:
    """The open connections of a server. Times are seconds of any clock that does not go back."""

    def __init__(self, limits: ConnectionLimits, proxies: TrustedProxies) -> None:
        self._limits, self._proxies = limits, proxies
        self._all = _Client()
        self._clients: dict[str, _Client] = {}
        self._stage_of: dict[Entry, Stage] = {}
        self._unread: dict[Entry, tuple[float, int]] = {}

    def __len__(self) -> int:
        return len(self._stage_of)

    def admit(self, entry: Entry, now: float) -> int:
        """Add a connection; return 0, or the HTTP status with which to refuse it."""
        own = self._clients.get(entry.client_key)
        if (
            own
            and len(own) >= self._limits.max_per_client
            and entry.client_host not in self._proxies
            and not _evict(own)
        ):
            return 429
        if len(self) >= self._limits.max_total and not _evict(self._all):
            return 503
        self._clients.setdefault(entry.client_key, _Client())
        self._enter(entry, Stage.HEAD, now)
        return 0

    def note(self, entry: Entry, stage: Stage, now: float) -> None:
        """Set the stage of a connection; its time begins anew only if the stage has changed."""
        if self._stage_of[entry] is not stage:
            self._leave(entry)
            self._enter(entry, stage, now)

    def note_unread(self, entry: Entry, now: float) -> None:
        """Note that a response waits for the client to read it."""
        if entry in self._unread:
            return
        self._unread[entry] = now, entry.unread_bytes
        unread = self._clients[entry.client_key].unread
        unread[entry] = None
        if len(unread) > MAX_UNREAD_PER_CLIENT and entry.client_host not in self._proxies:
            next(iter(unread)).drop()

    def remove(self, entry: Entry) -> None:
        """Remove a connection."""
        self._leave(entry)
        del self._stage_of[entry]
        self._unread.pop(entry, None)
        self._clients[entry.client_key].unread.pop(entry, None)
        if not len(self._clients[entry.client_key]):
            del self._clients[entry.client_key]

    def sweep(self, now: float) -> None:
        """Close the connections whose time is over."""
        heads = self._all.stages[Stage.HEAD]
        for entry in list(islice(_overdue(heads, now - self._limits.max_head_seconds), MAX_CLOSED_AT_ONCE)):
            entry.time_out()
        for entry, (since, before) in list(self._unread.items()):
            left = entry.unread_bytes
            if left and now - since < self._limits.max_write_seconds:
                continue
            if left and before - left < (now - since) * MIN_READ_RATE:
                entry.drop()
                continue
            del self._unread[entry], self._clients[entry.client_key].unread[entry]
            if left:
                self.note_unread(entry, now)

    def _enter(self, entry: Entry, stage: Stage, now: float) -> None:
        self._stage_of[entry] = stage
        for group in (self._all, self._clients[entry.client_key]):
            group.stages[stage][entry] = now

    def _leave(self, entry: Entry) -> None:
        for group in (self._all, self._clients[entry.client_key]):
            del group.stages[self._stage_of[entry]][entry]


def _evict(group: _Client) -> bool:
    """Drop the oldest connection without a head, otherwise the oldest without a body; return whether there was one."""
    oldest = next(iter(group.stages[Stage.HEAD]), None) or next(iter(group.stages[Stage.BODY]), None)
    if oldest is not None:
        oldest.drop()
    return oldest is not None


def _overdue(entries: dict[Entry, float], until: float) -> Iterable[Entry]:
    """Yield the entries that began until then."""
    for entry, since in entries.items():
        if since > until:
            return
        yield entry
