"""Fetching from a real server: conditional requests, redirects, sizes, deadlines, TLS."""

from __future__ import annotations

import gzip
import shutil
import socket
import ssl
import subprocess
import threading
import time
import zlib
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest

from samestory.errors import FetchError, ParameterError
from samestory.feeds import Fetcher
from tests.feeds.server import FakeServer, Handler, serving

#: What drips ends by itself after this many seconds, so that a test fails and does not hang.
PATIENCE = 30.0


def test_a_result_has_its_url_and_metadata(server: FakeServer, fetcher: Fetcher) -> None:
    url = server.serve("/rss", "body", "Application/RSS+XML; charset=KOI8-R", Cache_Control="public, max-age=90")
    got = fetcher.fetch(url)
    assert (got.status, got.url, got.body) == (200, url, b"body")
    assert (got.type, got.charset, got.fresh) == ("application/rss+xml", "KOI8-R", 90.0)
    assert server.requests[0][1]["user-agent"].startswith("samestory/")


def test_conditional_requests(server: FakeServer, fetcher: Fetcher) -> None:
    when = "Sun, 12 May 2024 10:30:00 GMT"
    sent = 0

    def answers(handler: Handler) -> None:
        nonlocal sent
        if handler.headers["If-None-Match"] == '"v1"' and handler.headers["If-Modified-Since"] == when:
            handler.answer(304, {"ETag": '"v1"'}, b"")
        else:
            sent += 1
            handler.answer(200, {"ETag": '"v1"', "Last-Modified": when}, b"body")

    url = server.by("/rss", answers)
    first = fetcher.fetch(url)
    again = fetcher.fetch(url, first.etag, first.modified)
    assert (first.status, again.status, again.body, sent) == (200, 304, b"", 1)


def test_a_stored_validator_cannot_inject_headers(server: FakeServer, fetcher: Fetcher) -> None:
    url = server.serve("/rss", "body")
    assert fetcher.fetch(url, '"a"\r\nX-Evil: 1', "b\nX-Evil: 1").status == 200
    assert "x-evil" not in server.requests[0][1]


def test_redirects_are_followed_and_relative_ones_resolved(server: FakeServer, fetcher: Fetcher) -> None:
    server.redirect("/a", "/b/c", 301)
    server.redirect("/b/c", "d?x=1", 308)
    server.serve("/b/d?x=1", "there")
    got = fetcher.fetch(f"{server.url}/a")
    assert (got.body, got.url) == (b"there", f"{server.url}/b/d?x=1")


def test_six_redirects_are_too_many_and_five_are_not(server: FakeServer, fetcher: Fetcher) -> None:
    for number in range(6):
        server.redirect(f"/{number}", f"/{number + 1}")
    server.serve("/6", "there")
    assert fetcher.fetch(f"{server.url}/1").body == b"there"
    with pytest.raises(FetchError, match="redirected more than 5 times"):
        fetcher.fetch(f"{server.url}/0")


@pytest.mark.parametrize("to", ["file:///etc/passwd", "ftp://example.com/", "http://a b/", "http://me:pw@127.0.0.1/"])
def test_a_redirect_to_an_invalid_url_is_refused(to: str, server: FakeServer, fetcher: Fetcher) -> None:
    with pytest.raises(FetchError, match="redirected to"):
        fetcher.fetch(server.redirect("/a", to))


def test_a_redirect_from_an_allowed_host_to_a_private_one_is_refused() -> None:
    """The first address is allowed; the redirect is checked like any other."""

    def resolver(host: str, port: int) -> Sequence[str]:
        return {"news.example": ["127.0.0.1"], "inside.example": ["10.0.0.1"]}.get(host, [host])

    with serving() as server:
        fetcher = Fetcher(per_host=0, resolver=resolver, allow_private=["127.0.0.1/32"])
        home = f"http://news.example:{server.port}"
        server.serve("/fine", "public")
        assert fetcher.fetch(f"{home}/fine").body == b"public"
        for to in ("http://10.0.0.1/", "http://inside.example/", "http://127.0.0.2/", "http://169.254.169.254/latest/"):
            server.redirect("/away", to)
            with pytest.raises(FetchError, match=r"redirected to .*no public address"):
                fetcher.fetch(f"{home}/away")


