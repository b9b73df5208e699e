"""Texts in the wild: in capitals or without any, with bylines, lists, mixed languages, all apostrophes, endless runs.

A language other than Turkish has no study: there both names of rules mean all our rules.
"""

from __future__ import annotations

import pytest

import samestory
from samestory.entities import Recogniser
from samestory.entities.recogniser import LANGUAGES, RULES
from tests.entities.study import named

RECOGNISERS = {rules: Recogniser(rules) for rules in RULES}
P, L, ORG, U = "person", "location", "organization", "unclassified"

pytestmark = pytest.mark.parametrize("rules", RULES)


def names_by_kind(rules: str, text: str, language: str) -> dict[str, set[str]]:
    """Returns the distinct names by kind, without unclassified ones."""
    found = named(RECOGNISERS[rules].texts([text], [language])[0])
    return {kind: names for kind, names in found.items() if kind != U}


#: Language: a headline in capitals, the text below it, the names of the headline, of the text.
HEADLINES = {
    "tr": (
        "ALİ KAYA ANKARA'DA AÇIKLADI",
        "Ankara'da konuşan Ali Kaya, dün yapılan toplantıdan sonra sorular aldı.",
        {P: {"ALİ KAYA"}, L: {"ANKARA"}},
        {P: {"Ali Kaya"}, L: {"Ankara"}},
    ),
    "en": (
        "PRESIDENT OBAMA VISITS LONDON",
        "President Barack Obama flew to London on Monday.",
        {P: {"OBAMA"}, L: {"LONDON"}},
        {P: {"Barack Obama"}, L: {"London"}},
    ),
    "ru": (
        "ПРЕЗИДЕНТ ПУТИН ПРИБЫЛ В МОСКВУ",
        "Президент Владимир Путин прибыл в Москву.",
        {P: {"ПУТИН"}, L: {"МОСКВУ"}},
        {P: {"Владимир Путин"}, L: {"Москву"}},
    ),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_headline_in_capitals_does_not_reach_into_the_text(rules: str, language: str) -> None:
    """Sensible: names in rules and lists only; the text below as if it were alone."""
    headline, text, above, below = HEADLINES[language]
    assert names_by_kind(rules, headline, language) == above
    assert names_by_kind(rules, text, language) == below
    both = names_by_kind(rules, f"{headline}\n{text}", language)
    assert both == {kind: above[kind] | below[kind] for kind in above}


#: Language: a whole article in capitals, one sentence per line, and its names.
LOUD = {
    "tr": (
        "ANKARA'DA TOPLANTIYA MEHMET ÖZTÜRK KATILDI. GAZİ ÜNİVERSİTESİ ÖĞRENCİLERİ DE GELDİ.",
        {P: {"MEHMET ÖZTÜRK"}, L: {"ANKARA"}, ORG: {"GAZİ ÜNİVERSİTESİ"}},
    ),
    "en": (
        "THE MEETING IN LONDON WAS LONG. A LETTER BY DAVID CAMERON WAS READ THERE, AND I LEFT.",
        {P: {"DAVID CAMERON"}, L: {"LONDON"}},
    ),
    "ru": (
        "ВСТРЕЧА В МОСКВЕ БЫЛА ДОЛГОЙ. С НИМИ ГОВОРИЛ ВЛАДИМИР ПУТИН.",
        {P: {"ВЛАДИМИР ПУТИН"}, L: {"МОСКВЕ"}},
    ),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_article_in_capitals_is_not_one_long_name(rules: str, language: str) -> None:
    """Sensible: capitals carry no information, so names are those in lists and rules, even single letters."""
    text, expected = LOUD[language]
    assert names_by_kind(rules, text, language) == expected


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("tr", "ankara valisi ali kaya dün gazi üniversitesi'nde konuştu."),
        ("en", "president barack obama flew to london on monday."),
        ("ru", "президент владимир путин прибыл в москву."),
    ],
)
def test_an_article_without_capitals_has_no_names(rules: str, language: str, text: str) -> None:
    """Sensible: Deniz cannot be distinguished from the sea then; Tweezer uses the first and last words."""
    assert named(RECOGNISERS[rules].texts([text], [language])[0]) == {}


