"""Contingency tables of difference judging: detector output against judgements, by test set.

                    duplicate   not duplicate
    flagged             a             b
    not flagged         c             d

Flagged by all detectors of a set: assumed a duplicate; by none: assumed unique; by some: as judged. (Uyar 2009)
[uyar2009]
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from samestory.database import Session
from samestory.lab.collection.collection import Collection
from samestory.lab.collection.votes import final_decisions, items_with_judgements, undecided_items


@dataclass(frozen=True, slots=True)
class DetectorCounts:
    """Contingency table of one detector on one test set."""

    test_set: int
    articles: int
    detector: str
    a: int
    b: int
    c: int
    d: int
    undecided: int
    """Undecided articles of the set; they are in none of the four cells."""

    @property
    def miss(self) -> float | None:
        """The share of duplicates that were not flagged."""
        return self.c / (self.a + self.c) if self.a + self.c else None

    @property
    def false_alarm(self) -> float | None:
        """The share of other articles that were flagged."""
        return self.b / (self.b + self.d) if self.b + self.d else None


def count_by_detector(collection: Collection) -> list[DetectorCounts]:
    """Return the table of every detector on every test set; sets from before flags were stored are left out."""
    with collection.database.read() as session:
        runs = session.rows("SELECT number, name, test_set FROM runs WHERE test_set IS NOT NULL ORDER BY number")
        if not runs:
            return []
        judged, undecided_numbers = (
            items_with_judgements(session),
            undecided_items(session, int(collection.setting("judges") or 2)),
        )
        members, flags = _by(session, "members", "test_set"), _by(session, "flags", "run")
        nominated: dict[int, set[int]] = defaultdict(set)
        for run, item in session.rows("SELECT run, item FROM nominations"):
            nominated[run].add(item)
    decided = {
        item.number: (item.articles[0], next(iter(final_decisions(collection.relation, item, answers).values()), None))
        for item, answers in judged
        if item.number not in undecided_numbers
    }
    out = []
    of_set: dict[int, list[tuple[int, str]]] = defaultdict(list)
    for number, name, test_set in runs:
        of_set[test_set].append((number, name))
    for test_set, own in of_set.items():
        truth = _truth(members[test_set], [flags[run] for run, _ in own])
        for item in {item for run, _ in own for item in nominated[run]} & decided.keys():
            id, yes = decided[item]
            if truth.get(id, True) is None:
                truth[id] = yes
        out += [_counts(test_set, name, truth, flags[run]) for run, name in own]
    return out


def _by(session: Session, table: str, key: str) -> dict[int, set[str]]:
    out: dict[int, set[str]] = defaultdict(set)
    for number, article in session.rows(f"SELECT {key}, article FROM {table}"):
        out[number].add(article)
    return out


def _truth(members: set[str], flags: list[set[str]]) -> dict[str, bool | None]:
    """Return the assumed labels of the articles of a set; None for those that are judged."""
    times = {id: sum(id in own for own in flags) for id in members}
    return {id: None if 0 < many < len(flags) else many > 0 for id, many in times.items()}


def _counts(test_set: int, name: str, truth: Mapping[str, bool | None], flagged: set[str]) -> DetectorCounts:
    found = {
        (yes, here): sum(1 for id, is_so in truth.items() if is_so is yes and (id in flagged) is here)
        for yes in (True, False)
        for here in (True, False)
    }
    undecided = sum(is_so is None for is_so in truth.values())
    return DetectorCounts(
        test_set,
        len(truth),
        name,
        found[True, True],
        found[False, True],
        found[True, False],
        found[False, False],
        undecided,
    )
