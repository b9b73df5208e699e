"""Jinja environment and static files of the portal and the judging pages."""

from __future__ import annotations

from typing import Any

from fastapi.responses import Response
from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from starlette.staticfiles import StaticFiles

from samestory import _core
from samestory.web import presentation, relation_phrases


class CachedStaticFiles(StaticFiles):
    """Static files with a cache lifetime; a new version has a new address."""

    def file_response(self, *args: Any, **more: Any) -> Response:
        """Return a file with a cache lifetime of a day."""
        response = super().file_response(*args, **more)
        response.headers["Cache-Control"] = "public, max-age=86400"
        return response


def static(*packages: str) -> CachedStaticFiles:
    """Return the static files of these packages."""
    return CachedStaticFiles(packages=[(package, "static") for package in packages])


def environment(package: str) -> Environment:
    """Return the Jinja environment of a package, with the functions of `presentation` and `relation_phrases`.

    All values are escaped, and an undefined name is an error.
    """
    out = Environment(
        loader=PackageLoader(package),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,
        finalize=presentation.finalize,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    helpers = (
        presentation.highlight,
        presentation.highlight_sides,
        presentation.safe_link,
        presentation.make_url,
        presentation.format_count,
        presentation.isolated,
        presentation.linked,
        presentation.typed,
        presentation.key,
        presentation.in_english,
        presentation.now,
        relation_phrases.describe_relation,
        relation_phrases.distinct_kinds,
        relation_phrases.likelihood,
        relation_phrases.relation_name,
    )
    out.globals.update({helper.__name__: helper for helper in helpers})
    out.globals.update(SYMBOLS=relation_phrases.SYMBOLS, version=_core.__version__)
    for name in out.list_templates():
        out.get_template(name)  # compiled at the start, so that the first reader does not wait for it
    return out
