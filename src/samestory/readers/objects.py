"""Articles from Python values: mappings, articles, texts; lists, data frames and tables of them.

Fields have the same names as in files. A value that cannot be an article is rejected, never guessed.
"""

from __future__ import annotations

import math
import os
import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from numbers import Integral, Real
from typing import Any, NamedTuple

from samestory import _core
from samestory.errors import InputError, ParameterError
from samestory.model import NO_METADATA, Article, digits, flaw, has_controls, shown
from samestory.readers.metadata import to_metadata

#: The roles of fields, in the order of the native core's rows.
ROLES = ("id", "title", "text", "published", "url", "source", "lang")

#: The usual field names by role, best first, from the native core.
NAMES = dict(zip(ROLES, _core.NAMES, strict=True))
_RANKS = {name: (role, rank) for role, names in NAMES.items() for rank, name in enumerate(names)}

#: Keys under which a nested object holds the value of a role: a publisher's name; a key, number or date of MongoDB.
_INNER = {
    "name": tuple(role for role in ROLES if role != "id"),
    "$oid": ROLES,
    "$numberLong": ROLES,
    "$date": ("published",),
}


class Doubt(NamedTuple):
    """What cannot be read of an article that is kept: the article, and its unreadable or empty fields."""

    place: str
    detail: str

    def __str__(self) -> str:
        return f"{self.place}: {self.detail}"


def article_place(number: int | str) -> str:
    """Returns the place of an article in messages; articles are counted from 1."""
    return f"article {number}"


class DoubtError(ValueError):
    """A field value that cannot be converted to text."""


