"""Make a labelled news corpus with planted duplicates: the same seed and size give the same bytes.

    python benchmarks/corpus.py --docs 10000 --out DIR [--seed 1] [--workers 2]

Writes into DIR:

    docs.jsonl      one article a line: {"id", "title", "text", "date", "source"}
    truth.jsonl     one planted pair a line: {"a", "b", "relation", "jaccard"}
    clusters.jsonl  one planted group of near-duplicates a line: {"cluster", "ids"}
    meta.json       parameters, counts, and the sha256 of the three files above

The planted relations, and what a detector of duplicates should say to them:

    exact      the texts are the same to the byte              same story
    near       both come from one article by editing           same story
    contains   a holds the whole text of b and much more       neither: its own class
    overlap    both hold parts of one article                  neither: its own class
    template   one form, other names and numbers               different stories
    topic      one event's vocabulary, independently written   different stories

`jaccard` is the exact Jaccard similarity of the two texts' sets of 5-word shingles after
`text.lower().split()`.

Only `random.Random.random()` is drawn from: Python keeps its stream from version to version, so the
corpus does not depend on the interpreter.  For the same reason the order of the draws below is part of
the format: a change there is a new corpus, with a new digest.  Needs only the standard library.
"""

import argparse
import hashlib
import itertools
import json
import multiprocessing
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from corpus_families import FAMILIES
from corpus_world import Draw, World

SHINGLE = 5
FIRST_DAY = 1_704_067_200  # 2024-01-01T00:00:00Z
DAYS = 730

# The share of the articles that each kind of family takes; the rest stand alone.
SHARES = {"cluster": 0.34, "containment": 0.06, "template": 0.08, "topic": 0.08}


def plan(seed: int, docs: int) -> list[tuple[str, int]]:
    """The families, as (kind, size), that make exactly `docs` articles."""
    draw = Draw(seed, "plan", docs)
    largest = max(10, min(400, docs // 100))
    sizes: dict[str, Callable[[], int]] = {
        "cluster": lambda: draw.power_law(2, largest, 2.2),
        "containment": lambda: draw.between(2, 4),
        "template": lambda: draw.power_law(2, max(5, min(60, docs // 200)), 1.8),
        "topic": lambda: draw.between(2, 6),
    }
    families: list[tuple[str, int]] = []
    total = 0
    for kind, share in SHARES.items():
        quota = int(docs * share)
        while quota >= 2:
            size = min(sizes[kind](), quota)
            if quota - size == 1:
                size += 1
            families.append((kind, size))
            quota -= size
            total += size
    families += [("single", 1)] * (docs - total)
    draw.shuffle(families)
    return families


def shingles(text: str) -> set[tuple[str, ...]]:
    words = text.lower().split()
    if len(words) < SHINGLE:
        return {tuple(words)}
    return set(zip(*(words[i:] for i in range(SHINGLE)), strict=False))


# -- the files --------------------------------------------------------------------------

_world: World  # one a worker process


def _start(seed: int, topics: int) -> None:
    global _world
    _world = World(seed, topics)


Job = tuple[int, str, list[int]]  # the number, kind and members' line numbers of a family


def _family(job: Job) -> tuple[Job, list[bytes], list[bytes], list[str]]:
    """One family's lines of docs.jsonl and truth.jsonl, and the relations of the latter."""
    number, kind, places = job
    world = _world
    draw = Draw(world.seed, "family", number)
    members, sources, relation = FAMILIES[kind](world, draw, len(places))
    moment = FIRST_DAY + draw.below(DAYS * 86400)
    days_apart = 30 if kind == "template" else 3
    ids = [f"n{place:07d}" for place in places]
    lines, sets = [], []
    for k, article in enumerate(members):
        when = moment if k == 0 else moment + draw.below(days_apart * 86400)
        text = article.text()
        sets.append(shingles(text) if relation else set())
        record = {
            "id": ids[k],
            "title": article.title,
            "text": text,
            "date": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(when)),
            "source": world.sources[sources[k]],
        }
        lines.append(json.dumps(record, ensure_ascii=False).encode() + b"\n")
    pairs, names = [], []
    if relation:
        for i, j in itertools.combinations(range(len(members)), 2):
            name, first, second = relation(i, j)
            common = len(sets[i] & sets[j])
            jaccard = common / (len(sets[i]) + len(sets[j]) - common)
            line = f'{{"a": "{ids[first]}", "b": "{ids[second]}", "relation": "{name}", "jaccard": {jaccard:.4f}}}\n'
            pairs.append(line.encode())
            names.append(name)
    return job, lines, pairs, names


def make(out: Path, docs: int, seed: int, workers: int) -> dict[str, Any]:
    """Write a corpus of `docs` articles into the folder `out`; gives what meta.json holds."""
    order = list(range(docs))
    Draw(seed, "order", docs).shuffle(order)
    jobs: list[Job] = []
    at = 0
    for number, (kind, size) in enumerate(plan(seed, docs)):
        jobs.append((number, kind, order[at : at + size]))
        at += size
    topics = max(40, min(800, docs // 100))
    lines = [b""] * docs
    truth: list[bytes] = []
    clusters: list[bytes] = []
    counts: dict[str, int] = {}
    with multiprocessing.Pool(workers, _start, (seed, topics)) as pool:
        for (number, kind, places), family_lines, pairs, names in pool.imap(_family, jobs, chunksize=64):
            for place, line in zip(places, family_lines, strict=True):
                lines[place] = line
            truth.extend(pairs)
            for what, count in (("families " + kind, 1), ("docs " + kind, len(places))):
                counts[what] = counts.get(what, 0) + count
            for name in names:
                counts["pairs " + name] = counts.get("pairs " + name, 0) + 1
            if kind == "cluster":
                ids = [f"n{place:07d}" for place in places]
                clusters.append(json.dumps({"cluster": number, "ids": ids}).encode() + b"\n")

    out.mkdir(parents=True, exist_ok=True)
    meta: dict[str, Any] = {
        "docs": docs,
        "seed": seed,
        "topics": topics,
        "shingle": SHINGLE,
        "counts": counts,
        "files": {},
    }
    for file, rows in {"docs.jsonl": lines, "truth.jsonl": truth, "clusters.jsonl": clusters}.items():
        digest = hashlib.sha256()
        with (out / file).open("wb") as f:
            for row in rows:
                digest.update(row)
                f.write(row)
        meta["files"][file] = {"lines": len(rows), "bytes": sum(map(len, rows)), "sha256": digest.hexdigest()}
    # Last, so that a folder with a meta.json is a whole corpus.
    (out / "meta.json").write_text(json.dumps(meta, indent=1) + "\n")
    return meta


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--docs", type=int, required=True, help="how many articles")
    parser.add_argument("--out", type=Path, required=True, help="the folder to write into")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    started = time.time()
    meta = make(options.out, options.docs, options.seed, options.workers)
    print(json.dumps(meta, indent=1))
    print(f"made in {time.time() - started:.1f} s", file=sys.stderr)


if __name__ == "__main__":
    main()
