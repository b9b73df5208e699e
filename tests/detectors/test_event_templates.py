"""Reports from one template about two events are kept apart, at every length; figures alone bring no items together."""

from __future__ import annotations

import pytest

from samestory import Article, relate
from samestory.detectors import parse
from samestory.run import run_on
from samestory.text import prepare

FIRE = (
    "A fire in a paper mill in {place} killed {toll} people on {day}, the fire service said. The flames broke out "
    "in a drying hall shortly after midnight and spread to two neighbouring stores before the alarm was raised. "
    "Crews from four districts needed seven hours to bring the fire under control, and the road past the mill was "
    "closed. The cause was not known, a spokeswoman said, but machines had been repaired there in the evening. "
    "Families of the victims were looked after in the town hall of {place}. Inspectors will examine the remains of "
    "the building."
)
FIRE_RETOLD = (
    "{toll} workers died when a paper mill burned down in {place} on {day}. Firefighters fought the flames through "
    "the night and into the morning; the blaze had started in a hall where paper is dried. Officials have opened "
    "an inquiry into repairs that were made to the machines only hours earlier. Relatives gathered in the town "
    "hall of {place}, where the mayor promised help."
)
LONG_FIRE = (
    "A fire in a paper mill in {place} killed {toll} people, the fire service said. The flames broke out in a "
    "drying hall shortly after midnight and spread to two neighbouring stores before the alarm was raised. Crews "
    "from four districts needed seven hours to bring the fire under control, and the road past the mill was closed "
    "until the afternoon. The cause was not known, a spokeswoman said, but machines had been repaired there in the "
    "evening. Families of the victims were looked after in the town hall of {place}. Inspectors will examine the "
    "remains of the building. The mill employs about two hundred workers and produces packing paper. The owner said "
    "that the hall had been checked in spring and that the sprinklers had worked. The union called for an "
    "independent inquiry and recalled that it had warned of dust. Flags on public buildings in {place} will fly at "
    "half mast for a week, the mayor said after a meeting of the council."
)
LONG_FIRE_RETOLD = (
    "{toll} workers died when a paper mill burned down in {place}. Firefighters fought the flames through the night "
    "and into the morning; the blaze had started in a hall where paper is dried. Officials have opened an inquiry "
    "into repairs that were made to the machines only hours earlier. Relatives gathered in the town hall of "
    "{place}, where the mayor promised help and said that flags would fly at half mast. Two stores next to the hall "
    "were destroyed as well. The union said it had warned the owner about paper dust and demanded an independent "
    "investigation. According to the owner, the sprinklers went off and the last check had found no faults. About "
    "two hundred people work in the mill, one of the largest employers of {place}. Experts of the fire service will "
    "look for the cause as soon as the ruins have cooled down. Four districts had sent crews, and the road past the "
    "mill was closed for most of the day."
)
PRICES = (
    "Consumer prices in Norvania rose by {rate} percent in {month} from a year earlier, the statistics office "
    "said. Higher costs of energy and food were the main reasons for the increase, and rents were up as well. "
    "Economists had expected a slightly smaller rise. The central bank aims at an inflation of two percent and "
    "will discuss its key rate at the next meeting. Traders said that another increase was possible, and the "
    "currency gained a little."
)
MAYOR = (
    "The former mayor of {place}, Karl Brenner, was {act} in a case of bribes paid by builders, the prosecutors "
    "said. Brenner is accused of having received money for permits in the harbour district over several years. His "
    "lawyer said that he denies everything. The builders are said to have paid for journeys and a house by a lake. "
    "Brenner was the head of the town for nine years and left the office after a vote of the council."
)
FIRE_TR = (
    "{place} ilinde bir kâğıt fabrikasında {day} günü çıkan yangında {toll} kişi hayatını kaybetti. Alevler gece "
    "yarısından sonra kurutma bölümünde başladı ve yandaki iki depoya sıçradı. Dört ilçeden gelen ekipler yangını "
    "yedi saatte kontrol altına aldı, fabrikanın önündeki yol trafiğe kapatıldı. Yangının nedeni henüz bilinmiyor, "
    "ancak akşam saatlerinde makinelerin onarıldığı belirtildi. Uzmanlar binanın kalıntılarını inceleyecek."
)
FIRE_RU = (
    "В городе {place} {day} на бумажной фабрике произошёл пожар, погибли {toll} человек. Огонь вспыхнул после "
    "полуночи в сушильном цехе и перекинулся на два соседних склада. Пожарные из четырёх районов тушили пламя семь "
    "часов, дорога мимо фабрики была закрыта. Причина пока неизвестна, но вечером там ремонтировали станки. "
    "Специалисты осмотрят остатки здания."
)


def are_related(left: str, right: str, language: str) -> bool:
    articles = [Article("a", left, lang=language), Article("b", right, lang=language)]
    return bool(relate(articles, detector="event"))


