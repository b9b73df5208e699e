"""Templates and the files beside them, for whoever draws pages."""

from __future__ import annotations

from typing import Any

from fastapi.responses import Response
from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from starlette.staticfiles import StaticFiles

from samestory import _core
from samestory.web import drawing


class Static(StaticFiles):
    """Our own style and script; a new version has a new address."""

    def file_response(self, *args: Any, **more: Any) -> Response:
        """A file, to be kept for a day."""
        answer = super().file_response(*args, **more)
        answer.headers["Cache-Control"] = "public, max-age=86400"
        return answer


def static(*packages: str) -> Static:
    """The files beside the pages of these packages."""
    return Static(packages=[(package, "static") for package in packages])


def environment(package: str) -> Environment:
    """The templates of a package, and what they may use.

    Everything is escaped; what is not known is an error and not nothing.
    """
    out = Environment(
        loader=PackageLoader(package),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,
        finalize=drawing.finalize,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    tools = (
        drawing.marked,
        drawing.sides,
        drawing.link,
        drawing.to,
        drawing.day_words,
        drawing.later,
        drawing.span,
        drawing.seen,
    )
    out.globals.update({tool.__name__: tool for tool in tools})
    out.globals.update(
        counted=drawing.counted,
        kinds_in_words=drawing.kinds_in_words,
        size=drawing.size,
        now=drawing.now,
        KINDS=drawing.KINDS,
        version=_core.__version__,
    )
    return out
