"""The oracles of ddd against worked examples, and cases counted by hand."""

from __future__ import annotations

import pytest

from tests.reference import (
    ddd,
)
from tests.reference.examples import DDD, article, many
from tests.reference.text import Table


@pytest.mark.parametrize(("common", "lengths", "date", "expected"), DDD)
def test_ddd(common: int, lengths: tuple[int, int], date: str, expected: str | None) -> None:
    def text(own: str, length: int) -> str:
        rare = many("common", common) + many(own, 60 - common)
        return " ".join([*rare, *["often"] * (length - 60)])

    a = article(text("left", lengths[0]), published="2020-01-01")
    b = article(text("right", lengths[1]), published=date)
    found = ddd.compare(a, b, table=Table(1000, {"often": 900}))
    assert found == (common / 60, common / 60, expected)


def test_ddd_pads_short_vectors() -> None:
    a = many("common", 36) + many("left", 9)
    b = many("common", 36) + many("right", 9)
    assert ddd.overlap(a, b, short="c-pad") == (36 + 15) / 60 == 0.85
    assert ddd.overlap(a, b, short="c-guarded") == 36 / 45 == 0.8
    assert ddd.overlap(a, b, short="a") == 36 / 45
    assert ddd.overlap(many("x", 50), many("x", 40), short="c-pad") == (40 + 10) / 60


def test_ddd_guards_against_padding_alone() -> None:
    a = many("common", 8) + many("left", 12)
    b = many("common", 8) + many("right", 12)
    assert ddd.overlap(a, b, short="c-pad") == 0.8
    assert ddd.overlap(a, b, short="c-guarded") == 8 / 20
    one, other = article(" ".join(a)), article(" ".join(b))
    table = Table(10, {})
    assert ddd.compare(one, other, table=table, short="c-pad") == (0.8, 0.8, "NEAR")
    assert ddd.compare(one, other, table=table) == (0.4, 0.4, None)


def test_ddd_compares_short_vectors_of_unequal_length() -> None:
    a, b = many("x", 30), many("x", 40)
    assert ddd.overlap(a, b, short="a") == 30 / 40
    assert ddd.overlap(a, b, short="b") == 1
    assert ddd.overlap(a, b[::-1], short="b") == 20 / 30


def test_ddd_fills_up_with_words_that_the_table_does_not_have() -> None:
    table = Table(10, {"k1": 5, "k2": 2})
    assert ddd.vector(["z", "k1", "b", "k2"], table, 3, "c-oov", 1) == ["k2", "k1", "b"]
    assert ddd.vector(["z", "k1", "b", "k2"], table, 3, "c-pad", 1) == ["b", "z", "k2"]


def test_ddd_says_nothing_of_fewer_than_twenty_words() -> None:
    table = Table(10, {})
    assert ddd.vector(many("x", 19), table) == []
    assert len(ddd.vector(many("x", 20), table)) == 20
