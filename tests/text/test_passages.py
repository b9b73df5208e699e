"""What only one of two texts has, against a loop over its words."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

import pytest

from samestory import Article, prepare
from samestory.model import Features, Span
from samestory.text import missing


def one_by_one(article: Features, found: Iterable[Span]) -> list[Span]:
    """Runs of words that begin inside none of the spans."""
    out: list[Span] = []
    spans, joined = list(found), False
    for start, end in zip(article.starts[0].tolist(), article.ends[0].tolist(), strict=True):
        if any(span.start <= start < span.end for span in spans):
            joined = False
        elif joined:
            out[-1] = Span(out[-1].start, end)
        else:
            out.append(Span(start, end))
            joined = True
    return out


@pytest.mark.parametrize("seed", range(50))
def test_missing_words_are_those_in_no_span(seed: int) -> None:
    random = Random(seed)
    text = " ".join(random.choice(["a", "bridge,", "is", "- open"]) for _ in range(random.randrange(30)))
    article = prepare([Article("a", text)])
    spans = []
    for _ in range(random.randrange(6)):
        start = random.randrange(len(text) + 1)
        spans.append(Span(start, start + random.randrange(12)))
    assert missing(article, spans) == one_by_one(article, spans)
    assert missing(article, []) == one_by_one(article, [])
