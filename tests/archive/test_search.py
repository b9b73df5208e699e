"""Search collapsed to stories: equal to a slow reference model, on both databases."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from samestory.archive.query import Filters, name_key, parse
from samestory.archive.search import SearchPage, front, search
from samestory.archive.snippets import snippets
from samestory.archive.times import day_name
from samestory.archive.words import reindex, split_terms
from samestory.database import Database, connect
from samestory.errors import InputError, ParameterError
from tests.archive.model import DAY, Item, ModelQuery, by_story, delete, matches, merge, put, ranked, relate
from tests.reference import snippets as reference

WORDS = (
    "Ankara", "Ankara'da", "ankaralılar", "seçim", "seçimler", "Seçimde", "oy", "причал", "причала", "ёлка", "fire",
    "harbour", "harbours", "Oldmere", "COVID-19", "covid", "19", "12,902", "l'école", "école", "İzmir", "izmir", "東京",
    "or", "not", "near",
)  # fmt: skip
SOURCES = (None, "Oldmere Post", "Şehir Gazetesi", "AFP")

once = settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])


def news(count: int, seed: int, first: int = 1) -> list[Item]:
    """Articles from a small vocabulary, so that many match."""
    draws = random.Random(seed)
    return [
        Item(
            number,
            " ".join(draws.choices(WORDS, k=draws.randint(0, 12))),
            draws.choice([None, " ".join(draws.choices(WORDS, k=3))]),
            draws.choice(SOURCES),
            draws.choice(["tr", "en", "ru", None]),
            draws.choice([None, *(DAY * 20_000 + DAY // 2 * step for step in range(8))]),
            draws.randint(1, count // 3),
        )
        for number in range(first, first + count)
    ]


@pytest.fixture
def archive(place: str) -> Iterator[tuple[Database, list[Item]]]:
    """An archive with articles, and these articles."""
    items = news(90, 1)
    with connect(place) as database:
        put(database, items)
        yield database, items


phrases = st.tuples(st.sampled_from(WORDS), st.booleans()) | st.tuples(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join), st.just(True)
)
queries = st.builds(
    ModelQuery,
    st.lists(st.lists(phrases, min_size=1, max_size=2).map(tuple), max_size=3).map(tuple),
    st.lists(phrases, max_size=2).map(tuple),
    st.sampled_from(["oldmere post", "Şehir Gazetesi", "AFP"]) | st.none(),
    st.sampled_from(["tr", "en"]) | st.none(),
    st.sampled_from([day_name(20_000 + day) for day in range(4)]) | st.none(),
)


def all_pages(page: Callable[[str | None], SearchPage]) -> list[int]:
    """Return the numbers of all stories, page by page."""
    out: list[int] = []
    cursor = None
    while True:
        found = page(cursor)
        out += [story.number for story in found.stories]
        cursor = found.cursor
        if cursor is None:
            return out


@once
@given(queries, st.sampled_from(["time", "relevance"]), st.integers(1, 30))
def test_stories_totals_and_facets_match_the_model(
    archive: tuple[Database, list[Item]], query: ModelQuery, sort: str, limit: int
) -> None:
    database, items = archive
    matching = [item for item in items if matches(item, query)]
    first = search(database, query.written(), sort=sort, limit=limit)  # type: ignore[arg-type]
    assert first.total_articles == len(matching)
    assert first.total_stories == len(by_story(matching))
    for facet, value in (
        (first.facets.sources, lambda i: i.source),
        (first.facets.languages, lambda i: i.lang),
        (first.facets.days, lambda i: day_name(i.day)),
    ):
        wanted: dict[str | None, set[int]] = defaultdict(set)
        for item in matching:
            wanted[value(item)].add(item.story)  # type: ignore[no-untyped-call]
        assert dict(facet) == {name: len(stories) for name, stories in wanted.items()}
    turned = all_pages(lambda c: search(database, query.written(), sort=sort, limit=limit, cursor=c))  # type: ignore[arg-type]
    assert turned == ranked(items, query, sort == "relevance")


@once
@given(queries, st.sampled_from(["longest", "earliest", "latest"]), st.sampled_from([(), ("AFP", "oldmere póst")]))
def test_representative_and_statistics_of_a_story(
    archive: tuple[Database, list[Item]], query: ModelQuery, which: str, prefer: tuple[str, ...]
) -> None:
    database, items = archive
    whole = by_story(items)
    found = search(database, query.written(), representative=which, prefer=prefer, limit=100)  # type: ignore[arg-type]
    for story in found.stories:
        matching = [item for item in whole[story.number] if matches(item, query)]
        liked = [
            [item for item in matching if item.source and name_key(item.source) == name_key(name)] for name in prefer
        ]
        among = next(filter(None, liked), matching)
        key = {
            "longest": lambda i: (-i.words, i.id),
            "earliest": lambda i: (i.time, -i.words, i.id),
            "latest": lambda i: (-i.time, -i.words, i.id),
        }[which]
        best = min(among, key=key)
        hit = story.representative
        assert (hit.id, hit.title, hit.source, hit.language) == (best.id, best.title, best.source, best.lang)
        assert story.matching == len(matching)
        members = whole[story.number]
        assert story.articles == len(members)
        assert story.sources == len({item.source for item in members} - {None})
        assert story.texts == len({item.text for item in members})
        assert story.first.timestamp() * 1e6 == min(item.time for item in members)
        assert story.last.timestamp() * 1e6 == max(item.time for item in members)


@once
@given(queries)
def test_snippets_mark_matching_words(archive: tuple[Database, list[Item]], query: ModelQuery) -> None:
    database, items = archive
    known = {item.id: item for item in items}
    wanted = {place[:3] for group in query.groups for typed, _ in group for place in _terms(typed)}
    for story in search(database, query.written(), limit=100).stories:
        snippet = story.representative.snippet
        text = known[story.representative.id].text
        assert text[snippet.start :].startswith(snippet.text)
        for start, end in snippet.places:
            assert any(term[:3] in wanted for term in _terms(snippet.text[start:end]))


@given(
    st.lists(st.lists(st.sampled_from((*WORDS, "x", "…", "fire's", "12345")), max_size=90).map(" ".join), max_size=3),
    st.lists(phrases | st.just(("12345", False)), max_size=3),
)
def test_snippets_are_those_of_the_reference(texts: list[str], asked: list[tuple[str, bool]]) -> None:
    query = parse(" OR ".join(f'"{typed}"' if exact else typed for typed, exact in asked))
    for language in ("tr", "en"):
        languages = [language] * len(texts)
        assert snippets(texts, languages, query) == reference.snippets(texts, languages, query)


def _terms(text: str) -> list[str]:
    return split_terms([text])[0]


@once
@given(
    st.text(max_size=80)
    | st.lists(
        st.sampled_from(
            ['"', "'", "-", "OR", "NOT", "AND", "NEAR(", ")", "*", "^", ":", "source:", "title:", "day:", "lang:", "{",
             "fire", "Ankara", "\\", ";--", "<->", "&", "|", "!", "\0", "\ud800", "“", "-source:AFP", "day:2026-02-30",
             "since:2026-99-99", 'source:"', "%", "?", "·ankar", "^fire"]
        ),
        max_size=12,
    ).map(" ".join)
)  # fmt: skip
def test_no_query_is_a_syntax_error(archive: tuple[Database, list[Item]], typed: str) -> None:
    database, _ = archive
    for sort in ("time", "relevance"):
        page = search(database, typed, sort=sort)  # type: ignore[arg-type]
        assert page.total_articles >= page.total_stories >= len(page.stories)


def test_a_long_query_is_truncated(archive: tuple[Database, list[Item]]) -> None:
    database, _ = archive
    for typed in ("fire " * 5000, "東" * 5000, " OR ".join(["fire"] * 3000), "-a " * 5000, '"' * 9999, "x" * 99999):
        search(database, typed, sort="relevance")


@pytest.mark.parametrize("sort", ["time", "relevance"])
def test_pagination_is_stable_while_articles_arrive(places: Callable[[], str], sort: str) -> None:
    query = ModelQuery(groups=((("fire", False), ("oy", False)),))
    with connect(places()) as database:
        items = news(120, 2)
        put(database, items)
        wanted = ranked(items, query, sort == "relevance")
        number, seen, cursor = 121, list[int](), None
        draws = random.Random(3)
        while True:
            page = search(database, "fire OR oy", sort=sort, limit=4, cursor=cursor)  # type: ignore[arg-type]
            assert page.total_stories == len(wanted)
            seen += [story.number for story in page.stories]
            cursor = page.cursor
            if cursor is None:
                break
            # newer and better articles, in stories of both pages and in new ones
            stories = [1000 + number, *draws.choices(wanted, k=4)]
            fresh = [
                Item(number + n, "fire oy", "fire oy", "AFP", "en", DAY * 21_000 + n, story)
                for n, story in enumerate(stories)
            ]
            put(database, fresh)
            number += 5
        assert seen == wanted
        assert search(database, "fire OR oy").total_stories > len(wanted)


@settings(once, max_examples=12)  # each has its own database
@given(data=st.data())
def test_cached_columns_catch_up_with_the_database(places: Callable[[], str], data: st.DataObject) -> None:
    """Two readers, one of which reads only now and then."""
    place = places()
    with connect(place) as database, connect(place) as other:
        items: dict[int, Item] = {}
        number = 1
        for _ in range(data.draw(st.integers(1, 6))):
            act = data.draw(st.sampled_from(["add", "add", "merge", "remove"]))
            if act == "add" or not items:
                fresh = news(data.draw(st.integers(3, 20)), number, number)
                put(database, fresh)
                items |= {item.number: item for item in fresh}
                number += len(fresh)
            elif act == "merge":
                into, gone = data.draw(st.integers(1, 6)), data.draw(st.integers(1, 6))
                if into != gone:
                    merge(database, into, gone)
                    items = {n: replace(i, story=into) if i.story == gone else i for n, i in items.items()}
            else:
                gone_items = data.draw(st.lists(st.sampled_from(list(items.values())), max_size=5, unique=True))
                delete(database, gone_items)
                items = {n: i for n, i in items.items() if i not in gone_items}
            for reader in (database, *([other] if data.draw(st.booleans()) else [])):
                for typed, query in (("", ModelQuery()), ("fire", ModelQuery(groups=((("fire", False),),)))):
                    found = all_pages(lambda c, r=reader, q=typed: search(r, q, limit=7, cursor=c))  # type: ignore[misc]
                    assert found == ranked(items.values(), query, False)
                    matching = [item for item in items.values() if matches(item, query)]
                    assert search(reader, typed).total_articles == len(matching)


def test_a_reader_in_an_older_snapshot_sees_its_own_columns(places: Callable[[], str]) -> None:
    place = places()
    with connect(place) as database:
        put(database, news(20, 1))
        with connect(place) as other, database.read():
            before = search(database)
            put(other, news(20, 2, 21))
            assert search(other).total_articles == 40
            assert search(database) == before


def test_reindexed_words_find_the_same(archive: tuple[Database, list[Item]]) -> None:
    database, items = archive
    before = [search(database, typed, sort="relevance") for typed in ("oy", "seçimler", '"oy oy"', "-fire")]
    with database.write() as session:
        assert reindex(session, database.kind, at_once=7) == len(items)
    assert [search(database, typed, sort="relevance") for typed in ("oy", "seçimler", '"oy oy"', "-fire")] == before


def test_an_empty_archive_has_no_stories(place: str) -> None:
    with connect(place) as database:
        for typed in ("", "fire", "-fire", "source:AFP"):
            page = search(database, typed, sort="relevance")
            assert (page.stories, page.total_stories, page.total_articles, page.cursor) == ((), 0, 0, None)
            assert page.facets.sources == page.facets.languages == page.facets.days == ()


def test_front_page_of_a_day(archive: tuple[Database, list[Item]]) -> None:
    database, items = archive
    day = 20_001
    wanted = ranked([item for item in items if item.day == day], ModelQuery(), False)
    assert [story.number for story in front(database, day=day, limit=100).stories] == wanted
    since = ranked([item for item in items if item.day >= day], ModelQuery(), False)
    assert [story.number for story in front(database, since=day, limit=100).stories] == since


def test_filters_are_equivalent_to_query_fields(archive: tuple[Database, list[Item]]) -> None:
    database, _ = archive
    typed = search(database, '-oy source:AFP source:"oldmere post" lang:tr day:2024-10-04')
    given = search(database, "-oy", filters=Filters(("AFP", "Oldmere Post"), ("tr",), (20_000,)))
    assert [story.number for story in typed.stories] == [story.number for story in given.stories]
    assert typed.total_articles == given.total_articles > 0


def test_kinds_are_those_within_the_story(place: str) -> None:
    items = [Item(1, "fire", story=1), Item(2, "fire two", story=1), Item(3, "fire three", story=2)]
    with connect(place) as database:
        put(database, items)
        relate(database, [(2, 1, "UPDATE", 1.0, 0.5), (3, 1, "PART_OF", 1.0, 0.2)])
        found = {story.number: story.kinds for story in search(database, "fire").stories}
    assert found == {1: ("UPDATE",), 2: ()}


def test_a_phrase_is_marked_where_its_words_are_consecutive(place: str) -> None:
    text = "minister prime. " + "word " * 100 + "The Prime-Minister of Oldmere, and a prime minister's office."
    with connect(place) as database:
        put(database, [Item(1, text)])
        (story,) = search(database, '"prime minister" oldmere').stories
    found = story.representative.snippet
    assert [found.text[start:end] for start, end in found.places] == [
        "Prime-Minister",
        "Oldmere",
        "prime",
        "minister's",
    ]


def test_the_snippet_of_an_empty_query_is_the_beginning(place: str) -> None:
    with connect(place) as database:
        put(database, [Item(1, "  First words. " + "more " * 500), Item(2, "", story=2), Item(3, " … ", story=3)])
        found = {story.number: story.representative.snippet for story in search(database).stories}
    assert found[1].text.startswith("  First words. more") and len(found[1].text) < 200
    assert found[2].text == "" and found[3].text == " …"
    assert not any(snippet.places for snippet in found.values())


def test_a_foreign_cursor_is_refused(archive: tuple[Database, list[Item]]) -> None:
    database, _ = archive
    cursor = search(database, "", limit=1).cursor
    assert cursor
    for typed, wrong in (
        ("fire", cursor),
        ("", "?"),
        ("", ""),
        ("", "W10"),
        ("", cursor[:-3]),
        ("", "é"),
        ("", "WzFd"),
    ):
        with pytest.raises(InputError, match="cursor"):
            search(database, typed, cursor=wrong)
    for bad in (0, 1001, True, "3"):
        with pytest.raises(ParameterError, match="limit"):
            search(database, limit=bad)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="sort"):
        search(database, sort="colour")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("typed", "wanted", "excluded"),
    [
        ("a b", [["a"], ["b"]], []),
        ("a OR b c", [["a", "b"], ["c"]], []),
        ("a OR b OR c", [["a", "b", "c"]], []),
        ("OR a", [["or"], ["a"]], []),
        ("a OR", [["a"], ["or"]], []),
        ("a OR OR b", [["a"], ["or", "b"]], []),
        ("a OR -b", [["a"], ["or"]], ["b"]),
        ("a or b", [["a"], ["or"], ["b"]], []),
        ('"a b" -"c d"', [["a b"]], ["c d"]),
        ("“a b” «c d»", [["a b"], ["c d"]], []),
        ('"a b', [["a"], ["b"]], []),
        ("- -- -a", [], ["a"]),
        ("COVID-19", [["covid 19"]], []),
        ("day:tomorrow", [["day tomorrow"]], []),
        ("until:2026-02-30", [["until 2026 02 30"]], []),
        ("source: a", [["source"], ["a"]], []),
        ("-lang:tr", [], ["lang tr"]),
        ("http://a.b/c", [["http a b c"]], []),
    ],
)
def test_query_parsing(typed: str, wanted: list[list[str]], excluded: list[str]) -> None:
    query = parse(typed)
    assert [[" ".join(piece.terms) for piece in group] for group in query.wanted] == wanted
    assert [" ".join(piece.terms) for piece in query.excluded] == excluded


def test_query_fields_are_filters() -> None:
    found = parse('source:AFP source:"Oldmere Post" lang:tr since:1970-01-03 until:1970-01-05 day:1970-01-04').filters
    assert found == Filters(("AFP", "Oldmere Post"), ("tr",), (3,), 2, 4)


def test_the_first_id_represents_thousands_of_articles_of_one_length(place: str) -> None:
    copies = [Item(number, "fire in Oldmere", story=2) for number in range(20, 1620)]
    with connect(place) as database:

        def representative() -> str:
            (story,) = search(database, "fire").stories
            return story.representative.id

        put(database, copies)
        assert [representative(), representative()] == ["a100", "a100"]
        delete(database, [each for each in copies if each.id == "a100"])
        assert representative() == "a1000"
        put(database, [Item(10**7, "fire in Oldmere", story=2)])
        assert representative() == min(each.id for each in [*copies, Item(10**7, "")] if each.id != "a100")
