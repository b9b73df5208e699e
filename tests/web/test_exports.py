"""Atom, RSS, CSV, JSON lines and OPML of pages, the page of the API, and what robots ask for."""

from __future__ import annotations

import csv
import io
import json
import re
import shlex
from html import unescape
from pathlib import Path
from urllib.parse import urlsplit
from xml.etree import ElementTree

import httpx
import pytest

from samestory.archive import Archive
from samestory.archive.stories import newest_members
from samestory.feeds.list import parse_list
from samestory.feeds.parse import parse
from samestory.web.localization import LANGUAGES
from tests.web.serving import WRITER, serving

ATOM = {"a": "http://www.w3.org/2005/Atom"}
HTML = {"accept": "text/html"}
HOSTILE = "<script>alert(1)</script>]]>&\x00\x1b[2J\ud800\uffff"


@pytest.mark.parametrize("form", ["atom", "rss"])
@pytest.mark.parametrize("path", ["/index", "/search", "/story/1"])
def test_feeds_can_be_followed(client: httpx.Client, form: str, path: str) -> None:
    params = {"q": "harbour"} if path == "/search" else {}
    answer = client.get(f"{path}.{form}", params=params)
    assert answer.status_code == 200 and answer.headers["content-type"] == f"application/{form}+xml; charset=utf-8"
    feed = parse(answer.content, str(answer.url), answer.headers["content-type"])
    assert not feed.warnings and feed.title
    page = client.get(f"{path}.json", params=params).json()
    expected = len(page["members"] if "members" in page else page["stories"])
    assert expected <= len(feed.articles) <= 50
    assert len({article.id for article in feed.articles}) == len(feed.articles)
    for article in feed.articles:
        assert article.url and article.url.startswith(str(client.base_url)) and article.published
        assert (
            client.get(urlsplit(article.url).path, params=urlsplit(article.url).query, headers=HTML).status_code == 200
        )


def test_an_entry_of_a_story_states_its_relation_and_its_time(client: httpx.Client, archive: Archive) -> None:
    root = ElementTree.fromstring(client.get("/story/1.atom").content)
    entries = root.findall("a:entry", ATOM)
    members = newest_members(archive.database, 1, 50)
    assert [entry.findtext("a:title", "", ATOM) for entry in entries] == [one.title for one in members]
    assert [entry.findtext("a:updated", "", ATOM) for entry in entries] == [one.time.isoformat() for one in members]
    summaries = [entry.findtext("a:summary", "", ATOM) for entry in entries]
    assert summaries[0] == "nearly the same as Fenmoor Post, 92% of its text also appears there"
    assert summaries[-1] == "First article of the story."
    turkish = client.get("/story/1.atom", headers={"accept-language": "tr"}).text
    assert "Ostrel Wire haberinin kopyası" in turkish and 'xml:lang="tr"' in turkish


def test_a_search_is_a_table(client: httpx.Client) -> None:
    found = client.get("/search.json", params={"q": "lang:en", "limit": 200}).json()
    lines = client.get("/search.jsonl", params={"q": "lang:en"})
    assert lines.headers["content-type"] == "application/jsonl; charset=utf-8"
    assert [json.loads(line) for line in lines.text.splitlines()] == found["stories"]
    table = client.get("/search.csv", params={"q": "lang:en"})
    assert table.headers["content-type"] == "text/csv; charset=utf-8"
    rows = list(csv.DictReader(io.StringIO(table.text)))
    assert [(int(row["story"]), row["title"], int(row["articles"])) for row in rows] == [
        (one["number"], one["representative"]["title"], one["articles"]) for one in found["stories"]
    ]


def test_a_story_is_a_table(client: httpx.Client) -> None:
    members = client.get("/story/1.json").json()["members"]
    lines = client.get("/story/1.jsonl").text.splitlines()
    assert [json.loads(line) for line in lines] == members
    rows = list(csv.DictReader(io.StringIO(client.get("/story/1.csv").text)))
    assert [row["id"] for row in rows] == [one["id"] for one in members]
    assert [row["depends_on"] for row in rows] == [(one["depends"] or {"right": ""})["right"] for one in members]
    assert [float(row["share_there"] or 0) for row in rows] == [
        (one["depends"] or {"forward": 0})["forward"] for one in members
    ]


