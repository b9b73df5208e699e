"""Which addresses may be asked: http and https, and unless somebody allows more, public machines only.

A name is resolved once, all that it stands for is looked at, and the connection goes to what was looked at: nobody can
answer with a public address first and with a private one afterwards.
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

#: A name and a port to the addresses they stand for.
Resolver = Callable[[str, int], Sequence[str]]

#: How the reason ends why an address that may not be asked was not.
NOT_PUBLIC = "is no public address"

#: Addresses are not longer than this; browsers stop there too.
LONGEST = 2000

_HOST = re.compile(r"[a-z0-9._-]+|[0-9a-f:.]+(?:%[a-z0-9._-]+)?")
# what may stand in a path or a query as it is; the per cent sign because most of it is quoted already
_PLAIN = "/%:@!$&'()*+,;=~?[]|"
#: Where IPv6 hides an address of IPv4 that a gateway goes on to.
_GATEWAY = ipaddress.ip_network("64:ff9b::/96")


class AddressError(ValueError):
    """An address that is not asked: why."""


class Target(NamedTuple):
    """An address taken apart: what to connect to, and what to ask for."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def url(self) -> str:
        """The address as it is written."""
        return f"{self.origin}{self.path}"

    @property
    def origin(self) -> str:
        """The address without its path."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        usual = self.port == {"http": 80, "https": 443}[self.scheme]
        return f"{self.scheme}://{host}" if usual else f"{self.scheme}://{host}:{self.port}"


def target(url: str) -> Target:
    """An address taken apart; an AddressError if it is none that is asked.

    >>> target("HTTPS://Example.com/straße?q=a b")
    Target(scheme='https', host='example.com', port=443, path='/stra%C3%9Fe?q=a%20b')
    """
    url = url.strip()
    if flaw(url):
        raise AddressError("no address: half a character in it")
    if len(url) > LONGEST:
        raise AddressError(f"longer than {LONGEST} characters")
    try:
        parts = urlsplit(url.replace(" ", "%20"))
        host, port = parts.hostname or "", parts.port
    except ValueError as error:
        raise AddressError(f"no address: {error}") from None
    if parts.scheme not in ("http", "https"):
        raise AddressError(f"http or https is wanted, got {parts.scheme[:20] or 'neither'}")
    if parts.username is not None or parts.password is not None:
        raise AddressError("an address with a name or a password in it is not asked")
    if not host:
        raise AddressError("no host")
    if not host.isascii():
        try:
            host = host.encode("idna").decode("ascii").lower()
        except UnicodeError:
            host = ""
    if not _HOST.fullmatch(host):
        raise AddressError("no host: its name cannot be")
    path = quote(parts.path or "/", safe=_PLAIN) + (f"?{quote(parts.query, safe=_PLAIN)}" if parts.query else "")
    return Target(parts.scheme, host, (443 if parts.scheme == "https" else 80) if port is None else port, path)


def is_public(address: str) -> bool:
    """Whether an address is one that everybody can reach, and not one of this machine or the network it stands in.

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
    # is_global alone lets groups of machines (multicast) through
    return ip.is_global and not (ip.is_multicast or ip.is_reserved or ip.is_unspecified)


def allowed(private: bool | Iterable[str]) -> Callable[[str], bool]:
    """Which addresses may be asked: public ones, and beside them all others or those of some networks.

    >>> may = allowed(["10.1.0.0/16"])
    >>> may("10.1.2.3"), may("10.2.0.1"), may("8.8.8.8")
    (True, False, True)
    """
    if isinstance(private, bool):
        return (lambda address: True) if private else is_public
    if isinstance(private, str):
        raise ParameterError(f"allow_private: a list of networks is wanted, got {shown(private)}")
    try:
        networks = [ipaddress.ip_network(each) for each in private]
    except ValueError as error:
        raise ParameterError(f"allow_private: {error}") from None

    def may(address: str) -> bool:
        # an address of a link (fe80::1%eth0) is in its network too
        bare = ipaddress.ip_address(address.partition("%")[0])
        return is_public(address) or any(bare in network for network in networks)

    return may


def resolve(host: str, port: int) -> list[str]:
    """The addresses of a name, as this machine resolves it; numbers in any writing (0x7f.1, 2130706433) too."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(each[4][0]) for each in found))


def checked(goal: Target, resolver: Resolver, may: Callable[[str], bool], seconds: float) -> list[str]:
    """The addresses that a target stands for, every one looked at; one that may not be asked refuses all."""
    found = _in_time(resolver, goal, seconds)
    if not found:
        raise AddressError(f"{goal.host} is not known")
    for address in found:
        if not may(address):
            who = goal.host if goal.host == address else f"{goal.host} is {address}, which"
            raise AddressError(f"{who} {NOT_PUBLIC}")
    return found


def _in_time(resolver: Resolver, goal: Target, seconds: float) -> list[str]:
    """What a resolver says, which knows no deadline of its own; who comes too late is not waited for."""
    said: list[list[str]] = []

    def ask() -> None:
        try:
            said.append(list(resolver(goal.host, goal.port)))
        except (OSError, UnicodeError):
            said.append([])

    asking = threading.Thread(target=ask, daemon=True)
    asking.start()
    asking.join(seconds)
    if not said:
        raise TimeoutError
    return said[0]
