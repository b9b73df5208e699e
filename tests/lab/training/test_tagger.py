"""Annotated pages: the spans are in the right place, and nothing else changes."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from samestory import InputError
from samestory.errors import NotAPage
from samestory.html import Page, blocks
from samestory.html.extractors import Crf
from samestory.lab.training.content_model import Example, train
from samestory.lab.training.site_rules import SiteRules, read_rules
from samestory.lab.training.tagger import AnnotatedPage, canonical, tag
from tests.html.sites import RULES, page, story
from tests.html.test_oracle import _PAGES

_SPAN = re.compile(rb'<span class="Cedar\w+">(.*?)</span>', re.DOTALL)


def rules(**selectors: str) -> SiteRules:
    return SiteRules("a.example", {key: tuple(text.split("; ")) for key, text in selectors.items()})


def tagged(text: str, **selectors: str) -> AnnotatedPage:
    return tag(Page(text.encode(), charset="utf-8"), rules(**selectors))


def bare(page: Page) -> list[tuple[object, ...]]:
    found = blocks(page)
    return [
        (b.text, b.tokens, b.linked, b.inline, b.before, b.after, b.paragraph, b.inside, found.ancestors(b))
        for b in found
    ]


def test_the_sample_of_the_study() -> None:
    """Content interrupted by an advertisement, and a paragraph that mixes place and content."""
    text = (
        '<h1>Rain</h1><div id=body><p><b class=place>MEXICO CITY</b> - It rained <i>again</i>.</p><div class="ad">'
        "<noscript>Buy!</noscript></div><p>And\n again.</p></div>"
    )
    found = tagged(text, content="#body p", leave_out=".ad", location=".place", title="h1")
    assert found.raw.decode() == (
        '<h1><span class="CedarTitle">Rain</span></h1><div id=body><p><b class=place>'
        '<span class="CedarLocation">MEXICO CITY</span></b><span class="CedarContent"> - It rained </span>'
        '<i><span class="CedarContent">again</span></i><span class="CedarContent">.</span></p><div class="ad">'
        '<noscript>Buy!</noscript></div><p><span class="CedarContent">And\n again.</span></p></div>'
    )
    assert found.words == {
        "CedarContent": 5, "CedarLocation": 2, "CedarAuthor": 0, "CedarDate": 0, "CedarSource": 0, "CedarTitle": 1
    }  # fmt: skip
    assert found.matched == {
        ("content", "#body p"): 2, ("leave_out", ".ad"): 1, ("location", ".place"): 1, ("title", "h1"): 1
    }  # fmt: skip


def test_a_field_stands_above_content_and_above_what_is_left_out() -> None:
    found = tagged("<div>One <b>two</b> <i>three</i></div>", content="div", leave_out="b; i", author="i")
    assert found.raw == (
        b'<div><span class="CedarContent">One </span><b>two</b> <i><span class="CedarAuthor">three</span></i></div>'
    )


@pytest.mark.parametrize(
    "closed",
    [
        "<title>no</title>",
        "<textarea>no</textarea>",
        "<select><option>no</select>",
        "<svg><text>no</text></svg>",
        "<math><mi>no</mi></math>",
        "<script>no</script>",
        "<style>no</style>",
        "<iframe>no</iframe>",
        "<template><p>no</p></template>",
        "<!-- no -->",
    ],
)
def test_where_no_tag_can_stand_nothing_is_annotated(closed: str) -> None:
    found = tagged(f"<body><p>yes</p>{closed}", content="html")
    assert found.raw.decode() == f'<body><p><span class="CedarContent">yes</span></p>{closed}'


@pytest.mark.parametrize(
    "text",
    [
        "<table>one<tr><td>two</table>three",
        "<b><p>one</b>two</p>three",
        "<p>one<table><tr>two<td>three",
        "one<head><title>x</title></head><body>two</html>three",
        "<a>one<div>two<a>three</a></div>four</a>five",
        "<ruby>one<rt>two<rt>three</ruby>",
        "<frameset><noframes>one</noframes></frameset>",
        "<pre>\n one</pre><select>two<option>three",
        "<svg><desc>one</desc><p>two</svg>three",
        "a &amp b &notit; &lt;p&gt; &#0; &am",
    ],
)
def test_broken_markup_has_the_same_blocks_with_spans(text: str) -> None:
    found = tagged(text, content="body")
    assert b"<span" in found.raw or "frameset" in text
    assert bare(Page(found.raw)) == bare(Page(text.encode()))
    assert _SPAN.sub(rb"\1", found.raw) == text.encode()


TURKISH = "<p>Şehirde yağmur yağdı, köprü kapandı; İstanbul'da ise güneş açtı, dedi ığdır muhtarı.</p>"
RUSSIAN = "<p>Мост через реку закрыт на восемь недель, сообщил совет города в четверг.</p>"
JAPANESE = "<p>東京で地震がありました。</p>"


@pytest.mark.parametrize(
    ("text", "codec", "head", "charset"),
    [
        (TURKISH, "utf-8", '<meta charset="utf-8">', None),
        (TURKISH, "cp1254", '<meta charset="windows-1254">', None),
        (RUSSIAN, "cp1251", '<meta charset="windows-1251">', "windows-1251"),
        (RUSSIAN, "koi8-r", "", None),
        (JAPANESE, "cp932", '<meta charset="shift_jis">', None),
        (JAPANESE, "euc-jp", '<meta charset="euc-jp">', None),
        (TURKISH, "utf-8-sig", "", None),
    ],
)
def test_the_bytes_stay_as_they_were(text: str, codec: str, head: str, charset: str | None) -> None:
    page = Page((head + text).encode(codec), charset=charset)
    found = tag(page, rules(content="p"))
    assert _SPAN.sub(rb"\1", found.raw) == page.raw
    assert found.words["CedarContent"] == sum(block.tokens for block in blocks(page)) > 0
    assert bare(Page(found.raw)) == bare(page)


@pytest.mark.parametrize(
    ("text", "codec", "head", "charset"),
    [
        (TURKISH, "utf-16", "", None),
        (TURKISH, "utf-16-le", "", None),
        (JAPANESE, "iso-2022-jp", "", None),
        (TURKISH, "cp1254", '<meta charset="windows-1251">', "windows-1254"),
        ("<p>Söz</p>", "utf-8", '<meta charset="windows-1252">', "utf-8"),
        ("<p>서울</p>", "cp949", '<meta charset="windows-1252">', "euc-kr"),
    ],
)
def test_a_page_that_only_its_server_could_read_becomes_utf_8(
    text: str, codec: str, head: str, charset: str | None
) -> None:
    page = Page((head + text).encode(codec), charset=charset)
    found = tag(page, rules(content="p"))
    assert _SPAN.sub(rb"\1", found.raw).decode("utf-8-sig") == head + text
    assert bare(Page(found.raw)) == bare(page)


@pytest.mark.parametrize("text", ["<div>" * 600 + "one", "<b>" * 700 + "one<p>two"])
def test_a_page_nested_deeper_than_is_followed_is_rejected(text: str) -> None:
    """A span cannot be opened there, and its end tag would close another element."""
    with pytest.raises(InputError, match="spans would change its blocks"):
        tagged(text, content="body")


def test_an_annotated_page_is_rejected_and_so_is_what_is_no_page() -> None:
    once = tagged("<p>one", content="p")
    with pytest.raises(InputError, match="already annotated"):
        tag(Page(once.raw), rules(content="p"))
    with pytest.raises(NotAPage):
        tag(Page(b"\x89PNG\r\n\x1a\n" + bytes(100)), rules(content="p"))


def test_a_page_cannot_name_runs_itself() -> None:
    text = "<p>one</p>&#30;0;0:1;<div>two</div>"
    assert tagged(text, content="p").words["CedarContent"] == 1


def test_the_address_that_a_page_names() -> None:
    assert canonical(Page(b'<link rel="Canonical" href=" https://a.example/1 ">')) == "https://a.example/1"
    assert canonical(Page(b'<meta property="og:url" content="https://a.example/2">')) == "https://a.example/2"
    assert canonical(Page(b"<p>one")) == ""


class Slow(HTMLParser):
    """The words inside and outside of elements, tag by tag; for pages without errors."""

    VOID = frozenset({"br", "hr", "img"})

    def __init__(self, selected: frozenset[str], left_out: frozenset[str]) -> None:
        super().__init__(convert_charrefs=True)
        self.selected, self.left_out = selected, left_out
        self.stack: list[str] = []
        self.words: list[tuple[str, bool]] = []

    def handle_starttag(self, name: str, attributes: list[tuple[str, str | None]]) -> None:
        if name not in self.VOID:
            self.stack.append(f"cedar:{name}" if dict(attributes).get("class") == "CedarContent" else name)

    def handle_endtag(self, name: str) -> None:
        assert self.stack.pop().removeprefix("cedar:") == name

    def handle_data(self, text: str) -> None:
        if not {"script", "title"} & {*self.stack}:
            inside = bool(self.selected & {*self.stack}) and not self.left_out & {*self.stack}
            self.words += [(word, inside) for word in text.split()]


def slow(text: str, selected: set[str], left_out: set[str]) -> list[tuple[str, bool]]:
    reader = Slow(frozenset(selected), frozenset(left_out))
    reader.feed(text)
    reader.close()
    return reader.words


@given(
    page=_PAGES,
    selected=st.sets(st.sampled_from(["p", "div", "span", "li", "td", "article", "body"]), min_size=1, max_size=2),
    left_out=st.sets(st.sampled_from(["b", "a", "blockquote", "h1"]), max_size=2),
)
@settings(max_examples=100)
def test_what_is_annotated_is_what_a_slow_reading_selects(page: str, selected: set[str], left_out: set[str]) -> None:
    selectors = {"content": ", ".join(sorted(selected))} | ({"leave_out": ", ".join(left_out)} if left_out else {})
    found = tagged(page, **selectors)
    assert slow(found.raw.decode(), {"cedar:span"}, set()) == slow(page, selected, left_out)
    assert bare(Page(found.raw, charset="utf-8")) == bare(Page(page.encode(), charset="utf-8"))


_TAGS = """
    <p> </p> <div> </div> <b> </b> <a> </a> <table> <tr> <td> </table> <ul> <li> <select> <option> <svg> </svg> <br>
    <span> </span> <title> </title> <form> <nobr> <math> <mi> <script> </script> <textarea> <h1> </h1> <body> </body>
    <colgroup> <caption> <button> <ruby> <rt> <pre> <template> </template> <noscript> <!-- --> < ' " = <desc>
    <foreignObject> <frameset> <plaintext> &amp &nbsp;
