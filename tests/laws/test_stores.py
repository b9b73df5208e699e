"""The laws that every store keeps: what was put comes back, and an index over it is the index it was.

Each runs on every kind of database, by the fixture `places`.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from samestory import Article, Exact, Index, MinHash, MismatchError, Relation, Reuse, parse, prepare
from samestory.database import connect
from samestory.index import Entries
from samestory.index.durable import Durable
from samestory.model import NO_TIME, Signatures
from tests.news import SENTENCES, corpora

Places = Callable[[], str]

#: One database serves many examples: each is under a name of its own.
many = settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])


def entries(filed: dict[str, bytes], times: dict[str, int] | None = None) -> Entries:
    ends = np.cumsum([0, *map(len, filed.values())]).astype(np.int64)
    when = np.array([(times or {}).get(id, NO_TIME) for id in filed], np.int64)
    sources = np.array([2**64 - 1 - len(id) for id in filed], np.uint64)
    return Entries(list(filed), when, sources, Signatures.from_offsets(b"".join(filed.values()), ends))


def kept(store: Durable) -> dict[str, tuple[int, int, bytes]]:
    return {
        id: (at, source, signature)
        for batch in store.batches()
        for id, at, source, signature in zip(
            batch.ids, batch.published.tolist(), batch.sources.tolist(), batch.signatures, strict=True
        )
    }


@pytest.fixture
def fresh(places: Places) -> Any:
    """Gives a store of its own at every call, in one database; what is open twice sees the same."""
    place, count = places(), iter(range(10**6))
    with connect(place) as database:
        yield lambda: Durable(database, f"store {next(count)}")


def test_what_was_put_comes_back_in_its_order_also_to_those_who_open_it_anew(places: Places) -> None:
    place = places()
    with connect(place) as database:
        Durable(database).put(entries({"bb": b"xyz", "a": b"", "ğ ü": bytes(range(256))}, {"a": 77, "bb": -(10**15)}))
    with connect(place) as database:
        store = Durable(database)
        assert list(kept(store)) == ["bb", "a", "ğ ü"]
        assert kept(store) == {
            "bb": (-(10**15), 2**64 - 3, b"xyz"),
            "a": (77, 2**64 - 2, b""),
            "ğ ü": (NO_TIME, 2**64 - 4, bytes(range(256))),
        }
        assert len(store) == 3


def test_stores_of_other_names_in_one_database_do_not_meet(fresh: Callable[[], Durable]) -> None:
    one, other = fresh(), fresh()
    one.put(entries({"a": b"1"}))
    other.put(entries({"a": b"2", "b": b"3"}))
    one.fingerprint = "mine"
    assert (one.remove(["a", "b"]), len(one), len(other)) == (1, 0, 2)
    assert (one.fingerprint, other.fingerprint) == ("mine", "")


@given(
    steps=st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from(["put", "remove", "expire"]), st.integers(0, 5)))
)
@many
def test_any_history_ends_as_if_only_the_last_version_of_each_had_been_put(
    fresh: Callable[[], Durable], steps: list[tuple[str, str, int]]
) -> None:
    store, want = fresh(), {}
    for id, what, number in steps:
        if what == "put":
            store.put(entries({id: bytes([number])}, {id: number}))
            want[id] = number
        elif what == "remove":
            assert store.remove([id]) == (id in want)
            want.pop(id, None)
        else:
            old = [each for each, at in want.items() if at < number]
            assert store.expire(number) == len(old)
            for each in old:
                del want[each]
    assert {id: (at, signature[0]) for id, (at, _, signature) in kept(store).items()} == {
        id: (number, number) for id, number in want.items()
    }
    assert store.some(["a", "z"]).ids == (["a"] if "a" in want else [])


@given(articles=corpora(), chunks=st.lists(st.integers(1, 4), min_size=1), turn=st.booleans())
@many
@pytest.mark.parametrize("spec", ["reuse", "event"])
def test_in_any_order_and_any_chunking_the_relations_are_those_of_memory(
    fresh: Callable[[], Durable], spec: str, articles: list[Article], chunks: list[int], turn: bool
) -> None:
    """The index is opened anew before every chunk, as by a process that has just started."""
    window = timedelta(days=400)
    memory = Index(parse(spec), None, window).add(prepare(articles))
    store, found, at = fresh(), [], 0
    given = articles[::-1] if turn else articles
    while at < len(given):
        size = chunks[at % len(chunks)]
        found += Index(parse(spec), store, window).add(prepare(given[at : at + size]))
        at += size

    def same(relations: list[Relation]) -> set[Any]:
        return {(frozenset((r.left, r.right)), str(r.kind).replace("HAS_PART", "PART_OF")) for r in relations}

    assert same(found) == same(memory)


@given(articles=corpora())
@many
def test_removing_frees_everything(fresh: Callable[[], Durable], articles: list[Article]) -> None:
    store = fresh()
    index = Index(Reuse(), store)
    index.add(prepare(articles))
    ids = [article.id for article in articles]
    assert len(store) == len(index) == len(ids)
    assert index.remove(ids[::2]) == len(ids[::2])
    assert index.remove(ids) == len(ids) - len(ids[::2])
    assert index.remove(ids) == 0
    assert (len(store), len(index), index.postings) == (0, 0, 0)


def test_expiring_forgets_what_is_older_and_keeps_what_has_no_time(fresh: Callable[[], Durable]) -> None:
    store = fresh()
    index = Index(Exact(), store)
    days = {"old": "2026-03-01", "edge": "2026-03-02T00:00:00Z", "new": "2026-03-03", "timeless": None}
    index.add(prepare([Article(id, f"{SENTENCES[0]} {id}", published=day) for id, day in days.items()]))
    assert index.expire(datetime(2026, 3, 2, tzinfo=UTC)) == 1
    asked = prepare([Article(f"q {id}", f"{SENTENCES[0]} {id}") for id in days])
    for opened in (index, Index(Exact(), store)):
        assert {r.right for r in opened.query(asked)} == {"edge", "new", "timeless"}
    assert index.expire(datetime(2030, 1, 1, tzinfo=UTC)) == 2
    assert index.remove(["timeless"]) == 1
    assert (len(store), index.postings) == (0, 0)


def test_a_store_refuses_another_detector(fresh: Callable[[], Durable]) -> None:
    store = fresh()
    Index(MinHash(), store).add(prepare([Article("a", SENTENCES[0])]))
    assert len(Index(MinHash(), store).query(prepare([Article("b", SENTENCES[0])]))) == 1
    for other in (Exact(), MinHash(threshold=0.71)):
        with pytest.raises(MismatchError, match="another detector"):
            Index(other, store)
