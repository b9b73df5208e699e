"""Site rules: CSS selectors of the content on the pages of a site, in a TOML file.

    [sites."example.com"]
    content = ["div.article-body p", "div.article-body h2"]
    leave_out = [".related", "aside"]
    title = "h1"
    author = ".byline .name"

A rule is a selector or a list of them. `content` is required; `leave_out` selects parts of it that are not content; the
others are `title`, `author`, `date`, `source` and `location`.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any
from urllib.parse import urlsplit

from samestory.errors import InputError, MissingExtraError
from samestory.html.blocks import CEDAR
from samestory.model import shown
from samestory.readers.page import Page

#: Annotated fields and their span classes.
CLASSES = {name.removeprefix("Cedar").lower(): name for name in CEDAR}
KEYS = (*CLASSES, "leave_out")

#: Site names become folder names.
_SITE = re.compile(r"\w[\w.-]*")


@dataclass(frozen=True, slots=True)
class SiteRules:
    """The selectors of one site by key."""

    site: str
    selectors: Mapping[str, tuple[str, ...]]


def read_rules(path: str) -> dict[str, SiteRules]:
    """Reads the rules of a file, by site."""
    try:
        raw = tomllib.loads(Path(path).read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise InputError(str(error.strerror), place=path) from None
    except UnicodeDecodeError:
        raise InputError("not UTF-8", place=path) from None
    except RecursionError:
        raise InputError("not TOML: nested too deep", place=path) from None
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"not TOML: {str(error).lower()}", place=path) from None
    _check_keys(path, "", raw, ("sites",))
    sites = raw.get("sites")
    if not isinstance(sites, dict) or not sites:
        raise InputError("no sites", 'begin the rules of a site with [sites."example.com"]', place=path)
    return {site: _site(f'{path}: sites."{site}"', site, table) for site, table in sites.items()}


def site_among(page: Page, rules: Mapping[str, SiteRules], canonical: str = "") -> str | None:
    """Returns the site of a page among those with rules; None if there is none.

    Matches the longest site name that the host of the URL, or of the canonical URL, ends with. A page without a URL is
    matched by a folder with the name of a site.
    """
    for url in (page.url, canonical):
        try:
            host = (urlsplit(url or "").hostname or "").rstrip(".")
        except ValueError:
            continue
        parts = host.split(".")
        ends = (".".join(parts[at:]) for at in range(len(parts)))
        if found := next((end for end in ends if end in rules), None):
            return found
    if page.url or not page.origin:
        return None
    folders = reversed(PurePath(page.origin.file).parts)
    return next((folder for folder in folders if folder in rules), None)


def parser(text: str) -> Any:
    """Parses a page for CSS selectors."""
    try:
        from selectolax.lexbor import LexborHTMLParser
    except ImportError:
        raise MissingExtraError("site rules need selectolax", 'install it: pip install "samestory[tag]"') from None
    return LexborHTMLParser(text)


def _site(place: str, site: str, table: object) -> SiteRules:
    if not _SITE.fullmatch(site):
        raise InputError("expected a site name such as example.com", place=place)
    if not isinstance(table, dict):
        raise InputError(f"expected rules, got {shown(table)}", 'as in content = ["article p"]', place=place)
    _check_keys(place, ".", table, KEYS)
    if "content" not in table:
        raise InputError("content is missing", 'as in content = ["article p"]', place=place)
    return SiteRules(site, {key: _selectors(f"{place}.{key}", table[key]) for key in KEYS if key in table})


def _selectors(place: str, given: object) -> tuple[str, ...]:
    listed = given if isinstance(given, list) else [given]
    if not listed:
        raise InputError("expected a selector, got an empty list", place=place)
    tree = parser("<p>")
    for selector in listed:
        if not isinstance(selector, str):
            raise InputError(f"expected a CSS selector, got {shown(selector)}", place=place)
        try:
            tree.css(selector)
        except Exception:  # the library raises its own exceptions
            raise InputError(f"invalid CSS selector: {shown(selector)}", place=place) from None
    return tuple(dict.fromkeys(listed))


def _check_keys(place: str, dot: str, table: Mapping[str, Any], keys: tuple[str, ...]) -> None:
    for key in table:
        if key not in keys:
            near = difflib.get_close_matches(key, keys, 1)
            raise InputError(
                f"{place}{dot or ': '}{key}: unknown key; available: {', '.join(keys)}",
                f"did you mean {near[0]}?" if near else "",
            )
