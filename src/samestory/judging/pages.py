"""The pages: the start, an item, what was answered, the end; and for whoever runs the collection, how far all are.

An address holds the token of an assessor and opens nothing but their work; forms have no other proof and want none.
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

from samestory.collection import Collection, Desk, Shape
from samestory.collection.agreement import agreement
from samestory.collection.answers import checked
from samestory.collection.desk import COMMENT, Task
from samestory.collection.talks import NOTE, note_talk
from samestory.database import storable
from samestory.errors import InputError
from samestory.judging import marks, words
from samestory.judging.overview import overview
from samestory.web.drawing import as_text
from samestory.web.errors import Refusal
from samestory.web.forms import read_fields
from samestory.web.limits import WRONG, Keeper, Rates, client_of
from samestory.web.templating import environment

#: A form with a long comment in letters that each take twelve bytes, and a list of some dozens.
FORM, FIELDS = 64_000, 200
#: So many answers stand on a page of those that were given.
LISTED = 50
#: So many others of a cluster stand on a page; of more, one part after the other.
OTHERS = 50
#: A key that a page was given.
KEY = 64

_PLACE = re.compile(r"-?[0-9]{1,9}")
_HEADERS = {"Cache-Control": "no-store"}

Fields = Mapping[str, list[str]]


class Pages:
    """Draws pages."""

    def __init__(self, collection: Collection, keeper: Keeper, rates: Rates) -> None:
        self._collection, self._keeper, self._rates = collection, keeper, rates
        self._sentences = marks.Sentences(collection)
        self._templates = environment("samestory.judging")
        self._templates.globals.update(as_text=as_text, ratio=marks.ratio, COMMENT=COMMENT, NOTE=NOTE)

    def draw(self, name: str, status: int = 200, **values: Any) -> Response:
        """A page."""
        return HTMLResponse(self._templates.get_template(name).render(values), status, dict(_HEADERS))

    def failure(self, request: Request, status: int, error: str, hint: str | None) -> Response:
        """The page that says what went wrong, and nothing of whose work it is."""
        return self.draw("failure.html", status, code=status, error=error, hint=hint)

    def routes(self) -> APIRouter:
        """All pages."""
        out = APIRouter()

        @out.get("/")
        def front() -> Response:
            return self.draw("front.html")

        @out.get("/o/{token}/")
        def over(request: Request, token: str) -> Response:
            if not self._keeper.knows(token):
                raise self._unknown(request)
            agreed = agreement(self._collection)
            unlike = {each.item for each in agreed.disagreements}
            return self.draw("overview.html", told=overview(self._collection), agreed=agreed, unlike=unlike)

        @out.post("/o/{token}/talk")
        async def talk(request: Request, token: str) -> Response:
            if not self._keeper.knows(token):
                raise self._unknown(request)
            fields = await read_fields(request, FORM, FIELDS)
            return await run_in_threadpool(self._talk, token, fields)

        @out.get("/w/{token}/")
        def start(request: Request, token: str) -> Response:
            desk = self._desk(request, token)
            return self.draw("start.html", **self._shared(desk), next=desk.next(), trained=bool(desk.exercise()))

        @out.get("/w/{token}/done")
        def done(request: Request, token: str) -> Response:
            desk = self._desk(request, token)
            return self.draw("done.html", **self._shared(desk), next=desk.next())

        @out.get("/w/{token}/exercise")
        def exercise(request: Request, token: str) -> Response:
            desk = self._desk(request, token)
            own = [
                (task, desk.articles(task), _in_words(task, first), _in_words(task, task.right), first == task.right)
                for task, first in desk.exercise()
            ]
            return self.draw("exercise.html", **self._shared(desk), own=own, next=desk.next())

        @out.get("/w/{token}/list")
        def answered(request: Request, token: str) -> Response:
            return self._list(self._desk(request, token), request.query_params.get("page", "1"))

        @out.get("/w/{token}/{place}")
        def item(request: Request, token: str, place: str) -> Response:
            desk = self._desk(request, token)
            return self._item(desk, _found(desk.task, place), request.query_params)

        @out.post("/w/{token}/{place}")
        async def answer(request: Request, token: str, place: str) -> Response:
            fields = await read_fields(request, FORM, FIELDS)
            return await run_in_threadpool(self._answer, request, token, place, fields)

        return out

    def _unknown(self, request: Request) -> Refusal:
        # guessing is slow
        self._rates.charge(client_of(request.scope), WRONG)
        return Refusal(404, "there is nothing at this address")

    def _desk(self, request: Request, token: str) -> Desk:
        desk = Desk.of(self._collection, token)
        if desk is None:
            raise self._unknown(request)
        return desk

    def _shared(self, desk: Desk) -> dict[str, Any]:
        """What all pages of somebody's work say."""
        shape, relation = self._collection.shape, self._collection.relation
        return {
            "progress": desk.progress(),
            "meaning": self._collection.meaning,
            "shape": str(shape),
            "question": words.question(shape, relation),
            "choices": words.answers(shape, relation),
        }

    def _item(self, desk: Desk, task: Task, asked: Mapping[str, str], form: dict[str, Any] | None = None) -> Response:
        """What lies at a place; `form` is what was filled in but not sent for good."""
        before, behind = desk.beside(task.place)
        shared = self._shared(desk)
        if behind is not None and shared["progress"].exercises and desk.task(behind) is None:
            behind = None
        articles = desk.articles(task)
        progress = shared["progress"]
        return self.draw(
            f"{task.item.shape}.html",
            **shared,
            task=task,
            key=secrets.token_urlsafe(12),
            form=form or _kept(task),
            before=before,
            behind=behind,
            remarks=desk.remarks(task),
            history=[_told(task, one) for one in desk.history(task.place)],
            stale="stale" in asked,
            # whoever comes here by an address sees the definition before the first judgement all the same
            unread=not progress.done and not progress.skipped and "begun" not in asked,
            said=_in_words(task, task.shown_answer),
            known=_in_words(task, task.right),
            next=desk.next() if task.right is not None else None,
            **self._shown(task, articles, form),
        )

    def _shown(self, task: Task, articles: list[Any], form: dict[str, Any] | None) -> dict[str, Any]:
        """The articles of an item with what is marked in them."""
        if task.item.shape is Shape.PAIR:
            left, right = marks.beside(self._sentences, *articles)
            return {"left": left, "right": right}
        if task.item.shape is Shape.CLUSTER:
            first, *others = articles
            begin = min((form or {}).get("others", 1) - 1, max(0, len(others) - 1)) // OTHERS * OTHERS
            return {
                "left": marks.plain(first),
                "others": marks.against(self._sentences, first, others[begin : begin + OTHERS]),
                "begin": begin,
                "all_others": len(others),
                "parts_of": range(0, len(others), OTHERS) if len(others) > OTHERS else (),
                "OTHERS": OTHERS,
            }
        two = (form or {}).get("beside", [])
        return {
            "rows": [marks.plain(each) for each in articles],
            "letters": ascii_uppercase[: max(2, min(26, len(articles) // 2))],
            "two": list(marks.beside(self._sentences, *(articles[at - 1] for at in two))) if len(two) == 2 else [],
            "query": task.item.query,
        }

    def _answer(self, request: Request, token: str, place: str, fields: Fields) -> Response:
        desk = self._desk(request, token)
        task = _found(desk.sent, place)
        here = f"/w/{token}/"
        form = _filled(task, fields)
        if "look" in fields or "others" in fields:
            return self._item(desk, task, {"begun": ""}, form)
        said = self._said(task, fields)
        key = _first(fields, "key")
        if not key or len(key) > KEY:
            raise Refusal(422, "key: the one that came with the page is wanted")
        kept = desk.answer(task.place, said, key, form["comment"], form["questionable"], form["seconds"])
        if not kept.new and said is not None and _differs(kept.task, said, form):
            # an old page, answered before in another way: nothing is changed unseen
            return _see_other(f"{here}{task.place}?stale=1" if desk.task(task.place) else here)
        if task.duty == "exercise":
            return _see_other(f"{here}{task.place}")
        following = desk.next(task.place)
        return _see_other(f"{here}done" if following is None else f"{here}{following.place}")

    def _said(self, task: Task, fields: Fields) -> Any:
        """The answer in a form; None where it is skipped."""
        if "skip" in fields:
            return None
        if task.item.shape is Shape.LIST:
            if "keep" not in fields:
                raise Refusal(422, "answer: sets are wanted")
            return _sets(task, fields)
        answer = _first(fields, "answer")
        try:
            return checked(task.item.shape, self._collection.relation, task.articles, answer)
        except InputError as error:
            raise Refusal(422, str(error)) from None

    def _talk(self, token: str, fields: Fields) -> Response:
        item = _first(fields, "item")
        try:
            number = int(item) if _PLACE.fullmatch(item) else 0
            note_talk(self._collection, number, _first(fields, "state"), storable(_first(fields, "note")))
        except InputError as error:
            raise Refusal(422, str(error)) from None
        return _see_other(f"/o/{token}/#item-{number}")

    def _list(self, desk: Desk, page: str) -> Response:
        number = int(page) if page.isascii() and page.isdigit() and len(page) < 8 else 1
        tasks = desk.seen(LISTED + 1, LISTED * (max(1, number) - 1))
        known = self._collection.articles({id for task in tasks for id in task.articles})
        return self.draw(
            "answers.html",
            **self._shared(desk),
            tasks=[
                (task, [known[id] for id in task.articles], [_told(task, one) for one in desk.history(task.place)])
                for task in tasks[:LISTED]
            ],
            page=max(1, number),
            more=len(tasks) > LISTED,
            next=desk.next(),
        )


def _found(lying: Callable[[int], Task | None], place: str) -> Task:
    """What lies at a place of a desk; nobody hears whether another desk has it."""
    found = lying(int(place)) if _PLACE.fullmatch(place) else None
    if found is None:
        raise Refusal(404, "there is nothing at this address")
    return found


def _see_other(address: str) -> Response:
    return RedirectResponse(address, 303, dict(_HEADERS))


def _first(fields: Fields, name: str) -> str:
    return fields[name][0] if name in fields else ""


def _seconds(given: str) -> float | None:
    """How long somebody looked, where their browser says so."""
    try:
        return float(given)
    except ValueError:
        return None


def _sets(task: Task, fields: Fields) -> list[list[str]]:
    """The sets of a list: every article has a field with the letter of its set, named by where it stands."""
    sets: dict[str, list[str]] = {}
    for at, id in enumerate(task.articles, 1):
        letter = _first(fields, f"set-{at}")
        if letter and (len(letter) != 1 or letter not in ascii_uppercase):
            raise Refusal(422, f"set-{at}: a letter is wanted")
        if letter:
            sets.setdefault(letter, []).append(id)
    return list(sets.values())


def _letters(task: Task, sets: list[list[str]]) -> list[str]:
    """The letter of the set of every article, where it is in one."""
    home = {id: ascii_uppercase[number] for number, one in enumerate(sets) for id in one}
    return [home.get(id, "") for id in task.articles]


def _ordered(task: Task, answer: str) -> list[list[str]]:
    """The sets of an answer in the order in which they begin on the page."""
    at = {id: number for number, id in enumerate(task.articles)}
    return sorted(json.loads(answer), key=lambda one: min(at[id] for id in one))


def _kept(task: Task) -> dict[str, Any]:
    """What was answered last, as the form has it."""
    sets = _ordered(task, task.answer) if task.item.shape is Shape.LIST and task.answer else []
    return {
        "comment": task.comment or "",
        "questionable": task.questionable,
        "seconds": None,
        "letters": _letters(task, sets) if task.item.shape is Shape.LIST else [],
        "beside": [],
    }


def _filled(task: Task, fields: Fields) -> dict[str, Any]:
    """What was filled in."""
    comment = storable(_first(fields, "comment").replace("\r\n", "\n").strip())
    if len(comment) > COMMENT:
        raise Refusal(422, f"comment: at most {COMMENT:,} characters are wanted")
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


def _differs(task: Task, said: Any, form: Mapping[str, Any]) -> bool:
    """Is something else kept than what was sent now?"""
    if task.item.shape is Shape.LIST:
        said = json.dumps(sorted(sorted(one) for one in said if len(one) > 1), ensure_ascii=False)
    kept = (task.shown_answer, task.comment or "", task.questionable)
    return kept != (said, form["comment"], form["questionable"])


def _in_words(task: Task, answer: str | None) -> str:
    """An answer in words; the sets of a list by where their articles stand."""
    if answer is None or task.item.shape is not Shape.LIST or answer == "[]":
        return words.label(task.item.shape, answer)
    at = {id: number for number, id in enumerate(task.articles, 1)}
    return " · ".join(" + ".join(map(str, sorted(at[id] for id in one))) for one in _ordered(task, answer))


def _told(task: Task, one: Mapping[str, Any]) -> dict[str, Any]:
    """An answer of the history."""
    return {
        "label": _in_words(task, one["answer"]),
        "comment": one["comment"],
        "questionable": one["questionable"],
        "at": datetime.fromtimestamp(one["at"] / 1e6, UTC),
    }
