"""The JSON API: processor time of every kind of request, and clients at once: waits, failures, memory of the server.

    python benchmarks/api.py --place DB --data DIR [--seconds 60] [--clients 8 64] [--workers 2]    measure
    python benchmarks/api.py --write docs/results.md                               only the tables, from the results

DB is an archive, such as `benchmarks/stores.py` leaves behind, and DIR the corpus that it was filled from.  The server
is `samestory portal`, in a process of its own, with its limit of requests lifted; the clients keep their connections
and ask again as soon as they are answered.  Of their requests three in ten are searches by a word of the corpus, two
are texts asked about, two are lists of 20 hits to fold, and one each is the front page, a story and a new article,
which is on disk when the answer comes.  Both sides share the machine: under load, requests are drawn in advance, and
answers are not parsed.

Before that, every kind of request is sent alone, one after another, by one client: what one request costs the server,
in processor time of all its processes, which depends on other programs of the machine less than the waiting does.
"""

import argparse
import http.client
import json
import os
import random
import secrets
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any

import record
from measure import busy_seconds, process_tree
from stores import changed, quantile
from table import markdown, write

RESULTS = record.RESULTS / "api.jsonl"
#: Articles of the corpus that questions are drawn from, and requests of every kind that are sent alone.
DRAWN, ALONE = 5000, 100
#: Requests a second that all clients together draw in advance.
PREPARED = 800
#: Lists of 1,000 hits, each of which takes as long as some hundred other requests.
LONG_LISTS = 20
SHARES = {"search": 3, "query": 2, "fold 20": 2, "front page": 1, "story": 1, "add": 1}

Request = tuple[str, str, Any]


@contextmanager
def portal(place: str, workers: int) -> Iterator[tuple[int, int, str]]:
    """A server over an archive: its port, its process and its token."""
    with tempfile.TemporaryDirectory() as folder:
        token = secrets.token_urlsafe(24)
        file = Path(folder) / "token"
        file.write_text(token)
        words = ["portal", place, "--port", "0", "--token-file", str(file), "--rate", "1000000"]
        words += ["--workers", str(workers)]
        server = subprocess.Popen(
            [Path(sys.executable).with_name("samestory"), *words], stderr=subprocess.PIPE, text=True
        )
        try:
            assert server.stderr is not None
            line = server.stderr.readline()
            yield int(line.rstrip().rstrip("/").rpartition(":")[2]), server.pid, token
        finally:
            server.terminate()
            server.wait()


class Client:
    """One connection that is kept."""

    def __init__(self, port: int, token: str) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self._head = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}

    def ask(self, request: Request) -> tuple[int, Any]:
        method, path, body = request
        status, answer = self.send((method, path, encoded(body)))
        return status, json.loads(answer)

    def send(self, request: tuple[str, str, bytes | None]) -> tuple[int, bytes]:
        """Sends a request whose body is encoded already; the answer is not parsed."""
        method, path, body = request
        self._connection.request(method, path, body, self._head)
        answer = self._connection.getresponse()
        return answer.status, answer.read()


def encoded(body: Any) -> bytes | None:
    return None if body is None else json.dumps(body).encode()


class Requests:
    """Requests as people and programs make them, drawn from the corpus."""

    def __init__(self, data: Path, seed: int, stories: list[int]) -> None:
        self._draw, self._stories, self._run, self._made = random.Random(seed), stories, secrets.token_hex(4), 0
        self._docs = _documents(data)

    def hits(self, count: int) -> list[dict[str, str]]:
        """A list of results: titles and passages, some of which say the same."""
        at = self._draw.randrange(max(1, len(self._docs) - 2 * count))
        drawn = self._draw.sample(self._docs[at : at + 2 * count], min(count, len(self._docs)))
        return [{"title": doc["title"], "snippet": doc["snippet"]} for doc in drawn]

    def draw(self) -> tuple[str, Request]:
        kind = self._draw.choices(list(SHARES), list(SHARES.values()))[0]
        if kind == "search":
            return kind, ("GET", f"/search.json?q={self.word()}", None)
        if kind == "query":
            return kind, self.query()
        if kind == "fold 20":
            return kind, ("POST", "/fold", {"hits": self.hits(20)})
        if kind == "front page":
            return kind, ("GET", "/index.json", None)
        if kind == "story":
            return kind, ("GET", f"/story/{self._draw.choice(self._stories)}.json", None)
        return kind, self.add()

    def word(self) -> str:
        return self._draw.choice(_plain(self._draw.choice(self._docs)["text"]))

    def article_id(self) -> str:
        return str(self._draw.choice(self._docs)["id"])

    def query(self) -> Request:
        """An article of the corpus with other words in some places."""
        return "POST", "/query", {"text": self._changed(self._draw.choice(self._docs))}

    def add(self) -> Request:
        self._made += 1
        doc = self._draw.choice(self._docs)
        id = f"api-{self._run}-{self._made}"
        return (
            "POST",
            "/article",
            {"id": id, "text": self._changed(doc), "title": doc["title"], "source": doc["source"]},
        )

    def _changed(self, doc: dict[str, Any]) -> str:
        return changed(doc["text"], self._draw.randrange(10**9))


