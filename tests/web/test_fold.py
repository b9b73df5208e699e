"""Folding: the hits of any search engine are grouped by story."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from time import process_time
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from samestory import find, group, read, relate
from samestory.detectors import parse
from samestory.model import Kind, Relation
from samestory.readers.objects import article as read_one
from samestory.web.fold import _any_article, _usual_article, fold
from tests.conftest import DEMO
from tests.news import SENTENCES, corpora

DETECTORS = [parse("reuse"), parse("event")]
NEWS = [
    {name: getattr(each, name) for name in each.__slots__ if getattr(each, name) is not None}
    for each in read(DEMO / "news.jsonl")
]

_values = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=True) | st.text(max_size=20)
_anything = st.recursive(
    _values, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner)
)
_texts = st.sampled_from(["", " ", "a", "Ferry sinks", "It sank.", "x\ty", "a\x1b", "\ud800", "söz"])
_usual_hits = st.dictionaries(
    st.sampled_from(["id", "_id", "title", "Title", "headline", "text", "snippet", "summary", "url", "link", "date"]),
    _texts,
)
_hits = st.one_of(
    _anything,
    st.fixed_dictionaries(
        {},
        optional={
            "id": _values,
            "title": _values,
            "snippet": _values,
            "text": st.sampled_from(SENTENCES),
            "Description": _values,
            "url": st.text(max_size=10),
        },
    ),
)


@given(st.lists(_hits, max_size=8))
def test_every_hit_is_in_one_group_whatever_it_is(hits: list[Any]) -> None:
    folded = fold(hits, DETECTORS)
    assert sorted(place for members in folded.groups for place in members) == list(range(len(hits)))
    assert all(members == sorted(members) for members in folded.groups)
    assert [members[0] for members in folded.groups] == sorted(members[0] for members in folded.groups)
    assert len(folded.ids) == len(hits) and len(folded.kinds) == len(folded.groups)
    for number, why in folded.rejected:
        assert [number - 1] in folded.groups and why


@given(corpora())
def test_one_detector_folds_as_find_groups(news: list[Any]) -> None:
    # exact copies are folded together regardless of their dates
    known = [replace(article, published=None) for article in news if article.text.strip()]
    folded = fold(known, DETECTORS[:1])
    found = find(known, detector=DETECTORS[0], grouping="majority")
    place = {article.id: at for at, article in enumerate(known)}
    assert {frozenset(members) for members in folded.groups} == {
        frozenset(place[id] for id in each.members) for each in found
    }


def as_before(hits: list[Any]) -> tuple[set[frozenset[int]], list[set[Kind]]]:
    """Group all relations by majority; of a pair that several detectors relate, the first relation counts."""
    articles = [replace(read_one(hit, at + 1), id=str(at)) for at, hit in enumerate(hits)]
    found: dict[frozenset[str], Relation] = {}
    for detector in DETECTORS:
        for each in relate(articles, detector=detector):
            found.setdefault(frozenset((each.left, each.right)), each)
    joined = [frozenset(map(int, each.members)) for each in group(found.values(), grouping="majority")]
    alone = set(range(len(hits))) - {at for members in joined for at in members}
    groups = {*joined, *(frozenset([at]) for at in alone)}
    inside = [{r.kind for r in found.values() if {int(r.left), int(r.right)} <= members} for members in groups]
    return groups, inside


@given(corpora())
def test_two_detectors_fold_as_all_that_they_find_is_grouped(news: list[Any]) -> None:
    hits = list({(each.title, each.text): each for each in news if each.text.strip()}.values())
    folded = fold(hits, DETECTORS)
    wanted = dict(zip(*as_before(hits), strict=True))
    assert dict(zip(map(frozenset, folded.groups), map(set, folded.kinds), strict=True)) == wanted


def near_copies(count: int, words: int) -> list[str]:
    random = Random(1)
    base = [random.choice(" ".join(SENTENCES).split()) for _ in range(words)]
    out = []
    for _ in range(count):
        own = list(base)
        for _ in range(2):
            own[random.randrange(words)] = f"w{random.randrange(10**6)}"
        out.append(" ".join(own))
    return out


def test_a_thousand_near_copies_are_one_group_and_soon_folded() -> None:
    began = process_time()
    folded = fold([*near_copies(1000, 200), SENTENCES[0]], DETECTORS)
    assert folded.groups == [list(range(1000)), [1000]] and Kind.NEAR in folded.kinds[0]
    assert process_time() - began < 10  # all pairs took a minute


def test_a_list_that_is_too_much_work_is_folded_by_its_best_hits(monkeypatch: pytest.MonkeyPatch) -> None:
    near = near_copies(12, 80)
    hits = [NEWS[0], near[0], *NEWS[1:6], *near[1:], near[0]]
    monkeypatch.setattr("samestory.web.fold.MAX_COMPARED_ELEMENTS", 2000)
    folded = fold(hits, DETECTORS)
    assert sorted(place for members in folded.groups for place in members) == list(range(len(hits)))
    assert [members[0] for members in folded.groups] == sorted(members[0] for members in folded.groups)
    assert [1, *range(7, len(hits))] in folded.groups
    assert Kind.IDENTICAL in folded.kinds[folded.groups.index([1, *range(7, len(hits))])]


def test_the_demo_folds_to_the_stories_that_both_detectors_see() -> None:
    folded = fold(NEWS, DETECTORS)
    together = {frozenset(NEWS[at]["id"] for at in members) for members in folded.groups if len(members) > 1}
    assert frozenset(f"en-harbour-{n}" for n in range(1, 6)) in together
    both = {frozenset((each.left, each.right)) for detector in DETECTORS for each in relate(NEWS, detector=detector)}
    for members in together:
        assert all(any(frozenset((one, other)) in both for other in members) for one in members)


def test_a_title_or_a_snippet_is_enough_and_two_hits_may_have_one_id() -> None:
    text = NEWS[0]["text"]
    hits = [
        {"id": "x", "title": "Quay to close", "snippet": text},
        {"id": "x", "Description": text, "link": "https://a.example/1"},
        {"id": "y", "text": "", "summary": text},
        {"title": SENTENCES[0]},
        {"headline": SENTENCES[0], "text": None},
        SENTENCES[0],
        {"title": " "},
        {},
        None,
    ]
    folded = fold(hits, DETECTORS)
    assert folded.groups == [[0, 1, 2], [3, 4, 5], [6], [7], [8]]
    assert folded.ids[:4] == ["x", "x", "y", None]
    assert [number for number, _ in folded.rejected] == [7, 8, 9]


def test_folding_over_the_web_needs_no_token_and_keeps_nothing(client: httpx.Client) -> None:
    before = client.get("/status.json").json()["articles"]
    body = client.post("/fold", json={"hits": [*NEWS[:8], 3]}).json()
    assert body["groups"][0]["hits"][:5] == [0, 1, 2, 3, 4]
    assert body["groups"][0]["ids"][0] == "en-harbour-1" and "NEAR" in body["groups"][0]["kinds"]
    assert body["rejected"][0]["number"] == 9
    assert client.get("/status.json").json()["articles"] == before
    assert client.post("/fold", json={"hits": []}).json() == {"groups": [], "rejected": []}
    assert client.post("/fold", json={"hits": [{}] * 1001}).status_code == 422
    assert client.post("/fold", json=[]).status_code == 422


@given(_usual_hits)
def test_usual_hits_become_the_articles_that_the_reader_makes_of_them(hit: dict[str, str]) -> None:
    usual = _usual_article(hit, 4)
    assert usual is None or usual == _any_article(hit, 4)


def test_a_usual_hit_does_not_need_the_reader() -> None:
    """Hits of search engines have a title, a snippet and a URL, often an id, a date and a source."""
    hit = {"title": "Quay to close", "description": "The quay closes on Monday.", "link": "http://a/1", "rank": 3}
    assert _usual_article(hit, 0) == _any_article(hit, 0)
    assert _usual_article({**hit, "id": "x", "date": "2026-03-01", "source": "Ada"}, 0) is not None
