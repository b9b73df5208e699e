"""Score groups, pairs and typed relations against the truth planted by corpus.py.

    python benchmarks/score.py CORPUS --groups FILE      samestory's group lines
    python benchmarks/score.py CORPUS --relations FILE   samestory's relation lines
    python benchmarks/score.py CORPUS --peer DIR         what a runner of peers.py wrote
    python benchmarks/score.py CORPUS --oracle           the ceiling of an exact 5-word-shingle Jaccard join

Prints one JSON object (one a line for --oracle).  Needs NumPy.

For groups and pairs, `exact` and `near` are positive, `contains` and `overlap` count neither for nor
against, and everything else is negative.  The planted groups are those of `exact` and `near`; every other
article stands alone.  For relations each planted class is scored by itself, since a relation says its kind.

An article's id is "n" and its line number in docs.jsonl; a pair of articles is held as one integer,
smaller line number * number of articles + larger one.
"""

import argparse
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]

POSITIVE = ("exact", "near")
IGNORED = ("contains", "overlap")
NEGATIVE = ("template", "topic")
BANDS = ((0.7, 1.01), (0.5, 0.7), (0.3, 0.5), (0.0, 0.3))  # of Jaccard, [low, high)

NEAR_KINDS = ("NEAR", "UPDATE")
PART_KINDS = ("PART_OF", "HAS_PART")
KINDS = ("IDENTICAL", *NEAR_KINDS, *PART_KINDS, "SAME_EVENT", "SHARES_TEXT")
FLIPPED = {"PART_OF": "HAS_PART", "HAS_PART": "PART_OF"}


def position(article: str) -> int:
    return int(article[1:])