def test_hostile_texts_stay_texts(client: httpx.Client, archive: Archive) -> None:
    title = f"=cmd()|{HOSTILE}".replace("\ud800", "").replace("\x00", "")
    archive.add([{"id": "bad", "title": title, "text": "A quay.",
                  "source": "+1", "url": "javascript:alert(1)"}])  # fmt: skip
    number = archive.articles(["bad"])["bad"].story
    for form in ("atom", "rss"):
        body = client.get(f"/story/{number}.{form}").content
        ElementTree.fromstring(body)
        assert b"<script" not in body and b"javascript:" not in body
    (row,) = csv.DictReader(io.StringIO(client.get(f"/story/{number}.csv").text))
    assert row["title"].startswith("'=cmd()") and row["source"] == "'+1"
    page = client.get(f"/story/{number}", headers=HTML).text
    assert "<script>alert" not in page and 'property="og:title"' in page


def test_opml_is_a_list_of_feeds_that_follow_reads(client: httpx.Client, archive: Archive) -> None:
    with archive.database.write() as session:
        session.insert(
            "feeds", ("url", "title"), [("https://a.example/feed?x=1&y=2", 'A & "B"'), ("https://b.example/", None)]
        )
    body = client.get("/feeds.opml").content
    outlines = ElementTree.fromstring(body).findall("body/outline")
    assert [(one.get("text"), one.get("xmlUrl")) for one in outlines] == [
        ('A & "B"', "https://a.example/feed?x=1&y=2"),
        ("https://b.example/", "https://b.example/"),
    ]
    assert "/feeds.opml" in client.get("/status", headers=HTML).text
    assert parse_list(body)[0] == ["https://a.example/feed?x=1&y=2", "https://b.example/"]


def test_pages_link_their_feeds_and_have_a_card(client: httpx.Client) -> None:
    for path in ("/", "/search?q=harbour", "/story/1"):
        page = client.get(path, headers=HTML).text
        links = re.findall(r'<link rel="alternate" type="application/(?:atom|rss)\+xml" [^>]*href="([^"]+)"', page)
        assert len(links) == 2
        links += re.findall(r'<a href="([^"]+\.(?:atom|rss|csv|jsonl)[^"]*)"', page)
        for link in links:
            assert client.get(unescape(link)).status_code == 200, link
    assert '<meta property="og:title" content="Fish quay in Brackwater' in page
    assert f'<meta property="og:url" content="{str(client.base_url).rstrip("/")}/story/1">' in page
    assert '<meta property="og:description" content="5 articles from 5 sources, 1 independent text.">' in page


def test_robots_and_icons(client: httpx.Client) -> None:
    robots = client.get("/robots.txt")
    assert robots.headers["content-type"].startswith("text/plain") and "Disallow: /search" in robots.text
    icon = client.get("/favicon.ico", follow_redirects=True)
    assert icon.status_code == 200 and icon.headers["content-type"].startswith("image/")


def test_refusals_of_other_formats(client: httpx.Client) -> None:
    assert client.get("/story/99999.atom").status_code == 404
    assert client.get("/story/99999.csv").status_code == 404
    assert client.get("/search.xml").status_code == 422
    assert client.get("/search.csv", params={"cursor": "x"}).status_code == 422


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_page_of_the_api_has_every_operation_with_an_example(client: httpx.Client, code: str) -> None:
    page = client.get("/api", headers={**HTML, "accept-language": code})
    assert page.status_code == 200
    document = client.get("/openapi.json").json()
    for path, methods in document["paths"].items():
        for method in methods:
            assert f"<code>{method.upper()} {path}</code>" in page.text
    assert page.text.count("<pre") == sum(map(len, document["paths"].values()))


def test_the_examples_of_the_api_work(tmp_path: Path) -> None:
    with Archive.open(tmp_path / "examples.db") as made, serving(made) as client:
        texts = {"a1": "The harbour board voted to close the quay.", "a2": "Snow fell in the hills on Sunday."}
        made.add([{"id": id, "text": text, "source": "Post"} for id, text in texts.items()])
        page = client.get("/api", headers=HTML).text
        story = made.articles(["a1"])["a1"].story
        for command in map(unescape, re.findall(r"<pre[^>]*><code>(.*?)</code></pre>", page, re.DOTALL)):
            words = shlex.split(command)
            address = words[-1].replace("/story/1.", f"/story/{story}.")
            method = "POST" if "-d" in words else words[words.index("-X") + 1] if "-X" in words else "GET"
            if address.endswith("/events") or method == "DELETE":
                continue
            body = words[words.index("-d") + 1] if "-d" in words else None
            kind = next((word.partition(": ")[2] for word in words if word.startswith("Content-Type")), "")
            headers = {**(WRITER if "Authorization" in command else {}), "Content-Type": kind}
            answer = client.request(method, address, content=body, headers=headers)
            assert answer.status_code == 200, (command, answer.text)
