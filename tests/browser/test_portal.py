"""The portal in a real browser: at a desk and on a phone, in light and in dark, with script and without."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Request

from samestory import read
from samestory.archive import Archive
from tests.browser.test_show import CONTRAST, DESK, PHONE
from tests.conftest import DEMO, ROOT
from tests.web.serving import TOKEN, serving

#: Pictures of all pages, for people to look at; not kept in the repository.
PICTURES = ROOT / ".artefacts" / "portal"

SMALL = {"width": 320, "height": 640}

HOSTILE = "<script>document.title='broken'</script><img src=x onerror=\"document.title='broken'\">{{7*7}}'\"</textarea>"
PAGES = {
    "front": "/",
    "day": "/?day=2026-02-11",
    "search": "/search?q=harbour",
    "nothing": "/search?q=nothinghasthisword",
    "story": "/story/1",
    "article": "/article?id=en-harbour-4",
    "compare": "/compare?left=en-harbour-1&right=en-harbour-4",
    "status": "/status",
    "sign-in": "/sign-in",
    "missing": "/story/99999",
    "api": "/api",
}

Open = Callable[..., Page]


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    with Archive.open(tmp_path / "news.db") as made:
        made.add(list(read(DEMO / "news.jsonl")))
        yield made


@pytest.fixture
def opened(browser: Browser, archive: Archive) -> Iterator[Open]:
    """Open pages; afterwards check that there were no errors and no requests to other sites."""
    contexts, wrong = [], []
    with serving(archive) as client:
        base = str(client.base_url).rstrip("/")

        def watch(request: Request) -> None:
            if not request.url.startswith(base):
                wrong.append(request.url)

        def open_one(path: str = "/", size: dict[str, int] = DESK, signed: bool = False, **more: Any) -> Page:
            context = browser.new_context(viewport=size, base_url=base, **more)  # type: ignore[arg-type]
            contexts.append(context)
            page = context.new_page()
            page.on("console", lambda found: wrong.append(found.text) if _is_wrong(found.type, found.text) else None)
            page.on("pageerror", lambda error: wrong.append(str(error)))
            page.on("request", watch)
            if signed:
                page.goto(f"/sign-in?token={TOKEN}")
            page.goto(path)
            return page

        yield open_one
        for context in contexts:
            context.close()
    assert not wrong


def _is_wrong(kind: str, text: str) -> bool:
    # browsers log an error for a refused request
    return kind in ("error", "warning") and "status of 40" not in text


@pytest.mark.parametrize(
    ("size", "scheme"), [(DESK, "light"), (PHONE, "dark"), (SMALL, "light")], ids=["desk", "phone", "small"]
)
def test_every_page_fits_the_window_and_can_be_read(opened: Open, size: dict[str, int], scheme: str) -> None:
    PICTURES.mkdir(parents=True, exist_ok=True)
    page = opened(size=size, color_scheme=scheme, signed=True)
    back = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert back == {"light": "rgb(246, 245, 241)", "dark": "rgb(19, 21, 25)"}[scheme]
    for name, path in PAGES.items():
        page.goto(path)
        page.locator("details").evaluate_all("all => all.forEach(one => one.open = true)")
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"], name
        assert page.locator("h1").count() == 1, name
        read = page.locator("h1, h2, h3 a, p, li, mark, ins, del, .kind, time, dt, dd, summary, button, footer")
        found = read.evaluate_all(f"all => all.map(one => [({CONTRAST})(one), one.innerText])")
        assert all(contrast >= 4.5 for contrast, _ in found), (name, min(found))
        page.screenshot(path=PICTURES / f"{name}-{size['width']}.png", full_page=True)


def test_a_story_is_listed_once_and_unfolds(opened: Open) -> None:
    page = opened("/search?q=quay")
    story = page.locator("[data-story]").filter(has_text="Fish quay")
    assert story.count() == 1
    assert "5 articles" in story.locator("summary").inner_text()
    assert "edited copies" in story.locator("summary").inner_text()
    assert not story.locator(".members").is_visible()
    story.locator("summary").click()
    assert story.locator(".members li").count() == 5
    assert story.locator(".snippet mark").first.inner_text().lower() == "quay"
    story.locator("h3 a").click()
    assert page.url.endswith("/story/1")
    assert page.locator(".timeline > li").count() == 5


def test_the_keyboard_is_enough(opened: Open) -> None:
    page = opened("/search?q=lang:en")
    focused = "document.activeElement.closest('[data-story]')?.querySelector('h3').innerText"
    titles = page.locator("[data-story] h3").all_inner_texts()
    page.keyboard.press("j")
    assert page.evaluate(focused) == titles[0]
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("k")
    assert page.evaluate(focused) == titles[1]
    many = next(at for at, one in enumerate(page.locator("[data-story]").all()) if one.locator("details").count())
    page.keyboard.press("k")
    for _ in range(many):
        page.keyboard.press("j")
    page.keyboard.press("x")
    assert page.locator("[data-story]").nth(many).locator("details").get_attribute("open") is not None
    page.keyboard.press("x")
    assert page.locator("[data-story]").nth(many).locator("details").get_attribute("open") is None
    page.keyboard.press("/")
    page.keyboard.type("jjkox")  # shortcuts are off in the search box
    assert page.locator("#q").input_value() == "jjkox"
    page.keyboard.press("Escape")
    page.keyboard.press("k")
    page.keyboard.press("o")
    page.wait_for_url("**/story/*")


def test_search_narrows_by_facets(opened: Open, archive: Archive) -> None:
    with archive.database.read() as session:
        sql = "SELECT count(DISTINCT story) FROM articles"
        (every,), (russian,) = session.rows(f"{sql} UNION ALL {sql} WHERE lang = 'ru'")
    page = opened()
    page.fill("#q", "lang:en OR lang:tr")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search?*")
    page.goto("/search?q=")
    before = page.locator(".lead").inner_text()
    assert f"{every} stories" in before
    page.locator(".facet summary", has_text="Language").click()
    page.locator(".facet").get_by_role("link", name="Russian", exact=True).click()
    assert f"{russian} stories" in page.locator(".lead").inner_text()
    page.locator(".facet").get_by_role("link", name="any", exact=True).click()
    assert page.locator(".lead").inner_text() == before
    page.locator(".next a").click()
    assert page.locator("[data-story]").count() == every - 20


def test_readers_choose_which_article_stands_for_a_story(opened: Open) -> None:
    page = opened("/search?q=harbour&source=Ostrel+Wire&source=Wexcombe+Echo", java_script_enabled=False)

    def shown() -> str:
        return page.locator("[data-story] .meta").first.inner_text()

    for which, source in (("earliest", "Ostrel Wire"), ("latest", "Wexcombe Echo")):
        page.select_option("#representative", which)
        page.get_by_role("button", name="Show").click()
        assert source in shown() and page.input_value("#representative") == which
        assert "2 matching articles" in page.locator(".lead").inner_text()  # the other parameters stay
    page.select_option("#prefer", "Ostrel Wire")
    page.get_by_role("button", name="Show").click()
    assert "Ostrel Wire" in shown() and page.input_value("#prefer") == "Ostrel Wire"
    page.goto("/search?representative=earliest")
    page.locator(".next a").click()
    assert page.input_value("#representative") == "earliest" and "cursor=" in page.url


@pytest.mark.parametrize("script", [True, False], ids=["script", "no script"])
def test_a_story_is_taken_apart_and_put_together_again(opened: Open, archive: Archive, script: bool) -> None:
    page = opened("/story/1", java_script_enabled=script)
    assert page.locator(".decide").count() == 0
    page.locator("nav a", has_text="Sign in").click()
    page.fill("#token", "not the token at all")
    page.locator("form.sign-in button").click()
    assert "Wrong token" in page.locator("[role=alert]").inner_text()
    page.fill("#token", TOKEN)
    page.locator("form.sign-in button").click()
    page.wait_for_url("**/story/1")
    last = page.locator(".timeline > li").filter(has_text="Wexcombe Echo")
    last.locator("a.decide", has_text="Not the same story").click()
    assert "1 article will be in another story" in page.locator(".lead").inner_text()
    page.fill("#why", "another harbour")
    page.get_by_role("button", name="Confirm").click()
    page.wait_for_url("**/story/1")
    assert page.locator(".timeline > li").count() == 4
    assert "another harbour" in page.locator(".decided").inner_text()
    with Archive.open(archive.database.place) as again:  # stored in the database, not only shown on the page
        stories = again.articles(["en-harbour-4", "en-harbour-5"])
        assert stories["en-harbour-4"].story != stories["en-harbour-5"].story
    page.locator(".decided a.decide", has_text="Undo").click()
    page.get_by_role("button", name="Confirm").click()
    page.wait_for_url("**/story/1")
    assert page.locator(".timeline > li").count() == 5
    page.goto("/compare?left=en-harbour-4&right=en-harbour-5")
    page.get_by_role("link", name="Same story", exact=True).click()
    page.get_by_role("button", name="Confirm").click()
    page.wait_for_url("**/compare?*")
    assert "The same story" in page.locator(".facts").inner_text()
    assert "the same story" in page.locator(".lead").inner_text()
    page.locator("button", has_text="Sign out").click()
    page.goto("/story/1")
    assert page.locator(".timeline > li").count() == 5 and page.locator(".decide").count() == 0


def test_differences_are_marked_beside_each_other(opened: Open) -> None:
    page = opened("/compare?left=en-harbour-1&right=en-harbour-4")
    left, right = page.locator(".side").all()
    assert "Fishermen in Brackwater will have to do without" in right.locator("ins").first.inner_text()
    assert left.locator("del").count() and not left.locator("ins").count()
    assert left.locator("mark").first.inner_text() == right.locator("mark").first.inner_text()
    for side, id in ((left, "en-harbour-1"), (right, "en-harbour-4")):
        with_marks = "".join(side.locator(".text").all_text_contents())
        assert with_marks == next(each.text for each in read(DEMO / "news.jsonl") if each.id == id)


def test_old_versions_are_shown_with_what_changed(opened: Open, archive: Archive) -> None:
    kept = archive.article("en-harbour-4")
    assert kept
    article = {name: getattr(kept.article, name) for name in kept.article.__slots__}
    for words in (" The mayor will open it.", " The mayor and the bishop will open it in May."):
        archive.add([{**article, "text": kept.article.text + words}])
    page = opened("/article?id=en-harbour-4")
    assert page.locator(".version").count() == 2
    assert "bishop" in page.locator(".version ins").first.inner_text()
    assert "version 3" in page.locator(".meta").first.inner_text()


def test_script_in_every_field_is_shown_as_text(opened: Open, archive: Archive) -> None:
    words = "The harbour council voted on Monday to rebuild the pier before winter."
    hostile = {
        "title": HOSTILE,
        "text": f"{words} {HOSTILE} \x1b[2J\u202e",
        "source": HOSTILE,
        "url": f"javascript:document.title='broken'//{HOSTILE}",
        "published": HOSTILE,
        "lang": '"><script>document.title="broken"</script>',
    }
    archive.add(
        [{**hostile, "id": HOSTILE + "1"}, {**hostile, "id": HOSTILE + "2", "text": words + HOSTILE + " More."}]
    )
    archive.add([{"id": HOSTILE}], origin=HOSTILE)
    with archive.database.write() as session:
        session.insert("feeds", ("url", "title", "error", "failures"), [(hostile["url"], HOSTILE, HOSTILE, 3)])
    first, second = (archive.article(f"{HOSTILE}{n}") for n in (1, 2))
    assert first and second
    page = opened(signed=True)
    where = page.evaluate("([a, b]) => `left=${encodeURIComponent(a)}&right=${encodeURIComponent(b)}`",
                          [f"{HOSTILE}1", f"{HOSTILE}2"])  # fmt: skip
    one = page.evaluate("a => encodeURIComponent(a)", f"{HOSTILE}1")
    asked = page.evaluate("a => encodeURIComponent(a)", HOSTILE)
    for path in (
        "/",
        f"/story/{first.story}",
        f"/article?id={one}",
        f"/compare?{where}",
        "/status",
        f"/search?q={asked}&source={asked}",
        f"/search?q=pier&source={asked}",
        f"/sign-in?next={asked}",
        f"/article?id={asked}",
    ):
        page.goto(path)
        page.locator("details").evaluate_all("all => all.forEach(one => one.open = true)")
        assert "broken" not in page.title().replace(HOSTILE, ""), path
        assert page.locator("script").count() == 1 and page.locator("img").count() == 0, path
        assert page.locator("a[href^='javascript' i]").count() == 0, path
    page.goto(f"/article?id={one}")
    assert HOSTILE in page.locator("h1").inner_text()
    assert HOSTILE in page.locator(".text").inner_text() and "49" not in page.locator("h1").inner_text()


def test_the_policy_alone_would_have_stopped_a_script(browser: Browser, archive: Archive) -> None:
    with serving(archive) as client:
        page = browser.new_page()
        page.goto(str(client.base_url))
        page.evaluate(
            "() => { const one = document.createElement('script'); one.textContent = \"document.title = 'broken'\";"
            " document.body.append(one) }"
        )
        assert page.title() != "broken"
        page.close()


def test_addresses_of_the_web_are_links_without_referrer(opened: Open, archive: Archive) -> None:
    archive.add([{"id": "linked", "text": "Some words about a pier.", "url": "https://news.example/a?b=1&c=2"}])
    link = opened("/article?id=linked").locator("a", has_text="original")
    assert link.get_attribute("href") == "https://news.example/a?b=1&c=2"
    assert link.get_attribute("rel") == "noopener noreferrer nofollow"


def test_without_script_everything_can_be_read_and_unfolded(opened: Open) -> None:
    page = opened("/search?q=quay", java_script_enabled=False)
    page.locator("summary", has_text="5 articles").click()
    assert page.locator(".members li").first.is_visible()
    page.locator(".more a").first.click()
    page.locator(".new summary").first.click()
    assert "Fishermen" in page.locator(".new ins").first.inner_text()


def test_an_empty_archive_has_a_front_page(browser: Browser, tmp_path: Path) -> None:
    with Archive.open(tmp_path / "empty.db") as made, serving(made, token=None) as client:
        page = browser.new_page()
        for path in ("/", "/search?q=x", "/status"):
            page.goto(f"{client.base_url}{path}")
            assert page.locator("h1").count() == 1
        assert page.locator("nav a", has_text="Sign in").count() == 0
        page.close()
