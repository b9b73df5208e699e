"""What sites ask robots not to fetch (robots.txt), and how fast they want to be asked. [RFC 9309]

A site without such a file allows everything. One whose file cannot be had, because it is down or busy, allows nothing
for a while. A feed that somebody follows is not asked about: it is there for programs.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from urllib.robotparser import RobotFileParser

from samestory.errors import FetchError
from samestory.feeds.addresses import target
from samestory.feeds.fetch import Fetcher

#: Bytes of such a file that are read; the standard wants no more.
LARGEST = 512_000
#: Seconds that a file is believed, and that a site is left alone whose file cannot be had.
KEPT, KEPT_AFTER_FAILURE = 86_400.0, 600.0
#: The longest pause between two questions that is kept, in seconds: some files ask for hours.
LONGEST_PAUSE = 30.0
#: Sites remembered.
_MANY = 10_000


class Robots:
    """Asks sites what may be asked, and remembers it."""

    def __init__(self, fetcher: Fetcher, clock: Callable[[], float] = time.monotonic) -> None:
        self._fetcher, self._clock = fetcher, clock
        self._lock = threading.Lock()
        self._known: dict[str, tuple[float, RobotFileParser | None]] = {}

    def check(self, url: str) -> None:
        """A FetchError if the site does not want this address to be fetched."""
        goal = target(url)
        rules = self._rules(goal.origin, goal.host)
        if rules is None:
            raise FetchError(url, f"{goal.origin}/robots.txt cannot be had")
        if goal.path != "/robots.txt" and not rules.can_fetch(self._fetcher.agent, url):
            raise FetchError(url, "its robots.txt forbids it")

    def _rules(self, origin: str, host: str) -> RobotFileParser | None:
        with self._lock:
            until, rules = self._known.get(origin, (0.0, None))
            if until > self._clock():
                return rules
        rules = self._asked(origin)
        if rules is not None and (pause := rules.crawl_delay(self._fetcher.agent)):
            self._fetcher.turns.slow(host, min(float(pause), LONGEST_PAUSE))
        with self._lock:
            if len(self._known) >= _MANY:
                self._known.clear()
            self._known[origin] = self._clock() + (KEPT if rules is not None else KEPT_AFTER_FAILURE), rules
        return rules

    def _asked(self, origin: str) -> RobotFileParser | None:
        rules = RobotFileParser()
        try:
            body = self._fetcher.fetch(f"{origin}/robots.txt", largest=LARGEST).body
        except FetchError as error:
            if error.status is None or not 400 <= error.status < 500 or error.status == 429:
                return None
            body = b""
        rules.parse(body.decode("utf-8", "replace").removeprefix("\ufeff").splitlines())
        return rules
