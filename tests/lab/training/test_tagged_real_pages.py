"""Real pages of many sites: spans do not change their blocks."""

from __future__ import annotations

import re
import zipfile

import pytest

from samestory.html import Page, blocks
from samestory.lab.training.site_rules import SiteRules
from samestory.lab.training.tagger import tag
from tests.conftest import ROOT

PAGES = ROOT.parent / "shared" / "data" / "html_scrapinghub" / "html.zip"
RULES = SiteRules("any", {"content": ("body",), "leave_out": ("nav", "footer"), "title": ("h1",)})
#: Elements in which no span is allowed.
CLOSED = {"title", "select", "math", "svg", "textarea", "iframe", "template"}


@pytest.mark.skipif(not PAGES.is_file(), reason=f"no real pages at {PAGES}")
def test_real_pages_stay_what_they_are_and_all_their_text_is_found() -> None:
    with zipfile.ZipFile(PAGES) as archive:
        names = sorted(name for name in archive.namelist() if name.endswith(".html"))[::6]
        assert names
        for name in names:
            raw = archive.read(name)
            found = tag(Page(raw), RULES)
            assert re.sub(rb'<span class="Cedar\w+">([^<]*)</span>', rb"\1", found.raw) == raw, name
            page = blocks(Page(found.raw))
            for block in page:
                around = {element.tag for element in page.ancestors(block)}
                if "body" in around and not around & ({"nav", "footer", "noscript"} | CLOSED):
                    assert sum(block.gold) == block.tokens, (name, block)
