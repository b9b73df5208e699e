"""Two texts side by side: shared passages are marked with the same number in both; long texts are folded."""

from __future__ import annotations

from collections.abc import Sequence

from samestory.hypertext import Html, join, tag, text
from samestory.model import Evidence, Span

#: About this many characters of a text are shown; the rest is folded.
PREVIEW_CHARS = 900
#: A remainder this short is not folded.
SPARE_CHARS = 200


def sides(left: str, right: str, shared: Sequence[Evidence], differences: bool = False) -> tuple[Html, Html]:
    """Render both texts with their shared passages marked and numbered.

    With `differences`, text that occurs on one side only is marked too, in another style.
    """
    one = [(found.left, number) for number, found in enumerate(shared, 1)]
    other = [(found.right, number) for number, found in enumerate(shared, 1)]
    return _side(left, one, differences), _side(right, other, differences)


def _side(whole: str, passages: list[tuple[Span, int]], differences: bool) -> Html:
    passages = sorted(passages)
    cut = _cut(whole)
    head = _marked(whole, 0, cut, passages, differences)
    if cut == len(whole):
        return tag("div", head, class_="text")
    later = sum(span.start >= cut for span, _ in passages)
    more = f"{len(whole) - cut:,} more characters" + (f", {later:,} more shared passages" * bool(later))
    summary = tag(
        "summary",
        tag("span", "Show all", class_="closed"),
        tag("span", "Show less", class_="opened"),
        tag("span", f" ({more})", class_="closed"),
    )
    rest = tag("div", _marked(whole, cut, len(whole), passages, differences), class_="text")
    return join(tag("div", head, class_="text"), tag("details", summary, rest, class_="rest"))


def _cut(whole: str) -> int:
    """Return where to fold: at a space, and not for a short remainder."""
    if len(whole) <= PREVIEW_CHARS + SPARE_CHARS:
        return len(whole)
    space = max(whole.rfind(gap, PREVIEW_CHARS - SPARE_CHARS, PREVIEW_CHARS) for gap in " \n")
    return PREVIEW_CHARS if space < 0 else space + 1


def _marked(whole: str, start: int, end: int, passages: list[tuple[Span, int]], differences: bool) -> Html:
    """Render whole[start:end]; a passage may begin before it."""

    def unshared(segment: str) -> Html:
        return tag("ins", segment) if differences and segment.strip() else text(segment)

    out: list[Html] = []
    at = start
    for span, number in passages:
        begin, stop = max(span.start, at), min(span.end, end)
        if begin >= stop:
            continue
        out.append(unshared(whole[at:begin]))
        sign = tag("sup", str(number), class_="passage")
        out.append(tag("mark", sign, whole[begin:stop]))
        at = stop
    out.append(unshared(whole[at:end]))
    return join(*out)
