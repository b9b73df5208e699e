"""Metadata of articles: the fields that users bring and that have no role here, such as a section or a desk."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, NoReturn

from samestory.errors import InputError


class ArticleMetadata(dict[str, Any]):
    """The other fields of an article: an immutable dict of names to texts, numbers, booleans and lists of them.

    Lists are tuples; an object inside is a dict of the same kind.

    >>> found = ArticleMetadata({"section": "sports", "tags": ["ferry", "storm"]})
    >>> found["tags"], found == {"section": "sports", "tags": ("ferry", "storm")}
    (('ferry', 'storm'), True)
    """

    __slots__ = ()

    def __init__(self, fields: Mapping[str, Any] | Iterable[tuple[str, Any]] = ()) -> None:
        try:
            given = dict(fields)
        except (TypeError, ValueError):
            raise InputError(f"metadata: expected a mapping, got {fields!r:.60}") from None
        super().__init__({name: _frozen(name, value) for name, value in given.items()})

    @classmethod
    def from_json(cls, text: str | None) -> ArticleMetadata:
        """Returns the metadata of its JSON; without any, empty metadata."""
        return cls(json.loads(text)) if text else NO_METADATA

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))

    def __reduce__(self) -> tuple[Any, ...]:
        return ArticleMetadata, (dict(self),)

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        """Raises a TypeError: metadata do not change."""
        raise TypeError("metadata are immutable: replace(article, metadata=…) returns an article with others")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse


def metadata_json(metadata: Mapping[str, Any]) -> str:
    """Returns metadata as a JSON object, with the fields in their order.

    >>> metadata_json(ArticleMetadata({"section": "спорт", "page": 3}))
    '{"section":"спорт","page":3}'
    """
    return json.dumps(metadata, ensure_ascii=False, separators=(",", ":"))


def _frozen(name: object, value: Any) -> Any:
    """Returns an immutable copy of a JSON value."""
    if not isinstance(name, str):
        raise InputError(f"metadata: expected a name, got {name!r:.60}")
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, list | tuple):
        return tuple(_frozen(name, each) for each in value)
    if isinstance(value, Mapping):
        return value if isinstance(value, ArticleMetadata) else ArticleMetadata(value)
    raise InputError(f"metadata: {name}: expected a text, a number or a list, got {value!r:.60}")


#: The metadata of articles without any.
NO_METADATA = ArticleMetadata()
