"""Tokens: against the regular expression of the specification, in every script, with character offsets."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from samestory import Article, _core, prepare
from tests.reference import tokens as reference


def tokens(text: str, lang: str | None = None) -> list[str]:
    features = prepare([Article("a", text, lang=lang)])
    spans = zip(features.starts[0].tolist(), features.ends[0].tolist(), strict=True)
    return [text[start:end] for start, end in spans]


def hashes(text: str, lang: str | None = "en") -> list[int]:
    """Returns the comparison key of a word: the token without its flags."""
    return [token >> 2 for token in prepare([Article("a", text, lang=lang)]).tokens[0].tolist()]


def test_the_worked_example_of_the_specification() -> None:
    assert tokens("NASDAQ starts day with an increase. Shares gain 2%.") == (
        ["NASDAQ", "starts", "day", "with", "an", "increase", "Shares", "gain", "2%"]
    )


def test_figures_and_compounds_stay_whole() -> None:
    whole = ["42,9", "22.50", "2008-2009", "2%", "%5", "12:30", "3/4", "e-posta", "1.000.000'u", "Ankara’da", "o'clock"]
    assert tokens(" ; ".join(whole)) == whole


def test_the_base_and_the_suffix_behind_an_apostrophe_are_distinguished() -> None:
    text = "Ankara'da 2008’de ev"
    features = prepare([Article("a", text)])
    bases = [text[s:b] for s, b in zip(features.starts[0].tolist(), features.bases[0].tolist(), strict=True)]
    assert bases == ["Ankara", "2008", "ev"]


# Letters that Python and the core treat alike: no marks, no scripts without spaces, and every character of the rule.
_ALPHABET = st.sampled_from("aIiİıZ_ğŞéßжЖёΣσςὈ0179%.,:/-'’ʼ´`–‑−\u00ad\u200bﬁＡ１％．\n…“(😀ªⅣ²")
_PIECES = st.sampled_from(
    [
        "42,9",
        "%5",
        "2008-2009",
        "e-posta",
        "Ankara'da",
        "x_1",
        "2nd",
        "'",
        " ",
        "-",
        "İI",
        "word " * 12,
        " 'i",
        " ’s",
        "1 'a",
    ]
)
texts = st.lists(st.one_of(_ALPHABET, _PIECES), max_size=60).map("".join)


@given(text=texts, lead=st.integers(0, 130))
@settings(max_examples=300)
def test_tokens_are_those_of_the_regular_expression(text: str, lead: int) -> None:
    """The lead shifts the text across the 64-byte blocks of the core."""
    text = " " * lead + text
    features = prepare([Article("a", text, lang="en")])
    found = zip(features.starts[0].tolist(), features.bases[0].tolist(), features.ends[0].tolist(), strict=True)
    assert list(found) == [(t.start, t.base, t.end) for t in reference.tokens(text)]


@given(text=texts, turkish=st.booleans())
@settings(max_examples=300)
def test_tokens_are_equal_when_their_words_are(text: str, turkish: bool) -> None:
    """As many different hashes as different words, word for word."""
    found = hashes(text, "tr" if turkish else "en")
    expected = reference.words(text, turkish)
    assert len(found) == len(expected)
    assert len(set(zip(found, expected, strict=True))) == len(set(found)) == len(set(expected))


def test_the_same_word_has_the_same_token_wherever_it_stands() -> None:
    words = ["a", "bridge", "eightlet", "sixteen-letters-", "a-rather-long-compound-word", "naïve", "Мост", "Ankara'da"]
    for word in words:
        alone = hashes(word.strip("-"))
        for lead in range(70):
            assert hashes(" " * lead + word.strip("-") + " tail" * 5)[: len(alone)] == alone


@pytest.mark.parametrize(
    ("lang", "text", "expected"),
    [
        ("el", "Η Αθήνα, 3 ώρες· Θεσσαλονίκη!", ["Η", "Αθήνα", "3", "ώρες", "Θεσσαλονίκη"]),
        ("ar", "مدينة القاهرة، ٢٥ مليون؟", ["مدينة", "القاهرة", "٢٥", "مليون"]),
        ("ar", "مَدِينَة", ["مَدِينَة"]),
        ("hi", "हिन्दी समाचार। दिल्ली में", ["हिन्दी", "समाचार", "दिल्ली", "में"]),
        ("zh", "北京3000人。", ["北", "京", "3000", "人"]),
        ("ja", "東京で、ニュースが", ["東", "京", "で", "ニ", "ュ", "ー", "ス", "が"]),
        ("th", "ข่าว 25", ["ข่", "า", "ว", "25"]),
        ("ko", "서울에서 25명이", ["서울에서", "25", "명이"]),
        ("he", "ירושלים היום", ["ירושלים", "היום"]),
        ("ru", "Москва́ — 2-й", ["Москва́", "2", "й"]),
    ],
)
def test_every_script_has_its_tokens(lang: str, text: str, expected: list[str]) -> None:
    assert tokens(text, lang) == expected


def test_a_script_without_spaces_may_stand_beside_one_with_them() -> None:
    assert tokens("NATOの2%目標 for東京") == ["NATO", "の", "2%", "目", "標", "for", "東", "京"]


# --- case ---


def test_turkish_case_is_for_turkish_only() -> None:
    assert hashes("IĞDIR İSTANBUL IRMAK", "tr") == hashes("ığdır istanbul ırmak", "tr")
    assert hashes("IĞDIR", "tr") != hashes("iğdir", "tr")
    assert hashes("IRAN ISSUE", "en") == hashes("iran issue", "en")
    assert hashes("IRAN", "tr") != hashes("iran", "tr")
    assert hashes("TITANIC", "az") == hashes("tıtanıc", "az")


@pytest.mark.parametrize("lang", ["tr", "TR", "tr-TR", "tr_TR", "tur"])
def test_turkish_is_known_by_all_its_names(lang: str) -> None:
    assert hashes("IRMAK", lang) == hashes("ırmak", lang)


def test_without_a_language_turkish_is_detected_where_it_matters() -> None:
    sentence = (
        "Bakanlık dün yaptığı açıklamada yağışın ve IŞIK sorununun süreceğini, okulların kapalı kalacağını bildirdi."
    )
    assert hashes(sentence, None) == hashes(sentence, "tr") != hashes(sentence, "en")
    english = "The prime minister met Recep Tayyip Erdoğan in Istanbul on Monday to discuss ISSUES of trade and water."
    assert hashes(english, None) == hashes(english, "en")


def test_case_is_folded_in_other_alphabets() -> None:
    assert hashes("МОСКВА Ёж ÉCOLE ΟΔΟΣ STRAẞE", "ru") == hashes("москва ёж école οδος straße", "ru")
    assert hashes("ΟΔΟΣ") == hashes("οδος") == hashes("οδοσ")


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("fr", "Zoë naïve école ÉCOLE"),
        ("tr", "ığdır öğrenci çalışma ŞÜPHE"),
        ("tr", "İSTANBUL"),
        ("vi", "Việt Nam Thủ đô Hà Nội"),
        ("el", "Αθήνα ΐ"),
        ("ru", "йод ёж Йод"),
        ("ja", "がぎぐ"),
        ("ko", "한국 서울"),
        ("hi", "\u0958लम \u095bमीन"),
    ],
)
def test_composed_and_decomposed_letters_are_one(lang: str, text: str) -> None:
    """The same letter may be one character or several, without a visible difference."""
    decomposed = unicodedata.normalize("NFD", text)
    assert decomposed != text
    assert hashes(decomposed, lang) == hashes(text, lang)
    assert hashes(unicodedata.normalize("NFC", text), lang) == hashes(text, lang)


def test_the_form_of_the_apostrophe_does_not_matter() -> None:
    assert hashes("Ankara'da it's") == hashes("Ankara’da it’s")
    assert hashes("Ankarada") != hashes("Ankara'da") != hashes("Ankara'daki")


@pytest.mark.parametrize("apostrophe", reference.APOSTROPHES)
def test_every_apostrophe_is_one(apostrophe: str) -> None:
    plain = hashes("Ankara'da 2009'un o'clock")
    assert hashes("Ankara'da 2009'un o'clock".replace("'", apostrophe)) == plain


@pytest.mark.parametrize("hyphen", reference.HYPHENS)
def test_every_hyphen_is_one(hyphen: str) -> None:
    assert hashes("e-posta 2008-2009 COVID-19".replace("-", hyphen)) == hashes("e-posta 2008-2009 COVID-19")


def test_a_dash_between_words_joins_nothing() -> None:
    assert tokens("one—two three – four – 5") == ["one", "two", "three", "four", "5"]


def test_ligatures_and_full_width_forms_are_their_letters() -> None:
    assert hashes("oﬃcial ﬂow ﬁrst ｆｕｌｌ ＮＡＴＯ １２．５％ ２００９") == hashes(
        "official flow first full NATO 12.5% 2009"
    )


@pytest.mark.parametrize(
    ("lang", "spaced", "joined"),
    [
        ("tr", "Facebook 'un Türkiye ’de 2012 `den BBC 'ye", "Facebook'un Türkiye'de 2012'den BBC'ye"),
        ("tr", "ANKARA\n'DA yağmur", "ANKARA'DA yağmur"),
        ("en", "The firm 's boss said he 'll go", "The firm's boss said he'll go"),
    ],
)
def test_a_blank_before_an_apostrophe_parts_no_suffix_from_its_word(lang: str, spaced: str, joined: str) -> None:
    assert hashes(spaced, lang) == hashes(joined, lang)


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("en", "he said 'yes' and 's' and 'be it'"),
        ("tr", "Erdoğan 'ne oldu' diye sordu"),
        ("tr", "Ankara 'da Vinci şifresi' filmi"),
        ("tr", "sordu 'ne oldu"),
    ],
)
def test_an_opening_quote_is_no_apostrophe(lang: str, text: str) -> None:
    assert tokens(text, lang) == text.replace("'", "").split()


def test_invisible_characters_inside_words_do_not_count() -> None:
    assert hashes("co\u00adopera\u00adtion می\u200cخواهم") == hashes("cooperation میخواهم")
    assert hashes("co\u200bopera\ufeff\u2060tion \ufeffbridge") == hashes("cooperation bridge")


@given(word=st.text(st.sampled_from("aIiİıßžΣς'жЖ"), min_size=1, max_size=6), turkish=st.booleans())
def test_folding_twice_is_folding_once(word: str, turkish: bool) -> None:
    language = _core.text.Language("tr" if turkish else "en")
    once = language.fold(word)
    assert language.fold(once) == once


# --- offsets ---


@given(text=st.text(st.sampled_from("aé ж東\U0001f600\U00020000\u0301'2%-.\n"), max_size=80))
@settings(max_examples=200)
def test_places_count_characters_also_beyond_the_basic_plane(text: str) -> None:
    features = prepare([Article("a", text, lang="en")])
    starts, bases, ends = (column[0].tolist() for column in (features.starts, features.bases, features.ends))
    before = 0
    for start, base, end in zip(starts, bases, ends, strict=True):
        assert before <= start < base <= end <= len(text)
        token = text[start:end]
        assert not re.search(r"[\s\U0001f600]", token)
        between = text[before:start]
        assert not any(c.isalnum() for c in between), "no letter is lost between two tokens"
        before = end
    assert not any(c.isalnum() for c in text[before:])


def test_emoji_do_not_move_places() -> None:
    text = "😀😀 İzmir’de 👩‍👩‍👧 \U00020000 3,5 🎉son"
    assert tokens(text, "tr") == ["İzmir’de", "\U00020000", "3,5", "son"]


@pytest.mark.parametrize("text", ["👩\u200d👩\u200d👧", "\u200d", "\u200c", "\u00ad", "\u200b \ufeff", "❤️"])
def test_what_cannot_be_seen_is_no_token(text: str) -> None:
    """The joiner inside a family of emoji folds to an empty word, which would make unrelated texts similar."""
    assert tokens(text) == []


def test_figures_and_names_are_flagged() -> None:
    flags = [token & 3 for token in prepare([Article("a", "the 2% Of Ö ö %5 東 İ")]).tokens[0].tolist()]
    assert flags == [0, 1, 2, 2, 0, 1, 0, 2]