def f1(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def share(hits: NDArray[np.bool_]) -> float | None:
    """The share of hits; None where there was nothing to hit."""
    return float(hits.mean()) if len(hits) else None


class Truth:
    """The planted pairs (key, relation, Jaccard, whether the first holds the second) and groups of a corpus."""

    def __init__(self, corpus: Path) -> None:
        meta = json.loads((corpus / "meta.json").read_text())
        self.articles: int = meta["docs"]
        cache = corpus / f"truth-{meta['files']['truth.jsonl']['sha256'][:16]}.npz"
        if not cache.exists():  # a million articles have millions of pairs: parse them once
            self._parse(corpus, cache)
        with np.load(cache) as arrays:
            self.keys: Integers = arrays["keys"]
            self.names = np.array(POSITIVE + IGNORED + NEGATIVE)[arrays["names"]]
            self.jaccard: NDArray[np.float64] = arrays["jaccard"]
            self.smaller_first: NDArray[np.bool_] = arrays["smaller_first"]
            self.labels: Integers = arrays["labels"]
        self.positive = np.isin(self.names, POSITIVE)
        self.ignored = self.keys[np.isin(self.names, IGNORED)]

    def _parse(self, corpus: Path, cache: Path) -> None:
        codes = {name: code for code, name in enumerate(POSITIVE + IGNORED + NEGATIVE)}
        keys, names, jaccard, smaller_first = [], [], [], []
        with (corpus / "truth.jsonl").open() as lines:
            for pair in map(json.loads, lines):
                a, b = position(pair["a"]), position(pair["b"])
                keys.append(min(a, b) * self.articles + max(a, b))
                names.append(codes[pair["relation"]])
                jaccard.append(pair["jaccard"])
                smaller_first.append(a < b)
        with (corpus / "clusters.jsonl").open() as lines:
            labels = labels_of((json.loads(line)["ids"] for line in lines), self.articles)
        np.savez(
            cache,
            keys=np.array(keys, np.int64),
            names=np.array(names, np.int8),
            jaccard=np.array(jaccard, np.float64),
            smaller_first=np.array(smaller_first, bool),
            labels=labels,
        )


def labels_of(groups: Iterable[list[str]], articles: int) -> Integers:
    """A label for every article: the least line number of its group, or its own."""
    labels = np.arange(articles, dtype=np.int64)
    for ids in groups:
        places = [position(x) for x in ids]
        labels[places] = min(places)
    return labels


def read_groups(path: Path) -> Iterator[list[str]]:
    """The members of samestory's group lines {"group", "representative", "members", "weakest", "kind"}."""
    with path.open() as lines:
        for line in lines:
            yield json.loads(line)["members"]


def components(articles: int, pairs: Integers) -> Integers:
    """Connected components of the pairs: a label for every article, the least line number it reaches."""
    parent = list(range(articles))

    def root(x: int) -> int:
        while parent[x] != x:
            parent[x] = parent[parent[x]]
            x = parent[x]
        return x

    for a, b in pairs.tolist():
        a, b = root(a), root(b)
        parent[max(a, b)] = min(a, b)
    return np.array([root(x) for x in range(articles)], np.int64)


def score_labels(truth: Truth, labels: Integers) -> dict[str, Any]:
    """Pair and B-cubed scores of a grouping: every two articles of a group are one predicted pair."""
    labels = np.unique(labels, return_inverse=True)[1].astype(np.int64)
    true = np.unique(truth.labels, return_inverse=True)[1].astype(np.int64)
    joint = labels * (int(true.max()) + 1) + true
    _, inverse, both = np.unique(joint, return_inverse=True, return_counts=True)
    sizes, true_sizes = np.bincount(labels), np.bincount(true)
    b3_precision = float((both[inverse] / sizes[labels]).mean())
    b3_recall = float((both[inverse] / true_sizes[true]).mean())

    def pairs_inside(sizes: Integers) -> int:
        return int((sizes * (sizes - 1) // 2).sum())

    joined = labels[truth.keys // truth.articles] == labels[truth.keys % truth.articles]
    predicted = pairs_inside(sizes) - int(joined[np.isin(truth.names, IGNORED)].sum())
    hits = pairs_inside(both)
    precision = hits / predicted if predicted else 1.0
    recall = hits / max(1, pairs_inside(true_sizes))
    out: dict[str, Any] = {
        "groups": int((sizes > 1).sum()),
        "largest": int(sizes.max()),
        "pair_precision": precision,
        "pair_recall": recall,
        "pair_f1": f1(precision, recall),
        "b3_precision": b3_precision,
        "b3_recall": b3_recall,
        "b3_f1": f1(b3_precision, b3_recall),
    }
    for name in ("exact", *NEGATIVE, *IGNORED):
        out[f"joined_{name}"] = share(joined[truth.names == name])
    for low, high in BANDS:
        inside = (truth.names == "near") & (truth.jaccard >= low) & (truth.jaccard < high)
        out[f"joined_near_{low}"] = share(joined[inside])
    return out


def score_pairs(truth: Truth, pairs: Integers) -> dict[str, Any]:
    """Scores of the pairs a tool reported, before any grouping."""
    pairs = pairs.astype(np.int64).reshape(-1, 2)
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    keys = np.unique(pairs.min(1) * truth.articles + pairs.max(1))
    found = np.isin(truth.keys, keys)
    hits = int(found[truth.positive].sum())
    wrong = len(keys) - hits - int(np.isin(keys, truth.ignored).sum())
    by_name = {name: int(found[truth.names == name].sum()) for name in NEGATIVE}
    precision = hits / (hits + wrong) if hits + wrong else 1.0
    recall = hits / max(1, int(truth.positive.sum()))
    return {
        "pairs": len(keys),
        "precision": precision,
        "recall": recall,
        "f1": f1(precision, recall),
        **{f"wrong_{name}": count for name, count in by_name.items()},
        "wrong_other": wrong - sum(by_name.values()),
    }


def read_relations(path: Path, articles: int) -> tuple[Integers, Integers, int]:
    """Relation lines {"left", "right", "kind", ...} as pair keys and kinds seen from the smaller line number.

    Each pair once; the third value counts the pairs that came again with another kind (the first one stays).
    """
    codes = {kind: code for code, kind in enumerate(KINDS)}
    found: dict[int, int] = {}
    contradictions = 0
    with path.open() as lines:
        for relation in map(json.loads, lines):
            left, right, kind = position(relation["left"]), position(relation["right"]), relation["kind"]
            if left > right:
                left, right, kind = right, left, FLIPPED.get(kind, kind)
            code = codes[kind]
            contradictions += found.setdefault(left * articles + right, code) != code
    size = len(found)
    return np.fromiter(found.keys(), np.int64, size), np.fromiter(found.values(), np.int64, size), contradictions


def score_relations(truth: Truth, keys: Integers, kinds: Integers) -> dict[str, Any]:
    """Each planted class against the kinds reported for it.

    `keys` and `kinds` as read_relations gives them.  "as near" means NEAR or UPDATE, "as part" means
    PART_OF or HAS_PART, "other" are reported pairs that are not planted.
    """
    order = np.argsort(keys)
    keys, kinds = keys[order], kinds[order]
    at = np.minimum(np.searchsorted(keys, truth.keys), max(0, len(keys) - 1))
    reported = keys[at] == truth.keys if len(keys) else np.zeros(len(truth.keys), bool)
    names = np.array(KINDS)
    kind = np.where(reported, names[kinds[at]] if len(keys) else "", "")
    as_near, as_part, as_identical = np.isin(kind, NEAR_KINDS), np.isin(kind, PART_KINDS), kind == "IDENTICAL"

    def shares(rows: NDArray[np.bool_]) -> dict[str, Any]:
        return {
            "pairs": int(rows.sum()),
            "reported": share(reported[rows]),
            "as_identical": share(as_identical[rows]),
            "as_near": share(as_near[rows]),
            "as_part": share(as_part[rows]),
        }

    near = truth.names == "near"
    out: dict[str, Any] = {"relations": len(keys)}
    out |= {f"reported_{name}": int((names[kinds] == name).sum()) for name in KINDS}
    for name in (*POSITIVE, *IGNORED, *NEGATIVE):
        out[name] = shares(truth.names == name)
    for low, high in BANDS:
        out[f"near_{low}_to_{min(high, 1.0)}"] = shares(near & (truth.jaccard >= low) & (truth.jaccard < high))
    out["near_from_0.3"] = shares(near & (truth.jaccard >= 0.3))

    # Truth says "a contains b"; seen from the smaller line number that is HAS_PART when a is the smaller.
    contains = truth.names == "contains"
    expected = np.where(truth.smaller_first, "HAS_PART", "PART_OF")
    out["contains_recall"] = share((as_part | (kind == "UPDATE"))[contains])
    out["contains_direction"] = share((kind == expected)[contains & as_part])
    out["topic_reported"] = int(reported[truth.names == "topic"].sum())
    planted = np.isin(keys, truth.keys)
    out["other_reported"] = int((~planted).sum())
    out["other_as_near"] = int((~planted & np.isin(names[kinds], NEAR_KINDS)).sum())
    return out


def score_peer(truth: Truth, folder: Path) -> dict[str, Any]:
    """The groups of a peer: its own labels, or the components of its pairs.

    A peer may leave two sets of pairs: candidates.npy (what its bands gave) and verified.npy (what its own
    similarity left of them).  Both groupings are scored and the one with the better pair F1 counts, so that
    no peer loses by our choice.
    """
    groupings = {}
    if (folder / "labels.npy").exists():
        groupings["labels"] = score_labels(truth, np.load(folder / "labels.npy"))
    for name in ("candidates", "verified"):
        if (folder / f"{name}.npy").exists():
            pairs = np.load(folder / f"{name}.npy")
            groupings[name] = score_labels(truth, components(truth.articles, pairs))
            groupings[name]["reported_pairs"] = score_pairs(truth, pairs)
    best = max(groupings, key=lambda name: groupings[name]["pair_f1"])
    return {"grouping": best, **groupings[best], "other_groupings": {k: v for k, v in groupings.items() if k != best}}


def oracle(
    truth: Truth, thresholds: tuple[float, ...] = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
) -> Iterator[dict[str, Any]]:
    """What a perfect 5-word-shingle Jaccard join would score.

    Every pair at or over these thresholds is planted (unrelated articles stay under 0.1), so the truth alone decides.
    """
    for threshold in thresholds:
        keys = truth.keys[truth.jaccard >= threshold]
        pairs = np.stack([keys // truth.articles, keys % truth.articles], 1)
        groups = score_labels(truth, components(truth.articles, pairs))
        yield {"threshold": threshold, "pairs": score_pairs(truth, pairs), "groups": groups}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("corpus", type=Path)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--groups", type=Path)
    what.add_argument("--relations", type=Path)
    what.add_argument("--peer", type=Path)
    what.add_argument("--oracle", action="store_true")
    options = parser.parse_args()
    truth = Truth(options.corpus)
    if options.groups:
        print(json.dumps(score_labels(truth, labels_of(read_groups(options.groups), truth.articles))))
    elif options.relations:
        keys, kinds, contradictions = read_relations(options.relations, truth.articles)
        print(json.dumps({**score_relations(truth, keys, kinds), "contradictions": contradictions}))
    elif options.peer:
        print(json.dumps(score_peer(truth, options.peer)))
    else:
        for row in oracle(truth):
            print(json.dumps(row))


if __name__ == "__main__":
    main()
