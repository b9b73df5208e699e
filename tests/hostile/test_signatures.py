"""Damaged signatures: whatever bytes a store holds, no detector panics; those that are no signatures are refused."""

from __future__ import annotations

from functools import partial
from random import Random

import numpy as np
import pytest

from samestory import _core
from samestory.detectors import Detector
from samestory.detectors.native import Native
from samestory.errors import InputError
from samestory.index.finder import Finder
from samestory.index.store import Entries
from samestory.model import Article, Signatures
from samestory.text import prepare
from tests.archive.news import news
from tests.laws.test_detectors import ALL, NATIVE

ARTICLES = [Article(each["id"], each["text"], each["title"], lang="en") for each in news(5, 12)]
FEATURES = prepare(ARTICLES)
DAY = 24 * 3600 * 10**6


def damaged(random: Random, signature: bytes) -> bytes:
    """Change a signature as a disk, a program or a stranger may."""
    words = np.frombuffer(signature, np.uint32).copy()
    at = random.randrange(max(1, len(words)))
    match random.randrange(7):
        case 0:
            return words[:at].tobytes()
        case 1:
            return words[at:].tobytes()
        case 2:
            return np.insert(words, at, random.getrandbits(32)).astype(np.uint32).tobytes()
        case 3 if len(words):
            words[at] ^= np.uint32(1 << random.randrange(32))
        case 4 if len(words):
            # the first words have the lengths
            words[random.randrange(min(12, len(words)))] = random.choice(
                [0, 1, 2**31, 2**32 - 1, random.getrandbits(32)]
            )
        case 5:
            random_words = [random.getrandbits(32) for _ in range(random.randrange(40))]
            return np.array(random_words, np.uint32).tobytes()
        case _:
            return np.resize(words, random.randrange(60)).tobytes() if len(words) else b"\0\0\0\0"
    return words.tobytes()


def entries(ids: list[str], signatures: list[bytes]) -> Entries:
    """Entries of one source and day."""
    ends = np.cumsum([0, *map(len, signatures)]).astype(np.int64)
    return Entries(
        ids,
        np.full(len(ids), 20_000 * DAY, np.int64),
        np.ones(len(ids), np.uint64),
        Signatures.from_offsets(b"".join(signatures), ends),
    )


@pytest.mark.parametrize("detector", [ALL[spec] for spec in NATIVE], ids=NATIVE)
def test_no_damaged_signature_makes_a_detector_panic(detector: Detector) -> None:
    random = Random(11)
    good = list(detector.signature_rows(FEATURES))
    finder = Finder(detector, None)
    # what a detector writes is well formed
    assert finder.file(entries(FEATURES.ids, good)) == []
    bad = [damaged(random, random.choice(good)) for _ in range(60)]
    names = [f"bad {number}" for number in range(len(bad))]
    refused = {id for row in zip(names, bad, strict=True) for id in finder.file(entries([row[0]], [row[1]]))}
    assert refused
    kept = [name for name in names if name not in refused]
    # only the core checks rows that do not come from a store
    asked = [row for name, row in zip(names, bad, strict=True) if isinstance(detector, Native) or name in kept]
    # every path through a detector: keys, summaries, comparison, from either side, alone and in a batch
    finder.query(entries([f"new {at}" for at in range(len(asked))], asked), True)
    finder.add(entries([f"added {at}" for at in range(len(asked))], asked), False)
    for name in kept:
        for id in FEATURES.ids[:4]:
            finder.compare(name, id)
            finder.compare(id, name)
    finder.query(entries([f"new {id}" for id in FEATURES.ids], good), True)
    finder.forms([(name, FEATURES.ids[0]) for name in kept])
    finder.remove([*names, *FEATURES.ids])


