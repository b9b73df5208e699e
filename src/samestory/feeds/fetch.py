"""Fetching: one address at a time, politely, and never from where nobody meant to ask.

    fetcher = Fetcher()
    answer = fetcher.fetch("https://example.com/rss.xml", etag=state.etag, modified=state.modified)

Only http and https; redirects are followed by hand, at most five, and every one is looked at like the first address.
What is fetched is cut off at a size, unpacked or not, and at a deadline for the whole. Proxies that the environment
names are not used: the address that was looked at is the one that is connected to.
"""

from __future__ import annotations

import http.client
import re
import ssl
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from urllib.parse import urljoin

from samestory import _core
from samestory.errors import FetchError, ParameterError
from samestory.feeds.addresses import AddressError, Resolver, Target, allowed, checked, resolve, target
from samestory.feeds.connection import Asked, Connection, Deadline, TooLarge
from samestory.feeds.turns import Turns
from samestory.readers.http import Answer, BodyError

#: Redirects that are followed.
HOPS = 5
#: Nobody is left alone for longer than this, whatever a server asks for: a day.
LONGEST_WAIT = 86_400.0
#: Validators longer than this are not remembered.
_LONGEST_TAG = 500
_MAX_AGE = re.compile(r"(?:^|[\s,])max-age\s*=\s*\"?(\d{1,9})", re.IGNORECASE)
_MOVED = frozenset((301, 302, 303, 307, 308))
_BUSY = frozenset((429, 503))


@dataclass(frozen=True, slots=True)
class Fetched:
    """An answer: where it came from in the end, its body unpacked, and what it says of itself.

    `status` is 304 where nothing is new, and the body empty; `fresh` is for how many seconds it says it will not
    change.
    """

    status: int
    url: str
    body: bytes = b""
    etag: str | None = None
    modified: str | None = None
    type: str = ""
    charset: str | None = None
    fresh: float | None = None


