"""The steps of a cluster in one process, with recorded buffers: `_core.exchange` with changed ones."""

from __future__ import annotations

import pickle
from dataclasses import dataclass, field
from functools import cache
from itertools import chain
from random import Random
from typing import Any

import numpy as np
import pyarrow as pa

from samestory import Detector, Features, _core
from samestory.model import record_batch
from samestory.spark.grouping import GroupingTask
from tests.fuzz.changes import changed
from tests.fuzz.target import Target, attempt
from tests.fuzz.values import FEATURES, SPARK_SPECS, detector, rows

PARTITIONS = PARTS = 2
#: Of several articles of a key, hubs are selected.
CEILING = 2
METHODS = ["star", "components", "majority"]
LONGEST: tuple[str, list[str]] = ("longest", [])
REPRESENTATIVES = ["longest", "earliest", "latest"]

#: The steps whose arguments are changed.
STEPS = [
    *("directory", "articles", "respond_shared", "pack_keys", "build_lists", "find_crowded", "select_hubs"),
    *(
        "find_pairs",
        "send_requested",
        "compare",
        "compared",
        "send_components",
        "group",
        "nearest",
        "group_rows",
        "stars",
    ),
]


def task(method: str = "star", representative: str = "longest", join_parts: bool = True) -> GroupingTask:
    """Return grouping options, with decisions."""
    return GroupingTask(method, representative, ("Post",), join_parts, [(1, 2)], [(3, 5)])


@dataclass
class Job:
    """A job of two partitions and two parts: its values, and the buffers that each step received."""

    detector: Detector
    directory: Any = None
    articles: list[Any] = field(default_factory=list)
    compared: list[Any] = field(default_factory=list)
    calls: dict[str, list[list[bytes]]] = field(default_factory=dict)
    """The buffers of every call of a step."""

    def record(self, step: str, buffers: list[bytes]) -> list[bytes]:
        """Record the buffers of a call."""
        self.calls.setdefault(step, []).append(buffers)
        return buffers


def delivered(sent: list[list[tuple[int, bytes]]], to: int) -> list[bytes]:
    """Return the buffers that were sent to a partition or part."""
    return [buffer for each in sent for part, buffer in each if part == to]


def columns_of(features: Features, partition: int) -> list[bytes]:
    """Return the columns of the articles of a partition but their signatures: number, time, source, words."""
    rows = list(range(len(features.ids)))[partition::PARTITIONS]
    first = 0 if partition == 0 else len(features.ids[::PARTITIONS]) + 1
    numbers = np.arange(first + 1, first + 1 + len(rows), dtype=np.int64)
    published = np.array([features.microseconds[row] for row in rows], np.int64)
    sources = np.array([_core.detectors.source_hash(features.sources[row] or "") for row in rows], np.uint64)
    words = np.full(len(rows), 60, np.uint32)
    return [column.tobytes() for column in (numbers, published, sources, words)]


