"""Tables: numbers under each other, figures with their intervals, and notes below."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from samestory.hypertext import Content, Html, join, tag, text
from samestory.lab.report.charts import letter
from samestory.lab.report.pictures import COLOURS
from samestory.measures import Figure

#: A name of so many letters is kept in one line.
SHORT = 30

#: Rows under a heading of their own, or under none.
Group = tuple[Content, Iterable[Sequence[Html]]]


def cell(*content: Content, number: bool = False, head: bool = False) -> Html:
    """A cell; numbers stand at the right, the head of a row is one."""
    return tag("th" if head else "td", *content, class_="number" if number else None, scope="row" if head else None)


def table(name: str, header: Sequence[Content], groups: Iterable[Group], numbers: int = 0) -> Html:
    """A table that scrolls by itself where it is too wide; the last `numbers` columns hold numbers."""
    first = len(header) - numbers
    heads = [tag("th", head, scope="col", class_="number" if at >= first else None) for at, head in enumerate(header)]
    bodies = []
    for heading, rows in groups:
        over = tag("tr", tag("th", heading, scope="rowgroup", colspan=len(header)), class_="group")
        bodies.append(tag("tbody", over if heading is not None else None, *(tag("tr", *row) for row in rows)))
    whole = tag("table", tag("thead", tag("tr", *heads)), *bodies)
    return tag("div", whole, class_="scroll", role="region", aria_label=name, tabindex=0)


def plain(name: str, header: Sequence[str], rows: Iterable[Sequence[str]], numbers: int = 0) -> Html:
    """A table of plain values."""
    first = len(header) - numbers
    cells = ([cell(value, number=at >= first, head=not at) for at, value in enumerate(row)] for row in rows)
    return table(name, header, [(None, cells)], numbers)


def code(words: str) -> Html:
    """A name in a sentence; a long one may go on in the next line."""
    return tag("code", words, class_="short") if len(words) <= SHORT else spec(words)


def spec(words: str) -> Html:
    """A name where there is little room: it may go on in the next line, at a sign."""
    return tag("code", join(*(text(part) for part in re.split(r"(?<=[_=,/])|(?=\((?!\)))", words)), by=Html("<wbr>")))


def detector(number: int, name: str | None = None) -> Html:
    """A detector by its letter, and by its name where there is room."""
    badge = tag("span", letter(number), class_=f"letter series-{number % len(COLOURS)}")
    return badge if name is None else join(badge, " ", code(name))


class Notes:
    """Remarks to figures, each told once below the table."""

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        self._known: dict[str, int] = {}

    def sign(self, note: str | None) -> Html | None:
        """The sign of a note, to stand behind what it is about."""
        if not note:
            return None
        number = self._known.setdefault(note, len(self._known) + 1)
        return tag("sup", tag("a", str(number), href=f"#{self._prefix}-{number}", aria_label=f"note {number}"))

    def listed(self) -> Html | None:
        """All notes."""
        if not self._known:
            return None
        items = [tag("li", note, id=f"{self._prefix}-{number}") for note, number in self._known.items()]
        return tag("ol", *items, class_="notes")


def valued(found: Figure | None, notes: Notes) -> Html:
    """The cell of a figure: the value, and below it the interval."""
    if found is None or found.value is None:
        return cell(tag("span", "–", title="undefined: nothing to find, or nothing reported"), number=True)
    span = None
    if found.low is not None and found.high is not None:
        span = tag("span", f"{found.low:.3f}–{found.high:.3f}", class_="interval")
    return cell(tag("b", f"{found.value:.3f}"), notes.sign(found.note), span, number=True)
