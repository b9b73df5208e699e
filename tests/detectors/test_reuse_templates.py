"""Articles of one template with other facts, by `reuse`."""

from __future__ import annotations

from dataclasses import replace

import pytest

from samestory import Article, Kind, explain, find, relate

FORMS: dict[str, tuple[str, list[dict[str, str]]]] = {
    "market, en": (
        "The {index} index of the Port Ellery exchange closed at {points} points on {day}, {way} {change} per cent "
        "from the day before. Trading volume came to {volume} million crowns. {best} was the strongest share with a "
        "gain of {gain} per cent, while {worst} lost {loss} per cent. The crown stood at {rate} to the dollar in the "
        "afternoon. Dealers spoke of a calm session without news from abroad. The exchange opens again at nine.",
        [
            {
                "index": "PE-30",
                "points": "4,812",
                "day": "Monday",
                "way": "up",
                "change": "0.4",
                "volume": "312",
                "best": "Norlake Steel",
                "gain": "3.1",
                "worst": "Ellery Foods",
                "loss": "1.9",
                "rate": "7.21",
            },
            {
                "index": "PE-30",
                "points": "4,790",
                "day": "Tuesday",
                "way": "down",
                "change": "0.5",
                "volume": "287",
                "best": "Kestrel Air",
                "gain": "2.2",
                "worst": "Harbour Bank",
                "loss": "2.7",
                "rate": "7.25",
            },
        ],
    ),
    "match, ru": (
        "Матч {tour} тура чемпионата Приозёрской лиги прошёл {date} на стадионе «{ground}». {home} принимал команду "
        "{guest}. Счёт на {minute} минуте открыл {scorer}, а после перерыва хозяева удержали преимущество. Итог "
        "встречи — {score}. Игру посмотрели {crowd} зрителей. Лучшим игроком признан {best}. Следующий матч команда "
        "проведёт через неделю на своём поле, билеты уже поступили в продажу. Напомним, что по правилам лиги две "
        "лучшие команды выходят в финал, а две худшие покидают турнир до следующего сезона. Организаторы просят "
        "болельщиков приходить заранее и не оставлять машины у ворот стадиона.",
        [
            {
                "tour": "четвёртого",
                "date": "12 апреля",
                "ground": "Волна",
                "home": "Маяк",
                "guest": "Кузнец",
                "minute": "17",
                "scorer": "Егоров",
                "score": "2:0",
                "crowd": "3140",
                "best": "Лапин",
            },
            {
                "tour": "шестого",
                "date": "26 апреля",
                "ground": "Труд",
                "home": "Сокол",
                "guest": "Чайка",
                "minute": "63",
                "scorer": "Мохов",
                "score": "1:0",
                "crowd": "2875",
                "best": "Зуев",
            },
        ],
    ),
    "weather, tr": (
        "Meteoroloji istasyonunun verilerine göre {date} günü {town} ilçesinde hava {sky} geçecek. En yüksek sıcaklık "
        "{high}, en düşük sıcaklık {low} derece olacak. Rüzgar {wind} yönünden saatte {speed} kilometre hızla esecek. "
        "Nem oranı %{damp} olarak ölçüldü. Balıkçıların denize çıkmadan önce limandaki uyarı levhasına bakmaları "
        "istendi. Hafta sonu için yeni tahmin yarın akşam açıklanacak. Uzmanlar, yaşlıların ve çocukların öğle "
        "saatlerinde uzun süre dışarıda kalmamasını, sürücülerin ise köprü girişlerinde yavaşlamasını öneriyor. "
        "Tahminler her sabah belediyenin ilan tahtasında ve yerel radyoda duyuruluyor.",
        [
            {
                "date": "24 Mart Salı",
                "town": "Kumluca",
                "sky": "parçalı bulutlu",
                "high": "17",
                "low": "8",
                "wind": "Kuzey",
                "speed": "22",
                "damp": "61",
            },
            {
                "date": "11 Nisan Cumartesi",
                "town": "Sarıyar",
                "sky": "sağanak yağışlı",
                "high": "14",
                "low": "6",
                "wind": "Batı",
                "speed": "35",
                "damp": "84",
            },
        ],
    ),
}


every_form = pytest.mark.parametrize("name", FORMS)


def siblings(name: str) -> list[Article]:
    form, facts = FORMS[name]
    return [Article(f"s{n}", form.format(**f), lang=name[-2:]) for n, f in enumerate(facts)]


@every_form
def test_siblings_of_one_template_are_not_related(name: str) -> None:
    one, other = siblings(name)
    assert relate([one, other]) == []
    assert explain(one, other).relation is None


TEMPLATE_REASONS = ("same template, other facts", "same template, other figures")


@every_form
def test_the_reason_is_the_template_or_its_facts(name: str) -> None:
    assert explain(*siblings(name)).why in TEMPLATE_REASONS


def winners() -> list[Article]:
    """Two reports that differ in names only: no figure tells them apart."""
    form = (
        "The jury of the youth prize met in the old town hall on the hill to hear the last four speakers. {a} spoke "
        "first and for longest, about the sea and the people who live from it. After a short break {b} took the floor "
        "and read from a diary. The audience chose {c} as its favourite, and the jury followed after some debate, so "
        "that the prize goes to {d} this time. The winner will read in every school of the county before summer."
    )
    names = [
        {"a": "Lena Brandt", "b": "Otto Weiss", "c": "Maria Holm", "d": "Maria Holm"},
        {"a": "Jan Prokop", "b": "Eva Lind", "c": "Karl Foss", "d": "Karl Foss"},
    ]
    return [Article(f"n{n}", form.format(**some), lang="en") for n, some in enumerate(names)]


def test_names_alone_make_a_template_too() -> None:
    assert relate(winners()) == []
    assert explain(*winners()).why == "same template, other facts"


def test_a_sibling_outside_a_group_is_on_its_certificate() -> None:
    one, other = winners()
    pair = next(g for g in find([one, other, replace(one, id="copy")]) if len(g.members) == 2)
    assert pair.nearest is not None
    assert (pair.nearest.id, pair.nearest.why) == (other.id, "same template, other facts")


@every_form
def test_a_copy_in_other_words_is_no_template_sibling(name: str) -> None:
    """The same report with the same facts, an outlet's own first sentence and one sentence less, is related."""
    one, _ = siblings(name)
    sentences = one.text.split(". ")
    edited = replace(
        one, id="edited", text="We take this over from our partners in the region. " + ". ".join(sentences[:-1])
    )
    (relation,) = relate([one, edited])
    assert relation.kind is Kind.NEAR
