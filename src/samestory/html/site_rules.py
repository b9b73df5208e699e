"""The rules of sites: where on their pages the content is, as CSS selectors in a file of TOML.

    [sites."example.com"]
    content = ["div.article-body p", "div.article-body h2"]
    leave_out = [".related", "aside"]
    title = "h1"
    author = ".byline .name"

A rule is a selector or a list of them. `content` must be there; `leave_out` is what lies within it and is none; the
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

from samestory.errors import InputError, SamestoryError
from samestory.html.blocks import CEDAR
from samestory.model import shown
from samestory.readers.page import Page

#: What is annotated, and by which class of span.
CLASSES = {name.removeprefix("Cedar").lower(): name for name in CEDAR}
KEYS = (*CLASSES, "leave_out")

#: Names of sites become folders.
_SITE = re.compile(r"\w[\w.-]*")


@dataclass(frozen=True, slots=True)
class SiteRules:
    """What is what on the pages of one site: selectors by key."""

    site: str
    selectors: Mapping[str, tuple[str, ...]]


def read_rules(path: str) -> dict[str, SiteRules]:
    """The rules of a file, by site."""
    try:
        raw = tomllib.loads(Path(path).read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: bytes that are not UTF-8") from None
    except RecursionError:
        raise InputError(f"{path}: no TOML: nested too deep") from None
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path}: no TOML: {str(error).lower()}") from None
    _known(path, "", raw, ("sites",))
    sites = raw.get("sites")
    if not isinstance(sites, dict) or not sites:
        raise InputError(f"{path}: no sites", '[sites."example.com"] begins the rules of one')
    return {site: _site(f'{path}: sites."{site}"', site, table) for site, table in sites.items()}


def site_among(page: Page, rules: Mapping[str, SiteRules], canonical: str = "") -> str | None:
    """The site that a page is from, of those that have rules; none: no site has.

    By its address, or that which it names itself; the longest name counts that the host ends with. A page without an
    address is known by a folder that has the name of a site.
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
    """The tree of a page that selectors are asked about."""
    try:
        from selectolax.lexbor import LexborHTMLParser
    except ImportError:
        raise SamestoryError("rules of sites want selectolax", 'install it: pip install "samestory[tag]"') from None
    return LexborHTMLParser(text)


def _site(place: str, site: str, table: object) -> SiteRules:
    if not _SITE.fullmatch(site):
        raise InputError(f"{place}: the name of a site is wanted, as in example.com")
    if not isinstance(table, dict):
        raise InputError(f"{place}: rules are wanted, got {shown(table)}", 'as in content = ["article p"]')
    _known(place, ".", table, KEYS)
    if "content" not in table:
        raise InputError(f"{place}: content is missing", 'as in content = ["article p"]')
    return SiteRules(site, {key: _selectors(f"{place}.{key}", table[key]) for key in KEYS if key in table})


def _selectors(place: str, given: object) -> tuple[str, ...]:
    listed = given if isinstance(given, list) else [given]
    if not listed:
        raise InputError(f"{place}: a selector is wanted, got an empty list")
    tree = parser("<p>")
    for selector in listed:
        if not isinstance(selector, str):
            raise InputError(f"{place}: a CSS selector is wanted, got {shown(selector)}")
        try:
            tree.css(selector)
        except Exception:  # whatever the library calls it
            raise InputError(f"{place}: no CSS selector: {shown(selector)}") from None
    return tuple(dict.fromkeys(listed))


def _known(place: str, dot: str, table: Mapping[str, Any], keys: tuple[str, ...]) -> None:
    for key in table:
        if key not in keys:
            near = difflib.get_close_matches(key, keys, 1)
            raise InputError(
                f"{place}{dot or ': '}{key}: nothing is called so; there is {', '.join(keys)}",
                f"did you mean {near[0]}?" if near else "",
            )
