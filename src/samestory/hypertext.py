"""HTML fragments with automatic escaping: every string is escaped unless it is an `Html` fragment."""

from __future__ import annotations

from html import escape

from samestory import _core
from samestory.output import printable

#: No scripts and no external resources, so that no article text can make the page execute anything.
CONTENT_SECURITY_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
)

#: Elements without content or end tag.
VOID = frozenset({"meta", "br", "img", "link"})


class Html(str):
    """An HTML fragment: text that is already escaped."""

    __slots__ = ()


#: The content of an element; None is empty.
Content = str | Html | None


def text(content: Content) -> Html:
    """Converts content to an HTML fragment, with control characters as readable escapes.

    >>> text("<b>")
    '&lt;b&gt;'
    """
    if content is None:
        return Html("")
    return content if isinstance(content, Html) else Html(escape(clean(content, one_line=False)))


def clean(content: str, one_line: bool = True) -> str:
    """Removes characters that neither HTML nor XML can hold."""
    # an unpaired surrogate, as in file names and JSON, is not a character
    return printable(content, one_line).encode("utf-8", "replace").decode()


def tag(name: str, /, *content: Content, **attributes: str | int | bool | None) -> Html:
    """Builds an element. Attributes use _ for -, and `class_`; True gives a bare attribute, None and False give none.

    >>> tag("p", "a < b", class_="note")
    '<p class="note">a &lt; b</p>'
    """
    parts = []
    for key, value in attributes.items():
        if value is None or value is False:
            continue
        word = key.rstrip("_").replace("_", "-")
        # escape fragments too: quotes in them would end the attribute value
        parts.append(f" {word}" if value is True else f' {word}="{escape(clean(str(value)))}"')
    opened = f"<{name}{''.join(parts)}>"
    if name in VOID:
        return Html(opened)
    return Html(f"{opened}{''.join(map(text, content))}</{name}>")


def join(*content: Content, by: str = "") -> Html:
    """Concatenates fragments."""
    return Html(text(by).join(text(one) for one in content if one is not None))


def document(title: str, style: str, body: Html) -> str:
    """Builds a self-contained page with its style sheet."""
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=CONTENT_SECURITY_POLICY),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("meta", name="generator", content=f"samestory {_core.__version__}"),
        tag("title", clean(title)),
        tag("style", Html(style)),
    )
    return f"<!DOCTYPE html>\n{tag('html', head, body, lang='en')}\n"
