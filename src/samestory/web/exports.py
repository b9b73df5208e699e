"""Stories and searches out of the portal: Atom, RSS, CSV, JSON lines, OPML; and what browsers and robots ask for."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from fastapi import APIRouter, Request
from fastapi.responses import PlainTextResponse, RedirectResponse, Response
from markupsafe import Markup

from samestory.archive import Archive
from samestory.archive.article_labels import article_labels
from samestory.archive.search import Representative, Sort
from samestory.archive.stories import Member, newest_members
from samestory.web import models, presentation, views
from samestory.web.api import Cursor, Number
from samestory.web.localization import Localization, accepted_language, localization
from samestory.web.relation_phrases import describe_relation
from samestory.web.search_request import Day, Searched
from samestory.web.syndication import FeedDocument, FeedItem, atom, opml, rss

#: Entries of a feed, and stories or articles in a table; the header `Link` of a table leads to the rest.
MAX_ENTRIES, MAX_ROWS = 50, 1000
#: First characters by which spreadsheets recognise a formula.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
#: Pages that change with every reader, or are too many: two articles side by side.
ROBOTS = "User-agent: *\nDisallow: /search\nDisallow: /compare\nDisallow: /decide\nDisallow: /sign-in\n"

STORY_COLUMNS = ("story", "title", "source", "language", "published", "time", "url", "articles", "sources", "texts",
                 "matching", "kinds", "first", "last", "snippet")  # fmt: skip
ARTICLE_COLUMNS = ("id", "title", "source", "language", "published", "time", "url", "words", "revision", "kind",
                   "depends_on", "share_there", "share_here")  # fmt: skip

FeedFormat = Literal["atom", "rss"]
TableFormat = Literal["csv", "jsonl"]


class Exports:
    """Renders the other formats of the pages."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive

    def routes(self) -> APIRouter:
        """Return all routes; they come before those of the pages, whose paths are shorter."""
        out = APIRouter(include_in_schema=False)
        archive = self._archive

        @out.get("/index.{form}")
        def front(request: Request, form: FeedFormat, day: Day = None) -> Response:
            data = views.front_page(archive, day, None, MAX_ENTRIES)
            loc = _localization(request)
            page = presentation.make_url("/", day=day)
            return self._story_feed(request, form, loc, loc.text("front.title"), page, data.stories)

        @out.get("/search.{form}")
        def search(
            request: Request,
            form: FeedFormat | TableFormat,
            searched: Searched,
            sort: Sort = "time",
            representative: Representative = "longest",
            cursor: Cursor = None,
        ) -> Response:
            words = searched.words
            is_feed = form in ("atom", "rss")
            # a feed has the newest, in whatever order the page is
            order, limit = ("time" if is_feed else sort), (MAX_ENTRIES if is_feed else MAX_ROWS)
            found = views.search_stories(
                archive, words, searched.filters, order, representative, searched.prefer, cursor, limit
            )
            loc = _localization(request)
            if form == "atom" or form == "rss":
                title = loc.text("export.feed_search", query=words) if words.strip() else loc.text("search.all_stories")
                page = f"/search?{request.url.query}" if request.url.query else "/search"
                return self._story_feed(request, form, loc, title, page, found.stories)
            rows = [_story_row(hit) for hit in found.stories]
            return _table(request, form, STORY_COLUMNS, rows, found.stories, found.cursor)

        @out.get("/story/{number}.{form}")
        def story(request: Request, number: Number, form: FeedFormat | TableFormat, cursor: Cursor = None) -> Response:
            limit = 1 if form in ("atom", "rss") else MAX_ROWS
            data = views.story_page(archive, number, cursor, limit, f"/story/{{}}.{form}")
            if form == "atom" or form == "rss":
                return self._article_feed(request, form, data)
            return _table(request, form, ARTICLE_COLUMNS, map(_article_row, data.members), data.members, data.cursor)

        @out.get("/feeds.opml")
        def feeds(request: Request) -> Response:
            with archive.database.read() as session:
                found = session.rows("SELECT title, url FROM feeds ORDER BY url")
            title = _localization(request).text("export.feeds", site=request.url.hostname or "")
            return _response(opml(title.unescape(), [(name or url, url) for name, url in found]), "text/x-opml")

        @out.get("/robots.txt")
        def robots() -> Response:
            return PlainTextResponse(ROBOTS)

        @out.get("/favicon.ico")
        def favicon() -> Response:
            return RedirectResponse("/static/icon.svg", 308)

        return out

    def _story_feed(
        self,
        request: Request,
        form: FeedFormat,
        loc: Localization,
        title: Markup,
        page: str,
        stories: Sequence[models.StoryHitOut],
    ) -> Response:
        labels = article_labels(self._archive.database, {hit.representative.id for hit in stories})
        items = [
            FeedItem(
                title=_name(loc, hit.representative, labels),
                address=_absolute(request, f"/story/{hit.number}"),
                updated=hit.last,
                published=hit.first,
                author=hit.representative.source,
                summary=f"{loc.count('articles', hit.articles)}, {loc.count('sources', hit.sources)}: "
                f"{hit.representative.snippet.text}…",
            )
            for hit in stories
        ]
        return _feed(request, form, loc, title, page, items)

    def _article_feed(self, request: Request, form: FeedFormat, story: models.StoryOut) -> Response:
        loc, found = _localization(request), newest_members(self._archive.database, story.number, MAX_ENTRIES)
        others = self._archive.articles({one.depends.right for one in found if one.depends})
        labels = article_labels(self._archive.database, {one.id for one in found})

        def sentence(one: Member) -> str:
            if one.depends is None:
                return loc.text("export.first" if one.id == story.first.id else "export.independent").unescape()
            phrase = describe_relation(one.depends, one.id)
            other = others[phrase.other].article if phrase.other in others else None
            name = (other.source or other.title if other else None) or phrase.other
            words = [loc.text(f"relation.{phrase.name}", other=name)]
            if phrase.share_name:
                words.append(loc.text(f"relation.{phrase.share_name}", share=loc.percent(phrase.share)))
            return ", ".join(each.unescape() for each in words)

        items = [
            FeedItem(
                title=_name(loc, one, labels),
                address=_absolute(request, presentation.make_url("/article", id=one.id)),
                updated=one.time,
                published=one.time if labels[one.id].is_dated else None,
                author=one.source,
                summary=sentence(one),
                original=presentation.safe_link(one.url),
            )
            for one in found
        ]
        title = loc.text("export.feed_story", title=story.title)
        return _feed(request, form, loc, title, f"/story/{story.number}", items)


