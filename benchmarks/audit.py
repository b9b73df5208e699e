"""The audit table: what every detector drops falsely in every dated collection, presumed from time, without labels.

    python benchmarks/audit.py [--data DIR] [--samestory COMMAND] [--detectors SPEC ...] [--sets NAME ...] [--max N]
    python benchmarks/audit.py --write docs/results.md         only the tables, from the results

Every file of articles under the data folder is audited whose dates cut it into two or more blocks of 30 days, with at
least a thousand articles in them; `samestory audit` runs in a process of its own for each detector.  Detectors that
compare all pairs, or embed every sentence, get fewer articles; the table says how many.  Each run appends a row to
benchmarks/results/audit.jsonl; a new detector or collection needs nothing here.
"""

import argparse
import hashlib
import json
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

import record
from quality import known, taught_mark
from record import Row
from run import find_samestory, version_of
from table import markdown, write

from samestory import Article, parse
from samestory.lab.evaluation.blocks import cut_blocks
from samestory.readers import read

#: Collections with fewer articles in their blocks say little.
MIN_AUDITED = 1000
MAX_ARTICLES = 20_000
#: Detectors that take minutes for a few thousand articles, and how many these get.
SLOW = ("exhaustive()", "fusion()", "semshort()", "vectors()")
MAX_ARTICLES_SLOW = 3000
TIMEOUT_SECONDS = 3600


def collections(data: Path) -> dict[str, Path]:
    """Files of articles under the data folder, by the names of their collections."""
    named = {path.parent.name: path for path in sorted(data.glob("*/docs.jsonl.gz"))}
    return named | {path.name.partition(".")[0]: path for path in sorted(data.glob("scale/*.jsonl.gz"))}


def is_dated(path: Path) -> bool:
    articles = [item for item in read(path) if isinstance(item, Article)]
    blocks = cut_blocks(articles)
    return blocks.enough and sum(blocks.sizes) >= MIN_AUDITED


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]


def one(command: str, spec: str, name: str, path: Path, max_articles: int) -> Row:
    most = min(max_articles, MAX_ARTICLES_SLOW) if spec in SLOW else max_articles
    row: Row = {"what": spec, "set": name, "digest": digest(path)}
    words = [command, "audit", str(path), "-d", spec, "--max", str(most), "--sample", "0", "--json", "--quiet"]
    start = time.perf_counter()
    try:
        done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=TIMEOUT_SECONDS)
    except subprocess.TimeoutExpired:
        return {**row, "failed": f"not done after {TIMEOUT_SECONDS:,} s"}
    if done.returncode:
        return {**row, "failed": (done.stderr.strip().splitlines() or ["?"])[0].removeprefix("samestory: ")}
    first, *rest = [json.loads(line) for line in done.stdout.splitlines()]
    row |= {"articles": first["audited"], "blocks": len(first["blocks"]), "gap_days": first["gap_days"]}
    for view in ("withheld", "given"):
        sizes = [line["size"] for line in rest if line.get("dates") == view and "size" in line]
        (growth,) = [line["growth"] for line in rest if line.get("dates") == view and "growth" in line]
        row[view] = {**sizes[-1], "growth": growth}
    return {**row, "seconds": time.perf_counter() - start}


def per_thousand(view: dict[str, Any]) -> str:
    found = view["presumed_false_per_thousand"]
    return f"{found['rate']:.2f} ({found['low']:.2f}–{found['high']:.2f})"


def latest(rows: list[Row]) -> dict[tuple[str, str], Row]:
    """The last row of every detector on every collection that gave figures."""
    return {(row["set"], row["what"]): row for row in rows if "withheld" in row}


def line(row: Row) -> list[str]:
    view = row["withheld"]
    false, growth, ahead = view["presumed_false"], view["growth"]["presumed_false"], view["growth"]["predicted"]
    share = "–" if false["rate"] is None else f"{false['rate']:.1%}"
    return [
        f"`{row['what']}`{taught_mark(row['set'], row['what'])}",
        f"{view['articles']:,}",
        f"{view['dropped']['count']:,}",
        f"{false['count']:,}",
        share,
        per_thousand(view),
        f"{growth['exponent']:.2f}" if growth else "–",
        f"{ahead['per_thousand']:.1f} (≤ {ahead['high']:.1f})" if ahead else "–",
        f"{view['largest_spanning_group']:,}",
        per_thousand(row["given"]),
    ]


def tables(rows: list[Row]) -> str:
    """One table for every collection, the fewest false drops first."""
    by_set: dict[str, list[Row]] = defaultdict(list)
    for (name, _), row in latest(rows).items():
        by_set[name].append(row)
    head = ["detector", "articles", "dropped", "presumed false", "of dropped", "per 1,000", "growth", "at 10 ×"]
    head += ["largest spanning", "per 1,000, dates given"]
    parts = []
    for name, there in sorted(by_set.items()):
        there.sort(key=lambda row: (row["withheld"]["presumed_false_per_thousand"]["rate"], row["what"]))
        day = max(row["date"] for row in there)[:10]
        about = f"{there[0]['blocks']} blocks of {there[0]['gap_days']} days, {day}"
        parts.append(f"### {name}, across time\n\n{about}\n\n{markdown(head, [line(row) for row in there])}")
    return "\n\n".join(parts) or "Nothing is recorded yet."


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    beside = Path(__file__).resolve().parents[2] / "shared" / "data"
    parser.add_argument("--data", type=Path, default=beside, help="folder of the collections")
    parser.add_argument("--samestory", help="the command to measure; otherwise that of this interpreter")
    parser.add_argument("--detectors", nargs="+", metavar="SPEC", help="those to audit; otherwise all there are")
    parser.add_argument("--sets", nargs="+", metavar="NAME", help="of the dated collections; otherwise all there are")
    parser.add_argument("--max", type=int, default=MAX_ARTICLES, metavar="N", help="articles at most (20000)")
    parser.add_argument("--results", type=Path, default=record.RESULTS)
    parser.add_argument("--write", type=Path, metavar="PAGE", help="measure nothing; put the tables into this page")
    options = parser.parse_args()
    results = options.results / "audit.jsonl"
    if options.write:
        write(options.write, tables(list(record.read(results))), "audit")
        return
    there = {name: path for name, path in collections(options.data).items() if name in (options.sets or [name])}
    dated = {name: path for name, path in there.items() if is_dated(path)}
    if not dated:
        print("audit: there is no dated collection here, so nothing was measured (hint: --data DIR)")
        return
    command = find_samestory(options.samestory)
    if not command:
        sys.exit("audit: no samestory command (hint: --samestory COMMAND)")
    about = {"version": version_of(command), "machine": record.machine(), "date": record.now()}
    specs = [str(parse(spec)) for spec in options.detectors] if options.detectors else known(command)
    for name, path in dated.items():
        for spec in specs:
            row = one(command, spec, name, path, options.max) | about
            record.append(results, row)
            said = row.get("failed") or f"{per_thousand(row['withheld'])} per 1,000  {row['seconds']:.2f} s"
            print(f"{name}  {spec}  {said}", flush=True)


if __name__ == "__main__":
    main()
