"""Full-text analysis: folds the words of articles and queries to terms, and maintains the search index.

A term is a word without case and diacritics. İ, I, ı and i are one letter in every language, because the language of a
query is unknown. A suffix after an apostrophe is removed ("Ankara'da" is ankara), but not the word after an elided
article ("l'école" is l, ecole). Compounds and numbers are split ("COVID-19" is covid, 19; "12,902" is 12, 902), and a
query for one is a phrase of its parts.

Articles in inflected languages are also indexed under the beginnings of their words: see `STEM_LETTERS`.
"""

from __future__ import annotations

import json
import re
import threading
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from functools import lru_cache
from typing import Any

from samestory import _core
from samestory.archive import settings
from samestory.database import Database, Session
from samestory.database.sqlite import PLACES_PER_COLUMN, PLACES_PER_ROW, SQLite
from samestory.errors import StoreError

#: Identifies the folding rules and the version of Unicode. Words indexed by other rules must be indexed again
#: (`reindex`), because SQLite deletes from its index only if given exactly the words that were inserted.
FOLDING = f"folding-1, unicode {unicodedata.unidata_version}"

#: A word of at least this many letters is also indexed and searched by its first ones: as good as a lemma for finding
#: Turkish news. A prefix query would need no extra terms, but matches in every language (twice the articles, where half
#: are Turkish). Among 200,000 articles its median time was the same (0.3 ms for rare words, 0.7 for common ones), and
#: two to three times as long for prefixes that many words share (12 ms, not 4).
STEM_LETTERS = 5

#: Fewer articles than this are indexed without a savepoint.
MIN_ARTICLES_FOR_SAVEPOINT = 50

#: Prefix of a stem, and of no term, so that "ankar" in an English article does not match "Ankara".
STEM_MARK = "·"

#: Prefix of a title word in PostgreSQL, which would otherwise read every article to distinguish title and text.
TITLE_MARK = "^"

#: The languages whose words are indexed by stem. In others the first letters are too ambiguous: a search for
#: "government" should not find "governor".
INFLECTED = frozenset(
    re.findall(r"\w+", "tr az kk ky tk tt uz ru uk be pl cs sk sl hr sr bs mk bg lt lv fi et hu el ka hy")
)

#: Terms are truncated to this many letters: longer ones are not words, and PostgreSQL limits a lexeme to 2 KB.
MAX_TERM_LETTERS = 64

#: PostgreSQL's limits per article: bytes of its words (1 MB including overhead), the last distinct position, positions
#: per word. Phrases beyond are found by SQLite only.
MAX_VECTOR_BYTES, MAX_POSITION, MAX_POSITIONS_PER_TERM = 900_000, 16_383, 255

#: Letters that Unicode does not decompose.
LETTERS = str.maketrans(
    {"ı": "i", "ø": "o", "đ": "d", "ł": "l", "ħ": "h", "ð": "d", "æ": "ae", "œ": "oe", "þ": "th", "ʻ": "", "ʼ": ""}
)

#: Letters whose mark is not an optional accent: и is never written for й (войны are wars, воины warriors) nor і for ї,
#: while ё is mostly written е.
OWN_LETTERS = {"и\u0306", "у\u0306", "і\u0308"}

#: Optional marks: accents, points of Hebrew, vowels of Arabic. Marks of other scripts are vowels that are always
#: written.
_OPTIONAL_MARK = re.compile(
    "[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670]"
)

#: Elided articles and prepositions of French and Italian: before an apostrophe they are not the word. Single letters
#: (l', d', O') are not listed.
ELIDED = frozenset(
    re.findall(r"\w+", "qu jusqu lorsqu puisqu quelqu aujourd un all dall dell nell sull coll quell quest sant bell")
)


