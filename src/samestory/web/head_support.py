"""HEAD support: every GET route also answers HEAD, without the body."""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send

#: Event streams never end, so HEAD on them could not be answered.
ENDLESS_PATHS = frozenset({"/events"})


class HeadSupport:
    """ASGI middleware that runs a HEAD request as GET and drops the response body."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http" or scope["method"] != "HEAD" or scope["path"] in ENDLESS_PATHS:
            await self.app(scope, receive, send)
            return

        async def send_without_body(message: Message) -> None:
            if message["type"] == "http.response.body":
                message = {**message, "body": b""}
            await send(message)

        await self.app({**scope, "method": "GET"}, receive, send_without_body)
