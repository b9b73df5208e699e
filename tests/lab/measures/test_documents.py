"""The worked example of the duplicate cost: twenty documents, two systems (Uyar 2009, figures 6.1 and 6.2)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from samestory import ParameterError
from samestory.lab.measures import FlaggedArticles, GroupedArticles, parse
from tests.reference import measures as reference

DOCUMENTS = range(1, 21)
DUPLICATES = {2, 4, 5, 6, 7, 9, 16, 18} | {3, 11, 15}
SYSTEMS = {
    "I-Match": [{1, 4, 7}, {2, 6}, {5, 11, 18}, {9, 16, 17}],
    "Tweezer": [{3, 4, 7}, {2, 6, 15}, {5, 18}, {8, 9, 16, 19}],
}
EXACT = {
    "I-Match": {"doc_miss": 2 / 11, "doc_false_alarm": 2 / 9, "doc_precision": 9 / 11, "doc_recall": 9 / 11},
    "Tweezer": {"doc_miss": 1 / 11, "doc_false_alarm": 2 / 9, "doc_precision": 10 / 12, "doc_recall": 10 / 11},
}
ROUNDED = {
    "I-Match": {"doc_f": 0.8182, "c_dup": 3.1342, "c_dup(normalised=False)": 0.2194},
    "Tweezer": {"doc_f": 0.8696, "c_dup": 3.0433, "c_dup(normalised=False)": 0.2130},
}
#: The study multiplies rounded rates by a rounded 13.29.
PRINTED = {"I-Match": 3.10, "Tweezer": 3.01}


def flagged(system: str) -> FlaggedArticles:
    found = set().union(*SYSTEMS[system])
    return FlaggedArticles([d in DUPLICATES for d in DOCUMENTS], [d in found for d in DOCUMENTS])


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_table_of_the_study_comes_out(system: str) -> None:
    for spec, value in EXACT[system].items():
        assert parse(spec).point(flagged(system)) == pytest.approx(value, abs=1e-15)
    for spec, value in ROUNDED[system].items():
        assert round(parse(spec).point(flagged(system)) or 0, 4) == value


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_printed_cost_comes_from_rounded_rates(system: str) -> None:
    miss, false_alarm = (parse(spec).point(flagged(system)) or 0 for spec in ("doc_miss", "doc_false_alarm"))
    assert round(13.29 * round(false_alarm, 2) + round(miss, 2), 2) == PRINTED[system]


def test_the_cost_of_perfection_of_silence_and_of_flagging_all() -> None:
    gold = [True] * 7 + [False] * 93
    cost = parse("c_dup")
    assert cost.point(FlaggedArticles(gold, gold)) == 0
    assert cost.point(FlaggedArticles(gold, [False] * 100)) == pytest.approx(1)
    assert cost.point(FlaggedArticles(gold, [True] * 100)) == pytest.approx(0.93 / 0.07)
    assert round(0.93 / 0.07, 2) == 13.29


def test_the_share_of_duplicates_can_come_from_the_gold() -> None:
    data = flagged("I-Match")
    assert parse("c_dup(p='gold')").point(data) == pytest.approx(parse("c_dup(p=0.55)").point(data))


def test_a_cost_of_misses_alone_weighs_the_miss_rate() -> None:
    data = flagged("Tweezer")
    plain = parse("c_dup(p=0.5, cost_miss=2, cost_false=1, normalised=False)").point(data)
    assert plain == pytest.approx((2 / 9) * 0.5 + 2 * (1 / 11) * 0.5)


@pytest.mark.parametrize(
    "spec", ["c_dup(p=0)", "c_dup(p=1)", "c_dup(p='study')", "c_dup(p=-1)", "c_dup(cost_miss=0)", "doc_f(beta=-1)"]
)
def test_a_cost_that_cannot_be_is_refused(spec: str) -> None:
    with pytest.raises(ParameterError, match="must be"):
        parse(spec)


@pytest.mark.parametrize("system", SYSTEMS)
def test_an_article_is_flagged_when_its_group_has_two_or_more(system: str) -> None:
    """The gold groups are not known in the study; any that flag the same documents give the same numbers."""
    gold = [sorted(DUPLICATES)]
    grouped = GroupedArticles.from_groups(gold + [[d] for d in DOCUMENTS if d not in DUPLICATES], SYSTEMS[system])
    for spec in EXACT[system]:
        assert parse(spec).point(FlaggedArticles.from_groups(grouped)) == parse(spec).point(flagged(system))


@given(st.lists(st.tuples(st.booleans(), st.booleans()), max_size=30))
def test_ratios_are_those_of_the_table(rows: list[tuple[bool, bool]]) -> None:
    gold, found = [g for g, _ in rows], [s for _, s in rows]
    a, b, c, d = reference.contingency(gold, found)
    data = FlaggedArticles(gold, found)
    assert parse("doc_miss").point(data) == reference.ratio(c, a + c)
    assert parse("doc_false_alarm").point(data) == reference.ratio(b, b + d)
    assert parse("doc_precision").point(data) == reference.ratio(a, a + b)
    assert parse("doc_recall").point(data) == reference.ratio(a, a + c)
    assert parse("doc_f").point(data) == pytest.approx(reference.f(a, b, c))
    assert parse("doc_f(beta=2)").point(data) == pytest.approx(reference.f(a, b, c, 2))
    assert parse("c_dup").point(data) == pytest.approx(reference.cost(a, b, c, d))
    assert parse("c_dup(p='gold')").point(data) == pytest.approx(reference.cost(a, b, c, d, None))
