"""Ingest endpoints: one article, a batch, or a stream of JSON lines of any length."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from typing import Any

from fastapi import Request
from fastapi.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from samestory.archive import AddResult, Archive
from samestory.errors import InputError, SamestoryError
from samestory.readers.objects import Doubt, article
from samestory.web import models
from samestory.web.errors import Refusal, message_and_hint
from samestory.web.json_bodies import parse_json

#: Lines and bytes of a stream per transaction.
BATCH_LINES, BATCH_BYTES = 1000, 8 << 20
#: Longer lines are rejected.
MAX_LINE_BYTES = 4 << 20
#: A partial batch is stored after this time without input.
IDLE_SECONDS = 1.0
#: Rejected lines, and lines with ignored fields, listed per batch; all rejected lines are counted.
MAX_REPORTED_LINES = 50
#: Origin of these articles in the table of rejects.
ORIGIN = "web"


def check_lengths(item: Any, doubts: list[Doubt] | None = None) -> Any:
    """Return the item, or an InputError if a field is too long; notes about ignored fields are appended to `doubts`."""
    if isinstance(item, InputError):
        return item
    try:
        one = article(item, 0, doubts=doubts)
    except InputError:
        return item  # the archive reports the error
    for role, limit in (("text", models.MAX_TEXT_CHARS), ("id", models.MAX_ID_CHARS)):
        if len(getattr(one, role)) > limit:
            return InputError(f"at most {limit:,} characters are allowed, got {len(getattr(one, role)):,}", place=role)
    for role in ("title", "published", "url", "source", "lang"):
        given = getattr(one, role)
        if given is not None and len(given) > models.MAX_FIELD_CHARS:
            return InputError(
                f"at most {models.MAX_FIELD_CHARS:,} characters are allowed, got {len(given):,}", place=role
            )
    return item


def add(archive: Archive, items: Sequence[Any]) -> tuple[AddResult, list[tuple[int, str]]]:
    """Add articles; invalid ones are rejected and the others stored.

    Returns also, for stored articles, the article number (from 1) and a note about every field that was ignored.
    """
    doubts: list[list[Doubt]] = [[] for _ in items]
    added = archive.add([check_lengths(item, own) for item, own in zip(items, doubts, strict=True)], origin=ORIGIN)
    rejected = {number for number, _ in added.rejected}
    kept = [(number, doubt) for number, own in enumerate(doubts, 1) if number not in rejected for doubt in own]
    return added, [(number, doubt.detail) for number, doubt in kept]


class NdjsonResponse(Response):
    """A response of JSON lines that is sent while the request body is still being read."""

    media_type = "application/x-ndjson"

    def __init__(self, lines: AsyncIterator[dict[str, Any]]) -> None:
        super().__init__()
        del self.headers["content-length"]
        self._lines = lines

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the lines. Unlike StreamingResponse it does not call `receive`, which yields the request body."""
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        async for line in self._lines:
            data = json.dumps(line).encode() + b"\n"
            await send({"type": "http.response.body", "body": data, "more_body": True})
        await send({"type": "http.response.body", "body": b""})


async def stream(archive: Archive, request: Request) -> AsyncIterator[dict[str, Any]]:
    """Add the articles of a JSON lines body in batches; yield the outcome of each batch, then the totals."""
    totals = dict.fromkeys(("lines", "new", "revised", "updated", "same", "rejected"), 0)
    try:
        async for first, batch in _batches(request):
            counts, lines = await run_in_threadpool(_add_batch, archive, first, batch)
            for name, count in counts.items():
                totals[name] += count
            yield {"from": first, **counts, **lines}
    except ClientDisconnect:
        return  # batches that were acknowledged stay stored
    except SamestoryError as error:
        message, hint = message_and_hint(error)
        yield {"error": message, "hint": hint, **totals}
        return
    yield {"done": True, **totals}


def _add_batch(archive: Archive, first: int, batch: list[bytes | None]) -> tuple[dict[str, int], dict[str, Any]]:
    """Add a batch of lines; return the counts, and the reasons and doubts of single lines."""
    present = [(first + at, line) for at, line in enumerate(batch) if line is None or line.strip()]
    places = [place for place, _ in present]
    items = [_parse_line(line) for _, line in present]
    added, doubts = add(archive, items)
    counts = {
        "lines": len(batch),
        "new": len(added.new),
        "revised": len(added.revised),
        "updated": len(added.updated),
        "same": len(added.same),
        "rejected": len(added.rejected),
    }
    return counts, {
        "reasons": [{"line": places[number - 1], "why": why} for number, why in added.rejected[:MAX_REPORTED_LINES]],
        "doubts": [f"line {places[number - 1]}: {doubt}" for number, doubt in doubts[:MAX_REPORTED_LINES]],
    }


def _parse_line(line: bytes | None) -> Any:
    """Parse a line; return an InputError if it holds no JSON object, or is None: too long."""
    if line is None:
        return InputError(f"line longer than {MAX_LINE_BYTES:,} bytes")
    try:
        found = parse_json(line)
    except Refusal as refusal:
        return InputError(str(refusal.detail))
    except ValueError:
        return InputError("invalid JSON")
    return InputError("expected a JSON object") if not isinstance(found, dict) else found


async def _batches(request: Request) -> AsyncIterator[tuple[int, list[bytes | None]]]:
    """Yield batches of lines with the number of the first line; None replaces a line that is too long."""
    batch: list[bytes | None] = []
    first, size = 1, 0
    async for line in _lines(request):
        if line is not ...:
            batch.append(line)
            size += len(line or b"")
        if batch and (line is ... or len(batch) == BATCH_LINES or size >= BATCH_BYTES):
            yield first, batch
            first, size, batch = first + len(batch), 0, []
    if batch:
        yield first, batch


async def _lines(request: Request) -> AsyncIterator[Any]:
    """Yield the lines of a body; `...` after `IDLE_SECONDS` without input, None for a line that is too long."""
    chunks = request.stream()
    rest, skipping = b"", False
    pending: asyncio.Future[bytes] | None = None
    try:
        while True:
            pending = pending or asyncio.ensure_future(anext(chunks))
            done, _ = await asyncio.wait({pending}, timeout=IDLE_SECONDS)
            if not done:
                yield ...
                continue
            try:
                chunk = pending.result()
            except StopAsyncIteration:
                break
            finally:
                pending = None
            *complete, rest = (rest + chunk).split(b"\n")
            for line in complete:
                yield None if skipping or len(line) > MAX_LINE_BYTES else line
                skipping = False
            if len(rest) > MAX_LINE_BYTES:
                skipping, rest = True, b""
        if skipping or rest:
            yield None if skipping else rest
    finally:
        if pending is not None:
            pending.cancel()
