"""Learns the trees of `event` (crates/samestory-core/src/detectors/event/trees.txt) from judged pairs.

    python benchmarks/event_trees.py --data DIR             learns, judges by the other halves, keeps trees and figures
    python benchmarks/event_trees.py --data DIR --judge     judges the trees of the package by the other halves
    python benchmarks/event_trees.py --write docs/results.md   only the table, from the results

Every language learns from the judged collections of benchmarks/sets.py in that language and from the hard pairs of
benchmarks/hard_news, of each from one half only: the other half is for judging (`half` says which pair is where; of
hard pairs it is the split `dev`). `other` learns from all. So that no collection is recognised by its length or its
dates:

- light copies of the hard items (words left out, a phrase added, the headline gone) are pairs of one event, and items
  put together at random are not;
- items of other events that share two rare words by chance, as thousands do on a day of much news, are not: judged
  pairs were chosen to be near each other, and a model of only those joins everything of one place and trade;
- pairs without dates are given days that say nothing about them.

Judged are the trees alone, and beside them `event` as it is used: with the terms of whole articles, by the languages of
the items, with their own dates.

What is in common may only speak for two items and a contradiction only against them (SIGNS): a tree that has seen hard
pairs would otherwise take likeness for a bad sign. A few things are put in by reason, not learned (REASON).
"""

import argparse
import hashlib
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import record
from event_pairs import Pair, chance_pairs, hard_pairs, items, set_pairs
from numpy.typing import NDArray
from record import Row
from sklearn.ensemble import HistGradientBoostingClassifier
from table import markdown, write

from samestory import _core
from samestory.detectors import parse
from samestory.detectors.trees import read_trees
from samestory.model import Article, Pairs
from samestory.text import prepare

#: Whether pairs are likelier one event than not, by the numbers of their agreement.
Decision = Callable[[NDArray[np.float64]], NDArray[np.bool_]]

TREES = Path(__file__).parent.parent / "crates/samestory-core/src/detectors/event/trees.txt"
NAMES: list[str] = _core.AGREEMENT
FOR = "cosine held_most held_least close mass words_shared names_most names_least names_shared numbers_shared"
FOR += " counts_near lead lead_held_most lead_held_least letters dates_shared"
AGAINST = "names_apart numbers_other numbers_apart counts_conflict dates_apart ways_conflict turned slots_numbers"
AGAINST += " slots_names runs_slots runs_turned days days_runs missing_least lead_missing_least"
AGAINST += " exchanged ahead_of ahead_one ordinals_apart opposed rest_apart swapped"
SIGNS = [(name in FOR.split()) - (name in AGAINST.split()) for name in NAMES]
#: What no collection has enough of to learn from: above which limit it speaks against two items, and how much, in log
#: odds. As good as proof are two names that have changed places, the twelfth of something beside the thirteenth,
#: opposite acts where the rest is the same, and the same beginning before quite other words. Nearly so are another date
#: in the same place of one wording, and another name in the same words, which may be another name of the same.
REASON = {
    "exchanged": (0.5, 7.0),
    "ordinals_apart": (0.5, 7.0),
    "opposed": (0.5, 7.0),
    "rest_apart": (0.5, 9.0),
    "swapped": (0.5, 3.0),
    "slots_dates": (0.5, 5.0),
}
#: What counts only in one wording: from these shares of runs on.
MIN_RUNS = {"slots_dates": 0.3}
#: What two items must have in common to be weighed at all (agreement.rs).
LEAST_COSINE, LEAST_HELD = 0.15, 0.1
#: How much the pairs of a set count together, and those of one label as much as those of the other.
COUNT = {"hard": 0.75, "copies": 0.3, "tr_mds": 0.5, "chance": 0.5}
SETS = {
    "en": ("sts_headlines_en", "semeval22t8_truncated", "ecbplus"),
    "tr": ("sts_news_tr", "tr_mds"),
    "ru": ("paraphraser_ru", "ru_slugs"),
}
#: A language without judged pairs: `other` learns from what meets by chance in it.
FAR = "fi"
PHRASES = {"en": ", officials said.", "tr": " diye konuştu.", "ru": ", сообщили в ведомстве."}


@dataclass
class Examples:
    """The agreements of judged pairs."""

    name: str
    pairs: list[Pair]
    numbers: NDArray[np.float64]
    same: NDArray[np.int64]
    weights: NDArray[np.float64]
    event: NDArray[np.bool_]
    """The decisions of `event` as it is in the package."""


