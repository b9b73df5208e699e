"""Boilerplate: what a source prints with article after article makes no two of them alike."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import samestory
from samestory import _core
from samestory.archive import Archive
from samestory.model import Article
from samestory.text import learn_boilerplate, prepare
from tests.conftest import Runner, Writer

NOTICE = (
    "The Harbour Gazette of Sandoy costs 12 crowns a week and comes every morning but Sunday: call 555 0100 in Vagur "
    "or ask Jakup Olsen at the ferry quay for the printed paper, the letter of Friday and recordings of the council."
)
WORDS = [
    "ferry",
    "net",
    "quay",
    "gull",
    "tide",
    "rope",
    "mast",
    "oar",
    "buoy",
    "crane",
    "dock",
    "sail",
    "keel",
    "barge",
]


def story(n: int) -> str:
    draw = random.Random(n)
    return "\n".join(f"{' '.join(draw.choices(WORDS, k=14))} {n}." for _ in range(4))


@pytest.fixture
def news() -> list[Article]:
    return [Article(f"a{n:02}", f"{NOTICE}\n{story(n)}", source="gazette") for n in range(30)]


def test_articles_that_share_only_a_notice_are_not_related(news: list[Article]) -> None:
    assert samestory.relate(news) == []
    assert len(samestory.relate(news, as_is=True)) > 100
    other = [Article(a.id, a.text) for a in news]
    assert len(samestory.relate(other)) > 100, "without a source there is none whose boilerplate it could be"


def test_a_copy_in_another_source_stays_a_copy(news: list[Article]) -> None:
    copy = Article("copy", news[3].text, source="herald")
    (relation,) = samestory.relate([*news, copy])
    assert ({relation.left, relation.right}, str(relation.kind)) == ({"a03", "copy"}, "IDENTICAL")


def test_explain_agrees_where_it_knows_the_collection(news: list[Article], samestory: Runner, write: Writer) -> None:
    path = write("news.jsonl", [{"id": a.id, "text": a.text, "source": a.source} for a in news])
    assert "not related" in samestory("explain", "a01", "a02", path).out
    assert "not related" not in samestory("explain", "a01", "a02", path, "--as-is").out
    done = samestory("find", path)
    assert len(done.rows) == len(news)
    assert "30 × boilerplate lines" in done.err
    assert "boilerplate" not in samestory("find", path, "--as-is").err


def test_detectors_written_in_python_leave_it_out_too(news: list[Article], samestory: Runner, write: Writer) -> None:
    path = write("news.jsonl", [{"id": a.id, "text": a.text, "source": a.source} for a in news])
    done = samestory("relate", path, "-d", "exhaustive(inner=reuse)")
    assert done.rows == []
    assert "30 × boilerplate lines" in done.err


def test_an_archive_learns_it_once_and_again_when_it_is_rebuilt(news: list[Article], tmp_path: Path) -> None:
    many = [Article(f"m{n:03}", f"{NOTICE}\n{story(1000 + n)}", source="gazette") for n in range(100)]
    place = tmp_path / "news.db"
    with Archive.open(place, ["reuse"]) as archive:
        first = archive.add(many)
        assert first.relations == []
        assert first.repaired == {"boilerplate lines": 100}
        assert archive.add(news[:3]).relations == []
    with Archive.open(place) as archive:
        assert archive.query(news[5:6]) == [], "another process knows it too"
        assert archive.explain("m001", "m002").relation is None
    with Archive.open(tmp_path / "small.db", ["reuse"]) as archive:
        for article in news:
            archive.add([article])
        assert archive.query([Article("new", f"{NOTICE}\n{story(77)}", source="gazette")])
        archive.rebuild()
        assert archive.query([Article("new", f"{NOTICE}\n{story(77)}", source="gazette")]) == []


def test_places_are_those_of_the_original(news: list[Article]) -> None:
    known = learn_boilerplate(news)
    text = f"{NOTICE}\nA gull & a buoy\n{NOTICE}\nended it"
    features = prepare([Article("x", text, source="gazette")], boilerplate=known)
    starts, ends = features.starts[0], features.ends[0]
    assert [text[s:e] for s, e in zip(starts, ends, strict=True)] == ["A", "gull", "a", "buoy", "ended", "it"]
    assert features.texts[0] == text


def test_what_is_learned_can_be_kept(news: list[Article]) -> None:
    known = learn_boilerplate(news)
    again = _core.Boilerplate(known.keys())
    assert again.keys() == known.keys() != []
    assert samestory.explain(news[0], news[1], boilerplate=again).relation is None
    assert samestory.explain(news[0], news[1]).relation is not None
