"""Bad input for `event`: wrong language codes, mixed languages, one word, very long texts, capitals, missing parts."""

from __future__ import annotations

import itertools
import json
import time
import unicodedata
from pathlib import Path

import pytest

from samestory import Article, Problem, explain, find, read, relate

CLIMBERS = (
    "Two climbers were rescued from Mount Harrow on Sunday after a storm cut them off for a night.",
    "A rescue team brought 2 stranded climbers down from Mount Harrow on Sunday after a stormy night.",
)
PAPER_MILL = (
    "A fire in a paper mill in Oldmere killed three people on Monday, the fire service said. The flames broke out in a "
    "drying hall shortly after midnight and spread to two neighbouring stores. Crews from four districts needed seven "
    "hours to bring the fire under control.",
    "Three workers died when a paper mill burned down in Oldmere on Monday. Firefighters fought the flames through the "
    "night; the blaze had started in a hall where paper is dried. The road past the mill was closed for hours.",
)
FLOOD = (
    "Karlıova'da sel nedeniyle iki köprü yıkıldı, üç köye ulaşım sağlanamıyor.",
    "Karlıova'yı vuran selde 2 köprü yıkıldı; 3 köyün yolu kapandı.",
)
DAM = (
    "В Зареченске из-за прорыва дамбы эвакуировали 1,5 тысячи жителей.",
    "Около 1500 жителей Зареченска эвакуированы после прорыва дамбы.",
)
TUNNEL = (
    "El alcalde de Málaga inauguró el sábado el túnel de la avenida Andalucía, que costó doce millones de euros.",
    "El túnel de la avenida Andalucía, de doce millones de euros, fue inaugurado el sábado por el alcalde de Málaga.",
)
TWO_PACKAGES = (
    "The council approved the 12th package of repairs.",
    "The council approved the 13th package of repairs.",
)
TWO_STORIES = ("Storm damages the pier of Oldmere.", "Museum shows the coins of a Roman ship.")

#: Codes of no language, and no code.
UNKNOWN_CODES = [None, "", "xx", "zz-ZZ-foo", "English", "\0", "x" * 5000]
TURKISH_LETTERS = str.maketrans("ıİşŞğĞüÜöÖçÇâ", "iIsSgGuUoOcCa")


def articles(pair: tuple[str, str], left: str | None, right: str | None = None) -> list[Article]:
    return [Article("a", pair[0], lang=left), Article("b", pair[1], lang=left if right is None else right)]


def score(pair: tuple[str, str], left: str | None, right: str | None = None) -> float:
    """The probability of one event; 0 if the two are not related. Checks that all three interfaces agree."""
    both = articles(pair, left, right)
    relations = relate(both, detector="event")
    assert bool(explain(*both, detector="event").relation) == bool(relations)
    assert len(find(both, detector="event")) == (1 if relations else 2)
    return relations[0].score if relations else 0.0


def without_marks(text: str) -> str:
    decomposed = unicodedata.normalize("NFD", text)
    return "".join(character for character in decomposed if not unicodedata.combining(character))


@pytest.mark.parametrize("code", UNKNOWN_CODES, ids=lambda code: repr(code)[:12])
@pytest.mark.parametrize("pair", [CLIMBERS, PAPER_MILL, TWO_PACKAGES, TWO_STORIES])
def test_with_a_code_of_no_language_the_language_is_detected(pair: tuple[str, str], code: str | None) -> None:
    assert score(pair, code, code or "") == score(pair, code, "en") == score(pair, "en")


@pytest.mark.parametrize("code", ["EN", "en-GB", "en_US"])
def test_a_code_is_read_in_any_form(code: str) -> None:
    assert score(CLIMBERS, code) == score(CLIMBERS, code, "en") == score(CLIMBERS, "en")


@pytest.mark.parametrize("wrong", ["de", "tr", "ja", "ar", "th", "vi"])
@pytest.mark.parametrize("pair", [CLIMBERS, PAPER_MILL, TWO_PACKAGES, TWO_STORIES])
def test_a_wrong_code_does_not_change_the_decision(pair: tuple[str, str], wrong: str) -> None:
    """For one article or for both."""
    is_related = score(pair, "en") > 0
    assert (score(pair, wrong, "en") > 0) is is_related
    assert (score(pair, "en", wrong) > 0) is is_related
    assert (score(pair, wrong) > 0) is is_related


@pytest.mark.parametrize("code", ["en", "tr", None])
def test_an_article_in_two_languages_is_related_by_its_parts(code: str | None) -> None:
    """A paragraph in another language behind a report does not separate it from other reports, and joins nothing."""
    mixed = (f"{PAPER_MILL[0]} {FLOOD[0]}", f"{PAPER_MILL[1]} {FLOOD[1]}")
    assert score(mixed, code, "en") > 0
    assert score((mixed[0], PAPER_MILL[1]), code, "en") > 0
    assert score((mixed[0], f"{TWO_STORIES[1]} {TUNNEL[0]}"), code, "en") == 0


@pytest.mark.parametrize("word", ["Fire", "Yangın", "Пожар", "火", "12", "…", ""])
def test_one_word_is_related_to_nothing(word: str) -> None:
    assert score((word, word), "en") == 0
    assert score((word, f"{word} {CLIMBERS[0]}"), "en") == 0
    assert explain(*articles((word, word), "en"), detector="event").why == "too little text to compare"


