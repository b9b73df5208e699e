"""A stream of events calibrates its detector as a batch over the same articles does."""

from __future__ import annotations

import random

import pytest

from samestory import Article, Stream, parse
from samestory import stream as streams
from samestory.text import prepare

SYLLABLES = ["bor", "kal", "mer", "tun", "vel", "zar", "dig", "fos", "hup", "jil", "nep", "ras", "sov", "wim"]
WORDS = [first + second + third for first in SYLLABLES for second in SYLLABLES for third in SYLLABLES]


@pytest.fixture(autouse=True)
def _small_minimum(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "CALIBRATION_MINIMUM", 200)


def news(first: int, count: int, seed: int = 5) -> list[Article]:
    """Whole articles of random words: none reports the event of another."""
    generator, out = random.Random(f"{seed} {first}"), []
    for number in range(first, first + count):
        words = [generator.choice(WORDS) + generator.choice(["", "s", "ed", "ing"]) for _ in range(150)]
        name = f"{generator.choice(WORDS).title()} {generator.choice(WORDS).title()}"
        published = f"2026-03-{1 + number % 28:02}"
        out.append(Article(f"a{number}", f"{name} {' '.join(words)}", lang="en", published=published))
    return out


def state(articles: list[Article]) -> bytes:
    return parse("event").fit([prepare(articles)]).state()


def test_a_stream_is_calibrated_on_its_articles_and_again_when_they_have_doubled() -> None:
    stream, articles = Stream("event"), news(0, 2 * streams.CALIBRATION_MINIMUM)
    for at in range(0, len(articles), 50):
        added = articles[: at + 50]
        stream.add(articles[at : at + 50])
        if len(added) < streams.CALIBRATION_MINIMUM:
            assert not stream.detector.is_calibrated
        else:
            doubled = len(added) == len(articles)
            sample = added if doubled else articles[: streams.CALIBRATION_MINIMUM]
            assert stream.detector.state() == state(sample)


def test_a_large_first_batch_is_calibrated_before_it_is_grouped() -> None:
    articles = news(0, streams.CALIBRATION_MINIMUM + 50)
    stream = Stream("event")
    stream.add(articles)
    fitted = Stream(parse("event").fit([prepare(articles)]))
    fitted.add(articles)
    assert stream.groups() == fitted.groups()


def groups(stream: Stream) -> set[frozenset[str]]:
    return {frozenset(members) for members in stream.groups().values()}


def test_a_calibrated_stream_relates_as_one_that_was_fitted_on_the_same_articles() -> None:
    first, later = news(0, 200), news(200, 100)
    stream = Stream("event")
    for at in range(0, 200, 50):
        stream.add(first[at : at + 50])
    assert stream.detector.is_calibrated
    # earlier groups stay, and a copy of an earlier article joins the group of its original
    for original in first[::20]:
        stream.add([Article(f"{original.id}-copy", original.text, lang="en", published=original.published)])
        assert stream.group_of(f"{original.id}-copy") == stream.group_of(original.id)
    fitted = Stream(parse("event").fit([prepare(first)]))
    stream.remove([id for members in stream.groups().values() for id in members])
    for each in (stream, fitted):
        each.add([*first, *later])
    assert groups(stream) == groups(fitted)


def test_a_fitted_detector_keeps_its_calibration() -> None:
    detector = parse("event").fit([prepare(news(5000, 300))])
    stream = Stream(detector)
    stream.add(news(0, streams.CALIBRATION_MINIMUM))
    assert stream.detector == detector and stream.detector.state() == detector.state()


def test_copies_do_not_calibrate_a_stream() -> None:
    stream, (article,) = Stream("event"), news(0, 1)
    for batch in range(3):
        copies = [Article(f"{batch}-{at}", article.text, lang="en", published=article.published) for at in range(200)]
        stream.add(copies)
    assert not stream.detector.is_calibrated
    stream.add(news(1, 198))
    assert not stream.detector.is_calibrated
    stream.add(news(199, 2))
    assert stream.detector.is_calibrated