@cache
def _documents(data: Path) -> list[dict[str, Any]]:
    """The articles that requests are drawn from, which all clients share."""
    with (data / "docs.jsonl").open(encoding="utf-8") as lines:
        docs = [json.loads(line) for line in islice(lines, DRAWN)]
    return [{**doc, "snippet": " ".join(doc["text"].split()[:40])} for doc in docs]


def _plain(text: str) -> list[str]:
    return [word for word in text.split() if word.isascii() and word.isalpha()] or ["news"]


class Prepared:
    """Requests that are drawn and encoded before the time begins: the clients share the machine with the server."""

    def __init__(self, requests: Requests, count: int) -> None:
        self._requests = requests
        self._first = [self._next() for _ in range(count)]

    def _next(self) -> tuple[str, tuple[str, str, bytes | None]]:
        kind, (method, path, body) = self._requests.draw()
        return kind, (method, path, encoded(body))

    def __iter__(self) -> Iterator[tuple[str, tuple[str, str, bytes | None]]]:
        yield from self._first
        while True:
            yield self._next()


def resident(process: int) -> float:
    """The memory of a process and its children in MB."""
    total = 0
    for each in process_tree(process):
        lines = Path(f"/proc/{each}/status").read_text().splitlines()
        total += next((int(line.split()[1]) for line in lines if line.startswith("VmRSS")), 0)
    return total / 1024


def processor_ms(process: int) -> float:
    """The processor time that a process, its children and all of their threads have used."""
    nanoseconds = 0
    for each in process_tree(process):
        for file in Path(f"/proc/{each}/task").glob("*/schedstat"):
            with suppress(OSError):  # the thread has ended
                nanoseconds += int(file.read_text().split()[0])
    return nanoseconds / 1e6


class Cost:
    """What requests of one kind take, sent one after another: waiting, and the processor of the server."""

    def __init__(self, client: Client, process: int) -> None:
        self._client, self._process = client, process
        self.waits: list[float] = []
        self.processor: list[float] = []

    def ask(self, request: Request) -> Any:
        before, began = processor_ms(self._process), time.perf_counter()
        status, answer = self._client.ask(request)
        self.waits.append(1000 * (time.perf_counter() - began))
        time.sleep(0.001)  # what the server does after it has answered counts, too
        self.processor.append(processor_ms(self._process) - before)
        if not 200 <= status < 300:
            sys.exit(f"{request[0]} {request[1]} was answered with {status}: {str(answer)[:200]}")
        return answer

    def measures(self) -> dict[str, Any]:
        return {
            "requests": len(self.waits),
            "p50_ms": quantile(self.waits, 0.5),
            "p99_ms": quantile(self.waits, 0.99),
            "cpu_p50_ms": quantile(self.processor, 0.5),
            "cpu_p99_ms": quantile(self.processor, 0.99),
            "cpu_ms": sum(self.processor) / len(self.processor),
        }


