"""Collections: how long ten detectors take to nominate, and what marking the differences of two long articles takes.

    python benchmarks/pools.py --data DIR [--articles 5000]       measure
    python benchmarks/pools.py --write docs/results.md            only the table, from the results

DIR holds a corpus of benchmarks/corpus.py.  Turning a page of the judging tool is measured by benchmarks/judging.py.
"""

import argparse
import json
import random
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path

import record
from measure import busy_seconds
from table import markdown, write

RESULTS = record.RESULTS / "pools.jsonl"
DETECTORS = ("codet", "ffp", "dsc", "simhash", "imatch-idf", "minhash", "reuse", "cedar", "winnow", "spotsigs")
#: Words of the articles whose differences are marked, and how often.
WORDS, ROUNDS = 3000, 20


def measure(folder: Path, count: int) -> None:
    from samestory import Article, __version__
    from samestory.lab.collection import Collection
    from samestory.lab.collection.pool import pool
    from samestory.text import differences

    meta = json.loads((folder / "meta.json").read_text())
    head = {
        "date": record.now(),
        "version": __version__,
        "machine": record.machine(),
        "corpus": {"sha256": meta["files"]["docs.jsonl"]["sha256"][:16], "articles": count},
    }
    with (folder / "docs.jsonl").open(encoding="utf-8") as lines:
        known = [
            Article(d["id"], d["text"], d["title"], d["date"], source=d["source"])
            for d in map(json.loads, islice(lines, count))
        ]
    with tempfile.TemporaryDirectory() as place, Collection.new(f"{place}/c.db", "contains", "pool", known) as made:
        busy, begun, own = busy_seconds(), time.perf_counter(), time.process_time()
        found = pool(made, DETECTORS, report=lambda name: print(name, file=sys.stderr))
        seconds, spent = time.perf_counter() - begun, time.process_time() - own
        others = max(0.0, (busy_seconds() - busy - spent) / seconds / record.machine()["cores"])
        pairs = len(made.items())
    for each in found:
        row = {"what": "nomination", "spec": each.asked, "measures": {"usual": each.usual, "found": each.found}}
        record.append(RESULTS, head | row | {"missed": each.missed})
    row = {"what": "pool", "spec": ", ".join(DETECTORS), "others": others}
    record.append(RESULTS, head | row | {"measures": {"seconds": seconds, "pairs": pairs}})
    draws = random.Random(1)
    words = [word for each in known for word in each.text.split()]
    one = " ".join(words[:WORDS])
    edited = " ".join(draws.choice(words) if draws.random() < 0.2 else word for word in words[:WORDS])
    other = " ".join(words[WORDS : 2 * WORDS])
    for what, two in (("a fifth of the words replaced", edited), ("nothing in common", other)):
        times = []
        for _ in range(ROUNDS):
            begun = time.perf_counter()
            differences(one, two)
            times.append(time.perf_counter() - begun)
        measures = {"p50": sorted(times)[ROUNDS // 2], "max": max(times)}
        record.append(RESULTS, head | {"what": "differences", "spec": what, "measures": measures})
        print(what, record.rounded(measures), file=sys.stderr)


def table() -> str:
    rows = list(record.read(RESULTS))
    last = max((row["date"] for row in rows), default="")
    lines, notes = [], []
    for row in rows:
        if row["date"] != last:
            continue
        figures = row["measures"]
        if row["what"] == "nomination":
            lines.append([f"`{row['spec']}`", f"{figures['usual']:,}", f"{figures['found']:,}", str(row["missed"])])
        elif row["what"] == "pool":
            many, articles = len(row["spec"].split(", ")), row["corpus"]["articles"]
            notes.append(
                f"{many} detectors over {articles:,} articles: {figures['pairs']:,} pairs in"
                f" {figures['seconds']:.1f} s; other programs used {row['others']:.0%} of the machine meanwhile."
            )
        else:
            notes.append(
                f"Differences of two articles of {WORDS:,} words, {row['spec']}: {1000 * figures['p50']:.1f} ms"
                f" (at most {1000 * figures['max']:.1f})."
            )
    shown = markdown(["asked as", "pairs as it is used", "nominated", "missed"], lines)
    return "\n\n".join([shown, *notes])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--articles", type=int, default=5000)
    parser.add_argument("--write", type=Path)
    args = parser.parse_args()
    if args.data:
        measure(args.data, args.articles)
    if args.write:
        write(args.write, table(), "pools")
    elif not args.data:
        print(table())


if __name__ == "__main__":
    main()
