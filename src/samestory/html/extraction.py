"""Pages to articles: a batch at a time through an extractor, and each article put to the rules of all articles."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import NamedTuple

from samestory import _core
from samestory.errors import InputError, NotAPage
from samestory.html.article import article as to_article
from samestory.html.extractors import Extraction, Extractor, parse
from samestory.html.metadata import Metadata, metadata
from samestory.html.site_filter import SiteFilter
from samestory.html.verdict import FLAGS, verdict
from samestory.model import Article, flaw, shown
from samestory.readers import ROLES, Origin, Page, Problem

#: The extractor where nobody names one.
DEFAULT = "crf"

#: Pages in a batch, and the bytes from which on a batch is full: the pages of two batches are in memory.
BATCH = 256
FULL = 16 << 20

#: An article's text is at most as large as its page, whose size was looked at when it was read.
ANY = 2**62


class Extracted(NamedTuple):
    """An article, what its page says of itself, what was unusual about that, and when it was served.

    `flags` are those of `Blocks`.
    """

    article: Article
    known: Metadata
    flags: frozenset[str] = frozenset()
    fetched: str | None = None


def extract(pages: Iterable[Page | Problem], extractor: Extractor | str = DEFAULT) -> Iterator[Article | Problem]:
    """The articles on pages, in their order, and in their places what is none, with the reason.

    The id of an article is the address of its page, else its place. Problems among the pages are passed on.

    >>> [article.text for article in extract([Page(b"<p>One <b>two</b><script>three</script>")], "heuristic")]
    ['One two']
    """
    for each in extracted(pages, extractor):
        yield each if isinstance(each, Problem) else each.article


def extracted(
    pages: Iterable[Page | Problem],
    extractor: Extractor | str = DEFAULT,
    *,
    largest: int = ANY,
    seen: set[str] | None = None,
    threads: int = 0,
    sites: SiteFilter | None = None,
) -> Iterator[Extracted | Problem]:
    """The same, with what else is known of each.

    Texts of more than `largest` bytes are refused. Who extracts several times as one gives one set of the ids that were
    `seen`. `sites` takes out of every text what its site repeats, and learns from it.
    """
    chosen = parse(extractor) if isinstance(extractor, str) else extractor
    chosen.prepare()
    if isinstance(pages, str | bytes | os.PathLike | Page):
        hint = "put it into a list" if isinstance(pages, Page) else "read them with samestory.pages(path)"
        raise InputError(f"pages: a list of pages is wanted, got one {shown(pages)}", hint)
    number, seen = 0, set() if seen is None else seen
    for batch, found in _worked(pages, chosen, threads):
        results = iter(found)
        for item in batch:
            if isinstance(item, Problem):
                yield item
                continue
            number += 1
            result = next(results)
            if sites and isinstance(result, Extraction):
                result = sites.extraction(item.site, result)
            yield from _judged(item, result, number, largest, seen)


def _worked(
    pages: Iterable[Page | Problem], extractor: Extractor, threads: int
) -> Iterator[tuple[list[Page | Problem], list[Extraction | NotAPage]]]:
    """Batches and what was extracted of them; while the core works on one, the next is read."""
    with ThreadPoolExecutor(1) as crew:
        ahead: tuple[list[Page | Problem], Future[list[Extraction | NotAPage]]] | None = None
        for batch in _batches(pages):
            works = crew.submit(extractor.extract, [item for item in batch if isinstance(item, Page)], threads)
            if ahead:
                yield ahead[0], ahead[1].result()
            ahead = batch, works
        if ahead:
            yield ahead[0], ahead[1].result()


def _batches(pages: Iterable[Page | Problem]) -> Iterator[list[Page | Problem]]:
    batch: list[Page | Problem] = []
    size = 0
    for number, item in enumerate(pages, 1):
        if not isinstance(item, Page | Problem):
            raise InputError(f"page {number}: a Page is wanted, got {shown(item)}", "make one of its bytes: Page(raw)")
        batch.append(item)
        size += len(item.raw) if isinstance(item, Page) else 0
        if len(batch) == BATCH or size >= FULL:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _judged(
    page: Page, found: Extraction | NotAPage, number: int, largest: int, seen: set[str]
) -> Iterator[Extracted | Problem]:
    """The article of a page, or why there is none."""
    url = (page.url or "").strip()
    origin = page.origin or Origin(url or f"page {number}")
    if wrong := flaw(url):
        yield Problem(*origin, "unreadable", f"url: {wrong}")
        return
    about = f" ({_short(url)})" if url and page.origin else ""
    if isinstance(found, NotAPage):
        yield Problem(*origin, "not a page", str(found).removeprefix(f"{page.url or 'page'}: ") + about)
        return
    known = metadata(page, found)
    if told := sorted(verdict(page, found, known) - {"empty"}):  # that is told below, with other texts that are none
        yield Problem(*origin, told[0], FLAGS[told[0]] + about)
        return
    article = to_article(page, found, url or (str(origin) if page.origin else str(number)), known)
    # a page of which only the headline is found holds no article, whatever holds for short news
    values = [None if role == "title" else getattr(article, role) for role in ROLES]
    taken, fault = _core.judge(values, [], largest)
    if taken is None and fault:
        detail = _nothing(found) if fault[0] == "empty text" else fault[1]
        yield Problem(*origin, fault[0], detail + about)
    elif article.id in seen:
        yield Problem(*origin, "duplicate id", f'the id "{_short(article.id)}" was read before')
    else:
        seen.add(article.id)
        yield Extracted(article, known, found.flags, page.fetched)
        if fault:
            yield Problem(*origin, fault[0], fault[1] + about, kept=True)


def _nothing(found: Extraction) -> str:
    if "frames" in found.flags:
        return "a set of frames: the text is on other pages"
    return "nothing on the page is content"


def _short(text: str) -> str:
    return text if len(text) <= 200 else f"{text[:200]}…"
