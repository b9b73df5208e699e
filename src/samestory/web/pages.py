"""The pages: what the API tells, drawn for people; the same address tells programs the same in JSON."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from pydantic import BaseModel

from samestory.archive import Archive
from samestory.archive.search import Representative, Sort
from samestory.archive.stories import members
from samestory.web import drawing, models, views
from samestory.web.api import Asked, Cursor, Day, Names, Number
from samestory.web.errors import Refusal, wants_page
from samestory.web.forms import read_form
from samestory.web.limits import WRONG, Keeper, Rates, client_of
from samestory.web.sessions import Sessions
from samestory.web.templating import environment

#: A folded story shows so many of its articles when it is opened; the rest is on its own page.
UNFOLDED = 6
#: What is new is looked for in so many articles of a story's page, of texts that are compared whole.
NEW_IN = 30
#: A passage that is new has at least so many characters.
WORTH = 25
#: So many relations of an article are shown.
RELATIONS = 50


class Pages:
    """Draws pages."""

    def __init__(self, archive: Archive, keeper: Keeper, rates: Rates) -> None:
        self._archive, self._keeper, self._rates = archive, keeper, rates
        self._sessions = Sessions(keeper)
        self._templates = environment("samestory.web")

    def draw(self, request: Request, name: str, status: int = 200, **values: Any) -> Response:
        """A page."""
        shared = {
            "proof": self._sessions.proof(request),
            "can_sign_in": not self._keeper.closed,
            "here": request.url.path + (f"?{request.url.query}" if request.url.query else ""),
            "query": "",
        }
        text = self._templates.get_template(name).render({**shared, **values})
        return HTMLResponse(text, status, {"Cache-Control": "no-store", "Vary": "Accept, Cookie"})

    def failure(self, request: Request, status: int, error: str, hint: str | None) -> Response:
        """The page that says what went wrong."""
        return self.draw(request, "failure.html", status, error=error, hint=hint)

    def _answer(self, request: Request, told: BaseModel, name: str, **values: Any) -> Response:
        """A page for people, JSON for programs."""
        if not wants_page(request):
            return JSONResponse(told.model_dump(mode="json"), headers={"Vary": "Accept, Cookie"})
        return self.draw(request, name, told=told, **values)

    def routes(self) -> APIRouter:
        """All pages."""
        out = APIRouter(include_in_schema=False)
        self._reading(out)
        self._deciding(out)
        return out

    def _reading(self, out: APIRouter) -> None:
        archive = self._archive

        @out.get("/")
        def front(request: Request, day: Day = None, cursor: Cursor = None) -> Response:
            told = views.front(archive, day, cursor)
            return self._answer(request, told, "front.html", inside=self._inside(told.stories))

        @out.get("/search")
        def search(
            request: Request,
            q: Annotated[str, Query(max_length=1000)] = "",
            sort: Sort = "relevance",
            representative: Representative = "best",
            prefer: Names = [],  # noqa: B006 - FastAPI reads it and copies it
            source: Names = [],  # noqa: B006
            lang: Names = [],  # noqa: B006
            day: Names = [],  # noqa: B006
            since: Day = None,
            until: Day = None,
            cursor: Cursor = None,
        ) -> Response:
            chosen = views.filters(source, lang, day, since, until)
            prefer = [name for name in prefer if name.strip()]  # a form sends what was left open
            told = views.found(archive, q, chosen, sort, representative, prefer, cursor)
            asked = {
                "q": q,
                "sort": sort,
                "representative": representative,
                "prefer": prefer,
                "source": source,
                "lang": lang,
                "day": day,
                "since": since,
                "until": until,
            }
            inside = self._inside(told.stories)
            return self._answer(request, told, "search.html", query=q, asked=asked, inside=inside, cursor=cursor)

        @out.get("/story/{number}")
        def story(request: Request, number: Number, cursor: Cursor = None) -> Response:
            found = views.one_story(archive, number, cursor)
            page = wants_page(request)
            return self._answer(
                request,
                found,
                "story.html",
                members=found.members,
                titles=self._titles(found) if page else {},
                new=self._new(found) if page else {},
                cursor=cursor,
            )

        @out.get("/article")
        def article(request: Request, id: Asked) -> Response:
            told = views.one_article(archive, id)
            near = {side for each in told.relations[:RELATIONS] for side in (each.left, each.right)}
            others = archive.articles(near) if wants_page(request) else {}
            return self._answer(request, told, "article.html", others=others, most=RELATIONS)

        @out.get("/compare")
        def compare(request: Request, left: Asked, right: Asked) -> Response:
            return self._answer(request, views.compared(archive, left, right), "compare.html")

        @out.get("/status")
        def status(request: Request) -> Response:
            return self._answer(request, views.status(archive), "status.html")

    def _inside(self, stories: list[models.Found]) -> dict[int, Any]:
        """The first articles of every story that has more than one."""
        with self._archive.database.read():
            return {
                each.number: members(self._archive.database, each.number, limit=UNFOLDED)
                for each in stories
                if each.articles > 1
            }

    def _titles(self, told: models.Story) -> dict[str, tuple[str, Any]]:
        """The titles and times of all articles that others depend on."""
        ids = {each.depends.right for each in told.members if each.depends}
        ids |= {id for each in told.apart for id in (each.relation.left, each.relation.right)}
        ids |= {id for each in told.decisions for id in (each.left, each.right)}
        kept = self._archive.articles(ids)
        return {
            id: (each.article.source or each.article.title or id, views.brief(each)["time"])
            for id, each in kept.items()
        }

    def _new(self, told: models.Story) -> dict[str, list[str]]:
        """What some articles say that those they depend on do not."""
        out: dict[str, list[str]] = {}
        for each in told.members:
            if each.depends is None or each.depends.kind == "IDENTICAL" or len(out) >= NEW_IN:
                continue
            texts = self._archive.articles([each.id, each.depends.right])
            if len(texts) < 2 or views.beginning(*(one.article for one in texts.values())) is not None:
                continue
            why = self._archive.explain(each.id, each.depends.right)
            passages = [why.left.text[start:end].strip() for start, end in why.only_left]
            out[each.id] = [passage for passage in passages if len(passage) >= WORTH]
        return out

    def _deciding(self, out: APIRouter) -> None:
        archive, sessions = self._archive, self._sessions

        @out.get("/sign-in")
        def sign_in_page(request: Request, token: Annotated[str, Query(max_length=500)] = "") -> Response:
            if token:
                return self._sign_in(request, token, "/")
            return self.draw(request, "sign_in.html", wrong=False, to_page=request.query_params.get("next", "/"))

        @out.post("/sign-in")
        async def sign_in(request: Request) -> Response:
            form = await read_form(request)
            return self._sign_in(request, form.get("token", ""), form.get("next", "/"))

        @out.post("/sign-out")
        async def sign_out(request: Request) -> Response:
            form = await read_form(request)
            if not sessions.proves(request, form.get("proof", "")):
                raise Refusal(403, "this form is not one of ours, or too old", "go back, reload the page, try again")
            answer = RedirectResponse("/", 303)
            sessions.sign_out(answer)
            return answer

        @out.post("/decide")
        async def decide_form(request: Request) -> Response:
            return await run_in_threadpool(decide, request, await read_form(request))

        def decide(request: Request, form: dict[str, str]) -> Response:
            if self._keeper.closed:
                raise Refusal(403, "this server is only read", "start it with samestory portal DB --edit")
            if sessions.word(request) is None:
                raise Refusal(401, "only who has signed in decides", "sign in first")
            if not sessions.proves(request, form.get("proof", "")):
                raise Refusal(403, "this form is not one of ours, or too old", "go back, reload the page, try again")
            left, right, decision = form.get("left", ""), form.get("right", ""), form.get("decision", "")
            if decision not in ("same", "apart", "none"):
                raise Refusal(422, "decision: one of same, apart, none is wanted")
            for id in (left, right):
                views.kept_article(archive, id)
            archive.decide(left, right, None if decision == "none" else decision)
            return RedirectResponse(_inner(form.get("next", "")) or drawing.to("/compare", left=left, right=right), 303)

    def _sign_in(self, request: Request, token: str, then: str) -> Response:
        if self._keeper.closed:
            raise Refusal(403, "this server is only read", "start it with samestory portal DB --edit")
        if not self._keeper.knows(token.strip()):
            self._rates.charge(client_of(request.scope), WRONG)
            return self.draw(request, "sign_in.html", 401, wrong=True, to_page=then)
        answer = RedirectResponse(_inner(then) or "/", 303)
        self._sessions.sign_in(request, answer)
        return answer


def _inner(address: str) -> str | None:
    """An address of ours to go on to; none that leads elsewhere."""
    good = address.startswith("/") and address[1:2] not in ("/", "\\") and address.isascii() and address.isprintable()
    return address if good else None