def test_texts_of_200_000_words_are_compared_in_seconds() -> None:
    syllables = ["bor", "kal", "mer", "tun", "vel", "zar", "dig", "fos", "ren", "lap"]
    words = ["".join(parts) for parts in itertools.product(syllables, repeat=3)]
    names = [word.title() if at % 7 == 0 else word for at, word in enumerate(words)]
    text = " ".join(itertools.islice(itertools.cycle(names), 200_000))
    start = time.process_time()
    found = relate(
        [
            Article("long", text, lang="en"),
            Article("with another end", f"{text} end", lang="en"),
            Article("short", CLIMBERS[0], lang="en"),
            Article("word", "Fire", lang="en"),
        ],
        detector="event",
    )
    assert {(relation.left, relation.right) for relation in found} == {("with another end", "long")}
    assert time.process_time() - start < 3


@pytest.mark.parametrize(
    "text",
    ["\0" * 50, "😀" * 300, "a" * 200_000, "١٢٣ " * 50, "\u200b" * 100, "Ⅻ " * 40, "的" * 3000, "x " * 10_000],
    ids=["nul", "emoji", "one word", "digits", "zero width", "Roman", "one character", "one letter"],
)
def test_texts_without_distinct_words_are_related_to_nothing(text: str) -> None:
    assert score((text, f"{text} x"), None) == 0
    assert score((text, CLIMBERS[0]), None) == 0


@pytest.mark.parametrize(("pair", "lang"), [(CLIMBERS, "en"), (PAPER_MILL, "en"), (DAM, "ru"), (TUNNEL, "es")])
def test_capitals_do_not_separate_reports(pair: tuple[str, str], lang: str) -> None:
    capitals = (pair[0].upper(), pair[1].upper())
    assert score((capitals[0], pair[1]), lang) > 0
    assert score((pair[0], capitals[1]), lang) > 0
    assert score(capitals, lang) > 0


def test_turkish_capitals_keep_their_dots() -> None:
    upper = FLOOD[0].replace("i", "İ").upper()
    assert score((upper, FLOOD[1]), "tr") > 0


@pytest.mark.parametrize("pair", [TWO_PACKAGES, TWO_STORIES])
def test_capitals_join_no_other_stories(pair: tuple[str, str]) -> None:
    assert score((pair[0].upper(), pair[1]), "en") == 0
    assert score((pair[0].upper(), pair[1].upper()), "en") == 0


def test_accents_left_out_or_decomposed_do_not_separate_reports() -> None:
    left, right = TUNNEL
    assert score((unicodedata.normalize("NFD", left), right), "es") == score(TUNNEL, "es") > 0
    assert score((without_marks(left), right), "es") > 0
    assert score((without_marks(left), without_marks(right)), "es") > 0


def test_turkish_without_its_letters_is_related_to_its_like_only() -> None:
    """A limit (docs/concepts/events.md): with and without its letters, Turkish has other words."""
    plain = (FLOOD[0].translate(TURKISH_LETTERS), FLOOD[1].translate(TURKISH_LETTERS))
    assert score(FLOOD, "tr") > 0
    assert score(plain, "tr") > 0
    assert score((plain[0], FLOOD[1]), "tr") == 0


def test_transliterated_text_is_related_to_its_like_only() -> None:
    """A limit (docs/concepts/events.md)."""
    latin = (
        "V Zarechenske iz-za proryva damby evakuirovali 1,5 tysyachi zhiteley.",
        "Okolo 1500 zhiteley Zarechenska evakuirovany posle proryva damby.",
    )
    assert score(DAM, "ru") > 0
    assert score(latin, "ru") > 0
    assert score((latin[0], DAM[1]), "ru") == 0


TITLED, BODY = CLIMBERS


@pytest.mark.parametrize("first", [{"title": TITLED, "text": ""}, {"title": None, "text": TITLED}])
@pytest.mark.parametrize("second", [{"title": BODY, "text": ""}, {"title": None, "text": BODY}])
def test_a_title_alone_is_compared_as_a_text_alone(first: dict[str, str | None], second: dict[str, str | None]) -> None:
    both = [
        Article("a", first["text"] or "", title=first["title"], lang="en"),
        Article("b", second["text"] or "", title=second["title"], lang="en"),
    ]
    (relation,) = relate(both, detector="event")
    assert relation.score == score(CLIMBERS, "en")
    assert [group.members for group in find(both, detector="event")] == [("a", "b")]


def test_a_record_with_neither_title_nor_text_is_rejected_with_its_line(tmp_path: Path) -> None:
    rows = [
        {"id": "title", "title": TITLED, "lang": "en"},
        {"id": "text", "text": BODY, "lang": "en"},
        {"id": "neither"},
        {"id": "empty", "title": "", "text": ""},
        {"id": "other", "title": TWO_STORIES[0], "text": "", "lang": "en"},
    ]
    path = tmp_path / "news.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    items = list(read(path))
    rejected = [(item.line, item.fault) for item in items if isinstance(item, Problem) and not item.kept]
    assert rejected == [(3, "no text"), (4, "empty text")]
    kept = [item for item in items if isinstance(item, Article)]
    assert {frozenset(group.members) for group in find(kept, detector="event")} == {
        frozenset({"title", "text"}),
        frozenset({"other"}),
    }
