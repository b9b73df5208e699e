"""The HTML pages of the portal; a client that does not accept HTML gets the same data as JSON."""

from __future__ import annotations

import json
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from pydantic import BaseModel

from samestory import explanation
from samestory.archive import Archive, Decision
from samestory.archive.deciding import system_user
from samestory.archive.facets import facet_texts
from samestory.archive.search import Representative, Sort
from samestory.archive.stories import members
from samestory.errors import StoreError
from samestory.groups.decisions import MOVE
from samestory.web import decisions, models, presentation, views
from samestory.web.api import ArticleId, Before, Cursor, Day, FieldValues, Names, Number, StoryNumber
from samestory.web.decisions import decision_of_form
from samestory.web.errors import Refusal, wants_page
from samestory.web.forms import read_form
from samestory.web.limits import WRONG_TOKEN_COST, AccessToken, RateLimiter, client_of
from samestory.web.page_cache import cached
from samestory.web.sessions import Sessions
from samestory.web.templating import environment

#: Articles listed inside a story in a result list; the rest is on the page of the story.
MAX_LISTED_MEMBERS = 6
#: Articles on the page of a story for which new passages are computed; only texts that are compared in full.
MAX_NEW_PASSAGES_ARTICLES = 30
#: Shorter new passages are not shown.
MIN_PASSAGE_CHARS = 25
#: Relations on the page of an article.
MAX_RELATIONS = 50
#: Articles of each story on the page that confirms a decision.
MAX_CONFIRMED_ARTICLES = 50
#: Characters of the name of an editor.
MAX_NAME_CHARS = 60


