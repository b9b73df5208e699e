"""The texts of the pages: complete in every language, and none of them outside of the messages."""

from __future__ import annotations

import ast
import re
from html.parser import HTMLParser
from importlib import resources
from pathlib import Path
from string import Formatter
from typing import Any

import httpx
import pytest

from samestory import _core
from samestory.detectors.event import BEFORE_DETAILS, NOT_COUNTED, REASONS
from samestory.web import localization as module
from samestory.web.localization import LANGUAGES, PLURAL_FORM, PLURAL_FORMS, accepted_language, localization
from samestory.web.relation_phrases import LIKELIHOODS, SYMBOLS
from samestory.web.templating import environment

TEMPLATES = Path(str(resources.files("samestory.web") / "templates"))
#: Names that are the same in all languages.
NAMES = {"samestory", "JSON", "API", "RSS", "Atom", "OPML", "CSV", "JSON Lines"}
#: Messages without words, and words that two languages share.
SAME_IN_ENGLISH = {"base.title", "dates.moment", "dates.short_day", "numbers.percent", "count.more"}
#: Attributes that readers see or hear.
READ_ATTRIBUTES = {"placeholder", "title", "aria-label", "alt", "label"}


def forms(message: Any) -> list[str]:
    return list(message.values()) if isinstance(message, dict) else message if isinstance(message, list) else [message]


def fields(text: str) -> set[str]:
    return {name for _, name, *_ in Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_message_is_complete(code: str) -> None:
    english, found = localization("en").messages, localization(code).messages
    assert found.keys() == english.keys()
    for name, message in english.items():
        assert isinstance(found[name], type(message)), name
        assert {field for one in forms(found[name]) for field in fields(one)} == {
            field for one in forms(message) for field in fields(one)
        }, name
        if isinstance(message, list):
            assert len(found[name]) == len(message), name
        if isinstance(message, dict):
            assert tuple(found[name]) == PLURAL_FORMS[code], name
        assert all(one.strip() or name == "numbers.thousands" for one in forms(found[name])), name


@pytest.mark.parametrize("code", LANGUAGES[1:])
def test_every_message_is_translated(code: str) -> None:
    english, found = localization("en").messages, localization(code).messages
    for name, message in english.items():
        for one in forms(found[name]):
            words = re.sub(r"\{\w+\}", "", one)
            if not re.search(r"[^\W\d_]{2}", words) or name in SAME_IN_ENGLISH:
                continue
            if name.startswith("numbers.") or name.startswith("dates.months"):
                continue
            assert one not in forms(message), (name, one)
            assert code != "ru" or re.search("[а-яё]", words), (name, one)


def test_plural_forms() -> None:
    russian = {1: "one", 2: "few", 4: "few", 5: "many", 11: "many", 12: "many", 14: "many", 21: "one", 22: "few"}
    russian |= {0: "many", 25: "many", 101: "one", 111: "many", 112: "many", 1001: "one", 1002: "few"}
    assert {count: PLURAL_FORM["ru"](count) for count in russian} == russian
    counted = {code: [str(localization(code).count("stories", count)) for count in (1, 2, 5, 21)] for code in LANGUAGES}
    assert counted == {
        "en": ["1 story", "2 stories", "5 stories", "21 stories"],
        "tr": ["1 konu", "2 konu", "5 konu", "21 konu"],
        "ru": ["1 сюжет", "2 сюжета", "5 сюжетов", "21 сюжет"],
    }
    for code in LANGUAGES:
        used = {PLURAL_FORM[code](count) for count in range(200)}
        assert used == set(PLURAL_FORMS[code])


def test_numbers_are_written_as_in_the_language() -> None:
    english, turkish, russian = map(localization, LANGUAGES)
    assert (english.number(1234567), turkish.number(1234567), russian.number(1234567)) == (
        "1,234,567",
        "1.234.567",
        "1\u00a0234\u00a0567",
    )
    assert (english.bytes(1_500_000), turkish.bytes(1_500_000)) == ("1.5 MB", "1,5 MB")
    assert (english.percent(0.996), turkish.percent(0.5), russian.percent(1.0)) == ("99%", "%50", "100\u00a0%")
    assert english.percent(0.0001) == "1%" and english.percent(0) == "0%"


@pytest.mark.parametrize(
    ("header", "code"),
    [
        ("ru", "ru"),
        ("tr-TR,tr;q=0.9,en-US;q=0.8", "tr"),
        ("de, fr;q=0.9", "en"),
        ("en;q=0.3, ru;q=0.4", "ru"),
        ("ru;q=0, tr;q=0.1", "tr"),
        ("ru;q=nan, tr", "tr"),
        (",;;q=,=" * 1000, "en"),
        ("", "en"),
    ],
)
def test_the_browser_chooses_the_language(client: httpx.Client, header: str, code: str) -> None:
    assert accepted_language(header) == code
    page = client.get("/", headers={"accept": "text/html", "accept-language": header})
    assert f'<html lang="{code}">' in page.text and page.headers["content-language"] == code
    assert "Accept-Language" in page.headers["vary"]
    assert str(localization(code).text("front.title")) in page.text


class PageWords(HTMLParser):
    """Collects the texts and the attributes of a template that readers see or hear."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.words += [value or "" for name, value in attrs if name in READ_ATTRIBUTES]


def literal_words(source: str) -> list[str]:
    """The words in a template that are no values of expressions."""
    parts = [(kind, text) for _, kind, text in environment("samestory.web").lex(source)]
    parser = PageWords()
    parser.feed("".join(text for kind, text in parts if kind == "data"))
    parser.close()
    found = [word.strip() for words in parser.words for word in re.split(r"[·←→!…()]|\s{2,}|\n", words)]
    found = [word for word in found if re.search(r"[^\W\d_]", word) and word not in NAMES]
    for kind, text in parts:
        value = ast.literal_eval(text) if kind == "string" else ""
        if value not in NAMES and re.search(r"[^\W\d_]{2,} +[^\W\d_]|^[A-Z][a-z]", value):
            found.append(value)
    return found


def test_literal_words_are_noticed() -> None:
    noticed = literal_words(
        "<p title=\"A title\">{{ t('a.b') }} Some words {{ f('Sign in') }}</p><i>{# A note #}JSON</i>"
    )
    assert noticed == ["A title", "Some words", "Sign in"]


@pytest.mark.parametrize("path", sorted(TEMPLATES.glob("*.html")), ids=lambda path: path.name)
def test_templates_have_no_words_of_their_own(path: Path) -> None:
    assert literal_words(path.read_text(encoding="utf-8")) == []


def test_templates_use_messages_that_exist_and_all_of_them() -> None:
    english = localization("en").messages
    sources = "".join(path.read_text(encoding="utf-8") for path in TEMPLATES.glob("*.html"))
    web = "".join(
        Path(str(path)).read_text(encoding="utf-8") for path in Path(str(resources.files("samestory.web"))).glob("*.py")
    )
    names = set(re.findall(r"""['"]([a-z_]+\.[A-Za-z_0-9]+)['"]""", sources + web)) & english.keys()
    literal = set(re.findall(r"""\bt\(\s*'([^']+)'\s*[,)]""", sources))
    assert literal and literal <= english.keys()
    names |= {f"count.{noun}" for noun in re.findall(r"loc\.count\('(\w+)'", sources)}
    names |= {f"count.{noun}" for noun in re.findall(r"'(\w+)' if [^)]* else '\w+', data", sources)}
    prefixes = set(re.findall(r"""['"]([a-z_]+\.(?:[a-z]+_)?)['"] ~""", sources))
    constructed = ("errors.", "reasons.", "languages.", "numbers.", "dates.", "compare.for", "compare.against")
    unused = [n for n in english if n not in names and not n.startswith((*prefixes, *constructed))]
    assert set(unused) <= {"count.articles", "count.matching_articles"}


