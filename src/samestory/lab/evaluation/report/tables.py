"""HTML tables: aligned numbers, figures with intervals, and footnotes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from samestory.hypertext import Content, Html, join, tag, text
from samestory.lab.evaluation.report.charts import letter
from samestory.lab.evaluation.report.pictures import COLOURS
from samestory.lab.measures import Figure

#: Names up to this length are kept on one line.
MAX_UNBROKEN_CHARS = 30

#: Rows under an optional heading.
RowGroup = tuple[Content, Iterable[Sequence[Html]]]


def cell(*content: Content, number: bool = False, head: bool = False) -> Html:
    """Render a cell: numbers are right-aligned, `head` makes a row header."""
    return tag("th" if head else "td", *content, class_="number" if number else None, scope="row" if head else None)


def table(name: str, header: Sequence[Content], groups: Iterable[RowGroup], numbers: int = 0) -> Html:
    """Render a table that scrolls where it is too wide; the last `numbers` columns are numeric."""
    first = len(header) - numbers
    heads = [tag("th", head, scope="col", class_="number" if at >= first else None) for at, head in enumerate(header)]
    bodies = []
    for heading, rows in groups:
        over = tag("tr", tag("th", heading, scope="rowgroup", colspan=len(header)), class_="group")
        bodies.append(tag("tbody", over if heading is not None else None, *(tag("tr", *row) for row in rows)))
    whole = tag("table", tag("thead", tag("tr", *heads)), *bodies)
    return tag("div", whole, class_="scroll", role="region", aria_label=name, tabindex=0)


def plain(name: str, header: Sequence[str], rows: Iterable[Sequence[str]], numbers: int = 0) -> Html:
    """Render a table of plain values."""
    first = len(header) - numbers
    cells = ([cell(value, number=at >= first, head=not at) for at, value in enumerate(row)] for row in rows)
    return table(name, header, [(None, cells)], numbers)


def code(words: str) -> Html:
    """Render a name in running text; a long one may break."""
    return tag("code", words, class_="short") if len(words) <= MAX_UNBROKEN_CHARS else spec(words)


def spec(words: str) -> Html:
    """Render a name that may break after punctuation."""
    return tag("code", join(*(text(part) for part in re.split(r"(?<=[_=,/])|(?=\((?!\)))", words)), by=Html("<wbr>")))


def detector(number: int, name: str | None = None) -> Html:
    """Render a detector by its letter, and its name if given."""
    badge = tag("span", letter(number), class_=f"letter series-{number % len(COLOURS)}")
    return badge if name is None else join(badge, " ", code(name))


class Notes:
    """Footnotes of a table, each listed once."""

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        self._numbers: dict[str, int] = {}

    def sign(self, note: str | None) -> Html | None:
        """Return the reference mark of a note."""
        if not note:
            return None
        number = self._numbers.setdefault(note, len(self._numbers) + 1)
        return tag("sup", tag("a", str(number), href=f"#{self._prefix}-{number}", aria_label=f"note {number}"))

    def listed(self) -> Html | None:
        """Render the list of notes."""
        if not self._numbers:
            return None
        items = [tag("li", note, id=f"{self._prefix}-{number}") for note, number in self._numbers.items()]
        return tag("ol", *items, class_="notes")


def valued(found: Figure | None, notes: Notes) -> Html:
    """Render the cell of a figure: the value, and its interval below."""
    if found is None or found.value is None:
        return cell(tag("span", "–", title="undefined: nothing to find, or nothing reported"), number=True)
    span = None
    if found.low is not None and found.high is not None:
        span = tag("span", f"{found.low:.3f}–{found.high:.3f}", class_="interval")
    return cell(tag("b", f"{found.value:.3f}"), notes.sign(found.note), span, number=True)
