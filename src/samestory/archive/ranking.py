"""Filters by facets as the table of articles reads them, and its counts with their names."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from samestory.archive.columns import Codes, FacetCodes
from samestory.archive.query import Filters, name_key
from samestory.archive.times import day_name

Counts = tuple[tuple[str | None, int], ...]


@dataclass(frozen=True, slots=True)
class Facets:
    """The number of stories with a matching article per source, language and day; None is an unknown value.

    Sources and languages are sorted by their number of stories, days from the newest to the oldest.
    """

    sources: Counts
    languages: Counts
    days: Counts
    fields: tuple[tuple[str, Counts], ...] = ()
    """Fields of metadata with few values, those with the most stories first."""


def wanted_codes(facets: FacetCodes, filters: Collection[Filters]) -> tuple[bytes | None, bytes | None, bytes | None]:
    """Return a byte per code of every facet: whether all filters want it. None stands for a facet without a filter."""
    sources = [_named(facets.sources, each.sources) for each in filters if each.sources]
    languages = [_named(facets.languages, each.languages) for each in filters if each.languages]
    days = [_in_range(facets.days, each) for each in filters if (each.days, each.since, each.until) != ((), None, None)]
    return _all(sources), _all(languages), _all(days)


def _all(masks: list[list[bool]]) -> bytes | None:
    return bytes(map(all, zip(*masks, strict=False))) if masks else None


def _named(codes: Codes[str], wanted: Iterable[str]) -> list[bool]:
    """Return which names are wanted; case and accents do not matter."""
    keys = set(map(name_key, wanted))
    return [name is not None and name_key(name) in keys for name in list(codes.values)]


def _in_range(codes: Codes[int], wanted: Filters) -> list[bool]:
    """Return which days are wanted."""
    days, since, until = set(wanted.days), wanted.since, wanted.until
    return [
        day is not None
        and (not days or day in days)
        and (since is None or day >= since)
        and (until is None or day <= until)
        for day in list(codes.values)
    ]


def name_facets(facets: FacetCodes, counts: Sequence[Sequence[tuple[int, int]]]) -> Facets:
    """Return counts of codes with the values that these stand for, in order."""
    sources, languages, days = counts
    by_day = sorted((facets.days.values[code] or 0, count) for code, count in days)
    return Facets(
        _by_count(facets.sources, sources),
        _by_count(facets.languages, languages),
        tuple((day_name(day), count) for day, count in reversed(by_day)),
    )


def _by_count(codes: Codes[str], found: Sequence[tuple[int, int]]) -> Counts:
    places = codes.places()
    # compared by numbers alone: a page may have a thousand sources
    ordered = sorted([(-count, places[code], code) for code, count in found])
    return tuple([(codes.values[code], -count) for count, _, code in ordered])
