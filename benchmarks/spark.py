"""Spark against one machine and against Spark's own MinHashLSH: time, what is shuffled, and how good the answer is.

    python benchmarks/spark.py --docs 20000 100000 --out .bench/spark   # measures, and keeps a line for each
    python benchmarks/spark.py --write docs/results.md                  # the table

Starting Spark is left aside (but where MinHashLSH is stopped, its limit counts from the start); the rest is counted,
reading and writing included. Shuffled bytes are those that Spark's own log of events says were written. Memory is that
of all processes together, driver, executor and Python workers. F1 is that of pairs, against what the generator planted.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import record
from measure import measure as run
from table import markdown, write

ROOT = Path(__file__).resolve().parents[1]
RESULTS = record.RESULTS / "spark.jsonl"
#: Growth is reported from this number of articles: below it, stages and tasks take most of the time.
LARGE = 100_000


def shuffled(log: Path) -> int:
    """Bytes written to shuffles, by the log of events."""
    total = 0
    for file in log.rglob("*"):
        if not file.is_file():
            continue
        for line in file.read_text(errors="replace").splitlines():
            if line.startswith('{"Event":"SparkListenerTaskEnd"'):
                metrics = json.loads(line).get("Task Metrics") or {}
                total += metrics.get("Shuffle Write Metrics", {}).get("Shuffle Bytes Written", 0)
    return total


def pairs_of(groups: Path) -> set[tuple[str, str]]:
    out = set()
    for line in groups.open():
        members = sorted(json.loads(line)["members"])
        out.update((a, b) for at, a in enumerate(members) for b in members[at + 1 :])
    return out


def f1(found: set[tuple[str, str]], truth: Path) -> float:
    planted = set()
    for line in truth.open():
        row = json.loads(line)
        if row["relation"] in ("exact", "near"):
            planted.add(tuple(sorted((row["a"], row["b"]))))
    right = len(found & planted)
    return 2 * right / max(len(found) + len(planted), 1)


def ours(docs: Path, folder: Path, master: str, memory: str) -> dict[str, Any]:
    """A run of ours on Spark, after Spark has started."""
    from samestory.cli import main
    from samestory.spark import session

    log = folder / f"events-{int(time.time())}"
    log.mkdir(parents=True)
    settings = {
        "spark.ui.enabled": "false",
        "spark.driver.memory": memory,
        "spark.eventLog.enabled": "true",
        "spark.eventLog.dir": f"file://{log}",
        "spark.eventLog.compress": "false",
        "spark.local.dir": str(folder / "local"),
        "spark.sql.files.maxPartitionBytes": "64m",
    }
    spark = session(master, settings)
    spark.range(10).rdd.map(lambda row: row[0]).sum()  # workers have started too
    out, stages = folder / "spark.groups.jsonl", folder / "spark.stages.json"
    start = time.perf_counter()
    assert main(["find", str(docs), "--spark", master, "--quiet", "-o", str(out), "--stages", str(stages)]) == 0
    seconds = time.perf_counter() - start
    spark.stop()
    return {"seconds": seconds, "bytes": shuffled(log), "stages": json.loads(stages.read_text())}


def one_machine(docs: Path, folder: Path, threads: int) -> dict[str, Any]:
    code = "from samestory.cli import main; import sys; sys.exit(main())"
    words = ["find", str(docs), "--quiet", "-o", str(folder / "one.groups.jsonl"), "--threads", str(threads)]
    cost = run([sys.executable, "-c", code, *words], folder / "one.out", folder / "one.log", dict(os.environ), 3600)
    assert cost.exit_code == 0, (folder / "one.log").read_text()
    return {"seconds": cost.seconds, "peak_mb": cost.peak_mb, "others": cost.others}


def minhash_lsh(docs: Path, folder: Path, master: str, memory: str, threshold: float = 0.5) -> dict[str, Any]:
    """Spark MLlib: sets of three-word shingles, MinHashLSH with five tables, an approximate join with itself."""
    from pyspark.ml.feature import HashingTF, MinHashLSH, NGram, RegexTokenizer

    from samestory.spark import session

    spark = session(master, {"spark.ui.enabled": "false", "spark.driver.memory": memory})
    frame = spark.read.json(str(docs)).select("id", "text")
    words = RegexTokenizer(inputCol="text", outputCol="words", pattern=r"\W+").transform(frame)
    grams = NGram(n=3, inputCol="words", outputCol="grams").transform(words)
    sets = HashingTF(inputCol="grams", outputCol="features", binary=True, numFeatures=1 << 18).transform(grams)
    sets = sets.filter("size(grams) > 0").select("id", "features")
    start = time.perf_counter()
    model = MinHashLSH(inputCol="features", outputCol="hashes", numHashTables=5, seed=1).fit(sets)
    near = model.approxSimilarityJoin(sets, sets, 1 - threshold, distCol="distance")
    rows = near.selectExpr("datasetA.id as a", "datasetB.id as b").filter("a < b").collect()
    seconds = time.perf_counter() - start
    spark.stop()
    found = folder / "lsh.pairs.jsonl"
    found.write_text("".join(json.dumps([row["a"], row["b"]]) + "\n" for row in rows))
    return {"seconds": seconds, "pairs": len(rows)}


def measure(args: argparse.Namespace, count: int) -> dict[str, Any]:
    """All of them at one size; each in a process of its own."""
    folder, given, master, memory = args.out, args.corpus, args.master, args.memory
    folder.mkdir(parents=True, exist_ok=True)
    corpus = given or folder / f"corpus-{count}"
    if not (corpus / "docs.jsonl").exists():
        made = [sys.executable, "benchmarks/corpus.py", "--docs", str(count), "--out", str(corpus)]
        subprocess.run(made, check=True, cwd=ROOT)
    docs, truth = corpus / "docs.jsonl", corpus / "truth.jsonl"
    work = folder / f"work-{count}"
    work.mkdir(exist_ok=True)
    row: dict[str, Any] = {"articles": count, "master": master, "processors": os.cpu_count()}
    row["ours"] = _apart("ours", docs, work, master, memory)
    row["one"] = one_machine(docs, work, 2)
    same = sorted((work / "spark.groups.jsonl").open()) == sorted((work / "one.groups.jsonl").open())
    row["same_lines"] = same
    row["ours"]["f1"] = round(f1(pairs_of(work / "spark.groups.jsonl"), truth), 4)
    if count > args.lsh_up_to:
        return row
    try:
        row["lsh"] = _apart("minhash_lsh", docs, work, master, memory, args.lsh_seconds)
    except TimeoutError:
        row["lsh"] = {"unfinished": args.lsh_seconds}
    else:
        found = {tuple(json.loads(line)) for line in (work / "lsh.pairs.jsonl").open()}
        row["lsh"]["f1"] = round(f1({tuple(sorted(pair)) for pair in found}, truth), 4)
    return row


def _apart(what: str, docs: Path, folder: Path, master: str, memory: str, limit: float = 7200) -> dict[str, Any]:
    """One of them in a process of its own, with what all processes that it starts hold at most."""
    words = [sys.executable, __file__, "--do", what, str(docs), str(folder), master, memory]
    out, log = folder / f"{what}.out", folder / f"{what}.log"
    cost = run(words, out, log, dict(os.environ), limit)
    if cost.exit_code is None:
        raise TimeoutError(what)
    assert cost.exit_code == 0, log.read_text()
    summary: dict[str, Any] = json.loads(out.read_text().splitlines()[-1])
    return summary | {"peak_mb": cost.peak_mb, "others": cost.others}


def table(rows: list[dict[str, Any]]) -> str:
    """A line for every size; and how seconds grow with the articles."""
    head = ["articles", "one machine", "Spark", "times as long", "bytes shuffled an article", "memory at most"]
    head += ["the same lines", "F1", "MLlib's MinHashLSH", "times as fast as it", "its F1"]
    lines = []
    for row in rows:
        ours, one, lsh = row["ours"], row["one"], row.get("lsh")
        theirs = ["–", "–", "–"]
        if lsh and "unfinished" in lsh:
            theirs = [f"not done after {lsh['unfinished']:.0f} s", f"> {lsh['unfinished'] / ours['seconds']:.1f}", "–"]
        elif lsh:
            theirs = [f"{lsh['seconds']:.0f} s", f"{lsh['seconds'] / ours['seconds']:.1f}", f"{lsh['f1']:.3f}"]
        cells = [f"{row['articles']:,}", f"{one['seconds']:.1f} s", f"{ours['seconds']:.1f} s"]
        cells += [f"{ours['seconds'] / one['seconds']:.1f}", f"{ours['bytes'] / row['articles']:.0f}"]
        cells += [f"{ours['peak_mb'] / 1024:.1f} GiB", "yes" if row["same_lines"] else "no", f"{ours['f1']:.3f}"]
        lines.append(cells + theirs)
    out = markdown(head, lines)
    large = [row for row in rows if row["articles"] >= LARGE]
    if len(large) > 1:
        first, last = large[0], large[-1]
        growth = math.log(last["ours"]["seconds"] / first["ours"]["seconds"])
        growth /= math.log(last["articles"] / first["articles"])
        out += (
            f"\n\nFrom {first['articles']:,} to {last['articles']:,} articles seconds grow with the power {growth:.2f}."
        )
    return out


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--docs", type=int, nargs="*", default=[20_000])
    options.add_argument("--corpus", type=Path, help="a folder with docs.jsonl and truth.jsonl, for a single size")
    options.add_argument("--out", type=Path, default=ROOT / ".bench" / "spark")
    options.add_argument("--master", default="local[2]")
    options.add_argument("--memory", default="3g")
    options.add_argument("--lsh-up-to", type=int, default=100_000)
    options.add_argument("--lsh-seconds", type=float, default=3600, help="MinHashLSH is stopped after so long")
    options.add_argument("--write", type=Path)
    options.add_argument("--do", nargs="+", help=argparse.SUPPRESS)
    args = options.parse_args()
    if args.do:
        what, docs, folder, master, memory = args.do
        print(json.dumps({"ours": ours, "minhash_lsh": minhash_lsh}[what](Path(docs), Path(folder), master, memory)))
    elif args.write:
        last = {row["articles"]: row for row in record.read(RESULTS)}
        write(args.write, table([last[count] for count in sorted(last)]), "spark")
    else:
        for count in args.docs:
            row = measure(args, count)
            record.append(RESULTS, row | {"machine": record.machine(), "date": record.now()})


if __name__ == "__main__":
    main()
