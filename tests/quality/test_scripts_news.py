"""The news in scripts without spaces match their README: events of two reports in different words, in two halves."""

from __future__ import annotations

import itertools
import json
import re
from collections import Counter, defaultdict
from datetime import datetime, timedelta
from difflib import SequenceMatcher
from functools import cache
from typing import Any

import numpy as np
import pytest

from samestory import parse
from samestory.lab.evaluation import GoldGroups, evaluate, read_gold, score
from samestory.readers import Source
from tests.conftest import ROOT
from tests.quality.scripts import benchmark

SET = ROOT / "benchmarks" / "scripts_news"
README = (SET / "README.md").read_text(encoding="utf-8")
LANGUAGES = ("vi", "th", "zh", "ja")
SPLITS = ("dev", "test")
ITEM = {"id", "title", "text", "published", "source", "lang"}
LABEL = {"id", "cluster", "relation", "topic", "split", "lang"}
#: Letters of the script, and the longest run of characters that two reports of an event share: a name, a place.
SCRIPTS = {
    "vi": "[a-zA-ZÀ-ưḀ-ỹ]",
    "th": "[\u0e00-\u0e7f]",
    "zh": "[\u4e00-\u9fff]",
    "ja": "[\u3040-\u30ff\u4e00-\u9fff]",
}
MAX_RUN = {"vi": 25, "th": 16, "zh": 9, "ja": 9}
CLOSE, APART = timedelta(days=2), timedelta(days=14)

Row = dict[str, Any]


