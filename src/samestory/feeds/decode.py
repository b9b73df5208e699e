"""Decodes feeds, with the encoding of the byte order mark, the server or the XML declaration.

Encoding names are interpreted as browsers do: iso-8859-9 means windows-1254, which has more characters. Servers often
send one encoding for everything, so a feed that declares UTF-8 and is valid UTF-8 is decoded as such.
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
#: First bytes of UTF-16 documents without a byte order mark.
_UNMARKED = {
    b"<\x00?\x00": "utf-16-le",
    b"\x00<\x00?": "utf-16-be",
    b"<\x00r\x00": "utf-16-le",
    b"\x00<\x00r": "utf-16-be",
}
#: The encodings that browsers substitute.
_SUBSTITUTES = {"iso8859-1": "cp1252", "ascii": "cp1252", "iso8859-9": "cp1254", "iso8859-11": "cp874",
                "gb2312": "gb18030", "gbk": "gb18030", "euc_kr": "cp949", "shift_jis": "cp932",
                "utf-16": "utf-16-le"}  # fmt: skip
#: Accepted text encodings; Python has other codecs that are none, and some that no feed uses.
_KNOWN = re.compile(
    r"utf-8|utf-16(-[lb]e)?|cp(1250|1251|1252|1253|1254|1255|1256|1257|1258|866|874|932|949)|iso8859-\d+|koi8-[ru]|"
    r"mac-cyrillic|gb18030|big5|big5hkscs|euc_jp|iso2022_jp"
)


def decode(body: bytes, charset: str | None = None) -> tuple[str, str | None]:
    """Return the text, and a warning if some bytes could not be decoded.

    >>> decode("<?xml version='1.0' encoding='koi8-r'?><rss>Мост</rss>".encode("koi8-r"))[0][-10:]
    'Мост</rss>'
    """
    for mark, name in _MARKS:
        if body.startswith(mark):
            return _read(body, name)
    if name := _UNMARKED.get(body[:4], ""):
        return _read(body, name)
    found = _DECLARED.match(body)
    declared, sent = _codec(found[1].decode() if found else None), _codec(charset)
    # the server first, the feed second; but UTF-8 first if the feed declares it
    is_utf8 = declared == "utf-8" or not (declared or sent)
    order = ["utf-8", declared, sent] if is_utf8 else [sent, declared, "utf-8"]
    choices = [name for name in order if name]
    for name in choices:
        try:
            return body.decode(name), None
        except UnicodeDecodeError:
            continue
    return _read(body, choices[0])


def _codec(name: str | None) -> str | None:
    """Return the codec of an encoding name, or None if it is not an accepted text encoding."""
    try:
        known = codecs.lookup(name or "").name
    except (LookupError, ValueError):
        return None
    known = _SUBSTITUTES.get(known, known)
    return known if _KNOWN.fullmatch(known) else None


def _read(body: bytes, name: str) -> tuple[str, str | None]:
    text = body.decode(name, "replace")
    bad = "\ufffd" in text
    return text, f"some bytes are not valid {name.removesuffix('-sig')}" if bad else None
