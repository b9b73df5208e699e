"""Fetches one URL at a time, rate-limited per host and from allowed addresses only.

    fetcher = Fetcher()
    result = fetcher.fetch("https://example.com/rss.xml", etag=state.etag, modified=state.modified)

Only http and https; at most five redirects are followed, and each is checked like the first URL. A fetch is limited in
size, compressed and decompressed, and in total time. Proxies named by the environment are not used: the connection goes
to the address that was checked.
"""

from __future__ import annotations

import http.client
import re
import ssl
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from urllib.parse import urljoin

from samestory import _core
from samestory.errors import FetchError, ParameterError
from samestory.feeds.addresses import (
    AddressError,
    Resolver,
    Target,
    allow,
    check_addresses,
    networks,
    parse_target,
    resolve,
    resolve_within,
)
from samestory.feeds.connection import BodyTooLargeError, Connection, Deadline, PendingResponse
from samestory.feeds.rate_limit import HostRateLimiter
from samestory.readers.http import BodyError, HttpResponse

#: The most redirects that are followed.
MAX_REDIRECTS = 5
#: The longest wait that a server can request: a day.
MAX_WAIT_SECONDS = 86_400.0
#: Validators (ETag, Last-Modified) longer than this are not stored.
_MAX_TAG_CHARACTERS = 500
_MAX_AGE = re.compile(r"(?:^|[\s,])max-age\s*=\s*\"?(\d{1,9})", re.IGNORECASE)
_MOVED = frozenset((301, 302, 303, 307, 308))
_BUSY = frozenset((429, 503))


@dataclass(frozen=True, slots=True)
class FetchResult:
    """A response: its final URL, its decompressed body and its metadata.

    `status` is 304 with an empty body if nothing is new; `fresh` is its max-age in seconds, `addresses` are those of
    its server.
    """

    status: int
    url: str
    body: bytes = b""
    etag: str | None = None
    modified: str | None = None
    type: str = ""
    charset: str | None = None
    fresh: float | None = None
    addresses: tuple[str, ...] = ()


