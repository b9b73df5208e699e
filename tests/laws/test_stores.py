"""The laws that every store keeps. A new store is one line in STORES."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from samestory import Article, Exact, Index, MinHash, MismatchError, Reuse, prepare
from samestory.index import Entries, Memory, Store
from samestory.model import NO_TIME, Ragged, Signatures
from tests.news import SENTENCES, corpora

STORES: dict[str, Callable[[], Store]] = {"memory": Memory}

every_store = pytest.mark.parametrize("make", STORES.values(), ids=STORES.keys())


def ragged(rows: list[list[int]]) -> Ragged:
    ends = np.cumsum([0, *map(len, rows)]).astype(np.int64)
    return Ragged.of(np.array([key for row in rows for key in row], np.int64), ends)


def entries(filed: dict[str, list[int]], times: dict[str, int] | None = None) -> Entries:
    signatures = [id.encode() * 2 for id in filed]
    ends = np.cumsum([0, *map(len, signatures)]).astype(np.int64)
    when = np.array([(times or {}).get(id, NO_TIME) for id in filed], np.int64)
    sources = np.array([len(id) for id in filed], np.uint64)
    return Entries(list(filed), when, sources, ragged(list(filed.values())), Signatures.of(b"".join(signatures), ends))


def met(store: Store, keys: list[int], ceiling: int = 0) -> dict[str, int]:
    found = store.find(ragged([keys]), None, None, ceiling)
    return dict(zip(store.entries(found.entries.tolist()).ids, found.shared.tolist(), strict=True))


@every_store
def test_whoever_shares_a_key_is_found_with_the_number_of_keys_shared(make: Callable[[], Store]) -> None:
    store = make()
    store.put(entries({"a": [1, -2, 3], "b": [3, 4], "c": [5]}))
    assert met(store, [-2, 3, 9]) == {"a": 2, "b": 1}
    assert met(store, [8]) == {}


@every_store
def test_what_was_put_comes_back(make: Callable[[], Store]) -> None:
    store = make()
    numbers = store.put(entries({"a": [1], "bb": [1, 2]}, {"a": 77}))
    back = store.entries(numbers.tolist()[::-1])
    assert back.ids == ["bb", "a"]
    assert back.published.tolist() == [NO_TIME, 77]
    assert back.sources.tolist() == [2, 1]
    assert back.keys.lengths().tolist() == [2, 1]
    assert list(back.signatures) == [b"bbbb", b"aa"]


@every_store
def test_a_window_holds_its_edges_and_everything_without_a_time(make: Callable[[], Store]) -> None:
    store = make()
    store.put(entries({"a": [1], "b": [1], "c": [1], "d": [1], "e": [1]}, {"a": 9, "b": 10, "c": 20, "d": 21}))
    found = store.find(ragged([[1]]), np.array([10], np.int64), np.array([20], np.int64), 0)
    assert sorted(store.entries(found.entries.tolist()).ids) == ["b", "c", "e"]


@every_store
def test_keys_above_the_ceiling_are_passed_over_and_counted(make: Callable[[], Store]) -> None:
    store = make()
    store.put(entries({"a": [1, 2], "b": [1, 2], "c": [1]}))
    assert met(store, [1, 2], ceiling=2) == {"a": 1, "b": 1}
    assert store.skipped() == 1
    assert met(store, [1, 2], ceiling=3) == {"a": 2, "b": 2, "c": 1}
    assert store.skipped() == 1


@every_store
def test_putting_an_id_again_replaces_it(make: Callable[[], Store]) -> None:
    store = make()
    store.put(entries({"a": [1], "b": [1]}))
    store.put(entries({"a": [2]}))
    assert (len(store), met(store, [1]), met(store, [2])) == (2, {"b": 1}, {"a": 1})


@every_store
@given(articles=corpora())
@settings(max_examples=15)
def test_removing_frees_everything(make: Callable[[], Store], articles: list[Article]) -> None:
    store = make()
    index = Index(Reuse(), store)
    index.add(prepare(articles))
    ids = [article.id for article in articles]
    assert len(store) == len(ids)
    assert index.remove(ids[::2]) == len(ids[::2])
    assert index.remove(ids) == len(ids) - len(ids[::2])
    assert index.remove(ids) == 0
    assert len(store) == 0
    assert not len(store.find(Reuse().keys(Reuse().sign(prepare(articles))), None, None, 0).rows)
    if isinstance(store, Memory):
        assert store.postings() == 0


@every_store
def test_expiring_forgets_what_is_older_and_keeps_what_has_no_time(make: Callable[[], Store]) -> None:
    index = Index(Exact(), make())
    days = {"old": "2026-03-01", "edge": "2026-03-02T00:00:00Z", "new": "2026-03-03", "timeless": None}
    index.add(prepare([Article(id, f"{SENTENCES[0]} {id}", published=day) for id, day in days.items()]))
    assert index.expire(datetime(2026, 3, 2, tzinfo=UTC)) == 1
    asked = prepare([Article(f"q {id}", f"{SENTENCES[0]} {id}") for id in days])
    assert {r.right for r in index.query(asked)} == {"edge", "new", "timeless"}
    assert index.expire(datetime(2030, 1, 1, tzinfo=UTC)) == 2
    assert index.remove(["timeless"]) == 1
    if isinstance(index.store, Memory):
        assert index.store.postings() == 0


@every_store
@given(steps=st.lists(st.tuples(st.sampled_from("abcd"), st.lists(st.integers(0, 5), max_size=4, unique=True))))
def test_any_history_ends_as_if_only_the_last_version_of_each_had_been_put(
    make: Callable[[], Store], steps: list[tuple[str, list[int]]]
) -> None:
    """An empty list of keys removes; entry numbers are used again, and must not bring back what was there."""
    store, kept = make(), {}
    for id, keys in steps:
        if keys:
            store.put(entries({id: keys}))
            kept[id] = keys
        else:
            assert store.remove([id]) == (id in kept)
            kept.pop(id, None)
    assert len(store) == len(kept)
    for key in range(6):
        assert met(store, [key]) == {id: 1 for id, keys in kept.items() if key in keys}


@every_store
def test_a_store_refuses_another_detector(make: Callable[[], Store]) -> None:
    store = make()
    Index(MinHash(), store).add(prepare([Article("a", SENTENCES[0])]))
    assert len(Index(MinHash(), store).query(prepare([Article("b", SENTENCES[0])]))) == 1
    for other in (Exact(), MinHash(threshold=0.71)):
        with pytest.raises(MismatchError, match="another detector"):
            Index(other, store)
