"""The laws of groups: two ways to the same groups, certificates that hold, and decisions that stand."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from samestory import (
    Article,
    DecisionError,
    Decisions,
    Group,
    GroupingOptions,
    InputError,
    Kind,
    Overlap,
    ParameterError,
    Relation,
    find,
    group,
    relate,
)
from samestory.groups import METHODS, REPRESENTATIVES
from tests.news import corpora
from tests.reference import groups as reference
from tests.reference.detector import SameWords

DETECTOR = "reuse(ceiling=0)"
EXAMPLES = settings(max_examples=12)
every_method = pytest.mark.parametrize("method", METHODS)
every_policy = pytest.mark.parametrize("policy", REPRESENTATIVES)


def partition(groups: list[Group]) -> reference.Partition:
    return {g.representative: frozenset(g.members) for g in groups}


def near(left: str, right: str, share: float = 0.9, kind: Kind = Kind.NEAR) -> Relation:
    return Relation(left, right, kind, Overlap(share, share), "reuse")


@every_method
@every_policy
@given(
    articles=corpora(),
    preferred=st.sampled_from([(), ("THE COAST",), ("Oldmere Post", "The Coast")]),
    parts=st.booleans(),
)
@EXAMPLES
def test_finding_is_relating_and_grouping(
    method: str, policy: str, articles: list[Article], preferred: tuple[str, ...], parts: bool
) -> None:
    choice = GroupingOptions(method, policy, preferred, parts)
    relations = relate(articles, detector=DETECTOR)
    found = find(articles, detector=DETECTOR, grouping=choice)
    made = group(relations, grouping=choice, articles=articles)
    expected = reference.made(method, articles, relations, policy, preferred, parts)
    assert partition(found) == partition(made) == expected
    if method == "star":
        shares = [{g.representative: g.weakest and g.weakest.overlap.share for g in some} for some in (found, made)]
        assert shares[0] == shares[1]


@every_method
@given(articles=corpora())
@EXAMPLES
def test_the_weakest_link_has_the_score_of_its_relation(method: str, articles: list[Article]) -> None:
    """It was always 0."""
    relations = relate(articles, detector=DETECTOR)
    scores = {frozenset((r.left, r.right)): r.score for r in relations}
    for groups in (
        find(articles, detector=DETECTOR, grouping=GroupingOptions(method)),
        group(relations, grouping=GroupingOptions(method), articles=articles),
    ):
        for link in filter(None, (g.weakest for g in groups)):
            assert link.score == scores[frozenset((link.left, link.right))] > 0


@every_method
@given(articles=corpora())
@EXAMPLES
def test_every_article_is_in_one_group_and_its_representative_is_a_member(method: str, articles: list[Article]) -> None:
    groups = find(articles, detector=DETECTOR, grouping=GroupingOptions(method))
    members = [member for g in groups for member in g.members]
    assert sorted(members) == sorted(article.id for article in articles)
    assert all(g.representative == g.members[0] for g in groups)


@given(articles=corpora(), parts=st.booleans())
@EXAMPLES
def test_every_member_of_a_star_is_related_to_its_representative(articles: list[Article], parts: bool) -> None:
    """The certificate: the weakest of the links that hold members.

    They are those to the representative; where that is text in common only, that to the best of the other members.
    """
    relations = {frozenset((r.left, r.right)): r for r in relate(articles, detector=DETECTOR)}
    joining = reference.JOINING | (reference.PARTS if parts else set())
    ranked = reference.order(articles, "longest")
    for g in find(articles, detector=DETECTOR, grouping=GroupingOptions(join_parts=parts)):
        links = [relations[frozenset((g.representative, member))] for member in g.members[1:]]
        direct = {m for m, link in zip(g.members[1:], links, strict=True) if link.kind in joining}
        for at, member in enumerate(g.members[1:]):
            if member not in direct:
                assert links[at].kind is Kind.SHARES_TEXT
                others = (relations.get(frozenset((member, other))) for other in ranked if other in direct)
                links[at] = next(link for link in others if link and link.kind in reference.JOINING)
        if not links:
            assert g.weakest is None
            continue
        assert g.weakest is not None
        assert g.weakest.overlap.share == min(link.overlap.share for link in links)
        relation = relations[frozenset((g.weakest.left, g.weakest.right))]
        assert relation.kind in (g.weakest.kind, g.weakest.kind.flipped)
        assert g.kind is g.weakest.kind


@given(articles=corpora())
@EXAMPLES
def test_no_article_outside_a_star_could_have_joined_it(articles: list[Article]) -> None:
    relations = {frozenset((r.left, r.right)): r for r in relate(articles, detector=DETECTOR)}
    groups = find(articles, detector=DETECTOR)
    home = {member: g for g in groups for member in g.members}
    for g in groups:
        if g.nearest is None:
            continue
        assert home[g.nearest.id] is not g
        relation = relations.get(frozenset((g.representative, g.nearest.id)))
        if g.nearest.why in ("below the threshold", "same template, other facts", "other facts"):
            assert relation is None
        elif g.nearest.why == "related in another way":
            assert relation is not None and relation.kind is Kind.SHARES_TEXT
        else:
            assert g.nearest.why == "in another group"
            assert relation is not None


@every_method
@every_policy
@given(articles=corpora(), shuffle=st.randoms(use_true_random=False))
@settings(max_examples=12)
def test_the_order_of_the_input_does_not_matter(
    method: str, policy: str, articles: list[Article], shuffle: random.Random
) -> None:
    shuffled = list(articles)
    shuffle.shuffle(shuffled)
    choice = GroupingOptions(method, policy)
    assert partition(find(articles, detector=DETECTOR, grouping=choice)) == partition(
        find(shuffled, detector=DETECTOR, grouping=choice)
    )


@st.composite
def decided(draw: st.DrawFn) -> tuple[list[Article], Decisions]:
    """Articles and decisions about them that do not contradict each other."""
    articles = draw(corpora(most=8))
    pairs = list(itertools.combinations([article.id for article in articles], 2))
    if not pairs:
        return articles, Decisions()
    words = draw(st.dictionaries(st.sampled_from(pairs), st.sampled_from(["same", "apart", "apart"]), max_size=5))
    chosen = {word: tuple(p for p, said in words.items() if said == word) for word in ("same", "apart")}
    try:
        return articles, Decisions(chosen["same"], chosen["apart"])
    except DecisionError:
        return articles, Decisions(chosen["same"])


@every_method
@given(case=decided())
@settings(max_examples=40)
def test_forced_pairs_share_a_group_and_forbidden_pairs_never_do(
    method: str, case: tuple[list[Article], Decisions]
) -> None:
    articles, decisions = case
    choice = GroupingOptions(method, decisions=decisions)
    for groups in (
        find(articles, detector=DETECTOR, grouping=choice),
        group(relate(articles, detector=DETECTOR), grouping=choice, articles=articles),
    ):
        home = {member: g.representative for g in groups for member in g.members}
        assert sorted(home) == sorted(article.id for article in articles)
        for left, right in decisions.same:
            assert home[left] == home[right]
        for left, right in decisions.apart:
            assert home[left] != home[right]


@every_method
@given(case=decided(), shuffle=st.randoms(use_true_random=False))
@settings(max_examples=40)
def test_with_decisions_too_the_order_of_the_input_does_not_matter(
    method: str, case: tuple[list[Article], Decisions], shuffle: random.Random
) -> None:
    articles, decisions = case
    shuffled = list(articles)
    shuffle.shuffle(shuffled)
    choice = GroupingOptions(method, decisions=decisions)
    assert partition(find(articles, detector=DETECTOR, grouping=choice)) == partition(
        find(shuffled, detector=DETECTOR, grouping=choice)
    )


@every_method
def test_which_of_two_forbidden_articles_joins_does_not_depend_on_the_order_of_the_input(method: str) -> None:
    """Both b and c would join a: which one does must not depend on which was read first."""
    text = "The council of Oldmere voted on Monday to rebuild the wooden pier before the storms arrive"
    news = [Article("a", f"{text} again this winter."), Article("b", text), Article("c", f"{text} again.")]
    choice = GroupingOptions(method, decisions=Decisions(apart=(("b", "c"),)))
    results = {frozenset(partition(find(some, grouping=choice)).items()) for some in itertools.permutations(news)}
    assert len(results) == 1


@every_method
def test_a_forced_pair_does_not_bring_together_what_was_forbidden(method: str) -> None:
    """a~c and b~d were measured; a decision says that a and b are one story, and another that c and d are not."""
    decisions = Decisions(same=(("a", "b"),), apart=(("c", "d"),))
    groups = group([near("a", "c"), near("b", "d")], grouping=GroupingOptions(method, decisions=decisions))
    home = {member: g.representative for g in groups for member in g.members}
    assert home["a"] == home["b"]
    assert home["c"] != home["d"]


@every_method
def test_a_forbidden_pair_is_the_reason_on_the_certificate(method: str) -> None:
    groups = group([near("a", "b")], grouping=GroupingOptions(method, decisions=Decisions(apart=(("b", "a"),))))
    assert {frozenset(g.members) for g in groups} == {frozenset("a"), frozenset("b")}
    assert "decided to be apart" in {g.nearest.why for g in groups if g.nearest}


def test_a_forced_group_says_so_and_a_decision_about_strangers_is_passed_over() -> None:
    decisions = Decisions(same=(("a", "b"), ("a", "stranger")), apart=(("b", "absent"),))
    (only,) = find(
        [Article("a", "one thing"), Article("b", "another matter")], grouping=GroupingOptions(decisions=decisions)
    )
    assert (set(only.members), only.forced, only.weakest) == ({"a", "b"}, True, None)


@pytest.mark.parametrize(
    ("same", "apart"),
    [
        ([("a", "b")], [("b", "a")]),
        ([("a", "b"), ("b", "c")], [("a", "c")]),
        ([("a", "b"), ("c", "d"), ("b", "c")], [("d", "a")]),
    ],
)
def test_decisions_that_contradict_each_other_are_refused(
    same: list[tuple[str, str]], apart: list[tuple[str, str]]
) -> None:
    with pytest.raises(DecisionError):
        Decisions(tuple(same), tuple(apart))


@pytest.mark.parametrize(("left", "right"), [("a", "a"), ("", "a"), ("a", " "), ("a", None)])
def test_a_relation_is_between_two_articles(left: str, right: str) -> None:
    with pytest.raises(InputError, match=r"^relation 2: (id: expected a text|expected two articles), got"):
        group([near("a", "b"), near(left, right)])


def test_chains_do_not_grow_in_a_star_and_do_in_components() -> None:
    chain = [near(f"{n:02}", f"{n + 1:02}") for n in range(30)]
    (whole,) = group(chain, grouping="components")
    assert len(whole.members) == 31
    stars = group(chain)
    assert max(len(g.members) for g in stars) == 3
    linked = {frozenset((r.left, r.right)) for r in chain}
    for star in stars:
        assert all(frozenset((star.representative, other)) in linked for other in star.members[1:])


def test_parts_join_unless_they_are_to_stay_apart() -> None:
    relations = [near("part", "whole", 0.8, Kind.PART_OF)]
    apart = group(relations, grouping=GroupingOptions(join_parts=False))
    assert {g.members for g in apart} == {("part",), ("whole",)}
    assert {g.nearest.why for g in apart if g.nearest} == {"related in another way"}
    (joined,) = group(relations)
    assert set(joined.members) == {"part", "whole"}


def test_passages_in_common_never_join() -> None:
    relations = [near("one", "other", 0.8, Kind.SHARES_TEXT)]
    for choice in (GroupingOptions(), GroupingOptions("components"), GroupingOptions("majority")):
        assert {g.members for g in group(relations, grouping=choice)} == {("one",), ("other",)}


def test_an_article_that_shares_text_joins_with_the_copy_of_it_that_is_a_member() -> None:
    def shares(left: str, right: str, score: float, share: float = 0.6) -> Relation:
        return Relation(left, right, Kind.SHARES_TEXT, Overlap(share, share), "reuse()", score)

    held = [near("best", "copy"), near("copy", "other"), near("best", "third")]
    (joined,) = group([*held, shares("best", "other", 0.6)])
    assert set(joined.members) == {"best", "copy", "third", "other"}
    assert joined.weakest is not None and {joined.weakest.left, joined.weakest.right} <= {
        "best",
        "copy",
        "third",
        "other",
    }
    for doubt in ([], [shares("best", "other", 0.4)], [shares("best", "other", 0.9, share=0.4)]):
        assert ("other",) in {g.members for g in group([*held, *doubt])}
    # two stories may hold one brief
    brief = [near("brief", "best", kind=Kind.PART_OF), near("brief", "other", kind=Kind.PART_OF)]
    assert len(group([*brief, shares("best", "other", 0.9)])) == 2
    # only members of the star itself stand for others: no chain grows
    chain = [*held, near("other", "last"), shares("best", "other", 0.6), shares("best", "last", 0.6)]
    assert ("last",) in {g.members for g in group(chain)}


def test_an_article_taken_by_another_group_is_the_nearest_of_its_second_choice() -> None:
    relations = [near("hub", "x"), near("hub", "y"), near("hub", "middle"), near("middle", "other"), near("other", "z")]
    groups = {g.representative: g for g in group(relations)}
    assert set(groups["hub"].members) == {"hub", "x", "y", "middle"}
    assert set(groups["other"].members) == {"other", "z"}
    nearest = groups["other"].nearest
    assert nearest is not None and (nearest.id, nearest.why) == ("middle", "in another group")


def test_the_policies_choose_the_representative() -> None:
    text = "The council of Oldmere voted on Monday to rebuild the wooden pier before the storms arrive"
    news = [
        Article("long", f"{text} this winter.", published="2026-03-02", source="Post"),
        Article("first", f"{text}.", published="2026-03-01", source="Coast"),
        Article("last", f"{text}!", published="2026-03-03", source="Echo"),
        Article("undated", f"{text}?", source="Mirror"),
    ]
    for policy, expected in {"longest": "long", "earliest": "first", "latest": "last"}.items():
        (only,) = find(news, grouping=GroupingOptions(representative=policy))
        assert only.representative == expected
        assert len(only.members) == 4
    for preferred, expected in {("mirror ",): "undated", ("Absent", "ECHO", "Post"): "last"}.items():
        (only,) = find(news, grouping=GroupingOptions(prefer=preferred))
        assert only.representative == expected


@every_method
@given(articles=corpora(), cut=st.integers(0, 8))
@EXAMPLES
def test_new_against_old_gives_groups_that_hold_something_new(method: str, articles: list[Article], cut: int) -> None:
    old, new = articles[:cut], articles[cut:]
    fresh = {article.id for article in new}
    choice = GroupingOptions(method)
    relations = relate(new, detector=DETECTOR, against=old)
    expected = {
        representative: members
        for representative, members in reference.made(method, articles, relations).items()
        if members & fresh
    }
    assert partition(find(new, detector=DETECTOR, against=old, grouping=choice)) == expected


@given(articles=corpora(), cut=st.integers(0, 8))
@EXAMPLES
def test_a_detector_in_python_finds_groups_too(articles: list[Article], cut: int) -> None:
    old, new = articles[:cut], articles[cut:]
    relations = relate(new, detector=SameWords(), against=old)
    stars = reference.made("star", articles, relations)
    fresh = {article.id for article in new}
    found = find(new, detector=SameWords(), against=old)
    assert partition(found) == {rep: members for rep, members in stars.items() if members & fresh}


@pytest.mark.parametrize("choice", [{"method": "tree"}, {"representative": "shortest"}])
def test_a_method_or_representative_that_does_not_exist_is_refused(choice: dict[str, str]) -> None:
    with pytest.raises(ParameterError, match="must be one of"):
        GroupingOptions(**choice)  # type: ignore[arg-type]


def test_many_groups_are_the_same_for_any_number_of_threads(tmp_path_factory: pytest.TempPathFactory) -> None:
    """More free articles than are looked at together, so that some are taken while others are asked about."""
    from samestory.readers import ROLES
    from samestory.run import Run
    from tests.news import plain_words

    draw = random.Random(3)
    stories = [plain_words(60, f"s{n}y").split() for n in range(150)]
    articles = []
    for number in range(900):
        words = list(draw.choice(stories))
        for _ in range(draw.randint(0, 6)):
            words[draw.randrange(60)] = f"edit{draw.randrange(500)}"
        articles.append(Article(f"n{number:03}", " ".join(words[: draw.randint(30, 60)])))
    rows = [[getattr(article, role) for role in ROLES] for article in articles]
    results = []
    for threads in (1, 2, 4):
        run = Run(replace(_reuse(), ceiling=0), threads=threads)
        run.add("articles", rows)
        ids = run.corpus.articles().ids
        results.append(
            {ids[row.representative]: frozenset(ids[m] for m in row.members) for row in run.groups(GroupingOptions())}
        )
    assert results[0] == results[1] == results[2]
    expected = reference.made("star", articles, relate(articles, detector=DETECTOR))
    assert results[0] == expected
    assert len(expected) > 130


def _reuse():  # type: ignore[no-untyped-def]
    from samestory import Reuse

    return Reuse()


def test_components_follow_the_relations_of_every_article_that_was_decided_to_be_the_same() -> None:
    """The best representative of a decided pair need not be its first article."""
    first, longest, copy = Article("a", "one two"), Article("b", "one two three four"), Article("c", "one two five")
    near = Relation("c", "a", Kind.NEAR, Overlap(0.9, 0.9), "reuse")
    choice = GroupingOptions("components", decisions=Decisions(same=(("a", "b"),)))
    groups = group([near], grouping=choice, articles=[first, longest, copy])
    assert [sorted(found.members) for found in groups] == [["a", "b", "c"]]
    assert groups[0].representative == "b"
