"""No detector scores below its floors; `make floors` raises them (see `floors.py`)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from samestory import Article, parse, read, relate
from samestory.lab.evaluation import evaluate, read_gold, score
from samestory.readers import Source
from tests.conftest import DEMO, ROOT
from tests.quality import floors

REUTERS = ROOT.parent / "shared" / "data" / "reuters_slug"


@pytest.fixture(scope="module", params=floors.SETS)
def pinned(request: pytest.FixtureRequest) -> Iterator[tuple[dict[str, object], Path, Path]]:
    with floors.SETS[request.param]() as (docs, gold):
        yield floors.load()[request.param], docs, gold


def test_floors_are_pinned_on_the_set_that_is_here(pinned: tuple[dict[str, object], Path, Path]) -> None:
    floor, docs, gold = pinned
    assert floor["digest"] == floors.digest(docs, gold), "the set has changed: make floors"


def test_every_detector_keeps_its_floor(pinned: tuple[dict[str, object], Path, Path]) -> None:
    floor, docs, gold = pinned
    kept = floor["floors"]
    assert isinstance(kept, dict)
    reached = floors.reached(docs, gold)
    assert set(kept) == set(reached), "a detector without a floor, or a floor without a detector: make floors"
    assert {spec: value for spec, value in reached.items() if value < kept[spec]} == {}


def test_every_lowered_floor_has_a_reason() -> None:
    for each in floors.load().values():
        assert all(lowered["reason"].strip() for lowered in each["lowered"])


def test_kinds_of_the_demo() -> None:
    articles = [item for item in read(str(DEMO / "news.jsonl")) if isinstance(item, Article)]
    expected = [json.loads(line) for line in (DEMO / "expected.jsonl").read_text(encoding="utf-8").splitlines()]
    wanted = {frozenset((r["left"], r["right"])): r["kind"] for r in expected if r["kind"] not in ("FORM", "NONE")}
    assert {frozenset((r.left, r.right)): str(r.kind) for r in relate(articles)} == wanted


def test_the_gold_of_the_demo_matches_the_expected_kinds() -> None:
    gold, expected = (
        [json.loads(line) for line in (DEMO / name).read_text(encoding="utf-8").splitlines()]
        for name in ("gold.jsonl", "expected.jsonl")
    )
    assert [(g["a"], g["b"], g["kind"]) for g in gold] == [(e["left"], e["right"], e["kind"]) for e in expected]
    assert all((g["label"] == "other") == (g["kind"] in ("FORM", "NONE")) for g in gold)


@pytest.mark.skipif(not REUTERS.is_dir(), reason=f"the labelled collection is not at {REUTERS}")
def test_same_or_other_story_on_reuters_slug() -> None:
    """Positives that share less than a tenth of their 3-word shingles are left out: about half are labelled wrong."""
    gold = read_gold(str(REUTERS / "pairs.jsonl.gz"), leave_out=["same:overlap3<0.1"])
    run = score(parse("reuse()"), [Source(str(REUTERS / "docs.jsonl.gz"))])
    (result,) = evaluate(gold, [run], rounds=0).results
    assert result.figures[0].value is not None
    assert result.figures[0].value >= 0.93
