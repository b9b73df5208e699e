"""Where in the source of a page its text stands: the runs of bytes between tags, comments and what is no text.

Works on bytes, in every encoding in which `<` and `>` are the bytes they are in ASCII, so that a page can be changed
without being decoded. Tags are cut as browsers cut them (`markup.pieces`, on decoded text, is content with less), but
for oddities that no tree depends on; whoever changes a page by these runs looks whether it still is the same page.
"""

from __future__ import annotations

import re

#: Elements that hold bare text: a tag inside them would be text too.
BARE = frozenset({b"iframe", b"noembed", b"noframes", b"script", b"style", b"textarea", b"title", b"xmp"})
#: Drawings and formulas: in them a tag may say that it is empty (`<title/>`), elsewhere that means nothing.
_FOREIGN = frozenset({b"svg", b"math"})

_SKIPPED = re.compile(
    rb"""
      <!--(?:>|->|.*?(?:--!?>|\Z))                # a comment; one that is not closed goes on to the end
    | <!\[CDATA\[.*?(?:\]\]>|\Z)
    | <(?:[!?]|/(?![a-zA-Z]))[^>]*+(?:>|\Z)       # a document type, a bogus comment
    | <(?P<end>/?)(?P<name>[a-zA-Z][^\s/>]*+)
      (?:[^>=]++|=\s*+(?:"[^"]*+"|'[^']*+'|(?!["'])[^\s>]*+))*+
      (?:>|(?P<open>\Z|=\s*+["']))                # a tag that is not closed takes the rest with it
    """,
    re.DOTALL | re.VERBOSE,
)
_BLANK = re.compile(rb"(?:\s|\xc2\xa0|&nbsp;?|&\#160;|&\#[xX][aA]0;)*+")
_MARK = b"\xef\xbb\xbf"


def text_runs(source: bytes) -> list[tuple[int, int]]:
    """Begin and end of every run of text that has something to be seen.

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
        elif skipped["end"] == b"" and name in BARE and not (foreign and is_empty):
            closed = re.compile(rb"</" + name + rb"(?=[\s/>])", re.IGNORECASE).search(source, at)
            at = closed.start() if closed else len(source)
    return runs