def best(role: str, given: Iterable[Any]) -> tuple[str | None, str]:
    """Returns the first non-blank of several values for a role, best name first, and the error if there is none.

    Without a non-blank value, returns an empty one if there is one.
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
    """Converts a value to the text of a role; None if it is missing. Raises DoubtError if it cannot be converted."""
    if given is None or isinstance(given, str):
        out: str | None = given
    elif _is_missing(given):
        return None
    elif isinstance(given, list | tuple):
        if not all(isinstance(part, str) for part in given):
            raise DoubtError(f"{role}: expected a text or a list of texts, got {shown(given)}")
        if role == "published" and not given:
            raise DoubtError("cannot read a date from an empty list")
        out = "\n\n".join(given) if role == "text" else next(iter(given), None)
    elif role == "text" or isinstance(given, bytes | bytearray | memoryview):
        raise DoubtError(f"{role}: expected a text, got {shown(given)}")
    elif isinstance(given, Mapping):
        inner = next((name for name in _INNER if name in given and role in _INNER[name]), None)
        if inner is None:
            raise DoubtError(f"{role}: expected a text, got {shown(given)}")
        out = value(role, given[inner])
        return _moment(out) if inner == "$date" and out is not None else out
    elif isinstance(given, datetime | date):
        out = given.isoformat()
    elif isinstance(given, bool) or type(given).__name__ in ("bool_", "bool"):  # Python's, NumPy's
        raise DoubtError(f"{role}: expected a text, got {shown(given)}")
    elif isinstance(given, Real) and not isinstance(given, Integral) and math.isfinite(given):
        out = digits(float(given))
    else:
        out = str(given)  # numbers, dates of NumPy, UUIDs and other keys
    if out is not None and (half := flaw(out)):
        raise ValueError(f"{role}: {half}")
    return out


def _moment(date: str) -> str:
    """Converts a MongoDB date; a number counts milliseconds."""
    try:
        return (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=int(date))).isoformat()
    except (ValueError, OverflowError):
        return date


def _is_missing(given: Any) -> bool:
    """Returns whether a value is a missing value of NumPy or pandas."""
    if isinstance(given, float):
        return given != given
    return type(given).__name__ in ("NAType", "NaTType") or (
        type(given).__name__ == "datetime64" and str(given) == "NaT"
    )


def article(
    given: object,
    number: int,
    prefix: str = "",
    doubts: list[Doubt] | None = None,
    fields: Mapping[str, str] | None = None,
    with_metadata: bool = True,
) -> Article:
    """Converts a value to an article; without an id, its id is the URL, or the prefix and number.

    Fields that cannot be read are left out and described in `doubts`; those without a role are metadata.
    """
    if isinstance(given, str):
        given = {"text": given}
    if isinstance(given, Article):
        if given.flaw is None:
            text = text_of(given.text, given.title)
            given = replace(given, text=text) if text and text is not given.text else given
            left_out = ""
            if given.metadata:
                metadata, left_out = to_metadata(given.metadata)
                given = replace(given, metadata=metadata)
            _doubt(doubts, f"{prefix}{number}", [left_out] if left_out else [], given)
            return _checked(given, number)
        given = {role: getattr(given, role) for role in (*ROLES, "metadata")}
    if not isinstance(given, Mapping):
        raise InputError(f"expected an Article, a mapping or a text, got {shown(given)}", place=article_place(number))
    try:
        row, wrong = _row(given, fields or {})
    except ValueError as error:
        raise InputError(str(error), place=article_place(number)) from None
    text = text_of(row.pop("text", None), row.get("title"))
    if text is None:
        among = ", ".join(map(str, given)) or "no fields"
        raise InputError(f"no text or title among {among}", place=article_place(number))
    id, url = row.pop("id", ""), row.get("url", "")
    named = (name for name in (id, "" if has_controls(url) else url) if name.strip())
    metadata, left_out = to_metadata(given, (fields or {}).values()) if with_metadata else (NO_METADATA, "")
    converted = Article(next(named, f"{prefix}{number}"), text, **row, metadata=metadata)
    wrong = [*wrong, left_out] if left_out else wrong
    _doubt(doubts, f"{prefix}{number}", wrong, converted)
    return _checked(converted, number)


def _checked(given: Article, number: int) -> Article:
    """Returns the article; raises InputError if its id contains control characters."""
    if has_controls(given.id):
        raise InputError(f"the id {shown(given.id)} contains control characters", place=article_place(number))
    return given


def text_of(text: str | None, title: str | None) -> str | None:
    """Returns the text of an article, or the headline if the text is blank, as in short news.

    >>> text_of(" ", "Ferry sinks"), text_of("It sank.", "Ferry sinks"), text_of("", None)
    ('Ferry sinks', 'It sank.', '')
    """
    return title if title and title.strip() and not (text and text.strip()) else text


def _doubt(doubts: list[Doubt] | None, place: str, wrong: list[str], converted: Article) -> None:
    """Appends a description of unreadable or empty fields to `doubts`."""
    if doubts is None:
        return
    published = converted.published
    if published and published.strip() and _core.engine.microseconds(published) is None:
        wrong = [f"cannot read the date {shown(published)}", *wrong]
    if not converted.text.strip():
        wrong = ["the text is empty, and there is no title", *wrong]
    if wrong:
        doubts.append(Doubt(article_place(place), "; ".join(wrong)))


def _row(given: Mapping[Any, Any], fields: Mapping[str, str]) -> tuple[dict[str, str], list[str]]:
    """Returns the values of a mapping by role, and the errors of fields that cannot be converted.

    Of several fields for one role, the best-named non-blank one is used.
    """
    there: dict[str, list[tuple[int, Any]]] = {}
    for name, content in given.items():
        if isinstance(name, str) and (known := _RANKS.get(name.lower())):
            there.setdefault(known[0], []).append((known[1], content))
    for role, name in fields.items():
        if name in given:
            there.setdefault(role, []).append((-1, given[name]))
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
    """Iterates over the rows of a list, data frame or table."""
    if isinstance(given, str | bytes | Mapping | Article | os.PathLike):
        hint = "read a file with samestory.read(path)" if isinstance(given, str | os.PathLike) else "put it into a list"
        raise InputError(f"expected a list of articles, got one {shown(given)}", hint, place="articles")
    for method in ("read_all", "collect"):  # a reader of batches of Arrow; a lazy frame of Polars
        if type(given).__module__.startswith(("pyarrow", "polars")) and callable(make := getattr(given, method, None)):
            given = make()
    for method in ("to_pylist", "to_dicts"):  # Arrow; Polars
        if callable(make := getattr(given, method, None)):
            try:
                return iter(make())
            except UnicodeDecodeError:
                raise _not_utf_8(given) from None
    if hasattr(given, "columns") and callable(make := getattr(given, "to_dict", None)):  # pandas
        return iter(make("records"))
    if not isinstance(given, Iterable):
        raise InputError(f"expected a list of articles, got {shown(given)}", place="articles")
    return iter(given)


def _not_utf_8(table: Any) -> InputError:
    """Returns the error for the first text of an Arrow table that is not UTF-8."""
    for name in table.column_names:
        for number, scalar in enumerate(table[name], 1):
            try:
                scalar.as_py()
            except UnicodeDecodeError:
                return InputError(f"{name}: bytes that are not UTF-8", place=article_place(number))
    return InputError("bytes that are not UTF-8", place="articles")


def articles(
    given: object,
    prefix: str = "",
    doubts: list[Doubt] | None = None,
    first: int = 1,
    fields: Mapping[str, str] | None = None,
    with_metadata: bool = True,
    by_place: bool = False,
) -> list[Article]:
    """Converts a list, data frame or table to articles; InputError names the first bad one and counts the rest.

    Unreadable fields are left out and described in `doubts`. Articles are numbered from `first`. Jobs that only compare
    articles need no metadata. With `by_place`, ids are the prefix and the number, so that rows need no id of their own.

    >>> [a.id for a in articles([{"headline": "Fire", "body": "A shed burned."}, "Only a text."])]
    ['1', '2']
    """
    out: list[Article] = []
    bad: list[InputError] = []
    places: dict[str, int] = {}
    missing = _unknown_fields(fields)
    there: Mapping[Any, Any] = {}
    for number, item in enumerate(rows(given), first):
        there = item if not there and isinstance(item, Mapping) else there
        if missing and isinstance(item, Mapping):
            missing = [name for name in missing if name not in item]
        try:
            one = article(item, number, prefix, doubts, fields, with_metadata)
            one = replace(one, id=f"{prefix}{number}") if by_place else one
            if one.id in places:
                raise InputError(
                    f"the id {one.id!r} is already used by article {places[one.id]}", place=article_place(number)
                )
        except InputError as error:
            bad.append(error)
            continue
        places[one.id] = number
        out.append(one)
    if bad:
        more = f" (and {len(bad) - 1} more are invalid)" if len(bad) > 1 else ""
        raise InputError(bad[0].detail + more, bad[0].hint, place=bad[0].place)
    if missing and out:
        names = f"; there are {', '.join(map(str, there))}" if there else ""
        raise InputError(f"fields: no article has a field {missing[0]!r}{names}")
    return out


def _unknown_fields(fields: Mapping[str, str] | None) -> list[str]:
    """The names of fields that were not found in any article yet; raises an error for an unknown role."""
    for role in fields or ():
        if role not in ROLES:
            raise ParameterError(f"fields: no role is called {role!r}; there are {', '.join(ROLES)}")
    return list((fields or {}).values())


def warn(doubts: list[Doubt], stacklevel: int) -> None:
    """Warns of articles with empty or unreadable fields; `stacklevel` counts from the caller."""
    if doubts:
        have = "1 article has" if len(doubts) == 1 else f"{len(doubts):,} articles have"
        message = f"{have} an empty or unreadable text, date or field, which is ignored; {doubts[0]}"
        warnings.warn(message, stacklevel=stacklevel + 1)
