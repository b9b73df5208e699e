"""The head: which declared metadata the core collects, and its bounds."""

from __future__ import annotations

from html.parser import HTMLParser

from hypothesis import given, settings
from hypothesis import strategies as st

from samestory.html import Head, Page, blocks, parse


def head(page: str) -> Head:
    return blocks(Page(page.encode(), charset="utf-8")).head


def test_what_a_page_says_in_its_head() -> None:
    found = head(
        '<html lang="tr-TR"><head><meta name=Author content="Ayşe Yılmaz"><meta property="og:title" '
        'content="A &amp; B">'
        '<meta http-equiv=Content-Language content=tr><meta name=empty content=" "><meta charset=utf-8>'
        '<link rel="Canonical" href="/a?b=1&amp;c=2"><link rel=stylesheet href=x.css>'
        '<link rel="alternate" hreflang=en href="/en/a"><script type="application/LD+JSON; '
        'charset=utf-8">{"a": "</b>"}</script>'
        "<script>var x = 1</script><script type=application/json>{}</script>"
    )
    assert found.language == "tr-TR"
    assert found.meta == (("author", "Ayşe Yılmaz"), ("og:title", "A & B"), ("content-language", "tr"))
    assert [tuple(link) for link in found.links] == [("canonical", "/a?b=1&c=2", ""), ("alternate", "/en/a", "en")]
    assert found.linked_data == ('{"a": "</b>"}',)


def test_times_and_marked_items_know_where_they_lie() -> None:
    found = head(
        "<nav><time datetime=2001-01-01>old</time></nav><main><article><h1>Storm</h1>"
        "<span itemprop='name author'>By <b>Jane</b> Doe <time class=published datetime=2024-05-12>12 "
        "<i>May</i></time></span>"
        "<a rel='nofollow author' href=/jane>Jane</a><meta itemprop=datePublished content=2024-05-12T10:30>"
        "<abbr title=2024-05-13>tomorrow</abbr><abbr title='North Atlantic Treaty'>NATO</abbr><p itemprop=name>no"
    )
    assert [(item.tag, item.property, item.value, item.text) for item in found.items] == [
        ("time", "", "2001-01-01", "old"),
        ("span", "author", "", "By Jane Doe"),
        ("time", "", "2024-05-12", "12 May"),
        ("a", "author", "", "Jane"),
        ("meta", "datepublished", "2024-05-12T10:30", ""),
        ("abbr", "", "2024-05-13", "tomorrow"),
    ]
    assert [item.inside for item in found.items[:2]] == [["nav"], ["article", "main"]]
    assert [item.behind for item in found.items[:2]] == [0, 1]
    assert found.items[2].css_class == "published"


def test_the_text_of_an_item_ends_with_its_element() -> None:
    found = head("<div itemprop=author>a<div>b</div>c</div>d<time>e</time>f<time>g")
    assert [item.text for item in found.items] == ["abc", "e", "g"]


def test_the_heading_is_the_one_that_resembles_the_title() -> None:
    assert head(
        "<title>Storm hits coast - The Times</title><h1>The Times</h1><h1>Storm hits<br>coast</h1>"
    ).heading == ("Storm hits coast")
    assert head("<title>Storm hits coast | My Blog</title><h1>My Blog</h1><h2>Storm hits coast</h2>").heading == (
        "Storm hits coast"
    )
    assert head("<title>x</title><h1>Storm</h1><h2>Other words</h2>").heading == "Storm"
    assert head("<title>Storm</title><p>Storm").heading == ""


def test_lines_count_from_the_heading() -> None:
    page = (
        "<title>Storm hits coast</title><p class=date>1 May 2001</p>"
        + "<p>far</p>" * 30
        + "<p>before</p><h1>Storm hits coast</h1>"
        "<p class='post-author'>Jane Doe</p><p>12 May 2024</p>"
        + f"<p>{'word ' * 50}</p>"
        + "<p>far</p>" * 30
        + "<p class=author>X Y"
    )
    found = {line.text: line for line in head(page).lines}
    places = {text: line.from_heading for text, line in found.items() if text != "far"}
    assert places == {
        "before": -1, "Storm hits coast": 0, "Jane Doe": 1, "12 May 2024": 2, "1 May 2001": -32, "X Y": 34,
    }  # fmt: skip
    assert (found["Jane Doe"].by_author, found["Jane Doe"].by_date) == (True, False)
    assert (found["1 May 2001"].by_author, found["1 May 2001"].by_date) == (False, True)


