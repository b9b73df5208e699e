"""Splits a page into blocks: text that a browser shows without a line break. [gibson2007]

Every tag ends a block except 28 inline tags of HTML 4 (``INLINE``); comments are not tags. This is the literal rule of
the study: images and line breaks end a block, and so does every HTML 5 tag that is not in ``INLINE``.

The content of script and style is never text. Everything else is, even if browsers do not show it: title, noscript,
template, textarea, select and option, and the fallback content of iframe, noembed and noframes. ``mute`` lists further
elements without text.

White space is collapsed as in browsers, also in ``pre``, since only tags end blocks. A block has visible characters; it
may have no token (``* * *``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from samestory import _core
from samestory.errors import InputError, NotAPage, ParameterError
from samestory.html.head import Head
from samestory.model import shown
from samestory.readers.page import Page

#: The tags that do not end a block.
INLINE = frozenset(_core.INLINE)

#: HTML 5 tags that do not break the line either, for ``inline_extra``; used by extractors.
INLINE_5 = frozenset(_core.INLINE_5)

#: The classes of the gold annotation, in the order of ``Block.gold``.
CEDAR = tuple(_core.CEDAR)


@dataclass(frozen=True, slots=True)
class Element:
    """An element that contains text."""

    #: index of its parent; -1 without one
    parent: int
    tag: str
    #: lower-case words of its id and class: ``mainContent`` has main and content
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """A block of text with its structural features."""

    text: str
    tokens: int
    #: tokens inside a link
    linked: int
    #: tokens inside each class of the gold annotation
    gold: tuple[int, ...]
    #: inline tags that begin in it or contain some of its text
    inline: frozenset[str]
    #: the tags that bound it: ``p``, ``br``, ``/div``
    before: str
    after: str
    #: innermost element with all of its text: an index of ``PageBlocks.elements``
    element: int
    #: number shared by the blocks of one paragraph, which line breaks and the like separate
    paragraph: int
    #: the elements around it among header, footer, nav, aside, article, main, figure, li, h1 to h6, table, form, button
    inside: frozenset[str]

    @property
    def link_share(self) -> float:
        """The share of its tokens inside links; 0 without tokens."""
        return self.linked / self.tokens if self.tokens else 0.0

    def gold_share(self, name: str) -> float:
        """The share of its tokens inside a class of the gold annotation; 0 without tokens."""
        return self.gold[CEDAR.index(name)] / self.tokens if self.tokens else 0.0


@dataclass(frozen=True, slots=True)
class PageBlocks:
    """The blocks of a page, in order.

    ``flags`` describes unusual pages: ``frames`` (a frameset: the text is its noframes content), ``deep`` (nested too
    deep, or too many unclosed elements), ``guessed`` (the encoding is guessed), ``malformed`` (bytes invalid in the
    encoding). ``head`` is the metadata declared by the page.
    """

    encoding: str
    title: str
    flags: frozenset[str]
    blocks: tuple[Block, ...]
    elements: tuple[Element, ...]
    head: Head = field(default_factory=Head)

    def __iter__(self) -> Iterator[Block]:
        return iter(self.blocks)

    def __len__(self) -> int:
        return len(self.blocks)

    def ancestors(self, block: Block) -> list[Element]:
        """Returns the elements around a block, innermost first."""
        found, number = [], block.element
        while number >= 0:
            found.append(self.elements[number])
            number = found[-1].parent
        return found


def blocks(page: Page, *, inline_extra: Iterable[str] = (), mute: Iterable[str] = ()) -> PageBlocks:
    """Returns the blocks of a page; raises NotAPage if it is not HTML. Nothing is executed or fetched.

    >>> [block.text for block in blocks(Page(b"<p>One <b>two</b><br>three<script>four</script>"))]
    ['One two', 'three']
    """
    extra, silent, given = _tags("inline_extra", inline_extra), _tags("mute", mute), served(page)
    try:
        found = given.blocks(extra, silent)
    except NotAPage as why:
        raise NotAPage(why.detail, place=page.url or "page") from None
    return PageBlocks(
        found.encoding,
        found.title,
        frozenset(found.flags),
        tuple([Block(*row) for row in found.blocks]),
        tuple([Element(*row) for row in found.elements]),
        Head.from_row(found.head),
    )


def served(page: Page) -> _core.html.Page:
    """Returns a page as the core expects it."""
    if not isinstance(page, Page):
        raise InputError(f"page: expected a Page, got {shown(page)}", "create one from its bytes: Page(raw)")
    if not isinstance(page.raw, bytes | bytearray | memoryview):
        raise InputError(f"page: expected bytes as served, got {shown(page.raw)}")
    for role, text in (("url", page.url), ("charset", page.charset)):
        if text is not None and not isinstance(text, str):
            raise InputError(f"expected a text, got {shown(text)}", place=role)
    # a charset name that is not ASCII is invalid, and surrogates cannot be passed to the core
    charset = page.charset if page.charset is None or page.charset.isascii() else None
    return _core.html.Page(bytes(page.raw), charset, page.tld)


def _tags(role: str, tags: Iterable[str]) -> list[str]:
    if isinstance(tags, str) or not isinstance(tags, Iterable):
        raise ParameterError(f"blocks: {role} must be a list of tags, got {shown(tags)}")
    tags = list(tags)
    for tag in tags:
        if not isinstance(tag, str) or not tag.isascii() or not tag or tag != tag.lower():
            raise ParameterError(f"blocks: {role} must be tags in lower case, got {shown(tag)}")
    return sorted(set(tags))
