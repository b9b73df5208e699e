"""The progress of a collection, as lines for the terminal."""

from __future__ import annotations

from collections.abc import Iterator

from samestory.cli.summary import count
from samestory.lab.collection.sets import DetectorCounts
from samestory.lab.collection.status import CollectionStatus
from samestory.output import printable


def lines(found: CollectionStatus) -> list[str]:
    """Formats the status of a collection."""
    return [printable(line) for line in _lines(found)]


def _lines(found: CollectionStatus) -> Iterator[str]:
    yield (
        f"{found.relation} by {found.protocol}: {count(found.articles, 'article')}, {count(found.items, 'item')},"
        f" {found.given:,} assigned in {count(found.groups, 'group')}; {found.exercises:,} exercises,"
        f" {found.controls:,} controls"
    )
    contested = f", contradicted {found.contested:,}" if found.contested else ""
    yield f"decided {found.decided:,}, undecided {found.undecided:,}{contested}; yes {found.yes:,}"
    if found.unsettled:
        yield (
            f"without an arbiter: {count(found.unsettled, 'disagreement')}; add an assessor who has not judged them:"
            " samestory collection assign FILE NAME"
        )
    for name, settings, nominated in found.runs:
        yield f"nominated by {name}: {nominated:,}  ({settings})"
    yield from map(_of_set, found.sets)
    for each in found.work:
        team = f" of team {each.team}" if each.team else ""
        week = f", week {each.week}" if each.week else ""
        skipped = f", {each.skipped:,} skipped" if each.skipped else ""
        yield f"{each.assessor}{team}: {each.duty}{week}: {each.done:,} of {each.all:,} done{skipped}"
    for name, score in found.trained:
        rest = f", {score.all - score.done:,} not done yet" if score.done < score.all else ""
        yield f"{name}: {score.right:,} of {count(score.done, 'exercise')} right at first{rest}"
    if found.to_talk_over:
        yield f"to be discussed: items {', '.join(map(str, found.to_talk_over))}"
    for talk in found.talked_over:
        yield f"discussed: item {talk.item}{f': {talk.note}' if talk.note else ''}"


def _of_set(each: DetectorCounts) -> str:
    def share(value: float | None) -> str:
        return "–" if value is None else f"{value:.4f}"

    rates = f"miss {share(each.miss)}, false alarm {share(each.false_alarm)}"
    rest = f"; {count(each.undecided, 'article')} not decided yet" if each.undecided else ""
    return (
        f"set {each.test_set} of {count(each.articles, 'article')}, {each.detector}:"
        f" a {each.a:,}, b {each.b:,}, c {each.c:,}, d {each.d:,}; {rates}{rest}"
    )
