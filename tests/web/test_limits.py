"""Who may write, how often one may ask, and how large a body may be."""

from __future__ import annotations

import select
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import httpx
import pytest

from samestory.archive import Archive
from samestory.web import Limits
from samestory.web.health import Health
from samestory.web.limits import CLIENTS, Keeper, Rates, client_of
from tests.web.serving import TOKEN, WRITER, serving
from tests.web.test_api import ONE, failure

WRITES = [
    ("POST", "/article"),
    ("POST", "/articles"),
    ("POST", "/articles/stream"),
    ("POST", "/decisions"),
    ("DELETE", "/article?id=a"),
    ("POST", "/anything"),
    ("PUT", "/"),
]


@pytest.fixture
def made(tmp_path: Path) -> Iterator[Archive]:
    with Archive.open(tmp_path / "news.db") as archive:
        yield archive


@pytest.mark.parametrize(("method", "path"), WRITES)
def test_nobody_writes_where_there_is_no_token(made: Archive, method: str, path: str) -> None:
    with serving(made, token=None) as client:
        assert "only read" in failure(client.request(method, path, headers=WRITER, content=b"{}"), 403)
        assert client.get("/status.json").json()["articles"] == 0


@pytest.mark.parametrize(("method", "path"), WRITES)
@pytest.mark.parametrize(
    "given", [None, "Bearer wrong", f"Basic {TOKEN}", f"Bearer {TOKEN}x", "Bearer", f"Bearer {TOKEN[:-1]}"]
)
def test_who_has_not_the_token_does_not_write(
    untouched: httpx.Client, method: str, path: str, given: str | None
) -> None:
    headers = {} if given is None else {"Authorization": given}
    answer = untouched.request(method, path, headers=headers, content=b"{}")
    failure(answer, 401)
    assert answer.headers["www-authenticate"] == "Bearer"
    assert untouched.get("/status.json").json()["articles"] == 0


def test_a_token_is_asked_for_before_the_body_is_read(made: Archive) -> None:
    with serving(made) as client:
        failure(client.post("/articles", content=b"{ no JSON"), 401)
        failure(client.post("/articles", content=b"a" * (20 << 20)), 401)


def test_a_cookie_is_no_token(made: Archive) -> None:
    """Otherwise any page could make a browser write that has signed in."""
    with serving(made) as client:
        assert client.post("/sign-in", data={"token": TOKEN}).status_code == 303
        assert client.cookies
        failure(client.post("/article", json=ONE), 401)


@pytest.mark.parametrize("chunked", [False, True], ids=["with its length", "in chunks"])
def test_too_large_a_body_is_refused(made: Archive, chunked: bool) -> None:
    with serving(made, limits=Limits(largest=10_000, rate=1000, burst=1000)) as client:
        body = b'{"text": "' + b"a" * 10_000 + b'"}'
        content = (body[at : at + 999] for at in range(0, len(body), 999)) if chunked else body
        headers = {"Content-Type": "application/json"}
        failure(client.post("/query", content=content, headers=headers), 413)
        assert client.post("/query", json={"text": "a word"}).status_code == 200
        failure(client.post("/decide", content=b"a=" + b"b" * 20_000), 413)


@pytest.mark.parametrize("path", ["/query", "/articles", "/sign-in"])
@pytest.mark.parametrize(
    ("limits", "every"),
    [
        pytest.param(Limits(pause=0.2, rate=1000, burst=1000), 2.0, id="stops"),
        pytest.param(Limits(pause=5, longest=0.5, rate=1000, burst=1000), 0.05, id="drips"),
    ],
)
def test_a_body_that_comes_too_slowly_is_refused(made: Archive, path: str, limits: Limits, every: float) -> None:
    with serving(made, limits=limits) as client:
        host, port = client.base_url.host, client.base_url.port or 80
        with socket.create_connection((host, port), timeout=20) as slow:
            head = [f"POST {path} HTTP/1.1", f"Host: {host}", f"Authorization: {WRITER['Authorization']}"]
            slow.sendall(
                "\r\n".join([*head, "Content-Type: application/json", "Content-Length: 1000", "", "{"]).encode()
            )
            until = time.monotonic() + 20
            while not select.select([slow], [], [], every)[0]:
                assert time.monotonic() < until, "nobody says that it is too slow"
                slow.sendall(b" ")
            answer = b""
            # to its end: the connection is closed, and cut off if a blank was on its way
            with suppress(ConnectionResetError):
                while part := slow.recv(1 << 16):
                    answer += part
        assert answer.startswith(b"HTTP/1.1 408") and b'"error": "the body comes too slowly"' in answer


