"""Stored states of detectors, and tables of document frequencies and of shingles."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import numpy as np

from samestory import _core
from samestory.detectors.engine import Sample
from samestory.model import Pairs
from samestory.text import Frequencies, ShingleCounts
from samestory.text.frequencies import Section
from tests.fuzz.changes import changed, changed_text
from tests.fuzz.target import Target, attempt
from tests.fuzz.values import FEATURES, detector, rows, specs_with_state

#: Detectors that weigh words or shingles by a table.
WEIGHTED = ["cosine()", "imatch-idf()", "koala()", "ddd()", "cedar(frequent=5.0)", "codet()"]
#: The sections of the written tables.
SECTIONS_COUNTED: list[list[Section]] = [["words"], ["words", "stems"], ["letters"]]
SECTIONS = ["words", "stems", "letters", "shingles"]


@cache
def tables(kind: str) -> list[str]:
    """Written tables of a kind: whole, of one section, of long shingles, and empty."""
    if kind == "terms":
        made = [Frequencies.of([FEATURES], *sections) for sections in SECTIONS_COUNTED]
        return [bytes(each).decode() for each in [*made, Frequencies.of([], "words")]]
    counts = [ShingleCounts.of([FEATURES], size) for size in (1, 3)]
    return [bytes(each).decode() for each in counts]


def make_state(random: Random) -> Any:
    """Return a detector and a damaged state."""
    spec = random.choice([*specs_with_state(), "event()", "reuse()", "fusion(model='letters')"])
    others = [detector(random.choice(specs_with_state())).state()] if random.random() < 0.1 else []
    state = detector(spec).state()
    if len(state) > 100 and random.random() < 0.2:
        try:
            return spec, changed_text(random, [state.decode()]).encode()
        except UnicodeDecodeError:
            pass
    return spec, changed(random, [state, state, state, *others])


def run_state(value: Any) -> None:
    """Restore a state; sign, compare and calibrate with it."""
    spec, state = value
    restored = detector(spec).restore(state)
    again = attempt(restored.state)
    if again:
        attempt(detector(spec).restore, again)
    pairs = Pairs(np.array([0, 0, 1, 2]), np.array([0, 8, 2, 1]))
    stored = attempt(restored.sign, FEATURES)
    if stored is None:
        return
    attempt(restored.compare, stored, stored, pairs)
    attempt(restored.apply_calibration, stored)
    own = detector(spec).sign(FEATURES)
    attempt(restored.apply_calibration, own)
    attempt(restored.compare, own, own, pairs)
    sources = [1] * len(FEATURES.ids)
    attempt(restored.calibrate, Sample(FEATURES.ids, own, sources, len(FEATURES.ids)))
    kind = "probability" if spec.startswith("event") else "reuse"
    if spec.startswith(("event", "reuse")):
        ends = np.cumsum([0, *map(len, rows(spec))]).astype(np.int64).tobytes()
        columns = b"".join(rows(spec)), ends
        numbers = (np.arange(3, dtype=np.int64), np.arange(1, 4, dtype=np.int64))
        attempt(_core.detectors.evidence, kind, columns, columns, numbers, 2, 0.5, state)


def make_table(random: Random) -> Any:
    """Return a kind of table, a damaged table, and a term."""
    kind = random.choice(["terms", "shingles"])
    text = changed_text(random, tables(kind))
    return kind, text, random.choice(tables(kind)), random.choice(SECTIONS), changed_text(random, ["ferry"])[:200]


def run_table(value: Any) -> None:
    """Read a table, add it to others, count with it and sign with it."""
    kind, text, other, section, term = value
    parse = Frequencies.parse if kind == "terms" else ShingleCounts.parse
    attempt(parse, text.encode())
    table = attempt(_core.detectors.Statistics, kind, text)
    if table is None:
        return
    assert attempt(_core.detectors.Statistics, kind, str(table)) == table, "a table that cannot be read again"
    attempt(lambda: table + _core.detectors.Statistics(kind, other))
    attempt(lambda: table + table)
    attempt(lambda: table[(section, term)])
    assert len(table.sizes) >= 1 and table.articles >= 0 and table.shingle >= 0
    for spec in WEIGHTED:
        by = detector(spec)
        native = attempt(_core.detectors.Detector, by.name, by.arguments(), table)  # type: ignore[attr-defined]
        if native is not None:
            texts, times = FEATURES.compared[:3], FEATURES.microseconds[:3]
            titles, languages = FEATURES.compared_titles[:3], FEATURES.languages[:3]
            tokens = (FEATURES.tokens.values, np.asarray(FEATURES.tokens.offsets)[:4])
            signed = attempt(native.sign, times, tokens, texts, titles, languages)
            if signed is not None:
                columns = signed.values, signed.offsets
                attempt(native.compare, columns, columns, (np.array([0, 0]), np.array([1, 2])))
    tree = attempt(_core.engine.CorpusTree, detector("codet()").arguments(), table, "counts", True)  # type: ignore[attr-defined]
    if tree is not None:
        tree.relate(FEATURES.compared[0], "en", 0)
        tree.relate(FEATURES.compared[1], "en")


STATES = Target("states", ("detectors.Detector", "detectors.evidence"), make_state, run_state)
TABLES = Target(
    "tables",
    (
        "detectors.Statistics",
        "detectors.Statistics.__getitem__",
        "detectors.Detector",
        "detectors.Detector.sign",
        "engine.CorpusTree",
        "engine.CorpusTree.relate",
    ),
    make_table,
    run_table,
)
