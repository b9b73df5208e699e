"""What stands nearest outside a group, by its definition, against a slow and obvious way.

Articles open groups, best representative first. Of the candidates of a representative that are free when its turn comes
the one with the largest share is nearest; for a group of several, one that was taken before may be nearer: of those,
the one that shares most keys is looked at. So it does not matter how many articles are worked on together.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from samestory import Article, find, parse, prepare
from samestory.model import KINDS, Pairs
from tests.news import SENTENCES

JOINS = {"IDENTICAL", "NEAR", "PART_OF", "HAS_PART", "UPDATE", "SAME_EVENT"}


def slowly(articles: list[Article], spec: str) -> dict[str, tuple[str, str] | None]:
    """For every representative its nearest article, and its members by the way."""
    detector = parse(spec)
    features = prepare(articles)
    signatures = detector.sign(features)
    keys = [set(detector.keys(signatures)[row].tolist()) for row in range(len(articles))]
    links: dict[int, dict[int, tuple[str, float, int]]] = defaultdict(dict)
    for left in range(len(articles)):
        for right in range(len(articles)):
            shared, fewer = len(keys[left] & keys[right]), min(len(keys[left]), len(keys[right]))
            if left == right or not keys[left] or shared < detector.quorum(np.array([fewer]))[0] or not shared:
                continue
            pair = Pairs(np.array([left]), np.array([right]))
            if detector.admits(signatures, signatures, pair, np.array([shared]), np.array([fewer]))[0]:
                found = detector.compare(signatures, signatures, pair)
                share = float(max(found.forward[0], found.backward[0]))
                links[left][right] = (str(KINDS[found.kinds[0]]), share, shared)
    words = features.tokens.lengths()
    order = sorted(range(len(articles)), key=lambda row: (-words[row], articles[row].id))
    owner: dict[int, int] = {}
    out = {}
    for best in order:
        if best in owner:
            continue
        taken = {row for row in links[best] if row in owner}
        owner[best] = best
        free = sorted(set(links[best]) - taken)
        joined = [row for row in free if links[best][row][0] in JOINS]
        owner.update(dict.fromkeys(joined, best))
        near = max((row for row in free if row not in joined), key=lambda r: (links[best][r][1], -r), default=None)
        if joined and taken:
            known = max(taken, key=lambda r: (links[best][r][2], -r))
            if near is None or links[best][known][1] > links[best][near][1]:
                near = known
        out[articles[best].id] = None if near is None else (articles[near].id, round(links[best][near][1], 9))
    return out


@settings(max_examples=15)
@given(
    rows=st.lists(
        st.lists(st.sampled_from(range(len(SENTENCES))), min_size=1, max_size=5, unique=True),
        min_size=2,
        max_size=14,
        unique_by=tuple,
    )
)
def test_the_nearest_is_found_as_it_is_defined(rows: list[list[int]]) -> None:
    articles = [Article(f"a{at:02}", " ".join(SENTENCES[s] for s in row)) for at, row in enumerate(rows)]
    spec = "reuse(threshold=0.05, copy=0.1)"
    found: dict[str, Any] = {
        group.representative: group.nearest and (group.nearest.id, round(group.nearest.overlap.share, 9))
        for group in find(articles, detector=spec)
    }
    assert found == slowly(articles, spec)
