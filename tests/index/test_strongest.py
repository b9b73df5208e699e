"""The strongest relations of an article are those of a slow rule, in the order in which they were given."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from samestory.index.strongest import NewRelation, strongest
from samestory.model import CLOSEST_FIRST, Overlap, Relation


def slow(found: list[NewRelation], limit: int) -> list[NewRelation]:
    """The strongest of each source, then the second of each source, and so on."""

    def strength(each: NewRelation) -> tuple[int, float, str]:
        return CLOSEST_FIRST.index(each.relation.kind), -each.relation.score, each.other

    def place(each: NewRelation) -> int:
        return sum(strength(other) < strength(each) for other in found if other.source == each.source)

    kept = sorted(found, key=lambda each: (place(each), strength(each)))[:limit]
    return [each for each in found if each in kept]


relations = st.lists(
    st.tuples(st.sampled_from(CLOSEST_FIRST), st.sampled_from([0.0, 0.5, 0.50001, 1.0]), st.integers(0, 3)), max_size=30
)


@given(relations, st.randoms(use_true_random=False), st.integers(0, 31))
def test_the_strongest_relations_are_those_of_the_slow_rule(
    rows: list[tuple[object, float, int]], random: object, limit: int
) -> None:
    ids = [f"é{number}" if number % 3 else f"{number}" for number in range(len(rows))]
    random.shuffle(ids)  # type: ignore[attr-defined]
    found = [
        NewRelation(Relation("new", id, kind, Overlap(0.5, 0.5), "reuse", score), id, source, None)  # type: ignore[arg-type]
        for id, (kind, score, source) in zip(ids, rows, strict=True)
    ]
    assert strongest(found, limit) == slow(found, limit)
