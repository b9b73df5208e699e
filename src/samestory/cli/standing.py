"""How far a collection is, as lines for the terminal."""

from __future__ import annotations

from collections.abc import Iterator

from samestory.cli.output import count
from samestory.collection.sets import Counts
from samestory.collection.status import Status
from samestory.output import printable


def lines(found: Status) -> list[str]:
    """The same for people."""
    return [printable(line) for line in _lines(found)]


def _lines(found: Status) -> Iterator[str]:
    yield (
        f"{found.relation} by {found.protocol}: {count(found.articles, 'article')}, {count(found.items, 'item')},"
        f" {found.given:,} given out in {count(found.groups, 'group')}; {found.exercises:,} exercises,"
        f" {found.controls:,} controls"
    )
    contested = f", contradicted {found.contested:,}" if found.contested else ""
    yield f"decided {found.decided:,}, undecided {found.undecided:,}{contested}; yes {found.yes:,}"
    if found.unsettled:
        yield (
            f"given to nobody: {count(found.unsettled, 'disagreement')}; samestory collection assign FILE NAME takes in"
            " somebody who has not judged them"
        )
    for name, asked, many in found.runs:
        yield f"nominated by {name}: {many:,}  ({asked})"
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
        yield f"to be talked over: items {', '.join(map(str, found.to_talk_over))}"
    for talk in found.talked_over:
        yield f"talked over: item {talk.item}{f': {talk.note}' if talk.note else ''}"


def _of_set(each: Counts) -> str:
    def share(value: float | None) -> str:
        return "–" if value is None else f"{value:.4f}"

    rates = f"miss {share(each.miss)}, false alarm {share(each.false_alarm)}"
    rest = f"; {count(each.undecided, 'article')} not decided yet" if each.undecided else ""
    return (
        f"set {each.test_set} of {count(each.articles, 'article')}, {each.detector}:"
        f" a {each.a:,}, b {each.b:,}, c {each.c:,}, d {each.d:,}; {rates}{rest}"
    )