@cache
def rows(language: str, name: str) -> list[Row]:
    return [json.loads(line) for line in (SET / language / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


@cache
def events(language: str) -> dict[tuple[str, str, str], list[Row]]:
    """The items of every event, by split, topic and cluster."""
    items = {row["id"]: row for row in rows(language, "docs")}
    found = defaultdict(list)
    for row in rows(language, "clusters"):
        found[row["split"], row["topic"], row["cluster"]].append(items[row["id"]])
    return found


def time(row: Row) -> datetime:
    return datetime.fromisoformat(row["published"])


def body(row: Row) -> str:
    return f"{row['title']} {row['text']}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_line_has_its_fields_and_every_id_is_unique_and_in_one_cluster(language: str) -> None:
    docs, labels = rows(language, "docs"), rows(language, "clusters")
    assert all(row.keys() == ITEM and all(row.values()) and row["lang"] == language for row in docs)
    assert all(row.keys() == LABEL and row["lang"] == language for row in labels)
    assert len({row["id"] for row in docs}) == len(docs)
    assert sorted(row["id"] for row in labels) == sorted(row["id"] for row in docs)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_library_reads_it_without_problems(language: str) -> None:
    gold = read_gold(str(SET / language / "clusters.jsonl"))
    assert isinstance(gold, GoldGroups)
    assert gold.meaning.name == "semantic"
    assert gold.left_out == {}
    run = score(parse("reuse()"), [Source(str(SET / language / "docs.jsonl"))])
    (result,) = evaluate(gold, [run], rounds=0).results
    assert result.figures


@pytest.mark.parametrize("language", LANGUAGES)
def test_topics_and_counts_are_those_of_the_readme(language: str) -> None:
    found = events(language)
    assert all(len(items) == 2 for items in found.values())
    assert len({cluster for *_, cluster in found}) == len(found)
    events_of = Counter((split, topic) for split, topic, _ in found)
    assert set(events_of.values()) == {4}
    assert f"{len(rows(language, 'docs'))} items: {len(events_of)} topics of 4 events, and 2 reports" in README
    cells = re.search(rf"^\| `{language}` \|(.*)\|(.*)\|$", README, re.MULTILINE)
    assert cells
    for split, cell in zip(SPLITS, cells.groups(), strict=True):
        topics = re.findall(r"`(\w+)`", cell)
        assert len(topics) == 3
        assert {topic for side, topic in events_of if side == split} == set(topics)


@pytest.mark.parametrize("language", LANGUAGES)
def test_half_of_the_events_of_a_topic_are_close_in_time(language: str) -> None:
    by_topic = defaultdict(list)
    for (_, topic, _), items in events(language).items():
        times = sorted(map(time, items))
        assert times[1] - times[0] <= timedelta(days=1)
        by_topic[topic].append(times)
    for found in by_topic.values():
        pairs = list(itertools.combinations(found, 2))
        close = [max(a + b) - min(a + b) <= CLOSE for a, b in pairs]
        assert sum(close) == len(pairs) / 2
        distant = [pair for pair, near in zip(pairs, close, strict=True) if not near]
        assert all(abs(x - y) >= APART for a, b in distant for x in a for y in b)


@pytest.mark.parametrize("language", LANGUAGES)
def test_two_reports_are_of_two_outlets_and_share_no_more_than_a_name(language: str) -> None:
    for one, other in events(language).values():
        assert one["source"] != other["source"]
        texts = body(one), body(other)
        run = SequenceMatcher(None, *texts, autojunk=False).find_longest_match()
        assert 2 <= run.size <= MAX_RUN[language], texts[0][run.a :][: run.size]


@pytest.mark.parametrize("language", LANGUAGES)
def test_halves_share_no_topic_and_no_outlet(language: str) -> None:
    topics = {split: {topic for side, topic, _ in events(language) if side == split} for split in SPLITS}
    outlets = {
        split: {row["source"] for (side, *_), items in events(language).items() if side == split for row in items}
        for split in SPLITS
    }
    assert not topics["dev"] & topics["test"]
    assert not outlets["dev"] & outlets["test"]


def test_no_two_languages_share_an_outlet_or_a_time() -> None:
    """A translated item would have the time of its original."""
    for one, other in itertools.combinations(LANGUAGES, 2):
        for field in ("source", "published"):
            assert not {r[field] for r in rows(one, "docs")} & {r[field] for r in rows(other, "docs")}


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_are_in_the_script_they_claim(language: str) -> None:
    for row in rows(language, "docs"):
        letters = [letter for letter in body(row) if letter.isalpha()]
        own = re.findall(SCRIPTS[language], "".join(letters))
        assert len(own) >= 0.8 * len(letters), row["id"]


def test_one_japanese_outlet_of_each_half_writes_full_width_digits() -> None:
    for split in SPLITS:
        digits = defaultdict(set)
        for (side, *_), items in events("ja").items():
            for row in items if side == split else ():
                digits[row["source"]] |= {"wide" if re.search("[０-９]", body(row)) else "narrow"}
        assert sorted(map(sorted, digits.values())) == [["narrow"], ["narrow"], ["wide"]]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_benchmark_counts_all_pairs_of_a_half(language: str) -> None:
    news = benchmark("scripts_news")["News"].load(language)
    for split in SPLITS:
        half = news.splits == split
        assert (half.sum(), (half & news.same).sum()) == (24 * 23 / 2, 12)
        assert news.measures(news.same, split) == {"precision": 1, "recall": 1, "f1": 1}
        assert news.measures(~half, split) == {"precision": 0, "recall": 0, "f1": 0}
        everything = news.measures(np.ones_like(half), split)
        assert everything["f1"] == pytest.approx(2 * 12 / (276 + 12))
    # by article, not by the order of two files
    ids = [row["id"] for row in rows(language, "docs")]
    cluster = {row["id"]: row["cluster"] for row in rows(language, "clusters")}
    pairs = zip(news.pairs.left, news.pairs.right, strict=True)
    assert news.same.tolist() == [cluster[ids[a]] == cluster[ids[b]] for a, b in pairs]


def test_the_threshold_of_the_baseline_is_the_best_of_dev_alone() -> None:
    space = benchmark("scripts_news")
    news = space["News"].load("vi")
    dev = news.splits == "dev"
    scores = np.where(news.same == dev, 0.8, 0.1)
    assert space["best_threshold"](news, scores) == 0.8
    scores[np.flatnonzero(dev & news.same)[:2]] = 0.4
    assert space["best_threshold"](news, scores) == 0.4


def test_the_results_are_of_the_set_that_is_here() -> None:
    results = ROOT / "benchmarks" / "results" / "scripts_news.jsonl"
    found = [json.loads(line) for line in results.read_text(encoding="utf-8").splitlines()]
    last = {(row["lang"], row["what"]): row["digest"] for row in found}
    assert {language for language, _ in last} == set(LANGUAGES)
    for language in LANGUAGES:
        digest = benchmark("scripts_news")["News"].load(language).digest
        assert {each for (lang, _), each in last.items() if lang == language} == {digest}