class Fetcher:
    """Fetches URLs; shared by all threads, since it limits the request rate per host.

    `allow_private` are networks that are not public and permitted, as in `["10.1.0.0/16"]`: for URLs in them, and for
    the links and redirects of servers in them.
    `timeout` is the total time of a fetch, with redirects and without pauses; `largest` the limit of its decompressed
    bytes; `per_host` the seconds between two requests to one host. `resolver` and `tls` replace name resolution and
    trusted certificates, `clock` and `sleep` measure and make the pauses.
    """

    def __init__(
        self,
        *,
        allow_private: Iterable[str] = (),
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
                "Fetcher: timeout and largest must be above 0 and per_host at least 0, "
                f"got timeout={timeout}, largest={largest}, per_host={per_host}"
            )
        if not agent.isascii() or not agent.isprintable():
            raise ParameterError(f"Fetcher: agent must be printable ASCII, got {agent!r}")
        self.agent, self.largest = agent, largest
        self._networks, self._timeout, self._resolver = networks(allow_private), timeout, resolver
        self._tls = tls or ssl.create_default_context()
        self.limiter = HostRateLimiter(per_host, clock, sleep)

    def fetch(
        self,
        url: str,
        etag: str | None = None,
        modified: str | None = None,
        *,
        check: Callable[[str, Sequence[str]], None] | None = None,
        largest: int | None = None,
        named_by: Sequence[str] | None = None,
    ) -> FetchResult:
        """Fetch a URL; raise a FetchError if that fails or is refused.

        `etag` and `modified` of an earlier response make the request conditional. `check` is called with the URL and
        each redirect, and with the addresses of the server that names it; it raises a FetchError for one that must not
        be fetched. `named_by` are those addresses for the URL itself, if it is a link.
        """
        headers = self._headers(etag, modified)
        left, at = self._timeout, url
        for _ in range(MAX_REDIRECTS + 1):
            prefix = "" if at == url else f"redirected to {at[:200]}: "
            try:
                target = parse_target(at)
                began = time.monotonic()
                # first of all: a refused host is not waited for
                addresses = resolve_within(self._resolver, target, left)
                named_by = addresses if named_by is None else named_by
                check_addresses(target, addresses, allow(self._networks, named_by))
                left -= time.monotonic() - began
                if check:
                    check(target.url, named_by)
                self._wait(target, url)
                began = time.monotonic()
                max_bytes = self.largest if largest is None else largest
                result = self._request(target, addresses, headers, left, max_bytes)
                left -= time.monotonic() - began
            except FetchError as error:
                raise FetchError(url, prefix + error.reason, error.status, error.wait) from None
            except (AddressError, *_FAILURES) as error:
                raise FetchError(url, prefix + self._reason(error)) from None
            if isinstance(result, FetchResult):
                return replace(result, addresses=tuple(addresses))
            at, named_by = result, addresses
        raise FetchError(url, f"redirected more than {MAX_REDIRECTS} times")

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

    def _wait(self, target: Target, url: str) -> None:
        """Wait until the host may be requested again; raise a FetchError if it asked for a longer pause."""
        if (wait := self.limiter.held(target.host)) is not None:
            raise FetchError(url, f"{target.host} asked for a pause of {wait:.0f} more seconds", None, wait)
        self.limiter.wait(target.host)

    def _request(
        self, target: Target, addresses: Sequence[str], headers: dict[str, str], seconds: float, max_bytes: int
    ) -> FetchResult | str:
        """Return the result of a request, or the URL that it redirects to."""
        with Connection(target, addresses, self._tls, Deadline(seconds)) as connection:
            response = connection.request(headers)
            if response.status in _MOVED and response.headers.get("location", "").strip():
                return urljoin(target.url, _decode_location(response.headers["location"]))
            if response.status == 304:
                return _result(target, response, b"")
            if not 200 <= response.status < 300:
                wait = _retry_after(response.headers.get("retry-after", "")) if response.status in _BUSY else None
                if wait is not None:
                    self.limiter.hold(target.host, wait)
                raise FetchError(target.url, _status(response.status), response.status, wait)
            headers = {name: value for name, value in response.headers.items() if name != "transfer-encoding"}
            body = HttpResponse(response.status, headers, response.body(max_bytes)).body(max_bytes)
            return _result(target, response, body)

    def _reason(self, error: Exception) -> str:
        """Describe an error in plain words."""
        if isinstance(error, TimeoutError):
            return f"took longer than {self._timeout:g} seconds"
        if isinstance(error, ssl.SSLCertVerificationError):
            return f"its certificate is not trusted ({error.verify_message})"
        if isinstance(error, ssl.SSLError):
            return "no secure connection"
        if isinstance(error, http.client.IncompleteRead):
            return "body is truncated"
        if isinstance(error, http.client.HTTPException):
            return "the response is not HTTP"
        if isinstance(error, OSError):
            return (error.strerror or str(error) or "no connection").lower()
        return str(error)


#: Errors of a request; ValueError is raised for malformed headers and chunks.
_FAILURES = (OSError, BodyTooLargeError, http.client.HTTPException, BodyError, ValueError)


def _decode_location(location: str) -> str:
    """Decode the URL of a header: some servers write UTF-8, but headers are read as Latin-1."""
    try:
        return location.strip().encode("latin-1").decode()
    except UnicodeError:
        return location.strip()


def _result(target: Target, response: PendingResponse, body: bytes) -> FetchResult:
    parsed = HttpResponse(response.status, response.headers, b"")
    age = _MAX_AGE.search(response.headers.get("cache-control", ""))
    tags = [response.headers.get(name) or None for name in ("etag", "last-modified")]
    etag, modified = (tag if tag and len(tag) <= _MAX_TAG_CHARACTERS else None for tag in tags)
    fresh = float(age[1]) if age else None
    return FetchResult(response.status, target.url, body, etag, modified, parsed.type, parsed.charset, fresh)


def _status(status: int) -> str:
    """Format a status: 404 not found."""
    return f"{status} {http.client.responses.get(status, 'unknown status').lower()}"


def _retry_after(value: str) -> float | None:
    """Return the seconds of a Retry-After header, given as a number or a date."""
    value = value.strip()
    if value.isascii() and value.isdigit():
        return min(float(value[:9]), MAX_WAIT_SECONDS)
    try:
        at = parsedate_to_datetime(value)
    except (TypeError, ValueError):
        return None
    at = at if at.tzinfo else at.replace(tzinfo=UTC)
    return min(max((at - datetime.now(UTC)).total_seconds(), 0.0), MAX_WAIT_SECONDS)
