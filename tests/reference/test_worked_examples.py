"""The oracles against every worked example of the sources, and against small cases counted by hand."""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Callable

import pytest

from samestory import Article
from tests.reference import (
    codet,
    cooper,
    cops,
    cosine,
    ddd,
    dsc,
    exact_hash,
    full_fingerprint,
    henzinger,
    imatch,
    koala,
    mega,
    park,
    rabin,
    resemblance,
    sanderson,
    scam,
    sif,
    simhash,
    spotsigs,
    winnow,
)
from tests.reference.shares import Result, contained_sets, contains, jaccard, resembling_sets
from tests.reference.text import Table, letters, runs, sentences, shingles, terms

EMPTY_SHA1 = "da39a3ee5e6b4b0d3255bfef95601890afd80709"
CAT, DOG = "a cat is a cat is a cat", "a cat is a dog"


def article(text: str, lang: str = "en", published: str | None = None) -> Article:
    return Article("x", text, lang=lang, published=published)


def few_stops(code: str) -> list[str]:
    return {"en": ["a", "an", "at", "off", "the", "to", "with"], "tr": ["bunun", "için", "ve"]}.get(code, [])


def stand_in(number: int, term: str) -> int:
    return int.from_bytes(hashlib.sha256(f"{number} {term}".encode()).digest()[:8], "big")


# --- terms ---


def test_stems_keep_five_characters_and_figures_stay_whole() -> None:
    text = "Üniversitesi Bakan GÜL’ün 2008-2009'da %12,55 IĞDIR"
    assert terms(article(text, "tr"), "F5") == ["ünive", "bakan", "gül", "2008-2009", "%12,55", "ığdır"]
    assert terms(article("IĞDIR", "en")) == ["iğdir"]


def test_stop_words_go_before_stems() -> None:
    assert terms(article("Bunun için bununla", "tr"), "F5", True, stop_list=few_stops) == ["bunun"]
    assert terms(article("The ministers", "de"), "F5", True, stop_list=few_stops) == ["the", "minis"]


def test_sentences_are_lists_of_terms() -> None:
    text = "NASDAQ starts day with an increase. Shares gain 2%.\n— !\nEnd"
    assert sentences(article(text)) == [
        ["nasdaq", "starts", "day", "with", "an", "increase"],
        ["shares", "gain", "2%"],
        ["end"],
    ]
    assert sentences(article(text), "F5", True, stop_list=few_stops)[0] == ["nasda", "start", "day", "incre"]


def test_idf_is_a_logarithm_in_base_ten_and_the_unknown_is_the_rarest() -> None:
    table = Table(10000, {"known": 100})
    assert table.idf("known") == pytest.approx(2)
    assert table.idf("known", plus_one=True) == pytest.approx(3)
    assert table.idf("known", log_base=math.e) == pytest.approx(math.log(100))
    assert table.idf("unknown") == pytest.approx(4)


def test_an_article_counts_once_and_stop_words_count() -> None:
    table = Table.of([article("The banker, the banking"), article("A banker")], "F5")
    assert (table.articles, table.counts) == (2, {"the": 1, "banke": 2, "banki": 1, "a": 1})
    assert table.rarest_first(["the", "banke", "a", "new"]) == ["a", "new", "the", "banke"]


# --- hashes ---


def test_sha1() -> None:
    fox = "The quick brown fox jumps over the lazy "
    assert exact_hash.sha1(fox + "dog") == "2fd4e1c67a2d28fced849ee1bb76e7391b93eb12"
    assert exact_hash.sha1(fox + "cog") == "de9f2c7fd25e1b3afad3e85a0bd17d9b100db4b3"
    assert exact_hash.sha1("") == EMPTY_SHA1


def test_the_exact_hash_is_that_of_the_words() -> None:
    assert exact_hash.normalised(article("  Ankara'da, BUGÜN:\n%5! ", "tr")) == "ankara da bugün %5"
    assert exact_hash.digest(article("The fox!")) == exact_hash.sha1("the fox")
    assert exact_hash.digest(article("The fox!"), "md5") == hashlib.md5(b"the fox").hexdigest()
    assert exact_hash.compare(article("The fox!"), article("the FOX")) == (1, 1, "IDENTICAL")
    assert exact_hash.compare(article("The fox"), article("A fox")) == (0, 0, None)


