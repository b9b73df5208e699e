"""Agreement and gold: worked examples, and simulated assessors with known error rates."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from samestory.lab.cli.collection.agreement import table
from samestory.lab.collection import AssessorSession, Collection, Shape, assign, hire
from samestory.lab.collection.agreement import agreement, json_lines
from samestory.lab.collection.assessor_session import Task
from samestory.lab.collection.collection import NewItem, add_items, record_run
from samestory.lab.collection.export import gold, judgements
from samestory.lab.collection.lists import add_lists
from samestory.lab.collection.status import status
from samestory.lab.judging import app
from tests.lab.collection.work import judge, made, pile
from tests.web.serving import UNLIMITED, running


def test_the_worked_example_of_two_assessors(tmp_path: Path) -> None:
    """Both yes 40, only the second 10, only the first 20, both no 30."""
    table = [("yes", "yes")] * 40 + [("no", "yes")] * 10 + [("yes", "no")] * 20 + [("no", "no")] * 30
    pairs = [(f"x{n:03}", f"y{n:03}") for n in range(100)]
    answers_of = {pair[0]: answers for pair, answers in zip(pairs, table, strict=True)}
    with made(tmp_path / "c.db", pairs) as collection:
        tokens = hire(collection, ["s1", "s2"])
        assign(collection, groups=1, controls=0)
        for at, token in enumerate(tokens.values()):
            judge(collection, token, lambda task, at=at: answers_of[task.item.articles[0]][at])
        found = agreement(collection)
    assert found.pooled is not None
    assert found.pooled.cohen == pytest.approx(0.40, abs=1e-12)
    assert found.pooled.siegel == pytest.approx(0.393939, abs=5e-7)
    assert found.pooled.z == pytest.approx(3.9002, abs=5e-5)
    assert (found.pooled.raw, found.pooled.band) == (0.70, "fair")
    assert len(found.disagreements) == 30 and all(each.arbiter is None for each in found.disagreements)
    assert any("below 0.6" in warning for warning in found.warnings)
    assert {json.loads(line).get("agreement") for line in json_lines(found)} >= {"pair", "group", "all", "mean"}


def test_the_worked_example_of_two_queries(tmp_path: Path) -> None:
    """Of 190 pairs each, as both, only the first, only the second, none: (3, 1, 0, 186) and (1, 1, 1, 187)."""
    ids = [f"a{n:04}" for n in range(20)]
    answers_of = {
        "one": ([ids[:3], ids[4:6]], [ids[:3]]),
        "two": ([ids[:2], ids[2:4]], [ids[:2], ids[4:6]]),
    }
    with Collection.new(tmp_path / "c.db", "fuzzy80", "queries", pile(20)) as collection:
        with collection.database.write() as session:
            add_items(
                session,
                Shape.LIST,
                [NewItem(tuple(ids), query=query) for query in answers_of],
                record_run(session, "search", "first 20", 2),
            )
        tokens = hire(collection, ["s1", "s2"])
        assign(collection, controls=0)
        for at, token in enumerate(tokens.values()):
            judge(collection, token, lambda task, at=at: json.dumps(answers_of[task.item.query][at]))
        found = agreement(collection)
        lines = gold(collection)
    by_query = {row.name: row.siegel for row in found.rows if row.by == "query"}
    assert by_query == {"one": pytest.approx(0.854462, abs=5e-7), "two": pytest.approx(0.494681, abs=5e-7)}
    assert found.mean == pytest.approx(0.674571, abs=5e-7)
    assert found.pooled is not None and found.pooled.decisions == 380
    assert found.pooled.siegel == pytest.approx(0.723267, abs=5e-7)
    assert found.pooled.cohen == pytest.approx(0.723301, abs=5e-7)
    assert lines.undecided == 2, "there was no assessor to settle it"


@pytest.mark.parametrize("error", [0.02, 0.1, 0.2])
def test_assessors_with_known_error_rates_agree_as_expected(tmp_path: Path, error: float) -> None:
    many, share = 1500, 0.4
    random = Random(7)
    pairs = [(f"x{n:05}", f"y{n:05}") for n in range(many)]
    truth = {one: random.random() < share for one, _ in pairs}
    with made(tmp_path / "c.db", pairs) as collection:
        tokens = hire(collection, ["s1", "s2", "s3"])
        assign(collection, groups=20, controls=0)

        def answer(task: Task) -> str:
            return "yes" if truth[task.item.articles[0]] ^ (random.random() < error) else "no"

        for _ in range(2):  # arbitration starts when the judges are done
            for token in tokens.values():
                judge(collection, token, answer)
        found, final = agreement(collection), gold(collection)
    agreed = (1 - error) ** 2 + error**2
    yes = share * (1 - error) + (1 - share) * error
    chance = yes**2 + (1 - yes) ** 2
    assert found.pooled is not None and found.pooled.cohen == pytest.approx((agreed - chance) / (1 - chance), abs=0.05)
    assert final.undecided == 0 and len(final.lines) == many
    wrong = sum(truth[line["a"]] != bool(line["label"]) for line in final.lines) / many
    # both are wrong, or they disagree and the third is
    assert wrong == pytest.approx(error**2 + 2 * error * (1 - error) * error, abs=0.02)
    settled = [line for line in final.lines if "arbiter" in line]
    assert len(settled) == len(found.disagreements)
    assert all(line["arbiter"][0] not in {name for name, _ in line["assessors"]} for line in settled)


def test_missed_controls_and_fast_answers_are_reported(tmp_path: Path) -> None:
    pairs = [(f"a{n:04}", f"a{n + 1:04}") for n in range(40)]
    with made(tmp_path / "c.db", pairs, articles=pile(60)) as collection:
        tokens = hire(collection, ["careful", "hasty"])
        assign(collection, groups=2, controls=0.2)
        judge(collection, tokens["careful"], lambda task: task.item.known or "no")
        assessor = AssessorSession.from_token(collection, tokens["hasty"])
        assert assessor is not None
        while task := assessor.next():
            assessor.answer(task.place, "no", seconds=0.4)
        found = agreement(collection)
    reported = [warning for warning in found.warnings if "controls" in warning or "seconds" in warning]
    assert reported and all(warning.startswith("hasty") for warning in reported)
    watched = {each.assessor: each for each in found.watched}
    assert watched["careful"].missed == 0 < watched["hasty"].missed
    assert watched["careful"].seconds == 5.0


def test_containment_has_a_direction_in_the_gold(tmp_path: Path) -> None:
    pairs = [("p", "q"), ("p", "r"), ("q", "r")]
    final = {("p", "q"): "a>b", ("p", "r"): "both", ("q", "r"): "none"}
    with made(tmp_path / "c.db", pairs, "contains") as collection:
        tokens = hire(collection, ["s1", "s2"])
        assign(collection, groups=1, controls=0)
        for token in tokens.values():
            assessor = AssessorSession.from_token(collection, token)
            assert assessor is not None
            while task := assessor.next():
                answer = final[task.item.articles]
                assessor.answer(task.place, {"a>b": "b>a"}.get(answer, answer) if task.turned else answer)
        lines = {(line["a"], line["b"]): line for line in gold(collection).lines}
        assert [(lines[pair]["label"], lines[pair].get("direction")) for pair in pairs] == [
            (1, "a>b"),
            (1, "both"),
            (0, None),
        ]
        assert lines["p", "q"]["assessors"] == [["s1", 1], ["s2", 1]] and lines["q", "r"]["assessors"] == [
            ["s1", 0],
            ["s2", 0],
        ]
        assert lines["p", "q"]["pool"] == ["tester"] and lines["p", "q"]["protocol"] == "pool"
        kept = list(judgements(collection))
        assert len(kept) == 6 and all(each["holds"] and each["nominated"][0]["asked"] == "tester()" for each in kept)
        assert (status(collection).decided, status(collection).yes) == (3, 2)


def disagreeing(path: Path, items: int, groups: int) -> Collection:
    """Two assessors agree in the first group, and always disagree in all others."""
    collection = made(path, [(f"x{n:03}", f"y{n:03}") for n in range(items)])
    tokens = hire(collection, ["s1", "s2"])
    assign(collection, groups=groups, controls=0)
    for at, token in enumerate(tokens.values()):

        def answer(task: Task, at: int = at) -> str:
            differs = at if (task.item.part or 0) > 1 else 0
            return "yes" if (task.item.number + differs) % 2 else "no"

        judge(collection, token, answer)
    return collection


def test_a_low_kappa_of_a_large_enough_group_is_reported(tmp_path: Path) -> None:
    with disagreeing(tmp_path / "c.db", 60, 3) as collection:
        found = agreement(collection)
    reported = [warning.split(":")[0] for warning in found.warnings if "is below 0.6" in warning]
    assert reported == ["all", "s1, s2", "group 2", "group 3"]
    assert not any("too few" in warning for warning in found.warnings)


def test_too_few_decisions_are_reported(tmp_path: Path) -> None:
    with disagreeing(tmp_path / "c.db", 19, 2) as collection:
        found = agreement(collection)
    assert [warning for warning in found.warnings if "too few" in warning] == [
        "all: 19 decisions by two assessors, too few to measure agreement",
        "s1, s2: 19 decisions by two assessors, too few to measure agreement",
    ]
    assert not any("below" in warning for warning in found.warnings)
    assert {row.verdict for row in found.rows} == {"too few decisions"}
    lines = table(found)
    assert sum("too few decisions" in line for line in lines) == len(found.rows) + 1


def test_disagreements_name_the_query(tmp_path: Path) -> None:
    ids = [f"a{n:04}" for n in range(20)]
    with Collection.new(tmp_path / "c.db", "near", "queries", pile(20)) as collection:
        add_lists(collection, {"good": ids, "bad": ids[::-1]}, "search")
        tokens = hire(collection, ["s1", "s2"])
        assign(collection, controls=0)
        for at, token in enumerate(tokens.values()):
            sets = {"good": [ids[:2]], "bad": [ids[2 * at : 2 * at + 2]]}
            judge(collection, token, lambda task, sets=sets: json.dumps(sets[task.item.query]))
        found = agreement(collection)
    assert any(warning.startswith("query bad: κ -0.0") for warning in found.warnings)
    assert not any(warning.startswith("query good") for warning in found.warnings)
    (line,) = [line for line in table(found) if line.startswith("item ")]
    assert "  bad  " in line and "a0000 |" not in line


def test_disagreements_show_full_ids(tmp_path: Path) -> None:
    long = "https://news.example/" + "a-long-way/" * 9
    with made(tmp_path / "c.db", [(f"{long}1", f"{long}2")]) as collection:
        tokens = hire(collection, ["s1", "s2"])
        assign(collection, controls=0)
        for token, answer in zip(tokens.values(), ("yes", "no"), strict=True):
            judge(collection, token, lambda _, answer=answer: answer)
        lines = table(agreement(collection))
    assert any(f"{long}1 | {long}2" in line for line in lines)


def test_missed_controls_are_reported_before_any_double_judgement(tmp_path: Path) -> None:
    pairs = [(f"a{n:04}", f"a{n + 1:04}") for n in range(40)]
    with made(tmp_path / "c.db", pairs, articles=pile(60)) as collection:
        tokens = hire(collection, ["hasty", "late"])
        assign(collection, groups=2, controls=0.2)
        judge(collection, tokens["hasty"], lambda _: "no")
        found = agreement(collection)
        assert found.pooled is None
        assert any("controls answered wrongly" in warning for warning in found.warnings)
        assert any(line.startswith("hasty: 40 judged") for line in table(found))
        with running(app(collection, "the-token-of-the-organiser", UNLIMITED)) as client:
            assert "controls answered wrongly" in client.get("/o/the-token-of-the-organiser/").text
