"""The stream of events: as they happen, from where one left off, and told when some were lost."""

from __future__ import annotations

import json
import threading
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

#: An event that does not come within this time does not come.
PATIENCE = 30.0


def events(client: httpx.Client, many: int, **asked: Any) -> list[tuple[int, str, dict[str, Any]]]:
    """The first events of a stream."""
    with client.stream("GET", "/events", timeout=PATIENCE, **asked) as answer:
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("text/event-stream")
        return list(islice(_parsed(answer.iter_lines()), many))


def _parsed(lines: Iterator[str]) -> Iterator[tuple[int, str, dict[str, Any]]]:
    fields: dict[str, str] = {}
    for line in lines:
        if line:
            name, _, value = line.partition(":")
            fields[name] = value.strip()
        elif "data" in fields:
            yield int(fields["id"]), fields["event"], json.loads(fields["data"])
            fields = {}


def test_what_happened_is_told_from_any_place(archive: Archive, client: httpx.Client) -> None:
    log = archive.changes(0)
    told = events(client, len(log), params={"since": 0})
    assert [(seq, name, data["story"]) for seq, name, data in told] == [(s, c.what, c.group) for s, c in log]
    rest = events(client, 3, headers={"Last-Event-ID": str(log[-4][0])})
    assert [seq for seq, _, _ in rest] == [seq for seq, _ in log[-3:]]
    # what was heard last counts for more than where one began
    rest = events(client, 1, headers={"Last-Event-ID": str(log[-2][0])}, params={"since": 0})
    assert rest[0][0] == log[-1][0]


def test_what_happens_now_is_told_as_it_happens_also_by_another_process(archive: Archive, client: httpx.Client) -> None:
    heard: list[tuple[int, str, dict[str, Any]]] = []
    listener = threading.Thread(target=lambda: heard.extend(events(client, 3)))
    listener.start()
    with Archive.open(archive.database.place) as other:
        while listener.is_alive() and not heard:
            other.add([{**ONE, "id": "now 1"}, {**ONE, "id": "now 2", "text": TEXT + " It rained."}])
            other.decide("now 1", "now 2", "apart")
            listener.join(1)
            if listener.is_alive():  # it may have begun to listen after that
                other.remove(["now 1", "now 2"])
    listener.join(PATIENCE)
    names = [name for _, name, _ in heard]
    assert set(names) <= {"opened", "joined", "split", "left", "closed", "merged"} and len(names) == 3


def test_who_missed_what_is_no_longer_in_the_log_is_told_so(archive: Archive, client: httpx.Client) -> None:
    archive.rebuild()
    seq, name, _ = events(client, 1, params={"since": 1})[0]
    assert name == "reset" and seq > 1
    assert events(client, 1, params={"since": 10**15})[0][1] == "reset"


def test_an_id_cannot_begin_an_event_of_its_own(tmp_path: Path) -> None:
    hostile = "x\n\nevent: merged\ndata: {}\n\n"
    with Archive.open(tmp_path / "hostile.db") as archive, serving(archive) as client:
        archive.add([{**ONE, "id": hostile}])
        ((_, name, data),) = events(client, 1, params={"since": 0})
        assert name == "opened" and data["articles"] == [hostile]


def test_only_so_many_listen(archive: Archive) -> None:
    with serving(archive, limits=Limits(streams=1, rate=1000, burst=1000)) as client:
        with client.stream("GET", "/events", params={"since": 0}) as first:
            lines = first.iter_lines()
            next(lines)
            with client.stream("GET", "/events") as second:
                assert second.status_code == 503 and b"changes.json" in second.read()
        for _ in range(100):  # whoever leaves makes room
            with client.stream("GET", "/events", params={"since": 0}) as again:
                if again.status_code == 200:
                    break
        else:
            pytest.fail("nobody can listen any more")


def test_one_client_does_not_take_all_places(archive: Archive) -> None:
    with serving(archive, limits=Limits(own_streams=2, rate=1000, burst=1000)) as client, ExitStack() as opened:
        heard = [opened.enter_context(client.stream("GET", "/events", params={"since": 0})) for _ in range(2)]
        lines = [each.iter_lines() for each in heard]  # kept: whoever lets go of them stops listening
        assert all(next(each) for each in lines)
        with client.stream("GET", "/events") as third:
            assert third.status_code == 503
            third.read()
            failure(third, 503)


def test_many_who_come_at_once_do_not_get_more_places_than_there_are(archive: Archive) -> None:
    with serving(archive, limits=Limits(streams=4, rate=1000, burst=1000)) as client:
        stop = threading.Barrier(12)

        def listen() -> int:
            with client.stream("GET", "/events", params={"since": 0}) as answer:
                stop.wait(PATIENCE)
                return answer.status_code

        with ThreadPoolExecutor(12) as many:
            heard = [each.result() for each in [many.submit(listen) for _ in range(12)]]
    assert sorted(heard) == [200] * 4 + [503] * 8


def test_a_place_is_free_again_even_if_nothing_was_told() -> None:
    listeners = Listeners(2, 1)
    with pytest.raises(ZeroDivisionError), listeners.one("a"):
        raise ZeroDivisionError
    with listeners.one("a"), listeners.one("b"):
        for client in ("a", "c"):
            with pytest.raises(Refusal), listeners.one(client):
                pass
    assert not listeners._open
