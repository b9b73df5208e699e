"""Gold is read correctly, or rejected with file and line."""

from __future__ import annotations

import pytest

from samestory.errors import InputError, ParameterError
from samestory.lab.evaluation import MEANINGS, GoldGroups, GoldPairs, read_gold
from samestory.lab.evaluation.conditions import Condition
from tests.conftest import DEMO, Writer


def pairs(write: Writer, *rows: dict[str, object], **options: object) -> GoldPairs:
    gold = read_gold(str(write("gold.jsonl", list(rows))), **options)  # type: ignore[arg-type]
    assert isinstance(gold, GoldPairs)
    return gold


def groups(write: Writer, *rows: dict[str, object], **options: object) -> GoldGroups:
    gold = read_gold(str(write("gold.jsonl", list(rows))), **options)  # type: ignore[arg-type]
    assert isinstance(gold, GoldGroups)
    return gold


def test_the_demo_has_gold_to_try() -> None:
    gold = read_gold(str(DEMO / "gold.jsonl"))
    assert (len(gold), gold.meaning.name, gold.left_out) == (56, "same", {})
    assert set(gold.columns) == {"label", "kind"}


def test_labels_that_say_neither_yes_nor_no_are_left_out_and_counted(write: Writer) -> None:
    gold = pairs(
        write,
        {"a": "1", "b": "2", "label": "same"},
        {"a": "1", "b": "3", "label": "other"},
        {"a": "2", "b": "3", "label": "related"},
        {"a": "2", "b": "4", "label": "ambiguous"},
        {"a": "5", "b": "5", "label": "same"},
        {"a": "2", "b": "1", "label": "same"},
    )
    assert list(zip(gold.left, gold.right, gold.labels.tolist(), strict=True)) == [("1", "2", True), ("1", "3", False)]
    assert gold.left_out == {"related": 1, "ambiguous": 1, "one article with itself": 1, "judged twice alike": 1}
    assert gold.lines == [1, 2]


def test_a_containment_is_two_answers_one_for_each_direction(write: Writer) -> None:
    """The worked line of the gold format: b holds a, so a is the part."""
    gold = pairs(
        write,
        {"relation": "contains", "a": "x", "b": "y", "label": 1, "direction": "b>a", "pool": ["codet", "ffp"]},
        {"relation": "contains", "a": "x", "b": "z", "label": 1, "direction": "both"},
        {"relation": "contains", "a": "y", "b": "z", "label": 0},
    )
    labels = dict(zip(zip(gold.left, gold.right, strict=True), gold.labels.tolist(), strict=True))
    assert labels == {
        ("x", "y"): True,
        ("y", "x"): False,
        ("x", "z"): True,
        ("z", "x"): True,
        ("y", "z"): False,
        ("z", "y"): False,
    }
    assert gold.ordered
    assert gold.protocol == "pool"
    assert "no pooled method nominated" in gold.bias


def test_a_containment_without_any_direction_is_an_unordered_pair(write: Writer) -> None:
    gold = pairs(write, {"a": "1", "b": "2", "label": "contains"}, {"a": "1", "b": "3", "label": "other"})
    assert (gold.meaning.name, gold.ordered) == ("contains", False)


def test_events_with_a_day_say_how_they_were_made(write: Writer) -> None:
    gold = groups(
        write,
        {"relation": "semantic", "id": "1", "cluster": "c", "day": "2017-01-17"},
        {"relation": "semantic", "id": "2", "cluster": "c", "day": "2017-01-17"},
    )
    assert (gold.meaning.name, gold.protocol, gold.groups) == ("semantic", "events", ["c", "c"])


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([], "contains no judgements"),
        (["{"], ":1: not JSON"),
        (["[1]"], ":1: expected an object"),
        ([{"x": 1}], ":1: neither a pair (a, b, label) nor an article with its group (id, cluster): x"),
        ([{"a": "1", "b": "2", "label": "same"}, {"a": "1", "label": "same"}], ":2: no 'b' in a line of pairs"),
        ([{"a": "1", "b": "2", "label": "perhaps"}], ":1: the label 'perhaps' is not one of"),
        (
            [{"a": "1", "b": "2", "label": "same"}, {"a": "2", "b": "1", "label": "other"}],
            ":2: '2' and '1' are judged no here, yes in line 1",
        ),
        (
            [
                {"a": "1", "b": "2", "label": 1, "relation": "near"},
                {"a": "1", "b": "3", "label": 1, "relation": "contains"},
            ],
            "relations are mixed: near (line 1) and contains (line 2)",
        ),
        (
            [{"a": "1", "b": "2", "label": "same"}, {"a": "1", "b": "3", "label": "contains"}],
            "relations are mixed: same (line 1) and contains (line 2)",
        ),
        ([{"a": "1", "b": "2", "label": 1, "relation": "cousin"}], ":1: unknown relation 'cousin'"),
        (
            [
                {"a": "1", "b": "2", "label": 1, "relation": "contains", "direction": "b>a"},
                {"a": "1", "b": "3", "label": 1, "relation": "contains"},
            ],
            ":2: a containment needs a direction (a>b, b>a, both), got None",
        ),
        ([{"a": "1", "b": "2", "label": "related"}], "no judgement is a yes or a no"),
        (
            [{"id": "1", "cluster": "x"}, {"id": "2", "cluster": "y"}, {"id": "1", "cluster": "y"}],
            ":3: not a partition: '1' is in group 'y' here, in 'x' in line 1",
        ),
        ([{"id": "1", "cluster": "x", "relation": "contains"}], "contains has a direction"),
    ],
)
def test_bad_gold_is_refused_with_its_place(rows: list[object], message: str, write: Writer) -> None:
    path = str(write("gold.jsonl", rows))
    with pytest.raises(InputError) as refused:
        read_gold(path)
    assert path in str(refused.value)
    assert message in str(refused.value)


