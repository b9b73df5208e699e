"""Pages of which only snippets are known: a few that the content must hold, a few that it must not.

A model that has learned from whole texts is told where the snippets lie, and labels the rest of the page. Pages on
which it then agrees with all snippets are examples as good as any; the others are left out. So thousands of pages can
be learned from that nobody has read from top to bottom.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from samestory.html.blocks import INLINE_5, blocks, served
from samestory.html.scorer import scorer
from samestory.html.train import Example
from samestory.readers.page import Page

#: A snippet that must not be content says so of a block of which it is at least this share.
SHARE = 0.5


@dataclass(frozen=True, slots=True)
class Snippets:
    """A page, and what its content must hold and must not."""

    page: Page
    site: str
    wanted: tuple[str, ...]
    unwanted: tuple[str, ...]

    def agrees(self, text: str) -> bool:
        """Does a text hold all that is wanted, and nothing that is not?"""
        text = flat(text)
        return all(flat(each) in text for each in self.wanted) and not any(flat(each) in text for each in self.unwanted)


def flat(text: str) -> str:
    """A text with every run of white space as one space.

    >>> flat("Rain\\nin  Spain")
    'Rain in Spain'
    """
    return " ".join(text.split())


def known(texts: Sequence[str], snippets: Snippets) -> list[tuple[int, bool]]:
    """Of which blocks the snippets tell whether they are content."""
    out = []
    for each in map(flat, snippets.wanted):
        there = [at for at, text in enumerate(texts) if each in text]
        if len(there) == 1:  # of several blocks that hold it nobody knows which is meant
            out.append((there[0], True))
    for each in map(flat, snippets.unwanted):
        out += [(at, False) for at, text in enumerate(texts) if each in text and len(each) >= SHARE * len(text)]
    return out


def labelled(model: str, pages: Iterable[Snippets]) -> Iterator[Example]:
    """The pages that a model, given as the text of its file, labels in agreement with all snippets."""
    native = scorer(model)
    for each in pages:
        texts = [flat(block.text) for block in blocks(each.page, inline_extra=INLINE_5)]
        sure = native.label(*served(each.page), known(texts, each), hidden=True)
        content = tuple(probability >= 0.5 for probability in sure)
        if each.agrees(" ".join(text for text, is_content in zip(texts, content, strict=True) if is_content)):
            yield Example(each.page, each.site, content)
