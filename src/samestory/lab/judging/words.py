"""Texts of questions and answers.

Articles are called A and B, not left and right, since on a phone they are shown one below the other.
"""

from __future__ import annotations

from typing import NamedTuple

from samestory.lab.collection.answers import Shape, answer_choices

#: Questions about two articles, by relation.
QUESTIONS = {
    "identical": "Are these the same text?",
    "near": "Do both say roughly the same?",
    "contains": "Does one contain all the information of the other?",
    "fuzzy80": "Are at least four words in five the same, and the lengths alike?",
    "semantic": "Do both report the same event on the same day?",
    "boilerplate": "Do the pages differ only in what the site itself changes?",
    "same": "Are these the same story?",
}
CLUSTER_QUESTION = "Does article A repeat one of the others?"
LIST_QUESTION = "Which of these are the same? Put them into one set."

_CONTAINMENT = {"a>b": "A contains B", "b>a": "B contains A", "both": "Each contains the other", "none": "Neither"}
_YES_NO = {"yes": "Yes", "no": "No"}
_CLUSTER = {"yes": "Duplicate", "no": "Unique"}


class AnswerChoice(NamedTuple):
    """An answer button: value, label and keyboard shortcuts."""

    answer: str
    label: str
    keys: tuple[str, ...]


def question(shape: Shape, relation: str) -> str:
    """Return the question about an item."""
    return {Shape.CLUSTER: CLUSTER_QUESTION, Shape.LIST: LIST_QUESTION}.get(shape, QUESTIONS[relation])


def answers(shape: Shape, relation: str) -> list[AnswerChoice]:
    """Return the answer buttons in the order of their keys; none for a list.

    >>> answers(Shape.PAIR, "near")
    [AnswerChoice(answer='yes', label='Yes', keys=('1', 'y')), AnswerChoice(answer='no', label='No', keys=('2', 'n'))]
    """
    if shape is Shape.LIST:
        return []
    letters = {"yes": "y", "no": "n"}
    return [
        AnswerChoice(each, label(shape, each), (str(at), *([letters[each]] if each in letters else [])))
        for at, each in enumerate(answer_choices(shape, relation), 1)
    ]


def label(shape: Shape, answer: str | None) -> str:
    """Return the label of an answer; for a list only whether there are sets."""
    if answer is None:
        return "Skipped"
    if shape is Shape.LIST:
        return "No sets" if answer == "[]" else "Sets"
    return (_CLUSTER if shape is Shape.CLUSTER else {**_YES_NO, **_CONTAINMENT})[answer]
