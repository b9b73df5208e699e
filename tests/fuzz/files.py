"""Files of articles in all formats, compressions and encodings; records and lines of them."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import tempfile
from collections.abc import Callable
from functools import cache
from itertools import chain, pairwise
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from samestory import _core
from samestory.readers import read
from samestory.readers.articles import Source
from tests.fuzz.changes import changed, changed_lines, changed_text
from tests.fuzz.target import Target, attempt
from tests.fuzz.values import ARTICLES, detector

#: A file may hold no article of more bytes.
MAX_ARTICLE_BYTES = 50_000
FIELDS = ["id", "title", "text", "date", "url", "source", "lang"]
DETECTORS = ["reuse()", "event()", "exact()", "minhash()", "cosine()", "codet()"]
METHODS = ["star", "components", "majority"]
ENCODINGS = [None, None, None, "utf-8", "utf-16", "windows-1254", "iso-2022-jp", "gb18030", "klingon"]
DATES = [
    *(
        "2026-03-02",
        "2026-03-02T08:00:00+03:00",
        "Mon, 02 Mar 2026 08:00:00 GMT",
        "20260302",
        "1772438400",
        "02.03.2026",
    ),
    *("1772438400000", "2 Mart 2026", "March 2, 2026 8:00 PM", "2026-W10-1", "0001-01-01", "9999-12-31T23:59:60Z"),
]


def record(article: Any) -> dict[str, Any]:
    """Return an article as an object."""
    own = {"id": article.id, "title": article.title, "text": article.text[:300], "date": article.published}
    return {**own, "url": f"http://example.com/{article.id}", "source": "Post", "lang": article.lang}


def table(mark: str) -> bytes:
    """Return the articles as a table with quoted values."""

    def quoted(value: object) -> str:
        return '"' + str(value or "").replace('"', '""') + '"'

    lines = [mark.join(FIELDS)]
    lines += [mark.join(quoted(record(article)[name]) for name in FIELDS) for article in ARTICLES]
    return "\r\n".join(lines).encode()


@cache
def lines() -> list[str]:
    """The articles as lines of JSON, some with other fields and escapes."""
    own = [json.dumps(record(article), ensure_ascii=number % 2 == 0) for number, article in enumerate(ARTICLES)]
    odd = [
        '{"headline": "Snow \\ud83d\\ude00", "body": ["one", {"two": 2.5e3}], "published_at": 1772438400}',
        '{"id": 17, "text": "A text.", "date": null, "lang": "tr-TR", "extra": {"a": [1, [2, [3]]]}}',
        "{}",
        "[1, 2]",
        '{"url": "http://x/\\u0000", "title": "only a title"}',
    ]
    return [*own, *odd]


@cache
def files() -> dict[str, bytes]:
    """Valid files by the end of their names."""
    whole = "\n".join(lines()).encode()
    rows = [{name: record(article)[name] for name in FIELDS} for article in ARTICLES]
    parquet = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows), parquet)
    out = {"jsonl": whole, "csv": table(","), "tsv": table("\t"), "txt": ARTICLES[0].text.encode()}
    out |= {"json": json.dumps([record(article) for article in ARTICLES]).encode(), "parquet": parquet.getvalue()}
    out |= {
        "jsonl.gz": gzip.compress(whole, mtime=0),
        "jsonl.bz2": bz2.compress(whole),
        "csv.xz": lzma.compress(table(",")),
    }
    out |= {"jsonl.zst": bytes(pa.compress(whole, "zstd", asbytes=True)), "zip": b"PK\3\4" + whole[:100]}
    return out | {"utf16.jsonl": whole.decode().encode("utf-16"), "utf16.csv": table(",").decode().encode("utf-16-le")}


def make_file(random: Random) -> Any:
    """Return the end of a file name, the content, and options of reading."""
    ending = random.choice(list(files()))
    if ending == "jsonl" and random.random() < 0.7:
        content = changed_lines(random, lines())
    elif ending in ("csv", "tsv", "txt") and random.random() < 0.5:
        content = changed_text(random, [files()[ending].decode()]).encode()
    elif ending.startswith("jsonl.") and random.random() < 0.3:
        compress: Callable[[bytes], bytes] = {"jsonl.gz": gzip.compress, "jsonl.bz2": bz2.compress}.get(ending, bytes)
        content = compress(changed_lines(random, lines()))
    else:
        content = changed(random, [files()[ending]])
    wrong = random.random() < 0.1
    format = random.choice(["jsonl", "csv", "tsv", "text", "xml"]) if wrong else None
    fields = [("text", random.choice(["body", "id", "text", "no such"]))] if random.random() < 0.1 else []
    options = random.choice(DETECTORS), random.choice(METHODS), random.random() < 0.5
    return ending, content, format, random.choice(ENCODINGS), fields, options


def run_file(value: Any) -> None:
    """Read a file in both ways; find relations and groups of what was read in the core."""
    ending, content, format, encoding, fields, options = value
    with tempfile.TemporaryDirectory(prefix="fuzz") as folder:
        path = str(Path(folder, f"news.{ending}"))
        Path(path).write_bytes(content)
        source = Source(path, dict(fields), format, encoding, MAX_ARTICLE_BYTES)
        items = attempt(lambda: list(read(source)))
        if ending == "parquet":
            return
        own = attempt(
            lambda: list(chain.from_iterable(_core.engine.Reader(path, fields, format, encoding, MAX_ARTICLE_BYTES)))
        )
        assert (items is None) == (own is None)
        attempt(lambda: list(_core.engine.StoredRowReader(path, format, encoding, MAX_ARTICLE_BYTES)))
        corpus = _core.engine.Corpus(
            detector(options[0]).native, fields, 1, MAX_ARTICLE_BYTES, True, options[2], False, 100, options[2]
        )
        attempt(corpus.read, path, format, encoding, None)
        if not (corpus.has_problems and options[2]):  # a strict run ends at its first problem
            use(corpus, options)


def use(corpus: Any, options: Any) -> None:
    """Find relations and groups of a corpus, and write all lines."""
    report = corpus.report()
    found = corpus.articles(with_signatures=True)
    assert len(found.ids) == len(corpus) == len(found.lines) and report.records >= len(corpus)
    for id in found.ids[:3]:
        assert id in corpus and corpus[found.ids.index(id)][0] == id
        id.encode()
    corpus.calibration()
    # the candidates for components are too few for relations
    for_components = options[1] == "components" and options[2]
    corpus.find_candidates(None, for_components)
    count = len(corpus)
    if not for_components:
        related = corpus.relations(None)
        relation_lines = corpus.lines(related, detector="x")
        assert relation_lines.count(b"\n") == len(related)
        for line in relation_lines.splitlines():
            json.loads(line)
        beside = np.array([0, count], np.uint32), np.array([count // 2, 0], np.uint32)
        attempt(corpus.relations, None, beside=beside, max_work=10**6)
        attempt(corpus.relations, None, greedy=True, max_work=10**6)
    ids = [*found.ids[:3], "no such"]
    pairs = list(pairwise([*ids, ids[0]]))
    kept = attempt(corpus.duplicates, "longest", ["Post"], [0, 1], None)
    if kept is not None:
        rows = np.asarray(kept.kept).tolist()
        assert all(rows[row] == row for row in rows), "the kept row of a dropped one is kept"
    groups = attempt(corpus.groups, options[1], "earliest", ["Post"], True, pairs[:1], pairs[1:], None)
    if groups is not None:
        assert sum(len(group.members) for group in groups) <= count
        for line in corpus.lines(groups, labels=True).splitlines():
            json.loads(line)


def make_records(random: Random) -> Any:
    """Return records as rows, as lines in columns, or as the reason why there are none; and dates."""
    rows: Any
    match random.randrange(3):
        case 0:
            rows = []
            for _ in range(random.randrange(1, 5)):
                own = list(record(random.choice(ARTICLES)).values())
                own[random.randrange(7)] = random.choice([None, "", changed_text(random, [*DATES, ARTICLES[0].text])])
                doubts = [(random.choice([*FIELDS, "x"]), changed_text(random, ["why"]))]
                refused = random.choice(["broken line", "no such fault", ""]), changed_text(random, ["detail"])
                rows.append(random.choice([own, own, (own, doubts), refused]))
        case 1:
            some = [changed_text(random, lines()).encode() for _ in range(random.randrange(1, 4))]
            ends = np.cumsum([0, *map(len, some)]).astype(np.int64).tobytes()
            rows = (b"".join(some), changed(random, [ends]) if random.random() < 0.3 else ends)
        case _:
            rows = changed_text(random, ["reading stopped"])
    first = random.choice([1, 1, 0, 2**32, 2**64 - 1])
    dates = [changed_text(random, DATES)[:300] for _ in range(3)]
    options = random.choice(DETECTORS), random.choice(METHODS), random.random() < 0.5
    return rows, changed_text(random, ["news.jsonl"]), first, dates, options


def run_records(value: Any) -> None:
    """Add records to a corpus, judge their values, read dates."""
    rows, name, first, dates, options = value
    corpus = _core.engine.Corpus(
        detector(options[0]).native, [], 1, MAX_ARTICLE_BYTES, False, False, options[2], None, options[2]
    )
    attempt(corpus.add, name, rows, first)
    corpus.age()
    attempt(corpus.add, name, [list(record(article).values()) for article in ARTICLES[:2]])
    for date in dates:
        found = _core.engine.microseconds(date)
        assert found is None or -(2**63) < found < 2**63
    if isinstance(rows, list):
        for row in rows:
            if isinstance(row, list):
                _core.engine.judge(row, [("text", name), (name, "x")], 1000)
    use(corpus, options)


FILES = Target(
    "files",
    (
        "engine.Reader",
        "engine.StoredRowReader",
        "engine.Corpus",
        "engine.Corpus.duplicates",
        "engine.Corpus.read",
        "engine.Corpus.groups",
        "engine.Corpus.lines",
    ),
    make_file,
    run_file,
)
RECORDS = Target(
    "records",
    (
        "engine.Corpus",
        "engine.Corpus.add",
        "engine.Corpus.relations",
        "engine.Corpus.groups",
        "engine.Corpus.lines",
        "engine.Corpus.__contains__",
        "engine.judge",
        "engine.microseconds",
    ),
    make_records,
    run_records,
)
