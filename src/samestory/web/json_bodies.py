"""JSON of requests: its values are counted before it is parsed, and large bodies are parsed outside of the event loop.

A body of 16 MB is parsed in a tenth of a second if it is text, and in eight seconds if it is keys; and the parser of
Python holds the interpreter lock all the while.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Coroutine
from functools import wraps
from inspect import iscoroutinefunction
from typing import Any

from fastapi import Request
from fastapi.concurrency import run_in_threadpool
from fastapi.routing import APIRoute
from pydantic import BaseModel
from starlette.responses import Response

from samestory.web.errors import Refusal
from samestory.web.models import PageOut

#: Limits of one document: strings and other values, and how deep they are nested.
MAX_VALUES, MAX_DEPTH = 100_000, 64
#: Larger bodies are parsed in a worker thread.
MAX_INLINE_BYTES = 64 << 10

_NOT_BRACKETS = bytes(sorted(set(range(256)) - set(b"[]{}")))


def parse_json(body: bytes) -> Any:
    """Parse a JSON document; raise ValueError if it is invalid, a refusal if it has too many values or levels."""
    _check_shape(body)
    try:
        return json.loads(body.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise json.JSONDecodeError("not UTF-8", "", error.start) from None
    except ValueError as error:
        if isinstance(error, json.JSONDecodeError):
            raise
        raise json.JSONDecodeError(str(error), "", 0) from None  # a number of too many digits


def _check_shape(body: bytes) -> None:
    """Raise a refusal if a document has too many values or levels; only operations of native speed on the whole."""
    if len(body) <= 2 * MAX_DEPTH:
        return
    # what is escaped cannot end a string
    plain = body.replace(b"\\\\", b"").replace(b'\\"', b"") if b"\\" in body else body
    # a key and a value may both be strings, with two quotes each
    if plain.count(b'"') > 4 * MAX_VALUES:
        raise _too_many()
    outside = b"".join(plain.split(b'"')[::2])
    opened = outside.count(b"[") + outside.count(b"{")
    if outside.count(b",") + opened > MAX_VALUES:
        raise _too_many()
    if opened > MAX_DEPTH and _depth(outside.translate(None, _NOT_BRACKETS)) > MAX_DEPTH:
        raise Refusal(400, f"the JSON is nested deeper than {MAX_DEPTH} levels", "send flat records")


def _depth(brackets: bytes) -> int:
    """Return how deep brackets are nested."""
    depth = deepest = 0
    for bracket in brackets:
        depth += 1 if bracket in b"[{" else -1
        deepest = max(deepest, depth)
    return deepest


def _too_many() -> Refusal:
    return Refusal(413, f"the JSON has more than {MAX_VALUES:,} values", "send fewer fields or articles at once")


class _JsonRequest(Request):
    """A request whose JSON is parsed within the limits."""

    async def json(self) -> Any:
        if not hasattr(self, "_json"):
            body = await self.body()
            is_small = len(body) <= MAX_INLINE_BYTES
            self._json = parse_json(body) if is_small else await run_in_threadpool(parse_json, body)
        return self._json


def _json_response(endpoint: Callable[..., Any]) -> Callable[..., Any]:
    """Return the endpoint with its model as the bytes of a response, made in the thread that made the model.

    Otherwise FastAPI would validate the model in another thread, and write it in the event loop, where all others wait.
    """
    if iscoroutinefunction(endpoint):
        return endpoint

    @wraps(endpoint)
    def respond(**arguments: Any) -> Any:
        made = endpoint(**arguments)
        if isinstance(made, PageOut):
            return Response(made.to_json(), media_type="application/json")
        is_model = isinstance(made, BaseModel)
        return Response(made.model_dump_json(), media_type="application/json") if is_model else made

    return respond


class JsonRoute(APIRoute):
    """A route whose body is parsed within the limits, and whose model is written in a worker thread."""

    def __init__(self, path: str, endpoint: Callable[..., Any], **more: Any) -> None:
        super().__init__(path, _json_response(endpoint), **more)

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return the handler of requests, which reads their JSON within the limits."""
        handle = super().get_route_handler()

        async def handle_limited(request: Request) -> Response:
            return await handle(_JsonRequest(request.scope, request.receive))

        return handle_limited