def alone(client: Client, process: int, requests: Requests, largest: int) -> dict[str, Cost]:
    """Every kind of request by one client; `largest`: the number of the story with the most articles."""
    costs: dict[str, Cost] = defaultdict(lambda: Cost(client, process))
    costs["largest story, first view"].ask(("GET", f"/story/{largest}.json", None))
    for limit in range(40, 50):  # another page each time, which no cache has
        costs["largest story"].ask(("GET", f"/story/{largest}.json?limit={limit}", None))
    stories = [
        each["number"] for each in costs["a page of 200 stories"].ask(("GET", "/index.json?limit=200", None))["stories"]
    ]
    for number in stories[:ALONE]:
        costs["story"].ask(("GET", f"/story/{number}.json", None))
        costs["story again"].ask(("GET", f"/story/{number}.json", None))
        costs["story as a page"].ask(("GET", f"/story/{number}", None))
    for _ in range(ALONE):
        costs["nothing"].ask(("GET", "/live", None))
        word = requests.word()
        costs["search"].ask(("GET", f"/search.json?q={word}", None))
        costs["search again"].ask(("GET", f"/search.json?q={word}", None))
        first, second = costs["query"].ask(requests.query()), requests.article_id()
        repeats = [each["article"]["id"] for each in first["repeats"]]
        costs["article"].ask(("GET", f"/article.json?id={second}", None))
        if repeats and repeats[0] != second:
            costs["compare"].ask(("GET", f"/compare.json?left={repeats[0]}&right={second}", None))
        costs["fold 20"].ask(("POST", "/fold", {"hits": requests.hits(20)}))
        costs["add"].ask(requests.add())
        costs["front page after an add"].ask(("GET", "/index.json", None))
        costs["search after an add"].ask(("GET", f"/search.json?q={word}", None))
        costs["query after an add"].ask(requests.query())
    for _ in range(LONG_LISTS):
        costs["fold 1000"].ask(("POST", "/fold", {"hits": requests.hits(1000)}))
    return costs


def largest_story(place: str) -> int:
    from samestory.database import connect

    with connect(place) as database, database.read() as session:
        return session.one("SELECT story FROM articles GROUP BY story ORDER BY count(*) DESC, story LIMIT 1")[0]


