"""The decision of `reuse`, straight from its description, on lists of lower-case words."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from pathlib import Path

from tests.reference.overlaps import shares, shingles

MODEL = Path(__file__).parents[2] / "crates/samestory-core/src/detectors/reuse/model.txt"

DAYS = {"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"}
MONTHS = {"january", "february", "april", "june", "july", "august", "september", "october", "november", "december"}
PART_SKEW = 0.75


def weights() -> dict[str, float]:
    """The weights by name, the intercept among them."""
    lines = (line.split() for line in MODEL.read_text().splitlines() if not line.startswith("#"))
    return {name: float(value) for name, value in lines}


def is_figure(word: str) -> bool:
    return word[0].isdigit() or word[0] == "%"


def facts(words: Sequence[str]) -> set[str]:
    return {word for word in words if is_figure(word) or word in DAYS | MONTHS}


def runs(shorter: Sequence[str], longer: Sequence[str], width: int) -> list[tuple[int, int, int]]:
    """Runs of equal words from left to right: start in either text, and words.

    A run begins where a shingle of the shorter text stands in the longer one: as far behind the last run as in the
    shorter text if it stands there, else at its first place.
    """
    here, there = shingles(shorter, width), shingles(longer, width)
    out: list[tuple[int, int, int]] = []
    at = 0
    while at < len(here):
        if here[at] not in there:
            at += 1
            continue
        level = max(out[-1][1] + out[-1][2] + at - out[-1][0] - out[-1][2], 0) if out else at
        place = level if level < len(there) and there[level] == here[at] else there.index(here[at])
        length = 0
        while at + length < len(here) and place + length < len(there) and here[at + length] == there[place + length]:
            length += 1
        out.append((at, place, length + min(width, len(shorter)) - 1))
        at += length
    return out


def slots(shorter: Sequence[str], longer: Sequence[str], found: Sequence[tuple[int, int, int]]) -> tuple[int, int]:
    """How many edits there are between runs, and how many different ones of them replace facts by other facts."""
    edits, replaced = 0, set()
    for (x, y, words), (next_x, next_y, _) in itertools.pairwise(found):
        here, there = next_x - x - words, next_y - y - words
        if not (-2 <= here <= 8 and -2 <= there <= 8) or max(here, there) <= 0:
            continue
        edits += 1
        overlap = max(-min(here, there), 0)
        between = []
        for text, end, start in ((shorter, x + words, next_x), (longer, y + words, next_y)):
            first = max(end - overlap, 0)
            last = max(first, start) + overlap if start < end else start
            between.append(frozenset(facts(text[first:last])))
        ours, theirs = between
        if len(ours & theirs) < min(len(ours), len(theirs)):
            replaced.add((ours, theirs))
    return edits, len(replaced)


def log_odds(shorter: Sequence[str], longer: Sequence[str], width: int, with_slots: bool = True) -> float:
    """What the model makes of two texts."""
    found = runs(shorter, longer, width)
    ours, theirs = facts(shorter), facts(longer)
    edits, replaced = slots(shorter, longer, found) if with_slots else (0, 0)
    covered = {place for start, _, words in found for place in range(start, start + words)}
    rest = {word for place, word in enumerate(shorter) if place not in covered}
    lead = shingles(shorter, width)[:30]
    days = (ours & DAYS, theirs & DAYS)
    share = shares(shorter, longer, width)[0]
    values = {
        "intercept": 1.0,
        "share": math.log((share + 0.03) / (1.03 - share)),
        "run": math.log1p(min(max((words for *_, words in found), default=0), 30)),
        "long_runs": math.log1p(min(sum(words for *_, words in found if words >= 10), 100)),
        "length": math.log(min(max(len(shorter), 20), 600)),
        "agreement": (len(ours & theirs) + 2 * 0.4) / (min(len(ours), len(theirs)) + 2),
        "weekday": 0.0 if not all(days) else 1.0 if days[0] & days[1] else -1.0,
        "months": -float(min(len((ours - theirs) & MONTHS), 3)),
        "rest": (len(rest & set(longer)) + 15 * 0.5) / (len(rest) + 15),
        "lead": sum(shingle in shingles(longer, width) for shingle in lead) / len(lead),
        "slots": -replaced / (edits + 2),
        "fact_slots": -math.log1p(replaced),
        "name_slots": 0.0,
    }
    learned = weights()
    odds = sum(learned[name] * value for name, value in values.items())
    if len(shorter) >= 100:
        return odds
    # one slot alone is a correction
    against = ("weekday", "months", *(("slots", "fact_slots", "name_slots") if replaced > 1 else ()))
    return max(odds, -3.55 + 4.5 * values["share"] + sum(min(learned[name] * values[name], 0) for name in against))


def probabilities(left: Sequence[str], right: Sequence[str], width: int) -> set[float]:
    """The probability of reuse. Of two texts of one length either may be taken for the shorter one."""
    orders = [(left, right), (right, left)]
    orders = [pair for pair in orders if len(pair[0]) <= len(pair[1])]
    return {1 / (1 + math.exp(-log_odds(shorter, longer, width))) for shorter, longer in orders}


def kind(
    left: Sequence[str], right: Sequence[str], score: float, *, width: int, threshold: float, copy: float,
    minimum: float, part: float,
) -> str:  # fmt: skip
    """The kind of a pair of texts with this probability; templates are not distinguished."""
    if list(left) == list(right):
        return "IDENTICAL"
    forward, backward = shares(left, right, width)
    if max(forward, backward) < minimum or score < threshold or forward == backward == 0:
        return "NONE"  # unless they have a passage in common
    if score < copy or max(forward, backward) < 0.5:
        return "SHARES_TEXT"
    if forward >= part and backward < PART_SKEW * forward**2:
        return "PART_OF"
    if backward >= part and forward < PART_SKEW * backward**2:
        return "HAS_PART"
    return "NEAR"
