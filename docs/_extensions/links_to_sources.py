"""Links from pages to files outside of docs/: to the repository if its address is known, otherwise plain names.

The address is the environment variable SAMESTORY_REPOSITORY, which a release sets; on a code host, the links of the
Markdown files work as they are.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from sphinx.application import Sphinx

ROOT = Path(__file__).parents[2]
#: [text](target#anchor), with a target that is a relative path
_LINK = re.compile(r"(?<!!)\[([^\]\n]+)\]\(((?:\.\.?/)*[\w./-]+)(#[\w-]+)?\)")
#: Files of docs/ that are no pages.
_PAGES = (".md", ".png", ".svg")


def rewrite(page: Path, text: str, repository: str) -> str:
    """Return the text of a page with its links to source files rewritten."""

    def replaced(match: re.Match[str]) -> str:
        words, target, anchor = match.groups()
        file = (page.parent / target).resolve()
        if not file.is_relative_to(ROOT) or not file.exists():
            return match[0]
        path = file.relative_to(ROOT)
        if path.parts[0] == "docs" and file.is_file() and file.suffix in _PAGES:
            return match[0]
        return f"[{words}]({repository}/blob/main/{path.as_posix()}{anchor or ''})" if repository else words

    return _LINK.sub(replaced, text)


def _on_read(app: Sphinx, name: str, content: list[str]) -> None:
    page = Path(app.env.doc2path(name))
    content[0] = rewrite(page, content[0], os.environ.get("SAMESTORY_REPOSITORY", "").rstrip("/"))


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the rewriting."""
    app.connect("source-read", _on_read)
    return {"parallel_read_safe": True}
