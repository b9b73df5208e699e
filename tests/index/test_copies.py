"""Copies are one to a detector that compares batches: the same relations and groups, from far fewer comparisons."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from samestory import Article, Decisions, GroupingOptions, _core, find, group, parse, prepare, relate
from samestory.index.index import directed, relation
from samestory.model import KINDS, Features, Group, Overlap, Relation
from samestory.run import run_groups, run_on
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
        columns = (pairs.left, pairs.right, overlaps.kinds, overlaps.forward, overlaps.backward, overlaps.score)
        for a, b, kind, forward, backward, score in zip(*(column.tolist() for column in columns), strict=True):
            if kind:
                sides = (_about(features, a), _about(features, b))
                overlap = Overlap(forward, backward)
                ((kind_of_articles, is_reversed),) = directed([(*sides, KINDS[kind], overlap)])
                ends = (sides[0][0], sides[1][0])
                found.append(relation(*ends, kind_of_articles, overlap, str(detector), score, is_reversed))
    return found


def _about(features: Features, row: int) -> tuple[str, int, int]:
    return features.ids[row], _core.detectors.source_hash(features.sources[row] or ""), features.microseconds[row]


def _sorted(relations: list[Relation]) -> list[Relation]:
    return sorted(relations, key=lambda r: (r.left, r.right))


def outcome(groups: list[Group]) -> list[tuple[object, ...]]:
    """What must not depend on copies; of equally weak links any may be named."""
    return [(g.representative, g.members, g.weakest and round(g.weakest.score, 9), g.forced) for g in groups]


@pytest.mark.parametrize("spec", SPECS)
@given(copied(), st.integers(0, 4))
@settings(max_examples=25, deadline=None)
def test_relations_of_copies_are_those_of_comparing_them_one_by_one(
    spec: str, articles: list[Article], before: int
) -> None:
    old, new = articles[: min(before, len(articles) - 1)], articles[min(before, len(articles) - 1) :]
    found = relate(new, detector=spec, against=old)
    assert _sorted(found) == _sorted(one_by_one(spec, old, new))


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
    choice = GroupingOptions(method, decisions=Decisions(tuple(same), tuple(apart)))
    fresh = {article.id for article in new}
    wanted = [
        g for g in group(one_by_one(spec, old, new), grouping=choice, articles=articles) if fresh & set(g.members)
    ]
    found = find(new, detector=spec, against=old, grouping=choice)
    if method == "components":
        # a chain may be held by other links
        assert [g.members for g in found] == [g.members for g in wanted]
    else:
        assert outcome(found) == outcome(wanted)


@pytest.mark.parametrize("spec", SPECS)
def test_a_day_of_copies_stays_linear(spec: str) -> None:
    """Of twenty thousand copies of three items, three are compared, and every copy has one relation."""
    texts = [
        "Fire destroys the old mill of Oldmere, nobody was hurt, police said.",
        "The old mill of Oldmere was destroyed by fire, police said; nobody was hurt.",
        "Chess club wins the prize of the county for the third time.",
    ]
    articles = [Article(str(n), texts[n % 3], lang="en") for n in range(20_000)]
    run = run_on(articles, parse(spec))
    groups = run_groups(run, GroupingOptions(parse(spec).grouping))
    assert run.summary.compared <= 6
    assert sorted(len(each.members) for each in groups) == [6666, 13334]
