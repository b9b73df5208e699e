"""Linked data (JSON-LD): what the page says of its article in words that programs agree on.

Scripts are read as data, never run. Broken ones are mended gently (comments around them, raw line ends, commas too
many, letters escaped that need not be) or skipped.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import unescape
from typing import Any, NamedTuple

from samestory.html.words import alike, clean

Node = dict[str, Any]

#: Objects that are looked at on one page; more are lists of other articles.
MOST_NODES = 2000

#: Kinds that are an article, and kinds of page that may speak for one.
ARTICLES = frozenset(
    [
        "article",
        "newsarticle",
        "reportagenewsarticle",
        "analysisnewsarticle",
        "opinionnewsarticle",
        "backgroundnewsarticle",
        "askpublicnewsarticle",
        "reviewnewsarticle",
        "advertisercontentarticle",
        "satiricalarticle",
        "scholarlyarticle",
        "techarticle",
        "blogposting",
        "liveblogposting",
        "socialmediaposting",
        "discussionforumposting",
        "report",
    ]
)
PAGES = frozenset(
    ["webpage", "itempage", "aboutpage", "medicalwebpage", "collectionpage", "creativework", "videoobject", "recipe"]
)

# under these keys lie other articles, or parts that are none
_OTHERS = frozenset(
    [
        "itemlistelement",
        "mentions",
        "isrelatedto",
        "citation",
        "comment",
        "comments",
        "review",
        "relatedlink",
        "significantlink",
        "about",
        "ispartof",
        "haspart",
        "isbasedon",
        "associatedmedia",
        "liveblogupdate",
        "potentialaction",
        "breadcrumb",
    ]
)

# what stands around a script so that old browsers do not show it
_BEGINS = ("<!--", "//<![CDATA[", "// <![CDATA[", "/*<![CDATA[*/", "/* <![CDATA[ */", "<![CDATA[")
_ENDS = (";", "-->", "]]>", "//", "/*]]>*/", "/* ]]> */")
_ESCAPE = re.compile(r'\\(["\\/bfnrt]|u[0-9a-fA-F]{4})|\\')
_COMMA = re.compile(r",(?=\s*[}\]])")


class Found(NamedTuple):
    """An object of linked data, and whether it lies among others."""

    node: Node
    among_others: bool


class LinkedData:
    """All objects of a page; those that others refer to by name are found by it."""

    def __init__(self, scripts: tuple[str, ...]) -> None:
        self.nodes: list[Found] = []
        self._named: dict[str, Node] = {}
        for script in scripts:
            for value in _values(script):
                self._gather(value)

    def _gather(self, value: Any) -> None:
        waiting = [(value, False)]
        while waiting and len(self.nodes) < MOST_NODES:
            value, among_others = waiting.pop()
            if isinstance(value, list):
                waiting.extend((each, among_others) for each in reversed(value[:MOST_NODES]))
            elif isinstance(value, dict):
                self.nodes.append(Found(value, among_others))
                name = value.get("@id")
                if isinstance(name, str) and len(value) > 1:
                    self._named.setdefault(name, value)
                for key, inner in reversed(list(value.items())[:MOST_NODES]):
                    if isinstance(inner, dict | list):
                        waiting.append((inner, among_others or str(key).lower() in _OTHERS))

    def article(self, addresses: set[str], titles: list[str]) -> Node:
        """The object that speaks for the article of the page; an empty one if none does.

        Of several the one whose address or headline is that of the page counts, then the first.
        """
        best, most = {}, 0
        for node, among_others in self.nodes:
            kinds = kinds_of(node)
            worth = 8 if kinds & ARTICLES else 2 if kinds & PAGES else 0
            if not worth:
                continue
            here = any(bare(address) in addresses for address in self._addresses(node))
            headline = clean(node.get("headline") or node.get("name"))
            worth += 4 * here + 4 * any(alike(headline, title) for title in titles if headline)
            if worth > most and (here or not among_others):
                best, most = node, worth
        return best

    def _addresses(self, node: Node) -> Iterator[str]:
        entity = node.get("mainEntityOfPage")
        for value in (
            node.get("url"),
            node.get("@id"),
            entity,
            entity.get("@id") if isinstance(entity, dict) else None,
        ):
            if isinstance(value, str):
                yield value

    def other(self, kinds: set[str]) -> Iterator[Node]:
        """The objects of some kinds."""
        return (node for node, _ in self.nodes if kinds_of(node) & kinds)

    def names(self, value: Any) -> list[str]:
        """The names in a value: a name, an object with one, a reference to such an object, or a list of these."""
        found: list[str] = []
        for each in (value if isinstance(value, list) else [value])[:10]:
            node = each
            if isinstance(each, dict):
                node = each if each.get("name") else self._named.get(str(each.get("@id")), each)
                node = node.get("name")
            if isinstance(node, list):
                found.extend(name for name in map(clean, node[:10]) if name)
            elif name := clean(node):
                found.append(name)
        return list(dict.fromkeys(found))


def kinds_of(node: Node) -> set[str]:
    """The kinds of an object, small, without the address of the vocabulary."""
    given = node.get("@type")
    kinds = given if isinstance(given, list) else [given]
    return {kind.rpartition("/")[2].rpartition(":")[2].lower() for kind in kinds[:10] if isinstance(kind, str)}


def bare(url: str) -> str:
    """An address as it is compared: without scheme, www, query, fragment and a stroke at the end.

    >>> bare("https://www.example.com/a/?utm=1#top")
    'example.com/a'
    """
    url = re.sub(r"^(?:https?:)?//(?:www\.|m\.)?", "", url.strip().lower())
    return re.split(r"[?#]", url, maxsplit=1)[0].rstrip("/")


def _values(script: str) -> Iterator[Any]:
    """What a script holds; nothing if it cannot be read."""
    for attempt in (script, mended(script)):
        try:
            yield json.loads(attempt, strict=False)
            return
        except (ValueError, RecursionError):
            continue
    # objects one after the other, or one with something behind it
    decoder, text = json.JSONDecoder(strict=False), mended(script)
    for _ in range(10):
        try:
            value, end = decoder.raw_decode(text)
        except (ValueError, RecursionError):
            return
        yield value
        text = text[end:].lstrip(" \t\r\n,;")


def mended(script: str) -> str:
    """A script without what usually keeps it from being read."""
    script = script.strip()
    for _ in range(3):
        for mark in _BEGINS:
            script = script.removeprefix(mark).lstrip()
        for mark in _ENDS:
            script = script.removesuffix(mark).rstrip()
    if '"' not in script and "&quot;" in script:
        script = unescape(script)
    script = _ESCAPE.sub(lambda match: match[0] if match[1] else "", script)
    return _COMMA.sub("", script)
