"""Quality on real labelled news, when it is there: relations against judgements.

    python benchmarks/quality.py [--data DIR] [--samestory COMMAND] [--detectors SPEC ...]

reuters_slug      Reuters stories; same slug close in time is the same story.  Dates are taken out of the
                  articles, since they would give the answer away, and positives whose texts share less than a
                  tenth of their 3-word shingles are left out: about half of those are wrong.
short_answers_en  answers copied from an article (contains) against answers written freely (other).
tr_mds            Turkish reports of 21 events: relations inside an event against relations across events.

A labelled pair is predicted when `samestory relate` gives any relation for it.  One setting for all; each run
appends a row to benchmarks/results/quality.jsonl.
"""

import argparse
import gzip
import hashlib
import itertools
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import record
from run import find_samestory, version_of

WHEN = ("date", "time")
LEAST_OVERLAP = 0.1  # of 3-word shingles, for a positive pair of reuters_slug to count

Pair = frozenset[str]
Relations = dict[Pair, str]  # the kind by pair


def read(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def pair(left: str, right: str) -> Pair:
    return frozenset((left, right))


def relate(command: str, spec: str, articles: Iterable[dict[str, Any]]) -> Relations:
    """What `samestory relate` says about these articles."""
    with tempfile.TemporaryDirectory() as folder:
        docs = Path(folder) / "docs.jsonl"
        with docs.open("w", encoding="utf-8") as out:
            for article in articles:
                out.write(json.dumps(article, ensure_ascii=False) + "\n")
        line = [command, "relate", str(docs), *(["-d", spec] if spec else [])]
        done = subprocess.run(line, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"quality: samestory relate ended with exit code {done.returncode}")
    relations = map(json.loads, done.stdout.splitlines())
    return {pair(r["left"], r["right"]): r["kind"] for r in relations}


def judge(positive: list[Pair], negative: list[Pair], found: Relations) -> dict[str, Any]:
    hits = sum(p in found for p in positive)
    wrong = sum(p in found for p in negative)
    precision = hits / (hits + wrong) if hits + wrong else 1.0
    recall = hits / len(positive) if positive else 1.0
    total = precision + recall
    return {
        "positive": len(positive),
        "negative": len(negative),
        "precision": precision,
        "recall": recall,
        "f1": 2 * precision * recall / total if total else 0.0,
        "kinds_of_positive": dict(Counter(found[p] for p in positive if p in found)),
        "kinds_of_negative": dict(Counter(found[p] for p in negative if p in found)),
    }


def reuters_slug(folder: Path, command: str, spec: str) -> dict[str, Any]:
    articles = [{k: v for k, v in a.items() if k not in WHEN} for a in read(folder / "docs.jsonl.gz")]
    known = {article["id"] for article in articles}
    labelled: dict[str, list[Pair]] = {"same": [], "other": []}
    left_out = 0
    for row in read(folder / "pairs.jsonl.gz"):
        doubtful = row["label"] == "same" and row["overlap3"] < LEAST_OVERLAP
        if doubtful or not known.issuperset((row["a"], row["b"])):
            left_out += 1
        else:
            labelled[row["label"]].append(pair(row["a"], row["b"]))
    found = relate(command, spec, articles)
    return {**judge(labelled["same"], labelled["other"], found), "left_out": left_out, "relations": len(found)}


def short_answers_en(folder: Path, command: str, spec: str) -> dict[str, Any]:
    labelled: dict[str, list[Pair]] = {"contains": [], "other": [], "related": []}
    for row in read(folder / "pairs.jsonl.gz"):
        labelled[row["label"]].append(pair(row["a"], row["b"]))
    found = relate(command, spec, read(folder / "docs.jsonl.gz"))
    related = labelled["related"]
    rewritten = sum(p in found for p in related) / len(related) if related else None
    return {**judge(labelled["contains"], labelled["other"], found), "heavily_rewritten_found": rewritten}


def tr_mds(folder: Path, command: str, spec: str) -> dict[str, Any]:
    event = {row["id"]: row["cluster"] for row in read(folder / "clusters.jsonl.gz")}
    found = relate(command, spec, read(folder / "docs.jsonl.gz"))
    inside = [p for p in found if len({event[x] for x in p}) == 1]
    pairs_inside = sum(event[a] == event[b] for a, b in itertools.combinations(event, 2))
    return {
        "relations_inside": len(inside),
        "relations_across": len(found) - len(inside),
        "pairs_inside": pairs_inside,
        "share_of_pairs_inside": len(inside) / pairs_inside,
        "kinds_inside": dict(Counter(found[p] for p in inside)),
    }


COLLECTIONS = {f.__name__: f for f in (reuters_slug, short_answers_en, tr_mds)}


def digest(folder: Path) -> str:
    """Of all data files of a collection, by name and content."""
    total = hashlib.sha256()
    for path in sorted(folder.glob("*.gz")):
        total.update(path.name.encode() + hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    beside = Path(__file__).resolve().parents[2] / "shared" / "data"
    parser.add_argument("--data", type=Path, default=beside, help="folder of the collections")
    parser.add_argument("--samestory", help="the command to measure; otherwise that of this interpreter")
    parser.add_argument(
        "--detectors", nargs="+", default=[""], metavar="SPEC", help="samestory's; empty is its default"
    )
    parser.add_argument("--collections", nargs="+", default=list(COLLECTIONS), choices=list(COLLECTIONS))
    parser.add_argument("--results", type=Path, default=record.RESULTS)
    options = parser.parse_args()
    present = [name for name in options.collections if (options.data / name).is_dir()]
    if not present:
        print("quality: none of the labelled collections is here, so nothing was measured (hint: --data DIR)")
        return
    command = find_samestory(options.samestory)
    if not command:
        sys.exit("quality: no samestory command (hint: --samestory COMMAND)")
    version, date = version_of(command), record.now()
    for name, spec in itertools.product(present, options.detectors):
        started = time.perf_counter()
        measures = COLLECTIONS[name](options.data / name, command, spec)
        row = {
            "what": "samestory",
            "spec": spec or "default",
            "corpus": {"collection": name, "digest": digest(options.data / name)},
            "version": version,
            "machine": record.machine(),
            "date": date,
            "seconds": time.perf_counter() - started,
            "measures": measures,
        }
        record.append(options.results / "quality.jsonl", row)
        shown = "  ".join(f"{k} {v:.3f}" if isinstance(v, float) else f"{k} {v}" for k, v in measures.items())
        print(f"{name}  {row['spec']}\n  {shown}")


if __name__ == "__main__":
    main()
