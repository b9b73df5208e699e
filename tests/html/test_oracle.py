"""Random well-formed pages: the blocks of the core equal those of a slow reference, tag by tag."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from samestory import InputError
from samestory.errors import NotAPage
from samestory.html import Page, blocks
from tests.reference import html as reference

_WORDS = st.sampled_from(
    ["one", "two", "Ankara'da", "e-posta", "2%", "42,9", "Жизнь", " ", "\n  ", "\u00a0", "&nbsp;", "&amp;", "&lt;b&gt;",
     "&#305;", "* ", "—", "<!-- <p>no</p> -->", "<br>", "<img alt=no>", "<script>x<y</script>", "İI ", "."]
)  # fmt: skip
_TEXT = st.lists(_WORDS, max_size=6).map("".join)


def _in(tags: str, inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Wraps content in one of the tags."""
    attributes = st.sampled_from(["", " class=x", ' id="a b" title="<p>"', " hidden"])
    parts = st.tuples(st.sampled_from(tags.split()), attributes, inner)
    return parts.map(lambda part: f"<{part[0]}{part[1]}>{part[2]}</{part[0]}>")


# links and paragraphs cannot be nested
_PHRASE = st.recursive(
    _TEXT,
    lambda inner: st.lists(_in("b i em span font small q sup u x-y", inner), max_size=3).map("".join),
    max_leaves=6,
)
_LINKED = st.lists(st.one_of(_TEXT, _PHRASE, _in("a", _PHRASE)), max_size=4).map("".join)
_FLOW = st.one_of(
    _LINKED,
    st.just("<hr>"),
    _in("p h1 h3 pre", _LINKED),
    _in("ul", st.lists(_in("li", _LINKED), max_size=3).map("".join)),
    _in("table", _in("tbody", _in("tr", st.lists(_in("td th", _LINKED), max_size=3).map("".join)))),
)
_PAGES = st.recursive(
    _FLOW,
    lambda inner: st.lists(
        st.one_of(inner, _in("div section article blockquote center span b", inner)), max_size=5
    ).map("".join),
    max_leaves=25,
).map(lambda body: f"<!doctype html><html><head><title>T</title></head><body>{body}</body></html>")


@given(page=_PAGES)
@settings(max_examples=150)
def test_blocks_are_those_of_a_slow_reading(page: str) -> None:
    found = blocks(Page(page.encode(), charset="utf-8"))
    wanted = reference.blocks(page)
    assert [block.text for block in found] == [block.text for block in wanted]
    for one, other in zip(found, wanted, strict=True):
        assert (one.tokens, one.linked, one.inline) == (other.tokens, other.linked, other.inline), other
        assert (one.before, one.after) == (other.before, other.after), other


@given(raw=st.binary(max_size=2000), charset=st.sampled_from([None, "utf-8", "utf-16", "big5", "", "\ud800", "x" * 99]))
@settings(max_examples=150)
def test_random_bytes_are_a_page_or_none(raw: bytes, charset: str | None) -> None:
    try:
        found = blocks(Page(raw, charset=charset))
    except NotAPage as refused:
        assert isinstance(refused, InputError)
        assert str(refused)
    else:
        assert all(block.text == block.text.strip(" \t\n\f\r\u00a0") != "" for block in found)


_PIECES = [
    "<p", "</p>", "<b", "</b", "<a>", "</a>", "<table>", "<tr>", "<td>", "</table>", "<svg>", "</svg>", "<math>",
    "<mi>", "<select>", "<template>", "</template>", "<title>", "<textarea>", "<script>", "<style>", "<frameset>",
    "<noframes>", "&", "<![CDATA[", "]]>", "<!--", "-->", "--!>", "<?", "</", "<!", "=", "'", ">", "<form>", "</form>",
    "<button>", "</body>", "</html>", "<head>", "<html>", "<i>", "</i>", "<nobr>", "</p>", "</br>", "<li>",
    "&#x110000;", "&#0;", "&notit;", "&ampx", "<plaintext>", "<col>", "<iframe>", "</iframe>",
    '"', "word ", "\0", "\r\n", "\ufffd", "\u00a0",
]  # fmt: skip
_SOUP = st.lists(st.sampled_from(_PIECES), max_size=60).map("".join)


#: on both sides of the maximum depth
_LEADS = st.sampled_from(["", "<div>" * 505, "<div>" * 520, "<svg>" * 511, "<table><td>" * 300, "<b>" * 600])


@given(lead=_LEADS, page=_SOUP)
@settings(max_examples=200)
def test_broken_markup_is_read(lead: str, page: str) -> None:
    found = blocks(Page((lead + page).encode(), charset="utf-8"))
    for block in found:
        chain = found.ancestors(block)
        assert chain[-1].tag == "html"
        assert block.linked <= block.tokens
        assert all(element.parent < number for number, element in enumerate(found.elements))


@given(page=_PAGES, cut=st.floats(0, 1))
def test_a_page_that_breaks_off_has_the_blocks_before(page: str, cut: float) -> None:
    """All but the last, which may be cut short. What just begins to be a tag is text, and in a table lies before it."""
    part = page[: int(len(page) * cut)].removesuffix("/").removesuffix("<")
    whole = [block.text for block in blocks(Page(page.encode(), charset="utf-8"))]
    found = [block.text for block in blocks(Page(part.encode(), charset="utf-8"))]
    assert found[:-1] == whole[: max(len(found) - 1, 0)]
