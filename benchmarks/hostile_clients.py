"""The portal under attack: how long honest readers wait while idle connections and hostile clients crowd it.

    python benchmarks/hostile_clients.py [--idle 2000] [--hostile 4] [--seconds 30] [--docs 2000]    measure
    python benchmarks/hostile_clients.py --write docs/results.md                  only the table, from the results

The server is `samestory portal` with its defaults, in a process of its own, with an archive of `--docs` articles that
`benchmarks/corpus.py` makes. Every client has a loopback address of its own (127.x.y.z), since limits are per client.
Idle connections come from `--addresses` addresses, send nothing, and are opened again when the server closes them.
Hostile clients are processes with `--connections` connections each that send without a pause, in turn: a body of
sixteen megabytes of keys, a thousand long hits to fold, a body in chunks of one byte, searches of many words, pages,
pipelined requests, and heads that stop half-way. Four honest readers open the front page, stories, searches and
comparisons, with a tenth of a second between two pages; a refused page is read again after `Retry-After` and counts
with the whole wait. All share the machine.
"""

import argparse
import http.client
import itertools
import json
import multiprocessing
import random
import re
import resource
import selectors
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import corpus
import record
from stores import quantile
from table import markdown, write

RESULTS = record.RESULTS / "hostile_clients.jsonl"
HTML = {"Accept": "text/html"}
READERS = 4


def fill(path: Path, data: Path) -> tuple[list[str], list[int], list[str]]:
    """An archive of the corpus; gives ids, stories and words."""
    from samestory import read
    from samestory.archive import Archive

    articles = list(read(data / "docs.jsonl"))
    with Archive.open(path) as archive:
        archive.add(articles)
        with archive.database.read() as session:
            stories = [number for (number,) in session.rows("SELECT DISTINCT story FROM articles ORDER BY story")]
    words = sorted({word for each in articles[:50] for word in re.findall(r"\w{4,}", each.text)})
    return [each.id for each in articles], stories, words


@contextmanager
def server(path: Path, folder: Path) -> Iterator[int]:
    """The server; gives its port."""
    (folder / "token").write_text("a-token-of-this-benchmark\n")
    words = ["portal", str(path), "--port", "0", "--token-file", str(folder / "token"), "--log", str(folder / "log")]
    process = subprocess.Popen([sys.executable, "-m", "samestory.cli", *words], stderr=subprocess.PIPE, text=True)
    try:
        assert process.stderr is not None
        found = re.search(r":(\d+)/", process.stderr.readline())
        if not found:
            sys.exit(f"the server did not start: {process.stderr.read()}")
        yield int(found[1])
    finally:
        process.terminate()
        process.wait()


def connect(port: int, address: str, timeout: float = 60) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout, (address, 0))


def idle(port: int, count: int, addresses: int, stop: threading.Event, opened: list[int]) -> None:
    """Holds so many connections open, and opens those again that the server closes."""
    ready = selectors.DefaultSelector()

    def open_one(number: int) -> None:
        with suppress(OSError):
            one = connect(port, f"127.1.0.{number % addresses + 1}")
            one.setblocking(False)
            ready.register(one, selectors.EVENT_READ, number)
            opened[0] += 1

    for number in range(count):
        open_one(number)
    while not stop.is_set():
        for key, _ in ready.select(0.2):
            ready.unregister(key.fileobj)
            key.fileobj.close()  # type: ignore[union-attr]
            open_one(key.data)


def payloads(ids: list[str], words: list[str]) -> list[bytes]:
    """What a hostile client sends, again and again."""

    def post(path: str, body: bytes) -> bytes:
        head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        return f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body

    keys = b'{"text": "a", ' + b",".join(b'"%07d":1' % number for number in range(1_400_000)) + b"}"
    draw = random.Random(2)
    hits = [{"text": " ".join(draw.choices(words, k=300))} for _ in range(1000)]
    chunked = b"POST /query HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked"
    many = "+OR+".join(words[:100])
    pages = [f"/search?q={many[:900]}", "/", f"/compare?left={ids[0]}&right={ids[1]}", "/search?q=a&sort=relevance"]
    gets = [f"GET {page} HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\n\r\n".encode() for page in pages]
    return [
        post("/query", keys),
        post("/fold", json.dumps({"hits": hits}).encode()),
        chunked + b"\r\n\r\n" + b"1\r\n \r\n" * 100_000 + b"0\r\n\r\n",
        *gets,
        b"".join(gets * 50),
        b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
    ]


def attack(port: int, address: str, sent: list[bytes], connections: int, until: float) -> None:
    """A hostile client."""

    def one(number: int) -> None:
        while time.monotonic() < until:
            for payload in sent[number % len(sent) :] + sent[: number % len(sent)]:
                with suppress(OSError), connect(port, address, 5) as open_one:
                    open_one.sendall(payload)
                    open_one.recv(1 << 16)
                if time.monotonic() >= until:
                    return

    threads = [threading.Thread(target=one, args=(number,), daemon=True) for number in range(connections)]
    for each in threads:
        each.start()
    for each in threads:
        each.join(max(0.0, until - time.monotonic()) + 1)


