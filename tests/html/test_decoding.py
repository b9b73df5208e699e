"""Decoding: byte order mark, HTTP header, page, guess."""

from __future__ import annotations

import pytest

from samestory.html import Page, PageBlocks, blocks

TURKISH = (
    "Ankara'da dün akşam başlayan yağmur, başkentin birçok semtinde su baskınlarına yol açtı. Belediye ekipleri sabaha "
    "kadar çalışarak tıkanan mazgalları açtı, yollarda kalan araçları kurtardı. Yetkililer yağışın hafta sonuna kadar "
    "süreceğini, özellikle akşam saatlerinde dikkatli olunması gerektiğini bildirdi. Çiğdem Mahallesi'nde bir iş "
    "yerinin bodrum katı suyla doldu; esnaf, zararının karşılanmasını istedi."
)
RUSSIAN = (
    "Вчера вечером в городе начался сильный дождь, который продолжался до самого утра. По словам синоптиков, осадки "
    "сохранятся до конца недели. Городские службы работали всю ночь, чтобы очистить дороги от воды и упавших деревьев. "
    "Жители нескольких районов жаловались на перебои с электричеством, однако к полудню свет вернули почти во все дома."
)


def last(found: PageBlocks) -> str:
    return found.blocks[-1].text


def page(text: str, encoding: str, head: str = "") -> bytes:
    menu = '<div class="menu"><a href="/index.html">menu</a></div>' * 30
    return f"<html><head>{head}</head><body>{menu}<p>{text}</p></body></html>".encode(encoding)


@pytest.mark.parametrize("text, encoding, name", [
    (TURKISH, "windows-1254", "windows-1254"),
    (TURKISH, "iso-8859-9", "windows-1254"),
    (RUSSIAN, "windows-1251", "windows-1251"),
    (TURKISH, "utf-8", "UTF-8"),
    (RUSSIAN, "utf-8", "UTF-8"),
])  # fmt: skip
def test_an_undeclared_encoding_is_guessed(text: str, encoding: str, name: str) -> None:
    """Whole texts, and any 200 letters of them, with much markup around."""
    for part in [text, text * 20] + [text[start : start + 200].strip() for start in range(0, len(text) - 200, 7)]:
        found = blocks(Page(page(part, encoding)))
        assert (last(found), found.encoding, found.flags) == (part, name, {"guessed"})


@pytest.mark.parametrize("text", ["Gül ağacı değilim", "Dolar düştü", "Fenerbahçe kazandı", "Şişli'de yangın"])
def test_a_few_words_of_turkish_are_reported_by_the_address(text: str) -> None:
    raw = page(text, "windows-1254")
    assert last(blocks(Page(raw, "https://haber.example.com.tr/a"))) == text


@pytest.mark.parametrize("text", ["Дождь в Москве", "Президент подписал закон", "Курс доллара вырос"])
def test_a_few_words_of_russian_are_enough(text: str) -> None:
    for encoding in ("windows-1251", "koi8-r", "iso-8859-5"):
        assert last(blocks(Page(page(text, encoding)))) == text


@pytest.mark.parametrize(
    "url", [None, "", "no address", "http://[", "http://10.0.0.1/", "http://x.рф/", "http://x./", "a:b"]
)
def test_any_address_will_do(url: str | None) -> None:
    assert last(blocks(Page(page(RUSSIAN, "windows-1251"), url))) == RUSSIAN


def test_the_order_of_encoding_sources() -> None:
    """Byte order mark, then HTTP header, then page; an invalid name is skipped."""
    head = "<meta charset=windows-1251>"
    raw = page("\u0430", "windows-1251", head)
    assert last(blocks(Page(raw))) == "а"
    assert last(blocks(Page(raw, charset="koi8-r"))) == "Ю"
    assert last(blocks(Page(raw, charset="no such thing"))) == "а"
    assert last(blocks(Page(raw, charset="\ud800"))) == "а"
    marked = b"\xef\xbb\xbf" + page("\u0430", "utf-8", head)
    found = blocks(Page(marked, charset="koi8-r"))
    assert (last(found), found.encoding, found.flags) == ("а", "UTF-8", set())


