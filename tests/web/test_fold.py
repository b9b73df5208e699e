"""Folding: hits of any search engine in, groups out."""

from __future__ import annotations

from typing import Any

import httpx
from hypothesis import given
from hypothesis import strategies as st

from samestory import Choice, find, read, relate
from samestory.detectors import parse
from samestory.web.fold import fold
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
    told = [article for article in news if article.text.strip()]
    folded = fold(told, DETECTORS[:1])
    found = find(told, DETECTORS[0], choice=Choice("majority"))
    place = {article.id: at for at, article in enumerate(told)}
    assert {frozenset(members) for members in folded.groups} == {
        frozenset(place[id] for id in each.members) for each in found
    }


def test_the_demo_folds_to_the_stories_that_both_detectors_see() -> None:
    folded = fold(NEWS, DETECTORS)
    together = {frozenset(NEWS[at]["id"] for at in members) for members in folded.groups if len(members) > 1}
    assert frozenset(f"en-harbour-{n}" for n in range(1, 6)) in together
    both = {frozenset((each.left, each.right)) for detector in DETECTORS for each in relate(NEWS, detector)}
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
    told = client.post("/fold", json={"hits": [*NEWS[:8], 3]}).json()
    assert told["groups"][0]["hits"][:5] == [0, 1, 2, 3, 4]
    assert told["groups"][0]["ids"][0] == "en-harbour-1" and "NEAR" in told["groups"][0]["kinds"]
    assert told["rejected"][0]["number"] == 9
    assert client.get("/status.json").json()["articles"] == before
    assert client.post("/fold", json={"hits": []}).json() == {"groups": [], "rejected": []}
    assert client.post("/fold", json={"hits": [{}] * 1001}).status_code == 422
    assert client.post("/fold", json=[]).status_code == 422