def test_every_hop_is_checked_by_the_caller(server: FakeServer, fetcher: Fetcher) -> None:
    server.redirect("/a", "/b")
    server.serve("/b", "there")
    seen: list[str] = []
    named: list[str] = []

    def check(url: str, named_by: Sequence[str]) -> None:
        seen.append(url)
        named.extend(named_by)
        if url.endswith("/b"):
            raise FetchError(url, "not this one")

    with pytest.raises(FetchError, match=r"/a: redirected to .*/b: not this one"):
        fetcher.fetch(f"{server.url}/a", check=check)
    assert seen == [f"{server.url}/a", f"{server.url}/b"] and server.paths == ["/a"]
    # a URL that the caller gave is its own; a redirect is named by the server that sent it
    assert set(named) == {"127.0.0.1"}


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 500, 502, 999])
def test_a_failure_has_its_status(status: int, server: FakeServer, fetcher: Fetcher) -> None:
    with pytest.raises(FetchError, match=str(status)) as failed:
        fetcher.fetch(server.fail("/rss", status))
    assert (failed.value.status, failed.value.wait) == (status, None)


def test_a_giant_body_is_refused_with_or_without_a_declared_size(server: FakeServer) -> None:
    fetcher = Fetcher(allow_private=["127.0.0.0/8"], per_host=0, largest=100_000)
    sent = 0

    def endless(handler: Handler) -> None:
        nonlocal sent
        handler.send_response(200)
        handler.send_header("Connection", "close")
        handler.end_headers()
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            handler.wfile.write(b"x" * 10_000)  # fails when the client has disconnected
            sent += 10_000

    with pytest.raises(FetchError, match="more than 100000 bytes"):
        fetcher.fetch(server.by("/endless", endless))
    with pytest.raises(FetchError, match="more than 100000 bytes"):
        fetcher.fetch(server.serve("/long", b"x" * 100_001))
    assert len(fetcher.fetch(server.serve("/just", b"x" * 100_000)).body) == 100_000
    assert sent < 100_000_000


@pytest.mark.parametrize("packing", ["gzip", "deflate", "raw deflate", "gzip, gzip"])
def test_a_compression_bomb_is_stopped_while_it_is_decompressed(packing: str, server: FakeServer) -> None:
    fetcher = Fetcher(allow_private=["127.0.0.0/8"], per_host=0, largest=1_000_000)
    zeros = bytes(100_000_000)
    packed = {
        "gzip": lambda: gzip.compress(zeros),
        "deflate": lambda: zlib.compress(zeros),
        "raw deflate": lambda: zlib.compress(zeros)[2:-4],
        "gzip, gzip": lambda: gzip.compress(gzip.compress(zeros)),
    }[packing]()
    assert len(packed) < 200_000
    with pytest.raises(FetchError, match="more than 1000000 bytes"):
        fetcher.fetch(server.serve("/rss", packed, Content_Encoding=packing.removeprefix("raw ")))


def test_compressed_bodies_are_decompressed(server: FakeServer, fetcher: Fetcher) -> None:
    assert fetcher.fetch(server.serve("/gz", gzip.compress(b"body"), Content_Encoding="gzip")).body == b"body"
    assert fetcher.fetch(server.serve("/z", zlib.compress(b"body"), Content_Encoding="deflate")).body == b"body"
    chunks = b"3\r\nbod\r\n1\r\ny\r\n0\r\n\r\n"
    assert fetcher.fetch(server.serve("/chunks", chunks, Transfer_Encoding="chunked")).body == b"body"


