"""Groups by majority, against an oracle that looks at all groups again after every step."""

import random
from collections.abc import Iterable
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from samestory import Article, Group, find, group, relate
from samestory.detectors.event import Event
from samestory.errors import SamestoryError
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
    found = group(relations, grouping="majority", articles=articles)
    ranked = [str(n) for n in range(COUNT)]
    assert {g.representative: frozenset(g.members) for g in found} == majority(ranked, links(relations, False))


#: Sums of these are the same in whatever order they are added up.
EXACT = st.dictionaries(st.sampled_from(list(combinations(range(COUNT), 2))), st.sampled_from([0.5, 0.625, 0.75, 1.0]))


@given(EXACT, st.randoms(use_true_random=False), st.booleans())
def test_no_order_of_relations_or_articles_changes_a_group_or_its_certificate(
    scores: dict[tuple[int, int], float], shuffle: random.Random, with_articles: bool
) -> None:
    """Links that are as strong are many: headlines that all say the same."""
    relations = [Relation(str(a), str(b), Kind.SAME_EVENT, Overlap(s, s), "event", s) for (a, b), s in scores.items()]
    articles = [{"id": str(n), "text": "word " * (n % 3 + 1)} for n in range(COUNT)] if with_articles else []

    def certified() -> list[tuple[object, ...]]:
        found = group(relations, grouping="majority", articles=articles)
        return sorted((g.representative, sorted(g.members), g.weakest, g.nearest) for g in found)

    wanted = certified()
    for _ in range(5):
        shuffle.shuffle(relations)
        shuffle.shuffle(articles)
        assert certified() == wanted


def test_relations_read_from_lines_make_the_groups_that_they_made() -> None:
    scores = {"ba": 0.6, "cb": 0.6, "dc": 0.95}
    relations = [Relation(*pair, Kind.SAME_EVENT, Overlap(s, s), "event", s) for pair, s in scores.items()]
    wanted = [g.members for g in group(relations, grouping="majority")]
    assert [set(members) for members in wanted] == [{"a", "b"}, {"c", "d"}]
    rows = [relation.to_dict() for relation in relations]
    assert [g.members for g in group(rows, grouping="majority")] == wanted
    assert [g.members for g in group([row | {"score": None} for row in rows], grouping="majority")] == wanted
    # the score counts where a line has one, and shares where it has none
    scored = [row | {"score": 1 - row["forward"] / 2} for row in rows]
    assert [set(g.members) for g in group(scored, grouping="majority")] != [{"a", "b"}, {"c", "d"}]


def test_a_score_is_on_any_scale_but_a_number() -> None:
    line = {"left": "b", "right": "a", "kind": "SAME_EVENT", "forward": 0.6, "backward": 0.6}
    for score in (None, 0, 0.5, 12.5):
        assert [g.members for g in group([line | {"score": score}], grouping="majority")] in (
            [("a", "b")],
            [("b", "a")],
        )
    for score in ("much", True, -1, float("nan"), float("inf")):
        with pytest.raises(SamestoryError, match="score: expected a number"):
            group([line | {"score": score}])


#: The day of every article, or none.
DATES = st.lists(st.one_of(st.none(), st.integers(1, 28)), min_size=COUNT, max_size=COUNT)


@given(SCORES, DATES, st.integers(0, 9))
def test_no_article_without_a_date_joins_groups_of_distant_days(
    scores: dict[tuple[int, int], float], dates: list[int | None], most: int
) -> None:
    spec = str(Event(days=most))

    def far(one: Iterable[str], other: Iterable[str]) -> bool:
        (a, b) = ([day for id in ids if (day := dates[int(id)]) is not None] for ids in (one, other))
        return bool(a and b) and max(min(a) - max(b), min(b) - max(a)) > most

    # as a detector does it: who lies too far apart is not related
    related = {pair: score for pair, score in scores.items() if not far(*([str(n)] for n in pair))}
    relations = [Relation(str(a), str(b), Kind.SAME_EVENT, Overlap(s, s), spec, s) for (a, b), s in related.items()]
    articles = [
        {"id": str(n), "text": "word " * (COUNT - n), "date": day and f"2026-03-{day:02}"}
        for n, day in enumerate(dates)
    ]
    found = {g.representative: frozenset(g.members) for g in group(relations, grouping="majority", articles=articles)}
    ranked = [str(n) for n in range(COUNT)]
    assert found == majority(ranked, links(relations, False), far=far)
    if None not in dates:
        assert found == majority(ranked, links(relations, False))


