"""Groups by majority, against an oracle that looks at all groups again after every step."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from samestory import Choice, group
from samestory.model import Kind, Overlap, Relation

#: Articles, and how related some of them are.
COUNT = 7
SCORES = st.dictionaries(
    st.sampled_from(list(combinations(range(COUNT), 2))), st.sampled_from([0.5, 0.55, 0.6, 0.7, 0.8, 0.9, 1.0])
)


def oracle(scores: dict[tuple[int, int], float]) -> set[frozenset[int]]:
    """Joins, again and again, the two groups with the greatest mean of those of which half the pairs are related."""
    groups = [frozenset({n}) for n in range(COUNT)]
    while True:
        offers = []
        for one, other in combinations(groups, 2):
            between = [scores[min(a, b), max(a, b)] for a in one for b in other if (min(a, b), max(a, b)) in scores]
            if 2 * len(between) >= len(one) * len(other):
                ranks = sorted((min(one), min(other)))
                offers.append((-sum(between) / (len(one) * len(other)), ranks, one, other))
        if not offers:
            return set(groups)
        _, _, one, other = min(offers, key=lambda offer: (round(offer[0], 9), offer[1]))
        groups = [g for g in groups if g not in (one, other)] + [one | other]


@given(SCORES)
def test_the_strongest_groups_join_first_and_only_by_majority(scores: dict[tuple[int, int], float]) -> None:
    relations = [Relation(str(a), str(b), Kind.SAME_EVENT, Overlap(s, s), "event", s) for (a, b), s in scores.items()]
    articles = [{"id": str(n), "text": "word " * (COUNT - n)} for n in range(COUNT)]
    found = group(relations, Choice("majority"), articles)
    assert {frozenset(map(int, g.members)) for g in found} == oracle(scores)


@given(SCORES)
def test_the_certificate_names_a_link_inside_and_a_neighbour_outside(scores: dict[tuple[int, int], float]) -> None:
    relations = [Relation(str(a), str(b), Kind.SAME_EVENT, Overlap(s, s), "event", s) for (a, b), s in scores.items()]
    for each in group(relations, Choice("majority")):
        if len(each.members) > 1:
            assert each.weakest is not None
            assert {each.weakest.left, each.weakest.right} <= set(each.members)
        if each.nearest is not None:
            assert each.nearest.id not in each.members
