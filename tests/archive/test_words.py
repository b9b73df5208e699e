"""Folding of words to terms, and their indexing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from samestory.archive.words import (
    MAX_TERM_LETTERS,
    STEM_MARK,
    TITLE_MARK,
    fold,
    index_words,
    split_terms,
    terms,
    tsvectors,
    unindex,
)
from samestory.database import connect
from tests.reference.snippets import token_terms, tokens


def row(text: str) -> list[str]:
    return split_terms([text])[0]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("İSTANBUL Istanbul ıstanbul istanbul", ["istanbul"] * 4),
        ("Şişli'de ĞÜÇLÜ öğün", ["sisli", "guclu", "ogun"]),
        ("Ёлка ещё", ["елка", "еще"]),
        ("войны воины", ["войны", "воины"]),
        ("Їжак і ўсё", ["їжак", "і", "ўсе"]),
        ("Ankara'da Ankara’daki AB'nin", ["ankara", "ankara", "ab"]),
        ("l'école d’Orsay O'Brien", ["l", "ecole", "d", "orsay", "o", "brien"]),
        ("dell'arte aujourd'hui", ["dell", "arte", "aujourd", "hui"]),
        ("об'єкт п’ять", ["об", "єкт", "п", "ять"]),
        ("COVID-19, 12,902; 2008-2009", ["covid", "19", "12", "902", "2008", "2009"]),
        ("Straße Ærø Łódź ﬁre", ["strasse", "aero", "lodz", "fire"]),
        ("٣ ２０２６", ["3", "2026"]),
        ("东京 हिन्दी", ["东", "京", "हिन्दी"]),
        ("soft\u00adhyphen cafe\u0301 café", ["softhyphen", "cafe", "cafe"]),
        ("... — !?", []),
    ],
)
def test_words_are_folded(text: str, wanted: list[str]) -> None:
    assert row(text) == wanted


@given(st.text(max_size=60))
def test_terms_contain_no_query_syntax(text: str) -> None:
    clean = text.encode("utf-8", "replace").decode()
    for term in row(clean):
        assert 0 < len(term) <= MAX_TERM_LETTERS
        assert not set(term) & set(f" \"'\\()*^:&|!<>-+{STEM_MARK}{TITLE_MARK}\0\t\n")
        assert not term.isascii() or term.isalnum()


@given(st.text(max_size=20))
def test_folding_is_idempotent(text: str) -> None:
    clean = text.encode("utf-8", "replace").decode()
    for term in terms(clean):
        if len(term) < MAX_TERM_LETTERS:
            assert terms(term) == (term,)


@given(st.lists(st.text(max_size=60), max_size=4))
def test_text_terms_equal_token_terms(texts: list[str]) -> None:
    texts = [text.encode("utf-8", "replace").decode() for text in texts]
    for text, row, found in zip(texts, split_terms(texts), tokens(texts), strict=True):
        assert [term for token in found for term in token_terms(text, token)] == row
        assert all(0 <= start < base <= end <= len(text) for start, base, end in found)


def test_stems_are_indexed_in_inflected_languages() -> None:
    titles, texts = ["Seçimler", "Seçimler", None], ["seçim oy seçimi", "seçim", "seçim"]
    assert fold(titles, texts, ["tr", "en", None]) == [
        ("secimler ·secim", "secim oy secimi ·secim"),
        ("secimler", "secim"),
        ("", "secim"),
    ]


def test_indexed_words_can_be_removed(place: str) -> None:
    entries = [(n, f"Başlık {n}", f"İzmir'de {n} oy verdi", "tr") for n in range(1, 40)]
    with connect(place) as database:
        with database.write() as session:
            session.insert("texts", ("number", "text", "title"), [(n, text, title) for n, title, text, _ in entries])
            index_words(session, database.kind, entries)
            index_words(session, database.kind, [])
            if database.kind == "sqlite":
                unindex(session, entries[:20])
            session.run_among("DELETE FROM texts WHERE number IN ({})", [number for number, *_ in entries[:20]])
        question = (
            ("SELECT rowid FROM words WHERE words MATCH ? ORDER BY rowid", '"izmir"')
            if database.kind == "sqlite"
            else ("SELECT number FROM texts WHERE found @@ CAST(? AS tsquery) ORDER BY number", "'izmir'")
        )
        with database.read() as session:
            assert [n for (n,) in session.rows(question[0], (question[1],))] == list(range(21, 40))


def test_a_text_of_any_length_can_be_indexed(place: str) -> None:
    text = " ".join(f"word{n} the" for n in range(200_000)) + " " + "x" * 5000
    with connect(place) as database, database.write() as session:
        session.insert("texts", ("number", "text"), [(1, text)])
        index_words(session, database.kind, [(1, None, text, "tr")])


def slow_vector(title: str, text: str, language: str) -> str:
    """Build the tsvector of an article word by word."""
    stems = {part: [f"·{t[:5]}" for t in dict.fromkeys(part.split()) if len(t) >= 5] for part in (title, text)}
    if language != "tr":
        stems = {title: [], text: []}
    at: dict[str, list[int]] = {f"^{term}": [] for term in (*title.split(), *stems[title])}
    for place, term in enumerate([*title.split(), "", *text.split()], 1):
        at.setdefault(term, []).append(place)
    del at[""]
    at |= {stem: at.get(stem, []) for stem in (*stems[title], *stems[text])}
    return " ".join(
        f"'{term}'" + ":" * bool(found[:255]) + ",".join(map(str, [place for place in found if place < 16_383][:255]))
        for term, found in at.items()
    )


def test_a_tsvector_has_a_gap_between_title_and_text() -> None:
    assert tsvectors(["A b"], ["B, seçimler"], ["tr"]) == ["'^a' '^b' 'a':1 'b':2,4 'secimler':5 '·secim'"]
    assert tsvectors([None, None], ["b", ""], ["en", None]) == ["'b':2", ""]


@given(st.lists(st.sampled_from(["ab", "secimler", "secimi", "x", "yanginda"]), max_size=600), st.integers(0, 9))
def test_a_tsvector_equals_the_slow_one(terms: list[str], cut: int) -> None:
    title, text = " ".join(terms[:cut]), " ".join(terms[cut:])
    for language in ("tr", "en"):
        assert tsvectors([title], [text], [language]) == [slow_vector(title, text, language)]


def test_a_tsvector_respects_the_limits_of_postgresql() -> None:
    (vector,) = tsvectors([None], ["the " * 300 + "w " * 16_380 + " ".join(f"word{n}" for n in range(150_000))], ["en"])
    places = {lexeme.partition(":")[0]: lexeme.partition(":")[2] for lexeme in vector.split(" ")}
    assert places["'the'"].count(",") == 254
    assert places["'word1'"] == ""  # after the last position
    assert 800_000 < sum(len(term) - 2 + 8 for term in places) + 2 * 255 * 2 <= 900_000
