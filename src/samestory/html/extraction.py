"""Extracts articles from pages in batches, and applies the record rules to each article."""

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
from samestory.old_arguments import accept_old_arguments
from samestory.readers import ROLES, Origin, Page, Problem

#: The default extractor.
DEFAULT_EXTRACTOR = "crf"

#: Pages per batch, and bytes after which a batch is full; two batches are in memory.
BATCH_PAGES = 256
BATCH_BYTES = 16 << 20

#: No limit on text size: a text is not larger than its page, whose size was checked on reading.
NO_SIZE_LIMIT = 2**62


class ExtractedArticle(NamedTuple):
    """An article with the metadata and flags of its page, and the time it was served.

    `flags` are those of `PageBlocks`.
    """

    article: Article
    known: Metadata
    flags: frozenset[str] = frozenset()
    fetched: str | None = None


@accept_old_arguments("extractor")
def extract(
    pages: Iterable[Page | Problem], *, extractor: Extractor | str = DEFAULT_EXTRACTOR
) -> Iterator[Article | Problem]:
    """Yields the articles of pages in order, and a problem for each page without one.

    The id of an article is the URL of its page, else its location. Problems among the pages are passed on.

    >>> [article.text for article in extract([Page(b"<p>One <b>two</b><script>three</script>")], extractor="heuristic")]
    ['One two']
    """
    for each in extracted(pages, extractor):
        yield each if isinstance(each, Problem) else each.article


def extracted(
    pages: Iterable[Page | Problem],
    extractor: Extractor | str = DEFAULT_EXTRACTOR,
    *,
    largest: int = NO_SIZE_LIMIT,
    seen: set[str] | None = None,
    threads: int = 0,
    sites: SiteFilter | None = None,
) -> Iterator[ExtractedArticle | Problem]:
    """Yields the articles of pages with their metadata, and problems.

    Texts of more than `largest` bytes are rejected. To combine several calls, pass the same set of `seen` ids. `sites`
    removes repeated text of each site and learns from every page.
    """
    chosen = parse(extractor) if isinstance(extractor, str) else extractor
    chosen.prepare()
    if isinstance(pages, str | bytes | os.PathLike | Page):
        hint = "put it into a list" if isinstance(pages, Page) else "read them with samestory.pages(path)"
        raise InputError(f"expected a list of pages, got one {shown(pages)}", hint, place="pages")
    number, seen = 0, set() if seen is None else seen
    for batch, found in _extract_ahead(pages, chosen, threads):
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


def _extract_ahead(
    pages: Iterable[Page | Problem], extractor: Extractor, threads: int
) -> Iterator[tuple[list[Page | Problem], list[Extraction | NotAPage]]]:
    """Yields batches with their extractions; reads the next batch while the core processes one."""
    with ThreadPoolExecutor(1) as executor:
        ahead: tuple[list[Page | Problem], Future[list[Extraction | NotAPage]]] | None = None
        for batch in _batches(pages):
            future = executor.submit(extractor.extract, [item for item in batch if isinstance(item, Page)], threads)
            if ahead:
                yield ahead[0], ahead[1].result()
            ahead = batch, future
        if ahead:
            yield ahead[0], ahead[1].result()


def _batches(pages: Iterable[Page | Problem]) -> Iterator[list[Page | Problem]]:
    batch: list[Page | Problem] = []
    size = 0
    for number, item in enumerate(pages, 1):
        if not isinstance(item, Page | Problem):
            raise InputError(
                f"expected a Page, got {shown(item)}", "create one from its bytes: Page(raw)", place=f"page {number}"
            )
        batch.append(item)
        size += len(item.raw) if isinstance(item, Page) else 0
        if len(batch) == BATCH_PAGES or size >= BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _judged(
    page: Page, found: Extraction | NotAPage, number: int, largest: int, seen: set[str]
) -> Iterator[ExtractedArticle | Problem]:
    """Yields the article of a page, or the problem why there is none."""
    url = (page.url or "").strip()
    origin = page.origin or Origin(url or f"page {number}")
    if wrong := flaw(url):
        yield Problem(*origin, "broken url", wrong)
        return
    about = f" ({_short(url)})" if url and page.origin else ""
    if isinstance(found, NotAPage):
        yield Problem(*origin, "not a page", found.detail + about)
        return
    known = metadata(page, found)
    if flags := sorted(verdict(page, found, known) - {"empty"}):  # empty texts are reported below
        yield Problem(*origin, flags[0], FLAGS[flags[0]] + about)
        return
    article = to_article(page, found, url or (str(origin) if page.origin else str(number)), known)
    # a page with only a headline has no article, unlike short news in files
    values = [None if role == "title" else getattr(article, role) for role in ROLES]
    accepted, fault = _core.engine.judge(values, [], largest)
    if accepted is None and fault:
        detail = _empty_reason(found) if fault[0] == "empty text" else fault[1]
        yield Problem(*origin, fault[0], detail + about)
    elif article.id in seen:
        yield Problem(*origin, "duplicate id", f'the id "{_short(article.id)}" was read before')
    else:
        seen.add(article.id)
        yield ExtractedArticle(article, known, found.flags, page.fetched)
        if fault:
            yield Problem(*origin, fault[0], fault[1] + about, kept=True)


def _empty_reason(found: Extraction) -> str:
    if "frames" in found.flags:
        return "a frameset: the text is on other pages"
    return "no content found on the page"


def _short(text: str) -> str:
    return text if len(text) <= 200 else f"{text[:200]}…"