def test_an_incomplete_body_is_refused(server: FakeServer, fetcher: Fetcher) -> None:
    def stops(handler: Handler) -> None:
        handler.answer(200, {"Content-Length": "100", "Connection": "close"}, b"half")
        handler.close_connection = True

    def torn(handler: Handler) -> None:
        handler.answer(200, {"Transfer-Encoding": "chunked", "Connection": "close"}, b"64\r\nhalf")
        handler.close_connection = True

    for path, answers in (("/stops", stops), ("/torn", torn)):
        with pytest.raises(FetchError, match="truncated"):
            fetcher.fetch(server.by(path, answers))
    with pytest.raises(FetchError, match="truncated"):
        fetcher.fetch(server.serve("/gz", gzip.compress(bytes(1000))[:-10], Content_Encoding="gzip"))


@pytest.mark.parametrize("part", ["head", "body", "chunks"])
def test_a_dripping_server_is_stopped_by_the_deadline(part: str, server: FakeServer) -> None:
    """Every byte arrives well within the timeout; all of them together do not."""

    def drips(handler: Handler) -> None:
        write = handler.wfile.write
        if part == "head":
            write(b"HTTP/1.1 200 OK\r\nX-Long: ")
        else:
            write(b"HTTP/1.1 200 OK\r\n" + (b"Transfer-Encoding: chunked\r\n\r\n" if part == "chunks" else b"\r\n"))
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            write(b"1\r\nx\r\n" if part == "chunks" else b"x")
            time.sleep(0.02)
        handler.close_connection = True

    fetcher = Fetcher(allow_private=["127.0.0.0/8"], per_host=0, timeout=0.5)
    with pytest.raises(FetchError, match=r"took longer than 0\.5 seconds"):
        fetcher.fetch(server.by("/rss", drips))


def test_a_dripping_tls_handshake_is_stopped_by_the_deadline() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        ended = threading.Event()

        def drips() -> None:
            sock, _ = listener.accept()
            with sock, suppress(OSError):
                sock.sendall(b"\x16\x03\x03\x3f\xff\x02\x00\x3f\xfb")  # the beginning of a long server hello
                until = time.monotonic() + PATIENCE
                while time.monotonic() < until and not ended.wait(0.02):
                    sock.sendall(b"\x03")

        server = threading.Thread(target=drips)
        server.start()
        with pytest.raises(FetchError, match="took longer than"):
            Fetcher(allow_private=["127.0.0.0/8"], timeout=0.5).fetch(f"https://127.0.0.1:{listener.getsockname()[1]}/")
        ended.set()
        server.join()


def test_redirects_share_one_deadline(server: FakeServer) -> None:
    def slowly(handler: Handler) -> None:
        time.sleep(0.3)
        handler.answer(302, {"Location": handler.path + "x"}, b"")

    for number in range(10):
        server.by("/" + "x" * number, slowly)
    with pytest.raises(FetchError, match="took longer than 1 seconds"):
        Fetcher(allow_private=["127.0.0.0/8"], per_host=0, timeout=1).fetch(f"{server.url}/x")


def test_a_resolver_that_hangs_is_stopped_by_the_deadline() -> None:
    forever = threading.Event()

    def never(host: str, port: int) -> Sequence[str]:
        forever.wait(PATIENCE)
        return []

    with pytest.raises(FetchError, match="took longer than"):
        Fetcher(resolver=never, timeout=0.2).fetch("http://news.example/")
    forever.set()


def test_invalid_http_and_refused_connections_are_reported(server: FakeServer, fetcher: Fetcher) -> None:
    def garbage(handler: Handler) -> None:
        handler.wfile.write(b"SSH-2.0-OpenSSH_9.6\r\n")
        handler.close_connection = True

    with pytest.raises(FetchError, match="not HTTP"):
        fetcher.fetch(server.by("/ssh", garbage))
    with serving() as other:
        gone = other.url
    with pytest.raises(FetchError, match="refused"):
        fetcher.fetch(f"{gone}/rss")


def test_the_second_address_of_a_name_is_tried_if_the_first_fails(server: FakeServer) -> None:
    server.serve("/rss", "body")
    # no server listens on the other addresses of this machine
    fetcher = Fetcher(allow_private=["127.0.0.0/8"], per_host=0, resolver=lambda host, port: ["127.9.9.9", "127.0.0.1"])
    assert fetcher.fetch(f"http://news.example:{server.port}/rss").body == b"body"


