"""Slices contain every row once, and their figures equal those computed from their rows alone."""

from __future__ import annotations

from typing import Any

import pytest

from samestory.lab.evaluation.articles import load_articles
from samestory.lab.evaluation.evaluate import Evaluation
from samestory.lab.evaluation.slices import Slices, by_kind, slices
from samestory.readers import Source
from tests.conftest import Writer
from tests.lab.evaluation.news import ARTICLES, GROUPS, PAIRS, evaluated
from tests.news import SENTENCES


def sliced(found: Evaluation, sources: list[Source], rounds: int = 50) -> dict[str, Slices]:
    articles = load_articles(sources, {article for article, _ in found.gold.ids()})
    return {group.by: group for group in slices(found, articles, rounds)}


def test_every_judged_pair_is_in_one_slice(write: Writer) -> None:
    found, sources = evaluated(write)
    groups = sliced(found, sources)
    assert list(groups) == ["length", "language", "overlap", "desk"]
    for group in groups.values():
        assert sum(part.count for part in group.parts) == 11
        assert sum(part.positives for part in group.parts) == 6
        assert group.measures == tuple(map(str, found.measures))


def test_the_figures_of_a_slice_are_those_of_its_pairs(write: Writer) -> None:
    found, sources = evaluated(write)
    (city,) = [part for part in sliced(found, sources)["desk"].parts if part.name == "city"]
    alone, _ = evaluated(write, gold=[pair for pair in PAIRS if pair["desk"] == "city"])
    for number, figures in enumerate(city.figures):
        own = [r for r in alone.results if r.chosen == "own"][number]
        assert [f.value for f in figures] == [f.value for f in own.figures]
        assert [f.rounds for f in figures] == [50] * 3


def test_overlap_is_the_share_of_the_smaller_article_found_in_the_other(write: Writer) -> None:
    news = [
        {"id": "whole", "text": " ".join(SENTENCES[:6])},
        {"id": "part", "text": " ".join(SENTENCES[:2])},
        {"id": "half", "text": f"{SENTENCES[0]} {SENTENCES[6]}"},
        {"id": "other", "text": SENTENCES[7]},
    ]
    articles = load_articles([Source(str(write("n.jsonl", news)))], {"whole", "part", "half", "other"})
    left, right = ["part", "whole", "half", "other"], ["whole", "part", "part", "whole"]
    words = [len(SENTENCES[at].split()) for at in (0, 6)]
    shingles = sum(words) - 2
    shares = articles.overlaps(left, right)
    assert shares[0] == shares[1] == 1
    assert shares[2] == pytest.approx((words[0] - 2) / shingles, abs=0.03)
    assert shares[3] == 0


@pytest.mark.parametrize(
    "values, expected",
    [
        (["a", "b"], True),
        ([1, 2], True),
        ([2.5, None], True),
        (["a", "a"], False),
        ([["a"], ["b"]], False),
    ],
)
def test_a_column_of_the_gold_makes_slices_if_it_has_a_few_values(
    write: Writer, values: list[Any], expected: bool
) -> None:
    gold = [{**pair, "column": values[at % 2]} for at, pair in enumerate(PAIRS)]
    groups = sliced(*evaluated(write, gold=gold))
    assert ("column" in groups) == expected


def test_a_column_with_many_values_or_with_the_judgement_itself_makes_none(write: Writer) -> None:
    gold = [{**pair, "many": f"{at}", "verdict": pair["label"] == "same"} for at, pair in enumerate(PAIRS)]
    groups = sliced(*evaluated(write, gold=[*gold, *_more(20)], articles=[*ARTICLES, *_strangers(20)]))
    assert "many" not in groups and "verdict" not in groups and "label" not in groups
    assert "desk" in groups


def _strangers(count: int) -> list[dict[str, Any]]:
    return [{"id": f"s-{at}", "text": f"Quiet news number {at} about nothing at all."} for at in range(count)]


def _more(count: int) -> list[dict[str, Any]]:
    return [
        {"a": f"s-{at}", "b": "pier-1", "label": "other", "many": f"m{at}", "verdict": False, "desk": "city"}
        for at in range(count)
    ]


def test_columns_in_order_numbers_first_then_words_then_missing_values(write: Writer) -> None:
    values: list[Any] = [10, 9, "b", None, "a"]
    gold = [{**pair, "mixed": values[at % 5]} for at, pair in enumerate(PAIRS)]
    group = sliced(*evaluated(write, gold=gold))["mixed"]
    assert [part.name for part in group.parts] == ["9", "10", "a", "b", "not given"]


def test_a_column_that_repeats_another_property_makes_no_slices(write: Writer) -> None:
    groups = sliced(*evaluated(write, gold=[{**pair, "place": pair["desk"].upper()} for pair in PAIRS]))
    assert "desk" in groups and "place" not in groups


def test_stories_are_never_cut(write: Writer) -> None:
    groups = sliced(*evaluated(write, gold=GROUPS))
    sizes = {part.name: part for part in groups["size of the story"].parts}
    assert {name: part.count for name, part in sizes.items()} == {"one article": 3, "2": 6, "3 to 5": 5}
    assert [part.positives for part in sizes.values()] == [0, 6, 5]
    assert "overlap" not in groups
    assert groups["length"].measures == ("b_cubed()", "pair_precision()", "pair_recall()")


def test_a_column_that_differs_inside_a_story_makes_no_slices_of_stories(write: Writer) -> None:
    gold = [{**row, "inside": at % 2, "outside": row["cluster"] == "pier"} for at, row in enumerate(GROUPS)]
    groups = sliced(*evaluated(write, gold=gold))
    assert "inside" not in groups and "outside" in groups


def test_kinds_are_counted_with_their_right_pairs(write: Writer) -> None:
    found, _ = evaluated(write, detectors=("reuse",))
    rows = {row.kind: row for row in by_kind(found, 50)}
    assert sum(row.count for row in rows.values()) == 11
    assert sum(row.right for row in rows.values()) == 6
    assert (rows["IDENTICAL"].count, rows["IDENTICAL"].right) == (1, 1)
    assert (
        rows["NEAR"].precision is not None and rows["NEAR"].precision.value == rows["NEAR"].right / rows["NEAR"].count
    )
    assert rows[""].precision is None and rows[""].right == 2


def test_kinds_that_do_not_count_are_marked(write: Writer) -> None:
    gold = [{**pair, "relation": "near"} for pair in PAIRS]
    found, _ = evaluated(write, gold=gold, detectors=("reuse",))
    (part,) = [row for row in by_kind(found, 50) if row.kind == "PART_OF or HAS_PART"]
    assert (part.counts, part.count, part.precision) == (False, 1, None)


def test_a_run_may_list_a_pair_twice_and_an_article_with_itself(write: Writer) -> None:
    run = [{"left": "pier-1", "right": "pier-2"}, {"left": "pier-2", "right": "pier-1"}]
    run.append({"left": "pier-1", "right": "pier-1"})
    found, _ = evaluated(write, gold=GROUPS, detectors=(), run=run)
    (row,) = by_kind(found, 50)
    assert (row.kind, row.count, row.right) == ("NEAR", 1, 1)
