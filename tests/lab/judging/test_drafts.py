"""Drafts of answers: what is filled in stays on reload, in another tab, and until it is saved."""

from __future__ import annotations

from pathlib import Path

from samestory.lab.judging import app
from tests.lab.judging.asking import key_of
from tests.lab.judging.making import Made, count_judgements, made
from tests.web.serving import UNLIMITED, running

LIST = ("en-harbour-1", "en-harbour-2", "en-harbour-4", "en-fire-1", "en-fire-2", "en-rail-1")
NOTE = 'id="draft"'


def queries(folder: Path) -> Made:
    return made(folder / "queries.db", "near", "queries", [LIST])


def test_a_draft_is_shown_until_the_answer_is_saved(tmp_path: Path) -> None:
    work = queries(tmp_path)
    with running(app(work.collection, None, UNLIMITED)) as browser:
        here = work.at("ann", 1)
        page = browser.get(here).text
        key, filled = (
            key_of(page),
            {"set-1": "B", "set-2": "B", "set-6": "C", "comment": "so far", "questionable": "on"},
        )
        assert NOTE not in page
        kept = browser.post(here, data={"key": key, "draft": "1", "seconds": "3.5", **filled})
        assert kept.status_code == 204 and count_judgements(work) == 0
        page = browser.get(here).text
        assert NOTE in page and page.count(" selected>B<") == 2 and page.count(" selected>C<") == 1
        assert "so far</textarea>" in page and "checked>" in page and 'id="seconds" value="3.5"' in page
        assert NOTE not in browser.get(work.at("ben", 1)).text  # a draft is of one assessor
        later = browser.post(here, data={"key": key, "draft": "1", "set-1": "A", "set-3": "A"})
        assert later.status_code == 204 and browser.get(here).text.count(" selected>A<") == 2
    with work.collection, running(app(work.collection, None, UNLIMITED)) as browser:  # a restart of the server
        page = browser.get(here).text
        assert page.count(" selected>A<") == 2
        saved = browser.post(here, data={"key": key_of(page), "keep": "1", "set-1": "A", "set-3": "A"})
        assert saved.status_code == 303 and count_judgements(work) == 1
        page = browser.get(here).text
        assert NOTE not in page and page.count(" selected>A<") == 2


def test_a_draft_that_arrives_after_its_answer_is_dropped(tmp_path: Path) -> None:
    work = queries(tmp_path)
    with work.collection, running(app(work.collection, None, UNLIMITED)) as browser:
        here = work.at("ann", 1)
        key = key_of(browser.get(here).text)
        assert browser.post(here, data={"key": key, "keep": "1", "set-1": "A", "set-2": "A"}).status_code == 303
        assert browser.post(here, data={"key": key, "draft": "1", "set-1": "B", "set-3": "B"}).status_code == 204
        page = browser.get(here).text
        assert NOTE not in page and " selected>B<" not in page


def test_invalid_drafts_are_refused(tmp_path: Path) -> None:
    work = queries(tmp_path)
    with work.collection, running(app(work.collection, None, UNLIMITED)) as browser:
        here = work.at("ann", 1)
        assert browser.post(here, data={"key": "k", "draft": "1", "set-1": "<"}).status_code == 422
        assert browser.post(here, data={"key": "k", "draft": "1", "comment": "x" * 5000}).status_code == 422
        for key in ("", "k" * 65):
            assert browser.post(here, data={"key": key, "draft": "1", "set-1": "A"}).status_code == 204
        assert NOTE not in browser.get(here).text
