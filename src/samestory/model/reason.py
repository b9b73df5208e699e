"""Reasons of detectors for what they decide."""

from __future__ import annotations

from typing import Literal, Self

#: What a reason supports: that two articles are related, or that they are not.
Side = Literal["for", "against"]


class Reason(str):
    """A reason for or against a relation; as text, `for: names in common`.

    >>> reason = Reason("for", "names in common")
    >>> reason.side, reason.words, str(reason)
    ('for', 'names in common', 'for: names in common')
    """

    __slots__ = ("side", "words")

    side: Side
    words: str

    def __new__(cls, side: Side, words: str) -> Self:
        """The reason with a side and its words."""
        reason = super().__new__(cls, f"{side}: {words}")
        reason.side, reason.words = side, words
        return reason

    def __reduce__(self) -> tuple[type[Self], tuple[Side, str]]:
        return type(self), (self.side, self.words)

    def with_detail(self, detail: str) -> Self:
        """Returns the reason with the names or numbers that it is about.

        >>> Reason("against", "other numbers").with_detail("3 / 4")
        'against: other numbers (3 / 4)'
        """
        return type(self)(self.side, f"{self.words} ({detail})")
