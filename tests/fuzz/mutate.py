"""Small pages of our own, and changes to them: of bytes, of tags, of whole stretches."""

from __future__ import annotations

import random
from collections.abc import Callable

TAGS = [
    "a", "abbr", "address", "applet", "area", "article", "aside", "b", "base", "bdo", "big", "blockquote", "body",
    "br", "button", "caption", "center", "cite", "code", "col", "colgroup", "dd", "del", "details", "dfn", "dialog",
    "dir", "div", "dl", "dt", "em", "embed", "fieldset", "figcaption", "figure", "font", "footer", "form", "frame",
    "frameset", "h1", "h2", "h6", "head", "header", "hr", "html", "i", "iframe", "image", "img", "input", "ins",
    "kbd", "label", "legend", "li", "link", "listing", "main", "map", "marquee", "math", "menu", "meta", "mglyph",
    "mi", "mo", "mtext", "nav", "nobr", "noembed", "noframes", "noscript", "object", "ol", "optgroup", "option", "p",
    "param", "plaintext", "pre", "q", "rb", "rp", "rt", "rtc", "ruby", "s", "samp", "script", "section", "select",
    "small", "source", "span", "strike", "strong", "style", "sub", "summary", "sup", "svg", "table", "tbody", "td",
    "template", "textarea", "tfoot", "th", "thead", "time", "title", "tr", "tt", "u", "ul", "var", "video", "wbr",
    "xmp", "annotation-xml", "foreignObject", "desc", "x-y",
]  # fmt: skip

SEEDS = [
    b"<!DOCTYPE html><html lang=en><head><meta charset=utf-8><title>Ferry</title><style>p{}</style></head><body>"
    b"<nav><ul><li><a href=/>Home</a><li><a href=/t>Town</a></ul></nav><article><h1>Ferry runs again</h1>"
    b"<p class='lead story'>The ferry to the island <b>runs</b> again.</p><p>Fares stay.<br>Islanders travel free.</p>"
    b"</article><aside id=relatedLinks><a href=/1>Rain</a></aside><footer>&copy; 2024</footer></body></html>",
    "<meta charset=windows-1254><p>Yağış sürüyor, İstanbul'da okullar tatil".encode("windows-1254"),
    "<meta charset=koi8-r><p>Паром снова ходит".encode("koi8-r"),
    "<p>東京で地震がありました。".encode("shift_jis"),
    "<p>wide words".encode("utf-16"),
    b"<table><tr><td>one<td>two<caption>three<table><b>four</table>five",
    b"<svg><g><foreignObject><p>one</foreignObject><![CDATA[two]]></svg><math><mi>three<annotation-xml>",
    b"<select><option>one<optgroup><option>two</select><template><td>three</template>",
    b"<frameset cols=*><frame src=a><noframes><p>one</noframes></frameset>",
    b"<script><!--<script></script>--></script><textarea></p><b></textarea><plaintext><p>one",
    b"<b><i><p>one</b>two</i>three<a>four<a>five<nobr>six<nobr>seven",
    b"<span class=CedarContent>gold <span class=CedarLocation>PARIS</span></span> words",
    b"<!DOCTYPE x [<!ENTITY a 'b'>]><?php x ?><!-- - -- --!><p>&amp;&ampx;&#x41;&#65;&#xD800;&#99999999;&notin;&not",
]

Change = Callable[[random.Random, bytearray], None]


def _spot(chance: random.Random, page: bytearray) -> int:
    return chance.randrange(len(page) + 1)


def _times(chance: random.Random) -> int:
    """How often something comes: nearly always once, now and then without end."""
    return chance.choice([1] * 40 + [2] * 6 + [20] * 3 + [2000])


def _flip(chance: random.Random, page: bytearray) -> None:
    for _ in range(chance.randrange(1, 8)):
        if page:
            page[chance.randrange(len(page))] = chance.randrange(256)


def _cut(chance: random.Random, page: bytearray) -> None:
    at = _spot(chance, page)
    del page[at : at + chance.randrange(1, 60)]


def _copy(chance: random.Random, page: bytearray) -> None:
    at = _spot(chance, page)
    piece = page[at : at + chance.randrange(1, 120)]
    to = _spot(chance, page)
    page[to:to] = piece * _times(chance)


def _tag(chance: random.Random, page: bytearray) -> None:
    tag = chance.choice(TAGS)
    form = chance.choice(
        ["<{}>", "</{}>", "<{}/>", "<{} class='x y' id=z>", "<{}", "<{} a=", "</{} b>", "<{0}></{0}>", "<{}>x"]
    )
    to = _spot(chance, page)
    page[to:to] = form.format(tag).encode() * _times(chance)


def _mark(chance: random.Random, page: bytearray) -> None:
    marks = [
        b"<",
        b">",
        b"&",
        b'"',
        b"'",
        b"=",
        b"\0",
        b"\r",
        b"\xff\xfe",
        b"\xef\xbb\xbf",
        b"<!--",
        b"-->",
        b"<![CDATA[",
    ]
    marks += [
        b"]]>",
        b"<?",
        b"</",
        b"/>",
        b"&#",
        b"&#x",
        b"<!DOCTYPE",
        b"\x1b$B",
        b"\x1b(B",
        b"\x80",
        b"<meta charset=",
        b";",
    ]
    to = _spot(chance, page)
    page[to:to] = chance.choice(marks) * _times(chance)


def _join(chance: random.Random, page: bytearray) -> None:
    other = chance.choice(SEEDS)
    at, to = chance.randrange(len(other)), _spot(chance, page)
    page[to:to] = other[at : at + chance.randrange(1, 200)]


CHANGES: list[Change] = [_flip, _cut, _copy, _tag, _tag, _mark, _join]

#: A page grows no further than this: what is slow shows in small pages too.
LONGEST = 300_000


def page(seed: int) -> bytes:
    """The page of a number: the same for the same number."""
    chance = random.Random(seed)
    out = bytearray(chance.choice(SEEDS))
    for _ in range(chance.choice([1, 2, 3, 5, 8, 13, 21, 40])):
        chance.choice(CHANGES)(chance, out)
        if len(out) > LONGEST:
            break
    return bytes(out[:LONGEST])
