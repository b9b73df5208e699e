"""Blocks: what ends them, what is text, and their features."""

from __future__ import annotations

import pytest

from samestory import InputError, ParameterError
from samestory.html import Block, Page, PageBlocks, blocks
from samestory.html.blocks import CEDAR, INLINE, INLINE_5
from tests.reference import html as reference


def read(page: str, **options: list[str]) -> PageBlocks:
    return blocks(Page(page.encode(), charset="utf-8"), **options)


def texts(page: str, **options: list[str]) -> list[str]:
    return [block.text for block in read(page, **options)]


def only(page: str) -> Block:
    (block,) = read(page)
    return block


def test_the_worked_example_of_the_study() -> None:
    page = "<p>One <b>two</b> <a href=x>three</a></p><div>four<br>five <span>six</span></div><script>var x</script>"
    assert texts(page) == ["One two three", "four", "five six"]


def test_there_are_28_inline_tags() -> None:
    assert len(INLINE) == 28
    assert set(reference.INLINE) == INLINE


@pytest.mark.parametrize("tag", reference.INLINE)
def test_an_inline_tag_ends_no_block(tag: str) -> None:
    assert texts(f"<p>one <{tag}>two</{tag}> three") == ["one two three"]
    assert texts(f"<p>one<{tag.upper()} class=x>two</{tag.upper()}>three") == ["onetwothree"]


_OTHERS = [
    "address", "article", "aside", "blockquote", "br", "button", "center", "dd", "details", "dialog", "dir", "div",
    "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header",
    "hgroup", "hr", "img", "input", "label", "legend", "li", "main", "mark", "menu", "meter", "nav", "noscript",
    "object", "ol", "option", "output", "p", "picture", "pre", "progress", "ruby", "section", "select", "summary",
    "svg", "table", "template", "textarea", "time", "ul", "video", "wbr", "audio", "canvas", "data", "iframe", "map",
    "math", "nobr", "bdi", "x-teaser", "blink", "marquee",
]  # fmt: skip


@pytest.mark.parametrize("tag", _OTHERS)
def test_every_other_tag_ends_one(tag: str) -> None:
    found = texts(f"<div>one <{tag}>two</{tag}> three</div>")
    assert found in (["one", "two", "three"], ["one", "two three"], ["one two", "three"]), found
    assert found[0] == "one" or tag == "table", "what a table may not hold lies before it"


@pytest.mark.parametrize("tag", sorted(INLINE_5))
def test_tags_of_html_5_are_inline_on_request(tag: str) -> None:
    page = f"<div>one <{tag}>two</{tag}> three</div>"
    assert len(texts(page)) > 1
    assert texts(page, inline_extra=[tag]) == ["one two three"]


def test_a_comment_is_no_tag() -> None:
    assert texts("<p>one<!-- <br> two --> three<!doctype html> four") == ["one three four"]


def test_script_and_style_are_never_text_and_end_a_block() -> None:
    assert texts("<p>one <script>two('<p>x</p>')</script> three<style>p{}</style>four") == ["one", "three", "four"]
    assert texts("<svg><style>x</style><text>y</text></svg>") == ["y"]
    assert texts("<script><!-- <script> </script> --></script>seen") == ["seen"]
    assert texts("<p>one<script>never closed <p>two") == ["one"]


_HIDDEN = {
    "noscript": "<noscript>two</noscript>",
    "template": "<template><p>two</p></template>",
    "textarea": "<textarea>two</textarea>",
    "select": "<select><option>two</select>",
    "option": "<select><option>two</select>",
    "iframe": "<iframe><p>two</p></iframe>",
    "noembed": "<noembed><p>two</p></noembed>",
    "object": "<object>two</object>",
}


@pytest.mark.parametrize("tag", _HIDDEN)
def test_all_else_is_text_unless_it_is_muted(tag: str) -> None:
    """According to the study, only script and style contain no tokens."""
    page = f"<div>one</div>{_HIDDEN[tag]}<div>three</div>"
    assert texts(page) == ["one", "two", "three"]
    assert texts(page, mute=[tag]) == ["one", "three"]


