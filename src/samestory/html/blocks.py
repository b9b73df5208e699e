"""A page to blocks: text that a browser shows without a break of the line. [gibson2007]

Every tag ends a block but 28 inline tags of HTML 4 (``INLINE``); comments are no tags. This is the rule of the study,
read literally: an image ends a block, a line break does, and so does every tag of HTML 5 that is not among ``INLINE``.

What script and style hold is never text. Everything else is, also where browsers do not show it: title, noscript,
template, textarea, select and option, and what iframe, noembed and noframes hold for browsers that know none of them.
``mute`` names what should give no text either.

White space is collapsed as browsers collapse it, in ``pre`` too, since tags alone end blocks. A block has something to
be seen; it may have no token (``* * *``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from samestory import _core
from samestory.errors import InputError, NotAPage, ParameterError
from samestory.model import shown
from samestory.readers.page import Page

#: The tags that do not end a block.
INLINE = frozenset(_core.INLINE)

#: Tags of HTML 5 that do not break the line either, to be named as ``inline_extra``; extractors do.
INLINE_5 = frozenset(_core.INLINE_5)

#: The classes of the gold annotation, in the order of ``Block.gold``.
CEDAR = tuple(_core.CEDAR)


@dataclass(frozen=True, slots=True)
class Element:
    """An element that holds text."""

    #: the number of the element around it; -1: none
    parent: int
    tag: str
    #: the words of its id and its class, small: ``mainContent`` has main and content
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """A block and what is known of it without reading it."""

    text: str
    tokens: int
    #: tokens inside a link
    linked: int
    #: tokens inside each class of the gold annotation
    gold: tuple[int, ...]
    #: the inline tags that begin in it or hold some of its text
    inline: frozenset[str]
    #: the tags that bound it: ``p``, ``br``, ``/div``
    before: str
    after: str
    #: the innermost element that holds all of its text: a number in ``Blocks.elements``
    element: int
    #: blocks of one paragraph, parted by line breaks and the like, have one number
    paragraph: int
    #: which it lies in of header, footer, nav, aside, article, main, figure, li, h1 to h6, table, form, button
    inside: frozenset[str]

    @property
    def link_share(self) -> float:
        """The share of its tokens inside links; 0 without tokens."""
        return self.linked / self.tokens if self.tokens else 0.0

    def gold_share(self, name: str) -> float:
        """The share of its tokens inside a class of the gold annotation; 0 without tokens."""
        return self.gold[CEDAR.index(name)] / self.tokens if self.tokens else 0.0


@dataclass(frozen=True, slots=True)
class Blocks:
    """The blocks of a page, in order.

    ``flags`` says what is unusual: ``frames`` (a set of frames: the text is what it holds for browsers without),
    ``deep`` (nested deeper than is followed, or with more left open), ``guessed`` (the encoding is), ``malformed``
    (bytes that are none of the encoding).
    """

    encoding: str
    title: str
    flags: frozenset[str]
    blocks: tuple[Block, ...]
    elements: tuple[Element, ...]

    def __iter__(self) -> Iterator[Block]:
        return iter(self.blocks)

    def __len__(self) -> int:
        return len(self.blocks)

    def ancestors(self, block: Block) -> list[Element]:
        """The elements a block lies in, from the innermost out."""
        found, number = [], block.element
        while number >= 0:
            found.append(self.elements[number])
            number = found[-1].parent
        return found


def blocks(page: Page, *, inline_extra: Iterable[str] = (), mute: Iterable[str] = ()) -> Blocks:
    """The blocks of a page; NotAPage if it is none. Nothing is executed and nothing fetched.

    >>> [block.text for block in blocks(Page(b"<p>One <b>two</b><br>three<script>four</script>"))]
    ['One two', 'three']
    """
    extra, silent, given = _tags("inline_extra", inline_extra), _tags("mute", mute), served(page)
    try:
        encoding, title, flags, rows, elements = _core.page_blocks(*given, extra, silent)
    except ValueError as why:
        raise NotAPage(f"{page.url or 'page'}: {why}") from None
    return Blocks(
        encoding,
        title,
        frozenset(flags),
        tuple([Block(*row) for row in rows]),
        tuple([Element(*row) for row in elements]),
    )


def served(page: Page) -> tuple[bytes, str | None, str | None]:
    """A page as the core takes it: its bytes, the charset of its header, the end of its host name."""
    if not isinstance(page, Page):
        raise InputError(f"page: a Page is wanted, got {shown(page)}", "make one of its bytes: Page(raw)")
    if not isinstance(page.raw, bytes | bytearray | memoryview):
        raise InputError(f"page: its bytes are wanted as they were served, got {shown(page.raw)}")
    for role, text in (("url", page.url), ("charset", page.charset)):
        if text is not None and not isinstance(text, str):
            raise InputError(f"{role}: a text is wanted, got {shown(text)}")
    # a name with half a character in it is no name of a charset; it could not cross into the core
    charset = page.charset if page.charset is None or page.charset.isascii() else None
    return bytes(page.raw), charset, page.tld


def _tags(role: str, tags: Iterable[str]) -> list[str]:
    if isinstance(tags, str) or not isinstance(tags, Iterable):
        raise ParameterError(f"blocks: {role} must be a list of tags, got {shown(tags)}")
    tags = list(tags)
    for tag in tags:
        if not isinstance(tag, str) or not tag.isascii() or not tag or tag != tag.lower():
            raise ParameterError(f"blocks: {role} must name tags in small letters, got {shown(tag)}")
    return sorted(set(tags))