@pytest.mark.parametrize("text", ["", "—!"])
def test_nothing_is_never_hashed(text: str) -> None:
    assert exact_hash.digest(article(text)) is None
    assert imatch.digest([]) is None


def test_the_digest_of_imatch() -> None:
    words = ["starts", "day", "nasdaq", "increase", "day"]
    assert imatch.digest(words) == "d132e1d0ebc8d2e0bbb371684110ceb568df4b21"


def test_the_hash_code_of_java() -> None:
    assert cooper.java_hash("hello") == 99162322
    assert cooper.java_hash("😀") == 31 * 0xD83D + 0xDE00
    assert cooper.signature(["hello", "hello"]) == 2 * 99162322
    assert cooper.signature(["zzzzzzz", "hello"]) == (cooper.java_hash("zzzzzzz") + 99162322) % 2**32


@pytest.mark.parametrize(
    ("text", "value", "rest"),
    [("a cat is a", 542244960197, 22), ("cat is a cat", 489832809167, 17), ("is a cat is", 950756104139, 14)],
)
def test_the_fingerprint_of_rabin(text: str, value: int, rest: int) -> None:
    assert rabin.fingerprint(text.encode()) == value
    assert value % 25 == rest


# --- shingles ---


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


# --- imatch and simhash ---


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


# --- chunks and substrings ---


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


# --- words ---


@pytest.mark.parametrize(
    ("left", "right", "epsilon", "forward", "backward"),
    [
        ("a b c", "a b c d e f", 2.5, 1.0, 0.5),
        ("a a a b", "a b c", 2.5, 0.1, 1 / 3),
        ("a a b c", "a b b c", 2.6, 5 / 6, 5 / 6),
        ("a a b c", "a b b c", 2.5, 1 / 6, 1 / 6),
    ],
)
def test_scam(left: str, right: str, epsilon: float, forward: float, backward: float) -> None:
    a, b = Counter(left.split()), Counter(right.split())
    assert scam.subset(a, b, epsilon) == pytest.approx(forward)
    assert scam.subset(b, a, epsilon) == pytest.approx(backward)
    found = scam.compare(article(left), article(right), epsilon=epsilon, stop_words=False)
    assert found[:2] == pytest.approx((forward, backward))


def test_only_words_of_about_one_frequency_are_close() -> None:
    assert scam.close(Counter("aaab"), Counter("abc")) == {"b"}
    assert scam.compare(article("a b c"), article("a b c d e f"), stop_words=False)[2] == "PART_OF"
    # subset(a,b) is 12/9 here: a share is at most 1
    a, b = article("x x x"), article("x x x x")
    assert scam.compare(a, b, stop_words=False) == (1, 12 / 16, "NEAR")


def test_the_spots_of_the_rally() -> None:
    words = ["at", "a", "rally", "to", "kick", "off", "a", "weeklong", "campaign"]
    stops = set(few_stops("en"))
    assert spotsigs.spots(words, stops, {"a"}) == ["a:rally:kick", "a:weeklong:campaign"]
    assert spotsigs.spots(words, stops) == [
        "at:rally:kick",
        "a:rally:kick",
        "to:kick:weeklong",
        "off:weeklong:campaign",
        "a:weeklong:campaign",
    ]
    assert spotsigs.spots(words, stops, {"a"}, distance=2) == ["a:kick:campaign"]


def test_spots_are_compared_as_multisets() -> None:
    a, b = article("the x y the x y the"), article("the x y z")
    # the:x:y twice, and none at the end, against once
    assert spotsigs.compare(a, b, stop_list=few_stops) == (1 / 2, 1, "NEAR")
    assert spotsigs.compare(a, b, threshold=0.51, stop_list=few_stops) == (1 / 2, 1, None)
    strange = article("the x y", "de")
    assert spotsigs.compare(strange, b, stop_list=few_stops) == (0, 0, None)


