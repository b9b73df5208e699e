"""The pages that entries link to, for feeds that give no more than a line of each article.

Only entries that nobody knows yet are looked up, and only those are passed on: the text of the feed would else replace
that of the page in the next round. Where a page cannot be had, may not be, or holds no article, the text of the feed
stays.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Sequence
from dataclasses import replace

from samestory.errors import FetchError
from samestory.feeds.fetch import Fetcher
from samestory.feeds.parse import Feed
from samestory.feeds.robots import Robots
from samestory.html.extraction import DEFAULT, extracted
from samestory.html.extractors import Extractor, parse
from samestory.model import Article
from samestory.readers import Page, Problem

#: Types that pages are served with; nothing, where the server does not say.
_TYPES = frozenset(("", "text/html", "application/xhtml+xml"))


class Pages:
    """Puts the texts of linked pages into the articles of a feed.

    `known` is given ids and tells which of them there are already. Of one feed the pages of `most` entries are fetched
    in a round; the others wait for the next.
    """

    def __init__(
        self,
        fetcher: Fetcher,
        known: Callable[[Sequence[str]], Container[str]] = lambda ids: (),
        *,
        extractor: Extractor | str = DEFAULT,
        most: int = 100,
    ) -> None:
        self._fetcher, self._known, self._most = fetcher, known, most
        self._robots = Robots(fetcher)
        self._extractor = parse(extractor) if isinstance(extractor, str) else extractor
        self._extractor.prepare()

    def __call__(self, feed: Feed) -> Feed:
        """A feed with the articles that are new, and in them the texts of their pages."""
        known = self._known([article.id for article in feed.articles])
        new = [article for article in feed.articles if article.id not in known]
        failures: Counter[str] = Counter()
        done = [self._looked_up(article, failures) for article in new[: self._most]]
        doubts = [f"pages that could not be used: {count} ({why})" for why, count in failures.most_common()]
        left = len(new) - len(done)
        return replace(feed, articles=tuple(done), doubts=(*feed.doubts, *doubts), missed=failures.total(), left=left)

    def _looked_up(self, article: Article, failures: Counter[str]) -> Article:
        if article.url is None:
            failures["no link"] += 1
            return article
        try:
            answer = self._fetcher.fetch(article.url, check=self._robots.check)
        except FetchError as error:
            failures[error.reason] += 1
            return article
        if answer.type not in _TYPES:
            failures[f"no page: {answer.type}"] += 1
            return article
        page = Page(answer.body, answer.url, answer.charset)
        found = next(iter(extracted([page], self._extractor, threads=1)))
        if isinstance(found, Problem):
            failures[found.fault] += 1
            return article
        # a feed may give the whole of an article, and its page the beginning
        if len(found.article.text) <= len(article.text):
            return article
        return replace(
            article,
            text=found.article.text,
            title=article.title or found.article.title,
            published=article.published or found.article.published,
            lang=article.lang or found.article.lang,
        )
