"""Site taggers: pages annotated by the rules of their sites, to make gold quickly. [gibson2007]

Spans are put into the source around every run of text that a rule selects, `<span class="CedarContent">…</span>`, and
nothing else of the page changes. A span holds text and no tags, so that the blocks of the page, their tags and their
elements are the same with and without; that is looked at for every page.

A run has one class: that of the first field that selects it (location, author, date, source, title), else content,
unless it lies in something left out. What a tag cannot stand in is never annotated: the title in the head, text areas,
lists to choose from, drawings and formulas.
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
from samestory.html.blocks import CEDAR, Blocks, blocks
from samestory.html.runs import text_runs
from samestory.html.site_rules import CLASSES, SiteRules, parser
from samestory.readers.page import Page

#: No span is put into these, or it would be text, or end them.
_CLOSED = frozenset(
    {"iframe", "math", "noembed", "noframes", "plaintext", "script", "select", "style", "svg", "template", "textarea",
     "title", "xmp"}
)  # fmt: skip
#: Encodings whose bytes are not those of ASCII where the text is.
_OTHER_BYTES = frozenset({"UTF-16LE", "UTF-16BE", "ISO-2022-JP"})
#: Names of the Encoding Standard under which Python knows something else or nothing.
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
class Tagged:
    """An annotated page, as it is to be written into a file: it needs nobody to name its charset."""

    raw: bytes
    #: words inside each class of span
    words: dict[str, int]
    #: elements that each selector matched, by key and selector
    matched: dict[tuple[str, str], int]


def tag(page: Page, rules: SiteRules) -> Tagged:
    """The page with spans around what the rules select; InputError if that cannot be.

    >>> rules = SiteRules("example.com", {"content": ("p",), "leave_out": (".ad",)})
    >>> tag(Page(b"<p>It <b>rained</b><i class=ad>Buy!</i>"), rules).raw.decode()
    '<p><span class="CedarContent">It </span><b><span class="CedarContent">rained</span></b><i class=ad>Buy!</i>'
    """
    plain = blocks(page)
    if any(any(block.gold) for block in plain):
        raise InputError("it is annotated already", "annotate the page as it was served")
    source = bytes(page.raw)
    if plain.encoding in _OTHER_BYTES:
        source = _as_utf_8(source, plain.encoding)
        encoding = "UTF-8"
    else:
        encoding = plain.encoding
    runs = text_runs(source)
    classes, matched = _selected(source, encoding, runs, rules)
    raw = _with_spans(source, runs, classes)
    found = blocks(Page(raw))
    if not _same(plain, found) and encoding != "UTF-8":
        # only the server, or the end of the address, told how to read it
        raw = _as_utf_8(raw, encoding)
        found = blocks(Page(raw))
    elif not _same(plain, found) and not raw.startswith(codecs.BOM_UTF8):
        raw = codecs.BOM_UTF8 + raw
        found = blocks(Page(raw))
    if not _same(plain, found):
        raise InputError("spans would change its blocks: the markup is too broken")
    words = {name: sum(block.gold[at] for block in found) for at, name in enumerate(CEDAR)}
    return Tagged(raw, words, matched)


def canonical(page: Page) -> str:
    """The address that a page names as its own; nothing if it names none."""
    tree = parser(_text(bytes(page.raw), blocks(page).encoding))
    for selector, attribute in (('link[rel~="canonical" i]', "href"), ('meta[property="og:url"]', "content")):
        node = tree.css_first(selector)
        if node is not None and (address := node.attributes.get(attribute)):
            return str(address).strip()
    return ""


def _selected(
    source: bytes, encoding: str, runs: Sequence[tuple[int, int]], rules: SiteRules
) -> tuple[list[str | None], dict[tuple[str, str], int]]:
    """Of every run its class of span; and how much every selector matched.

    Trees know nothing of the places of their texts, so every run is marked by its number before a tree is made.
    """
    key = hashlib.sha1(source, usedforsecurity=False).hexdigest()[:12]  # no page can hold it by itself
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
    """Every text of the tree, with the keys that select an element around it."""
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


def _same(left: Blocks, right: Blocks) -> bool:
    """Do two pages have the same blocks, but for the annotation?"""

    def bare(found: Blocks) -> list[tuple[object, ...]]:
        return [
            (b.text, b.tokens, b.linked, b.inline, b.before, b.after, b.element, b.paragraph, b.inside) for b in found
        ]

    return left.title == right.title and left.elements == right.elements and bare(left) == bare(right)


def _text(source: bytes, encoding: str) -> str:
    try:
        return source.decode(_CODECS.get(encoding, encoding), "replace").removeprefix("\ufeff")
    except LookupError:  # a rare encoding that Python has not: tags and most classes are ASCII
        return source.decode("latin-1")


def _as_utf_8(source: bytes, encoding: str) -> bytes:
    """The same page in UTF-8; the mark at the beginning stands above whatever the page says."""
    return codecs.BOM_UTF8 + _text(source, encoding).encode()
