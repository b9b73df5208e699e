"""Groups by majority, against an oracle that looks at all groups again after every step."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from samestory import Choice, group
from samestory.model import Kind, Overlap, Relation
from tests.reference.groups import links, majority

#: Articles, and how related some of them are.
COUNT = 7
SCORES = st.dictionaries(
    st.sampled_from(list(combinations(range(COUNT), 2))), st.sampled_from([0.5, 0.55, 0.6, 0.7, 0.8, 0.9, 1.0])
)


@given(SCORES)
def test_the_strongest_groups_join_first_and_only_by_majority(scores: dict[tuple[int, int], float]) -> None:
    relations = [Relation(str(a), str(b), Kind.SAME_EVENT, Overlap(s, s), "event", s) for (a, b), s in scores.items()]
    articles = [{"id": str(n), "text": "word " * (COUNT - n)} for n in range(COUNT)]
    found = group(relations, Choice("majority"), articles)
    ranked = [str(n) for n in range(COUNT)]
    assert {g.representative: frozenset(g.members) for g in found} == majority(ranked, links(relations, False))


@given(SCORES)
def test_the_certificate_names_a_link_inside_and_a_neighbour_outside(scores: dict[tuple[int, int], float]) -> None:
    relations = [Relation(str(a), str(b), Kind.SAME_EVENT, Overlap(s, s), "event", s) for (a, b), s in scores.items()]
    for each in group(relations, Choice("majority")):
        if len(each.members) > 1:
            assert each.weakest is not None
            assert {each.weakest.left, each.weakest.right} <= set(each.members)
        if each.nearest is not None:
            assert each.nearest.id not in each.members
