"""An archive under load: articles a second that are kept, how long a question takes, and what a process waits for.

    python benchmarks/stores.py --data DIR [--place FILE_OR_ADDRESS] [--sizes 20000 200000] [--redis]    measure
    python benchmarks/stores.py --write docs/results.md                    only the table, from the results

DIR holds `docs.jsonl` as `benchmarks/corpus.py` makes it.  The articles come in their order, spread over 30 days, into
an archive with its default detectors and a window of 30 days: at the end all of them are in it.  Every commit is on
disk before it counts.  The archive is filled in batches of 1,000 up to each size; there the last five batches tell the
speed of batches, then 1,000 more come one by one, then 500 articles of the corpus are asked about, changed in a few
words, one at a time.  A process that opens the archive anew tells how long it waits for the first answer, and how much
memory it takes.

With --redis, the same articles go to MinHashLSH of datasketch over a Redis server that this program starts: shingles of
five words, 128 hashes, threshold 0.7.  It keeps no text and no relation, and forgets nothing.
"""

import argparse
import json
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Any

import record
from measure import busy_seconds
from table import markdown, write

RESULTS = record.RESULTS / "stores.jsonl"
FIRST = datetime(2026, 3, 1, tzinfo=UTC)
WINDOW = timedelta(days=30)
BATCH, SINGLE, ASKED = 1000, 1000, 500
#: Of the words of an article that is asked about, this share is others.
OTHERS = 0.05


def articles(data: Path, count: int) -> Iterator[dict[str, Any]]:
    with (data / "docs.jsonl").open(encoding="utf-8") as lines:
        for number, line in enumerate(islice(lines, count)):
            row = json.loads(line)
            at = FIRST + number / count * WINDOW
            yield {
                "id": row["id"],
                "title": row["title"],
                "text": row["text"],
                "source": row["source"],
                "published": at.isoformat(),
            }


def changed(text: str, seed: int) -> str:
    draw, words = random.Random(seed), text.split()
    return " ".join(draw.choice(words) if draw.random() < OTHERS else word for word in words)


def quantile(times: list[float], share: float) -> float:
    return sorted(times)[min(len(times) - 1, int(share * len(times)))]


def fill(place: str, data: Path, sizes: list[int], emit: Any) -> None:
    from samestory.archive import Archive

    most = max(sizes)
    news = list(articles(data, most + SINGLE * len(sizes)))
    if len(news) < most + SINGLE * len(sizes):
        sys.exit(f"{data}: expected {most + SINGLE * len(sizes):,} articles, and there are {len(news):,}")
    spare = news[most:]
    with Archive.open(place, window=WINDOW) as archive:
        began = time.perf_counter()
        last: list[float] = []
        for start in range(0, most, BATCH):
            since = time.perf_counter()
            archive.add(news[start : start + BATCH])
            last.append(time.perf_counter() - since)
            done = start + BATCH
            if done not in sizes:
                continue
            whole = time.perf_counter() - began
            single = [spare.pop() for _ in range(SINGLE)]
            since = time.perf_counter()
            for each in single:
                archive.add([each])
            alone = SINGLE / (time.perf_counter() - since)
            asked = [changed(news[(number * 7919) % done]["text"], number) for number in range(ASKED)]
            waits = []
            found = 0
            for text in asked:
                since = time.perf_counter()
                found += bool(archive.query(text))
                waits.append(1000 * (time.perf_counter() - since))
            emit(
                {
                    "articles": done,
                    "whole_per_second": done / whole,
                    "batch_per_second": BATCH * min(5, len(last)) / sum(last[-5:]),
                    "single_per_second": alone,
                    "query_p50_ms": quantile(waits, 0.5),
                    "query_p99_ms": quantile(waits, 0.99),
                    "answered": found / ASKED,
                    "bytes": archive.stats()["bytes"],
                    "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
                }
            )


def first_answer(place: str) -> dict[str, Any]:
    """What a process that opens the archive waits for, and takes."""
    code = (
        "import pathlib, sys, time\n"
        "from samestory.archive import Archive\n"
        "began = time.perf_counter()\n"
        "with Archive.open(sys.argv[1], create=False) as archive:\n"
        "    archive.query('This sentence about harbours and budgets is in no other article.')\n"
        "    took = time.perf_counter() - began\n"
        # the peak of this program alone: that of getrusage begins at the size of its parent process
        "    lines = pathlib.Path('/proc/self/status').read_text().splitlines()\n"
        "    print(took, next(int(line.split()[1]) for line in lines if line.startswith('VmHWM')) / 1024)\n"
    )
    seconds, memory = subprocess.run(
        [sys.executable, "-c", code, place], capture_output=True, check=True
    ).stdout.split()
    return {"first_answer_seconds": float(seconds), "opened_mb": float(memory)}


