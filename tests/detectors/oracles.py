"""A native detector beside its slow oracle, and with its keys beside without them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from samestory import Article, Detector, parse, prepare, relate
from samestory.model import KINDS, Pairs
from tests.reference.shares import Result

#: Articles at the edges: without words, with one, with nothing but stop words, with nothing but figures.
EDGES = (
    Article("empty", "", lang="en"),
    Article("marks", "— … !", lang="en"),
    Article("one", "Goal", lang="en"),
    Article("same", "GOAL!", lang="en"),
    Article("stops", "And so it was, and this is all that there is.", lang="en"),
    Article("durak", "Ama bu da bir şey, ve hepsi için değil.", lang="tr"),
    Article("figures", "12 3,400 2008-2009 42,9 %5 10:30", lang="en"),
    Article("strange", "Eine Meldung ohne Liste für die Sprache.", lang="de"),
    Article("text", "The harbour of Oldmere was closed on Monday, and 12 boats left for the south.", lang="en"),
)


def results(detector: Detector, articles: Sequence[Article]) -> list[list[Result]]:
    """What the detector says of every article and every other."""
    signatures = detector.sign(prepare(articles))
    rows = np.arange(len(articles))
    out: list[list[Result]] = []
    for row in rows:
        found = detector.compare(signatures, signatures, Pairs(np.full(len(rows), row), rows))
        kinds = [None if kind == 0 else KINDS[kind].value for kind in found.kinds.tolist()]
        out.append(list(zip(found.forward.tolist(), found.backward.tolist(), kinds, strict=True)))
    return out


def check(detector: Detector, articles: Sequence[Article], oracle: Callable[[Article, Article], Result]) -> None:
    """The same shares and the same kind for all pairs."""
    for left, row in zip(articles, results(detector, articles), strict=True):
        for right, (forward, backward, kind) in zip(articles, row, strict=True):
            expected = oracle(left, right)
            where = f"{detector}: {left.text!r} and {right.text!r}"
            assert (forward, backward) == pytest.approx(expected[:2], abs=1e-9), where
            assert kind == expected[2], where


def found(articles: Sequence[Article], detector: Detector) -> set[tuple[str, str, str, float, float]]:
    """The relations, as they are from the side whose id comes first."""
    out = set()
    for relation in relate(articles, detector=detector):
        seen = relation if relation.left < relation.right else relation.flipped()
        out.add((seen.left, seen.right, str(seen.kind), *seen.overlap))
    return out


def check_keys(detector: Detector, articles: Sequence[Article]) -> None:
    """Every pair that is related meets."""
    assert found(articles, detector) == found(articles, parse(f"exhaustive(inner={str(detector)!r})"))
