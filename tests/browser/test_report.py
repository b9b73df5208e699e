"""The report in a real browser, at the width of a desk and of a phone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Browser, Page

from samestory.lab.evaluation.report import write_report
from tests.conftest import lines
from tests.lab.evaluation.news import ARTICLES, GROUPS, PAIRS, evaluated

DESK, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
WIDTHS = pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
GOLD = pytest.mark.parametrize("gold", ["pairs", "groups"])
#: A name without a place to break it, and tags that must stay text.
LONG = "a" * 200
HOSTILE = "<script>document.title = 'broken'</script><img src=x onerror=\"document.title = 'broken'\">"

Open = Callable[..., Page]


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A report on pairs and one on groups."""
    folder = tmp_path_factory.mktemp("reports")

    def write(name: str, rows: Any) -> Path:
        path = folder / name
        path.write_text(lines(rows), encoding="utf-8")
        return path

    articles = [{**a, "title": f"{a.get('title', '')} {HOSTILE}", "source": LONG} for a in ARTICLES]
    pairs = [{**pair, "desk": f"{pair['desk']} {LONG}"} for pair in PAIRS]
    run = [{"left": "pier-1", "right": "pier-5", "score": 0.5}]
    out = {}
    for name, gold in (("pairs", pairs), ("groups", GROUPS)):
        found, sources = evaluated(write, gold=gold, articles=articles, run=run)
        out[name] = folder / f"{name}.html"
        write_report(str(out[name]), found, sources)
    return out


@pytest.fixture
def show(browser: Browser, reports: dict[str, Path]) -> Iterator[Open]:
    """Opens a report; in the end nothing may have gone wrong, and nothing may have been asked for on the network."""
    contexts, wrong = [], []

    def open_one(gold: str, size: dict[str, int], **more: Any) -> Page:
        context = browser.new_context(viewport=size, accept_downloads=True, **more)  # type: ignore[arg-type]
        contexts.append(context)
        page = context.new_page()
        address = reports[gold].as_uri()
        page.on("console", lambda message: wrong.append(message.text) if message.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on(
            "request",
            lambda request: None if request.url.startswith((address, "data:")) else wrong.append(request.url),
        )
        page.goto(address)
        return page

    yield open_one
    for context in contexts:
        context.close()
    assert not wrong


@GOLD
@WIDTHS
def test_the_page_is_no_wider_than_the_window(show: Open, gold: str, size: dict[str, int]) -> None:
    page = show(gold, size)
    for details in page.locator("details").all():
        details.evaluate("one => one.open = true")
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    # what is too wide scrolls in its own place
    wide = page.evaluate(
        """() => [...document.querySelectorAll('main *')]
            .filter(one => !one.closest('.scroll') && !one.closest('svg') && !one.matches('svg'))
            .filter(one => one.getBoundingClientRect().right > innerWidth + 1)
            .map(one => one.outerHTML.slice(0, 80))"""
    )
    assert wide == []


@GOLD
def test_what_stands_in_the_news_is_not_run(show: Open, gold: str) -> None:
    page = show(gold, DESK)
    page.wait_for_timeout(100)
    assert page.title() == "Evaluation on gold.jsonl"
    assert page.locator("script, img").count() == 0
    assert page.get_by_text("<script>", exact=False).count() > 0


@WIDTHS
def test_texts_stand_side_by_side_where_there_is_room(show: Open, size: dict[str, int]) -> None:
    page = show("pairs", size)
    left, right = (page.locator(".case .side").nth(at).bounding_box() for at in (0, 1))
    assert left and right
    if size is DESK:
        assert left["y"] == right["y"] and left["x"] + left["width"] <= right["x"]
    else:
        assert left["x"] == right["x"] and left["y"] + left["height"] <= right["y"]


def test_pictures_are_saved_as_real_files(show: Open, tmp_path: Path) -> None:
    page = show("pairs", DESK)
    for kind in ("SVG", "PNG"):
        links = page.get_by_text(f"Save as {kind}", exact=True)
        assert links.count() == 5
        with page.expect_download() as saved:
            links.first.click()
        path = tmp_path / saved.value.suggested_filename
        saved.value.save_as(path)
        assert path.name == f"precision-recall.{kind.lower()}"
        if kind == "SVG":
            assert ElementTree.parse(path).getroot().tag == "{http://www.w3.org/2000/svg}svg"
        else:
            data = path.read_bytes()
            assert data[:8] == b"\x89PNG\r\n\x1a\n"
            assert int.from_bytes(data[16:20], "big") > 800, "wide enough to print"


def test_everything_can_be_reached_and_opened_from_the_keyboard(show: Open) -> None:
    page = show("pairs", PHONE)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to results"
    summary = page.locator("details.rest > summary").first
    body = page.locator("details.rest > .text").first
    assert not body.is_visible()
    for _ in range(200):
        page.keyboard.press("Tab")
        if summary.evaluate("one => one === document.activeElement"):
            break
    else:
        pytest.fail("no way to “Show all” with the Tab key")
    page.keyboard.press("Enter")
    assert body.is_visible() and summary.inner_text().strip() == "Show less"
    page.keyboard.press("Enter")
    assert not body.is_visible() and summary.inner_text().startswith("Show all")


@WIDTHS
def test_pictures_say_what_they_show(show: Open, size: dict[str, int]) -> None:
    page = show("pairs", size)
    pictures = page.get_by_role("img")
    assert pictures.count() == 5
    for picture in pictures.all():
        box = picture.bounding_box()
        assert box and box["width"] > 200 and box["height"] > 100
        assert picture.get_attribute("aria-label")
        caption = page.locator(f"#{picture.get_attribute('aria-describedby')}")
        assert len(caption.inner_text()) > 40
    page.get_by_text("Values", exact=True).first.click()
    assert page.get_by_role("region", name="values of: Precision and recall").is_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_can_be_read_in_the_light_and_in_the_dark(show: Open, scheme: str) -> None:
    """Contrast of text with what it stands on: at least 4.5, as WCAG AA asks."""
    page = show("pairs", DESK, color_scheme=scheme)
    poor = page.evaluate(
        """() => {
            const numbers = colour => colour.match(/[\\d.]+/g).map(Number);
            const light = ([r, g, b]) => [r, g, b].map(v => v / 255)
                .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
                .reduce((sum, v, at) => sum + v * [0.2126, 0.7152, 0.0722][at], 0);
            const behind = one => {
                for (; one; one = one.parentElement) {
                    const colour = numbers(getComputedStyle(one).backgroundColor);
                    if (colour.length === 3 || colour[3] > 0) return colour;
                }
                return [255, 255, 255];
            };
            const out = new Set();
            for (const one of document.querySelectorAll('body, body *:not(svg, svg *)')) {
                if (![...one.childNodes].some(n => n.nodeType === 3 && n.textContent.trim())) continue;
                const [a, b] = [light(numbers(getComputedStyle(one).color)), light(behind(one))];
                const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
                if (contrast < 4.5) out.add(`${one.tagName} ${one.className} ${contrast.toFixed(2)}`);
            }
            return [...out];
        }"""
    )
    assert poor == []
    back = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (back == "rgb(245, 246, 248)") == (scheme == "light")


def test_on_paper_nothing_is_hidden_and_colours_are_light(show: Open) -> None:
    page = show("pairs", DESK, color_scheme="dark")
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.locator(".saves").first.is_hidden()
    assert page.locator("details.rest > .text").first.is_visible(), "who reads on paper cannot click"
    assert page.pdf()[:5] == b"%PDF-"
