"""Word-level differences between two texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from samestory import _core
from samestory.model import Article, Evidence, Span
from samestory.text.prepare import prepare

if TYPE_CHECKING:
    from numpy.typing import NDArray


def differences(left: str, right: str, language: str | None = None) -> list[Evidence]:
    """Returns the spans in which two texts differ; for inserted words, the span of the other text is empty.

    Texts are not repaired, since readers see them as they are. Case and punctuation are ignored.

    >>> differences("Shares rise 10 percent to 110.", "Shares rise to 110 today")
    [Evidence(left=Span(start=12, end=22), right=Span(start=11, end=11)), \
Evidence(left=Span(start=29, end=29), right=Span(start=19, end=24))]
    """
    one, other = (prepare([Article("", text, lang=language)], as_is=True) for text in (left, right))
    return [
        Evidence(_span(one.starts[0], one.ends[0], a, b), _span(other.starts[0], other.ends[0], c, d))
        for a, b, c, d in _core.text.differences(one.tokens[0], other.tokens[0])
    ]


def _span(starts: NDArray[Any], ends: NDArray[Any], first: int, behind: int) -> Span:
    """Returns the span of words first to behind - 1, or an empty span after the previous word."""
    if behind > first:
        return Span(int(starts[first]), int(ends[behind - 1]))
    place = int(ends[first - 1]) if first else 0
    return Span(place, place)
