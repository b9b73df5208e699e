"""The fields of a record without a role, as metadata of its article.

Kept are texts, numbers, booleans, lists and objects of them. Names that readers know, in any case, are roles and no
metadata. An object `metadata` in a record has further fields, so that articles of the JSON API can be added again.
"""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Mapping
from datetime import date, datetime
from numbers import Integral, Real
from typing import Any

from samestory import _core
from samestory.model import NO_METADATA, ArticleMetadata, flaw, has_controls, shown

#: Bytes of the metadata of an article, as JSON; fields beyond are left out.
MAX_METADATA_BYTES = 10_000
#: Characters of the name of a field, and levels of objects and lists in it.
MAX_NAME_CHARS, MAX_LEVELS = 100, 8
#: Names of fields that are left out, in a message.
MAX_NAMED = 3

#: Field names that have a role, in lower case.
RESERVED = frozenset(name for names in _core.NAMES for name in names) | {"metadata"}

_MISSING = object()
_DROPPED_TYPES = ("NAType", "NaTType")


class _FieldError(ValueError):
    """Why a field is left out."""


def to_metadata(record: Mapping[Any, Any] | str | None, mapped: Collection[str] = ()) -> tuple[ArticleMetadata, str]:
    """Returns the metadata of a record, or of its other fields as JSON, and what was left out; empty if nothing was.

    `mapped` are the names of fields that the user has given a role.

    >>> to_metadata({"text": "It sank.", "Section": "sports", "page": 3, "tags": ["a", None], "desk": ""})
    ({'Section': 'sports', 'page': 3, 'tags': ('a',)}, '')
    """
    if not record:
        return NO_METADATA, ""
    if isinstance(record, str):
        try:
            record = json.loads(record)
        except (ValueError, RecursionError) as error:
            return NO_METADATA, f"cannot read the other fields: {error}"
    assert isinstance(record, Mapping)
    kept: dict[str, Any] = {}
    left_out: list[tuple[str, str]] = []
    size = 2
    for name, given in _fields(record):
        if not isinstance(name, str) or not name.strip() or name in mapped or name.lower() in RESERVED:
            continue
        try:
            _check_name(name)
            value = _value(given, MAX_LEVELS)
            if value is _MISSING:
                continue
            added = len(json.dumps({name: value}, ensure_ascii=False).encode())
            if size + added > MAX_METADATA_BYTES:
                raise _FieldError(f"more than {MAX_METADATA_BYTES:,} bytes of metadata")
        except _FieldError as error:
            left_out.append((name, str(error)))
        else:
            size += added
            kept[name] = value
    return ArticleMetadata(kept) if kept else NO_METADATA, _reasons(left_out)


def _fields(record: Mapping[Any, Any]) -> list[tuple[Any, Any]]:
    """Returns the fields of a record, and those of the object `metadata` in it."""
    inner = record.get("metadata")
    return [*(inner.items() if isinstance(inner, Mapping) else ()), *record.items()]


def _check_name(name: str) -> None:
    if len(name) > MAX_NAME_CHARS:
        raise _FieldError(f"a name of {len(name):,} characters")
    if has_controls(name) or flaw(name):
        raise _FieldError("control characters in a name")


def _value(given: Any, levels: int) -> Any:
    """Converts a value to one of JSON; `_MISSING` if it is none, _FieldError if it cannot be converted."""
    if given is None or type(given).__name__ in _DROPPED_TYPES:
        return _MISSING
    if isinstance(given, str):
        if wrong := flaw(given):
            raise _FieldError(wrong)
        return given.replace("\0", "\ufffd") if given.strip() else _MISSING  # as in every stored text
    if isinstance(given, bool) or type(given).__name__ in ("bool_", "bool"):  # Python's, NumPy's
        return bool(given)
    if isinstance(given, Integral):
        return int(given)
    if isinstance(given, Real):
        return float(given) if math.isfinite(given) else _MISSING
    if isinstance(given, datetime | date):
        return given.isoformat()
    if not levels:
        raise _FieldError(f"more than {MAX_LEVELS} levels")
    if isinstance(given, Mapping):
        # `$notFinite`: in place of a number of JSON that is not finite
        pairs = ((str(name), _value(each, levels - 1)) for name, each in given.items() if name != "$notFinite")
        return {name: value for name, value in pairs if value is not _MISSING} or _MISSING
    if type(given).__name__ == "ndarray":
        given = given.tolist()
    if isinstance(given, list | tuple):
        return [value for each in given if (value := _value(each, levels - 1)) is not _MISSING] or _MISSING
    if isinstance(given, bytes | bytearray | memoryview):
        raise _FieldError(f"expected a text, a number or a list, got {shown(bytes(given))}")
    text = str(given)  # dates of NumPy, decimals, UUIDs and other keys
    return _MISSING if text == "NaT" else text


def _reasons(left_out: list[tuple[str, str]]) -> str:
    """Returns the names of fields that are left out, by reason."""
    names: dict[str, list[str]] = {}
    for name, reason in left_out:
        names.setdefault(reason, []).append(shown(name))
    listed = []
    for reason, found in names.items():
        more = f" and {len(found) - MAX_NAMED:,} more" if len(found) > MAX_NAMED else ""
        listed.append(f"left out {', '.join(found[:MAX_NAMED])}{more}: {reason}")
    return "; ".join(listed)