class Fetcher:
    """Fetches; one for all threads, since it keeps hosts from being asked too often.

    `allow_private` lets it ask machines that are not public: all, or those of some networks (`["10.1.0.0/16"]`).
    `timeout` is for the whole of a fetch, redirects included and pauses not; `largest` for its bytes, unpacked;
    `per_host` are the seconds between two questions to one host. `resolver` and `tls` are for who knows names or
    trusts certificates of their own, `clock` and `sleep` are what pauses are measured and made with.
    """

    def __init__(
        self,
        *,
        allow_private: bool | Iterable[str] = False,
        timeout: float = 20.0,
        largest: int = 10_000_000,
        per_host: float = 1.0,
        agent: str = f"samestory/{_core.__version__}",
        resolver: Resolver = resolve,
        tls: ssl.SSLContext | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        if not timeout > 0 or not per_host >= 0 or largest < 1:
            raise ParameterError(
                "Fetcher: a timeout and a size above 0 and a pause not below are wanted, "
                f"got timeout={timeout}, largest={largest}, per_host={per_host}"
            )
        if not agent.isascii() or not agent.isprintable():
            raise ParameterError(f"Fetcher: agent must be plain letters, got {agent!r}")
        self.agent, self.largest = agent, largest
        self._may, self._timeout, self._resolver = allowed(allow_private), timeout, resolver
        self._tls = tls or ssl.create_default_context()
        self.turns = Turns(per_host, clock, sleep)

    def fetch(
        self,
        url: str,
        etag: str | None = None,
        modified: str | None = None,
        *,
        check: Callable[[str], None] | None = None,
        largest: int | None = None,
    ) -> Fetched:
        """What an address holds now; a FetchError says why it cannot be had.

        With what an earlier answer said of itself the server is asked for something newer only. `check` is called with
        the address, and with each it redirects to, and raises a FetchError where it is not to be asked.
        """
        headers = self._headers(etag, modified)
        left, at = self._timeout, url
        for _ in range(HOPS + 1):
            where = "" if at == url else f"redirected to {at[:200]}: "
            try:
                goal = target(at)
                began = time.monotonic()
                # first of all: who is not asked anyway is not waited for
                addresses = checked(goal, self._resolver, self._may, left)
                left -= time.monotonic() - began
                if check:
                    check(goal.url)
                self._turn(goal, url)
                began = time.monotonic()
                most = self.largest if largest is None else largest
                answer = self._asked(goal, addresses, headers, left, most)
                left -= time.monotonic() - began
            except FetchError as error:
                raise FetchError(url, where + error.reason, error.status, error.wait) from None
            except (AddressError, *_FAILURES) as error:
                raise FetchError(url, where + self._plain(error)) from None
            if isinstance(answer, Fetched):
                return answer
            at = answer
        raise FetchError(url, f"redirected more than {HOPS} times")

    def _headers(self, etag: str | None, modified: str | None) -> dict[str, str]:
        headers = {
            "User-Agent": self.agent,
            "Accept": "application/rss+xml, application/atom+xml, application/xml;q=0.9, text/html;q=0.8, */*;q=0.5",
            "Accept-Encoding": "gzip, deflate",
            "Connection": "close",
        }
        if etag and etag.isprintable():
            headers["If-None-Match"] = etag
        if modified and modified.isprintable():
            headers["If-Modified-Since"] = modified
        return headers

    def _turn(self, goal: Target, url: str) -> None:
        if (wait := self.turns.held(goal.host)) is not None:
            raise FetchError(url, f"{goal.host} asked to be left alone for {wait:.0f} seconds more", None, wait)
        self.turns.wait(goal.host)

    def _asked(
        self, goal: Target, addresses: Sequence[str], headers: dict[str, str], seconds: float, largest: int
    ) -> Fetched | str:
        """The answer of a server, or the address that it redirects to."""
        with Connection(goal, addresses, self._tls, Deadline(seconds)) as connection:
            asked = connection.ask(headers)
            if asked.status in _MOVED and asked.headers.get("location", "").strip():
                return urljoin(goal.url, _readable(asked.headers["location"]))
            if asked.status == 304:
                return _fetched(goal, asked, b"")
            if not 200 <= asked.status < 300:
                wait = _wait(asked.headers.get("retry-after", "")) if asked.status in _BUSY else None
                if wait is not None:
                    self.turns.hold(goal.host, wait)
                raise FetchError(goal.url, _status(asked.status), asked.status, wait)
            headers = {name: value for name, value in asked.headers.items() if name != "transfer-encoding"}
            return _fetched(goal, asked, Answer(asked.status, headers, asked.body(largest)).body(largest))

    def _plain(self, error: Exception) -> str:
        """What went wrong, in plain words."""
        if isinstance(error, TimeoutError):
            return f"took longer than {self._timeout:g} seconds"
        if isinstance(error, ssl.SSLCertVerificationError):
            return f"its certificate is not trusted ({error.verify_message})"
        if isinstance(error, ssl.SSLError):
            return "no safe connection can be made"
        if isinstance(error, http.client.IncompleteRead):
            return "its body breaks off"
        if isinstance(error, http.client.HTTPException):
            return "what it answers is no HTTP"
        if isinstance(error, OSError):
            return (error.strerror or str(error) or "no connection").lower()
        return str(error)


#: What can go wrong on the way; ValueError: what a header or a chunk holds.
_FAILURES = (OSError, TooLarge, http.client.HTTPException, BodyError, ValueError)


def _readable(location: str) -> str:
    """An address from a header: some servers write it in UTF-8, which headers are not read as."""
    try:
        return location.strip().encode("latin-1").decode()
    except UnicodeError:
        return location.strip()


def _fetched(goal: Target, asked: Asked, body: bytes) -> Fetched:
    answer = Answer(asked.status, asked.headers, b"")
    age = _MAX_AGE.search(asked.headers.get("cache-control", ""))
    tags = [asked.headers.get(name) or None for name in ("etag", "last-modified")]
    etag, modified = (tag if tag and len(tag) <= _LONGEST_TAG else None for tag in tags)
    fresh = float(age[1]) if age else None
    return Fetched(asked.status, goal.url, body, etag, modified, answer.type, answer.charset, fresh)


def _status(status: int) -> str:
    """A status in words: 404 not found."""
    return f"{status} {http.client.responses.get(status, 'is no status').lower()}"


def _wait(value: str) -> float | None:
    """The seconds that Retry-After names, as a number or as a date."""
    value = value.strip()
    if value.isascii() and value.isdigit():
        return min(float(value[:9]), LONGEST_WAIT)
    try:
        at = parsedate_to_datetime(value)
    except (TypeError, ValueError):
        return None
    at = at if at.tzinfo else at.replace(tzinfo=UTC)
    return min(max((at - datetime.now(UTC)).total_seconds(), 0.0), LONGEST_WAIT)
