"""Calibration of `event`: the same sample gives the same decisions, in any order and in every way in."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from samestory import Article, Index, Relation, _core, parse, prepare, relate
from samestory.archive import Archive, calibration, settings
from samestory.detectors.engine import Sample
from samestory.errors import MismatchError, ParameterError
from samestory.index.durable import Durable
from samestory.model import Pairs, Signatures
from samestory.model.columns import numbers_by_name
from samestory.run import run_on, run_relations
from tests.archive.news import item, names, news
from tests.news import short_reports

#: More articles than the 200 of a language that a level is measured with: these are a sample.
NEWS = news(3, 240)
#: With a table of word frequencies, and without one: the collection weighs the words of Basque.
LANGUAGES = ("en", "eu")
in_both = pytest.mark.parametrize("language", LANGUAGES)


def articles(rows: list[dict[str, str]], language: str = "en") -> list[Article]:
    return [Article(r["id"], r["text"], r["title"], r["published"], lang=language) for r in rows]


def scored(relations: list[Relation]) -> set[tuple[frozenset[str], float]]:
    return {(frozenset((r.left, r.right)), round(r.score, 9)) for r in relations}


def long_article(seed: int, words: int = 250) -> str:
    """A text of common words with names that occur in no other text."""
    random = Random(seed)
    sentence = "the city council said that people of the town would work with police and government on a new plan"
    common = sentence.split(" ")
    return " ".join(random.choice(common) if n % 4 else names(random, 1) for n in range(words))


def score(calibration: bytes, left: Article, right: Article) -> float:
    """The score of a pair under a calibration."""
    detector = parse("event(threshold=0)").restore(calibration)
    signed = detector.sign(prepare([left, right]))
    return float(detector.compare(signed, signed, Pairs(np.array([0]), np.array([1]))).score[0])


@in_both
def test_order_and_parts_change_nothing_in_the_calibration(language: str) -> None:
    given = articles(NEWS, language)
    learned = parse("event").fit([prepare(given)])
    turned = parse("event").fit([prepare(given[70:][::-1]), prepare(given[:70])])
    assert learned.state() == turned.state() != b""


@in_both
def test_signatures_are_the_same_whether_calibrated_before_or_after_signing(language: str) -> None:
    features = prepare(articles(NEWS, language))
    plain = parse("event")
    learned = plain.fit([features])
    values, offsets = plain.sign(features).columns
    assert learned.native.apply_calibration(values, offsets).values == learned.sign(features).columns[0] != values


def test_a_sample_does_not_depend_on_the_order_of_the_collection() -> None:
    rows = short_reports(20_500)
    given = [Article(r["id"], r["text"], r["title"], r["published"], lang=r["lang"]) for r in rows]
    learned = parse("event").fit([prepare(given)])
    assert learned.state() == parse("event").fit([prepare(given[9000:][::-1]), prepare(given[:9000])]).state()
    assert learned.state() != parse("event").fit([prepare(given[:20_000])]).state()
    index = Index(learned)
    parts = [index.add(prepare(given[at : at + 4000])) for at in range(0, len(given), 4000)]
    found = scored([relation for part in parts for relation in part])
    assert found == scored(relate(given, detector="event"))
    assert len(found) > 6000


@in_both
def test_a_second_calibration_is_as_if_there_had_been_no_first(language: str) -> None:
    features = prepare(articles(NEWS, language))
    plain = parse("event")
    signed = plain.sign(features)
    first = plain.calibrate(Sample(features.ids[:100], Signatures.from_lists(list(signed)[:100]), [], 100))
    again = first.calibrate(Sample(features.ids, first.sign(features), [], len(features)))
    once = plain.calibrate(Sample(features.ids, signed, [], len(features)))
    assert again.state() == once.state() != first.state()


@in_both
def test_an_index_in_any_chunks_finds_what_a_run_finds(language: str) -> None:
    given = articles(NEWS, language)
    found = scored(relate(given, detector="event"))
    assert found
    learned = parse("event").fit([prepare(given)])
    for step in (1, 50, len(given)):
        index = Index(learned)
        parts = [index.add(prepare(given[at : at + step])) for at in range(0, len(given), step)]
        assert scored([relation for part in parts for relation in part]) == found


def test_a_collection_of_thirty_articles_sets_no_levels() -> None:
    given = articles(NEWS)[:30]
    features = prepare(given)
    plain = parse("event")
    assert plain.fit([features]).sign(features).columns[0] == plain.sign(features).columns[0]


def test_the_more_articles_could_have_met_the_less_likely_is_one_event() -> None:
    features = prepare([Article(str(n), long_article(n), lang="en") for n in range(60)])
    detector = parse("event")
    signed = detector.sign(features)
    left, right = (
        Article("a", long_article(1), lang="en"),
        Article("b", f"{long_article(1, 150)} {long_article(9, 150)}"),
    )
    right = replace(right, lang="en")
    scores = [
        score(detector.calibrate(Sample(features.ids, signed, [], total)).state(), left, right)
        for total in (60, 1000, 10**4, 10**6)
    ]
    assert scores[0] == scores[1] > scores[2] > scores[3]


def test_dates_say_how_many_could_have_met() -> None:
    def learned(days: int) -> bytes:
        dated = [
            Article(str(n), long_article(n), published=f"{2000 + n % days // 12}-{1 + n % days % 12:02}-01", lang="en")
            for n in range(60)
        ]
        features, detector = prepare(dated), parse("event")
        return detector.calibrate(Sample(features.ids, detector.sign(features), [], 60_000)).state()

    left, right = (
        Article("a", long_article(1), lang="en"),
        Article("b", f"{long_article(1, 150)} {long_article(9, 150)}"),
    )
    assert score(learned(60), left, replace(right, lang="en")) > score(learned(1), left, replace(right, lang="en"))


@pytest.mark.parametrize("cut", [3, 8, 40, -4])
def test_a_damaged_calibration_is_rejected(cut: int) -> None:
    state = parse("event").fit([prepare(articles(NEWS))]).state()
    with pytest.raises(ParameterError, match="event: calibration is missing or damaged"):
        _ = parse("event").restore(state[:cut]).native


def test_short_items_that_have_no_neighbours_need_more_evidence_the_more_there_are() -> None:
    """Undated short items of one paper: the same accident, again and again, and hardly one that is reported twice."""
    random = Random(5)
    detector = parse("event")
    features = prepare([Article(str(n), f"{names(random, 5)} said on Monday", lang="en") for n in range(300)])
    signed = detector.sign(features)
    left, right = (
        Article(id, f"Lorry crash closes Oldmere road, {who} say", lang="en")
        for id, who in (("a", "police"), ("b", "firefighters"))
    )
    learned = [detector.calibrate(Sample(features.ids, signed, [], total)).state() for total in (60, 1000, 10**5)]
    scores = [score(each, left, right) for each in learned]
    assert scores[0] > scores[1] > scores[2]


def test_an_archive_calibrates_once_it_has_enough_articles(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calibration, "CALIBRATION_MINIMUM", 60)
    place = f"{tmp_path}/news.db"

    def calibrated_at(each: Archive) -> int:
        with each.database.read() as session:
            return settings.calibrated_at(session)

    with Archive.open(place, ["event"]) as writer, Archive.open(place) as reader:
        writer.add(NEWS[:50])
        assert calibrated_at(writer) == 0 and not writer.detectors[0].state()
        writer.add(NEWS[50:80])
        writer.add(NEWS[80:90])
        first = writer.detectors[0].state()
        assert calibrated_at(writer) == 80 and first
        # another process uses it too, from its next question on
        assert not reader.detectors[0].state()
        reader.query([item("q", NEWS[3]["text"])])
        assert reader.detectors[0].state() == first
        reader.add(NEWS[90:120])
        assert calibrated_at(reader) == 80
    with Archive.open(place) as again:
        assert again.detectors[0].state() == first
        assert again.rebuild() == 120
        assert calibrated_at(again) == 120
        found = {frozenset((r.left, r.right)) for r in again.query(NEWS[:120])}
        assert found == {frozenset((r.left, r.right)) for r in relate(articles(NEWS[:120]), detector="event")}


@in_both
def test_stored_signatures_are_those_of_a_calibrated_detector_once_they_are_indexed(
    tmp_path: object, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    monkeypatch.setattr(calibration, "CALIBRATION_MINIMUM", 60)
    rows, given = [row | {"lang": language} for row in NEWS], articles(NEWS, language)
    with Archive.open(f"{tmp_path}/news.db", ["event"]) as kept:
        for at in range(0, len(rows), 30):
            kept.add(rows[at : at + 30])
        (detector,) = kept.detectors
        expected = dict(zip((a.id for a in given), detector.sign(prepare(given)), strict=True))
        for entries in Durable(kept.database, "0").batches():
            indexed = detector.apply_calibration(entries.signatures)
            assert dict(zip(entries.ids, indexed, strict=True)).items() <= expected.items()
            # those that were stored before the last calibration are not written again
            assert sum(stored != own for stored, own in zip(entries.signatures, indexed, strict=True)) > 60
        fresh = Index(detector)
        fresh.add(prepare(given))
        asked = [replace(article, id=f"{article.id}-again") for article in given[::10]]
        found = {(r.left, r.right, r.score) for r in fresh.query(prepare(asked))}
        assert {(r.left, r.right, r.score) for r in kept.query(asked)} == found != set()
    with Archive.open(f"{tmp_path}/news.db") as again:
        assert {(r.left, r.right, r.score) for r in again.query(asked)} == found


@pytest.mark.parametrize("spec", ["reuse", "event", "exhaustive(inner='event')"])
@in_both
def test_signatures_of_an_earlier_calibration_calibrate_like_new_ones(spec: str, language: str) -> None:
    first, features = prepare(articles(NEWS[:100], language)), prepare(articles(NEWS, language))
    detector = parse(spec)
    assert detector.recalibrates
    sources = [_core.detectors.source_hash(source or "") for source in features.sources]

    def calibrated(signatures: Signatures) -> bytes:
        return detector.calibrate(Sample(features.ids, signatures, sources, 5000)).state()

    plain = detector.sign(features)
    earlier = detector.calibrate(Sample(first.ids, detector.sign(first), sources[:100], 100))
    assert calibrated(earlier.apply_calibration(plain)) == calibrated(earlier.sign(features)) == calibrated(plain)
    # the small sample has no boilerplate, which is all that `reuse` is calibrated on
    assert (calibrated(plain) != earlier.state()) == (spec != "reuse")


@pytest.mark.parametrize("damage", ["AQAA", "!!", "AQAAAAEAAAA="])
def test_a_damaged_calibration_of_an_archive_is_reported_and_a_rebuild_mends_it(
    tmp_path: object, monkeypatch: pytest.MonkeyPatch, damage: str
) -> None:
    monkeypatch.setattr(calibration, "CALIBRATION_MINIMUM", 60)
    place = f"{tmp_path}/news.db"
    with Archive.open(place, ["event"]) as kept:
        kept.add(NEWS[:80])
        kept.add(NEWS[80:120])
        with kept.database.write() as session:
            settings.put(session, "calibration 0", damage)
    with Archive.open(place) as damaged:
        with pytest.raises(MismatchError, match=r"calibration of event.* is damaged"):
            damaged.query([item("q", NEWS[3]["text"])])
        assert damaged.rebuild() == 120
        assert damaged.query([item("q", NEWS[3]["text"])])


def test_articles_of_a_language_that_the_calibration_lacks_are_found() -> None:
    english = prepare([Article(str(n), long_article(n), lang="en") for n in range(60)])
    detector = parse("event")
    calibrated = detector.calibrate(Sample(english.ids, detector.sign(english), [], 50_000_000))
    pairs = [Article(f"{n}{side}", f"{long_article(n)} {side * 3}", lang="pl") for n in range(20) for side in "ab"]
    found = {frozenset((r.left, r.right)) for r in Index(calibrated).add(prepare(pairs))}
    every = parse("exhaustive(inner='event')").restore(calibrated.state())
    assert found == {frozenset((r.left, r.right)) for r in Index(every).add(prepare(pairs))} != set()


def test_days_before_1970_are_days_like_others() -> None:
    text = "Fire destroys the old mill of Oldmere, three people were hurt, police said"
    dates = ["1969-12-30", "1970-01-01", "2020-01-01", "1969-12-31"]
    given = [Article(date, text, published=date, lang="en") for date in dates]
    found = {frozenset((r.left, r.right)) for r in relate(given, detector="event")}
    assert found == {frozenset(pair) for pair in ((dates[0], dates[1]), (dates[0], dates[3]), (dates[1], dates[3]))}


def test_other_months_in_the_beginning_count_against_one_event() -> None:
    text = long_article(1)
    one, same, other = (
        Article(id, f"Prices rose in {month}. {text} {names(Random(n), 40)}", lang="en")
        for n, (id, month) in enumerate((("a", "March"), ("b", "March"), ("c", "July")))
    )
    assert score(b"", one, same) > score(b"", one, other)


def base_rate(articles: list[Article]) -> float:
    """What the base rate subtracts from the log odds of two whole articles of a collection."""
    features = prepare(articles)
    learned = parse("event").fit([features])
    columns = learned.sign(features).columns
    both = np.array([0]), np.array([1])
    odds = _core.detectors.evidence("odds", columns, columns, both, calibration=learned.state())
    return float(numbers_by_name(odds)["articles_base_rate"][0])


def test_a_part_of_a_collection_has_the_base_rate_of_the_whole() -> None:
    """In a fifth of the articles an article has a fifth of its partners, among a fifth of the others."""

    def versions(story: int) -> list[Article]:
        begins, goes_on = long_article(story, 100), long_article(10_000 + story, 100)
        own = [long_article(100_000 * n + story, 40) for n in (1, 2)]
        return [Article(f"{story}-{n}", f"{begins} {own[n]} {goes_on}", lang="en") for n in (0, 1)]

    whole = [article for story in range(700) for article in versions(story)]
    few = [article for story in range(1400) for article in versions(story)[: 1 + (story < 20)]]
    part = Random(1).sample(whole, 280)
    assert base_rate(whole) == 0.0, "every article has a partner"
    assert 1 < base_rate(few) < 3, "one in thirty-five has one"
    assert base_rate(part) < 1, "the other version of most articles is not in that part, nor are most other articles"
    assert base_rate(Random(1).sample(few, 700)) == pytest.approx(base_rate(few), abs=0.8)


def test_short_items_without_dates_are_compared_only_if_they_share_enough_words_for_the_base_rate() -> None:
    """All 150,000 pairs with two words in common used to be compared."""
    random = Random(5)
    words = names(random, 400).split(" ")
    texts = [" ".join(random.sample(words, 16)) for _ in range(1500)]
    again = [f"{text} {random.choice(words)}" for text in texts[:20]]
    given = [Article(f"{at}", text, lang="fi") for at, text in enumerate(texts + again)]
    run = run_on(given, parse("event"))
    found = run_relations(run)
    assert len(found) == 20
    assert scored(found) == scored(relate(given, detector="exhaustive(inner='event')"))
    assert run.summary.compared < 50_000
