"""samestory fit-r: from labelled days to a model, and from the model to the groups of a new day."""

from __future__ import annotations

import json
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