def test_retry_after_puts_a_host_on_hold(server: FakeServer) -> None:
    now = [1000.0]
    fetcher = Fetcher(allow_private=["127.0.0.0/8"], per_host=0, clock=lambda: now[0], sleep=lambda seconds: None)
    url = server.fail("/rss", 429, Retry_After="120")
    with pytest.raises(FetchError) as busy:
        fetcher.fetch(url)
    assert (busy.value.status, busy.value.wait) == (429, 120.0)
    other = server.serve("/other", "body")
    now[0] += 50
    with pytest.raises(FetchError, match="pause of 70 more seconds") as held:
        fetcher.fetch(other)
    assert held.value.wait == 70.0 and server.paths == ["/rss"]
    now[0] += 71
    assert fetcher.fetch(other).body == b"body"


def test_retry_after_may_be_a_date_and_is_limited_to_a_day(server: FakeServer) -> None:
    later = format_datetime(datetime.now(UTC) + timedelta(hours=1), usegmt=True)
    waits = []
    for value in (later, "99999999999999", "soon", "Sun, 12 May 2024 10:30:00 GMT"):
        with pytest.raises(FetchError) as busy:
            Fetcher(allow_private=["127.0.0.0/8"], per_host=0).fetch(server.fail("/rss", 503, Retry_After=value))
        waits.append(busy.value.wait)
    assert waits[0] is not None and 3000 < waits[0] <= 3600
    assert waits[1:] == [86_400.0, None, 0.0]


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not shutil.which("openssl"):
        pytest.skip("openssl is not installed")
    path = tmp_path_factory.mktemp("tls") / "both.pem"
    words = "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=news.example -addext subjectAltName=DNS:news.example"
    subprocess.run(["openssl", *words.split(), "-keyout", path, "-out", f"{path}.crt"], check=True, capture_output=True)
    path.write_bytes(path.read_bytes() + Path(f"{path}.crt").read_bytes())
    return path


def test_tls_connects_to_the_checked_address_under_the_host_name(
    certificate: Path,
) -> None:
    names: list[str | None] = []
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    context.sni_callback = lambda sock, name, context: names.append(name)
    trusted = ssl.create_default_context(cafile=f"{certificate}.crt")

    def resolver(host: str, port: int) -> Sequence[str]:
        return ["127.0.0.1"]

    with serving(lambda sock: context.wrap_socket(sock, server_side=True)) as server:
        server.serve("/rss", "body")
        fetcher = Fetcher(allow_private=["127.0.0.0/8"], per_host=0, resolver=resolver, tls=trusted)
        assert fetcher.fetch(f"https://news.example:{server.port}/rss").body == b"body"
        assert names == ["news.example"]
        with pytest.raises(FetchError, match="certificate is not trusted"):
            fetcher.fetch(f"https://other.example:{server.port}/rss")
        with pytest.raises(FetchError, match="certificate is not trusted"):
            Fetcher(allow_private=["127.0.0.0/8"], per_host=0, resolver=resolver).fetch(
                f"https://news.example:{server.port}/rss"
            )
    with serving() as plain, pytest.raises(FetchError, match="no secure connection"):
        fetcher.fetch(f"https://news.example:{plain.port}/rss")


@pytest.mark.parametrize(
    "given",
    [
        {"timeout": 0},
        {"largest": 0},
        {"per_host": -1},
        {"allow_private": ["10.0.0.1/8"]},
        {"allow_private": "10.0.0.0/8"},
        {"agent": "a\r\nX: 1"},
    ],
)
def test_invalid_parameters_are_refused(given: dict[str, object]) -> None:
    with pytest.raises(ParameterError, match=r"Fetcher|allow_private"):
        Fetcher(**given)  # type: ignore[arg-type]


def test_a_private_address_is_refused_before_any_pause() -> None:
    slept: list[float] = []
    fetcher = Fetcher(per_host=100.0, sleep=slept.append)
    for _ in range(3):
        with pytest.raises(FetchError, match="no public address"):
            fetcher.fetch("http://127.0.0.1/rss")
    assert slept == []