def redis(data: Path, count: int, emit: Any) -> None:
    """Inserts into MinHashLSH over Redis: hashing included, one by one and in its own batches."""
    from datasketch import MinHash, MinHashLSH, __version__

    with tempfile.TemporaryDirectory() as folder:
        port = 16379
        words = [
            "redis-server",
            "--port",
            str(port),
            "--dir",
            folder,
            "--appendonly",
            "yes",
            "--appendfsync",
            "everysec",
        ]
        server = subprocess.Popen(words, stdout=subprocess.DEVNULL)
        try:
            time.sleep(1)
            storage = {"type": "redis", "redis": {"host": "127.0.0.1", "port": port}, "basename": b"bench"}
            lsh = MinHashLSH(threshold=0.7, num_perm=128, storage_config=storage)
            began = time.perf_counter()
            with lsh.insertion_session(buffer_size=5000) as session:
                for each in articles(data, count):
                    tokens = each["text"].lower().split()
                    hashes = MinHash(num_perm=128)
                    hashes.update_batch(
                        [" ".join(tokens[at : at + 5]).encode() for at in range(max(1, len(tokens) - 4))]
                    )
                    session.insert(each["id"], hashes)
            emit({"articles": count, "batch_per_second": count / (time.perf_counter() - began)}, __version__)
        finally:
            server.terminate()
            server.wait()


def measure(args: argparse.Namespace) -> None:
    from samestory import _core

    date = record.now()
    kind = "postgres" if str(args.place).startswith("postgres") else "sqlite"

    def emit(measures: dict[str, Any], version: str = _core.__version__, what: str = kind) -> None:
        measures["others"] = share.took()
        row = {
            "what": what,
            "version": version,
            "corpus": args.data.name,
            "machine": record.machine(),
            "date": date,
            "measures": measures,
        }
        record.append(RESULTS, row)
        print(json.dumps(record.rounded(row)), flush=True)

    share = Share()
    if args.place:
        fill(args.place, args.data, args.sizes, emit)
        share = Share()
        emit({"articles": max(args.sizes), **first_answer(args.place)}, what=f"{kind} opened")
    if args.redis:
        if not shutil.which("redis-server"):
            sys.exit("no redis-server on this machine")
        share = Share()
        redis(args.data, min(20_000, max(args.sizes)), lambda m, v: emit(m, v, "datasketch over redis"))


def own_seconds() -> float:
    """CPU seconds of this program and of those that it started and that have ended."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


class Share:
    """The share of the processors that others used since it was made."""

    def __init__(self) -> None:
        self.began, self.busy, self.own = time.perf_counter(), busy_seconds(), own_seconds()

    def took(self) -> float:
        span = (time.perf_counter() - self.began) * len(os.sched_getaffinity(0))
        return max(0.0, (busy_seconds() - self.busy - (own_seconds() - self.own)) / span)


COLUMNS = {
    "batch_per_second": "articles/s in batches",
    "single_per_second": "one by one",
    "query_p50_ms": "question p50 ms",
    "query_p99_ms": "p99 ms",
    "first_answer_seconds": "first answer s",
    "opened_mb": "MB when open",
    "bytes": "MB on disk",
    "others": "others' share",
}


def table() -> str:
    rows: dict[tuple[str, int], dict[str, Any]] = {}
    for row in record.read(RESULTS):
        what, measures = row["what"].removesuffix(" opened"), dict(row["measures"])
        if what != row["what"]:
            del measures["others"]  # the share is that of the filling, which takes nearly all of the time
        rows.setdefault((what, measures["articles"]), {}).update(measures)

    def cell(name: str, measures: dict[str, Any]) -> str:
        value = measures.get(name)
        if value is None:
            return ""
        if name == "bytes":
            return f"{value / 1e6:,.0f}"
        return f"{value:.0%}" if name == "others" else f"{value:,.1f}" if value < 100 else f"{value:,.0f}"

    body = [
        [f"`{what}`", f"{count:,}", *(cell(name, m) for name in COLUMNS)] for (what, count), m in sorted(rows.items())
    ]
    return markdown(["kept in", "articles", *COLUMNS.values()], body)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, metavar="DIR")
    parser.add_argument("--place", metavar="PLACE")
    parser.add_argument("--sizes", type=int, nargs="+", default=[20_000, 200_000])
    parser.add_argument("--redis", action="store_true")
    parser.add_argument("--write", type=Path, metavar="FILE")
    args = parser.parse_args()
    if args.write:
        write(args.write, table(), "stores")
        return
    if not args.data or not (args.place or args.redis):
        parser.error("--data, and --place or --redis: there is nothing to measure")
    measure(args)


if __name__ == "__main__":
    main()
