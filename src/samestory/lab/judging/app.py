"""The ASGI application: the judging pages of a collection behind the request guard of the portal."""

from __future__ import annotations

from collections.abc import Sequence

from fastapi import FastAPI

from samestory import _core
from samestory.lab.collection import Collection
from samestory.lab.judging.pages import JudgingPages
from samestory.web.app import install_guard
from samestory.web.health import HealthCheck, health_routes
from samestory.web.limits import AccessToken, Limits, RateLimiter
from samestory.web.templating import static
from samestory.web.work import Work

#: Forms are short, and a whole office may share one IP address.
LIMITS = Limits(max_body_bytes=1 << 20, rate=200, burst=1000, max_pages_per_client=4)


def app(
    collection: Collection,
    token: str | None = None,
    limits: Limits | None = None,
    hosts: Sequence[str] | None = None,
) -> FastAPI:
    """Return the judging pages of a collection.

    `token`: part of the address of the overview page; without one there is no such page. `hosts`: accepted Host
    headers; None accepts any.
    """
    limits, access = limits or LIMITS, AccessToken(token)
    limiter, work = RateLimiter(limits.rate, limits.burst), Work.from_limits(limits)
    pages = JudgingPages(collection, access, limiter)
    out = FastAPI(title="samestory", version=_core.__version__, docs_url=None, redoc_url=None, openapi_url=None)
    out.include_router(health_routes(HealthCheck(collection.database, work.pages, writes=True)))
    out.include_router(pages.routes())
    out.mount("/static", static("samestory.lab.judging", "samestory.web"), name="static")
    # every path is open: the address itself contains the token of the assessor
    install_guard(out, pages.render_error, limits, access, limiter, work, hosts, is_open=lambda path: True)
    return out
