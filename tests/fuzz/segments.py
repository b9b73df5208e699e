"""Damaged segments of an index, with checksums that are right in most of them: attached, searched, merged, checked."""

from __future__ import annotations

import struct
import zlib
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from samestory.index.finder import Finder, check_segment, merge_segments
from samestory.index.store import Entries
from samestory.model import Signatures
from tests.fuzz.changes import extreme
from tests.fuzz.signatures import DAY, columns
from tests.fuzz.target import Target, attempt
from tests.fuzz.values import ARTICLES, detector, rows

MARK = "fuzz"
SPECS = ["reuse()", "event()", "minhash()", "imatch()", "exact()"]
#: The bytes of a block, and those of its content; a block ends with the CRC-32 of the others.
BLOCK, PAYLOAD = 8192, 8176
#: Where the fields of the header begin, and of how many bytes they are; then the positions and lengths of the sections.
FIELDS = [(8 + 4 * at, 4) for at in range(6)] + [(32 + 8 * at, 8) for at in range(27)]


def articles(spec: str, prefix: str, day: int) -> Entries:
    """Return entries of the articles, two of them without a time."""
    values, offsets = columns(rows(spec))
    count = len(ARTICLES)
    times = np.array([(day + at % 3) * DAY + at for at in range(count)], np.int64)
    times[:2] = -(2**63)
    signatures = Signatures.from_offsets(values, np.frombuffer(offsets, np.int64))
    ids = [f"{prefix}{article.id}" for article in ARTICLES]
    return Entries(ids, times, np.arange(count, dtype=np.uint64) % 3, signatures)


@cache
def segment(spec: str) -> bytes:
    """Return a segment of a detector."""
    finder = Finder(detector(spec), 14 * DAY)
    for number in range(3):
        assert finder.file(articles(spec, f"{number} ", 20_000 + number)) == []
    with TemporaryDirectory() as folder:
        path = Path(folder) / "segment"
        finder.freeze(str(path), MARK)
        return path.read_bytes()


@cache
def sections(spec: str) -> list[tuple[int, int]]:
    """Return the position and the length of each section that is not empty."""
    numbers = struct.unpack_from("<22Q", segment(spec), FIELDS[11][0])
    return [pair for pair in zip(numbers[::2], numbers[1::2], strict=True) if pair[1]]


def sealed(content: bytes) -> bytes:
    """Return blocks with checksums that are right."""
    blocks = [content[at : at + BLOCK - 4] for at in range(0, len(content) - BLOCK + 1, BLOCK)]
    return b"".join(block + struct.pack("<I", zlib.crc32(block)) for block in blocks)


def make_segment(random: Random) -> Any:
    """Return a detector, changes of the bytes of its segment, whether checksums are right, and where it is cut."""
    spec = random.choice(SPECS)
    changes = []
    for _ in range(random.choice([0, 1, 1, 1, 2, 4])):
        if random.random() < 0.25:
            at, size = random.choice(FIELDS)
            value = extreme(random)[:size] if random.random() < 0.7 else random.randbytes(1)
        else:
            start, length = random.choice(sections(spec))
            place = start + random.randrange(length)
            place -= place % random.choice([1, 4, 8])
            at = place // PAYLOAD * BLOCK + place % PAYLOAD
            value = extreme(random) if random.random() < 0.6 else random.randbytes(random.choice([1, 4, 8]))
        changes.append((at, value))
    cut = random.randrange(len(segment(spec))) if random.random() < 0.05 else None
    return spec, changes, random.random() < 0.9, cut


def run_segment(value: Any) -> None:
    """Attach the segment, search it, remove from it, merge it with another one, and check it."""
    spec, changes, is_sealed, cut = value
    content = bytearray(segment(spec))
    for at, new in changes:
        content[at : at + len(new)] = new
    content = content[: len(segment(spec))]
    by = detector(spec)
    with TemporaryDirectory() as folder:
        path, good, out = (str(Path(folder) / name) for name in ("segment", "good", "out"))
        Path(path).write_bytes((sealed(content) if is_sealed else bytes(content))[:cut])
        Path(good).write_bytes(segment(spec))
        count = attempt(check_segment, path, MARK, by)
        assert count is None or count == 3 * len(ARTICLES)
        finder = Finder(by, 14 * DAY)
        attempt(finder.attach, path, MARK, ["0 copy"])
        new = articles(spec, "new ", 20_001)
        for every in (False, True):
            attempt(finder.query, new, every)
        attempt(finder.compare, "1 copy", "2 copy")
        attempt(finder.set_alone, ["1 copy"])
        attempt(finder.remove, ["2 copy", "2 tr"])
        attempt(finder.expire, 20_001 * DAY)
        attempt(finder.add, articles(spec, "1 ", 20_003), True)
        assert len(finder) >= 0
        attempt(finder.segments)
        if attempt(merge_segments, [(path, ["0 tr"]), (good, [])], out, MARK) is not None:
            attempt(finder.replace, [path], out, MARK)
            attempt(finder.query, new, True)
        attempt(finder.freeze, str(Path(folder) / "fresh"), MARK)
        attempt(finder.query, new, False)


SEGMENTS = Target(
    "segments",
    (
        "engine.Finder.attach",
        "engine.Finder.freeze",
        "engine.Finder.replace",
        "engine.merge_segments",
        "engine.check_segment",
    ),
    make_segment,
    run_segment,
)
