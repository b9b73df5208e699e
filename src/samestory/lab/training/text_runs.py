"""Text runs in the source of a page: the byte ranges between tags, comments and other non-text.

Works on bytes in any ASCII-compatible encoding, so that a page can be changed without decoding it. Tags are delimited
as in browsers (more exactly than by `markup.pieces` on decoded text), except for oddities that do not affect the tree;
a caller that edits a page by these runs must verify that its blocks are unchanged.
"""

from __future__ import annotations

import re

#: Raw text elements: a tag inside them is text.
RAW_TEXT = frozenset({b"iframe", b"noembed", b"noframes", b"script", b"style", b"textarea", b"title", b"xmp"})
#: Foreign elements, in which self-closing tags (`<title/>`) are empty; elsewhere the slash has no effect.
_FOREIGN = frozenset({b"svg", b"math"})

_SKIPPED = re.compile(
    rb"""
      <!--(?:>|->|.*?(?:--!?>|\Z))                # a comment; an unclosed one extends to the end
    | <!\[CDATA\[.*?(?:\]\]>|\Z)
    | <(?:[!?]|/(?![a-zA-Z]))[^>]*+(?:>|\Z)       # a document type, a bogus comment
    | <(?P<end>/?)(?P<name>[a-zA-Z][^\s/>]*+)
      (?:[^>=]++|=\s*+(?:"[^"]*+"|'[^']*+'|(?!["'])[^\s>]*+))*+
      (?:>|(?P<open>\Z|=\s*+["']))                # an unclosed tag swallows the rest
    """,
    re.DOTALL | re.VERBOSE,
)
_BLANK = re.compile(rb"(?:\s|\xc2\xa0|&nbsp;?|&\#160;|&\#[xX][aA]0;)*+")
_MARK = b"\xef\xbb\xbf"


def text_runs(source: bytes) -> list[tuple[int, int]]:
    """Returns start and end of each visible text run.

    >>> text_runs(b"<p>One <b>two</b> <i>three")
    [(3, 7), (10, 13), (21, 26)]
    """
    runs = []
    at, foreign = len(_MARK) if source.startswith(_MARK) else 0, 0
    while at < len(source):
        skipped = _SKIPPED.search(source, at)
        end = skipped.start() if skipped else len(source)
        if end > at and not _BLANK.fullmatch(source, at, end):
            runs.append((at, end))
        if skipped is None or skipped["open"] is not None:
            break
        at = skipped.end()
        name = (skipped["name"] or b"").lower()
        is_empty = source.endswith(b"/>", skipped.start(), at)
        if name in _FOREIGN and not is_empty:
            foreign = max(0, foreign + (-1 if skipped["end"] else 1))
        elif skipped["end"] == b"" and name == b"plaintext":
            break
        elif skipped["end"] == b"" and name in RAW_TEXT and not (foreign and is_empty):
            closed = re.compile(rb"</" + name + rb"(?=[\s/>])", re.IGNORECASE).search(source, at)
            at = closed.start() if closed else len(source)
    return runs
