"""Thousands of feeds followed by one process: how long a round takes, how much memory, and how politely.

    python benchmarks/feeds.py [--feeds 5000] [--entries 4] [--dry]      measure
    python benchmarks/feeds.py --write docs/results.md                   only the table, from the results

A server on loopback, in a process of its own, has the feeds of as many hosts, two on every tenth host. Of a hundred
feeds one is always refused with an error, one asks to wait (429, Retry-After), one ends before its last entry, and
one sends a byte a second; all others answer with an ETag and, asked with it, that nothing is new. A second process
polls all of them into a new archive as `samestory follow` does: a first round with new articles, a second one in
which all are due again, and a third one in which a tenth of the feeds has a new article. Names are resolved by the
benchmark, and no connection leaves the machine. The server counts requests, those that were open at the same time to
one host, and the shortest pause between two requests to one host.
"""

import argparse
import asyncio
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import record
from table import markdown, write

RESULTS = record.RESULTS / "feeds.jsonl"
#: Every so many hosts have two feeds.
TWO_FEEDS_EVERY = 10
PER_HOST_SECONDS = 1.0
TIMEOUT_SECONDS = 5.0
#: What is special about some feeds, by their number modulo a hundred.
KINDS = {1: "error", 2: "busy", 3: "truncated", 4: "slow"}
#: In the third round, every so many feeds have another entry.
NEWS_EVERY = 10
FIRST = datetime(2026, 3, 1, tzinfo=UTC)
WORDS = ("council", "ferry", "harbour", "storm", "budget", "mill", "bridge", "school", "market", "river", "station")


def url_of(number: int, port: int) -> str:
    host = number - 1 if number % TWO_FEEDS_EVERY == 1 and number > 1 else number
    return f"http://host{host}.example:{port}/feed{number}.xml"


def feed(number: int, entries: int) -> str:
    """An RSS feed; each entry has other words than all others."""

    def item(entry: int) -> str:
        own = [f"{word}{number}x{entry}" for word in WORDS]
        at = (FIRST + timedelta(minutes=number % 1000 + 60 * entry)).strftime("%a, %d %b %Y %H:%M:%S +0000")
        link = f"http://host{number}.example/{entry}"
        text = " ".join(own * 3)
        head = f"<title>{own[0]} {own[1]}</title><link>{link}</link><pubDate>{at}</pubDate>"
        return f"<item>{head}<description>{text}</description></item>"

    items = "\n".join(map(item, range(entries)))
    return f'<?xml version="1.0"?><rss version="2.0"><channel><title>Feed {number}</title>{items}</channel></rss>'


class Server:
    """The hosts of all feeds."""

    def __init__(self, entries: int) -> None:
        self.entries, self.round = entries, 0
        self.seen: Counter[str] = Counter()
        self.open: Counter[str] = Counter()
        self.last: dict[str, float] = {}
        self.pause = float("inf")
        self.together = 0

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            path = head.split()[1]
            if path.startswith("/-/"):
                await self.control(path, writer)
            else:
                await self.feed(head, int(re.findall(r"\d+", path)[0]), writer)
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def control(self, path: str, writer: asyncio.StreamWriter) -> None:
        """Starts a round, and tells what was counted in the one before."""
        counted = {"together": self.together, "pause": self.pause, **self.seen}
        self.round, self.together, self.pause = int(path.rpartition("/")[2]), 0, float("inf")
        self.seen.clear()
        self.last.clear()
        body = json.dumps(counted).encode()
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
        await writer.drain()

    async def feed(self, head: str, number: int, writer: asyncio.StreamWriter) -> None:
        host = re.findall(r"(?i)^host: *(\S+)", head, re.MULTILINE)[0]
        now = time.monotonic()
        if host in self.last:
            self.pause = min(self.pause, now - self.last[host])
        self.last[host] = now
        self.open[host] += 1
        self.together = max(self.together, self.open[host])
        self.seen["requests"] += 1
        try:
            await self.body(head, number, writer)
        finally:
            self.open[host] -= 1

    async def body(self, head: str, number: int, writer: asyncio.StreamWriter) -> None:
        kind = KINDS.get(number % 100)
        if kind == "error":
            writer.write(b"HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n")
        elif kind == "busy":
            writer.write(b"HTTP/1.1 429 Later\r\nRetry-After: 120\r\nContent-Length: 0\r\n\r\n")
        else:
            has_news = self.round == 3 and number % NEWS_EVERY == 0
            body = feed(number, self.entries + has_news).encode()
            tag = f'"{number}-{has_news}"'
            if f"if-none-match: {tag}" in head.lower():
                self.seen["not modified"] += 1
                writer.write(b"HTTP/1.1 304 Same\r\n\r\n")
            else:
                if kind == "truncated":
                    body = body[: len(body) - 200]
                fields = f"Content-Type: application/rss+xml\r\nETag: {tag}\r\nContent-Length: {len(body)}"
                writer.write(f"HTTP/1.1 200 OK\r\n{fields}\r\n\r\n".encode())
                if kind == "slow":
                    for byte in body:
                        writer.write(bytes([byte]))
                        await writer.drain()
                        await asyncio.sleep(1)
                writer.write(body)
        await writer.drain()


