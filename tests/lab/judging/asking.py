"""What a browser without script does: reads a page, fills in its form, sends it."""

from __future__ import annotations

import re

import httpx

PAGE = {"Accept": "text/html"}


def key_of(page: str) -> str:
    """The key that came with a page."""
    found = re.search(r'name="key" value="([^"]+)"', page)
    assert found, page[:500]
    return found[1]


def send(client: httpx.Client, address: str, key: str | None = None, **fields: str) -> httpx.Response:
    """Submit an answer, with the key of a page or of a newly loaded one."""
    key = key_of(client.get(address, headers=PAGE).text) if key is None else key
    return client.post(address, data={"key": key, **fields}, headers=PAGE)
