"""dsc-varol: containment over the 4-word runs that one of four samplings keeps."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from samestory import Article, ParameterError, parse, prepare
from samestory.detectors.dsc_varol import SampledFingerprint
from tests.detectors.oracles import EDGES, check, check_keys, found, results
from tests.news import corpora
from tests.reference import full_fingerprint

SAMPLINGS = ("every_third", "first_three", "min_three", "all")

detectors = st.builds(
    SampledFingerprint,
    shingle=st.sampled_from([1, 2, 4, 9]),
    threshold=st.sampled_from([0.0, 0.3, 0.6, 1.0]),
    sampling=st.sampled_from(SAMPLINGS),
    stemming=st.sampled_from(["F5", "none"]),
    stop_words=st.booleans(),
)
every_sampling = pytest.mark.parametrize("sampling", SAMPLINGS)


def check_reference(detector: SampledFingerprint, articles: list[Article]) -> None:
    names = ("shingle", "threshold", "sampling", "stemming", "stop_words")
    values = {name: getattr(detector, name) for name in names}
    check(detector, articles, lambda left, right: full_fingerprint.compare_sampled(left, right, **values))


@given(detector=detectors, articles=corpora(most=5))
@settings(max_examples=60)
def test_shares_and_kinds_are_those_of_the_oracle(detector: SampledFingerprint, articles: list[Article]) -> None:
    check_reference(detector, articles)


@every_sampling
def test_articles_at_the_edges(sampling: str) -> None:
    for stop_words in (True, False):
        detector = SampledFingerprint(sampling=sampling, stop_words=stop_words)
        check_reference(detector, list(EDGES))
        check_keys(detector, EDGES)


@every_sampling
@given(articles=corpora(), threshold=st.sampled_from([0.6, 0.2]))
@settings(max_examples=25)
def test_keys_lose_nothing(sampling: str, articles: list[Article], threshold: float) -> None:
    check_keys(SampledFingerprint(sampling=sampling, threshold=threshold), articles)


@given(articles=corpora())
@settings(max_examples=20)
def test_with_all_runs_it_is_the_full_fingerprint(articles: list[Article]) -> None:
    assert found(articles, parse("dsc-varol(sampling=all)")) == found(articles, parse("ffp"))


def test_what_the_readings_keep() -> None:
    """Of eight words there are five runs; the first and the fourth are kept, or the first three."""
    news = [Article("a", "one two three four five six seven eight", lang="de")]
    news.append(Article("b", "one two three four five six seven x y z", lang="de"))
    assert results(SampledFingerprint(), news)[0][1] == (1, 2 / 3, "NEAR")
    assert results(SampledFingerprint(threshold=0.7), news)[0][1] == (1, 2 / 3, "PART_OF")
    assert results(SampledFingerprint(sampling="first_three"), news)[0][1] == (1, 1, "NEAR")
    assert results(SampledFingerprint(sampling="all"), news)[0][1] == (4 / 5, 4 / 7, "PART_OF")
    for sampling, kept in (("every_third", 2), ("first_three", 3), ("min_three", 3), ("all", 5)):
        (signature, _) = SampledFingerprint(sampling=sampling).sign(prepare(news))
        assert len(signature) // 4 == kept


def test_a_word_put_in_front_shifts_the_places_of_every_third() -> None:
    text = "one two three four five six seven eight nine ten"
    news = [Article("a", text, lang="de"), Article("b", f"Kiel {text}", lang="de")]
    assert results(SampledFingerprint(), news)[0][1] == (0, 0, None)
    assert results(SampledFingerprint(sampling="min_three"), news)[0][1][0] >= 2 / 3


def test_an_unknown_sampling_is_rejected() -> None:
    with pytest.raises(ParameterError, match=r"dsc-varol: sampling must be 'every_third' or .* got 'some'"):
        parse("dsc-varol(sampling=some)")
