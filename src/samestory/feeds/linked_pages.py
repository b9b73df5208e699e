"""Fetches the pages that entries link to, for feeds that contain only a line of each article.

Only new entries are looked up, and only those are passed on: otherwise the text of the feed would replace that of the
page in the next round. If a page is unavailable, forbidden or without an article, the text of the feed is kept.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Sequence
from dataclasses import replace

from samestory.errors import FetchError
from samestory.feeds.fetch import Fetcher
from samestory.feeds.parse import Feed
from samestory.feeds.robots import Robots
from samestory.html.extraction import DEFAULT_EXTRACTOR, extracted
from samestory.html.extractors import Extractor, parse
from samestory.model import Article
from samestory.readers import Page, Problem

#: Content types of pages; empty if the server does not send one.
_TYPES = frozenset(("", "text/html", "application/xhtml+xml"))


class LinkedPages:
    """Replaces the texts of the articles of a feed by those of their linked pages.

    `known` receives ids and returns those that are stored already. At most `most` pages per feed are fetched in a
    round; the other entries wait for the next.
    """

    def __init__(
        self,
        fetcher: Fetcher,
        known: Callable[[Sequence[str]], Container[str]] = lambda ids: (),
        *,
        extractor: Extractor | str = DEFAULT_EXTRACTOR,
        most: int = 100,
    ) -> None:
        self._fetcher, self._known, self._most = fetcher, known, most
        self._robots = Robots(fetcher)
        self._extractor = parse(extractor) if isinstance(extractor, str) else extractor
        self._extractor.prepare()

    def __call__(self, feed: Feed) -> Feed:
        """Return a feed with its new articles only, and with the texts of their pages."""
        known = self._known([article.id for article in feed.articles])
        new = [article for article in feed.articles if article.id not in known]
        failures: Counter[str] = Counter()
        done = [self._with_page_text(article, feed, failures) for article in new[: self._most]]
        warnings = (*feed.warnings, *(f"unusable pages: {count} ({why})" for why, count in failures.most_common()))
        left = len(new) - len(done)
        return replace(feed, articles=tuple(done), warnings=warnings, missed=failures.total(), left=left)

    def _with_page_text(self, article: Article, feed: Feed, failures: Counter[str]) -> Article:
        if article.url is None:
            failures["no link"] += 1
            return article
        try:
            result = self._fetcher.fetch(article.url, check=self._robots.check, named_by=feed.addresses)
        except FetchError as error:
            failures[error.reason] += 1
            return article
        if result.type not in _TYPES:
            failures[f"not a page: {result.type}"] += 1
            return article
        page = Page(result.body, result.url, result.charset)
        found = next(iter(extracted([page], self._extractor, threads=1)))
        if isinstance(found, Problem):
            failures[found.fault] += 1
            return article
        # a feed may contain a whole article, and its page only the beginning
        if len(found.article.text) <= len(article.text):
            return article
        return replace(
            article,
            text=found.article.text,
            title=article.title or found.article.title,
            published=article.published or found.article.published,
            lang=article.lang or found.article.lang,
            metadata={**found.article.metadata, **article.metadata},
        )
