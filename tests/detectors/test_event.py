"""Event: the same happening in other words is found, another one in the same words is not."""

import itertools

import numpy as np
import pytest

import samestory
from samestory import Article, GroupingOptions, parse
from samestory.detectors.event import Event
from samestory.model import Kind, Pairs
from samestory.run import run_on
from samestory.text import prepare


def found(left: str, right: str, lang: str, titles: tuple[str, str] = ("", "")) -> bool:
    articles = [Article("a", left, title=titles[0], lang=lang), Article("b", right, title=titles[1], lang=lang)]
    return bool(samestory.relate(articles, detector="event"))


SAME = [
    (
        "en",
        "Two climbers were rescued from Mount Harrow on Sunday after a storm cut them off for a night.",
        "A rescue team brought 2 stranded climbers down from Mount Harrow on Sunday after a stormy night.",
    ),
    (
        "tr",
        "Karlıova'da sel nedeniyle iki köprü yıkıldı, üç köye ulaşım sağlanamıyor.",
        "Karlıova'yı vuran selde 2 köprü yıkıldı; 3 köyün yolu kapandı.",
    ),
    (
        "ru",
        "В Зареченске из-за прорыва дамбы эвакуировали 1,5 тысячи жителей.",
        "Около 1500 жителей Зареченска эвакуированы после прорыва дамбы.",
    ),
]
OTHER = [
    ("en", "The council approved the 12th package of repairs.", "The council approved the 13th package of repairs."),
    ("en", "Central bank raises key rate to 8.5 percent.", "Central bank cuts key rate to 7.5 percent."),
    ("tr", "Merkez Bankası faizi yüzde 8,5'e yükseltti.", "Merkez Bankası faizi yüzde 7,5'e düşürdü."),
    ("ru", "Банк России повысил ключевую ставку до 8,5%.", "Банк России снизил ключевую ставку до 7,5%."),
    ("en", "Storm damages the pier of Oldmere.", "Museum shows the coins of a Roman ship."),
]


@pytest.mark.parametrize(("lang", "left", "right"), SAME)
def test_other_words_for_the_same_happening_are_one_event(lang: str, left: str, right: str) -> None:
    (relation,) = samestory.relate([Article("a", left, lang=lang), Article("b", right, lang=lang)], detector="event")
    assert relation.kind is Kind.SAME_EVENT
    assert relation.overlap.forward == relation.overlap.backward == relation.score


@pytest.mark.parametrize(("lang", "left", "right"), OTHER)
def test_nearly_the_same_words_for_another_happening_are_not(lang: str, left: str, right: str) -> None:
    assert not found(left, right, lang)


@pytest.mark.parametrize(("shared", "is_related"), [(4, False), (40, True)])
def test_a_few_rare_words_in_common_make_no_event(shared: int, is_related: bool) -> None:
    words = [f"{first}{last}ovan" for first in "bdfgklmnprst" for last in ("ar", "el", "im", "or", "ul")]
    left = Article("a", " ".join(words), lang="en")
    others = [word.replace("ovan", "esk") for word in words]
    right = Article("b", " ".join([others[-1], *words[:shared], *others[shared:-1]]), lang="en")
    detector = parse("event")
    signed = detector.sign(prepare([left, right]))
    compared = detector.compare(signed, signed, Pairs(np.array([0]), np.array([1])))
    assert bool(compared.forward[0] >= 0.5) is is_related
    assert bool(samestory.relate([left, right], detector="event")) is is_related


def test_the_name_of_the_feed_relates_no_articles() -> None:
    titles = ("Cow freed from canal by fire crew - Westbrook News", "Chess club wins the county prize - Westbrook News")
    assert not found("A cow was freed from the canal.", "The chess club won the prize of the county.", "en", titles)


def test_a_headline_is_read_where_the_text_does_not_begin_with_it() -> None:
    one = Article("a", "It happened at night.", title="Fire destroys the old mill of Oldmere", lang="en")
    other = Article("b", "Nobody was hurt.", title="Old mill of Oldmere destroyed by fire", lang="en")
    assert samestory.relate([one, other], detector="event")
    assert not samestory.relate(
        [Article("a", one.text, lang="en"), Article("b", other.text, lang="en")], detector="event"
    )


