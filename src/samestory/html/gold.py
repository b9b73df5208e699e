"""Gold for pages: a file that says what their content is, line by line.

A line is a JSON object. It names its page by `url`, `path` or `id`, and says of its content `text`; or, where nobody
has marked the whole text, lists of snippets: `must_contain`, and `must_not_contain`. Where both are there the text
counts, unless it is the snippets over again. Two lines about one page must say the same.
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
class Known:
    """What is known of the content of one page: its text, or snippets."""

    text: str
    wanted: tuple[str, ...] = ()
    unwanted: tuple[str, ...] = ()
    url: str | None = field(default=None, compare=False)
    """Its address, where the gold has one."""


class PageGold:
    """The gold of many pages, found by address, path or name."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._by_name: dict[str, tuple[int, int]] = {}
        """By name of a page: the line of its gold, and its place in `all`."""
        self.all: list[Known] = []
        self._met: set[int] = set()
        try:
            lines = Path(path).read_text(encoding="utf-8-sig").split("\n")
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"{path}: {getattr(error, 'strerror', None) or 'no UTF-8'}") from None
        for number, line in enumerate(lines, 1):
            if line.strip():
                self._take(number, line)
        if not self.all:
            raise InputError(f"{path}: no gold in this file")

    def _take(self, number: int, line: str) -> None:
        place = f"{self.path}:{number}"
        try:
            row: Any = json.loads(line)
        except (ValueError, RecursionError):
            raise InputError(f"{place}: no JSON") from None
        if not isinstance(row, dict):
            raise InputError(f"{place}: an object is wanted, with url, path or id, and text")
        names = [row[key] for key in ("url", "path", "html_path", "id") if isinstance(row.get(key), str) and row[key]]
        wanted, unwanted = (_snippets(place, row, key) for key in ("must_contain", "must_not_contain"))
        text = row.get("text", "")
        if isinstance(text, str) and wanted and text.split() == " ".join(wanted).split():
            text = ""  # the snippets again, and not all of the page
        if not names:
            raise InputError(f"{place}: which page? url, path or id is wanted")
        if not isinstance(text, str) or not (text or wanted):
            raise InputError(f"{place}: text is wanted, or must_contain with snippets")
        known = Known(text, wanted, unwanted, _address(row.get("url")))
        for name in names:
            first, at = self._by_name.setdefault(name, (number, len(self.all)))
            if first != number and self.all[at] != known:
                raise InputError(
                    f"{place}: {shown(name)} has other gold in line {first}",
                    "two pages of one address: name them by path",
                )
        self.all.append(known)

    def of(self, page: Page) -> Known | None:
        """What is known of a page: by its address, else by its path or a part of that, else by its bare name."""
        names = [page.url] if page.url else []
        if page.origin:
            parts = Path(page.origin.file).parts
            names += ["/".join(parts[at:]) for at in range(len(parts))]
            names.append(Path(page.origin.file).name.partition(".")[0])
        at = next((self._by_name[name][1] for name in names if name in self._by_name), None)
        if at is None:
            return None
        self._met.add(at)
        return self.all[at]

    @property
    def unmet(self) -> int:
        """How many lines no page was found for, so far."""
        return len(self.all) - len(self._met)


def _address(url: Any) -> str | None:
    """An address with a host, which tells the site; other names of pages tell none."""
    try:
        return url if isinstance(url, str) and urlsplit(url).hostname else None
    except ValueError:
        return None


def _snippets(place: str, row: dict[str, Any], key: str) -> tuple[str, ...]:
    value = row.get(key) or []
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise InputError(f"{place}: {key}: a list of texts is wanted")
    return tuple(value)
