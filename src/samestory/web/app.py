"""The ASGI application: JSON API and HTML pages of an archive behind one request guard."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from fastapi import FastAPI, Request
from fastapi.responses import Response

from samestory import _core
from samestory.archive import Archive
from samestory.model import Article
from samestory.text import prepare
from samestory.web import api, api_page, errors, pages
from samestory.web.exports import Exports
from samestory.web.guard import HEADERS, PUBLIC_POST_PATHS, RequestGuard
from samestory.web.head_support import HeadSupport
from samestory.web.health import HealthCheck
from samestory.web.limits import AccessToken, Limits, RateLimiter
from samestory.web.templating import static
from samestory.web.work import Work

ABOUT = """Finds which news articles are the same story. Every page is also available as JSON, at its path plus `.json`.
Errors are always `{"error": …, "hint": …}`. Writing requires `Authorization: Bearer TOKEN`."""


def app(
    archive: Archive,
    token: str | None = None,
    limits: Limits | None = None,
    hosts: Sequence[str] | None = None,
) -> FastAPI:
    """Return the web application of an archive.

    `token`: required from clients that write; without one the portal is read-only. `hosts`: accepted Host headers; None
    accepts any.
    """
    _ = prepare([Article("", "")]).tokens.values  # imports pyarrow now, so that the first reader does not wait for it
    limits, access = limits or Limits(), AccessToken(token)
    limiter, work = RateLimiter(limits.rate, limits.burst), Work.from_limits(limits)
    out = FastAPI(
        title="samestory",
        version=_core.__version__,
        description=ABOUT,
        docs_url=None,  # these pages load scripts from other sites, which our content security policy forbids
        redoc_url=None,
        openapi_url="/openapi.json",
    )
    # the routes themselves: an included router is matched anew for every request, which takes half a millisecond
    health = HealthCheck(archive.database, work.pages, writes=token is not None)
    out.router.routes += api.routes(archive, limits, health).routes
    portal = pages.PortalPages(archive, access, limiter)
    out.router.routes += Exports(archive).routes().routes
    out.router.routes += api_page.routes(portal.render).routes
    out.router.routes += portal.routes().routes
    out.mount("/static", static("samestory.web"), name="static")
    install_guard(out, portal.render_error, limits, access, limiter, work, hosts)
    return out


def install_guard(
    out: FastAPI,
    render_error: Callable[[Request, int, str, str | None], Response],
    limits: Limits,
    access: AccessToken,
    limiter: RateLimiter,
    work: Work,
    hosts: Sequence[str] | None,
    is_open: Callable[[str], bool] = PUBLIC_POST_PATHS.__contains__,
) -> None:
    """Install the request guard and the error handlers; `render_error` renders an error page for browsers.

    `is_open`: whether a path accepts unsafe methods without the token.
    """
    errors.install_handlers(out, render_error)
    out.add_middleware(HeadSupport)
    out.add_middleware(
        RequestGuard, limits=limits, access=access, limiter=limiter, work=work, hosts=hosts, is_open=is_open
    )

    @out.exception_handler(Exception)
    def broken(request: Request, error: Exception) -> Response:
        # Starlette calls this handler outside the guard, hence the headers; the traceback is in the server log
        return errors.error_response(500, "internal server error", None, dict(HEADERS))
