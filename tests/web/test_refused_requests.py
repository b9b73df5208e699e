"""Requests that the portal refuses, each with its status, and stores nothing of."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from tests.web.serving import WRITER
from tests.web.test_api import ONE, failure, post


def test_an_overlong_id_is_rejected(empty: httpx.Client) -> None:
    body = post(empty, "/articles", {"articles": [{**ONE, "id": "é" * 501}, ONE]}).json()
    assert body["new"] == ["pier"] and [each["number"] for each in body["rejected"]] == [1]


def test_an_overlong_line_is_rejected(empty: httpx.Client) -> None:
    def endless() -> Any:
        yield json.dumps(ONE).encode() + b'\n{"text": "'
        for _ in range(9):
            yield b"a" * (1 << 20)
        yield b'"}\n' + json.dumps({**ONE, "id": "after"}).encode()

    answer = empty.post("/articles/stream", content=endless(), headers=WRITER)
    *parts, last = [json.loads(line) for line in answer.text.splitlines()]
    assert (last["new"], last["rejected"], last["lines"]) == (2, 1, 3)
    assert [each["line"] for part in parts for each in part["reasons"]] == [2]


@pytest.mark.parametrize("body", [{}, {"title": " "}, {"text": " "}, {"text": 3}, {"id": "a", "text": "\n"}])
def test_the_error_of_a_query_has_no_article_number(untouched: httpx.Client, body: Any) -> None:
    assert "article" not in failure(untouched.post("/query", json=body), 422)


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b'{"text": "a"', b"\xff\xfe", b"[" * 100_000, b'{"articles": [}', b"nul"],
    ids=["nothing", "open", "cut", "no utf-8", "deep", "bracket", "word"],
)
@pytest.mark.parametrize("path", ["/article", "/articles", "/query", "/fold", "/decisions"])
def test_malformed_json_is_refused(untouched: httpx.Client, path: str, body: bytes) -> None:
    headers = {**WRITER, "Content-Type": "application/json"}
    answer = untouched.post(path, content=body, headers=headers)
    assert answer.status_code in (400, 422)
    failure(answer, answer.status_code)


@pytest.mark.parametrize(
    "path",
    [
        "/story/99999999999999999999.json",
        "/story/-1.json",
        "/story/x.json",
        "/article.json",
        "/article.json?id=",
        "/article.json?id=%00",
        "/article.json?id=" + "a" * 501,
        "/search.json?limit=0",
        "/search.json?limit=1e9",
        "/search.json?sort=evil",
        "/changes.json?since=-1",
        "/changes.json?since=99999999999999999999",
        "/nowhere",
        "/../etc/passwd",
        "/static/../app.py",
        "/static/%2e%2e/app.py",
    ],
)
def test_invalid_requests_are_refused(untouched: httpx.Client, path: str) -> None:
    answer = untouched.get(path)
    assert answer.status_code in (404, 422)
    failure(answer, answer.status_code)


@pytest.mark.parametrize("value", ["\ud800", "\0", "a\u202eb", "' OR 1=1 --", '"; DROP TABLE articles; --', "{{7*7}}"])
def test_any_text_is_returned_unchanged_or_refused(empty: httpx.Client, value: str) -> None:
    id = "x" if value == "\0" else f"x{value}"
    body = json.dumps({**ONE, "id": id, "title": value, "source": value}).encode()
    answer = empty.post("/article", content=body, headers={**WRITER, "Content-Type": "application/json"})
    if value == "\ud800":
        failure(answer, 422)
        return
    id = answer.json()["id"]
    body = empty.get("/article.json", params={"id": id}).json()
    assert body["title"] == body["source"] == value.replace("\0", "\ufffd")
    assert empty.get("/search.json", params={"q": value}).status_code == 200
    assert empty.get("/status.json").json()["articles"] == 1


@pytest.mark.parametrize("id", ["a\0b", "\x1b[2J", "two\nlines"])
def test_ids_with_control_characters_are_refused(empty: httpx.Client, id: str) -> None:
    body = json.dumps({**ONE, "id": id}).encode()
    answer = empty.post("/article", content=body, headers={**WRITER, "Content-Type": "application/json"})
    failure(answer, 422)
    assert empty.get("/status.json").json()["articles"] == 0


def test_routes_without_get_refuse_head(untouched: httpx.Client) -> None:
    for path in ("/query", "/events"):
        assert untouched.head(path).status_code == 405


@pytest.mark.parametrize(
    "published",
    ["9999-12-31T23:59:59Z", "0001-01-01", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00", "-5", "1e300",
     "253402300800", "253402300800000", "99999999999999", -62135596801, 10**18, "1969-12-31"],
)  # fmt: skip
def test_no_date_breaks_a_page(empty: httpx.Client, published: str | int) -> None:
    body = post(empty, "/articles", {"articles": [{**ONE, "published": published}, {**ONE, "id": "good"}]}).json()
    assert "good" in body["new"]
    for path in ("/", "/search?q=pier", "/story/1", "/article?id=good", "/compare?left=good&right=pier", "/status"):
        for accept in ("text/html", "application/json"):
            answer = empty.get(path, headers={"Accept": accept})
            assert answer.status_code == 200 or ("pier" not in body["new"] and "right=pier" in path), answer.text
