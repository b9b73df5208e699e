"""The JSON API: routes that parse, call one function and answer.

What pages show stands at the same address with `.json` behind it. Whoever writes shows the token; `limits` has asked
for it before a route is reached.
"""

from __future__ import annotations

import secrets
from typing import Annotated, Any

from fastapi import APIRouter, Header, Path, Query, Request, Security
from fastapi.security import HTTPBearer

from samestory.archive import Archive
from samestory.archive.search import Representative, Sort
from samestory.errors import InputError
from samestory.readers.objects import article as taken
from samestory.web import intake, models, views
from samestory.web.errors import Refusal
from samestory.web.events import Listeners, Told, events
from samestory.web.health import Health
from samestory.web.limits import Limits
from samestory.web.models import LARGEST_NUMBER
from samestory.web.repeats import Repeats

#: Says in the description of the API that the token is wanted.
WRITING = [Security(HTTPBearer(auto_error=False, description="the token of whoever may write"))]

_FAILURES: dict[int, tuple[str, ...]] = {
    308: ("it became part of another, at the address given",),
    400: ("the body is no JSON",),
    401: ("the token is wanted",),
    403: ("nobody may write here",),
    404: ("there is none",),
    408: ("the body comes too slowly",),
    409: ("it contradicts what was said before",),
    413: ("the body is too large",),
    422: ("something in it cannot be",),
    429: ("too many requests",),
    503: ("the database cannot answer now",),
}


