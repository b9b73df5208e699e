"""Groups straight from their definitions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations, product
from math import log
from statistics import fmean
from typing import Any

from samestory import Article, Relation
from samestory._core.engine import microseconds
from tests.reference.tokens import words

#: What joins a group; passages in common do not by themselves.
JOINING = {"IDENTICAL", "NEAR", "UPDATE", "SAME_EVENT"}
PARTS = {"PART_OF", "HAS_PART"}

Partition = dict[str, frozenset[str]]  # members by representative


def order(articles: Sequence[Article], policy: str, preferred: Sequence[str] = ()) -> list[str]:
    """Ids, best representative first: preferred sources, the policy, length, id."""
    liked = [source.strip().lower() for source in preferred]

    def rank(article: Article) -> tuple[int, float, int, str]:
        source = (article.source or "").strip().lower()
        place = liked.index(source) if source in liked else len(liked)
        at = microseconds(article.published) if article.published else None
        when = 0.0
        if policy != "longest":
            when = float("inf") if at is None else float(at if policy == "earliest" else -at)
        return place, when, -len(words(article.text)), article.id

    return [article.id for article in sorted(articles, key=rank)]


Links = dict[str, dict[str, float]]  # scores by the two articles


def links(relations: Iterable[Relation], join_parts: bool = True) -> Links:
    """Who is joined to whom, and how strongly."""
    return _links(relation for relation in relations if relation.kind in JOINING | (PARTS if join_parts else set()))


def doubtful(relations: Iterable[Relation]) -> Links:
    """Who shares text with whom, half of it at least, and is more likely than not a copy."""
    return _links(r for r in relations if r.kind == "SHARES_TEXT" and r.score >= 0.5 and r.overlap.share >= 0.5)


def _links(relations: Iterable[Relation]) -> Links:
    out: Links = {}
    for relation in relations:
        out.setdefault(relation.left, {})[relation.right] = relation.score
        out.setdefault(relation.right, {})[relation.left] = relation.score
    return out


def star(ranked: Sequence[str], joined: Links, doubted: Links, copied: Links) -> Partition:
    """The best free article opens a group and takes all free articles related to it.

    With them come those that share text with it and are copies of one of these.
    """
    free, out = set(ranked), {}
    for article in ranked:
        if article in free:
            taken = joined.get(article, {}).keys() & free
            doubts = doubted.get(article, {}).keys() & free
            members = {article} | taken | {other for other in doubts if copied.get(other, {}).keys() & taken}
            free -= members
            out[article] = frozenset(members)
    return out


def components(ranked: Sequence[str], joined: Links) -> Partition:
    """Whatever hangs together, under its best article."""
    free, out = set(ranked), {}
    for article in ranked:
        if article in free:
            members, front = {article}, [article]
            while front:
                front = [other for one in front for other in joined.get(one, {}).keys() - members]
                members.update(front)
            free -= members
            out[article] = frozenset(members)
    return out


def odds(score: float) -> float:
    """The log odds of a related pair; 0.2 stands for one that is not related."""
    score = min(max(score, 0.001), 0.999)
    return log(score / (1 - score))


def are_one_topic(one: Iterable[str], other: Iterable[str], score: Callable[[str, str], float | None]) -> bool:
    """Are the pairs between two groups much weaker than those inside of either? Copies, of score 1, do not count."""

    def mean(pairs: Iterable[tuple[str, str]]) -> float | None:
        found = [score(a, b) for a, b in pairs]
        known = [odds(0.2 if each is None else each) for each in found if each is None or each < 1]
        return fmean(known) if known else None

    means = mean(combinations(one, 2)), mean(combinations(other, 2)), mean(product(one, other))
    left, right, between = means
    return left is not None and right is not None and between is not None and between < min(left, right) - 1.4


def majority(
    ranked: Sequence[str],
    joined: Links,
    start: Iterable[frozenset[str]] = (),
    far: Callable[[frozenset[str], frozenset[str]], bool] = lambda one, other: False,
    like: Callable[[str], Any] = lambda article: article,
) -> Partition:
    """Joins, again and again, the two groups with the greatest mean of those of which most pairs are related.

    `start`: those that belong together from the beginning. `far`: do two groups lie too far apart to be joined?
    `like`: the same for copies.
    """
    place = {article: at for at, article in enumerate(ranked)}
    groups = list(start) or [frozenset({article}) for article in ranked]
    articles = {members: len(set(map(like, members))) for members in groups}  # without copies

    def rank(members: frozenset[str]) -> int:
        return min(place[article] for article in members)

    def topic(one: frozenset[str], other: frozenset[str]) -> bool:
        large = min(articles[one], articles[other]) >= 4
        return large and are_one_topic(one, other, lambda a, b: 1 if like(a) == like(b) else joined.get(a, {}).get(b))

    while True:
        offers = []
        for one, other in combinations(groups, 2):
            scores = [joined[a][b] for a in one for b in other if b in joined.get(a, {})]
            most = 2 * len(scores) > len(one) * len(other)
            if most and not far(one, other) and not topic(one, other):
                mean = round(sum(scores) / (len(one) * len(other)), 9)
                offers.append((-mean, *sorted((rank(one), rank(other))), one, other))
        if not offers:
            return {ranked[rank(members)]: members for members in groups}
        *_, one, other = min(offers, key=lambda offer: offer[:3])
        groups = [members for members in groups if members not in (one, other)] + [one | other]
        between = {joined.get(a, {}).get(b) for a in one for b in other}
        count = max if between == {1.0} else sum
        articles[one | other] = count((articles[one], articles[other]))


def made(
    method: str, articles: Sequence[Article], relations: Sequence[Relation], policy: str = "longest",
    preferred: Sequence[str] = (), join_parts: bool = True,
) -> Partition:  # fmt: skip
    """The groups of articles with these relations."""
    ranked, joined = order(articles, policy, preferred), links(relations, join_parts)
    if method == "star":
        return star(ranked, joined, doubtful(relations), links(relations, False))
    return components(ranked, joined) if method == "components" else majority(ranked, joined)