def examples(name: str, pairs: list[Pair]) -> Examples:
    articles = {a.id: a for pair in pairs for a in (pair.left, pair.right)}
    place = {id: at for at, id in enumerate(articles)}
    detector = parse("event")
    signed = detector.sign(prepare(articles.values()))
    rows = Pairs(
        np.array([place[p.left.id] for p in pairs], np.int64),
        np.array([place[p.right.id] for p in pairs], np.int64),
    )
    found = _core.detectors.evidence("agreement", signed.columns, signed.columns, rows)
    numbers = np.nan_to_num(np.asarray(found.values).reshape(len(pairs), -1), nan=0.0)
    event = detector.compare(signed, signed, rows).forward >= detector.threshold
    same = np.array([int(pair.same) for pair in pairs])
    if not any(pair.left.published for pair in pairs):
        numbers = numbers.copy()
        days = np.log1p(np.random.default_rng(5).choice([0, 1, 2], len(pairs), p=[0.7, 0.2, 0.1]))
        numbers[:, NAMES.index("days")] = days
        numbers[:, NAMES.index("days_runs")] = days * numbers[:, NAMES.index("runs")]
    if name == "chance":
        # the others are not weighed
        met = (numbers[:, NAMES.index("cosine")] >= LEAST_COSINE) & (numbers[:, NAMES.index("held_most")] >= LEAST_HELD)
        pairs, numbers, same, event = [pairs[at] for at in np.flatnonzero(met)], numbers[met], same[met], event[met]
    share = np.where(same == 1, 0.5 / max(1, same.sum()), 0.5 / max(1, (1 - same).sum()))
    return Examples(name, pairs, numbers, same, share * COUNT.get(name, 1.0), event)


def copies(pairs: list[Pair], language: str) -> list[Pair]:
    """Light copies of the items, and items put together at random."""
    draw = random.Random(3)
    own = items(pairs)
    out = []
    for article in own:
        for ending in ("", PHRASES[language]):
            words = [w for w in article.text.split() if draw.random() > 0.12 or w[0].isupper() or not w.isalpha()]
            text = " ".join(words) if not ending else " ".join(words).rstrip(".") + ending
            title = article.title if draw.random() < 0.6 else None
            copy = Article(f"{article.id}~{ending}", text, title=title, published=article.published, lang=language)
            out.append(Pair(article, copy, True))
        out.extend(Pair(article, other, False) for other in draw.sample(own, 2) if other.id[:-1] != article.id[:-1])
    return out


def grown(parts: list[Examples], signs: list[int] = SIGNS) -> Any:
    weights = np.concatenate([part.weights for part in parts])
    learner = HistGradientBoostingClassifier(
        max_iter=150,
        learning_rate=0.06,
        max_leaf_nodes=8,
        l2_regularization=5,
        min_samples_leaf=20,
        monotonic_cst=signs,
        early_stopping=False,
        random_state=0,
    )
    numbers, same = np.concatenate([p.numbers for p in parts]), np.concatenate([p.same for p in parts])
    return learner.fit(numbers, same, sample_weight=weights * len(weights) / weights.sum())


def lines(language: str, learner: Any, names: list[str] = NAMES) -> Iterator[str]:
    yield f"{language} base {float(learner._baseline_prediction.ravel()[0]):.6g}"

    def written(nodes: Any, at: int) -> str:
        node = nodes[at]
        if node["is_leaf"]:
            return f"{node['value']:.5g}"
        question = f"{names[node['feature_idx']]}<={node['num_threshold']:.6g}"
        return f"{question} {written(nodes, node['left'])} {written(nodes, node['right'])}"

    for (tree,) in learner._predictors:
        yield f"{language} {written(tree.nodes, 0)}"
    for name, (limit, against) in REASON.items():
        in_one_wording = f"runs<={MIN_RUNS[name]:g} 0 " if name in MIN_RUNS else ""
        yield f"{language} {in_one_wording}{name}<={limit:g} 0 {-against:g}"


def f1(same: NDArray[np.int64], found: NDArray[np.bool_]) -> float:
    return float(2 * (same * found).sum() / max(1, same.sum() + found.sum()))


def decision(learner: Any) -> Decision:
    """More likely than not one event, by what was learned and by reason."""

    def likely(numbers: NDArray[np.float64]) -> NDArray[np.bool_]:
        odds = learner.decision_function(numbers)
        for name, (limit, against) in REASON.items():
            has_runs = numbers[:, NAMES.index("runs")] > MIN_RUNS.get(name, -1)
            odds = odds - against * (has_runs & (numbers[:, NAMES.index(name)] > limit))
        return np.asarray(odds >= 0)

    return likely


