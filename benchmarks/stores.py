"""An archive under load: articles a second that are kept, how long a question takes, and what a process waits for.

    python benchmarks/stores.py --data DIR [--place FILE_OR_ADDRESS] [--sizes 20000 200000] [--days 30] [--window 30]
                                [--copies 5] [--redis]                     measure
    python benchmarks/stores.py --write docs/results.md                    only the table, from the results

DIR holds `docs.jsonl` as `benchmarks/corpus.py` makes it.  The articles come in their order, spread over `--days`, into
an archive with its default detectors and a window of `--window` days: with 30 and 30, all of them are in it at the end.
`--copies N` repeats the corpus N times, each later than the last by its whole time, with ids of its own: years of news
from a corpus that fits a disk.  Every commit is on disk before it counts.  The archive is filled in batches of 1,000 up
to each size; there the last five batches tell the speed of batches, then 1,000 more come one by one, then 500 articles
of the corpus are asked about, changed in a few words, one at a time.  A process that opens the archive anew tells how
long it waits until it is open and for the first answer, and how much memory it takes.

Beside the seconds on the clock, the seconds of processor time are reported for each article, of all threads: these
hardly depend on what else the machine does, if that is not too much.

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
DAYS = 30.0
BATCH, SINGLE, ASKED = 1000, 1000, 500
#: So many of the latest articles are asked about, one in ten.
KEPT = 50_000
#: Of the words of an article that is asked about, this share is others.
OTHERS = 0.05


def articles(data: Path, count: int, days: float = DAYS, copies: int = 1) -> Iterator[dict[str, Any]]:
    """The first `count` articles, evenly spread over some days; with copies, of as many parts of the time."""
    of_copy = -(-count // copies)
    for copy in range(copies):
        with (data / "docs.jsonl").open(encoding="utf-8") as lines:
            for number, line in enumerate(islice(lines, min(of_copy, count - copy * of_copy)), copy * of_copy):
                row = json.loads(line)
                yield {
                    "id": row["id"] if copies == 1 else f"{row['id']}-{copy}",
                    "title": row["title"],
                    "text": row["text"],
                    "source": row["source"],
                    "published": (FIRST + number / count * timedelta(days=days)).isoformat(),
                }


def changed(text: str, seed: int) -> str:
    draw, words = random.Random(seed), text.split()
    return " ".join(draw.choice(words) if draw.random() < OTHERS else word for word in words)


def quantile(times: list[float], share: float) -> float:
    return sorted(times)[min(len(times) - 1, int(share * len(times)))]


class Used:
    """Seconds on the clock and of processor time since it was made, and what they come to."""

    def __init__(self) -> None:
        self.began, self.cpu_began = time.perf_counter(), time.process_time()

    def per_second(self, count: int) -> float:
        return count / (time.perf_counter() - self.began)

    def cpu_ms(self, count: int) -> float:
        return 1000 * (time.process_time() - self.cpu_began) / count


def rates(name: str, batches: list[tuple[float, float]]) -> dict[str, float]:
    """The rates of some batches, each given as seconds and as milliseconds of processor time per article."""
    seconds, cpu = (sum(column) for column in zip(*batches, strict=True))
    return {f"{name}_per_second": BATCH * len(batches) / seconds, f"{name}_cpu_ms": cpu / len(batches)}


def resident_mb() -> float:
    """The memory of this process now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def fill(args: argparse.Namespace, emit: Any) -> None:
    from samestory.archive import Archive

    sizes = sorted(args.sizes)
    most = sizes[-1]
    count = most + SINGLE * len(sizes)
    news = articles(args.data, count, args.days, args.copies)
    texts: dict[int, str] = {}
    with Archive.open(args.place, window=timedelta(days=args.window)) as archive:
        every: list[tuple[float, float]] = []
        taken = 0
        for start in range(0, most, BATCH):
            # the corpus is read as it is needed: its texts would be most of the memory
            batch = list(islice(news, BATCH))
            if len(batch) < BATCH:
                sys.exit(f"{args.data}: expected {count:,} articles, and there are {start + taken + len(batch):,}")
            used = Used()
            archive.add(batch)
            every.append((1 / used.per_second(1), used.cpu_ms(BATCH)))
            # some of the latest articles, which questions are about
            texts.update({start + at: batch[at]["text"] for at in range(0, BATCH, 10)})
            for number in [number for number in texts if number < start - KEPT]:
                del texts[number]
            done = start + BATCH
            if done not in sizes:
                continue
            measures = {
                "articles": done,
                **rates("whole", every),
                **rates("batch", every[-5:]),
            }
            single = list(islice(news, SINGLE))
            taken += len(single)
            used = Used()
            for each in single:
                archive.add([each])
            measures |= {"single_per_second": used.per_second(SINGLE), "single_cpu_ms": used.cpu_ms(SINGLE)}
            numbers = sorted(texts)
            asked = [changed(texts[numbers[(at * 7919) % len(numbers)]], at) for at in range(ASKED)]
            waits, found, used = [], 0, Used()
            for text in asked:
                since = time.perf_counter()
                found += bool(archive.query(text))
                waits.append(1000 * (time.perf_counter() - since))
            emit(
                measures
                | {
                    "query_p50_ms": quantile(waits, 0.5),
                    "query_p99_ms": quantile(waits, 0.99),
                    "query_cpu_ms": used.cpu_ms(ASKED),
                    "answered": found / ASKED,
                    "bytes": archive.stats()["bytes"],
                    "resident_mb": resident_mb(),
                    "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
                    "days": args.days,
                    "window_days": args.window,
                }
            )


