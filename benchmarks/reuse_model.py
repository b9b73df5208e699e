"""Learns the weights of `reuse` (crates/samestory-core/src/detectors/reuse/model.txt).

    python benchmarks/reuse_model.py --data DIR   learns, measures on the other halves, keeps weights and figures
    python benchmarks/reuse_model.py --write docs/concepts/reuse.md   only the tables, from the results

A logistic model with weights of at least 0, learned on

- judged pairs (reuters_slug, without positives of which half are labelled wrong), weight 1;
- pairs that share text by chance: articles of a dated collection that lie a month or more apart, all of them, as often
  as they occur (reuters_slug, reuters_2006_2010, reuters21578 at less weight: short, and full of templates);
- pairs of a synthetic corpus: scattered edits and template siblings, of which no judged collection has enough, at the
  weight of PLANTED pairs each.

The intercept is then set on reuters_slug alone, judged and chance pairs at their natural frequency: one collection's
positives beside one collection's chance pairs. Days between articles are not learned there, since its dates give the
answers away. Figures come from two halves of the articles, each measured with what was learned on the other.
"""

import argparse
import datetime
import gzip
import hashlib
import itertools
import json
import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import corpus
import numpy as np
import record
from numpy.typing import NDArray
from record import Row
from scipy.optimize import minimize
from table import markdown, write

from samestory import _core
from samestory.detectors import Reuse
from samestory.model import Article
from samestory.run import run_on, run_relations
from samestory.text import prepare

MODEL = Path(__file__).parent.parent / "crates/samestory-core/src/detectors/reuse/model.txt"
RESULTS = record.RESULTS / "reuse_model.jsonl"
NAMES: list[str] = _core.REUSE_EVIDENCE
#: Reports every pair that shares enough keys to be aligned, whatever its probability.
EVERY = Reuse(threshold=0.0)
#: Articles that lie so many days apart share text by chance.
CHANCE_DAYS = 30
#: The weight of the synthetic positives, and of the synthetic template siblings, in judged pairs.
PLANTED = 300.0
PLANTED_ARTICLES = 10_000
#: The weight of a chance pair of the collection that is full of templates.
TEMPLATES = 0.3
#: Pairs whose evidence is taken at a time.
BATCH = 20_000
MONTHS = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"]

Numbers = NDArray[np.float64]


@dataclass
class Pairs:
    """Evidence row by row, with the answer, the weight, and which half of the articles the pair belongs to."""

    evidence: Numbers
    same: Numbers
    weight: Numbers
    half: NDArray[np.int64]
    name: str

    def at(self, rows: NDArray[np.bool_]) -> "Pairs":
        return Pairs(self.evidence[rows], self.same[rows], self.weight[rows], self.half[rows], self.name)