def test_a_headline_that_the_text_begins_with_counts_once() -> None:
    title = "Fire destroys the old mill of Oldmere"
    plain = [Article("a", f"{title}. Nobody was hurt.", lang="en")]
    titled = [Article("a", f"{title}. Nobody was hurt.", title=title, lang="en")]
    sign = parse("event").sign
    assert sign(samestory.prepare(plain)) == sign(samestory.prepare(titled))


def test_items_of_one_word_or_two_tell_no_event() -> None:
    """ "Horoscope", day after day, was one event of two hundred items."""
    words = [
        "",
        "…",
        "Fire",
        "Fire",
        "12",
        "火",
        "Brand in Münster gelöscht",
        "Пожар",
        "Yangın",
        "a b c",
        "Horoscope today",
        "Horoscope today",
    ]
    articles = [Article(str(n), text) for n, text in enumerate(words)]
    assert samestory.relate(articles, detector="event") == []


@pytest.mark.parametrize("days", [1, 3])
def test_copies_of_one_item_are_not_compared_with_each_other(days: int) -> None:
    """A hundred thousand copies of an item stay work for a hundred thousand."""
    text = "Fire destroys the old mill of Oldmere, nobody was hurt, police said."
    copies = [
        Article(str(n), text, published=f"2024-05-{1 + n % days:02}T{n % 24:02}:00:00Z", lang="en") for n in range(3000)
    ]
    run = run_on(copies, Event())
    groups = run.groups(GroupingOptions("majority"))
    assert [len(group.members) for group in groups] == [len(copies)]
    assert run.summary.compared <= days * days


def test_a_number_is_what_it_says_however_it_is_written() -> None:
    forms = ["The fund pays 1,500,000 euros to Oldmere harbour.", "The fund pays 1.5 million euros to Oldmere harbour."]
    other = "The fund pays 2.5 million euros to Oldmere harbour."
    detector = parse("event(threshold=0)")
    articles = [Article(str(n), text, lang="en") for n, text in enumerate([*forms, other])]
    scores = {(r.left, r.right): r.score for r in samestory.relate(articles, detector=detector)}
    assert scores["1", "0"] > scores["2", "0"]
    assert scores["1", "0"] > scores["2", "1"]


def test_days_apart_count_against_two_items_and_unknown_days_do_not() -> None:
    texts = ["Exchange rates today: the krone at 10.41", "Exchange rates today: the krone at 10.44"]

    def score(*days: str | None) -> float:
        pair = [Article(str(n), t, published=d, lang="en") for n, (t, d) in enumerate(zip(texts, days, strict=True))]
        return samestory.relate(pair, detector="event(threshold=0)")[0].score

    known, far = score("2024-05-14", "2024-05-14"), score("2024-05-14", "2024-05-20")
    assert far <= known
    assert score(None, "2024-05-20") == known == score(None, None)


def test_more_in_common_never_counts_against_two_items() -> None:
    """Of a text and ever shorter beginnings of it, the longer one is never less likely to be the same event."""
    text = "Divers found the wreck of the ferry Marlin off Oldmere on Tuesday, forty years after it sank in a storm "
    text += "with all hands, and the harbour council wants to raise it next summer."
    words = text.split()
    whole = Article("whole", " ".join(words), lang="en")
    lengths = range(6, len(words), 4)
    articles = [whole, *(Article(str(n), " ".join(words[:n]), lang="en") for n in lengths)]
    scores = {r.left: r.score for r in samestory.relate(articles, detector="event(threshold=0)") if r.right == "whole"}
    found = [scores[str(n)] for n in lengths]
    assert all(y >= x - 0.1 for x, y in itertools.pairwise(found))
    assert found[-1] > 0.5


def test_a_month_here_and_another_word_there_is_compared_alike_from_both_sides() -> None:
    """Four letters begin both; only the left item was asked whether it meant the month."""
    month = "El 3 de mayo la alcaldesa de Zamora presentó el presupuesto municipal ante los vecinos del barrio"
    word = "La alcaldesa de Zamora presentó el mayor presupuesto municipal de su historia ante los vecinos"
    event = parse("event")
    signed = event.sign(prepare([Article("a", month, lang="es"), Article("b", word, lang="es")]))
    there, back = (event.compare(signed, signed, Pairs(np.array([a]), np.array([1 - a]))) for a in (0, 1))
    assert there.forward.tolist() == back.forward.tolist()