def first_answer(place: str) -> dict[str, Any]:
    """What a process that opens the archive waits for, and takes."""
    code = (
        "import pathlib, sys, time\n"
        "from samestory.archive import Archive\n"
        "began, cpu_began = time.perf_counter(), time.process_time()\n"
        "with Archive.open(sys.argv[1], create=False) as archive:\n"
        "    opened = time.perf_counter() - began\n"
        "    archive.query('This sentence about harbours and budgets is in no other article.')\n"
        "    took, cpu = time.perf_counter() - began, time.process_time() - cpu_began\n"
        # the peak of this program alone: that of getrusage begins at the size of its parent process
        "    lines = pathlib.Path('/proc/self/status').read_text().splitlines()\n"
        "    peak = next(int(line.split()[1]) for line in lines if line.startswith('VmHWM')) / 1024\n"
        "    print(opened, took, cpu, peak)\n"
    )
    opened, seconds, cpu, memory = subprocess.run(
        [sys.executable, "-c", code, place], capture_output=True, check=True
    ).stdout.split()
    return {
        "open_seconds": float(opened),
        "first_answer_seconds": float(seconds),
        "first_answer_cpu_seconds": float(cpu),
        "opened_mb": float(memory),
    }


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
        fill(args, emit)
        share = Share()
        spread = {"days": args.days, "window_days": args.window}
        emit({"articles": max(args.sizes), **spread, **first_answer(args.place)}, what=f"{kind} opened")
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
    "batch_cpu_ms": "CPU ms each",
    "single_per_second": "one by one",
    "single_cpu_ms": "CPU ms each, one by one",
    "query_p50_ms": "question p50 ms",
    "query_p99_ms": "p99 ms",
    "open_seconds": "open s",
    "first_answer_seconds": "first answer s",
    "resident_mb": "MB at work",
    "opened_mb": "MB when open",
    "bytes": "MB on disk",
    "others": "others' share",
}


def table() -> str:
    rows: dict[tuple[str, int, float, float], dict[str, Any]] = {}
    for row in record.read(RESULTS):
        what, measures = row["what"].removesuffix(" opened"), dict(row["measures"])
        if what != row["what"]:
            del measures["others"]  # the share is that of the filling, which takes nearly all of the time
        days, window = (measures.get(name, DAYS) for name in ("days", "window_days"))
        rows.setdefault((what, measures["articles"], days, window), {}).update(measures)

    def cell(name: str, measures: dict[str, Any]) -> str:
        value = measures.get(name)
        if value is None:
            return ""
        if name == "bytes":
            return f"{value / 1e6:,.0f}"
        return f"{value:.0%}" if name == "others" else f"{value:,.1f}" if value < 100 else f"{value:,.0f}"

    body = [
        [f"`{what}`", f"{count:,}", f"{days:g}, {window:g}", *(cell(name, m) for name in COLUMNS)]
        for (what, count, days, window), m in sorted(rows.items())
    ]
    return markdown(["kept in", "articles", "days, window", *COLUMNS.values()], body)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, metavar="DIR")
    parser.add_argument("--place", metavar="PLACE")
    parser.add_argument("--sizes", type=int, nargs="+", default=[20_000, 200_000])
    parser.add_argument("--days", type=float, default=DAYS, help="over which the articles are spread")
    parser.add_argument("--window", type=float, default=DAYS, help="of the archive, in days")
    parser.add_argument("--copies", type=int, default=1, help="how often the corpus is repeated, later each time")
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
