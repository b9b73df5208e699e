"""Metadata of an article: title, author, times, language, source, URL, section, keywords.

Each field has the value of the first credible source, named in `origins`. Page content is treated as data: nothing is
executed or fetched, control characters are removed and lengths bounded.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from urllib.parse import urljoin, urlsplit

from samestory import _core
from samestory.html import tags
from samestory.html.bylines import BEHIND, author_in, author_in_lines, dates_in, distance
from samestory.html.extractors.base import Extraction
from samestory.html.head import MarkedItem
from samestory.html.linked_data import ARTICLES, LinkedData, Node, bare, kinds_of
from samestory.html.times import Dates
from samestory.html.titles import compact, is_site, whole, without_site
from samestory.html.words import alike, clean, plain
from samestory.readers.page import Page, site_of

#: Candidate values of a field as (origin, value), best first.
Claims = Iterable[tuple[str, str | None]]

# regions and domains where English dates have the day first
_DAY_FIRST = frozenset(["gb", "au", "nz", "ie", "in", "za", "ca", "sg", "my", "ng", "ke", "pk"])
_DAY_FIRST_HOSTS = frozenset(["uk", "au", "nz", "ie", "in", "za", "eu", "sg", "ng", "ke", "pk"])
# the default language of site templates, often left unchanged
_TEMPLATES = "en"
#: Keywords of an article, and characters of each and of a section.
_MAX_KEYWORDS, _MAX_KEYWORD_CHARACTERS = 20, 100
#: Minimum characters of a text for reliable language detection.
_MIN_DETECTION_CHARACTERS = 300


@dataclass(frozen=True, slots=True)
class Metadata:
    """The metadata of an article.

    Times are in ISO 8601 with the precision of the page: a day, a time without a zone, or with one.
    """

    title: str | None = None
    author: str | None = None
    published: str | None = None
    modified: str | None = None
    #: ISO 639-1 code
    language: str | None = None
    source: str | None = None
    #: the canonical URL declared by the page
    canonical: str | None = None
    #: the declared type in lower case: ``newsarticle``, ``article``, ``website``
    kind: str | None = None
    #: whether the page declares free access
    free: bool | None = None
    #: the section of the site: ``Sport``
    section: str | None = None
    keywords: tuple[str, ...] = ()
    #: origin of each field that is set: json-ld, open graph, meta, microdata, time, html, heading, title, url, text
    origins: dict[str, str] = field(default_factory=dict, hash=False)


def metadata(page: Page, extraction: Extraction, latest: datetime | None = None) -> Metadata:
    """Returns the metadata of an extracted page. Dates after `latest` are rejected; it defaults to the time of fetching
    if known, else to now.

    >>> from samestory.html import parse
    >>> page = Page(b"<title>Storm hits coast | The Times</title><h1>Storm hits coast</h1><p>May 12, 2024")
    >>> found = metadata(page, parse("rules").extract([page])[0])
    >>> found.title, found.published, found.origins["published"]
    ('Storm hits coast', '2024-05-12', 'text')
    """
    return _MetadataReader(page, extraction, latest or _fetched(page)).all()


class _MetadataReader:
    def __init__(self, page: Page, extraction: Extraction, latest: datetime | None) -> None:
        self.page, self.extraction, self.head = page, extraction, extraction.head
        self.meta = {name: content for name, content in reversed(self.head.meta) if content.strip()}
        self.lines = [line._replace(text=clean(line.text)) for line in self.head.lines]
        self.host = _host(page.url)
        self.data = LinkedData(self.head.linked_data)
        self.page_title = clean(extraction.title)
        titles = [each for each in (self.head.heading, clean(self._meta("og:title")), self.page_title) if each]
        links = [link.href for link in self.head.links if "canonical" in link.rel.split()]
        addresses = {bare(each) for each in (page.url, *links, self._meta("og:url")) if each} - {""}
        self.node: Node = self.data.article(addresses, titles)
        self.dates = Dates(latest, self._month_first())
        self._in_lines: list[tuple[int, str, bool]] | None = None

    def all(self) -> Metadata:
        origin, source = _first(self._source())
        claims = {
            "title": _first(self._title(source or "")),
            "author": _first(self._author()),
            "published": _first(self._published()),
            "modified": _first(self._modified()),
            "language": _first(self._language()),
            "source": (origin, source),
            "canonical": _first(self._canonical()),
            "kind": _first(self._kind()),
            "section": _first(self._section()),
        }
        published, modified = claims["published"][1], claims["modified"][1]
        if published and modified and modified[:10] < published[:10]:
            del claims["modified"]  # a change cannot precede publication: the date belongs to something else
        values = {name: value for name, (_, value) in claims.items()}
        origins = {name: origin for name, (origin, value) in claims.items() if value}
        keywords = next(((origin, found) for origin, found in self._keywords() if found), None)
        if keywords:
            origins["keywords"] = keywords[0]
        return Metadata(**values, free=self._free(), keywords=keywords[1] if keywords else (), origins=origins)

    def _meta(self, *names: str) -> str | None:
        """Returns the content of the first of these meta tags that is present."""
        return next((self.meta[name] for name in names if name in self.meta), None)

    def _month_first(self) -> bool | None:
        """Returns the `month_first` setting for English dates; other languages have the day first."""
        given = (self.head.language or self._meta("og:locale") or "").strip().lower().replace("_", "-")
        language, _, region = given.partition("-")
        if language not in ("en", ""):
            return False
        if (self.page.tld or "") in _DAY_FIRST_HOSTS or region in _DAY_FIRST:
            return False
        return True if region.startswith("us") else None

    # title

    def _title(self, source: str) -> Claims:
        sites = [each for each in (source, self._meta("og:site_name"), self.host) if each]
        heading = clean(self.head.heading)
        heading = "" if is_site(heading, sites) else heading
        graph = clean(self._meta("og:title"))
        meta = clean(
            self._meta("twitter:title", "dc.title", "dcterms.title", "parsely-title", "sailthru.title", "title")
        )
        marked = next((clean(item.value or item.text) for item in self.head.items if item.property == "headline"), "")
        headline = clean(self.node.get("headline"))
        if not headline and kinds_of(self.node) & ARTICLES:
            headline = clean(self.node.get("name"))
        agrees = [each for each in (heading, headline, graph, meta) if each]
        like_title = heading if alike(heading, self.page_title or graph or meta) else ""
        # if heading and page title agree, they override all other sources
        sure = like_title if self.page_title and len(heading.split()) > 2 else ""
        for origin, given in (
            ("json-ld", headline),
            ("open graph", graph),
            ("heading", like_title),
            ("microdata", marked),
            ("meta", meta),
            ("title", self.page_title),
            ("heading", heading),
        ):
            others = [each for each in agrees if compact(each) != compact(given)]
            title = without_site(whole(given, others), sites, others)
            if not title or is_site(title, sites) or (sure and not alike(title, sure, 0.5)):
                continue
            if " " not in title and len(heading.split()) > 2 and origin != "heading":
                continue  # a file name
            yield origin, title
        yield "title", self.page_title

    # author, source, URL

    def _author(self) -> Claims:
        yield "json-ld", _names(self.data.names(self.node.get("author") or self.node.get("creator")))
        yield "open graph", _names([clean(content) for name, content in self.head.meta if name == "article:author"])
        for wanted in tags.AUTHOR:
            yield "meta", _names([clean(content) for name, content in self.head.meta if name == wanted])
        items = [item for item in self.head.items if item.property in ("author", "creator")]
        for _, item in self._in_place(items):
            yield "microdata", _names([clean(item.value or item.text)])
        yield "text", author_in_lines(self.lines)

    def _source(self) -> Claims:
        own = {compact(self.page_title), compact(self.head.heading)}
        for origin, name in self._source_claims():
            if name and (compact(name) not in own):
                yield origin, name

    def _source_claims(self) -> Claims:
        yield "open graph", _site_name(self._meta("og:site_name"))
        yield "json-ld", next(iter(self.data.names(self.node.get("publisher"))), None)
        yield "json-ld", next((name for node in self.data.other({"website"}) for name in self.data.names(node)), None)
        yield "meta", _site_name(self._meta("application-name", "publisher", "dc.publisher", "dcterms.publisher"))
        yield "url", self.host

    def _canonical(self) -> Claims:
        links = [link.href for link in self.head.links if "canonical" in link.rel.split()]
        for origin, href in (*(("meta", href) for href in links), ("open graph", self._meta("og:url"))):
            address = _address(href, self.page.url)
            # a copied or fake article may declare the canonical URL of another site
            if address and self.page.url and site_of(address) != site_of(self.page.url):
                continue
            yield origin, address

    # times

    def _published(self) -> Claims:
        canonical = next((value for _, value in self._canonical() if value), None)
        in_url = self.dates.in_address(self.page.url) or self.dates.in_address(canonical)
        claims = ((origin, value) for origin, value in self._published_claims() if value)
        first = next(claims, None)
        if in_url and (not first or _prefers_url(in_url, first)):
            claims, first = (each for each in (first, *claims) if each), ("url", in_url)
        if not first:
            return
        # another source may have the same day with a time
        day = first[1][:10]
        if first[1] == day:
            yield from ((origin, value) for origin, value in claims if value[:10] == day and len(value) > len(day))
        yield first

    def _published_claims(self) -> Claims:
        yield "json-ld", self._read(self.node.get("datePublished"))
        yield "open graph", self._read(self._meta(*tags.PUBLISHED_GRAPH))
        yield "json-ld", self._read(self.node.get("dateCreated") or self.node.get("uploadDate"))
        for name in tags.PUBLISHED:
            yield "meta", self._read(self._meta(name))
        for mark in ("datepublished", "datecreated"):
            for _, item in self._in_place([item for item in self.head.items if item.property == mark]):
                yield "microdata", self._read(item.value) or self._read(item.text)
        yield from self._shown(changes=False)

    def _modified(self) -> Claims:
        yield "json-ld", self._read(self.node.get("dateModified"))
        yield "open graph", self._read(self._meta(*tags.MODIFIED_GRAPH))
        for name in tags.MODIFIED:
            yield "meta", self._read(self._meta(name))
        for _, item in self._in_place([item for item in self.head.items if item.property == "datemodified"]):
            yield "microdata", self._read(item.value) or self._read(item.text)
        yield from self._shown(changes=True)

    def _shown(self, changes: bool) -> Claims:
        """Yields dates of time elements and lines, by distance from the heading."""
        times = [item for item in self.head.items if not item.property and _is_change(item) == changes]
        found = [
            (far, 0, "time", self._read(item.value) or self._read(item.text)) for far, item in self._in_place(times)
        ]
        found += [(far, 1, "text", iso) for far, iso, changed in self._dated() if changed == changes]
        # nearest to the heading first; at equal distance, time elements before lines
        for _, _, origin, value in sorted(found, key=lambda each: each[:2]):
            yield origin, value

    def _dated(self) -> list[tuple[int, str, bool]]:
        if self._in_lines is None:
            self._in_lines = list(dates_in(self.lines, self.dates))
        return self._in_lines

    def _in_place(self, items: list[MarkedItem]) -> list[tuple[int, MarkedItem]]:
        """Returns items that may belong to the article, most likely first, with their distance from the heading."""

        def far(item: MarkedItem) -> int:
            text = clean(item.text)
            near = [distance(line) for line in self.lines if text and text in line.text]
            return min(near, default=BEHIND + 1 if item.text else BEHIND)

        placed = [(far(item), item) for item in items[:32]]
        placed = [each for each in placed if not {"nav", "footer"} & set(each[1].inside) or each[0] < BEHIND]

        def key(each: tuple[int, MarkedItem]) -> tuple[int, bool, bool, bool]:
            inside = each[1].inside
            return (each[0], "aside" in inside, "article" not in inside, each[1].behind == 0)

        return sorted(placed, key=key)[:8]

    def _read(self, value: object) -> str | None:
        if isinstance(value, list):
            value = value[0] if value else None
        if isinstance(value, int | float) and not isinstance(value, bool):
            value = str(value)
        text = clean(value)
        return self.dates.read(text) if text else None

    # other fields

    def _language(self) -> Claims:
        text = self.extraction.text[:2000]
        detected = _core.text.prepare([text], [None]).languages[0]
        declared = (
            ("html", self.head.language),
            ("json-ld", clean(self.node.get("inLanguage"))),
            ("open graph", self._meta("og:locale", "og:language")),
            ("meta", self._meta("language", "content-language", "dc.language", "dcterms.language", "lang")),
        )
        for origin, given in declared:
            code = _core.text.prepare([""], [clean(given)]).languages[0] if given else "und"
            if code == "und":
                continue
            if code == _TEMPLATES and detected not in (code, "und") and len(text) >= _MIN_DETECTION_CHARACTERS:
                continue
            yield origin, code
        yield "text", None if detected == "und" else detected

    def _kind(self) -> Claims:
        kinds = kinds_of(self.node)
        yield "json-ld", next(iter(sorted(kinds & ARTICLES)), None)
        yield "open graph", clean(self._meta("og:type"), 50).lower()

    def _section(self) -> Claims:
        yield "json-ld", next(iter(_short(self.node.get("articleSection"))), None)
        for origin, names in (("open graph", tags.SECTION[:1]), ("meta", tags.SECTION[1:])):
            yield origin, clean(self._meta(*names), _MAX_KEYWORD_CHARACTERS)

    def _keywords(self) -> Iterable[tuple[str, tuple[str, ...]]]:
        yield "json-ld", _short(self.node.get("keywords"), ",")
        yield "open graph", _short([content for name, content in self.head.meta if name == "article:tag"])
        yield "meta", _short(self._meta(*tags.KEYWORDS), ",")

    def _free(self) -> bool | None:
        given = str(self.node.get("isAccessibleForFree", "")).rpartition("/")[2].lower()
        return {"true": True, "false": False}.get(given)


def _first(claims: Claims) -> tuple[str, str | None]:
    """Returns the first non-empty claim."""
    return next(((origin, value) for origin, value in claims if value), ("", None))


def _short(value: object, separator: str | None = None) -> tuple[str, ...]:
    """Returns the distinct short texts of a value: a text, which is split at the separator, or a list."""
    given = value if isinstance(value, list) else [value]
    parts = (part for each in given[:1000] if isinstance(each, str) for part in each[:10_000].split(separator or "\n"))
    found = dict.fromkeys(clean(part, _MAX_KEYWORD_CHARACTERS) for part in parts)
    return tuple(each for each in found if each)[:_MAX_KEYWORDS]


def _names(names: list[str]) -> str | None:
    """Joins author names; URLs, handles and placeholders are dropped."""
    kept = [name for name in map(author_in, names[:5]) if name]
    return ", ".join(dict.fromkeys(kept)) or None


def _is_change(item: MarkedItem) -> bool:
    """Returns whether a time is that of a change, by its class name."""
    name = item.css_class.lower()
    return any(word in name for word in ("updated", "modified")) and "publish" not in name


def _prefers_url(in_url: str, claim: tuple[str, str]) -> bool:
    """Returns whether the day in the URL overrides a claim: it is older, since URLs stay when articles change; or the
    claim is only shown on the page."""
    apart = (datetime.fromisoformat(claim[1][:10]) - datetime.fromisoformat(in_url)).days
    return apart > 1 or (apart < -1 and claim[0] in ("time", "text"))


def _fetched(page: Page) -> datetime | None:
    try:
        return datetime.fromisoformat(page.fetched or "")
    except ValueError:
        return None


def _host(url: str | None) -> str | None:
    try:
        host = urlsplit(url or "").hostname or ""
    except ValueError:
        return None
    return clean(host.removeprefix("www."), 253) or None


def _site_name(given: str | None) -> str | None:
    name = clean(given, 100)
    return _host(name) if "://" in name else name or None


def _address(href: str | None, url: str | None) -> str | None:
    """Returns an absolute web URL; None if it is invalid, or the front page while the page is another."""
    href = plain(href or "", 2000)  # entities are already decoded, and "&copy=" is not one
    if not href or " " in href:
        return None
    try:
        joined = urljoin(url or "", href)
        parts = urlsplit(joined)
        front = not parts.path.strip("/") and not parts.query
        here = urlsplit(url or "")
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return None
    if front and here.path.strip("/"):
        return None
    return joined