@pytest.mark.parametrize("spec", ["reuse()", "event()", "minhash(verify=True)", "cosine()", "codet()", "scam()"])
def test_cut_signatures_are_refused_by_name(spec: str) -> None:
    good = list(ALL[spec].signature_rows(FEATURES))
    cut = [row[: len(row) // 8 * 4] for row in good]
    if spec == "reuse()":
        # tokens may end anywhere; the figures in front of them may not
        cut = [_with_first(row, 10**6) for row in good]
    finder = Finder(ALL[spec], None)
    mixed = [cut[at] if at % 3 == 0 else row for at, row in enumerate(good)]
    expected = [id for at, id in enumerate(FEATURES.ids) if mixed[at] != good[at]]
    assert len(expected) == 4
    found = finder.file(entries(FEATURES.ids, mixed))
    # a vector cut in half may be a shorter vector: `index check` compares with the text
    assert found == expected or (spec in ("cosine()", "scam()") and set(found) <= set(expected))


def _with_first(row: bytes, number: int) -> bytes:
    return number.to_bytes(4, "little") + row[4:]


def test_calibration_ignores_damaged_signatures() -> None:
    detector = ALL["event()"]
    good = list(detector.signature_rows(FEATURES))
    sample = entries(FEATURES.ids, good).signatures
    calibrated = detector.calibrate(_core_sample(sample))
    random = Random(3)
    bad = [damaged(random, random.choice(good)) for _ in range(100)]
    rows = entries([str(number) for number in range(100)], bad).signatures
    assert len(calibrated.apply_calibration(rows)) == 100


def _core_sample(signatures: Signatures) -> object:
    from samestory.detectors.engine import Sample

    sources = [_core.detectors.source_hash("") for _ in FEATURES.ids]
    return Sample(FEATURES.ids, signatures, sources, len(FEATURES.ids), False)


@pytest.mark.parametrize("spec", NATIVE)
def test_damaged_signatures_are_rejected_by_every_function_that_reads_them(spec: str) -> None:
    """Not only by an index: a signature may come from another task, or from a caller."""
    detector = ALL[spec]
    if not isinstance(detector, Native):
        return
    good = list(detector.signature_rows(FEATURES))
    random, native, good_columns = Random(7), detector.native, _columns(good)
    first = np.zeros(1, np.int64), np.zeros(1, np.int64)
    rejected = 0
    for _ in range(60):
        bad = _columns([damaged(random, random.choice(good))])
        try:
            native.keys(*bad)
        except InputError as error:
            assert str(error) == "signature 1 is damaged or of another detector"
            rejected += 1
            stream = _core.engine.Stream(native)
            calls = [
                partial(native.compare, bad, good_columns, first),
                partial(native.compare, good_columns, bad, first),
                partial(native.admits, bad, good_columns, first, *first),
                partial(native.calibrate, ["a"], bad),
                partial(stream.add, ["a"], [0], rows=bad),
            ]
            for call in calls:
                with pytest.raises(InputError, match="signature 1 is damaged"):
                    call()
        else:
            found = native.compare(bad, good_columns, first)
            assert 0 <= np.asarray(found.forward)[0] <= 1
        assert bytes(native.apply_calibration(*bad).values) is not None
    assert rejected


@pytest.mark.parametrize("kind", ["reuse", "agreement", "odds", "terms", "probability", "contradiction"])
def test_damaged_signatures_have_no_evidence(kind: str) -> None:
    pairs = np.zeros(1, np.int64), np.zeros(1, np.int64)
    for row in (b"\1\0\0\0", b"\xff" * 40):
        with pytest.raises(InputError, match="signature 1 is damaged"):
            _core.detectors.evidence(kind, _columns([row]), _columns([row]), pairs, 7)


def test_times_at_the_end_of_their_range_are_times() -> None:
    detector = ALL["event()"]
    good = list(detector.signature_rows(FEATURES))
    for window in (None, 0, 2**63 - 1):
        stream = _core.engine.Stream(detector.native, window)
        finder = _core.engine.Finder(detector.native, window)
        for number, time in enumerate((2**63 - 1, -(2**63) + 1, 0, -(2**63), 2**63 - 1)):
            rows = _columns([good[0]])
            stream.add([str(number)], [time], rows=rows)
            about = np.array([time], np.int64), np.zeros(1, np.uint64)
            finder.add([str(number)], about, rows, True)
            finder.query([f"{number} again"], about, rows, True)
        assert len(stream) == len(finder) == 5


def test_the_ids_of_a_batch_are_distinct() -> None:
    good = _columns(list(ALL["event()"].signature_rows(FEATURES))[:2])
    stream = _core.engine.Stream(ALL["event()"].native)
    with pytest.raises(InputError, match='the id "a" is repeated'):
        stream.add(["a", "a"], [0, 0], rows=good)
    with pytest.raises(InputError, match='the id "a" is repeated'):
        stream.restore([("a", 0, 0, 1), ("a", 0, 0, 2)], [], 2)


def _columns(rows: list[bytes]) -> tuple[bytes, bytes]:
    return b"".join(rows), np.cumsum([0, *map(len, rows)]).astype(np.int64).tobytes()
