"""Allowed addresses: neither this machine nor its network, in any notation."""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from samestory.errors import FetchError
from samestory.feeds import Fetcher
from samestory.feeds.addresses import AddressError, is_public, parse_target
from tests.feeds.server import FakeServer

# The registry of special-purpose addresses, copied by hand.
NOT_PUBLIC_4 = [
    "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.2.0/24",
    "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
]  # fmt: skip
NOT_PUBLIC_6 = ["::/128", "::1/128", "fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8", "2001:db8::/32"]


def any_of(network: str) -> st.SearchStrategy[str]:
    net = ipaddress.ip_network(network)
    first, last = int(net.network_address), int(net.broadcast_address)
    return st.integers(first, last).map(lambda number: str(type(net.network_address)(number)))


@given(st.sampled_from(NOT_PUBLIC_4 + NOT_PUBLIC_6).flatmap(any_of))
def test_no_address_of_a_special_network_is_public(address: str) -> None:
    assert not is_public(address)


@given(st.sampled_from(NOT_PUBLIC_4).flatmap(any_of))
def test_nor_is_one_hidden_in_an_address_of_ipv6(address: str) -> None:
    number = int(ipaddress.IPv4Address(address))
    assert not is_public(f"::ffff:{address}")
    assert not is_public(str(ipaddress.IPv6Address((0x64FF9B << 96) | number))), "through a gateway"
    assert not is_public(str(ipaddress.IPv6Address((0x2002 << 112) | (number << 80)))), "6to4"


@pytest.mark.parametrize(
    "address", ["8.8.8.8", "93.184.216.34", "2606:2800:220:1::1", "64:ff9b::808:808", "::ffff:8.8.8.8"]
)
def test_other_addresses_are_public(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1", "localhost", "[::1]", "10.0.0.1", "192.168.1.1", "169.254.169.254", "0.0.0.0", "0", "127.1",
        "2130706433", "0177.0.0.1", "0x7f.0.0.1", "0x7f000001", "017700000001", "[::ffff:127.0.0.1]", "[::]",
        "[fe80::1]", "[fd00::1]", "100.64.0.1", "224.0.0.1", "LOCALHOST", "①②⑦.⓪.⓪.①", "127。0。0。1",
    ],
)  # fmt: skip
def test_private_addresses_are_refused_in_every_notation(host: str, server: FakeServer) -> None:
    server.serve("/rss", "secret")
    with pytest.raises(FetchError, match=r"no public address|host not found") as refused:
        Fetcher(per_host=0).fetch(f"http://{host}:{server.port}/rss")
    assert not server.requests, refused


def test_a_public_name_of_a_private_address_is_refused(server: FakeServer) -> None:
    server.serve("/rss", "secret")
    fetcher = Fetcher(per_host=0, resolver=lambda host, port: ["127.0.0.1"])
    with pytest.raises(FetchError, match=r"news\.example is 127\.0\.0\.1, which is no public address"):
        fetcher.fetch(f"http://news.example:{server.port}/rss")
    assert not server.requests


def test_one_private_address_among_public_ones_refuses_all(server: FakeServer) -> None:
    fetcher = Fetcher(per_host=0, resolver=lambda host, port: ["8.8.8.8", "127.0.0.1"])
    with pytest.raises(FetchError, match="no public address"):
        fetcher.fetch(f"http://news.example:{server.port}/rss")
    assert not server.requests


def test_a_name_is_resolved_once_per_request(server: FakeServer) -> None:
    """A name that resolves to another address the second time (DNS rebinding) gains nothing."""
    server.serve("/rss", "body")
    asked: list[str] = []

    def resolver(host: str, port: int) -> Sequence[str]:
        asked.append(host)
        return ["127.0.0.1"] if len(asked) == 1 else ["192.0.2.1"]

    fetcher = Fetcher(per_host=0, allow_private=["127.0.0.0/8"], resolver=resolver)
    assert fetcher.fetch(f"http://news.example:{server.port}/rss").body == b"body"
    assert asked == ["news.example"]
    assert server.requests[0][1]["host"] == f"news.example:{server.port}"


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("ftp://example.com/", "expected http or https, got ftp"),
        ("file:///etc/passwd", "expected http or https, got file"),
        ("example.com/rss", "expected http or https"),
        ("javascript:alert(1)", "expected http or https"),
        ("http://", "no host"),
        ("http:///rss", "no host"),
        ("http://me:secret@example.com/", "user name or password"),
        ("http://127.0.0.1@example.com/", "user name or password"),
        ("http://example.com:port/", "no address"),
        ("http://example.com:99999/", "no address"),
        ("http://[::1/", "no address"),
        ("http://" + "a" * 3000, "longer than 2000"),
        ("http://" + "ü" * 100 + ".com/", "invalid name"),
        ("", "expected http or https"),
    ],
)
def test_an_invalid_url_is_refused_without_a_request(url: str, why: str) -> None:
    with pytest.raises(FetchError, match=why):
        Fetcher(per_host=0, resolver=lambda host, port: pytest.fail("asked")).fetch(url)


@given(st.text(st.characters(exclude_categories=()), max_size=40))
def test_any_text_is_parsed_or_refused(text: str) -> None:
    for url in (text, f"http://{text}", f"http://example.com/{text}", f"http://example.com/?{text}"):
        try:
            goal = parse_target(url)
        except AddressError:
            continue
        assert parse_target(goal.url) == goal
        assert goal.url.isascii() and goal.url.isprintable() and " " not in goal.url


def test_an_unknown_host_is_reported() -> None:
    def unknown(host: str, port: int) -> Sequence[str]:
        raise OSError("no such name")

    with pytest.raises(FetchError, match=r"news\.example: host not found"):
        Fetcher(per_host=0, resolver=unknown).fetch("http://news.example/")
    with pytest.raises(FetchError, match="host not found"):
        Fetcher(per_host=0).fetch("http://a..b/")
