"""Parses URLs and decides which addresses may be fetched: http and https, and by default public addresses only.

A name is resolved once, all its addresses are checked, and the connection goes to a checked address: a server cannot
answer with a public address first and a private one afterwards.
"""

from __future__ import annotations

import ipaddress
import re
import socket
import threading
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple
from urllib.parse import quote, urlsplit

from samestory.errors import ParameterError
from samestory.model import flaw, shown

#: Maps a host name and a port to IP addresses.
Resolver = Callable[[str, int], Sequence[str]]

#: End of the reason for a refused address; stored in feed states, where `retry_refused` searches for it.
NOT_PUBLIC = "is no public address"

#: The longest URL that is accepted; browsers have the same limit.
MAX_URL_CHARACTERS = 2000

_HOST = re.compile(r"[a-z0-9._-]+|[0-9a-f:.]+(?:%[a-z0-9._-]+)?")
# characters of a path or a query that are not quoted; the percent sign because most URLs are quoted already
_PLAIN = "/%:@!$&'()*+,;=~?[]|"
#: The IPv6 prefix of IPv4 addresses that a gateway (NAT64) translates.
_GATEWAY = ipaddress.ip_network("64:ff9b::/96")


class AddressError(ValueError):
    """A URL that is invalid or must not be fetched, with the reason."""


class Target(NamedTuple):
    """A parsed URL: what to connect to, and the path to request."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def url(self) -> str:
        """The normalised URL."""
        return f"{self.origin}{self.path}"

    @property
    def origin(self) -> str:
        """The URL without its path."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        is_default = self.port == {"http": 80, "https": 443}[self.scheme]
        return f"{self.scheme}://{host}" if is_default else f"{self.scheme}://{host}:{self.port}"


def parse_target(url: str) -> Target:
    """Parse a URL; raise an AddressError if it cannot be fetched.

    >>> parse_target("HTTPS://Example.com/straße?q=a b")
    Target(scheme='https', host='example.com', port=443, path='/stra%C3%9Fe?q=a%20b')
    """
    url = url.strip()
    if flaw(url):
        raise AddressError("no address: contains a lone surrogate")
    if len(url) > MAX_URL_CHARACTERS:
        raise AddressError(f"longer than {MAX_URL_CHARACTERS} characters")
    try:
        parts = urlsplit(url.replace(" ", "%20"))
        host, port = parts.hostname or "", parts.port
    except ValueError as error:
        raise AddressError(f"no address: {error}") from None
    if parts.scheme not in ("http", "https"):
        raise AddressError(f"expected http or https, got {parts.scheme[:20] or 'neither'}")
    if parts.username is not None or parts.password is not None:
        raise AddressError("a URL with a user name or password is not fetched")
    if not host:
        raise AddressError("no host")
    if not host.isascii():
        try:
            host = host.encode("idna").decode("ascii").lower()
        except UnicodeError:
            host = ""
    if not _HOST.fullmatch(host):
        raise AddressError("no host: invalid name")
    path = quote(parts.path or "/", safe=_PLAIN) + (f"?{quote(parts.query, safe=_PLAIN)}" if parts.query else "")
    return Target(parts.scheme, host, (443 if parts.scheme == "https" else 80) if port is None else port, path)


def is_public(address: str) -> bool:
    """Whether an IP address is globally reachable, and not one of this machine or its network.

    >>> is_public("8.8.8.8"), is_public("10.0.0.1"), is_public("::1"), is_public("169.254.169.254")
    (True, False, False, False)
    """
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return False
    if isinstance(ip, ipaddress.IPv6Address):
        if ip in _GATEWAY:
            return is_public(str(ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)))
        inner = ip.ipv4_mapped or ip.sixtofour
        if inner is not None:
            return is_public(str(inner))
        if ip.is_site_local:
            return False
    # is_global alone accepts multicast addresses
    return ip.is_global and not (ip.is_multicast or ip.is_reserved or ip.is_unspecified)


#: A network of addresses.
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

#: The shortest prefixes of networks that can be allowed, by IP version: as long as those of the private ones.
_SHORTEST_PREFIX = {4: 8, 6: 7}


def networks(given: Iterable[str]) -> tuple[Network, ...]:
    """Parse the networks whose addresses are allowed although they are not public; raise a ParameterError if invalid.

    >>> networks(["10.1.0.0/16"])
    (IPv4Network('10.1.0.0/16'),)
    """
    if isinstance(given, bool | str):
        raise ParameterError(f"allow_private: expected a list of networks, got {shown(given)}")
    try:
        found = tuple(ipaddress.ip_network(each) for each in given)
    except ValueError as error:
        raise ParameterError(f"allow_private: {error}") from None
    for each in found:
        if each.prefixlen < _SHORTEST_PREFIX[each.version]:
            raise ParameterError(
                f"allow_private: {each} is too large: expected a network of at least /{_SHORTEST_PREFIX[each.version]}",
                "name the networks of your feeds, as in 10.1.0.0/16",
            )
    return found


def is_in(address: str, network: Network) -> bool:
    """Whether an address is in a network; a link-local address (fe80::1%eth0) is matched without its zone.

    >>> is_in("10.1.2.3", ipaddress.ip_network("10.1.0.0/16")), is_in("8.8.8.8", ipaddress.ip_network("10.0.0.0/8"))
    (True, False)
    """
    try:
        return ipaddress.ip_address(address.partition("%")[0]) in network
    except ValueError:
        return False


def allow(private: Sequence[Network], named_by: Sequence[str]) -> Callable[[str], bool]:
    """Return a predicate for allowed IP addresses: public ones, and those of the networks in which `named_by` are too.

    `named_by` are the addresses of the server that names the URL in a link or redirect. So a public server cannot send
    the fetcher into a private network.
    """
    near = [network for network in private if named_by and all(is_in(each, network) for each in named_by)]
    return lambda address: is_public(address) or any(is_in(address, network) for network in near)


def resolve(host: str, port: int) -> list[str]:
    """Resolve a host name on this machine; also parses any notation of an address (0x7f.1, 2130706433)."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(each[4][0]) for each in found))


def check_addresses(target: Target, found: Sequence[str], is_allowed: Callable[[str], bool]) -> None:
    """Check all addresses of a target; raise an AddressError if there are none, or if any is not allowed."""
    if not found:
        raise AddressError(f"{target.host}: host not found")
    for address in found:
        if not is_allowed(address):
            subject = target.host if target.host == address else f"{target.host} is {address}, which"
            raise AddressError(f"{subject} {NOT_PUBLIC}")


def resolve_within(resolver: Resolver, target: Target, seconds: float) -> list[str]:
    """Run a resolver, which has no deadline of its own, in a thread; raise a TimeoutError if it takes too long."""
    results: list[list[str]] = []

    def run() -> None:
        try:
            results.append(list(resolver(target.host, target.port)))
        except (OSError, UnicodeError):
            results.append([])

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(seconds)
    if not results:
        raise TimeoutError
    return results[0]
