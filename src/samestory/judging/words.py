"""What is asked about an item, and what the answers are called.

Articles are A and B and not left and right, since on a phone they stand one below the other.
"""

from __future__ import annotations

from typing import NamedTuple

from samestory.collection.answers import Shape, choices

#: What is asked about two articles, by relation.
QUESTIONS = {
    "identical": "Are these the same text?",
    "near": "Do both say roughly the same?",
    "contains": "Does one say everything that the other says?",
    "fuzzy80": "Are at least four words in five the same, and the lengths alike?",
    "semantic": "Do both tell of the same event on the same day?",
    "boilerplate": "Do the pages differ only in what the site itself changes?",
    "same": "Is this one story?",
}
OF_CLUSTER = "Does article A repeat one of the others?"
OF_LIST = "Which of these are the same? Put them into one set."

_HOLDING = {"a>b": "A holds B", "b>a": "B holds A", "both": "Each holds the other", "none": "Neither"}
_PLAIN = {"yes": "Yes", "no": "No"}
_CLUSTER = {"yes": "Duplicate", "no": "Unique"}


class Choice(NamedTuple):
    """An answer: as it is sent, as it is called, and the keys that give it."""

    answer: str
    label: str
    keys: tuple[str, ...]


def question(shape: Shape, relation: str) -> str:
    """What is asked."""
    return {Shape.CLUSTER: OF_CLUSTER, Shape.LIST: OF_LIST}.get(shape, QUESTIONS[relation])


def answers(shape: Shape, relation: str) -> list[Choice]:
    """The answers, in the order of their keys; none for a list, which is put into sets.

    >>> answers(Shape.PAIR, "near")
    [Choice(answer='yes', label='Yes', keys=('1', 'y')), Choice(answer='no', label='No', keys=('2', 'n'))]
    """
    if shape is Shape.LIST:
        return []
    letters = {"yes": "y", "no": "n"}
    return [
        Choice(each, label(shape, each), (str(at), *([letters[each]] if each in letters else [])))
        for at, each in enumerate(choices(shape, relation), 1)
    ]


def label(shape: Shape, answer: str | None) -> str:
    """What an answer is called; of a list it is told in its sets."""
    if answer is None:
        return "Skipped"
    if shape is Shape.LIST:
        return "No sets" if answer == "[]" else "Sets"
    return (_CLUSTER if shape is Shape.CLUSTER else {**_PLAIN, **_HOLDING})[answer]
