"""Linked data (JSON-LD): structured metadata of the article in a page.

Scripts are parsed as data, never executed. Broken ones are repaired (surrounding comments, raw line breaks, trailing
commas, needless escapes) or skipped.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import unescape
from typing import Any, NamedTuple

from samestory.html.words import alike, clean

Node = dict[str, Any]

#: Maximum objects per page; more are lists of other articles.
MAX_NODES = 2000

#: Types of articles, and types of pages that may describe one.
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

# keys of other articles, or of parts that are not the article
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

# wrappers that hide a script from old browsers
_BEGINS = ("<!--", "//<![CDATA[", "// <![CDATA[", "/*<![CDATA[*/", "/* <![CDATA[ */", "<![CDATA[")
_ENDS = (";", "-->", "]]>", "//", "/*]]>*/", "/* ]]> */")
_ESCAPE = re.compile(r'\\(["\\/bfnrt]|u[0-9a-fA-F]{4})|\\')
_COMMA = re.compile(r",(?=\s*[}\]])")


class LinkedNode(NamedTuple):
    """A linked data object, and whether it is inside a list of other articles."""

    node: Node
    among_others: bool


class LinkedData:
    """All linked data objects of a page, with references resolved by @id."""

    def __init__(self, scripts: tuple[str, ...]) -> None:
        self.nodes: list[LinkedNode] = []
        self._by_id: dict[str, Node] = {}
        for script in scripts:
            for value in _values(script):
                self._gather(value)

    def _gather(self, value: Any) -> None:
        stack = [(value, False)]
        while stack and len(self.nodes) < MAX_NODES:
            value, among_others = stack.pop()
            if isinstance(value, list):
                stack.extend((each, among_others) for each in reversed(value[:MAX_NODES]))
            elif isinstance(value, dict):
                self.nodes.append(LinkedNode(value, among_others))
                name = value.get("@id")
                if isinstance(name, str) and len(value) > 1:
                    self._by_id.setdefault(name, value)
                for key, inner in reversed(list(value.items())[:MAX_NODES]):
                    if isinstance(inner, dict | list):
                        stack.append((inner, among_others or str(key).lower() in _OTHERS))

    def article(self, addresses: set[str], titles: list[str]) -> Node:
        """Returns the object that describes the article of the page; an empty one if there is none.

        Prefers an object with the URL or headline of the page, then the first.
        """
        best, best_score = {}, 0
        for node, among_others in self.nodes:
            kinds = kinds_of(node)
            score = 8 if kinds & ARTICLES else 2 if kinds & PAGES else 0
            if not score:
                continue
            here = any(bare(address) in addresses for address in self._addresses(node))
            headline = clean(node.get("headline") or node.get("name"))
            score += 4 * here + 4 * any(alike(headline, title) for title in titles if headline)
            if score > best_score and (here or not among_others):
                best, best_score = node, score
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
        """Yields the objects of given types."""
        return (node for node, _ in self.nodes if kinds_of(node) & kinds)

    def names(self, value: Any) -> list[str]:
        """Returns the names in a value: a name, an object with a name, a reference to one, or a list of these."""
        found: list[str] = []
        for each in (value if isinstance(value, list) else [value])[:10]:
            node = each
            if isinstance(each, dict):
                node = each if each.get("name") else self._by_id.get(str(each.get("@id")), each)
                node = node.get("name")
            if isinstance(node, list):
                found.extend(name for name in map(clean, node[:10]) if name)
            elif name := clean(node):
                found.append(name)
        return list(dict.fromkeys(found))


def kinds_of(node: Node) -> set[str]:
    """Returns the types of an object in lower case, without the vocabulary URL."""
    given = node.get("@type")
    kinds = given if isinstance(given, list) else [given]
    return {kind.rpartition("/")[2].rpartition(":")[2].lower() for kind in kinds[:10] if isinstance(kind, str)}


def bare(url: str) -> str:
    """Normalises a URL for comparison: without scheme, www, query, fragment and trailing slash.

    >>> bare("https://www.example.com/a/?utm=1#top")
    'example.com/a'
    """
    url = re.sub(r"^(?:https?:)?//(?:www\.|m\.)?", "", url.strip().lower())
    return re.split(r"[?#]", url, maxsplit=1)[0].rstrip("/")


def _values(script: str) -> Iterator[Any]:
    """Yields the JSON values of a script; nothing if it cannot be parsed."""
    for attempt in (script, repaired(script)):
        try:
            yield json.loads(attempt, strict=False)
            return
        except (ValueError, RecursionError):
            continue
    # several concatenated objects, or one with trailing text
    decoder, text = json.JSONDecoder(strict=False), repaired(script)
    for _ in range(10):
        try:
            value, end = decoder.raw_decode(text)
        except (ValueError, RecursionError):
            return
        yield value
        text = text[end:].lstrip(" \t\r\n,;")


def repaired(script: str) -> str:
    """Repairs common errors of a JSON-LD script."""
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
