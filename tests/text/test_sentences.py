"""Sentences and languages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from samestory import Article, Kind, prepare, relate


def sentences(text: str, lang: str = "en") -> list[str]:
    turns = prepare([Article("a", text, lang=lang)]).sentences[0].reshape(-1, 2).tolist()
    return [text[start:end] for start, end in turns]


@pytest.mark.parametrize(
    ("lang", "expected"),
    [
        ("en", ["He came.", "She saw!", "Who won?", "Nobody knows…", "The end"]),
        ("en", ["Dr. Smith paid Mr. Jones 3.5 million.", "J. Doe left."]),
        ("en", ["It rose 2.5% at 3.20 a.m. on Monday.", "Then it fell."]),
        ("en", ["“It is over.”", "He sat down (again.)", "Then silence!?"]),
        ("tr", ["Bu 19. yüzyılda oldu.", "Prof. Dr. Kaya geldi."]),
        ("tr", ["Saat 10.30 sularında başladı.", "Kimse yoktu."]),
        ("ru", ["В 2020 г. ставка выросла.", "Так сказал А. Б. Иванов."]),
        ("el", ["Έφυγε.", "Γύρισε!"]),
        ("hi", ["वह आया।", "वह गया।"]),
    ],
)
def test_stops_end_sentences_but_not_in_numbers_abbreviations_and_initials(lang: str, expected: list[str]) -> None:
    assert sentences(" ".join(expected), lang) == expected


def test_scripts_without_spaces_end_sentences_without_spaces() -> None:
    assert sentences("東京は晴れ。明日は雨？はい！", "ja") == ["東京は晴れ。", "明日は雨？", "はい！"]
    assert sentences("今天下雨。明天晴。", "zh") == ["今天下雨。", "明天晴。"]


def test_line_ends_end_sentences() -> None:
    assert sentences("A headline\nA paragraph without a stop\r\n\r\nAnother") == [
        "A headline",
        "A paragraph without a stop",
        "Another",
    ]


def test_an_address_is_not_cut() -> None:
    assert sentences("See www.example.org/a.b for more. Bye.") == ["See www.example.org/a.b for more.", "Bye."]


def test_places_count_characters() -> None:
    assert sentences("😀 Bir. 🎉🎉 İki!", "tr") == ["😀 Bir.", "🎉🎉 İki!"]


@given(
    text=st.text(st.sampled_from('Ab1. !?…\n\r"”)(。😀\u00a0é'), max_size=60), lang=st.sampled_from(["en", "tr", "ru"])
)
def test_sentences_are_in_order_trimmed_and_lose_nothing_but_white_space(text: str, lang: str) -> None:
    turns = prepare([Article("a", text, lang=lang)]).sentences[0].reshape(-1, 2).tolist()
    before = 0
    for start, end in turns:
        assert text[before:start].strip() == ""
        assert text[start:end] == text[start:end].strip() != ""
        before = end
    assert text[before:].strip() == ""


# --- languages ---


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("tr", "Bakanlar Kurulu toplantısının ardından yapılan açıklamada yeni önlemler alınacağı bildirildi."),
        ("en", "The central bank raised its key rate on Thursday as inflation remained above target."),
        ("ru", "Центральный банк повысил ключевую ставку в четверг на фоне высокой инфляции."),
        ("ar", "أعلنت وزارة الصحة اليوم عن خطة جديدة لتطوير المستشفيات في جميع المحافظات."),
        ("el", "Η κυβέρνηση ανακοίνωσε σήμερα νέα μέτρα για την οικονομία της χώρας."),
        ("ja", "東京では今日、新しい図書館が開館しました。"),
        ("th", "วันนี้รัฐบาลประกาศมาตรการใหม่เพื่อช่วยเหลือประชาชน"),
        ("de", "Die Bundesregierung hat am Donnerstag neue Maßnahmen für die Wirtschaft beschlossen."),
    ],
)
def test_the_language_is_detected_when_it_is_not_given(lang: str, text: str) -> None:
    assert prepare([Article("a", text)]).languages == [lang]
    assert prepare([Article("a", text, lang="")]).languages == [lang]


def test_a_given_language_is_believed() -> None:
    assert prepare([Article("a", "The bank raised its rate.", lang="tr")]).languages == ["tr"]


@pytest.mark.parametrize("lang", ["tr", "TUR", "tr-TR", "tr_TR", None, "Turkish", "türkçe", "Turkce", "unknown", "n/a"])
def test_the_same_turkish_in_capitals_is_identical_whatever_the_field_says(lang: str | None) -> None:
    text = "İstanbul'da bugün şiddetli yağış bekleniyor, ılık rüzgâr ve kışın ilk izleri görülecek."
    capitals = text.replace("i", "İ").replace("ı", "I").upper()
    (one,) = relate([Article("a", text, lang=lang), Article("b", capitals, lang=lang)], detector="exact")
    assert one.kind is Kind.IDENTICAL


def test_what_is_no_language_is_undetermined() -> None:
    assert prepare([Article("a", ""), Article("b", "12 34 — 56")]).languages == ["und", "und"]
