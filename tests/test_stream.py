"""Groups of a stream: numbers stay, changes tell all that happened, and every group has its majority."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from samestory import Article, Index, NotFittedError, ParameterError, Stream, parse, prepare
from samestory.database import connect
from samestory.index.durable import Durable
from samestory.readers import articles as take
from samestory.stream import Change
from tests.conftest import ROOT
from tests.reference.stream import SlowStream

FIRE = ["Fire destroys historic mill in Oldmere", "Oldmere's historic mill destroyed by fire", "Mill fire in Oldmere"]
#: Short texts of few words: many pairs are related, some are not, and chains come about.
WORDS = ["harbour", "Oldmere", "council", "storm", "ferry", "budget", "mill", "Eastholm"]
TEXTS = st.lists(st.lists(st.sampled_from(WORDS), min_size=2, max_size=5).map(" ".join), min_size=1, max_size=12)


def news(texts: list[str], **more: Any) -> list[dict[str, Any]]:
    return [{"id": f"a{n}", "text": text, "lang": "en", **more} for n, text in enumerate(texts)]


def replayed(changes: list[Change], groups: dict[int, set[str]] | None = None) -> dict[int, set[str]]:
    """The groups that follow from the changes alone."""
    groups = {} if groups is None else groups
    for change in changes:
        match change.what:
            case "opened":
                assert change.group not in groups
                groups[change.group] = set(change.articles)
            case "joined":
                groups[change.group] |= set(change.articles)
            case "merged":
                assert change.other is not None
                groups[change.group] |= groups.pop(change.other)
            case "split":
                assert change.other is not None
                groups[change.group] -= set(change.articles)
                groups[change.other] = set(change.articles)
            case "left":
                groups[change.group] -= set(change.articles)
            case "closed":
                assert groups.pop(change.group) == set(change.articles)
    return groups


def as_sets(stream: Stream) -> dict[int, set[str]]:
    return {number: set(members) for number, members in stream.groups().items()}


def test_a_group_keeps_its_number_while_it_grows() -> None:
    stream = Stream()
    first = stream.add([{"id": "x", "text": "Museum of Eastholm shows Roman coins", "lang": "en"}])
    assert [str(change) for change in first] == ["x opened group 1"]
    changes = [stream.add([item]) for item in news(FIRE)]
    assert [[change.what for change in some] for some in changes] == [["opened"], ["joined"], ["joined"]]
    assert stream.groups() == {1: ("x",), 2: ("a0", "a1", "a2")}
    assert stream.group_of("a2") == 2
    assert stream.group_of("absent") is None


def test_an_article_that_comes_again_takes_the_place_of_the_old_one() -> None:
    stream = Stream()
    stream.add(news(FIRE))
    (left, opened) = stream.add([{"id": "a1", "text": "Museum of Eastholm shows Roman coins", "lang": "en"}])
    assert (left.what, opened.what) == ("left", "opened")
    assert sorted(map(sorted, stream.groups().values())) == [["a0", "a2"], ["a1"]]


def test_old_articles_are_forgotten_and_their_groups_go_on() -> None:
    stream = Stream("event(days=30)")
    days = ["2026-03-01", "2026-03-02", "2026-03-03"]
    stream.add([dict(item, published=day) for item, day in zip(news(FIRE), days, strict=True)])
    changes = stream.expire(datetime(2026, 3, 3, tzinfo=UTC))
    assert [change.what for change in changes] == ["left", "left"]
    assert stream.groups() == {1: ("a2",)}
    assert [change.what for change in stream.expire(datetime(2027, 1, 1))] == ["closed"]
    assert stream.groups() == {}


def test_copies_are_one_to_the_comparison() -> None:
    stream = Stream(window=timedelta(days=7))
    times = [f"2026-03-01T{hour:02}:{minute:02}:00Z" for hour in range(24) for minute in range(0, 60, 5)]
    copies = [{"id": f"c{n}", "text": FIRE[0], "lang": "en", "published": time} for n, time in enumerate(times)]
    other = {"id": "other", "text": FIRE[1], "lang": "en", "published": "2026-03-01"}
    changes = stream.add([other, *copies[::-1]])
    assert [change.what for change in changes] == ["opened"] + ["joined"] * len(copies)
    articles, different, _ = stream._native.sizes
    assert (articles, different) == (len(copies) + 1, 2)
    assert [change.what for change in stream.remove([c["id"] for c in copies[1:]])] == ["left"] * (len(copies) - 1)
    assert stream.groups() == {1: ("other", "c0")}


def test_a_copy_goes_where_its_like_is_but_not_into_another_window() -> None:
    copies = [dict(item, published=f"2026-03-0{n + 1}") for n, item in enumerate(news([FIRE[0]] * 3))]
    apart = Stream("reuse", window=timedelta(days=1))
    apart.add([copies[0], copies[2]])
    assert apart.groups() == {1: ("a0",), 2: ("a2",)}
    assert [str(change) for change in apart.add([copies[1]])] == ["a1 joined group 1"]
    last = dict(copies[1], id="a3")
    assert [str(change) for change in apart.add([last])] == ["a3 joined group 1", "group 2 became part of group 1"]


def test_what_is_gone_leaves_nothing_behind() -> None:
    stream = Stream()
    stream.add([dict(item, published="2026-03-01") for item in news(FIRE * 20)])
    stream.add([{"id": "x", "text": FIRE[0], "lang": "en"}])
    stream.expire(datetime(2026, 4, 1, tzinfo=UTC))
    assert (stream.groups(), len(stream)) == ({1: ("x",)}, 1)
    stream.remove(["x"])
    assert (stream.groups(), stream._native.sizes) == ({}, [0, 0, 0])


def test_what_was_in_a_store_before_is_in_no_group(tmp_path: Path) -> None:
    store = Durable(connect(str(tmp_path / "store.db")))
    Index(parse("event"), store).add(prepare([Article("old", FIRE[0], lang="en")]))
    stream = Stream("event", store)
    stream.add(news(FIRE[:2]))
    assert stream.groups() == {1: ("a0", "a1")}
    assert stream.group_of("old") is None


def test_a_window_is_a_stretch_of_time_and_ids_are_a_list() -> None:
    with pytest.raises(ParameterError, match="window: expected a timedelta"):
        Stream(window=timedelta(days=-1))
    with pytest.raises(ParameterError, match="ids: expected a list"):
        Stream().remove("a1")  # type: ignore[arg-type]


@pytest.mark.parametrize("spec", ["event", "reuse"])
def test_whole_items_of_news_give_what_the_slow_way_gives(spec: str) -> None:
    lines = (ROOT / "benchmarks" / "hard_news" / "en" / "docs.jsonl").read_text(encoding="utf-8").splitlines()
    items = take([json.loads(line) for line in lines[:150]])
    stream, slow = Stream(spec), SlowStream(parse(spec))
    for start in range(0, len(items), 15):
        batch = items[start : start + 15]
        assert stream.add(batch) == slow.add(batch)
    assert stream.groups() == slow.groups()
    assert len(stream.groups()) < len(items)


def test_a_detector_that_must_count_first_is_refused() -> None:
    with pytest.raises(NotFittedError, match="cosine"):
        Stream("cosine")


#: Words in a row; a text is a stretch of them: those that begin near each other are related, and chains come about.
ROW = [*WORDS, "pier", "lighthouse", "tender", "Brandt", "planks", "winter"]
STRETCHES = st.tuples(st.integers(0, 9), st.integers(3, 5)).map(lambda at: " ".join(ROW[at[0] : sum(at)]))
#: Among them two that lie a day and an hour apart with a whole day between their dates.
HOURS = ["01T00:00", "01T05:00", "01T23:59", "02T04:00", "03T01:00", "09T00:00"]
MOMENTS = [None, *(f"2026-03-{at}:00Z" for at in HOURS)]
ARTICLES = st.builds(
    Article,
    id=st.sampled_from("abcdefghijklmn"),
    text=STRETCHES | st.sampled_from(["", "storm", *FIRE]),
    # most lie near each other
    published=st.sampled_from(MOMENTS[1:4] + MOMENTS),
    source=st.sampled_from([None, "one", "two"]),
    lang=st.just("en"),
)
BATCHES = st.lists(ARTICLES, min_size=3, max_size=10, unique_by=lambda article: article.id)
LIMITS = st.sampled_from([datetime(2026, 3, 1, 12), datetime(2026, 3, 2), datetime(2027, 1, 1)])
STEPS = st.lists(
    st.tuples(st.just("add"), BATCHES)
    | st.tuples(st.just("remove"), st.lists(st.sampled_from("abcdefghijklmnx"), max_size=4))
    | st.tuples(st.just("expire"), LIMITS),
    max_size=8,
)
WINDOWS = st.sampled_from([None, None, *(timedelta(hours=hours) for hours in (0, 1, 20, 30, 24 * 8))])
#: By events, by passages with parts and copies, by sketches, by all words: the last two have many relations.
SPECS = [
    "event(threshold=0.2)",
    "event(days=1, threshold=0.3)",
    "event(ceiling=1000, threshold=0.2)",
    "reuse(ceiling=0, shingle=1, threshold=0.2, copy=0.3)",
    "ffp(shingle=1, stop_words=False, threshold=0.5)",
    "minhash(bands=16, rows=1, shingle=1, threshold=0.3)",
    "resemblance(shingle=1, threshold=0.3)",
]


def history(seed: int) -> list[tuple[str, Any]]:
    """A long one, of articles that are much alike, some of them new versions, and some taken back."""
    draws = Random(seed)
    steps: list[tuple[str, Any]] = []
    for _ in range(25):
        ids = draws.sample("abcdefghijklmnopqrst", draws.randint(1, 5))
        if draws.random() < 0.3:
            steps.append(("remove", ids[:2]))
        elif draws.random() < 0.05:
            steps.append(("expire", datetime(2026, 3, 1, 12)))
        else:
            starts = [(id, draws.randrange(7), draws.randint(3, 5)) for id in ids]
            batch = [Article(id, " ".join(ROW[start : start + length]), lang="en") for id, start, length in starts]
            where = [(draws.choice(MOMENTS[1:6]), draws.choice([None, "one", "two"])) for _ in ids]
            dated = zip(batch, where, strict=True)
            steps.append(("add", [replace(new, published=when, source=source) for new, (when, source) in dated]))
    return steps


def same(stream: Stream, slow: SlowStream, steps: list[tuple[str, Any]]) -> None:
    for what, taken in steps:
        assert getattr(stream, what)(taken) == getattr(slow, what)(taken), (what, taken)
        assert stream.groups() == slow.groups()
    assert len(stream) == len(slow.times)


@pytest.mark.parametrize("spec", SPECS)
@settings(max_examples=25)
@given(steps=STEPS, window=WINDOWS)
def test_any_history_gives_what_the_slow_way_gives(
    spec: str, steps: list[tuple[str, Any]], window: timedelta | None
) -> None:
    same(Stream(spec, window=window), SlowStream(parse(spec), window), steps)


@pytest.mark.parametrize("spec", SPECS)
@settings(max_examples=15)
@given(seed=st.integers(0, 2**32), window=WINDOWS)
def test_so_does_a_long_history(spec: str, seed: int, window: timedelta | None) -> None:
    same(Stream(spec, window=window), SlowStream(parse(spec), window), history(seed))


def test_long_histories_have_it_all() -> None:
    """Else they would prove nothing."""
    stream = Stream("resemblance(shingle=1, threshold=0.3)")
    kinds = [
        change.what for seed in range(20) for what, given in history(seed) for change in getattr(stream, what)(given)
    ]
    assert set(kinds) == {"opened", "joined", "merged", "split", "left", "closed"}
    assert min(map(kinds.count, ("merged", "split"))) > 20


@pytest.mark.parametrize("spec", SPECS)
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS, window=WINDOWS, name=st.uuids())
def test_with_a_store_of_its_own_too(
    spec: str, steps: list[tuple[str, Any]], window: timedelta | None, name: UUID, tmp_path: Path
) -> None:
    with connect(str(tmp_path / "store.db")) as database:
        store = Durable(database, str(name))
        same(Stream(spec, store, window), SlowStream(parse(spec), window, copies=False), steps)


@pytest.mark.parametrize("spec", SPECS)
@settings(max_examples=25)
@given(st.lists(STRETCHES, min_size=1, max_size=20), st.integers(1, 4))
def test_changes_tell_all_and_no_two_groups_have_a_majority_between_them(
    spec: str, texts: list[str], size: int
) -> None:
    """Though an article is asked only about the groups in which it has a majority itself: that is enough."""
    stream, slow, items, known = Stream(spec), SlowStream(parse(spec)), news(texts), {}
    for start in range(0, len(items), size):
        batch = items[start : start + size]
        known = replayed(stream.add(batch), known)
        slow.add(take(batch))
        assert known == as_sets(stream)
        for one, other in combinations(known, 2):
            related = slow.between(one, other)
            small = 2 * len(related) <= len(known[one]) * len(known[other])
            assert small or slow.is_topic(one, other)
    assert sorted(id for members in known.values() for id in members) == sorted(item["id"] for item in items)


@settings(max_examples=25)
@given(TEXTS, st.data())
def test_what_is_taken_back_leaves_groups_that_hold_together(texts: list[str], data: st.DataObject) -> None:
    stream, items = Stream("event(threshold=0.4)"), news(texts)
    known = replayed(stream.add(items))
    gone = data.draw(st.lists(st.sampled_from([item["id"] for item in items]), unique=True))
    known = replayed(stream.remove([*gone, "absent"]), known)
    assert known == as_sets(stream)
    assert sorted(id for members in known.values() for id in members) == sorted({i["id"] for i in items} - set(gone))


def test_items_without_ids_are_numbered_on() -> None:
    stream = Stream()
    stream.add(["Parliament of Norland dissolves itself"])
    stream.add(["Ferry capsizes off Eastholm", {"text": "Museum of Oldmere shows Roman coins"}])
    assert stream.groups() == {1: ("1",), 2: ("2",), 3: ("3",)}


def test_a_date_that_cannot_be_read_is_reported() -> None:
    stream = Stream()
    with pytest.warns(UserWarning, match="date"):
        stream.add([{"id": "a", "text": "Fire in the mill of Oldmere", "published": "yesterday"}])
    assert stream.group_of("a") == 1


def test_what_comes_again_as_it_was_is_nothing_new() -> None:
    stream, items = Stream("event"), news([*FIRE, "Council votes on the budget"])
    stream.add(items)
    before = stream.groups()
    assert stream.add(items) == []
    assert stream.groups() == before


def test_a_group_whose_articles_all_have_new_versions_keeps_its_number() -> None:
    stream = Stream("event")
    stream.add([Article("a", "Fire destroys the harbour hall of Oldmere.", lang="en")])
    stream.add([Article("b", "Council of Westbrook votes on the budget.", lang="en")])
    changes = stream.add([Article("a", "A cow was freed from the canal near Sandoy.", lang="en")])
    assert changes == [Change("closed", 1, ("a",)), Change("opened", 1, ("a",))]
    assert stream.groups() == {1: ("a",), 2: ("b",)}


def test_who_has_no_id_never_takes_the_place_of_who_has_one() -> None:
    stream = Stream("event")
    stream.add([{"id": "2", "text": "Fire destroys the harbour hall of Oldmere."}])
    stream.add(["Parliament elects a speaker in Westbrook."])
    assert len(stream) == 2
    assert sorted(id for members in stream.groups().values() for id in members) == ["2", "3"]