@lru_cache(maxsize=1 << 17)
def terms(word: str) -> tuple[str, ...]:
    """Fold a word without its suffix to terms.

    >>> terms("İSTANBUL"), terms("Ёлка"), terms("Covid-19")
    (('istanbul',), ('елка',), ('covid', '19'))
    """
    if word.isascii():
        lower = word.lower()
        return (
            (lower[:MAX_TERM_LETTERS],)
            if lower.isalnum()
            else tuple(t[:MAX_TERM_LETTERS] for t in re.findall("[a-z0-9]+", lower))
        )
    out: list[str] = []
    for letter in _decomposed(word):
        kind = unicodedata.category(letter)
        if _OPTIONAL_MARK.match(letter):
            if out and out[-1] + letter in OWN_LETTERS:
                out.append(letter)
        elif kind == "Nd":
            out.append(str(unicodedata.decimal(letter)))
        elif kind[0] in "LNM":
            out.append(letter)
        elif kind != "Cf":  # soft hyphens and joiners are invisible
            out.append(" ")
    return tuple(term[:MAX_TERM_LETTERS] for term in unicodedata.normalize("NFC", "".join(out)).split())


def _decomposed(word: str) -> str:
    """Return the letters of a word in lower case, each followed by its marks."""
    while True:
        folded = unicodedata.normalize("NFKD", word.casefold().translate(LETTERS))
        if folded == word:
            return word
        word = folded


def stem(term: str) -> str | None:
    """Return the stem of a term; None if it is too short or a number.

    >>> stem("secimler"), stem("oy")
    ('·secim', None)
    """
    return STEM_MARK + term[:STEM_LETTERS] if len(term) >= STEM_LETTERS and not term.isdigit() else None


def _suffixed(base: str, suffix: str) -> tuple[str, ...]:
    """Return the terms of a word with an apostrophe."""
    found = terms(base)
    # Latin letters only: Ukrainian words contain apostrophes
    is_word = bool(found) and len(found[-1]) > 1 and found[-1] not in ELIDED and found[-1].isascii()
    return found if is_word else found + terms(suffix)


def _fold_word(base: str, suffix: str | None) -> str:
    """Return the terms of a word, joined by spaces."""
    return " ".join(terms(base) if suffix is None else _suffixed(base, suffix))


#: Caches the terms of words, as every word of the archive passes through it. Not thread-safe.
_FOLDER, _FOLDER_LOCK = _core.text.Folder(_fold_word), threading.Lock()
#: The same for snippets, which do not wait until a batch of articles is indexed.
_SNIPPET_FOLDER, _SNIPPET_FOLDER_LOCK = _core.text.Folder(_fold_word), threading.Lock()


def _fold_texts(texts: Sequence[str]) -> list[str]:
    """Return the terms of every text, in order, joined by spaces."""
    with _FOLDER_LOCK:
        return _FOLDER(list(texts))


def passages(
    texts: Sequence[str],
    with_stems: Sequence[bool],
    words: Sequence[str],
    stems: Sequence[str],
    phrases: Sequence[Sequence[str]],
    limits: tuple[int, int],
) -> list[tuple[int, int, list[tuple[int, int]]] | None]:
    """Return the passage of every text that matches a query best; None for a text without words.

    A passage is its start and end, and the spans of the matching words relative to its start. `with_stems`: whether
    words of a text also match by stem. `limits`: words of a passage, and words before the first match.
    """
    with _SNIPPET_FOLDER_LOCK:
        folder = _SNIPPET_FOLDER
        return folder.passages(list(texts), list(with_stems), set(words), set(stems), list(map(list, phrases)), limits)


def split_terms(texts: Sequence[str]) -> list[list[str]]:
    """Split every text into terms, in order.

    >>> split_terms(["Ankara'da l'école"])
    [['ankara', 'l', 'ecole']]
    """
    return [text.split() for text in _fold_texts(texts)]


def is_inflected(language: str | None) -> bool:
    """Whether articles in this language are indexed by stem."""
    return language is not None and language[:2] in INFLECTED


def stems(row: Iterable[str]) -> list[str]:
    """Return the distinct stems of some terms."""
    return [found for found in dict.fromkeys(map(stem, dict.fromkeys(row))) if found]