def test_cosine_by_hand() -> None:
    table = Table(100, {"a": 10, "b": 10, "c": 1, "d": 100})
    # (2, 1) on a, b against (1, 2) on b, c; d weighs nothing
    found = cosine.compare(article("a a b d"), article("b c d"), table=table, threshold=0.2, stop_words=False)
    assert found[:2] == pytest.approx((1 / 5, 1 / 5))
    assert cosine.compare(article("a a b"), article("a b a"), table=table, stop_words=False) == (1, 1, "NEAR")
    assert cosine.compare(article("d"), article("a"), table=table, stop_words=False) == (0, 0, None)


def test_cooper_takes_the_salient_terms() -> None:
    table = Table(100, {"a": 10, "b": 10, "c": 1, "d": 100})
    assert cooper.salient_terms(["a", "a", "a", "b", "c", "d", "d", "d"], table, 2) == {"a", "c"}
    assert cooper.salient_terms(["c", "b", "a"], table, 2) == {"a", "c"}
    a, b = article("a a a b c"), article("c a a a d")
    assert cooper.compare(a, b, table=table, salient=2, stop_words=False) == (1, 1, "NEAR")
    assert cooper.compare(a, b, table=table, stop_words=False) == (2 / 3, 2 / 3, None)
    assert cooper.compare(a, b, table=table, threshold=0.5, stop_words=False) == (2 / 3, 2 / 3, "NEAR")


@pytest.mark.parametrize(
    ("variant", "expected"),
    [
        ("tf", "f m x"),
        ("df", "q r x"),
        ("tfidf", "m x r"),
        ("pw", "x m r"),
        ("df1tf4", "q f m"),
        ("df2tf3", "q r f"),
        ("df1tfidf4", "q m x"),
        ("df2tfidf3", "q r m"),
    ],
)
def test_the_variants_of_park(variant: str, expected: str) -> None:
    table = Table(1000, {"f": 1000, "m": 100, "q": 1, "r": 2, "x": 30})
    words = ["f"] * 9 + ["m"] * 7 + ["x"] * 4 + ["q"] + ["r"] * 2
    assert park.signature(words, table, variant, 3) == set(expected.split())


def test_park_wants_four_of_five() -> None:
    table = Table(10, {})
    a, b = article("a b c d e"), article("a b c d x")
    assert park.compare(a, b, table=table, stop_words=False) == (4 / 5, 4 / 5, "NEAR")
    assert park.compare(a, article("a b c"), table=table, stop_words=False) == (3 / 5, 1, "NEAR")
    assert park.compare(a, article("a b c x y"), table=table, stop_words=False) == (3 / 5, 3 / 5, None)


def test_words_that_weigh_nothing_stand_for_nobody() -> None:
    table = Table(10, {"a": 10, "b": 10})
    assert park.signature(["a", "b"], table, "tfidf") == park.signature(["a", "b"], table, "pw") == set()
    assert park.signature(["a", "b"], table, "df2tf3") == {"a", "b"}
    assert cooper.salient_terms(["a", "b"], table) == set()
    assert simhash.votes(["a", "b", "b"], table, skip=0) == []


@pytest.mark.parametrize(
    ("share", "words", "expected"),
    [
        (0.95, (90, 100), "IDENTICAL"),
        (0.94, (90, 100), "NEAR"),
        (0.80, (81, 100), "NEAR"),
        (0.79, (90, 100), None),
        (0.99, (80, 100), "PART_OF"),
        (0.80, (100, 50), "HAS_PART"),
        (0.79, (100, 50), None),
    ],
)
def test_the_tests_of_sanderson(share: float, words: tuple[int, int], expected: str | None) -> None:
    assert sanderson.kind(share, words) == expected


def test_sanderson_wants_articles_of_the_same_days() -> None:
    table = Table(100, {})
    a = article("one two three", published="2020-01-01T00:00:00Z")
    same = (1, 1, "IDENTICAL")
    assert sanderson.compare(a, article(a.text, published="2020-01-03T00:00:00Z"), table=table) == same
    assert sanderson.compare(a, article(a.text, published="2020-01-03T00:00:01Z"), table=table) == (1, 1, None)
    assert sanderson.compare(a, article(a.text), table=table) == same


