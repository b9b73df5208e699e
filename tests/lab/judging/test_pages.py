"""The judging pages over a real server: access, stored answers, refused forms, and hidden data."""

from __future__ import annotations

import re
from pathlib import Path

import httpx
import pytest
from markupsafe import escape

from samestory import Article
from samestory.lab.collection import hire
from samestory.lab.judging import app
from samestory.web import Limits
from tests.lab.collection.work import weekly
from tests.lab.judging.asking import PAGE, key_of, send
from tests.lab.judging.conftest import KEEPER
from tests.lab.judging.making import HOSTILE, PAIRS, Made, count_judgements, made, session_of
from tests.web.serving import UNLIMITED, running

LIST = ("en-harbour-1", "en-harbour-2", "en-harbour-4", "en-fire-1", "en-fire-2", "en-rail-1")


def test_the_start_shows_the_definition_and_the_way_in(client: httpx.Client, near: Made) -> None:
    page = client.get(near.at("ann"), headers=PAGE)
    assert page.status_code == 200
    assert "Roughly the same content, or versions of one story" in page.text
    assert 'href="1?begun=1"' in page.text and "Start" in page.text


def test_the_definition_is_open_without_the_start_page(client: httpx.Client, near: Made) -> None:
    opened = '<details class="panel" id="definition" open>'
    assert opened in client.get(near.at("ann", 1)).text
    assert opened not in client.get(near.at("ann", "1?begun=1")).text
    send(client, near.at("ann", 1), answer="no")
    assert opened not in client.get(near.at("ann", 2)).text


def test_an_answer_is_stored_and_the_next_task_follows(client: httpx.Client, near: Made) -> None:
    done = send(client, near.at("ann", 1), answer="yes", comment=" a\r\nb ", questionable="on", seconds="12.5")
    assert done.status_code == 303 and done.headers["location"] == near.at("ann", 2)
    task = session_of(near, "ann").task(1)
    assert task and (task.answer, task.comment, task.questionable, task.state) == ("yes", "a\nb", True, "done")
    assert session_of(near, "ann").history(1)[0]["seconds"] == 12.5
    page = client.get(near.at("ann", 1)).text
    assert 'class="chosen" aria-pressed="true"' in page and "a\nb</textarea>" in page and "checked>" in page


@pytest.mark.parametrize("seconds", ["", "nan", "inf", "-3", "1e99", "soon"])
def test_an_invalid_time_is_ignored(client: httpx.Client, near: Made, seconds: str) -> None:
    assert send(client, near.at("ann", 1), answer="yes", seconds=seconds).status_code == 303
    assert session_of(near, "ann").history(1)[0]["seconds"] is None


def test_after_the_last_answer_comes_the_end(client: httpx.Client, near: Made) -> None:
    assert "Not finished yet" in client.get(near.at("ann", "done")).text
    for place in range(1, 7):
        done = send(client, near.at("ann", place), answer="no")
    assert done.headers["location"] == near.at("ann", "done")
    assert "All done" in client.get(near.at("ann", "done")).text


def test_skipped_tasks_come_last_in_turns(client: httpx.Client, near: Made) -> None:
    for place in (1, 2):
        assert send(client, near.at("ann", place), skip="1").headers["location"] == near.at("ann", place + 1)
    for place in range(3, 7):
        done = send(client, near.at("ann", place), answer="no")
    assert done.headers["location"] == near.at("ann", 1)
    assert send(client, near.at("ann", 1), skip="1").headers["location"] == near.at("ann", 2)
    assert send(client, near.at("ann", 2), skip="1").headers["location"] == near.at("ann", 1)


def test_a_repeated_form_is_stored_once(client: httpx.Client, near: Made) -> None:
    key = key_of(client.get(near.at("ann", 1)).text)
    places = [send(client, near.at("ann", 1), key, answer="yes").headers["location"] for _ in range(3)]
    assert places == [near.at("ann", 2)] * 3
    assert count_judgements(near) == 1


def test_another_answer_from_an_old_page_shows_the_stored_one(client: httpx.Client, near: Made) -> None:
    key = key_of(client.get(near.at("ann", 1)).text)
    send(client, near.at("ann", 1), key, answer="yes")
    again = send(client, near.at("ann", 1), key, answer="no")
    assert again.headers["location"] == near.at("ann", "1?stale=1")
    page = client.get(again.headers["location"]).text
    assert "Nothing was changed" in page and count_judgements(near) == 1
    assert send(client, near.at("ann", 1), key_of(page), answer="no").status_code == 303
    task = session_of(near, "ann").task(1)
    assert task and task.shown_answer == "no"


def test_keys_are_distinct_per_assessor(client: httpx.Client, near: Made) -> None:
    for name in ("ann", "ben"):
        send(client, near.at(name, 1), "the-same-key", answer="yes")
    assert count_judgements(near) == 2