def read_pages(port: int, address: str, pages: list[str], until: float, waits: list[float], seen: Counter[int]) -> None:
    """An honest reader."""
    draw = random.Random(address)
    connection = http.client.HTTPConnection("127.0.0.1", port, 60, source_address=(address, 0))
    while time.monotonic() < until:
        page = draw.choice(pages)
        began = time.monotonic()
        while True:
            try:
                connection.request("GET", page, headers=HTML)
                answer = connection.getresponse()
                answer.read()
            except (OSError, http.client.HTTPException):
                seen[0] += 1  # an idle connection that the server has closed meanwhile
                connection.close()
                continue
            seen[answer.status] += 1
            if answer.status not in (429, 503):
                break
            time.sleep(float(answer.headers["Retry-After"]))
        waits.append(1000 * (time.monotonic() - began))
        time.sleep(0.1)


def readers(port: int, pages: list[str], seconds: float) -> tuple[list[float], Counter[int]]:
    """Four honest readers: how long they waited, and the statuses of the answers."""
    waits: list[float] = []
    seen: Counter[int] = Counter()
    until = time.monotonic() + seconds
    threads = [
        threading.Thread(target=read_pages, args=(port, f"127.2.0.{n + 1}", pages, until, waits, seen))
        for n in range(READERS)
    ]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    return waits, seen


def measure(args: argparse.Namespace, folder: Path) -> None:
    from samestory import __version__

    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    corpus.make(folder / "corpus", args.docs, 1, 2)
    ids, stories, words = fill(folder / "news.db", folder / "corpus")
    pages = ["/", "/status", *(f"/story/{number}" for number in stories[:50]), *(f"/search?q={w}" for w in words[:50])]
    pages += [f"/compare?left={left}&right={right}" for left, right in itertools.pairwise(ids[:21])]
    with server(folder / "news.db", folder) as port:
        calm, _ = readers(port, pages, min(10, args.seconds))
        stop, opened = threading.Event(), [0]
        crowd = threading.Thread(target=idle, args=(port, args.idle, args.addresses, stop, opened))
        crowd.start()
        while opened[0] < args.idle:
            time.sleep(0.1)
        sent, until = payloads(ids, words), time.monotonic() + args.seconds + 2
        hostile = [
            multiprocessing.Process(target=attack, args=(port, f"127.3.0.{n + 1}", sent, args.connections, until))
            for n in range(args.hostile)
        ]
        for each in hostile:
            each.start()
        time.sleep(1)
        waits, seen = readers(port, pages, args.seconds)
        for each in hostile:
            each.join()
        stop.set()
        crowd.join()
    row = {
        "what": "readers under attack",
        "version": __version__,
        "machine": record.machine(),
        "date": record.now(),
        "measures": {
            "docs": args.docs,
            "idle": args.idle,
            "hostile": args.hostile,
            "connections": args.connections,
            "idle_opened": opened[0],
            "pages": len(waits),
            "refused": seen[429] + seen[503],
            "calm_p50_ms": quantile(calm, 0.5),
            "calm_p99_ms": quantile(calm, 0.99),
            "p50_ms": quantile(waits, 0.5),
            "p99_ms": quantile(waits, 0.99),
            "most_ms": max(waits),
        },
    }
    if not args.dry:
        record.append(RESULTS, row)
    print(json.dumps(record.rounded(row)))
    print(dict(seen), file=sys.stderr)


def table() -> str:
    latest = {(row["measures"]["idle"], row["measures"]["hostile"]): row["measures"] for row in record.read(RESULTS)}
    rows = [
        [
            f"{idle:,}",
            str(hostile),
            f"{m['pages']:,}",
            *(f"{m[name]:,.0f}" for name in ("calm_p99_ms", "p50_ms", "p99_ms")),
        ]
        for (idle, hostile), m in sorted(latest.items())
    ]
    heads = ["idle connections", "hostile clients", "pages read", "p99 without them, ms", "p50, ms", "p99, ms"]
    return markdown(heads, rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--idle", type=int, default=2000)
    parser.add_argument("--addresses", type=int, default=16, help="addresses of the idle connections")
    parser.add_argument("--hostile", type=int, default=4)
    parser.add_argument("--connections", type=int, default=8, help="of every hostile client")
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--docs", type=int, default=2000)
    parser.add_argument("--dry", action="store_true", help="record nothing")
    parser.add_argument("--write", type=Path, help="write the table into this page")
    args = parser.parse_args()
    if args.write:
        write(args.write, table(), "hostile clients")
        return
    with tempfile.TemporaryDirectory() as folder:
        measure(args, Path(folder))


if __name__ == "__main__":
    main()
