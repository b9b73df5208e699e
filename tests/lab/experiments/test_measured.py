"""Measurements on the user's articles: checked by hand, or computed in another way."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest

from samestory import relate
from samestory.detectors import DETECTORS, parse
from samestory.errors import InputError, ParameterError
from samestory.lab.evaluation import GoldPairs, evaluate, read_gold, score
from samestory.lab.experiments import ExperimentInput, ReportRow, reproduce
from samestory.lab.experiments import resemblance as pairs_of
from samestory.lab.experiments.fomin.threshold import THRESHOLDS
from samestory.lab.experiments.further.claims import mega_shingles
from samestory.lab.experiments.further.pair_claims import kind_accuracy, resemblance_recall
from samestory.lab.experiments.times import exponent, sizes, time_once
from samestory.lab.experiments.values import YOURS
from samestory.lab.experiments.variants import best
from samestory.model import Article, Kind
from samestory.readers import Source
from tests.conftest import Writer
from tests.lab.experiments.conftest import Given
from tests.lab.experiments.news import containments, docs


def yours(name: str, collection: ExperimentInput) -> dict[str, ReportRow]:
    return {row.what: row for row in reproduce(name, collection) if row.basis == YOURS}


#: In every language `exact` flags the whole and the copy of three stories: 6 of 12 duplicates, and no other article.
BY_HAND = {"false alarm in %": 0, "miss in %": 50, "C_dup": 0.5, "precision": 1, "recall": 0.5, "F1": 2 / 3}


@pytest.mark.parametrize("name", ["U2", "U3"])
@pytest.mark.parametrize("split", [None, "category"])
def test_articles_are_counted_in_every_test_set(name: str, split: str | None, given: Given) -> None:
    found = yours(name, given(name, split=split))
    for what, value in BY_HAND.items():
        assert found[f"exact(), {what}"].measured == pytest.approx(value), what
    each = [row for what, row in found.items() if what.startswith("exact(), F1, ")]
    assert len(each) == (3 if split else 0)
    assert all(row.measured == pytest.approx(2 / 3) for row in each)


def test_an_article_whose_twin_is_in_another_set_is_no_duplicate_there(given: Given) -> None:
    """Sets by paper: every version of a story is in another one. The field is one of the articles here."""
    found = yours("U2", given("U2", split="source"))
    assert found["exact(), recall"].measured is None
    assert found["exact(), false alarm in %"].measured == 0
    assert len([what for what in found if what.startswith("reuse(), F1, Paper")]) == 5


def test_an_unknown_field_is_rejected(given: Given) -> None:
    with pytest.raises(ParameterError, match=r"no field 'colour'; available: category, day, source .* lang"):
        reproduce("U2", given("U2", split="colour"))


def test_an_article_without_the_field_is_rejected_with_its_line(given: Given) -> None:
    gold = given("U2").gold
    assert gold is not None
    gold.columns["category"][4] = None
    with pytest.raises(InputError, match=r"U2\.gold\.jsonl:5: no 'category'"):
        reproduce("U2", given("U2", split="category", gold=gold))


def test_one_test_set_is_too_few_for_a_test(given: Given) -> None:
    (row,) = [row for row in reproduce("U4", given("U4")) if row.what == "your test sets"]
    assert row.measured is None
    assert "--split" in row.note


def test_containments_are_measured_as_evaluate_does(given: Given) -> None:
    collection = given("V8")
    found = yours("V8", collection)
    assert collection.gold is not None
    runs = [score(parse(spec), collection.sources) for spec in collection.baselines]
    for result in evaluate(collection.gold, runs, rounds=50).results:
        f, precision, recall = result.figures
        for what, figure in (("F1", f), ("precision", precision), ("recall", recall)):
            row = found[f"{result.detector}, {what}"]
            assert (row.measured, row.low, row.high) == (figure.value, figure.low, figure.high)
    assert found["exact(), recall"].measured == 0


def test_a_method_stands_beside_its_published_value(given: Given, monkeypatch: pytest.MonkeyPatch) -> None:
    """A part that lies in its whole word for word is found by full fingerprints; I-Match looks for equals."""
    found = yours("V8", given("V8"))
    assert (found["FFP, F1"].published, found["FFP, F1"].measured) == (0.85, 1.0)
    assert found["I-Match, recall"].measured == 0
    assert {what.split(",")[0] for what in found} >= {"FFP", "CoDet", "I-Match", "SimHash", "DSC", "reuse()"}
    monkeypatch.delitem(DETECTORS.places, "ffp")
    assert "FFP, F1" not in yours("V8", given("V8"))


def test_forms_of_codet_are_measured_on_judged_pairs(given: Given) -> None:
    found = yours("V1", given("V1"))
    assert (found["no stemming, F1"].published, found["first five letters, F1"].published) == (0.74, 0.76)
    collection = given("V1")
    assert collection.gold is not None
    (own,) = evaluate(collection.gold, [score(parse("codet(stemming=none)"), collection.sources)], rounds=50).results
    assert found["no stemming, F1"].measured == own.figures[0].value
    powers = yours("V7", given("V7"))
    assert powers["power 1, F1"].published == 0.76
    assert set(powers) == {f"power {n}, {m}" for n in range(4) for m in ("precision", "recall", "F1")}


def test_trees_are_counted(given: Given) -> None:
    stop = yours("V2", given("V2"))
    sizes = [stop[f"{which} stop words, nodes"].measured for which in ("with", "without")]
    assert all(isinstance(size, int) and size > 100 for size in sizes)
    assert stop["tree smaller by"].measured == pytest.approx(100 * (1 - sizes[1] / sizes[0]))  # type: ignore[operator]
    grown = yours("V4", given("V4"))
    nodes = [grown[f"{n} suffixes, nodes"].measured for n in range(1, 7)]
    assert nodes == sorted(nodes) and nodes[0] < nodes[-1]  # type: ignore[type-var,operator]
    computed = yours("V6", given("V6"))
    assert computed["words not sorted"].published == 341
    counts = [row.measured for row in computed.values()]
    assert len(counts) == 2 and all(isinstance(count, float) and count > 0 for count in counts)


def winners(values: dict[str, object]) -> str:
    """Return the names of the highest value, as in a report."""
    numbers = {name: value for name, value in values.items() if isinstance(value, float)}
    first = [name for name, value in numbers.items() if value == max(numbers.values())]
    return first[0] if len(first) == 1 else "tie: " + ", ".join(first)


def test_the_best_form_is_named_and_a_tie_has_no_winner(given: Given) -> None:
    """The first of several tied variants was reported as the best."""
    weights = yours("V3", given("V3"))
    values = {weight: weights[f"{weight}, F1"].measured for weight in ("idf", "tf", "tfidf")}
    assert weights["best weight"].measured == winners(values)
    depths = yours("V5", given("V5"))
    found = {str(depth): depths[f"sorted, depth {depth}, F1"].measured for depth in range(1, 9)}
    assert str(depths["best depth, words sorted"].measured) == winners(found)
    assert sum(what.startswith("not sorted, depth") for what in depths) == 8
    short = yours("C4", given("C4"))
    options = {what.removesuffix(", F1"): row.measured for what, row in short.items() if what.endswith(", F1")}
    assert str(short["best"].measured) == winners(options)
    assert str(short["best"].measured).startswith("tie: ")


def test_a_single_variant_is_the_best_and_without_values_there_is_none() -> None:
    assert best({"a": ReportRow("a", measured=0.5), "b": ReportRow("b", measured=0.25), "c": ReportRow("c")}) == "a"
    assert best({"c": ReportRow("c")}) is None


def test_sets_of_duplicates_are_those_of_the_assessors(given: Given) -> None:
    """Every story is one set; whole, copy and edited copy share their terms, parts are too short for that."""
    found = yours("C2", given("C2", split="category", baselines=["exact()"]))
    assert found["test, recall"].published == pytest.approx(79 / 82)
    assert "3 lists" in found["test, recall"].note
    assert found["exact(), precision, two articles in common"].measured == 1.0
    assert found["exact(), recall, two articles in common"].measured == 1.0
    assert found["exact(), recall"].measured == 0
    windows = yours("C3", given("C3"))
    assert (windows["false sets that vanish"].measured, windows["true sets lost"].measured) == (0, 0)


def test_quoted_claims_are_measured_where_there_are_articles(given: Given) -> None:
    found = {row.what: row for row in reproduce("X1", given("X1"))}
    assert str(found["I-Match faster than shingling"].measured).endswith(" times")
    assert found["recall gained by random lexicons"].note.startswith("in %")
    alone = {row.what: row for row in reproduce("X1")}
    assert alone["I-Match faster than shingling"].measured is None
    assert "needs --docs" in alone["I-Match faster than shingling"].note


def test_sandersons_tests_are_held_against_the_judgements(news: Path, write: Writer) -> None:
    """Of nine copies one is judged no; what the edited ones are called is looked up, in whatever order they come."""
    names = [row["id"].removesuffix("-whole") for row in docs() if row["id"].endswith("-whole")]
    lines = [{"a": f"{n}-whole", "b": f"{n}-copy", "label": int(n != "tr1"), "relation": "near"} for n in names]
    lines += [{"a": f"{n}-edited", "b": f"{n}-whole", "label": 0, "relation": "near"} for n in names[:4]]
    collection = ExperimentInput(sources=[Source(str(news))], gold=read_gold(str(write("gold.jsonl", lines))), rounds=0)
    kinds = Counter(r.kind for r in relate(docs(), detector="sanderson"))
    found = yours("X1", collection)
    exact = found["Sanderson, test 3: exact duplicates, in %"]
    assert (exact.published, exact.measured) == (99, pytest.approx(100 * 8 / 9))
    assert exact.note == f"8 of 9 judged pairs reported as IDENTICAL; {kinds[Kind.IDENTICAL] - 9} more are not judged"
    events = found["Sanderson, test 1: not different events, in %"]
    count = sum(
        {r.left, r.right} == {f"{n}-edited", f"{n}-whole"}
        for r in relate(docs(), detector="sanderson")
        for n in names[:4]
    )
    assert count and (events.measured, events.note.startswith(f"0 of {count} judged pairs reported as NEAR")) == (
        0,
        True,
    )
    longer = found["Sanderson, test 2: not longer versions, in %"]
    assert longer.measured is None and "of 0 judged pairs reported as PART_OF" in longer.note


def test_the_order_of_part_and_whole_is_held_against_gold_that_has_one(news: Path, write: Writer) -> None:
    line = {"a": "en0-part", "b": "en0-whole", "label": 1, "relation": "contains"}
    other = {"a": "en1-part", "b": "en1-whole", "label": 1, "relation": "contains"}
    lines = [{**line, "direction": "b>a"}, {**other, "direction": "a>b"}]
    gold = read_gold(str(write("gold.jsonl", lines)))
    assert isinstance(gold, GoldPairs) and gold.ordered
    run = score(parse("sanderson(similar=0.2, exact=1.0, longer=0.8)"), [Source(str(news))])
    found = kind_accuracy(gold, run, Kind.PART_OF)
    assert (found.judged, found.right) == (2, 1)


def test_mega_shingles_are_counted_by_the_resemblance_of_pairs(write: Writer) -> None:
    """The end of an article is changed, the more of it the higher its number."""
    words = [f"w{n}" for n in range(4000)]
    lines = []
    for n in range(20):
        text = words[200 * n : 200 * n + 200]
        lines += [{"id": f"{n}", "text": " ".join(text)}, {"id": f"{n}b", "text": " ".join([*text[: 199 - n], "end"])}]
    sources = [Source(str(write("long.jsonl", lines)))]
    expected = [(195 - n) / 197 for n in range(20)]
    found = {tuple(sorted((r.left, r.right))) for r in relate(lines, detector="mega")}
    assert 0 < len(found) < 20
    collection = ExperimentInput(sources=sources)
    rows = {
        row.percent: row for row in resemblance_recall(collection, collection.score(parse("mega")), 5, mega_shingles)
    }
    for percent, row in rows.items():
        inside = [n for n, r in enumerate(expected) if percent - 2.5 <= 100 * r < percent + 2.5]
        assert row.pairs == len(inside)
        assert row.found == sum((f"{n}", f"{n}b") in found for n in inside)
        chances = [mega_shingles(expected[n]) for n in inside]
        assert row.expected == pytest.approx(sum(chances) / max(len(chances), 1))
    assert rows[95].pairs and rows[80].share is None and rows[80].note == "no pair has resemblance 77.5 to 82.5 %"


def test_errors_are_counted_among_judged_pairs(given: Given) -> None:
    """A direction makes two judgements of each of 18 pairs; `exact` finds none of the 9 parts."""
    row = yours("C5", given("C5"))["exact(), errors in %"]
    assert row.measured == 25
    assert "9 errors in 36 judged pairs" in row.note


def test_agreement_by_hand(given: Given) -> None:
    """18 judgements, one dispute: s1 says yes 9 times, s2 8 times."""
    pool = yours("V10", given("V10"))
    assert (pool["pairs judged"].measured, pool["judged containments"].measured) == (18, 9)
    assert pool["Cohen's κ, pooled"].measured == pytest.approx((17 / 18 - 0.5) / 0.5)
    yes = 17 / 36
    chance = yes**2 + (1 - yes) ** 2
    lists = yours("C1", given("C1"))
    assert lists["κ, pooled"].measured == pytest.approx((17 / 18 - chance) / (1 - chance))
    assert "18 items with two votes, by query" in lists["κ, pooled"].note
    # two queries without a dispute, one with: of six pairs one has two voices
    share = 5 / 12
    chance = share**2 + (1 - share) ** 2
    assert lists["κ, mean of queries"].measured == pytest.approx((2 + (5 / 6 - chance) / (1 - chance)) / 3)


BAD_VOTES = {
    "no line has assessors": lambda line: line.pop("assessors"),
    "assessors must be pairs of a name and a vote": lambda line: line.update(assessors=["s1", "s2"]),
    "an assessor has two votes": lambda line: line.update(assessors=[["s1", 1], ["s1", 0]]),
    "no line has the votes of two assessors": lambda line: line.update(assessors=[["s1", 1]]),
}


@pytest.mark.parametrize("message", BAD_VOTES)
def test_votes_that_are_none_are_refused(message: str, write: Writer) -> None:
    lines = containments()
    for line in lines:
        BAD_VOTES[message](line)
    gold = read_gold(str(write("gold.jsonl", lines)))
    with pytest.raises(InputError, match=message):
        reproduce("C1", ExperimentInput(gold=gold, rounds=0))


def test_items_without_two_votes_are_counted(write: Writer) -> None:
    lines = containments()
    lines[0]["assessors"] = [["s1", 1]]
    del lines[1]["assessors"]
    found = yours("C1", ExperimentInput(gold=read_gold(str(write("gold.jsonl", lines))), rounds=0))
    assert "16 items with two votes, by query; 2 without two left out" in found["κ, pooled"].note


def test_areas_are_those_of_resemblance_counted_the_slow_way(given: Given) -> None:
    collection = given("G3")
    compared = pairs_of.labelled_pairs(collection)
    tokens = compared.features.tokens
    rows = [tokens.values[a:b].tolist() for a, b in zip(tokens.offsets[:-1], tokens.offsets[1:], strict=True)]
    shingles = [{tuple(row[at : at + 2]) for at in range(len(row) - 1)} for row in rows]
    stories = [article["id"].rpartition("-")[0] + article["id"][-5:] * ("alone" in article["id"]) for article in docs()]
    scores: dict[bool, list[float]] = {True: [], False: []}
    for a, b in combinations(range(len(rows)), 2):
        alike = len(shingles[a] & shingles[b]) / len(shingles[a] | shingles[b])
        scores[stories[a] == stories[b]].append(alike)
    wins = sum((one > other) + (one == other) / 2 for one in scores[True] for other in scores[False])
    area, _ = compared.area(2)
    assert area == pytest.approx(wins / len(scores[True]) / len(scores[False]))
    assert compared.note == f"{len(scores[True]):,} duplicate pairs, {len(scores[False]):,} others"


def test_of_very_many_pairs_some_are_drawn(given: Given, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = pairs_of.labelled_pairs(given("G3"))
    monkeypatch.setattr(pairs_of, "MAX_NEGATIVE_PAIRS", 300)
    some = pairs_of.labelled_pairs(given("G3"))
    assert some.gold.sum() == whole.gold.sum()
    assert len(some.gold) < len(whole.gold)
    assert f"drawn of {whole.others:,} others" in some.note
    assert some.area(2)[0] == pytest.approx(whole.area(2)[0], abs=0.05)


def test_judged_pairs_are_compared_as_they_stand(news: Path, write: Writer) -> None:
    lines = [{**line, "relation": "near"} for line in containments()]
    for line in lines:
        line.pop("direction", None)
    collection = ExperimentInput(sources=[Source(str(news))], gold=read_gold(str(write("gold.jsonl", lines))))
    assert yours("G4", collection)["reference, area"].measured == 1


def test_gold_about_unknown_articles_is_refused(given: Given, write: Writer) -> None:
    few = write("few.jsonl", docs()[:20])
    with pytest.raises(InputError, match="no article has the id"):
        reproduce("G3", given("G3", sources=[Source(str(few))]))


def test_the_curve_is_that_of_evaluate(given: Given) -> None:
    collection = given("F1", baselines=["reuse()"])
    found = yours("F1", collection)
    assert collection.gold is not None
    run = score(parse("reuse()"), collection.sources, THRESHOLDS[0])
    drawn = evaluate(collection.gold, [run], ["pair_f()"], THRESHOLDS, rounds=0).curves[0]
    for at, value in zip(drawn.thresholds, drawn.values, strict=True):
        assert found[f"reuse(), F at {at:.2f}"].measured == value
    assert found["reuse(), best F"].measured == max(value for value in drawn.values if value is not None)


def test_every_day_has_its_best_threshold(given: Given) -> None:
    found = yours("F2", given("F2", split="day", baselines=["reuse()", "exact()"]))
    assert "3 of 3 sets" in found["reuse(), smallest best threshold"].note
    mean = found["reuse(), F, mean"]
    assert mean.published == 0.75
    assert isinstance(mean.measured, float) and mean.measured > 0.8
    assert not any(what.startswith("exact") for what in found), "without a threshold there is none to choose"


def test_sizes_double_and_are_timed(given: Given) -> None:
    found = yours("V9", given("V9", baselines=["reuse()"]))
    mine = [what for what in found if what.startswith("reuse(), ms, ")]
    assert mine == [f"reuse(), ms, {size} articles" for size in (9, 19, 39)]
    assert found["FFP, growth"].published == "faster than linear"
    assert all(isinstance(row.measured, float) and row.measured > 0 for what, row in found.items() if "ms" in what)
    assert sizes(400_000) == [6_250, 12_500, 25_000, 50_000, 100_000, 200_000, 400_000]
    with pytest.raises(InputError, match="at least 16 articles, got 15"):
        sizes(15)


def test_imatch_is_timed_with_the_counting_of_words_and_without(given: Given) -> None:
    """The table has both; only where words are counted within the time is that a phase."""
    found = yours("U5", given("U5", baselines=["exact()"]))
    for label in ("I-Match with idf", "I-Match without idf"):
        assert found[f"{label}, growth"].published == "linear"
        assert [what for what in found if what.startswith(f"{label}, ms, ")] == [
            f"{label}, ms, {size} articles" for size in (9, 19, 39)
        ]
    assert "I-Match with idf, ms of idf, 39 articles" in found
    assert "I-Match without idf, ms of idf, 39 articles" not in found
    assert "reading, ms, 39 articles" in found
    assert not any(what.startswith("I-Match, ") for what in found)


def test_phases_are_parts_of_the_time() -> None:
    articles = [Article(row["id"], row["text"]) for row in docs()]
    run = time_once(parse("imatch-idf"), articles)
    assert list(run.phases) == ["idf", "tokens and signatures", "indexing", "comparison"]
    assert all(spent > 0 for spent in run.phases.values())
    assert sum(run.phases.values()) <= run.seconds


def test_tweezer_is_timed_beside_it(given: Given) -> None:
    found = yours("U5", given("U5", baselines=["exact()"]))
    assert found["Tweezer, growth"].published == "linear"
    ours, theirs = (
        float(found[f"{name}, ms, 39 articles"].measured or 0) for name in ("Tweezer", "I-Match without idf")
    )
    gain = found["by how many % Tweezer is faster than I-Match without idf, 39 articles"]
    assert gain.measured == pytest.approx(100 * (1 - ours / theirs))


def test_growth_is_fitted_to_the_largest_sizes() -> None:
    points = [(1.0, 100.0), *((float(2**n), float(8**n)) for n in range(5, 9))]
    assert exponent(points) == pytest.approx(3)


def test_articles_with_one_id_are_refused(given: Given, news: Path, write: Writer) -> None:
    again = write("again.jsonl", docs()[:1])
    with pytest.raises(InputError, match="occurs twice"):
        reproduce("V9", given("V9", sources=[Source(str(news)), Source(str(again))]))


def test_steps_are_reported(given: Given) -> None:
    steps: list[str] = []
    reproduce("V9", given("V9", progress=steps.append, baselines=["exact()"]))
    assert steps[0] == "reading articles"
    assert steps[-1] == "timing exact() on 39 articles"
