"""Groups straight from their definitions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from samestory import Article, Relation
from samestory._core import microseconds
from tests.reference.tokens import words

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


def links(relations: Iterable[Relation], join_parts: bool) -> dict[str, set[str]]:
    """Who is joined to whom."""
    out: dict[str, set[str]] = {}
    for relation in relations:
        if relation.kind in JOINING or (join_parts and relation.kind in PARTS):
            out.setdefault(relation.left, set()).add(relation.right)
            out.setdefault(relation.right, set()).add(relation.left)
    return out


def star(ranked: Sequence[str], joined: dict[str, set[str]]) -> Partition:
    """The best free article opens a group and takes all free articles related to it."""
    free, out = set(ranked), {}
    for article in ranked:
        if article in free:
            members = {article} | (joined.get(article, set()) & free)
            free -= members
            out[article] = frozenset(members)
    return out


def components(ranked: Sequence[str], joined: dict[str, set[str]]) -> Partition:
    """Whatever hangs together, under its best article."""
    free, out = set(ranked), {}
    for article in ranked:
        if article in free:
            members, front = {article}, [article]
            while front:
                front = [other for one in front for other in joined.get(one, set()) - members]
                members.update(front)
            free -= members
            out[article] = frozenset(members)
    return out


METHODS = {"star": star, "components": components}
