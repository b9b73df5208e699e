"""The articles that gold is about, looked at once: how long they are, in which language, what two of them share.

Files are read from beginning to end, a batch at a time; of most articles only numbers and a signature are kept, of
those that somebody wants to read also the text.
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
BATCH = 1024

#: What is shared is counted in runs of three words, whatever the detectors count in.
SHINGLES = Reuse(shingle=3)


@dataclass(frozen=True, eq=False)
class Known:
    """What is known of some articles; `place` is the row of every id."""

    place: dict[str, int]
    words: NDArray[np.int64]
    languages: Sequence[str]
    """Given or detected; `und` where neither."""
    signatures: Signatures | None
    texts: dict[str, Article]
    """Those that were to be kept."""

    def rows(self, ids: Sequence[str]) -> NDArray[np.int64]:
        """The rows of these articles."""
        import numpy as np

        return np.array([self.place[article] for article in ids], np.int64)

    def overlaps(self, left: Sequence[str], right: Sequence[str]) -> NDArray[np.float64]:
        """Of every pair, the share of the smaller article's three-word runs that stand in the other one."""
        import numpy as np

        assert self.signatures is not None
        one, other = self.rows(left), self.rows(right)
        found = SHINGLES.compare(self.signatures, self.signatures, Pairs(one, other))
        return np.where(self.words[one] <= self.words[other], found.forward, found.backward)


def look(sources: Sequence[Source], ids: Collection[str], keep: Collection[str] = (), compare: bool = True) -> Known:
    """Looks at the articles with these ids, and keeps the texts of some; with `compare`, pairs of them can be."""
    import numpy as np

    wanted, kept = set(ids), set(keep)
    place: dict[str, int] = {}
    words: list[int] = []
    languages: list[str] = []
    signatures: list[Signatures] = []
    texts: dict[str, Article] = {}
    articles = _wanted(sources, wanted | kept)
    while batch := list(islice(articles, BATCH)):
        features = prepare(batch)
        place.update((article.id, at) for at, article in enumerate(batch, len(place)))
        words += features.tokens.lengths().tolist()
        languages += features.languages
        texts.update((article.id, article) for article in batch if article.id in kept)
        if compare:
            signatures.append(SHINGLES.sign(features))
    if absent := (wanted | kept) - place.keys():
        raise InputError(f"no article has the id {min(absent)!r}")
    joined = Signatures.concat(signatures) if signatures else None
    return Known(place, np.array(words, np.int64), languages, joined, texts)


def _wanted(sources: Sequence[Source], ids: set[str]) -> Iterator[Article]:
    """The articles with these ids, each once, until all are found."""
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
