"""Search folded to stories: how long a first page takes, by how frequent the words are.

    python benchmarks/search.py --data DIR [--place .bench/search.db] [--articles 200000] [--asked 100]     measure
    python benchmarks/search.py --write docs/results.md                    only the table, from the results

DIR holds a corpus of benchmarks/corpus.py.  Its planted groups are the stories, all other articles stand alone; every
second article is filed as Turkish, so that words are looked for by their stems too.  A place that is filled already is
taken as it is.  Words are drawn by the number of articles they stand in; every question is asked once, in a mixed
order, after one page that reads the table into memory.  All totals are counted again by the database alone.
"""

import argparse
import json
import os
import random
import sys
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any

import record
from measure import busy_seconds
from table import markdown, write

RESULTS = record.RESULTS / "search.jsonl"
#: Beside the other things that benchmarks make, which are not kept.
PLACE = record.RESULTS.parents[1] / ".bench" / "search.db"
#: Articles in a transaction, and those whose words are counted to know how frequent words are.
BATCH, COUNTED = 2000, 5000
#: Shares of the articles that a word of a kind stands in.
KINDS = {"rare": (0.0004, 0.002), "common": (0.005, 0.05), "frequent": (0.2, 0.4)}


def articles(folder: Path, count: int) -> Iterator[dict[str, Any]]:
    with (folder / "docs.jsonl").open(encoding="utf-8") as lines:
        yield from map(json.loads, islice(lines, count))