def test_notices_and_telling_words() -> None:
    found = head(
        "<div class=article-paywall>Subscribe to read</div><p>Words</p><p>Devamı için Abone olun</p><p>подписка"
    )
    assert found.notices == ("Subscribe to read", "Devamı için Abone olun", "подписка")
    assert found.telling == {"paywall"}
    assert (found.tokens, found.linked) == (9, 0)


def test_text_and_head_come_of_one_parse() -> None:
    page = Page(
        b"<meta name=author content=X><p>Some words of a text.</p><time datetime=2024-05-12>now</time>", "http://a.de/1"
    )
    (extraction,) = parse("heuristic").extract([page])
    assert extraction.head == blocks(page, inline_extra=["time"]).head


def test_however_much_a_page_says_it_is_bounded() -> None:
    many = 5000
    found = head(
        "<meta name=a content=b>" * many
        + "<link rel=canonical href=/a>" * many
        + "<time datetime=2024-05-12>x</time>" * many
        + "<script type=application/ld+json>{}</script>" * many
        + f"<h1>{'word ' * many}</h1>"
        + "<p class=author>Jane Doe</p>" * many
    )
    sizes = [len(part) for part in (found.meta, found.links, found.items, found.linked_data, found.lines)]
    assert sizes == [256, 256, 256, 16, 64]
    assert len(found.heading) < 1100


def test_however_long_a_value_is_it_is_cut_between_characters() -> None:
    found = head(
        f"<html lang={'ş' * 9999}><meta name=a content=x{'ş' * 9999}><link rel=canonical href=/{'ş' * 9999}>"
        f"<script type=application/ld+json>x{'ş' * 999_999}</script><time datetime=x{'ş' * 9999}>x{'ş' * 9999}</time>"
    )
    assert found.meta == (("a", "x" + "ş" * 511),)
    assert found.links[0].href == "/" + "ş" * 511
    assert found.linked_data == ("x" + "ş" * (128 * 1024 - 1),)
    assert (found.items[0].value, found.items[0].text) == ("x" + "ş" * 511, "x" + "ş" * 127)


class _Slow(HTMLParser):
    """Reads the head tag by tag with the parser of the standard library."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.meta: list[tuple[str, str]] = []
        self.times: list[tuple[str, str]] = []
        self._time: list[str] | None = None
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in reversed(attrs)}
        for key in ("name", "property"):
            if tag == "meta" and given.get(key, "").strip() and given.get("content", "").strip():
                self.meta.append((given[key].strip().lower(), given["content"]))
        if tag == "time":
            self._time = []
            self.times.append((given.get("datetime", ""), ""))

    def handle_endtag(self, tag: str) -> None:
        if tag == "time":
            self._time = None

    def handle_data(self, data: str) -> None:
        if self._time is not None:
            self._time.append(data)
            self.times[-1] = (self.times[-1][0], " ".join("".join(self._time).split()))


_VALUES = st.sampled_from(["", "a", "A b", "x&amp;y", "Ayşe", " ", "2024-05-12", "&lt;b&gt;"])
_META = st.tuples(st.sampled_from(["name", "property", "x"]), _VALUES, _VALUES).map(
    lambda each: f'<meta {each[0]}="{each[1]}" content="{each[2]}" class=c content="again">'
)
_TIME = st.tuples(_VALUES, _VALUES).map(lambda each: f'<time datetime="{each[0]}"><b>{each[1]}</b> z</time>')
_OTHER = st.sampled_from(
    ["<p>text</p>", "<div>", "</div>", "<script>'<meta name=no content=no>'</script>", "<!-- <time> -->"]
)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.one_of(_META, _TIME, _OTHER), max_size=12).map("".join))
def test_the_head_is_what_a_slow_reading_finds(page: str) -> None:
    slow, found = _Slow(page), head(page)
    assert list(found.meta) == slow.meta
    assert [(item.value, item.text) for item in found.items] == [
        (value if value.strip() else "", text) for value, text in slow.times
    ]
