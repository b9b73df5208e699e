"""The HTML pages of the portal; a client that does not accept HTML gets the same data as JSON."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from pydantic import BaseModel

from samestory import explanation
from samestory.archive import Archive, Decision
from samestory.archive.article_labels import ArticleLabel, article_labels, latest_articles
from samestory.archive.deciding import system_user
from samestory.archive.facets import facet_texts
from samestory.archive.query import Filters
from samestory.archive.query import parse as parse_query
from samestory.archive.search import Representative, Sort
from samestory.archive.stories import members
from samestory.errors import StoreError
from samestory.feeds.sanitise import reports_truncation
from samestory.groups.decisions import MOVE
from samestory.model import Kind
from samestory.web import decisions, models, presentation, views
from samestory.web.api import ArticleId, Before, Cursor, Number, StoryNumber
from samestory.web.decisions import decision_of_form
from samestory.web.errors import Refusal, wants_page
from samestory.web.forms import read_form
from samestory.web.limits import WRONG_TOKEN_COST, AccessToken, RateLimiter, client_of
from samestory.web.localization import accepted_language, localization
from samestory.web.page_cache import cached
from samestory.web.search_request import Day, Names, Searched
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
        """Render a template in the language that the browser prefers."""
        loc = localization(accepted_language(request.headers.get("accept-language")))
        shared = {
            "loc": loc,
            "t": loc.text,
            "labels": {},
            "csrf_token": self._csrf_token(request),
            "can_sign_in": not self._access.is_unset,
            "here": request.url.path + (f"?{request.url.query}" if request.url.query else ""),
            "query": "",
            "absolute": lambda path: str(request.base_url).rstrip("/") + path,
        }
        text = self._templates.get_template(name).render({**shared, **values})
        headers = {"Cache-Control": "no-store", "Vary": "Accept, Accept-Language, Cookie", "Content-Language": loc.code}
        return HTMLResponse(text, status, headers)

    def _csrf_token(self, request: Request) -> str | None:
        """Return the CSRF token of the session; None also without a database, to render the error page."""
        try:
            return self._sessions.csrf_token(request)
        except StoreError:
            return None

    def render_error(self, request: Request, status: int, error: str, hint: str | None) -> Response:
        """Render the error page."""
        return self.render(request, "failure.html", status, code=status, error=error, hint=hint)

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
            return self._respond(request, data, "front.html", **self._cards(request, data.stories))

        @out.get("/search")
        def search(
            request: Request,
            searched: Searched,
            sort: Sort = "relevance",
            representative: Representative = "best",
            cursor: Cursor = None,
        ) -> Response:
            words, filters = searched.words, searched.filters
            data = views.search_stories(archive, words, filters, sort, representative, searched.prefer, cursor)
            params = {"q": words, "sort": sort, "representative": representative, **asdict(searched)}
            del params["words"]
            parsed = parse_query(words, data.facets.fields)
            return self._respond(
                request,
                data,
                "search.html",
                query=words,
                params=params,
                has_words=bool(parsed.wanted or parsed.excluded),
                has_filters=filters != Filters() or parsed.filters != Filters(),
                cursor=cursor,
                **self._cards(request, data.stories),
            )

        @out.get("/story/{number}")
        def story(request: Request, number: Number, cursor: Cursor = None) -> Response:
            with archive.database.read():  # the page and what is shown beside it are of one snapshot
                data = views.story_page(archive, number, cursor)
                beside = self._beside(data, cursor) if wants_page(request) else {}
            return self._respond(
                request, data, "story.html", members=data.members, titled=_titled(data), cursor=cursor, **beside
            )

        @out.get("/article")
        def article(request: Request, id: ArticleId) -> Response:
            data = views.article_detail(archive, id)
            near = {side for each in data.relations[:MAX_RELATIONS] for side in (each.left, each.right)}
            others = self._summaries(near) if wants_page(request) else {}
            return self._respond(
                request,
                data,
                "article.html",
                others=others,
                labels=self._labels(data, *others.values()),
                max_relations=MAX_RELATIONS,
                field_values=facet_texts,
            )

        @out.get("/compare")
        def compare(request: Request, left: ArticleId, right: ArticleId) -> Response:
            data = views.compare_articles(archive, left, right)
            # without a relation the numbers are those of the first detector
            kinds = {data.related.kind} if data.related else archive.detectors[0].reports
            labels = self._labels(data.left, data.right)
            return self._respond(request, data, "compare.html", labels=labels, is_likelihood=Kind.SAME_EVENT in kinds)

        @out.get("/status")
        def status(request: Request) -> Response:
            return self._respond(request, views.status(archive), "status.html", is_truncated=reports_truncation)

    def _cards(self, request: Request, stories: list[models.StoryHitOut]) -> dict[str, Any]:
        """Return what a list of stories states beside the results: their first articles, and the latest."""
        if not wants_page(request):
            return {}
        numbers = tuple(each.number for each in stories if each.articles > 1)
        representatives = tuple(each.representative.id for each in stories)
        database = self._archive.database

        def make() -> dict[str, Any]:
            inside = {number: members(database, number, limit=MAX_LISTED_MEMBERS) for number in numbers}
            listed = (one for page in inside.values() for one in page.articles)
            return {
                "inside": inside,
                "latest": latest_articles(database, inside),
                "labels": self._labels(*(one.representative for one in stories), *listed),
            }

        return cached(self._archive, ("cards", numbers, representatives), make)

    def _labels(self, *articles: Any) -> dict[str, ArticleLabel]:
        return article_labels(self._archive.database, {one.id for one in articles})

    def _summaries(self, ids: set[str]) -> dict[str, models.ArticleSummaryOut]:
        stored = self._archive.articles(ids)
        return {id: models.ArticleSummaryOut(**views.summary_fields(each)) for id, each in stored.items()}

    def _beside(self, story: models.StoryOut, cursor: str | None) -> dict[str, Any]:
        """Return what the page of a story shows beside it: the articles it refers to, labels and new passages."""

        def make() -> dict[str, Any]:
            others = self._referred(story)
            shown = (*story.members, story.first, story.last, story.representative, *others.values())
            return {"others": others, "labels": self._labels(*shown), "new": self._new_passages(story)}

        return cached(self._archive, ("beside story", story.number, cursor), make, story.number)

    def _referred(self, story: models.StoryOut) -> dict[str, models.ArticleSummaryOut]:
        """Return every article that the page of a story refers to."""
        ids = {each.depends.right for each in story.members if each.depends}
        ids |= {id for each in story.apart for id in (each.relation.left, each.relation.right)}
        return self._summaries(ids)

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
        others = self._summaries({id for story in data.stories for id in story.articles[:MAX_CONFIRMED_ARTICLES]})
        return self.render(
            request,
            "decide.html",
            409 if has_changed else 200,
            data=data,
            form={**form, "next": _local_path(form.get("next", "")) or "/", "digest": decisions.digest(preview)},
            what=decision.what,
            has_changed=has_changed,
            moves={move.article: move.before for move in data.moves},
            copies=set(decision.articles) if decision.what == MOVE else None,
            others=others,
            labels=self._labels(*others.values()),
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


def _titled(story: models.StoryOut) -> dict[str, Any]:
    """Return the article that names a story; its title may be that of another article of the story."""
    best = story.representative
    # without any title the story has the id of its representative
    title = None if story.title == best.id and not (best.title or "").strip() else story.title
    return {"id": best.id, "title": title, "language": best.language}


def _local_path(address: str) -> str | None:
    """Return the address if it is a path of this server, to prevent open redirects."""
    is_local = (
        address.startswith("/") and address[1:2] not in ("/", "\\") and address.isascii() and address.isprintable()
    )
    return address if is_local else None
