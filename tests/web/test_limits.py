"""Write token, request rate, and the size and speed of bodies."""

from __future__ import annotations

import re
import select
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from html import unescape
from pathlib import Path

import httpx
import pytest

from samestory.archive import Archive
from samestory.web import Limits
from samestory.web.health import HealthCheck
from samestory.web.limits import MAX_CLIENTS, AccessToken, RateLimiter, client_of
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
def test_writing_is_refused_without_a_token_on_the_server(made: Archive, method: str, path: str) -> None:
    with serving(made, token=None) as client:
        assert "read-only" in failure(client.request(method, path, headers=WRITER, content=b"{}"), 403)
        assert client.get("/status.json").json()["articles"] == 0


@pytest.mark.parametrize(("method", "path"), WRITES)
@pytest.mark.parametrize(
    "given", [None, "Bearer wrong", f"Basic {TOKEN}", f"Bearer {TOKEN}x", "Bearer", f"Bearer {TOKEN[:-1]}"]
)
def test_writing_is_refused_without_the_right_token(
    untouched: httpx.Client, method: str, path: str, given: str | None
) -> None:
    headers = {} if given is None else {"Authorization": given}
    answer = untouched.request(method, path, headers=headers, content=b"{}")
    failure(answer, 401)
    assert answer.headers["www-authenticate"] == "Bearer"
    assert untouched.get("/status.json").json()["articles"] == 0


def test_the_token_is_checked_before_the_body_is_read(made: Archive) -> None:
    with serving(made) as client:
        failure(client.post("/articles", content=b"{ no JSON"), 401)
        failure(client.post("/articles", content=b"a" * (20 << 20)), 401)


def test_a_cookie_is_no_token(made: Archive) -> None:
    """Otherwise any site could make a signed-in browser write (cross-site request forgery)."""
    with serving(made) as client:
        assert client.post("/sign-in", data={"token": TOKEN}).status_code == 303
        assert client.cookies
        failure(client.post("/article", json=ONE), 401)


@pytest.mark.parametrize("chunked", [False, True], ids=["with its length", "in chunks"])
def test_too_large_a_body_is_refused(made: Archive, chunked: bool) -> None:
    with serving(made, limits=Limits(max_body_bytes=10_000, rate=1000, burst=1000)) as client:
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
        pytest.param(Limits(max_idle_seconds=0.2, rate=1000, burst=1000), 2.0, id="stops"),
        pytest.param(Limits(max_idle_seconds=5, max_body_seconds=0.5, rate=1000, burst=1000), 0.05, id="drips"),
    ],
)
def test_a_slow_body_is_refused(made: Archive, path: str, limits: Limits, every: float) -> None:
    with serving(made, limits=limits) as client:
        host, port = client.base_url.host, client.base_url.port or 80
        with socket.create_connection((host, port), timeout=20) as slow:
            head = [f"POST {path} HTTP/1.1", f"Host: {host}", f"Authorization: {WRITER['Authorization']}"]
            slow.sendall(
                "\r\n".join([*head, "Content-Type: application/json", "Content-Length: 1000", "", "{"]).encode()
            )
            until = time.monotonic() + 20
            while not select.select([slow], [], [], every)[0]:
                assert time.monotonic() < until, "the slow body was not refused"
                slow.sendall(b" ")
            answer = b""
            # read to the end: the server closes the connection, and resets it if a byte was still on its way
            with suppress(ConnectionResetError):
                while part := slow.recv(1 << 16):
                    answer += part
        assert answer.startswith(b"HTTP/1.1 408") and b'"error": "the body arrived too slowly"' in answer


def test_streams_have_no_timeout(made: Archive) -> None:
    """Timeouts apply neither to event streams nor to streams of articles."""
    made.add([ONE])

    def lines() -> Iterator[bytes]:
        yield b'{"id": "slow", "text": "The first line of a stream that pauses."}\n'
        time.sleep(0.8)

    with serving(made, limits=Limits(max_idle_seconds=0.2, max_body_seconds=0.4, rate=1000, burst=1000)) as client:
        with client.stream("GET", "/events", params={"since": 0}) as listening:
            lines_received = listening.iter_lines()
            next(lines_received)
            time.sleep(0.8)
            made.add([{**ONE, "id": "after a while"}])
            assert any("after a while" in line for line in lines_received)
        answer = client.post("/articles/stream", content=lines(), headers=WRITER)
        assert answer.status_code == 200 and '"done": true' in answer.text


def test_the_request_rate_is_limited(made: Archive) -> None:
    with serving(made, limits=Limits(rate=0.5, burst=5)) as client:
        answers = [client.get("/health") for _ in range(8)]
        assert [answer.status_code for answer in answers] == [200] * 5 + [429] * 3
        failure(answers[-1], 429)
        assert 1 <= int(answers[-1].headers["retry-after"]) <= 2
        # requests with the token are not limited
        assert client.get("/health", headers=WRITER).status_code == 200


