"""The application: a collection, and the pages of those who judge it, behind the guard of the portal."""

from __future__ import annotations

from collections.abc import Sequence

from fastapi import FastAPI

from samestory import _core
from samestory.collection import Collection
from samestory.judging.pages import Pages
from samestory.web.app import stand_before
from samestory.web.limits import Keeper, Limits, Rates
from samestory.web.templating import static

#: A judgement is a short form. A whole office may sit behind one address.
LIMITS = Limits(largest=1 << 20, rate=200, burst=1000)


def app(
    collection: Collection,
    token: str | None = None,
    limits: Limits | None = None,
    hosts: Sequence[str] | None = None,
) -> FastAPI:
    """The judging pages of a collection.

    `token`: who shows it in the address sees how far everybody is; without one nobody does. `hosts`: the names by which
    the server may be asked for; without them any.
    """
    limits, keeper = limits or LIMITS, Keeper(token)
    rates = Rates(limits.rate, limits.burst)
    pages = Pages(collection, keeper, rates)
    out = FastAPI(title="samestory", version=_core.__version__, docs_url=None, redoc_url=None, openapi_url=None)
    out.include_router(pages.routes())
    out.mount("/static", static("samestory.judging", "samestory.web"), name="static")
    # who may send is known by the address itself, which holds a token
    stand_before(out, pages.failure, limits, keeper, rates, hosts, is_open=lambda path: True)
    return out
