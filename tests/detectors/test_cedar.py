"""cedar: resemblance of word runs without those that stand in most articles."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from samestory import Article, Index, NotFittedError, ParameterError, find, parse, prepare, relate
from samestory.detectors.cedar import Cedar
from samestory.errors import InputError
from samestory.text import ShingleCounts
from tests.conftest import DEMO, Runner
from tests.detectors.oracles import EDGES, check, check_keys, results
from tests.news import corpora
from tests.reference import cedar as reference

FURNITURE = "share this story with your friends"
#: Two pages of one site about different things, and two of one thing on different sites.
PAGES = [
    Article("a", f"ferry stops for nine days {FURNITURE}", lang="en"),
    Article("b", f"orchid found beside railway bank {FURNITURE}", lang="en"),
    Article("c", f"clock runs backwards since tuesday {FURNITURE}", lang="en"),
    Article("d", "ferry stops for nine days in all", lang="en"),
]


def test_without_boilerplate_the_right_articles_are_candidates() -> None:
    """Of ten runs of two words, five are furniture: r(a, b) = 5/15 as r(a, d) = 4/12. Five of 22 runs are 23 %."""
    plain = results(Cedar(), PAGES)
    assert plain[0][1] == (5 / 10, 5 / 10, None)
    assert plain[0][3] == (4 / 10, 4 / 6, None)
    left_out = results(Cedar(frequent=23).fit([prepare(PAGES)]), PAGES)
    assert left_out[0][1] == (0, 0, None)
    assert left_out[0][3] == (4 / 5, 4 / 6, "NEAR")


def _rank(run: Any) -> int:
    """The hash by which equals are ordered: that of the only run of an article with nothing else."""
    words = run if isinstance(run, tuple) else (run,)
    (signature,) = Cedar(shingle=len(words)).sign(prepare([Article("x", " ".join(words), lang="en")]))
    return int.from_bytes(signature, "little")


@given(
    articles=corpora(most=5),
    shingle=st.sampled_from([1, 2, 4]),
    threshold=st.sampled_from([0.0, 0.4, 1.0]),
    percent=st.sampled_from([0.0, 3.0, 25.0, 100.0]),
    by=st.sampled_from(["shingles", "occurrences"]),
)
@settings(max_examples=60)
def test_shares_and_kinds_are_those_of_the_oracle(
    articles: list[Article], shingle: int, threshold: float, percent: float, by: str
) -> None:
    detector = Cedar(shingle, threshold, percent, by).fit([prepare(articles)])
    left_out = reference.frequent(articles, shingle, percent, by, _rank) if percent else frozenset()
    check(
        detector,
        articles,
        lambda left, right: reference.compare(left, right, shingle=shingle, threshold=threshold, left_out=left_out),
    )


@given(articles=corpora(), threshold=st.sampled_from([1.0, 0.4, 0.1]), percent=st.sampled_from([0.0, 10.0, 60.0]))
@settings(max_examples=60)
def test_keys_lose_nothing(articles: list[Article], threshold: float, percent: float) -> None:
    detector = Cedar(threshold=threshold, frequent=percent).fit([prepare(articles)])
    index = {(r.left, r.right) for r in Index(detector).add(prepare(articles))}
    ids = [article.id for article in articles]
    near = {
        (ids[row], ids[column])
        for row, line in enumerate(results(detector, articles))
        for column, (forward, _, kind) in enumerate(line)
        if column < row and kind and detector.sign(prepare([articles[row]]))[0] and forward
    }
    assert {frozenset(pair) for pair in index} == {frozenset(pair) for pair in near}


def test_articles_at_the_edges() -> None:
    check(Cedar(), list(EDGES), lambda left, right: reference.compare(left, right))
    check_keys(Cedar(), EDGES)


@given(articles=corpora())
@settings(max_examples=30)
def test_with_nothing_left_out_it_is_resemblance(articles: list[Article]) -> None:
    def found(spec: str) -> list[Any]:
        return [(r.left, r.right, r.kind, r.overlap, r.score) for r in relate(articles, detector=spec)]

    assert found("cedar") == found("resemblance")


def test_an_article_of_which_nothing_is_left_has_no_relations() -> None:
    articles = [Article("x", "one two"), Article("y", "one two"), Article("z", "one two three four five six")]
    detector = Cedar(frequent=20).fit([prepare(articles)])
    signatures = detector.sign(prepare(articles))
    assert [len(row) // 4 for row in signatures] == [0, 0, 4]
    assert results(detector, articles)[0][2] == (0, 0, None)
    assert relate(articles, detector=detector) == []


def test_files_articles_in_memory_and_an_index_say_the_same(samestory: Runner) -> None:
    news = DEMO / "news.jsonl"
    from samestory import read

    articles = [article for article in read(str(news)) if isinstance(article, Article)]
    spec = "cedar(frequent=5, threshold=0.3)"
    groups = {frozenset(group.members) for group in find(articles, detector=spec)}
    assert samestory("find", news, "-d", spec).groups == groups
    features = prepare(articles)
    by_index = {frozenset((r.left, r.right)) for r in Index(parse(spec).fit([features])).add(features)}
    assert by_index == {frozenset((r.left, r.right)) for r in relate(articles, detector=spec)} != set()


def test_a_table_is_made_once_and_used_again(samestory: Runner, tmp_path: Path) -> None:
    news = DEMO / "news.jsonl"
    done = samestory("fit", news, "--shingles", 2, "-o", "news.shingles")
    assert (done.code, "counted 43 articles" in done.err, "runs of 2 words" in done.err) == (0, True, True)
    by_file = samestory("find", news, "-d", "cedar(frequent=5, counts=news.shingles)")
    assert by_file.groups == samestory("find", news, "-d", "cedar(frequent=5)").groups
    assert samestory("fit", news, "--shingles", 2, "--add", "news.shingles", "-o", "twice.shingles").code == 0
    once, twice = (ShingleCounts.load(tmp_path / f"{name}.shingles") for name in ("news", "twice"))
    assert (twice.articles, len(twice)) == (2 * once.articles, len(once))
    assert once + once == twice
    wrong = samestory("find", news, "-d", "cedar(shingle=3, frequent=5, counts=news.shingles)")
    assert (wrong.code, "expected counts of runs of 3 words, got runs of 2" in wrong.err) == (2, True)
    assert "1 to 100 words" in samestory("fit", news, "--shingles", 0, "-o", "x").err
    mixed = samestory("fit", news, "--shingles", 3, "--add", "news.shingles", "-o", "x")
    assert "cannot add tables with shingles of" in mixed.err


def test_without_counts_it_says_how_to_get_them() -> None:
    with pytest.raises(NotFittedError, match="samestory fit"):
        Cedar(frequent=5).sign(prepare(PAGES))
    assert Cedar().fitted and not Cedar(frequent=5).fitted and Cedar(frequent=5, counts="x").fitted
    with pytest.raises(InputError, match="absent"):
        Cedar(frequent=5, counts="absent").sign(prepare(PAGES))


def test_what_was_counted_can_be_saved_and_restored() -> None:
    detector = Cedar(frequent=20).fit([prepare(PAGES[:2]), prepare(PAGES[2:])])
    again = Cedar(frequent=20).restore(detector.state())
    assert list(again.sign(prepare(PAGES))) == list(detector.sign(prepare(PAGES)))
    assert again.fingerprint() == detector.fingerprint() != Cedar(frequent=20).fit([prepare(PAGES[:2])]).fingerprint()
    assert Cedar().state() == b"" and Cedar().restore(b"") == Cedar()


def test_a_damaged_table_is_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "table"
    path.write_bytes(bytes(ShingleCounts.of([prepare(PAGES)], 2)).replace(b"articles\t4", b"articles\t1"))
    with pytest.raises(InputError, match=r"table: not a table of shingles: at line 4"):
        ShingleCounts.load(path)


@pytest.mark.parametrize("spec", ["cedar(frequent=-1)", "cedar(frequent=101)", "cedar(frequent_by=words)"])
def test_a_parameter_out_of_its_range_is_refused(spec: str) -> None:
    with pytest.raises(ParameterError, match="cedar: frequent"):
        parse(spec)
