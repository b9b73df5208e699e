"""Feeds to articles: the fields of RSS and Atom, and the articles of entries."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from samestory.errors import InputError
from samestory.feeds import Feed, parse
from samestory.feeds.dates import parse_date
from samestory.model import Article

URL = "https://news.example/rss"
CONTENT = 'xmlns:content="http://purl.org/rss/1.0/modules/content/"'


def rss(*items: str, about: str = "<title>News</title>") -> str:
    joined = "".join(f"<item>{item}</item>" for item in items)
    return f'<?xml version="1.0"?><rss version="2.0" {CONTENT}><channel>{about}{joined}</channel></rss>'


def atom(entry: str, attributes: str = "") -> str:
    return f'<feed xmlns="http://www.w3.org/2005/Atom" {attributes}><title>News</title><entry>{entry}</entry></feed>'


def parsed(text: str, url: str = URL, **given: Any) -> Feed:
    return parse(text.encode(), url, **given)


def one(text: str, url: str = URL) -> Article:
    (article,) = parsed(text, url).articles
    return article


def test_rss_2_fields() -> None:
    feed = parsed(
        rss(
            "<title>Storm hits coast</title><link>https://news.example/1</link><guid>https://news.example/1</guid>"
            "<pubDate>Sun, 12 May 2024 10:30:00 +0300</pubDate><description>In short.</description>"
            "<content:encoded><![CDATA[<p>A storm has hit.</p><p>Two bridges closed.</p>]]></content:encoded>",
            about="<title>News &amp; more</title><link>https://news.example/</link><language>tr-TR</language><ttl>30</ttl>",
        )
    )
    assert (feed.title, feed.site, feed.ttl, feed.warnings) == ("News & more", "https://news.example/", 1800.0, ())
    assert feed.articles == (
        Article(
            id="https://news.example/1",
            text="A storm has hit.\nTwo bridges closed.",
            title="Storm hits coast",
            published="2024-05-12T10:30:00+03:00",
            url="https://news.example/1",
            source="News & more",
            lang="tr",
        ),
    )


def test_rss_1_fields() -> None:
    article = one(
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/"><channel rdf:about="https://news.example/"><title>R</title>'
        '<link>https://news.example/</link></channel><item rdf:about="https://news.example/1"><title>Rain</title>'
        "<link>https://news.example/1</link><description>It rains.</description>"
        "<dc:date>2024-05-12T10:30+03:00</dc:date></item></rdf:RDF>"
    )
    assert (article.id, article.text, article.title) == ("https://news.example/1", "It rains.", "Rain")
    assert (article.published, article.source) == ("2024-05-12T10:30:00+03:00", "R")


def test_atom_fields_and_language() -> None:
    article = one(
        atom(
            "<id>https://news.example/1</id><title>Дождь</title><link href='1.html'/>"
            "<updated>2024-05-13T00:00:00Z</updated><published>2024-05-12T10:30:00Z</published>"
            "<content type='xhtml'><div xmlns='http://www.w3.org/1999/xhtml'>"
            "<p>Идёт <b>дождь</b>.</p><script>alert(1)</script></div></content>",
            'xml:lang="ru-RU" xml:base="https://news.example/2024/"',
        )
    )
    assert (article.text, article.lang, article.url) == ("Идёт дождь.", "ru", "https://news.example/2024/1.html")
    assert article.published == "2024-05-12T10:30:00+00:00"


def test_the_text_is_the_longer_of_content_and_summary_or_the_title() -> None:
    both = "<description>A whole article stands here.</description><content:encoded>Short</content:encoded>"
    assert one(rss(both)).text == "A whole article stands here."
    assert one(rss("<title>Only a title</title>")).text == "Only a title"
    assert parsed(rss("<link>https://news.example/1</link>", "<title> - </title>")).warnings == (
        "entries without text: 2",
    )


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("one&lt;br&gt;two", "one\ntwo"),
        ("&lt;p&gt;one&lt;/p&gt;&lt;p&gt;two &lt;b&gt;three&lt;/b&gt;&lt;/p&gt;", "one\ntwo three"),
        ("AT&amp;amp;T &amp;lt;3", "AT&T <3"),
        ("1 &lt; 2 and 3 &gt; 2", "1 < 2 and 3 > 2"),
        ("caf&eacute; &#8220;x&#8221;", "café “x”"),
        ("a&lt;script&gt;alert(1)&lt;/script&gt;b", "a\nb"),
        ("a&lt;style&gt;p{}&lt;/style&gt;&lt;!-- c --&gt;b", "a\nb"),
        ("a&lt;iframe&gt;frame&lt;/iframe&gt; b", "a\nb"),
        ("&lt;p&gt;a&lt;p style='display:none'&gt;hidden", "a"),
        ("<![CDATA[<p>one & two</p>]]>", "one & two"),
        ("%PDF-1.4 is how files begin", "%PDF-1.4 is how files begin"),
        ("GIF89a &lt;b&gt;too&lt;/b&gt;", "GIF89a too"),
        ("&lt;meta charset=koi8-r&gt;ü", "ü"),
    ],
)
def test_markup_becomes_plain_text(markup: str, text: str) -> None:
    assert one(rss(f"<description>{markup}</description>")).text == text


def test_scripts_are_removed_from_every_field() -> None:
    evil = "&lt;script&gt;alert(1)&lt;/script&gt;"
    feed = parsed(
        rss(
            f"<title>a{evil}</title><link>javascript:alert(1)</link><guid>{evil}</guid><pubDate>{evil}</pubDate>"
            f"<description>b{evil}&lt;img src=x onerror=alert(1)&gt;</description>",
            about=f"<title>c{evil}</title><link>data:text/html,{evil}</link><language>{evil}</language>",
        )
    )
    (article,) = feed.articles
    assert (article.title, article.text, article.url, article.published, article.lang) == ("a", "b", None, None, None)
    assert (feed.title, feed.site) == ("c", None)
    assert article.id == f"{URL}#<script>alert(1)</script>", "an id is text, and shown as such"


def test_atom_plain_text_is_kept_even_if_it_looks_like_markup() -> None:
    article = one(
        atom("<id>1</id><title type='text'>1 &lt;b&gt; 2 &amp;amp; 3</title><summary>a &lt;br&gt; b</summary>")
    )
    assert (article.title, article.text) == ("1 <b> 2 &amp; 3", "a <br> b")


def test_ids_of_two_feeds_never_collide() -> None:
    for guid in ("1", "tag:x,2024:1", "urn:uuid:1", "https://other.example/1", "//news.example/1", "news.example/1"):
        entry = f"<guid>{guid}</guid><title>T</title>"
        ids = {one(rss(entry), url).id for url in (URL, "https://news.example/sport", "https://third.example/rss")}
        assert len(ids) == 3, guid


def test_a_url_of_the_feeds_own_server_is_used_as_id() -> None:
    entry = "<guid>https://www.news.example/1</guid><title>T</title>"
    for url in ("https://www.news.example/rss", "https://www.news.example:443/sport", "https://WWW.news.example/a/b"):
        assert one(rss(entry), url).id == "https://www.news.example/1"
    for url in (
        "http://www.news.example/rss",
        "https://www.news.example:8443/rss",
        "https://news.example/rss",
        "https://rss.news.example/",
        "https://ews.example/rss",
        "https://other.example/rss",
        "https://a.www.news.example/",
    ):
        assert one(rss(entry), url).id == f"{url}#https://www.news.example/1"


def test_no_id_can_be_that_of_an_entry_of_another_feed() -> None:
    """The id of entry 1 of the feed /a is a URL of the server of the feed /b."""
    first = one(rss("<guid>1</guid><title>T</title>"), "https://news.example/a").id
    other = one(rss(f"<guid>{first}</guid><title>T</title>"), "https://news.example/b").id
    assert first == "https://news.example/a#1" and other == f"https://news.example/b#{first}"


def test_without_a_guid_the_link_is_the_id_and_else_a_hash() -> None:
    assert one(rss("<title>T</title><link>/1</link>")).id == "https://news.example/1"
    first, same, other = (one(rss(f"<title>{title}</title>")).id for title in ("a", "a", "b"))
    assert first == same != other and first.startswith(f"{URL}#")
    assert len(one(rss(f"<title>T</title><guid>{'x' * 100_000}</guid>")).id) < 200


def test_a_repeated_id_is_used_once() -> None:
    feed = parsed(rss("<guid>1</guid><title>a</title>", "<guid>1</guid><title>b</title>"))
    assert [article.text for article in feed.articles] == ["a"]
    assert feed.warnings == ("entries with the id of an earlier one: 1",)


def test_the_source_of_a_feed_without_a_title_is_its_host() -> None:
    assert one(rss("<title>T</title>", about="")).source == "news.example"


def test_the_newest_of_too_many_entries_are_kept() -> None:
    days = [f"<title>d{day}</title><pubDate>{day:02} May 2024 10:00:00 GMT</pubDate>" for day in (3, 9, 1, 7, 5)]
    feed = parsed(rss(*days, "<title>undated</title>"), most=3)
    assert [article.title for article in feed.articles] == ["d9", "d7", "d5"]
    assert "only the newest 3 of" in feed.warnings[0]
    undated = rss(*(f"<title>t{number}</title>" for number in range(5)))
    assert [article.title for article in parsed(undated, most=2).articles] == ["t0", "t1"]


@pytest.mark.parametrize(
    ("broken", "titles"),
    [
        (rss("<title>A & B</title>", "<title>C</title>"), ["A & B", "C"]),
        (rss("<title>A</title>", "<title>C</title>")[:-20], ["A", "C"]),
        (rss("<title>A</title><description>x<br>y</description>", "<title>C</title>"), ["A", "C"]),
        (rss("<title>A &unknown; b</title>", "<title>C</title>"), ["A &unknown; b", "C"]),
        (rss("<title>A\x08\x00</title>", "<title>C</title>"), ["A", "C"]),
        ("junk before " + rss("<title>A</title>"), ["A"]),
        (rss("<title>A</title>") + "<junk>", ["A"]),
        (rss("<title>A</title><dc:x>undeclared</dc:x>"), ["A"]),
        (rss("<link>/x?a=1&b=2</link><title>A</title>"), ["A"]),
    ],
)
def test_broken_xml_is_read_as_far_as_possible(broken: str, titles: list[str]) -> None:
    feed = parsed(broken)
    assert [article.title for article in feed.articles] == titles


def test_broken_xml_causes_a_warning_with_its_line() -> None:
    assert parsed(rss("<title>A\n & B</title>")).warnings == ("invalid XML: not well-formed (invalid token) in line 2",)


@pytest.mark.parametrize(
    "raw", [b"", b"  ", b"hello", b"<html><body><p>x</p></body></html>", b"\x89PNG\r\n", b"{}", b"<"]
)
def test_a_document_that_is_not_a_feed_is_refused(raw: bytes) -> None:
    with pytest.raises(InputError, match="not a feed"):
        parse(raw, URL, "text/html")


def test_a_feed_without_entries_is_a_feed() -> None:
    assert parsed(rss()).articles == ()


@pytest.mark.parametrize(
    ("written", "iso"),
    [
        ("Sun, 12 May 2024 10:30:00 GMT", "2024-05-12T10:30:00+00:00"),
        ("Sun, 12 May 2024 10:30:00 EST", "2024-05-12T10:30:00-05:00"),
        ("Sun, 12 May 2024 10:30:00 MSK", "2024-05-12T10:30:00+03:00"),
        ("12 May 24 10:30 +0300", "2024-05-12T10:30:00+03:00"),
        ("2024-05-12T10:30:00.123Z", "2024-05-12T10:30:00+00:00"),
        ("2024-05-12", "2024-05-12T00:00:00+00:00"),
        ("2024-05-12 10:30:00", "2024-05-12T10:30:00+00:00"),
        ("12 Mayıs 2024 10:30", "2024-05-12T10:30:00+00:00"),
        ("12 мая 2024 10:30", "2024-05-12T10:30:00+00:00"),
        ("0001-01-01T00:00:00Z", None),
        ("2099-01-01T00:00:00Z", None),
        ("Thu, 01 Jan 1970 00:00:00 GMT", None),
        ("yesterday", None),
        ("", None),
        ("Sun, 99 Foo 2024 99:99:99 +9999", None),
    ],
)
def test_dates_are_parsed(written: str, iso: str | None) -> None:
    article = one(rss(f"<title>T</title><pubDate>{written}</pubDate>"))
    assert article.published == iso


@given(st.one_of(st.text(max_size=60), st.from_regex(r"\w{3}, \d{1,5} \w{3} \d{1,6} [\d:]{1,12} [+-]?\w{1,6}")))
def test_any_date_is_a_time_with_a_zone_or_none(written: str) -> None:
    at = parse_date(written, latest=datetime(2030, 1, 1, tzinfo=UTC))
    assert at is None or at.tzinfo is not None


@given(st.binary(max_size=300), st.sampled_from(["", "<rss version='2.0'><channel><item>", "<feed><entry><title>"]))
def test_bytes_are_a_feed_or_refused(raw: bytes, begin: str) -> None:
    try:
        feed = parse(begin.encode() + raw, URL)
    except InputError:
        return
    assert all(article.flaw is None and article.text for article in feed.articles)


MARKS = st.sampled_from([
    "<item>", "</item>", "<title>", "</title>", "<![CDATA[", "]]>", "&", "&amp;", "&lt;", "<", ">", "<!--", "-->",
    "<content:encoded>", "</content:encoded>", "<guid>", "</guid>", "<pubDate>", "2024-05-12", "</pubDate>", "text",
    "<!DOCTYPE a [", "<!ENTITY a 'b'>", "]>", "&a;", "<link>", "</link>", "http://x/", "<description>", "\n", "<a b='",
    "</description>",
])  # fmt: skip


@given(st.lists(MARKS, max_size=40))
def test_fragments_of_feeds_in_any_order_are_a_feed_or_refused(pieces: list[str]) -> None:
    for text in ("".join(pieces), rss("".join(pieces))):
        try:
            feed = parsed(text, most=3)
        except InputError:
            continue
        assert len(feed.articles) <= 3
        assert all(article.flaw is None and article.text.strip() for article in feed.articles)