def fold(titles: Sequence[str | None], texts: Sequence[str], languages: Sequence[str | None]) -> list[tuple[str, str]]:
    """Return title and text of every article as SQLite indexes them: terms, then stems, joined by spaces.

    >>> fold(["Seçimler"], ["İzmir'de oy"], ["tr"])
    [('secimler ·secim', 'izmir oy ·izmir')]
    """
    found = _fold_texts([*(title or "" for title in titles), *texts])
    out = []
    for title, text, language in zip(found, found[len(texts) :], languages, strict=False):
        if is_inflected(language):
            title, text = (" ".join([each, *stems(each.split())]).strip() for each in (title, text))
        out.append((title, text))
    return out


Entry = tuple[int, str | None, str, str | None]


def index_words(session: Session, kind: str, rows: Sequence[Entry]) -> None:
    """Index articles for search, each as (number, title, text, language); `kind` is that of the database."""
    numbers, titles, texts, languages = zip(*rows, strict=True) if rows else ((), (), (), ())
    if kind == "sqlite":
        words = fold(titles, texts, languages)
        entries = [(number, title, text) for number, (title, text) in zip(numbers, words, strict=True)]
        # at the end of a savepoint SQLite flushes the words that it holds in memory: here, in parallel with the
        # detectors, and not at the commit, when every thread waits. Those of a few articles are not worth a savepoint
        with session.part() if len(entries) >= MIN_ARTICLES_FOR_SAVEPOINT else nullcontext():
            session.many("INSERT INTO words (rowid, title, text) VALUES (?, ?, ?)", entries)
    else:
        changed = list(zip(tsvectors(titles, texts, languages), numbers, strict=True))
        session.many("UPDATE texts SET found = CAST(? AS tsvector) WHERE number = ?", changed)


def unindex(session: Session, rows: Sequence[Entry]) -> None:
    """Remove articles from SQLite's search index; title, text and language must be those that were indexed.

    PostgreSQL keeps the words in the row of the text, and deletes them with it.
    """
    numbers, titles, texts, languages = zip(*rows, strict=True) if rows else ((), (), (), ())
    words = fold(titles, texts, languages)
    entries = [("delete", number, title, text) for number, (title, text) in zip(numbers, words, strict=True)]
    session.many("INSERT INTO words (words, rowid, title, text) VALUES (?, ?, ?, ?)", entries)


def reindex(session: Session, kind: str, at_once: int = 1000) -> int:
    """Index all articles again; return their number."""
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
        index_words(session, kind, rows)
        done, last = done + len(rows), rows[-1][0]


