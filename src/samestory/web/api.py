"""The JSON API: each route parses the request, calls one function and returns its result.

Every page is also available as JSON at its path plus `.json`. Routes that write require the token, which
`limits.RequestGuard` checks before a route is reached.
"""

from __future__ import annotations

import secrets
from typing import Annotated, Any

from fastapi import APIRouter, Header, Path, Query, Request, Security
from fastapi.security import HTTPBearer

from samestory.archive import Archive
from samestory.archive.search import Representative, Sort
from samestory.errors import InputError
from samestory.readers.objects import article as read_article
from samestory.readers.objects import article_place
from samestory.web import decisions, ingest, models, status_models, views
from samestory.web.errors import Refusal
from samestory.web.events import EventStreamResponse, Listeners, events
from samestory.web.health import HealthCheck, health_routes
from samestory.web.idempotency import IdempotencyStore
from samestory.web.json_bodies import JsonRoute
from samestory.web.limits import Limits
from samestory.web.models import MAX_INTEGER
from samestory.web.search_request import Day, Searched

#: Declares in the OpenAPI document that a route requires the token.
WRITING = [Security(HTTPBearer(auto_error=False, description="write token"))]

_ERRORS: dict[int, str] = {
    308: "the story was merged into another, see Location",
    400: "the body is not valid JSON",
    401: "the token is missing or wrong",
    403: "the portal is read-only",
    404: "not found",
    408: "the body arrived too slowly",
    409: "conflict with an earlier request or decision",
    413: "the body is too large",
    422: "invalid value",
    429: "too many requests",
    503: "the database is unavailable",
}


