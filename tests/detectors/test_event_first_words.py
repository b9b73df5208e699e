"""Who stands first is a name like others: another actor or place up front is another event."""

import numpy as np
import pytest

from samestory import Article, _core, parse
from samestory.model.columns import numbers_by_name
from samestory.text import prepare

APART = [
    ("en", "Amazon opens a warehouse in the north", "Google opens a warehouse in the north"),
    ("en", "Sweden signs a pact on fishing", "Finland signs a pact on fishing"),
    ("tr", "Bursa'da fabrika yangını korkuttu", "Denizli'de fabrika yangını korkuttu"),
    ("tr", "THY yeni uçak siparişi verdi", "TCDD yeni tren siparişi verdi"),
    ("ru", "Сбербанк повысил ставки по вкладам", "ВТБ повысил ставки по вкладам"),
]
#: A capital that the sentence asks for makes no name.
NO_NAMES = [
    ("en", "Police arrest two men after a robbery", "Officers arrest two men after a robbery"),
    ("tr", "Polis iki kişiyi gözaltına aldı", "Jandarma iki kişiyi gözaltına aldı"),
    ("ru", "Полиция задержала двоих после кражи", "Следователи задержали двоих после кражи"),
]


def numbers(lang: str, left: str, right: str) -> dict[str, float]:
    signed = parse("event").sign(prepare([Article("a", left, lang=lang), Article("b", right, lang=lang)])).columns
    found = _core.detectors.evidence("agreement", signed, signed, (np.array([0]), np.array([1])))
    return {name: float(column[0]) for name, column in numbers_by_name(found).items()}


@pytest.mark.parametrize(("lang", "left", "right"), APART)
def test_a_name_that_begins_an_item_counts_as_one(lang: str, left: str, right: str) -> None:
    assert numbers(lang, left, right)["names_apart"] == 1


@pytest.mark.parametrize(("lang", "left", "right"), NO_NAMES)
def test_another_word_that_begins_an_item_is_no_name(lang: str, left: str, right: str) -> None:
    assert numbers(lang, left, right)["names_apart"] == 0
