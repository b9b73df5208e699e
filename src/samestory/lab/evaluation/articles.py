"""Facts about the articles of the gold, read once: length, language, and a signature to compute overlaps.

Files are streamed in batches; most articles keep only numbers and a signature, those to be displayed also their text.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from samestory.detectors import Reuse
from samestory.errors import InputError
from samestory.model import Article, Pairs, Signatures
from samestory.readers import Source, read
from samestory.text import prepare

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: Articles prepared at a time.
BATCH_ARTICLES = 1024

#: Overlap is measured in three-word shingles, whatever the detectors use.
OVERLAP_DETECTOR = Reuse(shingle=3)


@dataclass(frozen=True, eq=False)
class ArticleTable:
    """Columns of article facts; `place` maps every id to its row."""

    place: dict[str, int]
    words: NDArray[np.int64]
    languages: Sequence[str]
    """As given or detected; `und` where neither."""
    signatures: Signatures | None
    texts: dict[str, Article]
    """The articles whose texts were kept, by id."""

    def rows(self, ids: Sequence[str]) -> NDArray[np.int64]:
        """Return the rows of these articles."""
        import numpy as np

        return np.array([self.place[article] for article in ids], np.int64)

    def overlaps(self, left: Sequence[str], right: Sequence[str]) -> NDArray[np.float64]:
        """Return for every pair the share of the smaller article's three-word shingles that occur in the other one."""
        import numpy as np

        assert self.signatures is not None
        one, other = self.rows(left), self.rows(right)
        overlap = OVERLAP_DETECTOR.compare(self.signatures, self.signatures, Pairs(one, other))
        return np.where(self.words[one] <= self.words[other], overlap.forward, overlap.backward)


def load_articles(
    sources: Sequence[Source], ids: Collection[str], keep: Collection[str] = (), compare: bool = True
) -> ArticleTable:
    """Load the facts of the articles with these ids, and the texts of some; `compare` adds signatures for overlaps."""
    import numpy as np

    wanted, kept = set(ids), set(keep)
    place: dict[str, int] = {}
    words: list[int] = []
    languages: list[str] = []
    signatures: list[Signatures] = []
    texts: dict[str, Article] = {}
    articles = _wanted(sources, wanted | kept)
    while batch := list(islice(articles, BATCH_ARTICLES)):
        features = prepare(batch)
        place.update((article.id, at) for at, article in enumerate(batch, len(place)))
        words += features.tokens.lengths().tolist()
        languages += features.languages
        texts.update((article.id, article) for article in batch if article.id in kept)
        if compare:
            signatures.append(OVERLAP_DETECTOR.sign(features))
    if absent := (wanted | kept) - place.keys():
        raise InputError(f"no article has the id {min(absent)!r}")
    joined = Signatures.concat(signatures) if signatures else None
    return ArticleTable(place, np.array(words, np.int64), languages, joined, texts)


def _wanted(sources: Sequence[Source], ids: set[str]) -> Iterator[Article]:
    """Yield the articles with these ids, each once, until all are found."""
    left = set(ids)
    for source in sources:
        if not left:
            return
        for item in read(source):
            if isinstance(item, Article) and item.id in left:
                left.remove(item.id)
                yield item
                if not left:
                    return