def test_a_wrong_token_costs_more_than_a_request(made: Archive) -> None:
    with serving(made, limits=Limits(rate=0.01, burst=50)) as client:
        statuses = [
            client.post("/article", json=ONE, headers={"Authorization": f"Bearer {n}"}).status_code for n in range(5)
        ]
        assert statuses == [401, 401, 401, 429, 429]
    with serving(made, limits=Limits(rate=0.01, burst=50)) as client:
        statuses = [client.post("/sign-in", data={"token": str(n)}).status_code for n in range(5)]
        assert statuses == [401, 401, 401, 429, 429]


def test_buckets_refill_with_time_up_to_the_burst() -> None:
    now = 0.0
    limiter = RateLimiter(rate=2.0, burst=3, clock=lambda: now)
    assert [limiter.seconds_to_wait("a") for _ in range(4)] == [0, 0, 0, 1]
    assert limiter.seconds_to_wait("b") == 0
    now = 0.5
    assert [limiter.seconds_to_wait("a") for _ in range(2)] == [0, 1]
    now = 1000.0
    assert [limiter.seconds_to_wait("a") for _ in range(4)] == [0, 0, 0, 1]


def test_the_number_of_clients_in_the_limiter_is_bounded() -> None:
    limiter = RateLimiter(rate=1.0, burst=1)
    for number in range(MAX_CLIENTS + 50):
        limiter.seconds_to_wait(str(number))
    assert len(limiter._clients) == MAX_CLIENTS


def test_a_household_is_one_client() -> None:
    def of(host: str) -> str:
        return client_of({"client": (host, 1)})

    assert of("2001:db8:1:2::5") == of("2001:db8:1:2:ffff::9") != of("2001:db8:1:3::5")
    assert of("192.0.2.1") != of("192.0.2.2")
    assert client_of({"client": None}) == "unknown"


def test_every_response_has_the_security_headers(made: Archive) -> None:
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


def test_other_host_names_are_refused(made: Archive) -> None:
    """DNS rebinding: another site could resolve its name to this machine and read the portal."""
    with serving(made, hosts=("localhost", "127.0.0.1", "::1")) as client:
        assert client.get("/health").status_code == 200
        for host in ("news.example", "localhost.news.example", "127.0.0.1.news.example", "["):
            failure(client.get("/health", headers={"Host": host}), 421)
        assert client.get("/health", headers={"Host": "LOCALHOST:8000"}).status_code == 200


def test_a_database_error_does_not_reveal_the_path(made: Archive, tmp_path: Path) -> None:
    with serving(made) as client:
        made.close()
        answer = client.get("/status.json")
        failure(answer, 503)
        failure(client.get("/health"), 503)
        assert str(tmp_path) not in answer.text and answer.headers["retry-after"]


