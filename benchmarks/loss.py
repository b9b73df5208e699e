"""What keys lose: every detector beside itself with every pair compared.

    python benchmarks/loss.py [--articles 2k] [--detectors SPEC ...] [--data DIR]     measure
    python benchmarks/loss.py --news DIR [--articles 20k]                             `event` on collections of news
    python benchmarks/loss.py --write docs/results.md                                 only the table, from the results

Both relate the first articles of a planted corpus, or of collections of news, on all processors.  Lost are pairs that
only the exhaustive run reports; so many times as fast is how much longer that one took.  Rows go to
benchmarks/results/loss.jsonl.
"""

import argparse
import gzip
import itertools
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import record
from detectors import QUADRATIC
from measure import measure
from quality import known
from record import Row
from run import BENCH, articles, corpus_of, find_samestory, version_of
from table import markdown, write

PLANTED = "planted"
#: Collections of news on which the candidates of `event` are measured: whole articles and headlines, with and without
#: dates, in several languages.
NEWS = (
    "ecbplus/docs",
    "semeval22t8_de/docs",
    "semeval22t8_truncated/docs",
    "tr_mds/docs",
    "sts_headlines_en/docs",
    "ru_slugs/docs",
    "scale/reuters21578",
    "scale/reuters_2006_2010",
    "scale/fi_short_news",
)


def relate(command: str, spec: str, docs: Path, folder: Path) -> tuple[float, float, set[tuple[str, ...]]]:
    """Seconds, peak megabytes, and the pairs with their kinds."""
    out, log = folder / "out", folder / "log"
    cost = measure([command, "relate", str(docs), "-d", spec], out, log, dict(os.environ), 7200)
    if cost.exit_code:
        raise SystemExit(f"loss: {spec}: {log.read_text()}")
    rows = (json.loads(line) for line in out.open(encoding="utf-8"))
    pairs = {(*sorted((row["left"], row["right"])), row["kind"]) for row in rows}
    return cost.seconds, cost.peak_mb, pairs


def one(command: str, spec: str, docs: Path) -> Row:
    with tempfile.TemporaryDirectory() as folder:
        seconds, peak, found = relate(command, spec, docs, Path(folder))
        exhaustive = f"exhaustive(inner={spec.removesuffix('()')!r})"
        slow, _, every = relate(command, exhaustive, docs, Path(folder))
    return {
        "what": spec,
        "pairs": len(every),
        "lost": len(every - found),
        "invented": len(found - every),
        "seconds": seconds,
        "exhaustive_seconds": slow,
        "peak_mb": peak,
    }


def table(rows: list[Row]) -> str:
    """The latest row of every detector, collection and size."""
    last = {(row.get("collection", PLANTED), row["articles"], row["what"]): row for row in rows}
    lines = [
        [
            f"`{what.removesuffix('()')}`",
            collection,
            f"{row.get('read', count):,}",
            f"{row['pairs']:,}",
            f"{row['lost']:,}",
            f"{100 * row['lost'] / row['pairs']:.2f} %" if row["pairs"] else "–",
            f"{row['exhaustive_seconds'] / row['seconds']:.1f}",
        ]
        for (collection, count, what), row in sorted(last.items(), key=lambda each: (each[0][0] != PLANTED, each[0]))
    ]
    return markdown(["detector", "collection", "articles", "pairs", "lost", "share", "times as fast"], lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--articles", default="2k", help="so many: 2k, 50k")
    parser.add_argument("--detectors", nargs="+", metavar="SPEC", help="those to measure; otherwise all there are")
    parser.add_argument("--news", type=Path, metavar="DIR", help="measure `event` on the collections in this folder")
    parser.add_argument("--samestory", help="the command to measure; otherwise that of this interpreter")
    parser.add_argument("--data", type=Path, default=BENCH / "data", help="folder of the corpora")
    parser.add_argument("--results", type=Path, default=record.RESULTS)
    parser.add_argument("--write", type=Path, metavar="PAGE", help="measure nothing; put the table into this page")
    options = parser.parse_args()
    results = options.results / "loss.jsonl"
    if options.write:
        write(options.write, table(list(record.read(results))), "loss")
        return
    command = find_samestory(options.samestory)
    if not command:
        sys.exit("loss: no samestory command (hint: --samestory COMMAND)")
    count = articles(options.articles)
    about = {"articles": count, "version": version_of(command), "machine": record.machine(), "date": record.now()}
    if options.news:
        for name in NEWS:
            with tempfile.TemporaryDirectory() as folder:
                docs = Path(folder) / "docs.jsonl"
                with gzip.open(options.news / f"{name}.jsonl.gz") as packed, docs.open("wb") as out:
                    read = sum(1 for line in itertools.islice(packed, count) if out.write(line))
                row = (
                    one(command, "event()", docs) | about | {"collection": name.split("/")[1 if "scale" in name else 0]}
                )
            record.append(results, row | {"read": read})
            print(f"{name}  {row['lost']:,} of {row['pairs']:,} lost", flush=True)
        return
    corpus = corpus_of(options.data, 100_000 if count <= 100_000 else 1_000_000)
    with tempfile.TemporaryDirectory() as folder:
        docs = Path(folder) / "docs.jsonl"
        with docs.open("wb") as out:
            subprocess.run(["head", "-n", str(count), str(corpus / "docs.jsonl")], stdout=out, check=True)
        for spec in options.detectors or [spec for spec in known(command) if spec not in QUADRATIC]:
            row = one(command, spec, docs) | about
            record.append(results, row)
            print(f"{spec}  {row['lost']:,} of {row['pairs']:,} lost, {row['seconds']:.2f} s", flush=True)


if __name__ == "__main__":
    main()
