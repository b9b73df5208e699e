"""Error responses: `{"error": …, "hint": …}`, or an HTML page for browsers."""

from __future__ import annotations

import json
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from samestory.errors import DecisionError, SamestoryError, StoreError
from samestory.output import printable

#: Messages are cut to this length, since they may quote the request.
MAX_MESSAGE_CHARS = 500


class Refusal(HTTPException):
    """An error response raised by a route: status, message, hint and headers."""

    def __init__(self, status: int, error: str, hint: str | None = None, headers: dict[str, str] | None = None) -> None:
        super().__init__(status, error, headers)
        self.hint = hint


def error_response(status: int, error: str, hint: str | None = None, headers: dict[str, str] | None = None) -> Response:
    """Return the JSON response of an error."""
    body = {"error": printable(error)[:MAX_MESSAGE_CHARS], "hint": hint and printable(hint)[:MAX_MESSAGE_CHARS]}
    # json.dumps escapes lone surrogates, which cannot be encoded
    return Response(json.dumps(body), status, headers, "application/json")


def wants_page(request: Request) -> bool:
    """Return whether the client is a browser: it accepts HTML, which other clients rarely list."""
    path = request.url.path
    return "text/html" in request.headers.get("accept", "") and not path.endswith(".json")


def message_and_hint(error: SamestoryError) -> tuple[str, str | None]:
    """Split an error of the library into its message and its hint."""
    return error.without_hint, error.hint or None


def _field_path(location: tuple[Any, ...]) -> str:
    """Return the dotted path of a field in the request."""
    return ".".join(str(part) for part in location[1:]) or str(location[0] if location else "body")


def install_handlers(app: FastAPI, render_error: Any) -> None:
    """Install handlers for all errors; `render_error(request, status, error, hint)` renders a page for browsers."""

    def answer(
        request: Request, status: int, error: str, hint: str | None = None, headers: dict[str, str] | None = None
    ) -> Response:
        if wants_page(request):
            page: Response = render_error(request, status, printable(error)[:MAX_MESSAGE_CHARS], hint)
            page.headers.update(headers or {})
            return page
        return error_response(status, error, hint, headers)

    @app.exception_handler(HTTPException)
    def refused(request: Request, error: HTTPException) -> Response:
        messages = {404: "no page at this address", 405: "method not allowed at this address"}
        message = str(error.detail)
        if not isinstance(error, Refusal):
            message = messages.get(error.status_code, message[:1].lower() + message[1:])
        return answer(
            request, error.status_code, message, getattr(error, "hint", None), dict(error.headers or {}) or None
        )

    @app.exception_handler(RequestValidationError)
    def invalid(request: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0] if error.errors() else {"loc": (), "msg": "cannot be read", "type": ""}
        status = 400 if first["type"] == "json_invalid" else 422
        if status == 400:
            return answer(request, 400, "the body is not valid JSON", "send JSON with Content-Type: application/json")
        more = f" (and {len(error.errors()) - 1} more)" if len(error.errors()) > 1 else ""
        return answer(request, 422, f"{_field_path(tuple(first['loc']))}: {first['msg']}{more}")

    @app.exception_handler(SamestoryError)
    def failed(request: Request, error: SamestoryError) -> Response:
        message, hint = message_and_hint(error)
        if isinstance(error, StoreError):
            return answer(request, 503, "the database is unavailable", None, {"Retry-After": "5"})
        if isinstance(error, DecisionError):
            return answer(request, 409, message, hint)
        return answer(request, 422, message, hint)
