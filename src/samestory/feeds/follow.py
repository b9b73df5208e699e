"""One round over the feeds that are due: fetches, parses and passes on each; a failure affects one feed only.

    for state in follow(states, Fetcher(), take):
        ...                                         # store it for the next round

Hosts are polled in parallel, the feeds of one host in sequence. Articles are passed on in the thread of the caller, one
feed at a time. The validators of a response are stored only after its articles were accepted: after an error the feed
is fetched again.
"""

from __future__ import annotations

import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from samestory.errors import FetchError, ParameterError, SamestoryError
from samestory.feeds.addresses import AddressError, parse_target
from samestory.feeds.fetch import Fetcher, FetchResult
from samestory.feeds.parse import MAX_ENTRIES, Feed, parse
from samestory.feeds.sanitise import WARNING_SEPARATOR
from samestory.feeds.schedule import Schedule

#: How often a worker checks whether to stop, in seconds.
_STOP_CHECK_SECONDS = 0.1


#: The most characters of warnings that the state of a feed has.
MAX_WARNING_CHARACTERS = 500


@dataclass(frozen=True, slots=True)
class FeedState:
    """The state of a feed between rounds; times are microseconds since 1970.

    `due` is None for a feed that is gone (410). `failures` counts consecutive failures, `error` is the reason of the
    last one; `seen` counts the articles of all responses, `taken` those that were new.
    """

    url: str
    title: str | None = None
    site: str | None = None
    etag: str | None = None
    modified: str | None = None
    checked: int | None = None
    due: int | None = 0
    failures: int = 0
    error: str | None = None
    status: int | None = None
    seen: int = 0
    taken: int = 0
    warning: str | None = None
    """What was wrong with the last response that could be read."""


#: The outcome of a poll: the response and its feed (None if nothing is new), or the failure.
_Outcome = tuple[FeedState, FetchResult | None, Feed | None, FetchError | None]


def now_microseconds() -> int:
    """Return the current time in microseconds since 1970."""
    return time.time_ns() // 1000


def follow(
    feeds: Iterable[FeedState],
    fetcher: Fetcher,
    take: Callable[[Feed], int | None],
    pages: Callable[[Feed], Feed] | None = None,
    *,
    schedule: Schedule | None = None,
    workers: int = 8,
    most: int = MAX_ENTRIES,
    now: Callable[[], int] = now_microseconds,
) -> Iterator[FeedState]:
    """Yield the new state of every feed that is due, as soon as the feed is done.

    `take` receives each feed with its articles and returns how many of them were new. `pages` is called before, to
    replace their texts by those of linked pages (`LinkedPages`).
    """
    if workers < 1:
        raise ParameterError(f"follow: workers must be at least 1, got {workers}")
    schedule = schedule or Schedule()
    began = now()
    hosts = _by_host(each for each in feeds if each.due is not None and each.due <= began)
    round_ = _Round(hosts, fetcher, pages, most, now)
    for state, answer, feed, failure in round_.outcomes(min(workers, len(hosts))):
        taken = 0
        if feed is not None:
            try:
                taken = take(feed) or 0
            except Exception as error:
                failure = FetchError(state.url, f"articles not accepted: {_reason(error)}")
        yield _next(state, answer, feed, failure, taken, schedule, now())


def _next(
    state: FeedState,
    answer: FetchResult | None,
    feed: Feed | None,
    failure: FetchError | None,
    taken: int,
    schedule: Schedule,
    now: int,
) -> FeedState:
    """Return the state after a poll."""
    if failure is not None or answer is None:
        failure = failure or FetchError(state.url, "not fetched")
        status = answer.status if answer and failure.status is None else failure.status
        due = schedule.after_failure(now, state.failures + 1, failure.status, failure.wait)
        return replace(state, checked=now, due=due, failures=state.failures + 1, error=failure.reason, status=status)
    due = schedule.after_answer(now, answer.fresh, feed.ttl if feed else None)
    good = replace(state, checked=now, due=due, failures=0, error=None, status=answer.status)
    if feed is None:
        return good
    # while entries wait for their pages, or may be missing, the next request must not be conditional
    is_whole = not feed.left and not feed.is_truncated
    etag, modified = (answer.etag, answer.modified) if is_whole else (None, None)
    return replace(
        good,
        etag=etag,
        modified=modified,
        title=feed.title or state.title,
        site=feed.site or state.site,
        seen=state.seen + len(feed.articles),
        taken=state.taken + taken,
        warning=WARNING_SEPARATOR.join(feed.warnings)[:MAX_WARNING_CHARACTERS] or None,
    )


def _by_host(feeds: Iterable[FeedState]) -> deque[list[FeedState]]:
    """Group feeds by host; an invalid URL is a group of its own and is refused when fetched."""
    hosts: dict[str, list[FeedState]] = {}
    for state in feeds:
        try:
            hosts.setdefault(parse_target(state.url).host, []).append(state)
        except AddressError:
            hosts.setdefault(state.url, []).append(state)
    return deque(hosts.values())


class _Round:
    """The worker threads of one round; outcomes wait in a short queue, so that memory stays bounded."""

    def __init__(
        self,
        hosts: deque[list[FeedState]],
        fetcher: Fetcher,
        pages: Callable[[Feed], Feed] | None,
        most: int,
        now: Callable[[], int],
    ) -> None:
        self._hosts, self._fetcher, self._pages, self._most, self._now = hosts, fetcher, pages, most, now
        self._count = sum(map(len, hosts))
        self._stop = threading.Event()

    def outcomes(self, workers: int) -> Iterator[_Outcome]:
        """Yield the outcome of every feed, in order of completion."""
        done: queue.Queue[_Outcome] = queue.Queue(workers or 1)
        threads = [threading.Thread(target=self._work, args=(done,), daemon=True) for _ in range(workers)]
        for thread in threads:
            thread.start()
        try:
            for _ in range(self._count):
                yield done.get()
        finally:
            # a caller that stops early does not wait: threads end after their current feed
            self._stop.set()

    def _work(self, done: queue.Queue[_Outcome]) -> None:
        while not self._stop.is_set():
            try:
                host = self._hosts.popleft()
            except IndexError:
                return
            for state in host:
                if self._stop.is_set():
                    return
                self._put(done, self._outcome(state))

    def _put(self, done: queue.Queue[_Outcome], outcome: _Outcome) -> None:
        while not self._stop.is_set():
            try:
                done.put(outcome, timeout=_STOP_CHECK_SECONDS)
            except queue.Full:
                continue
            return

    def _outcome(self, state: FeedState) -> _Outcome:
        answer = None
        try:
            answer = self._fetcher.fetch(state.url, state.etag, state.modified)
            if answer.status == 304:
                return state, answer, None, None
            feed = parse(answer.body, state.url, answer.type, answer.charset, base=answer.url, most=self._most)
            feed = replace(feed, addresses=answer.addresses)
            return state, answer, self._pages(feed) if self._pages else feed, None
        except FetchError as error:
            return state, answer, None, error
        except Exception as error:  # a feed that breaks its parser does not stop the others
            return state, answer, None, FetchError(state.url, _reason(error))


def _reason(error: Exception) -> str:
    """Describe an error, with its type unless it is a SamestoryError."""
    return str(error) if isinstance(error, SamestoryError) else f"{type(error).__name__}: {error}"