def load(
    port: int, process: int, token: str, make: Callable[[int], Requests], args: argparse.Namespace
) -> dict[str, Any]:
    """Everybody asks until the time is over."""
    times: dict[str, list[float]] = defaultdict(list)
    failed: list[str] = []
    turn = threading.Lock()
    drawn = [
        Prepared(make(number), args.seconds * PREPARED // args.load_clients) for number in range(args.load_clients)
    ]
    until = time.perf_counter() + args.seconds

    def one(number: int) -> None:
        client = Client(port, token)
        for kind, request in drawn[number]:
            began = time.perf_counter()
            if began > until:
                break
            try:
                status, answer = client.send(request)
            except (OSError, http.client.HTTPException, ValueError) as error:
                status, answer = 0, repr(error).encode()
                client = Client(port, token)
            took = 1000 * (time.perf_counter() - began)
            with turn:
                times[kind].append(took)
                if not 200 <= status < 300:
                    failed.append(f"{kind}: {status} {answer[:200]!r}")

    clients = [threading.Thread(target=one, args=(number,)) for number in range(args.load_clients)]
    for client in clients:
        client.start()
    memory, spent = [], processor_ms(process)
    while any(client.is_alive() for client in clients):
        memory.append(resident(process))
        time.sleep(min(1.0, args.seconds / 20))
    for error in failed[:10]:
        print(error, file=sys.stderr)
    spent = processor_ms(process) - spent
    every = [each for found in times.values() for each in found]
    quarter = max(1, len(memory) // 4)
    return {
        "clients": args.load_clients,
        "seconds": args.seconds,
        "requests_per_second": len(every) / args.seconds,
        "cpu_ms": spent / max(1, len(every)),
        "errors": len(failed),
        "memory_second_quarter_mb": median(memory[quarter : 2 * quarter] or memory),
        "memory_last_quarter_mb": median(memory[-quarter:]),
        "p50_ms": quantile(every, 0.5),
        "p99_ms": quantile(every, 0.99),
        "kinds": {
            kind: {"requests": len(found), "p50_ms": quantile(found, 0.5), "p99_ms": quantile(found, 0.99)}
            for kind, found in sorted(times.items())
        },
    }


def measure(args: argparse.Namespace) -> None:
    from samestory import __version__

    head = {"version": __version__, "machine": record.machine(), "date": record.now(), "corpus": args.data.name}

    def emit(what: str, measures: dict[str, Any]) -> None:
        row = head | {"what": what, "measures": measures}
        record.append(RESULTS, row)
        print(json.dumps(record.rounded(row)), flush=True)

    largest = largest_story(args.place)
    with portal(args.place, 1) as (port, process, token):
        client = Client(port, token)
        _, front = client.ask(("GET", "/index.json", None))
        stories = [story["number"] for story in front["stories"]]
        client.ask(("POST", "/query", {"text": "The first request waits for the archive to be read."}))
        _, status = client.ask(("GET", "/status.json", None))
        busy, spent, began = busy_seconds(), processor_ms(process) / 1000 + time.process_time(), time.perf_counter()
        costs = alone(client, process, Requests(args.data, 0, stories), largest)
        spent = processor_ms(process) / 1000 + time.process_time() - spent
        others = (busy_seconds() - busy - spent) / (time.perf_counter() - began) / (os.cpu_count() or 1)
        kinds = {kind: cost.measures() for kind, cost in costs.items()}
        emit("alone", {"articles": status["articles"], "others": max(0.0, others), **kinds})
    for clients in args.clients if args.seconds else ():
        with portal(args.place, args.workers) as (port, process, token):
            for _ in range(
                4 * args.workers
            ):  # with connections of their own, so that all workers have read the archive
                Client(port, token).ask(("GET", "/index.json", None))
                Client(port, token).ask(("POST", "/query", {"text": "The first request waits for the archive."}))
            args.load_clients = clients
            measures = load(port, process, token, lambda seed: Requests(args.data, seed, stories), args)
            emit(f"load of {clients}", measures | {"articles": status["articles"], "workers": args.workers})


def tables() -> str:
    latest = {row["what"]: row["measures"] for row in record.read(RESULTS)}
    parts = []
    if "alone" in latest:
        kinds = {kind: each for kind, each in latest["alone"].items() if isinstance(each, dict)}
        rows = [
            [
                kind,
                f"{each['requests']:,}",
                *(f"{each[column]:.1f}" for column in ("cpu_ms", "cpu_p99_ms", "p50_ms", "p99_ms")),
            ]
            for kind, each in sorted(kinds.items())
        ]
        head = ["request", "how many", "processor ms", "p99", "p50 ms of waiting", "p99"]
        text = f"One request at a time over {latest['alone']['articles']:,} articles; other programs used"
        parts.append(f"{text} {latest['alone']['others']:.0%} of the machine meanwhile.\n\n{markdown(head, rows)}")
    if "load of 8" in latest:
        latest.pop("load", None)  # measured with an earlier version of this program
    parts += [_load_table(measures) for what, measures in latest.items() if what.startswith("load")]
    return "\n\n".join(parts)


def _load_table(m: dict[str, Any]) -> str:
    rows = [
        [what, f"{each['requests']:,}", f"{each['p50_ms']:.1f}", f"{each['p99_ms']:.1f}"]
        for what, each in m["kinds"].items()
    ]
    cost = f", {m['cpu_ms']:.1f} ms of processor time a request" if "cpu_ms" in m else ""
    text = (
        f"{m['clients']} clients for {m['seconds']} seconds over {m['articles']:,} articles,"
        f" {m.get('workers', 1)} worker{'s' if m.get('workers', 1) > 1 else ''}:"
        f" {m['requests_per_second']:,.0f} requests a second, {m['errors']} errors, p50 {m['p50_ms']:.1f} ms,"
        f" p99 {m['p99_ms']:.1f} ms{cost}. Memory of the server:"
        f" {m['memory_second_quarter_mb']:,.0f} MB in the second quarter of the time,"
        f" {m['memory_last_quarter_mb']:,.0f} MB in the last."
    )
    return text + "\n\n" + markdown(["request", "how many", "p50 ms", "p99 ms"], rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--place", metavar="DB")
    parser.add_argument("--data", type=Path, metavar="DIR")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--clients", type=int, nargs="+", default=[8, 64])
    parser.add_argument("--workers", type=int, default=2, help="worker processes of the server under load")
    parser.add_argument("--write", type=Path, metavar="FILE")
    args = parser.parse_args()
    if args.place and args.data:
        measure(args)
    if args.write:
        write(args.write, tables(), "api")


if __name__ == "__main__":
    main()