def wrong_entries(session: Session, database: Database, at_once: int = 1000) -> list[str]:
    """Compare the search index with the texts; return the terms and the numbers of articles that differ.

    SQLite has the places of each term, PostgreSQL the words of each article. If a text is not UTF-8, nothing is
    compared.
    """
    wrong: list[str] = []
    occurrences, places = Counter[str](), Counter[str]()
    lengths: dict[int, tuple[int, int]] = {}
    last = -(2**63)
    text = "CAST({} AS BLOB)" if isinstance(database, SQLite) else "{}"
    columns = ", ".join(["t.number", *map(text.format, ("t.title", "t.text", "a.lang"))])
    sql = f"SELECT {columns} FROM texts t JOIN articles a ON a.number = t.number WHERE t.number > ?"
    while rows := session.rows(f"{sql} ORDER BY t.number LIMIT ?", (last, at_once)):
        last = rows[-1][0]
        numbers = [row[0] for row in rows]
        try:
            titles, texts, languages = zip(*([_decoded(each) for each in row[1:]] for row in rows), strict=True)
        except UnicodeDecodeError:
            return []
        if isinstance(database, SQLite):
            for number, (title, body) in zip(numbers, fold(titles, texts, languages), strict=True):
                found = (title.split(), body.split())
                lengths[number] = (len(found[0]), len(found[1]))
                for column, row in enumerate(found):
                    occurrences.update(row)
                    for place, term in enumerate(row, PLACES_PER_ROW * number + PLACES_PER_COLUMN * column):
                        places[term] += place
        else:
            expected = zip(numbers, tsvectors(titles, texts, languages), strict=True)
            given = json.dumps([{"number": number, "found": vector} for number, vector in expected])
            differing = (
                "SELECT t.number FROM texts t"
                " JOIN json_to_recordset(CAST(? AS json)) AS e(number bigint, found text) ON e.number = t.number"
                " WHERE t.found IS DISTINCT FROM CAST(e.found AS tsvector) ORDER BY 1"
            )
            wrong += [str(number) for (number,) in session.rows(differing, (given,))]
    if isinstance(database, SQLite):
        for number, sizes in session.rows("SELECT id, sz FROM words_docsize ORDER BY id"):
            if number in lengths and sizes != _varints(lengths[number]):
                wrong.append(str(number))
        try:
            for encoded, count, sum_of_places in database.vocabulary(session, "words"):
                name = encoded.decode("utf-8", "replace")
                if (occurrences.pop(name, 0), places[name]) != (count, sum_of_places):
                    wrong.append(name)
        except StoreError as error:
            return [*wrong, error.detail]
        wrong += sorted(occurrences)
    return wrong


def _decoded(value: Any) -> Any:
    return value.decode() if isinstance(value, bytes) else value


def _varints(numbers: Iterable[int]) -> bytes:
    """Return numbers as SQLite stores them: seven bits a byte, the highest first."""
    out = bytearray()
    for number in numbers:
        part = [number & 0x7F]
        while number := number >> 7:
            part.append(0x80 | number & 0x7F)
        out += bytes(reversed(part))
    return bytes(out)


#: Pages merged per transaction, so that other writers need not wait long; and the share of articles that must have been
#: deleted to make a merge worthwhile, since it rewrites all words.
PAGES_PER_MERGE, MIN_DELETED_SHARE = 1000, 0.1


def shrink(database: Database, deleted: int) -> None:
    """Free the space of the words of deleted articles, which SQLite keeps until it merges its index segments."""
    if database.kind != "sqlite" or not deleted:
        return
    with database.read() as session:
        left = (session.one("SELECT count(*) FROM articles") or (0,))[0]
    if deleted < MIN_DELETED_SHARE * left:
        return
    pages = -PAGES_PER_MERGE  # negative: merge all segments, not only the levels that are full
    while True:
        with database.write() as session:
            before = session.one("SELECT total_changes()")
            session.run("INSERT INTO words (words, rank) VALUES ('merge', ?)", (pages,))
            after = session.one("SELECT total_changes()")
        if before is None or after is None or after[0] - before[0] < 2:
            return  # nothing left to merge
        pages = PAGES_PER_MERGE


def tsvectors(titles: Sequence[str | None], texts: Sequence[str], languages: Sequence[str | None]) -> list[str]:
    """Return every article as the text of a PostgreSQL tsvector: marked title terms, terms with positions, stems.

    >>> tsvectors(["Fire"], ["fire again"], ["en"])
    ["'^fire' 'fire':1,3 'again':4"]
    """
    found = _fold_texts([*(title or "" for title in titles), *texts])
    rows = []
    for title, text, language in zip(found, found[len(texts) :], languages, strict=False):
        both = (stems(title.split()), stems(text.split())) if is_inflected(language) else ([], [])
        rows.append((title, text, *both))
    return _core.text.tsvectors(rows, TITLE_MARK, (MAX_VECTOR_BYTES, MAX_POSITION, MAX_POSITIONS_PER_TERM))


def reindex_if_outdated(session: Session, kind: str) -> None:
    """Index the words of all articles again if they were folded by other rules."""
    if settings.get(session, "folding") != FOLDING:
        reindex(session, kind)
        settings.put(session, "folding", FOLDING)
