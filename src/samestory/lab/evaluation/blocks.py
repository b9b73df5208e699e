"""Blocks of days: every second block of a dated collection is kept, so that blocks are at least a gap apart.

Days are in UTC. Dates that cannot be the day of a news article (a placeholder, the future) are counted, and their
articles left out: placeholders would form a separate block, far from the copies of their articles.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

from samestory import _core
from samestory.errors import ParameterError
from samestory.model import Article

GAP_DAYS = 30
#: The first newspaper appeared in 1605: an earlier year, such as 0001, is a placeholder.
FIRST_YEAR = 1600
#: Clock and zone differences are smaller than this; a later date is in the future.
FUTURE_DAYS = 1

_DAY_MICROSECONDS = 86_400_000_000
_EPOCH_ORDINAL = date(1970, 1, 1).toordinal()
_NAMED_ZONE = re.compile(r"[\d\s](Z|UTC|GMT|UT)\s*$", re.IGNORECASE)
_OFFSET_ZONE = re.compile(r":\d\d(?:[.,]\d+)?\s*([+-]\d\d):?(\d\d)?\s*(?:\(.*\))?$")


@dataclass(frozen=True, slots=True)
class DateCounts:
    """Number of articles with a usable date, and of the others by reason."""

    dated: int
    """Articles with a date between 1600 and now."""
    undated: int
    """Articles without a date, or with one that cannot be parsed."""
    placeholder: int
    """Articles dated before 1600, e.g. 0001, or in the first second of 1970."""
    future: int
    zones: Mapping[str, int]
    """Articles by the zone of their date, as an offset from UTC; `none` where missing (read as UTC)."""
    first: str | None
    """The first day."""
    last: str | None

    @property
    def span_days(self) -> int:
        """Days from the first to the last, inclusive."""
        if self.first is None or self.last is None:
            return 0
        return (date.fromisoformat(self.last) - date.fromisoformat(self.first)).days + 1

    def to_dict(self) -> dict[str, Any]:
        """Return the counts as a JSON object."""
        return {**asdict(self), "zones": dict(self.zones), "span_days": self.span_days}


@dataclass(frozen=True, slots=True)
class DateBlocks:
    """The kept blocks: the block of every article in one, and the size of each block in chronological order."""

    gap_days: int
    of_article: Mapping[str, int]
    sizes: tuple[int, ...]
    dates: DateCounts
    days: Mapping[str, int]
    """The day of every dated article, as an ordinal."""

    @property
    def enough(self) -> bool:
        """Whether there are at least two blocks, so that a group can span them."""
        return len(self.sizes) > 1

    def restricted(self, ids: Collection[str]) -> DateBlocks:
        """Return the blocks of these articles only; the date counts are unchanged."""
        kept = {id: number for id, number in self.of_article.items() if id in ids}
        return replace(self, of_article=kept, sizes=_sizes(kept))


def zone_of(published: str) -> str:
    """Return the zone of a date as an offset from UTC; `none` where it has none.

    >>> zone_of("2026-03-02T08:00:00Z"), zone_of("Mon, 02 Mar 2026 08:00:00 +0300"), zone_of("2026-03-02")
    ('+00:00', '+03:00', 'none')
    """
    if _NAMED_ZONE.search(published):
        return "+00:00"
    match = _OFFSET_ZONE.search(published)
    return f"{match[1]}:{match[2] or '00'}" if match else "none"


def cut_blocks(articles: Sequence[Article], gap_days: int = GAP_DAYS, now: datetime | None = None) -> DateBlocks:
    """Cut the dated articles into blocks of `gap_days` and keep every second one.

    Blocks are counted from the first day. Of the odd and the even blocks, those that are more numerous are kept; on a
    tie, those with the first day.

    >>> news = [Article(day, "", published=day) for day in ("2026-01-01", "2026-01-02", "2026-03-15", "0001-01-01")]
    >>> blocks = cut_blocks(news, now=datetime(2026, 11, 1, tzinfo=UTC))
    >>> blocks.sizes, blocks.dates.dated, blocks.dates.placeholder
    ((2, 1), 3, 1)
    """
    if gap_days < 1:
        raise ParameterError(f"gap_days: must be at least 1, got {gap_days}")
    latest = (now or datetime.now(UTC)) + timedelta(days=FUTURE_DAYS)
    limit = (latest - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)
    days: dict[str, int] = {}
    zones: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    for article in articles:
        at = _core.engine.microseconds(article.published) if article.published else None
        if at is None or article.published is None:
            reasons["undated"] += 1
            continue
        zones[zone_of(article.published)] += 1
        day = at // _DAY_MICROSECONDS + _EPOCH_ORDINAL
        if at == 0 or day < date(FIRST_YEAR, 1, 1).toordinal():
            reasons["placeholder"] += 1
        elif at > limit:
            reasons["future"] += 1
        else:
            days[article.id] = day
    begin, end = min(days.values(), default=0), max(days.values(), default=0)
    first, last = (date.fromordinal(day).isoformat() if day else None for day in (begin, end))
    counts = DateCounts(
        len(days),
        reasons["undated"],
        reasons["placeholder"],
        reasons["future"],
        dict(sorted(zones.items())),
        first,
        last,
    )
    ways: list[dict[str, int]] = [{}, {}]
    for id, day in days.items():
        number, odd = divmod((day - begin) // gap_days, 2)
        ways[odd][id] = number
    kept = max(ways, key=lambda way: len(set(way.values())))
    return DateBlocks(gap_days, kept, _sizes(kept), counts, days)


def _sizes(of_article: Mapping[str, int]) -> tuple[int, ...]:
    sizes = Counter(of_article.values())
    return tuple(sizes[number] for number in sorted(sizes))
