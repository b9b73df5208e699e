"""The laws that every page keeps, whatever its bytes."""

from __future__ import annotations

import unicodedata

from samestory.errors import NotAPage
from samestory.html import Extractor, Page, blocks


def is_unseen(letter: str) -> bool:
    """Return whether a character is white space or a control character."""
    return letter.isspace() or unicodedata.category(letter) == "Cc"


def check(given: Page, extractor: Extractor) -> None:
    """Check that all functions agree whether it is a page, and that its blocks fit it."""
    try:
        found = blocks(given)
    except NotAPage:
        found = None
    if found is not None:
        assert sum(len(block.text) for block in found) <= 3 * len(given.raw) + 100, "more text than the page has"
        for block in found:
            assert not all(map(is_unseen, block.text)), "an empty block"
            assert 0 <= block.linked <= block.tokens, "more tokens in links than there are"
            assert -1 <= block.element < len(found.elements), "an element that does not exist"
            assert all(0 <= share <= block.tokens for share in block.gold), "more gold than tokens"
        for element, each in enumerate(found.elements):
            assert -1 <= each.parent < element, "a parent after its child"
    one, other = extractor.extract([given, given])
    assert isinstance(one, NotAPage) == (found is None), f"{extractor} and blocks differ about what is a page"
    assert "please report" not in str(one)[:200], f"{extractor} panicked"
    if not isinstance(one, NotAPage):
        assert one == other, f"{extractor} extracts two texts from one page"
        one.text.encode()
