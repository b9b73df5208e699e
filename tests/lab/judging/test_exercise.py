"""Exercises before the work: the correct answer is shown, and no answer is lost."""

from __future__ import annotations

import threading
from itertools import combinations
from pathlib import Path

import httpx

from samestory.lab.collection import exercise
from samestory.lab.collection.status import status
from samestory.lab.judging import app
from tests.lab.judging.asking import key_of, send
from tests.lab.judging.conftest import KEEPER
from tests.lab.judging.making import HOSTILE, Made, count_judgements, made, session_of
from tests.web.serving import UNLIMITED, running


def test_an_exercise_shows_the_correct_answer_and_comes_before_the_work(tmp_path: Path) -> None:
    exercises: dict[tuple[str, ...], str] = {
        ("en-harbour-1", "en-harbour-2"): "yes",
        ("en-market-1", "en-market-2"): "no",
    }
    work = made(tmp_path / "near.db", exercises=exercises)
    with work.collection, running(app(work.collection, None, UNLIMITED)) as browser:
        assert "2 exercises first" in browser.get(work.at("ann")).text
        assert browser.get(work.at("ann", 1)).status_code == 404
        first = browser.get(work.at("ann", -1)).text
        assert "the correct answer is <b>" not in first and 'name="skip"' not in first
        assert send(browser, work.at("ann", -1), skip="1").status_code == 422
        done = send(browser, work.at("ann", -1), answer="no")
        assert done.headers["location"] == work.at("ann", -1)
        page = browser.get(work.at("ann", -1)).text
        assert "Not quite" in page and "the correct answer is <b>Yes</b>" in page and 'href="0"' in page
        send(browser, work.at("ann", 0), answer="no")
        page = browser.get(work.at("ann", 0)).text
        assert "✓ Correct." in page and 'href="exercise"' in page
        assert browser.get(work.at("ann", 1)).status_code == 200


def test_adding_an_exercise_loses_no_answer(client: httpx.Client, near: Made) -> None:
    """Regression: answers in flight were lost with a 404 response."""
    here = near.at("ann", 1)
    key = key_of(client.get(here).text)
    exercise(near.collection, {("en-market-1", "en-market-2"): "no"})
    done = send(client, here, key, answer="yes", comment="long thought about")
    assert (done.status_code, done.headers["location"]) == (303, near.at("ann", 0))
    assert [(one["answer"], one["comment"]) for one in session_of(near, "ann").history(1)] == []  # exercises come first
    assert client.get(here).status_code == 404
    again = send(client, here, key, answer="yes", comment="long thought about")
    assert again.headers["location"] == near.at("ann", 0) and count_judgements(near) == 1
    other = send(client, here, key, answer="no")
    assert other.headers["location"] == near.at("ann") and count_judgements(near) == 1
    assert send(client, near.at("ann", 0), answer="no").status_code == 303
    assert [(one["answer"], one["comment"]) for one in session_of(near, "ann").history(1)] == [
        ("yes", "long thought about")
    ]
    assert session_of(near, "ann").next().place == 2


def test_concurrent_answers_are_not_lost_while_exercises_are_added(near: Made) -> None:
    """Two assessors send answers continuously while exercises are added."""
    sent: dict[str, int] = {"ann": 0, "ben": 0}
    wrong: list[int] = []
    with running(app(near.collection, None, UNLIMITED)) as browser:

        def work(name: str) -> None:
            with httpx.Client(base_url=browser.base_url) as own:
                for n in range(60):
                    fields = {"key": f"{name}{n}", "answer": "yes"}
                    code = own.post(near.at(name, 1 + n % 6), data=fields).status_code
                    sent[name] += code == 303
                    wrong.extend([code] if code != 303 else [])

        people = [threading.Thread(target=work, args=(name,)) for name in sent]
        for each in people:
            each.start()
        for one, two in combinations(["en-harbour-1", "en-fire-1", "en-rail-1", "en-market-1"], 2):
            exercise(near.collection, {(one, two): "no"})
        for each in people:
            each.join()
    assert (wrong, sent, count_judgements(near)) == ([], {"ann": 60, "ben": 60}, 120)


def test_the_assessor_and_the_organiser_see_the_exercise_score(tmp_path: Path) -> None:
    work = made(tmp_path / "holds.db", "contains")
    exercise(
        work.collection,
        {("en-harbour-4", "en-harbour-1"): "a>b", ("en-market-1", "en-market-2"): "none"},
        why={("en-harbour-4", "en-harbour-1"): f"the numbers stand in one only {HOSTILE}"},
    )
    with work.collection, running(app(work.collection, KEEPER, UNLIMITED)) as browser:
        assert "not started" in browser.get(work.at("ann", "exercise")).text
        for place in (-1, 0):
            send(browser, work.at("ann", place), answer="none")
            send(
                browser, work.at("ann", place), answer="both"
            )  # given after the correct answer was shown: it does not count
        page = browser.get(work.at("ann", "exercise")).text
        assert "<b>1 of 2</b> correct at your first answer" in page and 'href="1"' in page
        assert "Your answer: <b>Neither</b>" in page and "the numbers stand in one only &lt;script&gt;" in page
        holds = next(task for place in (-1, 0) if (task := session_of(work, "ann").task(place)) and task.item.why)
        right = "A contains B" if holds.articles[0] == "en-harbour-4" else "B contains A"
        assert f"the correct answer is <b>{right}</b>" in page
        assert "the numbers stand in one only" in browser.get(work.at("ann", holds.place)).text
        assert 'href="exercise"' in browser.get(work.at("ann")).text
        send(browser, work.at("ben", 0), answer="none")
        assert "<td>1 of 2</td>" in browser.get(f"/o/{KEEPER}/").text
        trained = dict(status(work.collection).trained)
        assert (trained["ann"].right, trained["ann"].done, trained["ann"].all) == (1, 2, 2)
        assert (trained["ben"].done, trained["ben"].all) == (1, 2)
