"""Every number and word about articles on the pages of stories, against the articles and `samestory.explain`."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from html import unescape
from pathlib import Path
from typing import NamedTuple
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from samestory import Article, explain, read
from samestory.archive import Archive
from samestory.archive.stories import relations, story
from samestory.model import Kind
from tests.conftest import DEMO
from tests.web.serving import serving

#: Links between articles that are checked, chosen at random with this seed.
LINKS, SEED = 50, 20

#: What each kind is called, before the name of the other article.
WORDS = {
    "IDENTICAL": "a copy of",
    "NEAR": "nearly the same as",
    "UPDATE": "an update of",
    "PART_OF": "contained in",
    "HAS_PART": "contains",
    "SHARES_TEXT": "uses passages that are also in",
}
LIKELY = re.compile("(almost certainly|very probably|probably|possibly) the same event as")
HTML = {"accept": "text/html", "accept-language": "en"}

STORM = (
    "A storm tore the roof off the covered market in Lindholm on Thursday, injuring four traders. Firefighters closed"
    " the square and moved two hundred people to the town hall, mayor Ida Brandt said. The market will stay shut until"
    " May."
)
QUAKE = (
    "An earthquake of magnitude 5.8 damaged three hundred houses in Varanda on Friday. Governor Tomas Reyes asked for"
    " tents and water. The quake was felt as far as Port Selwyn, and schools stayed closed.",
    "Hundreds of homes in Varanda were damaged when a magnitude 5.8 earthquake struck on Friday, governor Tomas Reyes"
    " said. Residents of Port Selwyn felt it as well; tents were on the way and schools stayed closed.",
)


def made_articles() -> list[Article]:
    """Articles of which the relations are known: copies, parts, one event in other words, undated and untitled ones."""
    day = "2026-04-0{}T0{}:00:00Z".format
    words = STORM.split()
    return [
        Article("storm-1", STORM, "Storm hits market", day(2, 1), None, "Lindholm Post", "en"),
        Article("storm-2", STORM, "Roof torn off market", None, None, "Undated Gazette", "en"),
        Article("storm-3", STORM, None, day(2, 5), None, "Untitled Herald", "en"),
        Article("storm-4", " ".join(words[:31]), "Storm in brief", day(2, 6), None, "Short News", "en"),
        Article("storm-5", f"{STORM} {QUAKE[0]} {QUAKE[1]}", "Week in review", day(4, 7), None, "The Weekly", "en"),
        Article("quake-1", QUAKE[0], "Quake in Varanda", day(3, 1), None, "Selwyn Times", "en"),
        Article("quake-2", QUAKE[1], "Homes damaged by earthquake in Varanda", day(3, 4), None, "Reyes Daily", "en"),
        Article("lone", "Words about a quiet day without news in the hills.", None, None, None, None, "en"),
    ]


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Archive]:
    with Archive.open(tmp_path_factory.mktemp("words") / "news.db") as made:
        made.add([*read(DEMO / "news.jsonl"), *made_articles()])
        yield made


@pytest.fixture(scope="module")
def client(archive: Archive) -> Iterator[httpx.Client]:
    with serving(archive) as client_of_server:
        yield client_of_server


class Link(NamedTuple):
    """A link to two articles side by side, with the words before it, from the side of the article `own`."""

    own: str
    other: str
    words: str


def first(pattern: re.Pattern[str], text: str) -> str:
    """The first group of the first match."""
    match = pattern.search(text)
    assert match, (pattern.pattern, text)
    return str(match[1])


def plain(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


def links_of(page: str, own: str | None = None) -> Iterator[Link]:
    for words, address in re.findall(r'<p class="relation">(.*?)<a href="(/compare\?[^"]+)"', page, re.DOTALL):
        sides = parse_qs(urlsplit(unescape(address)).query)
        left, right = sides["left"][0], sides["right"][0]
        if "independent text" not in words:
            yield Link(own, right if own == left else left, plain(words)) if own else Link(right, left, plain(words))


def all_links(client: httpx.Client, archive: Archive) -> list[Link]:
    with archive.database.read() as session:
        ids = [id for (id,) in session.rows("SELECT id FROM articles")]
        stories = [number for (number,) in session.rows("SELECT DISTINCT story FROM articles")]
    out = [link for number in stories for link in links_of(client.get(f"/story/{number}", headers=HTML).text)]
    for id in ids:
        out += links_of(client.get("/article", params={"id": id}, headers=HTML).text, id)
    return out


def percent(share: float) -> str:
    rounded = int(share * 100 + 0.5)
    return f"{max(1, min(99, rounded)) if 0 < share < 1 else rounded}%"


def test_the_archive_has_every_kind_of_relation(archive: Archive) -> None:
    with archive.database.read() as session:
        kinds = {kind for (kind,) in session.rows("SELECT DISTINCT kind FROM relations")}
    assert {"IDENTICAL", "NEAR", "UPDATE", "PART_OF", "SAME_EVENT"} <= kinds


def test_random_links_state_what_explain_finds_for_the_very_pair(client: httpx.Client, archive: Archive) -> None:
    found = all_links(client, archive)
    chosen = random.Random(SEED).sample(found, LINKS)
    chosen += [link for link in found if "same event" in link.words][:10]
    kinds = set()
    for own, other, words in chosen:
        stored = archive.articles([own, other])
        relation = next(each for each in relations(archive.database, own) if other in (each.left, each.right))
        detector = archive.detector(relation.detector)
        explained = explain(stored[own].article, stored[other].article, detector=detector)
        assert explained.relation_from_left is not None, (own, other)
        kind, (forward, backward) = str(explained.relation_from_left.kind), explained.overlap
        kinds.add(kind)
        if kind == "SAME_EVENT":
            assert LIKELY.search(words) and "%" not in words, words
            wanted = {"almost certainly": 0.95, "very probably": 0.8, "probably": 0.5, "possibly": 0.0}
            assert wanted[first(LIKELY, words)] <= forward, (words, forward)
        elif kind == "NEAR" and min(forward, backward) < 0.5:
            assert "partly the same text as" in words
        else:
            updated = kind == "UPDATE" and explained.relation is not None and explained.newer == other
            assert ("updated by" if updated else WORDS[kind]) in words, words
        name = stored[other].article.source or (stored[other].article.title or "")
        assert name in words, (name, words)
        shares = re.findall(r"(\d+%) of (its|that) text", words)
        if "(in this story)" in words:  # of another story: "here" and "there" would be unclear
            assert shares == []
        elif kind == "IDENTICAL":
            assert shares == [] and forward == backward == 1
        elif kind == "HAS_PART":
            assert shares == [(percent(backward), "that")], (words, backward)
        elif kind != "SAME_EVENT":
            assert shares == [(percent(forward), "its")], (words, forward)
        side = plain(client.get("/compare", params={"left": own, "right": other}, headers=HTML).text)
        if kind == "SAME_EVENT":
            assert "report the same event" in side and "First text also" not in side
        else:
            assert f"First text also in the second {percent(forward)}" in side
            assert f"Second text also in the first {percent(backward)}" in side
        gap = re.search(r"(\d+) (minute|hour|day)s? later", words)
        if gap:
            times = [stored[id].at for id in (own, other)]
            length = abs(times[0] - times[1]) / 6e7
            unit = {"minute": 1, "hour": 60, "day": 1440}[gap[2]]
            assert int(gap[1]) == int(length // unit), words
    assert {"IDENTICAL", "NEAR", "SAME_EVENT"} <= kinds


def cards(page: str) -> list[str]:
    return re.findall(r'<article class="story".*?</article>', page, re.DOTALL)


def front_cards(client: httpx.Client) -> Iterator[tuple[str, dict[str, object]]]:
    """Every card of the front pages, with the same story as JSON."""
    cursor = None
    while True:
        params = {"cursor": cursor} if cursor else {}
        data = client.get("/index.json", params=params).json()
        shown = cards(client.get("/", params=params, headers=HTML).text)
        assert len(shown) == len(data["stories"])
        yield from zip(shown, data["stories"], strict=True)
        if (cursor := data["cursor"]) is None:
            return


def test_bylines_counts_and_times_of_the_front_page(client: httpx.Client, archive: Archive) -> None:
    latest_apart = undated = 0
    for card, hit in front_cards(client):
        number = int(first(re.compile(r'href="/story/(\d+)"'), card))
        whole = story(archive.database, number)
        best = archive.articles([hit["representative"]["id"]])
        (stored,) = best.values()
        byline = plain(card.split("<h3")[0])
        assert byline.startswith(stored.article.source or "Unknown source")
        own, newest = whole.last if stored.article.id == whole.last.id else None, whole.last
        time = next(member.time for member in whole.members if member.id == stored.article.id)
        written = re.search(r" · (received )?(?:(\d+ \w+ \d{4}), )?(\d\d:\d\d)", byline)
        assert written and written[3] == f"{time:%H:%M}", byline
        assert bool(written[1]) == (stored.at is None), byline
        undated += stored.at is None
        if time.date() != newest.time.date():
            assert written[2] == f"{time.day} {time:%b %Y}"
        if own is None:
            latest_apart += 1
            is_received = archive.articles([newest.id])[newest.id].at is None
            phrase = "latest received {} from {}" if is_received else "latest {} by {}"
            assert phrase.format(f"{newest.time:%H:%M}", newest.source) in byline, byline
        else:
            assert "latest" not in byline
        if len(whole.members) > 1:
            counts = plain(first(re.compile(r"<summary>(.*?)</summary>", re.DOTALL), card))
            assert f"{len(whole.members)} articles · {len(whole.sources)} source" in counts
            assert f"{whole.texts} independent text" in counts
    assert latest_apart > 2 and undated > 0


def test_the_page_of_a_story_counts_its_articles_sources_and_kinds(client: httpx.Client, archive: Archive) -> None:
    with archive.database.read() as session:
        stories = [number for (number,) in session.rows("SELECT DISTINCT story FROM articles")]
    for number in stories:
        whole = story(archive.database, number)
        text = plain(client.get(f"/story/{number}", headers=HTML).text)
        count = len(whole.members)
        noun = "article" if count == 1 else "articles"
        if whole.sources:
            assert f"{count} {noun} from {len(whole.sources)} source" in text
        assert f"{whole.texts} independent text" in text
        singular = {Kind.IDENTICAL: ("copy", "copies"), Kind.UPDATE: ("update", "updates")}
        for kind, names in singular.items():
            found = sum(1 for member in whole.members if member.kind is kind)
            assert (f"{found} {names[found > 1]}" in text) == (found > 0), (number, kind)


def test_undated_and_untitled_articles_are_named_as_such(client: httpx.Client, archive: Archive) -> None:
    stored = archive.articles(["storm-1", "lone"])
    page = plain(client.get(f"/story/{stored['storm-1'].story}", headers=HTML).text)
    today = datetime.now(UTC)
    assert f"received {today.day} {today:%b %Y}" in page
    assert "A storm tore the roof off the covered market in Lindholm on Thursday, injuring" in page
    assert "storm-3" not in page
    page = client.get(f"/story/{stored['lone'].story}", headers=HTML).text
    assert "<title>Words about a quiet day without news in the hills. – samestory</title>" in page
    assert "its publication time is unknown" in page and "Published" not in plain(page)


def test_languages_have_names_and_searches_say_when_they_are_empty(client: httpx.Client) -> None:
    def found(**params: str) -> str:
        return plain(client.get("/search", params=params, headers=HTML).text)

    everything = found(q="")
    assert "Turkish" in everything and "Russian" in everything and "English" in everything
    assert "The search has no words, so every story is listed." in everything
    for query in ("!!!", "   ", '""'):
        assert "every story is listed" in found(q=query), query
    assert "every story with the chosen filters is listed" in found(q="", lang="tr")
    assert "every story with the chosen filters is listed" in found(q="lang:tr")
    assert "has no words" not in found(q="harbour") and "has no words" not in found(q="-harbour")


def test_status_calls_a_truncated_feed_truncated(tmp_path: Path) -> None:
    with Archive.open(tmp_path / "feeds.db") as made, serving(made) as client:
        with made.database.write() as session:
            rows = [
                ("https://a.example/", "Cut", "wrong encoding; the document ends too early, in line 9"),
                ("https://b.example/", "Odd", "wrong encoding"),
                ("https://c.example/", "Good", None),
            ]
            session.insert("feeds", ("url", "title", "warning"), rows)
        page = plain(client.get("/status", headers=HTML).text)
    assert "Cut ! truncated: the end of the feed is missing" in page
    assert "Odd ! read with warnings" in page and "Good ✓ ok" in page