def decisions_of_package() -> dict[str, Decision]:
    """The decisions of the trees in the package, by language."""
    trees = read_trees(TREES.read_text(), NAMES)

    def likely(language: str) -> Decision:
        return lambda numbers: trees[language].sums(numbers) >= 0

    return {language: likely(language) for language in trees}


def judge(trees: str, language: str, likely: Decision, parts: list[Examples]) -> Iterator[Row]:
    """What the trees of a language, or those of all, are worth on the pairs of a language that they have not seen."""
    for part in parts:
        found = likely(part.numbers)
        yield {
            "what": "event",
            "trees": trees,
            "language": language,
            "set": part.name,
            "pairs": len(part.same),
            "f1": f1(part.same, found) if part.same.any() else None,
            "apart": float(1 - found[part.same == 0].mean()),
            "joined": float(found[part.same == 1].mean()) if part.same.any() else None,
            "event_f1": f1(part.same, part.event) if part.same.any() else None,
        }


def table(rows: list[Row]) -> str:
    """The figures of the last run."""
    last = [row for row in rows if row["date"] == rows[-1]["date"]]
    head = ["pairs of", "language", "pairs", "F1, trees", "kept apart", "joined", "F1, trees of all languages"]
    head.append("F1, `event`")
    others = {(row["language"], row["set"]): row for row in last if row["trees"] == "other"}
    lines = []
    for row in last:
        other = others.pop((row["language"], row["set"])) if row["trees"] != "other" else row
        if row["trees"] != "other" or (row["language"], row["set"]) in others:
            figures = [_figure(row[name]) for name in ("f1", "apart", "joined")]
            lines.append([f"`{row['set']}`", row["language"], f"{row['pairs']:,}", *figures, _figure(other["f1"])])
            lines[-1].append(_figure(row.get("event_f1")))
    return markdown(head, lines)


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def judged_parts_of(data: Path, language: str, side: int) -> Iterator[Examples]:
    """The judged pairs of a language."""
    for name in SETS[language]:
        yield examples(name, set_pairs(data, name, side))
    yield examples("hard", hard_pairs(language, side))


def parts_of(data: Path, language: str, side: int) -> Iterator[Examples]:
    """What a language learns from (side 0) or is judged by (side 1)."""
    yield from judged_parts_of(data, language, side)
    hard = hard_pairs(language, side)
    yield examples("copies", copies(hard, language))
    yield from chances_of(data, language, side)


def chances_of(data: Path, language: str, side: int) -> Iterator[Examples]:
    yield examples("chance", chance_pairs(data, language, side))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path)
    parser.add_argument("--judge", action="store_true", help="learn nothing, judge the trees of the package")
    parser.add_argument("--write", type=Path, metavar="FILE", help="only write the table into this file")
    args = parser.parse_args()
    results = record.RESULTS / "event.jsonl"
    if args.write:
        write(args.write, table(list(record.read(results))), "event-held-out")
        return
    if not args.data:
        parser.error("--data is needed to learn")
    test = {language: list(parts_of(args.data, language, 1)) for language in SETS}
    test_far = list(chances_of(args.data, FAR, 1))
    if not args.judge:
        learn = {language: list(parts_of(args.data, language, 0)) for language in SETS}
        own = {language: grown(learn[language]) for language in SETS}
        own["other"] = grown([*chain(*learn.values()), *chances_of(args.data, FAR, 0)])
        grown_lines = chain.from_iterable(lines(language, learner) for language, learner in own.items())
        TREES.write_text("\n".join(["# the trees of event; benchmarks/event_trees.py", *grown_lines]) + "\n")
        decisions = {language: decision(learner) for language, learner in own.items()}
    else:
        decisions = decisions_of_package()
    judged: list[Row] = []
    for language, parts in test.items():
        judged.extend(judge(language, language, decisions[language], parts))
    for language, parts in {FAR: test_far, **test}.items():
        judged.extend(judge("other", language, decisions["other"], parts))
    about = {"digest": hashlib.sha256(TREES.read_bytes()).hexdigest()[:16], "date": record.now()}
    for row in judged:
        record.append(results, row | about)
    print(table(list(record.read(results))))


if __name__ == "__main__":
    main()
