"""The oracles of chunks and substrings against worked examples, and cases counted by hand."""

from __future__ import annotations

from tests.reference import (
    cops,
    koala,
    rabin,
    sif,
    winnow,
)
from tests.reference.examples import article, stand_in
from tests.reference.text import Table, letters


def test_the_four_strategies_of_cops() -> None:
    units = list("ABCDEF")

    def joined(chunking: str) -> list[str]:
        found = cops.chunks(units, chunking, 3, lambda _, unit: 3 if unit in "BF" else 1)
        return ["".join(chunk) for chunk in found]

    assert joined("single") == units
    assert joined("disjoint") == ["ABC", "DEF"]
    assert joined("overlapping") == ["ABC", "BCD", "CDE", "DEF"]
    assert joined("variable") == ["AB", "CDEF"]
    assert cops.chunks(list("ABCD"), "disjoint") == [("A", "B", "C"), ("D",)]
    assert cops.chunks(["A", "B"], "variable", 3, lambda _number, _unit: 1) == [("A", "B")]


def test_the_units_of_cops() -> None:
    text = "One two. Three!\n\n— \nFOUR's five"
    assert cops.units(article(text), "sentence") == ["one two", "three", "four five"]
    assert cops.units(article(text), "paragraph") == ["one two three", "four five"]
    assert cops.units(article(text), "word") == ["one", "two", "three", "four", "five"]
    assert cops.units(article("A-b 2!"), "character") == ["a", "b", "2"]


def test_cops_decides_by_share_or_by_number() -> None:
    a, b = article("One. Two. Three."), article("One. Two. Four. Five. Six. Seven.")
    assert cops.compare(a, b) == (2 / 3, 2 / 6, "PART_OF")
    assert cops.compare(b, a) == (2 / 6, 2 / 3, "HAS_PART")
    assert cops.compare(a, b, threshold=0.7) == (2 / 3, 2 / 6, None)
    assert cops.compare(a, b, threshold=0.7, count=2) == (2 / 3, 2 / 6, "NEAR")
    assert cops.compare(a, b, threshold=0.7, count=3) == (2 / 3, 2 / 6, None)


def test_koala_takes_the_least_frequent_substrings() -> None:
    assert letters(article("Ab'c 12_d!")) == "abcd"
    table = Table(10, {"bcdef": 3, "cdefg": 1})
    assert koala.rarest({"abcdefg", "bcdefgh", "cdefghi"}, table, 2) == {"abcdefg", "cdefghi"}
    assert koala.rarest({"abcdefg", "bcdefgh"}, Table(10, {"abcde": 1}), 1) == {"bcdefgh"}
    assert Table.of_letters([article("abc def"), article("abcd")]) == Table(1 + 1, {"abcde": 1, "bcdef": 1})
    a, b = article("abcdefg"), article("bcdefgh")
    assert koala.compare(a, b, form="full", letters=6) == (1 / 2, 1 / 2, "NEAR")
    # of left abcdef is stored, which right does not have; of right cdefgh, which left does not have
    assert koala.compare(a, b, table=Table(9, {"bcdef": 3}), letters=6, stored=1) == (0, 0, None)
    # now both store bcdefg, and right looks for it among one substring only: the same
    rare = Table(9, {"abcde": 3, "cdefg": 3})
    assert koala.compare(a, b, table=rare, letters=6, stored=1, searched=1) == (1, 1, "NEAR")
    assert koala.compare(a, b, table=rare, letters=6, stored=2) == (1 / 2, 1 / 2, "NEAR")


def test_sif_keeps_fingerprints_by_value() -> None:
    data = " ".join(str(number) for number in range(300)).encode()
    every = {rabin.fingerprint(data[at : at + 50]) for at in range(len(data) - 49)}
    kept = sif.fingerprints(data, modulus=16)
    assert kept == {value for value in every if value % 16 == 0}
    assert 0 < len(kept) < len(every) / 4
    assert sif.fingerprints(b"short") == {rabin.fingerprint(b"short")}
    assert sif.fingerprints(b"") == set()
    a, b = article("0123456789abcdefgh"), article("abcdefgh")
    assert sif.compare(a, b, length=4, modulus=1) == (5 / 15, 1, "HAS_PART")


def test_winnowing_keeps_the_rightmost_least_hash_of_each_window() -> None:
    hashes = [77, 72, 42, 17, 98, 50, 17, 98, 8, 88, 67, 39, 77, 72, 42, 17, 98]
    assert winnow.select(hashes, 4) == [(17, 3), (17, 6), (8, 8), (39, 11), (17, 15)]
    assert winnow.select([3, 1, 1], 4) == [(1, 2)]
    assert winnow.select([5, 5, 5], 2) == [(5, 1), (5, 2)]
    assert winnow.select([], 4) == []


def test_winnowing_finds_every_long_common_run() -> None:
    common = "thisrunoflettersislong"
    a, b = article("aaaa" + common + "bbbb"), article("cccc " + common.upper() + " dddd")
    needed = len(common) - 5 + 1
    assert winnow.compare(a, b, gram=5, window=needed, hash64=stand_in)[0] > 0
    assert winnow.compare(article("abc"), article("A b-c!"), hash64=stand_in) == (1, 1, "NEAR")