def test_the_title_is_text_and_known_by_itself() -> None:
    page = "<title> A  &amp; B\n</title><svg><title>C</title></svg><p>D"
    assert texts(page) == ["A & B", "C", "D"]
    assert read(page).title == "A & B"
    muted = read(page, mute=["title"])
    assert ([block.text for block in muted], muted.title) == (["D"], "A & B")
    assert read("<svg><title>C</title></svg>").title == ""


def test_white_space_is_shown_as_one_space() -> None:
    assert texts("<p> one \n\t two<b> </b><i> three</i> </p>") == ["one two three"]
    assert texts("<p>one<b> </b>two</p><p>one<b></b>two") == ["one two", "onetwo"]
    assert texts("<pre>one\n\n  two</pre>") == ["one two"]


def test_a_block_has_something_to_be_seen() -> None:
    assert texts("<p>&nbsp;</p><p> &nbsp;\u200b </p><p>&nbsp;one&nbsp;two&nbsp;</p>") == ["one\u00a0two"]
    assert [(block.text, block.tokens) for block in read("<p>* * *<p>|<p>x")] == [("* * *", 0), ("|", 0), ("x", 1)]


def test_tokens_inside_links_are_counted_where_they_begin() -> None:
    block = only("<p>One <a href=x>two three</a> f<a>our</a>, 2,5 <a>%</a>")
    assert (block.tokens, block.linked, block.link_share) == (5, 2, 0.4)
    assert [b.linked for b in read("<a href=x><div>one</div>two</a><div>three")] == [1, 1, 0]
    assert only("<p>* * *").link_share == 0


def test_inline_tags_are_those_that_begin_in_a_block_or_hold_some_of_it() -> None:
    one, two = read("<p><b>one<br>two <a name=x></a><i> </i></b></p>")
    assert (one.inline, two.inline) == ({"b"}, {"b", "a", "i"})
    outer, inner = read("<div><a>one<p>two</p></a></div>")
    assert (outer.inline, inner.inline) == ({"a"}, set())
    assert inner.linked == 1


def test_borders_are_the_nearest_tags() -> None:
    found = read("<div>one<br>two</div>three<p><b>four</b></p>")
    assert [(b.before, b.after) for b in found] == [("div", "br"), ("br", "/div"), ("/div", "p"), ("p", "/p")]


def test_ancestors_have_their_tags_and_the_words_of_id_and_class() -> None:
    found = read("<body id=top><div class='post-12 mainContent'><p ID=x2 class=lead>one <b>two</b></p></div>")
    (block,) = found
    assert [(e.tag, e.words) for e in found.ancestors(block)] == [
        ("p", ("lead",)),
        ("div", ("post", "main", "content")),
        ("body", ("top",)),
        ("html", ()),
    ]


def test_the_innermost_element_that_holds_the_whole_block_is_its_own() -> None:
    found = read("<p><span class=byline><b>By</b> X</span></p><p><span>Y</span> and Z")
    tags = [[element.tag for element in found.ancestors(block)] for block in found]
    assert tags == [["span", "p", "body", "html"], ["p", "body", "html"]]


def test_an_element_opened_again_by_the_rules_has_its_tag_but_no_words() -> None:
    """The rules may open it as often as they like; the words of one class would be those of many elements."""
    found = read("<p><b class=x1y>one<p>two")
    assert [found.ancestors(block)[0].tag for block in found] == ["b", "b"]
    assert found.blocks[1].inline == {"b"}


def test_blocks_of_one_paragraph_have_its_number() -> None:
    found = read("<div>one<br>two<x-y>three</x-y></div><p>four<ul><li>five<li>six</ul>")
    assert [block.paragraph for block in found] == [0, 0, 0, 1, 2, 3]