def test_only_bodies_are_hurried(made: Archive) -> None:
    """Who listens to events sends nothing, and a stream of articles may pause."""
    made.add([ONE])

    def lines() -> Iterator[bytes]:
        yield b'{"id": "slow", "text": "The first line of a stream that pauses."}\n'
        time.sleep(0.8)

    with serving(made, limits=Limits(pause=0.2, longest=0.4, rate=1000, burst=1000)) as client:
        with client.stream("GET", "/events", params={"since": 0}) as listening:
            told = listening.iter_lines()
            next(told)
            time.sleep(0.8)
            made.add([{**ONE, "id": "after a while"}])
            assert any("after a while" in line for line in told)
        answer = client.post("/articles/stream", content=lines(), headers=WRITER)
        assert answer.status_code == 200 and '"done": true' in answer.text


def test_who_asks_too_often_waits(made: Archive) -> None:
    with serving(made, limits=Limits(rate=0.5, burst=5)) as client:
        answers = [client.get("/health") for _ in range(8)]
        assert [answer.status_code for answer in answers] == [200] * 5 + [429] * 3
        failure(answers[-1], 429)
        assert 1 <= int(answers[-1].headers["retry-after"]) <= 2
        # whoever shows the token is trusted
        assert client.get("/health", headers=WRITER).status_code == 200


def test_guessing_the_token_costs_more_than_asking(made: Archive) -> None:
    with serving(made, limits=Limits(rate=0.01, burst=50)) as client:
        statuses = [
            client.post("/article", json=ONE, headers={"Authorization": f"Bearer {n}"}).status_code for n in range(5)
        ]
        assert statuses == [401, 401, 401, 429, 429]
    with serving(made, limits=Limits(rate=0.01, burst=50)) as client:
        statuses = [client.post("/sign-in", data={"token": str(n)}).status_code for n in range(5)]
        assert statuses == [401, 401, 401, 429, 429]


def test_buckets_fill_with_time_and_not_beyond_their_brim() -> None:
    now = 0.0
    rates = Rates(rate=2.0, burst=3, clock=lambda: now)
    assert [rates.wait("a") for _ in range(4)] == [0, 0, 0, 1]
    assert rates.wait("b") == 0
    now = 0.5
    assert [rates.wait("a") for _ in range(2)] == [0, 1]
    now = 1000.0
    assert [rates.wait("a") for _ in range(4)] == [0, 0, 0, 1]


def test_only_so_many_clients_are_remembered() -> None:
    rates = Rates(rate=1.0, burst=1)
    for number in range(CLIENTS + 50):
        rates.wait(str(number))
    assert len(rates._clients) == CLIENTS


def test_a_household_is_one_client() -> None:
    def of(host: str) -> str:
        return client_of({"client": (host, 1)})

    assert of("2001:db8:1:2::5") == of("2001:db8:1:2:ffff::9") != of("2001:db8:1:3::5")
    assert of("192.0.2.1") != of("192.0.2.2")
    assert client_of({"client": None}) == "unknown"


def test_every_answer_carries_the_policy(made: Archive) -> None:
    with serving(made) as client:
        for answer in (
            client.get("/", headers={"Accept": "text/html"}),
            client.get("/nowhere"),
            client.post("/article"),
            client.get("/static/portal.css"),
            client.get("/index.json"),
        ):
            policy = answer.headers["content-security-policy"]
            assert "default-src 'none'" in policy and "unsafe" not in policy
            assert answer.headers["x-content-type-options"] == "nosniff"
            assert answer.headers["referrer-policy"] == "no-referrer"


