"""The judging pages in a real browser: two assessors, on a desktop and a tablet, by keyboard and without script."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from samestory import Article
from samestory.lab.collection import AssessorSession, hire
from samestory.lab.collection.discussion import add_discussion_note
from samestory.lab.judging import app
from tests.browser.test_show import CONTRAST, DESK, PHONE
from tests.conftest import ROOT
from tests.lab.judging.making import PAIRS, Made, made
from tests.web.serving import UNLIMITED, running

#: Pictures of all pages, for people to look at; not kept in the repository.
PICTURES = ROOT / ".artefacts" / "judging"
TABLET = {"width": 820, "height": 1180}
KEEPER = "the-one-who-runs-it-all"
HOSTILE = "<script>document.title='broken'</script><img src=x onerror=\"document.title='broken'\">{{7*7}}'\"</textarea>"
LIST = ("en-harbour-1", "en-harbour-2", "en-harbour-4", "en-fire-1", "en-fire-2", "en-rail-1")

Open = Callable[..., Page]


@pytest.fixture
def opened(browser: Browser) -> Iterator[Open]:
    """Open pages of a collection; afterwards check that there were no errors and no requests to other sites."""
    wrong: list[str] = []
    with ExitStack() as stack:
        bases: dict[int, str] = {}

        def open_one(work: Made, path: str, size: dict[str, int] = DESK, **more: Any) -> Page:
            if id(work) not in bases:
                client = stack.enter_context(running(app(work.collection, KEEPER, UNLIMITED)))
                bases[id(work)] = str(client.base_url).rstrip("/")
            base = bases[id(work)]
            context = browser.new_context(viewport=size, base_url=base, **more)  # type: ignore[arg-type]
            stack.callback(context.close)
            page = context.new_page()
            page.on("console", lambda found: wrong.append(found.text) if found.type in ("error", "warning") else None)
            page.on("pageerror", lambda error: wrong.append(str(error)))
            page.on("request", lambda asked: None if asked.url.startswith(base) else wrong.append(asked.url))
            page.goto(path)
            return page

        yield open_one
    assert not wrong


@pytest.fixture
def near(tmp_path: Path) -> Iterator[Made]:
    out = made(tmp_path / "near.db")
    with out.collection:
        yield out


def session_of(work: Made, name: str) -> AssessorSession:
    found = AssessorSession.from_token(work.collection, work.tokens[name])
    assert found
    return found


def shapes(folder: Path) -> dict[str, tuple[Made, str]]:
    """A collection of every shape, and an address in it."""
    holds = made(folder / "holds.db", "contains", exercises={("en-harbour-1", "en-harbour-4"): "a>b"})
    settled = made(folder / "settled.db", items=PAIRS[:1])
    settled.tokens.update(hire(settled.collection, ["cid"]))
    session_of(settled, "ann").answer(1, "yes", comment="The same wire, a few words left out.")
    session_of(settled, "ben").answer(1, "no", comment="The numbers are others.")
    cluster = made(folder / "cluster.db", "near", "difference", [("en-harbour-4", "en-harbour-1", "en-harbour-5")])
    lists = made(folder / "list.db", "near", "queries", [LIST])
    near = made(folder / "near.db", "fuzzy80")
    for answer in ("yes", "no"):
        session_of(near, "ann").answer(1, answer, comment="Half of it is new.", questionable=True)
    trained = made(folder / "trained.db", exercises={("en-harbour-1", "en-harbour-4"): "yes", PAIRS[1]: "no"})
    for place in (-1, 0):
        session_of(trained, "ann").answer(place, "yes")
    add_discussion_note(settled.collection, 1, "done", "We say that numbers count.")
    return {
        "trained": (trained, trained.at("ann", "exercise")),
        "doubts": (settled, f"/o/{KEEPER}/"),
        "start": (holds, holds.at("ann")),
        "exercise": (holds, holds.at("ann", 0)),
        "settle": (settled, settled.at("cid", 1)),
        "cluster": (cluster, cluster.at("ann", "1?begun=1")),
        "list": (lists, lists.at("ann", "1?begun=1")),
        "pair": (near, near.at("ann", 1)),
        "answers": (near, near.at("ann", "list")),
        "done": (near, near.at("ann", "done")),
        "overview": (near, f"/o/{KEEPER}/"),
    }


@pytest.mark.parametrize(
    ("size", "scheme"), [(DESK, "light"), (TABLET, "dark")],
    ids=["desk", "tablet"],
)  # fmt: skip
def test_every_page_fits_the_window_and_can_be_read(
    opened: Open, tmp_path: Path, size: dict[str, int], scheme: str
) -> None:
    PICTURES.mkdir(parents=True, exist_ok=True)
    for name, (work, path) in shapes(tmp_path).items():
        page = opened(work, path, size, color_scheme=scheme)
        back = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert back == {"light": "rgb(246, 245, 241)", "dark": "rgb(19, 21, 25)"}[scheme]
        page.screenshot(path=PICTURES / f"{name}-{size['width']}-{scheme}.png")
        page.locator("details").evaluate_all("all => all.forEach(one => one.open = !one.matches('.panel'))")
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"], name
        assert page.locator("h1").count() == 1, name
        for view in ("d", "m"):
            if page.locator(f"#view-{view}").count():
                page.locator(f"label[for=view-{view}]").click()
            read = page.locator("h1, h2, p, li, mark, .kind, time, dt, dd, summary, button, label, th, td, .button")
            found = read.evaluate_all(f"all => all.map(one => [({CONTRAST})(one), one.innerText])")
            assert all(contrast >= 4.5 for contrast, _ in found), (name, min(found))
        small = page.locator(".answer button:visible, .answer summary, .head a, .head summary:visible").evaluate_all(
            "all => all.filter(one => one.getBoundingClientRect().height < 40 && !one.matches('.name')).length"
        )
        assert small == 0, name
        if name in ("pair", "settle"):
            tops = page.locator(".side").evaluate_all("all => all.map(one => one.getBoundingClientRect().top)")
            assert (tops[0] == tops[1]) == (size is not PHONE), name


def test_two_people_judge_and_one_goes_on_after_a_restart(browser: Browser, near: Made) -> None:
    def judge(base: str, name: str, answers: list[str]) -> Page:
        page = browser.new_page(base_url=base)
        page.goto(near.at(name))
        assert "Roughly the same content" in page.locator(".definition").inner_text()
        page.locator("#continue").click()
        for answer in answers:
            before = page.url
            page.get_by_role("button", name=answer).click()
            page.wait_for_url(lambda url, before=before: url != before)
        return page

    with running(app(near.collection, None, UNLIMITED)) as client:
        ann = judge(str(client.base_url), "ann", ["Yes"] * 6)
        assert "All done" in ann.locator("h1").inner_text()
        ben = judge(str(client.base_url), "ben", ["Yes", "No"])
        assert ben.locator(".progress-bar").inner_text().startswith("2 of 6")
    with running(app(near.collection, None, UNLIMITED)) as client:
        ben = judge(str(client.base_url), "ben", ["No"] * 4)
        assert "All done" in ben.locator("h1").inner_text()
    assert [task.shown_answer for task in session_of(near, "ben").answered(10)] == ["yes", "no", "no", "no", "no", "no"]
    assert [task.shown_answer for task in session_of(near, "ann").answered(10)] == ["yes"] * 6
    ann.close()
    ben.close()


@pytest.mark.parametrize("script", [True, False], ids=["script", "no script"])
def test_an_answer_is_changed_and_its_history_stays(opened: Open, near: Made, script: bool) -> None:
    page = opened(near, near.at("ann", 1), java_script_enabled=script)
    page.locator("#definition summary").click()  # open before the first answer; the click closes it
    page.get_by_role("button", name="Yes").click()
    page.locator("nav a", has_text="Answers").click()
    assert "Yes" in page.locator(".answer-line").inner_text()
    page.locator(".answer-list a").click()
    assert page.locator(".chosen").inner_text().startswith("Yes") or "Yes" in page.locator(".chosen").inner_text()
    page.locator("#comment-box summary").click()
    page.fill("#comment", "I read it again.\nThen I knew.")
    page.locator("#questionable").check()
    page.get_by_role("button", name="No").click()
    page.goto(near.at("ann", "list"))
    assert (
        "No" in page.locator(".answer-line b").inner_text()
        and "Then I knew" in page.locator(".answer-line").inner_text()
    )
    page.locator(".earlier-answers summary").click()
    assert page.locator(".history b").all_inner_texts() == ["No", "Yes"]
    found = session_of(near, "ann").history(1)
    assert [one["answer"] for one in found] == ["yes", "no"] and found[1]["questionable"]
    assert (found[0]["seconds"] is not None) == script


def test_going_back_and_answering_again_is_a_change(opened: Open, near: Made) -> None:
    page = opened(near, near.at("ann", "1?begun=1"))
    page.get_by_role("button", name="Yes").click()
    page.wait_for_url("**/2")
    page.go_back()
    page.wait_for_function("document.querySelector('.chosen')")
    page.get_by_role("button", name="No").click()
    page.wait_for_url("**/2")
    assert [one["answer"] for one in session_of(near, "ann").history(1)] == ["yes", "no"]


def test_a_double_click_is_one_answer(opened: Open, near: Made) -> None:
    page = opened(near, near.at("ann", "1?begun=1"))
    page.get_by_role("button", name="Yes").dblclick()
    page.wait_for_url("**/2")
    assert len(session_of(near, "ann").history(1)) == 1 and not session_of(near, "ann").history(2)


def test_the_keyboard_is_enough(opened: Open, near: Made) -> None:
    page = opened(near, near.at("ann", "1?begun=1"))
    press = page.keyboard.press
    press("d")
    assert page.locator("#definition .sheet").is_visible()
    press("?")
    assert page.locator("#help .sheet").is_visible() and not page.locator("#definition .sheet").is_visible()
    press("Escape")
    assert not page.locator("#help .sheet").is_visible()
    background = "getComputedStyle(document.querySelector('mark.d')).backgroundColor"
    marked = page.evaluate(background)
    press("v")
    assert page.locator("#view-m").is_checked()
    press("v")
    assert page.locator("#view-p").is_checked() and page.evaluate(background) != marked
    press("m")
    assert page.locator(".metadata dl").first.is_visible()
    press("q")
    assert page.locator("#questionable").is_checked()
    press("c")
    page.keyboard.type("yes, no and skip are words: ynsdqv 12")
    press("Escape")
    press("y")
    page.wait_for_url("**/2")
    assert page.locator("#view-p").is_checked()  # the chosen view is kept
    press("s")
    page.wait_for_url("**/3")
    press("2")
    page.wait_for_url("**/4")
    press("ArrowLeft")
    page.wait_for_url("**/3")
    assert "No" in page.locator(".chosen").inner_text()
    press("j")
    page.wait_for_url("**/4")
    press("k")
    page.wait_for_url("**/3")
    first, second, third = (session_of(near, "ann").task(place) for place in (1, 2, 3))
    assert first and second and third
    assert (first.shown_answer, first.questionable, second.state, third.shown_answer) == ("yes", True, "skipped", "no")
    assert first.comment == "yes, no and skip are words: ynsdqv 12"


@pytest.mark.parametrize("script", [True, False], ids=["script", "no script"])
def test_enter_in_a_box_to_tick_answers_nothing(opened: Open, near: Made, script: bool) -> None:
    page = opened(near, near.at("ann", "1?begun=1"), java_script_enabled=script)
    page.locator("#questionable").check()
    page.locator("#questionable").press("Enter")
    page.wait_for_timeout(200)
    assert page.url.endswith("begun=1") and not session_of(near, "ann").history(1)
    assert page.locator("#questionable").is_checked()


def test_a_list_is_put_into_sets_by_keyboard(opened: Open, tmp_path: Path) -> None:
    work = made(tmp_path / "list.db", "near", "queries", [LIST])
    with work.collection:
        page = opened(work, work.at("ann", "1?begun=1"))
        press = page.keyboard.press
        for keys in ("ArrowDown 1 x", "ArrowDown 1", "ArrowDown x", "ArrowDown 2", "ArrowDown 2", "ArrowDown 3 0 o"):
            for key in keys.split():
                press(key)
        assert page.locator(".row").nth(5).locator(".text").is_visible()
        press("l")
        page.wait_for_selector(".comparison")
        assert page.locator(".comparison .side").count() == 2
        assert page.locator("select").evaluate_all("all => all.map(one => one.value)") == ["A", "A", "", "B", "B", ""]
        press("w")
        page.wait_for_url("**/done")
        task = session_of(work, "ann").task(1)
        assert task and task.answer == '[["en-fire-1", "en-fire-2"], ["en-harbour-1", "en-harbour-2"]]'


def test_every_set_of_a_long_list_has_a_key(opened: Open, tmp_path: Path) -> None:
    """Twenty results may form ten sets, but there are only nine digit keys."""
    articles = [Article(f"a{n:02}", f"Text number {n} of twenty.") for n in range(20)]
    work = made(tmp_path / "list.db", "near", "queries", [[each.id for each in articles]], articles=articles)
    with work.collection:
        page = opened(work, work.at("ann", "1?begun=1"))
        press = page.keyboard.press
        press("J")  # on no text: nothing happens
        for key in ("9", "Shift+J", "Shift+J", "Shift+A", "Shift+Z", "d"):
            press("ArrowDown")
            press(key)
        press("Escape")
        values = page.locator("select").evaluate_all("all => all.map(one => one.value)")
        assert values[:6] == ["I", "J", "J", "A", "", ""]
        press("w")
        page.wait_for_url("**/done")
        task = session_of(work, "ann").task(1)
        assert task and task.answer == '[["a01", "a02"]]'


def test_the_answer_to_an_exercise_is_explained_before_the_next(opened: Open, tmp_path: Path) -> None:
    work = made(tmp_path / "holds.db", "contains", exercises={("en-harbour-1", "en-harbour-2"): "both"})
    with work.collection:
        page = opened(work, work.at("ann"))
        page.locator("#continue").click()
        page.get_by_role("button", name="Neither").click()
        assert "the correct answer is Each contains the other" in page.locator(".result").inner_text()
        page.keyboard.press("ArrowRight")
        page.wait_for_url("**/exercise")
        assert "0 of 1 correct" in page.locator(".lead").inner_text()
        page.keyboard.press("ArrowRight")
        page.wait_for_url("**/1")
        assert page.locator(".result").count() == 0


def test_nothing_moves_when_other_marks_are_chosen(opened: Open, near: Made) -> None:
    page = opened(near, near.at("ann", "1?begun=1"))
    where = (
        "[...document.querySelectorAll('.side mark')].map(one => Object.values(one.getBoundingClientRect().toJSON()))"
    )
    seen = [page.evaluate(where)]
    for _ in range(2):
        page.keyboard.press("v")
        seen.append(page.evaluate(where))
    assert seen[0] and seen[0] == seen[1] == seen[2]


@pytest.mark.parametrize(
    ("relation", "protocol", "size"), [("contains", "pool", 2), ("near", "difference", 3), ("near", "queries", 4)]
)
def test_script_in_every_field_is_shown_as_text(
    opened: Open, tmp_path: Path, relation: str, protocol: str, size: int
) -> None:
    articles = [
        Article(f"{HOSTILE}{n}", f"The pier {HOSTILE} {n}", HOSTILE, HOSTILE, HOSTILE, HOSTILE, HOSTILE)
        for n in range(size)
    ]
    work = made(tmp_path / "bad.db", relation, protocol, [[each.id for each in articles]], articles=articles)
    with work.collection:
        answer = {"pool": "both", "difference": "yes", "queries": [[articles[0].id, articles[1].id]]}[protocol]
        session_of(work, "ann").answer(1, answer, comment=HOSTILE)
        page = opened(work, work.at("ann", 1))
        for path in (1, "list", "done", ""):
            page.goto(work.at("ann", path))
            page.locator("details").evaluate_all("all => all.forEach(one => one.open = true)")
            assert "broken" not in page.title(), path
            assert page.locator("script").count() == 1 and page.locator("img").count() == 0, path
        page.goto(work.at("ann", 1))
        assert HOSTILE in page.locator(".text").first.text_content()  # type: ignore[operator]
        assert page.locator("#comment").input_value() == HOSTILE


def test_sets_survive_a_reload_and_are_in_a_second_tab(opened: Open, tmp_path: Path) -> None:
    work = made(tmp_path / "list.db", "near", "queries", [LIST])
    with work.collection:
        here = work.at("ann", "1?begun=1")
        page = opened(work, here)
        with page.expect_response(lambda answer: answer.status == 204):
            page.select_option("#set-1", "A")
        with page.expect_response(lambda answer: answer.status == 204):
            page.locator("[data-row] > details > summary").nth(1).focus()
            page.keyboard.press("1")
        page.reload()
        assert [page.input_value(f"#set-{at}") for at in (1, 2, 3)] == ["A", "A", ""]
        assert page.locator("#draft").is_visible()
        second = opened(work, here)
        assert [second.input_value(f"#set-{at}") for at in (1, 2, 3)] == ["A", "A", ""]
        second.get_by_role("button", name="Save these sets").click()
        second.wait_for_url("**/done")
        page.reload()
        assert page.locator("#draft").count() == 0 and page.input_value("#set-2") == "A"
