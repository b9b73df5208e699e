"""Pages without an article are flagged; short articles are not."""

from __future__ import annotations

import gzip
import json
import zipfile
from collections import Counter
from pathlib import Path

import pytest

from samestory.errors import NotAPage
from samestory.html import Extractor, Page, article, metadata, parse, verdict

SHARED = Path(__file__).parents[2].parent / "shared" / "data"

MENU = (
    "<nav>"
    + "".join(f"<a href=/{word}>{word.title()}</a> " for word in ("news", "sport", "culture", "weather"))
    + "</nav>"
)
STORY = (
    "<p>A storm has hit the coast of Norway, and the police said on Sunday that it was the worst in ten "
    "years. Roads are"
    " closed, and thousands of people are without power.</p>"
)
# all paragraphs differ, since repeated ones count once
LONG = (
    STORY
    + """
<p>In Bergen the harbour was closed at noon. Three fishing boats had broken loose during the night, and one of them was
found on the rocks south of the lighthouse; its crew of four had been brought home by a helicopter hours before.</p>
<p>"We have never seen waves like these," said the harbour master, who has worked there since he left school. He asked
everybody to stay away from the quays until the wind has turned, which forecasters do not expect before Tuesday.</p>
<p>Further inland, trees fell on railway lines between the mountains and the capital. Passengers of two night trains
were taken to a sports hall in a village of two hundred people, where neighbours cooked soup until the morning.</p>
<p>The power company counted forty broken masts and asked for patience. Repairs can begin only when it is safe to climb,
a spokeswoman explained, and spare parts have to be flown in from a store that lies on the other side of the fjord.</p>
<p>Schools will stay shut on Monday in nine municipalities. Ministers met in the evening to talk about money for farms
whose barns have lost their roofs; the opposition wants the army to help, as it did after the floods of 2016.</p>
<p>Insurers spoke of a bill larger than that of any winter so far, without naming a sum. Scientists at the institute for
weather research warned that seas which are warmer than usual may bring more of the same before the season is over.</p>
<p>Nobody was killed. A cyclist was hurt by a falling sign, and a dog that had been missing since Saturday came back on
its own, wet and hungry, to the great joy of the two children who had been looking for it in the rain all day.</p>
"""
)


# a typical article of four sentences
SHORT = STORY + LONG.split("</p>")[1] + "</p>"


def flags(page: str, url: str = "https://example.com/news/1", extractor: str = "rules") -> set[str]:
    given = Page(page.encode(), url, "utf-8")
    (extraction,) = parse(extractor).extract([given])
    assert not isinstance(extraction, NotAPage)
    return set(verdict(given, extraction, metadata(given, extraction)))


ERRORS = {
    "en 404": "<title>404 Not Found</title><h1>404</h1><p>The page you are looking for could not be "
    "found on our server.</p>",
    "en named": f"<title>Page not found - The Times</title>{MENU}<p>Sorry, we can't find that page. "
    f"Please try the search.</p>",
    "en denied": "<title>Access Denied</title><p>You don't have permission to access this page on this server.</p>",
    "en gateway": "<title>502 Bad Gateway</title><h1>502 Bad Gateway</h1><p>nginx</p>",
    "en challenge": "<title>Just a moment...</title><p>Checking your browser before accessing "
    "example.com. Please wait.</p>",
    "en scripts": "<title>example.com</title><p>Please enable JavaScript and cookies to continue.</p>",
    "en captcha": "<title>Security</title><p>Please verify you are human by solving this puzzle of pictures below.</p>",
    "tr 404": f"<title>Sayfa Bulunamadı</title>{MENU}<p>Aradığınız sayfa silinmiş veya taşınmış olabilir.</p>",
    "tr news": "<title>Örnek Gazete</title><h1>Aradığınız haber bulunamadı</h1><p>Ana sayfaya dönmek "
    "için tıklayın.</p>",
    "tr denied": "<title>Erişim Engellendi</title><p>Bu internet sitesine erişim mahkeme kararıyla engellenmiştir.</p>",
    "tr scripts": "<title>Örnek</title><p>Devam etmek için lütfen JavaScript'i etkinleştirin ve sayfayı yenileyin.</p>",
    "tr robot": "<title>Doğrulama</title><p>Robot olmadığınızı doğrulamak için aşağıdaki kutuyu "
    "işaretleyin lütfen.</p>",
    "ru 404": f"<title>Страница не найдена</title>{MENU}<p>Возможно, она была удалена или перемещена в "
    f"другой раздел.</p>",
    "ru number": "<title>Ошибка 404</title><p>Запрашиваемая страница не существует, перейдите на главную страницу.</p>",
    "ru denied": "<title>Доступ запрещён</title><p>У вас нет прав для просмотра этой страницы нашего сайта.</p>",
    "ru scripts": "<title>Пример</title><p>Пожалуйста, включите JavaScript в вашем браузере, чтобы "
    "продолжить работу.</p>",
    "ru robot": "<title>Проверка</title><p>Подтвердите, что вы не робот, чтобы продолжить чтение нашего "
    "сайта сегодня.</p>",
}

