"""The representatives of stories, by the order of `engine/rank.rs`: preferred sources, length or date, then ids."""

from __future__ import annotations

from collections.abc import Sequence

from samestory.archive.query import name_key
from samestory.archive.stored import ids_of_numbers
from samestory.database import Session

#: The order of the articles `a` of a story, the representative first.
LONGEST_FIRST = "a.words DESC, a.id"


class Preferences:
    """The places of sources in the order of preference; case and accents do not matter, and others share the last."""

    def __init__(self, prefer: Sequence[str]) -> None:
        self._places = {name_key(name): place for place, name in reversed(list(enumerate(prefer)))}
        self._last = len(prefer)

    def place(self, source: str | None) -> int:
        """Return the place of a source; None is unknown."""
        return self._last if source is None else self._places.get(name_key(source), self._last)


def first_ids(session: Session, ranked: Sequence[Sequence[int]]) -> list[int]:
    """Return the article with the first id from each list of numbers of articles with equal ranks."""
    equal = {number for numbers in ranked if len(numbers) > 1 for number in numbers}
    ids = ids_of_numbers(session, equal) if equal else {}
    return [min(numbers, key=ids.__getitem__) if len(numbers) > 1 else numbers[0] for numbers in ranked]
