"""Parses dates as written on pages to ISO 8601.

Precision is preserved: a day stays a day, a time without a zone stays without one (readers interpret it as UTC). Dates
before 1990 and in the future are rejected.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple
from urllib.parse import urlsplit

from samestory.html.months import MONTHS
from samestory.html.words import fold

#: The first web pages are from 1990.
EARLIEST = date(1990, 1, 1)

_ZONE = r"(?P<zone>(?:\s?(?:GMT|UTC))?\s?[+-]\d{2}(?::?\d{2})?(?![\d.:-])|\s?(?:Z|UTC|GMT)\b)?"
_CLOCK = r"(?P<hour>\d{1,2})(?:[:.hH]|\s?h\s?)(?P<minute>\d{2})(?:[:.](?P<second>\d{2}))?(?![.:]?\d)(?:[.,]\d+)?"
_HALF = r"(?:\s?(?P<half>[ap])\.?\s?m\b\.?)?"
# between a day and its time: punctuation, and a word or two (at, um, saat, à, в; a weekday)
_AFTER = re.compile(
    rf"[\s,;:|·•@/()\[\]–—-]{{0,4}}(?:[^\W\d_]{{1,12}}[.,:]?[\s–—-]{{0,3}}){{0,2}}{_CLOCK}{_HALF}{_ZONE}", re.IGNORECASE
)
_BEFORE = re.compile(
    rf"(?<![\d.:]){_CLOCK}{_HALF}(?:\s?[A-Z]{{2,4}})?[\s,;|·•()–—-]{{0,4}}(?:on\s)?(?:\w{{2,12}}[.,]?\s)?$",
    re.IGNORECASE,
)
# the part of 2024-05-12T10:30:00.000+03:00 after the day; milliseconds are optional
_ISO_TIME = re.compile(
    rf"(?:T|\s{{1,2}})(?P<hour>\d{{1,2}}):(?P<minute>\d{{2}})(?::(?P<second>\d{{2}})(?:[.,]\d+)?)?{_HALF}{_ZONE}",
    re.IGNORECASE,
)

_YEAR_FIRST = re.compile(
    r"(?<![\d.,/-])(?P<year>\d{4})\s?(?P<mark>[-./年])\s?(?P<month>\d{1,2})\s?[-./月]\s?(?P<day>\d{1,2})(?!\d)日?"
)
_YEAR_LAST = re.compile(
    r"(?<![\d.,/-])(?P<one>\d{1,2})\s?(?P<mark>[./-])\s?(?P<two>\d{1,2})\s?(?P=mark)\s?(?P<year>\d{4})(?!\d|[./-]\d)"
)
_SHORT_YEAR = re.compile(r"(?<![\d.,/:-])(?P<day>\d{2})\.(?P<month>\d{2})\.(?P<year>\d{2})(?![\d.,])")
_DAY_FIRST = re.compile(
    r"(?<![\d.,/:-])(?P<day>\d{1,2})(?:st|nd|rd|th|er|º|ª|\.|-)?\s{0,2}(?:de\s|of\s|d')?"
    r"(?P<month>[^\W\d_]{3,12})\b[.,'’-]?\s{0,2}(?:de\s|del\s|of\s)?(?P<year>\d{4})(?!\d)",
    re.IGNORECASE,
)
_MONTH_FIRST = re.compile(
    r"\b(?P<month>[^\W\d_]{3,12})\.?\s{1,2}(?P<day>\d{1,2})(?:st|nd|rd|th)?(?:\s?,\s?|\s{1,2})(?P<year>\d{4})(?!\d)",
    re.IGNORECASE,
)
# as programs print it: Sun May 12 10:30:00 EEST 2024
_YEAR_AT_END = re.compile(
    rf"\b(?P<month>[^\W\d_]{{3}})\s{{1,2}}(?P<day>\d{{1,2}})\s{_CLOCK}(?:\s[A-Z]{{2,5}})?\s(?P<year>\d{{4}})(?!\d)"
)
_DIGITS = re.compile(
    r"(?P<year>(?:19|20)\d\d)(?P<month>\d\d)(?P<day>\d\d)(?:[T ]?(?P<hour>\d\d)(?P<minute>\d\d)(?P<second>\d\d)?)?"
)
_SINCE_1970 = re.compile(r"\d{9,10}(?:\d{3})?(?:\.\d+)?")
_IN_ADDRESS = (
    re.compile(
        r"(?<!\d)(?P<year>(?:19|20)\d\d)(?P<mark>[/_.-]?)(?P<month>\d{1,2}|[a-z]{3})(?P=mark)(?P<day>\d{1,2})(?!\d)"
    ),
    re.compile(r"(?<!\d)(?P<day>\d\d)(?P<mark>[/_.-])(?P<month>\d\d)(?P=mark)(?P<year>(?:19|20)\d\d)(?!\d)"),
)


class DateMatch(NamedTuple):
    """A date in a text and its position."""

    iso: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Dates:
    """Parses dates up to `latest`.

    `month_first` decides how 5/12/2024 is parsed: May 12 if True, 5 December if False, not at all if None.
    """

    latest: datetime | None = None
    month_first: bool | None = False

    def read(self, value: str) -> str | None:
        """Parses a value that is a date: ISO 8601, RFC 2822, digits, seconds since 1970, or written in words.

        >>> Dates().read("2024-05-12T10:30:00.000+0300"), Dates().read("12 Mayıs 2024, 10:30")
        ('2024-05-12T10:30:00+03:00', '2024-05-12T10:30:00')
        """
        value = value.strip()[:100]
        if whole := _DIGITS.fullmatch(value):
            return self._made(whole.groupdict(), int(whole["month"]))
        if _SINCE_1970.fullmatch(value):
            seconds = float(value) / (1000 if len(value.partition(".")[0]) > 10 else 1)
            at = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=int(seconds))
            return f"{at:%Y-%m-%dT%H:%M:%S}Z" if self._possible(at.date()) else None
        return next((each.iso for each in self.found(value)), None)

    def found(self, text: str) -> list[DateMatch]:
        """Returns all dates in a text, each with an adjacent time; matches do not overlap.

        >>> [each.iso for each in Dates().found("Giriş: 12.05.2024 10:30 Güncelleme: 13.05.2024 - 09:00")]
        ['2024-05-12T10:30:00', '2024-05-13T09:00:00']
        """
        out: list[DateMatch] = []
        for each in sorted(self._all(text), key=lambda each: (each.start, -each.end)):
            if not out or each.start >= out[-1].end:
                out.append(each)
        return out

    def in_address(self, url: str | None) -> str | None:
        """Returns the day in a URL.

        >>> Dates().in_address("https://example.com/2024/05/12/storm.html")
        '2024-05-12'
        """
        try:
            path = urlsplit(url or "").path[:2000]
        except ValueError:
            return None
        for pattern in _IN_ADDRESS:
            for match in pattern.finditer(path.lower()):
                if not match["mark"] and len(match[0]) != 8:
                    continue
                month = MONTHS.get(match["month"]) or (int(match["month"]) if match["month"].isdigit() else 0)
                if made := self._made(match.groupdict(), month):
                    return made
        return None

    def _all(self, text: str) -> Iterator[DateMatch]:
        text = text[:1000]
        for match in _YEAR_FIRST.finditer(text):
            time = _ISO_TIME.match(text, match.end())
            yield from self._with_time(text, match, int(match["month"]), int(match["day"]), time)
        for match in _YEAR_LAST.finditer(text):
            month, day = self._order(int(match["one"]), int(match["two"]), match["mark"])
            yield from self._with_time(text, match, month, day)
        for match in _SHORT_YEAR.finditer(text):
            yield from self._with_time(text, match, int(match["month"]), int(match["day"]))
        for pattern in (_DAY_FIRST, _MONTH_FIRST):
            for match in pattern.finditer(text):
                yield from self._with_time(text, match, MONTHS.get(fold(match["month"]), 0), int(match["day"]))
        for match in _YEAR_AT_END.finditer(text):
            if made := self._made(match.groupdict(), MONTHS.get(fold(match["month"]), 0)):
                yield DateMatch(made, match.start(), match.end())

    def _with_time(
        self, text: str, match: re.Match[str], month: int, day: int, time: re.Match[str] | None = None
    ) -> Iterator[DateMatch]:
        parts = {"year": match["year"], "day": str(day)}
        if month and (time := time or _AFTER.match(text, match.end())):
            if made := self._made(parts | time.groupdict(), month):
                yield DateMatch(made, match.start(), time.end())
            return
        before = _BEFORE.search(text, max(0, match.start() - 40), match.start()) if month else None
        if made := self._made(parts | (before.groupdict() if before else {}), month):
            yield DateMatch(made, before.start() if before else match.start(), match.end())

    def _order(self, one: int, two: int, mark: str) -> tuple[int, int]:
        """Returns month and day; zeros if the order is unknown."""
        if one > 12 or two > 12 or one == two:
            return (one, two) if two > 12 else (two, one)
        if mark == ".":  # with dots the day is always first
            return (two, one)
        if self.month_first is None:
            return (0, 0)
        return (one, two) if self.month_first else (two, one)

    def _possible(self, day: date) -> bool:
        latest = (self.latest or datetime.now(UTC)).date()
        # local time may be a day ahead of UTC
        return EARLIEST <= day <= latest + timedelta(days=1)

    def _made(self, parts: dict[str, str | None], month: int) -> str | None:
        try:
            year = parts["year"] or ""
            day = date(int(f"20{year}" if len(year) == 2 else year), month, int(parts["day"] or 0))
        except ValueError:
            return None
        if not self._possible(day):
            return None
        return day.isoformat() + _time(parts)


def _time(parts: dict[str, str | None]) -> str:
    """Formats the time in ISO 8601; empty if there is no valid time."""
    if parts.get("hour") is None:
        return ""
    hour, minute, second = (int(parts.get(name) or 0) for name in ("hour", "minute", "second"))
    if half := parts.get("half"):
        if not 1 <= hour <= 12:
            return ""
        hour = hour % 12 + (12 if half.lower() == "p" else 0)
    if hour > 23 or minute > 59 or second > 59:
        return ""
    return f"T{hour:02}:{minute:02}:{second:02}{_zone(parts.get('zone') or '')}"


def _zone(zone: str) -> str:
    digits = "".join(letter for letter in zone if letter.isdigit())
    if not digits:
        return "Z" if zone.strip() else ""
    hours, minutes = int(digits[:2]), int(digits[2:4] or 0)
    if hours > 14 or minutes > 59:
        return ""
    return "Z" if hours == minutes == 0 else f"{'-' if '-' in zone else '+'}{hours:02}:{minutes:02}"
