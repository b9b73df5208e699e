"""Judging: how long a page turn takes, from an answer that is sent to the next two articles on the screen.

    python benchmarks/judging.py [--pairs 10000] [--turns 1000] [--clients 1] [--data DIR]    measure
    python benchmarks/judging.py --write docs/results.md                       only the table, from the results

DIR is a corpus as `benchmarks/corpus.py` makes it; without one, a corpus of twice as many articles as pairs is made.
The pairs are those that are planted in it, and others at random until there are as many as wanted.  The server is
`samestory judge`, in a process of its own; every client is an assessor with a connection that is kept, who reads a
page, answers, and reads the page to which the answer leads.  An answer is on disk before it is acknowledged.  A turn is
the answer and the next page together, as the client waits for it; both sides share the machine.
"""

import argparse
import http.client
import json
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import corpus
import record
from stores import quantile
from table import markdown, write

RESULTS = record.RESULTS / "judging.jsonl"
_KEY = re.compile(r'name="key" value="([^"]+)"')


def fill(path: Path, data: Path, pairs: int, clients: int) -> None:
    """A collection with so many pairs, every one given to two."""
    from samestory import read
    from samestory.lab.collection import Collection, assign, hire
    from samestory.lab.collection.collection import NewItem, add_items

    articles = list(read(data / "docs.jsonl"))
    ids, draw = [each.id for each in articles], random.Random(1)
    wanted: dict[tuple[str, str], None] = {}
    with (data / "truth.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            wanted[tuple(sorted((row["a"], row["b"])))] = None  # type: ignore[index]
            if len(wanted) >= pairs:
                break
    while len(wanted) < pairs:
        one, other = draw.sample(ids, 2)
        wanted[min(one, other), max(one, other)] = None
    with Collection.new(path, "contains", "pool", articles) as collection:
        with collection.database.write() as session:
            add_items(session, collection.shape, [NewItem(pair) for pair in wanted])
        hire(collection, [f"s{number}" for number in range(max(2, clients))])
        assign(collection)


@contextmanager
def server(path: Path, people: int) -> Iterator[tuple[int, list[str]]]:
    """The server: its port, and the address of the work of each."""
    words = [sys.executable, "-m", "samestory.cli", "judge", str(path), "--links", "--port", "0", "--rate", "1000000"]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stderr is not None and process.stdout is not None
        if not any("how far everybody is" in line for line in process.stderr):
            sys.exit("the server did not start")
        # links come before that line, one for each who judges
        links = [urlsplit(process.stdout.readline().split("\t")[1].strip()) for _ in range(people)]
        yield int(links[0].port or 0), [link.path for link in links]
    finally:
        process.terminate()
        process.wait()


def turns(port: int, where: str, count: int, waits: list[float]) -> None:
    """One assessor: answers and reads on."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    head = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "text/html"}

    def ask(method: str, path: str, body: str | None = None) -> tuple[http.client.HTTPResponse, str]:
        connection.request(method, path, body, head)
        answer = connection.getresponse()
        return answer, answer.read().decode()

    place = where + "1"
    _, page = ask("GET", place)
    for number in range(count):
        key = _KEY.search(page)
        assert key, page[:1000]
        form = urlencode({"key": key[1], "answer": ("none", "both", "a>b")[number % 3], "seconds": "7.5"})
        began = time.perf_counter()
        answer, _ = ask("POST", place, form)
        place = answer.headers["location"] or ""
        if place.endswith("/done"):
            return
        code, page = ask("GET", place)
        waits.append(1000 * (time.perf_counter() - began))
        assert (answer.status, code.status) == (303, 200)


def measure(args: argparse.Namespace, folder: Path) -> None:
    from samestory import __version__

    data = args.data
    if data is None:
        data = folder / "corpus"
        corpus.make(data, 2 * args.pairs, 1, 2)
    meta = json.loads((data / "meta.json").read_text())
    fill(folder / "gold.db", data, args.pairs, args.clients)
    waits: list[list[float]] = [[] for _ in range(args.clients)]
    with server(folder / "gold.db", max(2, args.clients)) as (port, links):
        people = [
            threading.Thread(target=turns, args=(port, links[number], args.turns // args.clients, waits[number]))
            for number in range(args.clients)
        ]
        for each in people:
            each.start()
        for each in people:
            each.join()
    every = [wait for one in waits for wait in one]
    row = {
        "what": "page turn",
        "version": __version__,
        "machine": record.machine(),
        "date": record.now(),
        "corpus": {"docs": meta["docs"], "seed": meta["seed"], "digest": meta["files"]["docs.jsonl"]["sha256"][:16]},
        "measures": {
            "pairs": args.pairs,
            "clients": args.clients,
            "turns": len(every),
            "p50_ms": quantile(every, 0.5),
            "p99_ms": quantile(every, 0.99),
            "most_ms": max(every),
        },
    }
    if not args.dry:
        record.append(RESULTS, row)
    print(json.dumps(record.rounded(row)))


def table() -> str:
    latest = {(row["measures"]["pairs"], row["measures"]["clients"]): row["measures"] for row in record.read(RESULTS)}
    rows = [
        [f"{pairs:,}", str(clients), f"{m['turns']:,}", f"{m['p50_ms']:.1f}", f"{m['p99_ms']:.1f}"]
        for (pairs, clients), m in sorted(latest.items())
    ]
    return markdown(["pairs", "assessors at once", "page turns", "p50 ms", "p99 ms"], rows) if rows else ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=10_000)
    parser.add_argument("--turns", type=int, default=1000)
    parser.add_argument("--clients", type=int, default=1)
    parser.add_argument("--data", type=Path, metavar="DIR")
    parser.add_argument("--dry", action="store_true", help="print the row, and do not keep it")
    parser.add_argument("--write", type=Path, metavar="FILE")
    args = parser.parse_args()
    if args.write:
        write(args.write, table(), "judging")
        return
    with tempfile.TemporaryDirectory() as folder:
        measure(args, Path(folder))


if __name__ == "__main__":
    main()
