"""Hostile pages, on which quadratic time would not finish."""

from __future__ import annotations

import gzip
import html.entities
import random
import zlib
from collections.abc import Callable

import pytest

from samestory.errors import NotAPage
from samestory.html import Page, blocks


def texts(page: str | bytes) -> list[str]:
    raw = page if isinstance(page, bytes) else page.encode()
    return [block.text for block in blocks(Page(raw, charset="utf-8"))]


DEEP = 100_000


def test_a_page_of_20_megabytes() -> None:
    paragraph = f"<div class=story><p>{'words and more words ' * 100}<a href=/x>end</a></p></div>\n"
    count = 20_000_000 // len(paragraph) + 1
    found = blocks(Page((paragraph * count).encode()))
    assert len(found) == count
    assert (found.blocks[-1].tokens, found.blocks[-1].linked) == (401, 1)


def test_nesting_without_end_keeps_its_text_and_its_borders() -> None:
    found = blocks(Page(("<div>a" * DEEP + "b</div>" * DEEP).encode()))
    assert "".join(block.text for block in found) == "a" * DEEP + "b" * DEEP
    assert len(found) == 2 * DEEP - 1
    assert found.flags == {"deep"}
    assert max(len(found.ancestors(block)) for block in found.blocks[:: DEEP // 50]) <= 512


def test_behind_deep_nesting_the_page_goes_on() -> None:
    for tag in ("div", "span", "b", "font", "table", "ul", "svg", "object", "x-y"):
        found = blocks(Page(f"<p>before</p>{f'<{tag}>' * 3000}{f'</{tag}>' * 3000}<article><p>after".encode()))
        assert [block.text for block in found] == ["before", "after"]
        assert "article" in found.blocks[-1].inside, tag
        assert len(found.ancestors(found.blocks[-1])) == 4, tag


def test_a_start_tag_may_end_deep_nesting_too() -> None:
    """A paragraph ends a drawing. The text after it was once counted as nested, and an end tag as that of another."""
    found = blocks(Page(f"{'<svg>' * 600}<script><p>a<script>x</script>b{'<div><p>c</p></div>' * 99}".encode()))
    assert [block.text for block in found] == ["a", "b"] + ["c"] * 99
    assert [element.tag for element in found.ancestors(found.blocks[-1])] == ["p", "div", "body", "html"]


_NESTS = [
    "<div>", "<p><b>x", "<b>", "<a><p>x", "<a><div>", "<table>", "<table><td>", "<table>x<b>", "<svg>", "<svg><style>",
    "<math><mi>", "<template>", "<select><option>", "<button>x", "<object><b><i>", "<ol><li>x", "<ruby><rt>", "<form>",
    "<nobr>", "<iframe>", "<noframes>", "<script>", "<style>", "<title>", "<textarea>", "<b><i></b><p></i></p>", "<dd>",
    "<h1>", "<frameset>", "</p>", "</br>", "</x>", "<body>", "<html>", "<head>", "<center><font>", "<x-y>",
    "<foreignobject>",
]  # fmt: skip


@pytest.mark.parametrize("tag", _NESTS)
def test_any_tag_may_come_again_and_again(tag: str) -> None:
    for page in (tag * 20_000, "<div>" * 600 + tag * 5_000, "<svg>" + tag * 5_000, "<table>" + tag * 5_000):
        found = blocks(Page(page.encode()))
        assert len(found) <= 2 * 20_000
        assert all(len(found.ancestors(block)) < 1100 for block in found.blocks[-3:])


def test_formatting_elements_with_attributes_of_their_own_stay_few() -> None:
    """The parser reopens unclosed elements after every paragraph; here, a thousand million elements."""
    page = "".join(f"<p><b id=b{number}><font color=c{number}>x" for number in range(DEEP // 2))
    found = blocks(Page(page.encode()))
    assert len(found) == DEEP // 2
    assert len(found.elements) < 10 * DEEP


def test_what_is_left_open_does_not_make_the_tree_grow_beyond_the_page() -> None:
    """Every paragraph reopens the elements left open in the first: 36 elements for three letters."""
    left = "".join(
        f"<{tag}>" for tag in ["b", "big", "code", "em", "font", "i", "s", "small", "strike", "strong", "tt", "u"] * 3
    )
    found = blocks(Page(f"<p>{left}{'<p>x' * DEEP}".encode()))
    assert len(found) == DEEP
    assert len(found.elements) < 4 * DEEP
    assert found.flags == {"deep"}


def test_an_element_with_a_hundred_thousand_attributes() -> None:
    names = " ".join(f"a{number}={number}" for number in range(DEEP))
    found = blocks(Page(f"<p {names} class=lead {names}>one</p {names}>two".encode()))
    assert [block.text for block in found] == ["one", "two"]
    assert found.ancestors(found.blocks[0])[0].words == ("lead",)
    assert texts(f"<p {'id=x ' * DEEP}>one") == ["one"]


def test_of_two_attributes_of_one_name_the_first_counts() -> None:
    found = blocks(Page(b"<p CLASS=lead class=other>one"))
    assert found.ancestors(found.blocks[0])[0].words == ("lead",)


def test_an_attribute_of_ten_megabytes() -> None:
    long = "word " * 2_000_000
    for name in ("class", "id", "title", "onclick"):
        found = blocks(Page(f'<p {name}="{long}">one</p>'.encode()))
        assert [block.text for block in found] == ["one"]
        assert len(found.ancestors(found.blocks[0])[0].words) < 1000
    assert texts(f'<p class="{long}') == []
    assert texts(f"<{'x' * 10_000_000}>one") == ["one"]


def test_a_hundred_thousand_names() -> None:
    found = blocks(Page("".join(f"<n{number} class=c{number}>x</n{number}>" for number in range(DEEP)).encode()))
    assert len(found) == DEEP


def test_entities_do_not_grow() -> None:
    """HTML has no custom entities, and no reference expands to more characters than it has."""
    laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    page = f'<!DOCTYPE x [<!ENTITY l0 "ha">{laughs}]><p>&l9;&l9;'
    assert texts(page)[-1] == "&l9;&l9;"
    assert all(len(name) + 1 >= len(value) for name, value in html.entities.html5.items())
    page = "<p>" + "".join(f"&{name}" for name in html.entities.html5 if name.endswith(";")) * 50
    (text,) = texts(page)
    assert len(text) < len(page)
    assert texts("<p>&#x110000;&#xD800;&#0;&#99999999999999999999;&#x1F600;") == ["\ufffd" * 4 + "😀"]


def test_every_named_reference_is_that_of_the_standard() -> None:
    names = [name for name in html.entities.html5 if name.endswith(";") and html.entities.html5[name].strip()]
    page = "".join(f"<p>[&{name}]" for name in names)
    wanted = [f"[{html.entities.html5[name]}]" for name in names]
    assert texts(page) == [" ".join(text.split(" ")) for text in wanted]


def test_nul_bytes_are_dropped() -> None:
    assert texts(b"<p>on\0e and a few more words to read</p><di\0v>two</div>") == [
        "one and a few more words to read",
        "two",
    ]


@pytest.mark.parametrize("code", [0x01, 0x0B, 0x1B, 0x1C, 0x1D, 0x1F, 0x7F, 0x85, 0x9F])
def test_control_characters_alone_are_no_block(code: int) -> None:
    """Found by fuzzing: a block without visible characters was kept."""
    letter = chr(code)
    page = f"<title>{letter}</title><p>one</p>{letter}<p>two words {letter}</p>{'<p>and so on</p>' * 9}"
    assert texts(page) == ["one", "two words", *["and so on"] * 9]


_PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x02\0\0\0"
_NOISE = random.Random(7).randbytes(3000)


@pytest.mark.parametrize("raw, why", [
    (_PNG, "a PNG picture"),
    (b"\xff\xd8\xff\xe0\0\x10JFIF", "a JPEG picture"),
    (b"GIF89a\x01\0\x01\0", "a GIF picture"),
    (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3", "a PDF file"),
    (b"\n%PDF-1.7", "a PDF file"),
    (gzip.compress(b"<p>a page", mtime=0), "packed with gzip"),
    (b"\x28\xb5\x2f\xfd\x04", "packed with zstd"),
    (b"PK\x03\x04\x14\0", "a ZIP archive"),
    (b"RIFF\x10\0\0\0WEBPVP8 ", "RIFF"),
    (b"\0\0\0 ftypisom", "MP4"),
    (_NOISE, "control characters"),
    (zlib.compress(_NOISE), "control characters"),
    (b"\0" * 100, "control characters"),
    (bytes(range(1, 9)) * 10, "control characters"),
])  # fmt: skip
def test_what_is_no_page_is_rejected_and_named(raw: bytes, why: str) -> None:
    for charset in (None, "windows-1252", "utf-8"):
        with pytest.raises(NotAPage, match=why):
            blocks(Page(raw, "http://example.com/x", charset))


def test_who_is_rejected_is_said() -> None:
    with pytest.raises(NotAPage, match=r"^http://example\.com/x: a PNG picture$"):
        blocks(Page(_PNG, "http://example.com/x"))


def test_more_than_64_megabytes_are_not_read() -> None:
    with pytest.raises(NotAPage, match="67108865 bytes; a page has at most 67108864"):
        blocks(Page(bytes((64 << 20) + 1)))


@pytest.mark.parametrize("raw", [b"", b" \n", b"\xef\xbb\xbf", b"\xff\xfe", b"<html></html>", b"<!-- -->", b"<", b"\0"])
def test_a_page_of_nothing_has_no_blocks(raw: bytes) -> None:
    found = blocks(Page(raw))
    assert [block.text for block in found] == ([] if raw != b"<" else ["<"])
    assert found.title == ""


def test_what_frames_hold_for_browsers_without_is_read() -> None:
    page = (
        "<html><head><title>News</title></head><frameset cols='20%,80%'><frame src=menu.html><frame src=main.html>"
        "<noframes><body class=x><h1>News</h1><p>Please <a href=main.html>read on</a></p></body></noframes>"
        "</frameset></html>"
    )
    found = blocks(Page(page.encode()))
    assert [block.text for block in found] == ["News", "News", "Please read on"]
    assert found.flags == {"frames"}
    assert [element.tag for element in found.ancestors(found.blocks[-1])][:2] == ["p", "noframes"]
    assert blocks(Page(b"<p>no frames")).flags == set()


_BROKEN: dict[str, list[str]] = {
    "<p>one<p>two": ["one", "two"],
    "<b>one<p>two</b>three": ["one", "twothree"],
    "<table><tr><td>one<td>two</table>three": ["one", "two", "three"],
    "<table>one<tr><td>two": ["one", "two"],
    "<ul><li>one<li>two<ul><li>three</ul>four": ["one", "two", "three", "four"],
    "<p>one</div>two</span>three": ["onetwothree"],
    "one</p>two": ["one", "two"],
    "one</br>two": ["one", "two"],
    "<p one=1 <b>two": ["two"],
    "<a href='x>one</a><p>two": [],
    "<a href=x>one<a href=y>two</a>": ["onetwo"],
    "a < b and c > d <3": ["a < b and c > d <3"],
    "<p>AT&T &copy 2020 &nosuch; &ampere": ["AT&T © 2020 &nosuch; &ere"],
    "<!--><p>one--><!-- two --!><p>three<!-- four": ["one-->", "three"],
    "<p>one</html>two</body>three": ["onetwothree"],
    "<?php echo 1 ?><p>one": ["one"],
    "<![CDATA[one]]><p>two": ["two"],
    "<svg><![CDATA[one]]></svg>two": ["one", "two"],
    "<textarea><p>one</textarea>two": ["<p>one", "two"],
    "<p>one<!DOCTYPE html>two": ["onetwo"],
    "<DIV>one</DIV >two< /div>three": ["one", "two< /div>three"],
    "<div/>one<br/>two": ["one", "two"],
    "<xmp><p>one</xmp>two": ["<p>one", "two"],
    "<plaintext><p>one</plaintext>": ["<p>one</plaintext>"],
    "\ufeff<p>one": ["one"],
    "<p>one\r\n\ftwo": ["one two"],
}


@pytest.mark.parametrize("page", _BROKEN)
def test_broken_markup_is_mended_as_browsers_do(page: str) -> None:
    assert texts(page) == _BROKEN[page]


@pytest.mark.parametrize("inner", [lambda n: f"<i{n}>", lambda n: f"<b id={n}>", lambda n: f"<p>{n}"])
def test_the_same_text_whatever_the_depth(inner: Callable[[int], str]) -> None:
    """Around the maximum depth, no text is lost or moved."""
    for depth in (500, 509, 510, 511, 512, 513, 530, 700):
        page = "".join(f"<div>{inner(n)} w{n} " for n in range(depth))
        assert (
            " ".join(texts(page)).split()
            == " ".join(f"{n} w{n}" if inner(0) == "<p>0" else f"w{n}" for n in range(depth)).split()
        )