async def serve(entries: int) -> None:
    server = await asyncio.start_server(Server(entries).answer, "127.0.0.1", 0, backlog=512)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


def follow(place: str, port: int, feeds: int) -> None:
    """Polls all feeds in three rounds; prints what each cost."""
    import http.client

    from samestory.archive import Archive
    from samestory.archive.subscriptions import poll, save, states, subscribe
    from samestory.feeds import Fetcher

    def counted(number: int) -> dict[str, Any]:
        connection = http.client.HTTPConnection("127.0.0.1", port)
        connection.request("GET", f"/-/{number}")
        found: dict[str, Any] = json.loads(connection.getresponse().read())
        return found

    def peak_mb() -> float:
        lines = Path("/proc/self/status").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024

    def resolver(host: str, port: int) -> list[str]:
        return ["127.0.0.1"]

    with Archive.open(place) as archive:
        subscribe(archive, [url_of(number, port) for number in range(feeds)])
        counted(1)
        for number, what in enumerate(("all new", "nothing new", "a tenth has news"), 1):
            for state in states(archive):
                if number > 1:
                    save(archive, replace(state, due=0))
            fetcher = Fetcher(
                allow_private=["127.0.0.0/8"], timeout=TIMEOUT_SECONDS, per_host=PER_HOST_SECONDS, resolver=resolver
            )
            began, cpu = time.perf_counter(), time.process_time()
            done = list(poll(archive, fetcher))
            seconds, cpu = time.perf_counter() - began, time.process_time() - cpu
            server = counted(number + 1)
            failed = sum(1 for state in done if state.error)
            warned = sum(1 for state in done if state.warning)
            measures = {
                "feeds": len(done),
                "seconds": seconds,
                "cpu_seconds": cpu,
                "articles": archive.stats()["articles"],
                "failed": failed,
                "with_warning": warned,
                "requests": server["requests"],
                "not_modified": server.get("not modified", 0),
                "at_once_to_one_host": server["together"],
                "shortest_pause": server["pause"],
                "peak_mb": peak_mb(),
            }
            print(json.dumps({"what": what, "measures": measures}), flush=True)


def measure(args: argparse.Namespace) -> None:
    from samestory import __version__

    date = record.now()
    words = [sys.executable, __file__, "--entries", str(args.entries), "--feeds", str(args.feeds)]
    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen([*words, "--serve"], stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout is not None
            port = server.stdout.readline().strip()
            place = str(Path(folder) / "news.db")
            with subprocess.Popen(
                [*words, "--poll", place, "--port", port], stdout=subprocess.PIPE, text=True
            ) as child:
                assert child.stdout is not None
                for line in child.stdout:
                    about = {"version": __version__, "machine": record.machine(), "date": date}
                    row = {**json.loads(line), **about, "load": os.getloadavg()[0]}
                    print(json.dumps(record.rounded(row)), flush=True)
                    if not args.dry:
                        record.append(RESULTS, row)
            if child.returncode:
                sys.exit(f"the followers ended with {child.returncode}")
        finally:
            server.terminate()
            server.wait()


def table() -> str:
    latest = {row["what"]: row["measures"] for row in record.read(RESULTS)}
    lines = [
        [
            what,
            f"{m['feeds']:,}",
            f"{m['seconds']:,.0f}",
            f"{m['cpu_seconds']:,.0f}",
            f"{m['requests']:,}",
            f"{m['not_modified']:,}",
            f"{m['failed']:,}",
            f"{m['with_warning']:,}",
            f"{m['articles']:,}",
            f"{m['at_once_to_one_host']}",
            f"{m['shortest_pause']:.2f}",
            f"{m['peak_mb']:,.0f}",
        ]
        for what, m in latest.items()
    ]
    heads = [
        "round",
        "feeds",
        "s",
        "CPU s",
        "requests",
        "not modified",
        "failed",
        "with a warning",
        "articles after it",
    ]
    return markdown([*heads, "at once to one host", "shortest pause, s", "peak MB"], lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--feeds", type=int, default=5000, metavar="N")
    parser.add_argument("--entries", type=int, default=4, metavar="N")
    parser.add_argument("--dry", action="store_true", help="record nothing")
    parser.add_argument("--write", type=Path, metavar="FILE")
    for name in ("--poll", "--port"):
        parser.add_argument(name, help=argparse.SUPPRESS)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.write:
        write(args.write, table(), "feeds")
    elif args.serve:
        asyncio.run(serve(args.entries))
    elif args.poll:
        follow(args.poll, int(args.port), args.feeds)
    else:
        measure(args)


if __name__ == "__main__":
    main()
