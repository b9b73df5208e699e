"""The page of an audit in a real browser, at the width of a desk and of a phone."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, ViewportSize

from tests.conftest import Runner, Writer

DESK, PHONE = ViewportSize(width=1280, height=900), ViewportSize(width=390, height=844)
HOSTILE = "<script>document.title = 'broken'</script><img src=x onerror=\"document.title = 'broken'\">"
STANDING = "The harbour office in Oldmere opens at eight and closes at four, and the ferry leaves every hour."


@pytest.fixture
def page_of_an_audit(samestory: Runner, write: Writer, tmp_path: Path) -> Path:
    """Standing texts that come back every two months, among news that do not."""
    news = [
        {
            "id": f"{month}-{copy}",
            "title": f"Harbour hours {HOSTILE}",
            "text": STANDING if copy else f"{STANDING} Number {month} of the year was w{month}x y{month}z.",
            "published": f"2025-{month:02}-0{copy + 1}",
            "source": "a" * 200,
        }
        for month in range(1, 12, 2)
        for copy in range(3)
    ]
    out = tmp_path / "audit.html"
    done = samestory("audit", write("news.jsonl", news), "--report", out)
    assert done.code == 0, done.err
    return out


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_the_worst_pairs_stand_side_by_side(browser: Browser, page_of_an_audit: Path, size: ViewportSize) -> None:
    context = browser.new_context(viewport=size)
    page, wrong, asked = context.new_page(), list[str](), list[str]()
    page.on("console", lambda message: wrong.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(page_of_an_audit.as_uri())
    assert page.title() == "Audit of reuse()"
    page.get_by_role("link", name="Worst pairs").click()
    worst = page.locator("#worst")
    assert worst.get_by_text("Harbour hours").first.is_visible()
    assert "days apart" in worst.inner_text()
    assert worst.locator("mark, u, .m").count() > 0, "shared passages are marked"
    assert "<script>" in worst.inner_text(), "what a title holds is shown as text"
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"], "nothing is wider than the page"
    assert not wrong
    assert asked == [page_of_an_audit.as_uri()], "nothing is fetched"
    context.close()
