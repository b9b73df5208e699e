"""The portal and the judging server under attack: idle and slow clients, hostile bodies, more work than they can do."""

from __future__ import annotations

import json
import socket
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from samestory.archive import Archive
from tests.conftest import PATIENCE, command
from tests.hostile.serving import HTML, WRITER, Running, is_open, portal, post, read_all, running, small_portal
from tests.lab.judging.making import PAIRS, made

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other systems have one loopback address")

#: State of a closed connection in Linux.
TCP_CLOSE = b"\x07"
#: A text that fills several responses with more than the buffers of the system.
LONG = "The pier was closed after the storm of Monday. " * 20_000


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive of two articles, one of them long."""
    path = tmp_path_factory.mktemp("hostile") / "news.db"
    with Archive.open(path) as archive:
        archive.add([{"id": "pier", "text": "The pier was closed."}, {"id": "long", "text": LONG}])
    return path


@pytest.fixture(scope="module")
def server(database: Path) -> Iterator[Running]:
    """A portal with its defaults."""
    with portal(database) as started:
        yield started


@pytest.fixture(scope="module")
def hasty(database: Path) -> Iterator[Running]:
    """A portal with short deadlines."""
    with small_portal(database, {"max_head_seconds": 0.5, "max_write_seconds": 0.5}) as started:
        yield started


def test_idle_connections_of_one_address_make_room_for_its_others(server: Running) -> None:
    """A reader behind the same address as the idle clients is answered at once."""
    idle = [server.connect() for _ in range(400)]
    try:
        with server.client() as reader:
            assert [reader.get("/", headers=HTML).status_code for _ in range(3)] == [200] * 3
        assert 200 <= sum(map(is_open, idle)) <= 256
        # the oldest went first
        assert is_open(idle[-1]) and not is_open(idle[0])
    finally:
        for each in idle:
            each.close()


def test_idle_connections_of_many_addresses_make_room_for_others(database: Path) -> None:
    """The cap is derived from the hard limit of open files, not from the soft one."""
    with portal(database, files=1000) as small:
        idle = [small.connect(f"127.0.1.{number % 10 + 1}") for number in range(900)]
        try:
            with small.client("127.0.2.1") as reader:
                assert [reader.get("/", headers=HTML).status_code for _ in range(3)] == [200] * 3
            assert 500 <= sum(map(is_open, idle)) < 750
        finally:
            for each in idle:
                each.close()


def test_a_trusted_proxy_may_have_many_connections_and_its_clients_are_distinguished(database: Path) -> None:
    with portal(database, "--proxy", "127.0.0.9, 10.0.0.0/8", "--rate", "2") as behind:
        idle = [behind.connect("127.0.0.9") for _ in range(300)]
        try:
            with behind.client("127.0.0.9") as proxy:
                one, other = {"X-Forwarded-For": "192.0.2.1"}, {"X-Forwarded-For": "192.0.2.2"}
                codes = [proxy.get("/index.json", headers=one).status_code for _ in range(15)]
                assert codes[:10] == [200] * 10 and 429 in codes
                assert proxy.get("/index.json", headers=other).status_code == 200
            with behind.client() as stranger:
                # an address that is not trusted cannot pretend to be another
                forged = [{"X-Forwarded-For": f"192.0.2.{number}"} for number in range(15)]
                assert 429 in [stranger.get("/index.json", headers=each).status_code for each in forged]
            assert sum(map(is_open, idle)) == 300
        finally:
            for each in idle:
                each.close()


def test_idle_connections_and_slow_heads_are_closed(hasty: Running) -> None:
    with hasty.connect() as silent, hasty.connect() as slow, hasty.connect() as kept, hasty.client() as reader:
        kept.sendall(b"GET /live HTTP/1.1\r\nHost: localhost\r\n\r\n")
        slow.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")
        slow.settimeout(0.05)
        refusal, until = b"", time.monotonic() + PATIENCE
        while not refusal:
            assert time.monotonic() < until, "the head was awaited for ever"
            try:
                slow.sendall(b"a")
                refusal = slow.recv(1000)
            except TimeoutError:
                continue
        assert refusal.startswith(b"HTTP/1.1 408") and b"too slowly" in refusal
        assert read_all(silent) == b""
        assert read_all(kept).startswith(b"HTTP/1.1 200")
        assert reader.get("/").status_code == 200


def test_a_client_that_does_not_read_is_cut_off(hasty: Running) -> None:
    request = b"GET /article.json?id=long HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with socket.socket() as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        deaf.settimeout(PATIENCE)
        deaf.connect(("127.0.0.1", hasty.port))
        deaf.sendall(request * 8)
        until = time.monotonic() + PATIENCE
        # a connection that was reset is closed without being read
        while deaf.getsockopt(socket.SOL_TCP, socket.TCP_INFO, 1) != TCP_CLOSE:
            assert time.monotonic() < until, "the server waits for a client that does not read"
            time.sleep(0.05)


def test_a_slow_body_takes_no_slot(server: Running) -> None:
    """More unfinished bodies than there are slots, from the address of the honest client."""
    slow = [server.connect() for _ in range(20)]
    try:
        for each in slow:
            each.sendall(post("/query", b'{"text": ', 1000))
        with server.client() as honest:
            assert honest.post("/query", json={"text": "The pier was closed."}).status_code == 200
        assert all(map(is_open, slow))
    finally:
        for each in slow:
            each.close()


MANY_KEYS = b'{"text": "a", ' + b", ".join(b'"%d": 1' % number for number in range(200_000)) + b"}"
MANY_TEXTS = b'{"hits": [' + b", ".join([b'"\\\\\\""'] * 210_000) + b"]}"


@pytest.mark.parametrize(
    ("path", "body", "status", "error"),
    [
        ("/query", MANY_KEYS, 413, "more than 100,000 values"),
        ("/fold", MANY_TEXTS, 413, "more than 100,000 values"),
        ("/fold", b'{"hits": [' + b"[]," * 200_000 + b"[]]}", 413, "more than 100,000 values"),
        ("/query", b'{"text": ' + b"[" * 1000 + b"]" * 1000 + b"}", 400, "deeper than 64 levels"),
        ("/query", b'{"text": ' + b"1" * 10_000 + b"}", 400, "not valid JSON"),
        ("/query", '{"text": "pier"}'.encode("utf-16"), 400, "not valid JSON"),
    ],
    ids=["keys", "texts", "lists", "deep", "digits", "utf-16"],
)
def test_hostile_json_is_refused_before_it_is_parsed(
    server: Running, path: str, body: bytes, status: int, error: str
) -> None:
    with server.client() as client:
        answer = client.post(path, content=body, headers={"Content-Type": "application/json"})
        assert (answer.status_code, error in answer.json()["error"]) == (status, True), answer.text


def test_punctuation_inside_texts_does_not_count(server: Running) -> None:
    text = ',:[{"\\' * 30_000
    with server.client() as client:
        assert client.post("/query", json={"text": text}).status_code == 200
        line = json.dumps({"id": "punctuation", "text": text}).encode() + b"\n" + MANY_KEYS.replace(b"\n", b" ") + b"\n"
        answer = client.post("/articles/stream", content=line, headers=WRITER)
        totals = json.loads(answer.text.splitlines()[-1])
        assert (totals["new"], totals["rejected"]) == (1, 1) and "more than 100,000 values" in answer.text


def test_a_body_in_tiny_chunks_is_refused(server: Running) -> None:
    head = b"POST /query HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
    with server.connect() as hostile:
        hostile.sendall(head + b"1\r\n \r\n" * 20_000)
        assert read_all(hostile)[:12] in (b"HTTP/1.1 400", b"")  # reset while it was still sending
    with server.client() as honest:
        parts = (b" " * 200 for _ in range(1000))
        assert honest.post("/query", content=parts).status_code in (400, 422)


def test_the_memory_for_bodies_is_limited(server: Running) -> None:
    """Three unfinished bodies of fifteen megabytes: the third does not fit into the share of a client."""
    part = b'{"text": "' + b"a" * (15 << 20)
    hostile = [server.connect("127.0.3.1") for _ in range(3)]
    try:
        for each in hostile[:2]:
            each.sendall(post("/query", part, len(part) + 10))
        hostile[2].sendall(post("/query", part + b"a" * 10))
        answer = hostile[2].recv(1 << 16)
        assert answer.startswith(b"HTTP/1.1 429") and b"retry-after" in answer.lower()
        with server.client() as honest:
            assert honest.post("/query", json={"text": "The pier was closed."}).status_code == 200
    finally:
        for each in hostile:
            each.close()


def test_a_client_with_many_requests_waits_for_its_own(server: Running) -> None:
    """One request of another client passes many that came before it."""
    hits = [{"text": f"Report {number}: " + "the pier was closed after the storm " * 20} for number in range(60)]
    body = json.dumps({"hits": hits}).encode()

    def fold(address: str) -> tuple[int, str | None, float]:
        with server.client(address) as client:
            answer = client.post("/fold", content=body, headers={"Content-Type": "application/json"})
            return answer.status_code, answer.headers.get("retry-after"), time.monotonic()

    with ThreadPoolExecutor(81) as clients:
        hostile = [clients.submit(fold, "127.0.4.1") for _ in range(80)]
        while not any(each.done() for each in hostile):
            time.sleep(0.005)
        honest = clients.submit(fold, "127.0.4.2").result()
        answers = [each.result() for each in hostile]
    assert honest[0] == 200
    assert max(end for status, _, end in answers if status == 200) > honest[2]
    refused = [(status, wait) for status, wait, _ in answers if status != 200]
    assert refused and all(status in (429, 503) and int(wait or 0) >= 1 for status, wait in refused)


def test_the_judging_server_withstands_idle_and_slow_clients(tmp_path: Path) -> None:
    made(tmp_path / "gold.db", items=PAIRS).collection.close()
    with running(command("judge", tmp_path / "gold.db", "--links", "--port", 0)) as judge:
        assert judge.process.stdout
        link = judge.process.stdout.readline().split()[1].partition(str(judge.port))[2]
        idle = [judge.connect() for _ in range(300)]
        try:
            for each in idle[-10:]:
                each.sendall(post(f"{link}1", b"answer=", 1000))
            with judge.client() as assessor:
                page = assessor.get(link, headers=HTML)
                assert (page.status_code, "set-cookie" in page.headers) == (200, False)
                assert assessor.get("/live").json() == assessor.get("/health").json() == {"status": "ok"}
                large = assessor.post(f"{link}1", content=b"a" * (2 << 20))
                assert large.status_code == 413
            assert 200 <= sum(map(is_open, idle)) <= 256
        finally:
            for each in idle:
                each.close()