class PortalPages:
    """Renders the pages of the portal."""

    def __init__(self, archive: Archive, access: AccessToken, limiter: RateLimiter) -> None:
        self._archive, self._access, self._limiter = archive, access, limiter
        self._sessions = Sessions(access, archive.database)
        self._templates = environment("samestory.web")

    def render(self, request: Request, name: str, status: int = 200, **values: Any) -> Response:
        """Render a template."""
        shared = {
            "csrf_token": self._csrf_token(request),
            "can_sign_in": not self._access.is_unset,
            "here": request.url.path + (f"?{request.url.query}" if request.url.query else ""),
            "query": "",
        }
        text = self._templates.get_template(name).render({**shared, **values})
        return HTMLResponse(text, status, {"Cache-Control": "no-store", "Vary": "Accept, Cookie"})

    def _csrf_token(self, request: Request) -> str | None:
        """Return the CSRF token of the session; None also without a database, to render the error page."""
        try:
            return self._sessions.csrf_token(request)
        except StoreError:
            return None

    def render_error(self, request: Request, status: int, error: str, hint: str | None) -> Response:
        """Render the error page."""
        return self.render(request, "failure.html", status, error=error, hint=hint)

    def _respond(self, request: Request, data: BaseModel, name: str, **values: Any) -> Response:
        """Render the template for browsers, return JSON to other clients."""
        if not wants_page(request):
            content = data.to_json() if isinstance(data, models.PageOut) else data.model_dump_json()
            return Response(content, media_type="application/json", headers={"Vary": "Accept, Cookie"})
        return self.render(request, name, data=data, **values)

    def routes(self) -> APIRouter:
        """Return all routes."""
        out = APIRouter(include_in_schema=False)
        self._add_read_routes(out)
        self._add_decision_routes(out)
        return out

    def _add_read_routes(self, out: APIRouter) -> None:
        archive = self._archive

        @out.get("/")
        def front(request: Request, day: Day = None, cursor: Cursor = None) -> Response:
            data = views.front_page(archive, day, cursor)
            return self._respond(request, data, "front.html", inside=self._first_members(request, data.stories))

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
            field: FieldValues = [],  # noqa: B006
            cursor: Cursor = None,
        ) -> Response:
            filters = views.make_filters(source, lang, day, since, until, field)
            prefer = [name for name in prefer if name.strip()]  # a form also sends empty fields
            data = views.search_stories(archive, q, filters, sort, representative, prefer, cursor)
            request_params = {
                "q": q,
                "sort": sort,
                "representative": representative,
                "prefer": prefer,
                "source": source,
                "lang": lang,
                "day": day,
                "since": since,
                "until": until,
                "field": field,
            }
            inside = self._first_members(request, data.stories)
            return self._respond(
                request, data, "search.html", query=q, params=request_params, inside=inside, cursor=cursor
            )

        @out.get("/story/{number}")
        def story(request: Request, number: Number, cursor: Cursor = None) -> Response:
            with archive.database.read():  # the page and what is shown beside it are of one snapshot
                data = views.story_page(archive, number, cursor)
                titles, new = self._beside(data, cursor) if wants_page(request) else ({}, {})
            return self._respond(
                request, data, "story.html", members=data.members, titles=titles, new=new, cursor=cursor
            )

        @out.get("/article")
        def article(request: Request, id: ArticleId) -> Response:
            data = views.article_detail(archive, id)
            near = {side for each in data.relations[:MAX_RELATIONS] for side in (each.left, each.right)}
            others = archive.articles(near) if wants_page(request) else {}
            return self._respond(
                request, data, "article.html", others=others, max_relations=MAX_RELATIONS, field_values=facet_texts
            )

        @out.get("/compare")
        def compare(request: Request, left: ArticleId, right: ArticleId) -> Response:
            return self._respond(request, views.compare_articles(archive, left, right), "compare.html")

        @out.get("/status")
        def status(request: Request) -> Response:
            return self._respond(request, views.status(archive), "status.html")

    def _first_members(self, request: Request, stories: list[models.StoryHitOut]) -> dict[int, Any]:
        """Return the first articles of every story that has more than one, for a page."""
        numbers = tuple(each.number for each in stories if each.articles > 1)
        database = self._archive.database

        def make() -> dict[int, Any]:
            return {number: members(database, number, limit=MAX_LISTED_MEMBERS) for number in numbers}

        return cached(self._archive, ("first members", numbers), make) if wants_page(request) else {}

    def _beside(self, data: models.StoryOut, cursor: str | None) -> tuple[dict[str, Any], dict[str, list[str]]]:
        """Return the titles and the new passages that the page of a story shows."""
        key = ("beside story", data.number, cursor)
        return cached(self._archive, key, lambda: (self._titles(data), self._new_passages(data)), data.number)

    def _titles(self, story: models.StoryOut) -> dict[str, tuple[str, Any]]:
        """Return the name and time of every article that the page of a story refers to."""
        ids = {each.depends.right for each in story.members if each.depends}
        ids |= {id for each in story.apart for id in (each.relation.left, each.relation.right)}
        stored = self._archive.articles(ids)
        return {
            id: (each.article.source or each.article.title or id, views.summary_fields(each)["time"])
            for id, each in stored.items()
        }

    def _new_passages(self, story: models.StoryOut) -> dict[str, list[str]]:
        """Return, by article, the passages that the article it depends on does not have."""
        derived = [
            (each.id, each.depends.right, each.depends.detector)
            for each in story.members
            if each.depends is not None and each.depends.kind != "IDENTICAL"
        ]
        stored = self._archive.articles({id for *ends, _ in derived for id in ends})
        pairs: list[explanation.ComparedPair] = []
        for left, right, detector in derived:
            if len(pairs) < MAX_NEW_PASSAGES_ARTICLES and left in stored and right in stored:
                ends = (stored[left].article, stored[right].article)
                if views.compared_chars(*ends) is None:
                    pairs.append((*ends, self._archive.detector(detector)))
        out: dict[str, list[str]] = {}
        for (article, *_), spans in zip(pairs, explanation.only_left(pairs, self._archive.as_is), strict=True):
            passages = [article.text[start:end].strip() for start, end in spans]
            out[article.id] = [passage for passage in passages if len(passage) >= MIN_PASSAGE_CHARS]
        return out

    def _add_decision_routes(self, out: APIRouter) -> None:
        archive, sessions = self._archive, self._sessions

        @out.get("/sign-in")
        def sign_in_page(request: Request, token: Annotated[str, Query(max_length=500)] = "") -> Response:
            if token:
                return self._sign_in(request, token, "/")
            return self.render(request, "sign_in.html", wrong=False, to_page=request.query_params.get("next", "/"))

        @out.post("/sign-in")
        async def sign_in(request: Request) -> Response:
            form = await read_form(request)
            return await run_in_threadpool(
                self._sign_in, request, form.get("token", ""), form.get("next", "/"), form.get("name", "")
            )

        @out.post("/sign-out")
        async def sign_out(request: Request) -> Response:
            return await run_in_threadpool(end_session, request, await read_form(request))

        def end_session(request: Request, form: dict[str, str]) -> Response:
            if not sessions.is_csrf_token(request, form.get("csrf_token", "")):
                raise Refusal(
                    403, "the form has expired or is not from this portal", "go back, reload the page and try again"
                )
            answer = RedirectResponse("/", 303)
            sessions.sign_out(request, answer)
            return answer

        @out.post("/decide")
        async def decide_form(request: Request) -> Response:
            return await run_in_threadpool(decide, request, await read_form(request))

        def decide(request: Request, form: dict[str, str]) -> Response:
            if self._access.is_unset:
                raise Refusal(403, "this portal is read-only", "start it with samestory portal DB --edit")
            if sessions.nonce(request) is None:
                raise Refusal(401, "deciding requires signing in", "sign in first")
            if not sessions.is_csrf_token(request, form.get("csrf_token", "")):
                raise Refusal(
                    403, "the form has expired or is not from this portal", "go back, reload the page and try again"
                )
            if "what" in form:
                return self._decide_about_stories(request, form)
            left, right, decision = form.get("left", ""), form.get("right", ""), form.get("decision", "")
            if decision not in ("same", "apart", "none"):
                raise Refusal(422, "decision: expected same, apart or none")
            for id in (left, right):
                views.get_article(archive, id)
            who = sessions.editor(request) or system_user()
            archive.decide(left, right, None if decision == "none" else decision, who, form.get("why", "")[:1000])
            return RedirectResponse(
                _local_path(form.get("next", "")) or presentation.make_url("/compare", left=left, right=right), 303
            )

        @out.get("/decide")
        def confirm(
            request: Request,
            what: Annotated[str, Query(max_length=10)] = "",
            article: Names = [],  # noqa: B006 - FastAPI reads it and copies it
            story: Names = [],  # noqa: B006
            number: Annotated[str, Query(max_length=20)] = "",
            next: Annotated[str, Query(max_length=500)] = "/",
        ) -> Response:
            if sessions.nonce(request) is None:
                raise Refusal(401, "deciding requires signing in", "sign in first")
            form = {"what": what, "articles": json.dumps(article), "stories": " ".join(story), "number": number}
            return self._confirm(
                request, {**form, "next": next}, decision_of_form(archive, what, article, story, number)
            )

        @out.get("/decisions")
        def decision_log(request: Request, story: StoryNumber = None, before: Before = None) -> Response:
            data = decisions.decision_log(archive, story, decisions.MAX_DECISIONS, before)
            more = data.decisions[-1].number if len(data.decisions) == decisions.MAX_DECISIONS else None
            return self._respond(request, data, "decisions.html", more=more)

    def _confirm(
        self, request: Request, form: dict[str, str], decision: Decision, has_changed: bool = False
    ) -> Response:
        """Render the page that shows what a decision will change, with the form that makes it."""
        preview = self._archive.preview(decision)
        data = decisions.preview_out(preview)
        listed = {id for story in data.stories for id in story.articles[:MAX_CONFIRMED_ARTICLES]}
        return self.render(
            request,
            "decide.html",
            409 if has_changed else 200,
            data=data,
            form={**form, "next": _local_path(form.get("next", "")) or "/", "digest": decisions.digest(preview)},
            title=decisions.TITLES[decision.what],
            has_changed=has_changed,
            moves={move.article: move.before for move in data.moves},
            copies=set(decision.articles) if decision.what == MOVE else None,
            articles=self._archive.articles(listed),
            most=MAX_CONFIRMED_ARTICLES,
        )

    def _decide_about_stories(self, request: Request, form: dict[str, str]) -> Response:
        """Make the decision of a form, if it still changes what the page of the form showed."""
        try:
            articles = json.loads(form.get("articles", "[]"))
        except ValueError:
            articles = None
        if not isinstance(articles, list) or not all(isinstance(id, str) for id in articles):
            raise Refusal(422, "articles: expected a list of ids")
        given = (form["what"], articles, form.get("stories", "").split(), form.get("number", ""))
        decision = decision_of_form(self._archive, *given)
        if decisions.digest(self._archive.preview(decision)) != form.get("digest"):
            return self._confirm(request, form, decision, has_changed=True)
        who = self._sessions.editor(request) or system_user()
        made = self._archive.apply(decision, who, form.get("why", "")[:1000])
        story = f"/story/{made.changes[0].group}" if made.changes else "/decisions"
        return RedirectResponse(_local_path(form.get("next", "")) or story, 303)

    def _sign_in(self, request: Request, token: str, next_page: str, name: str = "") -> Response:
        if self._access.is_unset:
            raise Refusal(403, "this portal is read-only", "start it with samestory portal DB --edit")
        if not self._access.matches(token.strip()):
            self._limiter.charge(client_of(request.scope), WRONG_TOKEN_COST)
            return self.render(request, "sign_in.html", 401, wrong=True, to_page=next_page)
        answer = RedirectResponse(_local_path(next_page) or "/", 303)
        self._sessions.sign_in(request, answer, " ".join(name.split())[:MAX_NAME_CHARS])
        return answer


def _local_path(address: str) -> str | None:
    """Return the address if it is a path of this server, to prevent open redirects."""
    is_local = (
        address.startswith("/") and address[1:2] not in ("/", "\\") and address.isascii() and address.isprintable()
    )
    return address if is_local else None