def test_a_changed_answer_keeps_its_history(client: httpx.Client, near: Made) -> None:
    for answer in ("yes", "no", "yes"):
        send(client, near.at("ann", 1), answer=answer)
    assert [one["answer"] for one in session_of(near, "ann").history(1)] == ["yes", "no", "yes"]
    listed = client.get(near.at("ann", "list")).text
    assert 'href="1"' in listed and "3 answers so far" in listed
    assert "3 answers" in client.get(near.at("ann", 1)).text


def test_a_long_list_of_answers_has_pages(client: httpx.Client, tmp_path: Path) -> None:
    articles = [Article(f"a{n}", f"Text number {n} of many.") for n in range(60)]
    work = made(tmp_path / "many.db", items=[(f"a{n}", f"a{n + 1}") for n in range(59)], articles=articles)
    with work.collection, running(app(work.collection, None, UNLIMITED)) as browser:
        for place in range(1, 60):
            session_of(work, "ann").answer(place, "no")
        assert browser.get(work.at("ann", "list")).text.count('class="answer-line"') == 50
        assert browser.get(work.at("ann", "list?page=2")).text.count('class="answer-line"') == 9
        assert "No more" in browser.get(work.at("ann", "list?page=3")).text
        for page in ("0", "-1", "x", "99999999999", "²"):
            assert browser.get(work.at("ann", "list"), params={"page": page}).status_code == 200


@pytest.mark.parametrize("path", ["", "1", "done", "list"])
def test_an_unknown_token_opens_nothing(client: httpx.Client, path: str) -> None:
    pages = [client.get(f"/w/{token}/{path}", headers=PAGE) for token in ("wrong", "a" * 24, "%00", "%F0%9F", "é")]
    assert {page.status_code for page in pages} == {404}
    assert len({page.text for page in pages}) == 1


@pytest.mark.parametrize("place", ["7", "0", "-1", "x", "1.0", "1e3", "99999999999999999999", "²", "%00", "1/2"])
def test_an_unknown_place_opens_nothing(client: httpx.Client, near: Made, place: str) -> None:
    assert client.get(near.at("ann", place)).status_code == 404
    assert client.post(near.at("ann", place), data={"key": "k", "answer": "yes"}).status_code == 404
    assert count_judgements(near) == 0


def test_an_assessor_cannot_open_the_work_of_another(tmp_path: Path) -> None:
    work = made(tmp_path / "near.db", items=PAIRS[:2])
    work.tokens.update(hire(work.collection, ["eve"]))
    with work.collection, running(app(work.collection, None, UNLIMITED)) as browser:
        for place in range(-3, 10):
            assert browser.get(work.at("eve", place)).status_code == 404
        assert "There are no tasks for you yet" in browser.get(work.at("eve")).text
        assert "No tasks yet" in browser.get(work.at("eve", "done")).text


def test_a_new_link_ends_the_old_one(client: httpx.Client, near: Made) -> None:
    hire(near.collection, ["ann"])
    assert client.get(near.at("ann")).status_code == 404


def test_guessing_tokens_is_slow(near: Made) -> None:
    with running(app(near.collection, KEEPER, Limits(rate=1, burst=60))) as browser:
        codes = [browser.get(f"/w/guess-{n}/").status_code for n in range(8)]
        assert codes[0] == 404 and codes[-1] == 429
    with running(app(near.collection, KEEPER, Limits(rate=1, burst=60))) as browser:
        assert [browser.get(f"/o/guess-{n}/").status_code for n in range(8)][-1] == 429


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({}, 422),
        ({"key": "k"}, 422),
        ({"key": "k", "answer": ""}, 422),
        ({"key": "k", "answer": "a>b"}, 422),
        ({"key": "k", "answer": "maybe"}, 422),
        ({"answer": "yes"}, 422),
        ({"key": "k" * 65, "answer": "yes"}, 422),
        ({"key": "k", "answer": "yes", "comment": "x" * 2001}, 422),
        ({"key": "k", "answer": "yes", "comment": "x" * 70_000}, 413),
        ({f"field{n}": "x" for n in range(300)}, 400),
    ],
)
def test_invalid_answers_are_refused(client: httpx.Client, near: Made, fields: dict[str, str], code: int) -> None:
    done = client.post(near.at("ann", 1), data=fields, headers=PAGE)
    assert done.status_code == code and "Something went wrong" in done.text
    assert count_judgements(near) == 0


@pytest.mark.parametrize("body", [b"\xff\xfe", b"key=k&answer=%ff", b"{}", b"\0"])
def test_invalid_forms_are_refused(client: httpx.Client, near: Made, body: bytes) -> None:
    assert client.post(near.at("ann", 1), content=body).status_code in (400, 422)
    assert count_judgements(near) == 0


