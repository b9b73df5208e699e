"""Articles come in over the web: one, some, or a stream of lines as long as anybody sends."""

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

from samestory.archive import Added, Archive
from samestory.errors import InputError, SamestoryError
from samestory.readers.objects import article
from samestory.web import models
from samestory.web.errors import told

#: So many lines of a stream, or bytes of them, are one transaction.
LINES, BYTES = 1000, 8 << 20
#: A longer line is no article.
LONGEST_LINE = 4 << 20
#: Lines that came are not kept waiting for others longer than this, in seconds.
IDLE = 1.0
#: Of the lines that a batch could not take, or not whole, so many are told one by one; all refused ones are counted.
TOLD = 50
#: In the table of rejects: where they came from.
ORIGIN = "web"


def checked(item: Any, doubts: list[str] | None = None) -> Any:
    """The item, or in its place why it is too long to be taken; what it would be taken without is told to `doubts`."""
    if isinstance(item, InputError):
        return item
    try:
        one = article(item, 0, doubts=doubts)
    except InputError:
        return item  # the archive says what is wrong
    for role, most in (("text", models.LONGEST_TEXT), ("id", models.LONGEST_ID)):
        if len(getattr(one, role)) > most:
            return InputError(f"{role}: at most {most:,} characters are taken, got {len(getattr(one, role)):,}")
    for role in ("title", "published", "url", "source", "lang"):
        given = getattr(one, role)
        if given is not None and len(given) > models.LONGEST_FIELD:
            return InputError(f"{role}: at most {models.LONGEST_FIELD:,} characters are taken, got {len(given):,}")
    return item


def add(archive: Archive, items: Sequence[Any]) -> tuple[Added, list[tuple[int, str]]]:
    """Adds articles; what cannot be taken is told and the rest is kept.

    Gives also which of those that were taken, counted from 1, are without something that cannot be read.
    """
    doubts: list[list[str]] = [[] for _ in items]
    added = archive.add([checked(item, own) for item, own in zip(items, doubts, strict=True)], origin=ORIGIN)
    added.rejected = [(number, why.removeprefix(f"article {number}: ")) for number, why in added.rejected]
    refused = {number for number, _ in added.rejected}
    told = [(number, doubt) for number, own in enumerate(doubts, 1) if number not in refused for doubt in own]
    return added, [(number, doubt.removeprefix("article 0: ")) for number, doubt in told]


class Lines(Response):
    """An answer that is told line by line while the question still comes."""

    media_type = "application/x-ndjson"

    def __init__(self, lines: AsyncIterator[dict[str, Any]]) -> None:
        super().__init__()
        del self.headers["content-length"]
        self._lines = lines

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Sends the lines. Nobody else may listen meanwhile: what is received is the question."""
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        async for line in self._lines:
            data = json.dumps(line).encode() + b"\n"
            await send({"type": "http.response.body", "body": data, "more_body": True})
        await send({"type": "http.response.body", "body": b""})


async def stream(archive: Archive, request: Request) -> AsyncIterator[dict[str, Any]]:
    """Adds the articles of a body of JSON lines, batch by batch; gives what became of each batch, and of all."""
    whole = dict.fromkeys(("lines", "new", "revised", "same", "rejected"), 0)
    try:
        async for first, batch in _batches(request):
            counted, told_of = await run_in_threadpool(_take, archive, first, batch)
            for name, count in counted.items():
                whole[name] += count
            yield {"from": first, **counted, **told_of}
    except ClientDisconnect:
        return  # what was told as taken is kept
    except SamestoryError as error:
        message, hint = told(error)
        yield {"error": message, "hint": hint, **whole}
        return
    yield {"done": True, **whole}


def _take(archive: Archive, first: int, batch: list[bytes | None]) -> tuple[dict[str, int], dict[str, Any]]:
    """What became of a batch: numbers, and what there is to be told of single lines."""
    there = [(first + at, line) for at, line in enumerate(batch) if line is None or line.strip()]
    places = [place for place, _ in there]
    items = [_item(line) for _, line in there]
    added, doubts = add(archive, items)
    counted = {
        "lines": len(batch),
        "new": len(added.new),
        "revised": len(added.revised),
        "same": len(added.same),
        "rejected": len(added.rejected),
    }
    return counted, {
        "reasons": [{"line": places[number - 1], "why": why} for number, why in added.rejected[:TOLD]],
        "doubts": [f"line {places[number - 1]}: {doubt}" for number, doubt in doubts[:TOLD]],
    }


def _item(line: bytes | None) -> Any:
    """What stands in a line, or why nothing does."""
    if line is None:
        return InputError(f"a line has at most {LONGEST_LINE:,} bytes")
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return InputError("no JSON")
    return InputError("an object is wanted") if not isinstance(found, dict) else found


async def _batches(request: Request) -> AsyncIterator[tuple[int, list[bytes | None]]]:
    """Lines by the batch, with the number of the first; None stands for a line that is too long."""
    batch: list[bytes | None] = []
    first, size = 1, 0
    async for line in _lines(request):
        if line is not ...:
            batch.append(line)
            size += len(line or b"")
        if batch and (line is ... or len(batch) == LINES or size >= BYTES):
            yield first, batch
            first, size, batch = first + len(batch), 0, []
    if batch:
        yield first, batch


async def _lines(request: Request) -> AsyncIterator[Any]:
    """The lines of a body; `...` when it is quiet for a while."""
    chunks = request.stream()
    rest, skipping = b"", False
    coming: asyncio.Future[bytes] | None = None
    try:
        while True:
            coming = coming or asyncio.ensure_future(anext(chunks))
            done, _ = await asyncio.wait({coming}, timeout=IDLE)
            if not done:
                yield ...
                continue
            try:
                chunk = coming.result()
            except StopAsyncIteration:
                break
            finally:
                coming = None
            *whole, rest = (rest + chunk).split(b"\n")
            for line in whole:
                yield None if skipping or len(line) > LONGEST_LINE else line
                skipping = False
            if len(rest) > LONGEST_LINE:
                skipping, rest = True, b""
        if skipping or rest:
            yield None if skipping else rest
    finally:
        if coming is not None:
            coming.cancel()