def test_the_projection_of_henzinger_is_a_vote_of_frequencies() -> None:
    hashes = {(0, "a"): 0b11 << 62, (0, "b"): 0b01 << 62, (1, "a"): 1, (1, "b"): 0}

    def hash64(number: int, term: str) -> int:
        return hashes[number, term]

    bits = henzinger.projection({"a": 2, "b": 1}, 128, hash64)
    assert bits == [1, 1, *[0] * 125, 1]
    assert henzinger.projection({"a": 1, "b": 1}, 128, hash64) == [0, 1, *[0] * 126]
    a, b = article("a a b"), article("a b")
    assert henzinger.second_stage(a, b, bits=128, agreeing=126, hash64=hash64) == (126 / 128, 126 / 128, "NEAR")
    assert henzinger.second_stage(a, b, bits=128, agreeing=127, hash64=hash64)[2] is None


# --- ddd ---


def many(prefix: str, count: int) -> list[str]:
    return [f"{prefix}{number}" for number in range(count)]


@pytest.mark.parametrize(
    ("common", "lengths", "date", "expected"),
    [
        (48, (500, 410), "2020-01-31", "NEAR"),
        (47, (500, 410), "2020-01-31", None),
        (48, (500, 399), "2020-01-31", None),
        (48, (500, 400), "2020-01-31", "NEAR"),
        (48, (500, 410), "2020-02-12", "NEAR"),
        (48, (500, 410), "2020-02-13", None),
    ],
)
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


# --- codet ---

STORIES = {
    "A": article("NASDAQ starts day with an increase. Shares gain 2%."),
    "B": article("NASDAQ starts day with a decrease. Shares lose 2%."),
    "C": article("Shares lose 2%."),
}
FREQUENCIES = Table.of(list(STORIES.values()))


def codet_scores(
    log_base: float = 10,
    plus_one: bool = True,
    *,
    depth_power: float = 1,
    suffixes: int = 1,
    word_sorting: bool = False,
    depth_threshold: int = 0,
) -> dict[str, float]:
    """CS of every two of the three stories."""

    def idf(word: str) -> float:
        return FREQUENCIES.idf(word, log_base, plus_one)

    ready = {
        name: codet.prepared(sentences(story), idf, word_sorting, depth_threshold, suffixes)
        for name, story in STORIES.items()
    }
    return {a + b: codet.score(ready[a], ready[b], idf, depth_power) for a in ready for b in ready}


def close_to(expected: dict[str, float]) -> object:
    return pytest.approx(expected, abs=6e-7)


def test_codet_takes_the_common_beginning_of_sentences() -> None:
    assert codet.common_prefix(["john", "is", "happy"], ["john", "is", "sad"]) == ["john", "is"]


def test_codet_idf_of_the_example() -> None:
    found = {word: round(FREQUENCIES.idf(word, 10, True), 6) for word in FREQUENCIES.counts}
    once = dict.fromkeys(["an", "increase", "gain", "a", "decrease"], 1.477121)
    twice = dict.fromkeys(["nasdaq", "starts", "day", "with", "lose"], 1.176091)
    assert found == {**once, **twice, "shares": 1.0, "2%": 1.0}
    assert round(2 * FREQUENCIES.idf("starts", 10, True), 6) == 2.352183


@pytest.mark.parametrize(
    ("log_base", "plus_one", "expected"),
    [
        (10, True, (12.760913, 1.0, 6.352183, 34.963489, 34.361429, 6.352183)),
        (math.e, True, (15.054651, 1.0, 6.810930, 45.336611, 43.950316, 6.810930)),
        (10, False, (1.760913, 0.0, 0.352183, 7.963489, 7.361429, 0.352183)),
    ],
)
def test_codet_scores_of_the_example(log_base: float, plus_one: bool, expected: tuple[float, ...]) -> None:
    scores = codet_scores(log_base, plus_one)
    assert tuple(scores[pair] for pair in ("AB", "AC", "BC", "AA", "BB", "CC")) == pytest.approx(expected, abs=6e-7)
    assert all(scores[a + b] == pytest.approx(scores[b + a]) for a, b in ("AB", "AC", "BC"))


