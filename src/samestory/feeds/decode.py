"""The bytes of a feed to text: in the encoding that the mark at its beginning, the server or the feed itself names.

Names are read as browsers read them: who writes iso-8859-9 means windows-1254, which has more characters. Servers often
name one encoding for all they have; a feed that says it is UTF-8, and can be read so, is.
"""

from __future__ import annotations

import codecs
import re

_DECLARED = re.compile(rb"^\s{0,20}<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([A-Za-z0-9._:-]{1,40})")
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
#: How a document begins that is in UTF-16 and does not say so.
_UNMARKED = {
    b"<\x00?\x00": "utf-16-le",
    b"\x00<\x00?": "utf-16-be",
    b"<\x00r\x00": "utf-16-le",
    b"\x00<\x00r": "utf-16-be",
}
#: What browsers read for a name.
_MEANT = {"iso8859-1": "cp1252", "ascii": "cp1252", "iso8859-9": "cp1254", "iso8859-11": "cp874", "gb2312": "gb18030",
          "gbk": "gb18030", "euc_kr": "cp949", "shift_jis": "cp932", "utf-16": "utf-16-le"}  # fmt: skip
#: Encodings of texts; Python knows others that are none, and some that no feed means.
_KNOWN = re.compile(
    r"utf-8|utf-16(-[lb]e)?|cp(1250|1251|1252|1253|1254|1255|1256|1257|1258|866|874|932|949)|iso8859-\d+|koi8-[ru]|"
    r"mac-cyrillic|gb18030|big5|big5hkscs|euc_jp|iso2022_jp"
)


def decoded(body: bytes, charset: str | None = None) -> tuple[str, str | None]:
    """The text, and a doubt if some of it could not be read.

    >>> decoded("<?xml version='1.0' encoding='koi8-r'?><rss>Мост</rss>".encode("koi8-r"))[0][-10:]
    'Мост</rss>'
    """
    for mark, name in _MARKS:
        if body.startswith(mark):
            return _read(body, name)
    if name := _UNMARKED.get(body[:4], ""):
        return _read(body, name)
    found = _DECLARED.match(body)
    said = [_codec(found[1].decode() if found else None), _codec(charset)]
    # the server first, the feed second; but a feed that says it is UTF-8, and can be read so, is
    order = ["utf-8", *said] if said[0] == "utf-8" or not any(said) else [said[1], said[0], "utf-8"]
    choices = [name for name in order if name]
    for name in choices:
        try:
            return body.decode(name), None
        except UnicodeDecodeError:
            continue
    return _read(body, choices[0])


def _codec(name: str | None) -> str | None:
    """The codec of an encoding by its name; none if it is none of texts."""
    try:
        known = codecs.lookup(name or "").name
    except (LookupError, ValueError):
        return None
    known = _MEANT.get(known, known)
    return known if _KNOWN.fullmatch(known) else None


def _read(body: bytes, name: str) -> tuple[str, str | None]:
    text = body.decode(name, "replace")
    bad = "\ufffd" in text
    return text, f"some of its bytes are no {name.removesuffix('-sig')}" if bad else None
