"""Metadata of articles: the fields that users bring and that have no role here, such as a section or a desk."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from samestory.errors import InputError


class ArticleMetadata(Mapping[str, Any]):
    """The other fields of an article: an immutable mapping of names to texts, numbers, booleans and lists of them.

    Lists are tuples; an object inside is a mapping of the same kind.

    >>> found = ArticleMetadata({"section": "sports", "tags": ["ferry", "storm"]})
    >>> found["tags"], found == {"section": "sports", "tags": ("ferry", "storm")}
    (('ferry', 'storm'), True)
    """

    __slots__ = ("_fields",)

    def __init__(self, fields: Mapping[str, Any] | None = None) -> None:
        if fields is not None and not isinstance(fields, Mapping):
            raise InputError(f"metadata: expected a mapping, got {fields!r:.60}")
        self._fields = {name: _frozen(name, value) for name, value in (fields or {}).items()}

    @classmethod
    def from_json(cls, text: str | None) -> ArticleMetadata:
        """Returns the metadata of its JSON; without any, empty metadata."""
        return cls(json.loads(text)) if text else NO_METADATA

    def __getitem__(self, name: str) -> Any:
        return self._fields[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    def __hash__(self) -> int:
        return hash(frozenset(self._fields.items()))

    def __repr__(self) -> str:
        return repr(self._fields)


def metadata_json(metadata: Mapping[str, Any]) -> str:
    """Returns metadata as a JSON object, with the fields in their order.

    >>> metadata_json(ArticleMetadata({"section": "спорт", "page": 3}))
    '{"section":"спорт","page":3}'
    """
    return json.dumps(dict(metadata), ensure_ascii=False, separators=(",", ":"), default=dict)


def _frozen(name: object, value: Any) -> Any:
    """Returns an immutable copy of a JSON value."""
    if not isinstance(name, str):
        raise InputError(f"metadata: expected a name, got {name!r}")
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, list | tuple):
        return tuple(_frozen(name, each) for each in value)
    if isinstance(value, Mapping):
        return value if isinstance(value, ArticleMetadata) else ArticleMetadata(value)
    raise InputError(f"metadata: {name}: expected a text, a number or a list, got {value!r:.60}")


#: The metadata of articles without any.
NO_METADATA = ArticleMetadata()