"""
_WORDS = ["one ", " two", "three", "Ж", "\n", "<a title='", '<img alt="', "/>"]
_SOUP = st.lists(st.sampled_from([*_TAGS.split(), *_WORDS]), max_size=25).map("".join)


@given(page=_SOUP)
@settings(max_examples=100)
def test_whatever_a_page_is_made_of_it_stays_the_same_page(page: str) -> None:
    try:
        found = tagged(page, content="html")
    except NotAPage:
        return
    assert bare(Page(found.raw)) == bare(Page(page.encode(), charset="utf-8"))
    assert _SPAN.sub(rb"\1", found.raw).removeprefix(b"\xef\xbb\xbf") == page.encode()


def test_from_rules_to_a_model_that_labels_the_pages_of_another_site(tmp_path: Path) -> None:
    (tmp_path / "sites.toml").write_text(RULES, encoding="utf-8")
    sites = read_rules(str(tmp_path / "sites.toml"))
    examples = []
    for site, own in sites.items():
        for number in range(4):
            annotated = tag(Page(page(site, number).encode()), own)
            example = Example.annotated(Page(annotated.raw), site)
            texts = [
                b.text for b, is_content in zip(blocks(Page(annotated.raw)), example.content, strict=True) if is_content
            ]
            assert texts == list(story(number).paragraphs)
            examples.append(example)
    (tmp_path / "my.model").write_text(train(examples), encoding="utf-8")
    other = Page(page("gull-island.example", 9).encode())
    found, probabilities = Crf(model=str(tmp_path / "my.model")).label(other)
    taken = [b.text for b, probability in zip(found, probabilities, strict=True) if probability >= 0.5]
    assert taken == list(story(9).paragraphs)
