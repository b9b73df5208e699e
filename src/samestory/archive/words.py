"""Words as they are filed for search and asked for: folded so that what people type meets what papers print.

A term is what is left of a word when case and diacritics are gone: İ, I, ı and i are one letter, whatever the language,
because nobody says in which language a question is asked. A suffix behind an apostrophe is cut off ("Ankara'da" is
ankara), but not what follows an elided article ("l'école" is l, ecole). Compounds and figures are taken apart
("COVID-19" is covid, 19; "12,902" is 12, 902); who asks for one asks for its parts in a row.

Articles in languages that inflect are filed under the beginnings of their words too: see `STEM`.
"""

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np

from samestory import _core
from samestory.database import Database, Session

#: Names the rules of folding; the letters are those of this version of Unicode. Words that were filed by others must be
#: filed anew (`refile`), because SQLite takes out of its index only what is told as it was told.
FOLDING = f"folding-1, unicode {unicodedata.unidata_version}"

#: A word of at least so many letters is also filed, and asked for, under its first ones: as good as a lemma for finding
#: Turkish news. A question about all words with this beginning would need no filing, but finds it in every language
#: (twice the articles, where half are Turkish). Among 200,000 articles it took as long in the middle (0.3 ms for rare
#: words, 0.7 for common ones), and two to three times as long for beginnings that many words share (12 ms, not 4).
STEM = 5

#: Begins a stem, and no term: so that "ankar" in an English article is not found by "Ankara".
MARK = "·"

#: Begins a word of the title in PostgreSQL, which would otherwise read every article to tell a title from a text.
TITLE = "^"

#: The languages whose words are filed under their stems. In others the first letters say too little: who asks for
#: "government" there does not want "governor".
INFLECTED = frozenset(
    re.findall(r"\w+", "tr az kk ky tk tt uz ru uk be pl cs sk sl hr sr bs mk bg lt lv fi et hu el ka hy")
)

#: A term is cut after so many letters: longer ones are no words, and PostgreSQL takes no lexeme above 2 KB.
LONGEST = 64

#: What PostgreSQL can hold of one article: bytes of its words (1 MB, a part of which it needs itself), the last place
#: that it tells from the next, places of one word. Phrases beyond are found by SQLite only.
VECTOR, LAST_PLACE, PLACES = 900_000, 16_383, 255

#: Letters that stay one when they are decomposed.
LETTERS = str.maketrans(
    {"ı": "i", "ø": "o", "đ": "d", "ł": "l", "ħ": "h", "ð": "d", "æ": "ae", "œ": "oe", "þ": "th", "ʻ": "", "ʼ": ""}
)

#: Marks that make another letter, and not the same with an accent: nobody writes и for й (войны are wars, воины
#: warriors) or і for ї, while ё is mostly written е.
OWN_LETTERS = {"и\u0306", "у\u0306", "і\u0308"}

#: Marks that people leave out: accents, points of Hebrew, vowels of Arabic. Those of other scripts are vowels that
#: nobody leaves out.
_LEFT_OUT = re.compile(
    "[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670]"
)

#: What stands before an apostrophe and is not the word: elided articles and prepositions of French and Italian. Single
#: letters are not listed (l', d', O').
ELIDED = frozenset(
    re.findall(r"\w+", "qu jusqu lorsqu puisqu quelqu aujourd un all dall dell nell sull coll quell quest sant bell")
)


@lru_cache(maxsize=1 << 17)
def terms(word: str) -> tuple[str, ...]:
    """The terms of a word without its suffix.

    >>> terms("İSTANBUL"), terms("Ёлка"), terms("Covid-19")
    (('istanbul',), ('елка',), ('covid', '19'))
    """
    if word.isascii():
        lower = word.lower()
        return (lower[:LONGEST],) if lower.isalnum() else tuple(t[:LONGEST] for t in re.findall("[a-z0-9]+", lower))
    out: list[str] = []
    for letter in _decomposed(word):
        kind = unicodedata.category(letter)
        if _LEFT_OUT.match(letter):
            if out and out[-1] + letter in OWN_LETTERS:
                out.append(letter)
        elif kind == "Nd":
            out.append(str(unicodedata.decimal(letter)))
        elif kind[0] in "LNM":
            out.append(letter)
        elif kind != "Cf":  # soft hyphens and joiners are not seen
            out.append(" ")
    return tuple(term[:LONGEST] for term in unicodedata.normalize("NFC", "".join(out)).split())


