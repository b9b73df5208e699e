"""Linked data: which object describes the article, and what is read from broken scripts."""

from __future__ import annotations

import json

import pytest

from samestory.html.linked_data import LinkedData, bare, repaired

ARTICLE = {"@type": "NewsArticle", "headline": "Storm hits coast", "url": "https://example.com/storm"}


def chosen(*values: object, address: str = "example.com/storm", title: str = "Storm hits coast") -> object:
    return LinkedData(tuple(json.dumps(value) for value in values)).article({address}, [title]).get("headline")


@pytest.mark.parametrize(
    "value",
    [
        ARTICLE,
        [ARTICLE],
        [[{"x": 1}, ARTICLE]],
        {"@graph": [{"@type": "WebPage", "headline": "no", "url": "https://example.com/storm"}, ARTICLE]},
        {"@type": "WebPage", "mainEntity": ARTICLE},
        {**ARTICLE, "@type": ["CreativeWork", "http://schema.org/ReportageNewsArticle"]},
        {**ARTICLE, "@type": "schema:LiveBlogPosting"},
    ],
    ids=["object", "list", "lists", "graph", "nested", "kinds", "prefix"],
)
def test_the_article_is_found_wherever_it_lies(value: object) -> None:
    assert chosen(value) == "Storm hits coast"


def test_of_several_articles_the_one_of_this_page() -> None:
    other = {"@type": "NewsArticle", "headline": "Markets fall again", "url": "https://example.com/markets"}
    assert chosen(other, ARTICLE) == "Storm hits coast"
    assert chosen(other, {**ARTICLE, "url": None}) == "Storm hits coast", "by its headline"
    assert chosen(other, {**ARTICLE, "headline": "Wind!"}) == "Wind!", "by its address"
    assert chosen(other, {**other, "headline": "Third"}, title="x y z") == "Markets fall again", "the first"


def test_articles_in_lists_of_others_do_not_speak_for_the_page() -> None:
    other = {"@type": "NewsArticle", "headline": "Markets fall again"}
    assert chosen({"@type": "ItemList", "itemListElement": [other]}) is None
    assert chosen({"@type": "WebPage", "mentions": [other]}) is None
    assert chosen({"@type": "ItemList", "itemListElement": [{"item": ARTICLE}]}) == "Storm hits coast", (
        "but for its address"
    )


def test_names_are_followed_by_reference() -> None:
    graph = {
        "@graph": [
            {**ARTICLE, "author": {"@id": "#jane"}},
            {"@id": "#jane", "@type": "Person", "name": "Jane Doe"},
        ]
    }
    data = LinkedData((json.dumps(graph),))
    assert data.names({"@id": "#jane"}) == ["Jane Doe"]
    assert data.names([{"name": "A"}, "B", {"name": ["C", "D"]}, None, 7, {"@id": "#absent"}]) == ["A", "B", "C", "D"]


@pytest.mark.parametrize(
    "script",
    [
        '<!-- {"@type": "Article", "headline": "A"} -->',
        '//<![CDATA[\n{"@type": "Article", "headline": "A"}\n//]]>',
        '{"@type": "Article", "headline": "A",}',
        '{"@type": "Article", "tags": [1, 2, ], "headline": "A"};',
        '{"@type": "Article", "text": "line\nline\ttab", "headline": "A"}',
        r'{"@type": "Article", "text": "it\'s \x", "headline": "A"}',
        "{&quot;@type&quot;: &quot;Article&quot;, &quot;headline&quot;: &quot;A&quot;}",
        '{"x": 1}\n{"@type": "Article", "headline": "A"}',
        '{"@type": "Article", "headline": "A"} and more',
    ],
)
def test_what_is_nearly_right_is_read(script: str) -> None:
    with pytest.raises(ValueError):
        json.loads(script)
    assert LinkedData((script,)).article(set(), []).get("headline") == "A"


@pytest.mark.parametrize(
    "script",
    [
        "",
        "{",
        "[" * 100_000,
        '{"a":' * 50_000,
        "1" * 100_000,
        "null",
        '"x"',
        "-->" + " " * 250_000 + "x",
        "," * 250_000,
    ],
)
def test_what_cannot_be_read_is_skipped_and_the_next_is_not(script: str) -> None:
    data = LinkedData((script, json.dumps(ARTICLE)))
    assert data.article(set(), []).get("headline") == "Storm hits coast"


def test_mending_leaves_what_is_right() -> None:
    right = r'{"a": "x \" \\ \/ \u00e7 \n", "b": [1, {"c": []}]}'
    assert json.loads(repaired(right)) == json.loads(right)


def test_values_of_any_kind_are_no_reason_to_stop() -> None:
    odd = {"@type": {"a": 1}, "headline": ["x"], "url": {"@id": 7}, "mainEntityOfPage": [1]}
    assert LinkedData((json.dumps([odd, {**odd, "@type": "Article"}, 1, None, "x"]),)).article({"a"}, ["b"])


def test_addresses_are_compared_bare() -> None:
    same = ["https://www.example.com/a/", "http://example.com/a?x=1", "//m.example.com/a#top", " EXAMPLE.com/a "]
    assert {bare(url) for url in same} == {"example.com/a"}