def test_one_of_several_relations_can_be_chosen(write: Writer) -> None:
    rows = [
        {"a": "1", "b": "2", "label": 1, "relation": "near"},
        {"a": "1", "b": "3", "label": 0, "relation": "near"},
        {"a": "2", "b": "3", "label": 1, "relation": "identical"},
    ]
    gold = pairs(write, *rows, relation="near")
    assert (len(gold), gold.left_out) == (2, {"relation identical": 1})


def test_a_relation_can_be_named_where_the_labels_name_none(write: Writer) -> None:
    """With --relation, gold labelled only "same" once lost all its positives, and the figure was 0."""
    rows = [{"a": "1", "b": "2", "label": "same"}, {"a": "1", "b": "3", "label": "other"}]
    gold = pairs(write, *rows, relation="near")
    assert (gold.meaning.name, gold.labels.tolist(), gold.left_out) == ("near", [True, False], {})
    assert pairs(write, *rows, relation="contains").left_out == {"relation same": 1}


def test_what_was_judged_and_left_out_is_not_unjudged(write: Writer) -> None:
    rows = [
        {"a": "1", "b": "2", "label": "same", "sure": 1},
        {"a": "1", "b": "3", "label": "related", "sure": 1},
        {"a": "2", "b": "3", "label": "other", "sure": 0},
    ]
    gold = pairs(write, *rows, leave_out=["sure=0"])
    assert gold.aside == {("1", "3"), ("2", "3")}
    assert gold.take([0]).aside == {("1", "3"), ("2", "3")}


def test_a_pair_that_is_sure_here_and_doubtful_there_is_refused(write: Writer) -> None:
    rows = [{"a": "1", "b": "2", "label": "same"}, {"a": "2", "b": "1", "label": "related"}]
    with pytest.raises(InputError, match=":2: '2' and '1' are judged neither yes nor no here, yes in line 1"):
        pairs(write, *rows)


def test_a_missing_file_is_reported_by_name() -> None:
    with pytest.raises(InputError, match=r"nowhere\.jsonl: cannot be read"):
        read_gold("nowhere.jsonl")


def test_packed_gold_is_read(write: Writer) -> None:
    import gzip

    path = write("gold.jsonl.gz", "")
    path.write_bytes(gzip.compress(b'{"a":"1","b":"2","label":"same"}\n'))
    assert len(read_gold(str(path))) == 1


@pytest.mark.parametrize(
    ("text", "line", "holds"),
    [
        ("overlap3<0.1", {"overlap3": 0.05}, True),
        ("overlap3<0.1", {"overlap3": 0.1}, False),
        ("overlap3<0.1", {}, False),
        ("same:overlap3<0.1", {"label": "other", "overlap3": 0.05}, False),
        ("orig>=0", {"orig": -1}, False),
        ("lang=tr", {"lang": "tr"}, True),
        ("lang!=tr", {"lang": "en"}, True),
    ],
)
def test_conditions(text: str, line: dict[str, object], holds: bool) -> None:
    condition = Condition.parse(text)
    assert condition.holds(line) is holds
    assert Condition.parse(str(condition)) == condition


@pytest.mark.parametrize("text", ["", "overlap3", "overlap3<", "lang<tr", "same:"])
def test_what_is_no_condition_is_refused(text: str) -> None:
    with pytest.raises(ParameterError):
        Condition.parse(text)


def test_conditions_choose_what_is_left_out_and_what_is_yes(write: Writer) -> None:
    rows = [
        {"a": "1", "b": "2", "label": "same", "orig": 1, "sure": 1},
        {"a": "1", "b": "3", "label": "related", "orig": 0, "sure": 1},
        {"a": "2", "b": "3", "label": "other", "orig": -1, "sure": 1},
        {"a": "2", "b": "4", "label": "other", "orig": -1, "sure": 0},
    ]
    gold = pairs(write, *rows, positive="orig>=0", leave_out=["sure=0"])
    assert gold.labels.tolist() == [True, True, False]
    assert gold.left_out == {"sure=0": 1}
    with pytest.raises(InputError, match=":1: no 'grade', which --positive needs"):
        pairs(write, *rows, positive="grade>=0")


def test_every_meaning_says_what_counts() -> None:
    for name, meaning in MEANINGS.items():
        assert meaning.name == name
        assert meaning.definition
        assert meaning.kinds
