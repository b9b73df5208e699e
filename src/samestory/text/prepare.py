"""Converts articles to features, one batch at a time; texts are passed to the native core once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from samestory import _core
from samestory.errors import InputError
from samestory.model import Article, Features, Ragged, shown
from samestory.model.arrow import from_integers, from_texts
from samestory.old_arguments import accept_old_arguments

#: Version of the preparation rules (tokens, case, hashes), stored in indexes; changes with any of them.
PREPARATION = "words-3"


@accept_old_arguments("as_is")
def prepare(articles: Iterable[Article], *, as_is: bool = False) -> Features:
    """Prepares articles; the language is that of the article or detected.

    Dirty text (HTML entities, control characters, remains of tags and scripts) is repaired before tokenising, unless
    `as_is`; offsets refer to the original text.

    >>> prepare([Article("a", "Shares gain 2%.")]).tokens.lengths().tolist()
    [3]
    """
    import pyarrow as pa

    if not isinstance(articles, Iterable) or isinstance(articles, str | Mapping):
        raise InputError(f"expected a list of articles, got {shown(articles)}", place="articles")
    articles = list(articles)
    for number, article in enumerate(articles, 1):
        if not isinstance(article, Article):
            # ids by number would repeat in every batch
            hint = "create one: Article(id, text); find, relate and explain also accept mappings and texts"
            raise InputError(f"expected an Article, got {shown(article)}", hint, place=f"article {number}")
        if wrong := article.flaw:
            raise InputError(wrong, place=f"article {number}")
    native = _core.text.prepare([a.text for a in articles], [a.lang for a in articles], as_is)
    titles = [None if as_is or not a.title else _repaired(a.title) for a in articles]
    times = [_core.engine.microseconds(a.published) if a.published else None for a in articles]
    return Features(
        pa.record_batch(
            {
                "id": from_texts([a.id for a in articles], pa.string()),
                "title": from_texts([a.title for a in articles], pa.string()),
                "text": from_texts([a.text for a in articles], pa.large_string()),
                "repaired": from_texts(native.repaired, pa.large_string()),
                "repaired_title": from_texts(titles, pa.string()),
                "published": from_integers(times, pa.timestamp("us", tz="UTC")),
                "source": from_texts([a.source for a in articles], pa.string()),
                "lang": from_texts(native.languages, pa.string()),
                "tokens": Ragged.from_core(native.tokens).array,
                "starts": Ragged.from_core(native.starts).array,
                "bases": Ragged.from_core(native.bases).array,
                "ends": Ragged.from_core(native.ends).array,
                "sentences": Ragged.from_core(native.sentences).array,
            }
        )
    )


def _repaired(title: str) -> str | None:
    """Returns the repaired title; None if it needs no repair."""
    found = _core.text.repair(title)
    return found.text if found.kinds else None


def repairs(article: Article, with_title: bool = True) -> set[str]:
    """Returns the kinds of repairs that an article needs.

    >>> repairs(Article("a", "Shares &amp; bonds"))
    {'HTML entities'}
    """
    texts = [article.text, article.title or ""] if with_title else [article.text]
    return {kind for text in texts for kind in _core.text.repair(text).kinds}
