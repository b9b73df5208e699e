"""Damaged signatures of every detector: alone, in pairs, in a live index, in a stream."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any

import numpy as np

from samestory import Detector, _core
from samestory.detectors.native import Native
from samestory.index.finder import Finder
from samestory.index.store import Entries
from samestory.model import Signatures
from tests.fuzz.changes import changed
from tests.fuzz.target import Target, attempt
from tests.fuzz.values import ARTICLES, SPECS, detector, rows

DAY = 24 * 3600 * 10**6
KINDS = ["reuse", "agreement", "odds", "terms", "probability", "contradiction"]
TIMES = [0, DAY, 20_000 * DAY, 20_001 * DAY, -(2**63), 2**63 - 1, -1]


@cache
def native_specs() -> list[str]:
    """The detectors of the core, which checks their signatures itself."""
    return [spec for spec in SPECS if isinstance(detector(spec), Native)]


def columns(some: Sequence[bytes]) -> tuple[bytes, bytes]:
    """Return rows as values and offsets."""
    ends = np.cumsum([0, *map(len, some)]).astype(np.int64)
    return b"".join(some), ends.tobytes()


def damaged(random: Random, spec: str, count: int) -> list[bytes]:
    """Return rows of a detector, some of them changed; now and then rows of another."""
    good = rows(spec) if random.random() < 0.95 else rows(random.choice(SPECS))
    out = [changed(random, good) if random.random() < 0.7 else random.choice(good) for _ in range(count)]
    # other lengths are refused at once
    return out if random.random() < 0.1 else [row[: len(row) // 4 * 4] for row in out]


def make_columns(random: Random) -> Any:
    """Return a detector, two columns of rows, pairs of them, and counts of shared keys."""
    spec = random.choice(native_specs())
    left, right = (columns(damaged(random, spec, random.randrange(1, 5))) for _ in range(2))
    if random.random() < 0.1:
        left = left[0], changed(random, [left[1]])
    if random.random() < 0.1:
        right = changed(random, [right[0]]), right[1]
    pairs = [np.array([[0, 0, 1, 1], [0, 1, 0, 1]][side][: random.randrange(5)], np.int64) for side in (0, 1)]
    pairs = [each[: min(map(len, pairs))].tobytes() for each in pairs]
    if random.random() < 0.05:
        pairs[0] = changed(random, [pairs[0]])
    counts = [changed(random, [np.full(len(pairs[0]) // 8, number, np.int64).tobytes()] * 9) for number in (2, 5)]
    return spec, left, right, tuple(pairs), tuple(counts)


def run_columns(value: Any) -> None:
    """Call every method of a detector that reads signatures."""
    spec, left, right, pairs, counts = value
    native = detector(spec).native
    attempt(native.keys, *left)
    attempt(native.quorum, counts[0])
    applied = attempt(native.apply_calibration, *left)
    if applied is not None:
        assert len(bytes(applied.values)) == len(left[0])
    attempt(native.admits, left, right, pairs, *counts)
    count = max(len(left[1]) // 8 - 1, 0)
    calibration = attempt(native.calibrate, [str(at) for at in range(count)], left)
    if calibration:
        attempt(detector(spec).restore(calibration).native.compare, left, right, pairs)
    found = attempt(native.compare, left, right, pairs)
    if found is not None:
        check_overlaps(found)
        times = np.full(len(found.kinds), 20_000 * DAY, np.int64).tobytes()
        sources = np.ones(len(found.kinds), np.uint64).tobytes()
        dated = found.forward, found.backward, found.kinds, found.whys, found.scores
        _core.detectors.dated(native, dated, (sources, times), (sources, times))


def check_overlaps(found: Any) -> None:
    """Shares are shares, whatever the signatures."""
    for share in map(np.asarray, (found.forward, found.backward)):
        assert ((share >= 0) & (share <= 1)).all(), f"a share of {share.tolist()}"
    assert (np.asarray(found.kinds) < 8).all()


def make_evidence(random: Random) -> Any:
    """Return a kind of evidence, signatures, and a calibration."""
    kind = random.choice(KINDS)
    spec = "reuse()" if kind == "reuse" else "event()"
    left, right = (columns(damaged(random, spec, 3)) for _ in range(2))
    calibration = changed(random, [detector("event()").state()]) if random.random() < 0.3 else b""
    dated = [np.full(2, number, kind).tobytes() for number, kind in DATED]
    dated = [changed(random, [each] * 3) if random.random() < 0.2 else each for each in dated]
    return kind, left, right, random.choice([0, 1, 2, 7, 2**40]), calibration, dated


#: Columns of comparisons: forward, backward, kind, reason, score; source and time.
DATED: list[tuple[Any, Any]] = [
    *((0.5, np.float64), (1.0, np.float64), (2, np.uint8), (0, np.uint8), (0.9, np.float64)),
    *((1, np.uint64), (DAY, np.int64)),
]


def run_evidence(value: Any) -> None:
    """Compute the evidence of pairs, and relations from dates."""
    kind, left, right, shingle, calibration, dated = value
    pairs = np.arange(3, dtype=np.int64).tobytes(), np.arange(3, dtype=np.int64).tobytes()
    attempt(_core.detectors.evidence, kind, left, right, pairs, shingle, 0.5, calibration)
    about = dated[5], dated[6]
    for by in (None, detector("event()").native):
        attempt(_core.detectors.dated, by, dated[:5], about, about)


def make_entries(random: Random) -> Any:
    """Return a detector, and batches of rows with times and sources."""
    spec = random.choice(SPECS)
    batches = []
    for _ in range(2):
        some = damaged(random, spec, random.randrange(1, 6))
        times = [random.choice(TIMES) for _ in some]
        batches.append((some, times, [random.choice([0, 1, 2**64 - 1]) for _ in some]))
    return spec, batches, random.choice([None, 0, DAY, 2**63 - 1, -(2**63)]), random.random() < 0.5


def entries(name: str, batch: Any) -> Entries:
    """Return entries of a batch."""
    some, times, sources = batch
    ids = [f"{name} {at}" for at in range(len(some))]
    values, offsets = columns(some)
    signatures = Signatures.from_offsets(values, np.frombuffer(offsets, np.int64))
    return Entries(ids, np.array(times, np.int64), np.array(sources, np.uint64), signatures)


def good_entries(by: Detector, spec: str) -> Entries:
    """Return the entries of the articles themselves."""
    values, offsets = columns(rows(spec))
    ends = np.frombuffer(offsets, np.int64)
    ids, count = [article.id for article in ARTICLES], len(ARTICLES)
    times = np.full(count, 20_000 * DAY, np.int64)
    return Entries(ids, times, np.ones(count, np.uint64), Signatures.from_offsets(values, ends))


def run_entries(value: Any) -> None:
    """Index stored rows, query them, compare them, add others, and remove all."""
    spec, (stored, later), window, every = value
    by = detector(spec)
    finder = Finder(by, window)
    good = good_entries(by, spec)
    assert finder.file(good) == []
    bad = entries("stored", stored)
    refused = set(finder.file(bad))
    names = [id for id in bad.ids if id not in refused]
    if isinstance(by, Native) or not refused:
        # detectors written in Python check rows from a store only
        asked = entries("asked", later if isinstance(by, Native) else stored)
        attempt(finder.query, asked, every)
        attempt(finder.add, asked, every)
    if not isinstance(by, Native) and refused:
        return
    for name in names:
        for id in (good.ids[0], good.ids[-1], name):
            attempt(finder.compare, name, id)
            attempt(finder.compare, id, name)
    attempt(finder.query, good, every)
    finder.set_alone(names)
    attempt(finder.forms, [(name, good.ids[0]) for name in names])
    finder.expire(DAY)
    finder.remove([*names, *good.ids])
    assert finder.postings >= 0 and finder.skipped >= 0


def make_stream(random: Random) -> Any:
    """Return rows for a stream with a detector, or stored articles and relations for one without."""
    spec = random.choice(native_specs())
    batch = make_entries(random)[1][0]
    some = damaged(random, spec, len(batch[0]))
    count = len(some)
    ids = (
        [f"{random.randrange(5)}" for _ in range(count)] if random.random() < 0.2 else [str(at) for at in range(count)]
    )
    groups = [random.choice([0, 1, 2, 2**63, 2**64 - 1]) for _ in ids]
    likeness = [random.choice([0, 1, 7, 2**64 - 1]) for _ in ids]
    scores = [random.choice(["0.0", "0.5", "1.0", "-1.0", "1e300", "inf", "-inf", "nan"]) for _ in ids]
    related = [
        [(random.choice([*ids, "no such"]), score, random.random() < 0.8, random.choice([None, 0, 1, 2**40]))]
        for score in scores
    ]
    columns_of_rows = columns(some)
    if random.random() < 0.1:
        columns_of_rows = columns_of_rows[0], changed(random, [columns_of_rows[1]])
    window = random.choice([None, 0, DAY, 2**63 - 1])
    return spec, ids, batch[1], batch[2], columns_of_rows, groups, likeness, related, window, random.random() < 0.5


def run_stream(value: Any) -> None:
    """Add, decide about and remove articles, with a detector and without."""
    spec, ids, times, sources, some, groups, likeness, related, window, regroup = value
    related = [[(id, float(score), *rest) for id, score, *rest in own] for own in related]
    with_detector = _core.engine.Stream(detector(spec).native, window)
    attempt(with_detector.add, ids, times, sources=sources, rows=some)
    attempt(with_detector.add, [f"{id} again" for id in ids], times, sources=sources, rows=some)
    without = _core.engine.Stream(None, window)
    stored = list(zip(ids, times, likeness, groups, strict=True))
    ties = [(id, other[0][0], other[0][1]) for id, other in zip(ids, related, strict=True)]
    attempt(without.restore, stored, ties, groups[0] if groups else 0)
    attempt(without.add, [f"{id} new" for id in ids], times, related=related, likeness=likeness)
    for stream in (with_detector, without):
        for left, right in pairwise(ids):
            attempt(stream.decide, left, right, regroup)
            attempt(stream.decide, f"{left} new", right, not regroup)
            attempt(stream.decide, left, right, None)
        stream.remove(ids[:2], before=DAY, regroup=regroup)
        members = [id for _, group in stream.groups for id in group]
        assert len(set(members)) == len(members), "an article in two groups"
        assert all(id in stream and stream[id] >= 0 for id in members)


SIGNATURES = Target(
    "signatures",
    (
        "detectors.Detector.keys",
        "detectors.Detector.quorum",
        "detectors.Detector.apply_calibration",
        "detectors.Detector.admits",
        "detectors.Detector.calibrate",
        "detectors.Detector.compare",
        "detectors.dated",
    ),
    make_columns,
    run_columns,
)
EVIDENCE = Target("evidence", ("detectors.evidence", "detectors.dated"), make_evidence, run_evidence)
INDEX = Target(
    "index",
    (
        "engine.Finder",
        "engine.Finder.add",
        "engine.Finder.query",
        "engine.Finder.compare",
        "engine.Finder.set_alone",
        "engine.Finder.remove",
    ),
    make_entries,
    run_entries,
)
STREAMS = Target(
    "streams",
    (
        "engine.Stream",
        "engine.Stream.add",
        "engine.Stream.restore",
        "engine.Stream.decide",
        "engine.Stream.remove",
        "engine.Stream.__contains__",
        "engine.Stream.__getitem__",
    ),
    make_stream,
    run_stream,
)
