"""The exercise before the work: what is right is told, and nobody loses an answer by it."""

from __future__ import annotations

import threading
from itertools import combinations
from pathlib import Path

import httpx

from samestory.collection import exercise
from samestory.collection.status import status
from samestory.judging import app
from tests.judging.asking import key_of, send
from tests.judging.conftest import KEEPER
from tests.judging.making import HOSTILE, Made, desk, made, told
from tests.web.serving import NO_HURRY, running


def test_an_exercise_tells_what_is_right_and_work_waits_for_it(tmp_path: Path) -> None:
    exercises: dict[tuple[str, ...], str] = {
        ("en-harbour-1", "en-harbour-2"): "yes",
        ("en-market-1", "en-market-2"): "no",
    }
    work = made(tmp_path / "near.db", exercises=exercises)
    with work.collection, running(app(work.collection, None, NO_HURRY)) as asked:
        assert "2 exercises come first" in asked.get(work.at("ann")).text
        assert asked.get(work.at("ann", 1)).status_code == 404
        first = asked.get(work.at("ann", -1)).text
        assert "the right answer is <b>" not in first and 'name="skip"' not in first
        assert send(asked, work.at("ann", -1), skip="1").status_code == 422
        done = send(asked, work.at("ann", -1), answer="no")
        assert done.headers["location"] == work.at("ann", -1)
        page = asked.get(work.at("ann", -1)).text
        assert "Not quite" in page and "the right answer is <b>Yes</b>" in page and 'href="0"' in page
        send(asked, work.at("ann", 0), answer="no")
        page = asked.get(work.at("ann", 0)).text
        assert "✓ Right." in page and 'href="exercise"' in page
        assert asked.get(work.at("ann", 1)).status_code == 200


def test_an_exercise_that_is_added_while_people_work_costs_nobody_an_answer(client: httpx.Client, near: Made) -> None:
    """Answers that were on the way got a page that said that there is nothing at this address, and were lost."""
    here = near.at("ann", 1)
    key = key_of(client.get(here).text)
    exercise(near.collection, {("en-market-1", "en-market-2"): "no"})
    done = send(client, here, key, answer="yes", comment="long thought about")
    assert (done.status_code, done.headers["location"]) == (303, near.at("ann", 0))
    assert [(one["answer"], one["comment"]) for one in desk(near, "ann").history(1)] == []  # the exercise comes first
    assert client.get(here).status_code == 404
    again = send(client, here, key, answer="yes", comment="long thought about")
    assert again.headers["location"] == near.at("ann", 0) and told(near) == 1
    other = send(client, here, key, answer="no")
    assert other.headers["location"] == near.at("ann") and told(near) == 1
    assert send(client, near.at("ann", 0), answer="no").status_code == 303
    assert [(one["answer"], one["comment"]) for one in desk(near, "ann").history(1)] == [("yes", "long thought about")]
    assert desk(near, "ann").next().place == 2


def test_no_answer_that_is_sent_is_lost_while_exercises_come(near: Made) -> None:
    """Two people send answers without a pause while somebody adds exercises."""
    sent: dict[str, int] = {"ann": 0, "ben": 0}
    wrong: list[int] = []
    with running(app(near.collection, None, NO_HURRY)) as asked:

        def work(name: str) -> None:
            with httpx.Client(base_url=asked.base_url) as own:
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
    assert (wrong, sent, told(near)) == ([], {"ann": 60, "ben": 60}, 120)


def test_how_the_exercise_went_is_told_to_whoever_did_it_and_whoever_runs_it(tmp_path: Path) -> None:
    work = made(tmp_path / "holds.db", "contains")
    exercise(
        work.collection,
        {("en-harbour-4", "en-harbour-1"): "a>b", ("en-market-1", "en-market-2"): "none"},
        why={("en-harbour-4", "en-harbour-1"): f"the numbers stand in one only {HOSTILE}"},
    )
    with work.collection, running(app(work.collection, KEEPER, NO_HURRY)) as asked:
        assert "not begun" in asked.get(work.at("ann", "exercise")).text
        for place in (-1, 0):
            send(asked, work.at("ann", place), answer="none")
            send(asked, work.at("ann", place), answer="both")  # by who was told: that is no merit
        page = asked.get(work.at("ann", "exercise")).text
        assert "<b>1 of 2</b> were right at your first answer" in page and 'href="1"' in page
        assert "You said <b>Neither</b>" in page and "the numbers stand in one only &lt;script&gt;" in page
        holds = next(task for place in (-1, 0) if (task := desk(work, "ann").task(place)) and task.item.why)
        right = "A holds B" if holds.articles[0] == "en-harbour-4" else "B holds A"
        assert f"the right answer is <b>{right}</b>" in page
        assert "the numbers stand in one only" in asked.get(work.at("ann", holds.place)).text
        assert 'href="exercise"' in asked.get(work.at("ann")).text
        send(asked, work.at("ben", 0), answer="none")
        assert "<td>1 of 2</td>" in asked.get(f"/o/{KEEPER}/").text
        trained = dict(status(work.collection).trained)
        assert (trained["ann"].right, trained["ann"].done, trained["ann"].all) == (1, 2, 2)
        assert (trained["ben"].done, trained["ben"].all) == (1, 2)
