"""The readable page of the API: every operation of the OpenAPI document, with an example to copy."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response

#: Groups of operations, by their tags, in the order of the page.
GROUPS = ("read", "query", "write", "follow", "other")

_ARTICLE = {
    "id": "a1",
    "title": "Quay to close",
    "text": "The harbour board voted to close the quay.",
    "source": "Post",
}
#: Query parameters of the examples, by path.
QUERIES: dict[str, str] = {
    "/index.json": "limit=5",
    "/search.json": "q=harbour&lang=en&limit=5",
    "/article.json": "id=a1",
    "/compare.json": "left=a1&right=a2",
    "/changes.json": "since=0",
    "/article": "id=a1",
}
#: Bodies of the examples, by path.
BODIES: dict[str, Any] = {
    "/query": {"text": _ARTICLE["text"]},
    "/fold": {"hits": [{"title": "Quay to close", "snippet": "The harbour board …"}, {"title": "Quay will close"}]},
    "/article": _ARTICLE,
    "/articles": {"articles": [_ARTICLE]},
    "/articles/stream": _ARTICLE,
    "/decisions": {"left": "a1", "right": "a2", "decision": "same"},
    "/decision": {"what": "apart", "articles": ["a1", "a2"]},
    "/decision/preview": {"what": "same", "articles": ["a1", "a2"]},
}


@dataclass(frozen=True, slots=True)
class ApiOperation:
    """An operation as the page shows it; `parameters` are names, whether they are required, and descriptions."""

    id: str
    method: str
    path: str
    summary: str
    writes: bool
    parameters: list[tuple[str, bool, str]]
    example: str


def operations(document: dict[str, Any], base: str) -> dict[str, list[ApiOperation]]:
    """Return the operations of an OpenAPI document by group."""
    out: dict[str, list[ApiOperation]] = {group: [] for group in GROUPS}
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            writes = bool(operation.get("security"))
            tags = operation.get("tags", [])
            found = ApiOperation(
                id=operation["operationId"],
                method=method.upper(),
                path=path,
                summary=operation.get("description", operation.get("summary", "")),
                writes=writes,
                parameters=[
                    (one["name"], one.get("required", False), one.get("description", ""))
                    for one in operation.get("parameters", [])
                ],
                example=example(method.upper(), path, base, writes),
            )
            out[tags[0] if tags and tags[0] in GROUPS else "other"].append(found)
    return {group: found for group, found in out.items() if found}


def example(method: str, path: str, base: str, writes: bool) -> str:
    """Return an example of an operation as a command."""
    words = ["curl"]
    if method not in ("GET", "POST"):
        words += ["-X", method]
    if writes:
        words += ["-H", '"Authorization: Bearer $TOKEN"']
    if method == "POST":
        kind = "application/x-ndjson" if path.endswith("/stream") else "application/json"
        body = json.dumps(BODIES.get(path, {}), ensure_ascii=False)
        words += ["-H", f"'Content-Type: {kind}'", "-d", shlex.quote(body)]
    query = QUERIES.get(path) if method != "POST" else None
    address = base.rstrip("/") + path.replace("{number}", "1") + (f"?{query}" if query else "")
    return " ".join([*words, shlex.quote(address)])


def routes(render: Callable[..., Response]) -> APIRouter:
    """Return the route of the page; `render` renders a template."""
    out = APIRouter(include_in_schema=False)

    @out.get("/api")
    def api_page(request: Request) -> Response:
        return render(request, "api.html", groups=operations(request.app.openapi(), str(request.base_url)))

    return out