def _decomposed(word: str) -> str:
    """The letters of a word in lower case, each followed by its marks."""
    while True:
        folded = unicodedata.normalize("NFKD", word.casefold().translate(LETTERS))
        if folded == word:
            return word
        word = folded


def stem(term: str) -> str | None:
    """What a term is also filed and asked for under; None if it is too short.

    >>> stem("secimler"), stem("oy")
    ('·secim', None)
    """
    return MARK + term[:STEM] if len(term) >= STEM and not term.isdigit() else None


Token = tuple[int, int, int]


def tokens(texts: Sequence[str]) -> Iterator[list[Token]]:
    """Where the words of every text begin, where their suffixes do, and where they end; as detectors see them."""
    # the language decides about hashes only, and to tell it would take time
    _, starts, bases, ends, offsets = _core.prepare(list(texts), ["en"] * len(texts), as_is=True).tokens()
    columns = [np.frombuffer(column, np.uint32).tolist() for column in (starts, bases, ends)]
    for first, last in pairwise(np.frombuffer(offsets, np.int64).tolist()):
        yield list(zip(*(column[first:last] for column in columns), strict=True))


def token_terms(text: str, token: Token) -> tuple[str, ...]:
    """The terms of a word of a text."""
    start, base, end = token
    # behind the apostrophe, before which there may be a blank
    suffix = text[base:end].lstrip()[1:]
    return terms(text[start:base]) if base == end else _suffixed(text[start:base], suffix)


def _suffixed(base: str, suffix: str) -> tuple[str, ...]:
    """The terms of a word with an apostrophe in it."""
    found = terms(base)
    # Latin letters only: in Ukrainian the apostrophe stands inside of words
    is_word = bool(found) and len(found[-1]) > 1 and found[-1] not in ELIDED and found[-1].isascii()
    return found if is_word else found + terms(suffix)


def _rule(base: str, suffix: str | None) -> str:
    """The terms of a word, as one text."""
    return " ".join(terms(base) if suffix is None else _suffixed(base, suffix))


#: Remembers the terms of words: every word of the archive comes by. One thread at a time.
_FOLDER, _TURN = _core.Folder(_rule), threading.Lock()


def _joined(texts: Sequence[str]) -> list[str]:
    """The terms of every text, in order, with blanks between."""
    with _TURN:
        return _FOLDER.fold(list(texts))


def found_terms(texts: Sequence[str]) -> list[list[str]]:
    """The terms of every text, in order.

    >>> found_terms(["Ankara'da l'école"])
    [['ankara', 'l', 'ecole']]
    """
    return [text.split() for text in _joined(texts)]


def inflects(language: str | None) -> bool:
    """Are articles in this language filed under stems?"""
    return language is not None and language[:2] in INFLECTED


def stems(row: Iterable[str]) -> list[str]:
    """The different stems of some terms."""
    return [found for found in dict.fromkeys(map(stem, dict.fromkeys(row))) if found]


def folded(
    titles: Sequence[str | None], texts: Sequence[str], languages: Sequence[str | None]
) -> list[tuple[str, str]]:
    """Title and text of every article as full-text search files them: terms, then stems, with blanks between.

    >>> folded(["Seçimler"], ["İzmir'de oy"], ["tr"])
    [('secimler ·secim', 'izmir oy ·izmir')]
    """
    found = _joined([*(title or "" for title in titles), *texts])
    out = []
    for title, text, language in zip(found, found[len(texts) :], languages, strict=False):
        if inflects(language):
            title, text = (" ".join([each, *stems(each.split())]).strip() for each in (title, text))
        out.append((title, text))
    return out


