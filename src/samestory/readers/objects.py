"""Articles from values of Python: mappings, articles, texts; lists, data frames and tables of them.

Fields are known by the same names as in files. What cannot be an article is refused, never guessed at.
"""

from __future__ import annotations

import math
import os
import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from numbers import Integral, Real
from typing import Any

from samestory import _core
from samestory.errors import InputError
from samestory.model import Article, digits, flaw, shown

#: The roles of fields, in the order of the native core's rows.
ROLES = ("id", "title", "text", "published", "url", "source", "lang")

#: The usual names of fields, best first, role by role: those of the native core.
NAMES = dict(zip(ROLES, _core.NAMES, strict=True))
_RANKS = {name: (role, rank) for role, names in NAMES.items() for rank, name in enumerate(names)}

#: Where a text should be, an object gives the text under one of these names, for these roles: a publisher's name; a
#: key, a number, a date of MongoDB.
_INNER = {
    "name": tuple(role for role in ROLES if role != "id"),
    "$oid": ROLES,
    "$numberLong": ROLES,
    "$date": ("published",),
}


class DoubtError(ValueError):
    """Something where a text should be that is none."""


def best(role: str, given: Iterable[Any]) -> tuple[str | None, str]:
    """Of several values for a role, best name first, the first that says something; and what is wrong, if none does.

    Where none says anything, an empty one, if there is one.
    """
    empty, wrong = None, ""
    for each in given:
        try:
            text = value(role, each)
        except DoubtError as error:
            wrong = wrong or str(error)
            continue
        if text is not None and text.strip():
            return text, ""
        empty = text if empty is None else empty
    return empty, wrong


def value(role: str, given: Any) -> str | None:
    """A value as the text that a role wants; none where it is missing. A DoubtError says why it cannot be one."""
    if given is None or isinstance(given, str):
        out: str | None = given
    elif _is_missing(given):
        return None
    elif isinstance(given, list | tuple):
        if not all(isinstance(part, str) for part in given):
            raise DoubtError(f"{role}: a text or a list of texts is wanted, got {shown(given)}")
        if role == "published" and not given:
            raise DoubtError("cannot read a date from an empty list")
        out = "\n\n".join(given) if role == "text" else next(iter(given), None)
    elif role == "text" or isinstance(given, bytes | bytearray | memoryview):
        raise DoubtError(f"{role}: a text is wanted, got {shown(given)}")
    elif isinstance(given, Mapping):
        inner = next((name for name in _INNER if name in given and role in _INNER[name]), None)
        if inner is None:
            raise DoubtError(f"{role}: a text is wanted, got {shown(given)}")
        out = value(role, given[inner])
        return _moment(out) if inner == "$date" and out is not None else out
    elif isinstance(given, datetime | date):
        out = given.isoformat()
    elif isinstance(given, bool) or type(given).__name__ in ("bool_", "bool"):  # Python's, NumPy's
        raise DoubtError(f"{role}: a text is wanted, got {shown(given)}")
    elif isinstance(given, Real) and not isinstance(given, Integral) and math.isfinite(given):
        out = digits(float(given))
    else:
        out = str(given)  # numbers, dates of NumPy, UUIDs and other keys
    if out is not None and (half := flaw(out)):
        raise ValueError(f"{role}: {half}")
    return out


def _moment(date: str) -> str:
    """A date of MongoDB, which counts milliseconds where it is a number."""
    try:
        return (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=int(date))).isoformat()
    except (ValueError, OverflowError):
        return date


def _is_missing(given: Any) -> bool:
    """Is this how NumPy or pandas say that there is nothing?"""
    if isinstance(given, float):
        return given != given
    return type(given).__name__ in ("NAType", "NaTType") or (
        type(given).__name__ == "datetime64" and str(given) == "NaT"
    )


def article(given: object, number: int, prefix: str = "", doubts: list[str] | None = None) -> Article:
    """The article that a value is; one without an id is named by its address or its number, behind a prefix.

    What is left out of it because it cannot be read is told to `doubts`.
    """
    if isinstance(given, str):
        given = {"text": given}
    if isinstance(given, Article):
        if given.flaw is None:
            text = text_of(given.text, given.title)
            given = replace(given, text=text) if text and text is not given.text else given
            _doubt(doubts, f"{prefix}{number}", [], given)
            return given
        given = {role: getattr(given, role) for role in ROLES}
    if not isinstance(given, Mapping):
        wanted = "an Article, a mapping or a text is wanted"
        raise InputError(f"article {number}: {wanted}, got {shown(given)}")
    try:
        row, wrong = _row(given)
    except ValueError as error:
        raise InputError(f"article {number}: {error}") from None
    text = text_of(row.pop("text", None), row.get("title"))
    if text is None:
        among = ", ".join(map(str, given)) or "no fields"
        raise InputError(f"article {number}: no text among {among}, and no title that could stand for it")
    named = (name for name in (row.pop("id", ""), row.get("url", "")) if name.strip())
    taken = Article(next(named, f"{prefix}{number}"), text, **row)
    _doubt(doubts, f"{prefix}{number}", wrong, taken)
    return taken