@pytest.mark.parametrize("head", [
    "<meta charset=windows-1254>",
    "<meta charset='windows-1254'/>",
    "<META HTTP-EQUIV='Content-Type' CONTENT='text/html; charset=windows-1254'>",
    "<meta content='text/html; charset=latin5' http-equiv=content-type>",
    "<!-- <meta charset=koi8-r> --><meta name=x content='charset=koi8-r'><meta charset=ISO-8859-9>",
])  # fmt: skip
def test_the_page_is_heard(head: str) -> None:
    found = blocks(Page(page("ışık", "windows-1254", head)))
    assert (last(found), found.encoding, found.flags) == ("ışık", "windows-1254", set())


def test_the_page_is_heard_in_its_first_1024_bytes_only() -> None:
    for before, name in ((900, "windows-1251"), (1024, "UTF-8")):
        raw = b" " * before + b"<meta charset=windows-1251><p>ASCII"
        assert blocks(Page(raw)).encoding == name


@pytest.mark.parametrize("label", ["utf-16", "utf-16le", "utf-16be", "unicode"])
def test_a_page_that_could_be_read_as_ascii_is_not_utf_16(label: str) -> None:
    found = blocks(Page(page("ışık", "utf-8", f"<meta charset={label}>")))
    assert (last(found), found.encoding) == ("ışık", "UTF-8")


def test_names_that_mean_another_encoding() -> None:
    raw = "<p>“café”".encode("windows-1252")
    for label in ("iso-8859-1", "ascii", "x-user-defined", " LATIN1 "):
        assert last(blocks(Page(raw, charset=label))) == "“café”"


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_utf_16_is_read_with_and_without_a_mark(encoding: str, mark: str) -> None:
    raw = (mark + f"<p>{TURKISH}").encode(encoding)
    assert last(blocks(Page(raw))) == TURKISH
    assert last(blocks(Page(raw, charset="utf-8"))) == TURKISH or not mark


def test_utf_8_that_is_none_is_guessed() -> None:
    for charset, head in (("utf-8", ""), (None, "<meta charset=utf-8>")):
        found = blocks(Page(page(RUSSIAN, "windows-1251", head), charset=charset))
        assert (last(found), found.encoding, found.flags) == (RUSSIAN, "windows-1251", {"guessed"})


def test_utf_8_with_a_broken_byte_stays_utf_8() -> None:
    raw = page(RUSSIAN, "utf-8").replace("город".encode(), b"\xff")
    found = blocks(Page(raw, charset="utf-8"))
    assert (found.encoding, found.flags) == ("UTF-8", {"malformed"})
    assert last(found).count("\ufffd") == 1


def test_a_page_cut_off_within_a_character_stays_utf_8() -> None:
    raw = f"<p>{'a' * 50} é".encode()[:-1]
    assert blocks(Page(raw)).encoding == blocks(Page(raw, charset="utf-8")).encoding == "UTF-8"


def test_of_ascii_nothing_is_guessed() -> None:
    assert blocks(Page(b"<p>plain")).flags == set()


@pytest.mark.parametrize("encoding, text", [
    ("shift_jis", "東京で地震がありました。けが人はいません。"),
    ("euc-jp", "東京で地震がありました。けが人はいません。"),
    ("iso-2022-jp", "東京で地震がありました。けが人はいません。"),
    ("gbk", "今天上午北京下了一场大雪，许多航班被取消。"),
    ("big5", "今天上午台北下了一場大雨，許多航班被取消。"),
    ("euc-kr", "오늘 아침 서울에 많은 눈이 내렸습니다."),
    ("windows-1253", "Χθες το βράδυ άρχισε δυνατή βροχή στην πόλη."),
    ("windows-1256", "بدأ هطول الأمطار الغزيرة مساء أمس في المدينة."),
])  # fmt: skip
def test_other_scripts_are_guessed(encoding: str, text: str) -> None:
    assert last(blocks(Page(page(text, encoding)))) == text
