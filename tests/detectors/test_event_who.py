"""Who did what to whom: two names that have changed places are another event, a turned sentence is not."""

import pytest

from samestory import Article, explain
from samestory.detectors.event import REASONS, Event
from samestory.text import prepare

LEADS = {
    "en": "The news reached the capital late on Sunday evening.",
    "tr": "Haber başkente pazar akşamı geç saatlerde ulaştı.",
    "ru": "Новость дошла до столицы поздно вечером в воскресенье.",
}
EXCHANGED = [
    ("en", "Wexland beat Norsted", "Norsted beat Wexland"),
    ("en", "Israel strikes Iran", "Iran strikes Israel"),
    ("en", "Wexland Beat Norsted", "Norsted Beat Wexland"),
    ("en", "Wexland sues Norsted over dam", "Norsted sues Wexland over dam"),
    ("en", "East Wexland beat Upper Norsted", "Upper Norsted beat East Wexland"),
    ("tr", "İsrail İran'ı vurdu", "İran İsrail'i vurdu"),
    ("tr", "İsrail İran'ı vurdu", "İsrail'i İran vurdu"),
    ("tr", "Fenerbahçe, Galatasaray'ı yendi", "Galatasaray, Fenerbahçe'yi yendi"),
    ("tr", "Vestliya'dan Nordiya'ya saldırı", "Nordiya'dan Vestliya'ya saldırı"),
    ("tr", "Vestlia, Nordia plakalı kamyonları durdurdu", "Nordia, Vestlia plakalı kamyonları durdurdu"),
    ("ru", "Спартак обыграл Зенит", "Зенит обыграл Спартак"),
    ("ru", "Израиль ударил по Ирану", "Иран ударил по Израилю"),
    ("ru", "Вестлия обвинила Нордию в шпионаже", "Нордия обвинила Вестлию в шпионаже"),
]
TURNED = [
    ("en", "Israel strikes Iran", "Iran struck by Israel"),
    ("en", "Wexland beat Norsted", "Norsted beaten by Wexland"),
    ("en", "Wexland beats Norsted", "Norsted loses to Wexland"),
    ("tr", "İsrail İran'ı vurdu", "İran'ı İsrail vurdu"),
    ("tr", "Vestlia Nordia'yı yendi", "Nordia Vestlia tarafından yenildi"),
    ("ru", "Израиль ударил по Ирану", "По Ирану ударил Израиль"),
    ("ru", "Вестлия обвинила Нордию в шпионаже", "Нордию обвинила Вестлия в шпионаже"),
    ("ru", "Спартак обыграл Зенит", "Зенит проиграл Спартаку"),
]
MUTUAL = [
    (
        "en",
        "Minister meets Wexland and Norsted envoys in Ambrook",
        "Minister meets Norsted and Wexland envoys in Ambrook",
    ),
    ("en", "Wexland meets Norsted in Ambrook", "Norsted meets Wexland in Ambrook"),
    ("en", "Storm hits Wexland, Norsted and Ambrook", "Storm hits Norsted, Wexland and Ambrook"),
    ("tr", "Fırtına Vestlia ve Nordia kıyılarını vurdu", "Fırtına Nordia ve Vestlia kıyılarını vurdu"),
    ("tr", "Vestlia Nordia'yla görüştü", "Nordia Vestlia'yla görüştü"),
    ("ru", "Вестлия подписала с Нордией договор", "Нордия подписала с Вестлией договор"),
]


def pair(lang: str, one: str, other: str, led: bool) -> tuple[Article, Article]:
    """Both as titles before the same lead, or as all there is."""
    if not led:
        return Article("a", one, lang=lang), Article("b", other, lang=lang)
    return Article("a", LEADS[lang], title=one, lang=lang), Article("b", LEADS[lang], title=other, lang=lang)


def reasons(one: Article, other: Article) -> tuple[str, ...]:
    return Event().reasons(prepare([one]), prepare([other]))


@pytest.mark.parametrize("led", [False, True])
@pytest.mark.parametrize(("lang", "one", "other"), EXCHANGED)
def test_names_that_have_changed_places_are_another_event(lang: str, one: str, other: str, led: bool) -> None:
    for left, right in (pair(lang, one, other, led), pair(lang, other, one, led)):
        assert REASONS["exchanged"] in reasons(left, right)
        explanation = explain(left, right, detector="event")
        assert explanation.relation is None, explanation.overlap


@pytest.mark.parametrize("led", [False, True])
@pytest.mark.parametrize(("lang", "one", "other"), TURNED + MUTUAL)
def test_a_sentence_in_reverse_order_exchanges_no_roles(lang: str, one: str, other: str, led: bool) -> None:
    for left, right in (pair(lang, one, other, led), pair(lang, other, one, led)):
        assert REASONS["exchanged"] not in reasons(left, right)


@pytest.mark.parametrize(("lang", "one", "other"), [TURNED[3], TURNED[5], TURNED[6], *MUTUAL])
def test_the_same_in_another_order_stays_one_event(lang: str, one: str, other: str) -> None:
    assert explain(*pair(lang, one, other, True), detector="event").relation is not None
