"""Training from pages with known snippets only: texts that the content must, or must not, contain.

A model trained on full texts gets the labels of the snippet blocks as constraints and labels the rest of the page.
Pages on which the result agrees with all snippets become training examples; the others are left out. Thousands of
pages can so be used without a full annotation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from samestory.html.blocks import INLINE_5, blocks, served
from samestory.html.scorer import scorer
from samestory.lab.training.content_model import Example
from samestory.readers.page import Page

#: Minimum share of a block that an unwanted snippet must cover to label it.
MIN_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class Snippets:
    """A page with texts that its content must, and must not, contain."""

    page: Page
    site: str
    wanted: tuple[str, ...]
    unwanted: tuple[str, ...]

    def agrees(self, text: str) -> bool:
        """Returns whether a text contains all wanted and no unwanted snippets."""
        text = flat(text)
        return all(flat(each) in text for each in self.wanted) and not any(flat(each) in text for each in self.unwanted)


def flat(text: str) -> str:
    """Collapses every run of white space to one space.

    >>> flat("Rain\\nin  Spain")
    'Rain in Spain'
    """
    return " ".join(text.split())


def known(texts: Sequence[str], snippets: Snippets) -> list[tuple[int, bool]]:
    """Returns the blocks that the snippets label, as (block, is content)."""
    out = []
    for each in map(flat, snippets.wanted):
        found = [at for at, text in enumerate(texts) if each in text]
        if len(found) == 1:  # ambiguous if several blocks contain it
            out.append((found[0], True))
    for each in map(flat, snippets.unwanted):
        out += [(at, False) for at, text in enumerate(texts) if each in text and len(each) >= MIN_SHARE * len(text)]
    return out


def labelled(model: str, pages: Iterable[Snippets]) -> Iterator[Example]:
    """Yields the pages that a model, given as the text of its file, labels in agreement with all snippets."""
    native = scorer(model)
    for each in pages:
        texts = [flat(block.text) for block in blocks(each.page, inline_extra=INLINE_5)]
        sure = native.label(served(each.page), known(texts, each), hidden=True)
        content = tuple(probability >= 0.5 for probability in sure)
        if each.agrees(" ".join(text for text, is_content in zip(texts, content, strict=True) if is_content)):
            yield Example(each.page, each.site, content)
