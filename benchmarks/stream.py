"""Groups of a stream: items a second and memory an item, over a quarter and over copies of one item.

    python benchmarks/stream.py --data NEWS.jsonl.gz [--sizes 100000 1000000] [--streams forgetting] [--copies 10000]
    python benchmarks/stream.py --write docs/results.md                    only the table, from the results

An item is the headline and the beginning of an article of the file.  The articles keep their order and are spread over
90 days; where more items are wanted than there are articles, each is repeated so many times within two days, every
time with other words of the file in place of some of its own.  So an event has several reports, and words are as
frequent as in the news they come from.  The news itself is never committed.

Every run has a process of its own.  Time is that of `Stream.add` and `Stream.expire`, in batches, reading and signing
included, making the items not.  Memory is what the process has more than before the first item, looked at after every
batch, so that it holds what the allocator keeps back; "at the end" is after all garbage is gone.
"""

import argparse
import gc
import gzip
import hashlib
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from heapq import heappop, heappush
from itertools import islice
from pathlib import Path
from typing import Any

import record
from measure import busy_seconds
from table import markdown, write

RESULTS = record.RESULTS / "stream.jsonl"
DETECTOR = "event"
DAYS = 90
FIRST = datetime(2026, 1, 1, tzinfo=UTC)
BATCH = 500
#: Words of an item, and the share of them that are others when an article is repeated.
WORDS, OTHERS = 40, 0.3
#: The longest time after which an article is repeated.
LATER = timedelta(days=2)
#: Where a stream forgets: how long it remembers.
KEPT = timedelta(days=14)

Item = dict[str, Any]


def news(path: Path) -> list[tuple[list[str], str]]:
    """The headline and beginning of every article as words, with its language."""
    out = []
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            title, text = row.get("title") or "", row["text"]
            out.append(((title + " " + text.removeprefix(title)).split()[:WORDS], row.get("lang") or "en"))
    return out