STUBS = {
    "en phrase": f"{STORY}<div>Subscribe to continue reading</div>",
    "en members": f"{STORY}<p>This article is available to subscribers only.</p>",
    "en data": '<script type="application/ld+json">{"@type": "NewsArticle", "headline": "Storm", '
    f'"isAccessibleForFree": false}}</script>{STORY}',
    "en class": f"{STORY}<div class=paywall-box>Already a subscriber? Log in</div>",
    "tr phrase": "<p>Fırtına Karadeniz kıyılarını vurdu ve yetkililer bunun son yılların en büyüğü "
    "olduğunu açıkladı.</p>"
    "<p>Haberin devamını okumak için abone olun</p>",
    "tr members": "<p>Fırtına Karadeniz kıyılarını vurdu ve yetkililer bunun son yılların en büyüğü "
    "olduğunu açıkladı.</p>"
    "<div>Bu içerik abonelerimize özel</div>",
    "ru phrase": "<p>Шторм обрушился на побережье Норвегии, и полиция сообщила в воскресенье, что он был "
    "самым сильным.</p>"
    "<p>Полный материал доступен по подписке</p>",
    "ru members": "<p>Шторм обрушился на побережье Норвегии, и полиция сообщила в воскресенье, что он "
    "был самым сильным.</p>"
    "<div>Только для подписчиков</div>",
}

ARTICLES = {
    "short": STORY,
    "of an error": f"<title>404: the story of an error</title><h1>404: the story of an error</h1>{LONG}",
    "review, short": f"<title>Page not found: a novel</title><h1>Page not found: a novel</h1>{SHORT}",
    "of an error, short": f"<title>Error 404: how a number became a joke</title>{SHORT}",
    "of robots": f"<title>Not a robot: life with captchas</title><h1>Not a robot</h1>{LONG}",
    "about scripts, dated": "<title>How to enable JavaScript</title><meta property=og:type content=article>"
    f'<script type=\'application/ld+json\'>{{"@type": "Article"}}</script>{STORY}<p>You must enable JavaScript.</p>',
    "with a note for browsers": f"{STORY}<noscript>Please enable JavaScript</noscript>{MENU * 120}",
    "with a wall further down": f"{LONG}<div class=paywall>Subscribe to continue reading</div>",
    "metered, in full": '<script type="application/ld+json">{"@type": "NewsArticle", '
    '"isAccessibleForFree": false}</script>' + LONG,
    "short, with a newsletter": f"{STORY}<p>Subscribe to our newsletter</p>",
    "short, with a door": f"{STORY * 2}<p>Already a subscriber? Log in</p>",
    "on a site of many links": f"<meta property=og:type content=website>{MENU * 50}{LONG}",
    "of 2010, numbered 404": f"<title>Bus 404 in Oslo is late again</title>{STORY}",
    "tr": "<title>Sayfa sayfa İstanbul</title><p>Aradığınız kitap artık raflarda: İstanbul'u sayfa sayfa "
    "anlatan eser çıktı.</p>",
}


