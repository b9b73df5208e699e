"""What a feed puts in front of everything is no event: items that go on in other words are no copies."""

import pytest

import samestory
from samestory import Article, parse, prepare
from samestory.detectors.event import REASONS, Event

SENTENCES = [
    "This report was produced by the Northern Press Agency for the use of its subscribers in all regions.",
    "No part of it may be copied, stored, translated or broadcast without written consent of the agency.",
    "The agency takes no responsibility for opinions of authors, for prices, tables, forecasts and weather maps.",
    "Subscribers who find errors are asked to telephone the night desk, quoting the number of the dispatch.",
    "Photographs, drawings and recordings belong to their owners and are licensed for one edition only.",
    "Invoices are issued quarterly, payable within thirty days, in the currency named in the contract.",
    "Complaints about content are heard by an independent council whose rulings are printed every spring.",
    "Further conditions, including those for libraries, museums and schools, are available upon request.",
    "Editors should check embargo times carefully, because clocks in distant provinces differ from headquarters.",
    "Readers with impaired sight may order audio versions through participating bookshops and kiosks.",
    "Archived dispatches older than twelve months are kept underground and can be consulted by historians.",
]
BOILERPLATE = " ".join(SENTENCES)
STORIES = [
    "Fire destroyed the old mill of Oldmere in the night of Sunday. Flames spread from the bakery to the wooden wheel, "
    "and sixty volunteers fetched water from the canal until dawn. The miller escaped through a window.",
    "Chess club Ambrook won the county trophy for a third time. Grandmaster Petra Holm defeated Julius Kern after nine "
    "hours with a sacrifice of her queen, and spectators carried her through the snow to the tavern.",
    "Parliament of Norsted approved a tax on imported timber. Carpenters protested outside, while ministers promised "
    "that forests would recover and sawmills hire apprentices before harvest.",
]


def articles(titles: bool) -> list[Article]:
    names = ["Mill burns", "Trophy for Ambrook", "Timber tax"]
    return [
        Article(str(n), f"{BOILERPLATE} {story}", title=names[n] if titles else None, lang="en")
        for n, story in enumerate(STORIES)
    ]


def test_items_with_one_long_beginning_and_other_stories_are_not_one() -> None:
    assert len(BOILERPLATE.split()) > 160
    for titles in (False, True):
        assert samestory.relate(articles(titles), detector="event") == []
        assert [len(group.members) for group in samestory.find(articles(titles), detector="event")] == [1, 1, 1]


def test_different_continuations_are_explained() -> None:
    one, other, _ = (prepare([article]) for article in articles(False))
    assert REASONS["rest_apart"] in Event().reasons(one, other)
    explanation = samestory.explain(*articles(False)[:2], detector="event")
    assert explanation.why == "enough in common, but different words after the same beginning"


def test_items_with_the_same_beginning_and_the_same_story_stay_one() -> None:
    text = f"{BOILERPLATE} {STORIES[0]}"
    pair = [Article("a", text, lang="en"), Article("b", text + " Police are investigating.", lang="en")]
    assert len(samestory.relate(pair, detector="event")) == 1
    copies = [Article(str(n), text, lang="en") for n in range(3)]
    signed = parse("event").sign(prepare(copies))
    assert len(set(signed)) == 1


FRONT = {
    "en": "Breaking news from our newsroom. This is a developing story; please check back for updates. Follow us on "
    "social media for the latest headlines.",
    "tr": "Son dakika haberi: Haberin ayrıntıları için sitemizi takip edin. Tüm gelişmeler anında burada olacak.",
    "ru": "Подписывайтесь на наш канал, чтобы первыми узнавать о главных событиях. Новость дополняется, следите за "
    "обновлениями на сайте.",
}
SHORT = {
    "en": [
        "A fire destroyed a warehouse in Leeds on Monday night.",
        "The central bank raised interest rates by half a point.",
        "Three climbers were rescued from a glacier in Norway.",
    ],
    "tr": [
        "Bursa'da bir fabrikada yangın çıktı, iki işçi yaralandı.",
        "Merkez Bankası faizi yüzde 50'de sabit tuttu.",
        "Yeni müfredat eylülde uygulanacak.",
    ],
    "ru": [
        "В Перми загорелся склад, пострадали два человека.",
        "Центробанк сохранил ключевую ставку на уровне 16 процентов.",
        "Парламент принял закон о пенсиях.",
    ],
}


@pytest.mark.parametrize("lang", FRONT)
def test_a_few_sentences_in_front_of_everything_join_only_the_same_news(lang: str) -> None:
    items = [Article(str(n), f"{FRONT[lang]} {text}", lang=lang) for n, text in enumerate(SHORT[lang])]
    items += [
        Article(f"{n} again", f"{FRONT[lang]} {text}", title="12", lang=lang) for n, text in enumerate(SHORT[lang])
    ]
    groups = {frozenset(group.members) for group in samestory.find(items, detector="event")}
    assert groups == {frozenset({str(n), f"{n} again"}) for n in range(3)}


def test_news_in_the_same_words_with_a_name_may_continue_differently() -> None:
    front = "Fire destroyed the old mill of Oldmere in the night of Sunday, and the miller escaped through a window."
    texts = [f"{front} Sixty volunteers fetched water until dawn.", f"{front} Police suspect arson and seek witnesses."]
    assert (
        len(samestory.relate([Article(str(n), text, lang="en") for n, text in enumerate(texts)], detector="event")) == 1
    )
