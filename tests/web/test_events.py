"""The event stream: new events, resuming from a sequence number, and `reset` when events were lost."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import Any

import httpx
import pytest

from samestory.archive import Archive
from samestory.web import Limits
from samestory.web.errors import Refusal
from samestory.web.events import Listeners
from tests.web.serving import serving
from tests.web.test_api import ONE, TEXT, failure

#: Timeout of a test that waits for events.
PATIENCE_SECONDS = 30.0


def events(client: httpx.Client, many: int, **request: Any) -> list[tuple[int, str, dict[str, Any]]]:
    """Read the first events of a stream."""
    with client.stream("GET", "/events", timeout=PATIENCE_SECONDS, **request) as answer:
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("text/event-stream")
        return list(islice(_parsed(_until(answer.iter_lines(), time.monotonic() + PATIENCE_SECONDS)), many))


def _until(lines: Iterator[str], deadline: float) -> Iterator[str]:
    """The lines before a deadline: comments that keep a connection alive also keep a reader waiting."""
    for line in lines:
        assert time.monotonic() < deadline, "the events did not come"
        yield line


def _parsed(lines: Iterator[str]) -> Iterator[tuple[int, str, dict[str, Any]]]:
    fields: dict[str, str] = {}
    for line in lines:
        if line:
            name, _, value = line.partition(":")
            fields[name] = value.strip()
        elif "data" in fields:
            yield int(fields["id"]), fields["event"], json.loads(fields["data"])
            fields = {}


def test_a_stream_starts_at_any_sequence_number(archive: Archive, client: httpx.Client) -> None:
    log = archive.changes(0)
    found = events(client, len(log), params={"since": 0})
    assert [(seq, name, data["story"]) for seq, name, data in found] == [(s, c.what, c.group) for s, c in log]
    rest = events(client, 3, headers={"Last-Event-ID": str(log[-4][0])})
    assert [seq for seq, _, _ in rest] == [seq for seq, _ in log[-3:]]
    # Last-Event-ID takes precedence over the query parameter
    rest = events(client, 1, headers={"Last-Event-ID": str(log[-2][0])}, params={"since": 0})
    assert rest[0][0] == log[-1][0]


def test_new_events_of_another_process_are_streamed(archive: Archive, client: httpx.Client) -> None:
    received: list[tuple[int, str, dict[str, Any]]] = []
    listener = threading.Thread(target=lambda: received.extend(events(client, 3)))
    listener.start()
    with Archive.open(archive.database.place) as other:
        while listener.is_alive() and not received:
            other.add([{**ONE, "id": "now 1"}, {**ONE, "id": "now 2", "text": TEXT + " It rained."}])
            other.decide("now 1", "now 2", "apart")
            listener.join(1)
            if listener.is_alive():  # the stream may have been opened after these changes
                other.remove(["now 1", "now 2"])
    listener.join(PATIENCE_SECONDS)
    names = [name for _, name, _ in received]
    assert set(names) <= {"opened", "joined", "split", "left", "closed", "merged"} and len(names) == 3


def test_reset_is_sent_if_changes_are_no_longer_in_the_log(archive: Archive, client: httpx.Client) -> None:
    archive.rebuild()
    seq, name, _ = events(client, 1, params={"since": 1})[0]
    assert name == "reset" and seq > 1
    assert events(client, 1, params={"since": 10**15})[0][1] == "reset"


def test_an_id_cannot_start_another_event(tmp_path: Path) -> None:
    with_line_ends = "x\n\nevent: merged\ndata: {}\n\n"
    hostile = with_line_ends.replace("\n", "\u2028")  # a line separator that is no control character
    with Archive.open(tmp_path / "hostile.db") as archive, serving(archive) as client:
        assert len(archive.add([{**ONE, "id": with_line_ends}]).rejected) == 1
        archive.add([{**ONE, "id": hostile}])
        ((_, name, data),) = events(client, 1, params={"since": 0})
        assert name == "opened" and data["articles"] == [hostile]


def test_the_number_of_streams_is_limited(archive: Archive) -> None:
    with serving(archive, limits=Limits(max_streams=1, rate=1000, burst=1000)) as client:
        with client.stream("GET", "/events", params={"since": 0}) as first:
            lines = first.iter_lines()
            next(lines)
            with client.stream("GET", "/events") as second:
                assert second.status_code == 503 and b"changes.json" in second.read()
        for _ in range(100):  # a closed stream releases its slot
            with client.stream("GET", "/events", params={"since": 0}) as again:
                if again.status_code == 200:
                    break
        else:
            pytest.fail("the slot was not released")


def test_the_number_of_streams_per_client_is_limited(archive: Archive) -> None:
    with (
        serving(archive, limits=Limits(max_streams_per_client=2, rate=1000, burst=1000)) as client,
        ExitStack() as opened,
    ):
        received = [opened.enter_context(client.stream("GET", "/events", params={"since": 0})) for _ in range(2)]
        lines = [each.iter_lines() for each in received]  # kept alive: dropping the iterators would close the streams
        assert all(next(each) for each in lines)
        with client.stream("GET", "/events") as third:
            assert third.status_code == 503
            third.read()
            failure(third, 503)


def test_concurrent_clients_do_not_exceed_the_limit(archive: Archive) -> None:
    with serving(archive, limits=Limits(max_streams=4, rate=1000, burst=1000)) as client:
        stop = threading.Barrier(12)

        def listen() -> int:
            with client.stream("GET", "/events", params={"since": 0}) as answer:
                stop.wait(PATIENCE_SECONDS)
                return answer.status_code

        with ThreadPoolExecutor(12) as many:
            received = [each.result() for each in [many.submit(listen) for _ in range(12)]]
    assert sorted(received) == [200] * 4 + [503] * 8


def test_a_slot_is_released_even_after_an_error() -> None:
    listeners = Listeners(2, 1)
    with pytest.raises(ZeroDivisionError), listeners.reserve("a"):
        raise ZeroDivisionError
    with listeners.reserve("a"), listeners.reserve("b"):
        for client in ("a", "c"):
            with pytest.raises(Refusal), listeners.reserve(client):
                pass
    assert not listeners._open
