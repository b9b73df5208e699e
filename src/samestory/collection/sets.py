"""The test sets of difference judging, one by one: what each detector found of its set, once that is judged.

                    duplicate   not duplicate
    flagged             a             b
    not flagged         c             d

Flagged by all detectors of a set: taken for a duplicate; by none: for none; by some: as people judged. (Uyar 2009)
[uyar2009]
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from samestory.collection.collection import Collection
from samestory.collection.votes import all_said, final, waiting
from samestory.database import Session


@dataclass(frozen=True, slots=True)
class Counts:
    """What one detector found of one test set."""

    test_set: int
    articles: int
    detector: str
    a: int
    b: int
    c: int
    d: int
    undecided: int
    """Articles of the set about which nothing is decided yet; they are in none of the four."""

    @property
    def miss(self) -> float | None:
        """The share of duplicates that were not flagged."""
        return self.c / (self.a + self.c) if self.a + self.c else None

    @property
    def false_alarm(self) -> float | None:
        """The share of other articles that were flagged."""
        return self.b / (self.b + self.d) if self.b + self.d else None


def counts(collection: Collection) -> list[Counts]:
    """The four numbers of every detector in every test set; sets that were made before flags were kept are left out."""
    with collection.database.read() as session:
        runs = session.rows("SELECT number, name, test_set FROM runs WHERE test_set IS NOT NULL ORDER BY number")
        if not runs:
            return []
        said, open_still = all_said(session), waiting(session, int(collection.setting("judges") or 2))
        members, flags = _by(session, "members", "test_set"), _by(session, "flags", "run")
        shown: dict[int, set[int]] = defaultdict(set)
        for run, item in session.rows("SELECT run, item FROM nominations"):
            shown[run].add(item)
    decided = {
        item.number: (item.articles[0], next(iter(final(collection.relation, item, answers).values()), None))
        for item, answers in said
        if item.number not in open_still
    }
    out = []
    of_set: dict[int, list[tuple[int, str]]] = defaultdict(list)
    for number, name, test_set in runs:
        of_set[test_set].append((number, name))
    for test_set, own in of_set.items():
        truth = _truth(members[test_set], [flags[run] for run, _ in own])
        for item in {item for run, _ in own for item in shown[run]} & decided.keys():
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
    """What is assumed of the articles of a set; None of those that are judged."""
    times = {id: sum(id in own for own in flags) for id in members}
    return {id: None if 0 < many < len(flags) else many > 0 for id, many in times.items()}


def _counts(test_set: int, name: str, truth: Mapping[str, bool | None], flagged: set[str]) -> Counts:
    found = {
        (yes, here): sum(1 for id, is_so in truth.items() if is_so is yes and (id in flagged) is here)
        for yes in (True, False)
        for here in (True, False)
    }
    undecided = sum(is_so is None for is_so in truth.values())
    return Counts(
        test_set,
        len(truth),
        name,
        found[True, True],
        found[False, True],
        found[True, False],
        found[False, False],
        undecided,
    )