@pytest.mark.parametrize("apostrophe", ["'", "’", "‘", "´", "`", "ʼ"])
def test_any_apostrophe_parts_a_name_from_its_suffix(rules: str, apostrophe: str) -> None:
    """Sensible: people type what their keyboard has. ʼ is a letter to Unicode, and was once part of the name."""
    text = "Ankara'da Ali Kaya'nın evi ile Mersin'deki dükkânı yandı.".replace("'", apostrophe)
    assert names_by_kind(rules, text, "tr") == {P: {"Ali Kaya"}, L: {"Ankara", "Mersin"}}
    text = "London's mayor met John Smith's son in Paris.".replace("'", apostrophe)
    assert names_by_kind(rules, text, "en") == {P: {"John Smith"}, L: {"London", "Paris"}}
    text = "В Москве' говорил Владимир Путин'.".replace("'", apostrophe)
    found = names_by_kind(rules, text, "ru")
    assert {name.strip(apostrophe) for name in found[P]} == {"Владимир Путин"}


def test_apostrophes_may_be_mixed(rules: str) -> None:
    """Sensible: the same names with any mix of apostrophes."""
    text = "Ankara'da, Mersin’de, Bursa‘da, İzmir´de, Antalya`da ve Trabzonʼda yağmur var."
    assert names_by_kind(rules, text, "tr") == {L: {"Ankara", "Mersin", "Bursa", "İzmir", "Antalya", "Trabzon"}}


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("tr", "😀 Ali Kaya 😀 Ankara'da 🎉 Mehmet Öztürk 👨‍👩‍👧", {P: {"Ali Kaya", "Mehmet Öztürk"}, L: {"Ankara"}}),
        ("en", "😀 John Smith 😀 London 🎉 Mary Jones", {P: {"John Smith", "Mary Jones"}, L: {"London"}}),
        ("ru", "😀 Иван Петров 😀 Москва 🎉", {P: {"Иван Петров"}, L: {"Москва"}}),
    ],
)
def test_emoji_stand_between_names_as_commas_do(
    rules: str, language: str, text: str, expected: dict[str, set[str]]
) -> None:
    """Sensible: an emoji separates two names and belongs to neither."""
    assert names_by_kind(rules, text, language) == expected


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("tr", "ANKARA (AA) - Sayın Ali Kaya dün konuştu.", {P: {"Ali Kaya"}, L: {"ANKARA"}, ORG: {"AA"}}),
        (
            "en",
            "By John Smith, Reuters\nLONDON (Reuters) - The mayor of Paris spoke.",
            {P: {"John Smith"}, L: {"LONDON", "Paris"}, ORG: {"Reuters"}},
        ),
        (
            "ru",
            "МОСКВА, 5 мая – РИА Новости. Президент Владимир Путин прибыл в Санкт-Петербург.",
            {P: {"Владимир Путин"}, L: {"МОСКВА", "Санкт-Петербург"}, ORG: {"РИА Новости"}},
        ),
    ],
)
def test_a_byline_names_a_place_an_agency_and_a_writer(
    rules: str, language: str, text: str, expected: dict[str, set[str]]
) -> None:
    """Sensible: all three are names, and none runs into the first sentence."""
    assert names_by_kind(rules, text, language) == expected


@pytest.mark.parametrize("between", [", ", "\n", "; ", " / "])
@pytest.mark.parametrize(
    ("language", "names"),
    [
        ("tr", ["Ali Kaya", "Mehmet Öztürk", "Zeynep Demir"]),
        ("en", ["John Smith", "Mary Jones", "David Brown"]),
        ("ru", ["Иван Петров", "Мария Иванова", "Алексей Смирнов"]),
    ],
)
def test_lists_of_names_are_names_one_by_one(rules: str, language: str, names: list[str], between: str) -> None:
    """Sensible: commas, slashes and line breaks separate names, even in a list without other words."""
    assert names_by_kind(rules, between.join(names), language) == {P: set(names)}


