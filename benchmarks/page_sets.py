"""The collections of pages with known content: where they are, and what is known.

They are other people's pages and stay outside the repository: a folder each with html.zip and docs.jsonl.gz, one line a
page (id, html_path, url, text; or must_contain and must_not_contain, lists of snippets).
"""

import ast
import gzip
import json
import zipfile
from dataclasses import dataclass
from pathlib import Path

from samestory.html import Page
from samestory.lab.training.snippets import Snippets
from samestory.readers.page import site_of


@dataclass(frozen=True)
class Known:
    """A page, its site, and its content: the text, or snippets that it holds and does not hold."""

    page: Page
    site: str
    text: str
    wanted: tuple[str, ...]
    unwanted: tuple[str, ...]

    def snippets(self) -> Snippets:
        return Snippets(self.page, self.site, self.wanted, self.unwanted)


def read(data: Path, name: str) -> list[Known]:
    folder = data / name
    out = []
    with zipfile.ZipFile(folder / "html.zip") as pages, gzip.open(folder / "docs.jsonl.gz", "rt") as lines:
        for row in map(json.loads, lines):
            page = Page(pages.read(row["html_path"]), row.get("url"))
            wanted, unwanted = (_listed(row.get(key)) for key in ("must_contain", "must_not_contain"))
            site = site_of(row["url"]) if row.get("url") else row.get("source") or row["id"]
            out.append(Known(page, site, "" if wanted else row["text"], wanted, unwanted))
    return out


def _listed(value: str | list[str] | None) -> tuple[str, ...]:
    return tuple(ast.literal_eval(value) if isinstance(value, str) else value or ())
