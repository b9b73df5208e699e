"""The application: an archive, its API and its pages behind one guard."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from fastapi import FastAPI, Request
from fastapi.responses import Response

from samestory import _core
from samestory.archive import Archive
from samestory.web import api, errors, pages
from samestory.web.heads import Heads
from samestory.web.limits import HEADERS, OPEN, Guard, Keeper, Limits, Rates
from samestory.web.templating import static

ABOUT = """Which articles are the same story. What pages show stands at the same address with `.json` behind it.
Errors are always `{"error": …, "hint": …}`. Writing wants `Authorization: Bearer TOKEN`."""


def app(
    archive: Archive,
    token: str | None = None,
    limits: Limits | None = None,
    hosts: Sequence[str] | None = None,
) -> FastAPI:
    """The web application of an archive.

    `token`: who shows it may write; without one nobody may. `hosts`: the names by which the server may be asked for;
    without them any.
    """
    limits, keeper = limits or Limits(), Keeper(token)
    rates = Rates(limits.rate, limits.burst)
    out = FastAPI(
        title="samestory",
        version=_core.__version__,
        description=ABOUT,
        docs_url=None,  # its pages come from elsewhere, which our policy forbids
        redoc_url=None,
        openapi_url="/openapi.json",
    )
    out.include_router(api.routes(archive, limits))
    shown = pages.Pages(archive, keeper, rates)
    out.include_router(shown.routes())
    out.mount("/static", static("samestory.web"), name="static")
    stand_before(out, shown.failure, limits, keeper, rates, hosts)
    return out


def stand_before(
    out: FastAPI,
    page: Callable[[Request, int, str, str | None], Response],
    limits: Limits,
    keeper: Keeper,
    rates: Rates,
    hosts: Sequence[str] | None,
    is_open: Callable[[str], bool] = OPEN.__contains__,
) -> None:
    """Puts the guard before an application, and answers where something goes wrong; `page` draws them for browsers.

    `is_open`: the addresses to which anybody may send something.
    """
    errors.install(out, page)
    out.add_middleware(Heads)
    out.add_middleware(Guard, limits=limits, keeper=keeper, rates=rates, hosts=hosts, is_open=is_open)

    @out.exception_handler(Exception)
    def broken(request: Request, error: Exception) -> Response:
        # this one is answered outside of the guard; what it was stands in the server's own log
        return errors.failure(500, "something is wrong here, and it is not your fault", None, dict(HEADERS))
