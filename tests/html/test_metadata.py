"""Metadata: which source is used, and how its value is cleaned."""

from __future__ import annotations

import json
import pickle
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from samestory.html import Metadata, Page, metadata, parse
from samestory.html.bylines import author_in

RULES = parse("rules")
LATEST = datetime(2024, 6, 1, tzinfo=UTC)
TEXT = "<p>A storm has hit the coast of Norway, and the police said that it was the worst in ten years of storms.</p>"


def known(
    page: str, url: str | None = "https://www.example.com/news/storm", latest: datetime | None = LATEST
) -> Metadata:
    given = Page(page.encode(), url, "utf-8")
    (extraction,) = RULES.extract([given])
    return metadata(given, extraction, latest)


def linked(value: object) -> str:
    return f'<script type="application/ld+json">{json.dumps(value)}</script>'


def test_linked_data_comes_first() -> None:
    found = known(
        linked(
            {
                "@type": "NewsArticle",
                "headline": "Storm hits coast",
                "author": [{"name": "Jane Doe"}, {"name": "John Roe"}],
                "datePublished": "2024-05-12T10:30:00+03:00",
                "dateModified": "2024-05-13",
                "inLanguage": "en-GB",
                "publisher": {"name": "The Times"},
                "isAccessibleForFree": "False",
            }
        )
        + "<meta property=og:title content='Storm hits coast!'><meta name=author content='Somebody Else'>"
        "<meta property=article:published_time content=2020-01-01><link rel=canonical href=/storm>" + TEXT
    )
    assert found == Metadata(
        title="Storm hits coast",
        author="Jane Doe, John Roe",
        published="2024-05-12T10:30:00+03:00",
        modified="2024-05-13",
        language="en",
        source="The Times",
        canonical="https://www.example.com/storm",
        kind="newsarticle",
        free=False,
        origins={
            "title": "json-ld",
            "author": "json-ld",
            "published": "json-ld",
            "modified": "json-ld",
            "language": "json-ld",
            "source": "json-ld",
            "canonical": "meta",
            "kind": "json-ld",
        },
    )
    assert pickle.loads(pickle.dumps(found)) == found


def test_a_canonical_address_of_another_site_is_not_believed() -> None:
    """A copied article declares the canonical URL of the original, which is on another site."""
    assert known(f"<link rel=canonical href=https://other.net/storm>{TEXT}").canonical is None
    assert known(f"<meta property=og:url content=https://other.net/storm>{TEXT}").canonical is None
    both = "<link rel=canonical href=https://other.net/1><meta property=og:url content=https://m.example.com/1>"
    assert known(both + TEXT).canonical == "https://m.example.com/1"
    assert known(f"<link rel=canonical href=https://other.net/1>{TEXT}", None).canonical == "https://other.net/1"


def test_a_page_that_says_nothing_is_known_by_its_address_and_its_text() -> None:
    found = known(TEXT * 3, "https://www.example.com/2024/05/12/storm")
    assert (found.title, found.author, found.canonical) == (None, None, None)
    assert (found.published, found.source, found.language) == ("2024-05-12", "example.com", "en")
    assert found.origins == {"published": "url", "source": "url", "language": "text"}
    assert known("", None) == Metadata()


@pytest.mark.parametrize(
    ("page", "title", "origin"),
    [
        ("<meta property=og:title content='Storm hits coast - Example'>", "Storm hits coast", "open graph"),
        ("<title>Storm hits coast | Example</title><h1>Storm hits coast</h1>", "Storm hits coast", "heading"),
        ("<title>Storm hits coast | Example</title>", "Storm hits coast", "title"),
        ("<title>Storm hits coast | Sport</title>", "Storm hits coast | Sport", "title"),
        ("<meta name=twitter:title content='Storm &amp;amp; rain'>", "Storm & rain", "meta"),
        # a title on which heading and page title agree overrides Open Graph and others
        (
            "<title>Storm hits coast - X</title><h1>Storm hits coast</h1><meta property=og:title "
            "content='All the news'>",
            "Storm hits coast",
            "heading",
        ),
        (
            "<title>Example</title><h1>Storm hits coast</h1><meta property=og:title content=storm_1>",
            "Storm hits coast",
            "heading",
        ),
        ("<title>Storm hits coast</title><h1>example.com</h1>", "Storm hits coast", "title"),
    ],
)
def test_where_the_title_comes_from(page: str, title: str, origin: str) -> None:
    found = known(page + TEXT)
    assert (found.title, found.origins["title"]) == (title, origin)


HEADED = "<title>Storm hits coast</title><h1>Storm hits coast</h1>"