def test_every_kind_and_likelihood_has_its_messages() -> None:
    english = localization("en").messages
    for kind in SYMBOLS:
        assert f"kind.{kind}" in english and f"kind_count.{kind}" in english
        if kind != "SAME_EVENT":
            assert f"relation.{kind}" in english and f"compared.{kind}" in english
    for _, name in LIKELIHOODS:
        assert f"likelihood.{name}" in english
        assert name == "unlikely" or f"relation.SAME_EVENT_{name}" in english


@pytest.mark.parametrize("code", LANGUAGES[1:])
def test_reasons_of_the_detectors_are_translated(code: str) -> None:
    loc = localization(code)
    words = [reason.words for reason in (*REASONS.values(), *BEFORE_DETAILS.values())]
    words += [*_core.WHYS.values(), "too little text to compare", REASONS["days"].words + NOT_COUNTED]
    words += ["below the threshold of 50 %", f"enough in common, but {REASONS['swapped'].words}"]
    words += ["published 90 days apart; event never relates articles more than 7 days apart"]
    words += ["wording 40 % alike; unrelated articles here reach 31 %"]
    for one in words:
        assert 'lang="en"' not in loc.translate(one) and loc.translate(one) != one, one
    named = loc.reason(str(REASONS["names_shared"].with_detail("Ann <b>, Ben (2)")))
    assert "Ann &lt;b&gt;, Ben (2)" in named and 'lang="en"' not in named
    assert loc.translate("words of a new <detector>") == '<span lang="en">words of a new &lt;detector&gt;</span>'


def refusals() -> list[str]:
    """The texts of all refusals of the pages, with an example for every value."""
    out = []
    for name in ("pages", "views", "decisions"):
        tree = ast.parse(Path(str(module.__file__)).with_name(f"{name}.py").read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("Refusal", "ParameterError"):
                for part in node.args:
                    if isinstance(part, ast.Constant) and isinstance(part.value, str):
                        out.append(part.value)
                    elif isinstance(part, ast.JoinedStr):
                        out.append("".join(p.value if isinstance(p, ast.Constant) else "7" for p in part.values))
    return out


@pytest.mark.parametrize("code", LANGUAGES[1:])
def test_refusals_are_translated(code: str) -> None:
    assert len(refusals()) > 10
    for text in refusals():
        assert 'lang="en"' not in localization(code).translate(text), text


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_error_page_is_in_the_language_of_the_reader(client: httpx.Client, code: str) -> None:
    headers = {"accept": "text/html", "accept-language": code}
    page = client.get("/story/99999", headers=headers).text
    assert str(localization(code).text("errors.no_story", number="99999")) in page
    page = client.get("/article?id=%3Cb%3E", headers=headers).text
    assert "&lt;b&gt;" in page and "<b>" not in page
    assert str(localization(code).text("failure.heading_404")) in page
