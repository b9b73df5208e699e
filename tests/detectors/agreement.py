"""A native detector beside its oracle, and with keys beside without: what the tests of the classic detectors share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from samestory import Article, Detector, parse, prepare, relate
from samestory.detectors.weighted import Weighted
from samestory.model import KINDS, Kind, Pairs
from tests.reference.shares import Result
from tests.reference.text import Table

#: Articles with nothing, or nearly nothing, that a method could look at.
ODD = [
    Article("empty", "", lang="en"),
    Article("dots", "… — !", lang="en"),
    Article("word", "Harbour", lang="en"),
    Article("stops", "The and of to in the", lang="en"),
    Article("figures", "12 42,9 2008-2009 7% 12 1:30", lang="en"),
    Article("usual", "The harbour council of Oldmere voted to rebuild the pier for 42,9 crowns", lang="en"),
]


def compared(detector: Detector, articles: Sequence[Article]) -> list[tuple[int, int, Result, float]]:
    """Every two of the articles, either way round: their places, what the detector says of them, and the score."""
    signatures = detector.sign(prepare(articles))
    left, right = np.divmod(np.arange(len(articles) ** 2), len(articles))
    found = detector.compare(signatures, signatures, Pairs(left, right))
    rows = zip(left, right, found.forward, found.backward, found.kinds, found.score, strict=True)
    return [
        (int(x), int(y), (float(f), float(b), None if k == KINDS.index(Kind.NONE) else str(KINDS[k])), float(s))
        for x, y, f, b, k, s in rows
    ]


def fitted(detector: Detector, articles: Sequence[Article]) -> tuple[Detector, Table | None]:
    """The detector with the frequencies of articles, and those for its oracle."""
    if not isinstance(detector, Weighted):
        return detector, None
    return detector.fit([prepare(articles)]), Table.of(articles, getattr(detector, "stemming", "none"))


def check(
    name: str,
    oracle: Callable[..., Result],
    articles: Sequence[Article],
    parameters: dict[str, Any],
    *,
    near: float = 1e-9,
    doubtful: Callable[[float], bool] = lambda share: False,
) -> None:
    """The detector says of every two articles what the oracle says; kinds of doubtful shares aside."""
    detector, table = fitted(replace(parse(name), **parameters), articles)
    for left, right, found, _ in compared(detector, articles):
        wanted = oracle(articles[left], articles[right], table=table, **parameters)
        assert found[:2] == pytest.approx(wanted[:2], abs=near), (articles[left], articles[right], parameters)
        if not doubtful(wanted[0]):
            assert found[2] == wanted[2], (articles[left], articles[right], parameters)


def check_keys(spec: str, articles: Sequence[Article]) -> None:
    """What meets by keys is all that there is."""

    def relations(spec: str) -> list[tuple[Any, ...]]:
        return sorted((r.left, r.right, r.kind, r.overlap) for r in relate(articles, detector=spec))

    assert relations(spec) == relations(f"exhaustive(inner={spec!r})")


def is_signed(spec: str, texts: Sequence[str], among: Sequence[Article] = ODD) -> list[bool]:
    """Which of these English texts have a signature, the frequencies being those of some articles."""
    detector, _ = fitted(parse(spec), among)
    return [bool(row) for row in detector.sign(prepare([Article(str(n), t, lang="en") for n, t in enumerate(texts)]))]
