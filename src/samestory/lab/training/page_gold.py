"""Gold content of pages, one JSON object per line.

A line names its page by `url`, `path` or `id`, and has its content as `text` or, without a full annotation, as lists of
snippets: `must_contain` and `must_not_contain`. If both are present, the text is used unless it repeats the snippets.
Two lines about one page must agree.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from samestory.errors import InputError
from samestory.model import shown
from samestory.readers.page import Page


@dataclass(frozen=True, slots=True)
class GoldContent:
    """The known content of one page: its text, or snippets."""

    text: str
    wanted: tuple[str, ...] = ()
    unwanted: tuple[str, ...] = ()
    url: str | None = field(default=None, compare=False)
    """The URL of the page, if the gold has one."""


class PageGold:
    """The gold of many pages, by URL, path or name."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._by_name: dict[str, tuple[int, int]] = {}
        """Line number and index in `all`, by page name."""
        self.all: list[GoldContent] = []
        self._used: set[int] = set()
        try:
            lines = Path(path).read_text(encoding="utf-8-sig").split("\n")
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(str(getattr(error, "strerror", None) or "not UTF-8"), place=path) from None
        for number, line in enumerate(lines, 1):
            if line.strip():
                self._add(number, line)
        if not self.all:
            raise InputError("contains no gold", place=path)

    def _add(self, number: int, line: str) -> None:
        place = f"{self.path}:{number}"
        try:
            row: Any = json.loads(line)
        except (ValueError, RecursionError):
            raise InputError("invalid JSON", place=place) from None
        if not isinstance(row, dict):
            raise InputError("expected an object with url, path or id, and text", place=place)
        names = [row[key] for key in ("url", "path", "html_path", "id") if isinstance(row.get(key), str) and row[key]]
        wanted, unwanted = (_snippets(place, row, key) for key in ("must_contain", "must_not_contain"))
        text = row.get("text", "")
        if isinstance(text, str) and wanted and text.split() == " ".join(wanted).split():
            text = ""  # repeats the snippets, not the full text
        if not names:
            raise InputError("no url, path or id of a page", place=place)
        if not isinstance(text, str) or not (text or wanted):
            raise InputError("no text, and no snippets in must_contain", place=place)
        known = GoldContent(text, wanted, unwanted, _address(row.get("url")))
        for name in names:
            first, at = self._by_name.setdefault(name, (number, len(self.all)))
            if first != number and self.all[at] != known:
                raise InputError(
                    f"{shown(name)} has different gold in line {first}",
                    "name pages with the same URL by path",
                    place=place,
                )
        self.all.append(known)

    def lookup(self, page: Page) -> GoldContent | None:
        """Returns the gold of a page by its URL, else by a suffix of its path, else by its file name."""
        names = [page.url] if page.url else []
        if page.origin:
            parts = Path(page.origin.file).parts
            names += ["/".join(parts[at:]) for at in range(len(parts))]
            names.append(Path(page.origin.file).name.partition(".")[0])
        at = next((self._by_name[name][1] for name in names if name in self._by_name), None)
        if at is None:
            return None
        self._used.add(at)
        return self.all[at]

    @property
    def unused(self) -> int:
        """The number of lines that no page has matched so far."""
        return len(self.all) - len(self._used)


def _address(url: Any) -> str | None:
    """Returns a URL with a host, which identifies the site; None for other page names."""
    try:
        return url if isinstance(url, str) and urlsplit(url).hostname else None
    except ValueError:
        return None


def _snippets(place: str, row: dict[str, Any], key: str) -> tuple[str, ...]:
    value = row.get(key) or []
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise InputError(f"{key}: expected a list of texts", place=place)
    return tuple(value)
