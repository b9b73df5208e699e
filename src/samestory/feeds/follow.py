"""One round over feeds that are due: each is fetched, parsed and passed on, and each fails for itself.

    for state in follow(states, Fetcher(), take):
        ...                                         # keep it for the next round

Hosts are asked side by side, the feeds of one host one after the other. Articles are passed on in the thread of who
asks, a feed at a time. What a server said of its answer is remembered only when the articles were taken: what went
wrong in between comes again.
"""

from __future__ import annotations

import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from samestory.errors import FetchError, ParameterError, SamestoryError
from samestory.feeds.addresses import AddressError, target
from samestory.feeds.fetch import Fetched, Fetcher
from samestory.feeds.parse import MOST, Feed, parse
from samestory.feeds.schedule import Schedule

#: Seconds between two looks at whether the work is to end.
_LOOK = 0.1


@dataclass(frozen=True, slots=True)
class State:
    """What is remembered of a feed from round to round; times are microseconds since 1970.

    `due` is None for a feed that is gone. `failures` are those in a row, `error` says why the last one was, `seen` and
    `taken` count its articles in all answers, and those that were new.
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


#: What became of a feed: the answer and the feed in it (none where nothing is new), or the reason for none.
_Outcome = tuple[State, Fetched | None, Feed | None, FetchError | None]


def microseconds() -> int:
    """The time now."""
    return time.time_ns() // 1000


def follow(
    feeds: Iterable[State],
    fetcher: Fetcher,
    take: Callable[[Feed], int | None],
    pages: Callable[[Feed], Feed] | None = None,
    *,
    schedule: Schedule | None = None,
    workers: int = 8,
    most: int = MOST,
    now: Callable[[], int] = microseconds,
) -> Iterator[State]:
    """The new states of the feeds that are due, each as soon as its feed is done.

    `take` is given each feed with its articles, and gives how many of them were new to it. `pages` is asked first, to
    put the texts of linked pages into them (`Pages`).
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
                failure = FetchError(state.url, f"could not be taken: {_reason(error)}")
        yield _next(state, answer, feed, failure, taken, schedule, now())


def _next(
    state: State,
    answer: Fetched | None,
    feed: Feed | None,
    failure: FetchError | None,
    taken: int,
    schedule: Schedule,
    now: int,
) -> State:
    """The state after a round."""
    if failure is not None or answer is None:
        failure = failure or FetchError(state.url, "not asked")
        status = answer.status if answer and failure.status is None else failure.status
        due = schedule.after_failure(now, state.failures + 1, failure.status, failure.wait)
        return replace(state, checked=now, due=due, failures=state.failures + 1, error=failure.reason, status=status)
    due = schedule.after_answer(now, answer.fresh, feed.ttl if feed else None)
    good = replace(state, checked=now, due=due, failures=0, error=None, status=answer.status)
    if feed is None:
        return good
    # while entries wait for their pages the feed must not be told "nothing new"
    etag, modified = (None, None) if feed.left else (answer.etag, answer.modified)
    return replace(
        good,
        etag=etag,
        modified=modified,
        title=feed.title or state.title,
        site=feed.site or state.site,
        seen=state.seen + len(feed.articles),
        taken=state.taken + taken,
    )


def _by_host(feeds: Iterable[State]) -> deque[list[State]]:
    """Feeds by the host they are on; an address that is none has a place of its own, to be refused there."""
    hosts: dict[str, list[State]] = {}
    for state in feeds:
        try:
            hosts.setdefault(target(state.url).host, []).append(state)
        except AddressError:
            hosts.setdefault(state.url, []).append(state)
    return deque(hosts.values())


class _Round:
    """The work of one round, in threads; what they found waits in a short queue, so that memory stays bounded."""

    def __init__(
        self,
        hosts: deque[list[State]],
        fetcher: Fetcher,
        pages: Callable[[Feed], Feed] | None,
        most: int,
        now: Callable[[], int],
    ) -> None:
        self._hosts, self._fetcher, self._pages, self._most, self._now = hosts, fetcher, pages, most, now
        self._count = sum(map(len, hosts))
        self._stop = threading.Event()

    def outcomes(self, workers: int) -> Iterator[_Outcome]:
        """What becomes of every feed, in the order in which they are done."""
        done: queue.Queue[_Outcome] = queue.Queue(workers or 1)
        crew = [threading.Thread(target=self._work, args=(done,), daemon=True) for _ in range(workers)]
        for thread in crew:
            thread.start()
        try:
            for _ in range(self._count):
                yield done.get()
        finally:
            # who stops asking is not kept waiting: threads end with the feed that they are at
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
                done.put(outcome, timeout=_LOOK)
            except queue.Full:
                continue
            return

    def _outcome(self, state: State) -> _Outcome:
        answer = None
        try:
            answer = self._fetcher.fetch(state.url, state.etag, state.modified)
            if answer.status == 304:
                return state, answer, None, None
            feed = parse(answer.body, state.url, answer.type, answer.charset, base=answer.url, most=self._most)
            return state, answer, self._pages(feed) if self._pages else feed, None
        except FetchError as error:
            return state, answer, None, error
        except Exception as error:  # whatever a feed does to its parser, the others go on
            return state, answer, None, FetchError(state.url, _reason(error))


def _reason(error: Exception) -> str:
    """Why, in words where there are some."""
    return str(error) if isinstance(error, SamestoryError) else f"{type(error).__name__}: {error}"