def fill(database: Any, folder: Path, count: int) -> float:
    """Files the corpus by plain SQL; gives how long the words took."""
    from samestory.archive.words import index_words

    stories: dict[str, int] = {}
    with (folder / "clusters.jsonl").open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 10_000_000):
            stories |= dict.fromkeys(json.loads(line)["ids"], number)
    columns = ("number", "id", "source", "lang", "at", "day", "arrived", "words", "likeness", "story", "revision")
    spent = 0.0
    for batch in batches(enumerate(articles(folder, count), 1), BATCH):
        rows, texts, entries = [], [], []
        for number, doc in batch:
            at = round(datetime.fromisoformat(doc["date"]).timestamp() * 1e6)
            lang, text = ("tr", "en")[number % 2], doc["text"]
            likeness, story = zlib.crc32(text.encode()), stories.get(doc["id"], number)
            length = text.count(" ") + 1
            rows.append(
                (number, doc["id"], doc["source"], lang, at, at // 86_400_000_000, at, length, likeness, story, 1)
            )
            texts.append((number, text, doc["title"], doc["date"], None))
            entries.append((number, doc["title"], text, lang))
        with database.write() as session:
            session.insert("articles", columns, rows)
            session.insert("texts", ("number", "text", "title", "published", "url"), texts)
            begun = time.perf_counter()
            index_words(session, database.kind, entries)
            spent += time.perf_counter() - begun
            session.insert("changes", ("at", "what"), [(0, "opened")])
    return spent


def batches(rows: Iterator[Any], size: int) -> Iterator[list[Any]]:
    while batch := list(islice(rows, size)):
        yield batch


def questions(folder: Path, count: int, asked: int) -> dict[str, list[str]]:
    """So many questions of every kind."""
    from samestory.archive.words import split_terms

    draws = random.Random(1)
    # from all over the file, because the articles of a group stand together
    texts = [
        doc["text"] for number, doc in enumerate(articles(folder, count)) if number % max(1, count // COUNTED) == 0
    ]
    rows = split_terms(texts)
    counts = Counter(term for row in rows for term in set(row) if not term.isdigit())
    by_kind = {
        kind: sorted(term for term, n in counts.items() if low <= n / len(rows) <= high)
        for kind, (low, high) in KINDS.items()
    }

    def drawn(make: Callable[[], str]) -> list[str]:
        return [make() for _ in range(asked)]

    def phrase() -> str:
        row = draws.choice(rows)
        at = draws.randrange(max(1, len(row) - 1))
        return f'"{" ".join(row[at : at + 2])}"'

    def word(kind: str) -> str:
        return draws.choice(by_kind[kind])

    return {
        "everything": [""] * asked,
        **{f"a {kind} word": drawn(lambda kind=kind: word(kind)) for kind in KINDS},  # type: ignore[misc]
        "a rare and a frequent word": drawn(lambda: f"{word('rare')} {word('frequent')}"),
        "two frequent words": drawn(lambda: f"{word('frequent')} {word('frequent')}"),
        "one of two frequent words": drawn(lambda: f"{word('frequent')} OR {word('frequent')}"),
        "a frequent word without a common one": drawn(lambda: f"{word('frequent')} -{word('common')}"),
        "two words in a row": drawn(phrase),
        "a frequent word in Turkish since a day": drawn(lambda: f"{word('frequent')} lang:tr since:2025-06-01"),
    }


def counted(session: Any, kind: str, typed: str) -> tuple[int, int]:
    """Stories and articles that answer a question, counted by the database alone."""
    from samestory.archive.query import SYNTAXES, parse

    query = parse(typed)
    where, args = ["1 = 1"], []
    if query.wanted:
        where.append(
            "number IN (SELECT rowid FROM words WHERE words MATCH ?)"
            if kind == "sqlite"
            else "number IN (SELECT number FROM texts WHERE found @@ CAST(? AS tsquery))"
        )
        args.append(SYNTAXES[kind].matching(query))
    for language in query.filters.languages:
        where.append("lang = ?")
        args.append(language)
    if query.filters.since is not None:
        where.append("day >= ?")
        args.append(query.filters.since)
    sql = f"SELECT count(DISTINCT story), count(*) FROM articles WHERE {' AND '.join(where)}"
    return tuple(session.one(sql, args))


def nth(values: list[float], share: float) -> float:
    """The value below which a share of the values lies."""
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def measure(args: argparse.Namespace) -> None:
    from samestory import __version__
    from samestory.archive.search import search
    from samestory.database import connect

    meta = json.loads((args.data / "meta.json").read_text())
    head = {
        "date": record.now(),
        "version": __version__,
        "machine": record.machine(),
        "corpus": {"sha256": meta["files"]["docs.jsonl"]["sha256"][:16], "articles": args.articles},
    }
    with connect(args.place) as database:
        with database.read() as session:
            filled = session.one("SELECT count(*) FROM articles")[0]
        if not filled:
            begun = time.perf_counter()
            spent = fill(database, args.data, args.articles)
            cost = {"seconds": time.perf_counter() - begun, "words_seconds": spent, "bytes": database.size()}
            print("filled", record.rounded(cost), file=sys.stderr)
            row = {"what": "filing", "spec": database.kind, "items": args.articles, "measures": cost}
            record.append(RESULTS, head | row)
        elif filled != args.articles:
            raise SystemExit(f"{args.place}: expected holds {filled:,} articles, {args.articles:,}")
        asked = questions(args.data, args.articles, args.asked)
        begun = time.perf_counter()
        search(database)
        print(f"read into memory in {time.perf_counter() - begun:.2f} s", file=sys.stderr)
        every = [(kind, sort, typed) for kind, all in asked.items() for sort in ("time", "relevance") for typed in all]
        random.Random(2).shuffle(every)
        times: dict[tuple[str, str], list[float]] = {}
        own_times: dict[tuple[str, str], list[float]] = {}
        totals: dict[tuple[str, str], list[int]] = {}
        busy, started, own = busy_seconds(), time.perf_counter(), time.process_time()
        pages = []
        for kind, sort, typed in every:
            begun, own_begun = time.perf_counter(), time.process_time()
            page = search(database, typed, sort=sort)
            times.setdefault((kind, sort), []).append(time.perf_counter() - begun)
            own_times.setdefault((kind, sort), []).append(time.process_time() - own_begun)
            totals.setdefault((kind, sort), []).append(page.total_articles)
            pages.append((typed, (page.total_stories, page.total_articles)))
        wall, spent = time.perf_counter() - started, time.process_time() - own
        others = max(0.0, (busy_seconds() - busy - spent) / wall / (os.cpu_count() or 1))
        with database.read() as session:
            wrong = sum(counted(session, database.kind, typed) != found for typed, found in dict(pages).items())
        for (kind, sort), seconds in sorted(times.items()):
            measures = {
                "p50": nth(seconds, 0.5),
                "p99": nth(seconds, 0.99),
                "cpu_p50": nth(own_times[kind, sort], 0.5),
                "cpu_p99": nth(own_times[kind, sort], 0.99),
                "questions": len(seconds),
                "articles": sum(totals[kind, sort]) / len(seconds),
                "wrong": wrong,
                "others": others,
            }
            print(f"{kind}, by {sort}", record.rounded(measures), file=sys.stderr)
            row = {"what": kind, "spec": f"{database.kind}, by {sort}", "items": args.articles, "measures": measures}
            record.append(RESULTS, head | row)


def tables(rows: list[dict[str, Any]]) -> str:
    """The latest row of every kind of question."""
    latest = {(row["spec"], row["items"], row["what"]): row for row in rows if row["what"] != "filing"}
    out = []
    for (spec, items, what), row in latest.items():
        m = row["measures"]
        milliseconds = [f"{1000 * m[p]:.0f}" for p in ("p50", "p99", "cpu_p50", "cpu_p99")]
        out.append([what, spec, f"{items:,}", f"{m['articles']:,.0f}", *milliseconds])
    head = [
        "question",
        "database and order",
        "articles",
        "of which answer",
        "p50 ms",
        "p99 ms",
        "of a processor p50",
        "p99",
    ]
    machine = next(iter(latest.values()))["machine"] if latest else {}
    others = max((row["measures"]["others"] for row in latest.values()), default=0.0)
    note = f"One thread of {machine.get('cpu')}; other programs used up to {others:.0%} of the machine meanwhile."
    return markdown(head, sorted(out)) + f"\n\n{note}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--data", type=Path, metavar="DIR", help="a corpus of benchmarks/corpus.py")
    parser.add_argument("--place", default=str(PLACE), help="where the archive is, or is made")
    parser.add_argument("--articles", type=int, default=200_000)
    parser.add_argument("--asked", type=int, default=100, help="questions of every kind")
    parser.add_argument("--write", type=Path, metavar="FILE", help="put the table between the marks of this file")
    args = parser.parse_args()
    if args.data:
        PLACE.parent.mkdir(exist_ok=True)
        measure(args)
    if args.write:
        write(args.write, tables(list(record.read(RESULTS))), "search")


if __name__ == "__main__":
    main()
