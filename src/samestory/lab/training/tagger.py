"""Annotates pages by site rules, to create gold quickly. [gibson2007]

Spans, `<span class="CedarContent">…</span>`, are inserted into the source around every text run that a rule selects;
nothing else of the page changes. A span contains text and no tags, so that the blocks of the page, their tags and
elements stay the same, which is verified for every page.

A run has one class: that of the first field that selects it (location, author, date, source, title), else content,
unless it is inside an element left out. Text where a tag is not allowed is never annotated: the title in the head, text
areas, select lists, drawings and formulas.
"""

from __future__ import annotations

import codecs
import hashlib
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from samestory.errors import InputError
from samestory.html.blocks import CEDAR, PageBlocks, blocks
from samestory.lab.training.site_rules import CLASSES, SiteRules, parser
from samestory.lab.training.text_runs import text_runs
from samestory.readers.page import Page

#: Elements without spans, because a tag in them would be text or close them.
_CLOSED = frozenset(
    {"iframe", "math", "noembed", "noframes", "plaintext", "script", "select", "style", "svg", "template", "textarea",
     "title", "xmp"}
)  # fmt: skip
#: Encodings that are not ASCII-compatible.
_NOT_ASCII_COMPATIBLE = frozenset({"UTF-16LE", "UTF-16BE", "ISO-2022-JP"})
#: Python codecs of names in the Encoding Standard that Python lacks or uses differently.
_CODECS = {
    "Big5": "big5hkscs",
    "EUC-KR": "cp949",
    "GBK": "gb18030",
    "ISO-8859-8-I": "iso-8859-8",
    "Shift_JIS": "cp932",
    "windows-874": "cp874",
    "x-mac-cyrillic": "mac-cyrillic",
}


@dataclass(frozen=True, slots=True)
class AnnotatedPage:
    """An annotated page for a file; its bytes declare their encoding."""

    raw: bytes
    #: number of words by span class
    words: dict[str, int]
    #: number of matched elements by key and selector
    matched: dict[tuple[str, str], int]


def tag(page: Page, rules: SiteRules) -> AnnotatedPage:
    """Inserts spans around the text that the rules select; raises InputError if that is not possible.

    >>> rules = SiteRules("example.com", {"content": ("p",), "leave_out": (".ad",)})
    >>> tag(Page(b"<p>It <b>rained</b><i class=ad>Buy!</i>"), rules).raw.decode()
    '<p><span class="CedarContent">It </span><b><span class="CedarContent">rained</span></b><i class=ad>Buy!</i>'
    """
    plain = blocks(page)
    if any(any(block.gold) for block in plain):
        raise InputError("already annotated", "annotate the page as it was served")
    source = bytes(page.raw)
    if plain.encoding in _NOT_ASCII_COMPATIBLE:
        source = _as_utf_8(source, plain.encoding)
        encoding = "UTF-8"
    else:
        encoding = plain.encoding
    runs = text_runs(source)
    classes, matched = _selected(source, encoding, runs, rules)
    raw = _with_spans(source, runs, classes)
    found = blocks(Page(raw))
    if not _same(plain, found) and encoding != "UTF-8":
        # the encoding was known only from the HTTP header or the top-level domain
        raw = _as_utf_8(raw, encoding)
        found = blocks(Page(raw))
    elif not _same(plain, found) and not raw.startswith(codecs.BOM_UTF8):
        raw = codecs.BOM_UTF8 + raw
        found = blocks(Page(raw))
    if not _same(plain, found):
        raise InputError("the markup is too broken: spans would change its blocks")
    words = {name: sum(block.gold[at] for block in found) for at, name in enumerate(CEDAR)}
    return AnnotatedPage(raw, words, matched)