def error_responses(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return the error responses of a route for the OpenAPI document; 422, 429 and 503 are always among them."""
    return {
        each: {"model": models.ErrorOut, "description": _ERRORS[each]} for each in sorted({*statuses, 422, 429, 503})
    }


Cursor = Annotated[str | None, Query(max_length=500, description="cursor of the previous page")]
Limit = Annotated[int, Query(ge=1, le=200)]
Number = Annotated[int, Path(ge=0, le=MAX_INTEGER)]
ArticleId = Annotated[models.Id, Query()]
Since = Annotated[int, Query(ge=0, le=MAX_INTEGER, description="sequence number after which to start")]
StoryNumber = Annotated[int | None, Query(ge=0, le=MAX_INTEGER)]
Before = Annotated[
    int | None, Query(ge=1, le=MAX_INTEGER, description="number of the last decision of the previous page")
]
#: Who decides, unless a request with the token has a name.
TOKEN_HOLDER = "API"
Key = Annotated[
    str | None,
    Header(alias="Idempotency-Key", min_length=1, max_length=200, pattern=r"^[\x21-\x7e]+$"),
]


def routes(archive: Archive, limits: Limits, health: HealthCheck) -> APIRouter:
    """Return all routes of the API."""
    out = APIRouter(route_class=JsonRoute)
    idempotency = IdempotencyStore(archive.database)
    _add_read_routes(out, archive)
    out.routes += health_routes(health, error_responses()).routes
    _add_query_routes(out, archive)
    _add_write_routes(out, archive, idempotency)
    _add_event_routes(out, archive, limits)
    return out


def _add_read_routes(out: APIRouter, archive: Archive) -> None:
    @out.get("/index.json", responses=error_responses(), tags=["read"])
    def front(day: Day = None, cursor: Cursor = None, limit: Limit = 20) -> models.FrontPageOut:
        """Return the newest stories, or those of a day."""
        return views.front_page(archive, day, cursor, limit)

    @out.get("/search.json", responses=error_responses(), tags=["read"])
    def search(
        searched: Searched,
        sort: Sort = "time",
        representative: Representative = "longest",
        cursor: Cursor = None,
        limit: Limit = 20,
    ) -> models.StoriesOut:
        """Return the stories with a matching article, with exact totals and facets."""
        return views.search_stories(
            archive, searched.words, searched.filters, sort, representative, searched.prefer, cursor, limit
        )

    @out.get("/story/{number}.json", responses=error_responses(308, 404), tags=["read"])
    def story(number: Number, cursor: Cursor = None, limit: Limit = 50) -> models.StoryOut:
        """Return a story: its articles in chronological order, each with its relation to earlier ones."""
        return views.story_page(archive, number, cursor, limit, "/story/{}.json")

    @out.get("/article.json", responses=error_responses(404), tags=["read"])
    def article(id: ArticleId) -> models.ArticleDetailOut:
        """Return an article with its earlier versions and its relations."""
        return views.article_detail(archive, id)

    @out.get("/compare.json", responses=error_responses(404), tags=["read"])
    def compare(left: ArticleId, right: ArticleId) -> models.ComparisonOut:
        """Compare two articles: shared text, text of only one, and why they are, or are not, one story."""
        return views.compare_articles(archive, left, right)

    @out.get("/decisions.json", responses=error_responses(), tags=["read"])
    def decision_log(story: StoryNumber = None, before: Before = None, limit: Limit = 50) -> models.DecisionLogOut:
        """Return the log of decisions, the newest first; with `story`, those about articles that are in it now."""
        return decisions.decision_log(archive, story, limit, before)

    @out.get("/status.json", responses=error_responses(), tags=["read"])
    def status() -> status_models.StatusOut:
        """Return the size of the archive, its lag, its feeds and the latest rejects."""
        return views.status(archive)


def _add_query_routes(out: APIRouter, archive: Archive) -> None:
    @out.post("/query", responses=error_responses(400, 408, 413), tags=["query"])
    def query(article: models.AnyArticle) -> models.RepeatsOut:
        """Find the articles that a text repeats. Nothing is stored."""
        item = ingest.check_lengths(article)
        if isinstance(item, Exception):
            raise item
        try:
            # without an id of its own the text would get the digest of its words as id, which an equal article has too,
            # and an article is never related to its own id
            parsed = read_article(item, 1, "asked ")
            if parsed.id == "asked 1":
                item = {**article, "id": f"asked-{secrets.token_hex(8)}"}
            return views.find_repeats(archive, item)
        except InputError as error:
            if error.place != article_place(1):
                raise
            # there is only one article: its number is left out of the message
            raise InputError(error.detail, error.hint) from None

    @out.post("/fold", responses=error_responses(400, 408, 413), tags=["query"])
    def fold(body: models.HitsIn) -> models.FoldedHitsOut:
        """Group the results of any search engine by story. Nothing is stored."""
        return views.fold_hits(archive, body.hits)


def _add_write_routes(out: APIRouter, archive: Archive, idempotency: IdempotencyStore) -> None:
    refusals = error_responses(400, 401, 403, 408, 409, 413)

    @out.post("/article", responses=refusals, dependencies=WRITING, tags=["write"])
    def add_one(article: models.AnyArticle, key: Key = None) -> models.AddedArticleOut:
        """Add one article."""

        def do() -> dict[str, Any]:
            added, doubts = ingest.add(archive, [article])
            if added.rejected:
                raise Refusal(422, added.rejected[0][1])
            outcome = next(name for name in ("new", "revised", "updated", "same") if getattr(added, name))
            (id,) = getattr(added, outcome)
            stored = archive.article(id)
            result = views.added_out(added, ())
            return models.AddedArticleOut(
                id=id,
                outcome=outcome,  # type: ignore[arg-type]
                story=stored.story if stored else None,
                relations=result.relations,
                changes=result.changes,
                doubts=[doubt for _, doubt in doubts],
            ).model_dump(mode="json")

        return models.AddedArticleOut(**idempotency.run_once(key, ["/article", article], do))

    @out.post("/articles", responses=refusals, dependencies=WRITING, tags=["write"])
    def add_some(body: models.ArticlesIn, key: Key = None) -> models.AddedOut:
        """Add articles. Invalid ones are rejected with a reason, the others are stored."""

        def do() -> dict[str, Any]:
            return views.added_out(*ingest.add(archive, body.articles)).model_dump(mode="json")

        return models.AddedOut(**idempotency.run_once(key, ["/articles", body.articles], do))

    @out.post(
        "/articles/stream",
        responses={
            200: {
                "content": {"application/x-ndjson": {"schema": {"type": "string"}}},
                "description": "one line per batch",
            },
            **error_responses(401, 403),
        },
        response_class=ingest.NdjsonResponse,
        status_code=200,
        dependencies=WRITING,
        tags=["write"],
        openapi_extra={"requestBody": {"content": {"application/x-ndjson": {"schema": {"type": "string"}}}}},
    )
    async def add_stream(request: Request) -> ingest.NdjsonResponse:
        """Add articles from JSON lines in batches of a thousand; responds with one line per batch while reading."""
        return ingest.NdjsonResponse(ingest.stream(archive, request))

    @out.delete("/article", responses=error_responses(401, 403, 404), dependencies=WRITING, tags=["write"])
    def remove(id: ArticleId) -> models.ChangesOut:
        """Remove an article; its story may split."""
        views.get_article(archive, id)
        return models.ChangesOut(changes=decisions.changes_out(archive.remove([id])))

    @out.post(
        "/decisions", responses=error_responses(400, 401, 403, 404, 408, 409, 413), dependencies=WRITING, tags=["write"]
    )
    def decide(body: models.DecisionIn) -> models.ChangesOut:
        """Decide that two articles are the same story or stay apart, permanently; null revokes the decision."""
        for id in (body.left, body.right):
            views.get_article(archive, id)
        made = archive.decide(body.left, body.right, body.decision, body.who or TOKEN_HOLDER, body.why)
        return models.ChangesOut(changes=decisions.changes_out(made))

    deciding = error_responses(400, 401, 403, 408, 409, 413)

    @out.post("/decision", responses=deciding, dependencies=WRITING, tags=["write"])
    def decide_about_stories(body: models.StoryDecisionIn) -> models.DecisionMadeOut:
        """Move articles out of a story, split or join stories, or undo a decision."""
        made = archive.apply(decisions.decision_in(body), body.who or TOKEN_HOLDER, body.why)
        return models.DecisionMadeOut(number=made.number, changes=decisions.changes_out(made.changes))

    @out.post("/decision/preview", responses=deciding, dependencies=WRITING, tags=["write"])
    def preview(body: models.StoryDecisionIn) -> models.DecisionPreviewOut:
        """Return what will be where after a decision. Nothing is changed."""
        return decisions.preview_out(archive.preview(decisions.decision_in(body)))


def _add_event_routes(out: APIRouter, archive: Archive, limits: Limits) -> None:
    @out.get("/changes.json", responses=error_responses(), tags=["follow"])
    def changes(since: Since = 0, limit: Annotated[int, Query(ge=1, le=1000)] = 100) -> models.ChangeLogOut:
        """Return the log of story changes."""
        return views.change_log(archive, since, limit)

    listeners = Listeners(limits.max_streams, limits.max_streams_per_client)

    @out.get(
        "/events",
        responses={
            200: {
                "content": {"text/event-stream": {"schema": {"type": "string"}}},
                "description": "server-sent events",
            },
            **error_responses(),
        },
        response_class=EventStreamResponse,
        status_code=200,
        tags=["follow"],
    )
    async def follow(
        since: Since | None = None, last: Annotated[str | None, Header(alias="Last-Event-ID", max_length=20)] = None
    ) -> EventStreamResponse:
        """Stream server-sent events: opened, joined, merged, split, left and closed, as they happen."""
        start = int(last) if last and last.isascii() and last.isdigit() else since
        return EventStreamResponse(events(archive, None if start is None else min(start, MAX_INTEGER)), listeners)