@pytest.mark.parametrize("name", ERRORS)
@pytest.mark.parametrize("extractor", ["rules", "heuristic"])
def test_errors_and_challenges(name: str, extractor: str) -> None:
    assert flags(ERRORS[name], extractor=extractor) - {"empty"} == {"error-page"}


@pytest.mark.parametrize("name", STUBS)
@pytest.mark.parametrize("extractor", ["rules", "heuristic"])
def test_stubs_before_a_wall(name: str, extractor: str) -> None:
    assert flags(STUBS[name], extractor=extractor) == {"paywall"}


@pytest.mark.parametrize("name", ARTICLES)
def test_articles_that_look_a_little_like_it(name: str) -> None:
    assert flags(ARTICLES[name]) == set()


def test_a_front_page_is_no_article() -> None:
    teasers = "<div><a href=/a>Storm hits coast of Norway as police warn</a> <p>More soon.</p></div>" * 30
    page = f"<meta property=og:type content=website>{MENU}{teasers}"
    assert flags(page, "https://example.com/") == {"not-article"} | flags(page, "https://example.com/") & {"empty"}
    assert "not-article" in flags(page, "https://example.com/sport/")
    assert "not-article" not in flags(page.replace("website", "article"), "https://example.com/sport/")
    assert "not-article" not in flags(f"<time datetime=2024-05-12></time>{page}", "https://example.com/sport/")


def test_without_content_it_is_empty() -> None:
    assert flags("") == {"empty"}
    assert flags(f"<title>Example</title>{MENU}", extractor="rules") >= {"empty"}
    assert flags("<p>* * *</p>", extractor="heuristic") == {"empty"}


def test_an_article_has_what_is_known_of_the_page() -> None:
    page = Page(
        b"<html lang=en><link rel=canonical href=/storm><title>Storm hits coast</title><h1>Storm hits coast</h1>"
        b"<meta property=og:site_name content='The Times'><meta property=og:updated_time content=2024-05-12>"
        + LONG.encode(),
        "https://example.com/storm?utm=1",
    )
    (extraction,) = parse("rules").extract([page])
    assert not isinstance(extraction, NotAPage)
    made = article(page, extraction, "7")
    assert (made.id, made.title, made.published) == ("7", "Storm hits coast", "2024-05-12")
    assert (made.url, made.source, made.lang) == ("https://example.com/storm", "The Times", "en")
    assert made.text == extraction.text
    assert made.flaw is None


def _pages(name: str) -> list[Page]:
    with zipfile.ZipFile(SHARED / name / "html.zip") as pages, gzip.open(SHARED / name / "docs.jsonl.gz", "rt") as rows:
        return [Page(pages.read(row["html_path"]), row.get("url")) for row in map(json.loads, rows)]


@pytest.mark.skipif(not (SHARED / "html_trafilatura").is_dir(), reason=f"no pages at {SHARED}")
def test_hardly_any_real_article_is_flagged() -> None:
    pages = [page for name in ("html_scrapinghub", "html_cleanportaleval", "html_trafilatura") for page in _pages(name)]
    extractor: Extractor = parse("rules")
    counts: Counter[str] = Counter()
    dated = 0
    for page, found in zip(pages, extractor.extract(pages), strict=True):
        assert not isinstance(found, NotAPage)
        known = metadata(page, found)
        counts.update(verdict(page, found, known))
        dated += known.published is not None
    # six are stubs; on the rest the rules find no content
    assert counts["error-page"] + counts["paywall"] + counts["not-article"] <= len(pages) // 100
    assert dated >= 0.85 * len(pages)
