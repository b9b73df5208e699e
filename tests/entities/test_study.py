"""The engine against a slow reference of the study, on random texts; and the offsets of names."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from samestory.entities import Recogniser
from samestory.entities.recogniser import LANGUAGES, RULES
from tests.entities.study import NAMES, recogniser, texts
from tests.reference import tuner

STUDY = recogniser(NAMES)
#: The built-in packs by rule set.
FULL = {rules: Recogniser(rules) for rules in RULES}

anything = st.one_of(
    texts(),
    st.text(max_size=60),
    st.text(alphabet="AaİıIiŞş ’'ʼ`´.,\nЖжÉe\u0301\u0307😀12-", max_size=60),
)


@given(text=texts())
@settings(max_examples=600)
def test_the_engine_tells_what_the_slow_reading_tells(text: str) -> None:
    (found,) = STUDY.texts([text], ["tr"])
    assert {(name.start, name.end, name.kind) for name in found} == set(tuner.names(text, NAMES))
    assert len(found) == len(tuner.names(text, NAMES)), "no name twice"


@given(text=texts(most=120))
@settings(max_examples=40)
def test_so_it_does_where_a_text_is_long(text: str) -> None:
    (found,) = STUDY.texts([text], ["tr"])
    assert {(name.start, name.end, name.kind) for name in found} == set(tuner.names(text, NAMES))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("rules", RULES)
@given(text=anything)
@settings(max_examples=100)
def test_a_name_is_a_piece_of_the_text(rules: str, language: str, text: str) -> None:
    (found,) = FULL[rules].texts([text], [language])
    for name in found:
        assert 0 <= name.start < name.end <= len(text)
        assert text[name.start : name.end] == name.text
        assert name.text[0].isupper()
        assert name.kind in ("person", "location", "organization", "unclassified")
    assert [name.start for name in found] == sorted(name.start for name in found)


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("head", ["", "😀 ", "👨‍👩‍👧‍👦 é ", "e\u0301 ", "İ ı ş ", "𝒳 "])
def test_places_count_characters_whatever_stands_before(rules: str, head: str) -> None:
    text = f"{head}dün Ankara'da"
    (name,) = (name for name in FULL[rules].texts([text], ["tr"])[0] if name.kind == "location")
    assert (name.start, name.text) == (len(head) + 4, "Ankara")


@pytest.mark.parametrize("rules", RULES)
def test_a_name_in_decomposed_letters_is_the_same_name(rules: str) -> None:
    """Some systems write Ş as S and a cedilla; offsets cover all its characters."""
    text = unicodedata.normalize("NFD", "Dün İstanbul'da ve Şanlıurfa'da yağmur yağdı.")
    names = [name.text for name in FULL[rules].texts([text], ["tr"])[0] if name.kind == "location"]
    assert [unicodedata.normalize("NFC", name) for name in names] == ["İstanbul", "Şanlıurfa"]


@given(text=texts())
@settings(max_examples=60)
def test_a_batch_tells_what_single_texts_tell(text: str) -> None:
    several = [text, "", "Ankara", text]
    assert STUDY.texts(several, ["tr"] * 4) == [STUDY.texts([one], ["tr"])[0] for one in several]


def test_a_phrase_of_a_list_does_not_cross_a_full_stop() -> None:
    """The engine once matched "Merkez. Bankası" across the end of a sentence."""
    for text in ("Burası Merkez. Bankası yok.", "Merkez bankası faizi indirdi."):
        assert [name.kind for name in STUDY.texts([text], ["tr"])[0] if name.kind == "organization"] == []
    names = FULL["extended"].texts(["He thanked Mr Black. Sea levels rose."], ["en"])[0]
    assert "location" not in {name.kind for name in names}, "no Black Sea here"
    names = FULL["extended"].texts(["He moved to St. Louis."], ["en"])[0]
    assert [(name.text, name.kind) for name in names if name.kind == "location"] == [("St. Louis", "location")]


def test_no_person_is_named_like_a_listed_organisation() -> None:
    """A title once turned any following name into a person."""
    (found,) = STUDY.texts(["Sayın Microsoft Türkiye yetkilileri, Müdürü Özgür Microsoft"], ["tr"])
    names = [(name.text, name.kind) for name in found if name.kind != "location"]
    assert names == [("Microsoft Türkiye", "organization"), ("Özgür", "person"), ("Microsoft", "organization")]


def test_a_title_alone_is_unclassified() -> None:
    """No name was found in its run, as the study reports for every such run."""
    (found,) = STUDY.texts(["Genel Müdürü geldi."], ["tr"])
    assert [(name.text, name.kind) for name in found] == [("Genel Müdürü", "unclassified")]
