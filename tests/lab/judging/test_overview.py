"""The overview page of the organiser: progress, agreement, discussion."""

from __future__ import annotations

import httpx
import pytest

from samestory.lab.collection import hire
from samestory.lab.collection.export import judgements
from samestory.lab.collection.status import status
from samestory.lab.judging import app
from tests.lab.judging.asking import PAGE, send
from tests.lab.judging.conftest import KEEPER
from tests.lab.judging.making import HOSTILE, Made, session_of
from tests.web.serving import UNLIMITED, running


def test_the_overview_shows_progress(client: httpx.Client, near: Made) -> None:
    send(client, near.at("ann", 1), answer="yes", questionable="on", seconds="8")
    page = client.get(f"/o/{KEEPER}/").text
    assert "ann" in page and "1 of 12 tasks done" in page and "<td>8</td>" in page
    assert client.get("/o/wrong/").status_code == 404
    assert "ann" not in client.get("/").text


def test_the_overview_shows_agreement(client: httpx.Client, near: Made) -> None:
    assert "Agreement" not in client.get(f"/o/{KEEPER}/").text
    for name, answer in (("ann", "yes"), ("ben", "no")):
        while task := session_of(near, name).next():
            doubts = (name, task.place) == ("ann", 1)
            session_of(near, name).answer(task.place, answer, comment="<i>why</i>", questionable=doubts)
    page = client.get(f"/o/{KEEPER}/").text
    assert "Agreement" in page and "0.0%" in page and "6 disagreements" in page
    assert "1 questionable item" in page and page.count('<span class="kind">to be discussed</span>') == 2
    assert "&lt;i&gt;why" in page and "<i>why" not in page


def test_questionable_items_are_discussed_and_notes_are_stored(client: httpx.Client, near: Made) -> None:
    near.tokens.update(hire(near.collection, ["cid"]))
    for name, answer in (("ann", "yes"), ("ben", "no")):
        while task := session_of(near, name).next():
            session_of(near, name).answer(task.place, answer, questionable=(name, task.place) == ("ann", 1))
    first = session_of(near, "ann").task(1)
    assert first
    item, here = first.item.number, f"/o/{KEEPER}/talk"
    assert status(near.collection).to_talk_over == (item,)
    other = next(each.number for each in near.collection.items("role = 'work'") if each.number != item)
    fields = {"item": str(other), "state": "wanted", "note": "which of the two?"}
    assert client.post(here, data=fields, headers=PAGE).headers["location"] == f"/o/{KEEPER}/#item-{other}"
    assert status(near.collection).to_talk_over == tuple(sorted((item, other)))
    for each in (item, other):
        note = f"we say yes {HOSTILE}\0"
        assert client.post(here, data={"item": str(each), "state": "done", "note": note}).status_code == 303
    page = client.get(f"/o/{KEEPER}/").text
    assert page.count("we say yes &lt;script&gt;") == 4 and "<script>alert" not in page
    assert "to be discussed</span>" not in page and page.count("discussed</span>") == 4
    found = status(near.collection)
    assert (found.to_talk_over, [each.item for each in found.talked_over]) == ((), sorted((item, other)))
    # the arbiter sees the notes, and a new questionable mark reopens the discussion
    settles = session_of(near, "cid")
    tasks = [task for place in range(1, 7) if (task := settles.task(place)) and task.item.number == other]
    assert any(line.startswith("Discussion: we say yes") for line in settles.remarks(tasks[0]))
    lines = [line for line in judgements(near.collection) if line["item"] == other]
    assert {tuple((each["state"], each["note"][:9]) for each in line["talks"]) for line in lines} == {
        (("wanted", "which of "), ("done", "we say ye"))
    }
    session_of(near, "ann").answer(1, "yes", comment="still not sure", questionable=True)
    assert status(near.collection).to_talk_over == (item,)


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"item": "1"},
        {"item": "1", "state": "maybe"},
        {"item": "999", "state": "done"},
        {"item": "x", "state": "done"},
        {"item": "1", "state": "done", "note": "x" * 2001},
    ],
)
def test_an_invalid_discussion_note_is_refused(client: httpx.Client, near: Made, fields: dict[str, str]) -> None:
    assert client.post(f"/o/{KEEPER}/talk", data=fields).status_code == 422
    assert client.post("/o/wrong/talk", data={"item": "1", "state": "done"}).status_code == 404
    assert client.post(f"/w/{near.tokens['ann']}/talk", data={"item": "1", "state": "done"}).status_code == 404
    assert not status(near.collection).talked_over


def test_without_a_token_there_is_no_overview(near: Made) -> None:
    with running(app(near.collection, None, UNLIMITED)) as browser:
        assert browser.get("/o/None/").status_code == 404
