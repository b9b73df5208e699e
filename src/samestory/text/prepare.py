"""Articles to features, a batch at a time; the text crosses into the native core once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from samestory import _core
from samestory.errors import InputError
from samestory.model import Article, Features, shown

#: Names the rules of preparation (tokens, case, hashes). It changes when any of them does, and an index remembers it.
PREPARATION = "words-3"


def prepare(articles: Iterable[Article], as_is: bool = False) -> Features:
    """Prepares articles; the language is the article's own or is detected.

    Dirty text (HTML entities, control characters, remains of tags and scripts) is repaired before its words are read,
    unless `as_is`; places are those of the text itself.

    >>> prepare([Article("a", "Shares gain 2%.")]).tokens.lengths().tolist()
    [3]
    """
    import numpy as np
    import pyarrow as pa

    if not isinstance(articles, Iterable) or isinstance(articles, str | Mapping):
        raise InputError(f"articles: a list of articles is wanted, got {shown(articles)}")
    articles = list(articles)
    for number, article in enumerate(articles, 1):
        if not isinstance(article, Article):
            # without an id of its own it would be named by its number, in every batch anew
            hint = "make one of it: Article(id, text); find, relate and explain take mappings and texts as they are"
            raise InputError(f"article {number}: an Article is wanted, got {shown(article)}", hint)
        if wrong := article.flaw:
            raise InputError(f"article {number}: {wrong}")
    native = _core.prepare([a.text for a in articles], [a.lang for a in articles], as_is)
    titles = [None if as_is or not a.title else _core.repair(a.title) for a in articles]

    def rows(values: bytes, offsets: bytes) -> pa.LargeListArray:
        return pa.LargeListArray.from_arrays(
            pa.array(np.frombuffer(offsets, np.int64)), pa.array(np.frombuffer(values, np.uint32))
        )

    tokens, starts, bases, ends, offsets = native.tokens()
    sentence_starts, sentence_ends, sentence_offsets = native.sentences()
    turns = np.stack([np.frombuffer(sentence_starts, np.uint32), np.frombuffer(sentence_ends, np.uint32)], axis=1)
    times = [_core.microseconds(a.published) if a.published else None for a in articles]
    return Features(
        pa.record_batch(
            {
                "id": pa.array([a.id for a in articles], pa.string()),
                "title": pa.array([a.title for a in articles], pa.string()),
                "text": pa.array([a.text for a in articles], pa.large_string()),
                "repaired": pa.array(native.repaired, pa.large_string()),
                "repaired_title": pa.array(titles, pa.string()),
                "published": pa.array(times, pa.timestamp("us", tz="UTC")),
                "source": pa.array([a.source for a in articles], pa.string()),
                "lang": pa.array(native.languages, pa.string()),
                "tokens": rows(tokens, offsets),
                "starts": rows(starts, offsets),
                "bases": rows(bases, offsets),
                "ends": rows(ends, offsets),
                "sentences": rows(turns.tobytes(), (np.frombuffer(sentence_offsets, np.int64) * 2).tobytes()),
            }
        )
    )
