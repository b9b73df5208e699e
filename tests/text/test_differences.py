"""Only what differs between two texts is marked."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from samestory.model import Span
from samestory.text import differences

WORDS = st.lists(st.sampled_from(["the", "The", "bridge", "köprü", "Мост", "10", "opens,", "again."]), max_size=30)


def outside(text: str, marked: list[Span]) -> list[str]:
    """Returns the unmarked words, without case and punctuation."""
    for start, end in sorted(marked, reverse=True):
        text = f"{text[:start]} {text[end:]}"
    return text.replace(",", " ").replace(".", " ").casefold().split()


@settings(max_examples=300)
@given(WORDS, WORDS)
def test_what_is_not_marked_reads_alike_and_every_mark_says_something(one: list[str], other: list[str]) -> None:
    left, right = " ".join(one), " ".join(other)
    found = differences(left, right, "en")
    assert outside(left, [each.left for each in found]) == outside(right, [each.right for each in found])
    for each in found:
        assert each.left.end > each.left.start or each.right.end > each.right.start
    assert differences(left, left, "en") == []


def test_what_is_rare_holds_two_texts_together() -> None:
    left = "The mayor said the ferry sinks. The harbour master denied it."
    right = "In the town of Oldmere the harbour master denied it."
    found = differences(left, right)
    assert max(each.left.end for each in found) < left.index("harbour")
    assert max(each.right.end for each in found) < right.index("harbour")
