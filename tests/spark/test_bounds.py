"""One hostile source costs the same in a batch, in a stream, in an archive and on Spark, and all of them say so."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from samestory import Stream, parse, relate
from samestory.archive import Archive
from samestory.errors import ParameterError
from samestory.index.strongest import MAX_RELATIONS
from samestory.model import Article
from samestory.run import Run
from samestory.text import prepare
from tests.hostile.test_bounds import SPEC, VOCABULARY, near_copies, stories
from tests.spark.test_long_lists import rows, run_of

pytestmark = pytest.mark.filterwarnings("ignore")

#: So many titles of ten words that some have more candidates than an article may have.
TITLES = 1480


def titles() -> list[Article]:
    """Titles drawn from ten words by one source."""
    rng = random.Random(2)
    words = rng.sample(VOCABULARY, 10)
    return [Article(f"t{n}", " ".join(rng.sample(words, 8)), source="hostile") for n in range(TITLES)]


def frame_of(spark: Any, every: list[Article], partitions: int) -> Any:
    dealt = spark.sparkContext.parallelize([tuple(row.values()) for row in rows(every)], partitions)
    return spark.createDataFrame(dealt, "id string, text string, source string, published string")


def test_candidates_are_bounded_alike_everywhere(spark: Any, tmp_path: Path) -> None:
    from samestory.groups import GroupingOptions
    from samestory.spark import job

    every = titles()
    detector = parse("event").fit([prepare(every)])
    # no copies: with the bound, those of one machine may have fewer candidates than those on Spark
    signed = zip(every, map(bytes, detector.sign(prepare(every))), strict=True)
    every = list({signature: article for article, signature in signed}.values())
    here = Run(detector)
    here.add("articles", [[a.id, a.text, None, a.published, None, a.source, None] for a in every])
    wanted = here.corpus.lines(here.relations(), detector=str(detector))
    assert here.summary.dropped_candidates > 0
    assert here.summary.compared <= 1000 * len(every)

    work = job(frame_of(spark, every, 3), detector=detector, parts=2)
    assert work.relation_lines() == wanted
    assert work.summary.dropped_candidates == here.summary.dropped_candidates
    assert work.summary.compared == here.summary.compared
    groups = [set(group.members) for group in work.groups(GroupingOptions("majority")).collect()]
    ids = here.corpus.articles().ids
    one = [{ids[member] for member in group.members} for group in here.groups(GroupingOptions("majority"))]
    assert sorted(map(sorted, groups)) == sorted(map(sorted, one))

    stream = Stream(detector)
    stream.add(every)
    assert max(map(len, stream.groups().values())) >= 0.5 * max(map(len, one))
    with Archive.open(tmp_path / "news.db", [detector]) as archive:
        archive.add(every)
        assert archive.stats()["relations"] <= MAX_RELATIONS * len(every)
        assert len(stories(archive)[0]) >= 0.5 * max(map(len, one))


@pytest.mark.parametrize(("limit", "partitions"), [(1, 2), (7, 3), (10**6, 1)])
def test_the_strongest_relations_are_those_of_one_machine(spark: Any, limit: int, partitions: int) -> None:
    from samestory.spark import job

    every = near_copies(120, sources=5)
    every += [Article(f"{each.id}-copy", each.text, published=each.published, source="copier") for each in every[::9]]
    work = job(frame_of(spark, every, partitions), detector=SPEC, parts=2)
    found = sorted((r["left"], r["right"], r["kind"]) for r in work.relations(limit).collect())
    here = run_of(every)
    assert found == sorted((r.left, r.right, str(r.kind)) for r in relate(every, detector=SPEC, max_relations=limit))
    here.relations(limit)
    assert work.summary.weaker_relations == here.summary.weaker_relations


def test_the_bound_on_spark_is_a_whole_number(spark: Any) -> None:
    from samestory import spark as on_spark

    with pytest.raises(ParameterError, match="max_relations: must be a whole number"):
        on_spark.relate(frame_of(spark, near_copies(3, sources=1), 1), max_relations=0)
