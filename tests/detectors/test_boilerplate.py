"""Boilerplate of a source: it counts for nothing between articles that are not identical, and hides no copy."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from samestory import Article, Index, Kind, parse, prepare, relate
from samestory.archive import Archive, calibration
from samestory.cli import main
from samestory.errors import ParameterError
from samestory.run import run_on
from tests.archive.news import names

FOOTER = (
    "The Herald welcomes letters from readers on any subject of local interest. Write to the editor at the old mill, "
    "or subscribe to the evening edition and save a third of the price of all copies at the kiosk."
)
SENTENCES = (
    "the council of town said on monday that people would have to wait for new road and school this year "
    "while their families asked why another bridge was opened before any bus could cross it without delay"
)
COMMON = SENTENCES.split(" ")


def text_of(seed: int, words: int = 24) -> str:
    """Words of which a third occur in no other text."""
    random = Random(seed)
    return " ".join(names(random, 1) if n % 3 == 0 else random.choice(COMMON) for n in range(words))


def news(count: int = 260, footer: str = FOOTER) -> list[Article]:
    """Short items of one source, most of whose words are the footer."""
    return [Article(f"h{n:03}", f"{text_of(n)}. {footer}", source="Herald", lang="en") for n in range(count)]


def found(articles: list[Article], as_is: bool = False) -> dict[frozenset[str], Kind]:
    return {frozenset((r.left, r.right)): r.kind for r in relate(articles, detector="reuse", as_is=as_is)}


def test_items_that_share_but_the_footer_of_their_source_are_not_related() -> None:
    assert found(news()) == {}
    assert found(news(), as_is=True), "without the rule they share most of their text"


def test_copies_are_found_with_and_without_the_footer_in_any_layout() -> None:
    articles = news()
    own = text_of(7)
    wrapped = FOOTER.replace(" ", "\n", 9).replace("or subscribe", "or  SUBSCRIBE")
    copies = {
        "same": f"{own}. {FOOTER}",
        "wrapped": f"{own}.\n{wrapped}",
        "without": f"{own}.",
    }
    more = [Article(id, text, source="Post", lang="en") for id, text in copies.items()]
    kinds = found([*articles, *more])
    assert kinds[frozenset(("h007", "same"))] is Kind.IDENTICAL
    assert kinds[frozenset(("h007", "wrapped"))] is Kind.IDENTICAL
    assert kinds[frozenset(("h007", "without"))] is Kind.NEAR
    assert all(pair <= {"h007", *copies} for pair in kinds)


def test_the_summary_counts_articles_with_boilerplate() -> None:
    run = run_on(news(), parse("reuse"))
    run.relations()
    assert run.summary.repaired["boilerplate"] == 260
    as_is = run_on(news(), parse("reuse"), as_is=True)
    as_is.relations()
    assert "boilerplate" not in as_is.summary.repaired


def test_a_run_by_day_counts_articles_with_boilerplate(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    days = [(article, day) for day in ("2024-03-01", "2024-03-02") for article in news(230)]
    lines = [
        {"id": f"{day}{article.id}", "text": article.text, "source": "Herald", "published": day}
        for article, day in days
    ]
    path = tmp_path / "news.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    main(["find", "--by-day", str(path), "-o", f"{tmp_path}/out.jsonl"])
    assert "repaired: 460 × boilerplate" in capfd.readouterr().err


def test_versions_of_one_story_are_not_boilerplate() -> None:
    story = text_of(1000, 120).split(" ")
    random = Random(3)
    versions = []
    for n in range(40):
        words = list(story)
        for _ in range(6):
            words[random.randrange(len(words))] = names(random, 1)
        versions.append(Article(f"v{n:02}", " ".join(words), source="Herald", lang="en"))
    articles = [*news(footer=""), *versions]
    kinds = found(articles)
    assert len(kinds) > 500
    assert kinds == found(articles, as_is=True)


def test_a_small_collection_and_one_without_sources_have_no_boilerplate() -> None:
    detector = parse("reuse")
    assert len(detector.fit([prepare(news(150))]).state()) == 8, "a version and no phrase"
    nameless = [Article(a.id, a.text, lang="en") for a in news()]
    assert len(detector.fit([prepare(nameless)]).state()) == 8


def test_order_changes_nothing_and_an_index_finds_what_a_run_finds() -> None:
    articles = [*news(), Article("copy", f"{text_of(7)}.", source="Post", lang="en")]
    detector = parse("reuse").fit([prepare(articles)])
    assert detector.state() == parse("reuse").fit([prepare(articles[::-1])]).state()
    assert len(detector.state()) > 8
    index = Index(detector)
    parts = [index.add(prepare(articles[at : at + 50])) for at in range(0, len(articles), 50)]
    pairs = {frozenset((r.left, r.right)): r.kind for part in parts for r in part}
    assert pairs == found(articles) != {}


def test_an_article_that_is_refused_is_not_counted() -> None:
    run = run_on([*news(), *news()], parse("reuse"))
    run.relations()
    assert run.summary.repaired["boilerplate"] == 260


def test_boilerplate_that_a_source_has_no_more_is_forgotten() -> None:
    once = parse("reuse").fit([prepare(news())])
    assert len(once.fit([prepare(news(footer=""))]).state()) == 8


def test_an_archive_ignores_the_boilerplate_of_its_sources(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calibration, "CALIBRATION_MINIMUM", 220)
    articles = news()
    with Archive.open(f"{tmp_path}/news.db", ["reuse"]) as kept:
        kept.add(articles[:240])
        last = kept.add(articles[240:])
        assert last.relations == []
        assert last.with_boilerplate == [article.id for article in articles[240:]]
        assert kept.detectors[0].state()
        assert kept.rebuild() == 260
        assert kept.query(articles) == []


@pytest.mark.parametrize("cut", [1, 12])
def test_a_damaged_calibration_is_rejected(cut: int) -> None:
    state = parse("reuse").fit([prepare(news())]).state()
    with pytest.raises(ParameterError, match="reuse: calibration is missing or damaged"):
        _ = parse("reuse").restore(state[:cut]).native
