"""Pages that hold no article: errors and challenges, stubs in front of a paywall, lists, and pages without content.

They are flagged and not passed on as articles. A flag is a charge and needs evidence: where a page could be a short
article it is taken for one.
"""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from samestory.html.extractors.base import Extraction
from samestory.html.linked_data import ARTICLES
from samestory.html.metadata import Metadata
from samestory.html.phrases import BREAKS_OFF, CHALLENGE, DOOR, ERROR_TITLE, WALL
from samestory.html.words import clean, fold
from samestory.readers.page import Page

#: Every flag, and what it means.
FLAGS = {
    "error-page": "tells of an error, or asks for scripts, cookies or a proof of being human",
    "paywall": "shows the beginning of an article that only subscribers may read",
    "not-article": "a front page or a list: no article by its own account, undated, and most of its words are links",
    "empty": "has no content",
}

#: Characters that an error message has at most, and one with a date; a stub, and a long one.
MESSAGE, DATED_MESSAGE, STUB, LONG_STUB = 1200, 400, 1000, 2000
#: Words of a paragraph that is more than a line of a message, and words in such paragraphs that no message has.
PARAGRAPH, ARTICLE = 20, 60
#: A page that is a message has at most so many tokens in all, menus included.
SMALL_PAGE = 400
#: Where the page has so many words that are neither links nor content, the extractor may have missed the article.
MISSED = 500
#: On a list this share of the words are links, and on a front page this one.
LINKS, LINKS_IN_FRONT = 0.66, 0.4

_FRONT = re.compile(r"/?(?:[a-z]{2}/?)?(?:(?:index|default|home)(?:\.\w{2,5})?/?)?", re.IGNORECASE)


def verdict(page: Page, extraction: Extraction, known: Metadata) -> frozenset[str]:
    """The flags of a page; none for an article.

    >>> from samestory.html import metadata, parse
    >>> page = Page(b"<title>404 - Page not found</title><p>The page you are looking for is not there any more.")
    >>> extraction = parse("heuristic").extract([page])[0]
    >>> sorted(verdict(page, extraction, metadata(page, extraction)))
    ['error-page']
    """
    text = extraction.text.strip()
    flags = set()
    if not any(letter.isalnum() for letter in text):
        flags.add("empty")
    if is_error(extraction, known):
        flags.add("error-page")
    elif is_paywalled(extraction, known):
        flags.add("paywall")
    elif is_list(page, extraction, known):
        flags.add("not-article")
    return frozenset(flags)


def is_error(extraction: Extraction, known: Metadata) -> bool:
    """Short, and called an error; or on a small page, and asking for a proof of being human."""
    text, head = extraction.text, extraction.head
    if len(text) > MESSAGE or _may_be_missed(extraction) or _reads_on(text):
        return False
    titles = [fold(clean(title)) for title in (known.title or "", extraction.title, head.heading)]
    if any(ERROR_TITLE.search(title) for title in titles):
        return known.published is None or len(text) < DATED_MESSAGE
    if head.tokens > SMALL_PAGE or known.kind in ARTICLES:
        return False
    return any(CHALLENGE.search(each) for each in (*titles, fold(clean(text, MESSAGE)), *map(fold, head.notices)))


def _reads_on(text: str) -> bool:
    """Whether a text has paragraphs as articles have: "Page not found: the novel that nobody finished" is a review."""
    words = (len(line.split()) for line in text.splitlines())
    return sum(count for count in words if count >= PARAGRAPH) >= ARTICLE


def is_paywalled(extraction: Extraction, known: Metadata) -> bool:
    """The shorter the text, the less evidence is needed that it is not all."""
    text, head = extraction.text.strip(), extraction.head
    notices = [fold(clean(notice)) for notice in head.notices]
    says, door = (any(map(pattern.search, notices)) for pattern in (WALL, DOOR))
    ends = bool(WALL.search(fold(text[-300:])))
    if len(text) > LONG_STUB:
        return ends and known.free is False
    if _may_be_missed(extraction):
        return False
    evidence = 2 * (known.free is False) + (2 if says or ends else door) + bool(head.telling)
    evidence += bool(evidence) and bool(BREAKS_OFF.search(text))
    return evidence >= (2 if len(text) < STUB else 4)


def _may_be_missed(extraction: Extraction) -> bool:
    return extraction.head.tokens - extraction.head.linked - len(extraction.text.split()) > MISSED


def is_list(page: Page, extraction: Extraction, known: Metadata) -> bool:
    """Undated, no article by its own account, and made of links: the front page, or a website with hardly any text."""
    head = extraction.head
    if known.published or known.kind not in (None, "website") or not head.tokens:
        return False
    links = head.linked / head.tokens
    if is_front(page.url) and links > LINKS_IN_FRONT:
        return True
    return known.kind == "website" and links > LINKS and len(extraction.text) < STUB


def is_front(url: str | None) -> bool:
    """Whether an address is that of a front page: a host alone, or with a language or an index behind it.

    >>> is_front("https://example.com/"), is_front("https://example.com/tr/index.html"), is_front("https://example.com/a-1")
    (True, True, False)
    """
    try:
        parts = urlsplit(url or "")
    except ValueError:
        return False
    return bool(parts.hostname) and not parts.query and bool(_FRONT.fullmatch(parts.path))