def codet_compare(left: str, right: str, threshold: float = 0.6) -> Result:
    return codet.compare(
        STORIES[left],
        STORIES[right],
        table=FREQUENCIES,
        threshold=threshold,
        stemming="none",
        stop_words=False,
        word_sorting=False,
        depth_threshold=0,
        plus_one=True,
    )


def test_codet_shares_of_the_example() -> None:
    assert codet_compare("A", "B")[:2] == pytest.approx((0.364978, 0.371373), abs=6e-7)
    assert codet_compare("A", "C")[:2] == pytest.approx((0.028601, 0.157426), abs=6e-7)
    assert codet_compare("B", "C")[:2] == pytest.approx((0.184864, 1.0), abs=6e-7)


@pytest.mark.parametrize("threshold", [0.372, 0.6, 0.999])
def test_codet_finds_one_containment_in_the_example(threshold: float) -> None:
    assert [codet_compare(pair[0], pair[1], threshold)[2] for pair in ("AB", "AC", "BC", "CB")] == [
        None,
        None,
        "HAS_PART",
        "PART_OF",
    ]


def test_codet_wants_more_than_the_threshold() -> None:
    assert codet_compare("C", "B", 1.0)[2] is None
    assert codet_compare("C", "C", 0.999)[2] == "NEAR"


@pytest.mark.parametrize(
    ("power", "expected"),
    [
        (0, {"AB": 5.704365, "AA": 11.135729}),
        (1, {"AB": 12.760913, "AA": 34.963489}),
        (2, {"AB": 36.282738, "AA": 141.295619}),
        (3, {"AB": 118.609126, "AA": 661.124444}),
    ],
)
def test_codet_powers_of_depth(power: float, expected: dict[str, float]) -> None:
    scores = codet_scores(depth_power=power)
    assert {pair: scores[pair] for pair in expected} == close_to(expected)


def test_codet_suffixes() -> None:
    scores = codet_scores(suffixes=3)
    expected = {"AB": 24.345734, "BC": 10.528274, "AA": 73.659372, "BB": 72.756282, "CC": 10.528274}
    assert {pair: scores[pair] for pair in expected} == close_to(expected)


def test_codet_sorting_and_a_depth_of_five() -> None:
    def idf(word: str) -> float:
        return FREQUENCIES.idf(word, 10, True)

    assert codet.prepared(sentences(STORIES["A"]), idf) == [
        ["an", "increase", "day", "nasdaq", "starts"],
        ["gain", "2%", "shares"],
    ]
    scores = codet_scores(word_sorting=True, depth_threshold=5)
    expected = {"AB": 0.0, "BC": 6.176091, "CC": 6.176091, "AA": 25.021580, "BB": 24.720550}
    assert {pair: scores[pair] for pair in expected} == close_to(expected)


def test_codet_tree_with_counts_equals_the_double_loop() -> None:
    def idf(word: str) -> float:
        return FREQUENCIES.idf(word, 10, True)

    scores = codet_scores()
    for order in ("ABC", "CBA", "BCA"):
        found = codet.tree_scores([(name, sentences(STORIES[name])) for name in order], idf)
        for a, b in ("AB", "AC", "BC"):
            assert found[frozenset((a, b))] == pytest.approx(scores[a + b])
        assert len(found) == 3


def test_codet_tree_with_sets_depends_on_the_order() -> None:
    d1, d2 = ("d1", [["x", "a"], ["x", "b"]]), ("d2", [["x", "c"]])
    pair = frozenset(("d1", "d2"))

    def idf(_: str) -> float:
        return 1.0

    assert codet.score(d1[1], d2[1], idf) == 2
    assert codet.tree_scores([d1, d2], idf, "set") == {pair: 1}
    assert codet.tree_scores([d2, d1], idf, "set") == {pair: 2}
    assert codet.tree_scores([d1, d2], idf) == codet.tree_scores([d2, d1], idf) == {pair: 2}


