"""The JSON API under load: eight clients at once, what they wait for, what fails, and the memory of the server.

    python benchmarks/api.py --place DB --data DIR [--seconds 60] [--clients 8]    measure
    python benchmarks/api.py --write docs/results.md                               only the tables, from the results

DB is an archive, such as `benchmarks/stores.py` leaves behind, and DIR the corpus that it was filled from.  The server
is `samestory portal`, in a process of its own, with its limit of requests lifted; the clients keep their connections
and ask again as soon as they are answered.  Of their requests three in ten are searches by a word of the corpus, two
are texts asked about, two are lists of 20 hits to fold, and one each is the front page, a story and a new article,
which is on disk when the answer comes.  Both sides share the machine.

Before that, lists of 20 and of 1,000 hits are folded one at a time.
"""

import argparse
import http.client
import json
import random
import secrets
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any

import record
from stores import changed, quantile
from table import markdown, write

RESULTS = record.RESULTS / "api.jsonl"
#: Articles of the corpus that questions are drawn from, and lists folded of every length.
DRAWN, LISTS = 5000, {20: 200, 1000: 20}
SHARES = {"search": 3, "query": 2, "fold 20": 2, "front page": 1, "story": 1, "add": 1}

Request = tuple[str, str, Any]


@contextmanager
def portal(place: str) -> Iterator[tuple[int, int, str]]:
    """A server over an archive: its port, its process and its token."""
    with tempfile.TemporaryDirectory() as folder:
        token = secrets.token_urlsafe(24)
        file = Path(folder) / "token"
        file.write_text(token)
        words = ["portal", place, "--port", "0", "--token-file", str(file), "--rate", "1000000"]
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
        sent = None if body is None else json.dumps(body)
        self._connection.request(method, path, sent, self._head)
        answer = self._connection.getresponse()
        return answer.status, json.loads(answer.read())


class Requests:
    """Requests as people and programs make them, drawn from the corpus."""

    def __init__(self, data: Path, seed: int, stories: list[int]) -> None:
        self._draw, self._stories, self._run, self._made = random.Random(seed), stories, secrets.token_hex(4), 0
        with (data / "docs.jsonl").open(encoding="utf-8") as lines:
            self._docs = [json.loads(line) for line in islice(lines, DRAWN)]

    def hits(self, count: int) -> list[dict[str, str]]:
        """A list of results: titles and passages, some of which say the same."""
        at = self._draw.randrange(max(1, len(self._docs) - 2 * count))
        drawn = self._draw.sample(self._docs[at : at + 2 * count], min(count, len(self._docs)))
        return [{"title": doc["title"], "snippet": " ".join(doc["text"].split()[:40])} for doc in drawn]

    def draw(self) -> tuple[str, Request]:
        kind = self._draw.choices(list(SHARES), list(SHARES.values()))[0]
        doc = self._draw.choice(self._docs)
        if kind == "search":
            return kind, ("GET", f"/search.json?q={self._draw.choice(_plain(doc['text']))}", None)
        if kind == "query":
            return kind, ("POST", "/query", {"text": changed(doc["text"], self._draw.randrange(10**9))})
        if kind == "fold 20":
            return kind, ("POST", "/fold", {"hits": self.hits(20)})
        if kind == "front page":
            return kind, ("GET", "/index.json", None)
        if kind == "story":
            return kind, ("GET", f"/story/{self._draw.choice(self._stories)}.json", None)
        self._made += 1
        text = changed(doc["text"], self._draw.randrange(10**9))
        new = {"id": f"api-{self._run}-{self._made}", "text": text, "title": doc["title"], "source": doc["source"]}
        return kind, ("POST", "/article", new)


def _plain(text: str) -> list[str]:
    return [word for word in text.split() if word.isascii() and word.isalpha()] or ["news"]


