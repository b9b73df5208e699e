"""The texts of the pages in the languages of the readers, from `messages/`: one file per language.

    english = localization("en")
    english.text("count.articles", count=1200)        # Markup('1,200 articles')

A message has a section and a name. Values are escaped, numbers are formatted, and a message with plural forms is chosen
by the value `count`. English is the language of the other texts of the library (reasons, errors): `translate` finds the
English message that made a text, and returns the same message in another language.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from functools import cache
from importlib import resources
from string import Formatter
from typing import Any

from markupsafe import Markup, escape

from samestory.web import presentation

#: Languages of the pages; the first is for readers of all others.
LANGUAGES = ("en", "tr", "ru")
#: Languages in a header that are read; a browser sends up to a dozen.
MAX_ACCEPTED_LANGUAGES = 20

#: The sections of the messages by which English texts of the library are found.
TRANSLATED_SECTIONS = ("errors", "reasons")


def _two_forms(count: int) -> str:
    return "one" if count == 1 else "other"


def _russian_form(count: int) -> str:
    last, tens = count % 10, count // 10 % 10
    if last == 1 and tens != 1:
        return "one"
    return "few" if last in (2, 3, 4) and tens != 1 else "many"


#: The plural form of a whole number, by language.
PLURAL_FORM: dict[str, Callable[[int], str]] = {"en": _two_forms, "tr": _two_forms, "ru": _russian_form}
#: The plural forms that every counted message of a language has.
PLURAL_FORMS = {"en": ("one", "other"), "tr": ("one", "other"), "ru": ("one", "few", "many")}


class Localization:
    """The messages, numbers and times of one language."""

    def __init__(self, code: str, messages: Mapping[str, Any]) -> None:
        self.code = code
        self.messages: dict[str, Any] = {
            f"{section}.{name}": message for section, found in messages.items() for name, message in found.items()
        }

    def text(self, name: str, /, **values: Any) -> Markup:
        """Return a message with its values; a KeyError if there is none, or a value is missing."""
        message = self.messages[name]
        if isinstance(message, dict):
            message = message[PLURAL_FORM[self.code](values["count"])]
        return Markup(escape(message)).format(**{key: self._value(value) for key, value in values.items()})

    def _value(self, value: Any) -> Any:
        if isinstance(value, int) and not isinstance(value, bool):
            return self.number(value)
        return presentation.finalize(value)

    def translate(self, english: str) -> Markup:
        """Return an English text of the library in this language; unknown texts stay, marked as English."""
        if self.code == "en":
            return escape(presentation.finalize(english))
        for name, pattern in _english_patterns():
            if found := pattern.fullmatch(english):
                values = {key: self._inner(key, value) for key, value in found.groupdict().items()}
                return self.text(name, **values)
        return Markup('<span lang="en">{}</span>').format(presentation.finalize(english))

    def _inner(self, key: str, value: str) -> Any:
        return self.translate(value) if key == "reason" else value

    def reason(self, english: str) -> Markup:
        """Return evidence such as `for: names in common (the names)`; names and numbers stay as they are."""
        side, _, words = english.partition(": ")
        if side not in ("for", "against"):
            return self._with_detail(english)
        return self.text(f"compare.{side}", reason=self._with_detail(words))

    def _with_detail(self, words: str) -> Markup:
        found = re.fullmatch(r"(.+?) (\(.+\))(; .+)?", words, re.DOTALL)
        if found is None:
            return self.translate(words)
        return Markup("{} {}").format(self.translate(found[1] + (found[3] or "")), presentation.finalize(found[2]))

    def count(self, noun: str, number: int) -> Markup:
        """Return a number with its noun, a message of the section `count`."""
        return self.text(f"count.{noun}", count=number)

    def number(self, number: int) -> str:
        """Format a whole number.

        >>> localization("tr").number(12345)
        '12.345'
        """
        return f"{number:,}".replace(",", self.messages["numbers.thousands"])

    def percent(self, share: float) -> Markup:
        """Format a share; only all of it is 100%, and only nothing is 0%.

        >>> localization("en").percent(0.999), localization("tr").percent(0.25)
        (Markup('99%'), Markup('%25'))
        """
        rounded = int(share * 100 + 0.5)
        shown = max(1, min(99, rounded)) if 0 < share < 1 else rounded
        return self.text("numbers.percent", number=shown)

    def bytes(self, number: int) -> Markup:
        """Format a number of bytes in decimal units."""
        if number < 1000:
            return self.text("numbers.bytes", count=number)
        value, unit = number / 1000, "kilobytes"
        for larger in ("megabytes", "gigabytes"):
            if value >= 1000:
                value, unit = value / 1000, larger
        whole, _, tenth = f"{value:.1f}".partition(".")
        return self.text(
            f"numbers.{unit}", number=f"{self.number(int(whole))}{self.messages['numbers.decimal']}{tenth}"
        )

    def moment(self, time: datetime) -> Markup:
        """Return a time with its day."""
        return _time(time, self._date("dates.moment", time))

    def clock(self, time: datetime) -> Markup:
        """Return a time without its day."""
        return _time(time, f"{time:%H:%M}")

    def short_day(self, time: datetime) -> Markup:
        """Return a day without its year."""
        return self._date("dates.short_day", time)

    def day(self, time: datetime, now: datetime) -> Markup:
        """Return a day, as a word if it is today or yesterday."""
        ago = (now.date() - time.date()).days
        if ago in (0, 1):
            return self.text(("dates.today", "dates.yesterday")[ago])
        return self._date("dates.long_day", time)

    def _date(self, name: str, time: datetime) -> Markup:
        return self.text(
            name,
            day=str(time.day),
            month=self.messages["dates.months"][time.month - 1],
            month_short=self.messages["dates.months_short"][time.month - 1],
            weekday=self.messages["dates.weekdays"][time.weekday()],
            year=str(time.year),
            clock=f"{time:%H:%M}",
        )

    def duration(self, length: timedelta) -> Markup:
        """Return a duration in its largest unit."""
        minutes = int(length.total_seconds() // 60)
        if minutes < 1:
            return self.text("dates.moments")
        if minutes < 120:
            return self.text("dates.minutes", count=minutes)
        if minutes < 48 * 60:
            return self.text("dates.hours", count=minutes // 60)
        return self.text("dates.days", count=minutes // 60 // 24)

    def gap(self, start: datetime, end: datetime) -> Markup:
        """Return how much later or earlier the second time is."""
        name = "dates.later" if end >= start else "dates.earlier"
        return self.text(name, duration=self.duration(abs(end - start)))

    def language_name(self, code: str) -> str:
        """Return the name of a language, or its code if it has no name here.

        >>> localization("en").language_name("ru"), localization("tr").language_name("pt-BR")
        ('Russian', 'Portekizce (pt-BR)')
        """
        base = re.split("[-_]", code.lower(), maxsplit=1)[0]
        name = self.messages.get(f"languages.{base}")
        if name is None:
            return code
        return str(name) if base == code.lower() else f"{name} ({code})"


def _time(time: datetime, words: str) -> Markup:
    return Markup('<time datetime="{}">{}</time>').format(time.isoformat(), words)


@cache
def localization(code: str) -> Localization:
    """Return the localization of a language."""
    path = resources.files("samestory.web") / "messages" / f"{code}.toml"
    return Localization(code, tomllib.loads(path.read_text(encoding="utf-8")))


@cache
def _english_patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return the patterns of English messages, those without values first: they are the most specific."""
    out = []
    for name, message in localization("en").messages.items():
        if name.split(".")[0] in TRANSLATED_SECTIONS:
            parts = list(Formatter().parse(message))
            pattern = "".join(re.escape(text) + (f"(?P<{field}>.+)" if field else "") for text, field, *_ in parts)
            out.append((sum(1 for _, field, *_ in parts if field), name, re.compile(pattern, re.DOTALL)))
    return tuple((name, pattern) for _, name, pattern in sorted(out, key=lambda each: each[0]))


def accepted_language(header: str | None) -> str:
    """Return the language of the pages that a browser prefers by its Accept-Language header.

    >>> accepted_language("de;q=0.9, tr-TR;q=0.8, en;q=0.5"), accepted_language("*"), accepted_language(None)
    ('tr', 'en', 'en')
    """
    wanted: list[tuple[float, str]] = []
    for part in (header or "").split(",")[:MAX_ACCEPTED_LANGUAGES]:
        tag, _, rest = part.partition(";")
        quality = re.fullmatch(r"\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*", rest) if rest else None
        weight = float(quality[1]) if quality else 0.0 if rest else 1.0
        code = tag.strip().split("-")[0].lower()
        if code in LANGUAGES and weight > 0:
            wanted.append((-weight, code))
    # sorting is stable: of equal weights the first counts
    return min(wanted, key=lambda each: each[0])[1] if wanted else LANGUAGES[0]
