"""Pieces of HTML that cannot be broken by what stands in them: every text is escaped unless it is a piece itself."""

from __future__ import annotations

from html import escape

from samestory import _core
from samestory.output import printable

#: No script, nothing from elsewhere: whatever stood in an article, the page could not be made to run it.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"

#: Elements that have no content and no end.
VOID = frozenset({"meta", "br", "img", "link"})


class Html(str):
    """A piece of HTML: text that needs no escaping any more."""

    __slots__ = ()


#: What may stand inside an element; None is nothing.
Content = str | Html | None


def text(content: Content) -> Html:
    """Content as a piece of HTML; control characters as escapes that can be read.

    >>> text("<b>")
    '&lt;b&gt;'
    """
    if content is None:
        return Html("")
    return content if isinstance(content, Html) else Html(escape(clean(content, one_line=False)))


def clean(content: str, one_line: bool = True) -> str:
    """A text without what neither HTML nor XML can hold."""
    # a half of a pair of surrogates, as file names and JSON may have, is no character
    return printable(content, one_line).encode("utf-8", "replace").decode()


def tag(name: str, /, *content: Content, **attributes: str | int | bool | None) -> Html:
    """An element. Attributes are written with _ for -, and class as `class_`; True stands alone, None and False not.

    >>> tag("p", "a < b", class_="note")
    '<p class="note">a &lt; b</p>'
    """
    parts = []
    for key, value in attributes.items():
        if value is None or value is False:
            continue
        word = key.rstrip("_").replace("_", "-")
        # what is a piece already is still no attribute: quotes in it would end the value
        parts.append(f" {word}" if value is True else f' {word}="{escape(clean(str(value)))}"')
    opened = f"<{name}{''.join(parts)}>"
    if name in VOID:
        return Html(opened)
    return Html(f"{opened}{''.join(map(text, content))}</{name}>")


def join(*content: Content, by: str = "") -> Html:
    """Pieces one after the other."""
    return Html(text(by).join(text(one) for one in content if one is not None))


def document(title: str, style: str, body: Html) -> str:
    """A whole page in one file, with its style."""
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=POLICY),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("meta", name="generator", content=f"samestory {_core.__version__}"),
        tag("title", clean(title)),
        tag("style", Html(style)),
    )
    return f"<!DOCTYPE html>\n{tag('html', head, body, lang='en')}\n"