def test_a_server_for_this_machine_is_not_asked_by_other_names(made: Archive) -> None:
    """A page elsewhere could give this machine a name of its own, and read what only this machine may."""
    with serving(made, hosts=("localhost", "127.0.0.1", "::1")) as client:
        assert client.get("/health").status_code == 200
        for host in ("news.example", "localhost.news.example", "127.0.0.1.news.example", "["):
            failure(client.get("/health", headers={"Host": host}), 421)
        assert client.get("/health", headers={"Host": "LOCALHOST:8000"}).status_code == 200


def test_a_database_that_fails_is_told_without_its_name(made: Archive, tmp_path: Path) -> None:
    with serving(made) as client:
        made.close()
        answer = client.get("/status.json")
        failure(answer, 503)
        failure(client.get("/health"), 503)
        assert str(tmp_path) not in answer.text and answer.headers["retry-after"]


def test_health_is_told_while_all_threads_are_busy(made: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    go, busy = threading.Event(), threading.Semaphore(0)

    def waiting(*_: object) -> None:
        busy.release()
        go.wait(30)

    monkeypatch.setattr("samestory.web.views.status", waiting)
    with serving(made) as client, ThreadPoolExecutor(60) as many:
        try:
            asked = [many.submit(client.get, "/status.json") for _ in range(60)]
            assert all(busy.acquire(timeout=30) for _ in range(40))  # so many threads there are
            assert client.get("/health", timeout=10).json() == {"status": "ok"}
        finally:
            go.set()
        assert all(each.result().status_code == 500 for each in asked)  # nothing was told


def test_a_database_that_hangs_is_not_waited_for(made: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    go = threading.Event()
    monkeypatch.setattr(Health, "_ask", lambda self: go.wait(30))
    monkeypatch.setattr("samestory.web.health.PATIENCE", 0.1)
    with serving(made) as client:
        for _ in range(2):
            failure(client.get("/health"), 503)
        go.set()


def test_tokens_are_known_only_whole() -> None:
    assert Keeper("secret").knows("secret")
    assert not Keeper("secret").knows("secre") and not Keeper("secret").knows("")
    assert not Keeper(None).knows("") and Keeper(None).closed


def test_forms_want_a_proof_of_our_own_page(made: Archive) -> None:
    made.add([ONE, {**ONE, "id": "pier 2"}])
    form = {"left": "pier", "right": "pier 2", "decision": "apart"}
    with serving(made) as client:
        failure(client.post("/decide", data=form), 401)
        client.post("/sign-in", data={"token": TOKEN})
        failure(client.post("/decide", data=form), 403)
        failure(client.post("/decide", data={**form, "proof": "0" * 64}), 403)
        failure(client.post("/sign-out", data={}), 403)
        page = client.get("/story/1", headers={"Accept": "text/html"}).text
        proof = page.split('name="proof" value="')[1].split('"')[0]
        client.cookies.set("samestory", client.cookies["samestory"].replace(".", ".0", 1))
        failure(client.post("/decide", data={**form, "proof": proof}), 401)
        client.cookies.clear()
        client.post("/sign-in", data={"token": TOKEN})
        # the proof of one session is none in another
        failure(client.post("/decide", data={**form, "proof": proof}), 403)
        page = client.get("/story/1", headers={"Accept": "text/html"}).text
        proof = page.split('name="proof" value="')[1].split('"')[0]
        done = client.post("/decide", data={**form, "proof": proof, "next": "//evil.example/"})
        assert done.status_code == 303 and done.headers["location"].startswith("/compare?")
        assert len({client.get("/article.json", params={"id": id}).json()["story"] for id in ("pier", "pier 2")}) == 2


def test_the_cookie_cannot_be_read_or_sent_by_others(made: Archive) -> None:
    with serving(made) as client:
        cookie = client.post("/sign-in", data={"token": TOKEN}).headers["set-cookie"].lower()
        assert "httponly" in cookie and "samesite=strict" in cookie
        assert TOKEN not in cookie


@pytest.mark.parametrize(
    "target", ["https://evil.example/", "//evil.example/", "/\\evil.example", "javascript:alert(1)"]
)
def test_signing_in_leads_nowhere_else(made: Archive, target: str) -> None:
    with serving(made) as client:
        answer = client.post("/sign-in", data={"token": TOKEN, "next": target})
        assert answer.headers["location"] == "/"