def rows_of(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def day(date: str) -> int | None:
    """The day of a date such as 2009-11-25 or 25-NOV-1987, counted from the year 1."""
    if found := re.match(r"\s*(\d+)-([A-Z]{3})-(\d{4})", date):
        return datetime.date(int(found[3]), MONTHS.index(found[2]) + 1, int(found[1])).toordinal()
    return datetime.date.fromisoformat(date[:10]).toordinal() if len(date) >= 10 else None


def found_pairs(articles: list[Article]) -> list[tuple[str, str]]:
    """The pairs that are aligned when a collection is searched; copies of one text once."""
    first: dict[str, Article] = {}
    for article in articles:
        first.setdefault(" ".join(article.text.split()).casefold(), article)
    return [(r.left, r.right) for r in run_relations(run_on(list(first.values()), EVERY))]


def evidence_of(articles: list[Article], pairs: list[tuple[str, str]]) -> Numbers:
    features = prepare(articles)
    row = {article.id: at for at, article in enumerate(articles)}
    signatures = EVERY.sign(features).columns
    parts = [np.zeros((0, len(NAMES)))]
    for begin in range(0, len(pairs), BATCH):
        some = pairs[begin : begin + BATCH]
        rows = tuple(np.array([row[pair[at]] for pair in some], np.int64) for at in (0, 1))
        found = _core.detectors.evidence("reuse", signatures, signatures, rows, shingle=EVERY.shingle)
        parts.append(np.asarray(found.values).reshape(-1, len(NAMES)))
    return np.concatenate(parts)


def halves(pairs: list[tuple[str, str]]) -> NDArray[np.int64]:
    """Which half each pair belongs to, by the hash of one of its ids."""
    return np.array([hashlib.sha256(min(pair).encode()).digest()[0] & 1 for pair in pairs], np.int64)


def chance(articles: list[Article], days: dict[str, int], name: str, weight: float) -> Pairs:
    pairs = [(a, b) for a, b in found_pairs(articles) if abs(days[a] - days[b]) >= CHANCE_DAYS]
    evidence = evidence_of(articles, pairs)
    return Pairs(evidence, np.zeros(len(pairs)), np.full(len(pairs), weight), halves(pairs), name)


def dated(path: Path) -> tuple[list[Article], dict[str, int]]:
    articles, days = [], {}
    for row in rows_of(path):
        if (when := day(row.get("date") or "")) is not None and row["id"] not in days:
            days[row["id"]] = when
            articles.append(Article(row["id"], row["text"], lang=row.get("lang")))
    return articles, days


def judged(data: Path) -> list[Pairs]:
    """The judged pairs of reuters_slug, and what its articles share by chance."""
    folder = data / "reuters_slug"
    articles, days = dated(folder / "docs.jsonl.gz")
    gold = [row for row in rows_of(folder / "pairs.jsonl.gz") if row["label"] != "same" or row["overlap3"] >= 0.1]
    known = {frozenset((row["a"], row["b"])) for row in rows_of(folder / "pairs.jsonl.gz")}
    text = {article.id: " ".join(article.text.split()).casefold() for article in articles}
    gold = [row for row in gold if text[row["a"]] != text[row["b"]]]
    pairs = [(row["a"], row["b"]) for row in gold]
    evidence, same = evidence_of(articles, pairs), np.array([float(row["label"] == "same") for row in gold])
    by_chance = [(a, b) for a, b in found_pairs(articles) if abs(days[a] - days[b]) >= CHANCE_DAYS]
    by_chance = [pair for pair in by_chance if frozenset(pair) not in known]
    found = Pairs(evidence, same, np.ones(len(pairs)), halves(pairs), "judged")
    others = evidence_of(articles, by_chance)
    zeros = np.zeros(len(by_chance))
    return [found, Pairs(others, zeros, zeros + 1, halves(by_chance), "reuters_slug by chance")]


def blocks(articles: list[Article], days: dict[str, int], gap: int = CHANCE_DAYS) -> list[Article]:
    """The articles of every second block of days."""
    return [article for article in articles if days[article.id] // gap % 2 == 0]


def planted() -> list[Pairs]:
    with tempfile.TemporaryDirectory() as folder:
        corpus.make(Path(folder), PLANTED_ARTICLES, 1, 2)
        articles = [Article(row["id"], row["text"]) for row in map(json.loads, (Path(folder) / "docs.jsonl").open())]
        truth = {
            frozenset((row["a"], row["b"])): row["relation"]
            for row in map(json.loads, (Path(folder) / "truth.jsonl").open())
        }
    pairs = found_pairs(articles)
    relation = np.array([truth.get(frozenset(pair), "none") for pair in pairs])
    evidence, half = evidence_of(articles, pairs), halves(pairs)
    out = []
    for name, same, weight in (("near", 1.0, PLANTED), ("template", 0.0, PLANTED), ("none", 0.0, None)):
        rows = relation == name
        count = int(rows.sum())
        each = 0.1 if weight is None else weight / max(count, 1)
        out.append(Pairs(evidence[rows], np.full(count, same), np.full(count, each), half[rows], f"planted {name}"))
    return out


def learn(sets: list[Pairs]) -> tuple[float, Numbers]:
    """Intercept and weights, the weights at least 0, with a little shrinkage on standardised evidence."""
    evidence = np.concatenate([each.evidence for each in sets])
    same = np.concatenate([each.same for each in sets])
    weight = np.concatenate([each.weight for each in sets])
    mean, spread = evidence.mean(0), evidence.std(0)
    scaled = (evidence - mean) / spread

    def loss(parameters: Numbers) -> tuple[float, Numbers]:
        odds = scaled @ parameters[1:] + parameters[0]
        off = weight * (1 / (1 + np.exp(-odds)) - same)
        value = (weight * (np.logaddexp(0, odds) - same * odds)).sum() + 0.5 * (parameters[1:] ** 2).sum()
        return value, np.r_[off.sum(), scaled.T @ off + parameters[1:]]

    bounds = [(None, None), *[(0, None)] * len(NAMES)]
    best = minimize(
        loss, np.zeros(len(NAMES) + 1), jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": 3000}
    )
    weights = best.x[1:] / spread
    return float(best.x[0] - (weights * mean).sum()), weights


def calibrated(weights: Numbers, sets: list[Pairs]) -> float:
    """The intercept for these weights at the natural frequency of the sets."""
    odds = np.concatenate([each.evidence @ weights for each in sets])
    same = np.concatenate([each.same for each in sets])

    def loss(parameters: Numbers) -> float:
        return float((np.logaddexp(0, odds + parameters[0]) - same * (odds + parameters[0])).sum())

    return float(minimize(loss, np.array([-odds.mean()]), method="Nelder-Mead").x[0])


def fitted(sets: list[Pairs], natural: list[Pairs]) -> tuple[float, Numbers]:
    _, weights = learn(sets)
    return calibrated(weights, natural), weights


def measured(sets: list[Pairs], natural: list[str]) -> dict[str, Numbers]:
    """Log odds of every pair, each half by what was learned on the other."""
    out = {each.name: np.zeros(len(each.same)) for each in sets}
    for half in (0, 1):
        rest = [each.at(each.half != half) for each in sets]
        intercept, weights = fitted(rest, [each for each in rest if each.name in natural])
        for each in sets:
            rows = each.half == half
            out[each.name][rows] = each.evidence[rows] @ weights + intercept
    return out


def reliability(odds: Numbers, same: Numbers) -> list[Row]:
    """How often pairs are the same, by their probability."""
    probability = 1 / (1 + np.exp(-odds))
    edges = np.array([0, 0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 1.0001])
    out = []
    for low, high in itertools.pairwise(edges):
        rows = (probability >= low) & (probability < high)
        if rows.any():
            mean, share = float(probability[rows].mean()), float(same[rows].mean())
            out.append({"from": low, "to": min(high, 1.0), "pairs": int(rows.sum()), "predicted": mean, "same": share})
    return out


def tables(rows: list[Row]) -> str:
    last = rows[-1]
    head = ["probability", "pairs", "predicted", "judged the same"]
    lines = [
        [f"{r['from']:g}–{r['to']:g}", f"{r['pairs']:,}", f"{r['predicted']:.3f}", f"{r['same']:.3f}"]
        for r in last["reliability"]
    ]
    weights = [[f"`{name}`", f"{weight:.3f}"] for name, weight in last["weights"].items()]
    return "\n\n".join([markdown(head, lines), markdown(["evidence", "weight"], weights)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--data", type=Path, help="the folder of the collections")
    parser.add_argument("--write", type=Path, help="write the tables into this file, and learn nothing")
    args = parser.parse_args()
    if args.write:
        write(args.write, tables(list(record.read(RESULTS))), "reuse-model")
        return
    natural = judged(args.data)
    names = [each.name for each in natural]
    wire, wire_days = dated(args.data / "scale/reuters_2006_2010.jsonl.gz")
    old, old_days = dated(args.data / "scale/reuters21578.jsonl.gz")
    sets = [
        *natural,
        chance(blocks(wire, wire_days), wire_days, "reuters_2006_2010 by chance", 1.0),
        chance(old, old_days, "reuters21578 by chance", TEMPLATES),
        *planted(),
    ]
    for each in sets:
        print(f"{each.name}: {len(each.same):,} pairs, {int(each.same.sum()):,} the same")
    odds = measured(sets, names)
    same = {each.name: each.same for each in sets}
    for limit in (0.3, 0.5, 0.7, 0.8, 0.9, 0.95):
        reached = {name: int((values >= np.log(limit / (1 - limit))).sum()) for name, values in odds.items()}
        print(f"probability >= {limit}: {reached}")
    table = reliability(*(np.concatenate([column[name] for name in names]) for column in (odds, same)))
    for row in table:
        print(row)
    intercept, weights = fitted(sets, natural)
    lines = [f"{name} {weight:.4f}" for name, weight in zip(["intercept", *NAMES], [intercept, *weights], strict=True)]
    head = "# Weights of the evidence for reuse of text, written by benchmarks/reuse_model.py.\n"
    MODEL.write_text(head + "\n".join(lines) + "\n")
    print("\n".join(lines))
    pairs = {each.name: len(each.same) for each in sets}
    record.append(
        RESULTS,
        {
            "what": "reuse",
            "date": record.now(),
            "pairs": pairs,
            "intercept": intercept,
            "weights": dict(zip(NAMES, map(float, weights), strict=True)),
            "reliability": table,
        },
    )


if __name__ == "__main__":
    main()