def test_other_methods_and_addresses_are_refused(client: httpx.Client, near: Made) -> None:
    assert client.put(near.at("ann", 1)).status_code == 405
    assert client.post(near.at("ann")).status_code == 405
    assert client.post("/").status_code == 405
    for path in ("/openapi.json", "/docs", "/static/../app.py", "/static/judge.txt", "/o/", "/w/"):
        assert client.get(path).status_code == 404
    assert client.head(near.at("ann", 1)).status_code == 200


def test_every_page_has_security_headers_and_is_not_cached(client: httpx.Client, near: Made) -> None:
    for path in (near.at("ann"), near.at("ann", 1), near.at("ann", "list"), "/w/wrong/", "/", f"/o/{KEEPER}/"):
        headers = client.get(path, headers=PAGE).headers
        assert headers["referrer-policy"] == "no-referrer"
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "set-cookie" not in headers
        assert headers["cache-control"] == "no-store"


def test_no_page_contains_a_token(client: httpx.Client, near: Made) -> None:
    for path in ("", "1", "list", "done"):
        assert near.tokens["ann"] not in client.get(near.at("ann", path)).text


def test_pages_reveal_neither_other_assessors_nor_nominations(tmp_path: Path) -> None:
    work = made(tmp_path / "near.db", controls=0.4, names=("annabel", "benjamin"))
    with work.collection, running(app(work.collection, None, UNLIMITED)) as browser:
        all_places = session_of(work, "annabel").progress().all
        assert all_places > len(PAIRS)
        for place in ["", *range(1, all_places + 1), "list", "done"]:
            page = browser.get(work.at("annabel", place)).text.lower()
            for word in ("annabel", "benjamin", "codet", "minhash", "0.123456", "control", "en-harbour", 'work"'):
                assert word not in page, (place, word)


def test_articles_are_in_page_order(tmp_path: Path) -> None:
    work = made(tmp_path / "holds.db", "contains")
    with work.collection, running(app(work.collection, None, UNLIMITED)) as browser:
        mine = session_of(work, "ann")
        for place in range(1, 7):
            task = mine.task(place)
            assert task
            page = browser.get(work.at("ann", place)).text
            texts = [
                re.sub("<.*?>", "", one) for one in re.findall(r'<div class="text".*?>(.*?)</div>', page, re.DOTALL)
            ]
            wanted = [each.text.split()[0] for each in mine.articles(task)]
            assert [text.split()[0] for text in texts] == wanted
            send(browser, work.at("ann", place), answer="a>b")
            kept = mine.task(place)
            assert kept and kept.shown_answer == "a>b" and kept.answer == ("b>a" if kept.turned else "a>b")


def test_the_week_and_the_day_are_shown(tmp_path: Path) -> None:
    collection, tokens = weekly(tmp_path / "lists.db")
    with collection, running(app(collection, KEEPER, UNLIMITED)) as browser:
        for page in ("", "1"):
            assert "Week 1: 0 of 2 · today: 0 of 1" in browser.get(f"/w/{tokens['a1']}/{page}").text
        assert send(browser, f"/w/{tokens['a1']}/1", keep="1").status_code == 303
        page = browser.get(f"/w/{tokens['a1']}/").text
        assert "Week 1: 1 of 2 · today: 1 of 1" in page and "reached the pace for today" in page


def test_the_arbiter_sees_comments_without_names(tmp_path: Path) -> None:
    work = made(tmp_path / "near.db", items=PAIRS[:1], names=("annabel", "benjamin"))
    work.tokens.update(hire(work.collection, ["carla"]))
    with work.collection, running(app(work.collection, None, UNLIMITED)) as browser:
        send(browser, work.at("annabel", 1), answer="yes", comment=f"the same wire {HOSTILE}")
        send(browser, work.at("benjamin", 1), answer="no", comment="other numbers")
        page = browser.get(work.at("carla", 1)).text
        assert "other numbers" in page and "the same wire &lt;script&gt;" in page
        assert "annabel" not in page and "benjamin" not in page and "<script>alert" not in page
        assert send(browser, work.at("carla", 1), answer="yes").headers["location"] == work.at("carla", "done")


def test_an_article_and_its_cluster(tmp_path: Path) -> None:
    items = [("en-harbour-1", "en-harbour-2", "en-harbour-4"), ("en-fire-1",)]
    work = made(tmp_path / "difference.db", "near", "difference", items)
    with work.collection, running(app(work.collection, None, UNLIMITED)) as browser:
        mine = session_of(work, "ann")
        sizes = set()
        for place in (1, 2):
            page = browser.get(work.at("ann", place)).text
            task = mine.task(place)
            assert task
            sizes.add(page.count('class="side other"') + 1)
            assert "Duplicate" in page and "Unique" in page
            assert send(browser, work.at("ann", place), answer="yes").status_code == 303
        assert sizes == {1, 3}