def resident(process: int) -> float:
    """The memory of a process in MB."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024


def load(
    port: int, process: int, token: str, make: Callable[[int], Requests], args: argparse.Namespace
) -> dict[str, Any]:
    """Everybody asks until the time is over."""
    times: dict[str, list[float]] = defaultdict(list)
    failed: list[str] = []
    turn = threading.Lock()
    until = time.perf_counter() + args.seconds

    def one(number: int) -> None:
        client, requests = Client(port, token), make(number)
        while time.perf_counter() < until:
            kind, request = requests.draw()
            began = time.perf_counter()
            try:
                status, answer = client.ask(request)
            except (OSError, http.client.HTTPException, ValueError) as error:
                status, answer = 0, repr(error)
                client = Client(port, token)
            took = 1000 * (time.perf_counter() - began)
            with turn:
                times[kind].append(took)
                if not 200 <= status < 300:
                    failed.append(f"{kind}: {status} {str(answer)[:200]}")

    clients = [threading.Thread(target=one, args=(number,)) for number in range(args.clients)]
    for client in clients:
        client.start()
    memory = []
    while any(client.is_alive() for client in clients):
        memory.append(resident(process))
        time.sleep(min(1.0, args.seconds / 20))
    for error in failed[:10]:
        print(error, file=sys.stderr)
    every = [each for found in times.values() for each in found]
    quarter = max(1, len(memory) // 4)
    return {
        "clients": args.clients,
        "seconds": args.seconds,
        "requests_per_second": len(every) / args.seconds,
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

    with portal(args.place) as (port, process, token):
        client = Client(port, token)
        _, front = client.ask(("GET", "/index.json", None))
        stories = [story["number"] for story in front["stories"]]
        client.ask(("POST", "/query", {"text": "The first request waits for the archive to be read."}))
        _, status = client.ask(("GET", "/status.json", None))
        requests = Requests(args.data, 0, stories)
        for count, lists in LISTS.items():
            waits = []
            for _ in range(lists):
                hits = requests.hits(count)
                began = time.perf_counter()
                code, _ = client.ask(("POST", "/fold", {"hits": hits}))
                waits.append(1000 * (time.perf_counter() - began))
                if code != 200:
                    sys.exit(f"a list of {count} hits was answered with {code}")
            emit(f"fold {count}", {"p50_ms": quantile(waits, 0.5), "p99_ms": quantile(waits, 0.99), "lists": lists})
        measures = load(port, process, token, lambda seed: Requests(args.data, seed, stories), args)
        emit("load", measures | {"articles": status["articles"]})


def tables() -> str:
    latest = {row["what"]: row["measures"] for row in record.read(RESULTS)}
    if "load" not in latest:
        return ""
    m = latest["load"]
    rows = [
        [what, f"{each['requests']:,}", f"{each['p50_ms']:.1f}", f"{each['p99_ms']:.1f}"]
        for what, each in m["kinds"].items()
    ]
    rows += [
        [
            f"{what} hits, no other load",
            f"{latest[what]['lists']:,}",
            *(f"{latest[what][p]:.1f}" for p in ("p50_ms", "p99_ms")),
        ]
        for what in (f"fold {count}" for count in LISTS)
        if what in latest
    ]
    text = (
        f"{m['clients']} clients for {m['seconds']} seconds over {m['articles']:,} articles:"
        f" {m['requests_per_second']:,.0f} requests a second, {m['errors']} errors, p50 {m['p50_ms']:.1f} ms,"
        f" p99 {m['p99_ms']:.1f} ms. Memory of the server: {m['memory_second_quarter_mb']:,.0f} MB in the second"
        f" quarter of the time, {m['memory_last_quarter_mb']:,.0f} MB in the last."
    )
    return text + "\n\n" + markdown(["request", "how many", "p50 ms", "p99 ms"], rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--place", metavar="DB")
    parser.add_argument("--data", type=Path, metavar="DIR")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--write", type=Path, metavar="FILE")
    args = parser.parse_args()
    if args.place and args.data:
        measure(args)
    if args.write:
        write(args.write, tables(), "api")


if __name__ == "__main__":
    main()
