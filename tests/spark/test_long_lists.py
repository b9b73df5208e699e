"""Keys of more articles than the ceiling: hubs of their lists are read, and the same pairs found as on one machine."""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path
from typing import Any

import pytest

from samestory import find, parse, relate
from samestory.groups import GroupingOptions
from samestory.model import Article
from samestory.run import Run
from tests.hostile.test_bounds import CEILING, SPEC, beside_spam, drawn, near_copies
from tests.spark.conftest import MASTER
from tests.spark.test_same import lines

pytestmark = pytest.mark.filterwarnings("ignore")


def articles() -> list[Article]:
    """Near copies, articles that contain them, and honest pairs beside the spam of one source."""
    rng = random.Random(5)
    copies = near_copies(6 * CEILING, sources=7)
    containers = [
        Article(f"r{n}", f"{copies[n].text} {' '.join(drawn(rng, 700))}", published="2026-03-02", source=f"r{n % 3}")
        for n in range(20)
    ]
    every = copies + containers + beside_spam(pairs=20, spam=2 * CEILING)
    rng.shuffle(every)
    # some originals have copies
    return [
        *every,
        *(Article(f"{each.id}-copy", each.text, published=each.published, source="copier") for each in every[::20]),
    ]


def rows(every: list[Article]) -> list[dict[str, Any]]:
    return [{"id": a.id, "text": a.text, "source": a.source, "published": a.published} for a in every]


def run_of(every: list[Article]) -> Run:
    """A run on one machine."""
    run = Run(parse(SPEC))
    run.add("articles", [[a.id, a.text, None, a.published, None, a.source, None] for a in every])
    run.relations()
    return run


@pytest.mark.parametrize(("partitions", "parts"), [(1, 1), (3, 2), (5, 7)])
def test_relations_and_groups_are_those_of_one_machine(spark: Any, partitions: int, parts: int) -> None:
    from samestory.spark import job

    every = articles()
    dealt = spark.sparkContext.parallelize([tuple(row.values()) for row in rows(every)], partitions)
    frame = spark.createDataFrame(dealt, "id string, text string, source string, published string")
    done = job(frame, detector=SPEC, parts=parts)
    relations = {(r["left"], r["right"], r["kind"], r["forward"], r["backward"]) for r in done.relations().collect()}
    wanted = relate(every, detector=SPEC)
    assert relations == {(r.left, r.right, str(r.kind), r.overlap.forward, r.overlap.backward) for r in wanted}
    groups = {tuple(group.members) for group in done.groups(GroupingOptions()).collect()}
    assert groups == {group.members for group in find(every, detector=SPEC)}
    assert max(map(len, groups)) > 6 * CEILING
    here = run_of(every).summary
    assert "of which a sample was used" in here.hint
    assert (done.summary.hint, done.summary.skipped_keys) == (here.hint, here.skipped_keys)


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("--representative", "earliest", "--prefer", "s3", "--join-parts"),
        ("--representative", "latest", "--grouping", "components"),
        ("--grouping", "majority", "--representative", "latest"),
    ],
    ids=" ".join,
)
def test_hubs_follow_the_representatives(spark: Any, tmp_path: Path, words: tuple[str, ...]) -> None:
    path = tmp_path / "news.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows(articles())))
    arguments = (str(path), "-d", SPEC, *words)
    many, one = (
        lines(tmp_path, name, *arguments, *more) for name, more in (("many", ("--spark", MASTER)), ("one", ()))
    )
    assert many == one


def test_nothing_more_is_sent_without_long_lists(spark: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from samestory.spark import job

    def unwanted(*_: Any) -> Any:
        raise AssertionError("hubs are selected, and there are no long lists")

    monkeypatch.setattr(sys.modules["samestory.spark.job"], "send_sampled", unwanted)
    every = near_copies(CEILING, sources=3)
    done = job(spark.createDataFrame(rows(every)), detector=SPEC)
    assert done.relations().count() == len(relate(every, detector=SPEC))
    assert not done.summary.hint