# --- what holds for all ---

TEXTS = [
    "",
    "—",
    "The",
    "The ferry to Ankara'da runs again at 12:30.",
    " ".join(many("word", 25)) + ". The ferry to the city runs again with a crew of 12. An end.",
    " ".join(many("word", 28)) + ". The ferry to the city runs again with a crew of 13.",
]
TABLES = {stemming: Table.of([article(text) for text in TEXTS], stemming) for stemming in ("none", "F5")}
LETTERS = Table.of_letters([article(text) for text in TEXTS])

Comparison = Callable[[Article, Article], Result]


COMPARISONS: dict[str, Comparison] = {
    "sha1-exact": lambda a, b: exact_hash.compare(a, b),
    "ffp": lambda a, b: full_fingerprint.compare(a, b, stop_list=few_stops),
    "dsc-varol": lambda a, b: full_fingerprint.compare_sampled(a, b, stop_list=few_stops),
    "imatch-idf": lambda a, b: imatch.compare(a, b, table=TABLES["none"]),
    "imatch-top10": lambda a, b: imatch.compare_top(a, b, table=TABLES["F5"], stop_list=few_stops),
    "imatch-rand": lambda a, b: imatch.compare_random(a, b, table=TABLES["none"], hash64=stand_in),
    "resemblance": lambda a, b: resemblance.compare(a, b),
    "dsc": lambda a, b: dsc.compare(a, b),
    "dsc-ss": lambda a, b: dsc.compare_super(a, b),
    "simhash": lambda a, b: simhash.compare(a, b, table=TABLES["F5"], stop_list=few_stops),
    "cops": lambda a, b: cops.compare(a, b),
    "koala": lambda a, b: koala.compare(a, b, table=LETTERS),
    "sif": lambda a, b: sif.compare(a, b),
    "winnow": lambda a, b: winnow.compare(a, b, hash64=stand_in),
    "scam": lambda a, b: scam.compare(a, b, stop_list=few_stops),
    "spotsigs": lambda a, b: spotsigs.compare(a, b, stop_list=few_stops),
    "henzinger": lambda a, b: henzinger.second_stage(a, b, hash64=stand_in),
    "cosine": lambda a, b: cosine.compare(a, b, table=TABLES["none"], stop_list=few_stops),
    "cooper": lambda a, b: cooper.compare(a, b, table=TABLES["none"], stop_list=few_stops),
    "park": lambda a, b: park.compare(a, b, table=TABLES["none"]),
    "sanderson": lambda a, b: sanderson.compare(a, b, table=TABLES["none"]),
    "ddd": lambda a, b: ddd.compare(a, b, table=TABLES["none"]),
    "codet": lambda a, b: codet.compare(a, b, table=TABLES["F5"], stop_list=few_stops),
}

FLIPPED = {"PART_OF": "HAS_PART", "HAS_PART": "PART_OF"}


@pytest.mark.parametrize("name", COMPARISONS)
def test_an_article_is_like_itself_and_sides_can_be_swapped(name: str) -> None:
    compare = COMPARISONS[name]
    articles = [article(text) for text in TEXTS]
    for one in articles:
        forward, backward, kind = compare(one, one)
        assert (forward, backward) == pytest.approx((1, 1))
        assert kind in ("NEAR", "IDENTICAL")
        for other in articles:
            forward, backward, kind = compare(one, other)
            back = compare(other, one)
            assert 0 <= forward <= 1
            assert 0 <= backward <= 1
            assert back[:2] == pytest.approx((backward, forward))
            assert back[2] == (FLIPPED.get(kind, kind) if kind else None)


@pytest.mark.parametrize("compare", [imatch.compare, cosine.compare, park.compare])
def test_a_method_that_weighs_words_wants_a_table(compare: Callable[..., Result]) -> None:
    with pytest.raises(ValueError, match="table"):
        compare(article("one"), article("two"), stop_list=few_stops)
