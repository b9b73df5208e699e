"""samestory fit-r: from labelled days to a model, and from the model to the groups of a new day."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from random import Random

import pytest

from samestory import find
from samestory.cli import main
from samestory.detectors import parse
from samestory.detectors.r_model import RModel
from samestory.errors import InputError, ParameterError

WORDS = [
    f"{a}{b}{c}"
    for a in ("har", "mil", "cou", "fer", "sto")
    for b in ("bo", "re", "li", "na")
    for c in ("ur", "st", "ng")
]


def day_of_news(seed: int, stories: int) -> list[dict[str, str]]:
    """Items of one day: every story in three wordings of its six words."""
    random = Random(seed)
    rows = []
    for story in range(stories):
        own = random.sample(WORDS, 6)
        for version in range(3):
            random.shuffle(own)
            id = f"d{seed}-{story}-{version}"
            text = " ".join([*own[:5], random.choice(WORDS)])
            date = f"2026-03-{seed:02}T08:00:00Z"
            rows.append({"id": id, "text": text, "published": date, "lang": "en", "cluster": f"{seed}-{story}"})
    return rows


@pytest.fixture
def labelled(tmp_path: Path) -> tuple[str, str]:
    days = [row for seed, stories in ((1, 20), (2, 40), (3, 60), (4, 30)) for row in day_of_news(seed, stories)]
    docs, gold = tmp_path / "docs.jsonl", tmp_path / "gold.jsonl"
    docs.write_text("".join(json.dumps({k: v for k, v in row.items() if k != "cluster"}) + "\n" for row in days))
    gold.write_text("".join(json.dumps({"id": row["id"], "cluster": row["cluster"]}) + "\n" for row in days))
    return str(docs), str(gold)


@pytest.mark.parametrize("model", ["log", "linear"])
def test_a_model_of_labelled_days_cuts_a_new_day(
    labelled: tuple[str, str], tmp_path: Path, model: str, capsys: pytest.CaptureFixture[str]
) -> None:
    docs, gold = labelled
    place = str(tmp_path / "r.json")
    assert main(["fit-r", "--docs", docs, "--gold", gold, "--model", model, "-o", place]) == 0
    shown = capsys.readouterr().err
    assert "2026-03-03" in shown and "mean absolute error" in shown and place in shown
    assert RModel.load(place).days == 4
    spec = f"semshort(space='distance_rows', threshold=0, r_model={place!r})"
    new = day_of_news(5, 50)
    groups = find([{k: v for k, v in row.items() if k != "cluster"} for row in new], detector=spec)
    assert len(groups) < len(new)


def test_days_may_be_a_field_of_the_gold(labelled: tuple[str, str], tmp_path: Path) -> None:
    docs, gold = labelled
    rows = [json.loads(line) for line in Path(gold).read_text().splitlines()]
    Path(gold).write_text("".join(json.dumps(row | {"edition": row["id"].split("-")[0]}) + "\n" for row in rows))
    place = tmp_path / "r.json"
    assert main(["fit-r", "--docs", docs, "--gold", gold, "--split", "edition", "-o", str(place)]) == 0
    assert RModel.load(str(place)).days == 4


def test_the_gold_field_day_is_used_printed_and_sorted(
    labelled: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    docs, gold = labelled
    rows = [json.loads(line) for line in Path(gold).read_text().splitlines()]
    place = str(tmp_path / "r.json")

    def days(**field: str) -> list[str]:
        marked = [row | {name: value + row["id"][1] for name, value in field.items()} for row in rows]
        Path(gold).write_text("".join(json.dumps(row) + "\n" for row in reversed(marked)))
        assert main(["fit-r", "--docs", docs, "--gold", gold, "-o", place]) == 0
        return [line.split("  ")[0] for line in capsys.readouterr().err.splitlines() if line.startswith(("day", "20"))]

    assert days() == ["days: the dates of the articles", "day", *(f"2026-03-0{day}" for day in range(1, 5))]
    assert days(day="day 1")[:3] == ["days: the gold field day", "day", "day 11"]
    assert days(day="day ")[2:] == ["day 1", "day 2", "day 3", "day 4"]


def test_three_days_make_no_negative_r(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The line through two large days used to predict r = −5.788 for a small one, which groups nothing."""
    days = [row for seed, stories in ((1, 2), (2, 30), (3, 60)) for row in day_of_news(seed, stories)]
    docs, gold, place = tmp_path / "docs.jsonl", tmp_path / "gold.jsonl", str(tmp_path / "r.json")
    docs.write_text("".join(json.dumps({k: v for k, v in row.items() if k != "cluster"}) + "\n" for row in days))
    gold.write_text("".join(json.dumps({"id": row["id"], "cluster": row["cluster"]}) + "\n" for row in days))
    for model in ("log", "linear"):
        assert main(["fit-r", "--docs", str(docs), "--gold", str(gold), "--model", model, "-o", place]) == 0
        shown = [line.split() for line in capsys.readouterr().err.splitlines() if line.startswith("2026")]
        assert len(shown) == 3
        for _, _, _, predicted, *_ in shown:
            assert min(float(row[2]) for row in shown) <= float(predicted) <= max(float(row[2]) for row in shown)
        assert min(RModel.load(place).range) > 0


def test_the_hint_is_quoted_for_a_shell(
    labelled: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    docs, gold = labelled
    for name, quoted in (("r.json", '"{}"'), ("$r.json", "'{}'")):
        place = str(tmp_path / name)
        assert main(["fit-r", "--docs", docs, "--gold", gold, "-o", place]) == 0
        hint = next(line for line in capsys.readouterr().err.splitlines() if line.startswith("use the model"))
        spec = f"semshort(space='distance_rows', threshold=0, r_model='{place}')"
        assert shlex.split(hint)[-1] == spec
        if '"' in quoted:
            assert hint.endswith(quoted.format(spec))


def test_too_few_days_pairs_and_a_missing_output_are_reported(
    labelled: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    docs, gold = labelled
    assert main(["fit-r", "--docs", docs, "--gold", gold]) == 2
    assert "-o" in capsys.readouterr().err
    pairs = tmp_path / "pairs.jsonl"
    pairs.write_text('{"a": "d1-0-0", "b": "d1-0-1", "label": "same"}\n')
    assert main(["fit-r", "--docs", docs, "--gold", str(pairs), "-o", str(tmp_path / "x.json")]) == 1
    assert "expected groups" in capsys.readouterr().err
    lines = Path(gold).read_text().splitlines(keepends=True)
    Path(gold).write_text("".join(line for line in lines if '"d1-' in line))
    assert main(["fit-r", "--docs", docs, "--gold", gold, "-o", str(tmp_path / "x.json")]) == 1
    assert "1 labelled days" in capsys.readouterr().err
    assert not (tmp_path / "x.json").exists()


def test_a_model_of_r_belongs_to_the_space_of_the_study(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="r_model must be"):
        parse("semshort(r_model='r.json')")
    with pytest.raises(ParameterError, match="r_model must be"):
        parse("semshort(space='distance_rows', r=2.5, r_model='r.json')")
    with pytest.raises(InputError, match="No such file"):
        find(day_of_news(1, 2), detector=f"semshort(space='distance_rows', r_model='{tmp_path}/none.json')")
