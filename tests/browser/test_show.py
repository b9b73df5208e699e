"""The page of coloured blocks in a real browser, at the width of a desk and of a phone, in light and in dark."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from samestory.html import Page as Source
from samestory.html.extractors import Rules
from samestory.html.show import show

DESK, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
HOSTILE = "<script>document.title = 'broken'</script><img src=x onerror=\"document.title = 'broken'\">"
TEXT = "The footbridge over the Lenne in Oldmarsh will be closed from Monday for eight weeks, the council said."
PAGE = f"""<!DOCTYPE html><html><head><title>Footbridge closed</title><link rel=stylesheet href=http://a.example/x.css>
<script>document.title = 'broken'</script></head><body><nav><ul><li><a href="/">Home</a></li></ul></nav><article>
<h1>Footbridge closed</h1><p><span class="CedarContent">{TEXT}</span></p><p><span class="CedarContent">{TEXT[:50]}
again and again, {"a" * 300}</span></p><p><img src="http://a.example/x.png">Engineers found rust on four of the twelve
steel ropes that hold the bridge, and two were replaced.</p><textarea>{HOSTILE}</textarea></article>
<footer><a href="/legal">All rights reserved</a></footer></body></html>"""

Open = Callable[..., Page]


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Iterator[Open]:
    """Opens the page; in the end nothing may have gone wrong, and nothing may have been asked for on the network."""
    contexts, wrong = [], []
    path = tmp_path / "blocks.html"
    path.write_text(show(Source(PAGE.encode()), Rules()), encoding="utf-8")

    def open_one(size: dict[str, int] = DESK, **more: Any) -> Page:
        context = browser.new_context(viewport=size, **more)  # type: ignore[arg-type]
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: wrong.append(message.text) if message.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("request", lambda request: None if request.url == path.as_uri() else wrong.append(request.url))
        page.goto(path.as_uri())
        return page

    yield open_one
    for context in contexts:
        context.close()
    assert not wrong


def test_nothing_of_the_page_is_executed_and_all_of_it_can_be_read(opened: Open) -> None:
    page = opened()
    assert page.title() == "Blocks of: Footbridge closed"
    assert page.locator("script, img, link").count() == 0
    assert HOSTILE in page.locator(".text").all_inner_texts()
    assert TEXT in page.locator(".text").all_inner_texts()


def test_the_counts_of_the_legend_are_those_of_the_blocks(opened: Open) -> None:
    page = opened()
    kinds = {
        kind: page.locator(f"li.block.{kind}").count() for kind in ("content", "other", "right", "missed", "wrong")
    }
    assert kinds["content"] + kinds["other"] == kinds["right"] + kinds["missed"] + kinds["wrong"] == 8
    assert kinds["content"] and kinds["other"] and kinds["right"] and kinds["wrong"]
    for kind, number in kinds.items():
        assert f"{number} block" in page.locator(f"#count-{kind}").inner_text()


def test_colour_is_not_the_only_mark(opened: Open) -> None:
    page = opened(forced_colors="active")
    for kind in ("content", "other"):
        block = page.locator(f"li.block.{kind}").first
        assert block.locator(".label").inner_text() == kind
        style = "solid" if kind == "content" else "dotted"
        assert block.evaluate("one => getComputedStyle(one).borderLeftStyle") == style


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_the_page_is_no_wider_than_the_window(opened: Open, size: dict[str, int]) -> None:
    assert opened(size).evaluate("document.documentElement.scrollWidth") <= size["width"]


#: Contrast as WCAG 2 has it, of a text against all that lies behind it.
CONTRAST = """one => {
  const parse = text => { const c = text.match(/[\\d.]+/g).map(Number); return c.length > 3 ? c : [...c, 1]; };
  const layers = [];
  for (let at = one; at; at = at.parentElement) layers.unshift(parse(getComputedStyle(at).backgroundColor));
  const over = (under, [r, g, b, a]) => [r, g, b].map((c, i) => c * a + under[i] * (1 - a));
  const back = layers.reduce(over, [255, 255, 255]);
  const light = rgb => { const [r, g, b] = rgb.map(c => (c /= 255) <= .03928 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4);
    return .2126 * r + .7152 * g + .0722 * b; };
  const [a, b] = [light(parse(getComputedStyle(one).color).slice(0, 3)), light(back)].sort((x, y) => y - x);
  return (a + .05) / (b + .05);
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_text_can_be_read_in_light_and_in_dark(opened: Open, scheme: str) -> None:
    page = opened(color_scheme=scheme)
    background = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert background == {"light": "rgb(245, 246, 248)", "dark": "rgb(19, 22, 26)"}[scheme]
    for element in page.locator("p, .badge, .field, dt, dd, .legend li, h1, h2").all():
        assert element.evaluate(CONTRAST) >= 4.5, element.inner_text()