def test_the_elements_around_a_block_is_reported() -> None:
    page = "<header><h2>one</h2></header><article><figure>two</figure><form><button>three</button></form></article>four"
    inside = [set(block.inside) for block in read(page)]
    assert inside == [{"header", "h2"}, {"article", "figure"}, {"article", "form", "button"}, set()]
    assert {"table", "li"} <= only("<table><td><ul><li>x").inside


@pytest.mark.parametrize(
    ("attributes", "expected"),
    [
        ("hidden", {"hidden"}),
        ("hidden=until-found", {"hidden"}),
        ('style="color:red; DISPLAY : None!important"', {"hidden"}),
        ('style="visibility:hidden"', {"hidden"}),
        ("aria-hidden=true", set()),  # visible, but not for screen readers
        ('style="display:block; content:display:none"', set()),
        ('style="-x-display:none"', set()),
        ("hidden-x", set()),
        ("class=hidden", set()),
    ],
)
def test_hidden_attributes_is_reported(attributes: str, expected: set[str]) -> None:
    before, inner, behind = read(f"<p>one</p><div {attributes}><p>two</p></div><p>three</p>")
    assert (before.inside, inner.inside, behind.inside) == (set(), expected, set())


def test_a_hidden_stretch_of_a_block_does_not_hide_the_block() -> None:
    assert only("<p>one <span hidden>two</span> three").inside == set()
    assert only("<p><span hidden>one two</span>").inside == {"hidden"}
    assert only("<p><span hidden class=CedarContent>one two</span>").inside == set()  # annotations have no effect


def test_the_gold_annotation_is_counted_and_leaves_no_trace() -> None:
    bare = "<div>ad</div><p>MEXICO CITY - The <b>text</b> goes<br>on</p>"
    gold = (
        "<div>ad</div><p><span class=CedarLocation>MEXICO CITY</span> - <span class='x CedarContent'>The <b>text</b> "
        "goes<br>on</span></p>"
    )
    ad, first, second = read(gold)
    assert [first.gold_share(name) for name in CEDAR] == [0.6, 0.4, 0, 0, 0, 0]
    assert (ad.gold_share("CedarContent"), second.gold_share("CedarContent")) == (0, 1)
    assert ad.gold == (0,) * len(CEDAR)
    without = read(bare)
    for one, other in zip(read(gold), without, strict=True):
        assert (one.text, one.tokens, one.inline, one.before, one.after, one.paragraph, one.inside) == (
            (other.text, other.tokens, other.inline, other.before, other.after, other.paragraph, other.inside)
        )
    assert read(gold).elements == without.elements


def test_a_content_span_may_be_interrupted() -> None:
    page = (
        "<span class=CedarContent><p>one</p></span><div class=ad><noscript>buy</noscript></div>"
        "<span class=CedarContent><p>two</p></span>"
    )
    assert [(b.text, b.gold_share("CedarContent")) for b in read(page)] == [("one", 1), ("buy", 0), ("two", 1)]


def test_only_a_span_of_that_very_class_is_gold() -> None:
    page = (
        "<p class=CedarContent>one</p><p><span class=cedarcontent id=CedarContent>two</span><p><span class=CedarX>three"
    )
    assert all(block.gold == (0,) * len(CEDAR) for block in read(page))
    assert [block.inline for block in read(page)] == [set(), {"span"}, {"span"}]


def test_the_same_page_has_the_same_blocks() -> None:
    page = "<div id=a class='b c'><p>one <i>two</i><b>x</b></div>" * 20
    assert read(page) == read(page)


def test_what_cannot_be_is_rejected_in_words() -> None:
    with pytest.raises(InputError, match="expected a Page"):
        blocks("<p>")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="expected bytes"):
        blocks(Page("<p>"))  # type: ignore[arg-type]
    with pytest.raises(InputError, match="charset"):
        blocks(Page(b"", charset=b"utf-8"))  # type: ignore[arg-type]
    for tags in ("img", ["IMG"], [""], [3], None, ["\ud800"]):
        with pytest.raises(ParameterError, match="mute"):
            blocks(Page(b""), mute=tags)  # type: ignore[arg-type]