def _localization(request: Request) -> Localization:
    return localization(accepted_language(request.headers.get("accept-language")))


def _absolute(request: Request, path: str) -> str:
    return str(request.base_url).rstrip("/") + path


def _name(loc: Localization, article: Any, labels: Mapping[str, Any]) -> str:
    """Return the title of an article, or its first words."""
    if article.title and article.title.strip():
        return str(article.title)
    label = labels.get(article.id)
    return (label and label.first_words) or loc.text("article.untitled").unescape()


def _feed(
    request: Request, form: FeedFormat, loc: Localization, title: Markup, page: str, items: Sequence[FeedItem]
) -> Response:
    own = _absolute(request, request.url.path + (f"?{request.url.query}" if request.url.query else ""))
    document = FeedDocument(f"{title.unescape()} – samestory", _absolute(request, page), own, loc.code, items)
    return _response(atom(document) if form == "atom" else rss(document), f"application/{form}+xml")


def _response(body: bytes, kind: str, headers: Mapping[str, str] | None = None) -> Response:
    return Response(body, 200, {"Vary": "Accept-Language", **(headers or {})}, f"{kind}; charset=utf-8")


def _story_row(hit: models.StoryHitOut) -> dict[str, Any]:
    best = hit.representative
    return {
        **best.model_dump(mode="json", include={"title", "source", "language", "published", "time", "url"}),
        **hit.model_dump(mode="json", include={"articles", "sources", "texts", "matching", "first", "last"}),
        "story": hit.number,
        "kinds": " ".join(hit.kinds),
        "snippet": best.snippet.text,
    }


def _article_row(member: models.MemberOut) -> dict[str, Any]:
    row = member.model_dump(mode="json", exclude={"depends"})
    if member.depends:
        row |= {"kind": member.depends.kind, "depends_on": member.depends.right}
        row |= {"share_there": member.depends.forward, "share_here": member.depends.backward}
    return row


def _table(
    request: Request,
    form: TableFormat,
    columns: Sequence[str],
    rows: Iterable[dict[str, Any]],
    values: Sequence[models.Model],
    cursor: str | None,
) -> Response:
    headers = {}
    if cursor:
        headers["Link"] = f'<{request.url.include_query_params(cursor=cursor)}>; rel="next"'
    if form == "jsonl":
        lines = "".join(f"{value.model_dump_json()}\n" for value in values)
        return _response(lines.encode("utf-8", "replace"), "application/jsonl", headers)
    out = io.StringIO()
    writer = csv.DictWriter(out, columns, extrasaction="ignore")
    writer.writeheader()
    writer.writerows({name: _cell(value) for name, value in row.items()} for row in rows)
    return _response(out.getvalue().encode("utf-8", "replace"), "text/csv", headers)


def _cell(value: Any) -> Any:
    """Return a value of a table; a spreadsheet would compute a text that begins like a formula.

    >>> _cell("=1+1"), _cell(7)
    ("'=1+1", 7)
    """
    if not isinstance(value, str):
        return value
    text = str(presentation.finalize(value))
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text
