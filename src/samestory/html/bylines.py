"""Lines near the heading: who wrote the article, and when."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from samestory.html.head import Line
from samestory.html.times import Dates
from samestory.html.words import fold

#: Lines so far before and behind the heading may date the article; what stands further off is a teaser or a comment.
BEFORE, BEHIND = 4, 14
#: A line that is not called after dates stands this much further off than one that is.
UNCALLED = 3
#: A line in front of the heading does too: many pages show there what day it is.
IN_FRONT = 8
#: A line that says so itself stands nearer.
SAYS_SO = 6
#: A line that is not called after dates holds at most so many words beside its dates.
WORDS = 12

_CHANGED = re.compile(
    r"updat|modif|edited|revis|guncelle|duzenle|son degis|обновл|измен|редакт|aktualis|geandert|stand\b|mis a jour|"
    r"\bmaj\b|actualiz|atualiz|aggiorn|bijgewerkt|zaktualiz|оновл"
)
_PUBLISHED = re.compile(
    r"publi|posted|written|created|giris|yayin|eklen|опублик|создан|размещ|veroffentl|erstellt|geschrieben|online seit|"
    r"pubbl|geplaatst|gepubl|escrito|dodan|skapad"
)
_FIGURES = re.compile(r"\d\D?\d\D?\d\D?\d")
# dates of other things: of members, of events
_OTHER = re.compile(
    r"regist|joined|member|mitglied|deadline|kayit tarihi|uyelik|зарегистр|copyright|©|born|gebor|dogum|archiv"
)
_BY = re.compile(
    r"^(?:(?:written|posted|published|story|text|report(?:ed|ing)?|words|photos?|escrito|geschrieben|publie|ecrit)\s+)?"
    r"(?:by|von|par|por|di|da|door|av|af|autor(?:in|en|es)?|auteurs?|authors?|автор(?:ы)?|текст|yazar|yazan|muhabir|haber|"
    r"editör|redaktion|redactie|tekst|text)\b\s*[:.]?\s*(?=\w)",
    re.IGNORECASE,
)
# behind the names stand dates, papers, links
_BEHIND = re.compile(
    r"\s*(?:[|•·/;»]|\s[-–—]\s|\s(?:on|am|le|el|at|for|updated|published|posted)\s|\s\(|,\s*(?=\d)|\d).*$",
    re.IGNORECASE,
)
_NOBODY = frozenset(
    [
        "admin",
        "administrator",
        "author",
        "authors",
        "by",
        "staff",
        "editor",
        "editors",
        "webmaster",
        "none",
        "null",
        "undefined",
        "unknown",
        "anonymous",
        "guest",
        "redaktion",
        "redaktor",
        "yazar",
        "muhabir",
        "автор",
        "name",
        "comments",
        "kommentare",
    ]
)
#: Words in and between names that are written small.
_SMALL = frozenset(
    [
        "de",
        "da",
        "di",
        "do",
        "dos",
        "du",
        "del",
        "della",
        "der",
        "den",
        "van",
        "von",
        "zu",
        "la",
        "le",
        "el",
        "al",
        "bin",
        "and",
        "und",
        "et",
        "y",
        "e",
        "ve",
        "и",
        "i",
        "og",
        "och",
        "en",
    ]
)


def author_in(line: str) -> str | None:
    """The names in what is said to be an author; addresses, handles and stand-ins are none.

    >>> author_in("By Jane Doe | May 12, 2024"), author_in("https://example.com/jane"), author_in("admin")
    ('Jane Doe', None, None)
    """
    if "://" in line or line.startswith(("@", "www.")):
        return None
    by = _BY.match(line)
    name = re.sub(r"\S+@\S+", "", line[by.end() :] if by else line)
    name = _BEHIND.sub("", name).strip(" ,:;.-–—|'\"")
    if not 2 < len(name) <= 120 or fold(name) in _NOBODY or not any(letter.isalpha() for letter in name):
        return None
    return name


def author_in_lines(lines: Iterable[Line]) -> str | None:
    """The author that a line near the heading names: one that begins like a byline, or is called after authors."""
    for line in sorted(lines, key=lambda line: abs(99 if line.from_heading is None else line.from_heading)):
        text = line.text
        near = line.from_heading is not None and -BEFORE <= line.from_heading <= BEHIND
        begins = near and _BY.match(text)
        if not begins and not line.by_author:
            continue
        name = author_in(text)
        if name and _is_name(name, fewest=1 if begins and line.by_author else 2):
            return name
    return None


def _is_name(text: str, fewest: int) -> bool:
    """Whether all words begin as names do, and there are not too many of them."""
    words = [word.strip(",&") for word in text.split()]
    words = [word for word in words if word and word not in _SMALL]
    return (
        fewest <= len(words) <= 8
        and all(word[0].isupper() for word in words)
        and not any("?" in word for word in words)
    )


def dates_in(lines: Iterable[Line], dates: Dates) -> Iterator[tuple[int, str, bool]]:
    """How far from the heading the lines date the article, when, and whether it was a change."""
    for line in lines:
        far, text, last = distance(line), line.text, 0
        if not _FIGURES.search(text) or line.from_heading == 0:
            continue
        folded = fold(text)
        if _OTHER.search(folded):
            continue
        far -= SAYS_SO if _PUBLISHED.search(folded) else 0
        if far > BEHIND:
            continue
        found = dates.found(text)
        words = text
        for each in found:
            words = words.replace(text[each.start : each.end], " ")
        if not line.by_date and len(words.split()) > WORDS:
            continue
        for each in found:
            yield far, each.iso, bool(_CHANGED.search(fold(text[last : each.start])))
            last = each.end


def distance(line: Line) -> int:
    """How far from the heading a line stands, as far as dates go."""
    if line.from_heading is None:
        return BEHIND if line.by_date else 10 * BEHIND
    far = line.from_heading if line.from_heading >= 0 else IN_FRONT - line.from_heading
    if line.from_heading < -BEFORE:
        far += 10 * BEHIND
    return far + (0 if line.by_date or line.by_author else UNCALLED)
