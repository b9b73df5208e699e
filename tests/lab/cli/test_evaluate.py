"""samestory evaluate and tune, end to end."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.conftest import DEMO, Runner, Writer

NEWS = DEMO / "news.jsonl"
GOLD = DEMO / "gold.jsonl"
ABOUT = ("--gold", GOLD, "--docs", NEWS)


def results(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [row for row in rows if "figures" in row]


def test_a_table_for_people(samestory: Runner) -> None:
    done = samestory("evaluate", *ABOUT, "-d", "reuse", "-d", "exact")
    assert done.code == 0
    head, first, second = done.out.splitlines()
    assert head.split()[:2] == ["detector", "threshold"]
    assert first.startswith("reuse()")
    assert " 0.5 own " in first
    assert second.startswith("exact()")
    assert "[" in second, "figures have intervals"
    assert "56 judged: same (one story" in done.err
    assert "not measured: " in done.err, "the bias of the gold is always printed"
    assert "exact() − reuse(): pair_f" in done.err


def test_json_lines_tell_everything(samestory: Runner) -> None:
    done = samestory(
        "evaluate", *ABOUT, "-d", "minhash", "--sweep", "threshold=0.2:0.8:0.2", "--json", "--rounds", "20"
    )
    assert done.code == 0
    gold, *rows = done.rows
    assert (gold["relation"], gold["judged"]) == ("same", 56)
    assert [(row["chosen"]) for row in results(rows)] == ["own", "best", "cheapest"]
    curves = {row["curve"]: row for row in rows if "curve" in row}
    assert curves["pair_recall()"]["thresholds"] == [0.2, 0.4, 0.6, 0.8]
    recalls = curves["pair_recall()"]["values"]
    assert recalls == sorted(recalls, reverse=True), "a stricter threshold never finds more"


def test_other_parameters_are_swept_by_running_again(samestory: Runner) -> None:
    done = samestory("evaluate", *ABOUT, "-d", "reuse", "--sweep", "shingle=2,4", "--json", "--rounds", "0")
    assert [row["detector"] for row in results(done.rows)] == ["reuse(shingle=2)", "reuse(shingle=4)"]


def test_relations_and_groups_made_elsewhere(samestory: Runner, write: Writer) -> None:
    relations = write("relations.jsonl", samestory("relate", NEWS).out)
    groups = write("groups.jsonl", samestory("find", NEWS, "--join-parts").out)
    done = samestory("evaluate", *ABOUT, "--run", relations, "--run", groups, "-d", "reuse", "--json", "--rounds", "0")
    assert done.code == 0, done.err
    ours, theirs, grouped = [row["figures"]["pair_recall()"]["value"] for row in results(done.rows)]
    assert (ours, theirs) == (1.0, 1.0)
    assert grouped > 0.8


def test_gold_of_groups(samestory: Runner, write: Writer) -> None:
    rows = [json.loads(line) for line in NEWS.read_text(encoding="utf-8").splitlines()]
    gold = write("groups.jsonl", [{"id": r["id"], "cluster": r["id"].rsplit("-", 1)[0]} for r in rows])
    done = samestory("evaluate", "--gold", gold, "--docs", NEWS, "-d", "reuse", "--sweep", "threshold=0.1:0.9:0.4")
    assert done.code == 0, done.err
    assert done.out.splitlines()[0].split()[2] == "b_cubed()"


def test_measures_of_choice(samestory: Runner) -> None:
    done = samestory("evaluate", *ABOUT, "-d", "exact", "-m", "pair_f(beta=2)", "-m", "pair_c_dup(p='gold')", "--json")
    assert set(results(done.rows)[0]["figures"]) == {"pair_f(beta=2.0)", "pair_c_dup(p='gold')"}


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        ((*ABOUT,), 2, "nothing to measure"),
        ((*ABOUT, "-d", "absent"), 2, "unknown detector 'absent'"),
        ((*ABOUT, "-d", "reuse", "-m", "absent"), 2, "unknown measure 'absent'"),
        ((*ABOUT, "-d", "reuse", "-m", "b_cubed"), 2, "does not apply to judged pairs"),
        ((*ABOUT, "-d", "reuse", "--sweep", "threshold"), 2, "a sweep looks like"),
        ((*ABOUT, "-d", "reuse", "--sweep", "threshold=0.5:1.5:0.5"), 2, "threshold must be"),
        ((*ABOUT, "-d", "reuse", "--sweep", "colour=1,2"), 2, "unknown parameter 'colour'"),
        ((*ABOUT, "-d", "reuse", "--relation", "cousin"), 2, "unknown relation 'cousin'"),
        ((*ABOUT, "-d", "reuse", "--protocol", "gossip"), 2, "unknown protocol 'gossip'"),
        ((*ABOUT, "-d", "reuse", "--leave-out", "nonsense"), 2, "a condition looks like"),
        ((*ABOUT, "-d", "reuse", "--rounds", "-1"), 2, "--rounds: expected 0 or more"),
        ((*ABOUT, "-d", "reuse", "--share", "much"), 2, "--share: expected a number"),
        ((*ABOUT, "-d", "reuse", "--cost", "0"), 2, "cost_false must be more than 0"),
        (("--gold", "nowhere", "--docs", NEWS, "-d", "reuse"), 1, "nowhere: cannot be read"),
        (("--gold", GOLD, "--docs", "nowhere", "-d", "reuse"), 1, "nowhere"),
        ((*ABOUT, "--run", "nowhere"), 1, "nowhere: cannot be read"),
    ],
)
def test_misuse_and_bad_input_are_reported_in_a_line(
    words: tuple[object, ...], code: int, message: str, samestory: Runner
) -> None:
    done = samestory("evaluate", *words)
    assert done.code == code
    assert done.out == ""
    assert message in done.err
    assert "Traceback" not in done.err


def test_the_figure_is_rejected_where_gold_and_articles_do_not_fit(samestory: Runner, write: Writer) -> None:
    gold = write("gold.jsonl", [{"a": "en-harbour-1", "b": "absent", "label": "same"}])
    done = samestory("evaluate", "--gold", gold, "--docs", NEWS, "-d", "reuse")
    assert (done.code, done.out) == (1, "")
    assert f"{gold}:1: no article has the id 'absent'" in done.err


def test_tuning_reports_on_the_half_that_it_did_not_choose_on(samestory: Runner) -> None:
    done = samestory("tune", *ABOUT, "-d", "minhash(bands=32, rows=2)", "--over", "threshold=0.1,0.5,0.9", "--json")
    assert done.code == 0, done.err
    found, *trials = done.rows
    assert found["chosen_on"] + found["reported_on"] + found["across"] == 56
    assert len(trials) == 3
    best = max(trials, key=lambda row: row["pair_f(unjudged='out')"])
    assert found["detector"] == best["trial"]
    table = samestory("tune", *ABOUT, "-d", "minhash(bands=32, rows=2)", "--over", "threshold=0.1,0.5,0.9")
    assert table.code == 0
    assert len(table.out.splitlines()) == 3
    assert "3 settings tried on" in table.err
    assert ("is the last value tried" in table.err) == ("threshold=0.5" not in found["detector"])


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("-d", "exact"), "exact: has no threshold"),
        (("--over", "threshold=0.1,0.2", "--over", "threshold=0.3,0.4"), "specified twice"),
        (("--over", "shingle=0,1"), "shingle must be"),
        (("--over", "colour=0,1"), "unknown parameter 'colour'"),
    ],
)
def test_tuning_what_cannot_be_tuned_is_rejected(words: tuple[str, ...], message: str, samestory: Runner) -> None:
    done = samestory("tune", *ABOUT, *words)
    assert (done.code, done.out) == (2, "")
    assert message in done.err
