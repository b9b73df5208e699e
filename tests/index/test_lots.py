"""Copies are one to a detector that compares batches: the same relations and groups, from far fewer comparisons."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from samestory import Article, Choice, Decisions, find, group, parse, prepare, relate
from samestory.index import relate_batch
from samestory.index.batch import relations
from samestory.index.lots import Columns
from samestory.model import Features, Group, Relation
from tests.news import corpora

SPECS = ["vectors(model='letters', threshold=0.5)", "fusion(model='letters', threshold=0.3)"]


@st.composite
def copied(draw: st.DrawFn) -> list[Article]:
    """Articles of which some come several times, under other ids, anywhere."""
    articles = draw(corpora(most=6))
    more = draw(st.lists(st.integers(0, len(articles) - 1), max_size=8))
    again = [replace(articles[at], id=f"c{n}") for n, at in enumerate(more)]
    return draw(st.permutations([*articles, *again]))


def one_by_one(spec: str, old: list[Article], new: list[Article]) -> list[Relation]:
    """All pairs that are worth it, copies or not, compared one by one."""
    detector, parts = parse(spec), [prepare(part) for part in (old, new) if part]
    features = Features.concat(parts)
    signatures = detector.sign(features)
    found = []
    for pairs in detector.pairs(signatures, len(old)) or ():
        overlaps = detector.compare(signatures, signatures, pairs)
        kept = overlaps.kinds > 0
        about = (overlaps.kinds, overlaps.forward, overlaps.backward, overlaps.score)
        columns = Columns(*(column[kept] for column in (pairs.left, pairs.right, *about)))
        found.extend(relations(detector, features, columns))
    return found


def told(groups: list[Group]) -> list[tuple[object, ...]]:
    """What must not depend on copies; of equally weak links any may be named."""
    return [(g.representative, g.members, g.weakest and round(g.weakest.score, 9), g.forced) for g in groups]


@pytest.mark.parametrize("spec", SPECS)
@given(copied(), st.integers(0, 4))
@settings(max_examples=25, deadline=None)
def test_relations_of_copies_are_those_of_comparing_them_one_by_one(
    spec: str, articles: list[Article], before: int
) -> None:
    old, new = articles[: min(before, len(articles) - 1)], articles[min(before, len(articles) - 1) :]
    assert relate(new, spec, against=old) == one_by_one(spec, old, new)


@pytest.mark.parametrize("method", ["majority", "components", "star"])
@pytest.mark.parametrize("spec", SPECS)
@given(copied(), st.integers(0, 4), st.data())
@settings(max_examples=25, deadline=None)
def test_groups_of_copies_are_those_of_all_relations(
    method: str, spec: str, articles: list[Article], before: int, data: st.DataObject
) -> None:
    old, new = articles[: min(before, len(articles) - 1)], articles[min(before, len(articles) - 1) :]
    ids = [article.id for article in articles]
    pairs = st.lists(st.permutations(ids).map(lambda drawn: tuple(drawn[:2])), max_size=1 if len(ids) > 1 else 0)
    same, apart = data.draw(pairs), data.draw(pairs)
    if {frozenset(pair) for pair in same} & {frozenset(pair) for pair in apart}:
        same = []
    choice = Choice(method, decisions=Decisions(tuple(same), tuple(apart)))
    fresh = {article.id for article in new}
    wanted = [g for g in group(one_by_one(spec, old, new), choice, articles) if fresh & set(g.members)]
    found = find(new, spec, against=old, choice=choice)
    if method == "components":
        # a chain may be held by other links
        assert [g.members for g in found] == [g.members for g in wanted]
    else:
        assert told(found) == told(wanted)


@pytest.mark.parametrize("spec", SPECS)
def test_a_day_of_copies_stays_linear(spec: str) -> None:
    """Of twenty thousand copies of three items, three are compared, and every copy has one relation."""
    texts = [
        "Fire destroys the old mill of Oldmere, nobody was hurt, police said.",
        "The old mill of Oldmere was destroyed by fire, police said; nobody was hurt.",
        "Chess club wins the prize of the county for the third time.",
    ]
    articles = [Article(str(n), texts[n % 3], lang="en") for n in range(20_000)]
    found, batch = relate_batch(parse(spec), prepare([]), prepare(articles), folded=True)
    assert batch is not None
    assert batch.compared <= 6
    assert len(found) <= len(articles)
    groups = find(articles, spec)
    assert sorted(len(each.members) for each in groups) == [6666, 13334]
