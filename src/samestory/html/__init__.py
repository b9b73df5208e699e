"""Pages to articles; so far to blocks, of which articles are made."""

from samestory.html.blocks import Block, Blocks, Element, blocks
from samestory.html.page import Page

__all__ = ["Block", "Blocks", "Element", "Page", "blocks"]
