"""The table of articles equals slow and simple searches over a list of articles, whatever changed before."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from samestory._core.search import ArticleTable, StoryRanking
from samestory.archive.matching import MAX_HITS, MAX_NUMBERS, HitCache, MatchCache, _Matches
from samestory.errors import InputError


class TableArticle(NamedTuple):
    number: int
    story: int
    came: int
    time: int
    words: int
    source: int
    language: int
    day: int


class Search(NamedTuple):
    matching: list[int] | None
    excluded: list[int]
    bound: int
    masks: tuple[bytes | None, bytes | None, bytes | None]
    points: list[tuple[list[int], int]]
    by_score: bool
    after: tuple[int, int, int] | None
    limit: int
    representative: str
    preferences: list[int]

    @property
    def filter(self) -> Any:
        matching = None if self.matching is None else array(self.matching)
        return matching, array(self.excluded), self.bound, self.masks


def array(numbers: Iterable[int]) -> Any:
    return np.array(sorted(numbers), np.int64)


def columns(articles: Sequence[TableArticle]) -> list[Any]:
    return [np.array(column, np.int64) for column in zip(*articles, strict=True)] or [np.empty(0, np.int64)] * 8


def passing(articles: Iterable[TableArticle], search: Search) -> list[TableArticle]:
    def passes(article: TableArticle) -> bool:
        codes = (article.source, article.language, article.day)
        wanted = (
            mask is None or (code < len(mask) and mask[code]) for mask, code in zip(search.masks, codes, strict=True)
        )
        is_matching = search.matching is None or article.number in search.matching
        return is_matching and article.number not in search.excluded and article.came <= search.bound and all(wanted)

    return [article for article in articles if passes(article)]


def stories_of(found: StoryRanking) -> list[tuple[Any, ...]]:
    """The stories of a page, row by row."""
    ranks = (np.asarray(column).tolist() for column in (found.numbers, found.scores, found.times))
    counts = (found.matching, found.articles, found.sources, found.first, found.last)
    own = (np.asarray(column).tolist() for column in counts)
    return list(zip(*ranks, found.representatives, *own, strict=True))


def reference(articles: Sequence[TableArticle], search: Search) -> tuple[Any, ...]:
    """Search by the definition: stories of the page, whether there are more, totals, facets."""
    score = {each.number: sum(p for numbers, p in search.points if each.number in numbers) for each in articles}
    found, whole = defaultdict(list), defaultdict(list)
    for article in articles:
        whole[article.story].append(article)
    matching = passing(articles, search)
    for article in matching:
        found[article.story].append(article)

    def rank(story: int) -> tuple[int, int, int]:
        best = max((score[each.number] if search.by_score else 0, each.time) for each in found[story])
        return (*best, story)

    def key(article: TableArticle) -> tuple[Any, ...]:
        known = article.source < len(search.preferences)
        own = {
            "longest": (-article.words,),
            "earliest": (article.time, -article.words),
            "latest": (-article.time, -article.words),
            "best": (-score[article.number], -article.words),
        }[search.representative]
        place = search.preferences[article.source] if known else 2**32
        return (place, *own)

    ranks = sorted((rank(story) for story in found), reverse=True)
    ranks = [each for each in ranks if search.after is None or each < search.after]
    page = []
    for points, time, story in ranks[: search.limit]:
        first, all_of = min(map(key, found[story])), whole[story]
        representatives = sorted(each.number for each in found[story] if key(each) == first)
        sources = len({each.source for each in all_of} - {0})
        ends = min(each.time for each in all_of), max(each.time for each in all_of)
        page.append((story, points, time, representatives, len(found[story]), len(all_of), sources, *ends))
    facets = []
    for facet in ("source", "language", "day"):
        stories = defaultdict(set)
        for article in matching:
            stories[getattr(article, facet)].add(article.story)
        facets.append([(code, len(those)) for code, those in sorted(stories.items())])
    return page, len(ranks) > search.limit, len(found), len(matching), facets


numbers = st.lists(st.integers(0, 40), max_size=25)
articles = st.lists(
    st.builds(
        TableArticle,
        *(st.integers(1, 40), st.sampled_from([1, 2, 3, 7, 9, 2**40]), st.none(), st.integers(-3, 3)),
        *(st.integers(0, 3), st.integers(0, 3), st.integers(0, 2), st.integers(0, 4)),
    ).map(lambda article: article._replace(came=article.number)),
    unique_by=lambda article: article.number,
    max_size=40,
)
masks = st.none() | st.binary(max_size=5)
searches = st.builds(
    Search,
    st.none() | numbers,
    numbers | st.just([]),
    st.integers(0, 41),
    st.tuples(masks, masks, masks),
    st.lists(st.tuples(numbers, st.integers(0, 3)), max_size=2),
    st.booleans(),
    st.none() | st.tuples(st.integers(0, 3), st.integers(-3, 3), st.integers(0, 9)),
    st.integers(0, 12),
    st.sampled_from(["longest", "earliest", "latest", "best"]),
    st.lists(st.integers(0, 2), max_size=3),
)


@given(articles, st.lists(st.tuples(numbers, articles), max_size=3), searches)
def test_a_search_of_every_version_is_the_one_by_definition(
    first: list[TableArticle], changes: list[tuple[list[int], list[TableArticle]]], search: Search
) -> None:
    table, known = ArticleTable(columns(first)), {each.number: each for each in first}
    versions = [(table, known)]
    for without, fresh in changes:
        table = table.changed(array(without), columns(fresh))
        known = {number: each for number, each in known.items() if number not in without}
        known = known | {each.number: each for each in fresh}
        versions.append((table, known))
    for table, known in versions:
        found = table.search(search.filter, [(array(own), n) for own, n in search.points], *search[5:])
        every = list(known.values())
        own = (stories_of(found), found.has_more, found.total_stories, found.total_articles, found.facets)
        assert own == reference(every, search)
        newest = sorted(passing(every, search), key=lambda each: (-each.time, -each.number))
        assert table.newest(search.filter, search.limit) == [each.number for each in newest[: search.limit]]
        lists = [[each.number for each in every if each.number % 3 == rest] for rest in range(3)] + [[2, 2, 2**40]]
        counts = table.count_stories(search.filter, [array(sorted(numbers)) for numbers in lists])
        stories = {each.number: each.story for each in passing(every, search)}
        assert counts == [len({stories[number] for number in numbers if number in stories}) for numbers in lists]
        assert (len(table), table.last) == (len(known), max(known, default=0))
        in_stories = np.asarray(table.members([1, 9, 5, 2**40])).tolist()
        assert sorted(in_stories) == sorted(each.number for each in every if each.story in (1, 9, 2**40))


def test_numbers_that_are_repeated_count_once() -> None:
    table = ArticleTable(columns([TableArticle(number, 5, number, number, 0, 1, 1, 1) for number in (1, 2, 3)]))
    repeated = array([2, 2, 3, 3, 3])
    found = table.search((repeated, None, 9, (None, None, None)), [(repeated, 2)], True, None, 9, "best", [])
    assert (found.total_articles, stories_of(found)[0][:2], found.facets[0]) == (2, (5, 2), [(1, 1)])


def test_a_revision_replaces_all_earlier_versions() -> None:
    first = TableArticle(1, 5, 1, 0, 0, 0, 0, 0)
    table = ArticleTable(columns([first, first._replace(number=2, came=2)]))
    for number in (3, 4):
        table = table.changed(array([]), columns([first._replace(number=number)]))
        assert sorted(np.asarray(table.members([5])).tolist()) == [2, number]


def test_columns_that_do_not_fit_are_rejected() -> None:
    article = TableArticle(1, 5, 1, 0, 0, 0, 0, 0)
    for wrong in (
        columns([article])[:7],
        [*columns([article])[:7], array([1, 2])],
        columns([article._replace(day=-1)]),
    ):
        with pytest.raises(InputError):
            ArticleTable(wrong)
    with pytest.raises(InputError, match="sorted"):
        ArticleTable(columns([article])).newest((np.array([2, 1]), None, 9, (None, None, None)), 1)


def test_views_of_matches_never_change() -> None:
    first = array([1, 2])
    first.flags.writeable = False  # as those of the native core are
    matches = _Matches(first, 1, 2)
    matches.append(array([]))
    views = [matches.view()]
    for number in range(3, 50):
        matches.append(array([number]))
        views.append(matches.view())
    assert [view.tolist() for view in views] == [list(range(1, end)) for end in range(3, 51)]
    assert matches.room() < 60


def test_caches_are_bounded() -> None:
    cache = MatchCache("sqlite")
    for number in range(40):
        cache._put(str(number), _Matches(np.empty(MAX_NUMBERS // 10, np.int64), 1, 1))
    assert 5 < len(cache._known) < 10 and "39" in cache._known and cache._size <= MAX_NUMBERS
    hits = HitCache()
    for number in range(MAX_HITS + 5):
        hits.put(number, "hit")
    assert (hits.get(0), hits.get(MAX_HITS + 4)) == (None, "hit")