def quarter(known: list[tuple[list[str], str]], count: int) -> Iterator[Item]:
    """So many items, in the order of their time."""
    draws = random.Random(0)
    times = -(-count // len(known))
    articles = -(-count // times)
    step = timedelta(days=DAYS) / articles
    # articles that are repeated later; those of now go before
    later: list[tuple[timedelta, int, int]] = []
    for article in range(articles):
        at = article * step
        while later and later[0] <= (at,):
            yield item(known, *heappop(later), draws)
        yield item(known, at, article, 0, draws)
        for again in range(1, times):
            heappush(later, (min(at + LATER * draws.random(), timedelta(days=DAYS)), article, again))
    while later:
        yield item(known, *heappop(later), draws)


def item(known: list[tuple[list[str], str]], after: timedelta, article: int, again: int, draws: random.Random) -> Item:
    words, language = known[article]
    if again:
        words = [draws.choice(draws.choice(known)[0] or words) if draws.random() < OTHERS else w for w in words]
    published = (FIRST + after).isoformat()
    return {"id": f"item-{article}-{again}", "text": " ".join(words), "published": published, "lang": language}


def copies(known: list[tuple[list[str], str]], count: int) -> Iterator[Item]:
    """The same item again and again within one day."""
    words, language = max(known[:1000], key=lambda item: len(item[0]))
    for number in range(count):
        published = (FIRST + timedelta(days=1) * number / count).isoformat()
        yield {"id": f"copy-{number}", "text": " ".join(words), "published": published, "lang": language}


def resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def run(path: Path, what: str, count: int) -> dict[str, Any]:
    """One stream, in this process."""
    from samestory import Stream

    known = news(path)
    items = islice(copies(known, count) if what == "copies" else quarter(known, count), count)
    # what a first batch brings along (tables of words, modules) belongs to no item
    Stream(DETECTOR).add([{"id": "x", "text": "Fire destroys historic mill in Oldmere", "lang": "en"}])
    stream, batch, done = Stream(DETECTOR), [], False
    gc.collect()
    before, peak, seconds, held, changes = resident(), 0, 0.0, 0, 0
    busy, started = busy_seconds(), time.perf_counter()
    own = time.process_time()
    while not done:
        batch = list(islice(items, BATCH))
        done = len(batch) < BATCH
        begun = time.perf_counter()
        if batch:
            changes += len(stream.add(batch))
            if what == "forgetting":
                changes += len(stream.expire(datetime.fromisoformat(batch[-1]["published"]) - KEPT))
        seconds += time.perf_counter() - begun
        peak, held = max(peak, resident() - before), max(held, len(stream))
    wall, spent = time.perf_counter() - started, time.process_time() - own
    others = max(0.0, (busy_seconds() - busy - spent) / wall / (os.cpu_count() or 1))
    batch.clear()
    gc.collect()
    left = resident() - before
    lots, filings = stream._native.sizes[1:]
    measures = {
        "seconds": seconds,
        "items_a_second": count / seconds,
        "peak_bytes": peak / held,
        "bytes": left / len(stream),
        "held": held,
        "groups": len(stream.groups()),
        "different": lots,
        "filings": filings,
        "changes": changes,
        "others": others,
    }
    return {"what": what, "spec": DETECTOR, "items": count, "measures": measures}


def measure(args: argparse.Namespace) -> None:
    """Every run in a process of its own."""
    from samestory import __version__

    digest = hashlib.sha256(args.data.read_bytes()).hexdigest()[:16]
    head = {"date": record.now(), "version": __version__, "machine": record.machine(), "corpus": {"sha256": digest}}
    wanted = [(what, n) for what in args.streams for n in args.sizes]
    for what, count in wanted + [("copies", n) for n in args.copies]:
        command = [sys.executable, __file__, "--data", str(args.data), "--one", what, str(count)]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        row = json.loads(done.stdout)
        print(what, count, record.rounded(row["measures"]), file=sys.stderr)
        record.append(RESULTS, head | row)


NAMES = {
    "quarter": "a quarter, nothing forgotten",
    "forgetting": f"a quarter, {KEPT.days} days remembered",
    "copies": "copies of one item in a day",
}


def tables(rows: list[dict[str, Any]]) -> str:
    """The latest row of every run."""
    latest = {(row["what"], row["items"]): row for row in rows}
    out = []
    for what, name in NAMES.items():
        for (kind, items), row in sorted(latest.items()):
            if kind == what:
                m = row["measures"]
                numbers = [m["seconds"], m["items_a_second"], m["held"], m["peak_bytes"], m["bytes"], m["groups"]]
                out.append([name, f"{items:,}", f"{numbers[0]:.1f}", *(f"{number:,.0f}" for number in numbers[1:])])
    head = ["stream", "items", "s", "items a second", "held at most", "peak bytes an item", "at the end", "groups"]
    machine = next(iter(latest.values()))["machine"] if latest else {}
    return markdown(head, out) + f"\n\nOne thread of {machine.get('cpu')}."


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--data", type=Path, metavar="FILE", help="news as JSON lines, with or without gzip")
    parser.add_argument("--sizes", type=int, nargs="*", default=[100_000, 1_000_000])
    parser.add_argument("--streams", nargs="*", choices=("quarter", "forgetting"), default=("quarter", "forgetting"))
    parser.add_argument("--copies", type=int, nargs="*", default=[10_000, 100_000])
    parser.add_argument("--one", nargs=2, metavar=("WHAT", "ITEMS"), help=argparse.SUPPRESS)
    parser.add_argument("--write", type=Path, metavar="FILE", help="put the table between the marks of this file")
    args = parser.parse_args()
    if args.one:
        print(json.dumps(run(args.data, args.one[0], int(args.one[1]))))
    elif args.data:
        measure(args)
    if args.write:
        write(args.write, tables(list(record.read(RESULTS))), "stream")


if __name__ == "__main__":
    main()
