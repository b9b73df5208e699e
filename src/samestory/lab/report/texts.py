"""Two texts beside each other: what they share is marked and numbered alike in both, long ones are cut."""

from __future__ import annotations

from collections.abc import Sequence

from samestory.hypertext import Html, join, tag, text
from samestory.model import Evidence, Span

#: A text is shown up to about here; the rest is one click away.
SHOWN = 900
#: A few words more are not worth a click.
SPARE = 200


def sides(left: str, right: str, shared: Sequence[Evidence], differences: bool = False) -> tuple[Html, Html]:
    """Both texts with their shared passages marked; the same number is the same passage.

    With `differences`, what stands in one of the two only is marked too, in another way.
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
    """Where to cut: at a space, and not for a few words."""
    if len(whole) <= SHOWN + SPARE:
        return len(whole)
    space = max(whole.rfind(gap, SHOWN - SPARE, SHOWN) for gap in " \n")
    return SHOWN if space < 0 else space + 1


def _marked(whole: str, start: int, end: int, passages: list[tuple[Span, int]], differences: bool) -> Html:
    """A stretch of the text; a passage that begins before it goes on in it."""

    def unshared(stretch: str) -> Html:
        return tag("ins", stretch) if differences and stretch.strip() else text(stretch)

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
