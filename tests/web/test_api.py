"""The JSON API over a real server: requests, responses and errors."""

from __future__ import annotations

import json
import re
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from samestory import read
from samestory.archive import Archive, subscriptions
from samestory.feeds import FeedState
from samestory.web import views
from tests.conftest import DEMO, ROOT
from tests.web.serving import WRITER, serving

TEXT = "The harbour council of Oldmere voted on Monday to rebuild the wooden pier before the winter storms arrive."
ONE = {"id": "pier", "title": "Pier to be rebuilt", "text": TEXT, "source": "Oldmere Post", "published": "2026-03-02"}


def post(client: httpx.Client, path: str, body: Any, **headers: str) -> httpx.Response:
    return client.post(path, json=body, headers={**WRITER, **headers})


def failure(answer: httpx.Response, status: int) -> str:
    """Check the form of an error response and return its message."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/json"
    body = answer.json()
    assert set(body) == {"error", "hint"}
    assert "Traceback" not in answer.text and 'File "' not in answer.text
    message: str = body["error"]
    return message


def test_an_article_is_new_then_the_same_then_a_revision(empty: httpx.Client) -> None:
    first = post(empty, "/article", ONE).json()
    assert (first["outcome"], first["id"]) == ("new", "pier")
    assert [change["what"] for change in first["changes"]] == ["opened"]
    assert post(empty, "/article", ONE).json()["outcome"] == "same"
    assert post(empty, "/article", {**ONE, "text": TEXT + " It will cost 2 million."}).json()["outcome"] == "revised"
    body = empty.get("/article.json", params={"id": "pier"}).json()
    assert body["revision"] == 2
    (old,) = body["revisions"]
    assert old["text"] == TEXT
    (start, end), *_ = old["come"]
    assert "2 million" in body["text"][start:end]


def test_invalid_articles_are_rejected_and_the_others_stored(empty: httpx.Client) -> None:
    batch = [ONE, {"id": "no text"}, 7, {**ONE, "id": "long", "text": "a" * 1_000_001}, {**ONE, "id": "pier 2"}]
    body = post(empty, "/articles", {"articles": batch}).json()
    assert body["new"] == ["pier", "pier 2"]
    assert [each["number"] for each in body["rejected"]] == [2, 3, 4]
    assert "1,000,000" in body["rejected"][2]["why"]
    assert [(r["left"], r["right"], r["kind"]) for r in body["relations"]] == [("pier 2", "pier", "IDENTICAL")]
    assert empty.get("/status.json").json()["rejects"] == 3


def test_ignored_fields_are_reported(empty: httpx.Client) -> None:
    odd = {**ONE, "published": "garbage", "source": {"x": 1}}
    (doubt,) = post(empty, "/article", odd).json()["doubts"]
    assert doubt.startswith("cannot read the date 'garbage'; source: expected a text")
    assert post(empty, "/article", {**ONE, "id": "good"}).json()["doubts"] == []
    batch = [{**ONE, "id": "b"}, {"text": " ", "published": "garbage"}, {**ONE, "id": "c", "published": "32.13.2020"}]
    body = post(empty, "/articles", {"articles": batch}).json()
    assert body["doubts"] == ["article 3: cannot read the date '32.13.2020'"]
    assert [each["number"] for each in body["rejected"]] == [2]
    lines = "\n\n".join(json.dumps({**each, "id": f"line {at}"}) for at, each in enumerate(batch))
    first = empty.post("/articles/stream", content=lines, headers=WRITER).text.splitlines()[0]
    assert json.loads(first)["doubts"] == ["line 5: cannot read the date '32.13.2020'"]


def test_a_stream_is_added_in_batches(empty: httpx.Client) -> None:
    # no two articles share a word: near copies are covered by another test
    words = [" ".join(f"w{n}{letter}" for letter in "abcdefghijklm") for n in range(2500)]
    lines = [json.dumps({"id": f"pier {n}", "text": text}) for n, text in enumerate(words)]
    lines[3], lines[1700] = '{"broken', "[]"
    lines.insert(10, "")
    lines.append('{"id": "no end of line", "text": "Some words that stand last."}')
    content = "\n".join(lines).encode()
    pieces = (content[at : at + 10_007] for at in range(0, len(content), 10_007))
    answer = empty.post("/articles/stream", content=pieces, headers=WRITER)
    assert answer.headers["content-type"] == "application/x-ndjson"
    *parts, last = [json.loads(line) for line in answer.text.splitlines()]
    assert last == {"done": True, "lines": 2502, "new": 2499, "revised": 0, "updated": 0, "same": 0, "rejected": 2}
    assert sum(part["new"] for part in parts) == 2499 and all(part["lines"] <= 1000 for part in parts)
    assert [each["line"] for part in parts for each in part["reasons"]] == [4, 1702]
    assert empty.get("/status.json").json()["articles"] == 2499


def test_lines_are_stored_before_the_next_ones_arrive(empty: httpx.Client) -> None:
    """A slow stream is stored without waiting for a full batch."""
    seen = []

    def slow() -> Any:
        yield json.dumps(ONE).encode() + b"\n"
        until = time.monotonic() + 30
        while not seen and time.monotonic() < until:
            body = httpx.get(f"{empty.base_url}/status.json").json()
            seen.extend([body] if body["articles"] else [])
        yield json.dumps({**ONE, "id": "later"}).encode() + b"\n"

    answer = empty.post("/articles/stream", content=slow(), headers=WRITER)
    assert seen and [json.loads(line).get("from") for line in answer.text.splitlines()] == [1, 2, None]


def test_many_read_and_write_at_once(empty: httpx.Client) -> None:
    def write(writer: int) -> list[int]:
        with httpx.Client(base_url=empty.base_url, timeout=60, headers=WRITER) as client:
            return [
                client.post("/article", json={**ONE, "id": f"{writer}-{n}", "text": f"{TEXT} It is {n}."}).status_code
                for n in range(8)
            ]

    def watch(_: int) -> list[int]:
        pages = ("/", "/search?q=pier", "/story/1", "/status", "/changes.json")
        with httpx.Client(base_url=empty.base_url, timeout=60, headers={"Accept": "text/html"}) as client:
            return [client.get(path).status_code for path in pages * 4]

    with ThreadPoolExecutor(6) as threads:
        writing, reading = [threads.submit(write, n) for n in range(3)], [threads.submit(watch, n) for n in range(3)]
        assert {status for done in writing for status in done.result()} == {200}
        assert {status for done in reading for status in done.result()} <= {200, 404}
    assert empty.get("/status.json").json()["articles"] == 24


def test_a_query_returns_shared_passages_and_stores_nothing(client: httpx.Client) -> None:
    before = client.get("/status.json").json()
    stored = client.get("/article.json", params={"id": "en-harbour-1"}).json()
    body = client.post("/query", json={"text": stored["text"]}).json()["repeats"]
    assert {each["article"]["id"] for each in body} >= {"en-harbour-1", "en-harbour-4"}
    best = next(each for each in body if each["article"]["id"] == "en-harbour-1")
    assert best["relation"]["kind"] == "IDENTICAL" and best["story"] == stored["story"]
    for (start, end), (first, last) in best["shared"]:
        assert stored["text"][start:end] == stored["text"][first:last]
    after = client.get("/status.json").json()
    assert {**before, "lag_seconds": 0} == {**after, "lag_seconds": 0}


def test_a_query_finds_an_equal_article_without_id(empty: httpx.Client) -> None:
    """Both have no id, so both would get the same digest as id, and an article is never related to its own id."""
    post(empty, "/article", {"text": TEXT})
    assert len(empty.post("/query", json={"text": TEXT}).json()["repeats"]) == 1


def test_a_story_has_its_first_article_and_dependencies(client: httpx.Client) -> None:
    number = client.get("/article.json", params={"id": "en-harbour-4"}).json()["story"]
    body = client.get(f"/story/{number}.json").json()
    assert body["members"][0]["id"] == body["first"]["id"] == "en-harbour-1"
    assert body["articles"] == 5 and body["texts"] == 1 and body["kinds"] == {"IDENTICAL": 2, "NEAR": 2}
    assert body["members"][0]["depends"] is None
    assert {each["depends"]["left"] for each in body["members"][1:]} == {f"en-harbour-{n}" for n in range(2, 6)}
    first = client.get(f"/story/{number}.json", params={"limit": 2}).json()
    rest = client.get(f"/story/{number}.json", params={"limit": 200, "cursor": first["cursor"]}).json()
    assert [each["id"] for page in (first, rest) for each in page["members"]] == [m["id"] for m in body["members"]]


def test_search_turns_pages_by_cursor_and_counts_facets(archive: Archive, client: httpx.Client) -> None:
    with archive.database.read() as session:
        (english,) = session.one("SELECT count(DISTINCT story) FROM articles WHERE lang = 'en'") or (0,)
    seen: list[int] = []
    cursor = None
    while True:
        page = client.get("/search.json", params={"q": "lang:en", "limit": 4, "cursor": cursor or ""}).json()
        seen += [each["number"] for each in page["stories"]]
        cursor = page["cursor"]
        if cursor is None:
            break
    assert len(seen) == len(set(seen)) == page["total_stories"] == english > 4
    assert page["facets"]["languages"] == [{"value": "en", "stories": english}]
    only = client.get("/search.json", params={"q": "harbour", "source": "Fenmoor Post"}).json()
    assert only["total_articles"] == 1
    assert only["stories"][0]["representative"]["source"] == "Fenmoor Post"
    failure(client.get("/search.json", params={"cursor": "bogus"}), 422)
    failure(client.get("/search.json", params={"since": "yesterday"}), 422)


def test_two_articles_are_explained(client: httpx.Client) -> None:
    body = client.get("/compare.json", params={"left": "en-harbour-1", "right": "en-harbour-4"}).json()
    assert body["related"]["kind"] == "NEAR" and body["related"]["score"] > 0.9
    for (start, end), (first, last) in body["shared"]:
        assert body["left"]["text"][start:end] == body["right"]["text"][first:last]
    failure(client.get("/compare.json", params={"left": "en-harbour-1", "right": "absent"}), 404)
    failure(client.get("/compare.json", params={"left": "en-harbour-1", "right": "en-harbour-1"}), 422)


def test_only_the_beginnings_of_long_texts_are_compared(empty: httpx.Client) -> None:
    again = [" ".join([TEXT[:cut]] * 4000)[:400_000] for cut in (60, 80)]
    post(empty, "/articles", {"articles": [{**ONE, "text": again[0]}, {**ONE, "id": "other", "text": again[1]}]})
    post(empty, "/article", {**ONE, "text": again[0] + " It rained."})
    body = empty.get("/compare.json", params={"left": "pier", "right": "other"}).json()
    (old,) = empty.get("/article.json", params={"id": "pier"}).json()["revisions"]
    assert body["beginning"] == old["beginning"] == views.MAX_COMPARED_CHARS
    assert len(body["left"]["text"]) > views.MAX_COMPARED_CHARS < len(old["text"])
    ends = [place[1] for side in ("only_left", "only_right") for place in body[side]]
    assert max([*ends, *(place[1] for pair in body["shared"] for place in pair)]) <= views.MAX_COMPARED_CHARS
    assert empty.post("/query", json={"text": again[0]}).json()["repeats"][0]["beginning"] == views.MAX_COMPARED_CHARS
    for path in ("/compare?left=pier&right=other", "/article?id=pier"):
        assert "only the first 100,000 characters" in empty.get(path, headers={"Accept": "text/html"}).text


def test_the_stored_relation_of_long_texts_is_used(empty: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    post(empty, "/articles", {"articles": [ONE, {**ONE, "id": "other", "text": "It rained all night. " + TEXT}]})
    whole = empty.get("/compare.json", params={"left": "pier", "right": "other"}).json()
    assert whole["related"] and whole["beginning"] is None
    monkeypatch.setattr(views, "MAX_COMPARED_CHARS", 12)
    part = empty.get("/compare.json", params={"left": "pier", "right": "other"}).json()
    assert part["beginning"] == 12 and part["why"] is None
    assert {part["related"]["left"], part["related"]["right"]} == {"pier", "other"}


def test_a_decision_splits_a_story_and_can_be_revoked(client: httpx.Client) -> None:
    pair = {"left": "en-harbour-1", "right": "en-harbour-5"}

    def stories() -> set[int]:
        return {client.get("/article.json", params={"id": id}).json()["story"] for id in pair.values()}

    assert len(stories()) == 1
    done = post(client, "/decisions", {**pair, "decision": "apart"}).json()
    assert "split" in [change["what"] for change in done["changes"]]
    assert len(stories()) == 2
    assert client.get("/compare.json", params=pair).json()["decision"] == "apart"
    assert post(client, "/decisions", {**pair, "decision": "same"}).status_code == 200
    assert len(stories()) == 1
    failure(post(client, "/decisions", {**pair, "right": "absent", "decision": "same"}), 404)
    failure(post(client, "/decisions", {**pair, "decision": "perhaps"}), 422)


def test_decisions_about_stories_are_previewed_made_and_undone(client: httpx.Client) -> None:
    ids = ("en-harbour-1", "en-harbour-5")

    def story(id: str) -> int:
        return int(client.get("/article.json", params={"id": id}).json()["story"])

    before = story(ids[0])
    body = {"what": "move", "articles": [ids[1]], "who": "Ada", "why": "another harbour"}
    preview = post(client, "/decision/preview", body).json()
    assert ids[1] in [move["article"] for move in preview["moves"]] and story(ids[1]) == before
    made = post(client, "/decision", body).json()
    assert story(ids[1]) == made["changes"][0]["other"] == preview["moves"][0]["after"] != before == story(ids[0])
    (entry,) = client.get(f"/story/{before}.json").json()["decisions"]
    assert (entry["number"], entry["who"], entry["why"]) == (made["number"], "Ada", "another harbour")
    join = {"what": "join", "stories": [before, story(ids[1])]}
    assert f"decision {made['number']}" in failure(post(client, "/decision", join), 409)
    assert post(client, "/decision", {"what": "undo", "number": made["number"]}).status_code == 200
    assert story(ids[1]) == before
    log = client.get("/decisions.json", params={"story": before}).json()["decisions"]
    assert [each["undone_by"] for each in log] == [made["number"] + 1]


@pytest.mark.parametrize(("suffix", "accept"), [("", "text/html"), ("", "application/json"), (".json", "*/*")])
def test_a_merged_story_redirects(client: httpx.Client, suffix: str, accept: str) -> None:
    news = [vars_of(article) for article in read(DEMO / "news.jsonl")]
    number = {each["id"]: client.get("/article.json", params={"id": each["id"]}).json()["story"] for each in news}
    ids = tuple({number[each["id"]]: each["id"] for each in reversed(news)}.values())[:3]
    for one, other in ((ids[0], ids[1]), (ids[0], ids[2])):
        post(client, "/decisions", {"left": one, "right": other, "decision": "same"})
    now = client.get("/article.json", params={"id": ids[0]}).json()["story"]
    gone = {number[id] for id in ids} - {now}
    assert len(gone) == 2
    for old in gone:
        answer = client.get(f"/story/{old}{suffix}", headers={"Accept": accept})
        assert (answer.status_code, answer.headers["location"]) == (308, f"/story/{now}{suffix}")
        assert answer.headers["cache-control"] == "no-store"
    failure(client.get("/story/99999.json"), 404)


def test_an_article_can_be_removed(client: httpx.Client) -> None:
    assert client.delete("/article", params={"id": "en-harbour-2"}, headers=WRITER).status_code == 200
    failure(client.get("/article.json", params={"id": "en-harbour-2"}), 404)
    failure(client.delete("/article", params={"id": "en-harbour-2"}, headers=WRITER), 404)


def test_an_idempotency_key_returns_the_stored_response(empty: httpx.Client) -> None:
    first = post(empty, "/article", ONE, **{"Idempotency-Key": "k-1"})
    again = post(empty, "/article", ONE, **{"Idempotency-Key": "k-1"})
    assert first.json() == again.json() and first.json()["outcome"] == "new"
    failure(post(empty, "/article", {**ONE, "text": "Other words altogether."}, **{"Idempotency-Key": "k-1"}), 409)
    failure(post(empty, "/articles", {"articles": [ONE]}, **{"Idempotency-Key": "k-1"}), 409)
    assert post(empty, "/article", ONE, **{"Idempotency-Key": "k-2"}).json()["outcome"] == "same"


def test_every_page_has_a_json_twin(client: httpx.Client) -> None:
    for path, twin in [
        ("/", "/index.json"),
        ("/story/1", "/story/1.json"),
        ("/article?id=en-harbour-1", "/article.json?id=en-harbour-1"),
        ("/search?q=harbour&sort=time", "/search.json?q=harbour&sort=time&representative=best"),
        ("/compare?left=en-harbour-1&right=en-harbour-4", "/compare.json?left=en-harbour-1&right=en-harbour-4"),
    ]:
        assert client.get(path, headers={"Accept": "application/json"}).json() == client.get(twin).json()
        assert client.get(path, headers={"Accept": "text/html"}).text.startswith("<!DOCTYPE html>")


@pytest.mark.parametrize(
    "path", ["/", "/index.json", "/search?q=pier", "/status", "/health", "/static/portal.css", "/story/9", "/nowhere"]
)
@pytest.mark.parametrize("accept", ["text/html", "application/json"])
def test_head_is_answered_as_get_without_the_body(untouched: httpx.Client, path: str, accept: str) -> None:
    whole, head = (untouched.request(method, path, headers={"Accept": accept}) for method in ("GET", "HEAD"))
    assert head.status_code == whole.status_code and not head.content
    for name in ("content-type", "content-length", "content-security-policy"):
        assert head.headers[name] == whole.headers[name]


def test_the_log_can_be_read_from_any_place(client: httpx.Client) -> None:
    first = client.get("/changes.json", params={"limit": 3}).json()
    rest = client.get("/changes.json", params={"since": first["last"], "limit": 1000}).json()
    whole = client.get("/changes.json", params={"limit": 1000}).json()
    assert first["changes"] + rest["changes"] == whole["changes"]
    nothing = {"changes": [], "last": whole["last"], "reset": False}
    assert client.get("/changes.json", params={"since": whole["last"]}).json() == nothing
    assert not first["reset"] and not rest["reset"]


def test_reset_is_reported_after_a_rebuild(archive: Archive, client: httpx.Client) -> None:
    archive.rebuild()
    archive.add([ONE])
    for since in (0, 1, 10**15):
        body = client.get("/changes.json", params={"since": since}).json()
        assert body["reset"] and [each["articles"] for each in body["changes"]] == [["pier"]]
        again = client.get("/changes.json", params={"since": body["last"]}).json()
        assert again == {"changes": [], "last": body["last"], "reset": False}
    archive.rebuild()  # the log is empty
    body = client.get("/changes.json", params={"since": 10**15}).json()
    assert body["reset"] and not body["changes"]
    assert not client.get("/changes.json", params={"since": body["last"]}).json()["reset"]


def test_both_databases_give_the_same_results(place: str) -> None:
    with Archive.open(place) as archive, serving(archive) as client:
        assert client.get("/health").json() == {"status": "ok"}
        news = [vars_of(article) for article in read(DEMO / "news.jsonl")]
        body = post(client, "/articles", {"articles": [*news, {}]}).json()
        assert (len(body["new"]), len(body["rejected"])) == (43, 1)
        page = client.get("/search.json", params={"q": "harbour", "sort": "relevance"}).json()
        assert page["total_stories"] >= 1 and page["stories"][0]["articles"] == 5
        assert client.get("/", headers={"Accept": "text/html"}).status_code == 200
        number = page["stories"][0]["number"]
        assert client.get(f"/story/{number}", headers={"Accept": "text/html"}).status_code == 200
        assert client.get("/status", headers={"Accept": "text/html"}).status_code == 200
        for value in ("\0", "x\0y"):
            failure(client.get("/article.json", params={"id": value}), 404)


def vars_of(article: Any) -> dict[str, Any]:
    return {name: getattr(article, name) for name in article.__slots__ if getattr(article, name) is not None}


def test_every_address_is_in_the_reference(empty: httpx.Client) -> None:
    page = (ROOT / "docs" / "reference" / "json_api.md").read_text(encoding="utf-8")
    for path, methods in empty.get("/openapi.json").json()["paths"].items():
        for method in methods:
            assert re.search(rf"`{method.upper()} {re.escape(path)}`", page), f"{method.upper()} {path}"


def test_the_status_of_a_truncated_feed_is_not_ok(archive: Archive, client: httpx.Client) -> None:
    subscriptions.save(archive, FeedState("https://a.example/feed", "Whole", taken=2, seen=2, checked=1))
    cut = FeedState("https://b.example/feed", "Cut", taken=1, seen=1, checked=1, warning="the document ends too early")
    subscriptions.save(archive, cut)
    feeds = client.get("/status.json").json()["feeds_followed"]
    assert [feed["warning"] for feed in feeds] == [None, "the document ends too early"]
    page = client.get("/status", headers={"Accept": "text/html"}).text
    whole, _, rest = page.partition("Cut")
    assert "truncated" not in whole and "truncated: the end of the feed is missing" in rest and "ends too early" in rest
