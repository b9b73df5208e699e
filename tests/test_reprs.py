"""The reprs of indexes, streams and features are one line with their contents."""

from __future__ import annotations

from datetime import timedelta

from samestory import Article, CorpusTree, Index, Reuse, Stream, prepare
from samestory.detectors import CoDet, Exact

NEWS = [Article(id, f"The bridge over the river reopened on Monday, {id}.") for id in ("a", "b", "c")]


def test_an_index_shows_detector_size_and_window() -> None:
    index = Index(Reuse(), window=timedelta(days=14))
    assert repr(index) == "Index(reuse(), 0 articles, window=14 days)"
    index.add(prepare(NEWS[:1]))
    assert repr(index) == "Index(reuse(), 1 article, window=14 days)"
    assert repr(Index(Exact())) == "Index(exact(), 0 articles, window=None)"


def test_a_stream_shows_detector_size_and_window() -> None:
    stream = Stream("exact", window=timedelta(hours=36))
    stream.add(NEWS)
    assert repr(stream) == "Stream(exact(), 3 articles, window=1 day, 12:00:00)"


def test_a_corpus_tree_shows_detector_size_and_window() -> None:
    features = prepare(NEWS)
    tree = CorpusTree(CoDet().fit([features]))
    tree.add(features)
    assert repr(tree) == "CorpusTree(codet(), 3 articles, window=None)"


def test_features_show_their_number() -> None:
    assert repr(prepare(NEWS[:1])) == "Features(1 article)"
    assert str(prepare(NEWS)) == "Features(3 articles)"
