"""The oracles of shingles against worked examples, and cases counted by hand."""

from __future__ import annotations

import hashlib

import pytest

from tests.reference import (
    dsc,
    full_fingerprint,
    mega,
    rabin,
    resemblance,
)
from tests.reference.examples import CAT, DOG, article, few_stops
from tests.reference.shares import contained_sets, contains, jaccard, resembling_sets
from tests.reference.text import runs, shingles


def test_the_shingles_of_the_cat() -> None:
    assert len(runs(CAT.split(), 4)) == 5
    assert len(shingles(CAT.split(), 4)) == 3
    assert runs(["one", "two"], 4) == [("one", "two")]
    assert runs([], 4) == []


def test_the_resemblance_of_the_cat_and_the_dog() -> None:
    a, b = shingles(CAT.split(), 4), shingles(DOG.split(), 4)
    assert jaccard(a, b) == 1 / 4
    assert jaccard(set(), set()) == 0
    assert resemblance.compare(article(CAT), article(DOG), shingle=4, threshold=0.25) == (1 / 3, 1 / 2, "NEAR")
    assert resemblance.compare(article(CAT), article(DOG), shingle=4, threshold=0.26) == (1 / 3, 1 / 2, None)


def test_kinds_follow_from_the_two_shares() -> None:
    assert contains(0.6, 0.6, 0.6)[2] == "NEAR"
    assert contains(0.6, 0.59, 0.6)[2] == "PART_OF"
    assert contains(0.59, 0.6, 0.6)[2] == "HAS_PART"
    assert contains(0.59, 0.59, 0.6)[2] is None
    assert contained_sets(set(), set(), 0.5) == resembling_sets(set(), set(), 0.5) == (1, 1, "NEAR")
    assert contained_sets({1}, set(), 0.5) == resembling_sets(set(), {1}, 0.5) == (0, 0, None)


def test_the_full_fingerprint_wants_sixty_per_cent() -> None:
    a, b = article("one two three four five six seven eight"), article("one two three four five six and more")
    assert full_fingerprint.compare(a, b, stop_list=few_stops) == (3 / 5, 3 / 5, "NEAR")
    longer = article(a.text + " nine ten")
    assert full_fingerprint.compare(a, longer, stop_list=few_stops) == (1, 5 / 7, "NEAR")
    assert full_fingerprint.compare(a, longer, threshold=0.8, stop_list=few_stops) == (1, 5 / 7, "PART_OF")


def test_the_readings_of_three_overlapping_substrings() -> None:
    places: list[tuple[str, ...]] = [(str(number),) for number in range(8)]
    assert full_fingerprint.sample(places, "every_third") == {("0",), ("3",), ("6",)}
    assert full_fingerprint.sample(places, "first_three") == {("0",), ("1",), ("2",)}
    assert full_fingerprint.sample(places, "all") == set(places)
    by_hash = sorted((hashlib.sha1(run[0].encode()).hexdigest(), run) for run in places)
    assert full_fingerprint.sample(places, "min_three") == {run for _, run in by_hash[:3]}
    # of the five shingles of left the first and the fourth are kept, of right those and more
    left, right = article("one two three four five six seven eight"), article("one two three four five six seven x y z")
    assert full_fingerprint.compare_sampled(left, right, stop_list=few_stops) == (1, 2 / 3, "NEAR")
    lead = full_fingerprint.compare_sampled(left, right, sampling="first_three", stop_list=few_stops)
    assert lead == (1, 1, "NEAR")


def test_a_sketch_is_kept_by_value_and_a_short_text_keeps_all() -> None:
    assert dsc.sketch(CAT.split(), 4) == {542244960197, 489832809167, 950756104139}
    words = [str(number) for number in range(300)]
    kept = dsc.sketch(words, 10)
    assert kept == {
        value for at in range(291) if (value := rabin.fingerprint(" ".join(words[at : at + 10]).encode())) % 25 == 0
    }
    assert 0 < len(kept) < 40
    assert dsc.sketch(words, 10, smallest=2) == set(sorted(kept)[:2])


def test_super_shingles_are_runs_of_the_sorted_sketch() -> None:
    assert dsc.supers({5, 1, 4, 2, 3}, 4) == {(1, 2, 3, 4), (2, 3, 4, 5)}
    assert dsc.supers({2, 1}, 4) == {(1, 2)}
    assert dsc.compare_super(article(CAT), article(CAT), shingle=4) == (1, 1, "NEAR")
    assert dsc.compare_super(article(CAT), article(DOG), shingle=4) == (0, 0, None)
    assert dsc.compare_super(article(CAT), article(DOG), shingle=4, super=1) == (1 / 3, 1 / 2, "NEAR")


def test_how_likely_mega_shingles_agree() -> None:
    assert mega.probability(0.95) == pytest.approx(0.8786, abs=5e-5)
    assert mega.probability(0.80) == pytest.approx(0.0258, abs=5e-5)
    assert mega.probability(1) == 1