def test_all_of_a_large_cluster_can_be_seen_and_nothing_filled_in_is_lost(tmp_path: Path) -> None:
    articles = [Article(f"a{n}", f"This is text number {n} of many.") for n in range(121)]
    work = made(tmp_path / "large.db", "near", "difference", [[each.id for each in articles]], articles=articles)
    with work.collection, running(app(work.collection, None, UNLIMITED)) as browser:
        here = work.at("ann", 1)
        page = browser.get(here).text
        assert "Articles 1 to 50 of 120" in page
        seen = set(re.findall(r"text number (?:<.*?>)?(\d+)", page))
        for begin in re.findall(r'name="others" value="(\d+)"', page):
            part = send(browser, here, others=begin, comment="so far none", questionable="on")
            assert part.status_code == 200 and "so far none</textarea>" in part.text and "checked>" in part.text
            seen |= set(re.findall(r"text number (?:<.*?>)?(\d+)", part.text))
        assert seen == {str(n) for n in range(121)} and count_judgements(work) == 0
        for wrong in ("0", "-1", "x", "999999", "9" * 30, "²"):
            assert send(browser, here, others=wrong).status_code == 200


def test_a_list_is_put_into_sets(tmp_path: Path) -> None:
    work = made(tmp_path / "queries.db", "near", "queries", [LIST])
    with work.collection, running(app(work.collection, None, UNLIMITED)) as browser:
        here = work.at("ann", 1)
        page = browser.get(here).text
        assert page.count("<select") == 6 and "harbour" in page
        sets = {"set-1": "B", "set-2": "B", "set-4": "A", "set-5": "A", "set-6": "C"}
        look = send(browser, here, **sets, look="1", beside="3", comment="not yet", seconds="4.5")
        assert look.status_code == 200 and count_judgements(work) == 0  # only looked at
        assert "<option selected>B</option>" in look.text and "not yet</textarea>" in look.text
        assert 'id="seconds" value="4.5"' in look.text
        two = browser.post(here, data={"key": "k", "beside": ["1", "3"], "look": "1"})
        assert two.text.count('class="side"') == 2
        for bad in ({"set-1": "AB"}, {"set-1": "<"}, {"set-1": "é"}, {}):
            keep = {"keep": "1"} if bad else {"answer": "yes"}
            assert send(browser, here, **bad, **keep).status_code == 422
        assert send(browser, here, keep="1", **sets).headers["location"] == work.at("ann", "done")
        task = session_of(work, "ann").task(1)
        assert task and task.answer == '[["en-fire-1", "en-fire-2"], ["en-harbour-1", "en-harbour-2"]]'
        page = browser.get(here).text
        assert page.count(" selected>A<") == 2 and page.count(" selected>B<") == 2
        assert "1 + 2 · 4 + 5" in browser.get(work.at("ann", "list")).text
        assert send(browser, here, keep="1").status_code == 303
        assert "No sets" in browser.get(work.at("ann", "list")).text


@pytest.mark.parametrize(
    ("relation", "protocol", "size"), [("contains", "pool", 2), ("near", "difference", 3), ("near", "queries", 4)]
)
def test_hostile_texts_are_escaped_everywhere(tmp_path: Path, relation: str, protocol: str, size: int) -> None:
    articles = [
        Article(f"{HOSTILE}{n}", f"The pier {HOSTILE} \x1b[2J\u202e {n}", HOSTILE, HOSTILE, HOSTILE, HOSTILE, HOSTILE)
        for n in range(size)
    ]
    work = made(tmp_path / "bad.db", relation, protocol, [[each.id for each in articles]], articles=articles)
    work.tokens.update(hire(work.collection, [HOSTILE]))
    with work.collection, running(app(work.collection, KEEPER, UNLIMITED)) as browser:
        answer = {"pool": {"answer": "both"}, "difference": {"answer": "yes"}, "queries": {"keep": "1", "set-1": "A"}}
        look = {"look": "1", "beside": "1"} if protocol == "queries" else {}
        pages = [send(browser, work.at("ann", 1), comment=HOSTILE, **look).text if look else ""]
        assert send(browser, work.at("ann", 1), comment=f"{HOSTILE}\0", **answer[protocol]).status_code == 303
        pages += [browser.get(work.at("ann", place)).text for place in ("", 1, "list", "done")]
        pages.append(browser.get(f"/o/{KEEPER}/").text)
        pages.append(send(browser, work.at("ben", 1), answer=HOSTILE).text)
        for page in pages:
            assert "<script>alert" not in page and "<img" not in page and page.count("<script") <= 1
            assert "\x1b" not in page
        assert str(escape(HOSTILE)) in pages[2]  # as it came, and no template either