def test_live_is_answered_and_health_is_not_while_no_page_can_be_made(
    made: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    go, busy = threading.Event(), threading.Semaphore(0)

    def waiting(*_: object) -> None:
        busy.release()
        go.wait(30)

    monkeypatch.setattr("samestory.web.views.status", waiting)
    monkeypatch.setattr("samestory.web.health.TIMEOUT_SECONDS", 0.3)
    limits = Limits(rate=1000, burst=1000, max_pages=4, max_pages_per_client=4)
    with serving(made, limits=limits) as client, ThreadPoolExecutor(20) as many:
        try:
            asked = [many.submit(client.get, "/status.json") for _ in range(20)]
            assert all(busy.acquire(timeout=30) for _ in range(4))
            failure(client.get("/health", timeout=10), 503)
            assert client.get("/live", timeout=10).json() == {"status": "ok"}
        finally:
            go.set()
        assert all(each.result().status_code == 500 for each in asked)  # the patched view returned nothing
        # the server closes connections after an internal error
        assert httpx.get(f"{client.base_url}/health").json() == {"status": "ok"}


def test_the_health_check_times_out(made: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    go = threading.Event()
    monkeypatch.setattr(HealthCheck, "_use_database", lambda self: go.wait(30))
    monkeypatch.setattr("samestory.web.health.TIMEOUT_SECONDS", 0.1)
    with serving(made) as client:
        for _ in range(2):
            failure(client.get("/health"), 503)
        go.set()


def test_only_the_exact_token_matches() -> None:
    assert AccessToken("secret").matches("secret")
    assert not AccessToken("secret").matches("secre") and not AccessToken("secret").matches("")
    assert not AccessToken(None).matches("") and AccessToken(None).is_unset


def test_forms_require_the_csrf_token_of_the_session(made: Archive) -> None:
    made.add([ONE, {**ONE, "id": "pier 2"}])
    form = {"left": "pier", "right": "pier 2", "decision": "apart"}
    with serving(made) as client:
        failure(client.post("/decide", data=form), 401)
        client.post("/sign-in", data={"token": TOKEN})
        failure(client.post("/decide", data=form), 403)
        failure(client.post("/decide", data={**form, "csrf_token": "0" * 64}), 403)
        failure(client.post("/sign-out", data={}), 403)
        page = client.get("/story/1", headers={"Accept": "text/html"}).text
        token = page.split('name="csrf_token" value="')[1].split('"')[0]
        client.cookies.set("samestory", client.cookies["samestory"].replace(".", ".0", 1))
        failure(client.post("/decide", data={**form, "csrf_token": token}), 401)
        client.cookies.clear()
        client.post("/sign-in", data={"token": TOKEN})
        # the CSRF token of one session is invalid in another
        failure(client.post("/decide", data={**form, "csrf_token": token}), 403)
        page = client.get("/story/1", headers={"Accept": "text/html"}).text
        token = page.split('name="csrf_token" value="')[1].split('"')[0]
        done = client.post("/decide", data={**form, "csrf_token": token, "next": "//evil.example/"})
        assert done.status_code == 303 and done.headers["location"].startswith("/compare?")
        assert len({client.get("/article.json", params={"id": id}).json()["story"] for id in ("pier", "pier 2")}) == 2


def hidden(page: str) -> dict[str, str]:
    """The hidden fields of the form of a page."""
    return {name: unescape(value) for name, value in re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', page)}


def test_a_decision_is_confirmed_logged_and_undone(made: Archive) -> None:
    made.add([ONE, {**ONE, "id": "pier 2"}, {**ONE, "id": "pier 3", "text": f"{ONE['text']} Ferries stay away."}])
    before = {id: each.story for id, each in made.articles(["pier", "pier 2", "pier 3"]).items()}
    assert len(set(before.values())) == 1
    query = {"what": "move", "article": "pier", "next": "/story/1"}
    with serving(made) as client:
        client.headers["Accept"] = "text/html"
        failure_of = client.get("/decide", params=query)
        assert failure_of.status_code == 401
        client.post("/sign-in", data={"token": TOKEN, "name": "Zoë  Q."})
        assert "/decide?what=move" in client.get("/story/1").text
        page = client.get("/decide", params=query).text
        assert "2 articles will be in another story" in page and "an identical copy" in page
        assert {id: each.story for id, each in made.articles(before).items()} == before
        form = {**hidden(page), "why": "another pier"}
        made.add([{**ONE, "id": "pier 4"}])
        again = client.post("/decide", data=form)
        assert (again.status_code, "have changed meanwhile" in again.text) == (409, True)
        done = client.post("/decide", data={**hidden(again.text), "why": "another pier"})
        assert (done.status_code, done.headers["location"]) == (303, "/story/1")
        (entry,) = made.decisions()
        assert (entry.what, entry.who, entry.why) == ("move", "Zoë Q.", "another pier")
        assert made.articles(["pier 3"])["pier 3"].story == 1 != made.articles(["pier"])["pier"].story
        log = client.get("/decisions").text
        assert "another pier" in log and "/decide?what=undo&amp;number=1" in log
        page = client.get("/decide", params={"what": "undo", "number": 1, "next": "javascript:alert(1)"}).text
        assert 'href="/"' in page and "javascript:" not in page
        assert client.post("/decide", data=hidden(page)).status_code == 303
        assert {id: each.story for id, each in made.articles(before).items()} == before
        assert client.get("/decisions.json").json()["decisions"][0]["what"] == "undo"
        assert client.get("/decide", params={"what": "undo", "number": 1}).status_code == 409
        assert client.get("/decide", params={"what": "split", "article": "absent"}).status_code == 409
        assert client.get("/decide", params={"what": "join", "story": ["1", "x"]}).status_code == 422
        assert client.get("/decide", params={"what": "perhaps"}).status_code == 422
        assert client.post("/decide", data={**hidden(page), "articles": "{}"}).status_code == 422


def test_the_cookie_cannot_be_read_or_sent_by_others(made: Archive) -> None:
    with serving(made) as client:
        cookie = client.post("/sign-in", data={"token": TOKEN}).headers["set-cookie"].lower()
        assert "httponly" in cookie and "samesite=strict" in cookie
        assert TOKEN not in cookie


@pytest.mark.parametrize(
    "target", ["https://evil.example/", "//evil.example/", "/\\evil.example", "javascript:alert(1)"]
)
def test_signing_in_redirects_only_to_this_server(made: Archive, target: str) -> None:
    with serving(made) as client:
        answer = client.post("/sign-in", data={"token": TOKEN, "next": target})
        assert answer.headers["location"] == "/"
