"""Word normalisation: three languages, by name or by the language of the article; and missing libraries."""

from __future__ import annotations

import subprocess
import sys

import pytest

from samestory import Article, SamestoryError, prepare
from samestory.text import LEMMAS, Normaliser, library
from samestory.text.lemmas import normaliser


def words(text: str, lemmas: str = "by_language", **about: str) -> list[str]:
    (row,) = Normaliser(lemmas).words(prepare([Article("a", text, **about)]), headlines=True)
    return row


def test_russian_words_become_lemmas() -> None:
    assert words("Жителями посёлков собраны подписи", lang="ru") == ["житель", "посёлок", "собрать", "подпись"]


def test_turkish_words_keep_five_letters_and_lose_what_stands_behind_an_apostrophe() -> None:
    assert words("IĞDIR’daki belediyelerin kitabı", lang="tr") == ["ığdır", "beled", "kitab"]


def test_english_words_become_stems() -> None:
    assert words("The councils were repairing ferries; it's said.", lang="en") == [
        "the",
        "council",
        "were",
        "repair",
        "ferri",
        "it",
        "said",
    ]


@pytest.mark.parametrize("lang", ["de", "fi", "el", "und"])
def test_words_of_other_languages_stay_as_they_are(lang: str) -> None:
    assert words("Städte WOLLEN bauen", lang=lang) == ["städte", "wollen", "bauen"]


def test_a_normaliser_that_is_named_is_taken_for_every_language() -> None:
    assert words("Городские власти", "none", lang="ru") == ["городские", "власти"]
    assert words("Repairing ferries", "turkish", lang="en") == ["repai", "ferri"]


def test_the_rule_of_case_is_that_of_the_article_whatever_the_normaliser() -> None:
    rows = Normaliser("none").words(prepare([Article("a", "IRMAK", lang="tr"), Article("b", "IRMAK", lang="en")]))
    assert rows == [["ırmak"], ["irmak"]]


@pytest.mark.parametrize(
    ("title", "text", "expected"),
    [
        ("Ferry stops", "Ferry stops for nine days", ["ferry", "stops", "for", "nine", "days"]),
        ("Ferry stops", "Nine days off", ["ferry", "stops", "nine", "days", "off"]),
        ("FERRY stops!", "Ferry — stops now", ["ferry", "stops", "now"]),
        ("", "Nine days", ["nine", "days"]),
        ("Ferry", "", ["ferry"]),
    ],
)
def test_a_headline_comes_first_and_once(title: str, text: str, expected: list[str]) -> None:
    assert words(text, "none", title=title, lang="en") == expected


def test_every_choice_makes_a_normaliser() -> None:
    assert {normaliser(name)("kitap") for name in LEMMAS[1:]} == {"kitap"}


def test_a_library_that_is_missing_is_named_with_how_to_install_it() -> None:
    with pytest.raises(SamestoryError) as caught:
        library("no_such_library.part", "ru", "lemmas='russian'", "or do without")
    assert str(caught.value) == (
        "lemmas='russian' needs no_such_library, which is not installed\n"
        "hint: pip install 'samestory[ru]'; or do without"
    )


def test_without_the_library_only_articles_that_need_it_are_rejected() -> None:
    """English news needs no Russian dictionary."""
    script = """
import sys
sys.modules["pymorphy3"] = None
from samestory import Article, SamestoryError, prepare
from samestory.text import Normaliser
print(Normaliser().words(prepare([Article("a", "Two ferries", lang="en")])))
try:
    Normaliser().words(prepare([Article("a", "Два парома", lang="ru")]))
except SamestoryError as error:
    print(error.hint)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [
        "[['two', 'ferri']]",
        "pip install 'samestory[ru]'; or do not normalise words: lemmas='none'",
    ]
