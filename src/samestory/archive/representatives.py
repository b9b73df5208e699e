"""The representatives of stories, by the order of `engine/rank.rs`: preferred sources, length or date, then ids."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np

from samestory.archive.matching import HitCache
from samestory.archive.query import name_key
from samestory.archive.stored import ids_of_numbers
from samestory.database import Session

#: The order of the articles `a` of a story, the representative first.
LONGEST_FIRST = "a.words DESC, a.id"

#: Of longer lists of articles with equal ranks, the first id is found by the database.
MAX_NAMED = 16


class Preferences:
    """The places of sources in the order of preference; case and accents do not matter, and others share the last."""

    def __init__(self, prefer: Sequence[str]) -> None:
        self._places = {name_key(name): place for place, name in reversed(list(enumerate(prefer)))}
        self._last = len(prefer)

    def place(self, source: str | None) -> int:
        """Return the place of a source; None is unknown."""
        return self._last if source is None else self._places.get(name_key(source), self._last)


def first_ids(session: Session, ranked: Sequence[Sequence[int]], known: HitCache) -> list[int]:
    """Return the article with the first id from each list of numbers of articles with equal ranks.

    A wire story may have thousands of copies of one length: the ids of long lists stay in the database, and the result
    is kept in `known`, since the id of a number never changes.
    """
    few = {number for numbers in ranked if 1 < len(numbers) <= MAX_NAMED for number in numbers}
    ids = ids_of_numbers(session, few) if few else {}
    out = []
    for numbers in ranked:
        if len(numbers) == 1:
            out.append(numbers[0])
        elif len(numbers) <= MAX_NAMED:
            out.append(min(numbers, key=ids.__getitem__))
        else:
            out.append(_first_of_many(session, numbers, known))
    return out


def _first_of_many(session: Session, numbers: Sequence[int], known: HitCache) -> int:
    key = ("first id", hashlib.blake2b(np.array(numbers, np.int64).tobytes(), digest_size=16).digest())
    first: int | None = known.get(key)
    if first is None:
        sql = "SELECT id, number FROM articles WHERE number IN ({}) ORDER BY id LIMIT 1"
        _, first = min(session.rows_among(sql, numbers))
        known.put(key, first)
    return first
