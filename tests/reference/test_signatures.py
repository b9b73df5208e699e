"""The oracles of imatch and simhash against worked examples, and cases counted by hand."""

from __future__ import annotations

import hashlib

from tests.reference import (
    exact_hash,
    imatch,
    simhash,
)
from tests.reference.examples import article, few_stops, stand_in
from tests.reference.text import Table


def test_imatch_keeps_a_band_of_normalised_idf() -> None:
    table = Table(1000, {"all": 1000, "often": 500, "some": 100, "few": 10, "one": 1})
    assert imatch.in_band(["all", "often", "some", "few", "one", "unknown"], table, 0.2, 0.8) == {"some", "few"}
    assert imatch.in_band(["one"], Table(1, {"one": 1}), 0.0, 1.0) == set()
    a, b = article("All often some few"), article("few one some")
    assert imatch.compare(a, b, table=table) == (1, 1, "NEAR")
    assert imatch.compare(a, article("some"), table=table) == (0, 0, None)
    assert imatch.compare(article("all"), article("some"), table=table) == (0, 0, None)


def test_imatch_leaves_two_terms_aside_and_takes_ten() -> None:
    words = [f"w{number:02}" for number in range(20)]
    table = Table(100, {word: number + 1 for number, word in enumerate(words)})
    assert imatch.middle(words, table) == set(words[2:12])
    assert imatch.middle(["b", "a", "c", "d"], Table(9, {})) == {"c", "d"}
    assert imatch.compare_top(article("w00 w01"), article("w00 w01"), table=table, stop_list=few_stops)[2] == "NEAR"
    assert imatch.compare_top(article("w00 w01"), article("w00 w01 w02"), table=table, stop_list=few_stops)[2] is None
    left, right = article("typo w01 w02 w03"), article("other w01 w03 w02")
    assert imatch.compare_top(left, right, table=table, stop_list=few_stops) == (1, 1, "NEAR")


def test_random_lexicons_forgive_a_term_that_they_drop() -> None:
    table = Table(1000, {"some": 100, "few": 10, "other": 10, "all": 1000})

    def drops_other(number: int, term: str) -> int:
        return 0 if (number, term) in {(2, "other"), (4, "other")} else 2**64 - 1

    a, b = article("some few"), article("some few other")
    found = imatch.compare_random(a, b, table=table, hash64=drops_other)
    assert found == (2 / 6, 2 / 6, "NEAR")
    assert imatch.compare_random(a, b, table=table, drop=0.0, hash64=drops_other) == (0, 0, None)
    assert imatch.compare_random(a, article("other"), table=table, hash64=drops_other) == (0, 0, None)
    assert imatch.lexicon({"some", "few"}, 0, 1.0, stand_in) == {"some", "few"}
    words = ["some", *(f"x{number}" for number in range(9))]
    arguments = (table, 0.2, 0.8, 2, 0.0)
    assert imatch.signatures(words, *arguments, 0.1, stand_in) == [exact_hash.sha1("some")] * 3
    assert imatch.signatures([*words, "y"], *arguments, 0.1, stand_in) == [None] * 3


NASDAQ = {  # 4-bit hashes and weights of Table 4.2, in hundredths
    "nasdaq": (0b1100, 10),
    "starts": (0b1011, 4),
    "day": (0b0100, 3),
    "with": (0b1111, 2),
    "an": (0b1000, 1),
    "increase": (0b0110, 6),
}


def test_simhash_of_the_table() -> None:
    votes = list(NASDAQ.values())
    assert simhash.sums(votes, 4) == [8, 16, -2, -14]
    assert simhash.fingerprint(votes, 4) == 0b1100


def test_simhash_without_the_two_heaviest_where_a_sum_is_zero() -> None:
    votes = sorted(NASDAQ.values(), key=lambda vote: -vote[1])[2:]
    assert simhash.sums(votes, 4) == [4, 0, 2, 2]
    assert simhash.fingerprint(votes, 4) == 0b1011


def test_simhash_leaves_the_rarest_aside_and_weighs_by_idf() -> None:
    table = Table(100, {"a": 1, "b": 1, "c": 10, "d": 100})
    first = int.from_bytes(hashlib.sha1(b"c").digest()[:8], "big")
    votes = simhash.votes(["d", "c", "b", "a", "c"], table)
    assert votes[0] == (first, 1_000_000)
    assert [weight for _, weight in votes] == [1_000_000, 0]
    assert simhash.term_hash("c", 160) == int(exact_hash.sha1("c"), 16)
    left, right = article("typo w01 w02 w03"), article("other w01 w03 w02")
    assert simhash.compare(left, right, table=Table(100, {"w02": 5, "w03": 5}), stop_list=few_stops) == (1, 1, "NEAR")


def test_simhash_wants_fewer_different_bits_than_the_distance() -> None:
    left, right, table = article("typo w01 w02 w03"), article("typo w01 w02 w04"), Table(100, {"w02": 5})
    share, _, _ = simhash.compare(left, right, table=table, skip=0, stop_list=few_stops)
    different = round((1 - share) * 64)
    assert 0 < different < 64
    for distance, kind in ((different, None), (different + 1, "NEAR")):
        found = simhash.compare(left, right, table=table, skip=0, distance=distance, stop_list=few_stops)
        assert found == (share, share, kind)