def test_the_batch_and_the_groups_of_its_relations_keep_days_apart() -> None:
    """One item without a date brought together what happened in spring and in autumn."""
    text = "Fire destroys historic mill in Oldmere"
    days = {"a": "2026-03-01", "b": None, "c": "2026-09-01", "d": "2026-03-05"}
    news = [Article(id, text, published=day, lang="en") for id, day in days.items()]
    found = [set(g.members) for g in find(news, detector="event")]
    assert len(found) == 2 and any({"a", "d"} <= members for members in found), found
    assert [set(g.members) for g in group(relate(news, detector="event"), grouping="majority", articles=news)] == found


@given(SCORES)
def test_the_certificate_names_a_link_inside_and_a_neighbour_outside(scores: dict[tuple[int, int], float]) -> None:
    relations = [Relation(str(a), str(b), Kind.SAME_EVENT, Overlap(s, s), "event", s) for (a, b), s in scores.items()]
    for each in group(relations, grouping="majority"):
        if len(each.members) > 1:
            assert each.weakest is not None
            assert {each.weakest.left, each.weakest.right} <= set(each.members)
        if each.nearest is not None:
            assert each.nearest.id not in each.members


@given(st.data(), st.integers(4, 5))
def test_two_dense_groups_are_joined_as_the_oracle_joins_them(data: st.DataObject, size: int) -> None:
    ids = [str(n) for n in range(2 * size)]
    scores = {}
    for x, y in combinations(ids, 2):
        one_side = (int(x) < size) == (int(y) < size)
        score = data.draw(st.sampled_from([0.9, 0.97, 0.99, 1.0] if one_side else [0.0, 0.5, 0.6, 0.7, 0.9]))
        if score:
            scores[x, y] = score
    relations = [Relation(x, y, Kind.SAME_EVENT, Overlap(s, s), "event", s) for (x, y), s in scores.items()]
    articles = [Article(id, f"{id} {'word ' * (20 - int(id))}") for id in ids]
    found = {g.representative: frozenset(g.members) for g in group(relations, grouping="majority", articles=articles)}
    assert found == majority(ids, links(relations, False))


def test_two_events_of_one_topic_stay_apart_and_the_certificate_says_so() -> None:
    """Most pairs between the two are related, and all of them are much weaker than those inside of either."""
    ids = "abcdefgh"
    sides = ids[:4], ids[4:]
    pairs = {(x, y): 0.97 if any(x in side and y in side for side in sides) else 0.6 for x, y in combinations(ids, 2)}

    def grouped(scores: dict[tuple[str, str], float]) -> list[Group]:
        return group(
            [Relation(x, y, Kind.SAME_EVENT, Overlap(s, s), "event", s) for (x, y), s in scores.items()],
            grouping="majority",
        )

    found = grouped(pairs)
    assert sorted(sorted(each.members) for each in found) == [list(side) for side in sides]
    assert [each.nearest and each.nearest.why for each in found] == ["same topic, another event"] * 2
    near = {pair: max(score, 0.9) for pair, score in pairs.items()}
    assert [sorted(each.members) for each in grouped(near)] == [sorted(ids)]
    few = {(x, y): score for (x, y), score in pairs.items() if "a" not in (x, y)}
    assert len(grouped(few)) == 1, "three articles say too little"