@pytest.mark.parametrize(
    ("left", "right", "language"),
    [
        (
            FIRE.format(place="Oldmere", toll="three", day="Monday"),
            FIRE.format(place="Westbrook", toll="five", day="Monday"),
            "en",
        ),
        (
            FIRE.format(place="Oldmere", toll="three", day="14 March"),
            FIRE.format(place="Oldmere", toll="three", day="2 September"),
            "en",
        ),
        (PRICES.format(rate="3.4", month="March"), PRICES.format(rate="4.2", month="July"), "en"),
        (PRICES.format(rate="3.4", month="March"), PRICES.format(rate="3.9", month="April"), "en"),
        (MAYOR.format(place="Eastholm", act="arrested"), MAYOR.format(place="Eastholm", act="sentenced"), "en"),
        (MAYOR.format(place="Eastholm", act="sentenced"), MAYOR.format(place="Eastholm", act="released"), "en"),
        (
            FIRE_TR.format(place="Bursa", toll="üç", day="pazartesi"),
            FIRE_TR.format(place="Samsun", toll="beş", day="pazartesi"),
            "tr",
        ),
        (
            FIRE_TR.format(place="Bursa", toll="üç", day="14 Mart"),
            FIRE_TR.format(place="Bursa", toll="üç", day="2 Eylül"),
            "tr",
        ),
        (
            FIRE_RU.format(place="Самара", toll="три", day="в понедельник"),
            FIRE_RU.format(place="Казань", toll="пять", day="в понедельник"),
            "ru",
        ),
        (
            FIRE_RU.format(place="Самара", toll="три", day="14 марта"),
            FIRE_RU.format(place="Самара", toll="три", day="2 сентября"),
            "ru",
        ),
    ],
)
def test_reports_from_one_template_about_two_events_are_apart(left: str, right: str, language: str) -> None:
    assert not are_related(left, right, language)


def test_copies_corrections_and_other_words_for_one_event_are_related() -> None:
    fire = FIRE.format(place="Oldmere", toll="three", day="Monday")
    assert are_related(fire, fire.replace("the fire service said", "officials of the fire service said"), "en")
    assert are_related(fire, FIRE.format(place="Oldmere", toll="four", day="Monday"), "en")  # an update
    assert are_related(fire, FIRE_RETOLD.format(place="Oldmere", toll="Three", day="Monday"), "en")


@pytest.mark.parametrize(("place", "toll", "are_one"), [("Oldmere", "Three", True), ("Westbrook", "Five", False)])
def test_whole_articles_in_other_words_with_other_main_names_and_counts_are_apart(
    place: str, toll: str, are_one: bool
) -> None:
    one, other = LONG_FIRE.format(place="Oldmere", toll="three"), LONG_FIRE_RETOLD.format(place=place, toll=toll)
    assert are_related(one, other, "en") is are_one
    reasons = parse("event").reasons(*(prepare([Article("a", text, lang="en")]) for text in (one, other)))
    against = "against: the main name of each does not occur in the other (Oldmere / Westbrook)"
    assert (against in reasons) is not are_one


def test_months_that_are_common_words_are_dates() -> None:
    march, april = (PRICES.format(rate="3.4", month=month) for month in ("March", "April"))
    left, right = Article("a", march, lang="en"), Article("b", april, lang="en")
    reasons = parse("event").reasons(prepare([left]), prepare([right]))
    assert any("different months" in reason for reason in reasons)
    assert not any("names in common" in reason for reason in reasons if "March" in reason)


@pytest.mark.parametrize("way", ["batch", "index"])
def test_figures_and_dates_alone_bring_no_items_together(way: str) -> None:
    titles = [
        "Profit of Meridan Foods up 12 percent on Monday, 14 September 2024",
        "Bakery 14 sells its 2024 oven for 12, Monday in September",
        "Library moves 12 shelves to floor 14, September 2024, Monday",
    ]
    articles = [Article(str(at), title, lang="en") for at, title in enumerate(titles)]
    detector = parse("event(threshold=0)")
    if way == "batch":
        run = run_on(articles, detector)
        run.relations()
        assert run.summary.compared == 0
        return
    from samestory.index import Index

    assert not list(Index(detector).add(prepare(articles)))


@pytest.mark.parametrize(
    ("language", "text", "one", "other"),
    [
        ("en", "The bridge at Vellor collapsed {}, killing two people, officials said.", "on 3 May", "on 9 June"),
        ("en", "The bridge at Vellor collapsed {}, killing two people, officials said.", "on May 3", "on June 9"),
        ("en", "The bridge at Vellor collapsed {}, killing two people, officials said.", "on 3 April", "on 24 April"),
        ("en", "The port of Vellor handled more grain {} than a year before, officials said.", "in May", "in June"),
        ("ru", "Мост в Веллоре обрушился {}, погибли два человека, сообщили власти.", "3 мая", "9 июня"),
        ("fr", "Le pont de Vellor s'est effondré le {}, tuant deux personnes, selon la police.", "3 mai", "9 juin"),
    ],
)
def test_other_dates_in_the_same_place_separate_short_items(language: str, text: str, one: str, other: str) -> None:
    """Short items of one wording were one event, and "May" was read as the verb, which is left out."""
    news = [Article(id, text.format(day), lang=language) for id, day in (("a", one), ("b", other), ("c", one))]
    news[2] = Article("c", text.format(one).replace(", ", " – ", 1), lang=language)
    assert [(found.left, found.right) for found in relate(news, detector="event")] == [("c", "a")]