Entry = tuple[int, str | None, str, str | None]


def file(session: Session, kind: str, rows: Sequence[Entry]) -> None:
    """Files articles for search, each as (number, title, text, language); `kind` is that of the database."""
    numbers, titles, texts, languages = zip(*rows, strict=True) if rows else ((), (), (), ())
    if kind == "sqlite":
        words = folded(titles, texts, languages)
        filed = [(number, title, text) for number, (title, text) in zip(numbers, words, strict=True)]
        # at the end of a part SQLite writes the words that it holds in memory: here, while others look for relations,
        # and not when all wait for the transaction to end
        with session.part():
            session.many("INSERT INTO words (rowid, title, text) VALUES (?, ?, ?)", filed)
    else:
        changed = list(zip(vectors(titles, texts, languages), numbers, strict=True))
        session.many("UPDATE texts SET found = CAST(? AS tsvector) WHERE number = ?", changed)


def unfile(session: Session, rows: Sequence[Entry]) -> None:
    """Takes articles out of SQLite's search again; title, text and language must be those that were filed.

    PostgreSQL has words beside the text, and they go with it.
    """
    numbers, titles, texts, languages = zip(*rows, strict=True) if rows else ((), (), (), ())
    words = folded(titles, texts, languages)
    gone = [("delete", number, title, text) for number, (title, text) in zip(numbers, words, strict=True)]
    session.many("INSERT INTO words (words, rowid, title, text) VALUES (?, ?, ?, ?)", gone)


def refile(session: Session, kind: str, at_once: int = 1000) -> int:
    """Files all articles anew; gives how many."""
    if kind == "sqlite":
        session.run("INSERT INTO words (words) VALUES ('delete-all')")
    done, last = 0, -1
    while True:
        rows = session.rows(
            "SELECT t.number, t.title, t.text, a.lang FROM texts t JOIN articles a ON a.number = t.number"
            " WHERE t.number > ? ORDER BY t.number LIMIT ?",
            (last, at_once),
        )
        if not rows:
            return done
        file(session, kind, rows)
        done, last = done + len(rows), rows[-1][0]


#: Pages that are merged in one transaction, so that others need not wait long; and the share of articles that must be
#: gone to make it worth while: all words are written anew.
MERGED, WORTH = 1000, 0.1


def shrink(database: Database, gone: int) -> None:
    """Gives the room of words back whose articles are gone: SQLite keeps them until it merges what it wrote."""
    if database.kind != "sqlite" or not gone:
        return
    with database.read() as session:
        left = (session.one("SELECT count(*) FROM articles") or (0,))[0]
    if gone < WORTH * left:
        return
    pages = -MERGED  # below zero: all, and not only what has come together
    while True:
        with database.write() as session:
            before = session.one("SELECT total_changes()")
            session.run("INSERT INTO words (words, rank) VALUES ('merge', ?)", (pages,))
            after = session.one("SELECT total_changes()")
        if before is None or after is None or after[0] - before[0] < 2:
            return  # nothing was left to do
        pages = MERGED


def vectors(titles: Sequence[str | None], texts: Sequence[str], languages: Sequence[str | None]) -> list[str]:
    """Title and text of every article as PostgreSQL reads a tsvector: terms with places, those of the title, stems.

    >>> vectors(["Fire"], ["fire again"], ["en"])
    ["'^fire' 'fire':1,3 'again':4"]
    """
    found = _joined([*(title or "" for title in titles), *texts])
    rows = []
    for title, text, language in zip(found, found[len(texts) :], languages, strict=False):
        both = (stems(title.split()), stems(text.split())) if inflects(language) else ([], [])
        rows.append((title, text, *both))
    return _core.tsvectors(rows, TITLE, (VECTOR, LAST_PLACE, PLACES))