@pytest.mark.parametrize(
    ("page", "published", "origin"),
    [
        ("<meta property=article:published_time content=2024-05-12T10:30:00Z>", "2024-05-12T10:30:00Z", "open graph"),
        ("<meta name=pubdate content='Sun, 12 May 2024 10:30:00 +0300'>", "2024-05-12T10:30:00+03:00", "meta"),
        ("<meta name=date content=20240512>", "2024-05-12", "meta"),
        ("<span itemprop=datePublished content=2024-05-12>May</span>", "2024-05-12", "microdata"),
        ("<time datetime='2024-05-12 10:30'>today</time>", "2024-05-12T10:30:00", "time"),
        ("<p class=date>12 Mayıs 2024 10:30</p>", "2024-05-12T10:30:00", "text"),
        ("<p>12 мая 2024</p>", "2024-05-12", "text"),
        ("<p>By Jane Doe, Oslo | May 12, 2024</p>", "2024-05-12", "text"),
        # the same day again with a time
        ("<meta name=date content=2024-05-12><p class=date>12.05.2024 - 10:30</p>", "2024-05-12T10:30:00", "text"),
        # a later date does not belong to this article
        ("<meta name=date content=2034-05-12><time datetime=1970-01-01></time>", None, None),
        # dates of members, of other articles, of comments
        ("<p>Joined: 12 May 2020</p>", None, None),
        ("<p>x</p>" * 30 + "<p class=date>12 May 2020</p>", None, None),
        (
            "<p>x</p>" * 30 + "<time datetime=2020-05-12>x</time><time datetime=2020-05-13>y</time>",
            "2020-05-12",
            "time",
        ),
        (
            "<p class=date>12 May 2024</p>" + "<p>x</p>" * 30 + "<time datetime=2020-05-12>12.5.20</time>",
            "2024-05-12",
            "text",
        ),
    ],
)
def test_where_the_day_comes_from(page: str, published: str | None, origin: str | None) -> None:
    found = known(HEADED + page)
    assert (found.published, found.origins.get("published")) == (published, origin)


def test_nothing_is_published_after_it_was_fetched() -> None:
    page = Page(b"<meta name=date content=2024-05-12>", fetched="2024-05-01T10:00:00Z")
    (extraction,) = RULES.extract([page])
    assert metadata(page, extraction).published is None
    assert metadata(page, extraction, LATEST).published == "2024-05-12"


def test_the_heading_dates_nothing() -> None:
    assert known("<title>Storm of 12 May 2020</title><h1>Storm of 12 May 2020</h1>").published is None


def test_the_day_in_the_address_stays_when_an_article_is_changed() -> None:
    changed = "<meta property=article:published_time content=2024-05-12>"
    found = known(changed, "https://example.com/2024/03/01/storm")
    assert (found.published, found.origins["published"]) == ("2024-03-01", "url")
    # a zone makes a day of difference, and a slug may name a later day
    assert known(changed, "https://example.com/2024/05/11/storm").published == "2024-05-12"
    assert known(changed, "https://example.com/party-2024-05-30").published == "2024-05-12"
    # but a date only shown on the page is weaker than one in the URL
    assert known(HEADED + "<p>12 May 2020</p>", "https://example.com/2024/05/30/storm").published == "2024-05-30"


def test_a_line_may_say_both_when_it_was_published_and_when_it_was_changed() -> None:
    for line in (
        "Giriş Tarihi: 12.05.2024 10:30 Güncelleme Tarihi: 13.05.2024 09:00",
        "Updated: 13 May 2024 09:00 / Published: 12 May 2024 10:30",
        "Опубликовано 12 мая 2024, 10:30. Обновлено 13 мая 2024, 09:00",
    ):
        found = known(f"<html lang=tr>{HEADED}<div class=meta>{line}</div>")
        assert (found.published, found.modified) == ("2024-05-12T10:30:00", "2024-05-13T09:00:00"), line


def test_nothing_is_changed_before_it_is_published() -> None:
    page = "<meta property=article:published_time content=2024-05-12><meta property=og:updated_time content=2024-05-{}>"
    assert known(page.format(13)).modified == "2024-05-13"
    assert known(page.format(11)).modified is None


@pytest.mark.parametrize(
    ("language", "url", "published"),
    [
        ("en-US", "https://example.com/a", "2024-05-04"),
        ("en-GB", "https://example.com/a", "2024-04-05"),
        ("en", "https://example.co.uk/a", "2024-04-05"),
        ("en", "https://example.com/a", None),
        ("tr", "https://example.com/a", "2024-04-05"),
    ],
)
def test_the_order_of_day_and_month_goes_by_the_language(language: str, url: str, published: str | None) -> None:
    assert known(f"<html lang={language}>{HEADED}<p class=date>05/04/2024</p>", url).published == published