def failures(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """What can go wrong, for the description of the API."""
    return {
        each: {"model": models.Failure, "description": _FAILURES[each][0]}
        for each in sorted({*statuses, 422, 429, 503})
    }


Cursor = Annotated[str | None, Query(max_length=500, description="of the page before")]
Limit = Annotated[int, Query(ge=1, le=200)]
Number = Annotated[int, Path(ge=0, le=LARGEST_NUMBER)]
Asked = Annotated[models.Id, Query()]
Day = Annotated[str | None, Query(max_length=20, examples=["2026-03-02"])]
Names = Annotated[list[str], Query(max_length=50)]
Since = Annotated[int, Query(ge=0, le=LARGEST_NUMBER, description="the place of the log behind which to begin")]
Key = Annotated[
    str | None,
    Header(alias="Idempotency-Key", min_length=1, max_length=200, pattern=r"^[\x21-\x7e]+$"),
]


def routes(archive: Archive, limits: Limits) -> APIRouter:
    """All routes of the API."""
    out = APIRouter()
    repeats = Repeats(archive.database)
    _reading(out, archive)
    _asking(out, archive)
    _writing(out, archive, repeats)
    _following(out, archive, limits)
    return out


def _reading(out: APIRouter, archive: Archive) -> None:
    health = Health(archive.database)

    @out.get("/index.json", responses=failures(), tags=["read"])
    def front(day: Day = None, cursor: Cursor = None, limit: Limit = 20) -> models.Front:
        """The newest stories, or those of a day."""
        return views.front(archive, day, cursor, limit)

    @out.get("/search.json", responses=failures(), tags=["read"])
    def search(
        q: Annotated[str, Query(max_length=1000, description='words, "phrases", -excluded, OR, source:, lang:')] = "",
        sort: Sort = "time",
        representative: Representative = "longest",
        prefer: Names = [],  # noqa: B006 - FastAPI reads it and copies it
        source: Names = [],  # noqa: B006
        lang: Names = [],  # noqa: B006
        day: Names = [],  # noqa: B006
        since: Day = None,
        until: Day = None,
        cursor: Cursor = None,
        limit: Limit = 20,
    ) -> models.Page:
        """Stories with an article that answers a question, with exact totals and facets."""
        chosen = views.filters(source, lang, day, since, until)
        return views.found(archive, q, chosen, sort, representative, prefer, cursor, limit)

    @out.get("/story/{number}.json", responses=failures(308, 404), tags=["read"])
    def story(number: Number, cursor: Cursor = None, limit: Limit = 50) -> models.Story:
        """A story: its articles in the order of time, and what each owes to those before it."""
        return views.one_story(archive, number, cursor, limit, "/story/{}.json")

    @out.get("/article.json", responses=failures(404), tags=["read"])
    def article(id: Asked) -> models.WholeArticle:
        """An article, its old versions and its relations."""
        return views.one_article(archive, id)

    @out.get("/compare.json", responses=failures(404), tags=["read"])
    def compare(left: Asked, right: Asked) -> models.Explanation:
        """Two articles: what they share, what each has alone, why they are, or are not, one story."""
        return views.compared(archive, left, right)

    @out.get("/status.json", responses=failures(), tags=["read"])
    def status() -> models.Status:
        """How much there is, how far behind, what was not taken."""
        return views.status(archive)

    @out.get("/health", responses=failures(), tags=["read"])
    async def healthy() -> models.Health:
        """Whether the database answers; told even while everybody else waits."""
        await health.check()
        return models.Health(status="ok")


def _asking(out: APIRouter, archive: Archive) -> None:
    @out.post("/query", responses=failures(400, 408, 413), tags=["ask"])
    def query(article: models.AnyArticle) -> models.Repeats:
        """What does this text repeat? Nothing is kept."""
        asked = intake.checked(article)
        if isinstance(asked, Exception):
            raise asked
        try:
            # a text without a name would be named by its words, and so never meet its like
            named = taken(asked, 1, "asked ")
            if named.id == "asked 1":
                asked = {**article, "id": f"asked-{secrets.token_hex(8)}"}
            return views.repeated(archive, asked)
        except InputError as error:
            # it is the only one, and needs no number
            raise InputError(str(error).partition("\nhint: ")[0].removeprefix("article 1: "), error.hint) from None

    @out.post("/fold", responses=failures(400, 408, 413), tags=["ask"])
    def fold(body: models.Hits) -> models.Folded:
        """Folds a list of results, of whatever search engine, to stories. Nothing is kept."""
        return views.folded(archive, body.hits)


def _writing(out: APIRouter, archive: Archive, repeats: Repeats) -> None:
    refusals = failures(400, 401, 403, 408, 409, 413)

    @out.post("/article", responses=refusals, dependencies=WRITING, tags=["write"])
    def add_one(article: models.AnyArticle, key: Key = None) -> models.AddedOne:
        """Adds one article."""

        def do() -> dict[str, Any]:
            done, doubts = intake.add(archive, [article])
            if done.rejected:
                raise Refusal(422, done.rejected[0][1])
            outcome = "new" if done.new else "revised" if done.revised else "same"
            (id,) = done.new + done.revised + done.same
            kept = archive.article(id)
            told = views.added(done, ())
            return models.AddedOne(
                id=id,
                outcome=outcome,  # type: ignore[arg-type]
                story=kept.story if kept else None,
                relations=told.relations,
                changes=told.changes,
                doubts=[doubt for _, doubt in doubts],
            ).model_dump(mode="json")

        return models.AddedOne(**repeats.once(key, ["/article", article], do))

    @out.post("/articles", responses=refusals, dependencies=WRITING, tags=["write"])
    def add_some(body: models.Batch, key: Key = None) -> models.Added:
        """Adds articles. One that cannot be taken is told, and the rest is kept."""

        def do() -> dict[str, Any]:
            return views.added(*intake.add(archive, body.articles)).model_dump(mode="json")

        return models.Added(**repeats.once(key, ["/articles", body.articles], do))

    @out.post(
        "/articles/stream",
        responses={
            200: {"content": {"application/x-ndjson": {"schema": {"type": "string"}}}, "description": "line by line"},
            **failures(401, 403),
        },
        response_class=intake.Lines,
        status_code=200,
        dependencies=WRITING,
        tags=["write"],
        openapi_extra={"requestBody": {"content": {"application/x-ndjson": {"schema": {"type": "string"}}}}},
    )
    async def add_stream(request: Request) -> intake.Lines:
        """Adds articles from lines of JSON, a thousand at a time; tells of every thousand while more come."""
        return intake.Lines(intake.stream(archive, request))

    @out.delete("/article", responses=failures(401, 403, 404), dependencies=WRITING, tags=["write"])
    def remove(id: Asked) -> models.Decided:
        """Takes an article back; its story may fall apart."""
        views.kept_article(archive, id)
        return models.Decided(changes=views.changes(archive.remove([id])))

    @out.post("/decisions", responses=failures(400, 401, 403, 404, 408, 409, 413), dependencies=WRITING, tags=["write"])
    def decide(body: models.Decision) -> models.Decided:
        """Decides that two articles are the same story or stay apart, for all time; null takes it back."""
        for id in (body.left, body.right):
            views.kept_article(archive, id)
        return models.Decided(changes=views.changes(archive.decide(body.left, body.right, body.decision)))


def _following(out: APIRouter, archive: Archive, limits: Limits) -> None:
    @out.get("/changes.json", responses=failures(), tags=["follow"])
    def changes(since: Since = 0, limit: Annotated[int, Query(ge=1, le=1000)] = 100) -> models.Changes:
        """What happened to stories."""
        return views.logged(archive, since, limit)

    listeners = Listeners(limits.streams, limits.own_streams)

    @out.get(
        "/events",
        responses={
            200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}, "description": "as they come"},
            **failures(),
        },
        response_class=Told,
        status_code=200,
        tags=["follow"],
    )
    async def follow(
        since: Since | None = None, last: Annotated[str | None, Header(alias="Last-Event-ID", max_length=20)] = None
    ) -> Told:
        """Server-sent events: opened, joined, merged, split, left and closed, as they happen."""
        heard = int(last) if last and last.isascii() and last.isdigit() else since
        return Told(events(archive, None if heard is None else min(heard, LARGEST_NUMBER)), listeners)
