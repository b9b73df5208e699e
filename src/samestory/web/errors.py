"""What goes wrong, as an answer: always `{"error": …, "hint": …}`, or a page that says so."""

from __future__ import annotations

import json
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from samestory.errors import DecisionError, SamestoryError, StoreError
from samestory.output import printable

#: How much of a message is told: what came may be long.
LONGEST = 500


class Refusal(HTTPException):
    """Something is refused: why, and what can be done about it."""

    def __init__(self, status: int, error: str, hint: str | None = None, headers: dict[str, str] | None = None) -> None:
        super().__init__(status, error, headers)
        self.hint = hint


def failure(status: int, error: str, hint: str | None = None, headers: dict[str, str] | None = None) -> Response:
    """The answer that says what went wrong."""
    told = {"error": printable(error)[:LONGEST], "hint": hint and printable(hint)[:LONGEST]}
    # half a character, as JSON may hold one, is written as an escape
    return Response(json.dumps(told), status, headers, "application/json")


def wants_page(request: Request) -> bool:
    """Does a browser ask? Programs say nothing, or that they want JSON."""
    path = request.url.path
    return "text/html" in request.headers.get("accept", "") and not path.endswith(".json")


def told(error: SamestoryError) -> tuple[str, str | None]:
    """An error of the library: its message and its hint."""
    return str(error).partition("\nhint: ")[0], error.hint or None


def _where(places: tuple[Any, ...]) -> str:
    """The path of a field in what was sent."""
    return ".".join(str(place) for place in places[1:]) or str(places[0] if places else "body")


def install(app: FastAPI, page: Any) -> None:
    """Makes every error an answer; `page(request, status, error, hint)` draws one for browsers."""

    def answer(
        request: Request, status: int, error: str, hint: str | None = None, headers: dict[str, str] | None = None
    ) -> Response:
        if wants_page(request):
            shown: Response = page(request, status, printable(error)[:LONGEST], hint)
            shown.headers.update(headers or {})
            return shown
        return failure(status, error, hint, headers)

    @app.exception_handler(HTTPException)
    def refused(request: Request, error: HTTPException) -> Response:
        words = {404: "there is nothing at this address", 405: "this address does not take that method"}
        message = str(error.detail)
        if not isinstance(error, Refusal):
            message = words.get(error.status_code, message[:1].lower() + message[1:])
        return answer(
            request, error.status_code, message, getattr(error, "hint", None), dict(error.headers or {}) or None
        )

    @app.exception_handler(RequestValidationError)
    def invalid(request: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0] if error.errors() else {"loc": (), "msg": "cannot be read", "type": ""}
        status = 400 if first["type"] == "json_invalid" else 422
        if status == 400:
            return answer(request, 400, "the body is no JSON", "send JSON with Content-Type: application/json")
        more = f" (and {len(error.errors()) - 1} more)" if len(error.errors()) > 1 else ""
        return answer(request, 422, f"{_where(tuple(first['loc']))}: {first['msg']}{more}")

    @app.exception_handler(SamestoryError)
    def failed(request: Request, error: SamestoryError) -> Response:
        message, hint = told(error)
        if isinstance(error, StoreError):
            return answer(request, 503, "the database cannot answer now", None, {"Retry-After": "5"})
        if isinstance(error, DecisionError):
            return answer(request, 409, message, hint)
        return answer(request, 422, message, hint)