@pytest.mark.parametrize(
    ("page", "language", "origin"),
    [
        ("<html lang=tr-TR>", "tr", "html"),
        ("<meta property=og:locale content=ru_RU>", "ru", "open graph"),
        ("<meta http-equiv=content-language content=de>", "de", "meta"),
        ("<html lang=template>", "en", "text"),
    ],
)
def test_where_the_language_comes_from(page: str, language: str, origin: str) -> None:
    found = known(page + TEXT * 3)
    assert (found.language, found.origins["language"]) == (language, origin)


def test_a_template_that_says_english_is_not_believed_against_the_text() -> None:
    turkish = "<p>Fırtına Karadeniz kıyılarını vurdu ve yetkililer bunun son yılların en büyük fırtınası "
    "olduğunu söyledi.</p>"
    assert known("<html lang=en>" + turkish * 4).language == "tr"
    assert known("<html lang=tr>" + TEXT * 4).language == "tr", "who says Turkish has said so on purpose"


@pytest.mark.parametrize(
    ("href", "canonical"),
    [
        ("/storm?id=1&copy=2", "https://www.example.com/storm?id=1&copy=2"),
        ("//example.com/storm", "https://example.com/storm"),
        ("http://other.example.com/x", "http://other.example.com/x"),
        ("javascript:alert(1)", None),
        ("data:text/html,x", None),
        ("mailto:a@example.com", None),
        ("file:///etc/passwd", None),
        ("https://www.example.com/", None),
        ("http://[", None),
        ("a b", None),
        ("", None),
    ],
)
def test_an_address_is_one_of_the_web(href: str, canonical: str | None) -> None:
    assert known(f'<link rel=canonical href="{href}">').canonical == canonical


def test_the_source_is_the_site_and_not_the_title() -> None:
    assert known("<meta property=og:site_name content='The Times'>").source == "The Times"
    assert known("<meta property=og:site_name content='http://www.times.com/'>").source == "times.com"
    assert known(HEADED + "<meta property=og:site_name content='Storm hits coast'>").source == "example.com"


@pytest.mark.parametrize(
    ("page", "author"),
    [
        ("<meta name=author content='By Jane Doe'>", "Jane Doe"),
        (
            "<meta property=article:author content=https://facebook.com/jane><meta name=byl content='Jane Doe'>",
            "Jane Doe",
        ),
        (
            "<meta name=author content=admin><p class=byline>By JANE DOE and John van Roe | May 12</p>",
            "JANE DOE and John van Roe",
        ),
        ("<a rel=author href=/jane>Jane Doe</a>", "Jane Doe"),
        ("<p>Von Max Mustermann, 12. Mai 2024</p>", "Max Mustermann"),
        ("<p class=author-name>Ayşe Yılmaz</p>", "Ayşe Yılmaz"),
        ("<p class=author-box>Read more of our best stories</p>", None),
        ("<p>By the way, this is no byline</p>", None),
        ("<meta name=author content='jane@example.com'>", None),
    ],
)
def test_who_wrote_it(page: str, author: str | None) -> None:
    assert known(HEADED + page + TEXT).author == author


def test_handles_and_addresses_are_no_names() -> None:
    assert [author_in(text) for text in ("@jane", "http://x.y/z", "www.x.y", "12", "")] == [None] * 5


def test_what_a_page_says_is_cleaned_and_bounded() -> None:
    dirty = "A\x01\x02B\u202ec\ud800d" + "x" * 5000
    found = known(
        linked({"@type": "Article", "headline": dirty, "author": dirty * 2, "publisher": {"name": "P" + dirty}})
    )
    for value, begin in ((found.title, "A Bcdxxx"), (found.source, "PA Bcdxxx")):
        assert value is not None
        assert value.startswith(begin)
        assert len(value) == 500
    assert found.author is None, "no name is as long as that"


_ANY = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(max_size=9)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.sampled_from(
                ["@type", "@id", "@graph", "headline", "name", "author", "datePublished", "url", "publisher",
                 "mainEntityOfPage", "inLanguage", "isAccessibleForFree", "dateModified", "creator", "dateCreated"]
            ),
            st.one_of(inner, st.sampled_from(["NewsArticle", "WebPage", "2024-05-12", "#a", "tr"])),
            max_size=5,
        ),
    ),
    max_leaves=20,
)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(_ANY)
def test_linked_data_of_any_shape_is_no_reason_to_stop(value: object) -> None:
    found = known(linked(value) + HEADED)
    for name in ("title", "author", "published", "modified", "language", "source", "canonical", "kind"):
        value = getattr(found, name)
        assert value is None or (isinstance(value, str) and value and value.isprintable())
        assert (value is None) == (name not in found.origins)
