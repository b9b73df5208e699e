"""koala: all runs of letters, or the least frequent."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from samestory import Article, Detector, InputError, prepare
from samestory.detectors.koala import Koala
from samestory.errors import NotFittedError
from samestory.text import Frequencies
from tests.detectors.oracles import EDGES, check, check_keys, found, results
from tests.news import corpora
from tests.reference import koala as reference
from tests.reference.text import Table

detectors = st.builds(
    Koala,
    form=st.sampled_from(["selective", "full"]),
    letters=st.sampled_from([1, 4, 5, 6, 20, 50]),
    stored=st.sampled_from([1, 10, 100]),
    searched=st.sampled_from([100, 150, 1000]),
    threshold=st.sampled_from([0.1, 0.4, 1.0]),
)


def check_reference(detector: Koala, articles: list[Article]) -> None:
    names = ("form", "letters", "stored", "searched", "threshold")
    values = {name: getattr(detector, name) for name in names}
    table = Table.of_letters(articles)
    fitted = detector.fit([prepare(articles)])
    check(fitted, articles, lambda left, right: reference.compare(left, right, table=table, **values))


@given(detector=detectors, articles=corpora(most=3))
@settings(max_examples=80)
def test_shares_and_kinds_are_those_of_the_oracle(detector: Koala, articles: list[Article]) -> None:
    check_reference(detector, articles)


@pytest.mark.parametrize("form", ["selective", "full"])
@pytest.mark.parametrize("letters", [3, 5, 20])
def test_articles_at_the_edges(form: str, letters: int) -> None:
    detector = Koala(form=form, letters=letters)
    check_reference(detector, list(EDGES))
    check_keys(detector, EDGES)


@given(articles=corpora(), stored=st.sampled_from([1, 20, 100, 1000]))
@pytest.mark.parametrize("form", ["selective", "full"])
@pytest.mark.parametrize("threshold", [0.4, 0.1])
def test_keys_lose_nothing(threshold: float, form: str, articles: list[Article], stored: int) -> None:
    check_keys(Koala(form=form, stored=stored, threshold=threshold), articles)


def weighed(counts: dict[str, int], **parameters: Any) -> Detector:
    """A detector that knows runs of five letters to be in so many of ten articles."""
    rows = "".join(f"{articles}\t{run}\n" for run, articles in counts.items())
    table = f"samestory frequencies 1\narticles\t10\nwords\t0\nstems\t0\nletters\t{len(counts)}\n{rows}"
    return Koala(letters=6, **parameters).weighed(Frequencies.parse(table.encode()))


def test_the_least_frequent_runs_are_stored() -> None:
    news = [Article("a", "abcdefg"), Article("b", "bcdefgh")]
    assert results(Koala(form="full", letters=6), news)[0][1] == (1 / 2, 1 / 2, "NEAR")
    # of left abcdef is stored, which right does not have; of right cdefgh, which left does not have
    assert results(weighed({"bcdef": 3}, stored=1), news)[0][1] == (0, 0, None)
    # now both store bcdefg, and right is searched for it among one run only: the same
    rare = {"abcde": 3, "cdefg": 3}
    assert results(weighed(rare, stored=1, searched=1), news)[0][1] == (1, 1, "NEAR")
    assert results(weighed(rare, stored=2), news)[0][1] == (1 / 2, 1 / 2, "NEAR")


def test_only_letters_count() -> None:
    news = [Article("a", "Ab'c 12_d!"), Article("b", "a-B C, d 7")]
    assert results(Koala(form="full"), news)[0][1] == (1, 1, "NEAR")


def test_what_one_stores_is_found_where_the_other_only_searches() -> None:
    """The text that b adds is rarer than what it took from a: b stores nothing of that, and they meet all the same."""
    part = "The harbour council voted on Monday to rebuild the wooden pier."
    more = "Quixotic zephyrs jinxed forty vexed wizards, who query my crypts by lynx."
    news = [Article("a", part), Article("b", f"{part} {more}"), *(Article(f"c{n}", f"{part} {n}") for n in range(3))]
    detector = Koala(stored=20)
    forward, backward, kind = results(detector.fit([prepare(news)]), news)[0][1]
    assert (forward, backward, kind) == (1, 0, "PART_OF")
    assert ("a", "b") in {(left, right) for left, right, *_ in found(news, detector)}


def test_the_full_form_needs_no_frequencies_and_the_selective_one_does() -> None:
    news = prepare([Article("a", "The ferry runs again.")])
    assert Koala(form="full").fitted
    assert Koala(form="full").state() == b""
    assert len(Koala(form="full").sign(news)) == 1
    assert not Koala().fitted
    with pytest.raises(NotFittedError, match="koala"):
        Koala().sign(news)


def test_a_table_without_letters_is_refused(tmp_path: Path) -> None:
    news = prepare([Article("a", "The ferry runs again.")])
    Frequencies.of([news]).save(tmp_path / "words.idf")
    with pytest.raises(InputError, match="five letters"):
        Koala(idf=str(tmp_path / "words.idf")).sign(news)
    Frequencies.of([news], "letters").save(tmp_path / "letters.idf")
    known = Koala(idf=str(tmp_path / "letters.idf"))
    assert list(known.sign(news)) == list(Koala().fit([news]).sign(news))
