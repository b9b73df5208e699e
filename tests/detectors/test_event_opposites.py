"""Opposite acts: where the rest is the same, raised and cut are two events, and won against and lost to are one."""

import pytest

from samestory import Article, explain

LEADS = {
    "en": "The news reached the capital late on Sunday evening.",
    "tr": "Haber başkente pazar akşamı geç saatlerde ulaştı.",
    "ru": "Новость дошла до столицы поздно вечером в воскресенье.",
}
OPPOSED = [
    ("en", "Central bank of Wexland raises key rate", "Central bank of Wexland cuts key rate"),
    ("en", "Police arrest mayor of Oldmere", "Police release mayor of Oldmere"),
    ("en", "Parliament of Norsted approves new budget", "Parliament of Norsted rejects new budget"),
    ("en", "Court in Ambrook convicts former minister", "Court in Ambrook acquits former minister"),
    ("en", "Norsted win final in Ambrook", "Norsted lose final in Ambrook"),
    ("en", "Oldmere airport reopens after storm", "Oldmere airport closed after storm"),
    ("en", "Wexland bans imports of timber", "Wexland allows imports of timber"),
    ("tr", "Merkez Bankası politika faizini artırdı", "Merkez Bankası politika faizini düşürdü"),
    ("tr", "Karlıova belediye başkanı tutuklandı", "Karlıova belediye başkanı serbest bırakıldı"),
    ("tr", "Meclis bütçe teklifini kabul etti", "Meclis bütçe teklifini reddetti"),
    ("tr", "Karlıova Havalimanı yeniden açıldı", "Karlıova Havalimanı yeniden kapatıldı"),
    ("tr", "Bakanlık iddiaları doğruladı", "Bakanlık iddiaları yalanladı"),
    ("ru", "Банк Нордии повысил ключевую ставку", "Банк Нордии снизил ключевую ставку"),
    ("ru", "Мэра Зареченска арестовали", "Мэра Зареченска освободили"),
    ("ru", "Парламент Вестлии одобрил бюджет", "Парламент Вестлии отклонил бюджет"),
    ("ru", "Аэропорт Зареченска открыли утром", "Аэропорт Зареченска закрыли утром"),
    ("ru", "Нордия запретила ввоз древесины", "Нордия разрешила ввоз древесины"),
]
#: Other words for the same act, and the same from the other side.
AGREED = [
    ("en", "Central bank of Wexland raises key rate", "Central bank of Wexland increases key rate"),
    ("en", "Jury in Ambrook finds minister not guilty", "Jury in Ambrook acquits minister"),
    ("en", "Wexland beats Norsted in final", "Norsted loses to Wexland in final"),
    ("tr", "Merkez Bankası politika faizini artırdı", "Merkez Bankası politika faizini yükseltti"),
    ("tr", "Vestlia finalde Nordia'yı yendi", "Nordia finalde Vestlia'ya yenildi"),
    ("ru", "Банк Нордии повысил ключевую ставку", "Банк Нордии увеличил ключевую ставку"),
    ("ru", "Вестлия обыграла Нордию в финале", "Нордия проиграла Вестлии в финале"),
]


def one_event(lang: str, one: str, other: str, led: bool) -> bool:
    """Are they one event, as titles before the same lead or as all there is?"""
    if led:
        pair = (Article(id, LEADS[lang], title=text, lang=lang) for id, text in (("a", one), ("b", other)))
    else:
        pair = (Article(id, text, lang=lang) for id, text in (("a", one), ("b", other)))
    return explain(*pair, detector="event").relation is not None


@pytest.mark.parametrize("led", [False, True])
@pytest.mark.parametrize(("lang", "one", "other"), OPPOSED)
def test_opposite_acts_are_two_events(lang: str, one: str, other: str, led: bool) -> None:
    assert not one_event(lang, one, other, led)
    assert not one_event(lang, other, one, led)


@pytest.mark.parametrize(("lang", "one", "other"), AGREED)
def test_the_same_act_in_other_words_is_no_contradiction(lang: str, one: str, other: str) -> None:
    assert one_event(lang, one, other, led=True)
