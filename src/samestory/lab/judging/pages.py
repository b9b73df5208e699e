"""The judging pages: start, item, answers, end; and the overview for the organiser.

The address contains the token of an assessor and opens only their work, so forms need no other proof.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from string import ascii_uppercase
from typing import Any

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from samestory.database import storable
from samestory.errors import InputError
from samestory.lab.collection import AssessorSession, Collection, Shape
from samestory.lab.collection.agreement import agreement
from samestory.lab.collection.answers import check_answer
from samestory.lab.collection.assessor_session import MAX_COMMENT_CHARS, Task
from samestory.lab.collection.discussion import MAX_NOTE_CHARS, add_discussion_note
from samestory.lab.collection.drafts import delete_draft, load_draft, save_draft
from samestory.lab.judging import marks, words
from samestory.lab.judging.overview import overview
from samestory.web.errors import Refusal
from samestory.web.forms import read_fields
from samestory.web.limits import WRONG_TOKEN_COST, AccessToken, RateLimiter, client_of
from samestory.web.presentation import escape_text
from samestory.web.templating import environment

#: Limits of a form: a comment of the longest URL-encoded characters, twelve bytes each, and a list of some dozens.
MAX_FORM_BYTES, MAX_FORM_FIELDS = 64_000, 200
#: Answers per page of the list of answers.
ANSWERS_PER_PAGE = 50
#: Other articles of a cluster per page.
OTHERS_PER_PAGE = 50
#: Length of the idempotency key of a form.
MAX_KEY_CHARS = 64

_PLACE = re.compile(r"-?[0-9]{1,9}")
_HEADERS = {"Cache-Control": "no-store"}

Fields = Mapping[str, list[str]]


class JudgingPages:
    """Renders the judging pages."""

    def __init__(self, collection: Collection, access: AccessToken, limiter: RateLimiter) -> None:
        self._collection, self._access, self._limiter = collection, access, limiter
        self._sentences = marks.Sentences(collection)
        self._templates = environment("samestory.lab.judging")
        self._templates.globals.update(
            escape_text=escape_text,
            ratio=marks.ratio,
            MAX_COMMENT_CHARS=MAX_COMMENT_CHARS,
            MAX_NOTE_CHARS=MAX_NOTE_CHARS,
        )

    def render(self, name: str, status: int = 200, **values: Any) -> Response:
        """Render a template."""
        return HTMLResponse(self._templates.get_template(name).render(values), status, dict(_HEADERS))

    def render_error(self, request: Request, status: int, error: str, hint: str | None) -> Response:
        """Render the error page, which reveals nothing about an assessor."""
        return self.render("failure.html", status, code=status, error=error, hint=hint)

    def routes(self) -> APIRouter:
        """Return all routes."""
        out = APIRouter()

        @out.get("/")
        def front() -> Response:
            return self.render("front.html")

        @out.get("/o/{token}/")
        def show_overview(request: Request, token: str) -> Response:
            if not self._access.matches(token):
                raise self._unknown(request)
            report = agreement(self._collection)
            conflicting = {each.item for each in report.disagreements}
            return self.render(
                "overview.html", overview=overview(self._collection), report=report, conflicting=conflicting
            )

        @out.post("/o/{token}/talk")
        async def discuss(request: Request, token: str) -> Response:
            if not self._access.matches(token):
                raise self._unknown(request)
            fields = await read_fields(request, MAX_FORM_BYTES, MAX_FORM_FIELDS)
            return await run_in_threadpool(self._discuss, token, fields)

        @out.get("/w/{token}/")
        def start(request: Request, token: str) -> Response:
            session = self._session(request, token)
            return self.render(
                "start.html", **self._shared(session), next=session.next(), trained=bool(session.exercise())
            )

        @out.get("/w/{token}/done")
        def done(request: Request, token: str) -> Response:
            session = self._session(request, token)
            return self.render("done.html", **self._shared(session), next=session.next())

        @out.get("/w/{token}/exercise")
        def exercise(request: Request, token: str) -> Response:
            session = self._session(request, token)
            own = [
                (
                    task,
                    session.articles(task),
                    _answer_label(task, first),
                    _answer_label(task, task.right),
                    first == task.right,
                )
                for task, first in session.exercise()
            ]
            return self.render("exercise.html", **self._shared(session), own=own, next=session.next())

        @out.get("/w/{token}/list")
        def answers(request: Request, token: str) -> Response:
            return self._list(self._session(request, token), request.query_params.get("page", "1"))

        @out.get("/w/{token}/{place}")
        def item(request: Request, token: str, place: str) -> Response:
            session = self._session(request, token)
            return self._item(session, _find_task(session.task, place), request.query_params)

        @out.post("/w/{token}/{place}")
        async def answer(request: Request, token: str, place: str) -> Response:
            fields = await read_fields(request, MAX_FORM_BYTES, MAX_FORM_FIELDS)
            return await run_in_threadpool(self._answer, request, token, place, fields)

        return out

    def _unknown(self, request: Request) -> Refusal:
        # makes guessing tokens slow
        self._limiter.charge(client_of(request.scope), WRONG_TOKEN_COST)
        return Refusal(404, "no page at this address")

    def _session(self, request: Request, token: str) -> AssessorSession:
        session = AssessorSession.from_token(self._collection, token)
        if session is None:
            raise self._unknown(request)
        return session

    def _shared(self, session: AssessorSession) -> dict[str, Any]:
        """Return the values that all pages of an assessor use."""
        shape, relation = self._collection.shape, self._collection.relation
        return {
            "progress": session.progress(),
            "meaning": self._collection.meaning,
            "shape": str(shape),
            "question": words.question(shape, relation),
            "choices": words.answers(shape, relation),
        }

    def _item(
        self, session: AssessorSession, task: Task, params: Mapping[str, str], form: dict[str, Any] | None = None
    ) -> Response:
        """Render a task; `form` holds fields of a form that was sent without an answer."""
        previous, following = session.neighbours(task.place)
        shared = self._shared(session)
        if following is not None and shared["progress"].exercises and session.task(following) is None:
            following = None
        articles = session.articles(task)
        progress = shared["progress"]
        draft = load_draft(session, task) if form is None else None
        form = form or draft
        return self.render(
            f"{task.item.shape}.html",
            **shared,
            task=task,
            key=secrets.token_urlsafe(12),
            form=form or _stored_form(task),
            previous=previous,
            following=following,
            remarks=session.remarks(task),
            history=[_history_entry(task, one) for one in session.history(task.place)],
            stale="stale" in params,
            is_draft=draft is not None,
            # the definition is open before the first judgement, also on pages that were opened by their address
            unread=not progress.done and not progress.skipped and "begun" not in params,
            answer=_answer_label(task, task.shown_answer),
            correct=_answer_label(task, task.right),
            next=session.next() if task.right is not None else None,
            **self._articles_of(task, articles, form),
        )

    def _articles_of(self, task: Task, articles: list[Any], form: dict[str, Any] | None) -> dict[str, Any]:
        """Return the template values of the articles of a task."""
        if task.item.shape is Shape.PAIR:
            left, right = marks.mark_pair(self._sentences, *articles)
            return {"left": left, "right": right}
        if task.item.shape is Shape.CLUSTER:
            first, *others = articles
            start = min((form or {}).get("others", 1) - 1, max(0, len(others) - 1)) // OTHERS_PER_PAGE * OTHERS_PER_PAGE
            return {
                "left": marks.without_marks(first),
                "others": marks.mark_against(self._sentences, first, others[start : start + OTHERS_PER_PAGE]),
                "start": start,
                "all_others": len(others),
                "parts_of": range(0, len(others), OTHERS_PER_PAGE) if len(others) > OTHERS_PER_PAGE else (),
                "OTHERS_PER_PAGE": OTHERS_PER_PAGE,
            }
        compared = (form or {}).get("beside", [])
        return {
            "rows": [marks.without_marks(each) for each in articles],
            "letters": ascii_uppercase[: max(2, min(26, len(articles) // 2))],
            "compared": list(marks.mark_pair(self._sentences, *(articles[at - 1] for at in compared)))
            if len(compared) == 2
            else [],
            "query": task.item.query,
        }

    def _answer(self, request: Request, token: str, place: str, fields: Fields) -> Response:
        session = self._session(request, token)
        task = _find_task(session.task_of_form, place)
        base = f"/w/{token}/"
        form = _read_form(task, fields)
        key = _first(fields, "key")
        if "draft" in fields or "look" in fields or "others" in fields:
            if 0 < len(key) <= MAX_KEY_CHARS:
                save_draft(session, task, key, form)
            if "draft" in fields:
                return Response(status_code=204, headers=dict(_HEADERS))
            return self._item(session, task, {"begun": ""}, form)
        answer = self._read_answer(task, fields)
        if not key or len(key) > MAX_KEY_CHARS:
            raise Refusal(422, "key: missing or invalid; reload the page")
        result = session.answer(task.place, answer, key, form["comment"], form["questionable"], form["seconds"])
        delete_draft(session, task)
        if not result.new and answer is not None and _differs(result.task, answer, form):
            # an old page that was answered differently before: the stored answer is shown, not changed
            return _see_other(f"{base}{task.place}?stale=1" if session.task(task.place) else base)
        if task.duty == "exercise":
            return _see_other(f"{base}{task.place}")
        next_task = session.next(task.place)
        return _see_other(f"{base}done" if next_task is None else f"{base}{next_task.place}")

    def _read_answer(self, task: Task, fields: Fields) -> Any:
        """Return the answer in a form; None if the task is skipped."""
        if "skip" in fields:
            return None
        if task.item.shape is Shape.LIST:
            if "keep" not in fields:
                raise Refusal(422, "answer: expected sets")
            return _sets(task, fields)
        answer = _first(fields, "answer")
        try:
            return check_answer(task.item.shape, self._collection.relation, task.articles, answer)
        except InputError as error:
            raise Refusal(422, str(error)) from None

    def _discuss(self, token: str, fields: Fields) -> Response:
        item = _first(fields, "item")
        try:
            number = int(item) if _PLACE.fullmatch(item) else 0
            add_discussion_note(self._collection, number, _first(fields, "state"), storable(_first(fields, "note")))
        except InputError as error:
            raise Refusal(422, str(error)) from None
        return _see_other(f"/o/{token}/#item-{number}")

    def _list(self, session: AssessorSession, page: str) -> Response:
        number = int(page) if page.isascii() and page.isdigit() and len(page) < 8 else 1
        tasks = session.answered(ANSWERS_PER_PAGE + 1, ANSWERS_PER_PAGE * (max(1, number) - 1))
        known = self._collection.articles({id for task in tasks for id in task.articles})
        return self.render(
            "answers.html",
            **self._shared(session),
            tasks=[
                (
                    task,
                    [known[id] for id in task.articles],
                    [_history_entry(task, one) for one in session.history(task.place)],
                )
                for task in tasks[:ANSWERS_PER_PAGE]
            ],
            page=max(1, number),
            more=len(tasks) > ANSWERS_PER_PAGE,
            next=session.next(),
        )


def _find_task(get: Callable[[int], Task | None], place: str) -> Task:
    """Return the task at a place; raise a 404 refusal that does not reveal whether another assessor has one."""
    found = get(int(place)) if _PLACE.fullmatch(place) else None
    if found is None:
        raise Refusal(404, "no page at this address")
    return found


def _see_other(address: str) -> Response:
    return RedirectResponse(address, 303, dict(_HEADERS))


def _first(fields: Fields, name: str) -> str:
    return fields[name][0] if name in fields else ""


def _seconds(given: str) -> float | None:
    """Parse the time that the browser measured; None if it is missing or invalid."""
    try:
        return float(given)
    except ValueError:
        return None


def _sets(task: Task, fields: Fields) -> list[list[str]]:
    """Parse the sets of a list: the field `set-N` holds the letter of the set of the N-th article."""
    sets: dict[str, list[str]] = {}
    for at, id in enumerate(task.articles, 1):
        letter = _first(fields, f"set-{at}")
        if letter and (len(letter) != 1 or letter not in ascii_uppercase):
            raise Refusal(422, f"set-{at}: expected a letter")
        if letter:
            sets.setdefault(letter, []).append(id)
    return list(sets.values())


def _letters(task: Task, sets: list[list[str]]) -> list[str]:
    """Return the letter of the set of every article; empty if it is in none."""
    letter_of = {id: ascii_uppercase[number] for number, one in enumerate(sets) for id in one}
    return [letter_of.get(id, "") for id in task.articles]


def _ordered(task: Task, answer: str) -> list[list[str]]:
    """Return the sets of an answer in the order of their first articles on the page."""
    at = {id: number for number, id in enumerate(task.articles)}
    return sorted(json.loads(answer), key=lambda one: min(at[id] for id in one))


def _stored_form(task: Task) -> dict[str, Any]:
    """Return the form fields of the last answer."""
    sets = _ordered(task, task.answer) if task.item.shape is Shape.LIST and task.answer else []
    return {
        "comment": task.comment or "",
        "questionable": task.questionable,
        "seconds": None,
        "letters": _letters(task, sets) if task.item.shape is Shape.LIST else [],
        "beside": [],
    }


def _read_form(task: Task, fields: Fields) -> dict[str, Any]:
    """Parse the submitted form fields, except the answer."""
    comment = storable(_first(fields, "comment").replace("\r\n", "\n").strip())
    if len(comment) > MAX_COMMENT_CHARS:
        raise Refusal(422, f"comment: at most {MAX_COMMENT_CHARS:,} characters are allowed")
    out = {
        "comment": comment,
        "questionable": "questionable" in fields,
        "seconds": _seconds(_first(fields, "seconds")),
        "letters": [],
        "beside": [],
    }
    if task.item.shape is Shape.LIST:
        many = len(task.articles)
        _sets(task, fields)
        out["letters"] = [_first(fields, f"set-{at}") for at in range(1, many + 1)]
        wanted = {int(at) for at in fields.get("beside", []) if at.isascii() and at.isdigit() and len(at) < 4}
        out["beside"] = sorted(at for at in wanted if 1 <= at <= many)[:2]
    elif task.item.shape is Shape.CLUSTER:
        at = _first(fields, "others")
        out["others"] = int(at) if at.isascii() and at.isdigit() and 0 < len(at) < 7 and int(at) else 1
    return out


def _differs(task: Task, answer: Any, form: Mapping[str, Any]) -> bool:
    """Return whether the stored answer, comment or mark differs from the submitted one."""
    if task.item.shape is Shape.LIST:
        answer = json.dumps(sorted(sorted(one) for one in answer if len(one) > 1), ensure_ascii=False)
    stored = (task.shown_answer, task.comment or "", task.questionable)
    return stored != (answer, form["comment"], form["questionable"])


def _answer_label(task: Task, answer: str | None) -> str:
    """Return the label of an answer; sets of a list by the numbers of their articles."""
    if answer is None or task.item.shape is not Shape.LIST or answer == "[]":
        return words.label(task.item.shape, answer)
    at = {id: number for number, id in enumerate(task.articles, 1)}
    return " · ".join(" + ".join(map(str, sorted(at[id] for id in one))) for one in _ordered(task, answer))


def _history_entry(task: Task, entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return the template values of an earlier answer."""
    return {
        "label": _answer_label(task, entry["answer"]),
        "comment": entry["comment"],
        "questionable": entry["questionable"],
        "at": datetime.fromtimestamp(entry["at"] / 1e6, UTC),
    }