@pytest.mark.parametrize(
    ("language", "text", "known"),
    [
        ("tr", "Ali Kaya, Washington'da Barack Obama ile görüştü: «Владимир Путин».", {"Ali Kaya", "Barack Obama"}),
        ("en", "In Ankara the minister met Ali Kaya and Владимир Путин.", {"Ali Kaya"}),
        ("ru", "Президент Barack Obama прибыл в Москву. «Hello, London», сказал он.", {"Barack Obama"}),
    ],
)
def test_names_of_other_languages_do_no_harm(rules: str, language: str, text: str, known: set[str]) -> None:
    """Sensible: the language of the article decides; of foreign names, those in lists or after titles."""
    assert names_by_kind(rules, text, language)[P] == known


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "text", ["", " ", "\n\n", "?!… —", "'", "’nın", "12 3,5 2008-2009 %7", "ev", "word", "дом", "😀"]
)
def test_texts_without_a_capital_word_have_no_names(rules: str, language: str, text: str) -> None:
    """Sensible: no names and no error."""
    assert RECOGNISERS[rules].texts([text], [language]) == [[]]


@pytest.mark.parametrize(("language", "text"), [("tr", "Ankara"), ("en", "London"), ("ru", "Москва")])
def test_one_word_may_be_a_name(rules: str, language: str, text: str) -> None:
    assert names_by_kind(rules, text, language) == {L: {text}}


def word(number: int) -> str:
    """Returns a capitalised word that is in no list, different for every number."""
    return "Zq" + "".join(chr(ord("a") + int(digit)) for digit in f"{number:05}")


MANY = 20_000


#: The words of the text, one at a time.
LONG = {
    "unknown words": " ".join(word(number) for number in range(MANY)),
    "a rule at the end": " ".join(word(number) for number in range(MANY)) + " Üniversitesi University университет",
    "words that begin a place": "Kuzey North Северный " * (MANY // 3),
    "words that end one": "Caddesi Street улица " * (MANY // 3),
    "titles": "Sayın Mr Президент " * (MANY // 3),
    "words beside names": f"{word(1)} " + "Rektörü Sözcüsü " * (MANY // 2),
    "unknown words one by one": ", ".join(word(number) for number in range(MANY)),
    "names and parts of them": "Garanti Bankası, Garanti, " * (MANY // 3),
    "everyday names that open sentences": "Deniz. " * MANY,
    "joined names": "Zqa ve Zqb Bankası, Zqc, Zqa and Zqb University, Zqc, " * (MANY // 10),
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", LONG)
def test_endless_capital_words_are_read_to_the_end(rules: str, language: str, kind: str) -> None:
    """Sensible: the whole is read in a moment; time that grows with the square of a run would be felt here.

    Once a run of words that begin places was looked through from each of them, which took minutes.
    """
    text = f"{LONG[kind]}.\n13 Ankara'da, London, Москва"
    (found,) = RECOGNISERS[rules].texts([text], [language])
    last = {"tr": "Ankara", "en": "London", "ru": "Москва"}[language]
    assert (last, L) in {(name.text, name.kind) for name in found[-3:]}
    assert all(text[name.start : name.end] == name.text for name in found[-3:])


def test_a_text_too_short_to_tell_its_language_is_read_by_its_letters(rules: str) -> None:
    """Turkish rules do not apply; English and Russian are likely, and better than nothing."""
    names = samestory.entities(
        [{"id": "a", "text": "Mr Smith flew."}, {"id": "b", "text": "Путин в Москве"}], rules=rules
    )
    assert [[(name.text, name.kind) for name in row] for row in names] == [
        [("Smith", "person")],
        [("Путин", "person"), ("Москве", "location")],
    ]
