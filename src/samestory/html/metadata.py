"""What is known of an article beside its text: title, author, times, language, source, address.

Each field is taken from the first source that says something that can be believed, and `origins` names it. What a page
says is data: nothing is run, nothing fetched, control characters are taken out and lengths bounded.
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
from samestory.html.head import Item
from samestory.html.linked_data import ARTICLES, LinkedData, Node, bare, kinds_of
from samestory.html.times import Dates
from samestory.html.titles import compact, is_site, whole, without_site
from samestory.html.words import alike, clean, plain
from samestory.readers.page import Page, site_of

Said = Iterable[tuple[str, str | None]]

# English as these write it has the day first
_DAY_FIRST = frozenset(["gb", "au", "nz", "ie", "in", "za", "ca", "sg", "my", "ng", "ke", "pk"])
_DAY_FIRST_HOSTS = frozenset(["uk", "au", "nz", "ie", "in", "za", "eu", "sg", "ng", "ke", "pk"])
# the language that templates of sites come with, and that many forget to change
_TEMPLATES = "en"
#: A text of so many characters tells its language.
_TELLS = 300


@dataclass(frozen=True, slots=True)
class Metadata:
    """What is known of an article beside its text.

    Times are written as in ISO 8601, with as much as the page says: a day, a time without a zone, or one with it.
    """

    title: str | None = None
    author: str | None = None
    published: str | None = None
    modified: str | None = None
    #: the code of ISO 639-1
    language: str | None = None
    source: str | None = None
    #: the address that the page gives as its own
    canonical: str | None = None
    #: what the page says it is, small: ``newsarticle``, ``article``, ``website``
    kind: str | None = None
    #: whether everybody may read it, if the page says so
    free: bool | None = None
    #: for every field that is there: json-ld, open graph, meta, microdata, time, html, heading, title, url, text
    origins: dict[str, str] = field(default_factory=dict, hash=False)


def metadata(page: Page, extraction: Extraction, latest: datetime | None = None) -> Metadata:
    """The metadata of a page that was extracted. Dates later than `latest` are not believed: later than when the page
    was fetched, where that is known, and else later than now.

    >>> from samestory.html import parse
    >>> page = Page(b"<title>Storm hits coast | The Times</title><h1>Storm hits coast</h1><p>May 12, 2024")
    >>> found = metadata(page, parse("rules").extract([page])[0])
    >>> found.title, found.published, found.origins["published"]
    ('Storm hits coast', '2024-05-12', 'text')
    """
    return _Reader(page, extraction, latest or _fetched(page)).all()


class _Reader:
    def __init__(self, page: Page, extraction: Extraction, latest: datetime | None) -> None:
        self.page, self.extraction, self.head = page, extraction, extraction.head
        self.meta = {name: content for name, content in reversed(self.head.meta) if content.strip()}
        self.lines = [line._replace(text=clean(line.text)) for line in self.head.lines]
        self.host = _host(page.url)
        self.data = LinkedData(self.head.linked_data)
        self.page_title = clean(extraction.title)
        titles = [each for each in (self.head.heading, clean(self._said("og:title")), self.page_title) if each]
        links = [link.href for link in self.head.links if "canonical" in link.rel.split()]
        addresses = {bare(each) for each in (page.url, *links, self._said("og:url")) if each} - {""}
        self.node: Node = self.data.article(addresses, titles)
        self.dates = Dates(latest, self._month_first())
        self._in_lines: list[tuple[int, str, bool]] | None = None

    def all(self) -> Metadata:
        origin, source = _first(self._source())
        said = {
            "title": _first(self._title(source or "")),
            "author": _first(self._author()),
            "published": _first(self._published()),
            "modified": _first(self._modified()),
            "language": _first(self._language()),
            "source": (origin, source),
            "canonical": _first(self._canonical()),
            "kind": _first(self._kind()),
        }
        published, modified = said["published"][1], said["modified"][1]
        if published and modified and modified[:10] < published[:10]:
            del said["modified"]  # nothing is changed before it is there: one of the two is something else's
        values = {name: value for name, (_, value) in said.items()}
        origins = {name: origin for name, (origin, value) in said.items() if value}
        return Metadata(**values, free=self._free(), origins=origins)

    def _said(self, *names: str) -> str | None:
        """What the first of these meta tags says that is there."""
        return next((self.meta[name] for name in names if name in self.meta), None)

    def _month_first(self) -> bool | None:
        """How English writes 5/12/2024 here; other languages have the day first."""
        given = (self.head.language or self._said("og:locale") or "").strip().lower().replace("_", "-")
        language, _, region = given.partition("-")
        if language not in ("en", ""):
            return False
        if (self.page.tld or "") in _DAY_FIRST_HOSTS or region in _DAY_FIRST:
            return False
        return True if region.startswith("us") else None

    # title

    def _title(self, source: str) -> Said:
        sites = [each for each in (source, self._said("og:site_name"), self.host) if each]
        heading = clean(self.head.heading)
        heading = "" if is_site(heading, sites) else heading
        graph = clean(self._said("og:title"))
        meta = clean(
            self._said("twitter:title", "dc.title", "dcterms.title", "parsely-title", "sailthru.title", "title")
        )
        marked = next((clean(item.value or item.text) for item in self.head.items if item.property == "headline"), "")
        headline = clean(self.node.get("headline"))
        if not headline and kinds_of(self.node) & ARTICLES:
            headline = clean(self.node.get("name"))
        agrees = [each for each in (heading, headline, graph, meta) if each]
        like_title = heading if alike(heading, self.page_title or graph or meta) else ""
        # where the heading and the title of the page agree, nobody else is right against both
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
                continue  # the name of a file
            yield origin, title
        yield "title", self.page_title

    # people and places

    def _author(self) -> Said:
        yield "json-ld", _names(self.data.names(self.node.get("author") or self.node.get("creator")))
        yield "open graph", _names([clean(content) for name, content in self.head.meta if name == "article:author"])
        for wanted in tags.AUTHOR:
            yield "meta", _names([clean(content) for name, content in self.head.meta if name == wanted])
        items = [item for item in self.head.items if item.property in ("author", "creator")]
        for _, item in self._in_place(items):
            yield "microdata", _names([clean(item.value or item.text)])
        yield "text", author_in_lines(self.lines)

    def _source(self) -> Said:
        own = {compact(self.page_title), compact(self.head.heading)}
        for origin, name in self._said_source():
            if name and (compact(name) not in own):
                yield origin, name

    def _said_source(self) -> Said:
        yield "open graph", _site_name(self._said("og:site_name"))
        yield "json-ld", next(iter(self.data.names(self.node.get("publisher"))), None)
        yield "json-ld", next((name for node in self.data.other({"website"}) for name in self.data.names(node)), None)
        yield "meta", _site_name(self._said("application-name", "publisher", "dc.publisher", "dcterms.publisher"))
        yield "url", self.host

    def _canonical(self) -> Said:
        links = [link.href for link in self.head.links if "canonical" in link.rel.split()]
        for origin, href in (*(("meta", href) for href in links), ("open graph", self._said("og:url"))):
            address = _address(href, self.page.url)
            # who copies an article, or fakes one, may name the site of somebody else: the page is not there
            if address and self.page.url and site_of(address) != site_of(self.page.url):
                continue
            yield origin, address

    # times

    def _published(self) -> Said:
        canonical = next((value for _, value in self._canonical() if value), None)
        filed = self.dates.in_address(self.page.url) or self.dates.in_address(canonical)
        said = ((origin, value) for origin, value in self._said_published() if value)
        first = next(said, None)
        if filed and (not first or _earlier(filed, first)):
            said, first = (each for each in (first, *said) if each), ("url", filed)
        if not first:
            return
        # a day may be told again with its time
        day = first[1][:10]
        if first[1] == day:
            yield from ((origin, value) for origin, value in said if value[:10] == day and len(value) > len(day))
        yield first

    def _said_published(self) -> Said:
        yield "json-ld", self._read(self.node.get("datePublished"))
        yield "open graph", self._read(self._said(*tags.PUBLISHED_GRAPH))
        yield "json-ld", self._read(self.node.get("dateCreated") or self.node.get("uploadDate"))
        for name in tags.PUBLISHED:
            yield "meta", self._read(self._said(name))
        for mark in ("datepublished", "datecreated"):
            for _, item in self._in_place([item for item in self.head.items if item.property == mark]):
                yield "microdata", self._read(item.value) or self._read(item.text)
        yield from self._shown(changes=False)

    def _modified(self) -> Said:
        yield "json-ld", self._read(self.node.get("dateModified"))
        yield "open graph", self._read(self._said(*tags.MODIFIED_GRAPH))
        for name in tags.MODIFIED:
            yield "meta", self._read(self._said(name))
        for _, item in self._in_place([item for item in self.head.items if item.property == "datemodified"]):
            yield "microdata", self._read(item.value) or self._read(item.text)
        yield from self._shown(changes=True)

    def _shown(self, changes: bool) -> Said:
        """Times and lines, by how far they stand from the heading."""
        times = [item for item in self.head.items if not item.property and _is_change(item) == changes]
        found = [
            (far, 0, "time", self._read(item.value) or self._read(item.text)) for far, item in self._in_place(times)
        ]
        found += [(far, 1, "text", iso) for far, iso, changed in self._dated() if changed == changes]
        # first those near the heading; of those far off, times of the article, which lines there are not
        for _, _, origin, value in sorted(found, key=lambda each: each[:2]):
            yield origin, value

    def _dated(self) -> list[tuple[int, str, bool]]:
        if self._in_lines is None:
            self._in_lines = list(dates_in(self.lines, self.dates))
        return self._in_lines

    def _in_place(self, items: list[Item]) -> list[tuple[int, Item]]:
        """Items that may speak for the article, the likeliest first, and how far from the heading each is shown."""

        def far(item: Item) -> int:
            text = clean(item.text)
            near = [distance(line) for line in self.lines if text and text in line.text]
            return min(near, default=BEHIND + 1 if item.text else BEHIND)

        placed = [(far(item), item) for item in items[:32]]
        placed = [each for each in placed if not {"nav", "footer"} & set(each[1].inside) or each[0] < BEHIND]

        def key(each: tuple[int, Item]) -> tuple[int, bool, bool, bool]:
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

    # the rest

    def _language(self) -> Said:
        text = self.extraction.text[:2000]
        told = _core.prepare([text], [None]).languages[0]
        declared = (
            ("html", self.head.language),
            ("json-ld", clean(self.node.get("inLanguage"))),
            ("open graph", self._said("og:locale", "og:language")),
            ("meta", self._said("language", "content-language", "dc.language", "dcterms.language", "lang")),
        )
        for origin, given in declared:
            code = _core.prepare([""], [clean(given)]).languages[0] if given else "und"
            if code == "und":
                continue
            if code == _TEMPLATES and told not in (code, "und") and len(text) >= _TELLS:
                continue
            yield origin, code
        yield "text", None if told == "und" else told

    def _kind(self) -> Said:
        kinds = kinds_of(self.node)
        yield "json-ld", next(iter(sorted(kinds & ARTICLES)), None)
        yield "open graph", clean(self._said("og:type"), 50).lower()

    def _free(self) -> bool | None:
        given = str(self.node.get("isAccessibleForFree", "")).rpartition("/")[2].lower()
        return {"true": True, "false": False}.get(given)


def _first(said: Said) -> tuple[str, str | None]:
    """The first that says something, and where it comes from."""
    return next(((origin, value) for origin, value in said if value), ("", None))


def _names(names: list[str]) -> str | None:
    """Names as one text; addresses, handles and stand-ins are none."""
    kept = [name for name in map(author_in, names[:5]) if name]
    return ", ".join(dict.fromkeys(kept)) or None


def _is_change(item: Item) -> bool:
    """Whether a time is that of a change: it is called so, and not after publishing too."""
    name = item.css_class.lower()
    return any(word in name for word in ("updated", "modified")) and "publish" not in name


def _earlier(filed: str, said: tuple[str, str]) -> bool:
    """Whether the day in the address counts and not what is said: it is the older one, for addresses stay when articles
    are changed; or the other is only shown on the page."""
    apart = (datetime.fromisoformat(said[1][:10]) - datetime.fromisoformat(filed)).days
    return apart > 1 or (apart < -1 and said[0] in ("time", "text"))


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
    """An address of the web, whole; None if it is no address or that of the front page while the page is another."""
    href = plain(href or "", 2000)  # entities are read already, and "&copy=" is none
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
