"""Texts with marked entity names: in colour on a terminal, in brackets elsewhere."""

from __future__ import annotations

import sys
from collections import Counter, deque
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from samestory.cli.entity_kinds import STYLES, counts
from samestory.entities import Entity
from samestory.model import Article
from samestory.output import printable

if TYPE_CHECKING:
    from rich.text import Text


class MarkedText:
    """Articles as text with marked names, under a legend."""

    def __init__(self, unclassified: bool, to_file: bool = False) -> None:
        from rich.console import Console

        self._console = Console(highlight=False, color_system=None if to_file else "auto")
        self._coloured = self._console.color_system is not None and not self._console.no_color
        self._folded = sys.stdout.isatty() and not to_file
        self._kinds = [kind for kind in STYLES if unclassified or kind != "unclassified"]

    def opening(self) -> bytes:
        """Returns the legend."""
        from rich.text import Text

        legend = Text("names: ")
        for at, kind in enumerate(self._kinds):
            legend.append("  " if at else "")
            legend.append_text(self._piece(kind if self._coloured else "…", 1, [kind], [kind]))
        return self._printed(legend)

    def article(self, article: Article, language: str, names: Sequence[Entity]) -> bytes:
        """Returns an article with its names marked."""
        from rich.text import Text

        shown = [name for name in names if name.kind in self._kinds]
        summary = counts(Counter(name.kind for name in shown), self._kinds)
        head = Text("\n" + printable("  ".join(part for part in (article.id, article.title) if part)), style="bold")
        head.append(f"  ({language}; {summary})", style="not bold dim")
        return self._printed(head) + self._printed(self._text(article.text, shown))

    def _text(self, text: str, names: Sequence[Entity]) -> Text:
        from rich.text import Text

        out = Text()
        places = sorted({0, len(text), *(name.start for name in names), *(name.end for name in names)})
        coming, inside = deque(names), list[Entity]()
        for start, end in pairwise(places):
            inside = [name for name in inside if name.end > start]
            begun = len(inside)
            while coming and coming[0].start == start:
                inside.append(coming.popleft())
            # the innermost ends first
            ended = [name.kind for name in reversed(inside) if name.end == end]
            piece = printable(text[start:end], one_line=False)
            out.append_text(self._piece(piece, len(inside) - begun, ended, [name.kind for name in inside]))
        return out

    def _piece(self, text: str, begun: int, ended: Sequence[str], inside: Sequence[str]) -> Text:
        """Returns a piece of text styled by its enclosing names, or with brackets where names begin and end."""
        from rich.text import Text

        if self._coloured:
            return Text(text, style=" ".join(STYLES[kind] for kind in inside))
        return Text("[" * begun + text + "".join(f"|{kind}]" for kind in ended))

    def _printed(self, text: Text) -> bytes:
        # rich handles a broken pipe itself: render to a string and write it here
        with self._console.capture() as printed:
            self._console.print(text, soft_wrap=not self._folded)
        return printed.get().encode()
