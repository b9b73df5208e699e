"""Evaluation against gold: the figures equal those counted by hand."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from samestory import DETECTORS, Article, parse, read, relate
from samestory.errors import InputError, ParameterError
from samestory.lab.evaluation import GoldPairs, evaluate, read_gold, read_run, score, sweep, variants
from samestory.lab.evaluation.evaluate import best, curves, measures_for, subjects
from samestory.lab.evaluation.gold import GoldGroups
from samestory.lab.evaluation.scored import ScoredRun
from samestory.lab.measures import JudgedPairs
from samestory.readers import Source
from tests.conftest import DEMO, Writer
from tests.reference.detector import SameWords

NEWS = [Source(str(DEMO / "news.jsonl"))]
DEMO_GOLD = read_gold(str(DEMO / "gold.jsonl"))
ARTICLES = [item for item in read(str(DEMO / "news.jsonl")) if isinstance(item, Article)]


def by_hand(found: set[frozenset[str]], gold: GoldPairs) -> tuple[float, float, float]:
    """F, precision and recall over judged pairs, by listing them."""
    judged = {frozenset(pair): label for *pair, label in zip(gold.left, gold.right, gold.labels.tolist(), strict=True)}
    hits = sum(label for pair, label in judged.items() if pair in found)
    wrong = sum(not label for pair, label in judged.items() if pair in found)
    misses = sum(label for pair, label in judged.items() if pair not in found)
    return 2 * hits / (2 * hits + wrong + misses), hits / (hits + wrong), hits / (hits + misses)


#: Detectors that need a sentence model use the letter model, which needs no library.
SPECS = [f"{name}(model=letters)" if hasattr(DETECTORS[name], "model") else f"{name}()" for name in DETECTORS]


@pytest.mark.parametrize("spec", [*SPECS, "minhash(threshold=0.3)", "reuse(copy=0.5)"])
def test_figures_are_those_of_the_relations_counted_by_hand(spec: str) -> None:
    assert isinstance(DEMO_GOLD, GoldPairs)
    found = {frozenset((r.left, r.right)) for r in relate(ARTICLES, detector=spec)}
    (result,) = evaluate(DEMO_GOLD, [score(parse(spec), NEWS)], rounds=50).results
    assert [f.value for f in result.figures] == pytest.approx(by_hand(found, DEMO_GOLD))
    judged = {frozenset(pair) for pair in zip(DEMO_GOLD.left, DEMO_GOLD.right, strict=True)}
    assert result.unjudged == len(found - judged)


@pytest.mark.parametrize("detector", [parse("reuse()"), parse("minhash(bands=32, rows=2)"), SameWords()], ids=str)
@pytest.mark.parametrize("threshold", [0.2, 0.36, 0.5, 0.8])
def test_a_cut_through_one_run_is_a_run_at_that_threshold(detector: object, threshold: float) -> None:
    low = score(detector, NEWS, 0.1)  # type: ignore[arg-type]
    (there,) = variants(detector, "threshold", [threshold])  # type: ignore[arg-type]
    own = score(there, NEWS)

    def pairs(run: ScoredRun) -> set[frozenset[str]]:
        keep = run.scores >= threshold
        return {
            frozenset((run.ids[a], run.ids[b]))
            for a, b in zip(run.left[keep].tolist(), run.right[keep].tolist(), strict=True)
        }

    # candidates that cannot well reach a high threshold are not compared there: that may lose some, never add any
    assert pairs(own) <= pairs(low)
    assert len(pairs(low) - pairs(own)) <= 0.05 * len(pairs(low)) + 1


def test_a_sweep_is_the_figure_at_every_threshold() -> None:
    run = score(parse("reuse"), NEWS, 0.1)
    found = evaluate(DEMO_GOLD, [run], thresholds=[0.1, 0.5, 0.7], rounds=0)
    main = found.measures[0]
    (drawn,) = [c for c in found.curves if c.measure == str(main)]
    (subject,) = found.subjects
    assert list(drawn.values) == [pytest.approx(main.point(subject.at(t))) for t in (0.1, 0.5, 0.7)]
    assert {(r.chosen, r.threshold) for r in found.results} >= {("own", 0.5), ("best", best(main, drawn))}


def test_groups_are_measured_as_they_are_formed(write: Writer) -> None:
    """Gold groups of the demo are its stories; by the rules of the demo the default detector finds them all."""
    stories = {article.id: article.id.rsplit("-", 1)[0] for article in ARTICLES}
    gold = read_gold(str(write("gold.jsonl", [{"id": a, "cluster": c} for a, c in stories.items()])))
    found = evaluate(gold, [score(parse("reuse"), NEWS), score(parse("exact"), NEWS)], rounds=20)
    values = {r.detector: {f.measure: f.value for f in r.figures} for r in found.results}
    assert values["reuse()"]["b_cubed()"] > values["exact()"]["b_cubed()"]  # type: ignore[operator]
    (_, first, differs), *_ = found.differences
    assert first == "reuse()"
    assert differs.value == pytest.approx(values["exact()"]["b_cubed()"] - values["reuse()"]["b_cubed()"])  # type: ignore[operator]


def test_a_run_made_elsewhere_counts_like_a_detector(write: Writer) -> None:
    rows = [relation.to_dict() for relation in relate(ARTICLES, detector="reuse()")]
    ids = [article.id for article in ARTICLES]
    elsewhere = read_run(str(write("run.jsonl", rows)), ids)
    ours = score(parse("reuse"), NEWS)
    found = evaluate(DEMO_GOLD, [ours, elsewhere], rounds=0)
    assert [f.value for f in found.results[0].figures] == [f.value for f in found.results[1].figures]


def test_a_run_may_be_groups(write: Writer) -> None:
    groups = [["en-harbour-1", "en-harbour-2"], ["en-harbour-3"]]
    run = read_run(str(write("run.jsonl", [{"members": m} for m in groups])), [a.id for a in ARTICLES])
    (result,) = evaluate(DEMO_GOLD, [run], rounds=0).results
    assert [f.value for f in result.figures][1] == 1.0


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([], "contains no relations or groups"),
        ([{"left": "a"}], ":1: neither a relation (left, right) nor a group (members)"),
        ([{"left": "a", "right": "missing"}], ":1: no article has the id 'missing'"),
        ([{"left": "a", "right": "b", "kind": "COUSIN"}], ":1: unknown kind 'COUSIN'"),
        (
            [{"left": "a", "right": "b", "forward": "much"}],
            ":1: forward and backward must be numbers from 0 to 1, score a number of at least 0",
        ),
        ([{"left": "a", "right": "b"}, {"members": ["a"]}], ":2: relations and groups in one file"),
        ([{"members": ["a", "b"]}, {"members": ["b"]}], ":2: not a partition: 'b' is also in the group of line 1"),
    ],
)
def test_a_bad_run_is_refused_with_its_place(rows: list[dict[str, object]], message: str, write: Writer) -> None:
    with pytest.raises(InputError) as refused:
        read_run(str(write("run.jsonl", rows)), ["a", "b"])
    assert message in str(refused.value)


def test_gold_about_unknown_articles_is_refused(write: Writer) -> None:
    gold = read_gold(str(write("gold.jsonl", [{"a": "en-harbour-1", "b": "missing", "label": "same"}])))
    with pytest.raises(InputError, match=r"gold\.jsonl:1: no article has the id 'missing'"):
        evaluate(gold, [score(parse("exact"), NEWS)])


def test_a_relation_that_a_detector_does_not_report_is_refused(write: Writer) -> None:
    row = {"a": "en-harbour-1", "b": "en-harbour-2", "label": 1, "relation": "identical"}
    gold = read_gold(str(write("gold.jsonl", [row])))
    for detector in (parse("minhash"), SameWords()):
        with pytest.raises(InputError, match=rf"which {re.escape(str(detector))} does not report: it reports NEAR"):
            evaluate(gold, [score(detector, NEWS)])


def test_direction_counts_where_gold_has_one(write: Writer) -> None:
    text = "The harbour board voted on Tuesday night to close the old fish quay for eleven months of repairs."
    more = " ".join(
        f"Sentence number {n} of the long story tells something that the alert did not know." for n in range(9)
    )
    news = write("news.jsonl", [{"id": "part", "text": text}, {"id": "whole", "text": f"{text} {more}"}])
    right = {"relation": "contains", "a": "part", "b": "whole", "label": 1, "direction": "b>a"}
    wrong = {**right, "direction": "a>b"}
    run = score(parse("reuse"), [Source(str(news))])
    for row, recall in ((right, 1.0), (wrong, 0.0)):
        gold = read_gold(str(write("gold.jsonl", [row])))
        (result,) = evaluate(gold, [run], rounds=0).results
        assert {f.measure: f.value for f in result.figures}["pair_recall()"] == recall
        assert {f.unit for f in result.figures} == {"ordered pair"}


def test_measures_that_do_not_fit_the_gold_are_refused() -> None:
    with pytest.raises(ParameterError, match=r"b_cubed.*does not apply to judged pairs; these measures do: .*pair_f"):
        measures_for(DEMO_GOLD, ["b_cubed"])


@given(
    labels=st.lists(st.booleans(), min_size=3, max_size=12),
    scores=st.lists(st.sampled_from([0.0, 0.2, 0.5, 0.5, 0.9]), min_size=12, max_size=12),
    cut=st.sampled_from([0.1, 0.2, 0.5, 0.7]),
)
@settings(max_examples=40)
def test_pairs_beside_any_gold_are_counted_by_hand(labels: list[bool], scores: list[float], cut: float) -> None:
    """The oracle lists pairs; the code looks them up by number."""
    count = len(labels)
    ids = [f"d{n:02}" for n in range(2 * count)]
    gold = GoldPairs(
        path="gold",
        meaning=DEMO_GOLD.meaning,
        protocol="unknown",
        lines=list(range(1, count + 1)),
        columns={},
        left_out={},
        left=[ids[2 * n + 1] for n in range(count)],
        right=[ids[2 * n] for n in range(count)],
        labels=np.array(labels),
        ordered=False,
    )
    reported = [n for n in range(count) if scores[n] > 0]
    none = np.zeros(len(reported))
    run = ScoredRun(
        "run",
        ids,
        np.array([2 * n for n in reported], np.int64),
        np.array([2 * n + 1 for n in reported], np.int64),
        np.full(len(reported), 2, np.uint8),
        none,
        none,
        np.array([scores[n] for n in reported]),
        parse("minhash").reports,
        0.0,
    )
    (subject,) = subjects(gold, [run])
    data = subject.at(cut)
    assert isinstance(data, JudgedPairs)
    assert data.accepts().tolist() == [scores[n] >= cut for n in range(count)]
    assert data.gold.tolist() == labels
    (drawn,) = curves(subject, [measures_for(gold)[2]], [cut])
    assert list(drawn.values) == [measures_for(gold)[2].point(data)]


@pytest.mark.parametrize(
    ("text", "values"),
    [("threshold=0.1:0.3:0.1", [0.1, 0.2, 0.3]), ("shingle=2,3", [2.0, 3.0]), ("x=1:1:1", [1.0])],
)
def test_sweeps_are_read(text: str, values: list[float]) -> None:
    assert sweep(text)[1] == values


@pytest.mark.parametrize(
    "text", ["threshold", "threshold=", "threshold=a:b:c", "threshold=0.1:0.9", "t=0:1:0", "t=1:0:1"]
)
def test_what_is_no_sweep_is_refused(text: str) -> None:
    with pytest.raises(ParameterError, match="a sweep looks like"):
        sweep(text)


def test_variants_of_what_there_is_not_are_refused() -> None:
    with pytest.raises(ParameterError, match="reuse: unknown parameter 'bands'"):
        variants(parse("reuse"), "bands", [1])
    assert str(variants(parse("reuse"), "shingle", [2.0])[0]) == "reuse(shingle=2)"


def test_gold_groups_are_restricted_to_the_articles_they_name(write: Writer) -> None:
    gold = read_gold(str(write("gold.jsonl", [{"id": a.id, "cluster": "x"} for a in ARTICLES[:4]])))
    assert isinstance(gold, GoldGroups)
    (subject,) = subjects(gold, [score(parse("reuse"), NEWS)])
    assert len(subject.at(None)) == 4


def test_bad_articles_under_gold_are_refused(write: Writer, tmp_path: Path) -> None:
    news = tmp_path / "news.jsonl"
    news.write_text(json.dumps({"id": "1", "text": "Some words here."}) + "\n{broken\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"news\.jsonl:2"):
        score(parse("exact"), [Source(str(news))])


@given(
    pairs=st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11), st.sampled_from([0.2, 0.4, 0.6])), max_size=25),
    order=st.permutations(list(range(12))),
    method=st.sampled_from(["star", "components"]),
)
@settings(max_examples=60)
def test_groups_at_thresholds_are_the_groups_of_the_pairs_that_reach_them(
    pairs: list[tuple[int, int, float]], order: list[int], method: str
) -> None:
    """One pass for all thresholds equals grouping the cut pairs one threshold at a time."""
    from samestory import _core

    known = {(min(a, b), max(a, b)): s for a, b, s in pairs if a != b}
    left, right = (np.array([pair[side] for pair in known], np.uint32) for side in (0, 1))
    scores, places = np.array(list(known.values()), np.float64), np.array(order, np.uint32)
    thresholds = [0.1, 0.3, 0.5, 0.7]
    found = _core.engine.cuts((left, right), scores, places, method, thresholds)
    for threshold, labels in zip(thresholds, found, strict=True):
        keep = scores >= threshold
        kinds = np.full(int(keep.sum()), 2, np.uint8)
        shares = np.full(int(keep.sum()), 0.9)
        # the longest comes first
        lengths = [12 - order.index(at) for at in range(12)]
        articles = [str(at) for at in range(12)], lengths, [None] * 12, [0] * 12
        groups = _core.engine.group(
            articles, "longest", (left[keep], right[keep]), (shares, shares), kinds, method, True, [], []
        )
        named = np.asarray(labels).tolist()
        mine = {frozenset(a for a in range(12) if named[a] == label) for label in set(named)}
        assert mine == {frozenset(group.members) for group in groups}


TEXT = "The harbour board voted on Tuesday night to close the old fish quay for eleven months of repairs"


def four_copies(write: Writer) -> list[Source]:
    """Four articles with one text, all of which are reported as copies of each other, and one with another."""
    rows = [{"id": name, "text": TEXT} for name in "abcd"]
    other = {"id": "e", "text": "Nothing of this was in the other four articles, nor will it ever be."}
    return [Source(str(write("news.jsonl", [*rows, other])))]


STRICT = ["pair_precision()", "pair_precision(unjudged='out')"]


def test_unjudged_reported_pairs_are_counted_and_wrong_in_the_strict_reading(write: Writer) -> None:
    gold = read_gold(
        str(
            write(
                "gold.jsonl",
                [
                    {"a": "a", "b": "b", "label": "same"},
                    {"a": "c", "b": "d", "label": "other"},
                    {"a": "a", "b": "c", "label": "related"},
                ],
            )
        )
    )
    (result,) = evaluate(gold, [score(parse("exact"), four_copies(write))], STRICT, rounds=0).results
    # six pairs reported: one right, one wrong, one judged as neither, three unjudged
    assert result.unjudged == 3
    assert [f.value for f in result.figures] == [pytest.approx(1 / 5), pytest.approx(1 / 2)]


def test_groups_made_elsewhere_report_all_their_pairs(write: Writer) -> None:
    gold = read_gold(str(write("gold.jsonl", [{"a": "a", "b": "b", "label": "same"}])))
    run = read_run(str(write("run.jsonl", [{"members": ["a", "b", "c", "d"]}, {"members": ["e"]}])), list("abcde"))
    (result,) = evaluate(gold, [run], STRICT, rounds=0).results
    assert result.unjudged == 5
    assert [f.value for f in result.figures] == [pytest.approx(1 / 6), 1.0]


def test_unjudged_pairs_add_no_observations(write: Writer) -> None:
    """The units are components of judged pairs; a figure that leaves out unjudged pairs does not depend on them."""
    rows = [{"a": "a", "b": "b", "label": "same"}, {"a": "c", "b": "e", "label": "other"}]
    gold = read_gold(str(write("gold.jsonl", rows)))
    (subject,) = subjects(gold, [score(parse("exact"), four_copies(write))])
    data = subject.at(None)
    assert isinstance(data, JudgedPairs)
    assert data.judged.tolist() == [True, True, False, False, False, False, False]
    assert data.count == 2
    assert len(set(data.units[:2].tolist())) == 2


@pytest.mark.parametrize("row", [{"members": 5}, {"left": "a", "right": "b", "score": float("nan")}])
def test_a_run_that_cannot_be_is_refused_with_its_line(row: dict[str, object], write: Writer) -> None:
    with pytest.raises(InputError, match=r"run\.jsonl:1: "):
        read_run(str(write("run.jsonl", [row])), ["a", "b"])
