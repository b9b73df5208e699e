"""Disagreements: every judged pair is counted once, and the clearest ones are chosen, always the same."""

from __future__ import annotations

from typing import Any

from samestory.lab.evaluation.disagreements import MAX_MEMBERS, Disagreements, disagreements
from tests.conftest import Writer
from tests.lab.evaluation.news import GROUPS, evaluated

Counts = dict[tuple[tuple[bool, ...], bool], int]


def counts(found: Disagreements) -> Counts:
    return {(pattern.reports, pattern.duplicate): pattern.count for pattern in found.patterns}


def test_every_judged_pair_is_counted_once_those_first_that_all_get_wrong(write: Writer) -> None:
    found = disagreements(evaluated(write)[0])
    assert counts(found) == {
        ((False, False), True): 2,
        ((True, True), False): 1,
        ((True, False), True): 2,
        ((False, False), False): 4,
        ((True, True), True): 2,
    }
    assert [pattern.agreed for pattern in found.patterns] == [False, False, False, True, True]
    assert [bool(pattern.cases) for pattern in found.patterns] == [True, True, True, False, False]


def test_a_case_has_the_judgement_and_the_verdict_of_every_detector(write: Writer) -> None:
    found = disagreements(evaluated(write)[0])
    (case,) = next(p for p in found.patterns if p.reports == (True, True) and not p.duplicate).cases
    assert (case.left, case.right, case.duplicate, case.label) == ("long-1", "long-2", False, "other")
    assert case.place.endswith("gold.jsonl:7")
    assert [(verdict.reports, str(verdict.kind)) for verdict in case.verdicts] == [(True, "NEAR"), (True, "NEAR")]
    assert all(verdict.score is not None and verdict.score > 0.7 for verdict in case.verdicts)
    (never, *_) = next(p for p in found.patterns if p.reports == (False, False) and p.duplicate).cases
    assert [(verdict.reports, verdict.kind, verdict.score) for verdict in never.verdicts] == [(False, None, None)] * 2


def _run(scores: dict[tuple[str, str], float]) -> list[dict[str, Any]]:
    return [{"left": left, "right": right, "score": score} for (left, right), score in scores.items()]


def test_the_largest_margins_are_shown_and_articles_not_shown_yet_come_first(write: Writer) -> None:
    names = [f"a{at}" for at in range(6)]
    articles = [{"id": name, "text": f"Only words of {name}."} for name in names]
    pairs = {("a0", "a1"): 0.9, ("a0", "a2"): 0.8, ("a3", "a4"): 0.5, ("a2", "a5"): 0.3}
    gold = [{"a": left, "b": right, "label": "other"} for left, right in pairs]
    found, _ = evaluated(write, detectors=(), articles=articles, gold=gold, run=_run(pairs))
    (pattern,) = disagreements(found, cases=3).patterns
    assert pattern.count == 4
    assert [(case.left, case.right) for case in pattern.cases] == [("a0", "a1"), ("a3", "a4"), ("a2", "a5")]
    (pattern,) = disagreements(found, cases=4).patterns
    assert [case.margin for case in pattern.cases] == [0.9, 0.8, 0.5, 0.3]


def test_only_so_many_patterns_are_shown_and_the_rest_is_counted(write: Writer) -> None:
    found = disagreements(evaluated(write)[0], patterns=1)
    assert [bool(pattern.cases) for pattern in found.patterns] == [True, False, False, False, False]
    assert sum(counts(found).values()) == 11


def test_groups_are_compared_pair_by_pair_inside_them(write: Writer) -> None:
    found = disagreements(evaluated(write, gold=GROUPS, detectors=("exact",))[0])
    # 10 pairs among the five of the pier, three pairs of two, of which exact finds one
    assert counts(found) == {((False,), True): 12, ((True,), True): 1}
    case = found.patterns[0].cases[0]
    assert case.label in ("pier", "liman", "prichal", "long")
    assert found.whole


def test_of_very_large_groups_the_first_articles_are_examined(write: Writer) -> None:
    articles = [{"id": f"{at:03}", "text": f"Words of {at}."} for at in range(MAX_MEMBERS + 5)]
    gold = [{"id": article["id"], "cluster": "one"} for article in articles]
    found = disagreements(evaluated(write, gold=gold, articles=articles, detectors=("exact",))[0])
    assert not found.whole
    assert counts(found) == {((False,), True): MAX_MEMBERS * (MAX_MEMBERS - 1) // 2}