def canonical(page: Page) -> str:
    """Returns the canonical URL declared by a page; empty if there is none."""
    tree = parser(_text(bytes(page.raw), blocks(page).encoding))
    for selector, attribute in (('link[rel~="canonical" i]', "href"), ('meta[property="og:url"]', "content")):
        node = tree.css_first(selector)
        if node is not None and (address := node.attributes.get(attribute)):
            return str(address).strip()
    return ""


def _selected(
    source: bytes, encoding: str, runs: Sequence[tuple[int, int]], rules: SiteRules
) -> tuple[list[str | None], dict[tuple[str, str], int]]:
    """Returns the span class of each run, and the number of elements that each selector matched.

    The tree has no source positions, so every run is marked with its number before parsing.
    """
    key = hashlib.sha1(source, usedforsecurity=False).hexdigest()[:12]  # cannot occur in the page by chance
    pieces, last = [], 0
    for number, (start, _) in enumerate(runs):
        pieces += [source[last:start], f"{key}:{number};".encode()]
        last = start
    tree = parser(_text(b"".join([*pieces, source[last:]]), encoding))
    matched: Counter[tuple[str, str]] = Counter()
    keys: dict[int, frozenset[str]] = {}
    for rule, selectors in rules.selectors.items():
        for selector in selectors:
            nodes = tree.css(selector)
            matched[rule, selector] += len(nodes)
            for node in nodes:
                keys[node.mem_id] = keys.get(node.mem_id, frozenset()) | {rule}
    classes: list[str | None] = [None] * len(runs)
    mark = re.compile(rf"{key}:(\d+);")
    for node, around in _walk(tree, keys):
        name = _class(around)
        if name:
            for found in mark.finditer(node.text_content or ""):
                classes[int(found[1])] = name
    return classes, dict(matched)


def _walk(tree: Any, keys: dict[int, frozenset[str]]) -> Any:
    """Yields every text node with the keys that select an ancestor."""
    inside: dict[int, frozenset[str]] = {}
    nothing: frozenset[str] = frozenset()
    for node in tree.root.traverse(include_text=True) if tree.root is not None else ():
        parent = node.parent
        around = inside.get(parent.mem_id, nothing) if parent is not None else nothing
        if node.tag == "-text":
            yield node, around
            continue
        if own := keys.get(node.mem_id):
            around |= own
        inside[node.mem_id] = around | {"closed"} if node.tag in _CLOSED else around


def _class(around: frozenset[str]) -> str | None:
    if "closed" in around:
        return None
    fields = [name for field, name in CLASSES.items() if field in around and field != "content"]
    if fields:
        return fields[0]
    return CLASSES["content"] if "content" in around and "leave_out" not in around else None


def _with_spans(source: bytes, runs: Sequence[tuple[int, int]], classes: Sequence[str | None]) -> bytes:
    pieces, last = [], 0
    for (start, end), name in zip(runs, classes, strict=True):
        if name:
            pieces += [source[last:start], f'<span class="{name}">'.encode(), source[start:end], b"</span>"]
            last = end
    return b"".join([*pieces, source[last:]])


def _same(left: PageBlocks, right: PageBlocks) -> bool:
    """Returns whether two pages have the same blocks, apart from annotations."""

    def bare(found: PageBlocks) -> list[tuple[object, ...]]:
        return [
            (b.text, b.tokens, b.linked, b.inline, b.before, b.after, b.element, b.paragraph, b.inside) for b in found
        ]

    return left.title == right.title and left.elements == right.elements and bare(left) == bare(right)


def _text(source: bytes, encoding: str) -> str:
    try:
        return source.decode(_CODECS.get(encoding, encoding), "replace").removeprefix("\ufeff")
    except LookupError:  # rare encodings that Python lacks: tags and most classes are ASCII
        return source.decode("latin-1")


def _as_utf_8(source: bytes, encoding: str) -> bytes:
    """Converts a page to UTF-8 with a byte order mark, which overrides the declared charset."""
    return codecs.BOM_UTF8 + _text(source, encoding).encode()
