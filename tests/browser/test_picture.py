"""The picture in the documentation shows what the text beside it says."""

from __future__ import annotations

import re
from pathlib import Path

from tests.browser.picture import PICTURE, make
from tests.conftest import ROOT

#: More would make a clone slow for everybody.
LARGEST = 150_000


def test_the_page_that_is_drawn_has_the_blocks_that_the_picture_is_said_to_have(tmp_path: Path) -> None:
    text = make(tmp_path).read_text(encoding="utf-8")
    counts = dict(re.findall(r'<li id="count-(\w+)">.*?([\d,]+) block', text))
    assert counts == {"content": "3", "other": "14", "right": "17", "missed": "0", "wrong": "0"}
    page = (ROOT / "docs" / "concepts" / "extraction.md").read_text(encoding="utf-8")
    assert "three paragraphs are content, fourteen other blocks are not](../pictures/blocks.png)" in page


def test_the_picture_is_small() -> None:
    assert PICTURE.read_bytes().startswith(b"\x89PNG")
    assert PICTURE.stat().st_size < LARGEST
