"""Rules of robots.txt: which URLs a site forbids, and its crawl delay. [RFC 9309]

A site without a robots.txt allows everything. A site whose robots.txt is unavailable, because it is down or busy,
allows nothing for a while. Subscribed feeds are not checked: they are meant for programs.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from urllib.robotparser import RobotFileParser

from samestory.errors import FetchError
from samestory.feeds.addresses import parse_target
from samestory.feeds.fetch import Fetcher

#: The most bytes of a robots.txt that are read; the standard requires no more.
MAX_ROBOTS_BYTES = 512_000
#: How long a robots.txt is cached, and how long its absence after a failure, in seconds.
CACHE_SECONDS, FAILURE_CACHE_SECONDS = 86_400.0, 600.0
#: The longest crawl delay that is honoured, in seconds: some files ask for hours.
MAX_CRAWL_DELAY_SECONDS = 30.0
#: The most sites in the cache.
_MAX_SITES = 10_000


class Robots:
    """Fetches and caches the robots.txt of sites."""

    def __init__(self, fetcher: Fetcher, clock: Callable[[], float] = time.monotonic) -> None:
        self._fetcher, self._clock = fetcher, clock
        self._lock = threading.Lock()
        self._cache: dict[str, tuple[float, RobotFileParser | None]] = {}

    def check(self, url: str, named_by: Sequence[str] | None = None) -> None:
        """Raise a FetchError if the site forbids fetching a URL; `named_by` as for `Fetcher.fetch`."""
        target = parse_target(url)
        rules = self._rules(target.origin, target.host, named_by)
        if rules is None:
            raise FetchError(url, f"{target.origin}/robots.txt is unavailable")
        if target.path != "/robots.txt" and not rules.can_fetch(self._fetcher.agent, url):
            raise FetchError(url, "forbidden by robots.txt")

    def _rules(self, origin: str, host: str, named_by: Sequence[str] | None) -> RobotFileParser | None:
        with self._lock:
            until, rules = self._cache.get(origin, (0.0, None))
            if until > self._clock():
                return rules
        rules = self._fetch(origin, named_by)
        if rules is not None and (pause := rules.crawl_delay(self._fetcher.agent)):
            self._fetcher.limiter.slow(host, min(float(pause), MAX_CRAWL_DELAY_SECONDS))
        lifetime = CACHE_SECONDS if rules is not None else FAILURE_CACHE_SECONDS
        with self._lock:
            if len(self._cache) >= _MAX_SITES:
                self._cache.clear()
            self._cache[origin] = self._clock() + lifetime, rules
        return rules

    def _fetch(self, origin: str, named_by: Sequence[str] | None) -> RobotFileParser | None:
        rules = RobotFileParser()
        try:
            body = self._fetcher.fetch(f"{origin}/robots.txt", largest=MAX_ROBOTS_BYTES, named_by=named_by).body
        except FetchError as error:
            if error.status is None or not 400 <= error.status < 500 or error.status == 429:
                return None
            body = b""
        rules.parse(body.decode("utf-8", "replace").removeprefix("\ufeff").splitlines())
        return rules