def text_of(text: str | None, title: str | None) -> str | None:
    """The text of an article; of short news that has none, the headline, which is all there is.

    >>> text_of(" ", "Ferry sinks"), text_of("It sank.", "Ferry sinks"), text_of("", None)
    ('Ferry sinks', 'It sank.', '')
    """
    return title if title and title.strip() and not (text and text.strip()) else text


def _doubt(doubts: list[str] | None, place: str, wrong: list[str], taken: Article) -> None:
    """Tells what an article is taken without."""
    if doubts is None:
        return
    published = taken.published
    if published and published.strip() and _core.microseconds(published) is None:
        wrong = [f"cannot read the date {shown(published)}", *wrong]
    if not taken.text.strip():
        wrong = ["the text is empty, and there is no title", *wrong]
    if wrong:
        doubts.append(f"article {place}: {'; '.join(wrong)}")


def _row(given: Mapping[Any, Any]) -> tuple[dict[str, str], list[str]]:
    """The values of a mapping by role, and what cannot be taken.

    Where it has two names for one role, the better one counts that says something.
    """
    there: dict[str, list[tuple[int, Any]]] = {}
    for name, content in given.items():
        if isinstance(name, str) and (known := _RANKS.get(name.lower())):
            there.setdefault(known[0], []).append((known[1], content))
    out: dict[str, str] = {}
    doubts: list[str] = []
    for role, values in there.items():
        found, wrong = best(role, (content for _, content in sorted(values, key=lambda pair: pair[0])))
        if wrong and role == "text":
            raise ValueError(wrong)
        if wrong:
            doubts.append(wrong)
        if found is not None:
            out[role] = found
    return out, doubts


def rows(given: object) -> Iterator[object]:
    """The articles in a list, a data frame or a table, one after the other."""
    if isinstance(given, str | bytes | Mapping | Article | os.PathLike):
        hint = "read a file with samestory.read(path)" if isinstance(given, str | os.PathLike) else "put it into a list"
        raise InputError(f"articles: a list of articles is wanted, got one {shown(given)}", hint)
    for method in ("to_pylist", "to_dicts"):  # Arrow; Polars
        if callable(make := getattr(given, method, None)):
            return iter(make())
    if hasattr(given, "columns") and callable(make := getattr(given, "to_dict", None)):  # pandas
        return iter(make("records"))
    if not isinstance(given, Iterable):
        raise InputError(f"articles: a list of articles is wanted, got {shown(given)}")
    return iter(given)


def articles(given: object, prefix: str = "", doubts: list[str] | None = None, first: int = 1) -> list[Article]:
    """All the articles in a list, a data frame or a table; an InputError names the first that is none, and counts them.

    Of those that are taken without a field that cannot be read, `doubts` is told. The first has the number `first`.

    >>> [a.id for a in articles([{"headline": "Fire", "body": "A shed burned."}, "Only a text."])]
    ['1', '2']
    """
    out: list[Article] = []
    bad: list[str] = []
    places: dict[str, int] = {}
    for number, item in enumerate(rows(given), first):
        try:
            one = article(item, number, prefix, doubts)
            if one.id in places:
                raise InputError(f"article {number}: the id {one.id!r} was given before, by article {places[one.id]}")
        except InputError as error:
            bad.append(str(error))
            continue
        places[one.id] = number
        out.append(one)
    if bad:
        more = f" (and {len(bad) - 1} more cannot be taken)" if len(bad) > 1 else ""
        raise InputError(bad[0] + more)
    return out


def warn(doubts: list[str], stacklevel: int) -> None:
    """Warns of articles that are taken without something; `stacklevel` is counted from who calls this."""
    if doubts:
        are = "1 article is" if len(doubts) == 1 else f"{len(doubts):,} articles are"
        told = f"{are} taken without a text, date or field that is empty or cannot be read; {doubts[0]}"
        warnings.warn(told, stacklevel=stacklevel + 1)
