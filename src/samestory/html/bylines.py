"""Author and date of an article from lines near its heading."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from samestory.html.head import ShortBlock
from samestory.html.times import Dates
from samestory.html.words import fold

#: Maximum distance of dated lines before and after the heading; more distant ones are teasers or comments.
BEFORE, BEHIND = 4, 14
#: Distance added to a line without a class of dates or authors.
UNMARKED_PENALTY = 3
#: Distance added to a line before the heading, where many pages show today's date.
BEFORE_PENALTY = 8
#: Distance subtracted from a line that mentions publication.
PUBLISHED_BONUS = 6
#: Maximum words besides the dates in a line without a date class.
MAX_WORDS = 12

_CHANGED = re.compile(
    r"updat|modif|edited|revis|guncelle|duzenle|son degis|обновл|измен|редакт|aktualis|geandert|stand\b|mis a jour|"
    r"\bmaj\b|actualiz|atualiz|aggiorn|bijgewerkt|zaktualiz|оновл"
)
_PUBLISHED = re.compile(
    r"publi|posted|written|created|giris|yayin|eklen|опублик|создан|размещ|veroffentl|erstellt|geschrieben|online seit|"
    r"pubbl|geplaatst|gepubl|escrito|dodan|skapad"
)
_FIGURES = re.compile(r"\d\D?\d\D?\d\D?\d")
# dates of members, events and the like
_OTHER = re.compile(
    r"regist|joined|member|mitglied|deadline|kayit tarihi|uyelik|зарегистр|copyright|©|born|gebor|dogum|archiv"
)
_BY = re.compile(
    r"^(?:(?:written|posted|published|story|text|report(?:ed|ing)?|words|photos?|escrito|geschrieben|publie|ecrit)\s+)?"
    r"(?:by|von|par|por|di|da|door|av|af|autor(?:in|en|es)?|auteurs?|authors?|автор(?:ы)?|текст|yazar|yazan|muhabir|haber|"
    r"editör|redaktion|redactie|tekst|text)\b\s*[:.]?\s*(?=\w)",
    re.IGNORECASE,
)
# after the names: dates, newspapers, links
_BEHIND = re.compile(
    r"\s*(?:[|•·/;»]|\s[-–—]\s|\s(?:on|am|le|el|at|for|updated|published|posted)\s|\s\(|,\s*(?=\d)|\d).*$",
    re.IGNORECASE,
)
_PLACEHOLDERS = frozenset(
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
#: Lower-case words in and between names.
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
    """Returns the author names of a byline; None for URLs, handles and placeholders.

    >>> author_in("By Jane Doe | May 12, 2024"), author_in("https://example.com/jane"), author_in("admin")
    ('Jane Doe', None, None)
    """
    if "://" in line or line.startswith(("@", "www.")):
        return None
    by = _BY.match(line)
    name = re.sub(r"\S+@\S+", "", line[by.end() :] if by else line)
    name = _BEHIND.sub("", name).strip(" ,:;.-–—|'\"")
    if not 2 < len(name) <= 120 or fold(name) in _PLACEHOLDERS or not any(letter.isalpha() for letter in name):
        return None
    return name


def author_in_lines(lines: Iterable[ShortBlock]) -> str | None:
    """Returns the author in a line near the heading that begins like a byline or has an author class."""
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
    """Returns whether all words are capitalised and there are not too many."""
    words = [word.strip(",&") for word in text.split()]
    words = [word for word in words if word and word not in _SMALL]
    return (
        fewest <= len(words) <= 8
        and all(word[0].isupper() for word in words)
        and not any("?" in word for word in words)
    )


def dates_in(lines: Iterable[ShortBlock], dates: Dates) -> Iterator[tuple[int, str, bool]]:
    """Yields the dates in lines as (distance from the heading, date, is change)."""
    for line in lines:
        far, text, last = distance(line), line.text, 0
        if not _FIGURES.search(text) or line.from_heading == 0:
            continue
        folded = fold(text)
        if _OTHER.search(folded):
            continue
        far -= PUBLISHED_BONUS if _PUBLISHED.search(folded) else 0
        if far > BEHIND:
            continue
        found = dates.found(text)
        words = text
        for each in found:
            words = words.replace(text[each.start : each.end], " ")
        if not line.by_date and len(words.split()) > MAX_WORDS:
            continue
        for each in found:
            yield far, each.iso, bool(_CHANGED.search(fold(text[last : each.start])))
            last = each.end


def distance(line: ShortBlock) -> int:
    """Returns the weighted distance of a line from the heading."""
    if line.from_heading is None:
        return BEHIND if line.by_date else 10 * BEHIND
    far = line.from_heading if line.from_heading >= 0 else BEFORE_PENALTY - line.from_heading
    if line.from_heading < -BEFORE:
        far += 10 * BEHIND
    return far + (0 if line.by_date or line.by_author else UNMARKED_PENALTY)
