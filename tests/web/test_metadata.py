"""Metadata in the API and on the pages: added, returned, found, counted and escaped."""

from __future__ import annotations

import json
import re

import httpx

from tests.web.serving import WRITER
from tests.web.test_api import ONE, failure, post

PAGE = {"Accept": "text/html"}
FIELDS = {"section": "Sports", "tags": ["ferry", "storm"], "page": 3, "deep": {"a": [1]}}


def test_metadata_are_returned_as_added_and_can_be_added_again(empty: httpx.Client) -> None:
    assert post(empty, "/article", {**ONE, **FIELDS}).json()["doubts"] == []
    body = empty.get("/article.json", params={"id": "pier"}).json()
    assert body["metadata"] == FIELDS
    assert post(empty, "/article", body).json()["outcome"] == "updated"  # its time, story and so on are fields, too
    assert post(empty, "/article", {**ONE, "metadata": FIELDS}).json()["outcome"] == "updated"
    assert post(empty, "/article", {**ONE, **FIELDS}).json()["outcome"] == "same"
    body = post(empty, "/articles", {"articles": [{**ONE, "section": "Travel"}, {**ONE, "id": "b"}]}).json()
    assert (body["new"], body["updated"], body["same"]) == (["b"], ["pier"], [])
    post(empty, "/article", {**ONE, "text": ONE["text"] + " It is late.", "section": "News"})
    body = empty.get("/article.json", params={"id": "pier"}).json()
    assert (body["metadata"], body["revisions"][0]["metadata"]) == ({"section": "News"}, {"section": "Travel"})


def test_what_is_left_out_is_a_doubt(empty: httpx.Client) -> None:
    body = post(empty, "/article", {**ONE, "big": "x" * 10_001, "section": "a"}).json()
    assert body["doubts"] == ["left out 'big': more than 10,000 bytes of metadata"]
    lines = b"".join(json.dumps({**ONE, "id": id, "big": "x" * 10_001}).encode() + b"\n" for id in "ab")
    first, *_ = empty.post("/articles/stream", content=lines, headers=WRITER).text.splitlines()
    assert json.loads(first)["doubts"] == [
        f"line {line}: left out 'big': more than 10,000 bytes of metadata" for line in (1, 2)
    ]


def test_articles_are_found_and_counted_by_fields(empty: httpx.Client) -> None:
    post(
        empty, "/articles", {"articles": [{**ONE, **FIELDS}, {"id": "b", "text": "Other words.", "section": "Travel"}]}
    )
    for params, count in (
        ({"q": "section:sports"}, 1), ({"field": "section:SPORTS"}, 1),
        ({"field": ["section:sports", "section:travel"]}, 2),
        ({"field": ["section:sports", "tags:ferry"]}, 1), ({"field": "section:none"}, 0), ({"field": "none:x"}, 0),
        ({"field": ""}, 2), ({"q": "section:travel", "field": "tags:ferry"}, 0),
    ):  # fmt: skip
        found = empty.get("/search.json", params=params).json()
        assert found["total_articles"] == count, params
        assert empty.get("/search", params=params, headers=PAGE).status_code == 200
    fields = empty.get("/search.json").json()["facets"]["fields"]
    assert fields["section"] == [{"value": "Sports", "stories": 1}, {"value": "Travel", "stories": 1}]
    assert set(fields) == {"section", "tags", "page"}
    message = failure(empty.get("/search.json", params={"field": "sports"}), 422)
    assert message == "field: expected a name and a value such as section:Sports, got 'sports'"


def test_pages_show_fields_as_links_and_text(empty: httpx.Client) -> None:
    hostile = {"<b>name</b>": "<script>alert(1)</script>", 'quote"': '"><img src=x>', "url": "http://a.com/1"}
    post(empty, "/article", {**ONE, **FIELDS, **hostile})
    text = empty.get("/article", params={"id": "pier"}, headers=PAGE).text
    assert "<script>alert" not in text and "<img src=x>" not in text and "<b>name" not in text
    links = re.findall(r'<dd><a href="([^"]*)"', text)
    assert links[0] == "/search?field=section%3ASports" and len(links) == 5
    for link in links:
        assert "1 matching article" in empty.get(link, headers=PAGE).text
    page = empty.get("/search", params={"field": "section:Sports"}, headers=PAGE).text
    assert "<bdi>section</bdi>" in page and ">remove</a>" in page and "<script>alert" not in page
