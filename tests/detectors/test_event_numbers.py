"""Numbers of several words, ordinals in words, and the numbers of dates."""

import numpy as np
import pytest

from samestory import Article, _core, parse
from samestory.model.columns import numbers_by_name
from samestory.text import prepare


def numbers(lang: str, left: str, right: str) -> dict[str, float]:
    signed = parse("event").sign(prepare([Article("a", left, lang=lang), Article("b", right, lang=lang)])).columns
    found = _core.detectors.evidence("agreement", signed, signed, (np.array([0]), np.array([1])))
    return {name: float(column[0]) for name, column in numbers_by_name(found).items()}


@pytest.mark.parametrize(
    ("lang", "left", "right"),
    [
        ("en", "Three hundred homes lost power", "Power is out in 300 homes"),
        ("en", "Twenty-one miners rescued", "21 miners brought out alive"),
        ("tr", "Kazada on iki kişi yaralandı", "Kazada 12 yaralı var"),
        ("tr", "Depremde iki yüz elli ev yıkıldı", "Deprem 250 evi yıktı"),
        ("tr", "Şirket 2 milyon 500 bin lira ödedi", "Şirketten 2,5 milyon liralık ödeme"),
        ("ru", "Пострадал двадцать один человек", "Пострадавших стало больше: 21 человек"),
    ],
)
def test_a_number_of_several_words_is_the_number_in_figures(lang: str, left: str, right: str) -> None:
    found = numbers(lang, left, right)
    assert (found["numbers_shared"], found["counts_conflict"]) == (1, 0)


@pytest.mark.parametrize(
    ("lang", "left", "right"),
    [
        ("en", "Council approves twelfth package", "Council approves thirteenth package"),
        ("en", "Games of the XXII olympiad open", "Games of the XXIII olympiad open"),
        ("tr", "Mecliste on ikinci paket kabul edildi", "Mecliste on üçüncü paket kabul edildi"),
        ("ru", "Совет одобрил двенадцатый пакет мер", "Совет одобрил тринадцатый пакет мер"),
    ],
)
def test_ordinals_in_words_and_roman_figures_are_ordinals(lang: str, left: str, right: str) -> None:
    assert numbers(lang, left, right)["ordinals_apart"] == 1
    assert numbers(lang, left, left)["ordinals_apart"] == 0


def test_the_day_of_a_date_is_nothing_in_common() -> None:
    found = numbers("ru", "Погода в Омске 25 мая 2020 года", "Курс валют на 25 мая 2020 года")
    assert found["numbers_shared"] == 0
    assert numbers("ru", "Погода на 25 мая", "Погода на 26 мая")["dates_apart"] == 1


def test_a_year_and_a_magnitude_are_no_count_of_what_comes_behind() -> None:
    for left, right in [
        ("In 2024 residents left Oldmere", "Some 300 residents left Oldmere"),
        ("Quake of magnitude 5.1 hits residents of Oldmere", "Quake hurts 12 residents of Oldmere"),
    ]:
        assert numbers("en", left, right)["counts_conflict"] == 0