def column(buffer: bytes, name: str) -> _core.Column:
    """Return a column of numbers; bytes that are no whole number are left out."""
    return _core.Column(buffer[: len(buffer) // int(name[-1]) * int(name[-1])], name)


def opened(by: Detector, directory: Any, partition: int, columns: list[bytes]) -> Any:
    """Return the articles of a partition, given all columns."""
    numbers, published, sources, words, values, offsets = columns
    named: dict[str, Any] = {
        "number": column(numbers, "<i8"),
        "id": pa.array(FEATURES.ids[partition::PARTITIONS]),
        "published": column(published, "<i8"),
        "source": column(sources, "<u8"),
        "words": column(words, "<u4"),
    }
    return _core.exchange.Articles(by.native, directory, named, (values, offsets))


def directory_of(buffers: list[bytes]) -> Any:
    """Return a directory, given the columns of its splits, the removed articles, and the members of classes."""
    starts, owners, removed, classes, members = buffers
    splits = {"start": column(starts, "<i8"), "partition": column(owners, "<u4")}
    pairs = {"class": column(classes, "<i8"), "article": column(members, "<i8")}
    return _core.exchange.Directory(PARTITIONS, 0, splits, column(removed, "<i8"), pairs)


def edges_of(buffers: list[bytes]) -> dict[str, _core.Column]:
    """Return edges, or labels, given their two columns."""
    return {name: column(buffer, "<i8") for name, buffer in zip(("node", "other"), buffers, strict=True)}


@cache
def job(spec: str) -> Job:
    """Return a whole job of a detector."""
    by = detector(spec)
    native, out, exchange = by.native, Job(by), _core.exchange
    size = len(FEATURES.ids[::PARTITIONS])
    where = [np.array([0, size + 1], np.int64).tobytes(), np.array([0, 1], np.uint32).tobytes()]
    columns = []
    for partition in range(PARTITIONS):
        own = rows(spec)[partition::PARTITIONS]
        ends = np.cumsum([0, *map(len, own)]).astype(np.int64)
        columns.append([*columns_of(FEATURES, partition), b"".join(own), ends.tobytes()])
    directory = directory_of([*where, b"", b"", b""])
    articles = [opened(by, directory, part, columns[part]) for part in range(PARTITIONS)]
    count = len(FEATURES.ids)
    requests = [each.request_shared(count, PARTS) for each in articles]
    responses: list[list[tuple[int, bytes]]] = [[] for _ in range(PARTS)]
    repeated = []
    for part in range(PARTS):
        received = out.record("respond_shared", delivered(requests, part))
        answers, found = exchange.respond_shared(received, 0, 0)
        responses[part] = list(enumerate(answers))
        repeated.append(found)
    displaced = [*where, b"".join(bytes(each.removed) for each in repeated)]
    displaced += [b"".join(bytes(each.members[name]) for each in repeated) for name in ("class", "article")]
    out.directory = directory = directory_of(out.record("directory", displaced))
    out.articles = [opened(by, directory, part, out.record("articles", columns[part])) for part in range(PARTITIONS)]
    keys = [
        out.articles[at].pack_keys(directory, out.record("pack_keys", delivered(responses, at)), count)[0]
        for at in range(PARTITIONS)
    ]
    built = [
        exchange.build_lists(directory, out.record("build_lists", delivered(keys, part)), (part, PARTS), CEILING, True)
        for part in range(PARTS)
    ]
    skipped = b"".join(bytes(each[1]) for each in built)
    crowded = [
        each.find_crowded(directory, column(*out.record("find_crowded", [skipped]), "<u8"), LONGEST, PARTS)
        for each in out.articles
    ]
    lists = []
    for part, (short, _, long) in enumerate(built):
        received = out.record("select_hubs", [*delivered(crowded, part), long])
        selected = exchange.select_hubs(native, directory, long, received[:-1])
        lists.append([(to, own + more) for (to, own), (_, more) in zip(short, selected, strict=True)])
    sent = [
        exchange.find_pairs(directory, out.record("find_pairs", delivered(lists, at)), at, [1, 2])
        for at in range(PARTITIONS)
    ]
    pairs = [delivered(sent, at) for at in range(PARTITIONS)]
    shipped = [
        out.articles[at].send_requested(directory, out.record("send_requested", pairs[at]), at)
        for at in range(PARTITIONS)
    ]
    for at in range(PARTITIONS):
        needed = delivered(shipped, at)
        out.record("compare", [*pairs[at], *needed, skipped])
        buffer = out.articles[at].compare(directory, pairs[at], needed, column(skipped, "<u8"), at)
        out.compared.append(exchange.ComparedPartition(native, spec, directory, *out.record("compared", [buffer])))
    edges = [each.edges for each in out.compared]
    both = [b"".join(bytes(each[side]) for each in edges) for side in ("left", "right")]
    stars = exchange.stars(edges_of(out.record("stars", both)))
    labels = [bytes(stars[name]) for name in ("node", "other")]
    parts = [
        each.send_components(directory, edges_of(out.record("send_components", labels)), True, PARTS)
        for each in out.compared
    ]
    grouped = [
        exchange.group(native, directory, list(enumerate(out.record("group", delivered(parts, part)))), task())
        for part in range(PARTS)
    ]
    memberships, messages = [each[0] for each in grouped], [each[1] for each in grouped]
    messages += [
        out.compared[at].nearest(directory, out.record("nearest", delivered(memberships, at)), task())
        for at in range(PARTITIONS)
    ]
    groups = [
        group
        for at in range(PARTITIONS)
        for group in out.articles[at].group_rows(directory, out.record("group_rows", delivered(messages, at)), task())
    ]
    assert sum(len(group.members) for group in groups) + len(directory.removed) == count
    return out


def make(random: Random) -> Any:
    """Return a detector, a step, the number of one of its calls, its buffers with changes, and options."""
    spec, step = random.choice(SPARK_SPECS), random.choice(STEPS)
    calls = job(spec).calls[step]
    at = random.randrange(len(calls))
    buffers = list(calls[at])
    others = [buffer for each in job(spec).calls.values() for buffer in chain(*each)]
    for _ in range(random.choice([1, 1, 2])):
        if buffers:
            place = random.randrange(len(buffers))
            buffers[place] = changed(random, [buffers[place]] * 3 + [random.choice(others)])
    if random.random() < 0.05:
        buffers.append(changed(random, others))
    options = random.choice(METHODS), random.choice(REPRESENTATIVES), random.random() < 0.5
    return spec, step, at % PARTITIONS, buffers, options


def run(value: Any) -> None:
    """Call the step, and whatever reads its result."""
    spec, step, at, buffers, options = value
    made = job(spec)
    native, directory, articles, exchange = made.detector.native, made.directory, made.articles[at], _core.exchange
    count = len(FEATURES.ids)
    match step:
        case "directory":
            if len(buffers) == 5:
                directory_steps(made, directory_of(buffers), options)
        case "articles":
            if len(buffers) == 6:
                article_steps(made, opened(made.detector, directory, at, buffers), directory, at, options)
        case "respond_shared":
            responses, repeated = exchange.respond_shared(buffers, 0, 0)
            for response in responses:
                attempt(articles.pack_keys, directory, [response] * PARTS, count)
            assert repeated.replaced >= 0 and isinstance(repeated.rejected, list)
            splits = directory.__getnewargs__()[2]
            attempt(exchange.Directory, PARTITIONS, 0, splits, repeated.removed, repeated.members)
        case "pack_keys":
            articles.pack_keys(directory, buffers, count)
        case "build_lists":
            lists, _, _ = exchange.build_lists(directory, buffers, (at, PARTS), 0, False)
            attempt(exchange.find_pairs, directory, delivered([lists], at), at, [1, 2])
            _, skipped, long = exchange.build_lists(directory, buffers, (at, PARTS), CEILING, True)
            attempt(articles.find_crowded, directory, skipped, LONGEST, PARTS)
            attempt(exchange.select_hubs, native, directory, long, made.calls["select_hubs"][at][:-1])
        case "find_crowded":
            for skipped in buffers:
                articles.find_crowded(directory, column(skipped, "<u8"), (options[1], ["Post"]), PARTS)
        case "select_hubs":
            selected = exchange.select_hubs(native, directory, (buffers or [b""])[-1], buffers[:-1])
            attempt(exchange.find_pairs, directory, delivered([selected], at), at, [1, 2])
        case "find_pairs":
            sent = exchange.find_pairs(directory, buffers, at, [1, 2])
            attempt(articles.send_requested, directory, delivered([sent], at), at)
        case "send_requested":
            articles.send_requested(directory, buffers, at)
        case "compare":
            pairs, sent, skipped = buffers[:PARTITIONS], buffers[PARTITIONS:-1], column((buffers or [b""])[-1], "<u8")
            use(
                exchange.ComparedPartition(
                    native, spec, directory, articles.compare(directory, pairs, sent, skipped, at)
                ),
                made,
            )
        case "compared":
            for buffer in buffers:
                use(exchange.ComparedPartition(native, spec, directory, buffer), made)
        case "send_components":
            labels = edges_of((buffers * 2)[:2])
            received = made.compared[at].send_components(directory, labels, options[2], PARTS)
            attempt(exchange.group, native, directory, received, task(*options))
        case "group":
            exchange.group(native, directory, list(enumerate(buffers)), task(*options))
        case "nearest":
            made.compared[at].nearest(directory, buffers, task(*options))
        case "group_rows":
            for row in articles.group_rows(directory, buffers, task(*options)):
                again = exchange.Group(row.rank, row.members, row.weakest, row.nearest, row.forced)
                assert again.line == row.line
        case "stars":
            exchange.stars(edges_of((buffers * 2)[:2]))


def use(compared: Any, made: Job) -> None:
    """Read everything of compared pairs."""
    assert len(compared.counts) == 3
    attempt(lambda: compared.edges)
    attempt(lambda: compared.relations)
    attempt(lambda: compared.relation_lines)
    attempt(compared.send_components, made.directory, edges_of(made.calls["send_components"][0]), True, PARTS)
    for memberships in made.calls["nearest"]:
        attempt(compared.nearest, made.directory, memberships, task())


def article_steps(made: Job, own: Any, directory: Any, at: int, options: Any) -> None:
    """Call all steps of the articles of a partition."""
    count = len(FEATURES.ids)
    attempt(own.request_shared, count, PARTS)
    attempt(own.pack_keys, directory, made.calls["pack_keys"][at], count)
    attempt(own.find_crowded, directory, column(made.calls["find_crowded"][0][0], "<u8"), LONGEST, PARTS)
    for name in ("<u8", "|u1", "<f8", "<u3", ""):
        attempt(_core.Column, made.calls["find_crowded"][0][0], name)
    attempt(own.send_requested, directory, made.calls["send_requested"][at], at)
    pairs = made.calls["compare"][at]
    attempt(own.compare, directory, pairs[:PARTITIONS], pairs[PARTITIONS:-1], column(pairs[-1], "<u8"), at)
    attempt(own.group_rows, directory, made.calls["group_rows"][at], task(*options))


def directory_steps(made: Job, directory: Any, options: Any) -> None:
    """Call all steps with another directory."""
    exchange = _core.exchange
    assert len(directory.copies["copy"]) == len(directory.copies["original"])
    again = pickle.loads(pickle.dumps(directory))
    assert record_batch(again.copies) == record_batch(directory.copies)
    for at in range(PARTITIONS):
        own = attempt(opened, made.detector, directory, at, made.calls["articles"][at])
        if own is None:
            continue
        article_steps(made, own, directory, at, options)
        attempt(exchange.build_lists, directory, made.calls["build_lists"][at], (at, PARTS), CEILING, True)
        *crowded, long = made.calls["select_hubs"][at]
        attempt(exchange.select_hubs, made.detector.native, directory, long, crowded)
        attempt(exchange.find_pairs, directory, made.calls["find_pairs"][at], at, [1, 2])
        compared = attempt(
            exchange.ComparedPartition, made.detector.native, "x", directory, *made.calls["compared"][at]
        )
        if compared is not None:
            use(compared, made)
        received = list(enumerate(made.calls["group"][at]))
        attempt(exchange.group, made.detector.native, directory, received, task(*options))


EXCHANGE = Target(
    "exchange",
    (
        "__init__.Column",
        "exchange.Directory",
        "exchange.Group",
        "exchange.Articles",
        "exchange.Articles.request_shared",
        "exchange.Articles.pack_keys",
        "exchange.Articles.find_crowded",
        "exchange.Articles.send_requested",
        "exchange.Articles.compare",
        "exchange.Articles.group_rows",
        "exchange.ComparedPartition",
        "exchange.ComparedPartition.send_components",
        "exchange.ComparedPartition.nearest",
        "exchange.respond_shared",
        "exchange.build_lists",
        "exchange.select_hubs",
        "exchange.find_pairs",
        "exchange.stars",
        "exchange.group",
    ),
    make,
    run,
)
